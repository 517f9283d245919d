/* SPDX-License-Identifier: Apache-2.0
 *
 * L1 data cache with sectors, and with lines that are taken with their data: what becomes of each
 * access, and random ones against the definition over lists.
 */
#include "l1/data_cache_bench.h"

static struct config config_with_sectors(bool sectors, unsigned allocate, unsigned sets,
                                         unsigned ways, unsigned mshrs) {
    struct config c = base_preset();
    c.l1.sectors = sectors;
    c.l1.allocate = allocate;
    c.l1.sets = sets;
    c.l1.ways = ways;
    c.l1.mshrs = mshrs;
    c.l1.mshr_merge = 2;
    c.l1.miss_queue = 4;
    c.l1.global_write = c.l1.local_write = L1_WRITE_THROUGH;
    return c;
}

static enum l1_result read_sectors(struct bench *b, uint64_t line, uint8_t sectors) {
    return access_line(b, line, false, false, sectors);
}

/* --- sectors --- */

TEST(a_miss_fetches_the_sectors_that_it_wants) {
    BENCH_OF(b, config_with_sectors(true, L1_ALLOCATE_MISS, 4, 2, 4));
    assert_int_equal(read_sectors(&b, 9, 0x6), L1_MISS);
    struct request r = sent_by_cache(&b);
    assert_true(r.sectors == 0x6 && r.bytes == 64 && r.line == 9);
    assert_int_equal(fill_and_wake(&b, &r), 1);
    assert_int_equal(read_sectors(&b, 9, 0x2), L1_HIT);
    assert_int_equal(read_sectors(&b, 9, 0x6), L1_HIT);
    assert_int_equal(b.cache.stats.sector_misses, 0);
}

TEST(a_line_without_the_sector_is_a_miss_that_takes_no_line) {
    BENCH_OF(b, config_with_sectors(true, L1_ALLOCATE_MISS, 1, 1, 4));
    read_sectors(&b, 9, 0x1);
    struct request first = sent_by_cache(&b);
    fill_and_wake(&b, &first);
    assert_int_equal(read_sectors(&b, 9, 0x3), L1_MISS);
    struct request second = sent_by_cache(&b);
    assert_true(second.sectors == 0x2 && second.bytes == 32);
    assert_int_equal(b.cache.stats.sector_misses, 1);
    assert_int_equal(b.cache.stats.evictions, 0);
    /* The line is held until they are here, and what it has is hit. */
    assert_int_equal(read_sectors(&b, 9, 0x1), L1_HIT);
    assert_int_equal(read_sectors(&b, 8, 0x1), L1_FAIL_ASSOCIATIVITY);
    fill_and_wake(&b, &second);
    assert_int_equal(read_sectors(&b, 9, 0x3), L1_HIT);
    assert_int_equal(read_sectors(&b, 8, 0x1), L1_MISS);
}

TEST(several_fetches_of_a_line_are_under_way) {
    BENCH_OF(b, config_with_sectors(true, L1_ALLOCATE_MISS, 1, 1, 4));
    struct request r[3];
    static const uint8_t wants[] = {0x1, 0x2, 0xc};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(read_sectors(&b, 9, wants[i]), L1_MISS);
        r[i] = sent_by_cache(&b);
    }
    assert_int_equal(read_sectors(&b, 9, 0x8), L1_PENDING_HIT); /* with the third */
    assert_int_equal(fill_and_wake(&b, &r[2]), 2);
    assert_int_equal(read_sectors(&b, 9, 0xc), L1_HIT);
    assert_int_equal(read_sectors(&b, 8, 0x1), L1_FAIL_ASSOCIATIVITY);
    fill_and_wake(&b, &r[0]);
    assert_int_equal(tag_reserved_count(&b.cache.tags), 1);
    fill_and_wake(&b, &r[1]);
    assert_int_equal(tag_reserved_count(&b.cache.tags), 0);
    assert_int_equal(read_sectors(&b, 9, 0xf), L1_HIT);
}

