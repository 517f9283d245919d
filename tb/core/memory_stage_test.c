/* SPDX-License-Identifier: Apache-2.0
 *
 * A memory stage as that of GPGPU-Sim 2.1.2b: several accesses of an instruction a cycle, of which
 * one leaves the L1, and a pipeline that stands still behind it.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { LINES_MAX = 8, FIRST = 1000, SMALL_STAGE_LATENCY = 1 };

/* The lines, one bit each, that warp 0 loads first, and those that it loads when it has them. */
struct two_loads {
    uint32_t first, second;
};

WARP_WRITER(load_twice) {
    const struct two_loads *l = user;
    put_lines(s, 0, FIRST, l->first);
    put_lines(s, 1, FIRST, l->second);
}

static void run_two_loads(struct machine_run *r, unsigned ports, struct two_loads loads,
                          unsigned warps) {
    struct config c = base_preset();
    struct hand_program p;
    struct insn table[] = {LOAD(1, NO), LOAD(2, 1)};
    c.core.count = 1;
    c.l1.ports = ports;
    assert_legal(&c);
    hand_open(&p, table, 2, 1, warps * WARP_SIZE);
    p.warp = load_twice;
    p.user = &loads;
    run_test_machine(r, &c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(r);
}

static uint64_t line_taken_at(const struct machine_run *r, const char *what, unsigned reg,
                              unsigned line) {
    char event[64];
    snprintf(event, sizeof event, "sm0 l1-%s warp 0 reg %u line %x", what, reg, FIRST + line);
    return event_at(r, event, 0);
}

TEST(hits_of_an_instruction_go_as_many_a_cycle_as_there_are_ports) {
    for (unsigned ports = 1; ports <= 4; ports++) {
        CLOSED_BY(machine_run_free) struct machine_run r;
        run_two_loads(&r, ports, (struct two_loads){0xff, 0xff}, 1);
        for (unsigned i = 0; i < LINES_MAX; i++) {
            assert_true(line_taken_at(&r, "miss", 1, i) == line_taken_at(&r, "miss", 1, 0) + i);
            assert_true(line_taken_at(&r, "hit", 2, i) ==
                        line_taken_at(&r, "hit", 2, 0) + i / ports);
        }
    }
}

TEST(one_access_a_cycle_leaves_the_l1_beside_a_hit) {
    static const struct {
        uint32_t first;
        const char *even, *odd;
    } orders[] = {{0x55, "hit", "miss"}, {0xaa, "miss", "hit"}};
    for (unsigned k = 0; k < 2; k++) {
        CLOSED_BY(machine_run_free) struct machine_run r;
        run_two_loads(&r, 2, (struct two_loads){orders[k].first, 0xff}, 1);
        const uint64_t begin = line_taken_at(&r, orders[k].even, 2, 0);
        for (unsigned i = 0; i < LINES_MAX; i++) {
            const char *what = i % 2 ? orders[k].odd : orders[k].even;
            assert_true(line_taken_at(&r, what, 2, i) == begin + i / 2);
        }
    }
}

/* Two warps load the same lines: what the first one waits for leaves the second one's ports too. */
TEST(an_access_to_a_line_under_way_counts_as_one_that_leaves) {
    CLOSED_BY(machine_run_free) struct machine_run r;
    run_two_loads(&r, 2, (struct two_loads){0xf, 0xf}, 2);
    const uint64_t first = event_at(&r, "sm0 l1-pending warp 1 reg 1", 0);
    for (unsigned i = 0; i < 4; i++) {
        assert_true(event_at(&r, "sm0 l1-pending warp 1 reg 1", i) == first + i);
    }
}

TEST(a_second_one_that_leaves_waits_behind_hits_too) {
    CLOSED_BY(machine_run_free) struct machine_run r;
    run_two_loads(&r, 4, (struct two_loads){1, 0x7}, 1);
    const uint64_t begin = line_taken_at(&r, "hit", 2, 0);
    assert_true(line_taken_at(&r, "miss", 2, 1) == begin &&
                line_taken_at(&r, "miss", 2, 2) == begin + 1);
}

TEST(the_next_instruction_shares_no_cycle) {
    CLOSED_BY(machine_run_free) struct machine_run r;
    run_two_loads(&r, 2, (struct two_loads){0x7, 0x7}, 2);
    const uint64_t begin = event_at(&r, "sm0 l1-hit warp 0 reg 2", 0);
    assert_true(event_at(&r, "sm0 l1-hit warp 0 reg 2", 2) == begin + 1);
    assert_true(event_at(&r, "sm0 l1-hit warp 1 reg 2", 0) == begin + 2);
}

/* --- core.memory_stall --- */

enum { I_MEMORY, I_FREE };

struct held {
    const char *what;
    struct insn insn; /* of warp 0; warp 1 has arithmetic alone */
    unsigned cycles;  /* that warp 0's instruction is in the stage; 0: until its reply */
};

WARP_WRITER(memory_or_free) {
    const struct held *h = user;
    if (warp) {
        put_insn(s, I_FREE);
    } else if (h->insn.space == SPACE_SHARED) {
        assert_true(warp_stream_put_affine(s, I_MEMORY, 0xff, 0, 128)); /* one bank */
    } else {
        put_lines(s, I_MEMORY, FIRST, 0xff);
    }
}

static uint64_t free_issued_at(const struct held *h, unsigned stall, uint64_t *reply) {
    struct config c = base_preset();
    struct hand_program p;
    struct insn table[] = {h->insn, ALU(2, NO)};
    struct held user = *h;
    CLOSED_BY(machine_run_free) struct machine_run r;
    c.core.count = c.core.schedulers = 1;
    c.core.operand_latency = SMALL_STAGE_LATENCY;
    c.core.memory_stall = stall;
    c.l1.mshrs = h->cycles ? 32 : 7; /* of 8 lines */
    assert_legal(&c);
    hand_open(&p, table, 2, 1, 2 * WARP_SIZE);
    p.code.shared_bytes = 4096;
    p.warp = memory_or_free;
    p.user = &user;
    run_test_machine(&r, &c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(&r);
    assert_true(issued_at(&r, 0, 0, 8 * I_MEMORY, 0) == 1);
    *reply = h->insn.space == SPACE_GLOBAL ? event_at(&r, "sm0 reply", 0) : 0;
    return issued_at(&r, 0, 1, 8 * I_FREE, 0);
}

TEST(nothing_issues_behind_an_instruction_in_the_memory_stage_on_request) {
    static const struct held cases[] = {
        {"eight lines", LOAD(1, NO), 8},
        {"eight lines, seven MSHRs", LOAD(1, NO), 0},
        {"eight words of a bank",
         {.op = OP_LOAD, .space = SPACE_SHARED, .width = 4, .dst = 1, .src = NO_REGS},
         8},
    };
    const uint64_t first_access = 1 + SMALL_STAGE_LATENCY;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t reply;
        assert_true(free_issued_at(&cases[i], MEMORY_STALL_MEMORY, &reply) == 2);
        const uint64_t at = free_issued_at(&cases[i], MEMORY_STALL_ALL, &reply);
        /* In the last cycle of the stage the next one may issue. */
        const uint64_t want = cases[i].cycles ? first_access + cases[i].cycles - 1 : reply + 1;
        if (at != want) {
            fail_msg("%s: %" PRIu64 " instead of %" PRIu64, cases[i].what, at, want);
        }
    }
}
