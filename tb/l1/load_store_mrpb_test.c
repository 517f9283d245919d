/* SPDX-License-Identifier: Apache-2.0
 *
 * Load/store unit with the MRPB between it and the cache.
 */
#include "l1/front_mrpb.h"
#include "l1/load_store_bench.h"

TEST(the_cache_sees_a_read_mrpb_latency_after_its_enqueue) {
    for (unsigned latency = 3; latency <= 18; latency++) {
        CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
        b.config.mrpb.latency = latency;
        open_unit_bench(&b, true);
        push_memory_insn(&b, 2, OP_LOAD, 50, 3);
        for (unsigned i = 0; i < 3; i++) {
            assert_true(next_taken(&b) == AT + i + latency);
            assert_true(b.outcome.cache.warp == 2 && b.outcome.cache.reg == 7);
        }
    }
}

/* It passes the stages of a read, and waits for none of the longer delays. */
TEST(a_write_is_not_stored_and_takes_five_cycles_at_most) {
    for (unsigned latency = 3; latency <= 18; latency++) {
        CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
        b.config.mrpb.latency = latency;
        open_unit_bench(&b, true);
        push_memory_insn(&b, 2, OP_STORE, 50, 1);
        assert_true(next_taken(&b) == AT + (latency < 5 ? latency : 5));
        assert_true(b.outcome.cache.result == L1_WRITE);
        assert_true(unit_counter(&b, "mrpb.writes") == 1 && unit_counter(&b, "mrpb.reads") == 0);
    }
}

/* MRPB 3.3: requests of one warp keep their order. */
TEST(a_write_never_overtakes_a_read_of_its_warp) {
    BENCH(b, base_preset(), true);
    push_memory_insn(&b, 2, OP_LOAD, 50, 4);
    push_memory_insn(&b, 2, OP_STORE, 50, 1);
    for (unsigned i = 0; i < 4; i++) {
        next_taken(&b);
        assert_true(b.outcome.cache.result == L1_MISS);
    }
    next_taken(&b);
    assert_true(b.outcome.cache.result == L1_WRITE);
}

TEST(the_slot_frees_when_the_last_access_is_queued) {
    BENCH(b, base_preset(), true);
    b.unit.slots = 2; /* two instructions fill the unit */
    push_memory_insn(&b, 2, OP_LOAD, 50, 4);
    push_memory_insn(&b, 3, OP_LOAD, 60, 1);
    while (b.cycle < AT + 3) {
        assert_false(load_store_can_take(&b.unit));
        step_unit(&b);
    }
    assert_true(load_store_can_take(&b.unit)); /* though the cache has seen none of them */
    assert_int_equal(b.unit.unseen[2], 4);
}

/* A warp arrives at a barrier or fence only when the cache has seen its accesses. */
TEST(accesses_are_unseen_until_the_cache_takes_them) {
    BENCH(b, base_preset(), true);
    push_memory_insn(&b, 2, OP_LOAD, 50, 3);
    push_memory_insn(&b, 9, OP_STORE, 60, 1);
    for (unsigned left = 4; left > 0; left--) {
        assert_int_equal(b.unit.unseen[2] + b.unit.unseen[9], left);
        assert_false(load_store_idle(&b.unit));
        next_taken(&b);
    }
    assert_int_equal(b.unit.unseen[2] + b.unit.unseen[9], 0);
    assert_true(load_store_idle(&b.unit));
}

/* MRPB 3.4: one cycle of associativity stall, then the read bypasses. */
TEST(a_read_bypasses_after_one_associativity_stall) {
    CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
    b.config.l1.sets = b.config.l1.ways = 1;
    open_unit_bench(&b, true);
    push_memory_insn(&b, 0, OP_LOAD, 0, 3);
    uint64_t first = next_taken(&b);
    assert_true(first == AT + b.config.mrpb.latency && b.outcome.cache.result == L1_MISS);
    for (unsigned i = 1; i <= 2; i++) {
        assert_true(next_taken(&b) == first + 2 * i);
        assert_true(b.outcome.cache.result == L1_BYPASS);
        assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], i);
    }
}

TEST(a_stall_for_another_cause_does_not_bypass) {
    enum { STALL = 50 };
    CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
    b.config.l1.sets = 4;
    b.config.l1.mshrs = 1;
    open_unit_bench(&b, true);
    push_memory_insn(&b, 0, OP_LOAD, 0, 2);
    uint64_t first = next_taken(&b);
    while (b.cycle < first + STALL) {
        assert_false(step_unit(&b)->cache_taken);
    }
    fill_sent_line(&b, 0);
    assert_true(next_taken(&b) == first + STALL + 1);
    assert_true(b.outcome.cache.result == L1_MISS);
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_MSHR_FULL], STALL);
}