TEST(no_sector_is_fetched_twice_at_a_time) {
    BENCH_OF(b, config_with_sectors(true, L1_ALLOCATE_MISS, 1, 1, 4));
    struct request r[3];
    read_sectors(&b, 9, 0x1);
    r[0] = sent_by_cache(&b);
    read_sectors(&b, 9, 0x2);
    r[1] = sent_by_cache(&b);
    assert_int_equal(b.cache.stats.sector_joins, 0);
    assert_int_equal(read_sectors(&b, 9, 0x7), L1_MISS);
    assert_int_equal(b.cache.stats.sector_joins, 1);
    r[2] = sent_by_cache(&b);
    assert_int_equal(r[2].sectors, 0x4);
    assert_int_equal(r[2].bytes, 32);
    assert_int_equal(read_sectors(&b, 9, 0x3), L1_PENDING_HIT); /* with the second */
    assert_int_equal(fill_and_wake(&b, &r[2]), 0);
    assert_int_equal(fill_and_wake(&b, &r[1]), 0);
    assert_int_equal(fill_and_wake(&b, &r[0]), 1 + 2 + 1);
}

TEST(a_write_updates_the_sectors_that_are_there) {
    BENCH_OF(b, config_with_sectors(true, L1_ALLOCATE_MISS, 4, 2, 4));
    read_sectors(&b, 9, 0x1);
    struct request r = sent_by_cache(&b);
    fill_and_wake(&b, &r);
    assert_int_equal(access_line(&b, 9, true, false, 0x2), L1_WRITE);
    assert_int_equal(sent_by_cache(&b).bytes, 32);
    assert_int_equal(read_sectors(&b, 9, 0x1), L1_HIT);
    assert_int_equal(read_sectors(&b, 9, 0x2), L1_MISS);
}

static enum l1_result write_parts(struct bench *b, uint64_t line, uint8_t sectors, uint32_t words) {
    struct request r = {.line = line, .sectors = sectors, .words = words, .kind = REQUEST_WRITE};
    return l1_data_cache_access(&b->cache, &r, 0, &(struct now){.time = b->now, .period = 7});
}

/* A GV100's eight warps that each write two words of a line miss once. */
TEST(a_write_through_takes_a_line_whose_bytes_are_valid) {
    for (unsigned allocate = L1_ALLOCATE_MISS; allocate <= L1_ALLOCATE_FILL; allocate++) {
        struct config c = config_with_sectors(true, allocate, 1, 2, 4);
        c.l1.write_miss = L1_WRITE_MISS_MASK;
        BENCH_OF(b, c);
        for (unsigned warp = 0; warp < 8; warp++) {
            assert_int_equal(write_parts(&b, 9, warp < 4 ? 0x1 : 0x2, 3u << 2 * warp), L1_WRITE);
            assert_int_equal(sent_by_cache(&b).bytes, 32);
        }
        assert_int_equal(b.cache.stats.sectors.write_misses, 1);
        assert_int_equal(b.cache.stats.sectors.write_hits, 7);
        assert_int_equal(read_sectors(&b, 9, 0x3), L1_HIT);
        assert_int_equal(write_parts(&b, 9, 0x4, 0x10000), L1_WRITE);
        sent_by_cache(&b);
        assert_int_equal(read_sectors(&b, 9, 0x7), L1_MISS); /* of the last sector a word is here */
        assert_int_equal(sent_by_cache(&b).sectors, 0x4);
    }
}

