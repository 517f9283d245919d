/* SPDX-License-Identifier: Apache-2.0
 *
 * The dynamic load classifier of Detected-DAWS (MICRO 2013, 5.2): the blocks issue/daws_sampling
 * and issue/daws_repetition, the feedback of the memory system (issue/daws/feedback.h), and their
 * messages to the table of loads.
 *
 * Markers, loads and ends of warps wait in an ordered queue of marks, from which one a cycle goes
 * to the table of sampling warps: an instruction may carry several markers and be a load, and
 * several instructions may issue. (Chosen: one queue in front of the block, so that the block
 * compares one PC a cycle; the queue is nearly always empty, and a mark then waits no cycle.) A
 * full queue refuses a mark and counts it; begins, trips and loads leave room for ends, because a
 * loop whose end is lost would not be sampled again.
 *
 * Accesses of sampling warps and the trips that clear their lines wait in order for the repetition
 * detector, which takes one access a cycle; the L1 takes l1.steps. (Chosen: a queue rather than a
 * second port, which would double the tags that are read and the hazards between probes. A sampling
 * warp is one of many: the queue is empty but for the second half of its diverged loads, 16
 * accesses with two steps. A full queue refuses an access and counts it.)
 *
 * The answer comes a cycle later. Then the lines of a sampling warp that begins a trip are cleared;
 * a load of it is judged from its next access on; a load in a loop with locality gets its class. A
 * judgement moves the counter in its cycle; a pair is known five cycles after its access.
 */
#ifndef WARPMEM_ISSUE_DAWS_DETECTOR_H
#define WARPMEM_ISSUE_DAWS_DETECTOR_H

#include "issue/daws/feedback.h"
#include "issue/daws/predictor.h"
#include "issue/daws_repetition.h"
#include "issue/daws_sampling.h"
#include "issue/policy.h"

#define DAWS_MARKS 64      /* places in the queue */
#define DAWS_MARKS_LEFT 16 /* of these, for ends alone */
#define DAWS_PROBES 64     /* places for cycles of the repetition detector */
#define DAWS_PROBES_LEFT 8 /* of these, for clears alone: at most one comes in each cycle */

/* A mark of issue/daws_sampling. For a load: its name, number (issue/daws/feedback.h), active lanes
 * and accesses. */
struct daws_queued_mark {
    uint8_t kind, warp, lanes;
    uint32_t loop;
    uint32_t load, number;
    unsigned accesses;
};

/* Inputs of a cycle of the repetition detector. @loop: of the probe. */
struct daws_queued_probe {
    struct daws_repetition_in in;
    uint32_t loop;
};

struct daws_detector {
    struct block_instance sampling, repetition;
    struct alarm *alarm;
    struct daws_predictor *loads;
    struct daws_feedback feedback;
    uint64_t cycle; /* the blocks' current cycle, which their Verilog reads */
    /* Inputs and outputs of that cycle: */
    struct daws_sampling_in sampling_in;
    struct daws_sampling_out sampling_out;
    struct daws_repetition_in repetition_in;
    struct daws_repetition_out repetition_out;
    struct daws_queued_mark asked; /* in the cycle before, if @asks */
    bool asks, fed;                /* fed: in the cycle before, to the loop in place @fed_loop */
    uint8_t fed_loop;
    uint32_t probed_loop[DAWS_REPETITION_LATENCY]; /* in cycle c: [c mod latency] */
    struct daws_queued_mark mark[DAWS_MARKS];
    unsigned head, count;
    struct daws_queued_probe probe[DAWS_PROBES];
    unsigned probe_head, probe_count;
    bool busy; /* an operation is under way */
    uint64_t judged, local, refused;
};

/** daws_detector_make() - make the blocks of the core of @view; false: refused, and blocks->error
 * has the reason. daws_detector_destroy() - also of a zeroed one. */
bool daws_detector_make(struct daws_detector *d, const struct policy_view *view,
                        const struct build *build);
void daws_detector_destroy(struct daws_detector *d);
/** daws_detector_init() - after daws_detector_make(). @loads: the table that it fills. */
void daws_detector_init(struct daws_detector *d, enum daws_judge judge,
                        struct daws_predictor *loads);

/** daws_detector_run_busy() - the same up to the cycle in which no operation is under way. */
void daws_detector_run_busy(struct daws_detector *d, uint64_t cycle);
/** daws_detector_run() - advance the blocks and the table of loads to @cycle; the table has their
 * answers up to then. At most one cycle ahead while busy. */
static inline void daws_detector_run(struct daws_detector *d, uint64_t cycle) {
    if (d->busy) {
        daws_detector_run_busy(d, cycle);
    }
    d->cycle = cycle > d->cycle ? cycle : d->cycle;
}

/* Events of the blocks' current cycle: */

/** daws_detector_mark() - a warp begins a loop with this many lanes, begins another trip, leaves
 * it, or ends (enum daws_sampling_mark). */
void daws_detector_mark(struct daws_detector *d, enum daws_sampling_mark kind, unsigned warp,
                        uint32_t loop, unsigned lanes);
/** daws_detector_issue() - a load or an atomic has issued. Return: its number.
 * daws_detector_load() - the loop of a cached load of that number is known; in the cycle of its
 * issue or later. */
uint32_t daws_detector_issue(struct daws_detector *d, unsigned warp, uint32_t pc,
                             unsigned accesses);
void daws_detector_load(struct daws_detector *d, unsigned warp, uint32_t loop, uint32_t pc,
                        unsigned lanes, uint32_t number, unsigned accesses);
/** daws_detector_access() - the L1 has taken a read or an atomic. @own: the warp had fetched its
 * line. @lost_at: of daws_feedback_access(). */
void daws_detector_access(struct daws_detector *d, unsigned warp, uint64_t line, bool own,
                          uint64_t lost_at);
/** daws_detector_lost() - a victim hit known in @cycle, which the blocks have not reached yet. */
void daws_detector_lost(struct daws_detector *d, unsigned warp, uint64_t cycle);

#endif
