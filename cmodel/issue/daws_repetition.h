/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_DAWS_REPETITION_H
#define WARPMEM_ISSUE_DAWS_REPETITION_H

#include "issue/daws_repetition_ports.h"

#define DAWS_REPETITION_LATENCY 5 /* cycles from an access to its pair */

/**
 * struct daws_repetition - the intra-loop repetition detector of Detected-DAWS: finds static loads
 * that access the same line in the same trip.
 *
 * Source: DAWS (MICRO 2013), 5.2.2, table 4. A set-associative array of lines with LRU; each entry
 * has the load and the warp that inserted the line. An access of a sampling warp that finds its
 * line makes a pair with that load, if it is another one; otherwise it inserts its line. A warp's
 * lines are cleared when it begins the next trip. Lines of different warps do not match, because
 * several loops can be sampled at once.
 *
 * Cycle behaviour, the same in both:
 *
 * - A probe and a clear are possible in every cycle. The outputs have the pair of a probe of cycle
 *   n in n + 5.
 * - Each sees the effects of earlier cycles. In the same cycle the clear comes first (chosen: the
 *   warp's marker issued a cycle ago, and issue/daws_sampling has answered since; so the access
 *   belongs to the new trip).
 * - A line goes into a way without a line if there is one, else replaces the least recently used.
 *   An access that finds its line makes it the most recently used and keeps its load.
 *
 * The model does all of this in the cycle of the probe and shows the pair later.
 *
 * Verilog twin: rtl/issue/daws_repetition.v.
 */
struct daws_repetition {
    struct daws_repetition_params p;
    struct daws_repetition_entry {
        bool valid;
        uint8_t warp;
        uint32_t line, pc;
        uint64_t used; /* time of the last use, for LRU */
    } entry[DAWS_REPETITION_SETS_MAX][DAWS_REPETITION_WAYS_MAX];
    uint64_t probes; /* so far: the clock of LRU */
    /* Outputs of this cycle and the next ones. */
    struct daws_repetition_pair {
        uint32_t valid; /* 0 or 1: a bool would leave bytes that no assignment sets */
        uint32_t a, b;
    } pair[DAWS_REPETITION_LATENCY];
};

bool daws_repetition_init(struct daws_repetition *s, const struct daws_repetition_params *p);
void daws_repetition_destroy(struct daws_repetition *s);
void daws_repetition_comb(const struct daws_repetition *s, const struct daws_repetition_in *in,
                          struct daws_repetition_out *out);
void daws_repetition_step(struct daws_repetition *s, const struct daws_repetition_in *in,
                          const struct daws_repetition_out *out);
bool daws_repetition_quiet(const struct daws_repetition *s, const struct daws_repetition_in *in);

#endif
