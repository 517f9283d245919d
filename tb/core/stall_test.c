/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a core's cycles went: each class in a machine of one core, against answers worked out by
 * hand.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum {
    I_LOAD,
    I_USE,
    I_LOAD2,
    I_LOAD3,
    I_LOAD4,
    I_STORE,
    I_FENCE,
    I_BARRIER,
    I_WORK,
    I_NEXT,
    I_SFU,
    I_SHARED,
    INSNS
};

static const struct insn table[INSNS] = {
    [I_LOAD] = LOAD(1, NO),
    [I_USE] = ALU(2, 1, REG_NONE, REG_NONE),
    [I_LOAD2] = LOAD(3, NO),
    [I_LOAD3] = LOAD(4, NO),
    [I_LOAD4] = LOAD(5, NO),
    [I_STORE] = STORE(NO),
    [I_FENCE] = SIMPLE(OP_FENCE),
    [I_BARRIER] = SIMPLE(OP_BARRIER),
    [I_WORK] = ALU(6, 6, REG_NONE, REG_NONE),
    [I_NEXT] = ALU(7, NO),
    [I_SFU] = SIMPLE(OP_SFU),
    [I_SHARED] = {.op = OP_LOAD, .space = SPACE_SHARED, .width = 4, .dst = 1, .src = NO_REGS},
};

/* A warp's instructions: places in the table; a memory instruction touches a line of its own, but
 * I_LOAD always the same. */
WARP_WRITER(follow_stall_script) {
    const char *const *script = user;
    for (const char *at = script[warp]; at && *at; at++) {
        unsigned i = (unsigned)(*at - 'a');
        if (insn_is_memory(&table[i])) {
            put_whole_line(s, i, 1000 + (i == I_LOAD ? 0 : i));
        } else {
            put_insn(s, i);
        }
    }
}

/* The letters of the scripts. */
#define L "a" /* load */
#define U "b" /* use it */
#define M2 "c"
#define M3 "d"
#define M4 "e"
#define S "f" /* store */
#define F "g" /* fence */
#define B "h" /* barrier */
#define W "i" /* addition that needs the one before */
#define N "j" /* addition that needs nothing */
#define X "k" /* SFU */
#define H "l" /* shared-memory load */

static struct config stall_core(void) {
    struct config c = base_preset();
    c.core.count = 1;
    return c;
}

static void run_stall_script(struct machine_run *r, const struct config *c, unsigned warps,
                             const char *const *script) {
    struct hand_program p;
    assert_legal(c);
    hand_open(&p, table, INSNS, 1, warps * WARP_SIZE);
    p.warp = follow_stall_script;
    p.user = (void *)(uintptr_t)script;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(r);
}

static uint64_t beyond_the_l1(const struct machine_run *r) {
    return run_counter(r, "core.wait_noc_request") + run_counter(r, "core.wait_l2_queue") +
           run_counter(r, "core.wait_l2_bank") + run_counter(r, "core.wait_dram_queue") +
           run_counter(r, "core.wait_dram_service") + run_counter(r, "core.wait_noc_reply");
}

TEST(a_miss_is_the_l1s_before_it_is_born_and_after_it_is_back) {
    struct config c = stall_core();
    RUN_BY(run_stall_script, r, &c, 1, (const char *[]){L U});
    uint64_t used = issued_at(&r, 0, 0, 8 * I_USE, 0), born = 1 + c.core.operand_latency;
    uint64_t replied = event_at(&r, "sm0 reply", 0), woken = replied + 1;
    assert_true(used == woken + c.l1.fill_latency && r.cycles == used);
    assert_true(run_counter(&r, "core.issue_cycles") == 2);
    assert_true(run_counter(&r, "core.wait_l1") == born - 2 + used - woken);
    assert_true(beyond_the_l1(&r) == woken - born);
    assert_true(run_counter(&r, "core.memory_block_cycles") == woken - born);
    assert_true(run_counter(&r, "core.read_replies") == 1);
    assert_true(run_counter(&r, "core.read_latency_cycles") == replied - born);
    assert_true(run_counter(&r, "core.read_latency_max") == replied - born);
    assert_true(run_counter(&r, "core.load_latency_cycles") == used - 1);
    assert_true(run_counter(&r, "core.load_latency_max") == used - 1);
    assert_true(run_counter(&r, "core.load_latency_loads") == 1);
}

