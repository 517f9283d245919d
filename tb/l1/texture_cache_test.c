/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture cache: tags at once, data in order.
 */
#include "base/seeded.h"

#include <string.h>

#include "config/preset.h"
#include "l1/texture_cache.h"

struct bench {
    struct texture_cache cache;
    uint64_t cycle;
};

static void open_texture_bench(struct bench *b, unsigned ways, unsigned fifo, unsigned requests,
                               unsigned reorder, bool sectors) {
    struct config c = base_preset();
    c.texture.sectors = sectors;
    c.texture.sets = 1;
    c.texture.ways = ways;
    c.texture.fifo = fifo;
    c.texture.request_queue = requests;
    c.texture.reorder = reorder;
    assert_legal(&c);
    b->cycle = 100;
    assert_true(texture_cache_init(&b->cache, &c));
}

static void close_bench(struct bench *b) {
    texture_cache_destroy(&b->cache);
}

#define BENCH(b, ...) \
    CLOSED_BY(close_bench) struct bench b; \
    open_texture_bench(&b, __VA_ARGS__, false)

static enum texture_result access_texture_sectors(struct bench *b, uint64_t line, uint8_t sectors,
                                                  unsigned warp) {
    struct request r = {.line = line, .sectors = sectors, .warp = (uint16_t)warp, .reg = 9};
    return texture_cache_access(&b->cache, &r, &(struct now){b->cycle, b->cycle, 1});
}

static enum texture_result access_texture_line(struct bench *b, uint64_t line, unsigned warp) {
    return access_texture_sectors(b, line, 1, warp);
}

static struct request sent_by_texture_cache(struct bench *b) {
    b->cycle++;
    struct ring_entry *e = ring_head(&b->cache.requests, b->cycle);
    assert_non_null(e);
    struct request r = e->request;
    ring_pop(&b->cache.requests, b->cycle);
    b->cycle++; /* its place can be taken from now on */
    return r;
}

/* The warp whose data comes out in this cycle; -1: none. */
static int taken_warp(struct bench *b, bool *hit) {
    const struct request *cause;
    if (texture_cache_next(&b->cache) > b->cycle) {
        return -1;
    }
    struct texture_access a = texture_cache_take(&b->cache, &cause);
    *hit = !cause;
    assert_int_equal(a.reg, 9);
    return a.warp;
}

TEST(a_miss_asks_for_its_line_and_waits_for_it) {
    BENCH(b, 2, 4, 2, 2);
    bool hit;
    assert_int_equal(access_texture_line(&b, 5, 1), TEXTURE_TAKEN);
    struct request r = sent_by_texture_cache(&b);
    assert_true(r.line == 5 && r.unit == UNIT_TEXTURE && r.bytes == 128);
    assert_int_equal(taken_warp(&b, &hit), -1);
    texture_cache_fill(&b.cache, &r);
    assert_int_equal(taken_warp(&b, &hit), 1);
    assert_false(hit);
    assert_true(texture_cache_idle(&b.cache));
}

TEST(a_miss_asks_for_the_sectors_that_its_line_lacks) {
    CLOSED_BY(close_bench) struct bench b;
    open_texture_bench(&b, 1, 4, 2, 4, true);
    bool hit;
    static const struct {
        uint64_t line;
        uint8_t wanted, sent;
    } steps[] = {{5, 0x3, 0x3}, {5, 0x6, 0x4}, {5, 0x7, 0}, {6, 0x1, 0x1}, {5, 0x2, 0x2}};
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_int_equal(access_texture_sectors(&b, steps[i].line, steps[i].wanted, i),
                         TEXTURE_TAKEN);
        if (steps[i].sent) {
            struct request r = sent_by_texture_cache(&b);
            assert_true(r.sectors == steps[i].sent &&
                        r.bytes == 32 * __builtin_popcount(steps[i].sent));
            texture_cache_fill(&b.cache, &r);
        }
        b.cycle++;
        assert_int_equal(taken_warp(&b, &hit), i);
        assert_true(hit == !steps[i].sent);
    }
}

TEST(a_hit_in_an_empty_fifo_leaves_in_the_next_cycle) {
    BENCH(b, 2, 4, 2, 2);
    bool hit;
    access_texture_line(&b, 5, 1);
    struct request r = sent_by_texture_cache(&b);
    texture_cache_fill(&b.cache, &r);
    taken_warp(&b, &hit);
    assert_int_equal(access_texture_line(&b, 5, 2), TEXTURE_TAKEN);
    assert_int_equal(taken_warp(&b, &hit), -1);
    b.cycle++;
    assert_int_equal(taken_warp(&b, &hit), 2);
    assert_true(hit && b.cache.stats.hits == 1 && b.cache.stats.misses == 1);
}

/* The cache's nature: latency is hidden, order is kept. */
TEST(a_hit_waits_behind_a_miss) {
    BENCH(b, 2, 4, 2, 2);
    bool hit;
    access_texture_line(&b, 5, 1);
    struct request r = sent_by_texture_cache(&b);
    texture_cache_fill(&b.cache, &r);
    taken_warp(&b, &hit);
    access_texture_line(&b, 6, 2);
    access_texture_line(&b, 5, 3);
    r = sent_by_texture_cache(&b);
    b.cycle += 50;
    assert_int_equal(taken_warp(&b, &hit), -1);
    texture_cache_fill(&b.cache, &r);
    assert_int_equal(taken_warp(&b, &hit), 2);
    assert_int_equal(taken_warp(&b, &hit), 3);
}

