/* SPDX-License-Identifier: Apache-2.0
 *
 * MeDiC's warp types: what the L2 had of what loads, and warps, asked of it.
 */
#include "base/unit_tests.h"
#include "config/preset.h"
#include "gpu/machine_run.h"
#include "core/warp_types.h"
#include "workloads/workload.h"

/* MeDiC figure 4: mostly-hit from 70 % on, mostly-miss up to 20 %. */
TEST(the_share_of_hits_decides_the_type) {
    static const struct {
        uint64_t hits, requests;
        enum warp_type type;
    } cases[] = {
        {1, 1, WARP_ALL_HIT},     {32, 32, WARP_ALL_HIT},    {31, 32, WARP_MOSTLY_HIT},
        {7, 10, WARP_MOSTLY_HIT}, {69, 100, WARP_BALANCED},  {1, 2, WARP_BALANCED},
        {21, 100, WARP_BALANCED}, {2, 10, WARP_MOSTLY_MISS}, {1, 32, WARP_MOSTLY_MISS},
        {0, 1, WARP_ALL_MISS},    {0, 4000, WARP_ALL_MISS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(warp_type_of(cases[i].hits, cases[i].requests), cases[i].type);
    }
}

TEST(a_load_has_the_type_of_its_accesses) {
    struct warp_types t = {0};
    warp_types_load(&t, 2, 2);
    warp_types_load(&t, 0, 6);
    warp_types_load(&t, 0, 0); /* in the L1 */
    assert_true(t.stats.loads[WARP_ALL_HIT] == 1 && t.stats.loads[WARP_ALL_MISS] == 1);
}

static void reply_to_warp(struct warp_types *t, unsigned warp, unsigned times, bool hit) {
    for (unsigned i = 0; i < times; i++) {
        warp_types_reply(t, warp, hit);
    }
}

static uint64_t sampled_warps(const struct warp_types *t) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < WARP_TYPES; i++) {
        sum += t->sampled[i];
    }
    return sum;
}

/* MeDiC 4.1: the first 30 accesses after a reset. */
TEST(the_30th_request_decides_and_no_later_one) {
    struct warp_types t = {0};
    reply_to_warp(&t, 3, 15, true);
    reply_to_warp(&t, 5, 29, true);
    reply_to_warp(&t, 3, 14, false);
    assert_true(sampled_warps(&t) == 0);
    reply_to_warp(&t, 3, 1, false);
    assert_true(sampled_warps(&t) == 1 && t.sampled[WARP_BALANCED] == 1);
    reply_to_warp(&t, 3, 100, true);
    reply_to_warp(&t, 5, 1, true);
    assert_true(sampled_warps(&t) == 2 && t.sampled[WARP_ALL_HIT] == 1);
}

TEST(a_reset_types_who_asked_less_and_starts_again) {
    struct warp_types t = {0};
    reply_to_warp(&t, 0, 30, false);
    reply_to_warp(&t, 63, 1, true);
    for (unsigned i = 0; i < 2; i++) { /* who looks changes nothing */
        warp_types_settle(&t);
        assert_true(t.stats.warps[WARP_ALL_HIT] == 1 && t.stats.warps[WARP_ALL_MISS] == 1);
    }
    assert_true(sampled_warps(&t) == 1);
    warp_types_reset(&t);
    assert_true(sampled_warps(&t) == 2 && t.sampled[WARP_ALL_HIT] == 1);
    warp_types_reset(&t); /* nobody has asked since */
    assert_true(sampled_warps(&t) == 2);
    reply_to_warp(&t, 0, 30, true);
    assert_true(sampled_warps(&t) == 3 && t.sampled[WARP_ALL_HIT] == 2);
}

static void run_tiny(struct machine_run *r, const char *name, struct gpu_options options) {
    struct config c = base_preset();
    struct program p;
    const struct workload *w = workload_find(name);
    assert_null(workload_open(w, &p, SIZE_TINY, 1));
    run_test_machine(r, &c, &options, &p, false);
    assert_complete(r);
    workload_close(w, &p);
}

static uint64_t counted_samples(const struct machine_run *r) {
    return run_counter(r, "core.warps_all_hit") + run_counter(r, "core.warps_mostly_hit") +
           run_counter(r, "core.warps_balanced") + run_counter(r, "core.warps_mostly_miss") +
           run_counter(r, "core.warps_all_miss");
}

/* Each warp of the vector sum loads two lines and stores one that nobody has touched before, and
 * has a place of its own: all fit at once. */
TEST(warps_that_stream_miss) {
    struct machine_run r;
    run_tiny(&r, "vecadd", (struct gpu_options){0});
    assert_true(run_counter(&r, "core.loads_all_miss") == run_counter(&r, "core.loads"));
    assert_true(run_counter(&r, "core.warps_all_miss") == run_counter(&r, "core.loads") / 2);
    assert_true(run_counter(&r, "core.loads_all_hit") == 0 &&
                counted_samples(&r) == run_counter(&r, "core.warps_all_miss"));
}

/* ATAX has 8 warps a CTA, each with a place of its own, over many periods. */
TEST(each_period_has_samples_of_its_own) {
    struct machine_run r, other;
    run_tiny(&r, "atax", (struct gpu_options){0});
    const uint64_t warps_of_run = 8 * run_counter(&r, "core.ctas");
    const uint64_t periods = r.cycles / WARP_TYPES_PERIOD + 1;
    assert_true(periods > 2);
    assert_in_range(counted_samples(&r), 2 * warps_of_run, warps_of_run * periods);
    run_tiny(&other, "atax", (struct gpu_options){.poll = true});
    assert_same_run(&r, &other, "poll");
    run_tiny(&other, "atax", (struct gpu_options){.reverse = true});
    assert_same_run(&r, &other, "reverse");
}
