/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/warp_arbiter.h"

static void reset_warp_arbiter(struct warp_arbiter *s) {
    const struct warp_arbiter_params p = s->p;
    *s = (struct warp_arbiter){.p = p};
}

bool warp_arbiter_init(struct warp_arbiter *s, const struct warp_arbiter_params *p) {
    s->p = *p;
    reset_warp_arbiter(s);
    return true;
}

void warp_arbiter_destroy(struct warp_arbiter *s) {
    (void)s;
}

/* Find the first place whose group keeps or gets the scheduler. Return: false: there is none. */
static bool first_holding_place(const struct warp_arbiter *s, const struct warp_arbiter_in *in,
                                uint8_t *place) {
    const uint64_t holders = s->p.STRICT ? in->unstalled : in->ready;
    unsigned at = s->p.ROTATE ? s->place : 0;
    for (unsigned left = holders ? s->p.GROUPS : 0; left; left--) {
        if (in->group_warps[at] & holders) {
            *place = (uint8_t)at;
            return true;
        }
        at = at + 1 < s->p.GROUPS ? at + 1 : 0;
    }
    return false;
}

static unsigned choose_within(const struct warp_arbiter *s, uint64_t warps) {
    /* Two shifts: a shift by 64 is undefined. */
    uint64_t after =
        s->p.WITHIN == WARP_ARBITER_ROUND_ROBIN && s->started ? warps & ~UINT64_C(1) << s->last : 0;
    return (unsigned)__builtin_ctzll(after ? after : warps);
}

static void grant_warp_at(struct warp_arbiter_out *out, unsigned warp, unsigned place) {
    *out = (struct warp_arbiter_out){.grant_valid = true,
                                     .grant_oh = UINT64_C(1) << warp,
                                     .grant_warp = (uint8_t)warp,
                                     .grant_group = (uint8_t)place};
}

/* The warp that was taken last is ready, in some group. */
static bool greedy_place(const struct warp_arbiter *s, const struct warp_arbiter_in *in,
                         uint8_t *place) {
    const uint64_t warp = UINT64_C(1) << s->last;
    if (!s->p.GREEDY || !s->started || !(in->ready & warp)) {
        return false;
    }
    for (*place = 0; *place < s->p.GROUPS; ++*place) {
        if (in->group_warps[*place] & warp) {
            return true;
        }
    }
    return false;
}

void warp_arbiter_comb(const struct warp_arbiter *s, const struct warp_arbiter_in *in,
                       struct warp_arbiter_out *out) {
    uint8_t place = s->chosen;
    *out = (struct warp_arbiter_out){0};
    if (greedy_place(s, in, &place)) {
        grant_warp_at(out, s->last, place);
        return;
    }
    place = s->chosen;
    if (s->p.PIPELINE ? s->chosen_valid : first_holding_place(s, in, &place)) {
        uint64_t warps = in->ready & in->group_warps[place];
        if (warps) {
            grant_warp_at(out, choose_within(s, warps), place);
        }
    }
}

void warp_arbiter_step(struct warp_arbiter *s, const struct warp_arbiter_in *in,
                       const struct warp_arbiter_out *out) {
    if (in->rst) {
        reset_warp_arbiter(s);
        return;
    }
    if (out->grant_valid && in->grant_taken) {
        s->started = true;
        s->last = out->grant_warp;
        s->place = out->grant_group;
    }
    if (s->p.PIPELINE) {
        s->chosen_valid = first_holding_place(s, in, &s->chosen);
    }
}

bool warp_arbiter_quiet(const struct warp_arbiter *s, const struct warp_arbiter_in *in) {
    struct warp_arbiter next = *s;
    struct warp_arbiter_out out;
    warp_arbiter_comb(s, in, &out);
    warp_arbiter_step(&next, in, &out);
    return next.started == s->started && next.last == s->last && next.place == s->place &&
           next.chosen_valid == s->chosen_valid && next.chosen == s->chosen;
}
