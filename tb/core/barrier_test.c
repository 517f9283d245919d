/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers and fences: who waits for whom, and until which cycle.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

/* pc / 8 of the instructions. */
enum { I_SLOW, I_WAIT, I_BARRIER, I_AFTER, I_LOAD, I_USE, I_STORE, I_FENCE, INSNS };

static const struct insn table[INSNS] = {
    [I_SLOW] = {.op = OP_FP_DIV, .dst = 1, .src = NO_REGS},
    [I_WAIT] = ALU(2, 1, REG_NONE, REG_NONE),
    [I_BARRIER] = SIMPLE(OP_BARRIER),
    [I_AFTER] = ALU(3, NO),
    [I_LOAD] = LOAD(4, NO),
    [I_USE] = ALU(5, 4, REG_NONE, REG_NONE),
    [I_STORE] = STORE(NO),
    [I_FENCE] = SIMPLE(OP_FENCE),
};

/* Each warp's instructions: indices, ended by INSNS. Loads and stores go to line 1000 + warp, all
 * lanes one word. */
enum { WARPS_MAX = 4, LENGTH_MAX = 8 };

struct script {
    unsigned warp[WARPS_MAX][LENGTH_MAX];
    unsigned warps_a_cta;
};

WARP_WRITER(write_barrier_warp) {
    const struct script *script = user;
    for (const unsigned *i = script->warp[cta * script->warps_a_cta + warp]; *i != INSNS; i++) {
        if (insn_is_memory(&table[*i])) {
            put_whole_line(s, *i, 1000 + warp);
        } else {
            put_insn(s, *i);
        }
    }
}

static struct config barrier_core(void) {
    struct config c = base_preset();
    c.core.count = 1;
    return c;
}

static void run_barrier_script(struct machine_run *r, const struct config *c, struct script *script,
                               unsigned ctas) {
    struct hand_program p;
    assert_legal(c);
    hand_open(&p, table, INSNS, ctas, script->warps_a_cta * WARP_SIZE);
    p.warp = write_barrier_warp;
    p.user = script;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(r);
}

static uint64_t issue_cycle_of_warp(const struct machine_run *r, unsigned warp, unsigned insn) {
    return issued_at(r, 0, warp, 8 * insn, 0);
}

TEST(all_warps_go_on_a_cycle_after_the_last_has_arrived) {
    struct config c = barrier_core();
    struct script s = {{{I_BARRIER, I_AFTER, INSNS}, {I_SLOW, I_WAIT, I_BARRIER, I_AFTER, INSNS}},
                       2};
    RUN_BY(run_barrier_script, r, &c, &s, 1);
    uint64_t last = issue_cycle_of_warp(&r, 1, I_BARRIER);
    assert_true(issue_cycle_of_warp(&r, 0, I_BARRIER) == 1);
    assert_true(last == 1 + c.core.operand_latency + c.alu.fp_div + 1);
    assert_true(issue_cycle_of_warp(&r, 0, I_AFTER) == last + 1 &&
                issue_cycle_of_warp(&r, 1, I_AFTER) == last + 1); /* one scheduler each */
}

TEST(a_single_warp_does_not_wait) {
    struct config c = barrier_core();
    struct script s = {{{I_BARRIER, I_AFTER, INSNS}}, 1};
    RUN_BY(run_barrier_script, r, &c, &s, 1);
    assert_true(issue_cycle_of_warp(&r, 0, I_BARRIER) == 1 &&
                issue_cycle_of_warp(&r, 0, I_AFTER) == 2);
}

TEST(ctas_do_not_wait_for_each_other) {
    struct config c = barrier_core();
    c.core.schedulers = 4; /* one a warp: nobody waits for a turn */
    /* CTA 0 is warps 0 and 1, CTA 1 warps 2 and 3; only a warp of CTA 1 is slow. */
    struct script s = {{{I_BARRIER, I_AFTER, INSNS},
                        {I_BARRIER, I_AFTER, INSNS},
                        {I_BARRIER, I_AFTER, INSNS},
                        {I_SLOW, I_WAIT, I_BARRIER, I_AFTER, INSNS}},
                       2};
    RUN_BY(run_barrier_script, r, &c, &s, 2);
    assert_true(issue_cycle_of_warp(&r, 0, I_AFTER) == 2 &&
                issue_cycle_of_warp(&r, 1, I_AFTER) == 2);
    assert_true(issue_cycle_of_warp(&r, 2, I_AFTER) == issue_cycle_of_warp(&r, 3, I_BARRIER) + 1);
}

TEST(a_warp_that_has_exited_counts_as_arrived) {
    struct config c = barrier_core();
    struct script s = {{{I_BARRIER, I_AFTER, INSNS}, {I_SLOW, I_WAIT, INSNS}, {INSNS}}, 3};
    RUN_BY(run_barrier_script, r, &c, &s, 1);
    /* Warp 2 has no instruction at all; warp 1 exits with its last one, and that is its arrival. */
    assert_true(issue_cycle_of_warp(&r, 0, I_AFTER) == issue_cycle_of_warp(&r, 1, I_WAIT) + 1);
}