TEST(without_bypassing_an_associativity_stall_lasts_until_the_fill) {
    enum { STALL = 50 };
    CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
    b.config.l1.sets = b.config.l1.ways = 1;
    b.config.mrpb.bypass = MRPB_BYPASS_OFF;
    open_unit_bench(&b, true);
    push_memory_insn(&b, 0, OP_LOAD, 0, 2);
    uint64_t first = next_taken(&b);
    while (b.cycle < first + STALL) {
        assert_false(step_unit(&b)->cache_taken);
    }
    fill_sent_line(&b, 0);
    assert_true(next_taken(&b) == first + STALL + 1);
    assert_true(b.outcome.cache.result == L1_MISS);
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], STALL);
}

TEST(shared_memory_passes_the_mrpb_by) {
    BENCH(b, base_preset(), true);
    push_shared(&b, 1, OP_LOAD, 1);
    while (!step_unit(&b)->shared_taken) {
        assert_true(b.cycle < AT);
    }
    assert_true(b.cycle == AT);
    assert_int_equal(unit_counter(&b, "mrpb.reads"), 0);
}

TEST(a_load_without_a_register_has_none_behind_the_mrpb) {
    for (unsigned mrpb = 0; mrpb < 2; mrpb++) {
        CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
        struct insn insn = {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .dst = REG_NONE};
        open_unit_bench(&b, mrpb);
        push_insn(&b, 1, insn, 0, 4, 32);
        next_taken(&b);
        assert_true(b.outcome.cache.reg >= REG_COUNT);
    }
}

/* --- signatures --- */

/* Warps of CTA slot 0 and 1, of four warps each. */
static void two_ctas(struct bench *b) {
    for (unsigned w = 0; w < 8; w++) {
        load_store_warp(&b->unit, w, 10 + w / 4, w / 4, w % 4, 0);
    }
}

/*
 * MRPB 3.2: four warps' reads are queued behind five of warp 0, of which the cache has taken one,
 * one stands before it and three have been chosen; then it takes a read at each fill. In fixed
 * order of their queues.
 */
