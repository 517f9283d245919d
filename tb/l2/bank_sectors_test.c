/* SPDX-License-Identifier: Apache-2.0
 *
 * L2 bank with sectors: what is fetched, written and written back.
 */
#include "base/sectors.h"
#include "l2/partition_bench.h"

static struct config config_of_sectored_l2(unsigned write, unsigned write_miss) {
    struct config c = partition_config();
    c.l2.sectors = true;
    c.l2.sets = c.l2.ways = 1;
    c.l2.rop_latency = 5;
    c.l2.write = write;
    c.l2.write_miss = write_miss;
    c.l2.mshrs = 8;
    return c;
}

#define OPEN(b, write, write_miss) BENCH(b, config_of_sectored_l2(write, write_miss), 1)

/* As an L1 with sectors sends it. */
static void ask_sectors(struct bench *b, unsigned kind, uint64_t local, uint8_t sectors, bool full,
                        uint64_t id) {
    struct request r = {.line = id,
                        .local = local,
                        .kind = (uint8_t)kind,
                        .sectors = sectors,
                        .full = full,
                        .bytes = (uint16_t)sectors_bytes(sectors)};
    ask_port(b, 0, &r);
}

/* The next request to the DRAM reads so many bytes. */
static struct request take_read(struct bench *b, uint64_t local, unsigned bytes) {
    until_dram(b);
    struct request r = dram_take(b);
    assert_true(r.kind == REQUEST_READ && r.local == local && r.bytes == bytes);
    return r;
}

static void assert_written(struct bench *b, uint64_t local, unsigned bytes) {
    until_dram(b);
    struct request r = dram_take(b);
    assert_true(r.kind == REQUEST_WRITEBACK && r.local == local && r.bytes == bytes);
}

static void take_answer_of(struct bench *b, uint64_t id, bool hit) {
    until_answer(b);
    assert_true(answer_seen(b)->line == id && answer_seen(b)->l2_hit == hit);
    take_answer(b);
}

static void bring_sectors(struct bench *b, uint64_t local, uint8_t sectors) {
    ask_sectors(b, REQUEST_READ, local, sectors, false, 1000);
    struct request r = take_read(b, local, sectors_bytes(sectors));
    dram_answer(b, &r);
    take_answer_of(b, 1000, false);
}

static void assert_hits(struct bench *b, uint64_t local, uint8_t sectors) {
    ask_sectors(b, REQUEST_READ, local, sectors, false, 2000);
    take_answer_of(b, 2000, true);
    assert_null(dram_seen(b));
}

static void assert_rest(struct bench *b) {
    for (unsigned i = 0; i < 300; i++) {
        tick_l2(b);
        assert_true(!answer_seen(b) && !dram_seen(b));
    }
    assert_true(l2_partition_idle(&b->p));
}

TEST(an_l2_miss_fetches_the_sectors_that_it_wants) {
    OPEN(b, L2_WRITE_BACK, L2_WRITE_MISS_PARTIAL);
    bring_sectors(&b, 0, 0x6);
    assert_hits(&b, 0, 0x4);
    assert_int_equal(partition_totals(&b).sector_misses, 0);
    bring_sectors(&b, 0, 0x1);
    assert_hits(&b, 0, 0x7);
    assert_int_equal(partition_totals(&b).sector_misses, 1);
    assert_rest(&b);
}

TEST(a_request_fetches_what_it_misses_of_its_sectors) {
    OPEN(b, L2_WRITE_BACK, L2_WRITE_MISS_PARTIAL);
    bring_sectors(&b, 0, 0x3);
    ask_sectors(&b, REQUEST_READ, 0, 0xf, false, 7);
    struct request r = take_read(&b, 0, 64);
    dram_answer(&b, &r);
    take_answer_of(&b, 7, false);
    assert_hits(&b, 0, 0xf);
}

TEST(fetches_of_a_line_come_in_any_order_and_hold_it) {
    OPEN(b, L2_WRITE_BACK, L2_WRITE_MISS_PARTIAL);
    ask_sectors(&b, REQUEST_READ, 0, 0x1, false, 1);
    ask_sectors(&b, REQUEST_READ, 0, 0x2, false, 2);
    ask_sectors(&b, REQUEST_READ, 0, 0x7, false, 3);  /* fetches one, awaits two */
    ask_sectors(&b, REQUEST_READ, 0, 0x2, false, 4);  /* with the second */
    ask_sectors(&b, REQUEST_READ, 64, 0x1, false, 5); /* another line finds no way */
    struct request first = take_read(&b, 0, 32), second = take_read(&b, 0, 32),
                   third = take_read(&b, 0, 32);
    dram_answer(&b, &third);
    dram_answer(&b, &second);
    take_answer_of(&b, 2, false);
    take_answer_of(&b, 4, false);
    assert_null(dram_seen(&b));
    assert_null(answer_seen(&b));
    dram_answer(&b, &first);
    take_answer_of(&b, 1, false);
    take_answer_of(&b, 3, false);
    struct request other = take_read(&b, 64, 32);
    dram_answer(&b, &other);
    take_answer_of(&b, 5, false);
    struct l2_stats s = partition_totals(&b);
    assert_true(s.sector_misses == 2 && s.sector_joins == 1 && s.fetches == 4);
    assert_rest(&b);
}

