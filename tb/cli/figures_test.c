/* SPDX-License-Identifier: Apache-2.0
 * Figures against hand-worked numbers. */
#include <stdio.h>
#include <string.h>

#include "base/unit_tests.h"
#include "cli/report/figures.h"
#include "config/preset.h"

/* A registry of some counters, and their values in its order. */
struct bench {
    struct stats *stats;
    uint64_t values[10];
    struct config config;
};

static struct bench make_figure_bench(const struct stat_desc *descs, const uint64_t *values,
                                      unsigned count) {
    struct bench b = {.stats = stats_create(), .config = base_preset()};
    for (unsigned i = 0; i < count; i++) {
        b.values[i] = values[i];
        assert_true(stats_register(b.stats, &descs[i], &values[i]));
    }
    return b;
}

static bool evaluate_figure(const struct bench *b, const char *name, uint64_t cycles,
                            uint64_t *value) {
    struct figure_ref ref;
    assert_true(figure_resolve(&ref, figure_find(name), b->stats));
    return figure_value(&ref, b->values, cycles, &b->config, value);
}

static const struct stat_desc reads[] = {
    {"l1.read_hits", "accesses", "", "model", STAT_SUM},
    {"l1.read_pending_hits", "accesses", "", "model", STAT_SUM},
    {"l1.read_misses", "accesses", "", "model", STAT_SUM},
    {"l1.read_bypasses", "accesses", "", "model", STAT_SUM},
};

TEST(a_rate_is_its_counter_over_the_sum) {
    static const uint64_t values[] = {3, 2, 1, 1};
    struct bench b = make_figure_bench(reads, values, 4);
    uint64_t value;
    assert_true(evaluate_figure(&b, "l1_hit_rate", 1, &value) && value == 428571);     /* 3 / 7 */
    assert_true(evaluate_figure(&b, "l1_pending_rate", 1, &value) && value == 285714); /* 2 / 7 */
    assert_true(evaluate_figure(&b, "l1_bypass_rate", 1, &value) && value == 142857);  /* 1 / 7 */
    stats_destroy(b.stats);
}

/* A bypass is a read, but none that the L2 looked up. */
TEST(l2_reads_that_bypass_are_a_share_of_all_reads_and_no_misses) {
    static const struct stat_desc descs[] = {
        {"l2.read_hits", "requests", "", "model", STAT_SUM},
        {"l2.read_pending_hits", "requests", "", "model", STAT_SUM},
        {"l2.read_misses", "requests", "", "model", STAT_SUM},
        {"l2.bypass_reads", "requests", "", "model", STAT_SUM},
        {"l2.write_hits", "requests", "", "model", STAT_SUM},
        {"l2.write_pending_hits", "requests", "", "model", STAT_SUM},
        {"l2.write_misses", "requests", "", "model", STAT_SUM},
        {"l2.atomic_hits", "requests", "", "model", STAT_SUM},
        {"l2.atomic_pending_hits", "requests", "", "model", STAT_SUM},
        {"l2.atomic_misses", "requests", "", "model", STAT_SUM}};
    static const uint64_t values[] = {3, 1, 1, 5, 2, 0, 3, 0, 0, 0};
    struct bench b = make_figure_bench(descs, values, sizeof values / sizeof *values);
    uint64_t value;
    assert_true(evaluate_figure(&b, "l2_bypass_rate", 1, &value) && value == 500000); /* 5 / 10 */
    assert_true(evaluate_figure(&b, "l2_miss_rate", 1, &value) && value == 400000);   /* 4 / 10 */
    stats_destroy(b.stats);
}

TEST(nothing_to_divide_by_is_no_value) {
    static const uint64_t values[4] = {0};
    struct bench b = make_figure_bench(reads, values, 4);
    uint64_t value;
    assert_false(evaluate_figure(&b, "l1_hit_rate", 1000, &value));
    stats_destroy(b.stats);
}

TEST(a_machine_without_the_counters_has_no_such_figure) {
    static const uint64_t values[4] = {0};
    struct bench b = make_figure_bench(reads, values, 3); /* no bypasses */
    struct figure_ref ref;
    assert_false(figure_resolve(&ref, figure_find("l1_hit_rate"), b.stats));
    assert_null(figure_find("l1_hit_rat"));
    stats_destroy(b.stats);
}

