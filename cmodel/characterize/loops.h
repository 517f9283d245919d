/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines that a warp's loads touch in an iteration of a loop (DAWS, MICRO 2013): loads of global and
 * local memory that the L1 serves, each as part of the innermost loop that is open. A trip is one
 * iteration of one warp.
 */
#ifndef WARPMEM_CHARACTERIZE_LOOPS_H
#define WARPMEM_CHARACTERIZE_LOOPS_H

#include "characterize/lines.h"

#define LOOP_LOADS_MAX 32 /* DAWS 5.1: at most 26 in loops; loads beyond the limit join no group */
#define LOOP_DEPTH_MAX 16 /* nested loops; deeper ones count as part of the last */

/**
 * struct loop_load - a static load of a loop.
 * @diverged, @converged: executions by more than two lanes that made more than two accesses, or not
 * @local: executions that touched a line which the warp had touched before in this trip or the
 *         last
 * @mostly_local: executions with more than half of their lines local in this sense
 * @accesses, @local_accesses: all accesses of its executions; those to such lines
 * @repeats: executions that touched a line which the other load had touched in this trip
 */
struct loop_load {
    unsigned insn; /* its place in the code */
    uint64_t executions, diverged, converged, local, mostly_local, accesses, local_accesses;
    uint64_t repeats[LOOP_LOADS_MAX];
};

/**
 * struct loop - a loop of the code, over all its executions.
 * @entries: entries of warps, by active lanes
 * @trips:   iterations, by active lanes at their beginning
 * @accesses: all accesses of its loads
 * @this_trip, @last_trip, @earlier: those to a line that this warp had touched since it entered the
 *            loop: in this trip, in the last one, in an older one (figure 4's classes)
 * @trip_lines: sum over the trips of the distinct lines touched in each
 * @live_lines: sum over the trips of the lines touched so far that a later trip touches again: the
 *            lines that a cache must hold for the warp to keep all of its reuse
 */
struct loop {
    unsigned insn; /* place of its first instruction in the code */
    uint64_t entries[WARP_SIZE + 1], trips[WARP_SIZE + 1];
    uint64_t accesses, this_trip, last_trip, earlier;
    uint64_t trip_lines, live_lines;
    struct loop_load load[LOOP_LOADS_MAX];
    unsigned loads;
};

/* The loops of one kernel's code. */
struct loops {
    struct loop *loop;
    unsigned count;
    int *of; /* by instruction: the loop that it begins, -1: none yet */
};

/* A line that a warp has touched in a loop. */
struct loop_line {
    uint64_t last;  /* trip */
    uint32_t loads; /* in that trip; one bit each */
};

struct open_loop {
    int loop;
    uint64_t trip;
    struct line_map map;
    struct loop_line *line;
    uint32_t room;
};

/* A warp's walk through the code; the buffers are reused from warp to warp. */
struct loop_walk {
    struct open_loop open[LOOP_DEPTH_MAX];
    unsigned depth, deeper;
};

/** loops_init() - @insns: instructions in the code. False: out of memory. */
bool loops_init(struct loops *l, unsigned insns);
void loops_destroy(struct loops *l);
/** loop_walk_begin() - a new warp. */
void loop_walk_begin(struct loop_walk *w);
void loop_walk_destroy(struct loop_walk *w);
/** loops_mark() - a loop marker of the warp. @insn: its place in the code. False: out of memory. */
bool loops_mark(struct loops *l, struct loop_walk *w, const struct warp_op *op, unsigned insn);
/** loops_load() - a load of the warp, with its lines. False: out of memory. */
bool loops_load(struct loops *l, struct loop_walk *w, const struct warp_op *op, unsigned insn,
                const struct accesses *a);

/** loop_sum() - sum of entries or trips over all numbers of lanes. */
uint64_t loop_sum(const uint64_t by_lanes[WARP_SIZE + 1]);
/** loop_has_locality() - more executions of its loads were local than not. This is the locality
 * counter of DAWS 5.2.1 for an L1 that always holds the lines of two trips. */
bool loop_has_locality(const struct loop *l);
/** loop_load_diverged() - more than half of the classified executions were diverged. */
bool loop_load_diverged(const struct loop_load *l);
/**
 * loop_groups() - group loads that access the same lines in a trip (DAWS 4.2.2). Two loads share a
 * group if more than half of the executions of one touch a line that the other has touched in this
 * trip.
 * @group: of each load: the number of the first load of its group
 */
void loop_groups(const struct loop *l, unsigned group[LOOP_LOADS_MAX]);
/**
 * loop_footprint() - DAWS 5.1.1: predicted lines of a warp in a trip that begins with @lanes active
 * lanes. Each group counts once: a line per active lane if one of its loads is diverged, else two
 * lines, or one if one lane is active.
 */
unsigned loop_footprint(const struct loop *l, unsigned lanes);
/** loop_footprint_sum() - sum of the footprints over all trips. */
uint64_t loop_footprint_sum(const struct loop *l);

#endif
