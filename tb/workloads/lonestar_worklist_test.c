/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU bfs-wlw: what its records say against a search of its own.
 */
#include "workloads/lonestar/distances.h"
#include "workloads/rodinia_records.h"

#define NAME "lonestar-bfs-worklist"
#define LEVELS_MAX 32
#define THREADS (60 * 256)

/* Level by level over all edges, without a queue. Return: levels; @frontier: nodes of each. */
static unsigned search_graph_by_sweeps(const struct lonestar_graph *g, unsigned *frontier) {
    int32_t *distance = malloc(g->nodes * sizeof *distance);
    unsigned levels = 0;
    memset(distance, -1, g->nodes * sizeof *distance);
    distance[0] = 0;
    frontier[0] = 1;
    while (frontier[levels]) {
        frontier[++levels] = 0;
        for (uint32_t u = 0; u < g->nodes; u++) {
            for (uint32_t e = lonestar_first(g, u);
                 distance[u] == (int32_t)levels - 1 && e < lonestar_first(g, u + 1); e++) {
                int32_t *d = &distance[lonestar_end(g, e)];
                frontier[levels] += *d < 0;
                *d = *d < 0 ? (int32_t)levels : *d;
            }
        }
    }
    free(distance);
    return levels;
}

/* The loads of a level's launch, in the code's order. */
enum {
    END,
    START,
    ITEM_END,
    ITEM_START,
    ITEM,
    DEGREE,
    DST_DEGREE,
    DST_SRCSRC,
    DST_PSRC,
    DST_WORD,
    OWN_DIST,
    DST_DIST,
    CAPACITY,
    LOADS
};

struct level {
    uint64_t load[LOADS]; /* lanes */
    uint64_t first_stride, pushed, stored, met, ctas;
    uint8_t *seen; /* a node, stored in this level */
};

struct levels {
    struct level level[LEVELS_MAX];
    uint64_t dist; /* address */
    uint32_t nodes;
};

static void take_level(void *self, const struct place *at) {
    struct levels *all = self;
    struct level *l = &all->level[at->launch];
    uint64_t address[WARP_SIZE];
    if (strcmp(at->what->code->name, "lonestar_bfs_worklist") != 0) {
        return;
    }
    l->ctas = launch_ctas(at->what);
    for (unsigned i = 0; i < LOADS; i++) {
        l->load[i] += record_is(at, OP_LOAD, SPACE_GLOBAL, i) ? record_lanes(at) : 0;
    }
    if (insn_is_memory(at->op->insn)) {
        warp_op_addresses(at->op, address);
    }
    if (record_is(at, OP_LOAD, SPACE_GLOBAL, ITEM) && !l->first_stride &&
        (at->op->active & 3) == 3) {
        l->first_stride = address[1] - address[0];
    }
    for (unsigned i = 0; i < 4; i++) {
        if (record_is(at, OP_LOAD, SPACE_GLOBAL, i) || record_is(at, OP_ATOMIC, SPACE_GLOBAL, 0)) {
            assert_int_equal(record_lines(at), 1); /* one word for all lanes */
        }
    }
    if (record_is(at, OP_ATOMIC, SPACE_GLOBAL, 0)) {
        l->pushed += record_lanes(at);
    }
    l->stored += record_is(at, OP_STORE, SPACE_GLOBAL, 1) ? record_lanes(at) : 0;
    if (record_is(at, OP_STORE, SPACE_GLOBAL, 0)) {
        l->seen = l->seen ? l->seen : calloc(all->nodes, 1);
        for (uint32_t m = at->op->active; m; m &= m - 1) {
            uint8_t *seen = &l->seen[(address[__builtin_ctz(m)] - all->dist) / 4];
            l->met += !*seen;
            *seen = 1;
        }
    }
}

TEST(a_launch_is_a_level) {
    struct program p;
    static struct levels all;
    unsigned frontier[LEVELS_MAX];
    records_open(NAME, &p, SIZE_SMALL);
    const struct lonestar_distances *d = p.self;
    all.dist = d->dist.address;
    all.nodes = d->graph.nodes;
    const unsigned levels = search_graph_by_sweeps(&d->graph, frontier);
    const unsigned launches = records_run(&p, (struct run_order){.skipped = -1}, take_level, &all);
    assert_int_equal(launches,
                     2 + levels); /* the first makes the distances infinite, the last verifies */
    for (unsigned i = 1; i <= levels; i++) {
        const struct level *l = &all.level[i];
        const uint64_t items = l->load[ITEM];
        print_message("level %u: %u nodes, %llu items, %llu edges, %llu appended\n", i - 1,
                      frontier[i - 1], (unsigned long long)items,
                      (unsigned long long)l->load[DST_WORD], (unsigned long long)l->pushed);
        assert_int_equal(l->ctas, 60);
        assert_int_equal(l->met, frontier[i]); /* distances of the next level */
        assert_int_equal(items, i == 1 ? 1 : all.level[i - 1].pushed);
        assert_true(items >= frontier[i - 1]); /* a node that two meet at once is there twice */
        assert_int_equal(l->pushed, l->stored);
        assert_int_equal(l->load[CAPACITY], l->pushed);
        assert_int_equal(l->load[END], THREADS);
        assert_int_equal(l->load[ITEM_START], items);
        assert_int_equal(l->load[DST_PSRC], l->load[DST_WORD]);
        assert_int_equal(l->load[DST_DIST], l->load[DST_WORD]);
        /* The first threads have a run one longer than size / threads. */
        if (items > 1) {
            assert_int_equal(l->first_stride, 4 * ((items + THREADS - 1) / THREADS));
        }
        free(l->seen);
    }
    assert_int_equal(all.level[levels].pushed, 0);
    assert_null(workload_check(workload_find(NAME), &p));
    workload_close(workload_find(NAME), &p);
}

TEST(hoisted_accessors_load_once_an_item) {
    struct program p;
    static struct levels all;
    records_open(NAME, &p, SIZE_TINY);
    struct lonestar_distances *d = p.self;
    all.dist = d->dist.address;
    all.nodes = d->graph.nodes;
    d->graph.hoist = true;
    const unsigned launches = records_run(&p, (struct run_order){.skipped = -1}, take_level, &all);
    uint64_t edges = 0;
    for (unsigned i = 1; i < launches; i++) {
        assert_true(all.level[i].load[DST_PSRC] <= all.level[i].load[ITEM]);
        edges += all.level[i].load[DST_WORD];
        free(all.level[i].seen);
    }
    assert_true(edges > d->graph.edges / 2);
    assert_null(workload_check(workload_find(NAME), &p));
    workload_close(workload_find(NAME), &p);
}

TEST(wrong_worklist_results_are_seen) {
    expect_wrong_bit_seen(NAME, 5, 4 * 17, "dist[17]");
    for (int launch = 0; launch < 4; launch++) {
        expect_left_out_seen(NAME, launch);
    }
}