/* Peak bandwidth is a full bus: the two figures are one formula. */
TEST(bus_use_and_bandwidth_agree_at_the_peak) {
    static const struct stat_desc descs[] = {
        {"dram.data_cycles", "DRAM cycles", "", "model", STAT_SUM},
        {"dram.read_bytes", "bytes", "", "model", STAT_SUM},
        {"dram.write_bytes", "bytes", "", "model", STAT_SUM}};
    struct config c = base_preset();
    uint64_t cycles = c.clock.core; /* a millisecond */
    uint64_t data = (uint64_t)c.clock.dram * c.l2.partitions;
    uint64_t bytes = data * c.dram.bus_bytes * c.dram.beats, value;
    const uint64_t values[] = {data / 2, bytes / 4, bytes / 4};
    struct bench b = make_figure_bench(descs, values, 3);
    assert_true(evaluate_figure(&b, "bus_use", cycles, &value) && value == 500000);
    assert_true(evaluate_figure(&b, "dram_gb_per_s", cycles, &value));
    assert_int_equal(value, bytes / 2); /* a millisecond's bytes x 1000 / 10^9, in millionths */
    assert_false(evaluate_figure(&b, "bus_use", 0, &value));
    stats_destroy(b.stats);
}

/* Ten minutes of a full bus, as core cycles times kHz times channels, are 57 bits. */
TEST(bus_use_of_a_long_run_is_exact) {
    static const struct stat_desc desc = {"dram.data_cycles", "DRAM cycles", "", "model", STAT_SUM};
    struct config c = base_preset();
    uint64_t seconds = 600, cycles = seconds * c.clock.core * 1000, value;
    const uint64_t data = seconds * c.clock.dram * 1000 * c.l2.partitions / 4 * 3;
    struct bench b = make_figure_bench(&desc, &data, 1);
    assert_true(cycles * c.clock.dram * c.l2.partitions > UINT64_C(1) << 60);
    assert_true(evaluate_figure(&b, "bus_use", cycles, &value) && value == 750000);
    stats_destroy(b.stats);
}

/* 0.15 J in a millisecond are 150 W, and 3.5 instructions a cycle over them 23.333333 a joule. */
TEST(power_and_efficiency_are_of_the_whole_gpu) {
    static const struct stat_desc descs[] = {
        {"energy.gpu_total", "pJ", "", "model", STAT_SUM},
        {"core.thread_instructions", "thread instructions", "", "model", STAT_SUM}};
    struct config c = base_preset();
    uint64_t cycles = c.clock.core, value; /* a millisecond */
    const uint64_t values[] = {UINT64_C(150000000000), cycles * 7 / 2};
    struct bench b = make_figure_bench(descs, values, 2);
    assert_true(evaluate_figure(&b, "gpu_power", cycles, &value) && value == 150000000);
    assert_true(evaluate_figure(&b, "energy_efficiency", cycles, &value) && value == 23333333);
    assert_false(evaluate_figure(&b, "gpu_power", 0, &value));
    assert_false(evaluate_figure(&b, "energy_efficiency", 0, &value));
    stats_destroy(b.stats);
}

/* Ten minutes of 150 W: the products are of more than 64 bits. */
TEST(power_and_efficiency_of_a_long_run_are_exact) {
    static const struct stat_desc descs[] = {
        {"energy.gpu_total", "pJ", "", "model", STAT_SUM},
        {"core.thread_instructions", "thread instructions", "", "model", STAT_SUM}};
    struct config c = base_preset();
    uint64_t cycles = UINT64_C(600000) * c.clock.core, value;
    const uint64_t values[] = {600 * 150 * UINT64_C(1000000000000), cycles * 90};
    struct bench b = make_figure_bench(descs, values, 2);
    assert_true(evaluate_figure(&b, "gpu_power", cycles, &value) && value == 150000000);
    assert_true(evaluate_figure(&b, "energy_efficiency", cycles, &value) && value == 1000);
    stats_destroy(b.stats);
}

