/* SPDX-License-Identifier: Apache-2.0
 *
 * Load/store unit with the MRPB between it and the cache.
 */
#include "l1/load_store_bench.h"

static void the_cache_sees_a_read_mrpb_latency_after_its_enqueue(void **state) {
    (void)state;
    for (unsigned latency = 3; latency <= 18; latency++) {
        struct bench b = {.config = preset()};
        b.config.mrpb.latency = latency;
        open_bench(&b, true);
        push(&b, 2, OP_LOAD, 50, 3);
        for (unsigned i = 0; i < 3; i++) {
            assert_true(next_taken(&b) == AT + i + latency);
            assert_true(b.outcome.cache_warp == 2 && b.outcome.cache_reg == 7);
        }
        close_bench(&b);
    }
}

/* It passes the stages of a read, and waits for none of the longer delays. */
static void a_write_is_not_stored_and_takes_five_cycles_at_most(void **state) {
    (void)state;
    for (unsigned latency = 3; latency <= 18; latency++) {
        struct bench b = {.config = preset()};
        b.config.mrpb.latency = latency;
        open_bench(&b, true);
        push(&b, 2, OP_STORE, 50, 1);
        assert_true(next_taken(&b) == AT + (latency < 5 ? latency : 5));
        assert_true(b.outcome.cache_result == L1_WRITE);
        assert_true(b.unit.stats.mrpb_writes == 1 && b.unit.stats.mrpb_reads == 0);
        close_bench(&b);
    }
}

/* MRPB 3.3: requests of one warp keep their order. */
static void a_write_never_overtakes_a_read_of_its_warp(void **state) {
    (void)state;
    struct bench b = {.config = preset()};
    open_bench(&b, true);
    push(&b, 2, OP_LOAD, 50, 4);
    push(&b, 2, OP_STORE, 50, 1);
    for (unsigned i = 0; i < 4; i++) {
        next_taken(&b);
        assert_true(b.outcome.cache_result == L1_MISS);
    }
    next_taken(&b);
    assert_true(b.outcome.cache_result == L1_WRITE);
    close_bench(&b);
}

static void the_slot_frees_when_the_last_access_is_queued(void **state) {
    (void)state;
    struct bench b = {.config = preset()};
    open_bench(&b, true);
    b.unit.slots = 2; /* two instructions fill the unit */
    push(&b, 2, OP_LOAD, 50, 4);
    push(&b, 3, OP_LOAD, 60, 1);
    while (b.cycle < AT + 3) {
        assert_false(load_store_can_take(&b.unit));
        step(&b);
    }
    assert_true(load_store_can_take(&b.unit)); /* though the cache has seen none of them */
    assert_int_equal(b.unit.unseen[2], 4);
    close_bench(&b);
}

/* A warp arrives at a barrier or fence only when the cache has seen its accesses. */
static void accesses_are_unseen_until_the_cache_takes_them(void **state) {
    (void)state;
    struct bench b = {.config = preset()};
    open_bench(&b, true);
    push(&b, 2, OP_LOAD, 50, 3);
    push(&b, 9, OP_STORE, 60, 1);
    for (unsigned left = 4; left > 0; left--) {
        assert_int_equal(b.unit.unseen[2] + b.unit.unseen[9], left);
        assert_false(load_store_idle(&b.unit));
        next_taken(&b);
    }
    assert_int_equal(b.unit.unseen[2] + b.unit.unseen[9], 0);
    assert_true(load_store_idle(&b.unit));
    close_bench(&b);
}

/* MRPB 3.4: one cycle of associativity stall, then the read bypasses. */
static void a_read_bypasses_after_one_associativity_stall(void **state) {
    (void)state;
    struct bench b = {.config = preset()};
    b.config.l1.sets = b.config.l1.ways = 1;
    open_bench(&b, true);
    push(&b, 0, OP_LOAD, 0, 3);
    uint64_t first = next_taken(&b);
    assert_true(first == AT + b.config.mrpb.latency && b.outcome.cache_result == L1_MISS);
    for (unsigned i = 1; i <= 2; i++) {
        assert_true(next_taken(&b) == first + 2 * i);
        assert_true(b.outcome.cache_result == L1_BYPASS);
        assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], i);
    }
    close_bench(&b);
}

static void a_stall_for_another_cause_does_not_bypass(void **state) {
    (void)state;
    enum { STALL = 50 };
    struct bench b = {.config = preset()};
    b.config.l1.sets = 4;
    b.config.l1.mshrs = 1;
    open_bench(&b, true);
    push(&b, 0, OP_LOAD, 0, 2);
    uint64_t first = next_taken(&b);
    while (b.cycle < first + STALL) {
        assert_false(step(&b)->cache_taken);
    }
    fill(&b, 0);
    assert_true(next_taken(&b) == first + STALL + 1);
    assert_true(b.outcome.cache_result == L1_MISS);
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_MSHR_FULL], STALL);
    close_bench(&b);
}

static void without_bypassing_an_associativity_stall_lasts_until_the_fill(void **state) {
    (void)state;
    enum { STALL = 50 };
    struct bench b = {.config = preset()};
    b.config.l1.sets = b.config.l1.ways = 1;
    b.config.mrpb.bypass = MRPB_BYPASS_OFF;
    open_bench(&b, true);
    push(&b, 0, OP_LOAD, 0, 2);
    uint64_t first = next_taken(&b);
    while (b.cycle < first + STALL) {
        assert_false(step(&b)->cache_taken);
    }
    fill(&b, 0);
    assert_true(next_taken(&b) == first + STALL + 1);
    assert_true(b.outcome.cache_result == L1_MISS);
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], STALL);
    close_bench(&b);
}

static void shared_memory_passes_the_mrpb_by(void **state) {
    (void)state;
    struct bench b = {.config = preset()};
    open_bench(&b, true);
    push_shared(&b, 1, OP_LOAD, 1);
    while (!step(&b)->shared_taken) {
        assert_true(b.cycle < AT);
    }
    assert_true(b.cycle == AT);
    assert_int_equal(b.unit.stats.mrpb_reads, 0);
    close_bench(&b);
}

static void a_load_without_a_register_has_none_behind_the_mrpb(void **state) {
    (void)state;
    for (unsigned mrpb = 0; mrpb < 2; mrpb++) {
        struct bench b = {.config = preset()};
        struct insn insn = {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .dst = REG_NONE};
        open_bench(&b, mrpb);
        push_insn(&b, 1, insn, 0, 4, 32);
        next_taken(&b);
        assert_true(b.outcome.cache_reg >= REG_COUNT);
        close_bench(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cache_sees_a_read_mrpb_latency_after_its_enqueue),
        cmocka_unit_test(a_write_is_not_stored_and_takes_five_cycles_at_most),
        cmocka_unit_test(a_write_never_overtakes_a_read_of_its_warp),
        cmocka_unit_test(the_slot_frees_when_the_last_access_is_queued),
        cmocka_unit_test(accesses_are_unseen_until_the_cache_takes_them),
        cmocka_unit_test(a_read_bypasses_after_one_associativity_stall),
        cmocka_unit_test(a_stall_for_another_cause_does_not_bypass),
        cmocka_unit_test(without_bypassing_an_associativity_stall_lasts_until_the_fill),
        cmocka_unit_test(shared_memory_passes_the_mrpb_by),
        cmocka_unit_test(a_load_without_a_register_has_none_behind_the_mrpb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