/* The newest of the MSHRs that fetch its sectors wakes it. */
TEST(a_request_joins_several_fetches_of_its_line) {
    OPEN(b, L2_WRITE_BACK, L2_WRITE_MISS_PARTIAL);
    ask_sectors(&b, REQUEST_READ, 0, 0x1, false, 1);
    ask_sectors(&b, REQUEST_READ, 0, 0x2, false, 2);
    ask_sectors(&b, REQUEST_READ, 0, 0x3, false, 3);
    struct request first = take_read(&b, 0, 32), second = take_read(&b, 0, 32);
    dram_answer(&b, &second);
    for (unsigned i = 0; i < 50; i++) {
        tick_l2(&b);
        assert_null(answer_seen(&b));
    }
    dram_answer(&b, &first);
    take_answer_of(&b, 1, false);
    take_answer_of(&b, 2, false);
    take_answer_of(&b, 3, false);
    assert_int_equal(partition_totals(&b).fetches, 2);
    assert_rest(&b);
}

TEST(each_sector_of_a_request_is_counted_once) {
    OPEN(b, L2_WRITE_BACK, L2_WRITE_MISS_PARTIAL);
    ask_sectors(&b, REQUEST_READ, 0, 0x3, false, 1);
    ask_sectors(&b, REQUEST_READ, 0, 0x2, false, 2);
    struct request r = take_read(&b, 0, 64);
    dram_answer(&b, &r);
    take_answer_of(&b, 1, false);
    take_answer_of(&b, 2, false);
    ask_sectors(&b, REQUEST_READ, 0, 0x7, false, 3);
    r = take_read(&b, 0, 32);
    dram_answer(&b, &r);
    take_answer_of(&b, 3, false);
    ask_sectors(&b, REQUEST_WRITE, 0, 0xc, true, 4);
    take_answer_of(&b, 4, true);
    struct l2_stats s = partition_totals(&b);
    const uint64_t *reads = s.sectors[REQUEST_READ], *writes = s.sectors[REQUEST_WRITE];
    assert_true(reads[L2_HIT] == 2 && reads[L2_PENDING_HIT] == 1 && reads[L2_MISS] == 3);
    assert_true(writes[L2_HIT] == 1 && !writes[L2_PENDING_HIT] && writes[L2_MISS] == 1);
    assert_rest(&b);
}

/* An L1 that fetches whole lines, and caches with shorter ones. */
TEST(a_request_for_the_senders_line_wants_all_of_it) {
    CLOSED_BY(close_partition_bench)
    struct bench b = {.config = config_of_sectored_l2(L2_WRITE_BACK, L2_WRITE_MISS_PARTIAL)};
    open_partition_bench(&b, 1);
    struct request r = {.line = 7, .kind = REQUEST_READ, .sectors = 0x1, .bytes = LINE};
    ask_port(&b, 0, &r);
    r = take_read(&b, 0, LINE);
    dram_answer(&b, &r);
    take_answer_of(&b, 7, false);
    assert_hits(&b, 0, 0xf);
    /* The second half of another line. */
    assert_int_equal(b.config.constant.line_bytes, 64);
    struct request constant = {.line = 2 * 64 + 1,
                               .local = 64,
                               .kind = REQUEST_READ,
                               .unit = UNIT_CONSTANT,
                               .sectors = 0x1,
                               .bytes = 64};
    ask_port(&b, 0, &constant);
    r = take_read(&b, 64, 64);
    dram_answer(&b, &r);
    take_answer_of(&b, 2 * 64 + 1, false);
    assert_hits(&b, 64, 0xc);
}

TEST(a_write_of_whole_sectors_fetches_nothing_and_goes_back_alone) {
    OPEN(b, L2_WRITE_BACK, L2_WRITE_MISS_PARTIAL);
    ask_sectors(&b, REQUEST_WRITE, 0, 0x6, true, 7);
    take_answer_of(&b, 7, false);
    assert_hits(&b, 0, 0x2);
    bring_sectors(&b, 0, 0x1); /* clean */
    ask_sectors(&b, REQUEST_READ, 64, 0x1, false, 9);
    assert_written(&b, 0, 64);
    struct request r = take_read(&b, 64, 32);
    dram_answer(&b, &r);
    take_answer_of(&b, 9, false);
    assert_int_equal(partition_totals(&b).full_line_writes, 1);
    assert_rest(&b);
}

