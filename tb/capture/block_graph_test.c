/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of blocks against its definition, worked out slowly, on random graphs.
 */
#include "base/seeded.h"
#include "base/unit_tests.h"
#include "capture/block_graph.h"

#define BLOCKS_MAX 14

struct random_graph {
    struct block_graph g;
    uint32_t first[BLOCKS_MAX + 1], target[BLOCKS_MAX * 3];
};

static void draw_graph(struct random_graph *r, struct rng *rng) {
    r->g = (struct block_graph){1 + (uint32_t)rng_below(rng, BLOCKS_MAX), r->first, r->target};
    uint32_t used = 0;
    for (uint32_t b = 0; b < r->g.count; b++) {
        r->first[b] = used;
        for (uint32_t e = (uint32_t)rng_below(rng, 4); e-- > 0 && used < BLOCKS_MAX * 3;) {
            r->target[used++] = (uint32_t)rng_below(rng, r->g.count);
        }
    }
    r->first[r->g.count] = used;
}

/* Can @from come to @to over at least one edge, in blocks of @inside alone, never by way of an
 * edge to @barred? */
static bool block_reaches(const struct block_graph *g, uint32_t inside, uint32_t barred,
                          uint32_t from, uint32_t to) {
    uint32_t seen = 0, fresh = 1u << from;
    while (fresh) {
        uint32_t b = (uint32_t)__builtin_ctz(fresh);
        fresh &= fresh - 1;
        for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++) {
            uint32_t bit = 1u << g->target[e];
            if (g->target[e] != barred && inside & bit && !(seen & bit)) {
                seen |= bit;
                fresh |= bit;
            }
        }
    }
    return seen >> to & 1;
}

static uint32_t blocks_between(const struct block_order *o, uint32_t first, uint32_t last) {
    uint32_t blocks = 0;
    for (uint32_t b = 0; b < o->count; b++) {
        blocks |= (uint32_t)(o->number[b] >= first && o->number[b] < last) << b;
    }
    return blocks;
}

/* The blocks of a head's component are those that come to the head and from it, inside the
 * component around it and without its head. */
static void check_component(const struct block_graph *g, const struct block_order *o,
                            uint32_t head) {
    uint32_t around = (1u << o->count) - 1, barred = BLOCK_NONE, width = UINT32_MAX;
    for (uint32_t h = 0; h < o->count; h++) {
        if (h != head && o->number[h] < o->number[head] && o->back[h] > o->number[head] &&
            o->back[h] - o->number[h] < width) {
            width = o->back[h] - o->number[h];
            around = blocks_between(o, o->number[h], o->back[h]);
            barred = h;
        }
    }
    assert_true(block_reaches(g, around, barred, head, head));
    const uint32_t inside = blocks_between(o, o->number[head], o->back[head]);
    for (uint32_t b = 0; b < o->count; b++) {
        bool both = around >> b & 1 && b != barred &&
                    (b == head || (block_reaches(g, around, barred, head, b) &&
                                   block_reaches(g, around, barred, b, head)));
        assert_int_equal(both, inside >> b & 1);
    }
}

static uint32_t entries_of(const struct block_graph *g, uint32_t inside) {
    uint32_t entered = inside & 1;
    for (uint32_t b = 0; b < g->count; b++) {
        for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++) {
            if (!(inside >> b & 1)) {
                entered |= inside & 1u << g->target[e];
            }
        }
    }
    return entered;
}

/* Return: loops checked. */
static uint32_t check_loops(const struct block_graph *g, const struct block_order *o) {
    uint32_t heads = 0, irreducible = 0;
    for (uint32_t b = 0; b < o->count; b++) {
        if (!o->back[b]) {
            assert_false(block_reaches(g, 1u << b, BLOCK_NONE, b, b));
            continue;
        }
        check_component(g, o, b);
        uint32_t inside = blocks_between(o, o->number[b], o->back[b]);
        uint32_t entered = entries_of(g, inside);
        if (entered & (entered - 1)) {
            irreducible++;
            continue;
        }
        assert_true(!entered || entered == 1u << b);
        uint32_t loop = o->loop[b];
        assert_true(loop < o->loop_count && o->loops[loop].head == b);
        assert_int_equal(o->loops[loop].first, o->number[b]);
        assert_int_equal(o->loops[loop].last, o->back[b]);
        heads++;
    }
    assert_int_equal(heads, o->loop_count);
    assert_int_equal(irreducible, o->irreducible);
    return heads;
}

