/* SPDX-License-Identifier: Apache-2.0
 *
 * CTA dispatch: how many fit, in which order they start, and what is refused.
 */
#include "config/preset.h"
#include "core/core.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

/* --- occupancy --- */

/* Hand-computed for the preset: 1536 threads, 48 warps, 8 CTAs, 32768 registers, 49152 bytes. */
static const struct {
    unsigned threads, registers, shared, fit;
    const char *limit;
} occupancy[] = {
    {32, 16, 0, 8, "core.ctas"},
    {192, 16, 0, 8, "core.ctas"},    /* 1536 / 192 = 8 and 48 / 6 = 8: no less than the slots */
    {256, 16, 0, 6, "core.threads"}, /* 1536 / 256 */
    {1024, 16, 0, 1, "core.threads"},
    {512, 20, 0, 3, "core.threads"},        /* 32768 / (20 * 512) = 3.2 */
    {512, 21, 0, 3, "core.threads"},        /* 3.05 */
    {512, 22, 0, 2, "core.registers"},      /* 2.9 */
    {256, 63, 0, 2, "core.registers"},      /* 32768 / (63 * 256) = 2.03 */
    {64, 16, 8192, 6, "core.shared_bytes"}, /* 49152 / 8192 */
    {64, 16, 6144, 8, "core.ctas"},
    {64, 16, 6145, 7, "core.shared_bytes"},
    {64, 16, 49152, 1, "core.shared_bytes"},
    {33, 1, 0, 8, "core.ctas"},
    {225, 1, 0, 6, "core.threads"}, /* 1536 / 225 = 6.8, and 8 warps each: 48 / 8 = 6 */
};

static struct launch launch_of(struct kernel_code *code, unsigned threads, unsigned registers,
                               unsigned shared) {
    *code = (struct kernel_code){.name = "k", .registers = registers, .shared_bytes = shared};
    return (struct launch){code, {1, 1, 1}, {threads, 1, 1}};
}

TEST(ctas_fit_as_the_scarcest_resource_says) {
    struct config c = base_preset();
    for (size_t i = 0; i < sizeof occupancy / sizeof *occupancy; i++) {
        struct kernel_code code;
        struct launch l =
            launch_of(&code, occupancy[i].threads, occupancy[i].registers, occupancy[i].shared);
        const char *limit;
        assert_int_equal(core_fit(&c, &l, &limit), occupancy[i].fit);
        if (occupancy[i].threads != 225) { /* there two resources say the same */
            assert_string_equal(limit, occupancy[i].limit);
        }
    }
}

TEST(the_last_warp_of_a_cta_counts_whole) {
    struct config c = base_preset();
    struct kernel_code code;
    struct launch l = launch_of(&code, 33, 63, 0);
    const char *limit;
    c.core.ctas = 32;
    /* Two warps: 1536 / 64 = 24 by threads, 48 / 2 = 24 by warps, 32768 / (63 * 64) = 8 by
     * registers. */
    assert_int_equal(core_fit(&c, &l, &limit), 8);
    code.registers = 1;
    assert_int_equal(core_fit(&c, &l, &limit), 24);
    assert_string_equal(limit, "core.threads");
}

/* --- programs: each CTA's warps begin with an instruction of their own, so that events tell where
 * it went --- */

enum { CTAS = 40, I_WORK = CTAS, I_LOAD, I_USE, INSNS };

static void table_of(struct insn *table) {
    for (unsigned i = 0; i < CTAS; i++) {
        table[i] = (struct insn)ALU(1, NO);
    }
    table[I_WORK] = (struct insn){.op = OP_FP_DIV, .dst = 1, .src = {1, REG_NONE, REG_NONE}};
    table[I_LOAD] = (struct insn)LOAD(2, NO);
    table[I_USE] = (struct insn)ALU(3, 2, REG_NONE, REG_NONE);
}

WARP_WRITER(mark_and_work) {
    const unsigned *work = user; /* divisions, one after another */
    put_insn(s, cta);
    for (unsigned i = 0; i < *work; i++) {
        put_insn(s, I_WORK);
    }
}

static void open_marked(struct hand_program *p, unsigned ctas, unsigned threads, unsigned *work) {
    struct insn table[INSNS];
    table_of(table);
    hand_open(p, table, INSNS, ctas, threads);
    p->warp = mark_and_work;
    p->user = work;
}

