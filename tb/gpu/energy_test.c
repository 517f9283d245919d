/* SPDX-License-Identifier: Apache-2.0
 * Energy from counters of our choice, and of a run from its own counters. */
#include <stdio.h>
#include <string.h>

#include "base/unit_tests.h"
#include "config/preset.h"
#include "gpu/energy.h"

static const char *const names[] = {"l1.read_hits",
                                    "l1.read_pending_hits",
                                    "l1.read_misses",
                                    "l1.global_write_accesses",
                                    "l1.local_write_accesses",
                                    "l1.write_hits",
                                    "l1.write_pending_hits",
                                    "l1.writebacks",
                                    "texture.hits",
                                    "texture.pending_hits",
                                    "texture.misses",
                                    "constant.accesses",
                                    "constant.misses",
                                    "noc.request_flits",
                                    "noc.reply_flits",
                                    "l2.read_hits",
                                    "l2.read_pending_hits",
                                    "l2.read_misses",
                                    "l2.write_hits",
                                    "l2.write_pending_hits",
                                    "l2.write_misses",
                                    "l2.l1_writeback_hits",
                                    "l2.l1_writeback_pending_hits",
                                    "l2.l1_writeback_misses",
                                    "l2.atomic_hits",
                                    "l2.atomic_pending_hits",
                                    "l2.atomic_misses",
                                    "dram.read_bytes",
                                    "dram.write_bytes",
                                    "dram.precharges",
                                    "core.integer_lanes",
                                    "core.float_lanes",
                                    "core.thread_instructions",
                                    "core.warp_instructions",
                                    "shared.bank_cycles",
                                    "core.no_warp_cycles"};
enum { NAMES = sizeof names / sizeof *names };

enum { L1, NOC, L2, DRAM, MEMORY, CORE, STATIC, GPU, PARTS };

enum { COUNTS = 3 };

/* The energies when the counters @name are @count and all others are 0, after @cycles. */
static void energies_of(const char *const *name, const uint64_t *count, uint64_t cycles,
                        unsigned flit_bytes, uint64_t *pj) {
    static const char *const parts[PARTS] = {"energy.l1",     "energy.noc",      "energy.l2",
                                             "energy.dram",   "energy.total",    "energy.core",
                                             "energy.static", "energy.gpu_total"};
    struct stat_desc descs[NAMES];
    uint64_t values[NAMES] = {0};
    struct stats *s = stats_create();
    struct energy e = {0};
    struct config c = base_preset();
    c.l1.line_bytes = c.l2.line_bytes = 64; /* no matter */
    c.noc.flit_bytes = flit_bytes;
    c.core.count = 30;
    c.clock.core = 700000;
    for (unsigned i = 0; i < NAMES; i++) {
        descs[i] = (struct stat_desc){names[i], "events", "", "model", STAT_SUM};
        for (unsigned k = 0; k < COUNTS && name[k]; k++) {
            values[i] = strcmp(names[i], name[k]) ? values[i] : count[k];
        }
        assert_true(stats_register(s, &descs[i], &values[i]));
    }
    assert_true(energy_register_stats(&e, &c, s));
    energy_count(&e, cycles);
    for (unsigned i = 0; i < PARTS; i++) {
        pj[i] = stats_get(s, parts[i]);
    }
    stats_destroy(s);
}

static void energies_of_one(const char *name, uint64_t count, uint64_t cycles, uint64_t *pj) {
    energies_of((const char *const[COUNTS]){name}, &count, cycles, 32, pj);
}

/* What GPUWattch's program gives for one event, in pJ; of the DRAM for a command of 64 bytes. */
TEST(each_event_costs_its_constant) {
    static const struct {
        const char *name;
        unsigned part;
        uint64_t pj; /* of one event, of 64 bytes */
        uint64_t events;
    } costs[] = {
        {"l1.read_hits", L1, 2935, 1},
        {"l1.read_pending_hits", L1, 2935, 1},
        {"l1.read_misses", L1, 2225, 1},
        {"l1.global_write_accesses", L1, 2604, 1},
        {"l1.local_write_accesses", L1, 2604, 1},
        {"l1.writebacks", L1, 2935, 1},
        {"texture.hits", L1, 1353, 1},
        {"texture.pending_hits", L1, 1353, 1},
        {"texture.misses", L1, 2225, 1},
        {"constant.accesses", L1, 1467, 1},
        {"noc.request_flits", NOC, 1939, 1},
        {"noc.reply_flits", NOC, 1939, 1},
        {"l2.read_hits", L2, 2805, 1},
        {"l2.read_pending_hits", L2, 2805, 1},
        {"l2.read_misses", L2, 102, 1},
        {"l2.write_hits", L2, 13851, 1},
        {"l2.write_pending_hits", L2, 13851, 1},
        {"l2.write_misses", L2, 15024, 1},
        {"l2.l1_writeback_hits", L2, 13851, 1},
        {"l2.l1_writeback_pending_hits", L2, 13851, 1},
        {"l2.l1_writeback_misses", L2, 15024, 1},
        {"l2.atomic_hits", L2, 2805 + 13851, 1},
        {"l2.atomic_pending_hits", L2, 2805 + 13851, 1},
        {"l2.atomic_misses", L2, 102 + 13851, 1},
        {"dram.read_bytes", DRAM, 26948, 64},
        {"dram.write_bytes", DRAM, 15865, 64},
        {"dram.precharges", DRAM, 4232, 1},
    };
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        uint64_t pj[PARTS];
        energies_of_one(costs[i].name, 1001 * costs[i].events, 0, pj);
        for (unsigned part = 0; part < MEMORY; part++) {
            assert_int_equal(pj[part], part == costs[i].part ? 1001 * costs[i].pj : 0);
        }
        assert_int_equal(pj[MEMORY], 1001 * costs[i].pj);
        assert_int_equal(pj[CORE] + pj[STATIC], 0);
        assert_int_equal(pj[GPU], 1001 * costs[i].pj);
    }
}