/* A thousand core cycles: each unit's cycles are those times the ratio of its clock. */
TEST(use_is_of_the_cycles_of_all_units) {
    static const struct stat_desc descs[] = {
        {"l2.requests", "requests", "", "model", STAT_SUM},
        {"noc.request_flits", "flits", "", "model", STAT_SUM},
        {"noc.reply_flits", "flits", "", "model", STAT_SUM},
        {"l2.fail_associativity", "L2 cycles", "", "model", STAT_SUM},
        {"l2.fail_mshr_full", "L2 cycles", "", "model", STAT_SUM},
        {"l2.fail_mshr_merge", "L2 cycles", "", "model", STAT_SUM},
        {"l2.fail_miss_queue", "L2 cycles", "", "model", STAT_SUM},
        {"l2.fail_reply_queue", "L2 cycles", "", "model", STAT_SUM}};
    static const uint64_t values[] = {1200, 6000, 3000, 100, 200, 300, 400, 500};
    struct bench b = make_figure_bench(descs, values, 8);
    uint64_t value;
    b.config.clock.core = 500000;
    b.config.clock.noc = 1000000;
    b.config.clock.l2 = 250000;
    b.config.l2.partitions = 6;
    b.config.l2.banks = 2;
    b.config.l2.ports = 2;
    b.config.l2.bank_interval = 3;
    /* 2000 NoC cycles x 6 partitions x 2 ports in, 1 out; 500 L2 cycles x 12 banks. */
    assert_true(evaluate_figure(&b, "noc_request_use", 1000, &value) && value == 250000);
    assert_true(evaluate_figure(&b, "noc_reply_use", 1000, &value) && value == 250000);
    b.config.l2.reply_ports = 2;
    assert_true(evaluate_figure(&b, "noc_reply_use", 1000, &value) && value == 125000);
    assert_true(evaluate_figure(&b, "l2_bank_use", 1000, &value) && value == 600000);
    assert_true(evaluate_figure(&b, "l2_refused_rate", 1000, &value) && value == 250000);
    stats_destroy(b.stats);
}

TEST(mpki_is_misses_a_thousand_thread_instructions) {
    static const struct stat_desc descs[] = {
        {"l1.read_misses", "accesses", "", "model", STAT_SUM},
        {"l1.write_misses", "accesses", "", "model", STAT_SUM},
        {"l1.misses_intra_warp", "accesses", "", "model", STAT_SUM},
        {"l1.misses_cross_warp", "accesses", "", "model", STAT_SUM},
        {"l1.misses_cross_block", "accesses", "", "model", STAT_SUM},
        {"core.thread_instructions", "thread instructions", "", "model", STAT_SUM}};
    static const uint64_t values[] = {70, 10, 40, 25, 5, 16000}; /* 10 misses are cold */
    struct bench b = make_figure_bench(descs, values, 6);
    uint64_t value;
    assert_true(evaluate_figure(&b, "mpki", 1, &value) && value == 5000000);
    assert_true(evaluate_figure(&b, "mpki_intra_warp", 1, &value) && value == 2500000);
    assert_true(evaluate_figure(&b, "mpki_cross_warp", 1, &value) && value == 1562500);
    assert_true(evaluate_figure(&b, "mpki_cross_block", 1, &value) && value == 312500);
    stats_destroy(b.stats);
}

TEST(the_formula_is_what_is_computed) {
    char text[512];
    assert_string_equal(figure_formula(figure_find("l1_hit_rate"), text, sizeof text),
                        "l1.read_hits / (l1.read_hits + l1.read_pending_hits + l1.read_misses + "
                        "l1.read_bypasses)");
    assert_string_equal(figure_formula(figure_find("ipc_thread"), text, sizeof text),
                        "core.thread_instructions / cycles");
    assert_string_equal(figure_formula(figure_find("mpki_cross_warp"), text, sizeof text),
                        "l1.misses_cross_warp x 1000 / core.thread_instructions");
    assert_string_equal(figure_formula(figure_find("noc_request_use"), text, sizeof text),
                        "noc.request_flits / (NoC cycles x l2.partitions x l2.ports)");
    assert_string_equal(figure_formula(figure_find("noc_reply_use"), text, sizeof text),
                        "noc.reply_flits / (NoC cycles x l2.partitions x l2.reply_ports)");
    assert_string_equal(figure_formula(figure_find("dram_gb_per_s"), text, sizeof text),
                        "(dram.read_bytes + dram.write_bytes) / (cycles / core clock)");
}

TEST(a_ratio_is_rounded_to_nearest) {
    assert_int_equal(figure_ratio(2, 3), 666667);
    assert_int_equal(figure_ratio(1, 3), 333333);
    assert_int_equal(figure_ratio(7, 2), 3500000);
    assert_int_equal(figure_ratio(5, 0), 0);
    assert_int_equal(figure_ratio(1, 2000000), 1); /* a half goes up */
    assert_int_equal(figure_ratio(1, 2000001), 0);
    assert_true(figure_ratio(UINT64_C(1) << 43, 1) == (UINT64_C(1) << 43) * 1000000);
}
