/* SPDX-License-Identifier: Apache-2.0
 *
 * Issue stage: latency and initiation interval of each kind of instruction, and what can issue in
 * one cycle.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"
#include "l1/load_store.h"

/* Each kind of arithmetic with the keys that time it. */
struct kind {
    unsigned op;
    bool sfu;
    size_t latency, interval; /* places in struct config */
};

#define KIND(OP, sfu, key) \
    { OP, sfu, offsetof(struct config, alu.key), offsetof(struct config, alu.key##_interval) }
static const struct kind kinds[] = {
    KIND(OP_INT_ADD, false, int_add), KIND(OP_INT_MAX, false, int_max),
    KIND(OP_INT_MUL, false, int_mul), KIND(OP_INT_MAD, false, int_mad),
    KIND(OP_INT_DIV, true, int_div),  KIND(OP_FP_ADD, false, fp_add),
    KIND(OP_FP_MAX, false, fp_max),   KIND(OP_FP_MUL, false, fp_mul),
    KIND(OP_FP_MAD, false, fp_mad),   KIND(OP_FP_DIV, true, fp_div),
    KIND(OP_DP_ADD, false, dp_add),   KIND(OP_DP_MAX, false, dp_max),
    KIND(OP_DP_MUL, false, dp_mul),   KIND(OP_DP_MAD, false, dp_mad),
    KIND(OP_DP_DIV, true, dp_div),    KIND(OP_SFU, true, sfu),
    KIND(OP_BRANCH, false, int_add),
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static unsigned *key_at_place(struct config *c, size_t place) {
    return (unsigned *)((char *)c + place);
}

/* A core on which no two keys have the same value. */
static struct config distinct_pipelines(void) {
    struct config c = base_preset();
    c.core.count = 1;
    c.core.sp_units = c.core.sfu_units = 1;
    for (unsigned i = 0; i < KINDS - 1; i++) {
        *key_at_place(&c, kinds[i].latency) = 20 + 7 * i;
        *key_at_place(&c, kinds[i].interval) = 2 + i;
    }
    return c;
}

/* Warp w does instruction 2 w, then 2 w + 1. */
WARP_WRITER(two_each) {
    const struct insn *table = user;
    for (unsigned i = 2 * warp; i < 2 * warp + 2; i++) {
        if (insn_is_memory(&table[i])) {
            put_whole_line(s, i, 1000 + i);
        } else {
            put_insn(s, i);
        }
    }
}

/* Each warp loads a column of 32 lines of its own. */
WARP_WRITER(write_column_loads) {
    put_lines(s, 2 * warp, 1000 + WARP_SIZE * warp, ALL_LANES);
}

static void run_columns(struct machine_run *r, const struct config *c, struct insn *table,
                        unsigned warps) {
    struct hand_program p;
    assert_legal(c);
    hand_open(&p, table, 2 * warps, 1, warps * WARP_SIZE);
    p.warp = write_column_loads;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(r);
}

static void run_table(struct machine_run *r, const struct config *c, struct insn *table,
                      unsigned warps) {
    struct hand_program p;
    assert_legal(c);
    hand_open(&p, table, 2 * warps, 1, warps * WARP_SIZE);
    p.warp = two_each;
    p.user = table;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(r);
}

static uint64_t issue_cycle_of_insn(const struct machine_run *r, unsigned insn) {
    return issued_at(r, 0, insn / 2, 8 * insn, 0);
}

TEST(a_result_is_used_operand_latency_and_latency_after_the_issue) {
    for (unsigned k = 0; k < KINDS; k++) {
        struct config c = distinct_pipelines();
        CLOSED_BY(machine_run_free) struct machine_run r;
        struct insn table[] = {{.op = (uint8_t)kinds[k].op, .dst = 1, .src = NO_REGS},
                               ALU(2, 1, REG_NONE, REG_NONE)};
        run_table(&r, &c, table, 1);
        assert_true(issue_cycle_of_insn(&r, 0) == 1);
        assert_true(issue_cycle_of_insn(&r, 1) ==
                    1 + c.core.operand_latency + *key_at_place(&c, kinds[k].latency));
    }
}

/* Five lanes do each kind of arithmetic, all lanes a load. */
WARP_WRITER(five_lanes_of_each) {
    for (unsigned k = 0; k < KINDS; k++) {
        assert_true(warp_stream_put(s, k, 0x8000f));
    }
    put_whole_line(s, KINDS, 1000);
}

TEST(arithmetic_is_counted_by_lanes_integer_and_not) {
    enum { INTEGER_KINDS = 6 /* add, max, mul, mad, div, branch */ };
    struct config c = base_preset();
    struct hand_program p;
    CLOSED_BY(machine_run_free) struct machine_run r;
    struct insn table[KINDS + 1];
    for (unsigned k = 0; k < KINDS; k++) {
        table[k] = (struct insn){.op = (uint8_t)kinds[k].op, .dst = REG_NONE, .src = NO_REGS};
    }
    table[KINDS] = (struct insn)LOAD(1, NO);
    hand_open(&p, table, KINDS + 1, 1, WARP_SIZE);
    p.warp = five_lanes_of_each;
    run_test_machine(&r, &c, &(struct gpu_options){0}, &p.program, false);
    assert_complete(&r);
    assert_int_equal(run_counter(&r, "core.integer_lanes"), 5 * INTEGER_KINDS);
    assert_int_equal(run_counter(&r, "core.float_lanes"), 5 * (KINDS - INTEGER_KINDS));
    assert_int_equal(run_counter(&r, "core.thread_instructions"), 5 * KINDS + WARP_SIZE);
}

TEST(an_instruction_waits_for_its_result_register_too) {
    struct config c = distinct_pipelines();
    CLOSED_BY(machine_run_free) struct machine_run r;
    struct insn table[] = {{.op = OP_FP_MUL, .dst = 1, .src = NO_REGS}, ALU(1, NO)};
    run_table(&r, &c, table, 1);
    assert_true(issue_cycle_of_insn(&r, 1) == 1 + c.core.operand_latency + c.alu.fp_mul);
}

TEST(an_independent_instruction_follows_in_the_next_cycle_the_pipeline_is_free) {
    for (unsigned k = 0; k < KINDS; k++) {
        struct config c = distinct_pipelines();
        CLOSED_BY(machine_run_free) struct machine_run r;
        struct insn first = {.op = (uint8_t)kinds[k].op, .dst = 1, .src = NO_REGS}, second = first;
        second.dst = 2;
        struct insn table[] = {first, second};
        run_table(&r, &c, table, 1);
        assert_true(issue_cycle_of_insn(&r, 1) == 1 + *key_at_place(&c, kinds[k].interval));
    }
}

TEST(each_scheduler_issues_one_instruction_a_cycle) {
    struct config c = base_preset();
    CLOSED_BY(machine_run_free) struct machine_run r;
    struct insn table[] = {ALU(1, NO), ALU(2, NO), ALU(1, NO), ALU(2, NO), ALU(1, NO), ALU(2, NO)};
    c.core.count = 1;
    run_table(&r, &c, table, 3); /* warps 0 and 2 share a scheduler */
    assert_true(issue_cycle_of_insn(&r, 0) == 1 && issue_cycle_of_insn(&r, 2) == 1 &&
                issue_cycle_of_insn(&r, 4) == 2);
    assert_true(issue_cycle_of_insn(&r, 3) == 2 && issue_cycle_of_insn(&r, 1) == 3 &&
                issue_cycle_of_insn(&r, 5) == 4);
}

TEST(schedulers_share_the_pipelines) {
    struct config c = base_preset();
    CLOSED_BY(machine_run_free) struct machine_run r;
    struct insn table[] = {SIMPLE(OP_SFU), ALU(2, NO), SIMPLE(OP_SFU), ALU(2, NO)};
    c.core.count = 1;
    run_table(&r, &c, table, 2);
    assert_true(issue_cycle_of_insn(&r, 0) == 1 &&
                issue_cycle_of_insn(&r, 2) == 1 + c.alu.sfu_interval);
    machine_run_free(&r);
    c.core.sfu_units = 2;
    run_table(&r, &c, table, 2);
    assert_true(issue_cycle_of_insn(&r, 0) == 1 && issue_cycle_of_insn(&r, 2) == 1);
}

/* Volta: pipelines by Nsight Compute's names; a branch has its own unit. */
static int pipe_of_kind(unsigned op) {
    enum { INTEGER, FMA, DOUBLE, XU };
    switch (op) {
    case OP_BRANCH: return -1;
    case OP_INT_ADD:
    case OP_INT_MAX:
    case OP_FP_MAX: return INTEGER;
    case OP_SFU:
    case OP_INT_DIV:
    case OP_FP_DIV:
    case OP_DP_DIV: return XU;
    default: return op >= OP_DP_ADD ? DOUBLE : FMA;
    }
}

/* Two independent instructions of a warp, of each two kinds: the second follows in the next cycle,
 * or when the first one's pipeline is free. */
TEST(a_scheduler_has_a_pipeline_for_each_class) {
    for (unsigned k = 0; k < KINDS * KINDS; k++) {
        const struct kind *a = &kinds[k / KINDS], *b = &kinds[k % KINDS];
        struct config c = distinct_pipelines();
        CLOSED_BY(machine_run_free) struct machine_run r;
        struct insn table[] = {{.op = (uint8_t)a->op, .dst = 1, .src = NO_REGS},
                               {.op = (uint8_t)b->op, .dst = 2, .src = NO_REGS}};
        const int pipe = pipe_of_kind(a->op);
        const bool same = pipe >= 0 && pipe == pipe_of_kind(b->op);
        c.alu.pipes = ALU_PIPES_SCHEDULER;
        run_table(&r, &c, table, 1);
        uint64_t second = issue_cycle_of_insn(&r, 1);
        if (second != 1 + (same ? *key_at_place(&c, a->interval) : 1)) {
            fail_msg("kinds %u and %u: second in cycle %" PRIu64, k / KINDS, k % KINDS, second);
        }
    }
}

TEST(schedulers_have_pipelines_of_their_own) {
    struct config c = distinct_pipelines();
    CLOSED_BY(machine_run_free) struct machine_run r;
    struct insn table[] = {SIMPLE(OP_SFU), SIMPLE(OP_FP_MAD), SIMPLE(OP_SFU), SIMPLE(OP_FP_MAD)};
    assert_true(c.core.schedulers == 2 && c.core.sfu_units == 1);
    c.alu.pipes = ALU_PIPES_SCHEDULER;
    run_table(&r, &c, table, 2);
    assert_true(issue_cycle_of_insn(&r, 0) == 1 && issue_cycle_of_insn(&r, 2) == 1);
    assert_true(issue_cycle_of_insn(&r, 1) == 2 && issue_cycle_of_insn(&r, 3) == 2);
}

TEST(the_load_store_unit_takes_one_instruction_a_cycle) {
    struct config c = base_preset();
    CLOSED_BY(machine_run_free) struct machine_run r;
    struct insn table[] = {LOAD(1, NO), ALU(2, NO), LOAD(1, NO), ALU(2, NO)};
    c.core.count = 1;
    run_table(&r, &c, table, 2);
    assert_true(issue_cycle_of_insn(&r, 0) == 1 && issue_cycle_of_insn(&r, 2) == 2);
}

/* The unit holds an instruction, and one more in each stage of operand collection; the next waits
 * until the first has sent its last access. */
TEST(a_memory_instruction_waits_for_a_place_in_the_load_store_unit) {
    enum { OPERAND_LATENCY = 1, SLOTS = OPERAND_LATENCY + 1, WARPS = SLOTS + 1 };
    struct config c = base_preset();
    CLOSED_BY(machine_run_free) struct machine_run r;
    struct insn table[2 * WARPS];
    for (unsigned i = 0; i < 2 * WARPS; i += 2) {
        table[i] = (struct insn)LOAD(1, NO);
        table[i + 1] = (struct insn)ALU(2, NO);
    }
    c.core.count = 1;
    c.core.operand_latency = OPERAND_LATENCY;
    c.l1.miss_queue = c.l1.mshrs = 2 * WARP_SIZE;
    run_columns(&r, &c, table, WARPS);
    uint64_t last_access = 1 + c.core.operand_latency + WARP_SIZE - 1;
    unsigned early = 0, late = 0;
    for (unsigned w = 0; w < WARPS; w++) {
        early += issue_cycle_of_insn(&r, 2 * w) <= SLOTS; /* one a cycle */
        late += issue_cycle_of_insn(&r, 2 * w) == last_access;
    }
    assert_true(early == SLOTS && late == 1);
}

enum { HITTING_WARPS = 24, HITS = 100, HIT_REGS = 8 };

WARP_WRITER(hit_one_line) {
    for (unsigned i = 0; i < HITS; i++) {
        put_whole_line(s, i % HIT_REGS, 1000);
    }
}

/* DESIGN: the load/store unit presents one access a cycle. Collecting operands is a latency: while
 * one instruction's accesses are sent the next ones' operands are read. */
TEST(coalesced_loads_of_many_warps_reach_the_cache_one_a_cycle) {
    struct config c = base_preset();
    struct insn table[HIT_REGS];
    struct hand_program p;
    struct machine_run once, r;
    c.core.count = 1;
    for (unsigned i = 0; i < HIT_REGS; i++) {
        table[i] = (struct insn)LOAD((uint8_t)i, NO);
    }
    hand_open(&p, table, HIT_REGS, 1, WARP_SIZE);
    p.warp = hit_one_line;
    run_test_machine(&once, &c, &(struct gpu_options){0}, &p.program, false);
    hand_open(&p, table, HIT_REGS, 1, HITTING_WARPS * WARP_SIZE);
    p.warp = hit_one_line;
    run_test_machine(&r, &c, &(struct gpu_options){0}, &p.program, false);
    assert_complete(&once);
    assert_complete(&r);
    /* One warp's run is the ramp: the miss, and the latency of hits that depend on it. */
    if (r.cycles > once.cycles + HITTING_WARPS * HITS) {
        fail_msg("%u hits take %" PRIu64 " cycles", HITTING_WARPS * HITS, r.cycles);
    }
}
