/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction caps: the cycle in which a run or a kernel ends, and what becomes of the rest.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { I_WORK, I_LOAD, I_USE, I_STORE, I_BARRIER, INSNS };

static const struct insn table[INSNS] = {
    [I_WORK] = ALU(REG_NONE, NO),
    [I_LOAD] = LOAD(1, NO),
    [I_USE] = ALU(2, 1, REG_NONE, REG_NONE),
    [I_STORE] = STORE(NO),
    [I_BARRIER] = SIMPLE(OP_BARRIER),
};

enum { LENGTH = 100 };

WARP_WRITER(write_alu_work) {
    for (unsigned i = 0; i < LENGTH; i++) {
        put_insn(s, I_WORK);
    }
}

/* One warp instruction a cycle. */
static struct config single_issue_core(void) {
    struct config c = base_preset();
    c.core.count = c.core.schedulers = 1;
    return c;
}

static void run_work(struct machine_run *r, const struct config *c, struct hand_program *p,
                     unsigned ctas, const struct gpu_options *options) {
    hand_open(p, table, INSNS, ctas, WARP_SIZE);
    p->warp = write_alu_work;
    run_test_machine(r, c, options, &p->program, true);
    assert_true(r->status != GPU_COMPLETE || !r->broken[0]);
}

TEST(a_run_ends_after_the_cycle_that_reaches_its_cap) {
    static const struct {
        uint64_t cap, cycles;
    } cases[] = {{1, 1}, {WARP_SIZE, 1}, {WARP_SIZE + 1, 2}, {10 * WARP_SIZE, 10}, {319, 10}};
    struct config c = single_issue_core();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (unsigned poll = 0; poll < 2; poll++) {
            struct hand_program p;
            RUN_BY(run_work, r, &c, &p, 1,
                   &(struct gpu_options){.max_insn = cases[i].cap, .poll = poll});
            assert_int_equal(r.status, GPU_LIMIT);
            assert_true(r.cycles == cases[i].cycles);
            assert_true(run_counter(&r, "core.warp_instructions") == cases[i].cycles);
        }
    }
}

/* Three launches of LENGTH warp instructions. */
/* Three launches of LENGTH warp instructions. */
static void run_three_launches(struct machine_run *r, const struct gpu_options *options) {
    struct config c = single_issue_core();
    struct hand_program p;
    hand_open(&p, table, INSNS, 1, WARP_SIZE);
    hand_launch(&p, 1, WARP_SIZE);
    hand_launch(&p, 1, WARP_SIZE);
    p.warp = write_alu_work;
    run_test_machine(r, &c, options, &p.program, true);
}

TEST(a_run_may_end_with_the_launch_that_reaches_its_cap) {
    static const struct {
        uint64_t cap;
        unsigned launches;
    } cases[] = {{1, 1}, {LENGTH, 1}, {LENGTH + 1, 2}, {2 * LENGTH, 2}, {2 * LENGTH + 1, 3}};
    RUN_BY(run_three_launches, whole, &(struct gpu_options){0});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (unsigned poll = 0; poll < 2; poll++) {
            RUN_BY(
                run_three_launches, r,
                &(struct gpu_options){.max_insn_launch = cases[i].cap * WARP_SIZE, .poll = poll});
            assert_int_equal(r.status, cases[i].launches < 3 ? GPU_LIMIT : GPU_COMPLETE);
            assert_true(run_counter(&r, "gpu.launches") == cases[i].launches);
            assert_true(run_counter(&r, "core.warp_instructions") == cases[i].launches * LENGTH);
            assert_true(3 * r.cycles == cases[i].launches * whole.cycles);
        }
    }
}

TEST(all_cores_of_that_cycle_have_issued) {
    struct config c = single_issue_core();
    struct hand_program p;
    CLOSED_BY(machine_run_free) struct machine_run r;
    c.core.count = 3; /* CTAs 0, 1, 2 start in the same cycle */
    run_work(&r, &c, &p, 3, &(struct gpu_options){.max_insn = 4 * WARP_SIZE});
    assert_true(r.cycles == 2 && run_counter(&r, "core.warp_instructions") == 6);
}