TEST(a_write_that_evicts_leaves_no_sector) {
    struct config c = config_with_sectors(true, L1_ALLOCATE_MISS, 4, 2, 4);
    c.l1.global_write = L1_WRITE_EVICT;
    BENCH_OF(b, c);
    read_sectors(&b, 9, 0x1);
    struct request r = sent_by_cache(&b);
    fill_and_wake(&b, &r);
    read_sectors(&b, 9, 0x2);
    r = sent_by_cache(&b);
    /* Sector 0 is here, 1 on its way. */
    assert_int_equal(access_line(&b, 9, true, false, 0x1), L1_WRITE);
    assert_int_equal(read_sectors(&b, 9, 0x1), L1_MISS);
    fill_and_wake(&b, &r);
    assert_int_equal(read_sectors(&b, 9, 0x2), L1_HIT);
}

TEST(a_kernel_boundary_leaves_no_sector) {
    BENCH_OF(b, config_with_sectors(true, L1_ALLOCATE_MISS, 4, 2, 4));
    read_sectors(&b, 9, 0x1);
    struct request r = sent_by_cache(&b);
    fill_and_wake(&b, &r);
    l1_data_cache_invalidate(&b.cache);
    assert_int_equal(read_sectors(&b, 9, 0x1), L1_MISS);
}

/* A segment of 128 bytes would hold sectors 0 and 3. */
TEST(a_bypass_moves_its_sectors_alone) {
    BENCH_OF(b, config_with_sectors(true, L1_ALLOCATE_MISS, 4, 2, 4));
    struct request r = {.line = 9, .sectors = 0x9, .uncached = true, .reg = 4};
    l1_data_cache_access(&b.cache, &r, 0, &(struct now){.time = b.now, .period = 7});
    assert_int_equal(sent_by_cache(&b).bytes, 64);
}

static void assert_sectors(const struct bench *b, const struct l1_sector_stats *want) {
    assert_memory_equal(&b->cache.stats.sectors, want, sizeof *want);
}

TEST(each_sector_of_an_access_is_counted_once) {
    BENCH_OF(b, config_with_sectors(true, L1_ALLOCATE_FILL, 4, 2, 4));
    struct l1_sector_stats want = {.read_misses = 2};
    read_sectors(&b, 9, 0x3);
    assert_sectors(&b, &want);
    read_sectors(&b, 9, 0x2);
    want.read_pending_hits = 1;
    assert_sectors(&b, &want);
    access_line(&b, 9, true, false, 0x3); /* of a line that is on its way */
    want.write_misses = 2;
    assert_sectors(&b, &want);
    struct request r = sent_by_cache(&b);
    fill_and_wake(&b, &r);
    read_sectors(&b, 9, 0xb); /* two are here */
    want.read_hits = 2;
    want.read_misses = 3;
    assert_sectors(&b, &want);
    read_sectors(&b, 9, 0x1);
    access_line(&b, 9, true, false, 0x7);
    want.read_hits = 3;
    want.write_hits = 2;
    want.write_misses = 3;
    assert_sectors(&b, &want);
    read_sectors(&b, 9, 0xc); /* one is on its way */
    want.read_misses = 4;
    want.read_pending_hits = 2;
    assert_sectors(&b, &want);
    sent_by_cache(&b);
    sent_by_cache(&b);
    sent_by_cache(&b);
    struct request past = {.line = 5, .sectors = 0x9, .uncached = true, .reg = 4};
    l1_data_cache_access(&b.cache, &past, 0, &(struct now){.time = b.now, .period = 7});
    want.read_misses = 6;
    assert_sectors(&b, &want);
}

/* --- allocation at the fill --- */

TEST(a_miss_that_takes_its_line_at_the_fill_finds_room_in_any_set) {
    BENCH_OF(b, config_with_sectors(false, L1_ALLOCATE_FILL, 1, 1, 4));
    struct request r[4];
    for (unsigned line = 0; line < 4; line++) {
        assert_int_equal(read_cache_line(&b, line), L1_MISS);
        r[line] = sent_by_cache(&b);
        assert_int_equal(r[line].bytes, LINE);
    }
    assert_int_equal(tag_reserved_count(&b.cache.tags), 0);
    assert_int_equal(read_cache_line(&b, 4), L1_FAIL_MSHR_FULL);
    assert_int_equal(read_cache_line(&b, 2), L1_PENDING_HIT);
    fill_and_wake(&b, &r[1]);
    assert_int_equal(read_cache_line(&b, 1), L1_HIT);
    fill_and_wake(&b, &r[2]);
    assert_int_equal(b.cache.stats.evictions, 1);
    assert_int_equal(read_cache_line(&b, 2), L1_HIT);
    assert_int_equal(read_cache_line(&b, 1), L1_MISS);
}

