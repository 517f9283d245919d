/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/scoreboard.h"

#include <string.h>

void scoreboard_init(struct scoreboard *s) {
    memset(s, 0, sizeof *s);
    s->due = NEVER;
}

void scoreboard_reset_warp(struct scoreboard *s, unsigned warp) {
    memset(&s->warp[warp], 0, sizeof s->warp[warp]);
    scoreboard_forget(s, warp);
}

/* Cycle from which the next instruction can issue; none of its registers is pending. */
static uint64_t ready_cycle(const struct scoreboard_warp *w) {
    uint64_t latest = w->earliest;
    for (unsigned i = 0; i < w->needed.count; i++) {
        uint64_t at = w->ready_at[w->needed.reg[i]];
        latest = at > latest ? at : latest;
    }
    return latest;
}

static bool needs_pending(const struct scoreboard_warp *w) {
    for (unsigned i = 0; i < w->needed.count; i++) {
        unsigned reg = w->needed.reg[i];
        if (w->pending[reg / 64] >> reg % 64 & 1) {
            return true;
        }
    }
    return false;
}

/* Put a warp that is not blocked where it belongs: ready, or into the ring. */
static void place(struct scoreboard *s, unsigned warp, uint64_t at) {
    uint64_t bit = UINT64_C(1) << warp;
    if (at <= s->cycle) {
        s->ready |= bit;
        return;
    }
    /* Further than the ring reaches: look again when it comes round. */
    uint64_t slot_cycle = at - s->cycle < SCOREBOARD_RING ? at : s->cycle + SCOREBOARD_RING - 1;
    s->ring[slot_cycle % SCOREBOARD_RING] |= bit;
    s->occupied |= UINT64_C(1) << (slot_cycle % SCOREBOARD_RING);
    s->due = slot_cycle < s->due ? slot_cycle : s->due;
}

void scoreboard_expect(struct scoreboard *s, unsigned warp, const struct scoreboard_needs *needs,
                       uint64_t cycle) {
    struct scoreboard_warp *w = &s->warp[warp];
    uint64_t bit = UINT64_C(1) << warp;
    w->needed = *needs;
    w->earliest = cycle;
    s->ready &= ~bit;
    s->blocked &= ~bit;
    if (needs_pending(w)) {
        s->blocked |= bit;
        return;
    }
    place(s, warp, ready_cycle(w));
}

void scoreboard_release(struct scoreboard *s, unsigned warp, unsigned reg, uint64_t cycle) {
    struct scoreboard_warp *w = &s->warp[warp];
    w->pending[reg / 64] &= ~(UINT64_C(1) << reg % 64);
    if (s->blocked >> warp & 1 && !needs_pending(w)) {
        s->blocked &= ~(UINT64_C(1) << warp);
        w->earliest = cycle > w->earliest ? cycle : w->earliest;
        place(s, warp, ready_cycle(w));
    }
}

/* The first occupied slot after the present cycle. */
static uint64_t first_due(const struct scoreboard *s) {
    if (!s->occupied) {
        return NEVER;
    }
    unsigned shift = (unsigned)((s->cycle + 1) % SCOREBOARD_RING);
    uint64_t rotated = s->occupied >> shift | s->occupied
                                                  << ((SCOREBOARD_RING - shift) % SCOREBOARD_RING);
    return s->cycle + 1 + (unsigned)__builtin_ctzll(rotated);
}

void scoreboard_cancel(struct scoreboard *s, unsigned warp) {
    scoreboard_forget(s, warp);
    for (unsigned slot = 0; slot < SCOREBOARD_RING; slot++) {
        s->ring[slot] &= ~(UINT64_C(1) << warp);
        if (!s->ring[slot]) {
            s->occupied &= ~(UINT64_C(1) << slot);
        }
    }
    s->due = first_due(s);
}

void scoreboard_advance_ring(struct scoreboard *s, uint64_t cycle) {
    uint64_t due = s->occupied;
    if (cycle - s->cycle < SCOREBOARD_RING) {
        unsigned steps = (unsigned)(cycle - s->cycle),
                 shift = (unsigned)((s->cycle + 1) % SCOREBOARD_RING);
        uint64_t window = (UINT64_C(1) << steps) - 1;
        due &= window << shift | (shift ? window >> (SCOREBOARD_RING - shift) : 0);
    }
    s->cycle = cycle;
    s->occupied &= ~due;
    s->due = first_due(s); /* of those that stay: place() brings it forward */
    for (; due; due &= due - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(due);
        uint64_t warps = s->ring[slot];
        s->ring[slot] = 0;
        for (; warps; warps &= warps - 1) {
            unsigned warp = (unsigned)__builtin_ctzll(warps);
            place(s, warp, ready_cycle(&s->warp[warp]));
        }
    }
}
