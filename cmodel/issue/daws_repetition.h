/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_DAWS_REPETITION_H
#define WARPMEM_ISSUE_DAWS_REPETITION_H

#include "issue/daws_repetition_ports.h"

#define DAWS_REPETITION_LATENCY 5 /* cycles from an access to its pair */
#define DAWS_REPETITION_VOTES_MAX 63

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
 * - With MAJORITY (chosen: by the letter one line that two loads share by accident joins them for
 *   good) a counter of 7 bits, saturating, counts each pair of a load up and each other access
 *   down. The load's last access (probe_last) shows a pair if the counter is above 0 then, with the
 *   load that the last pair found, and sets the counter to 0.
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
    int votes;       /* MAJORITY: of the load's accesses so far, pairs less others, saturating */
    uint32_t other;  /* the load of the last pair */
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
