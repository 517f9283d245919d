/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia bfs: the generated graph beside the suite's graph of 65536 nodes, and what its records
 * say against a search of its own.
 */
#include <math.h>

#include "workloads/common/graph.h"
#include "workloads/rodinia_records.h"

#define N 65536
#define LEVELS_MAX 32

static int32_t node[2 * N], edge[2 * GRAPH_EDGES_A_NODE * N], distance[N];

/* Level by level over all edges, without a queue. Return: levels; @frontier: nodes of each. */
static unsigned search_nodes_by_sweeps(unsigned *frontier) {
    unsigned levels = 0;
    memset(distance, -1, sizeof distance);
    distance[0] = 0;
    frontier[0] = 1;
    while (frontier[levels]) {
        frontier[++levels] = 0;
        for (unsigned u = 0; u < N; u++) {
            for (int32_t i = 0; distance[u] == (int32_t)levels - 1 && i < node[2 * u + 1]; i++) {
                int32_t *d = &distance[edge[node[2 * u] + i]];
                frontier[levels] += *d < 0;
                *d = *d < 0 ? (int32_t)levels : *d;
            }
        }
    }
    return levels;
}

static int by_ascending_value(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

TEST(the_graph_is_simple_and_symmetric) {
    static int64_t there[2 * GRAPH_EDGES_A_NODE * N], back[2 * GRAPH_EDGES_A_NODE * N];
    unsigned count = 0, descents = 0;
    assert_true(graph_generate(N, GRAPH_EDGES_A_NODE, 1, node, edge));
    for (int64_t u = 0; u < N; u++) {
        assert_int_equal(node[2 * u], count);
        for (int32_t i = 0; i < node[2 * u + 1]; i++, count++) {
            const int64_t v = edge[count];
            assert_true(v >= 0 && v < N && v != u);
            there[count] = u * N + v;
            back[count] = v * N + u;
            descents += i > 0 && v < edge[count - 1];
        }
    }
    assert_int_equal(count, 6 * N);
    assert_true(descents > 2 * N && descents < 3 * N); /* lists in random order: half of 5 n */
    qsort(there, count, sizeof *there, by_ascending_value);
    qsort(back, count, sizeof *back, by_ascending_value);
    assert_memory_equal(there, back, sizeof there);
    for (unsigned i = 1; i < count; i++) {
        assert_true(there[i] != there[i - 1]);
    }
}

/* The suite's: degree 1 .. 24, ends anywhere (the median of their distance is 19148, n (1 - 1/√2)
 * where they are uniform), 10 levels, three fifths of the nodes in the two greatest. */
TEST(the_graph_has_the_shape_of_the_suites) {
    static const unsigned suite[] = {1, 8, 48, 298, 1824, 9770, 31757, 20959, 865, 6};
    unsigned frontier[LEVELS_MAX], low = N, high = 0, near = 0;
    assert_true(graph_generate(N, GRAPH_EDGES_A_NODE, 1, node, edge));
    unsigned levels = search_nodes_by_sweeps(frontier), reached = 0;
    for (unsigned u = 0; u < N; u++) {
        const unsigned degree = (unsigned)node[2 * u + 1];
        low = degree < low ? degree : low;
        high = degree > high ? degree : high;
        for (unsigned i = 0; i < degree; i++) {
            near += abs(edge[node[2 * u] + (int32_t)i] - (int32_t)u) < 19195;
        }
    }
    for (unsigned i = 0; i < levels; i++) {
        print_message("level %u: %u nodes, the suite's graph %u\n", i, frontier[i],
                      i < 10 ? suite[i] : 0);
        reached += frontier[i];
    }
    print_message("degrees %u .. %u\n", low, high);
    assert_int_equal(reached, N);
    assert_int_equal(low, 1);
    assert_true(high >= 18 && high <= 30);
    assert_true(near > 3 * N * 99 / 100 && near < 3 * N * 101 / 100);
    assert_true(levels >= 9 && levels <= 12);
    /* From the third level on a level is about six times the one before, while many are left. */
    unsigned peak = 0;
    for (unsigned i = 1; i < levels; i++) {
        peak = frontier[i] > frontier[peak] ? i : peak;
    }
    assert_true(peak >= 5 && peak <= 7);
    assert_true(frontier[peak] > N * 2 / 5 && frontier[peak] < N * 3 / 5);
    const unsigned second =
        frontier[peak - 1] > frontier[peak + 1] ? frontier[peak - 1] : frontier[peak + 1];
    assert_true(frontier[peak] + second > N * 3 / 5);
    for (unsigned i = 2; frontier[i + 1] < N / 8 && i < peak; i++) {
        assert_true(frontier[i + 1] > 5 * frontier[i] && frontier[i + 1] < 7 * frontier[i]);
    }
}

struct level {
    unsigned warps, nodes, edges, met;
};

struct levels {
    struct level level[LEVELS_MAX];
    unsigned wide;
};

/* The first launch of a level clears the mask of its frontier, then loads its edges; the second
 * takes the nodes that were met. */
static void count_level(void *self, const struct place *at) {
    struct levels *l = self;
    struct level *now = &l->level[at->launch / 2];
    const bool first = at->launch % 2 == 0;
    if (first && record_is(at, OP_STORE, SPACE_GLOBAL, 0)) {
        now->warps++;
        now->nodes += record_lanes(at);
    }
    now->edges += first && record_is(at, OP_LOAD, SPACE_GLOBAL, 3) ? record_lanes(at) : 0;
    now->met += !first && record_is(at, OP_STORE, SPACE_GLOBAL, 0) ? record_lanes(at) : 0;
    l->wide += insn_is_memory(at->op->insn) && at->op->insn->width == 1;
}

TEST(each_level_does_its_frontier_and_all_its_edges) {
    struct program p;
    static struct levels l;
    unsigned frontier[LEVELS_MAX];
    assert_true(graph_generate(N, GRAPH_EDGES_A_NODE, 1, node, edge));
    const unsigned levels = search_nodes_by_sweeps(frontier);
    records_open("bfs-64k", &p, SIZE_PAPER_MRPB);
    assert_int_equal(records_run(&p, (struct run_order){.skipped = -1}, count_level, &l),
                     2 * levels);
    for (unsigned i = 0; i < levels; i++) {
        const struct level *at = &l.level[i];
        unsigned warps = 0, edges = 0;
        for (unsigned first = 0; first < N; first += WARP_SIZE) {
            bool any = false;
            for (unsigned u = first; u < first + WARP_SIZE; u++) {
                any |= distance[u] == (int32_t)i;
                edges += distance[u] == (int32_t)i ? (unsigned)node[2 * u + 1] : 0;
            }
            warps += any;
        }
        /* A frontier that is spread evenly. */
        const double part = (double)frontier[i] / N;
        const double even = WARP_SIZE * part / (1 - pow(1 - part, WARP_SIZE));
        const double lanes = (double)at->nodes / at->warps;
        print_message("level %u: %4u warps, %4.1f lanes a warp, %6u edges\n", i, at->warps, lanes,
                      at->edges);
        assert_int_equal(at->warps, warps);
        assert_int_equal(at->nodes, frontier[i]);
        assert_int_equal(at->edges, edges);
        assert_int_equal(at->met, frontier[i + 1]);
        assert_true(lanes > even * 0.9 && lanes < even * 1.1);
    }
    workload_close(workload_find("bfs-64k"), &p);
}

static void count_bfs_widths(void *self, const struct place *at) {
    unsigned *lanes = self;
    lanes[at->op->insn->width] += insn_is_memory(at->op->insn) ? record_lanes(at) : 0;
}

/* A node of the frontier: its mask cleared, its edges' visited asked, what it meets updated; and a
 * mask and an updating a thread, four stores for a node that is met. @edges: of the graph, both
 * directions. @reloads_always: each trip of the loop loads start and degree, not those that update.
 */
static void expect_widths(const char *name, unsigned edges, bool reloads_always) {
    struct program p;
    unsigned lanes[17] = {0}, met = 0;
    struct levels l = {0};
    records_open(name, &p, SIZE_TINY);
    const unsigned launches =
        records_run(&p, (struct run_order){.skipped = -1}, count_bfs_widths, lanes);
    workload_close(workload_find(name), &p);
    records_open(name, &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1}, count_level, &l);
    workload_close(workload_find(name), &p);
    for (unsigned i = 0; i < launches / 2; i++) {
        met += l.level[i].met;
    }
    assert_int_equal(met, 4096 - 1);
    const unsigned flags = launches * 4096 + 4096 + edges + 4 * met, updated = lanes[1] - flags;
    assert_true(updated > met); /* from each neighbour that is not visited */
    assert_true(updated < edges);
    /* The others load start and degree, and the edges; costs, two for each store of updating; and
     * start and degree again. */
    assert_int_equal(lanes[4],
                     4096 * 2 + edges + 2 * updated + 2 * (reloads_always ? edges : updated));
    assert_int_equal(lanes[2] + lanes[8] + lanes[16], 0);
}

