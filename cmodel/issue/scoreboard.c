/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/scoreboard.h"

#include <string.h>

void scoreboard_init(struct scoreboard *s) {
    memset(s, 0, sizeof *s);
    s->due = NEVER;
}

void scoreboard_reset_warp(struct scoreboard *s, unsigned warp) {
    struct scoreboard_warp *w = &s->warp[warp];
    memset(w->pending, 0, sizeof w->pending);
    memset(w->ready_at, 0, w->registers * sizeof *w->ready_at);
    w->registers = 0;
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
static void place_unblocked_warp(struct scoreboard *s, unsigned warp, uint64_t at) {
    uint64_t bit = UINT64_C(1) << warp;
    if (at <= s->cycle) {
        s->ready |= bit;
        return;
    }
    if (at - s->cycle >= SCOREBOARD_RING) {
        s->far |= bit; /* look again when it comes round */
        at = s->cycle + SCOREBOARD_RING - 1;
    }
    s->ring[at % SCOREBOARD_RING] |= bit;
    s->occupied |= UINT64_C(1) << (at % SCOREBOARD_RING);
    s->due = at < s->due ? at : s->due;
}

void scoreboard_expect(struct scoreboard *s, unsigned warp, const struct scoreboard_needs *needs,
                       uint64_t cycle) {
    struct scoreboard_warp *w = &s->warp[warp];
    uint64_t bit = UINT64_C(1) << warp;
    uint64_t pending = 0, latest = cycle;
    w->needed = *needs;
    w->earliest = cycle;
    s->ready &= ~bit;
    s->blocked &= ~bit;
    for (unsigned i = 0; i < needs->count; i++) {
        unsigned reg = needs->reg[i];
        uint64_t at = w->ready_at[reg];
        pending |= w->pending[reg / 64] >> reg % 64 & 1;
        latest = at > latest ? at : latest;
    }
    if (pending) {
        s->blocked |= bit;
    } else {
        place_unblocked_warp(s, warp, latest);
    }
}

void scoreboard_release(struct scoreboard *s, unsigned warp, unsigned reg, uint64_t cycle) {
    struct scoreboard_warp *w = &s->warp[warp];
    w->pending[reg / 64] &= ~(UINT64_C(1) << reg % 64);
    if (s->blocked >> warp & 1 && !needs_pending(w)) {
        s->blocked &= ~(UINT64_C(1) << warp);
        w->earliest = cycle > w->earliest ? cycle : w->earliest;
        place_unblocked_warp(s, warp, ready_cycle(w));
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
    s->far &= ~(UINT64_C(1) << warp);
    for (unsigned slot = 0; slot < SCOREBOARD_RING; slot++) {
        s->ring[slot] &= ~(UINT64_C(1) << warp);
        if (!s->ring[slot]) {
            s->occupied &= ~(UINT64_C(1) << slot);
        }
    }
    s->due = first_due(s);
}

void scoreboard_advance_ring(struct scoreboard *s, uint64_t cycle) {
    uint64_t far = 0;
    while (s->due <= cycle) {
        unsigned slot = s->due % SCOREBOARD_RING;
        s->ready |= s->ring[slot] & ~s->far;
        far |= s->ring[slot] & s->far;
        s->ring[slot] = 0;
        s->occupied &= ~(UINT64_C(1) << slot);
        s->due = first_due(s);
    }
    s->cycle = cycle;
    s->far &= ~far;
    for (; far; far &= far - 1) {
        unsigned warp = (unsigned)__builtin_ctzll(far);
        place_unblocked_warp(s, warp, ready_cycle(&s->warp[warp]));
    }
}
