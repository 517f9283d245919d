/* SPDX-License-Identifier: Apache-2.0
 *
 * An L2 bank's memory of the lines that it has evicted: for the evicted-address filter
 * (l2.insertion = eaf; Seshadri et al., PACT 2012, which MeDiC compares with in section 5), and for
 * MeDiC-reuse (MeDiC 6.4).
 */
#ifndef WARPMEM_L2_BANK_FILTERS_H
#define WARPMEM_L2_BANK_FILTERS_H

#include "config/config.h"
#include "l2/address_filter.h"

struct l2_bank;

/**
 * struct l2_filters - of a bank.
 *
 * With l2.insertion = eaf a miss that takes a line asks the bank's filter, which holds the lines
 * that the bank has evicted: one that it knows was evicted too early and is inserted most recently
 * used; one that it does not know is inserted least recently used, but for each eaf.bimodal-th (the
 * bimodal insertion of PACT 2012). The victim's address enters after that. Each bank has its share
 * of the partition's filter (eaf.bits, eaf.addresses): it is asked about its own lines alone.
 */
struct l2_filters {
    bool eaf;
    struct address_filter evicted;
    unsigned bimodal;
    unsigned unknown; /* lines since one of them was inserted most recently used all the same */
    struct address_filter *recent; /* the partition's, of MeDiC-reuse; NULL: none */
};

/** l2_filters_wanted() - does the machine need them? A perfect L2 evicts nothing. */
static inline bool l2_filters_wanted(const struct config *config) {
    return !config->l2.perfect &&
           (config->l2.insertion == L2_INSERTION_EAF || config->medic.reuse == MEDIC_REUSE_BLOOM);
}

/** l2_filters_create() - of a bank. NULL: out of memory. */
struct l2_filters *l2_filters_create(const struct config *config);
void l2_filters_destroy(struct l2_filters *f);

/** l2_filters_take() - a miss for @line takes way @way of set @set; the way's line is as it was.
 * Return: it is to be inserted least recently used. */
bool l2_filters_take(struct l2_filters *f, const struct l2_bank *b, uint64_t line, unsigned set,
                     int way);

#endif
