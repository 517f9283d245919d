/* SPDX-License-Identifier: Apache-2.0
 *
 * Bloom filter of line addresses, emptied after a number of insertions: the evicted-address filter
 * (Seshadri et al., PACT 2012, 3.2), and what MeDiC-reuse remembers (MeDiC 6.4). It may know an
 * address that was never inserted, and never forgets one before it is emptied.
 */
#ifndef WARPMEM_L2_ADDRESS_FILTER_H
#define WARPMEM_L2_ADDRESS_FILTER_H

#include <stdbool.h>
#include <stdint.h>

struct address_filter {
    uint64_t *words;
    unsigned mask; /* for a bit's number */
    unsigned hashes;
    unsigned addresses; /* insertions until it is emptied */
    unsigned inserted;  /* since then */
};

/**
 * address_filter_init() - empty.
 * @bits:      a power of two, 64 or more
 * @hashes:    functions, 1 or more
 * @addresses: after so many insertions it is emptied, 1 or more
 * Return: false: out of memory.
 */
bool address_filter_init(struct address_filter *f, unsigned bits, unsigned hashes,
                         unsigned addresses);
void address_filter_destroy(struct address_filter *f);

/** address_filter_knows() - was the line inserted since it was emptied? May be true though not. */
bool address_filter_knows(const struct address_filter *f, uint64_t line);
/** address_filter_insert() - remember the line; the one that fills the filter up empties it. */
void address_filter_insert(struct address_filter *f, uint64_t line);

#endif
