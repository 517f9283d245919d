/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/ccws.h"

#include <string.h>

unsigned ccws_round_cycles(const struct ccws_params *p) {
    unsigned levels = clog2(p->WARPS);
    return 2 * (levels * (levels - 1) + 1) + p->WARPS + 4;
}

unsigned ccws_divider_cycles(const struct ccws_params *p) {
    return 9 * p->SCORE_BITS + 9;
}

static void reset_ccws(struct ccws *s) {
    const struct ccws_params p = s->p;
    memset(s, 0, sizeof *s);
    s->p = p;
    for (unsigned w = 0; w < p.WARPS; w++) {
        s->rank[w] = s->order[w] = (uint8_t)w;
    }
}

bool ccws_init(struct ccws *s, const struct ccws_params *p) {
    s->p = *p;
    reset_ccws(s);
    return true;
}

void ccws_destroy(struct ccws *s) {
    (void)s;
}

void ccws_comb(const struct ccws *s, const struct ccws_in *in, struct ccws_out *out) {
    (void)in;
    out->can_load = ~s->held & ~UINT64_C(0) >> (64 - s->p.WARPS);
}

static inline uint64_t ccws_warp_bit(unsigned warp) {
    return UINT64_C(1) << warp;
}

static uint64_t waiting_slots(const struct ccws *s) {
    return s->launching | (s->live ^ s->counted);
}

static bool is_above_base(const struct ccws *s) {
    return s->last_end > s->ticks;
}

/* --- the sorter --- */

static unsigned current_score(const struct ccws *s, unsigned warp) {
    uint64_t end = s->score_end[warp];
    return s->p.BASE + (end > s->ticks ? (unsigned)(end - s->ticks) : 0);
}

/* Higher comes first. */
static uint32_t sort_key(const struct ccws *s, unsigned warp) {
    uint32_t score = s->counted >> warp & 1 ? current_score(s, warp) : 0;
    return score << 8 | (255u - s->rank[warp]);
}

/* The order of the last round is nearly that of this one. */
static void sort_warps(struct ccws *s, uint32_t key[CCWS_WARPS_MAX]) {
    for (unsigned i = 0; i < s->p.WARPS; i++) {
        uint8_t warp = s->order[i];
        uint32_t its = sort_key(s, warp);
        unsigned at = i;
        for (; at && key[at - 1] < its; at--) {
            key[at] = key[at - 1];
            s->order[at] = s->order[at - 1];
        }
        key[at] = its;
        s->order[at] = warp;
    }
}

/* The held warps: the scores before them have reached the cutoff. */
static uint64_t warps_beyond_cutoff(struct ccws *s) {
    uint32_t key[CCWS_WARPS_MAX];
    unsigned sum = 0;
    uint64_t held = 0;
    if (!is_above_base(s)) {
        return 0;
    }
    sort_warps(s, key);
    for (unsigned i = 0; i < s->p.WARPS && key[i] >> 8; i++) {
        held |= sum >= s->cutoff ? ccws_warp_bit(s->order[i]) : 0;
        sum += key[i] >> 8;
    }
    return held;
}

/* A cycle of the sorter: with the state before the edge. */
static void step_sorter(struct ccws *s, bool changed) {
    const bool ends = s->round == ccws_round_cycles(&s->p);
    const bool takes = s->round == 1;
    if (ends) {
        s->held = s->sorted_held;
    }
    if (takes) {
        s->sorted_held = warps_beyond_cutoff(s);
    }
    s->round = s->round && !ends ? s->round + 1 : s->stale;
    s->stale = changed || (s->stale && !takes);
}

/* --- scores --- */

static void put_score(struct ccws *s, unsigned warp, unsigned score, bool falls) {
    s->score_end[warp] = s->ticks + falls + score - s->p.BASE;
}

static void find_last_end(struct ccws *s) {
    s->last_end = 0;
    for (unsigned w = 0; w < s->p.WARPS; w++) {
        s->last_end = s->score_end[w] > s->last_end ? s->score_end[w] : s->last_end;
    }
}

static unsigned divide_score(const struct ccws *s) {
    const uint64_t lost = s->lost_count, issued = s->issued_count;
    const uint64_t score = lost >= issued * s->p.CUTOFFS ? (uint64_t)s->cutoff * s->p.CUTOFFS
                                                         : lost * s->cutoff / issued;
    return score < s->p.BASE ? s->p.BASE : (unsigned)score;
}

/* @lost: bits of this cycle. Return: those that get their score at the edge. */
static uint64_t step_divider(struct ccws *s, uint64_t lost) {
    if (s->dividing) {
        return --s->dividing ? 0 : lost;
    }
    if (lost) {
        s->dividing = ccws_divider_cycles(&s->p);
        s->new_score = divide_score(s);
    }
    return 0;
}

static bool is_half_full(const struct ccws *s) {
    return (s->lost_count | s->issued_count) >> (s->p.COUNT_BITS - 1);
}

static void count_events(struct ccws *s, const struct ccws_in *in, bool counts) {
    const bool halve = s->halves;
    s->halves = counts && !halve && s->was_half_full;
    s->was_half_full = counts && !halve && is_half_full(s);
    s->lost_count = counts ? (s->lost_count >> halve) + (in->lost_valid ? s->p.K : 0) : 0;
    s->issued_count = counts ? (s->issued_count >> halve) + in->issued : 0;
}

