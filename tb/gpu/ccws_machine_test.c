/* SPDX-License-Identifier: Apache-2.0
 *
 * Victim tags and CCWS in a machine of one core. Sections in the names are those of DAWS, MICRO
 * 2013.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum {
    I_LOAD,
    I_USE,
    I_STORE,
    I_BARRIER,
    I_BEGIN,
    I_END,
    /* Instructions that a held warp may issue or not. */
    I_LOCAL,
    I_UNCACHED,
    I_ATOMIC,
    I_SHARED,
    I_TEXTURE,
    I_CONSTANT,
    I_SUM,
    INSNS
};

#define LOAD_OF(memory, cached) \
    { \
        .op = OP_LOAD, .space = (memory), .width = 4, .uncached = !(cached), .dst = 2, \
        .src = NO_REGS \
    }

static const struct insn table[INSNS] = {
    [I_LOAD] = LOAD(1, NO),
    [I_USE] = ALU(3, 1),
    [I_STORE] = STORE(NO),
    [I_BARRIER] = SIMPLE(OP_BARRIER),
    [I_BEGIN] = SIMPLE(OP_LOOP_BEGIN),
    [I_END] = SIMPLE(OP_LOOP_END),
    [I_LOCAL] = LOAD_OF(SPACE_LOCAL, true),
    [I_UNCACHED] = LOAD_OF(SPACE_GLOBAL, false),
    [I_ATOMIC] = {.op = OP_ATOMIC, .space = SPACE_GLOBAL, .width = 4, .dst = 2, .src = NO_REGS},
    [I_SHARED] = LOAD_OF(SPACE_SHARED, true),
    [I_TEXTURE] = LOAD_OF(SPACE_TEXTURE, true),
    [I_CONSTANT] = LOAD_OF(SPACE_CONSTANT, true),
    [I_SUM] = ALU(REG_NONE, NO),
};

static struct config core_of_lines(unsigned lines) {
    struct config c = base_preset();
    c.core.count = c.core.schedulers = 1;
    c.issue.scheduler = SCHEDULER_GTO;
    c.l1.sets = 1;
    c.l1.ways = lines;
    c.l1.victim_tags = L1_VICTIM_TAGS_WATCH;
    return c;
}

static void run_lines(struct machine_run *r, const struct config *c, unsigned ctas, unsigned warps,
                      void (*warp)(void *, unsigned, unsigned, unsigned, struct warp_stream *),
                      const void *user) {
    struct hand_program p;
    assert_legal(c);
    hand_open(&p, table, INSNS, ctas, warps * WARP_SIZE);
    p.code.shared_bytes = 1024;
    p.warp = warp;
    p.user = (void *)(uintptr_t)user;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(r);
}

/* --- victim tags --- */

/* A warp's accesses one after another: digits are lines that it loads, letters lines that it
 * stores; | is a barrier. */
WARP_WRITER(follow_lines) {
    const char *const *script = user;
    for (const char *at = script[cta + warp]; *at; at++) {
        if (*at == '|') {
            put_insn(s, I_BARRIER);
        } else if (*at >= 'a') {
            put_whole_line(s, I_STORE, 100 + (unsigned)(*at - 'a'));
        } else {
            put_whole_line(s, I_LOAD, 100 + (unsigned)(*at - '0'));
            put_insn(s, I_USE);
        }
    }
}

static void check_victims(const struct config *c, unsigned ctas, unsigned warps,
                          const char *const *script, unsigned lines, unsigned looks,
                          unsigned hits) {
    CLOSED_BY(machine_run_free) struct machine_run r;
    run_lines(&r, c, ctas, warps, follow_lines, script);
    assert_int_equal(run_counter(&r, "l1.victim_lines"), lines);
    assert_int_equal(run_counter(&r, "l1.victim_looks"), looks);
    assert_int_equal(run_counter(&r, "l1.victim_hits"), hits);
}

TEST(daws_4_a_miss_on_a_line_that_the_warp_has_lost_is_lost_locality) {
    static const char *const script[] = {"0101"};
    struct config c = core_of_lines(1);
    check_victims(&c, 1, 1, script, 3, 4, 2);
    c.l1.ways = 2;
    check_victims(&c, 1, 1, script, 0, 2, 0);
    c.l1.victim_tags = L1_VICTIM_TAGS_OFF;
    c.l1.ways = 1;
    check_victims(&c, 1, 1, script, 0, 0, 0);
}

TEST(daws_4_a_line_that_another_warp_had_fetched_is_not_lost) {
    static const char *const script[] = {"0|", "|10"};
    struct config c = core_of_lines(1);
    check_victims(&c, 1, 2, script, 2, 3, 0);
}

TEST(a_line_that_a_write_evicts_is_not_lost) {
    static const char *const script[] = {"0a0"};
    struct config c = core_of_lines(1);
    c.l1.global_write = L1_WRITE_EVICT;
    check_victims(&c, 1, 1, script, 0, 2, 0);
}

