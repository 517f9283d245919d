/* SPDX-License-Identifier: Apache-2.0
 *
 * Looking at a running machine (gpu_options.sample) shows what a run that ends there has counted,
 * however the machine is evaluated, and changes nothing.
 */
#include <stdio.h>

#include "base/unit_tests.h"
#include "config/preset.h"
#include "gpu/gauges.h"
#include "gpu/machine_run.h"
#include "workloads/workload.h"

enum { LOOKS_MAX = 64 };

struct looks {
    const struct stats *stats;
    uint64_t interval;
    bool doubling; /* each interval is twice the one before */
    unsigned count, counters;
    uint64_t cycle[LOOKS_MAX], value[LOOKS_MAX][COUNTERS_MAX], gauge[LOOKS_MAX][GPU_GAUGES_MAX];
};

static uint64_t look_at_counters(void *user, const struct gpu *g, uint64_t cycle) {
    struct looks *l = user;
    if (l->count < LOOKS_MAX) {
        l->cycle[l->count] = cycle;
        for (size_t i = 0; i < stats_count(l->stats); i++) {
            l->value[l->count][i] = stats_value(l->stats, i);
        }
        for (unsigned i = 0; gpu_gauge_at(i); i++) {
            l->gauge[l->count][i] = gpu_gauge_at(i)->read(g);
        }
    }
    l->count++;
    l->interval *= l->doubling ? 2 : 1;
    return l->interval;
}

/* Runs vecadd with looks every @interval cycles (0: none); counters to @end. Return: cycles. */
static uint64_t run_looking(struct looks *l, const struct config *c, uint64_t interval,
                            uint64_t max_cycles, bool poll, bool reverse, uint64_t *end) {
    const struct workload *w = workload_find("vecadd");
    struct gpu_options options = {.sample = look_at_counters,
                                  .sample_user = l,
                                  .sample_cycles = interval,
                                  .max_cycles = max_cycles,
                                  .poll = poll,
                                  .reverse = reverse};
    struct program p;
    char error[256];
    assert_null(workload_open(w, &p, SIZE_TINY, 1));
    struct gpu *g = gpu_create(c, &options, error, sizeof error);
    struct stats *s = stats_create();
    assert_true(g && s && gpu_register_stats(g, s) && stats_count(s) <= COUNTERS_MAX);
    *l = (struct looks){.stats = s,
                        .interval = interval,
                        .doubling = l->doubling,
                        .counters = (unsigned)stats_count(s)};
    enum gpu_status status = gpu_run(g, &p);
    assert_true(status == (max_cycles ? GPU_LIMIT : GPU_COMPLETE));
    assert_true(max_cycles || !gpu_conserved(g));
    for (size_t i = 0; i < stats_count(s); i++) {
        end[i] = stats_value(s, i);
    }
    uint64_t cycles = gpu_cycles(g);
    stats_destroy(s);
    gpu_destroy(g);
    workload_close(w, &p);
    return cycles;
}

TEST(a_look_shows_what_a_run_that_ends_there_has_counted) {
    static struct looks whole, cut;
    uint64_t end[COUNTERS_MAX], cut_end[COUNTERS_MAX];
    struct config c = base_preset();
    uint64_t cycles = run_looking(&whole, &c, 101, 0, false, false, end);
    assert_int_equal(whole.count, cycles / 101);
    assert_true(whole.count >= 3 && whole.count <= LOOKS_MAX);
    for (unsigned i = 0; i < whole.count; i++) {
        assert_int_equal(whole.cycle[i], 101 * (i + 1));
        run_looking(&cut, &c, 0, whole.cycle[i], false, false, cut_end);
        assert_memory_equal(whole.value[i], cut_end, sizeof *end * whole.counters);
        assert_int_equal(cut.count, 0);
    }
}

TEST(a_look_says_when_the_next_one_is) {
    static struct looks l = {.doubling = true};
    uint64_t end[COUNTERS_MAX];
    struct config c = base_preset();
    uint64_t cycles = run_looking(&l, &c, 3, 0, false, false, end), at = 3;
    assert_true(l.count >= 5);
    for (unsigned i = 0; i < l.count; i++, at += 3u << i) {
        assert_int_equal(l.cycle[i], at);
    }
    assert_true(at > cycles); /* none is left out */
}

TEST(looking_changes_nothing) {
    static struct looks l;
    uint64_t alone[COUNTERS_MAX], end[COUNTERS_MAX];
    struct config c = base_preset();
    c.l1.front = L1_FRONT_MRPB;
    uint64_t cycles = run_looking(&l, &c, 0, 0, false, false, alone);
    static const uint64_t intervals[] = {1, 7, 1000, 999999999};
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        assert_int_equal(run_looking(&l, &c, intervals[i], 0, false, false, end), cycles);
        assert_int_equal(l.count, cycles / intervals[i]);
        assert_memory_equal(alone, end, sizeof *end * l.counters);
    }
}

TEST(looks_are_the_same_however_the_machine_is_evaluated) {
    static struct looks asleep, other;
    uint64_t end[COUNTERS_MAX];
    struct config c = base_preset();
    run_looking(&asleep, &c, 67, 0, false, false, end);
    assert_true(asleep.count > 3);
    for (unsigned way = 1; way < 4; way++) {
        run_looking(&other, &c, 67, 0, way & 1, way & 2, end);
        assert_int_equal(asleep.count, other.count);
        assert_memory_equal(asleep.value, other.value, sizeof asleep.value);
        assert_memory_equal(asleep.gauge, other.gauge, sizeof asleep.gauge);
    }
    for (unsigned i = 0; gpu_gauge_at(i); i++) { /* and each of them has seen something */
        uint64_t sum = 0;
        for (unsigned k = 0; k < asleep.count; k++) {
            sum += asleep.gauge[k][i];
        }
        if (!sum) {
            fail_msg("%s was always 0", gpu_gauge_at(i)->name);
        }
    }
}