TEST(a_write_of_parts_fetches_what_is_not_here) {
    OPEN(b, L2_WRITE_BACK, L2_WRITE_MISS_PARTIAL);
    bring_sectors(&b, 0, 0x1);
    ask_sectors(&b, REQUEST_WRITE, 0, 0x3, false, 7);
    struct request r = take_read(&b, 0, 32);
    dram_answer(&b, &r);
    take_answer_of(&b, 7, false);
    assert_hits(&b, 0, 0x3);
    ask_sectors(&b, REQUEST_READ, 64, 0x1, false, 9);
    assert_written(&b, 0, 64); /* both are dirty */
    r = take_read(&b, 64, 32);
    dram_answer(&b, &r);
    take_answer_of(&b, 9, false);
}

/* Writes words of a line, as a core does. */
static void write_some_words(struct bench *b, uint64_t local, uint32_t words, uint64_t id) {
    uint8_t sectors = 0;
    for (unsigned i = 0; i < 4; i++) {
        sectors |= (uint8_t)((words >> 8 * i & 0xff) != 0) << i;
    }
    struct request r = {.line = id,
                        .local = local,
                        .kind = REQUEST_WRITE,
                        .sectors = sectors,
                        .words = words,
                        .bytes = (uint16_t)sectors_bytes(sectors)};
    ask_port(b, 0, &r);
    take_answer_of(b, id, tag_find(&b->p.bank->tags, 0, local) != TAG_NO_WAY);
}

/* Accel-Sim (ISCA 2020): Volta's L2 fetches lazily, on a read. */
TEST(with_a_mask_a_write_of_parts_fetches_nothing_until_it_is_read) {
    OPEN(b, L2_WRITE_BACK, L2_WRITE_MISS_MASK);
    ask_sectors(&b, REQUEST_WRITE, 0, 0x3, false, 7);
    take_answer_of(&b, 7, false);
    assert_null(dram_seen(&b));
    ask_sectors(&b, REQUEST_READ, 0, 0x2, false, 8);
    struct request r = take_read(&b, 0, 32);
    dram_answer(&b, &r);
    take_answer_of(&b, 8, false);
    assert_hits(&b, 0, 0x2);
    ask_sectors(&b, REQUEST_READ, 64, 0x1, false, 9);
    assert_written(&b, 0, 64); /* both are dirty, one with a mask */
    r = take_read(&b, 64, 32);
    dram_answer(&b, &r);
    take_answer_of(&b, 9, false);
    assert_rest(&b);
}

TEST(writes_that_together_are_a_sector_make_it_whole) {
    OPEN(b, L2_WRITE_BACK, L2_WRITE_MISS_MASK);
    ask_sectors(&b, REQUEST_WRITE, 0, 0x8, true, 1);
    take_answer_of(&b, 1, false);
    write_some_words(&b, 0, 0x0fff00, 2);
    assert_hits(&b, 0, 0x2);
    write_some_words(&b, 0, 0xe00000, 3);
    ask_sectors(&b, REQUEST_READ, 0, 0x4, false, 4); /* a word is missing */
    struct request r = take_read(&b, 0, 32);
    write_some_words(&b, 0, 0x100000, 5); /* now none is */
    assert_hits(&b, 0, 0xe);
    dram_answer(&b, &r);
    take_answer_of(&b, 4, false);
    /* A new line of the way begins with no word. */
    ask_sectors(&b, REQUEST_READ, 64, 0x1, false, 6);
    assert_written(&b, 0, 96);
    assert_int_equal(b.p.bank->sectors->written[0], 0);
}

/* A whole sector is written while the line waits for another. */
TEST(a_write_of_whole_sectors_hits_a_line_that_is_held) {
    OPEN(b, L2_WRITE_BACK, L2_WRITE_MISS_FETCH);
    ask_sectors(&b, REQUEST_READ, 0, 0x1, false, 1);
    struct request r = take_read(&b, 0, 32);
    ask_sectors(&b, REQUEST_WRITE, 0, 0x2, true, 2);
    take_answer_of(&b, 2, true);
    assert_hits(&b, 0, 0x2);
    dram_answer(&b, &r);
    take_answer_of(&b, 1, false);
    ask_sectors(&b, REQUEST_READ, 64, 0x1, false, 9);
    assert_written(&b, 0, 32);
}

TEST(an_atomic_fetches_its_sector_and_makes_it_dirty) {
    OPEN(b, L2_WRITE_BACK, L2_WRITE_MISS_PARTIAL);
    bring_sectors(&b, 0, 0x1);
    ask_sectors(&b, REQUEST_ATOMIC, 0, 0x8, false, 7);
    struct request r = take_read(&b, 0, 32);
    dram_answer(&b, &r);
    take_answer_of(&b, 7, false);
    ask_sectors(&b, REQUEST_READ, 64, 0x1, false, 9);
    assert_written(&b, 0, 32);
}

