/* SPDX-License-Identifier: Apache-2.0
 *
 * Load/store unit with l1.front = slot: bypassing without queues (MRPB 5.4).
 */
#include "l1/load_store_bench.h"

enum { STALL = 50 };

static struct bench slot_bench(unsigned bypass) {
    struct bench b = {.config = base_preset()};
    b.config.l1.front = L1_FRONT_SLOT;
    b.config.mrpb.bypass = bypass;
    return b;
}

/* The slot takes no cycle of its own. */
TEST(a_read_bypasses_in_the_cycle_after_its_refusal) {
    static const unsigned modes[] = {MRPB_BYPASS_ASSOCIATIVITY, MRPB_BYPASS_ALL};
    for (unsigned k = 0; k < 2; k++) {
        CLOSED_BY(close_unit_bench) struct bench b = slot_bench(modes[k]);
        b.config.l1.sets = b.config.l1.ways = 1;
        open_unit_bench(&b, false);
        push_memory_insn(&b, 0, OP_LOAD, 0, 3);
        assert_true(next_taken(&b) == AT && b.outcome.cache.result == L1_MISS);
        for (unsigned i = 1; i <= 2; i++) {
            assert_true(next_taken(&b) == AT + 2 * i);
            assert_true(b.outcome.cache.result == L1_BYPASS);
            assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], i);
        }
    }
}

/* One MSHR: of any line. One access an MSHR: of the same line. */
TEST(only_bypassing_on_all_stalls_passes_full_mshrs) {
    for (unsigned k = 0; k < 4; k++) {
        bool all = k & 1, merge = k & 2;
        CLOSED_BY(close_unit_bench)
        struct bench b = slot_bench(all ? MRPB_BYPASS_ALL : MRPB_BYPASS_ASSOCIATIVITY);
        b.config.l1.mshrs = merge ? 4 : 1;
        b.config.l1.mshr_merge = 1;
        open_unit_bench(&b, false);
        push_memory_insn(&b, 0, OP_LOAD, 0, 1);
        push_memory_insn(&b, 1, OP_LOAD, merge ? 0 : 1, 1);
        uint64_t first = next_taken(&b);
        while (!all && b.cycle < first + STALL) {
            assert_false(step_unit(&b)->cache_taken);
        }
        if (!all) {
            fill_sent_line(&b, 0);
        }
        assert_true(next_taken(&b) == first + (all ? 2 : STALL + 1));
        assert_true(b.outcome.cache.result == (all ? L1_BYPASS : merge ? L1_HIT : L1_MISS));
        assert_int_equal(b.unit.cache.stats.fails[merge ? L1_FAIL_MSHR_MERGE : L1_FAIL_MSHR_FULL],
                         all ? 1 : STALL);
    }
}

TEST(a_full_miss_queue_stalls_whatever_may_bypass) {
    CLOSED_BY(close_unit_bench) struct bench b = slot_bench(MRPB_BYPASS_ALL);
    b.config.l1.miss_queue = 1;
    b.config.l1.local_write = L1_WRITE_EVICT;
    open_unit_bench(&b, false);
    push_memory_insn(&b, 0, OP_LOAD, 0, 2);
    while (!step_unit(&b)->cache_taken) {}
    uint64_t first = b.cycle;
    while (b.cycle < first + STALL) {
        assert_false(step_unit(&b)->cache_taken);
    }
    drain_miss_queue(&b);
    assert_true(step_unit(&b)->cache_taken && b.outcome.cache.result == L1_MISS);
}

/* A read that may bypass and waits for the miss queue takes a line that came free meanwhile. */
TEST(a_slot_read_takes_a_line_that_came_free) {
    for (unsigned filled = 0; filled < 2; filled++) {
        CLOSED_BY(close_unit_bench) struct bench b = slot_bench(MRPB_BYPASS_ASSOCIATIVITY);
        b.config.l1.sets = b.config.l1.ways = b.config.l1.miss_queue = 1;
        b.config.l1.local_write = L1_WRITE_EVICT;
        open_unit_bench(&b, false);
        push_memory_insn(&b, 0, OP_LOAD, 0, 2);
        while (!step_unit(&b)->cache_taken) {}
        uint64_t first = b.cycle;
        while (b.cycle < first + STALL) {
            assert_false(step_unit(&b)->cache_taken);
        }
        assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], 1);
        if (filled) {
            fill_sent_line(&b, 0);
            assert_false(step_unit(&b)->cache_taken);
        }
        drain_miss_queue(&b);
        assert_true(step_unit(&b)->cache_taken);
        assert_int_equal(b.outcome.cache.result, filled ? L1_MISS : L1_BYPASS);
    }
}

