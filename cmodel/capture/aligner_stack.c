/* SPDX-License-Identifier: Apache-2.0
 *
 * A stack of masks: the top entry executes. Where its lanes diverge, it becomes the entry that
 * continues at the post-dominator of the branch, and an entry for each path is pushed above it. An
 * entry leaves the stack at its meeting point. A call parts its lanes too: they meet behind it when
 * they have returned. Lanes that wait at a barrier block only their own entry: a barrier in
 * divergent code would stop hardware with such a stack, but here the entries
 * below continue.
 */
#include "capture/aligner_internal.h"

bool aligner_begin_stack(struct aligner *a, struct aligned_warp *w) {
    if (!aligner_grow(a, &w->entry, 0, &w->entry_room, sizeof *w->entry)) {
        return false;
    }
    w->entry[0] = (struct stack_entry){.block = 0, .meet = BLOCK_NONE, .lanes = w->present};
    w->entries = 1;
    return true;
}

static bool push_entry(struct aligned_piece *p, struct stack_entry e) {
    struct aligned_warp *w = p->warp;
    if (!aligner_grow(p->a, &w->entry, w->entries, &w->entry_room, sizeof *w->entry)) {
        return false;
    }
    w->entry[w->entries++] = e;
    return true;
}

static void drop_met_entries(struct aligned_warp *w) {
    unsigned kept = 0;
    for (unsigned i = 0; i < w->entries; i++) {
        struct stack_entry e = w->entry[i];
        e.lanes &= w->present;
        if (e.lanes && e.block != e.meet) {
            w->entry[kept++] = e;
        }
    }
    w->entries = kept;
}

/* Brings the uppermost entry with lanes that can go on to the top, without the lanes that have
 * not come to it yet. False: none can. */
static bool find_ready_entry(struct aligned_piece *p) {
    struct aligned_warp *w = p->warp;
    uint32_t above = 0;
    for (unsigned i = w->entries; i-- > 0;) {
        struct stack_entry *e = &w->entry[i];
        const uint32_t arrived = e->lanes & ~above & p->ready;
        if (arrived) {
            if (i + 1 < w->entries || arrived != e->lanes) {
                const struct stack_entry part = {e->block, e->meet, arrived};
                e->lanes &= ~arrived;
                return push_entry(p, part);
            }
            return true;
        }
        above |= e->lanes;
    }
    return false;
}

/* The block of a lane of the entry that has just executed @block. */
static uint32_t lane_target(const struct aligned_piece *p, unsigned lane, uint32_t block) {
    const struct block_graph *g = &p->a->layout->table->graph;
    return p->ready >> lane & 1 ? p->next[lane] : g->target[g->first[block]];
}

/* Parts the top entry by the lanes' next blocks. */
static bool part_entry(struct aligned_piece *p, uint32_t block) {
    const struct code_layout *l = p->a->layout;
    const struct block_graph *g = &l->table->graph;
    struct stack_entry *top = &p->warp->entry[p->warp->entries - 1];
    uint32_t left = top->lanes & p->warp->present;
    if (!left) {
        return true;
    }
    if (g->first[block] == g->first[block + 1]) { /* they return: to where an entry below waits */
        p->warp->entries--;
        return true;
    }
    const struct stack_entry whole = *top;
    const bool calls = l->table->blocks[block].calls;
    const uint32_t dominator = calls ? g->target[g->first[block]] : l->post_dominator[block];
    bool parted = false;
    while (left) {
        /* Among the ways the one that comes last in the code goes below. */
        uint32_t target = BLOCK_NONE, lanes = 0;
        for (uint32_t m = left; m; m &= m - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(m);
            const uint32_t t = lane_target(p, lane, block);
            if (target == BLOCK_NONE || l->order->number[t] > l->order->number[target]) {
                target = t;
                lanes = 0;
            }
            lanes |= t == target ? 1u << lane : 0;
        }
        left &= ~lanes;
        if (!parted && !left && !calls) {
            top->block = target;
            return true;
        }
        if (!parted && (dominator == BLOCK_NONE || dominator == whole.meet)) {
            p->warp->entries--;
        } else if (!parted) {
            top->block = dominator;
        }
        parted = true;
        const uint32_t meet = calls ? BLOCK_NONE : dominator == BLOCK_NONE ? whole.meet : dominator;
        if (!push_entry(p, (struct stack_entry){target, meet, lanes})) {
            return false;
        }
    }
    return true;
}

bool aligner_run_stack(struct aligned_piece *p) {
    while (find_ready_entry(p)) {
        const struct stack_entry top = p->warp->entry[p->warp->entries - 1];
        if (!aligner_execute(p, top.block, top.lanes) || !part_entry(p, top.block)) {
            return false;
        }
        drop_met_entries(p->warp);
    }
    return !*p->a->error;
}
