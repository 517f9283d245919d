/* SPDX-License-Identifier: Apache-2.0
 *
 * L1 data cache: writes that stay, go on or fetch; atomics; uncached reads; dirty lines; no cache
 * and the perfect one.
 */
#include "l1/data_cache_bench.h"

static struct config config_with_writes(unsigned global_write, unsigned local_write,
                                        unsigned write_miss) {
    struct config c = base_preset();
    c.l1.sets = 2;
    c.l1.ways = 1;
    c.l1.mshrs = 2;
    c.l1.mshr_merge = 2;
    c.l1.miss_queue = 2;
    c.l1.global_write = global_write;
    c.l1.local_write = local_write;
    c.l1.write_miss = write_miss;
    return c;
}

TEST(a_write_through_goes_on_and_keeps_its_line) {
    BENCH_OF(b, config_with_writes(L1_WRITE_THROUGH, L1_WRITE_THROUGH, L1_WRITE_MISS_FETCH));
    STEPS(&b, {BRING, 4, L1_MISS}, {WRITE, 4, L1_WRITE}, {SENDS, REQUEST_WRITE, SECTOR_BYTES},
          {READ, 4, L1_HIT}, {WRITE, 5, L1_WRITE}, /* takes no line */
          {SENDS, REQUEST_WRITE, SECTOR_BYTES},
          {BRING, 6, L1_MISS}); /* in the set of 4, which is clean */
    assert_int_equal(b.cache.stats.writebacks, 0);
}

/* OWL table 1: write-back. */
TEST(a_write_back_hit_ends_in_the_cache_and_leaves_when_its_line_is_evicted) {
    struct config c = config_with_writes(L1_WRITE_BACK, L1_WRITE_BACK, L1_WRITE_MISS_AROUND);
    c.l1.line_bytes = 64;
    BENCH_OF(b, c);
    STEPS(&b, {BRING, 4, L1_MISS}, {WRITE, 4, L1_WRITE_DONE});
    assert_int_equal(b.cache.miss_queue.count, 0);
    STEPS(&b, {READ, 6, L1_MISS});
    struct request back = sent_by_cache(&b);
    struct request fetch = sent_by_cache(&b);
    assert_true(back.kind == REQUEST_WRITEBACK && back.line == 4 && back.bytes == 64);
    assert_true(back.full && back.sectors == 3);
    assert_true(fetch.kind == REQUEST_READ && fetch.line == 6 && fetch.bytes == 64);
    assert_int_equal(b.cache.stats.writebacks, 1);
}

TEST(a_miss_that_evicts_a_dirty_line_needs_two_places_in_the_miss_queue) {
    BENCH_OF(b, config_with_writes(L1_WRITE_BACK, L1_WRITE_BACK, L1_WRITE_MISS_AROUND));
    STEPS(&b, {BRING, 4, L1_MISS}, {WRITE, 4, L1_WRITE_DONE},
          {READ, 5, L1_MISS}, /* one place left */
          {READ, 6, L1_FAIL_MISS_QUEUE}, {SENDS, REQUEST_READ, LINE}, {READ, 6, L1_MISS});
}

TEST(a_write_back_miss_goes_around_or_fetches) {
    BENCH_OF(around, config_with_writes(L1_WRITE_BACK, L1_WRITE_BACK, L1_WRITE_MISS_AROUND));
    STEPS(&around, {WRITE, 4, L1_WRITE}, {SENDS, REQUEST_WRITE, SECTOR_BYTES});
    assert_int_equal(around.cache.stats.space[0].write_misses, 0);
    BENCH_OF(b, config_with_writes(L1_WRITE_BACK, L1_WRITE_BACK, L1_WRITE_MISS_FETCH));
    STEPS(&b, {WRITE, 4, L1_WRITE_DONE}, {SENDS, REQUEST_READ, LINE}, {FILLS, 0, 1},
          {READ, 4, L1_HIT}, {READ, 6, L1_MISS},
          {SENDS, REQUEST_WRITEBACK, LINE}); /* dirty from the fill on */
    assert_int_equal(b.cache.stats.space[0].write_misses, 1);
}

TEST(a_write_back_merges_into_the_mshr_of_a_fill_under_way) {
    BENCH_OF(b, config_with_writes(L1_WRITE_BACK, L1_WRITE_BACK, L1_WRITE_MISS_AROUND));
    STEPS(&b, {READ, 4, L1_MISS}, {WRITE, 4, L1_WRITE_DONE}, {WRITE, 4, L1_FAIL_MSHR_MERGE},
          {SENDS, REQUEST_READ, LINE}, {FILLS, 0, 2}, {READ, 6, L1_MISS},
          {SENDS, REQUEST_WRITEBACK, LINE});
    assert_int_equal(b.cache.stats.space[0].write_pending_hits, 1);
}

