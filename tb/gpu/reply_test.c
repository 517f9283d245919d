/* SPDX-License-Identifier: Apache-2.0
 *
 * Replies at a core: one access a cycle writes its register, whether an MSHR wakes it or its reply
 * bypasses the cache.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { I_LOAD, I_USE, INSNS };
enum { LINE_A = 1000, LINE_B = 1001, WARPS = 25, READERS = WARPS - 1, READER_OF_B = 8 };

static const struct insn table[INSNS] = {LOAD(1, NO), ALU(2, 1, REG_NONE, REG_NONE)};

/* The first launch brings both lines to the L2. In the second all warps but one read line A and
 * wait in one MSHR; that one reads line B, for which the cache of one line has no room. */
WARP_WRITER(write_reader_warp) {
    if (launch == 0 && warp > 0) {
        return;
    }
    put_whole_line(s, I_LOAD, launch == 1 && warp == READER_OF_B ? LINE_B : LINE_A);
    put_insn(s, I_USE);
    if (launch == 0) {
        put_whole_line(s, I_LOAD, LINE_B);
        put_insn(s, I_USE);
    }
}

static void run_readers(struct machine_run *r, struct config *c) {
    struct hand_program p;
    c->core.count = 1;
    c->l1.sets = c->l1.ways = 1;
    c->l1.mshr_merge = READERS;
    c->l1.at_launch = AT_LAUNCH_INVALIDATE;
    c->l1.front = L1_FRONT_MRPB;
    c->core.operand_latency = 1;
    assert_legal(c);
    hand_open(&p, table, INSNS, 1, WARPS * WARP_SIZE);
    hand_launch(&p, 1, WARPS * WARP_SIZE);
    p.warp = write_reader_warp;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(r);
    assert_true(run_counter(r, "l1.read_pending_hits") == READERS - 1);
    assert_true(run_counter(r, "l1.read_bypasses") == 1 && run_counter(r, "l2.read_hits") == 2);
}

static uint64_t reply_at(const struct machine_run *r, uint64_t line, unsigned nth) {
    char what[64];
    snprintf(what, sizeof what, "sm0 reply line %" PRIx64, line);
    return event_at(r, what, nth);
}

/* Cycle in which a warp of the second launch uses its register. */
static uint64_t used_at(const struct machine_run *r, unsigned warp) {
    return issued_at(r, 0, warp, 8 * I_USE, warp == 0 ? 2 : 0);
}

TEST(waiting_accesses_are_woken_one_a_cycle_from_the_cycle_after_the_fill) {
    struct config c = base_preset();
    RUN_BY(run_readers, r, &c);
    uint64_t filled = reply_at(&r, LINE_A, 1);
    for (unsigned i = 0; i < READERS; i++) {
        unsigned woken = 0;
        for (unsigned w = 0; w < WARPS; w++) {
            woken += w != READER_OF_B && used_at(&r, w) == filled + 1 + i + c.l1.fill_latency;
        }
        assert_int_equal(woken, 1);
    }
}

TEST(a_bypassing_reply_waits_until_no_woken_access_writes_its_register) {
    struct config c = base_preset();
    RUN_BY(run_readers, r, &c);
    /* Sent so soon after the other that its reply is there while accesses are still woken. */
    uint64_t apart = event_at(&r, "sm0 l1-bypass", 0) - event_at(&r, "sm0 l1-miss", 2);
    assert_true(apart < READERS / 2);
    uint64_t filled = reply_at(&r, LINE_A, 1), bypassed = reply_at(&r, LINE_B, 1);
    assert_true(bypassed == filled + READERS + 1);
    assert_true(used_at(&r, READER_OF_B) == bypassed + c.l1.fill_latency);
}