/* The line stays where it is while its data are on their way. */
TEST(a_line_is_valid_until_the_fill_that_takes_it) {
    BENCH_OF(b, config_with_sectors(false, L1_ALLOCATE_FILL, 1, 1, 4));
    bring_cache_line(&b, 0);
    read_cache_line(&b, 1);
    struct request r = sent_by_cache(&b);
    assert_int_equal(read_cache_line(&b, 0), L1_HIT);
    fill_and_wake(&b, &r);
    assert_int_equal(read_cache_line(&b, 0), L1_MISS);
}

TEST(the_victim_of_a_fill_is_told) {
    struct l1_victim victim = {0};
    BENCH_OF(b, config_with_sectors(false, L1_ALLOCATE_FILL, 1, 1, 4));
    b.cache.victim = &victim;
    bring_cache_line(&b, 5);
    assert_false(victim.evicted);
    read_cache_line(&b, 6);
    assert_false(victim.evicted);
    struct request r = sent_by_cache(&b);
    fill_and_wake(&b, &r);
    assert_true(victim.evicted && victim.line == 5 && victim.warp == 3);
}

TEST(an_outstanding_line_belongs_to_the_warp_that_fetches_it) {
    BENCH_OF(b, config_with_sectors(true, L1_ALLOCATE_FILL, 4, 1, 4));
    read_sectors(&b, 9, 0x1);
    assert_true(l1_data_cache_owns(&b.cache, 3, 9) && !l1_data_cache_owns(&b.cache, 4, 9));
    assert_false(l1_data_cache_owns(&b.cache, 3, 10));
    struct request r = sent_by_cache(&b);
    fill_and_wake(&b, &r);
    assert_int_equal(read_sectors(&b, 9, 0x1), L1_HIT);
    assert_true(l1_data_cache_owns(&b.cache, 3, 9) && !l1_data_cache_owns(&b.cache, 4, 9));
}

/* --- random accesses, against the definitions --- */

enum { LINES = 16, FLIGHT = 32 };

struct naive {
    const struct config *c;
    struct {
        bool used;
        uint64_t line, last_use;
        uint8_t here;
    } way[4][4];
    struct {
        bool busy;
        uint64_t line, begun;
        uint8_t sectors, needs; /* that it fetches, 0: they are here; that others fetch */
        unsigned waiting;
    } fetch[8];
    unsigned queued;
};

static unsigned fetches_of(const struct naive *n, uint64_t line) {
    unsigned count = 0;
    for (unsigned i = 0; i < n->c->l1.mshrs; i++) {
        count += n->fetch[i].busy && n->fetch[i].line == line && n->fetch[i].sectors;
    }
    return count;
}

static int find_way(const struct naive *n, unsigned set, uint64_t line) {
    for (unsigned w = 0; w < n->c->l1.ways; w++) {
        if (n->way[set][w].used && n->way[set][w].line == line) {
            return (int)w;
        }
    }
    return -1;
}

static uint8_t naive_on_way(const struct naive *n, uint64_t line) {
    uint8_t sectors = 0;
    for (unsigned i = 0; i < n->c->l1.mshrs; i++) {
        sectors |= n->fetch[i].busy && n->fetch[i].line == line ? n->fetch[i].sectors : 0;
    }
    return sectors;
}

