/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bench.h"
#include "common/round_robin_arbiter.h"
#include "cosim/block_test.h"

static unsigned arbiter_requesters_of(const struct bench *b) {
    return ((const struct round_robin_arbiter_params *)b->pair.ports.params)->REQUESTERS;
}

static uint64_t all_requesters(const struct bench *b) {
    return UINT64_MAX >> (64 - arbiter_requesters_of(b));
}

/* The winner of these in this cycle; the grant is taken or not. */
static unsigned winner_of_requests(struct bench *b, uint64_t requests, bool taken) {
    struct round_robin_arbiter_in *in = b->pair.in;
    const struct round_robin_arbiter_out *out = b->pair.c_out;
    in->req_valid = requests;
    in->grant_taken = taken;
    bench_edge(b);
    assert_true(out->grant_valid);
    assert_int_equal(out->grant_oh, UINT64_C(1) << out->grant_index);
    return out->grant_index;
}

SET_TEST(test_after_reset_the_lowest_is_first) {
    assert_int_equal(winner_of_requests(b, all_requesters(b), false), 0);
    assert_int_equal(winner_of_requests(b, all_requesters(b) & ~UINT64_C(1), false), 1);
}

SET_TEST(test_everybody_is_served_in_turn) {
    for (unsigned i = 0; i < 3 * arbiter_requesters_of(b); i++) {
        assert_int_equal(winner_of_requests(b, all_requesters(b), true),
                         i % arbiter_requesters_of(b));
    }
}

SET_TEST(test_a_grant_that_is_not_taken_keeps_the_turn) {
    assert_int_equal(winner_of_requests(b, all_requesters(b), true), 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(winner_of_requests(b, all_requesters(b), false), 1);
    }
    assert_int_equal(winner_of_requests(b, all_requesters(b), true), 1);
}

SET_TEST(test_taken_without_a_grant_moves_nothing) {
    struct round_robin_arbiter_in *in = b->pair.in;
    assert_int_equal(winner_of_requests(b, all_requesters(b), true), 0);
    in->grant_taken = true;
    bench_edge(b);
    assert_false(((const struct round_robin_arbiter_out *)b->pair.c_out)->grant_valid);
    assert_int_equal(winner_of_requests(b, all_requesters(b), false), 1);
}

SET_TEST(test_the_turn_passes_by_who_does_not_ask_and_wraps) {
    unsigned last = arbiter_requesters_of(b) - 1;
    uint64_t two = UINT64_C(1) << last | 1;
    assert_int_equal(winner_of_requests(b, two, true), 0);
    assert_int_equal(winner_of_requests(b, two, true), last);
    assert_int_equal(winner_of_requests(b, two, true), 0);
    assert_int_equal(winner_of_requests(b, 1, true), 0); /* alone, although just served */
}

SET_TEST(test_who_keeps_asking_is_served_after_all_others_at_most_once) {
    unsigned n = arbiter_requesters_of(b);
    for (unsigned one = 0; one < n; one++) {
        (void)winner_of_requests(b, UINT64_C(1) << one, true); /* the last in turn now */
        for (unsigned others = 0; others < n - 1; others++) {
            assert_int_not_equal(winner_of_requests(b, all_requesters(b), true), one);
        }
        assert_int_equal(winner_of_requests(b, all_requesters(b), true), one);
    }
}

SET_TEST(test_reset_starts_the_turn_anew) {
    struct round_robin_arbiter_in *in = b->pair.in;
    assert_int_equal(winner_of_requests(b, all_requesters(b), true), 0);
    in->rst = true;
    assert_int_equal(winner_of_requests(b, all_requesters(b), true), 1);
    assert_int_equal(winner_of_requests(b, all_requesters(b), true), 0);
}

SET_TEST(test_quiet_unless_a_grant_is_taken) {
    struct round_robin_arbiter_in *in = b->pair.in;
    assert_true(bench_quiet(b));
    in->grant_taken = true;
    assert_true(bench_quiet(b));
    in->req_valid = 1;
    assert_false(bench_quiet(b));
    in->grant_taken = false;
    assert_true(bench_quiet(b));
}

