/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs that do not end by themselves: a block that never becomes ready, one that fails, one that
 * cannot be made, and a user who has had enough.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"
#include "l1/mrpb.h"
#include "l2/insertion.h"

enum { I_LOAD, I_USE, I_STORE, I_FENCE, I_BARRIER, I_WORK, INSNS };

static const struct insn table[INSNS] = {
    [I_LOAD] = LOAD(1, NO),
    [I_USE] = ALU(2, 1, REG_NONE, REG_NONE),
    [I_STORE] = STORE(NO),
    [I_FENCE] = SIMPLE(OP_FENCE),
    [I_BARRIER] = SIMPLE(OP_BARRIER),
    [I_WORK] = ALU(3, 3, REG_NONE, REG_NONE),
};

/* Warp 0 waits for a load, warp 1 at a barrier, warp 2 at its end, warp 3 for the load/store unit.
 */
WARP_WRITER(four_ways_to_wait) {
    switch (warp) {
    case 0:
        put_whole_line(s, I_LOAD, 1);
        put_insn(s, I_USE);
        break;
    case 1: put_insn(s, I_BARRIER); break;
    case 2: put_whole_line(s, I_STORE, 2); break;
    default:
        put_insn(s, I_WORK);
        put_whole_line(s, I_LOAD, 3);
        put_insn(s, I_USE);
        break;
    }
}

static struct config with_mrpb(void) {
    struct config c = base_preset();
    c.core.count = 1;
    c.l1.front = L1_FRONT_MRPB;
    c.core.operand_latency = 1; /* two instructions fill the load/store unit */
    return c;
}

/* --- hardware blocks that misbehave --- */

/* Of blocks of this name (NULL: of MRPB); others are the C blocks. */
struct fake_factory {
    struct block_factory base;
    const char *fakes;
    bool refuses, fails, quiet;
    size_t out_size;
    unsigned made, destroyed, stepped;
};

static void never_ready(void *self, const void *in, void *out) {
    const struct fake_factory *f = self;
    (void)in;
    memset(out, 0, f->out_size);
}

static bool stuck_fake_step(void *self, const void *in, const void *out) {
    struct fake_factory *f = self;
    (void)in, (void)out;
    f->stepped++;
    return !f->fails;
}

static bool stuck_fake_quiet(void *self, const void *in) {
    const struct fake_factory *f = self;
    (void)in;
    return f->quiet;
}

static void stuck_fake_destroy(void *self) {
    struct fake_factory *f = self;
    f->destroyed++;
}

static bool stuck_fake_make(const struct build *build, const struct block *block,
                            const void *params, const char *where, const uint64_t *cycle,
                            struct block_instance *instance) {
    struct fake_factory *f = (struct fake_factory *)build->factory;
    (void)cycle;
    if (strcmp(block->name, f->fakes ? f->fakes : mrpb_block.name)) {
        return block_make_in_c(build, block, params, instance);
    }
    f->out_size = block->out_size;
    if (f->refuses) {
        return build_refused(build, "no block today at %s", where);
    }
    f->made++;
    *instance = (struct block_instance){.self = f,
                                        .comb = never_ready,
                                        .step = stuck_fake_step,
                                        .quiet = stuck_fake_quiet,
                                        .destroy = stuck_fake_destroy};
    return true;
}

static void run_fake(struct machine_run *r, struct fake_factory *f, const struct config *c,
                     bool poll) {
    struct hand_program p;
    f->base.make = stuck_fake_make;
    hand_open(&p, table, INSNS, 1, 4 * WARP_SIZE);
    p.warp = four_ways_to_wait;
    run_test_machine(
        r, c, &(struct gpu_options){.blocks = &f->base, .watchdog_cycles = 1000, .poll = poll},
        &p.program, false);
    assert_int_equal(f->made, f->fakes ? c->l2.partitions * c->l2.banks : c->core.count);
    assert_int_equal(f->destroyed, f->made);
}

static void check_dump(const struct machine_run *r) {
    static const char *const wanted[] = {
        "sm0: 1 CTAs",
        "warp  0 waits for a load (1 accesses outstanding)",
        "warp  1 waits for barrier",
        "warp  2 waits for its accesses, at the end (1 accesses outstanding)",
        "warp  3 waits for its turn, or the load/store unit",
    };
    assert_non_null(r->dump);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (!strstr(r->dump, wanted[i])) {
            fail_msg("the dump does not say: %s\n%s", wanted[i], r->dump);
        }
    }
}

TEST(a_block_that_never_becomes_ready_ends_as_stuck_and_the_dump_says_who_waits) {
    for (unsigned way = 0; way < 4;
         way++) { /* asleep for good, or evaluated every cycle until the watchdog looks */
        struct config c = with_mrpb();
        struct fake_factory f = {.quiet = way & 1};
        struct machine_run r;
        run_fake(&r, &f, &c, way & 2);
        assert_int_equal(r.status, GPU_STUCK);
        assert_true(r.message[0] && !strchr(r.message, '\n'));
        check_dump(&r);
        machine_run_free(&r);
    }
}

TEST(a_block_that_fails_ends_the_run_at_once) {
    struct config c = with_mrpb();
    struct fake_factory f = {.fails = true};
    RUN_BY(run_fake, r, &f, &c, false);
    assert_int_equal(r.status, GPU_BLOCK_FAILED);
    assert_true(f.stepped == 1 && r.cycles == 1);
}

