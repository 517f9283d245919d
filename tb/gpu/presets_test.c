/* SPDX-License-Identifier: Apache-2.0
 *
 * Every workload on every preset, at tiny size: right results, conserved, the counts that the
 * workload knows by formula, and the same statistics asleep, polled and in the opposite order. But
 * for `make unit-long` each preset with each workload has one of the latter two.
 */
#include "base/long_test.h"
#include "base/seeded.h"

#include "config/derived.h"
#include "config/preset.h"
#include "gpu/machine_run.h"
#include "workloads/sample.h"
#include "workloads/workload.h"

static const struct {
    const char *name;
    struct gpu_options options;
} ways[] = {{"asleep", {0}}, {"polled", {.poll = true}}, {"reversed", {.reverse = true}}};
enum { WAYS = sizeof ways / sizeof *ways };

static void run_preset_workload(struct machine_run *r, const struct workload *w,
                                const struct config *c, unsigned way, const char *what) {
    struct program p;
    struct workload_expectation e;
    const char *wrong = workload_open(w, &p, SIZE_TINY, 1);
    if (wrong) {
        fail_msg("%s: %s", what, wrong);
    }
    run_test_machine(r, c, &ways[way].options, &p, false);
    assert_complete(r);
    wrong = workload_check(w, &p);
    if (wrong) {
        fail_msg("%s: %s", what, wrong);
    }
    workload_expect(w, &p, config_warp_line(c), &e);
    assert_true(workload_meets(run_counter(r, "core.warp_instructions"), e.warp_instructions));
    assert_true(workload_meets(run_counter(r, "core.thread_instructions"), e.thread_instructions));
    assert_true(workload_meets(run_counter(r, "l1.global_read_accesses"), e.global_read_accesses));
    assert_true(
        workload_meets(run_counter(r, "l1.global_write_accesses"), e.global_write_accesses));
    workload_close(w, &p);
}

TEST(workloads_run_the_same_on_every_preset_however_it_is_evaluated) {
    const char *name;
    unsigned compared = 0;
    for (unsigned i = 0; (name = config_preset_name(i, NULL)); i++) {
        const struct workload *w;
        for (unsigned k = 0; (w = workload_sample(k)); k++) {
            struct config c;
            struct config_error e;
            struct machine_run first, other;
            char what[160];
            assert_true(config_preset(&c, name, &e) && config_check(&c, &e));
            snprintf(what, sizeof what, "%s on %s", w->name, name);
            run_preset_workload(&first, w, &c, 0, what);
            for (unsigned way = 1; way < WAYS; way++) {
                if (!is_long_test() && way != 1 + (i + k) % (WAYS - 1)) {
                    continue;
                }
                snprintf(what, sizeof what, "%s on %s, %s", w->name, name, ways[way].name);
                run_preset_workload(&other, w, &c, way, what);
                assert_same_run(&first, &other, what);
                compared++;
            }
        }
    }
    print_message("%u pairs of runs compared\n", compared);
    assert_true(compared > 0);
}

TEST(the_largest_crossbar_loses_nothing) {
    const struct workload *w = workload_find("vecadd");
    struct machine_run first, other;
    struct config c = base_preset();
    c.l2.partitions = 32;
    c.l2.ports = 4;
    assert_legal(&c);
    run_preset_workload(&first, w, &c, 0, "128 ports");
    for (unsigned way = 1; way < WAYS; way++) {
        run_preset_workload(&other, w, &c, way, "128 ports");
        assert_same_run(&first, &other, ways[way].name);
    }
}
