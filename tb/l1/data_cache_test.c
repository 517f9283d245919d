/* SPDX-License-Identifier: Apache-2.0
 *
 * L1 data cache: what becomes of each access, and the order in which failures are looked for.
 */
#include "l1/data_cache_bench.h"

TEST(a_read_miss_takes_a_line_an_mshr_and_sends_a_line_request) {
    BENCH(b, 4, 2, 2, 2, 2);
    assert_int_equal(read_cache_line(&b, 9), L1_MISS);
    assert_int_equal(tag_reserved_count(&b.cache.tags), 1);
    assert_int_equal(b.cache.mshrs.free_count, 1);
    assert_true(ring_next(&b.cache.miss_queue) == SENT);
    struct request r = sent_by_cache(&b);
    assert_true(r.line == 9 && r.bytes == LINE && r.kind == REQUEST_READ && !r.bypasses);
    assert_true(r.born == NOW && r.warp == 3 && r.reg == 4 && r.core == 5);
}

TEST(a_read_of_a_line_under_way_merges_and_sends_nothing) {
    BENCH(b, 4, 2, 2, 3, 2);
    read_cache_line(&b, 9);
    struct request r = sent_by_cache(&b);
    STEPS(&b, {READ, 9, L1_PENDING_HIT}, {READ, 9, L1_PENDING_HIT});
    assert_int_equal(b.cache.miss_queue.count, 0);
    assert_int_equal(b.cache.mshrs.free_count, 1);
    assert_int_equal(fill_and_wake(&b, &r), 3);
}

/* l1.pending_hit = fetch: GPGPU-Sim 2.1.2b with its MSHRs as they are by default. */
static struct config refetching_config(unsigned mshrs) {
    struct config c = base_preset();
    c.l1.sets = 4;
    c.l1.ways = 1;
    c.l1.mshrs = mshrs;
    c.l1.pending_hit = L1_PENDING_FETCH;
    return c;
}

TEST(a_read_of_a_line_under_way_fetches_it_again_on_request) {
    BENCH_OF(b, refetching_config(3));
    read_cache_line(&b, 9);
    struct request first = sent_by_cache(&b);
    STEPS(&b, {READ, 9, L1_PENDING_HIT});
    struct request again = sent_by_cache(&b);
    assert_true(again.line == 9 && again.bytes == LINE && again.kind == REQUEST_READ);
    assert_int_equal(b.cache.mshrs.free_count, 1);
    assert_int_equal(tag_reserved_count(&b.cache.tags), 1);
    assert_true(l1_data_cache_sent(&b.cache) == 2 && b.cache.stats.refetches == 1);
    assert_int_equal(fill_and_wake(&b, &first), 1);
    STEPS(&b, {READ, 9, L1_HIT}, /* another line takes its place, and each finds its own data */
          {READ, 13, L1_MISS}, {READ, 9, L1_FAIL_ASSOCIATIVITY});
    assert_int_equal(fill_and_wake(&b, &again), 1);
    assert_int_equal(b.cache.mshrs.free_count, 2);
}

TEST(a_refetch_needs_an_mshr_and_joins_no_other) {
    BENCH_OF(b, refetching_config(2));
    STEPS(&b, {READ, 9, L1_MISS}, {READ, 9, L1_PENDING_HIT}, {READ, 9, L1_FAIL_MSHR_FULL});
    struct request first = sent_by_cache(&b);
    sent_by_cache(&b);
    fill_and_wake(&b, &first);
    STEPS(&b, {BRING, 13, L1_MISS}, /* evicts it */ {READ, 9, L1_MISS});
}

TEST(a_refetch_waits_where_a_store_has_written_the_line) {
    struct config c = refetching_config(4);
    c.l1.local_write = c.l1.global_write = L1_WRITE_BACK;
    BENCH_OF(b, c);
    STEPS(&b, {READ, 9, L1_MISS}, {WRITE, 9, L1_WRITE_DONE});
    STEPS(&b, {READ, 9, L1_PENDING_HIT}); /* it joins: its data are in the MSHR alone */
    assert_int_equal(b.cache.stats.refetches, 0);
}

