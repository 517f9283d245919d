/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_DAWS_REPETITION_H
#define WARPMEM_ISSUE_DAWS_REPETITION_H

#include "issue/daws_repetition_ports.h"

#define DAWS_REPETITION_LATENCY 5 /* cycles from an access to its pair */

/**
 * struct daws_repetition - the intra-loop repetition detector of Detected-DAWS: which static loads
 * access the same line in the same trip.
 *
 * Source: DAWS (MICRO 2013), 5.2.2, table 4. A set-associative array of lines with LRU, each with
 * the load and the warp that put it there. An access of a sampling warp that finds its line makes a
 * pair with that load, if it is another one; else it puts its line there. A warp's lines are
 * cleared when it begins the next trip. Lines of one warp do not meet those of another: several
 * loops can be sampled at once.
 *
 * Cycle behaviour, the same in both:
 *
 * - A probe and a clear in every cycle. The pair of a probe of cycle n is at the outputs in n + 5.
 * - Each finds what those of the cycles before have left. In the same cycle the clear comes first
 *   (chosen: the warp's marker issued a cycle ago, as issue/daws_sampling has answered meanwhile;
 *   so the access is one of the new trip).
 * - A line goes into a way without one if there is such a way, else over the least recently used.
 *   An access that finds its line makes it the last used and leaves the load there as it is.
 *
 * All is modelled in the cycle of the probe, and the pair is shown later.
 *
 * Verilog twin: rtl/issue/daws_repetition.v.
 */
struct daws_repetition {
    struct daws_repetition_params p;
    struct daws_repetition_entry {
        bool valid;
        uint8_t warp;
        uint32_t line, pc;
        uint64_t used; /* when last, for LRU */
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
