/* SPDX-License-Identifier: Apache-2.0
 *
 * The queue before the victim tags, which take a look-up and an eviction a cycle.
 */
#include "base/unit_tests.h"

#include "config/preset.h"
#include "l1/victim_watch.h"

enum { START = 100, WARP = 3, LINE_A = 64, LINE_B = 128 };

static struct victim_watch *watch_with_hits(unsigned victim_hit) {
    static struct config config;
    config = named_preset("quadro-daws");
    config.l1.victim_hit = victim_hit;
    struct victim_watch *v = victim_watch_create(&config, 0, &(struct build){0});
    struct victim_hit hit;
    assert_non_null(v);
    assert_false(victim_watch_next_hit(v, START, &hit));
    return v;
}

static struct victim_watch *watch_at_start(void) {
    return watch_with_hits(L1_VICTIM_HIT_KEEP);
}

/* The next hit by @cycle; 0: none. */
static uint64_t hit_by(struct victim_watch *v, uint64_t cycle) {
    struct victim_hit hit;
    if (!victim_watch_next_hit(v, cycle, &hit)) {
        return 0;
    }
    assert_int_equal(hit.warp, WARP);
    return hit.cycle;
}

static void evict_of_warp(struct victim_watch *v, uint64_t line) {
    victim_watch_evict(v, WARP, line);
    assert_true(hit_by(v, v->cycle + 1) == 0);
}

TEST(misses_of_one_cycle_are_looked_up_one_a_cycle_in_their_order) {
    struct victim_watch *v = watch_at_start();
    evict_of_warp(v, LINE_A);
    evict_of_warp(v, LINE_B);
    const uint64_t now = v->cycle;
    assert_true(victim_watch_miss(v, WARP, LINE_A) == now + 1);
    assert_true(victim_watch_miss(v, WARP + 1, LINE_A) == now + 2); /* another warp's */
    assert_true(victim_watch_miss(v, WARP, LINE_B) == now + 3);
    assert_true(hit_by(v, now + 1) == now + 1);
    assert_true(hit_by(v, now + 2) == 0);
    assert_true(hit_by(v, now + 9) == now + 3);
    assert_true(hit_by(v, now + 9) == 0 && !v->busy && v->stats.hits == 2);
    victim_watch_destroy(v);
}

/* The look-up and the eviction of one access share a cycle. */
TEST(a_miss_finds_what_the_access_before_it_has_evicted) {
    struct victim_watch *v = watch_at_start();
    const uint64_t now = v->cycle;
    assert_true(victim_watch_miss(v, WARP, LINE_A) == now + 1);
    victim_watch_evict(v, WARP, LINE_B);
    assert_true(victim_watch_miss(v, WARP, LINE_B) == now + 2);
    victim_watch_evict(v, WARP, LINE_A);
    assert_true(victim_watch_miss(v, WARP, LINE_A) == now + 3);
    assert_true(hit_by(v, now + 9) == now + 2 && hit_by(v, now + 9) == now + 3);
    victim_watch_destroy(v);
}

TEST(an_eviction_that_waits_is_before_a_later_miss) {
    struct victim_watch *v = watch_at_start();
    const uint64_t now = v->cycle;
    victim_watch_evict(v, WARP + 1, LINE_B);
    victim_watch_evict(v, WARP, LINE_A); /* waits a cycle */
    assert_true(victim_watch_miss(v, WARP, LINE_A) == now + 3);
    assert_true(hit_by(v, now + 9) == now + 3);
    victim_watch_destroy(v);
}

TEST(a_full_queue_refuses_and_counts) {
    struct victim_watch *v = watch_at_start();
    for (unsigned i = 0; i <= VICTIM_WAITING; i++) {
        assert_true(victim_watch_miss(v, WARP, i) == v->cycle + i + 1);
    }
    assert_true(victim_watch_miss(v, WARP, LINE_A) == 0);
    victim_watch_evict(v, WARP, LINE_A); /* into the cycle of the last miss */
    victim_watch_evict(v, WARP, LINE_B);
    assert_int_equal(v->stats.refused, 2);
    assert_int_equal(v->stats.misses, VICTIM_WAITING + 2);
    victim_watch_destroy(v);
}

TEST(a_new_warp_drops_what_waits_of_its_slot) {
    struct victim_watch *v = watch_at_start();
    const uint64_t now = v->cycle;
    victim_watch_evict(v, WARP + 1, LINE_A);
    victim_watch_evict(v, WARP, LINE_A);
    victim_watch_evict(v, WARP, LINE_B);
    victim_watch_clear(v, UINT64_C(1) << WARP);
    assert_true(hit_by(v, now + 9) == 0);
    victim_watch_miss(v, WARP, LINE_A);
    assert_true(hit_by(v, now + 20) == 0);
    victim_watch_miss(v, WARP, LINE_B);
    assert_true(hit_by(v, now + 30) == 0);
    victim_watch_destroy(v);
}

TEST(a_hit_keeps_its_entry_or_frees_it) {
    for (unsigned frees = 0; frees < 2; frees++) {
        struct victim_watch *v = watch_with_hits(frees ? L1_VICTIM_HIT_FREE : L1_VICTIM_HIT_KEEP);
        evict_of_warp(v, LINE_A);
        const uint64_t now = v->cycle;
        victim_watch_miss(v, WARP, LINE_A);
        victim_watch_miss(v, WARP, LINE_A);
        assert_true(hit_by(v, now + 9) == now + 1);
        assert_true(hit_by(v, now + 9) == (frees ? 0 : now + 2));
        victim_watch_destroy(v);
    }
}
