/* SPDX-License-Identifier: Apache-2.0
 *
 * CCWS as its papers have it, a cycle at a time and without what makes the block fast: every score
 * is a number that time lowers, and the sorter's result waits for its cycle.
 */
#ifndef WARPMEM_TB_ISSUE_CCWS_CASES_H
#define WARPMEM_TB_ISSUE_CCWS_CASES_H

#include <string.h>

#include "issue/ccws.h"

struct plain_ccws {
    struct ccws_params p;
    uint64_t live, launching, counted, lost, held, sorted;
    int taken;      /* slot; -1: none */
    unsigned since; /* cycles since it was taken */
    bool taken_live, taken_launch;
    unsigned age[CCWS_WARPS_MAX]; /* the smaller the older */
    unsigned youngest;
    uint64_t score[CCWS_WARPS_MAX];
    uint64_t lost_count, issued_count;
    unsigned divides, score_to_set, sorts; /* cycles that are left */
    bool stale;
    unsigned full; /* a count had its top bit: in the last cycle (1), before it (2) */
};

static inline void plain_ccws_init(struct plain_ccws *s, const struct ccws_params *p) {
    memset(s, 0, sizeof *s);
    s->p = *p;
    s->taken = -1;
    for (unsigned w = 0; w < p->WARPS; w++) {
        s->score[w] = p->BASE;
        s->age[w] = s->youngest++;
    }
}

static inline unsigned plain_ccws_live_count(const struct plain_ccws *s) {
    return (unsigned)__builtin_popcountll(s->counted);
}

static inline bool plain_ccws_before(const struct plain_ccws *s, unsigned a, unsigned b) {
    return s->score[a] > s->score[b] || (s->score[a] == s->score[b] && s->age[a] < s->age[b]);
}

/* A warp is held when the scores of all that come before it reach the cutoff. */
static inline uint64_t plain_ccws_held(const struct plain_ccws *s) {
    uint64_t held = 0;
    for (unsigned w = 0; w < s->p.WARPS; w++) {
        uint64_t sum = 0;
        for (unsigned v = 0; v < s->p.WARPS; v++) {
            sum += s->counted >> v & 1 && v != w && plain_ccws_before(s, v, w) ? s->score[v] : 0;
        }
        held |= s->counted >> w & 1 && sum >= plain_ccws_live_count(s) * s->p.BASE
                    ? UINT64_C(1) << w
                    : 0;
    }
    return held;
}

/* Events in a slot four cycles after it was taken. */
static inline void plain_ccws_slot(struct plain_ccws *s) {
    const uint64_t its = UINT64_C(1) << s->taken;
    s->counted = s->taken_live ? s->counted | its : s->counted & ~its;
    if (s->taken_launch) {
        s->age[s->taken] = s->youngest++;
        s->score[s->taken] = s->p.BASE;
        s->held &= ~its;
        s->lost &= ~its;
    }
}

static inline void plain_ccws_step(struct plain_ccws *s, const struct ccws_in *in) {
    const struct ccws_params p = s->p;
    const struct plain_ccws old = *s;
    const bool changes_slot = s->taken >= 0 && s->since == 4;
    bool changed = changes_slot;
    if (in->rst) {
        plain_ccws_init(s, &p);
        return;
    }
    if (s->sorts == ccws_round_cycles(&p)) {
        s->sorted = plain_ccws_held(&old);
        s->stale = false;
    }
    if (s->sorts && --s->sorts == 0) {
        s->held = s->sorted;
    }
    if (!s->sorts && old.stale) {
        s->sorts = ccws_round_cycles(&p);
    }
    for (unsigned w = 0; w < p.WARPS; w++) {
        if (in->ticks && old.score[w] > p.BASE) {
            s->score[w]--;
            changed = true;
        }
    }
    if (s->divides && --s->divides == 0) {
        for (unsigned w = 0; w < p.WARPS; w++) {
            s->score[w] = old.lost >> w & 1 ? s->score_to_set : s->score[w];
        }
        s->lost = 0;
        changed = true;
    } else if (!old.divides && old.lost) {
        uint64_t cutoff = plain_ccws_live_count(&old) * p.BASE;
        uint64_t score = old.issued_count ? old.lost_count * cutoff / old.issued_count : UINT64_MAX;
        score = score < cutoff * p.CUTOFFS ? score : cutoff * p.CUTOFFS;
        s->score_to_set = (unsigned)(score > p.BASE ? score : p.BASE);
        s->divides = ccws_divider_cycles(&p);
    }
    const uint64_t half = UINT64_C(1) << (p.COUNT_BITS - 1);
    if (old.full & 2) {
        s->lost_count /= 2;
        s->issued_count /= 2;
    }
    s->full = !old.counted || old.full & 2
                  ? 0
                  : old.full << 1 | (old.lost_count >= half || old.issued_count >= half);
    s->lost_count = old.counted ? s->lost_count + (in->lost_valid ? p.K : 0) : 0;
    s->issued_count = old.counted ? s->issued_count + in->issued : 0;
    if (changes_slot) {
        plain_ccws_slot(s);
    }
    s->stale |= changed;
    s->lost |= in->lost_valid ? UINT64_C(1) << in->lost_warp : 0;
    const uint64_t waiting = old.launching | (old.live ^ old.counted);
    if (old.taken < 0) {
        s->taken = waiting ? __builtin_ctzll(waiting) : -1;
    } else if (old.since == 2) {
        s->taken_live = old.live >> s->taken & 1;
        s->taken_launch = old.launching >> s->taken & 1;
        s->launching &= ~(UINT64_C(1) << s->taken);
    }
    s->since = old.taken >= 0 ? old.since + 1 : 1;
    s->taken = changes_slot ? -1 : s->taken;
    s->launching |= in->launch;
    s->live = in->live;
}

#endif