TEST(a_write_through_updates_the_sectors_that_are_here_and_fetches_none) {
    OPEN(b, L2_WRITE_THROUGH, L2_WRITE_MISS_FETCH);
    bring_sectors(&b, 0, 0x1);
    ask_sectors(&b, REQUEST_WRITE, 0, 0x3, false, 7);
    take_answer_of(&b, 7, true);
    assert_written(&b, 0, 64);
    assert_hits(&b, 0, 0x1);
    bring_sectors(&b, 0, 0x2); /* was not here */
    ask_sectors(&b, REQUEST_WRITE, 0, 0x4, true, 8);
    take_answer_of(&b, 8, true);
    assert_written(&b, 0, 32);
    assert_hits(&b, 0, 0x4); /* written whole */
    ask_sectors(&b, REQUEST_READ, 64, 0x1, false, 9);
    take_read(&b, 64, 32); /* the line was clean */
}

/* Its sectors come by the others' MSHRs in part. */
TEST(a_request_without_an_mshr_fetches_the_rest_when_one_is_free) {
    for (unsigned poll = 0; poll < 2; poll++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = config_of_sectored_l2(L2_WRITE_BACK, L2_WRITE_MISS_PARTIAL),
                          .poll = poll};
        b.config.l2.mshrs = 2;
        open_partition_bench(&b, 1);
        ask_sectors(&b, REQUEST_READ, 0, 0x1, false, 1);
        ask_sectors(&b, REQUEST_READ, 0, 0x2, false, 2);
        ask_sectors(&b, REQUEST_READ, 0, 0x7, false, 3);
        struct request first = take_read(&b, 0, 32), second = take_read(&b, 0, 32);
        for (unsigned i = 0; i < 50; i++) {
            tick_l2(&b);
        }
        assert_null(dram_seen(&b));
        assert_true(b.p.bank->refused == L2_FAIL_MSHR_FULL);
        dram_answer(&b, &first);
        take_answer_of(&b, 1, false);
        struct request third = take_read(&b, 0, 32);
        dram_answer(&b, &third);
        dram_answer(&b, &second);
        take_answer_of(&b, 2, false);
        take_answer_of(&b, 3, false);
        assert_rest(&b);
    }
}

/* The dirty lines of a set that exceed l2.dirty_ways become clean, the oldest first. */
static struct bench bench_of_dirty_ways(unsigned ways, unsigned dirty_ways) {
    struct bench b = {.config = config_of_sectored_l2(L2_WRITE_BACK, L2_WRITE_MISS_MASK)};
    b.config.l2.ways = ways;
    b.config.l2.dirty_ways = dirty_ways;
    return b;
}

static void write_sector(struct bench *b, uint64_t local, bool hit) {
    ask_sectors(b, REQUEST_WRITE, local, 0x1, true, 100 + local);
    take_answer_of(b, 100 + local, hit);
}

TEST(a_write_beyond_the_dirty_ways_cleans_the_oldest_dirty_line) {
    static const unsigned ways[] = {4, 70}; /* both forms of the tags */
    for (unsigned i = 0; i < 2; i++) {
        CLOSED_BY(close_partition_bench) struct bench b = bench_of_dirty_ways(ways[i], 2);
        open_partition_bench(&b, 1);
        write_sector(&b, 0, false);
        write_sector(&b, 1, false);
        write_sector(&b, 0, true); /* now 1 is the oldest */
        assert_null(dram_seen(&b));
        write_sector(&b, 2, false);
        assert_written(&b, 1, 32);
        assert_hits(&b, 1, 0x1);
        write_sector(&b, 1, true); /* a hit that makes it dirty again */
        assert_written(&b, 0, 32);
        ask_sectors(&b, REQUEST_ATOMIC, 3, 0x1, false, 7);
        struct request r = take_read(&b, 3, 32);
        assert_written(&b, 2, 32);
        dram_answer(&b, &r);
        take_answer_of(&b, 7, false);
        struct l2_stats s = partition_totals(&b);
        assert_true(s.cleanings == 3 && s.writebacks == 3);
        assert_rest(&b);
    }
}

TEST(a_clean_line_is_evicted_without_a_write) {
    CLOSED_BY(close_partition_bench) struct bench b = bench_of_dirty_ways(2, 1);
    open_partition_bench(&b, 1);
    write_sector(&b, 0, false);
    write_sector(&b, 1, false);
    assert_written(&b, 0, 32);
    bring_sectors(&b, 2, 0x1);  /* in place of 0 */
    write_sector(&b, 3, false); /* in place of 1, which is dirty: nothing else is to clean */
    assert_written(&b, 1, 32);
    assert_int_equal(partition_totals(&b).cleanings, 1);
    assert_rest(&b);
}
