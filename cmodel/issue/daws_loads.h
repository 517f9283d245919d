/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_DAWS_LOADS_H
#define WARPMEM_ISSUE_DAWS_LOADS_H

#include "issue/daws_loads_ports.h"

#define DAWS_CODE_SHIFT 16 /* a name in the machine: number of the code, then PC / 8 */

/** daws_name() - name of the instruction at @pc in code number @code. */
static inline uint32_t daws_name(unsigned code, uint32_t pc) {
    return (uint32_t)(code & 0xff) << DAWS_CODE_SHIFT | (pc >> 3 & 0xffff);
}

/** struct daws_load - an entry. @counter: divergence, signed, 4 bits, saturating; above 1 the load
 * is diverged. @group: its repetition ID. */
struct daws_load {
    uint32_t pc;
    uint8_t loop; /* its place */
    uint8_t group;
    int8_t counter;
};

/** struct daws_loop - a loop with entries, and its groups by the last scan. */
struct daws_loop {
    uint32_t pc;
    bool positive; /* has locality: predictions are made for it */
    uint8_t diverged, converged;
};

/* A class or a write under way. Place LOOPS or ENTRIES: it has none. */
struct daws_change {
    bool valid, write, diverged, up, down;
    uint32_t loop, pc;
    uint8_t group, at_loop, at_load;
};

/* The loads of a pair, then their entries, then their groups; at last also the entries of the cycle
 * before the groups are joined. */
struct daws_pair {
    bool valid;
    uint8_t at_loop, loads;
    uint32_t a, b;
};

struct daws_sign {
    bool valid, positive;
    uint8_t at_loop;
};

/* A question under way: the loops that may answer; the loop that does; the answer. */
struct daws_ask_stage {
    bool valid, known;
    uint8_t warp, lanes, diverged, converged;
    uint16_t fits, lines;
    uint32_t loop;
};

/**
 * struct daws_loads - the static load classification table: for each load of a loop with locality
 * its divergence and the group of loads that access the same lines in a trip.
 *
 * Source: DAWS (MICRO 2013), 4.2, 5.1, 5.1.1, 5.1.2 and 5.2.2. A profile writes the table (write),
 * or the loads of sampling warps fill it (class, pair, sign). The prediction for a warp in a loop
 * (ask) is, a trip, a line a lane for each group with a diverged load, and two lines for each other
 * group, or one with one lane:
 *
 *   lines = lanes x diverged + min(lanes, 2) x converged
 *
 * Nothing is evicted, because a class is needed as long as its code runs: a full table refuses a
 * new load or loop.
 *
 * Cycle behaviour, the same in both, for inputs of cycle n; one of each kind in every cycle:
 *
 * - Ask: it sees the loops of n and their groups of n + 1; the outputs have the answer in n + 3.
 *   With ask_near the answer comes from the loop of the same code with the lowest PC that is not
 *   below the load's. Only a loop with locality (positive) answers.
 * - Class, write: the loop is looked up in n, the load in n + 1; in n + 3 the table has changed, or
 *   refused is set. A load without an entry gets one, with class 0 (a write: 7 or -8) and its own
 *   number as its group (a write: the written one). For two cycles after a new entry a class makes
 *   none (chosen: the load returns with the next trip, and no comparison with entries under way is
 *   needed); a writer leaves two cycles between writes.
 *   With more than two lanes the counter moves: up after more than two accesses, else down
 *   (5.2.2). A class makes its loop positive: only loads of such loops come.
 * - Sign: the loop as of n is set in n + 3, after a class of the same cycle; a loop without entry
 *   ignores it.
 * - Pair: the loop is looked up in n, the loads in n + 1, their groups in n + 2; in n + 5 loads of
 *   the two groups that had entries in n + 3 are one group, the one with the lower number. A pair
 *   in the two cycles after another one does not see its result (chosen: the pair returns with the
 *   next trip).
 * - Groups: a new entry, a written one, another class or a pair that joins groups marks its loop.
 *   When the scan is free and a loop is marked in n, the marked loop with the lowest place is
 *   scanned in n + 1 to n + ENTRIES + 3, an entry a cycle; its numbers of groups are valid from
 *   n + ENTRIES + 4 on. If the loop is marked again before the last cycle, the scan ends a cycle
 *   later without result.
 * - Clear: no entries from n + 1 on; inputs of n and before have no effect, but asks are answered.
 *
 * The scan is modelled by its result.
 *
 * Verilog twin: rtl/issue/daws_loads.v.
 */
struct daws_loads {
    struct daws_loads_params p;
    unsigned load_count, loop_count;
    struct daws_load load[DAWS_LOADS_ENTRIES_MAX];
    struct daws_loop loop[DAWS_LOADS_LOOPS_MAX];
    struct daws_change change[2]; /* about to look the load up; about to change the table */
    struct daws_pair pair[4];
    struct daws_sign sign[2];
    struct daws_ask_stage ask[3]; /* the last: the outputs */
    uint8_t made;                 /* an entry was made: 1 in the last cycle, 2 in the one before */
    bool refused;
    uint32_t marked;                       /* loops to scan, a bit each */
    unsigned scan_loop, scan_left;         /* cycles to its end; 0: idle */
    uint8_t scan_diverged, scan_converged; /* its counts, in its last cycle */
};

bool daws_loads_init(struct daws_loads *s, const struct daws_loads_params *p);
void daws_loads_destroy(struct daws_loads *s);
void daws_loads_comb(const struct daws_loads *s, const struct daws_loads_in *in,
                     struct daws_loads_out *out);
void daws_loads_step(struct daws_loads *s, const struct daws_loads_in *in,
                     const struct daws_loads_out *out);
bool daws_loads_quiet(const struct daws_loads *s, const struct daws_loads_in *in);
/** daws_loads_skip() - the same as @cycles calls of daws_loads_step() with these inputs held. */
void daws_loads_skip(struct daws_loads *s, const struct daws_loads_in *in, uint64_t cycles);
/** daws_loads_steady() - see struct block. */
uint64_t daws_loads_steady(const struct daws_loads *s, const struct daws_loads_in *in);

#endif
