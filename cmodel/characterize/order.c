/* SPDX-License-Identifier: Apache-2.0 */
#include "characterize/order.h"

#include <stdlib.h>

#include "characterize/lines.h"

bool order_init(struct order *o, enum order_kind kind, unsigned room) {
    *o = (struct order){.kind = kind,
                        .room = room,
                        .slot = calloc(room, sizeof *o->slot),
                        .miss = calloc((size_t)room * CTA_WARPS_MAX, sizeof *o->miss)};
    return o->slot && o->miss;
}

void order_destroy(struct order *o) {
    free(o->slot);
    free(o->miss);
    *o = (struct order){0};
}

unsigned order_group_slots(unsigned slots, unsigned warps) {
    unsigned n = 1;
    while (n * warps < ORDER_GROUP_WARPS && n < slots) {
        n++;
    }
    return n;
}

void order_launch(struct order *o, const struct launch *l, unsigned slots) {
    o->slots = slots < o->room ? slots : o->room;
    o->warps = launch_warps(l);
    bool whole = o->kind == ORDER_ROUND_ROBIN || !o->slots;
    o->group_slots = whole ? o->slots : order_group_slots(o->slots, o->warps);
    o->groups = whole ? 1 : o->slots / o->group_slots;
    o->group = o->next = 0;
    o->running = false;
}

/* The last group also gets the remaining slots. */
static unsigned slots_of(const struct order *o, unsigned group) {
    return group + 1 < o->groups ? o->group_slots : o->slots - group * o->group_slots;
}

static bool can_run(const struct order_slot *s, const struct order_warp *w) {
    return s->cta && !s->later && !w->ended && !w->waits && !w->missed;
}

static void release_barrier(struct order_slot *s) {
    if (s->live && s->arrived == s->live) {
        s->arrived = 0;
        for (unsigned i = 0; i < s->cta->trace->warp_count; i++) {
            s->warp[i].waits = false;
        }
    }
}

static void end_warp(struct order_slot *s, struct order_warp *w) {
    w->ended = true;
    s->live--;
    release_barrier(s);
    if (!s->live) {
        s->cta->users--;
        s->cta = NULL;
    }
}

static void oldest_lines_come(struct order *o) {
    struct order_miss *miss = &o->miss[o->miss_first];
    miss->warp->missed = false;
    o->miss_lines -= miss->lines;
    o->miss_first = (o->miss_first + 1) % (o->room * CTA_WARPS_MAX);
    o->misses--;
}

static void wait_for_lines(struct order *o, struct order_warp *w, unsigned lines) {
    while (o->misses && o->miss_lines + lines > o->mshrs) {
        oldest_lines_come(o);
    }
    o->miss[(o->miss_first + o->misses++) % (o->room * CTA_WARPS_MAX)] =
        (struct order_miss){.warp = w, .lines = lines};
    o->miss_lines += lines;
    w->missed = true;
}

static bool reaches_l1(const struct insn *i) {
    return insn_is_memory(i) && i->space != SPACE_SHARED;
}

static void take_turn(struct order *o, struct order_slot *s, unsigned index) {
    struct order_warp *w = &s->warp[index];
    struct warp_op op;
    while (warp_cursor_next(&w->cursor, &op)) {
        if (op.insn->op == OP_BARRIER) {
            w->waits = true;
            s->arrived++;
            release_barrier(s);
            return;
        }
        if (reaches_l1(op.insn)) {
            unsigned lines = o->access(o->user, &op, s->cta->number * CTA_WARPS_MAX + index);
            if (lines && (o->kind == ORDER_GROUPS_UNTIL_MISS || o->kind == ORDER_GROUPS_OLDEST)) {
                wait_for_lines(o, w, lines);
            }
            return;
        }
    }
    end_warp(s, w);
}

/* Runs one turn of the group. False: none of its warps can run. */
static bool give_group_a_turn(struct order *o) {
    unsigned first = o->group * o->group_slots, all = slots_of(o, o->group) * o->warps;
    for (unsigned i = 0; i < all; i++) {
        unsigned at = o->next;
        struct order_slot *s = &o->slot[first + at / o->warps];
        o->next = at + 1 < all ? at + 1 : 0;
        if (can_run(s, &s->warp[at % o->warps])) {
            o->running = true;
            take_turn(o, s, at % o->warps);
            return true;
        }
    }
    return false;
}

/* Starts the group's next turn. Returns true if it has a CTA to run. */
static bool wake_group(struct order *o, unsigned group) {
    bool any = false;
    for (unsigned i = 0; i < slots_of(o, group); i++) {
        struct order_slot *s = &o->slot[group * o->group_slots + i];
        s->later = false;
        for (unsigned w = 0; s->cta && w < o->warps; w++) {
            any |= can_run(s, &s->warp[w]);
        }
    }
    return any;
}

static uint32_t oldest_of(const struct order *o, unsigned group) {
    uint32_t oldest = UINT32_MAX;
    for (unsigned i = 0; i < slots_of(o, group); i++) {
        const struct resident_cta *cta = o->slot[group * o->group_slots + i].cta;
        oldest = cta && cta->number < oldest ? cta->number : oldest;
    }
    return oldest;
}

/* Returns false when no group has something to run. */
static bool choose_group(struct order *o) {
    unsigned best = o->groups;
    for (unsigned i = 1; i <= o->groups; i++) {
        unsigned group = (o->group + i) % o->groups;
        if ((best == o->groups || oldest_of(o, group) < oldest_of(o, best)) &&
            wake_group(o, group)) {
            best = group;
            if (o->kind != ORDER_GROUPS_OLDEST) {
                break;
            }
        }
    }
    if (best == o->groups) {
        return false;
    }
    if (best != o->group || o->kind != ORDER_GROUPS_OLDEST) {
        o->group = best;
        o->next = 0;
        o->running = false;
    }
    return true;
}

/* Runs one turn of the core, or fills lines. False: the core is empty. */
static bool step_core_order(struct order *o) {
    if (o->kind != ORDER_GROUPS_OLDEST && give_group_a_turn(o)) {
        return true;
    }
    if (o->groups && choose_group(o)) {
        return give_group_a_turn(o);
    }
    if (o->misses) {
        oldest_lines_come(o);
        return true;
    }
    return false;
}

static struct order_slot *free_slot(struct order *o) {
    for (unsigned i = 0; i < o->slots; i++) {
        if (!o->slot[i].cta) {
            return &o->slot[i];
        }
    }
    return NULL;
}

void order_place(struct order *o, const struct launch *l, struct resident_cta *cta) {
    struct order_slot *s;
    unsigned warps = cta->trace->warp_count;
    if (!warps) {
        cta->users--; /* It has no CTA to run, so no event would end it. */
        return;
    }
    while (!(s = free_slot(o))) {
        step_core_order(o);
    }
    unsigned group = (unsigned)(s - o->slot) / o->group_slots;
    group = group < o->groups ? group : o->groups - 1;
    *s = (struct order_slot){.cta = cta, .live = warps};
    /* A single group is round robin (4.2): no warp waits for others to end. */
    s->later =
        o->kind == ORDER_GROUPS_UNTIL_END && o->groups > 1 && group == o->group && o->running;
    for (unsigned i = 0; i < CTA_WARPS_MAX; i++) {
        if (i < warps) {
            warp_cursor_open(&s->warp[i].cursor, &cta->trace->warp[i], l->code);
        } else {
            s->warp[i].ended = true;
        }
    }
}

void order_finish(struct order *o) {
    while (step_core_order(o)) {}
}