TEST(queues_are_of_warps_in_block_warps_or_blocks) {
    enum { AHEAD = 5, PUSHED = 4 };
    static const unsigned pushed[PUSHED] = {6, 5, 2, 1};
    static const struct {
        unsigned signature, order[PUSHED];
    } rows[] = {
        {MRPB_SIGNATURE_WARP, {1, 2, 5, 6}},
        {MRPB_SIGNATURE_IN_BLOCK_WARP, {5, 1, 6, 2}}, /* 5 and 1 are number 1 of their CTAs */
        {MRPB_SIGNATURE_BLOCK, {2, 1, 6, 5}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
        b.config.mrpb.signature = rows[k].signature;
        b.config.l1.mshrs = 1;
        b.config.core.operand_latency = 8; /* room for the instructions */
        open_unit_bench(&b, true);
        two_ctas(&b);
        push_memory_insn(&b, 0, OP_LOAD, 0, AHEAD);
        for (unsigned i = 0; i < PUSHED; i++) {
            push_memory_insn(&b, pushed[i], OP_LOAD, 100 + pushed[i], 1);
        }
        next_taken(&b);
        for (unsigned i = 0; i < 30; i++) {
            assert_false(step_unit(&b)->cache_taken);
        }
        uint64_t line = 0;
        for (unsigned i = 1; i < AHEAD + PUSHED; i++) {
            fill_sent_line(&b, line);
            next_taken(&b);
            assert_int_equal(b.outcome.cache.warp, i < AHEAD ? 0 : rows[k].order[i - AHEAD]);
            line = i < AHEAD ? i : 100u + b.outcome.cache.warp;
        }
    }
}

TEST(requests_come_out_of_the_mrpb_as_they_went_in) {
    static const struct insn insns[] = {
        {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .dst = 7},
        {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .dst = 7, .uncached = 1},
        {.op = OP_LOAD, .space = SPACE_LOCAL, .width = 4, .dst = 254},
        {.op = OP_STORE, .space = SPACE_GLOBAL, .width = 4, .dst = REG_NONE},
        {.op = OP_STORE, .space = SPACE_GLOBAL, .width = 1, .dst = REG_NONE},
        {.op = OP_ATOMIC, .space = SPACE_GLOBAL, .width = 4, .dst = 3},
        {.op = OP_ATOMIC, .space = SPACE_GLOBAL, .width = 4, .dst = REG_NONE},
    };
    const uint64_t far = (UINT64_C(1) << FRONT_MRPB_LINE_BITS) - 1;
    for (unsigned k = 0; k < 3 * 2 * 2; k++) {
        for (size_t i = 0; i < sizeof insns / sizeof *insns; i++) {
            struct request r[2];
            for (unsigned mrpb = 0; mrpb < 2; mrpb++) {
                CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
                b.config.mrpb.signature = k % 3;
                b.config.mrpb.depth = k & 4 ? 0 : 2;
                b.config.mrpb.flush = k & 8 ? 0 : 1;
                open_unit_bench(&b, mrpb);
                two_ctas(&b);
                push_insn(&b, 6, insns[i], far * LINE, 4, k % 2 ? 32 : 9);
                while (!step_unit(&b)->cache_taken) {
                    assert_true(b.cycle < AT + 30);
                }
                assert_true(b.outcome.cache.warp == 6 && b.outcome.cache.reg == insns[i].dst);
                r[mrpb] = ring_front(&b.unit.cache.miss_queue)->request;
                r[mrpb].born = 0;
            }
            if (insns[i].op == OP_STORE) {
                assert_true(!r[1].words && !r[0].words == (insns[i].width == 1));
                r[0].words = r[1].words;
            }
            assert_memory_equal(&r[0], &r[1], sizeof r[0]);
        }
    }
}

TEST(an_address_that_no_header_holds_ends_the_run) {
    for (unsigned mrpb = 0; mrpb < 2; mrpb++) {
        BENCH(b, base_preset(), mrpb);
        push_memory_insn(&b, 0, OP_LOAD, UINT64_C(1) << FRONT_MRPB_LINE_BITS, 1);
        next_taken(&b);
        assert_int_equal(b.alarm.cause, mrpb ? ALARM_FAR_ADDRESS : ALARM_NONE);
    }
}

/* DAWS 3.2, figure 4: a hit is of the trip in which it was issued, however long it was queued. */
TEST(loop_trips_come_through_queues_of_any_depth) {
    enum { READS = 100 };
    static const unsigned depths[] = {0, 2, 64};
    for (unsigned k = 0; k < 3; k++) {
        CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
        b.config.mrpb.depth = depths[k];
        open_unit_bench(&b, true);
        load_store_marker(&b.unit, 3, OP_LOOP_BEGIN);
        push_memory_insn(&b, 3, OP_LOAD, 0, 1);
        next_taken(&b);
        fill_sent_line(&b, 0);
        for (unsigned trip = 0; trip < READS; trip++) { /* two a trip: of the last, of this one */
            load_store_marker(&b.unit, 3, OP_LOOP_ITERATION);
            push_memory_insn(&b, 3, OP_LOAD, 0, 1);
            push_memory_insn(&b, 3, OP_LOAD, 0, 1);
            next_taken(&b);
            next_taken(&b);
        }
        assert_int_equal(b.unit.cache.stats.reuse.hits_last_trip, READS);
        assert_int_equal(b.unit.cache.stats.reuse.hits_this_trip, READS);
    }
}

/* MRPB 5.2: "assuming unlimited queue lengths": the unit never waits for room. */
TEST(a_queue_without_bound_takes_an_access_a_cycle) {
    enum { INSNS = 40 };
    for (unsigned bounded = 0; bounded < 2; bounded++) {
        CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
        b.config.mrpb.depth = bounded ? 64 : 0;
        b.config.l1.mshrs = 1;
        open_unit_bench(&b, true);
        unsigned pushed = 0;
        while (b.cycle < AT + 32 * INSNS) {
            if (pushed < INSNS && load_store_can_take(&b.unit)) {
                push_memory_insn(&b, 1, OP_LOAD, 32 * pushed++, 32);
            }
            step_unit(&b);
            drain_miss_queue(&b);
        }
        assert_int_equal(unit_counter(&b, "mrpb.reads") == 32 * INSNS, !bounded);
        assert_int_equal(b.unit.count == 0, !bounded);
    }
}

/* MRPB 5.3: "each entry is still wide enough to hold either a read or a write request". */
TEST(without_flush_a_write_queues_like_a_read) {
    CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
    b.config.mrpb.flush = 0;
    open_unit_bench(&b, true);
    push_memory_insn(&b, 2, OP_STORE, 50, 1);
    push_memory_insn(&b, 2, OP_LOAD, 60, 1);
    assert_true(next_taken(&b) == AT + b.config.mrpb.latency);
    assert_int_equal(b.outcome.cache.result, L1_WRITE);
    assert_true(next_taken(&b) == AT + 1 + b.config.mrpb.latency);
    assert_int_equal(b.outcome.cache.result, L1_MISS);
}

/* MRPB 5.4, behind the queues. */
TEST(bypassing_on_all_stalls_passes_full_mshrs) {
    CLOSED_BY(close_unit_bench) struct bench b = {.config = base_preset()};
    b.config.l1.mshrs = 1;
    b.config.l1.mshr_merge = 1;
    b.config.mrpb.bypass = MRPB_BYPASS_ALL;
    open_unit_bench(&b, true);
    push_memory_insn(&b, 0, OP_LOAD, 0, 2);
    push_memory_insn(&b, 1, OP_LOAD, 0, 1);
    uint64_t first = next_taken(&b);
    assert_true(next_taken(&b) == first + 2 && b.outcome.cache.result == L1_BYPASS);
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_MSHR_FULL], 1);
    assert_true(next_taken(&b) == first + 4 && b.outcome.cache.result == L1_BYPASS);
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_MSHR_MERGE], 1);
}