/* --- slots --- */

static void make_youngest(struct ccws *s, unsigned warp) {
    const unsigned rank = s->rank[warp];
    for (unsigned w = 0; w < s->p.WARPS; w++) {
        s->rank[w] -= s->rank[w] > rank;
    }
    s->rank[warp] = (uint8_t)(s->p.WARPS - 1);
}

/* Four cycles after it was taken. */
static void change_slot(struct ccws *s) {
    const uint64_t its = ccws_warp_bit(s->taken_warp);
    s->cutoff -= s->counted & its ? s->p.BASE : 0;
    s->cutoff += s->taken_live ? s->p.BASE : 0;
    s->counted = (s->counted & ~its) | (s->taken_live ? its : 0);
    if (s->taken_launch) {
        make_youngest(s, s->taken_warp);
        s->score_end[s->taken_warp] = 0;
        s->held &= ~its;
        s->lost &= ~its;
    }
}

/* Two cycles after. */
static void look_slot_up(struct ccws *s) {
    s->taken_live = s->live >> s->taken_warp & 1;
    s->taken_launch = s->launching >> s->taken_warp & 1;
    s->launching &= ~ccws_warp_bit(s->taken_warp);
}

/* A cycle of the slot that is taken, or of those that wait. */
static void step_slot(struct ccws *s) {
    const uint64_t waiting = waiting_slots(s);
    switch (s->slot) {
    case SLOT_WAITS:
        if (waiting) {
            s->taken_warp = (unsigned)__builtin_ctzll(waiting);
            s->slot = SLOT_PICKED;
        }
        break;
    case SLOT_PICKED: s->slot = SLOT_READ; break;
    case SLOT_READ:
        look_slot_up(s);
        s->slot = SLOT_COMPARED;
        break;
    case SLOT_COMPARED: s->slot = SLOT_CHANGES; break;
    case SLOT_CHANGES: change_slot(s); s->slot = SLOT_WAITS;
    }
}

void ccws_step(struct ccws *s, const struct ccws_in *in, const struct ccws_out *out) {
    (void)out;
    if (in->rst) {
        reset_ccws(s);
        return;
    }
    const bool changes_slot = s->slot == SLOT_CHANGES, counts = s->counted != 0;
    const bool falls = in->ticks && is_above_base(s);
    const bool sets = s->dividing == 1;
    step_sorter(s, changes_slot || falls || sets);
    const uint64_t scored = step_divider(s, s->lost);
    count_events(s, in, counts);
    for (uint64_t left = scored; left; left &= left - 1) {
        put_score(s, (unsigned)__builtin_ctzll(left), s->new_score, falls);
    }
    s->lost &= ~scored;
    step_slot(s);
    s->ticks += falls;
    if (scored || changes_slot) {
        find_last_end(s);
    }
    if (in->lost_valid) {
        s->lost |= ccws_warp_bit(in->lost_warp);
    }
    s->launching |= in->launch;
    s->live = in->live;
}

/* Is nothing active but the sorter, the divider and time? */
static bool only_time_passes(const struct ccws *s, const struct ccws_in *in) {
    return !in->rst && !in->lost_valid && !in->issued && !in->launch && in->live == s->live &&
           !s->slot && !waiting_slots(s) && (!s->lost || s->dividing) && !s->halves &&
           !s->was_half_full &&
           (s->counted ? !is_half_full(s) : !(s->lost_count | s->issued_count));
}

bool ccws_quiet(const struct ccws *s, const struct ccws_in *in) {
    return only_time_passes(s, in) && !s->dividing && !s->round && !s->stale &&
           !(in->ticks && is_above_base(s));
}

void ccws_skip(struct ccws *s, const struct ccws_in *in, uint64_t cycles) {
    const unsigned round_cycles = ccws_round_cycles(&s->p);
    struct ccws_out out;
    while (cycles && !ccws_quiet(s, in)) {
        uint64_t calm = 0; /* cycles in which the sorter and the divider do no more than count */
        if (only_time_passes(s, in) && s->round > 1) {
            calm = round_cycles - s->round;
            if (s->dividing && s->dividing - 1 < calm) {
                calm = s->dividing - 1;
            }
        }
        if (!calm) {
            ccws_comb(s, in, &out);
            ccws_step(s, in, &out);
            cycles--;
            continue;
        }
        calm = calm < cycles ? calm : cycles;
        s->round += (unsigned)calm;
        s->dividing -= s->dividing ? (unsigned)calm : 0;
        if (in->ticks && is_above_base(s)) {
            uint64_t falls = s->last_end - s->ticks;
            s->ticks += calm < falls ? calm : falls;
            s->stale = true;
        }
        cycles -= calm;
    }
}

/* Only a launch and the end of a round change the mask. */
uint64_t ccws_steady(const struct ccws *s, const struct ccws_in *in) {
    const unsigned round_cycles = ccws_round_cycles(&s->p);
    if (in->rst || in->launch || in->live != s->live || s->slot || waiting_slots(s)) {
        return 1;
    }
    if (ccws_quiet(s, in)) {
        return UINT64_MAX;
    }
    if (s->round == 1) { /* the sorter's inputs are not known yet */
        return round_cycles;
    }
    unsigned left = s->round ? round_cycles - s->round + 1 : 1;
    return s->round && s->sorted_held != s->held ? left : left + round_cycles;
}