TEST(a_filled_line_is_hit) {
    BENCH(b, 4, 2, 2, 2, 2);
    STEPS(&b, {BRING, 9, L1_MISS}, {READ, 9, L1_HIT});
    assert_int_equal(b.cache.miss_queue.count, 0);
    assert_int_equal(b.cache.mshrs.free_count, 2);
}

TEST(a_line_is_hit_while_its_mshr_still_wakes) {
    BENCH(b, 4, 2, 1, 2, 2);
    read_cache_line(&b, 9);
    read_cache_line(&b, 9);
    struct request r = sent_by_cache(&b);
    l1_data_cache_fill(&b.cache, &r);
    STEPS(&b, {READ, 9, L1_HIT}, {READ, 10, L1_FAIL_MSHR_FULL});
    assert_false(mshr_wake(&b.cache.mshrs));
    assert_true(mshr_wake(&b.cache.mshrs));
    assert_int_equal(read_cache_line(&b, 10), L1_MISS);
}

/* MRPB 2.1 and 3.4: all lines of the set wait for a fill. The documented order: line, MSHR, miss
 * queue. */
TEST(failures_are_looked_for_in_the_documented_order) {
    BENCH(b, 2, 1, 1, 1, 1);
    STEPS(&b, {READ, 0, L1_MISS},
          /* now the set, the MSHRs and the queue are full */ {READ, 2, L1_FAIL_ASSOCIATIVITY},
          {READ, 1, L1_FAIL_MSHR_FULL}, {READ, 0, L1_FAIL_MSHR_MERGE});
    struct request r = sent_by_cache(&b);
    fill_and_wake(&b, &r);
    STEPS(&b, {WRITE, 5, L1_WRITE}, /* only the queue is full */ {READ, 1, L1_FAIL_MISS_QUEUE},
          {WRITE, 1, L1_FAIL_MISS_QUEUE});
}

TEST(a_pending_hit_needs_no_place_in_the_miss_queue) {
    BENCH(b, 2, 1, 1, 2, 1);
    assert_int_equal(read_cache_line(&b, 0), L1_MISS);
    assert_int_equal(b.cache.miss_queue.count, 1);
    assert_int_equal(read_cache_line(&b, 0), L1_PENDING_HIT);
}

TEST(an_mshr_holds_its_miss_and_merge_less_one_more) {
    enum { MERGE = 5 };
    BENCH(b, 2, 1, 1, MERGE, 1);
    assert_int_equal(read_cache_line(&b, 0), L1_MISS);
    for (unsigned i = 1; i < MERGE; i++) {
        assert_int_equal(read_cache_line(&b, 0), L1_PENDING_HIT);
    }
    assert_int_equal(read_cache_line(&b, 0), L1_FAIL_MSHR_MERGE);
}

TEST(a_refused_access_changes_nothing) {
    BENCH(b, 2, 1, 1, 1, 1);
    bring_cache_line(&b, 3);
    read_cache_line(&b, 0);
    struct l1_stats stats = b.cache.stats;
    unsigned free_mshrs = b.cache.mshrs.free_count, queued = b.cache.miss_queue.count;
    read_cache_line(&b, 2);
    read_cache_line(&b, 1);
    read_cache_line(&b, 0);
    write_cache_line(&b, 3);
    assert_memory_equal(&stats, &b.cache.stats, sizeof stats);
    assert_int_equal(b.cache.mshrs.free_count, free_mshrs);
    assert_int_equal(b.cache.miss_queue.count, queued);
    assert_int_equal(read_cache_line(&b, 3), L1_HIT); /* the refused write did not evict it */
}

TEST(room_of_the_miss_queue_is_used_a_time_later) {
    BENCH(b, 4, 1, 4, 1, 1);
    read_cache_line(&b, 0);
    ring_pop(&b.cache.miss_queue, b.now);
    assert_int_equal(read_cache_line(&b, 1), L1_FAIL_MISS_QUEUE);
    b.now++;
    assert_int_equal(read_cache_line(&b, 1), L1_MISS);
}

