/* SPDX-License-Identifier: Apache-2.0
 * The warp arbiter, one behaviour a test. Sections in the names of the cases are those of OWL,
 * ASPLOS 2013. */
#include "common/bench.h"
#include "contract/block_test.h"
#include "issue/warp_arbiter.h"

static const struct warp_arbiter_params *arbiter_params_of(const struct bench *b) {
    return (const struct warp_arbiter_params *)b->pair.ports.params;
}

static uint64_t all_warps_of(const struct bench *b) {
    return UINT64_MAX >> (64 - arbiter_params_of(b)->WARPS);
}

/* One cycle with all warps in the last place. Return: the warp that is granted; -1: none. */
static int winner_in_last_place(struct bench *b, uint64_t ready, bool taken) {
    struct warp_arbiter_in *in = b->pair.in;
    const struct warp_arbiter_out *out = b->pair.c_out;
    in->ready = ready;
    in->unstalled = ready;
    in->group_warps[arbiter_params_of(b)->GROUPS - 1] = all_warps_of(b);
    in->grant_taken = taken;
    bench_edge(b);
    assert_true(!out->grant_valid || out->grant_oh == UINT64_C(1) << out->grant_warp);
    return out->grant_valid ? out->grant_warp : -1;
}

SET_TEST(test_after_reset_the_lowest_warp_is_first) {
    if (arbiter_params_of(b)->PIPELINE) {
        assert_int_equal(winner_in_last_place(b, all_warps_of(b), false), -1);
    }
    assert_int_equal(winner_in_last_place(b, all_warps_of(b), false), 0);
}
