/* SPDX-License-Identifier: Apache-2.0
 *
 * Load/store unit: head-of-line blocking, exact retry counts, shared memory, sleeping.
 */
#include "l1/load_store_bench.h"

TEST(accesses_go_one_a_cycle_from_operand_latency_on) {
    enum { LINES = 5 };
    BENCH(b, base_preset(), false);
    assert_int_equal(push_memory_insn(&b, 2, OP_LOAD, 50, LINES), LINES);
    for (unsigned i = 0; i < LINES; i++) {
        assert_true(next_taken(&b) == START + b.config.core.operand_latency + i);
        assert_true(b.outcome.cache.result == L1_MISS && b.outcome.cache.warp == 2 &&
                    b.outcome.cache.reg == 7);
    }
    assert_true(load_store_idle(&b.unit));
}

TEST(the_next_instruction_follows_in_the_next_cycle) {
    BENCH(b, base_preset(), false);
    b.unit.slots = 2; /* two instructions fill the unit */
    push_memory_insn(&b, 0, OP_LOAD, 0, 2);
    push_memory_insn(&b, 1, OP_STORE, 8, 1);
    assert_false(load_store_can_take(&b.unit));
    assert_true(next_taken(&b) == AT && next_taken(&b) == AT + 1);
    assert_true(load_store_can_take(&b.unit));
    assert_true(next_taken(&b) == AT + 2);
    assert_true(b.outcome.cache.result == L1_WRITE && b.outcome.cache.warp == 1);
}

/* MRPB 2.1: the request is tried again every cycle; the memory stage is stalled. */
TEST(a_refused_access_blocks_a_hit_of_another_warp) {
    enum { STALL = 37 };
    CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
    b.config.l1.sets = 2;
    b.config.l1.ways = 1;
    open_unit_bench(&b, false);
    push_memory_insn(&b, 0, OP_LOAD, 1, 1);
    next_taken(&b);
    drain_miss_queue(&b);
    fill_sent_line(&b, 1); /* line 1 is in set 1 */
    push_memory_insn(&b, 0, OP_LOAD, 0, 1);
    uint64_t first = next_taken(&b);
    push_memory_insn(&b, 1, OP_LOAD, 2, 1); /* set 0 again: its only line is reserved */
    push_memory_insn(&b, 2, OP_LOAD, 1, 1); /* would hit */
    uint64_t refused = first + b.config.core.operand_latency;
    while (b.cycle < refused + STALL - 1) {
        assert_false(step_unit(&b)->cache_taken);
    }
    fill_sent_line(&b, 0);
    assert_true(next_taken(&b) == refused + STALL);
    assert_true(b.outcome.cache.warp == 1 && b.outcome.cache.result == L1_MISS);
    assert_true(next_taken(&b) == refused + STALL + 1);
    assert_true(b.outcome.cache.warp == 2 && b.outcome.cache.result == L1_HIT);
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], STALL);
}

/* Each cause, with the cycle that the access is first offered in and the one that it is taken in.
 */
static void retries_of(enum l1_result cause, unsigned stall, bool every_cycle) {
    struct bench b = {.config = base_preset()};
    b.config.l1.sets = 2;
    b.config.l1.ways = cause == L1_FAIL_ASSOCIATIVITY ? 1 : 4;
    b.config.l1.mshrs = cause == L1_FAIL_MSHR_FULL ? 1 : 8;
    b.config.l1.mshr_merge = 1;
    b.config.l1.miss_queue = 1;
    b.config.l1.local_write = L1_WRITE_EVICT;
    open_unit_bench(&b, false);
    push_memory_insn(&b, 0, OP_LOAD, 0, 1);
    while (!step_unit(&b)->cache_taken) {}
    if (cause != L1_FAIL_MISS_QUEUE) {
        b.cycle++;
        drain_miss_queue(&b);
    }
    push_memory_insn(&b, 1, OP_LOAD, cause == L1_FAIL_MSHR_MERGE ? 0 : 2, 1);
    uint64_t first = b.cycle + b.config.core.operand_latency, freed = first + stall,
             next = b.cycle + 1;
    bool taken = false;
    while (!taken) {
        b.cycle++;
        if (b.cycle ==
            freed) { /* something changes; what it frees can be used in this very cycle */
            if (cause == L1_FAIL_MISS_QUEUE) {
                ring_pop(&b.unit.cache.miss_queue, b.cycle - 1);
                load_store_retry(&b.unit);
            } else {
                fill_sent_line(&b, 0);
            }
        } else if (every_cycle) {
            load_store_retry(&b.unit);
        } else if (b.cycle < next) {
            continue;
        }
        load_store_cycle(&b.unit, &(struct now){b.cycle, b.cycle, 1}, &b.outcome);
        next = load_store_next(&b.unit, b.cycle);
        taken = b.outcome.cache_taken;
        assert_true(b.cycle <= freed);
    }
    assert_true(b.cycle == freed);
    for (unsigned i = L1_FAILS; i < L1_RESULTS; i++) {
        assert_int_equal(b.unit.cache.stats.fails[i], i == cause ? stall : 0);
    }
    close_unit_bench(&b);
}