/* An unused way, else the least recently used of those whose line waits for nothing. */
static int naive_sector_victim(const struct naive *n, unsigned set) {
    bool at_fill = n->c->l1.allocate == L1_ALLOCATE_FILL;
    int oldest = -1;
    for (unsigned w = 0; w < n->c->l1.ways; w++) {
        if (!n->way[set][w].used) {
            return (int)w;
        }
        if ((at_fill || !fetches_of(n, n->way[set][w].line)) &&
            (oldest < 0 || n->way[set][w].last_use < n->way[set][oldest].last_use)) {
            oldest = (int)w;
        }
    }
    return oldest;
}

static void take_way(struct naive *n, unsigned set, int way, uint64_t line, uint64_t time) {
    n->way[set][way].used = true;
    n->way[set][way].line = line;
    n->way[set][way].here = 0;
    n->way[set][way].last_use = time;
}

static enum l1_result naive_sector_read(struct naive *n, unsigned set, uint64_t line,
                                        uint8_t wanted, uint64_t time) {
    bool at_fill = n->c->l1.allocate == L1_ALLOCATE_FILL;
    int way = find_way(n, set, line), newest = -1, spare = -1;
    uint8_t missing = n->c->l1.sectors ? wanted : 0xf;
    missing &= (uint8_t) ~(way >= 0 ? n->way[set][way].here : 0);
    if (!missing) {
        n->way[set][way].last_use = time;
        return L1_HIT;
    }
    for (int i = 0; i < (int)n->c->l1.mshrs; i++) {
        if (!n->fetch[i].busy) {
            spare = i;
        } else if (n->fetch[i].line == line && missing & n->fetch[i].sectors &&
                   (newest < 0 || n->fetch[i].begun > n->fetch[newest].begun)) {
            newest = i;
        }
    }
    const uint8_t on_way = missing & naive_on_way(n, line);
    if (on_way == missing) {
        if (n->fetch[newest].waiting == n->c->l1.mshr_merge) {
            return L1_FAIL_MSHR_MERGE;
        }
        n->fetch[newest].waiting++;
        n->fetch[newest].needs |= missing & (uint8_t)~n->fetch[newest].sectors;
        if (way >= 0) {
            n->way[set][way].last_use = time;
        }
        return L1_PENDING_HIT;
    }
    int takes = way < 0 && !at_fill ? naive_sector_victim(n, set) : way;
    if (takes < 0 && !at_fill) {
        return L1_FAIL_ASSOCIATIVITY;
    }
    if (spare < 0) {
        return L1_FAIL_MSHR_FULL;
    }
    if (n->queued == n->c->l1.miss_queue) {
        return L1_FAIL_MISS_QUEUE;
    }
    n->queued++;
    if (way < 0 && !at_fill) {
        take_way(n, set, takes, line, time);
    } else if (way >= 0) {
        n->way[set][way].last_use = time;
    }
    n->fetch[spare].busy = true;
    n->fetch[spare].line = line;
    n->fetch[spare].begun = time;
    n->fetch[spare].sectors = missing & (uint8_t)~on_way;
    n->fetch[spare].needs = on_way;
    n->fetch[spare].waiting = 1;
    return L1_MISS;
}

static enum l1_result naive_sector_write(struct naive *n, unsigned set, uint64_t line,
                                         uint64_t time) {
    int way = find_way(n, set, line);
    if (n->queued == n->c->l1.miss_queue) {
        return L1_FAIL_MISS_QUEUE;
    }
    n->queued++;
    if (way >= 0 && n->c->l1.global_write == L1_WRITE_EVICT) {
        n->way[set][way].here = 0;
        n->way[set][way].used = n->c->l1.allocate == L1_ALLOCATE_MISS && fetches_of(n, line);
    } else if (way >= 0 && (n->c->l1.allocate == L1_ALLOCATE_FILL || !fetches_of(n, line))) {
        n->way[set][way].last_use = time;
    }
    return L1_WRITE;
}