TEST(a_hit_is_the_l1s) {
    struct config c = stall_core();
    CLOSED_BY(machine_run_free) struct machine_run miss, r;
    c.l1.hit_latency = 9;
    run_stall_script(&miss, &c, 1, (const char *[]){L U});
    run_stall_script(&r, &c, 1, (const char *[]){L U L U});
    uint64_t hit = c.core.operand_latency + c.l1.hit_latency;
    /* The second use also waits for its register, which the first writes: not as long. */
    uint64_t again = issued_at(&r, 0, 0, 8 * I_LOAD, 1);
    assert_true(issued_at(&r, 0, 0, 8 * I_USE, 1) == again + hit);
    assert_true(run_counter(&r, "core.wait_l1") - run_counter(&miss, "core.wait_l1") == hit - 1);
    assert_true(beyond_the_l1(&r) == beyond_the_l1(&miss));
    assert_true(run_counter(&r, "core.memory_block_cycles") ==
                run_counter(&miss, "core.memory_block_cycles"));
}

TEST(shared_memory_is_no_memory_beyond_the_l1) {
    struct config c = stall_core();
    CLOSED_BY(machine_run_free) struct machine_run r;
    c.core.shared_latency = 20;
    run_stall_script(&r, &c, 1, (const char *[]){H U});
    assert_true(run_counter(&r, "core.wait_l1") ==
                c.core.operand_latency + c.core.shared_latency - 1);
    assert_true(run_counter(&r, "core.memory_block_cycles") == 0);
    assert_true(run_counter(&r, "core.load_latency_loads") == 0);
}

TEST(a_dependence_waits_for_a_result_and_a_pipeline_for_its_interval) {
    struct config c = stall_core();
    RUN_BY(run_stall_script, r, &c, 1, (const char *[]){W W W});
    assert_true(run_counter(&r, "core.wait_result") ==
                2 * (c.core.operand_latency + c.alu.int_add - 1));
    run_stall_script(&r, &c, 1, (const char *[]){X X X});
    assert_true(run_counter(&r, "core.wait_pipeline") == 2 * (c.alu.sfu_interval - 1));
    assert_true(run_counter(&r, "core.wait_result") == 0);
}

enum { SLOTS = 2 }; /* of the load/store unit, with an operand latency of 1 */

/* The fourth load waits while the second is refused: it has one of two places, the third the
 * other. */
TEST(a_full_unit_whose_access_is_refused_is_the_l1s_refusal) {
    struct config c = stall_core();
    CLOSED_BY(machine_run_free) struct machine_run r;
    c.core.operand_latency = SLOTS - 1;
    c.l1.mshrs = 1;
    run_stall_script(&r, &c, 1, (const char *[]){L M2 M3 M4});
    uint64_t fourth = issued_at(&r, 0, 0, 8 * I_LOAD4, 0);
    assert_true(issued_at(&r, 0, 0, 8 * I_LOAD3, 0) == 3);
    assert_true(run_counter(&r, "core.wait_l1_refused") == fourth - 4);
    assert_true(run_counter(&r, "core.wait_load_store") == 0);
}

WARP_WRITER(put_columns) {
    put_lines(s, I_LOAD, 1000, ALL_LANES);
    put_lines(s, I_LOAD2, 1032, ALL_LANES);
    put_lines(s, I_LOAD3, 1064, ALL_LANES);
}

TEST(a_full_unit_that_sends_is_the_units) {
    struct config c = stall_core();
    struct hand_program p;
    c.core.operand_latency = SLOTS - 1;
    c.l1.miss_queue = c.l1.mshrs = 128;
    assert_legal(&c);
    hand_open(&p, table, INSNS, 1, WARP_SIZE);
    p.warp = put_columns;
    RUN(r, &c, &(struct gpu_options){0}, &p.program, true);
    /* Its last access leaves in 1 + operand latency + 31; the third load issues then. */
    uint64_t third = c.core.operand_latency + WARP_SIZE;
    assert_true(issued_at(&r, 0, 0, 8 * I_LOAD3, 0) == third);
    assert_true(run_counter(&r, "core.wait_load_store") == third - 3);
    assert_true(run_counter(&r, "core.wait_l1_refused") == 0);
}

TEST(a_fence_waits_for_its_accesses) {
    struct config c = stall_core();
    RUN_BY(run_stall_script, r, &c, 1, (const char *[]){S F N});
    uint64_t next = issued_at(&r, 0, 0, 8 * I_NEXT, 0), answered = next - 1;
    assert_true(answered == event_at(&r, "sm0 reply", 0));
    assert_true(run_counter(&r, "core.wait_sync") == answered - 3);
    assert_true(run_counter(&r, "core.wait_l1") == next - answered);
    assert_true(run_counter(&r, "core.fence_warp_cycles") == next - 3);
    /* Its access left the L1 after the operand latency; it is answered in `answered`. */
    assert_true(run_counter(&r, "core.memory_block_cycles") ==
                answered - (1 + c.core.operand_latency));
}

