/* SPDX-License-Identifier: Apache-2.0
 *
 * The block issue/daws_loads of a core, with its clock and the profile that is written into it when
 * a kernel is launched (DAWS, MICRO 2013, 5.1).
 *
 * The block has a current cycle, and runs to that of each event. Callers come in the order of
 * cycles, at most once a cycle with each kind of event.
 *
 * A launch clears the table. Its profile is written from the next cycle on, a load every third
 * cycle (chosen: the block makes no entry in the two cycles after one, and no warp is held
 * meanwhile; a loop that begins before it is known is predicted from its next trip on).
 *
 * With daws.latency = 0 all of this takes no cycle of the core: the block is clocked after each
 * event until nothing changes, and its clock counts these edges.
 */
#ifndef WARPMEM_ISSUE_DAWS_PREDICTOR_H
#define WARPMEM_ISSUE_DAWS_PREDICTOR_H

#include "issue/daws_footprint.h"
#include "issue/daws_loads.h"
#include "issue/daws/profile.h"
#include "issue/policy.h"

/* Lines of a trip of @loop, where known; @over: more than the L1 has. */
struct daws_answer {
    bool known, over;
    uint32_t loop;
    unsigned lines;
};

struct daws_predictor {
    struct block_instance block;
    struct alarm *alarm;
    bool at_once;
    bool calm;               /* nothing changes without an event */
    bool told;               /* this cycle has an event */
    uint64_t cycle;          /* the block's current cycle, which its Verilog reads */
    struct daws_loads_in in; /* of that cycle */
    struct daws_loads_out out;
    const struct daws_profile_kernel *profile; /* is being written */
    unsigned code, written, pause;             /* cycles until its next load */
    uint64_t refused; /* by a full table, once for each time that a load came */
};

/** daws_predictor_make() - make the block of the core of @view; false: refused, and blocks->error
 * has the reason. daws_predictor_destroy() - also of a zeroed one. */
bool daws_predictor_make(struct daws_predictor *p, const struct policy_view *view,
                         const struct build *build);
void daws_predictor_destroy(struct daws_predictor *p);

/** daws_predictor_run() - advance the block to @cycle; earlier cycles get no more events. */
void daws_predictor_run(struct daws_predictor *p, uint64_t cycle);

/* Events of @cycle: */

/** daws_predictor_populate() - a launch of code number @code; @kernel: its profile, which must stay
 * until the next launch; NULL: none. */
void daws_predictor_populate(struct daws_predictor *p, unsigned code,
                             const struct daws_profile_kernel *kernel, uint64_t cycle);
/** daws_predictor_exchange() - takes the question of issue/daws_footprint, if it has one. Return:
 * the answer to the question of DAWS_ASK_CYCLES ago, with daws.latency = 0 to this one. */
struct daws_answer daws_predictor_exchange(struct daws_predictor *p,
                                           const struct daws_footprint_out *ask, uint64_t cycle);
/** daws_predictor_class() - a load of a sampling warp in a loop with locality has issued with this
 * many active lanes and accesses (5.2.2). */
void daws_predictor_class(struct daws_predictor *p, uint32_t loop, uint32_t pc, unsigned lanes,
                          unsigned accesses, uint64_t cycle);
/** daws_predictor_pair() - two loads of the loop have accessed one line in a trip. */
void daws_predictor_pair(struct daws_predictor *p, uint32_t loop, uint32_t a, uint32_t b,
                         uint64_t cycle);
/** daws_predictor_sign() - the loop's counter of locality has moved. */
void daws_predictor_sign(struct daws_predictor *p, uint32_t loop, bool positive, uint64_t cycle);

#endif
