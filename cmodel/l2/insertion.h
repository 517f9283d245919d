/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L2_INSERTION_H
#define WARPMEM_L2_INSERTION_H

#include "l2/insertion_ports.h"

/**
 * struct insertion - replacement state of one L2 bank, with warp types: which line of a set is
 * evicted, and between which others a new one is put.
 *
 * Source: Ausavarungnirun et al. (MeDiC), PACT 2015, section 4.3; its cost, 2 bits a line more than
 * LRU, section 6.5. Verilog twin: rtl/l2/insertion.v.
 *
 * A line has a class, that of the warp that brought it (enum l2_class; the all-miss warps share the
 * code of the mostly-miss ones, because they bypass the cache), and a recency among the ways of its
 * set: an exact LRU. The order of eviction is that of (class, recency): "appended to the
 * replacement policy bits". So a new line stands above all lines of its own class and of lower
 * ones, and below those of higher ones: nearer to LRU from a mostly-miss warp, nearer to MRU from a
 * mostly-hit one. With one class it is plain LRU.
 *
 * PLACE = 1 takes "insertion" and "closer to" by the letter instead: a line has no class, and that
 * of the warp decides where in the LRU order a new line enters. A mostly-miss warp's enters as the
 * least recently used, a balanced one's with WAYS / 2 others before it, those of mostly-hit and
 * all-hit warps as the most recently used. Each hit makes its line the most recently used. So a
 * line that nobody uses again ages, whichever warp brought it.
 *
 * Cycle behaviour, the same in both. Each rule looks at the state as it is at the beginning of its
 * cycle.
 *
 * - The current set is the one of the last `read` in an earlier cycle, after reset set 0. All else
 *   is about it: free, held, way, and the victim.
 * - victim, of the current set, in the same cycle: the lowest way of `free`; if there is none, of
 *   the ways not in `held`, the least recently used of the lowest class. victim_valid: there is a
 *   way in `free` or one not in `held`.
 * - insert makes way the most recently used, with line_class; with PLACE = 1 it puts way where
 *   line_class says. touch makes it the most recently used, and with RAISE = 1 raises its class to
 *   line_class if that is higher. The recency of the other ways among each other stays, and so do
 *   their classes. Both together are an insert.
 *   Whether way was free, held or the victim makes no difference.
 * - read in the same cycle as touch or insert: these change the set that was current, and the set
 *   that is read is current from the next cycle on. If it is the same one, it has their change. A
 *   set that is read in any later cycle has it too.
 * - way and set are below WAYS and SETS, whenever touch, insert or read use them.
 *
 * A bank's access takes a cycle in which its set is read and one in which its lines are looked at;
 * one access a cycle is possible, because the next one's set is read meanwhile.
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
/** insertion_step() - the clock edge; out as insertion_comb gave it for this very in. */
void insertion_step(struct insertion *s, const struct insertion_in *in,
                    const struct insertion_out *out);
/** insertion_quiet() - with these inputs held, neither state nor outputs ever change. */
bool insertion_quiet(const struct insertion *s, const struct insertion_in *in);

/** insertion_way_at() - of a set, the way that was used before all but @place others. */
unsigned insertion_way_at(const struct insertion *s, unsigned set, unsigned place);
/** insertion_class() - of a set's way: enum l2_class. */
unsigned insertion_class(const struct insertion *s, unsigned set, unsigned way);

#endif
