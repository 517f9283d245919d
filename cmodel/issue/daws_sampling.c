/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws_sampling.h"

#include <string.h>

bool daws_sampling_init(struct daws_sampling *s, const struct daws_sampling_params *p) {
    memset(s, 0, sizeof *s);
    s->p = *p;
    return true;
}

void daws_sampling_destroy(struct daws_sampling *s) {
    (void)s;
}

void daws_sampling_comb(const struct daws_sampling *s, const struct daws_sampling_in *in,
                        struct daws_sampling_out *out) {
    (void)in;
    memset(out, 0, sizeof *out);
    out->ans_samples = s->samples;
    out->ans_loop = s->place;
    out->ans_positive = s->was_positive;
    out->ans_refused = s->refused;
    for (unsigned i = 0; i < s->count; i++) {
        out->positive |= (uint16_t)((s->loop[i].counter > 0) << i);
        out->loop_pc[i] = s->loop[i].pc;
    }
}

/* Returns the loop's place; that of the first free one, s->count, if it has none. */
static unsigned find_sampled_loop(const struct daws_sampling *s, uint32_t pc) {
    unsigned i = 0;
    while (i < s->count && s->loop[i].pc != pc) {
        i++;
    }
    return i;
}

static void enter_sampled_loop(struct daws_sampling *s, unsigned place,
                               const struct daws_sampling_in *in) {
    struct daws_sampled_loop *l = &s->loop[place];
    const bool is_new = place == s->count;
    if (in->mark_lanes < (is_new ? 3 : 2) || (!is_new && l->sampled)) {
        return;
    }
    if (place == s->p.LOOPS) {
        s->refused = true;
        return;
    }
    s->count += is_new;
    l->pc = in->mark_pc;
    l->sampled = true;
    l->warp = in->mark_warp;
}

static void exit_sampling_warp(struct daws_sampling *s, unsigned warp) {
    for (unsigned i = 0; i < s->count; i++) {
        s->loop[i].sampled &= s->loop[i].warp != warp;
    }
}

static void apply_sampling_mark(struct daws_sampling *s, const struct daws_sampling_in *in) {
    const unsigned place = find_sampled_loop(s, in->mark_pc);
    struct daws_sampled_loop *l = &s->loop[place];
    switch (in->mark_kind) {
    case DAWS_SAMPLING_EXIT: exit_sampling_warp(s, in->mark_warp); return;
    case DAWS_SAMPLING_END:
        if (place < s->count) {
            l->sampled &= l->warp != in->mark_warp;
        }
        return;
    case DAWS_SAMPLING_BEGIN: enter_sampled_loop(s, place, in); break;
    case DAWS_SAMPLING_TRIP:
    case DAWS_SAMPLING_LOAD: break;
    default: return;
    }
    if (place < s->count && l->sampled && l->warp == in->mark_warp) {
        s->samples = true;
        s->place = (uint8_t)place;
        s->was_positive = l->counter > 0;
    }
}

static void feed_sampled_loop(struct daws_sampling *s, unsigned place, bool local) {
    struct daws_sampled_loop *l = &s->loop[place];
    const int most = (1 << (s->p.COUNTER_BITS - 1)) - 1, least = s->p.NEGATIVE ? -most - 1 : 0;
    if (local) {
        l->counter += l->counter < most;
    } else {
        l->counter -= l->counter > least;
    }
}

void daws_sampling_step(struct daws_sampling *s, const struct daws_sampling_in *in,
                        const struct daws_sampling_out *out) {
    (void)out;
    if (in->rst) {
        const struct daws_sampling_params p = s->p;
        daws_sampling_init(s, &p);
        return;
    }
    /* A new loop has no counter that a feed could find before its mark. */
    const unsigned loops = s->count;
    s->samples = s->refused = false;
    if (in->mark_valid) {
        apply_sampling_mark(s, in);
    }
    if (in->feed_valid && in->feed_loop < loops) {
        feed_sampled_loop(s, in->feed_loop, in->feed_local);
    }
}

bool daws_sampling_quiet(const struct daws_sampling *s, const struct daws_sampling_in *in) {
    return !in->rst && !in->mark_valid && !in->feed_valid && !s->samples && !s->refused;
}