/* The second CTA's warp comes into the slot of the first one's. */
TEST(a_new_warp_has_lost_no_line_of_the_one_before) {
    static const char *const script[] = {"010", "10"}, *const apart[] = {"010", "20"};
    struct config c = core_of_lines(1);
    c.core.ctas = 1;
    c.l1.at_launch = AT_LAUNCH_KEEP;
    /* 0 is in the L1, and 1 was lost by the first warp. Then 0 leaves: the slot has fetched it. */
    check_victims(&c, 2, 1, script, 4, 5, 2);
    check_victims(&c, 2, 1, apart, 4, 5, 2);
}

TEST(watching_changes_nothing_else) {
    static const char *const script[] = {"0123", "3|", "|0303"};
    struct machine_run with, without;
    struct config c = core_of_lines(1);
    run_lines(&with, &c, 1, 1, follow_lines, script);
    c.l1.victim_tags = L1_VICTIM_TAGS_OFF;
    run_lines(&without, &c, 1, 1, follow_lines, script);
    assert_int_equal(with.counters, without.counters);
    for (size_t i = 0; i < with.counters; i++) {
        assert_true(!strncmp(with.name[i], "l1.victim_", 10) || with.value[i] == without.value[i]);
    }
    machine_run_free(&with);
    machine_run_free(&without);
}

/* --- CCWS --- */

enum { THRASHED = 12, OTHERS = 7 };

/* Warp 0 goes round more lines than the L1 has, in a loop; the others issue the same instruction
 * again and again. */
WARP_WRITER(thrash_beside_others) {
    unsigned insn = *(const unsigned *)user;
    if (warp == 0) {
        put_insn(s, I_BEGIN);
        for (unsigned i = 0; i < 6 * THRASHED; i++) {
            put_whole_line(s, I_LOAD, 100 + i % THRASHED);
            put_insn(s, I_USE);
        }
        put_insn(s, I_END);
        return;
    }
    for (unsigned i = 0; i < 40; i++) {
        for (unsigned n = 0; n < 4; n++) {
            put_insn(s, I_SUM);
        }
        if (insn == I_SHARED) {
            assert_true(warp_stream_put_affine(s, insn, ALL_LANES, 0, 4));
        } else if (insn_is_memory(&table[insn])) {
            put_whole_line(s, insn, 1000 + 64 * warp + i);
        } else {
            put_insn(s, insn);
        }
    }
}

static void run_thrash(struct machine_run *r, bool ccws, unsigned insn) {
    struct config c = core_of_lines(THRASHED - 1);
    c.ccws.mode = ccws;
    c.ccws.k = 255; /* so that the others matter little */
    run_lines(r, &c, 1, 1 + OTHERS, thrash_beside_others, &insn);
}

TEST(ccws_holds_loads_that_look_up_the_l1_and_nothing_else) {
    static const struct {
        unsigned insn;
        bool held;
    } cases[] = {
        {I_LOAD, true},     {I_LOCAL, true},     {I_UNCACHED, false},
        {I_STORE, false},   {I_ATOMIC, false},   {I_SHARED, false},
        {I_TEXTURE, false}, {I_CONSTANT, false}, {I_SUM, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CLOSED_BY(machine_run_free) struct machine_run r;
        run_thrash(&r, true, cases[i].insn);
        assert_true(run_counter(&r, "l1.victim_hits") >= 4 * THRASHED);
        assert_true((run_counter(&r, "core.descheduled_cycles") > 0) == cases[i].held);
    }
}

/* Lines of others push out those of the warp that comes back to them. */
TEST(daws_4_a_warp_that_loses_lines_gets_the_cache_for_itself) {
    struct machine_run gto, ccws;
    run_thrash(&gto, false, I_LOAD);
    run_thrash(&ccws, true, I_LOAD);
    assert_int_equal(run_counter(&gto, "core.descheduled_cycles"), 0);
    assert_int_equal(run_counter(&gto, "ccws.lost_in_loop"), 0);
    assert_int_equal(run_counter(&ccws, "ccws.lost_in_loop"), run_counter(&ccws, "l1.victim_hits"));
    machine_run_free(&gto);
    machine_run_free(&ccws);
}

/* Warp 0 loses lines and then computes for a long time, in which the others want to load. */
WARP_WRITER(thrash_then_compute) {
    (void)user;
    for (unsigned i = 0; warp == 0 && i < 3 * THRASHED; i++) {
        put_whole_line(s, I_LOAD, 100 + i % THRASHED);
        put_insn(s, I_USE);
    }
    put_insn(s, I_BARRIER);
    for (unsigned i = 0; warp == 0 && i < 1000; i++) {
        put_insn(s, I_SUM);
    }
    for (unsigned i = 0; warp > 0 && i < 100; i++) {
        put_whole_line(s, I_LOAD, 1000 + warp);
        put_insn(s, I_USE);
    }
}

/* A score of two cutoffs falls to one, by 1 a cycle, before a second warp may load. */
TEST(others_are_held_until_the_score_has_fallen_from_its_bound) {
    uint64_t cycles[2];
    for (unsigned i = 0; i < 2; i++) {
        CLOSED_BY(machine_run_free) struct machine_run r;
        struct config c = core_of_lines(THRASHED - 1);
        c.ccws.mode = true;
        c.ccws.k = 255;
        c.ccws.clamp = 1 + i;
        run_lines(&r, &c, 1, 1 + OTHERS, thrash_then_compute, NULL);
        cycles[i] = r.cycles;
    }
    assert_true(cycles[1] > cycles[0] + 100);
}
