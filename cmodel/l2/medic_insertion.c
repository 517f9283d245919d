/* SPDX-License-Identifier: Apache-2.0
 *
 * MeDiC's insertion (Ausavarungnirun et al., PACT 2015, section 4.3): each bank has the block
 * l2/insertion, which chooses the line that the bank evicts.
 *
 * The block reads a request's set when the request becomes visible at the head of the bank's queue;
 * the access is in the next L2 cycle or later. If the next request is visible in the cycle in which
 * the bank takes the one before it, its set is read then, so that the bank takes one request a
 * cycle, or one in l2.bank_interval cycles, as under LRU.
 *
 * A hit, and a request for a line that is being fetched, are a touch; a miss that takes a line, by
 * a fetch or a write of a whole line, is an insert. The class is that of the request.
 */
#include <stdio.h>

#include "base/alarm.h"
#include "base/block.h"
#include "l2/insertion.h"
#include "l2/policy.h"

struct wip {
    struct alarm *alarm;
    unsigned banks;
    struct wip_bank {
        struct block_instance block;
        struct insertion_in in; /* of the cycle at hand */
        struct insertion_out out;
    } bank[];
};

/* A perfect L2 evicts nothing. */
static bool wants_insertion(const struct config *config) {
    return config->l2.insertion == L2_INSERTION_WARP_TYPE && !config->l2.perfect;
}

static size_t wip_state_size(const struct l2_policy_view *view) {
    return sizeof(struct wip) + view->banks * sizeof(struct wip_bank);
}

static bool make_insertion_blocks(void *state, const struct l2_policy_view *view,
                                  const struct build *build) {
    const struct config *c = view->config;
    const struct insertion_params params = {.SETS = view->sets,
                                            .WAYS = view->ways,
                                            .RAISE = c->medic.hit_class == MEDIC_HIT_CLASS_RAISE,
                                            .PLACE = c->medic.insertion == MEDIC_INSERTION_PLACE};
    struct wip *wip = state;
    wip->alarm = build->alarm;
    wip->banks = view->banks;
    for (unsigned i = 0; i < view->banks; i++) {
        char where[24];
        snprintf(where, sizeof where, "p%ub%u", view->partition, i);
        if (!block_make(build, &insertion_block, &params, where, &view->cycle,
                        &wip->bank[i].block)) {
            return false;
        }
    }
    return true;
}

static void destroy_insertion_blocks(void *state) {
    struct wip *wip = state;
    for (unsigned i = 0; i < wip->banks; i++) {
        block_unmake(&wip->bank[i].block);
    }
}

static void show_set_to_block(void *state, unsigned bank, const struct l2_policy_access *access,
                              uint64_t free, uint64_t held) {
    struct wip_bank *b = &((struct wip *)state)->bank[bank];
    b->in = (struct insertion_in){.free = free, .held = held};
    b->block.comb(b->block.self, &b->in, &b->out);
    b->in.line_class = access ? access->type : 0;
}

static unsigned victim_of_block(const void *state, const struct l2_policy_view *view,
                                const struct l2_policy_access *access, uint64_t candidates) {
    (void)view, (void)candidates;
    return ((const struct wip *)state)->bank[access->bank].out.victim;
}

static void tell_block_of_line(void *state, const struct l2_policy_view *view,
                               const struct l2_policy_event *event) {
    struct wip_bank *b = &((struct wip *)state)->bank[event->access->bank];
    (void)view;
    b->in.insert = event->kind == L2_POLICY_INSERTED;
    b->in.touch = !b->in.insert;
    b->in.way = (uint8_t)event->way;
}

static void step_insertion_block(void *state, unsigned bank, int set) {
    struct wip *wip = state;
    struct wip_bank *b = &wip->bank[bank];
    b->in.read = set != L2_POLICY_NO_SET;
    b->in.set = b->in.read ? (uint32_t)set : 0;
    if (!b->block.quiet(b->block.self, &b->in) && !b->block.step(b->block.self, &b->in, &b->out)) {
        alarm_ring(wip->alarm, ALARM_BLOCK_DIFFERS);
    }
}

const struct l2_policy_kind l2_policy_wip = {
    .name = "wip",
    .about = "lines are evicted by their warp's type first",
    .wanted = wants_insertion,
    .types = L2_TYPES_OF_WARPS,
    .events = L2_POLICY_EVENT(L2_POLICY_TOUCHED) | L2_POLICY_EVENT(L2_POLICY_INSERTED),
    .state_size = wip_state_size,
    .make = make_insertion_blocks,
    .destroy = destroy_insertion_blocks,
    .victim = victim_of_block,
    .begin_cycle = show_set_to_block,
    .end_cycle = step_insertion_block,
    .tell = tell_block_of_line};