/* Fermi: local data stays, global data goes on. */
TEST(the_space_decides_the_policy) {
    BENCH_OF(b, config_with_writes(L1_WRITE_EVICT, L1_WRITE_BACK, L1_WRITE_MISS_AROUND));
    STEPS(&b, {BRING, 4, L1_MISS}, {BRING, 5, L1_MISS}, {LOCAL_WRITE, 4, L1_WRITE_DONE},
          {WRITE, 5, L1_WRITE}, {SENDS, REQUEST_WRITE, SECTOR_BYTES},
          {LOCAL_WRITE, 7, L1_WRITE}); /* goes around */
    assert_true(sent_by_cache(&b).local_space);
    STEPS(&b, {READ, 4, L1_HIT}, {READ, 5, L1_MISS});
    assert_true(b.cache.stats.space[0].writes == 1 && b.cache.stats.space[1].writes == 2);
}

/* A dirty line is written back first: the L2 has its data before they are read or changed. */
static struct l1_stats access_leaves_no_copy(struct step access, unsigned kind, bool dirty) {
    BENCH_OF(b, config_with_writes(L1_WRITE_BACK, L1_WRITE_BACK, L1_WRITE_MISS_FETCH));
    STEPS(&b, {BRING, 4, L1_MISS});
    if (dirty) {
        STEPS(&b, {WRITE, 4, L1_WRITE_DONE}, access, {SENDS, REQUEST_WRITEBACK, LINE});
    } else {
        STEPS(&b, access);
    }
    struct request r = sent_by_cache(&b);
    assert_true(r.kind == kind && r.bytes == SECTOR_BYTES && r.bypasses == (kind == REQUEST_READ));
    assert_int_equal(tag_find(&b.cache.tags, 0, 4), TAG_NO_WAY);
    assert_int_equal(b.cache.mshrs.free_count, 2);
    return b.cache.stats;
}

TEST(an_atomic_leaves_no_copy_and_takes_no_line) {
    const struct step access = {ATOMIC, 4, L1_ATOMIC};
    assert_int_equal(access_leaves_no_copy(access, REQUEST_ATOMIC, false).atomics, 1);
    assert_int_equal(access_leaves_no_copy(access, REQUEST_ATOMIC, true).atomics, 1);
}

TEST(an_uncached_read_leaves_no_copy_and_takes_no_line) {
    const struct step access = {UNCACHED, 4, L1_BYPASS};
    assert_int_equal(access_leaves_no_copy(access, REQUEST_READ, false).uncached, 1);
    assert_int_equal(access_leaves_no_copy(access, REQUEST_READ, true).uncached, 1);
}

TEST(an_atomic_leaves_a_fill_under_way_alone) {
    BENCH_OF(b, config_with_writes(L1_WRITE_EVICT, L1_WRITE_EVICT, L1_WRITE_MISS_AROUND));
    STEPS(&b, {READ, 4, L1_MISS}, {ATOMIC, 4, L1_ATOMIC}, {ATOMIC, 5, L1_FAIL_MISS_QUEUE},
          {SENDS, REQUEST_READ, LINE}, {FILLS, 0, 1}, {READ, 4, L1_HIT});
}

TEST(an_uncached_read_waits_for_a_write_in_the_mshr_of_its_line) {
    BENCH_OF(b, config_with_writes(L1_WRITE_BACK, L1_WRITE_BACK, L1_WRITE_MISS_FETCH));
    STEPS(
        &b, {READ, 4, L1_MISS}, {UNCACHED, 4, L1_BYPASS}, /* of a fill alone it waits for nothing */
        {SENDS, REQUEST_READ, LINE}, {SENDS, REQUEST_READ, SECTOR_BYTES}, {WRITE, 4, L1_WRITE_DONE},
        {UNCACHED, 4, L1_FAIL_MSHR_MERGE}, {FILLS, 0, 2}, {UNCACHED, 4, L1_BYPASS});
}

