/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L2_INSERTION_H
#define WARPMEM_L2_INSERTION_H

#include "l2/insertion_ports.h"

/**
 * struct insertion - replacement state of one L2 bank, with warp types: it chooses the line of a
 * set to evict, and the place of a new line among the others.
 *
 * Source: Ausavarungnirun et al. (MeDiC), PACT 2015, section 4.3; its cost, 2 bits a line more than
 * LRU, section 6.5. Verilog twin: rtl/l2/insertion.v.
 *
 * A line has a class, that of the warp that brought it (enum l2_class; all-miss warps share the
 * code of mostly-miss warps, because they bypass the cache), and a recency among the ways of its
 * set: an exact LRU. Lines are evicted in the order of (class, recency): "appended to the
 * replacement policy bits". So a new line ranks above all lines of its own class and of lower ones,
 * and below those of higher ones: nearer to LRU from a mostly-miss warp, nearer to MRU from a
 * mostly-hit one. With one class it is plain LRU.
 *
 * PLACE = 1 takes "insertion" and "closer to" literally instead: a line has no class, and the class
 * of the warp decides the place in the LRU order at which a new line enters. A line of a
 * mostly-miss warp enters as the least recently used, of a balanced one with WAYS / 2 others before
 * it, of mostly-hit and all-hit warps as the most recently used. Each hit makes its line the most
 * recently used. So an unused line ages, whichever warp brought it.
 *
 * Cycle behaviour, the same in both. Each rule reads the state as it is at the beginning of its
 * cycle.
 *
 * - The current set is the set of the last `read` in an earlier cycle; after reset it is set 0. All
 *   other ports refer to it: free, held, way, and the victim.
 * - victim, of the current set, in the same cycle: the lowest way of `free`; if there is none, the
 *   least recently used way of the lowest class among those not in `held`. victim_valid: there is a
 *   way in `free` or one not in `held`.
 * - insert makes way the most recently used, with line_class; with PLACE = 1 line_class decides the
 *   place of way. touch makes way the most recently used, and with RAISE = 1 raises its class to
 *   line_class if that is higher. The recency of the other ways among each other stays, and so do
 *   their classes. Both together are an insert.
 *   Whether way was free, held or the victim makes no difference.
 * - read in the same cycle as touch or insert: these change the set that was current, and the set
 *   of the read is current from the next cycle on. If it is the same set, it has their change; so
 *   has a set that is read in any later cycle.
 * - way and set are below WAYS and SETS whenever touch, insert or read use them.
 *
 * A bank's access takes two cycles: one reads its set, the other looks at its lines. One access a
 * cycle is possible, because the next access's set is read meanwhile.
 */
struct insertion {
    struct insertion_params params;
    unsigned stride; /* 64-bit words of a set */
    /* [set][stride]: bit 0 of each way's class; bit 1; then the ways from the least to the most
     * recently used, four bits each where that is enough, else eight. */
    uint64_t *sets;
    uint64_t *current; /* one of them */
    bool nibbles;      /* four bits are enough: WAYS is at most 16 */
};

/** insertion_init() - allocate and reset; params in the ranges of INSERTION_PARAMS. False: out of
 * memory. */
bool insertion_init(struct insertion *s, const struct insertion_params *params);
void insertion_destroy(struct insertion *s);
/** insertion_comb() - the outputs of this cycle; late inputs are not read. */
void insertion_comb(const struct insertion *s, const struct insertion_in *in,
                    struct insertion_out *out);
/** insertion_step() - the clock edge; @out is the output of insertion_comb() for this @in. */
void insertion_step(struct insertion *s, const struct insertion_in *in,
                    const struct insertion_out *out);
/** insertion_quiet() - with these inputs held, neither state nor outputs ever change. */
bool insertion_quiet(const struct insertion *s, const struct insertion_in *in);

/** insertion_way_at() - the way of a set that was used before all others but @place. */
unsigned insertion_way_at(const struct insertion *s, unsigned set, unsigned place);
/** insertion_class() - enum l2_class of a set's way. */
unsigned insertion_class(const struct insertion *s, unsigned set, unsigned way);

#endif