/* The fetch of these sectors that is the oldest. */
static void naive_sector_fill(struct naive *n, unsigned set, const struct request *r,
                              unsigned woken, uint64_t time) {
    int oldest = -1, way = find_way(n, set, r->line);
    for (int i = 0; i < (int)n->c->l1.mshrs; i++) {
        if (n->fetch[i].busy && n->fetch[i].line == r->line && n->fetch[i].begun == r->born - NOW) {
            oldest = i;
        }
    }
    assert_true(oldest >= 0 && n->fetch[oldest].sectors == r->sectors);
    if (way < 0) {
        assert_int_equal(n->c->l1.allocate, L1_ALLOCATE_FILL);
        way = naive_sector_victim(n, set);
        take_way(n, set, way, r->line, time);
    }
    n->way[set][way].here |= n->fetch[oldest].sectors;
    n->fetch[oldest].sectors = 0;
    unsigned complete = 0;
    for (unsigned i = 0; i < n->c->l1.mshrs; i++) {
        if (n->fetch[i].busy && n->fetch[i].line == r->line && !n->fetch[i].sectors &&
            !(n->fetch[i].needs & naive_on_way(n, r->line))) {
            complete += n->fetch[i].waiting;
            n->fetch[i].busy = false;
        }
    }
    assert_int_equal(complete, woken);
}

static void assert_sectors_agree(struct config c, uint64_t stream) {
    struct rng rng = seeded_rng(stream);
    struct naive n = {.c = &c};
    struct request flight[FLIGHT];
    unsigned flying = 0, results[L1_RESULTS] = {0};
    CLOSED_BY(close_cache_bench) struct bench b;
    open_bench_of(&b, &c);
    for (unsigned step = 1; step < 60000; step++) {
        unsigned kind = rng_below(&rng, 100);
        uint64_t line = rng_below(&rng, LINES);
        unsigned set = tag_set_of(&b.cache.tags, line);
        b.now = NOW + step;
        if (kind < 70) {
            bool write = kind < 12;
            uint8_t sectors = (uint8_t)(1 + rng_below(&rng, 15));
            enum l1_result want = write ? naive_sector_write(&n, set, line, step)
                                        : naive_sector_read(&n, set, line, sectors, step);
            assert_int_equal(access_line(&b, line, write, false, sectors), want);
            results[want]++;
        } else if (kind < 85 && n.queued && flying < FLIGHT) {
            flight[flying] = sent_by_cache(&b);
            flying += flight[flying].kind == REQUEST_READ;
            n.queued--;
        } else if (flying) { /* any order of replies */
            unsigned i = rng_below(&rng, flying);
            struct request r = flight[i];
            flight[i] = flight[--flying];
            naive_sector_fill(&n, tag_set_of(&b.cache.tags, r.line), &r, fill_and_wake(&b, &r),
                              step);
        }
    }
    assert_true(results[L1_HIT] > 300 && results[L1_MISS] > 1000 && results[L1_WRITE] > 1000);
    assert_true(results[L1_PENDING_HIT] > 100 && results[L1_FAIL_MSHR_MERGE] > 100);
    assert_int_equal(results[L1_FAIL_ASSOCIATIVITY] > 100, c.l1.allocate == L1_ALLOCATE_MISS);
    assert_true(!c.l1.sectors || b.cache.stats.sector_misses > 100);
    assert_true(!c.l1.sectors || b.cache.stats.sector_joins > 100);
}

TEST(random_reads_of_sectors_agree_with_the_definitions) {
    for (unsigned i = 0; i < 16; i++) {
        if (i % 4 == 0) {
            continue; /* neither */
        }
        struct config c =
            config_with_sectors(i & 1, i & 2 ? L1_ALLOCATE_FILL : L1_ALLOCATE_MISS, 2, 2, 6);
        c.l1.global_write = i & 4 ? L1_WRITE_EVICT : L1_WRITE_THROUGH;
        c.l1.ways = i & 8 ? 1 : 3;
        assert_sectors_agree(c, i);
    }
}