TEST(each_cycle_of_a_stall_counts_once_for_its_cause) {
    static const unsigned stalls[] = {0, 1, 2, 99};
    for (unsigned cause = L1_FAILS; cause < L1_RESULTS; cause++) {
        for (unsigned i = 0; i < 4; i++) {
            retries_of(cause, stalls[i], true);
            retries_of(cause, stalls[i], false);
        }
    }
}

TEST(a_stall_that_still_lasts_is_counted_when_statistics_are_read) {
    enum { STALL = 1000 };
    CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
    b.config.l1.sets = b.config.l1.ways = 1;
    open_unit_bench(&b, false);
    push_memory_insn(&b, 0, OP_LOAD, 0, 2);
    next_taken(&b);
    step_unit(&b); /* the first refusal, in this cycle */
    load_store_settle(&b.unit, b.cycle + STALL);
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], STALL);
    load_store_settle(&b.unit, b.cycle + STALL);
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], STALL);
}

TEST(shared_memory_is_busy_for_its_conflicts) {
    for (unsigned conflicts = 1; conflicts <= 32; conflicts += 31) {
        BENCH(b, base_preset(), false);
        assert_int_equal(push_shared(&b, 3, OP_LOAD, conflicts), 1);
        push_memory_insn(&b, 4, OP_LOAD, 0, 1);
        while (!step_unit(&b)->shared_taken) {
            assert_true(b.cycle < AT);
        }
        assert_true(b.cycle == AT);
        assert_true(b.outcome.shared_warp == 3 && b.outcome.shared_reg == 7 &&
                    !b.outcome.shared_write);
        assert_true(b.outcome.shared_ready_at == AT + conflicts - 1 + b.config.core.shared_latency);
        assert_true(next_taken(&b) == AT + conflicts);
        assert_int_equal(b.unit.stats.shared_conflict_cycles, conflicts - 1);
    }
}

/* The hash of the instruction at @pc, as the request of an access of @space bears it. */
static unsigned pc_of(const char *kernel, uint32_t pc, unsigned space) {
    BENCH(b, base_preset(), false);
    load_store_kernel(&b.unit, kernel, 0);
    struct insn insn = {.op = OP_LOAD, .space = (uint8_t)space, .width = 4, .dst = 7, .pc = pc};
    push_insn(&b, 3, insn, 5 * LINE, 0, 32);
    struct ring *out = space == SPACE_TEXTURE ? &b.unit.texture.requests : &b.unit.cache.miss_queue;
    while (!ring_head(out, b.cycle)) {
        step_unit(&b);
    }
    unsigned hash = ring_front(out)->request.pc;
    return hash;
}

TEST(a_request_bears_its_kernel_and_its_instruction) {
    unsigned hash = pc_of("first", 40, SPACE_GLOBAL);
    assert_true(hash == pc_of("first", 40, SPACE_GLOBAL)); /* of another launch */
    assert_true(hash == pc_of("first", 40, SPACE_TEXTURE));
    assert_true(hash != pc_of("first", 48, SPACE_GLOBAL) &&
                hash != pc_of("second", 40, SPACE_GLOBAL) && hash);
}

/* In the low bits, which number the entry of a table, too: of 64 instructions in 64 entries 1 - 1/e
 * find one that is free, 40. */
TEST(instructions_in_a_row_spread_over_a_table) {
    uint64_t used = 0;
    for (unsigned i = 0; i < 64; i++) {
        used |= UINT64_C(1) << (pc_of("kernel", 8 * i, SPACE_GLOBAL) & 63);
    }
    assert_in_range(__builtin_popcountll(used), 30, 64);
}