TEST(a_kernel_boundary_drops_dirty_lines_and_leaves_fills_alone) {
    BENCH_OF(b, config_with_writes(L1_WRITE_EVICT, L1_WRITE_BACK, L1_WRITE_MISS_FETCH));
    STEPS(&b, {BRING, 4, L1_MISS}, {LOCAL_WRITE, 4, L1_WRITE_DONE},
          {LOCAL_WRITE, 5, L1_WRITE_DONE}, /* its thread may end now */
          {SENDS, REQUEST_READ, LINE}, {INVALIDATE, 0, 0}, {FILLS, 0, 1}, {READ, 6, L1_MISS},
          {SENDS, REQUEST_READ, LINE});
    assert_int_equal(b.cache.stats.writebacks, 0);
}

/* MDB figure 2: no L1. */
TEST(without_a_cache_every_access_goes_on) {
    static const unsigned keys[] = {BYPASS_REPLY_SEGMENT, BYPASS_REPLY_LINE};
    for (unsigned k = 0; k < 2; k++) {
        CLOSED_BY(close_cache_bench) struct bench b;
        struct config c = config_with_writes(L1_WRITE_BACK, L1_WRITE_BACK, L1_WRITE_MISS_FETCH);
        c.l1.cache = 0;
        c.l1.bypass_reply = keys[k];
        open_bench_of(&b, &c);
        for (unsigned again = 0; again < 2; again++) {
            assert_int_equal(read_cache_line(&b, 4), L1_BYPASS);
            struct request r = sent_by_cache(&b);
            assert_true(r.bypasses && r.bytes == (k ? LINE : SECTOR_BYTES));
        }
        STEPS(&b, {WRITE, 4, L1_WRITE}, {ATOMIC, 4, L1_ATOMIC}, {READ, 4, L1_FAIL_MISS_QUEUE});
    }
}

/* OWL's PMEM. */
TEST(in_a_perfect_cache_everything_hits_and_ends) {
    CLOSED_BY(close_cache_bench) struct bench b;
    struct config c = config_with_writes(L1_WRITE_EVICT, L1_WRITE_EVICT, L1_WRITE_MISS_AROUND);
    c.l1.perfect = 1;
    open_bench_of(&b, &c);
    for (uint64_t line = 0; line < 100; line++) {
        assert_int_equal(read_cache_line(&b, line), L1_HIT);
        assert_int_equal(put_line_as(&b, line, REQUEST_WRITE, line & 1), L1_WRITE_DONE);
        assert_int_equal(put_line_as(&b, line, REQUEST_ATOMIC, false), L1_HIT);
    }
    assert_int_equal(b.cache.miss_queue.count, 0);
    assert_true(b.cache.stats.space[0].read_hits == 100 && b.cache.stats.atomics == 100);
}

TEST(every_index_finds_its_lines) {
    for (unsigned index = INDEX_MODULO; index <= INDEX_FERMI; index++) {
        CLOSED_BY(close_cache_bench) struct bench b;
        struct config c = config_with_writes(L1_WRITE_EVICT, L1_WRITE_EVICT, L1_WRITE_MISS_AROUND);
        c.l1.sets = 32;
        c.l1.index = index;
        open_bench_of(&b, &c);
        bring_cache_line(
            &b, 32); /* modulo: set 0; XOR: set 1; Fermi: line bit 5 is not hashed, set 0 */
        bring_cache_line(&b, 64); /* 0; 2; line bit 6: set 1 */
        static const unsigned sets[][2] = {{0, 0}, {1, 2}, {1, 2}, {0, 1}};
        assert_true(tag_find(&b.cache.tags, sets[index][1], 64) != TAG_NO_WAY);
        assert_int_equal(read_cache_line(&b, 32), index == INDEX_MODULO ? L1_MISS : L1_HIT);
    }
}

/* MRPB 2.4: lines taken over by whom. */
static enum l1_result read_as_warp_of_cta(struct bench *b, uint64_t line, unsigned warp,
                                          unsigned cta, unsigned trip) {
    struct request r = {.line = line, .sectors = 1, .warp = (uint16_t)warp, .cta = cta};
    enum l1_result result =
        l1_data_cache_access(&b->cache, &r, trip, &(struct now){.time = b->now, .period = 7});
    if (result == L1_MISS) {
        r = sent_by_cache(b);
        fill_and_wake(b, &r);
    }
    return result;
}

