/* SPDX-License-Identifier: Apache-2.0
 *
 * Ideal machines from every preset: what must not be seen in them, and that an ideal part never
 * makes a workload slower.
 */
#include "config/derived.h"
#include "config/preset.h"
#include "gpu/machine_run.h"
#include "workloads/workload.h"

static void run_ideal_workload(struct machine_run *r, const struct config *c, const char *name) {
    const struct workload *w = workload_find(name);
    struct program p;
    assert_legal(c);
    assert_null(workload_open(w, &p, SIZE_TINY, 1));
    run_test_machine(r, c, &(struct gpu_options){0}, &p, false);
    assert_complete(r);
    assert_null(workload_check(w, &p));
    workload_close(w, &p);
}

static uint64_t l1_accesses(const struct machine_run *r) {
    return run_counter(r, "l1.global_read_accesses") + run_counter(r, "l1.local_read_accesses") +
           run_counter(r, "l1.global_write_accesses") + run_counter(r, "l1.local_write_accesses") +
           run_counter(r, "l1.atomics");
}

TEST(no_request_leaves_a_core_with_a_perfect_l1) {
    EACH_PRESET(name, c) {
        struct machine_run r;
        c.l1.perfect = 1;
        run_ideal_workload(&r, &c, "gemm");
        assert_true(l1_accesses(&r) > 0 && run_counter(&r, "l1.read_misses") == 0);
        assert_true(run_counter(&r, "core.requests_sent") == 0 &&
                    run_counter(&r, "l2.requests") == 0);
        assert_true(run_counter(&r, "dram.columns") == 0);
    }
}

TEST(a_perfect_l2_gives_the_dram_no_command) {
    EACH_PRESET(name, c) {
        struct machine_run r;
        c.l2.perfect = 1;
        run_ideal_workload(&r, &c, "gemm");
        assert_true(run_counter(&r, "l2.requests") > 0 &&
                    run_counter(&r, "l2.requests") == run_counter(&r, "core.requests_sent"));
        assert_true(run_counter(&r, "dram.reads") == 0 && run_counter(&r, "dram.writes") == 0);
        assert_true(run_counter(&r, "dram.activates") == 0 && run_counter(&r, "dram.columns") == 0);
    }
}

TEST(without_an_l1_each_access_is_a_request) {
    EACH_PRESET(name, c) {
        struct machine_run r;
        c.l1.cache = 0;
        run_ideal_workload(&r, &c, "gemm");
        assert_true(l1_accesses(&r) > 0);
        assert_int_equal(l1_accesses(&r), run_counter(&r, "core.requests_sent"));
        assert_int_equal(run_counter(&r, "core.requests_sent"), run_counter(&r, "l2.requests"));
        assert_int_equal(run_counter(&r, "core.requests_sent"),
                         run_counter(&r, "core.replies_received"));
    }
}

/* GEMM reuses its lines, vecadd none. An L1 of 8 MB has all of them and evicts nothing. */
TEST(no_ideal_part_makes_a_workload_slower) {
    static const char *const workloads[] = {"gemm", "vecadd"};
    EACH_PRESET(name, c) {
        for (unsigned k = 0; k < 2; k++) {
            struct config large = c, perfect = c, perfect_l2 = c;
            struct machine_run base, eight, l1, l2;
            large.l1.ways = 4;
            large.l1.sets = (8u << 20) / (large.l1.line_bytes * large.l1.ways);
            assert_int_equal(config_l1_bytes(&large), 8 << 20);
            perfect.l1.perfect = 1;
            perfect_l2.l2.perfect = 1;
            run_ideal_workload(&base, &c, workloads[k]);
            run_ideal_workload(&eight, &large, workloads[k]);
            run_ideal_workload(&l1, &perfect, workloads[k]);
            run_ideal_workload(&l2, &perfect_l2, workloads[k]);
            print_message("%-11s %-6s %8" PRIu64 " core cycles; L1 of 8 MB %8" PRIu64
                          ", perfect L2 %8" PRIu64 ", perfect L1 %8" PRIu64 "\n",
                          name, workloads[k], base.cycles, eight.cycles, l2.cycles, l1.cycles);
            assert_int_equal(run_counter(&eight, "l1.evictions"), 0);
            assert_true(run_counter(&eight, "l1.read_misses") <=
                        run_counter(&base, "l1.read_misses"));
            assert_true(l1.cycles < eight.cycles && eight.cycles <= base.cycles);
            assert_true(l1.cycles < l2.cycles && l2.cycles < base.cycles);
        }
    }
}