SET_TEST(test_after_the_last_one_the_turn_is_as_after_a_reset) {
    struct round_robin_arbiter_in *in = b->pair.in;
    for (unsigned last = 0; last < 2; last++) {
        in->req_valid = UINT64_C(1) << (arbiter_requesters_of(b) - 2 + last);
        in->grant_taken = true;
        bench_edge(b);
        in->rst = true;
        assert_int_equal(bench_quiet(b), last); /* the reset has nothing to do */
        in->rst = false;
    }
}

/* clang-format off */
#define ROUND_ROBIN_ARBITER_POINTS(P) \
    P(NOBODY,          "nobody asks") \
    P(EVERYBODY,       "everybody asks") \
    P(WRAPS,           "turn wraps to a lower one") \
    P(PASSES_BY,       "first in turn does not ask") \
    P(LAST_SERVED,     "last served") \
    P(NOT_TAKEN,       "not taken") \
    P(TAKEN_BY_NOBODY, "taken without grant") \
    P(WINNER_LEAVES,   "refused winner stops asking") \
    P(RESET_AT_WORK,   "reset at work")
/* clang-format on */

COVERAGE_POINTS(ROUND_ROBIN_ARBITER_POINTS, struct round_robin_arbiter_params)

struct arbiter_stimulus {
    uint64_t refused,
        left_alone; /* the winner that was not taken; of the cycle before, if it left */
    unsigned left, asking, taking;
};

static void arbiter_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct arbiter_stimulus *st = self;
    struct round_robin_arbiter_in *in = input;
    if (st->left-- == 0) {
        st->left = rng_below(now->rng, 100);
        st->asking = rng_below(now->rng, 6);
        st->taking = 1 + rng_below(now->rng, 16);
    }
    uint64_t changed = rng_next(now->rng) & rng_next(now->rng) & rng_next(now->rng);
    uint64_t any = rng_next(now->rng);
    switch (st->asking) {
    case 0: in->req_valid = UINT64_MAX; break;
    case 1: in->req_valid = 0; break;
    case 2: in->req_valid = any & rng_next(now->rng) & rng_next(now->rng); break;
    case 3: in->req_valid = UINT64_C(1) << rng_below(now->rng, 64); break;
    case 4: in->req_valid = any; break;
    default: in->req_valid ^= changed; break;
    }
    st->left_alone = st->refused & ~in->req_valid;
    in->rst = rng_chance(now->rng, 1, 500);
}

static void arbiter_late_inputs(void *self, const struct lockstep_now *now, const void *output,
                                void *input) {
    struct arbiter_stimulus *st = self;
    const struct round_robin_arbiter_out *out = output;
    struct round_robin_arbiter_in *in = input;
    in->grant_taken = rng_chance(now->rng, st->taking, 16);
    st->refused = in->grant_taken ? 0 : out->grant_oh;
}

static void arbiter_count_points(void *self, const struct lockstep_now *now, const void *input,
                                 const void *output, uint64_t *counts) {
    const struct round_robin_arbiter_params *p = now->params;
    const struct round_robin_arbiter *s = now->state;
    const struct round_robin_arbiter_in *in = input;
    const struct round_robin_arbiter_out *out = output;
    const struct arbiter_stimulus *st = self;
    bool taken = out->grant_valid && in->grant_taken;
    counts[RESET_AT_WORK] += in->rst && taken && s->first != 0;
    if (in->rst) {
        return;
    }
    counts[NOBODY] += !out->grant_valid;
    counts[EVERYBODY] += in->req_valid == UINT64_MAX >> (64 - p->REQUESTERS);
    counts[WRAPS] += out->grant_valid && out->grant_index < s->first;
    counts[PASSES_BY] += out->grant_valid && out->grant_index > s->first;
    counts[LAST_SERVED] += taken && out->grant_index == p->REQUESTERS - 1;
    counts[NOT_TAKEN] += out->grant_valid && !in->grant_taken;
    counts[TAKEN_BY_NOBODY] += !out->grant_valid && in->grant_taken && s->first != 0;
    counts[WINNER_LEAVES] += st->left_alone && out->grant_valid;
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct arbiter_stimulus),
    .points = points,
    .early = arbiter_early_inputs,
    .late = arbiter_late_inputs,
    .cover = arbiter_count_points,
    .unreachable = point_unreachable,
};