/* The core on which a CTA's first instruction issued first, and when. */
static int core_of(const struct machine_run *r, unsigned cta, unsigned cores, uint64_t *cycle) {
    for (const char *line = r->events; line && *line; line = strchr(line, '\n') + 1) {
        unsigned sm, warp, pc;
        if (sscanf(line, "%" SCNu64 " sm%u issue warp %u pc %u", cycle, &sm, &warp, &pc) == 4 &&
            pc == 8 * cta) {
            assert_true(sm < cores);
            *cycle /= r->core_period;
            return (int)sm;
        }
    }
    return -1;
}

TEST(the_machine_holds_as_many_ctas_as_fit) {
    for (size_t i = 0; i < sizeof occupancy / sizeof *occupancy; i++) {
        struct config c = base_preset();
        struct hand_program p;
        struct machine_run r;
        unsigned work = 50;
        c.core.count = 2;
        open_marked(&p, CTAS, occupancy[i].threads, &work);
        p.code.registers = occupancy[i].registers;
        p.code.shared_bytes = occupancy[i].shared;
        /* All that fit have started, one a core a cycle, and none has ended. */
        run_test_machine(&r, &c, &(struct gpu_options){.max_cycles = 40}, &p.program, false);
        assert_int_equal(r.status, GPU_LIMIT);
        assert_int_equal(run_counter(&r, "core.ctas"), 2 * occupancy[i].fit);
    }
}

TEST(ctas_go_round_the_cores_one_a_core_a_cycle) {
    enum { CORES = 3 };
    struct config c = base_preset();
    struct hand_program p;
    unsigned work = 20;
    c.core.count = CORES;
    open_marked(&p, CORES * 8, WARP_SIZE, &work);
    RUN(r, &c, &(struct gpu_options){0}, &p.program, true);
    for (unsigned cta = 0; cta < CORES * 8; cta++) {
        uint64_t cycle;
        assert_int_equal(core_of(&r, cta, CORES, &cycle), cta % CORES);
        assert_true(cycle == 1 + cta / CORES);
    }
}

TEST(a_cta_that_ended_makes_room_in_the_next_cycle) {
    struct config c = base_preset();
    struct hand_program p;
    unsigned work = 0;
    c.core.count = 1;
    c.core.ctas = 1;
    open_marked(&p, 5, WARP_SIZE, &work);
    RUN(r, &c, &(struct gpu_options){0}, &p.program, true);
    for (unsigned cta = 0; cta < 5; cta++) {
        uint64_t cycle;
        assert_int_equal(core_of(&r, cta, 1, &cycle), 0);
        assert_true(cycle == 1 + cta); /* one instruction each, in the cycle in which it starts */
    }
    assert_true(r.cycles == 5);
}