TEST(a_warp_exits_when_its_accesses_are_answered) {
    struct config c = barrier_core();
    struct script s = {{{I_BARRIER, I_AFTER, INSNS}, {I_STORE, INSNS}}, 2};
    CLOSED_BY(machine_run_free) struct machine_run r, alone;
    run_barrier_script(&r, &c, &s, 1);
    struct script fenced = {{{I_BARRIER, I_AFTER, INSNS}, {I_STORE, I_FENCE, I_AFTER, INSNS}}, 2};
    run_barrier_script(&alone, &c, &fenced, 1);
    /* The cycle of the acknowledgement is the one before what follows a fence. */
    assert_true(issue_cycle_of_warp(&r, 0, I_AFTER) == issue_cycle_of_warp(&alone, 1, I_AFTER));
    assert_true(issue_cycle_of_warp(&r, 0, I_AFTER) >
                1 + c.core.operand_latency + c.l2.rop_latency);
}

TEST(barriers_can_follow_each_other) {
    struct config c = barrier_core();
    struct script s = {{{I_BARRIER, I_BARRIER, I_BARRIER, I_AFTER, INSNS},
                        {I_SLOW, I_BARRIER, I_WAIT, I_BARRIER, I_BARRIER, I_AFTER, INSNS}},
                       2};
    RUN_BY(run_barrier_script, r, &c, &s, 1);
    assert_true(issued_at(&r, 0, 0, 8 * I_BARRIER, 1) == issued_at(&r, 0, 1, 8 * I_BARRIER, 0) + 1);
    assert_true(issued_at(&r, 0, 0, 8 * I_BARRIER, 2) == issued_at(&r, 0, 1, 8 * I_BARRIER, 1) + 1);
    assert_true(issue_cycle_of_warp(&r, 0, I_AFTER) == issued_at(&r, 0, 1, 8 * I_BARRIER, 2) + 1);
    assert_true(run_counter(&r, "core.barriers") == 6);
}

TEST(a_barrier_does_not_wait_for_outstanding_loads) {
    struct config c = barrier_core();
    struct script s = {{{I_LOAD, I_BARRIER, I_AFTER, I_USE, INSNS}}, 1};
    RUN_BY(run_barrier_script, r, &c, &s, 1);
    assert_true(issue_cycle_of_warp(&r, 0, I_BARRIER) == 2 &&
                issue_cycle_of_warp(&r, 0, I_AFTER) == 3);
    assert_true(issue_cycle_of_warp(&r, 0, I_USE) > 100);
}

/* MRPB 3: requests are never reordered across barriers: the queue of the warp empties first. */
TEST(with_the_mrpb_a_barrier_or_fence_waits_until_the_cache_has_seen_the_accesses) {
    static const unsigned sync[] = {I_BARRIER, I_FENCE};
    for (unsigned k = 0; k < 2 * 3 * 2; k++) {
        unsigned at_sync = sync[k % 2];
        struct config c = barrier_core();
        struct script load = {{{I_LOAD, at_sync, I_AFTER, INSNS}}, 1},
                      store = {{{I_STORE, at_sync, I_AFTER, INSNS}}, 1};
        struct machine_run r;
        c.l1.front = L1_FRONT_MRPB;
        c.mrpb.signature = k / 2 % 3;
        c.mrpb.flush = k < 6;
        run_barrier_script(&r, &c, &load, 1);
        assert_true(issue_cycle_of_warp(&r, 0, at_sync) ==
                    1 + c.core.operand_latency + c.mrpb.latency);
        machine_run_free(&r);
        run_barrier_script(&r, &c, &store,
                           1); /* with flush it is not stored in the queue: five stages */
        assert_true(issue_cycle_of_warp(&r, 0, at_sync) ==
                    1 + c.core.operand_latency + (c.mrpb.flush ? 5 : c.mrpb.latency));
        machine_run_free(&r);
        for (c.l1.front = L1_FRONT_NONE; c.l1.front <= L1_FRONT_SLOT; c.l1.front += L1_FRONT_SLOT) {
            run_barrier_script(&r, &c, &load, 1); /* no queues: the unit keeps the order */
            assert_true(issue_cycle_of_warp(&r, 0, at_sync) == 2);
            machine_run_free(&r);
        }
    }
}

TEST(a_fence_waits_for_its_own_warp_only_and_for_all_its_accesses) {
    struct config c = barrier_core();
    struct script s = {{{I_LOAD, I_STORE, I_FENCE, I_AFTER, INSNS}, {I_FENCE, I_AFTER, INSNS}}, 2};
    struct script used = {{{I_LOAD, I_STORE, I_USE, INSNS}, {I_AFTER, INSNS}}, 2};
    CLOSED_BY(machine_run_free) struct machine_run r, u;
    run_barrier_script(&r, &c, &s, 1);
    run_barrier_script(&u, &c, &used, 1);
    assert_true(issue_cycle_of_warp(&r, 1, I_AFTER) == issue_cycle_of_warp(&r, 1, I_FENCE) + 1);
    assert_true(issue_cycle_of_warp(&r, 0, I_FENCE) == 3);
    assert_true(
        issue_cycle_of_warp(&r, 0, I_AFTER) >=
        issue_cycle_of_warp(&u, 0, I_USE)); /* the load's data, and the store's acknowledgement */
}
