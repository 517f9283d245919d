/* SPDX-License-Identifier: Apache-2.0
 *
 * Bloom filter of line addresses, emptied after a number of insertions. It is the evicted-address
 * filter (Seshadri et al., PACT 2012, 3.2) and the memory of MeDiC-reuse (MeDiC 6.4). It may report
 * an address that was never inserted, and never misses one inserted since it was last emptied.
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
 * address_filter_init() - start empty.
 * @bits:      a power of two, 64 or more
 * @hashes:    number of hash functions, 1 or more
 * @addresses: number of insertions after which the filter is emptied, 1 or more
 * Return: false: out of memory.
 */
bool address_filter_init(struct address_filter *f, unsigned bits, unsigned hashes,
                         unsigned addresses);
void address_filter_destroy(struct address_filter *f);

/** address_filter_knows() - was the line inserted since the filter was emptied? "Yes" may be
 * wrong. */
bool address_filter_knows(const struct address_filter *f, uint64_t line);
/** address_filter_insert() - insert the line; the insertion that fills the filter empties it. */
void address_filter_insert(struct address_filter *f, uint64_t line);

#endif