/* A CTA a launch: the round goes on behind the core that was given the last one. */
TEST(the_next_cta_goes_to_the_core_after_the_last) {
    enum { CORES = 3, LAUNCHES = 7 };
    struct config c = base_preset();
    struct hand_program p;
    CLOSED_BY(machine_run_free) struct machine_run r;
    unsigned work = 0;
    c.core.count = CORES;
    open_marked(&p, 1, WARP_SIZE, &work);
    while (p.launches < LAUNCHES) {
        hand_launch(&p, 1, WARP_SIZE);
    }
    run_test_machine(&r, &c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(&r);
    for (unsigned launch = 0; launch < LAUNCHES; launch++) {
        assert_true(issued_at(&r, launch % CORES, 0, 0, launch / CORES) == 1 + launch);
    }
}

WARP_WRITER(only_first_is_long) {
    put_insn(s, cta);
    for (unsigned i = 0; i < (cta ? 1 : 100); i++) {
        put_insn(s, I_WORK);
    }
}

/* Ten CTAs on two cores of one slot each. */
static void first_cta_is_long(unsigned dispatch, struct machine_run *r) {
    struct config c = base_preset();
    struct hand_program p;
    struct insn table[INSNS];
    c.core.count = 2;
    c.core.ctas = 1;
    c.core.dispatch = dispatch;
    table_of(table);
    hand_open(&p, table, INSNS, 10, WARP_SIZE);
    p.warp = only_first_is_long;
    run_test_machine(r, &c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(r);
}

TEST(ctas_flow_to_the_core_that_is_free) {
    CLOSED_BY(machine_run_free) struct machine_run r;
    first_cta_is_long(DISPATCH_ROOM, &r);
    for (unsigned cta = 0; cta < 10; cta++) {
        uint64_t cycle;
        assert_int_equal(core_of(&r, cta, 2, &cycle), cta == 0 ? 0 : 1);
    }
}

TEST(in_turns_a_cta_waits_for_its_core) {
    CLOSED_BY(machine_run_free) struct machine_run r;
    first_cta_is_long(DISPATCH_TURN, &r);
    uint64_t before = 0, cycle;
    for (unsigned cta = 0; cta < 10; cta++) {
        assert_int_equal(core_of(&r, cta, 2, &cycle), cta % 2);
        assert_true(cycle >= before);
        before = cycle;
    }
}

/* --- launches --- */

WARP_WRITER(read_one_line) {
    put_whole_line(s, I_LOAD, 1000);
    put_insn(s, I_USE);
}

TEST(a_launch_begins_when_the_one_before_has_ended) {
    for (unsigned keep = 0; keep < 2; keep++) { /* the lines of the L1, or not */
        struct config c = base_preset();
        struct hand_program p;
        struct insn table[INSNS];
        c.core.count = 1;
        c.l1.at_launch = keep ? AT_LAUNCH_KEEP : AT_LAUNCH_INVALIDATE;
        table_of(table);
        hand_open(&p, table, INSNS, 1, WARP_SIZE);
        hand_launch(&p, 1, WARP_SIZE);
        hand_launch(&p, 1, WARP_SIZE);
        p.warp = read_one_line;
        RUN(r, &c, &(struct gpu_options){0}, &p.program, true);
        assert_int_equal(run_counter(&r, "l1.read_hits"), keep ? 2 : 0);
        assert_int_equal(run_counter(&r, "l2.read_hits"), keep ? 0 : 2);
        for (unsigned launch = 1; launch < 3; launch++) {
            uint64_t ended = issued_at(&r, 0, 0, 8 * I_USE, launch - 1);
            assert_true(issued_at(&r, 0, 0, 8 * I_LOAD, launch) == ended + 1);
        }
        assert_true(r.cycles == issued_at(&r, 0, 0, 8 * I_USE, 2));
    }
}

WARP_WRITER(write_no_instruction) {}

TEST(a_grid_of_ctas_without_instructions_ends) {
    for (unsigned poll = 0; poll < 2; poll++) {
        struct config c = base_preset();
        struct hand_program p;
        struct insn table[INSNS];
        table_of(table);
        hand_open(&p, table, INSNS, 200, 3 * WARP_SIZE);
        hand_launch(&p, 1, 1);
        p.warp = write_no_instruction;
        RUN(r, &c, &(struct gpu_options){.poll = poll}, &p.program, false);
        assert_int_equal(run_counter(&r, "core.ctas"), 201);
    }
}

TEST(a_program_without_launches_takes_no_time) {
    for (unsigned poll = 0; poll < 2; poll++) {
        struct config c = base_preset();
        struct hand_program p;
        struct insn table[INSNS];
        table_of(table);
        hand_open(&p, table, INSNS, 1, 1);
        p.launches = 0;
        RUN(r, &c, &(struct gpu_options){.poll = poll}, &p.program, false);
        assert_true(r.cycles == 0);
    }
}

WARP_WRITER(partial_last_warp) {
    assert_true(warp_stream_put(s, I_WORK, warp == 0 ? ALL_LANES : 0xff));
}

TEST(threads_of_a_partial_last_warp_are_counted) {
    struct config c = base_preset();
    struct hand_program p;
    struct insn table[INSNS];
    table_of(table);
    hand_open(&p, table, INSNS, 7, 40);
    p.warp = partial_last_warp;
    RUN(r, &c, &(struct gpu_options){0}, &p.program, false);
    assert_int_equal(run_counter(&r, "core.warp_instructions"), 7 * 2);
    assert_int_equal(run_counter(&r, "core.thread_instructions"), 7 * 40);
}

/* --- refusals --- */

static void assert_kernel_refused(const struct config *c, unsigned threads, unsigned registers,
                                  unsigned shared, const char *resource) {
    struct hand_program p;
    struct machine_run r;
    unsigned work = 1;
    open_marked(&p, 2, threads, &work);
    p.code.registers = registers;
    p.code.shared_bytes = shared;
    run_test_machine(&r, c, &(struct gpu_options){0}, &p.program, false);
    assert_int_equal(r.status, GPU_DOES_NOT_FIT);
    if (!strstr(r.message, resource) || !strstr(r.message, "by_hand") || strchr(r.message, '\n')) {
        fail_msg("the message names another resource than %s: %s", resource, r.message);
    }
    assert_int_equal(run_counter(&r, "core.ctas"), 0);
}

TEST(a_cta_that_does_not_fit_is_refused_by_the_resources_name) {
    struct config c = base_preset();
    assert_kernel_refused(&c, 1024, 33, 0, "core.registers");
    assert_kernel_refused(&c, 64, 16, 49153, "core.shared_bytes");
    c.core.threads = 512;
    assert_kernel_refused(&c, 513, 1, 0, "core.threads");
    c = base_preset();
    c.core.warps = 16;
    c.core.threads = 512;
    assert_kernel_refused(&c, 1024, 1, 0, "core.threads");
    c.core.threads = 32;
    c.core.warps = 1;
    c.core.schedulers = 1;
    assert_kernel_refused(&c, 33, 1, 0, "core.threads");
}

TEST(a_launch_without_a_thread_is_refused) {
    struct config c = base_preset();
    struct hand_program p;
    CLOSED_BY(machine_run_free) struct machine_run r;
    unsigned work = 1;
    open_marked(&p, 2, 0, &work);
    run_test_machine(&r, &c, &(struct gpu_options){0}, &p.program, false);
    assert_int_equal(r.status, GPU_DOES_NOT_FIT);
    assert_string_equal(r.message, "kernel by_hand: launched without a thread");
}

/* MRPB table 1, "per-block limit", and CUDA's of each generation. */
TEST(a_cta_has_at_most_the_threads_of_its_limit) {
    for (unsigned threads = 100; threads <= 101; threads++) {
        struct config c = base_preset();
        struct hand_program p;
        CLOSED_BY(machine_run_free) struct machine_run r;
        unsigned work = 1;
        c.core.cta_threads = 100;
        open_marked(&p, 2, threads, &work);
        run_test_machine(&r, &c, &(struct gpu_options){0}, &p.program, false);
        if (threads == 100) {
            assert_complete(&r);
        } else {
            assert_int_equal(r.status, GPU_DOES_NOT_FIT);
            assert_string_equal(r.message, "kernel by_hand: a CTA of 101 threads: at most "
                                           "core.cta_threads = 100");
        }
    }
}

/* The core could hold it, so the message must not blame the core; a CTA may not be that large. */
TEST(a_cta_of_more_than_32_warps_is_not_blamed_on_the_core) {
    struct config c = base_preset();
    struct hand_program p;
    struct machine_run r;
    unsigned work = 1;
    c.core.warps = 64;
    c.core.threads = 2048;
    assert_legal(&c);
    open_marked(&p, 2, CTA_WARPS_MAX * WARP_SIZE + 1, &work);
    p.code.registers = 1;
    run_test_machine(&r, &c, &(struct gpu_options){0}, &p.program, false);
    assert_int_equal(r.status, GPU_DOES_NOT_FIT);
    if (strstr(r.message, "core.")) {
        fail_msg("%s", r.message);
    }
}

TEST(a_run_that_ends_in_its_last_allowed_cycle_is_complete) {
    for (unsigned poll = 0; poll < 2; poll++) {
        struct config c = base_preset();
        struct machine_run r[4];
        struct gpu_options options = {.poll = poll};
        unsigned work = 1;
        for (unsigned i = 0; i < 4; i++) {
            struct hand_program p;
            open_marked(&p, 40, WARP_SIZE, &work);
            options.max_cycles = i ? r[0].cycles + 2 - i : 0; /* one more, all, one less */
            run_test_machine(&r[i], &c, &options, &p.program, false);
        }
        assert_complete(&r[0]);
        assert_same_run(&r[0], &r[1], "a cycle more");
        assert_same_run(&r[0], &r[2], "as many cycles");
        assert_complete(&r[2]);
        assert_int_equal(r[3].status, GPU_LIMIT);
        assert_true(r[3].cycles == r[0].cycles - 1);
    }
}