TEST(flags_are_bytes_and_the_test_of_the_loop_loads) {
    expect_widths("bfs-64k", 4096 * 6, false);
    expect_widths("bfs-dense", 4096 * 24, true);
}

TEST(a_million_nodes_leave_a_part_of_the_last_cta_idle) {
    struct program p;
    const struct launch *l;
    records_open("bfs-1m", &p, SIZE_PAPER_MRPB);
    assert_true(p.next_launch(p.self, &l));
    assert_int_equal(launch_ctas(l), 1954);
    assert_int_equal(launch_threads(l), 512);
    assert_int_equal(l->code->registers, 20);
    workload_close(workload_find("bfs-1m"), &p);
}

/* The suite's graph of as many nodes: 12. A few nodes decide the longest shortest paths. */
TEST(a_million_nodes_take_a_dozen_levels) {
    struct program p;
    records_open("bfs-1m", &p, SIZE_PAPER_MRPB);
    const unsigned levels = records_run(&p, (struct run_order){.skipped = -1}, NULL, NULL) / 2;
    print_message("levels of 1 M nodes: %u\n", levels);
    assert_true(levels >= 11 && levels <= 13);
    assert_null(workload_check(workload_find("bfs-1m"), &p));
    workload_close(workload_find("bfs-1m"), &p);
}

TEST(ctas_of_bfs_run_in_any_order) {
    expect_any_order("bfs-64k");
    expect_any_order("bfs-1m");
    expect_any_order("bfs-dense");
}

TEST(wrong_bfs_results_are_seen) {
    static const char *const says[] = {"mask[17]", "updating[17]", "visited[17]"};
    for (unsigned i = 0; i < 3; i++) {
        expect_wrong_bit_seen("bfs-64k", 2 + i, 17, says[i]);
    }
    expect_wrong_bit_seen("bfs-64k", 5, 4 * 17, "cost[17]");
    expect_wrong_bit_seen("bfs-64k", 6, 0, "over[0]");
    for (int launch = 0; launch < 6; launch++) {
        expect_left_out_seen("bfs-1m", launch);
    }
}
