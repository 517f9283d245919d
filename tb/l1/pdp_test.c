/* SPDX-License-Identifier: Apache-2.0
 *
 * Protecting distances (PDP, MICRO 2012) in an L1, as CBWT has them (MDB 7.1).
 */
#include "base/seeded.h"

#include "config/preset.h"
#include "l1/front.h"
#include "l1/pdp.h"

enum { WAYS = 2, SETS = 8 };

static struct config config_with_distance(unsigned distance) {
    struct config c = base_preset();
    c.l1.sets = SETS;
    c.l1.ways = WAYS;
    c.l1.index = INDEX_MODULO;
    c.l1.replacement = L1_REPLACEMENT_PDP;
    c.pdp.distance = distance;
    return c;
}

struct protected_cache {
    struct config config;
    struct l1_data_cache cache;
    struct l1_front front;
    uint64_t time;
};

static void open_protected(struct protected_cache *p) {
    const struct build build = {0};
    assert_legal(&p->config);
    assert_true(l1_data_cache_init(&p->cache, &p->config));
    assert_true(l1_front_init(&p->front, &p->config, 0, &p->cache, NULL, &p->time, &build));
}

static void close_protected(struct protected_cache *p) {
    l1_front_destroy(&p->front);
    l1_data_cache_destroy(&p->cache);
}

static const struct pdp *pdp_of(const struct protected_cache *p) {
    return l1_policies_state(p->front.policies, "pdp");
}

static enum l1_result present_read(struct protected_cache *p, struct request *r) {
    struct l1_taken taken;
    p->time += 10;
    bool took =
        l1_front_present(&p->front, r, false, 0, &(struct now){p->time, p->time, 1}, &taken);
    return took ? taken.result : (enum l1_result)p->front.refusal.cause;
}

/* A read of the line, whose fill comes at once if it takes one. */
static enum l1_result read_protected(struct protected_cache *p, uint64_t line) {
    struct request r = {.line = line, .kind = REQUEST_READ, .sectors = 1};
    struct l1_data_cache *c = &p->cache;
    enum l1_result result = present_read(p, &r);
    if (result == L1_MISS || result == L1_BYPASS) {
        ring_pop(&c->miss_queue, p->time + 5);
    }
    if (result == L1_MISS) {
        l1_data_cache_fill(c, &r);
        mshr_wake(&c->mshrs);
    }
    return result;
}

#define PROTECTED(p, distance) \
    CLOSED_BY(close_protected) \
    struct protected_cache p = {.config = config_with_distance(distance)}; \
    open_protected(&p)

/* Lines of one set: 8, 16, 24, ... */
TEST(pdp_a_line_is_protected_for_its_distance) {
    PROTECTED(p, 3);
    assert_int_equal(read_protected(&p, 8), L1_MISS);
    assert_int_equal(read_protected(&p, 16), L1_MISS);
    assert_int_equal(read_protected(&p, 24),
                     L1_BYPASS);                       /* the second after 8, the first after 16 */
    assert_int_equal(read_protected(&p, 32), L1_MISS); /* the third: in the place of 8 */
    assert_int_equal(read_protected(&p, 16), L1_HIT);  /* its third: a reuse comes in time */
    assert_int_equal(read_protected(&p, 8), L1_BYPASS);
    assert_int_equal(p.cache.stats.space[0].read_bypasses, 2);
}

TEST(pdp_a_use_protects_anew) {
    PROTECTED(p, 3);
    read_protected(&p, 8);
    read_protected(&p, 16);
    assert_int_equal(read_protected(&p, 8), L1_HIT);
    assert_int_equal(read_protected(&p, 24), L1_BYPASS);
    assert_int_equal(read_protected(&p, 24), L1_MISS); /* in the place of 16 */
    assert_int_equal(read_protected(&p, 8), L1_HIT);
}

TEST(pdp_other_sets_do_not_count) {
    PROTECTED(p, 3);
    read_protected(&p, 8);
    read_protected(&p, 16);
    for (uint64_t line = 1; line < 5; line++) {
        read_protected(&p, line);
    }
    assert_int_equal(read_protected(&p, 24), L1_BYPASS);
}

