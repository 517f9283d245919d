/* SPDX-License-Identifier: Apache-2.0
 *
 * Load/store unit with l1.front_latency: the queue in front of the tags.
 */
#include "l1/load_store_bench.h"

static struct config config_with_queue(unsigned latency) {
    struct config c = base_preset();
    c.l1.front_latency = latency;
    return c;
}

TEST(accesses_reach_the_tags_front_latency_later_one_a_cycle) {
    static const unsigned latencies[] = {1, 2, 5, 35, 64};
    enum { LINES = 9 };
    for (unsigned k = 0; k < 5; k++) {
        BENCH(b, config_with_queue(latencies[k]), false);
        push_memory_insn(&b, 2, OP_LOAD, 50, LINES);
        for (unsigned i = 0; i < LINES; i++) {
            assert_true(next_taken(&b) == AT + latencies[k] + i);
            assert_true(b.outcome.cache.result == L1_MISS && b.outcome.cache.warp == 2);
        }
        assert_true(load_store_idle(&b.unit));
    }
}

TEST(an_instruction_whose_accesses_are_in_the_queue_has_left_the_unit) {
    BENCH(b, config_with_queue(8), false);
    push_memory_insn(&b, 0, OP_LOAD, 0, 2);
    while (b.unit.count) {
        assert_false(step_unit(&b)->cache_taken);
    }
    assert_true(b.cycle == AT + 1 && b.unit.unseen[0] == 2);
    assert_false(load_store_idle(&b.unit)); /* a barrier of the warp waits for them */
    assert_true(next_taken(&b) == AT + 8 && next_taken(&b) == AT + 9);
    assert_true(load_store_idle(&b.unit));
}

/* A refused access holds those behind it; the queue fills, and then the unit. */
TEST(a_refused_access_holds_the_queue_and_the_unit) {
    enum { LATENCY = 3, STALL = 40 };
    CLOSED_BY(close_unit_bench) struct bench b = {.config = config_with_queue(LATENCY)};
    b.config.l1.sets = 2;
    b.config.l1.ways = 1;
    open_unit_bench(&b, false);
    push_memory_insn(&b, 0, OP_LOAD, 1, 1);
    next_taken(&b);
    fill_sent_line(&b, 1);
    push_memory_insn(&b, 0, OP_LOAD, 0, 1);
    uint64_t first = next_taken(&b);
    push_memory_insn(&b, 1, OP_LOAD, 2, 1); /* set 0 again: its only line is reserved */
    push_memory_insn(&b, 2, OP_LOAD, 1, 1); /* hits, if its turn comes */
    push_memory_insn(&b, 3, OP_LOAD, 1, 1);
    push_memory_insn(&b, 4, OP_LOAD, 1, 1);
    uint64_t refused = first + b.config.core.operand_latency + LATENCY;
    while (b.cycle < refused + STALL - 1) {
        assert_false(step_unit(&b)->cache_taken);
    }
    assert_int_equal(b.unit.count, 1); /* LATENCY of the four are in the queue */
    assert_true(load_store_next(&b.unit, b.cycle) == NEVER);
    fill_sent_line(&b, 0);
    for (unsigned i = 0; i < 4; i++) {
        /* Warp 4 enters when warp 1 leaves, and has the way before it; the others stand near. */
        assert_true(next_taken(&b) == refused + STALL + i);
        assert_true(b.outcome.cache.warp == 1 + i &&
                    b.outcome.cache.result == (i ? L1_HIT : L1_MISS));
    }
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], STALL);
}