/* With types of warps a bank of the L2 has one. */
TEST(a_block_below_the_cores_that_fails_ends_the_run_at_once) {
    for (unsigned poll = 0; poll < 2; poll++) {
        struct config c = with_mrpb();
        struct fake_factory f = {.fakes = insertion_block.name, .fails = true};
        CLOSED_BY(machine_run_free) struct machine_run r;
        c.l1.front = L1_FRONT_NONE;
        c.l2.insertion = L2_INSERTION_WARP_TYPE;
        run_fake(&r, &f, &c, poll);
        assert_int_equal(r.status, GPU_BLOCK_FAILED);
        assert_non_null(strstr(r.message, "differs"));
        assert_true(f.stepped == 1 && r.cycles > 1);
    }
}

TEST(a_block_that_cannot_be_made_is_told_in_one_line) {
    struct config c = with_mrpb();
    struct fake_factory f = {.base = {stuck_fake_make}, .refuses = true};
    char error[256] = "";
    assert_null(gpu_create(&c, &(struct gpu_options){.blocks = &f.base}, error, sizeof error));
    assert_string_equal(error, "no block today at sm0");
}

TEST(a_machine_without_the_block_asks_for_none) {
    struct config c = with_mrpb();
    struct fake_factory f = {.base = {stuck_fake_make}, .refuses = true};
    struct hand_program p;
    c.l1.front = L1_FRONT_NONE;
    hand_open(&p, table, INSNS, 1, 4 * WARP_SIZE);
    p.warp = four_ways_to_wait;
    RUN(r, &c, &(struct gpu_options){.blocks = &f.base}, &p.program, false);
}

/* --- the outside world --- */

enum { LONG = 100000 }; /* dependent additions: four cycles and more each */

WARP_WRITER(work_for_long) {
    for (unsigned i = 0; i < LONG; i++) {
        put_insn(s, I_WORK);
    }
}

struct watched {
    atomic_int stop;
    unsigned calls, stop_at;
    uint64_t last;
};

static void look_at_progress(void *user, const struct gpu_progress *now) {
    struct watched *w = user;
    assert_true(now->launch == 1 && now->ctas_done == 0 && now->ctas == 1);
    assert_true(now->warp_instructions > 0);
    assert_true(w->calls == 0 || now->cycles >= w->last + 65536);
    w->last = now->cycles;
    if (++w->calls == w->stop_at) {
        w->stop = 1;
    }
}

static void run_watched(struct machine_run *r, struct watched *w, bool poll) {
    struct config c = base_preset();
    struct hand_program p;
    c.core.count = 1;
    hand_open(&p, table, INSNS, 1, WARP_SIZE);
    p.warp = work_for_long;
    run_test_machine(r, &c,
                     &(struct gpu_options){.stop = &w->stop,
                                           .progress = look_at_progress,
                                           .progress_user = w,
                                           .watchdog_cycles = 1,
                                           .poll = poll},
                     &p.program, false);
}

TEST(an_interrupted_run_ends_with_what_it_has_counted) {
    for (unsigned poll = 0; poll < 2; poll++) {
        struct watched w = {.stop_at = 3};
        struct machine_run r;
        run_watched(&r, &w, poll);
        assert_int_equal(r.status, GPU_INTERRUPTED);
        uint64_t issued = run_counter(&r, "core.warp_instructions");
        assert_true(issued > 0 && issued < LONG);
        assert_true(r.cycles >= 3 * 65536 && r.cycles < 5 * 65536);
    }
}

TEST(progress_is_told_and_slow_progress_is_not_stuck) {
    struct watched w = {0};
    struct machine_run r;
    struct config c = base_preset();
    run_watched(&r, &w, false);
    assert_complete(&r);
    /* An addition can issue operand_latency + int_add after the one it needs. */
    uint64_t cycles = 1 + (LONG - 1) * (uint64_t)(c.core.operand_latency + c.alu.int_add);
    assert_true(r.cycles == cycles);
    assert_true(w.calls >= cycles / 65536);
}

/* One load: a core a thousand times as fast as the partition that its line comes from. */
TEST(a_core_that_waits_for_a_slow_partition_is_not_stuck) {
    struct hand_program p;
    struct config c = base_preset();
    c.core.count = 1;
    c.clock.core = c.clock.noc = c.clock.dram = 1000000;
    c.clock.l2 = 1000;
    c.l2.rop_latency = 4096;
    assert_legal(&c);
    hand_open(&p, table, INSNS, 1, WARP_SIZE);
    p.warp = four_ways_to_wait; /* warp 0 alone: the load */
    RUN(r, &c, &(struct gpu_options){0}, &p.program, false);
    assert_true(r.cycles > UINT64_C(4096) * 1000);
}

enum { WRITES = 300 };

WARP_WRITER(writes_alone) {
    for (unsigned i = 0; i < WRITES; i++) {
        put_whole_line(s, I_STORE, i);
    }
}

/* Acknowledged by an L2 that passes them on: only the DRAM works when the last warp has ended. */
TEST(writes_that_drain_for_long_are_not_stuck) {
    struct hand_program p;
    struct config c = base_preset();
    c.core.count = c.l2.partitions = 1;
    c.clock.core = c.clock.noc = c.clock.l2 = 1000000;
    c.clock.dram = 5000;
    c.l2.write = L2_WRITE_THROUGH;
    c.l2.write_miss = L2_WRITE_MISS_AROUND;
    c.dram.latency = WRITES; /* has room for all of them */
    assert_legal(&c);
    hand_open(&p, table, INSNS, 1, WARP_SIZE);
    p.warp = writes_alone;
    RUN(r, &c, &(struct gpu_options){.watchdog_cycles = 1}, &p.program, false);
    assert_true(run_counter(&r, "dram.writes") == WRITES);
}