TEST(a_miss_is_of_the_kind_of_whoever_fetched_its_victim) {
    BENCH_OF(b, config_with_writes(L1_WRITE_EVICT, L1_WRITE_EVICT, L1_WRITE_MISS_AROUND));
    const struct reuse_stats *s = &b.cache.stats.reuse;
    read_as_warp_of_cta(&b, 0, 1, 10, 0);
    read_as_warp_of_cta(&b, 1, 1, 10, 0);
    assert_int_equal(s->cold, 2);
    read_as_warp_of_cta(&b, 2, 1, 10, 0); /* evicts line 0 of warp 1 */
    assert_int_equal(s->intra_warp, 1);
    read_as_warp_of_cta(&b, 2, 5, 11, 0); /* a hit of another warp does not make the line its own */
    read_as_warp_of_cta(&b, 4, 2, 10, 0);
    assert_int_equal(s->cross_warp, 1);
    read_as_warp_of_cta(&b, 6, 2, 11, 0); /* the same warp slot, another CTA */
    read_as_warp_of_cta(&b, 3, 7, 12, 0);
    assert_int_equal(s->cross_block, 2);
    assert_true(s->cold == 2 && s->intra_warp == 1 && s->cross_warp == 1);
}

/* MRPB 2.4: "after the initial cache fill, a resident cache line must be evicted"; here none is. */
TEST(a_miss_that_takes_a_freed_line_is_neither_cold_nor_of_a_kind) {
    BENCH_OF(b, config_with_writes(L1_WRITE_EVICT, L1_WRITE_EVICT, L1_WRITE_MISS_AROUND));
    const struct reuse_stats *s = &b.cache.stats.reuse;
    read_as_warp_of_cta(&b, 0, 1, 10, 0);
    assert_true(s->cold == 1 && s->freed == 0);
    assert_int_equal(write_cache_line(&b, 0), L1_WRITE); /* evicts it */
    sent_by_cache(&b);
    read_as_warp_of_cta(&b, 0, 1, 10, 0);
    l1_data_cache_invalidate(&b.cache);
    read_as_warp_of_cta(&b, 0, 1, 10, 0);
    assert_true(s->cold == 1 && s->freed == 2);
    assert_true(!s->intra_warp && !s->cross_warp && !s->cross_block);
}

TEST(a_hit_is_of_the_kind_of_whoever_fetched_the_line) {
    BENCH_OF(b, config_with_writes(L1_WRITE_EVICT, L1_WRITE_EVICT, L1_WRITE_MISS_AROUND));
    const struct reuse_stats *s = &b.cache.stats.reuse;
    read_as_warp_of_cta(&b, 0, 1, 10, 0);
    assert_int_equal(read_as_warp_of_cta(&b, 0, 1, 10, 0), L1_HIT);
    read_as_warp_of_cta(&b, 0, 2, 10, 0);
    read_as_warp_of_cta(&b, 0, 1, 11, 0); /* a later user of the slot */
    assert_true(s->hits_intra_warp == 1 && s->hits_inter_warp == 2);
}

/* DAWS 3.2, figure 4, with the trips of a loop as its markers number them. */
TEST(an_intra_warp_hit_is_of_this_trip_the_last_or_another) {
    CLOSED_BY(close_cache_bench) struct bench b;
    struct config c = config_with_writes(L1_WRITE_EVICT, L1_WRITE_EVICT, L1_WRITE_MISS_AROUND);
    struct loop_trip t = {0};
    open_bench_of(&b, &c);
    const struct reuse_stats *s = &b.cache.stats.reuse;
#define READ() read_as_warp_of_cta(&b, 0, 1, 10, loop_trip_number(&t))
    READ(); /* before the loop */
    READ(); /* in no loop: other */
    loop_trip_begin(&t);
    loop_trip_iteration(&t);
    READ(); /* the line was accessed outside the loop: other */
    assert_true(s->hits_other_trip == 2);
    READ(); /* this trip */
    assert_true(s->hits_this_trip == 1);
    loop_trip_iteration(&t);
    READ(); /* last trip */
    assert_true(s->hits_last_trip == 1);
    loop_trip_iteration(&t);
    read_as_warp_of_cta(&b, 0, 2, 10,
                        loop_trip_number(&t)); /* another warp's access is not the owner's */
    loop_trip_iteration(&t);
    READ(); /* two trips ago: other */
    loop_trip_begin(&t);
    loop_trip_iteration(&t);
    READ(); /* first trip of an inner loop: other */
    loop_trip_end(&t);
    READ(); /* the inner loop's last trip is no trip of the outer one: other */
    loop_trip_end(&t);
    READ(); /* after the loops: other */
#undef READ
    assert_true(s->hits_this_trip == 1 && s->hits_last_trip == 1 && s->hits_other_trip == 6);
    assert_true(s->hits_intra_warp == 8 && s->hits_inter_warp == 1);
}