TEST(a_cap_that_the_last_instruction_reaches_cuts_nothing) {
    struct config c = single_issue_core();
    struct hand_program p;
    CLOSED_BY(machine_run_free) struct machine_run r;
    uint64_t whole = LENGTH * WARP_SIZE;
    run_work(&r, &c, &p, 1, &(struct gpu_options){.max_insn = whole});
    assert_int_equal(r.status, GPU_COMPLETE);
    machine_run_free(&r);
    run_work(&r, &c, &p, 1, &(struct gpu_options){.max_insn_per_kernel = whole});
    assert_int_equal(r.status, GPU_COMPLETE);
    assert_true(run_counter(&r, "gpu.capped_launches") == 0 && r.cycles == LENGTH);
}

TEST(a_kernel_ends_at_its_cap_and_the_next_begins) {
    enum { CTAS = 20, RESIDENT = 8, CAP = 50 };
    struct config c = single_issue_core();
    struct hand_program p;
    hand_open(&p, table, INSNS, CTAS, WARP_SIZE);
    hand_launch(&p, 1, WARP_SIZE);
    p.warp = write_alu_work;
    RUN(r, &c, &(struct gpu_options){.max_insn_per_kernel = CAP * WARP_SIZE}, &p.program, true);
    assert_true(r.cycles == 2 * CAP);
    assert_true(run_counter(&r, "core.warp_instructions") == 2 * CAP);
    assert_true(run_counter(&r, "gpu.capped_launches") == 2);
    assert_true(run_counter(&r, "core.ctas") == RESIDENT + 1);
}

/* Later kernels read what the whole kernel wrote. */
TEST(the_ctas_that_did_not_run_are_computed) {
    struct config c = single_issue_core();
    struct hand_program p;
    RUN_BY(run_work, r, &c, &p, 20, &(struct gpu_options){.max_insn_per_kernel = 1});
    assert_int_equal(r.status, GPU_COMPLETE);
    assert_int_equal(p.ctas_run, 20);
    assert_true(run_counter(&r, "core.ctas") == 1);
}

/* Warp 0 waits for a load, 1 at the barrier, 2 has a store under way; 3 reaches the cap. */
WARP_WRITER(four_states) {
    switch (warp) {
    case 0:
        put_whole_line(s, I_LOAD, 1000);
        put_insn(s, I_USE);
        break;
    case 1: put_insn(s, I_BARRIER); break;
    case 2:
        put_whole_line(s, I_STORE, 2000);
        put_insn(s, I_BARRIER);
        break;
    default: write_alu_work(user, launch, cta, warp, s); break;
    }
}

TEST(what_is_under_way_drains_and_what_waits_is_dropped) {
    enum { CAP = 50 };
    for (unsigned poll = 0; poll < 2; poll++) {
        struct config c = single_issue_core();
        struct hand_program p;
        hand_open(&p, table, INSNS, 1, 4 * WARP_SIZE);
        p.warp = four_states;
        RUN(r, &c, &(struct gpu_options){.max_insn_per_kernel = CAP * WARP_SIZE, .poll = poll},
            &p.program, true);
        assert_true(run_counter(&r, "core.warp_instructions") == CAP);
        assert_true(run_counter(&r, "core.replies_received") == 2);
        uint64_t last = event_at(&r, "sm0 reply", 1);
        assert_true(last > CAP && r.cycles >= last && r.cycles <= last + 1);
        assert_true(run_counter(&r, "core.wait_end") > 0);
        /* The barrier's warps leave it with the cut: the load's access may still be under way. */
        assert_true(run_counter(&r, "core.barrier_warp_cycles") ==
                    2 * CAP - issued_at(&r, 0, 1, 8 * I_BARRIER, 0) -
                        issued_at(&r, 0, 2, 8 * I_BARRIER, 0));
    }
}
