/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_SHADOW_TAGS_H
#define WARPMEM_L1_SHADOW_TAGS_H

#include "l1/shadow_tags_ports.h"

#define SHADOW_TAGS_LATENCY 3 /* cycles from an access to its hits */

/**
 * struct shadow_tags - tags without data, for the lines of an L1 that only some warps use.
 *
 * MDB (DAC 2016), section 6: each array has the structure of the L1's tag store, holds a share of
 * its sets (1:8), and replaces the least recently used line. An access enters array acc_first and
 * all above it; the arrays below it do not change. A missing line is filled at once. One access
 * a cycle; its hits are at the outputs three cycles later. Each access includes the effects of all
 * before it, also of those in flight.
 *
 * Here the arrays are stacks, the most recent line first: the hits equal those of ways with an age
 * each, as in the Verilog.
 * Verilog twin: rtl/l1/shadow_tags.v.
 */
struct shadow_tags {
    struct shadow_tags_params params;
    uint32_t tag[SHADOW_TAGS_ARRAYS_MAX][SHADOW_TAGS_SETS_MAX][SHADOW_TAGS_WAYS_MAX];
    uint8_t lines[SHADOW_TAGS_ARRAYS_MAX][SHADOW_TAGS_SETS_MAX];
    /* On their way to the outputs, which are number 0. */
    bool flight_valid[SHADOW_TAGS_LATENCY];
    uint8_t flight_hit[SHADOW_TAGS_LATENCY];
};

/** shadow_tags_init() - params in the ranges of SHADOW_TAGS_PARAMS. Always true. */
bool shadow_tags_init(struct shadow_tags *s, const struct shadow_tags_params *params);
void shadow_tags_destroy(struct shadow_tags *s);
/** shadow_tags_comb() - the outputs of this cycle; they do not depend on its inputs. */
void shadow_tags_comb(const struct shadow_tags *s, const struct shadow_tags_in *in,
                      struct shadow_tags_out *out);
/** shadow_tags_step() - the clock edge; @out is the output of shadow_tags_comb() for this @in. */
void shadow_tags_step(struct shadow_tags *s, const struct shadow_tags_in *in,
                      const struct shadow_tags_out *out);
/** shadow_tags_quiet() - with these inputs held, neither state nor outputs ever change. */
bool shadow_tags_quiet(const struct shadow_tags *s, const struct shadow_tags_in *in);

#endif
