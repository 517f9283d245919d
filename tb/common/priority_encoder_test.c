/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bench.h"
#include "common/priority_encoder.h"
#include "cosim/block_test.h"

static unsigned encoder_requesters_of(const struct bench *b) {
    return ((const struct priority_encoder_params *)b->pair.ports.params)->REQUESTERS;
}

/* The grants for these requests. */
static const struct priority_encoder_out *ask_encoder(struct bench *b, uint64_t requests) {
    ((struct priority_encoder_in *)b->pair.in)->req_valid = requests;
    bench_edge(b);
    return b->pair.c_out;
}

SET_TEST(test_nobody_asks_nobody_is_granted) {
    const struct priority_encoder_out *out = ask_encoder(b, 0);
    assert_false(out->grant_valid);
    assert_int_equal(out->grant_oh, 0);
    assert_int_equal(out->grant_index, 0);
}

SET_TEST(test_a_single_requester_is_granted) {
    for (unsigned i = 0; i < encoder_requesters_of(b); i++) {
        const struct priority_encoder_out *out = ask_encoder(b, UINT64_C(1) << i);
        assert_true(out->grant_valid);
        assert_int_equal(out->grant_oh, UINT64_C(1) << i);
        assert_int_equal(out->grant_index, i);
    }
}

SET_TEST(test_the_lowest_of_two_wins) {
    for (unsigned high = 1; high < encoder_requesters_of(b); high++) {
        for (unsigned low = 0; low < high; low++) {
            const struct priority_encoder_out *out =
                ask_encoder(b, UINT64_C(1) << high | UINT64_C(1) << low);
            assert_int_equal(out->grant_oh, UINT64_C(1) << low);
            assert_int_equal(out->grant_index, low);
        }
    }
}

/* clang-format off */
#define PRIORITY_ENCODER_POINTS(P) \
    P(NOBODY,      "nobody asks") \
    P(EVERYBODY,   "everybody asks") \
    P(FIRST,       "first wins") \
    P(LAST_ALONE,  "last alone") \
    P(CROWD_ABOVE, "wins in the middle, others above", p->REQUESTERS < 3)
/* clang-format on */

COVERAGE_POINTS(PRIORITY_ENCODER_POINTS, struct priority_encoder_params)

static void encoder_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    const struct priority_encoder_params *p = now->params;
    struct priority_encoder_in *in = input;
    (void)self;
    /* the lowest requester is anywhere; above it few, half or all ask */
    uint64_t above = rng_next(now->rng);
    switch (rng_below(now->rng, 4)) {
    case 0: above = UINT64_MAX; break;
    case 1: above &= rng_next(now->rng) & rng_next(now->rng); break;
    case 2: above = 0; break;
    default: break;
    }
    uint64_t low = rng_below(now->rng, p->REQUESTERS + 1);
    in->req_valid = low == p->REQUESTERS ? 0 : (above << low | UINT64_C(1) << low);
}

static void encoder_count_points(void *self, const struct lockstep_now *now, const void *input,
                                 const void *output, uint64_t *counts) {
    const struct priority_encoder_params *p = now->params;
    const struct priority_encoder_in *in = input;
    const struct priority_encoder_out *out = output;
    (void)self;
    uint64_t last = UINT64_C(1) << (p->REQUESTERS - 1);
    counts[NOBODY] += in->req_valid == 0;
    counts[EVERYBODY] += in->req_valid == (last | (last - 1));
    counts[FIRST] += in->req_valid & 1;
    counts[LAST_ALONE] += in->req_valid == last;
    counts[CROWD_ABOVE] += out->grant_index > 0 && in->req_valid != out->grant_oh;
}

const struct stimulus block_stimulus = {
    .points = points,
    .early = encoder_early_inputs,
    .cover = encoder_count_points,
    .unreachable = point_unreachable,
};
