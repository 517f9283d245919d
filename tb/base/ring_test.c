/* SPDX-License-Identifier: Apache-2.0
 *
 * Rings: both sides registered, room in weights.
 */
#include "base/seeded.h"

#include "base/ring.h"

#define T 100

static void push_numbered(struct ring *r, uint64_t id, uint64_t visible_at, uint32_t weight) {
    struct request request = {.line = id};
    ring_push(r, &request, visible_at, weight);
}

TEST(an_entry_is_unseen_before_its_time) {
    CLOSED_BY(ring_destroy) struct ring r;
    assert_true(ring_init(&r, 4));
    push_numbered(&r, 7, T + 1, 1);
    assert_null(ring_head(&r, T));
    assert_true(ring_next(&r) == T + 1);
    assert_non_null(ring_head(&r, T + 1));
    assert_true(ring_head(&r, T + 1)->request.line == 7);
    assert_non_null(ring_head(&r, T + 1000));
}

TEST(an_empty_ring_shows_nothing_and_expects_nothing) {
    CLOSED_BY(ring_destroy) struct ring r;
    assert_true(ring_init(&r, 4));
    assert_null(ring_head(&r, NEVER - 1));
    assert_true(ring_next(&r) == NEVER);
    push_numbered(&r, 1, T, 1);
    ring_pop(&r, T);
    assert_null(ring_head(&r, NEVER - 1));
    assert_true(ring_next(&r) == NEVER);
}

TEST(an_entry_hides_those_behind_it_until_its_own_time) {
    CLOSED_BY(ring_destroy) struct ring r;
    assert_true(ring_init(&r, 4));
    push_numbered(&r, 1, T + 5, 1);
    push_numbered(&r, 2, T + 5, 1);
    assert_null(ring_head(&r, T + 4));
    assert_true(ring_head(&r, T + 5)->request.line == 1);
    ring_pop(&r, T + 5);
    assert_true(ring_head(&r, T + 5)->request.line == 2);
}

TEST(room_is_counted_in_weights) {
    enum { CAPACITY = 9 };
    CLOSED_BY(ring_destroy) struct ring r;
    assert_true(ring_init(&r, CAPACITY));
    assert_int_equal(ring_room(&r, T), CAPACITY);
    push_numbered(&r, 1, T, 5);
    assert_int_equal(ring_room(&r, T), CAPACITY - 5);
    push_numbered(&r, 2, T, 3);
    assert_int_equal(ring_room(&r, T), CAPACITY - 5 - 3);
    ring_pop(&r, T);
    assert_int_equal(ring_room(&r, T + 1), CAPACITY - 3);
    ring_pop(&r, T + 1);
    assert_int_equal(ring_room(&r, T + 2), CAPACITY);
}

TEST(room_freed_at_a_time_is_not_used_at_that_time) {
    CLOSED_BY(ring_destroy) struct ring r;
    assert_true(ring_init(&r, 6));
    push_numbered(&r, 1, T, 3);
    push_numbered(&r, 2, T, 2);
    push_numbered(&r, 3, T, 1);
    assert_int_equal(ring_room(&r, T), 0);
    ring_pop(&r, T);
    assert_int_equal(ring_room(&r, T), 0);
    ring_pop(&r, T);
    assert_int_equal(ring_room(&r, T), 0);
    assert_int_equal(ring_room(&r, T + 1), 3 + 2);
    /* Room freed earlier can be used, room freed now cannot. */
    ring_pop(&r, T + 1);
    assert_int_equal(ring_room(&r, T + 1), 3 + 2);
    assert_int_equal(ring_room(&r, T + 2), 6);
}

TEST(push_and_pop_at_one_time_commute) {
    CLOSED_BY(ring_destroy) struct ring a, b;
    assert_true(ring_init(&a, 5) && ring_init(&b, 5));
    push_numbered(&a, 1, T, 2);
    push_numbered(&b, 1, T, 2);
    push_numbered(&a, 2, T + 1, 3);
    ring_pop(&a, T);
    ring_pop(&b, T);
    push_numbered(&b, 2, T + 1, 3);
    for (uint64_t now = T; now < T + 3; now++) {
        assert_int_equal(ring_room(&a, now), ring_room(&b, now));
        assert_int_equal(ring_head(&a, now) != NULL, ring_head(&b, now) != NULL);
    }
    assert_int_equal(ring_room(&a, T), 0);
    assert_int_equal(ring_room(&a, T + 1), 2);
}

/* The reference: a list that never wraps. */
struct naive_ring {
    struct {
        uint64_t id, visible_at, popped_at;
        uint32_t weight;
    } entry[100000];
    unsigned head, tail;
};

static unsigned naive_room(const struct naive_ring *n, unsigned capacity, uint64_t now) {
    unsigned used = 0;
    for (unsigned i = n->head; i < n->tail; i++) {
        used += n->entry[i].weight;
    }
    for (unsigned i = n->head; i-- > 0 && n->entry[i].popped_at == now;) {
        used += n->entry[i].weight;
    }
    return capacity - used;
}

TEST(random_streams_agree_with_a_list) {
    static const unsigned capacities[] = {1, 2, 3, 8, 13, 64};
    static struct naive_ring n;
    for (unsigned c = 0; c < sizeof capacities / sizeof *capacities; c++) {
        struct rng rng = seeded_rng(c);
        CLOSED_BY(ring_destroy) struct ring r;
        unsigned capacity = capacities[c], full = 0;
        uint64_t now = 1, last = 0;
        assert_true(ring_init(&r, capacity));
        n.head = n.tail = 0;
        while (n.tail < 100000) {
            unsigned room = naive_room(&n, capacity, now);
            assert_int_equal(ring_room(&r, now), room);
            const struct ring_entry *e = ring_head(&r, now);
            bool seen = n.head < n.tail && n.entry[n.head].visible_at <= now;
            assert_int_equal(e != NULL, seen);
            assert_true(!seen || e->request.line == n.entry[n.head].id);
            assert_true(ring_next(&r) == (n.head < n.tail ? n.entry[n.head].visible_at : NEVER));
            full += room == 0;
            if (room && rng_chance(&rng, 3, 5)) {
                uint32_t weight = 1 + rng_below(&rng, room < 5 ? room : 5);
                uint64_t visible_at = now + 1 + rng_below(&rng, 4);
                last = visible_at > last ? visible_at : last;
                push_numbered(&r, n.tail, last, weight);
                n.entry[n.tail].id = n.tail;
                n.entry[n.tail].visible_at = last;
                n.entry[n.tail++].weight = weight;
            }
            if (ring_head(&r, now) && rng_chance(&rng, 1, 2)) {
                ring_pop(&r, now);
                n.entry[n.head++].popped_at = now;
            }
            now += rng_below(&rng, 3);
        }
        assert_true(full > 1000); /* a ring that was never full has tested nothing of its room */
    }
}
