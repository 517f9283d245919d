/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bench.h"
#include "cosim/block_test.h"
#include "place/skeleton.h"

SET_TEST(test_a_word_leaves_as_it_entered) {
    struct skeleton_in *in = b->pair.in;
    const struct skeleton_out *out = b->pair.c_out;
    in->in_valid = true;
    in->in_data = 1;
    bench_comb(b);
    assert_true(out->in_ready);
    assert_false(out->out_valid);
    bench_edge(b);
    bench_comb(b);
    assert_false(out->in_ready);
    assert_true(out->out_valid);
    assert_int_equal(out->out_data, 1);
    in->out_ready = true;
    bench_edge(b);
    bench_comb(b);
    assert_false(out->out_valid);
}

SET_TEST(test_it_is_quiet_while_nothing_can_move) {
    struct skeleton_in *in = b->pair.in;
    assert_true(bench_quiet(b));
    in->in_valid = true;
    assert_false(bench_quiet(b));
    bench_edge(b);
    in->in_valid = true;
    assert_true(bench_quiet(b));
    in->out_ready = true;
    assert_false(bench_quiet(b));
}

/* clang-format off */
#define SKELETON_POINTS(P) \
    P(ENTERS,        "enters") \
    P(WAITS_OUTSIDE, "waits outside as one leaves") \
    P(WAITS_INSIDE,  "waits inside") \
    P(HIGHEST_BIT,   "word with its highest bit alone") \
    P(RESET_AT_WORK, "reset as one enters")
/* clang-format on */

COVERAGE_POINTS(SKELETON_POINTS, struct skeleton_params)

struct skeleton_stimulus {
    unsigned left, in, out; /* cycles of this phase; chances in 16 */
};

static void skeleton_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct skeleton_stimulus *st = self;
    const struct skeleton_params *p = now->params;
    struct skeleton_in *in = input;
    if (st->left-- == 0) {
        st->left = rng_below(now->rng, 100);
        st->in = rng_below(now->rng, 17);
        st->out = rng_below(now->rng, 17);
    }
    in->rst = rng_chance(now->rng, 1, 500);
    in->in_valid = rng_chance(now->rng, st->in, 16);
    in->in_data =
        rng_chance(now->rng, 1, 4) ? UINT64_C(1) << (p->DATA_BITS - 1) : rng_next(now->rng);
}

static void skeleton_late_inputs(void *self, const struct lockstep_now *now, const void *output,
                                 void *input) {
    const struct skeleton_stimulus *st = self;
    (void)output;
    ((struct skeleton_in *)input)->out_ready = rng_chance(now->rng, st->out, 16);
}

static void skeleton_count_points(void *self, const struct lockstep_now *now, const void *input,
                                  const void *output, uint64_t *counts) {
    const struct skeleton_params *p = now->params;
    const struct skeleton_in *in = input;
    const struct skeleton_out *out = output;
    (void)self;
    bool enters = in->in_valid && out->in_ready;
    counts[RESET_AT_WORK] += in->rst && enters;
    if (in->rst) {
        return;
    }
    counts[ENTERS] += enters;
    counts[WAITS_OUTSIDE] += in->in_valid && out->out_valid && in->out_ready;
    counts[WAITS_INSIDE] += out->out_valid && !in->out_ready;
    counts[HIGHEST_BIT] += out->out_valid && out->out_data == UINT64_C(1) << (p->DATA_BITS - 1);
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct skeleton_stimulus),
    .points = points,
    .early = skeleton_early_inputs,
    .late = skeleton_late_inputs,
    .cover = skeleton_count_points,
    .unreachable = point_unreachable,
};
