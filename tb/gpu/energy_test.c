/* SPDX-License-Identifier: Apache-2.0
 * Energy from counters of our choice, and of a run from its own counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <string.h>

#include "config/preset.h"
#include "gpu/energy.h"

static const char *const names[] = {"l1.read_hits",
                                    "l1.read_pending_hits",
                                    "l1.read_misses",
                                    "l1.fills",
                                    "noc.request_flits",
                                    "noc.reply_flits",
                                    "l2.read_hits",
                                    "l2.read_pending_hits",
                                    "l2.read_misses",
                                    "l2.write_hits",
                                    "l2.write_pending_hits",
                                    "l2.write_misses",
                                    "l2.atomic_hits",
                                    "l2.atomic_pending_hits",
                                    "l2.atomic_misses",
                                    "l2.fetches",
                                    "l2.writebacks",
                                    "dram.read_bytes",
                                    "dram.write_bytes",
                                    "l1.write_hits",
                                    "l1.write_pending_hits",
                                    "l1.write_misses",
                                    "l1.writebacks",
                                    "texture.accesses",
                                    "texture.misses",
                                    "constant.accesses",
                                    "constant.misses",
                                    "l2.l1_writeback_hits",
                                    "l2.l1_writeback_pending_hits",
                                    "l2.l1_writeback_misses",
                                    "core.integer_lanes",
                                    "core.float_lanes",
                                    "core.thread_instructions",
                                    "core.warp_instructions",
                                    "shared.instructions"};
enum { NAMES = sizeof names / sizeof *names };

enum { L1, NOC, L2, DRAM, MEMORY, CORE, STATIC, GPU, PARTS };

/* The energies when the counter @name is @count and all others are 0, after @cycles. */
static void energies(const char *name, uint64_t count, uint64_t cycles, uint64_t *pj) {
    static const char *const parts[PARTS] = {"energy.l1",     "energy.noc",      "energy.l2",
                                             "energy.dram",   "energy.total",    "energy.core",
                                             "energy.static", "energy.gpu_total"};
    struct stat_desc descs[NAMES];
    uint64_t values[NAMES] = {0};
    struct stats *s = stats_create();
    struct energy e = {0};
    struct config c = preset();
    c.texture.line_bytes = 64; /* no two caches alike */
    c.constant.line_bytes = 96;
    c.core.count = 15;
    c.clock.core = 700000;
    for (unsigned i = 0; i < NAMES; i++) {
        descs[i] = (struct stat_desc){names[i], "events", "", "model", STAT_SUM};
        values[i] = !strcmp(names[i], name) ? count : 0;
        assert_true(stats_register(s, &descs[i], &values[i]));
    }
    assert_true(energy_register_stats(&e, &c, s));
    energy_count(&e, cycles);
    for (unsigned i = 0; i < PARTS; i++) {
        pj[i] = stats_get(s, parts[i]);
    }
    stats_destroy(s);
}

/* 50 pJ for 32 bytes of SRAM, 16 pJ a byte of wire, 16,000 pJ for 128 bytes of DRAM; lines of 128
 * bytes, of textures 64, of constants 96, flits of 32. */
static void each_event_costs_its_constant(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned part;
        uint64_t pj; /* of one event */
    } costs[] = {
        {"l1.read_hits", 0, 4 * 50},
        {"l1.read_pending_hits", 0, 4 * 50},
        {"l1.read_misses", 0, 4 * 50},
        {"l1.fills", 0, 4 * 50},
        {"noc.request_flits", 1, 32 * 16},
        {"noc.reply_flits", 1, 32 * 16},
        {"l2.read_hits", 2, 4 * 50},
        {"l2.read_pending_hits", 2, 4 * 50},
        {"l2.read_misses", 2, 4 * 50},
        {"l2.write_hits", 2, 50},
        {"l2.write_pending_hits", 2, 50},
        {"l2.write_misses", 2, 50},
        {"l2.atomic_hits", 2, 100},
        {"l2.atomic_pending_hits", 2, 100},
        {"l2.atomic_misses", 2, 100},
        {"l2.fetches", 2, 4 * 50},
        {"l2.writebacks", 2, 4 * 50},
        {"dram.read_bytes", 3, 16000 / 128},
        {"dram.write_bytes", 3, 16000 / 128},
        {"l1.write_hits", 0, 50},
        {"l1.write_pending_hits", 0, 50},
        {"l1.write_misses", 0, 50},
        {"l1.writebacks", 0, 4 * 50},
        {"texture.accesses", 0, 2 * 50},
        {"texture.misses", 0, 2 * 50},
        {"constant.accesses", 0, 50},
        {"constant.misses", 0, 3 * 50},
        {"l2.l1_writeback_hits", 2, 4 * 50},
        {"l2.l1_writeback_pending_hits", 2, 4 * 50},
        {"l2.l1_writeback_misses", 2, 4 * 50},
    };
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        uint64_t pj[PARTS];
        energies(costs[i].name, 1001, 0, pj);
        for (unsigned part = 0; part < MEMORY; part++) {
            assert_int_equal(pj[part], part == costs[i].part ? 1001 * costs[i].pj : 0);
        }
        assert_int_equal(pj[MEMORY], 1001 * costs[i].pj);
        assert_int_equal(pj[CORE] + pj[STATIC], 0);
        assert_int_equal(pj[GPU], 1001 * costs[i].pj);
    }
}

/* 40 nm to 28 nm: 40 and 75 pJ; 45 nm to 28 nm: 70 - 6 pJ; three registers of 2 pJ; 128 bytes of
 * SRAM, 50 pJ for 32. */
static void each_instruction_costs_its_constants(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t pj;
    } costs[] = {
        {"core.integer_lanes", 40 * 28 / 40},
        {"core.float_lanes", 75 * 28 / 40},
        {"core.thread_instructions", 3 * 2},
        {"core.warp_instructions", (70 - 6) * 28 / 45 + 1 /* 39.8 */},
        {"shared.instructions", 128 / 32 * 50},
    };
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        uint64_t pj[PARTS];
        energies(costs[i].name, 1001, 0, pj);
        assert_int_equal(pj[CORE], 1001 * costs[i].pj);
        assert_int_equal(pj[GPU], 1001 * costs[i].pj);
        assert_int_equal(pj[MEMORY] + pj[STATIC], 0);
    }
}

/* 5 W a core: of 15 cores 75 J a second, which is 7 * 10^8 cycles of 700 MHz. */
static void time_costs_energy(void **state) {
    (void)state;
    static const struct {
        uint64_t cycles, pj;
    } cases[] = {{7, 750000},
                 {700000000, UINT64_C(75000000000000)},
                 {UINT64_C(70000000000), UINT64_C(7500000000000000)}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t pj[PARTS];
        energies("l1.fills", 3, cases[i].cycles, pj);
        assert_true(pj[STATIC] == cases[i].pj);
        assert_true(pj[GPU] == cases[i].pj + 3 * 4 * 50);
        assert_true(pj[MEMORY] == 3 * 4 * 50 && pj[CORE] == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_event_costs_its_constant),
        cmocka_unit_test(each_instruction_costs_its_constants),
        cmocka_unit_test(time_costs_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
