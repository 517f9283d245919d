/* SPDX-License-Identifier: Apache-2.0
 *
 * In which order the resident warps of a core access memory, without timing. A core holds as many
 * CTAs as fit, and takes the next one into the first slot that a CTA has left. A turn of a warp
 * goes up to its next memory instruction (not of shared memory), its next barrier or its end; a
 * warp at a barrier has no turn until all others of its CTA are there or have ended.
 *
 * Two orders have a warp that misses wait for its lines. They come, the oldest first, when the core
 * has nothing else to do, or when it has no MSHR for the next miss: what comes to pass where memory
 * takes far longer than the core.
 */
#ifndef WARPMEM_CHARACTERIZE_ORDER_H
#define WARPMEM_CHARACTERIZE_ORDER_H

#include "kernel/launch.h"

enum order_kind {
    /* All warps take turns: OWL's baseline. */
    ORDER_ROUND_ROBIN,
    /* OWL's algorithm 1 groups the slots. The warps of one group take turns, without those that
     * wait for lines, until none is left; then the next group does (4.1, CTA-Aware). */
    ORDER_GROUPS_UNTIL_MISS,
    /* Among the groups with a warp that need not wait, the group with the oldest CTA always runs
     * (4.2, CTA-Aware-Locality). */
    ORDER_GROUPS_OLDEST,
    /* The warps of one group take turns until all its CTAs have ended; then the next group does. A
     * CTA that comes meanwhile waits for its group's next time (4.2, CTA-Aware-Locality, where no
     * miss ever blocks a whole group). */
    ORDER_GROUPS_UNTIL_END,
    ORDER_COUNT
};

#define ORDER_GROUP_WARPS 8 /* OWL 5.2, figure 9: the least number of warps in a group */

/* The records of a CTA, which several orders read. */
struct resident_cta {
    struct cta_trace *trace;
    uint32_t number;           /* in the launch */
    unsigned users;            /* orders that have not finished it */
    struct resident_cta *next; /* in a list of all there are */
};

struct order_warp {
    struct warp_cursor cursor;
    bool ended, waits, missed; /* waits: at a barrier; missed: for lines */
};

struct order_slot {
    struct resident_cta *cta; /* NULL: free */
    unsigned live, arrived;   /* warps that have not ended; of these at the barrier */
    bool later;               /* waits for its group's next time */
    struct order_warp warp[CTA_WARPS_MAX];
};

/* A warp that waits for lines. */
struct order_miss {
    struct order_warp *warp;
    unsigned lines;
};

/**
 * struct order - one core.
 * @access: a memory instruction of a warp; @owner: number of the warp, CTA_WARPS_MAX a CTA. For how
 *          many lines must the warp wait?
 * @mshrs: lines that can be waited for at once, or those of one instruction if they are more
 * @miss: ring of those that wait, the oldest at miss_first
 */
struct order {
    enum order_kind kind;
    unsigned (*access)(void *user, const struct warp_op *op, uint32_t owner);
    void *user;
    struct order_slot *slot;
    unsigned room, slots, warps; /* slots allocated, in use; warps a CTA */
    unsigned group, groups, group_slots;
    unsigned next; /* of the group's warps, whose turn is next */
    bool running;  /* the group has had a turn */
    struct order_miss *miss;
    unsigned mshrs, miss_first, misses, miss_lines;
};

/** order_init() - false: out of memory. */
bool order_init(struct order *o, enum order_kind kind, unsigned room);
void order_destroy(struct order *o);
/** order_launch() - a kernel begins; the core is empty. @slots: CTAs that it will hold at once. */
void order_launch(struct order *o, const struct launch *l, unsigned slots);
/** order_place() - take turns until a slot is free, and put the CTA there. */
void order_place(struct order *o, const struct launch *l, struct resident_cta *cta);
/** order_finish() - take turns until the core is empty. */
void order_finish(struct order *o);

/** order_group_slots() - OWL's algorithm 1: CTAs in a group, so that it has ORDER_GROUP_WARPS warps
 * if there are as many. @slots: CTAs on the core; @warps: of a CTA. */
unsigned order_group_slots(unsigned slots, unsigned warps);

#endif
