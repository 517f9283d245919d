/* SPDX-License-Identifier: Apache-2.0
 *
 * The order in which a core's resident warps access memory, without timing. A core holds as many
 * CTAs as fit, and the next CTA takes the first free slot. A warp's turn lasts up to its next
 * memory instruction (except shared memory), its next barrier or its end; a warp at a barrier has
 * no turn until all other warps of its CTA have arrived or ended.
 *
 * In two orders a warp that misses waits for its lines. They arrive, the oldest first, when no warp
 * of the core can continue, or when the core has no MSHR for the next miss, as if the memory
 * latency were far longer than the core's work.
 */
#ifndef WARPMEM_CHARACTERIZE_ORDER_H
#define WARPMEM_CHARACTERIZE_ORDER_H

#include "kernel/launch.h"

enum order_kind {
    /* All warps take turns: OWL's baseline. */
    ORDER_ROUND_ROBIN,
    /* OWL's algorithm 1 groups the slots. The warps of one group that wait for no lines take turns
     * until all of them wait; then the next group does (4.1, CTA-Aware). */
    ORDER_GROUPS_UNTIL_MISS,
    /* Among the groups with a ready warp, the group with the oldest CTA always runs (4.2,
     * CTA-Aware-Locality). */
    ORDER_GROUPS_OLDEST,
    /* The warps of one group take turns until all its CTAs have ended; then the next group does. A
     * CTA that starts meanwhile waits for its group's next turn (4.2, CTA-Aware-Locality, where no
     * miss ever blocks a whole group). */
    ORDER_GROUPS_UNTIL_END,
    ORDER_COUNT
};

#define ORDER_GROUP_WARPS 8 /* OWL 5.2, figure 9: the least number of warps in a group */

/* The records of a CTA, shared by several orders. */
struct resident_cta {
    struct cta_trace *trace;
    uint32_t number;           /* in the launch */
    unsigned users;            /* orders that have not finished it */
    struct resident_cta *next; /* in the list of all resident CTAs */
};

struct order_warp {
    struct warp_cursor cursor;
    bool ended, waits, missed; /* waits: at a barrier; missed: for lines */
};

struct order_slot {
    struct resident_cta *cta; /* NULL: free */
    unsigned live, arrived;   /* warps that have not ended; those at the barrier */
    bool later;               /* waits for its group's next turn */
    struct order_warp warp[CTA_WARPS_MAX];
};

/* A warp that waits for lines. */
struct order_miss {
    struct order_warp *warp;
    unsigned lines;
};

/**
 * struct order - one core.
 * @access: executes a memory instruction of warp @owner, numbered CTA_WARPS_MAX to a CTA. Return:
 *          the number of lines that the warp must wait for
 * @mshrs: lines that may be outstanding at once; one instruction alone may exceed it
 * @miss: ring of waiting warps, the oldest at miss_first
 */
struct order {
    enum order_kind kind;
    unsigned (*access)(void *user, const struct warp_op *op, uint32_t owner);
    void *user;
    struct order_slot *slot;
    unsigned room, slots, warps; /* slots allocated, in use; warps a CTA */
    unsigned group, groups, group_slots;
    unsigned next; /* the warp of the group whose turn is next */
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
 * if the core has as many. @slots: CTAs on the core; @warps: warps in a CTA. */
unsigned order_group_slots(unsigned slots, unsigned warps);

#endif