/* Of 10 writes 3 find their line in the L1 and 2 its MSHR. */
TEST(a_write_that_stays_in_the_l1_costs_a_hit) {
    uint64_t pj[PARTS];
    energies_of(
        (const char *const[]){"l1.global_write_accesses", "l1.write_hits", "l1.write_pending_hits"},
        (const uint64_t[]){10, 3, 2}, 0, 32, pj);
    assert_int_equal(pj[L1], 5 * 2604 + 5 * 220);
    assert_int_equal(pj[GPU], pj[L1]);
}

TEST(a_miss_of_the_constant_cache_is_no_hit) {
    uint64_t pj[PARTS];
    energies_of((const char *const[COUNTS]){"constant.accesses", "constant.misses"},
                (const uint64_t[]){10, 4}, 0, 32, pj);
    assert_int_equal(pj[L1], 6 * 1467 + 4 * 1113);
}

/* 1939 pJ are of 32 bytes. */
TEST(a_flit_costs_by_its_bytes) {
    uint64_t pj[PARTS];
    for (unsigned bytes = 8; bytes <= 64; bytes *= 2) {
        energies_of((const char *const[COUNTS]){"noc.reply_flits"}, (const uint64_t[]){320}, 0,
                    bytes, pj);
        assert_int_equal(pj[NOC], UINT64_C(1939) * 10 * bytes);
    }
}

/* From what GPUWattch's program gives, in hundredths of a pJ, rounded: 2.69 pJ an integer
 * operation, 25 times; 29.58 a floating-point one, 1.8 times; 18,186.95 nJ of the pipelines in 500
 * cycles of 15 cores with 64 thread instructions; 7.27 a register read and 5.99 written, 32
 * lanes; 58.50 a warp instruction and 63.43 a fetch of two. */
TEST(each_instruction_costs_its_constants) {
    static const struct {
        const char *name;
        uint64_t pj;
    } costs[] = {
        {"core.integer_lanes", (269 * 25 + 50) / 100},
        {"core.float_lanes", (2958 * 18 / 10 + 50) / 100},
        {"core.thread_instructions", (18186950 + 500 * 15 * 64 / 2) / (500 * 15 * 64)},
        {"core.warp_instructions",
         (32 * (2 * 727 + 599) + 50) / 100 + (5850 + 6343 / 2 + 50) / 100},
        {"shared.bank_cycles", 2119},
    };
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        uint64_t pj[PARTS];
        energies_of_one(costs[i].name, 1001, 0, pj);
        assert_int_equal(pj[CORE], 1001 * costs[i].pj);
        assert_int_equal(pj[GPU], 1001 * costs[i].pj);
        assert_int_equal(pj[MEMORY] + pj[STATIC], 0);
    }
}

/* 11 W of 15 cores, so 22 of 30: 22 J a second, which is 7 * 10^8 cycles of 700 MHz. */
TEST(time_costs_energy) {
    static const struct {
        uint64_t cycles, pj;
    } cases[] = {{7, 220000},
                 {700000000, UINT64_C(22000000000000)},
                 {UINT64_C(70000000000), UINT64_C(2200000000000000)}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t pj[PARTS];
        energies_of_one("l1.read_hits", 3, cases[i].cycles, pj);
        assert_true(pj[STATIC] == cases[i].pj);
        assert_true(pj[GPU] == cases[i].pj + UINT64_C(3) * 2935);
        assert_true(pj[MEMORY] == UINT64_C(3) * 2935 && pj[CORE] == 0);
    }
}

/* 1.59 W each: 10 of 30 cores for 70 cycles, 10^-7 s, besides the 22 W of the chip. */
TEST(a_core_without_a_warp_costs_energy) {
    uint64_t pj[PARTS];
    energies_of_one("core.no_warp_cycles", UINT64_C(10) * 70, 70, pj);
    assert_int_equal(pj[STATIC], 2200000 + 10 * 159000);
    assert_int_equal(pj[GPU], pj[STATIC]);
}