/* MICRO 2012, equation 1: hits for the time that lines stand. */
TEST(pdp_the_best_distance_is_that_of_equation_1) {
    uint32_t reuses[PDP_DISTANCE_MAX + 1] = {0};
    assert_int_equal(pdp_best_distance(reuses, 100, 4), 0);
    reuses[10] = 50; /* E(10) = 50 / (500 + 50 * 14) = .0417; beyond it only falls */
    assert_int_equal(pdp_best_distance(reuses, 100, 4), 10);
    reuses[200] = 5; /* E(200) = 55 / (1500 + 45 * 204) = .0051 */
    assert_int_equal(pdp_best_distance(reuses, 100, 4), 10);
    reuses[200] = 50; /* E(200) = 100 / (10500 + 0) = .0095 */
    assert_int_equal(pdp_best_distance(reuses, 100, 4), 10);
    reuses[10] =
        2; /* E(10) = 2 / (20 + 98 * 14) = .0014; E(200) = 52 / (10020 + 48 * 204) = .0026 */
    assert_int_equal(pdp_best_distance(reuses, 100, 4), 200);
    reuses[10] = reuses[200] = 0;
    reuses[256] = 1;
    assert_int_equal(pdp_best_distance(reuses, 100, 4), 256);
}

/* Eight lines go round in the sampled set: each comes back after eight accesses. */
TEST(pdp_the_distance_is_found_by_sampling) {
    CLOSED_BY(close_protected) struct protected_cache p = {.config = config_with_distance(0)};
    p.config.pdp.interval = 64;
    open_protected(&p);
    assert_int_equal(pdp_of(&p)->distance, WAYS);
    for (unsigned i = 0; i < 64; i++) {
        read_protected(&p, 8 * (1 + i % 8));
    }
    assert_int_equal(pdp_of(&p)->distance, 8);
    uint64_t hits = 0;
    for (unsigned i = 0; i < 64; i++) {
        hits = i == 8 ? p.cache.stats.space[0].read_hits : hits; /* the first eight take places */
        read_protected(&p, 8 * (1 + i % 8));
    }
    assert_int_equal(p.cache.stats.space[0].read_hits - hits, 7 * WAYS); /* LRU has none */
    for (unsigned i = 0; i < 64; i++) { /* nothing comes back: the distance stays */
        read_protected(&p, 8 * (100 + i));
    }
    assert_int_equal(pdp_of(&p)->distance, 8);
    assert_int_equal(pdp_of(&p)->stats.distances, 3);
}

/* Reads that are refused do not count: nothing has changed. */
TEST(pdp_a_refused_read_does_not_count) {
    PROTECTED(p, 3);
    read_protected(&p, 8);
    read_protected(&p, 16);
    p.cache.miss_queue.used = p.cache.miss_queue.capacity; /* no room */
    struct request r = {.line = 24, .kind = REQUEST_READ, .sectors = 1};
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(present_read(&p, &r), L1_FAIL_MISS_QUEUE);
    }
    assert_int_equal(pdp_of(&p)->stats.accesses, 2);
}

/* MDB 2.2: with pdp.bypass = miss the read needs an MSHR, fetches its line, and the next one of the
 * line waits for it. */
TEST(pdp_a_bypass_that_misses_takes_an_mshr) {
    CLOSED_BY(close_protected) struct protected_cache p = {.config = config_with_distance(3)};
    p.config.pdp.bypass = PDP_BYPASS_MISS;
    p.config.l1.mshrs = 1;
    p.config.l1.mshr_merge = 2;
    open_protected(&p);
    struct l1_data_cache *c = &p.cache;
    struct request first = {.line = 24, .kind = REQUEST_READ, .sectors = 1, .warp = 5};
    struct request next = first, other = {.line = 40, .kind = REQUEST_READ, .sectors = 1};
    read_protected(&p, 8);
    read_protected(&p, 16);
    assert_int_equal(present_read(&p, &first), L1_BYPASS);
    assert_int_equal(first.bytes, p.config.l1.line_bytes);
    assert_false(first.bypasses);
    assert_true(l1_data_cache_fetches_for(c, 5, 24));
    assert_int_equal(present_read(&p, &next), L1_PENDING_HIT);
    assert_int_equal(present_read(&p, &other), L1_FAIL_MSHR_FULL);
    assert_int_equal(l1_data_cache_fill(c, &first), L1_FILL_IN_SET);
    p.front.refusal.retry = RETRY_CHANGE;
    assert_int_equal(present_read(&p, &other), L1_FAIL_MSHR_FULL); /* two wait to be woken */
    assert_false(mshr_wake(&c->mshrs));
    assert_true(mshr_wake(&c->mshrs));
    assert_false(l1_data_cache_fetches_for(c, 5, 24));
    assert_int_equal(tag_find(&c->tags, c->accessed_set, 24), TAG_NO_WAY);
    assert_int_equal(c->stats.space[0].read_bypasses, 1);
    assert_int_equal(c->stats.space[0].read_pending_hits, 1);
    assert_int_equal(c->stats.fills, 2);
}
