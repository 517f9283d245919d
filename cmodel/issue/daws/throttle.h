/* SPDX-License-Identifier: Apache-2.0
 *
 * The block issue/daws_footprint of a core, with the queue of marks, the lanes and PCs of the next
 * loads, and the questions to the table of loads (DAWS, MICRO 2013, 5.1).
 *
 * Markers and loads of instructions wait in an ordered queue, from which one a cycle goes to the
 * block: an instruction may carry several markers and be a load, and several instructions may issue
 * in a cycle. (Chosen: one queue in front of the block, so that the block examines one mark a
 * cycle; the queue is nearly always empty, and a mark then waits no cycle. While it is half full no
 * warp issues, so no mark is lost.) Levels, slots and ends of warps do not wait; the end of a warp
 * removes its marks from the queue.
 */
#ifndef WARPMEM_ISSUE_DAWS_THROTTLE_H
#define WARPMEM_ISSUE_DAWS_THROTTLE_H

#include "issue/daws_footprint.h"
#include "issue/daws/predictor.h"
#include "issue/policy.h"

#define DAWS_QUEUE 128 /* marks; with half of them waiting no warp issues */

/* @load: of a load, the name that its sender uses. */
struct daws_throttle_mark {
    uint8_t kind, warp, lanes;
    uint32_t pc, load;
};

/* A load whose loop is now known. */
struct daws_load_loop {
    bool found;
    uint32_t loop, load;
};

struct daws_throttle {
    struct block_instance block;
    struct alarm *alarm;
    struct daws_predictor *loads;
    bool at_once;
    bool calm;                   /* nothing changes without an event */
    uint64_t cycle;              /* the block's current cycle, which its Verilog reads */
    struct daws_footprint_in in; /* of that cycle */
    struct daws_footprint_out out;
    uint64_t near_next, released; /* these levels change with the next cycle */
    uint32_t near_pc[DAWS_FOOTPRINT_WARPS_MAX];
    uint8_t near_lanes[DAWS_FOOTPRINT_WARPS_MAX];
    struct daws_throttle_mark mark[DAWS_QUEUE];
    unsigned head, count;
    uint8_t asked, asked_near; /* questions of the last DAWS_ASK_CYCLES, a bit each, the latest the
                                * lowest; questions of warps outside loops */
    struct {
        bool valid;
        uint32_t load;
    } looked[2];           /* loads: of the last cycle, and of the one before */
    uint64_t held_in_loop; /* warps that have been held since their outermost loop began */
    uint64_t predictions, predicted_lines, over;
};

/** daws_throttle_make() - make the block of the core of @view; false: refused, and blocks->error
 * has the reason. daws_throttle_destroy() - also of a zeroed one. */
bool daws_throttle_make(struct daws_throttle *t, const struct policy_view *view,
                        const struct build *build);
void daws_throttle_destroy(struct daws_throttle *t);
/** daws_throttle_init() - after daws_throttle_make(). @loads: the predictor, which must stay. */
void daws_throttle_init(struct daws_throttle *t, struct daws_predictor *loads);

/** daws_throttle_run() - advance the block to @cycle. At most one cycle ahead while it is busy. */
void daws_throttle_run(struct daws_throttle *t, uint64_t cycle);
/** daws_throttle_busy() - true if the next cycle may change anything. */
bool daws_throttle_busy(const struct daws_throttle *t);
/** daws_throttle_next() - the first cycle after this one in which the mask may change without an
 * event; UINT64_MAX: none. */
uint64_t daws_throttle_next(const struct daws_throttle *t);
/** daws_throttle_loop() - the load whose loop is known in this cycle; false: none. The block shows
 * it two cycles after the load, or one without latency. */
static inline bool daws_throttle_loop(const struct daws_throttle *t, struct daws_load_loop *load) {
    const unsigned at = t->at_once ? 0 : 1;
    if (!t->looked[at].valid) {
        return false;
    }
    *load = (struct daws_load_loop){.found = t->out.load_valid && t->out.load_found,
                                    .loop = t->out.load_loop,
                                    .load = t->looked[at].load};
    return true;
}

/* Events of the block's current cycle: */

/** daws_throttle_mark() - an instruction with a marker, or a load, has issued. */
void daws_throttle_mark(struct daws_throttle *t, const struct daws_throttle_mark *m);
/** daws_throttle_near() - from the next cycle on the warp's next instruction is a load, at @pc with
 * @lanes; daws_throttle_issued() - the warp has issued an instruction. */
void daws_throttle_near(struct daws_throttle *t, unsigned warp, uint32_t pc, unsigned lanes);
void daws_throttle_issued(struct daws_throttle *t, unsigned warp);
/** daws_throttle_launch() - warps start; daws_throttle_exit() - one has issued its last
 * instruction; daws_throttle_wait() - one reaches a barrier; daws_throttle_release() - they
 * continue. */
void daws_throttle_launch(struct daws_throttle *t, uint64_t warps);
void daws_throttle_exit(struct daws_throttle *t, unsigned warp);
void daws_throttle_wait(struct daws_throttle *t, unsigned warp);
void daws_throttle_release(struct daws_throttle *t, uint64_t warps);

/** daws_throttle_full() - no warp may issue in this cycle. */
static inline bool daws_throttle_full(const struct daws_throttle *t) {
    return t->count > DAWS_QUEUE / 2;
}

#endif
