/* SPDX-License-Identifier: Apache-2.0
 *
 * Random texts of dram.address_map.
 */
#ifndef WARPMEM_TB_RANDOM_MAP_H
#define WARPMEM_TB_RANDOM_MAP_H

#include <string.h>

#include "config/config.h"
#include "cosim/rng.h"

/** random_address_map() - none for half the machines; else one that their DRAM can have: R on top,
 * lines below, and all other letters by lot between them. */
static inline void random_address_map(struct rng *rng, struct config *c) {
    unsigned burst_bits = (unsigned)__builtin_ctz(c->dram.bus_bytes * c->dram.burst),
             line_bits = (unsigned)__builtin_ctz(c->l2.line_bytes),
             columns = (unsigned)__builtin_ctz(c->dram.row_bytes) - line_bits,
             banks = (unsigned)__builtin_ctz(c->dram.banks), rows = rng_below(rng, 5), used = 1;
    strcpy(c->dram.address_map, "-");
    if (rng_chance(rng, 1, 2)) {
        return;
    }
    memset(c->dram.address_map, 0, sizeof c->dram.address_map);
    c->dram.address_map[0] = 'R';
    while (columns + banks + rows) {
        unsigned pick = rng_below(rng, columns + banks + rows);
        unsigned *left = pick < columns ? &columns : pick < columns + banks ? &banks : &rows;
        c->dram.address_map[used++] = left == &columns ? 'C' : left == &banks ? 'B' : 'R';
        --*left;
    }
    for (unsigned bit = line_bits; bit; bit--) {
        c->dram.address_map[used++] = bit > burst_bits ? 'C' : 'S';
    }
}

#endif