TEST(a_write_evicts_its_line_and_takes_none) {
    BENCH(b, 4, 2, 2, 2, 4);
    STEPS(&b, {BRING, 9, L1_MISS}, {WRITE, 9, L1_WRITE});
    assert_int_equal(b.cache.stats.write_evicts, 1);
    assert_int_equal(b.cache.mshrs.free_count, 2);
    assert_int_equal(tag_reserved_count(&b.cache.tags), 0);
    STEPS(&b, {READ, 9, L1_MISS}, {WRITE, 10, L1_WRITE});
    assert_int_equal(b.cache.stats.write_evicts, 1);
}

TEST(a_write_leaves_a_fill_under_way_alone) {
    BENCH(b, 4, 1, 2, 2, 4);
    read_cache_line(&b, 9);
    struct request r = sent_by_cache(&b);
    assert_int_equal(write_cache_line(&b, 9), L1_WRITE);
    assert_int_equal(b.cache.stats.write_evicts, 0);
    assert_int_equal(fill_and_wake(&b, &r), 1);
    assert_int_equal(read_cache_line(&b, 9), L1_HIT);
}

TEST(a_write_passes_a_set_whose_lines_are_all_reserved) {
    BENCH(b, 1, 1, 1, 1, 2);
    read_cache_line(&b, 0);
    assert_int_equal(write_cache_line(&b, 1), L1_WRITE);
}

TEST(a_write_carries_its_segment) {
    for (uint8_t sectors = 1; sectors < 16; sectors++) {
        BENCH(b, 4, 1, 1, 1, 1);
        access_line(&b, 9, true, false, sectors);
        struct request r = sent_by_cache(&b);
        assert_int_equal(r.bytes, segment_bytes(sectors));
        assert_int_equal(r.kind, REQUEST_WRITE);
    }
}

/* MRPB 3.4: such reads go to memory, their data to the registers, and the cache is not filled. */
TEST(a_bypass_passes_a_full_set_and_full_mshrs) {
    BENCH(b, 1, 1, 1, 1, 2);
    read_cache_line(&b, 0);
    STEPS(&b, {READ, 1, L1_FAIL_ASSOCIATIVITY}, {BYPASS, 1, L1_BYPASS});
    assert_int_equal(tag_reserved_count(&b.cache.tags), 1);
    sent_by_cache(&b);
    struct request r = sent_by_cache(&b);
    assert_true(r.line == 1 && r.bypasses && r.kind == REQUEST_READ);
}

TEST(a_bypass_needs_a_place_in_the_miss_queue) {
    BENCH(b, 1, 1, 1, 1, 1);
    read_cache_line(&b, 0);
    assert_int_equal(bypass_line(&b, 1), L1_FAIL_MISS_QUEUE);
}

TEST(a_read_that_may_bypass_is_looked_up_first_and_takes_a_line_where_there_is_one) {
    BENCH(b, 4, 1, 3, 2, 4);
    STEPS(&b, {BRING, 8, L1_MISS}, {BYPASS, 8, L1_HIT});
    read_cache_line(&b, 9);
    STEPS(&b, {BYPASS, 9, L1_PENDING_HIT}, {BYPASS, 10, L1_MISS});
    assert_int_equal(b.cache.stats.space[0].read_bypasses, 0);
}

/* It waited for the miss queue; meanwhile a line of its set was filled. */
TEST(a_cache_read_takes_a_line_that_came_free) {
    BENCH(b, 1, 1, 1, 1, 1);
    read_cache_line(&b, 0);
    assert_int_equal(bypass_line(&b, 1), L1_FAIL_MISS_QUEUE);
    struct request r = sent_by_cache(&b);
    fill_and_wake(&b, &r);
    assert_int_equal(bypass_line(&b, 1), L1_MISS);
}

/* MRPB 3.4, 5.4: which refusals let a read bypass. A bypass takes no line, no MSHR, no room in
 * one. */
