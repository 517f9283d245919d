/* SPDX-License-Identifier: Apache-2.0
 *
 * MeDiC's warp types: what the L2 had of what loads, and warps, asked of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/preset.h"
#include "gpu/machine_run.h"
#include "gpu/warp_types.h"
#include "workloads/workload.h"

/* MeDiC figure 4: mostly-hit from 70 % on, mostly-miss up to 20 %. */
static void the_share_of_hits_decides_the_type(void **state) {
    (void)state;
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

static void loads_and_warps_have_each_their_types(void **state) {
    (void)state;
    struct warp_types t = {0};
    warp_types_load(&t, 2, 2);
    warp_types_load(&t, 0, 6);
    warp_types_load(&t, 0, 0); /* in the L1 */
    assert_true(t.stats.loads[WARP_ALL_HIT] == 1 && t.stats.loads[WARP_ALL_MISS] == 1);
    for (unsigned i = 0; i < 8; i++) {
        warp_types_reply(&t, 3, i < 2);
        warp_types_reply(&t, 5, false);
    }
    warp_types_exit(&t, 3);
    warp_types_exit(&t, 5);
    assert_true(t.stats.warps[WARP_BALANCED] == 1 && t.stats.warps[WARP_ALL_MISS] == 1);
    warp_types_exit(&t, 3); /* the slot's next warp asked for nothing */
    warp_types_reply(&t, 5, true);
    warp_types_exit(&t, 5);
    assert_true(t.stats.warps[WARP_BALANCED] == 1 && t.stats.warps[WARP_ALL_HIT] == 1);
    assert_true(t.stats.warps[WARP_MOSTLY_HIT] + t.stats.warps[WARP_MOSTLY_MISS] == 0);
}

/* Each warp of the vector sum loads two lines and stores one that nobody has touched before. */
static void warps_that_stream_miss(void **state) {
    (void)state;
    struct config c = preset();
    struct gpu_options options = {0};
    struct machine_run r;
    struct program p;
    const struct workload *w = workload_find("vecadd");
    assert_null(w->open(&p, SIZE_TINY, 1));
    run_machine(&r, &c, &options, &p, false);
    assert_complete(&r);
    assert_true(counter(&r, "core.loads_all_miss") == counter(&r, "core.loads"));
    assert_true(counter(&r, "core.warps_all_miss") == counter(&r, "core.loads") / 2);
    assert_true(counter(&r, "core.loads_all_hit") + counter(&r, "core.warps_all_hit") +
                    counter(&r, "core.warps_balanced") ==
                0);
    w->close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_of_hits_decides_the_type),
        cmocka_unit_test(loads_and_warps_have_each_their_types),
        cmocka_unit_test(warps_that_stream_miss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