/* A local write that takes a line, and an atomic: MRPB 3.4 speaks of reads. */
TEST(a_write_that_finds_no_line_waits) {
    CLOSED_BY(close_unit_bench) struct bench b = slot_bench(MRPB_BYPASS_ALL);
    struct insn store = {.op = OP_STORE, .space = SPACE_LOCAL, .width = 4, .dst = REG_NONE};
    b.config.l1.sets = b.config.l1.ways = 1;
    b.config.l1.write_miss = L1_WRITE_MISS_FETCH;
    open_unit_bench(&b, false);
    push_memory_insn(&b, 0, OP_LOAD, 0, 1);
    push_insn(&b, 0, store, 9 * LINE, 4, 32);
    uint64_t first = next_taken(&b);
    while (b.cycle < first + STALL) {
        assert_false(step_unit(&b)->cache_taken);
    }
    fill_sent_line(&b, 0);
    assert_true(next_taken(&b) == first + STALL + 1);
    assert_true(b.outcome.cache.result == L1_WRITE_DONE);
}

/* The L2 has the old data of a line that a write waits for here. */
TEST(a_read_never_bypasses_a_write_that_waits_in_its_lines_mshr) {
    CLOSED_BY(close_unit_bench) struct bench b = slot_bench(MRPB_BYPASS_ALL);
    struct insn store = {.op = OP_STORE, .space = SPACE_LOCAL, .width = 4, .dst = REG_NONE};
    struct insn load = {.op = OP_LOAD, .space = SPACE_LOCAL, .width = 4, .dst = 7};
    b.config.l1.local_write = L1_WRITE_BACK;
    b.config.l1.write_miss = L1_WRITE_MISS_FETCH;
    b.config.l1.mshr_merge = 1;
    open_unit_bench(&b, false);
    push_insn(&b, 0, store, 9 * LINE, 4, 32);
    push_insn(&b, 0, load, 9 * LINE, 4, 32);
    uint64_t first = next_taken(&b);
    while (b.cycle < first + STALL) {
        assert_false(step_unit(&b)->cache_taken);
    }
    fill_sent_line(&b, 9);
    assert_true(next_taken(&b) == first + STALL + 1);
    assert_int_equal(b.outcome.cache.result, L1_HIT);
}

/* The flag is the refused read's: what comes behind it is looked up without. */
TEST(the_access_behind_a_bypass_stalls_first) {
    CLOSED_BY(close_unit_bench) struct bench b = slot_bench(MRPB_BYPASS_ASSOCIATIVITY);
    b.config.l1.sets = 2;
    b.config.l1.ways = 1;
    open_unit_bench(&b, false);
    push_memory_insn(&b, 0, OP_LOAD, 0, 1);
    push_memory_insn(&b, 1, OP_LOAD, 2, 1); /* the same set */
    push_memory_insn(&b, 2, OP_LOAD, 1, 1); /* the other */
    assert_true(next_taken(&b) == AT && b.outcome.cache.result == L1_MISS);
    assert_true(next_taken(&b) == AT + 2 && b.outcome.cache.result == L1_BYPASS);
    assert_true(next_taken(&b) == AT + 3 && b.outcome.cache.result == L1_MISS);
}

TEST(a_slot_without_bypassing_is_the_baseline) {
    CLOSED_BY(close_unit_bench) struct bench b = slot_bench(MRPB_BYPASS_OFF);
    b.config.l1.sets = b.config.l1.ways = 1;
    open_unit_bench(&b, false);
    push_memory_insn(&b, 0, OP_LOAD, 0, 2);
    uint64_t first = next_taken(&b);
    while (b.cycle < first + STALL) {
        assert_false(step_unit(&b)->cache_taken);
    }
    assert_false(load_store_next(&b.unit, b.cycle) < NEVER); /* it sleeps */
    fill_sent_line(&b, 0);
    assert_true(next_taken(&b) == first + STALL + 1 && b.outcome.cache.result == L1_MISS);
}