TEST(each_way_of_bypassing_has_its_causes) {
    static const struct {
        unsigned mode;
        enum l1_result full_set, no_mshr, full_mshr;
    } rows[] = {
        {MRPB_BYPASS_OFF, L1_FAIL_ASSOCIATIVITY, L1_FAIL_MSHR_FULL, L1_FAIL_MSHR_MERGE},
        {MRPB_BYPASS_ASSOCIATIVITY, L1_BYPASS, L1_FAIL_MSHR_FULL, L1_FAIL_MSHR_MERGE},
        {MRPB_BYPASS_ALL, L1_BYPASS, L1_BYPASS, L1_BYPASS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BENCH(b, 2, 1, 1, 1, 8);
        b.config.mrpb.bypass = rows[i].mode;
        b.cache.bypass_causes = mrpb_bypass_causes(&b.config);
        assert_int_equal(bypass_line(&b, 0), L1_MISS);
        assert_int_equal(bypass_line(&b, 2), rows[i].full_set);
        assert_int_equal(bypass_line(&b, 1), rows[i].no_mshr);
        assert_int_equal(bypass_line(&b, 0), rows[i].full_mshr);
        static const enum l1_result causes[] = {L1_FAIL_ASSOCIATIVITY, L1_FAIL_MSHR_FULL,
                                                L1_FAIL_MSHR_MERGE};
        const enum l1_result given[] = {rows[i].full_set, rows[i].no_mshr, rows[i].full_mshr};
        for (unsigned k = 0; k < 3; k++) {
            assert_int_equal(l1_data_cache_bypass_helps(&b.cache, causes[k]),
                             given[k] == L1_BYPASS);
        }
        assert_false(l1_data_cache_bypass_helps(&b.cache, L1_FAIL_MISS_QUEUE));
    }
}

/* The L2 does not have its data yet: the read must not get the old ones from there. */
TEST(no_read_bypasses_a_write_that_waits_in_its_mshr) {
    CLOSED_BY(close_cache_bench) struct bench b;
    struct config c = base_preset();
    c.l1.global_write = L1_WRITE_BACK;
    c.l1.mshr_merge = 2;
    c.mrpb.bypass = MRPB_BYPASS_ALL;
    open_bench_of(&b, &c);
    read_cache_line(&b, 0);
    STEPS(&b, {WRITE, 0, L1_WRITE_DONE}, {BYPASS, 0, L1_FAIL_MSHR_MERGE});
}

TEST(a_bypassing_reply_carries_its_segment_or_the_line) {
    static const unsigned keys[] = {BYPASS_REPLY_SEGMENT, BYPASS_REPLY_LINE};
    for (unsigned k = 0; k < 2; k++) {
        for (uint8_t sectors = 1; sectors < 16; sectors++) {
            BENCH(b, 1, 1, 1, 1, 2);
            b.cache.bypass_line = keys[k] == BYPASS_REPLY_LINE;
            read_cache_line(&b, 0);
            sent_by_cache(&b);
            access_line(&b, 9, false, true, sectors);
            struct request r = sent_by_cache(&b);
            assert_int_equal(r.bytes, keys[k] == BYPASS_REPLY_LINE ? LINE : segment_bytes(sectors));
        }
    }
}

TEST(a_pending_hit_is_a_use_of_its_line) {
    BENCH(b, 1, 2, 2, 2, 4);
    read_cache_line(&b, 0);
    read_cache_line(&b, 1);
    read_cache_line(&b, 0);
    struct request first = sent_by_cache(&b), second = sent_by_cache(&b);
    fill_and_wake(&b, &first);
    fill_and_wake(&b, &second);
    bring_cache_line(&b, 2); /* evicts 1 */
    assert_int_equal(b.cache.stats.evictions, 1);
    STEPS(&b, {READ, 0, L1_HIT}, {READ, 1, L1_MISS});
}

TEST(a_kernel_boundary_forgets_all_lines) {
    BENCH(b, 2, 2, 2, 2, 4);
    for (uint64_t line = 0; line < 4; line++) {
        bring_cache_line(&b, line);
    }
    l1_data_cache_invalidate(&b.cache);
    for (uint64_t line = 0; line < 4; line++) {
        assert_int_equal(read_cache_line(&b, line), L1_MISS);
        struct request r = sent_by_cache(&b);
        fill_and_wake(&b, &r);
    }
}
