/* SPDX-License-Identifier: Apache-2.0
 *
 * Load/store unit whose warps may go round the L1 (MDB, DAC 2016, section 2.2).
 */
#include "l1/load_store_bench.h"
#include "l1/mdb.h"

static struct mdb *mdb_of_unit(const struct bench *b) {
    return l1_policies_state(b->unit.front.policies, "mdb");
}

/* The first warp uses the L1, the others go round it. */
static struct config config_of_one(unsigned front_latency) {
    struct config c = base_preset();
    c.mdb.bypass = MDB_BYPASS_LIMIT;
    c.mdb.limit = 1;
    c.l1.front_latency = front_latency;
    return c;
}

TEST(mdb2_a_read_goes_round_though_its_line_is_there) {
    for (unsigned latency = 0; latency < 5; latency += 4) {
        BENCH(b, config_of_one(latency), false);
        push_memory_insn(&b, 0, OP_LOAD, 9, 1);
        next_taken(&b);
        assert_true(b.outcome.cache.result == L1_MISS);
        fill_sent_line(&b, 9);
        push_memory_insn(&b, 1, OP_LOAD, 9, 1);
        next_taken(&b);
        assert_true(b.outcome.cache.result == L1_BYPASS);
        push_memory_insn(&b, 0, OP_LOAD, 9, 1);
        next_taken(&b);
        assert_true(b.outcome.cache.result == L1_HIT);
        assert_int_equal(b.unit.cache.stats.space[0].read_bypasses, 1);
    }
}

/* No line, no MSHR, only the miss queue; in the MRPB's order behind it. */
TEST(mdb2_a_read_that_goes_round_needs_the_miss_queue_alone) {
    for (unsigned mrpb = 0; mrpb < 2; mrpb++) {
        CLOSED_BY(close_unit_bench) struct bench b = {.config = config_of_one(0)};
        b.config.l1.sets = b.config.l1.ways = b.config.l1.mshrs = 1;
        open_unit_bench(&b, mrpb);
        push_memory_insn(&b, 0, OP_LOAD, 1, 1);
        next_taken(&b);
        push_memory_insn(&b, 1, OP_LOAD, 2, 3);
        for (unsigned i = 0; i < 3; i++) {
            next_taken(&b);
            assert_true(b.outcome.cache.result == L1_BYPASS);
        }
        for (unsigned i = L1_FAILS; i < L1_RESULTS; i++) {
            assert_int_equal(b.unit.cache.stats.fails[i], 0);
        }
    }
}

/* Under every write policy, no older copy may stay. */
TEST(mdb2_a_write_that_goes_round_evicts_its_line) {
    static const unsigned policies[] = {L1_WRITE_EVICT, L1_WRITE_THROUGH};
    for (unsigned k = 0; k < 2; k++) {
        CLOSED_BY(close_unit_bench) struct bench b = {.config = config_of_one(0)};
        b.config.l1.global_write = policies[k];
        open_unit_bench(&b, false);
        push_memory_insn(&b, 0, OP_LOAD, 9, 1);
        next_taken(&b);
        fill_sent_line(&b, 9);
        push_memory_insn(&b, 1, OP_STORE, 9, 1);
        next_taken(&b);
        assert_true(b.outcome.cache.result == L1_WRITE);
        push_memory_insn(&b, 0, OP_LOAD, 9, 1);
        next_taken(&b);
        assert_true(b.outcome.cache.result == L1_MISS);
    }
}

TEST(local_memory_and_atomics_do_not_go_round) {
    BENCH(b, config_of_one(0), false);
    struct insn local = {.op = OP_LOAD, .space = SPACE_LOCAL, .width = 4, .dst = 7};
    push_insn(&b, 1, local, 0, LINE, 1);
    next_taken(&b);
    assert_true(b.outcome.cache.result == L1_MISS);
    push_memory_insn(&b, 1, OP_ATOMIC, 3, 1);
    next_taken(&b);
    assert_true(b.outcome.cache.result == L1_ATOMIC);
}

/* Decided when the access is first shown to the L1, and kept while that refuses it. */
TEST(mdb6_a_refused_access_keeps_its_way) {
    CLOSED_BY(close_unit_bench) struct bench b = {.config = config_of_one(0)};
    b.config.l1.miss_queue = 1;
    b.config.l1.local_write = L1_WRITE_EVICT;
    open_unit_bench(&b, false);
    push_memory_insn(&b, 1, OP_LOAD, 2, 2);
    while (!step_unit(&b)->cache_taken) {}
    assert_false(step_unit(&b)->cache_taken);
    assert_true(b.unit.front.refusal.cause == L1_FAIL_MISS_QUEUE);
    mdb_of_unit(&b)->fixed.limit = MDB_NUMBERS_MAX; /* now all use the L1 */
    drain_miss_queue(&b);
    next_taken(&b);
    assert_true(b.outcome.cache.result == L1_BYPASS);
    push_memory_insn(&b, 1, OP_LOAD, 3, 1);
    next_taken(&b);
    assert_true(b.outcome.cache.result == L1_MISS);
}

/* A limit holds for accesses that are first shown when it stands, those of one instruction too. */
TEST(mdb6_an_interval_ends_within_an_instruction) {
    enum { INTERVAL = 24, LINES = 32, INSNS = 3 };
    CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
    b.config.mdb.bypass = MDB_BYPASS_LOCAL;
    b.config.mdb.interval = INTERVAL;
    b.config.l1.mshrs = 256;
    b.config.l1.ways = 8;
    b.config.l1.miss_queue = 1;
    b.config.l1.local_write = L1_WRITE_EVICT;
    open_unit_bench(&b, false);
    uint64_t found = UINT64_MAX, shown = 0;
    unsigned taken = 0, bypasses = 0;
    for (unsigned i = 0; i < INSNS; i++) {
        push_memory_insn(&b, 1, OP_LOAD, 1 + LINES * i, LINES);
        for (unsigned left = LINES; left;) {
            bool got = step_unit(&b)->cache_taken;
            if (b.cycle % 4 == 0) { /* so that accesses are refused */
                drain_miss_queue(&b);
            }
            if (!got) {
                continue;
            }
            left--;
            bool last = ++taken == INTERVAL; /* no hits and failures: one warp alone is best */
            found = last ? b.cycle + BPG_LATENCY(BPG_CALCULATORS_MAX) : found;
            assert_int_equal(b.outcome.cache.result == L1_BYPASS, shown >= found);
            bypasses += b.outcome.cache.result == L1_BYPASS;
            shown = left ? b.cycle + 1 : shown;
        }
        shown = b.cycle + 1 + b.config.core.operand_latency;
    }
    assert_true(bypasses % LINES); /* some of one instruction */
    assert_true(mdb_of_unit(&b)->generator->stats.limits[0] > 0);
}