static void check_block_order(const struct block_graph *g, const struct block_order *o) {
    uint32_t seen = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t b = o->sequence[i];
        assert_false(seen >> b & 1);
        seen |= 1u << b;
        assert_true(!i || o->number[o->sequence[i - 1]] < o->number[b]);
        for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++) {
            uint32_t to = g->target[e];
            assert_true(o->number[b] < o->number[to] || block_order_is_back(o, b, to));
        }
        uint32_t innermost = LOOP_NONE, width = UINT32_MAX;
        for (uint32_t l = 0; l < o->loop_count; l++) {
            if (block_loop_has(o, l, b) && o->loops[l].last - o->loops[l].first < width) {
                width = o->loops[l].last - o->loops[l].first;
                innermost = l;
            }
        }
        assert_int_equal(o->loop[b], innermost);
    }
}

TEST(the_order_of_random_graphs_is_a_weak_topological_one) {
    struct rng rng;
    struct random_graph r;
    uint32_t loops = 0, irreducible = 0;
    rng_seed(&rng, test_seed());
    for (unsigned i = 0; i < 20000; i++) {
        draw_graph(&r, &rng);
        struct block_order *o = block_order_create(&r.g);
        assert_non_null(o);
        check_block_order(&r.g, o);
        loops += check_loops(&r.g, o);
        irreducible += o->irreducible;
        block_order_destroy(o);
    }
    assert_true(loops > 10000 && irreducible > 1000);
}

/* Is every way from @b to an exit by way of @by? */
static bool block_must_pass(const struct block_graph *g, uint32_t b, uint32_t by) {
    const uint32_t inside = ((1u << g->count) - 1) & ~(1u << by);
    if (b == by) {
        return true;
    }
    for (uint32_t exit = 0; exit < g->count; exit++) {
        if (g->first[exit] == g->first[exit + 1] && exit != by &&
            (exit == b || block_reaches(g, inside, BLOCK_NONE, b, exit))) {
            return false;
        }
    }
    return true;
}

static bool block_has_exit(const struct block_graph *g, uint32_t b) {
    for (uint32_t exit = 0; exit < g->count; exit++) {
        if (g->first[exit] == g->first[exit + 1] &&
            (exit == b || block_reaches(g, (1u << g->count) - 1, BLOCK_NONE, b, exit))) {
            return true;
        }
    }
    return false;
}

/* Immediate: passed by all ways, and all others that are passed lie behind it. */
static void check_post_dominator(const struct block_graph *g, uint32_t b, uint32_t found) {
    for (uint32_t other = 0; other < g->count; other++) {
        if (other == b || !block_has_exit(g, b) || !block_has_exit(g, other) ||
            !block_must_pass(g, b, other)) {
            continue;
        }
        assert_true(found != BLOCK_NONE);
        assert_true(block_must_pass(g, found, other));
    }
    if (found != BLOCK_NONE) {
        assert_true(found != b && block_must_pass(g, b, found));
    }
}

TEST(post_dominators_of_random_graphs_are_on_all_ways_to_the_exits) {
    struct rng rng;
    struct random_graph r;
    uint32_t dominated = 0;
    rng_seed(&rng, test_seed());
    for (unsigned i = 0; i < 5000; i++) {
        draw_graph(&r, &rng);
        uint32_t *dominator = block_post_dominators(&r.g);
        assert_non_null(dominator);
        for (uint32_t b = 0; b < r.g.count; b++) {
            check_post_dominator(&r.g, b, dominator[b]);
            dominated += dominator[b] != BLOCK_NONE;
        }
        free(dominator);
    }
    assert_true(dominated > 5000);
}

TEST(a_chain_of_all_blocks_that_a_table_may_have_is_numbered) {
    enum { COUNT = 65536 };
    uint32_t *first = malloc((COUNT + 1) * sizeof *first),
             *target = malloc(2 * COUNT * sizeof *target);
    uint32_t used = 0;
    for (uint32_t b = 0; b < COUNT; b++) { /* each leads on, and the last back to the first */
        first[b] = used;
        target[used++] = (b + 1) % COUNT;
    }
    first[COUNT] = used;
    const struct block_graph g = {COUNT, first, target};
    struct block_order *o = block_order_create(&g);
    assert_int_equal(o->loop_count, 1);
    assert_int_equal(o->number[COUNT - 1], COUNT);
    block_order_destroy(o);
    uint32_t *dominator = block_post_dominators(&g);
    assert_int_equal(dominator[0], BLOCK_NONE);
    free(dominator);
    free(first);
    free(target);
}