TEST(a_barrier_holds_who_came_first_until_the_last_has_come) {
    struct config c = stall_core();
    RUN_BY(run_stall_script, r, &c, 2, (const char *[]){B N, W W B});
    uint64_t last = issued_at(&r, 0, 1, 8 * I_BARRIER, 0);
    assert_true(issued_at(&r, 0, 0, 8 * I_NEXT, 0) == last + 1);
    assert_true(run_counter(&r, "core.barrier_warp_cycles") == last - 1);
    assert_true(run_counter(&r, "core.wait_sync") == 0); /* warp 1 waited for results */
    assert_true(run_counter(&r, "core.wait_result") == c.core.operand_latency + c.alu.int_add - 1);
}

/* The exit of a warp that waited for its store lets the barrier go. */
TEST(a_barrier_that_an_exit_releases_is_sync) {
    struct config c = stall_core();
    RUN_BY(run_stall_script, r, &c, 2, (const char *[]){B N, S});
    uint64_t next = issued_at(&r, 0, 0, 8 * I_NEXT, 0), exit = next - 1;
    assert_true(run_counter(&r, "core.wait_sync") == exit - 2);
    assert_true(run_counter(&r, "core.barrier_warp_cycles") == next - 2);
    assert_true(run_counter(&r, "core.memory_block_cycles") == 0); /* one waits at a barrier */
}

TEST(an_ended_warp_waits_for_its_store) {
    struct config c = stall_core();
    RUN_BY(run_stall_script, r, &c, 1, (const char *[]){S});
    /* In the last cycle the answer is there and the warp has gone. */
    assert_true(run_counter(&r, "core.wait_end") == r.cycles - 2);
    assert_true(run_counter(&r, "core.no_warp_cycles") == 1);
}

/* OWL 3: every warp of the core, so one that computes ends it. */
TEST(memory_blocks_a_core_only_when_it_blocks_all_warps) {
    struct config c = stall_core();
    RUN_BY(run_stall_script, r, &c, 2, (const char *[]){L U, W W W W W W W W});
    uint64_t woken = event_at(&r, "sm0 reply", 0) + 1, last = issued_at(&r, 0, 1, 8 * I_WORK, 7);
    assert_true(last < woken);
    assert_true(run_counter(&r, "core.memory_block_cycles") == woken - last - 1);
    assert_true(run_counter(&r, "core.wait_result") > 0);
}

TEST(a_core_without_a_cta_has_no_warp) {
    struct config c = base_preset();
    CLOSED_BY(machine_run_free) struct machine_run r;
    c.core.count = 3;
    run_stall_script(&r, &c, 1, (const char *[]){W W W});
    assert_true(run_counter(&r, "core.no_warp_cycles") == 2 * r.cycles);
}

TEST(a_run_that_is_cut_does_not_know_what_its_core_waits_for) {
    enum { CUT = 30 };
    struct config c = stall_core();
    struct hand_program p;
    struct machine_run r;
    const char *const script[] = {L U};
    hand_open(&p, table, INSNS, 1, WARP_SIZE);
    p.warp = follow_stall_script;
    p.user = (void *)(uintptr_t)script;
    run_test_machine(&r, &c, &(struct gpu_options){.max_cycles = CUT}, &p.program, false);
    assert_int_equal(r.status, GPU_LIMIT);
    assert_true(run_counter(&r, "core.wait_unresolved") == CUT - 1);
    assert_true(run_counter(&r, "core.memory_block_cycles") == CUT - c.core.operand_latency);
}

WARP_WRITER(put_lanes) {
    for (unsigned lanes = 1; lanes <= WARP_SIZE; lanes++) {
        assert_true(warp_stream_put(s, I_NEXT, (uint32_t)((UINT64_C(1) << lanes) - 1)));
    }
    assert_true(warp_stream_put(s, I_NEXT, 0xf));
    assert_true(warp_stream_put(s, I_NEXT, ALL_LANES));
    assert_true(warp_stream_put(s, I_NEXT, ALL_LANES));
}

TEST(active_lanes_are_counted_in_fours) {
    struct config c = stall_core();
    struct hand_program p;
    hand_open(&p, table, INSNS, 1, WARP_SIZE);
    p.warp = put_lanes;
    RUN(r, &c, &(struct gpu_options){0}, &p.program, false);
    assert_true(run_counter(&r, "core.lanes_1_4") == 5 && run_counter(&r, "core.lanes_5_8") == 4);
    assert_true(run_counter(&r, "core.lanes_9_12") == 4 &&
                run_counter(&r, "core.lanes_13_16") == 4);
    assert_true(run_counter(&r, "core.lanes_17_20") == 4 &&
                run_counter(&r, "core.lanes_21_24") == 4);
    assert_true(run_counter(&r, "core.lanes_25_28") == 4 &&
                run_counter(&r, "core.lanes_29_32") == 6);
}
