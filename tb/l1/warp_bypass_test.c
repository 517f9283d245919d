/* SPDX-License-Identifier: Apache-2.0
 * The tests compare whose accesses go round the L1, one behaviour a test, and drive all inputs at
 * random. Sections in the names of the cases are those of MDB, DAC 2016. */
#include "common/bench.h"
#include "cosim/block_test.h"
#include "l1/warp_bypass.h"

static unsigned bypass_numbers_of(const struct bench *b) {
    return ((const struct warp_bypass_params *)b->pair.ports.params)->NUMBERS;
}

/* Does this access go round the cache? */
static bool goes_round(struct bench *b, struct warp_bypass_in access) {
    *(struct warp_bypass_in *)b->pair.in = access;
    bench_edge(b);
    return ((const struct warp_bypass_out *)b->pair.c_out)->bypass;
}

SET_TEST(test_2_2_warps_behind_the_first_limit_go_round_the_l1) {
    unsigned all = bypass_numbers_of(b);
    for (unsigned limit = 1; limit < all; limit++) {
        for (unsigned number = 0; number <= all; number++) {
            struct warp_bypass_in access = {.acc_number = (uint8_t)number, .limit = (uint8_t)limit};
            assert_int_equal(goes_round(b, access), number >= limit);
        }
    }
}

/* "all warps/TBs continue to access L1 D-cache" */
SET_TEST(test_6_a_limit_of_all_means_that_nobody_goes_round) {
    unsigned all = bypass_numbers_of(b);
    for (unsigned number = 0; number <= all; number++) {
        struct warp_bypass_in access = {.acc_number = (uint8_t)number, .limit = (uint8_t)all};
        assert_false(goes_round(b, access));
    }
}

SET_TEST(test_with_limit_0_everybody_goes_round) {
    for (unsigned number = 0; number <= bypass_numbers_of(b); number++) {
        assert_true(goes_round(b, (struct warp_bypass_in){.acc_number = (uint8_t)number}));
    }
}

SET_TEST(test_atomics_local_memory_and_uncached_loads_keep_their_path) {
    uint8_t last = (uint8_t)bypass_numbers_of(b);
    assert_true(goes_round(b, (struct warp_bypass_in){.acc_number = last, .limit = 1}));
    assert_false(
        goes_round(b, (struct warp_bypass_in){.acc_number = last, .limit = 1, .acc_atomic = true}));
    assert_false(
        goes_round(b, (struct warp_bypass_in){.acc_number = last, .limit = 1, .acc_local = true}));
    assert_false(goes_round(
        b, (struct warp_bypass_in){.acc_number = last, .limit = 1, .acc_uncached = true}));
}

SET_TEST(test_it_is_always_quiet) {
    assert_true(bench_quiet(b));
    ((struct warp_bypass_in *)b->pair.in)->limit = 1;
    assert_true(bench_quiet(b));
}

/* clang-format off */
#define WARP_BYPASS_POINTS(P) \
    P(LAST_BELOW,      "last below the limit") \
    P(FIRST_BEHIND,    "first behind the limit") \
    P(FAR_BEHIND,      "further behind it") \
    P(NOT_TOLD_APART,  "behind all that are told apart") \
    P(LIMIT_OF_ALL,    "limit of all") \
    P(LIMIT_OF_NONE,   "limit 0") \
    P(ATOMIC_BEHIND,   "atomic behind the limit") \
    P(LOCAL_BEHIND,    "local memory behind the limit") \
    P(UNCACHED_BEHIND, "uncached load behind the limit")
/* clang-format on */

COVERAGE_POINTS(WARP_BYPASS_POINTS, struct warp_bypass_params)

static void bypass_random_access(void *self, const struct lockstep_now *now, void *input) {
    const struct warp_bypass_params *p = now->params;
    (void)self;
    *(struct warp_bypass_in *)input =
        (struct warp_bypass_in){.acc_number = (uint8_t)rng_below(now->rng, p->NUMBERS + 1),
                                .limit = (uint8_t)rng_below(now->rng, p->NUMBERS + 1),
                                .acc_atomic = rng_chance(now->rng, 1, 8),
                                .acc_local = rng_chance(now->rng, 1, 8),
                                .acc_uncached = rng_chance(now->rng, 1, 8)};
}

static void bypass_access_points(void *self, const struct lockstep_now *now, const void *input,
                                 const void *output, uint64_t *counts) {
    const struct warp_bypass_params *p = now->params;
    const struct warp_bypass_in *in = input;
    const struct warp_bypass_out *out = output;
    (void)self;
    bool behind = in->acc_number >= in->limit && in->limit < p->NUMBERS;
    counts[LAST_BELOW] += in->acc_number + 1 == in->limit && in->limit < p->NUMBERS;
    counts[FIRST_BEHIND] += out->bypass && in->acc_number == in->limit;
    counts[FAR_BEHIND] += out->bypass && in->acc_number > in->limit;
    counts[NOT_TOLD_APART] += out->bypass && in->acc_number == p->NUMBERS;
    counts[LIMIT_OF_ALL] += in->limit == p->NUMBERS && in->acc_number == p->NUMBERS;
    counts[LIMIT_OF_NONE] += !in->limit && !in->acc_number;
    counts[ATOMIC_BEHIND] += behind && in->acc_atomic && !in->acc_local && !in->acc_uncached;
    counts[LOCAL_BEHIND] += behind && !in->acc_atomic && in->acc_local && !in->acc_uncached;
    counts[UNCACHED_BEHIND] += behind && !in->acc_atomic && !in->acc_local && in->acc_uncached;
}

const struct stimulus block_stimulus = {.points = points,
                                        .early = bypass_random_access,
                                        .cover = bypass_access_points,
                                        .unreachable = point_unreachable};