TEST(an_access_to_a_line_asked_for_asks_no_more) {
    BENCH(b, 2, 4, 2, 2);
    access_texture_line(&b, 5, 1);
    access_texture_line(&b, 5, 2);
    assert_true(b.cache.requests.count == 1 && b.cache.reorder_count == 1);
    assert_true(b.cache.stats.pending_hits == 1 && b.cache.stats.hits == 0);
}

TEST(lines_arrive_in_any_order_and_are_taken_in_order) {
    BENCH(b, 2, 4, 2, 2);
    bool hit;
    access_texture_line(&b, 5, 1);
    access_texture_line(&b, 6, 2);
    struct request first = sent_by_texture_cache(&b);
    struct request second = sent_by_texture_cache(&b);
    texture_cache_fill(&b.cache, &second);
    assert_int_equal(taken_warp(&b, &hit), -1);
    texture_cache_fill(&b.cache, &first);
    assert_int_equal(taken_warp(&b, &hit), 1);
    assert_int_equal(taken_warp(&b, &hit), 2);
}

/* One way: each of the lines takes the place of the one before, whose data is still to come. */
TEST(a_line_may_be_taken_over_before_it_has_arrived) {
    BENCH(b, 1, 4, 3, 4);
    bool hit;
    access_texture_line(&b, 5, 1);
    access_texture_line(&b, 6, 2);
    access_texture_line(&b, 5, 3);
    assert_int_equal(b.cache.stats.misses, 3);
    struct request r[3];
    for (unsigned i = 0; i < 3; i++) {
        r[i] = sent_by_texture_cache(&b);
    }
    texture_cache_fill(&b.cache, &r[0]);
    assert_int_equal(access_texture_line(&b, 5, 4),
                     TEXTURE_TAKEN); /* what it waits for is the third request */
    assert_int_equal(b.cache.stats.pending_hits, 1);
    texture_cache_fill(&b.cache, &r[2]);
    texture_cache_fill(&b.cache, &r[1]);
    b.cycle++;
    for (int warp = 1; warp <= 4; warp++) {
        assert_int_equal(taken_warp(&b, &hit), warp);
        assert_int_equal(hit, warp == 4);
    }
}

TEST(each_limit_refuses_for_its_own_cause) {
    static const struct {
        unsigned fifo, requests, reorder;
        enum texture_result cause;
    } cases[] = {{2, 9, 9, TEXTURE_FAIL_FIFO},
                 {9, 2, 9, TEXTURE_FAIL_REQUEST_QUEUE},
                 {9, 9, 2, TEXTURE_FAIL_REORDER},
                 {2, 2, 2, TEXTURE_FAIL_FIFO},
                 {9, 2, 2, TEXTURE_FAIL_REQUEST_QUEUE}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench b;
        open_texture_bench(&b, 4, cases[i].fifo, cases[i].requests, cases[i].reorder, false);
        assert_int_equal(access_texture_line(&b, 1, 1), TEXTURE_TAKEN);
        assert_int_equal(access_texture_line(&b, 2, 1), TEXTURE_TAKEN);
        assert_int_equal(access_texture_line(&b, 3, 1), cases[i].cause);
        assert_int_equal(access_texture_line(&b, 1, 1),
                         cases[i].cause); /* a hit too: looked at before the tags */
        assert_int_equal(b.cache.stats.accesses, 2);
        texture_cache_destroy(&b.cache);
    }
}

/* Accesses come out in the order in which they went in; a line is asked for exactly when the LRU
 * list of lines does not have it. */
TEST(random_accesses_come_out_in_order) {
    enum { WAYS = 3, LINES = 6, STEPS = 100000 };
    struct rng rng = seeded_rng(0);
    struct bench b;
    struct request flight[64];
    unsigned flying = 0, in = 0, out = 0, lru_count = 0, misses = 0;
    uint64_t lru[WAYS] = {0};
    open_texture_bench(&b, WAYS, 7, 2, 5, false);
    for (unsigned step = 0; step < STEPS; step++) {
        b.cycle++;
        bool hit;
        int warp = rng_chance(&rng, 1, 2) ? taken_warp(&b, &hit) : -1;
        if (warp >= 0) {
            assert_int_equal(warp, out % 1000);
            out++;
        }
        uint64_t line = rng_below(&rng, LINES);
        if (rng_chance(&rng, 1, 2) && access_texture_line(&b, line, in % 1000) == TEXTURE_TAKEN) {
            unsigned at = 0;
            while (at < lru_count && lru[at] != line) {
                at++;
            }
            misses += at == lru_count;
            lru_count += at == lru_count && lru_count < WAYS;
            at = at < WAYS ? at : WAYS - 1;
            memmove(&lru[1], &lru[0], at * sizeof *lru);
            lru[0] = line;
            in++;
        }
        assert_int_equal(b.cache.stats.misses, misses);
        if (ring_head(&b.cache.requests, b.cycle) && rng_chance(&rng, 1, 3)) {
            flight[flying++] = ring_front(&b.cache.requests)->request;
            ring_pop(&b.cache.requests, b.cycle);
        }
        if (flying && rng_chance(&rng, 1, 6)) {
            unsigned i = rng_below(&rng, flying);
            texture_cache_fill(&b.cache, &flight[i]);
            flight[i] = flight[--flying];
        }
    }
    assert_true(out > 10000 && in - out <= 7 && misses > 5000);
    texture_cache_destroy(&b.cache);
}
