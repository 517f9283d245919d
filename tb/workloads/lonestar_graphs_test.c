/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU's graphs beside what is known of the suite's files, and what the records of bfs and
 * sssp say against the graphs themselves.
 */
#include <math.h>

#include "workloads/lonestar/relax.h"
#include "workloads/common/graph.h"
#include "workloads/rodinia_records.h"

#define LAUNCHES_MAX 256

/* --- The generators. --- */

struct fresh {
    struct device_memory memory;
    struct lonestar_graph graph;
};

static struct fresh generate_graph(enum lonestar_shape shape, uint32_t nodes, uint32_t degree,
                                   bool symmetric) {
    struct fresh f = {.memory = {.used = 0}};
    const struct lonestar_input input = {shape, nodes, degree, symmetric};
    assert_true(lonestar_graph_open(&f.graph, &f.memory, &input, 1));
    return f;
}

static uint32_t root_of_node(uint32_t *parent, uint32_t u) {
    while (parent[u] != u) {
        u = parent[u] = parent[parent[u]];
    }
    return u;
}

static uint32_t count_components(const struct lonestar_graph *g) {
    uint32_t *parent = malloc(g->nodes * sizeof *parent), count = g->nodes;
    for (uint32_t u = 0; u < g->nodes; u++) {
        parent[u] = u;
    }
    for (uint32_t u = 0; u < g->nodes; u++) {
        for (uint32_t e = lonestar_first(g, u); e < lonestar_first(g, u + 1); e++) {
            const uint32_t a = root_of_node(parent, u),
                           b = root_of_node(parent, lonestar_end(g, e));
            count -= a != b;
            parent[a] = b;
        }
    }
    free(parent);
    return count;
}

/* A sum over all edges that is the same for the graph turned round only if the graph is. */
static uint64_t sum_over_edges(const struct lonestar_graph *g, bool turned) {
    uint64_t sum = 0;
    for (uint32_t u = 0; u < g->nodes; u++) {
        for (uint32_t e = lonestar_first(g, u); e < lonestar_first(g, u + 1); e++) {
            const uint64_t v = lonestar_end(g, e), weight = lonestar_weight(g, e);
            uint64_t hash = (turned ? v << 32 | u : (uint64_t)u << 32 | v) ^ weight << 24;
            sum += host_random(&hash);
        }
    }
    return sum;
}

TEST(the_container_is_the_suites) {
    for (unsigned shape = LONESTAR_UNIFORM; shape <= LONESTAR_ROAD; shape++) {
        struct fresh f = generate_graph(shape, 4096, 4, false);
        const struct lonestar_graph *g = &f.graph;
        const uint32_t *psrc = g->psrc.data, *srcsrc = g->srcsrc.data;
        uint32_t slot = 1;
        uint64_t weights = 0;
        for (uint32_t u = 0; u < g->nodes; u++) {
            assert_int_equal(psrc[u], slot);
            assert_int_equal(srcsrc[u], u);
            for (uint32_t i = 0; i < lonestar_degree(g, u); i++, slot++) {
                assert_true(lonestar_end(g, slot) < g->nodes && lonestar_end(g, slot) != u);
                assert_in_range(lonestar_weight(g, slot), 1, 100);
                weights += lonestar_weight(g, slot);
            }
        }
        assert_int_equal(slot, g->edges + 1);
        assert_int_equal(psrc[g->nodes], g->edges);
        assert_int_equal(g->edgessrcdst.count, g->edges + 1);
        assert_int_equal(lonestar_end(g, 0), 0); /* not used */
        /* Uniform in 1 .. 100: 50.5 on average, within five of its standard errors; of a grid each
         * stands twice. */
        assert_true(fabs((double)weights / g->edges - 50.5) < 5 * 28.9 / sqrt(g->edges / 2));
        device_memory_free(&f.memory);
    }
}

TEST(r4_has_four_edges_a_node_to_anywhere) {
    struct fresh f = generate_graph(LONESTAR_UNIFORM, 65536, 4, false);
    const struct lonestar_graph *g = &f.graph;
    uint32_t *met = calloc(g->nodes, sizeof *met), none = 0;
    assert_int_equal(g->edges, 4 * 65536);
    for (uint32_t u = 0; u < g->nodes; u++) {
        assert_int_equal(lonestar_degree(g, u), 4);
        for (uint32_t i = 0; i < 4; i++) {
            met[lonestar_end(g, lonestar_first(g, u) + i)]++;
        }
    }
    for (uint32_t u = 0; u < g->nodes; u++) {
        none += met[u] == 0;
    }
    print_message("r4: %u of 65536 nodes are nobody's neighbour\n", none);
    assert_true(fabs(none / (65536 * exp(-4)) - 1) < 0.1);
    free(met);
    device_memory_free(&f.memory);
}

/* The suite's: 4096 nodes, some 165000 edges, 154 components. */
TEST(rmat12_has_the_components_of_the_suites) {
    struct fresh f = generate_graph(LONESTAR_RMAT, 4096, 20, true);
    const uint32_t count = count_components(&f.graph);
    print_message("rmat12.sym: %u edges, %u components, node 0 has %u edges\n", f.graph.edges,
                  count, lonestar_degree(&f.graph, 0));
    assert_int_equal(f.graph.edges, 163840);
    assert_in_range(count, 154 * 4 / 5, 154 * 6 / 5);
    /* The upper half twelve times. */
    assert_true(fabs(lonestar_degree(&f.graph, 0) / (163840 * pow(0.7, 12)) - 1) < 0.1);
    assert_true(sum_over_edges(&f.graph, false) == sum_over_edges(&f.graph, true));
    device_memory_free(&f.memory);
}

/* rmat20: the greatest of all degrees is some thousands. A node with j bits set in its number has
 * as many edges as one of 0.7^(20-j) 0.3^j: the degrees follow a power of the rank. */
TEST(rmat20_has_hubs_of_thousands) {
    struct fresh f = generate_graph(LONESTAR_RMAT, 1 << 20, 8, false);
    uint32_t high = 0, low = 0;
    uint64_t two_bits = 0;
    for (uint32_t u = 0; u < f.graph.nodes; u++) {
        const uint32_t degree = lonestar_degree(&f.graph, u);
        high = degree > high ? degree : high;
        low += degree == 0;
        two_bits += __builtin_popcount(u) == 2 ? degree : 0;
    }
    print_message("rmat20: %u edges, degrees 0 (%u nodes) .. %u\n", f.graph.edges, low, high);
    assert_int_equal(f.graph.edges, 8 << 20);
    assert_in_range(high, 1000, 9999);
    assert_int_equal(high, lonestar_degree(&f.graph, 0));
    assert_true(fabs((double)two_bits / (190 * pow(0.7, 18) * 0.09 * (8 << 20)) - 1) < 0.02);
    assert_true(sum_over_edges(&f.graph, false) != sum_over_edges(&f.graph, true));
    device_memory_free(&f.memory);
}

TEST(a_grid_has_four_neighbours) {
    struct fresh f = generate_graph(LONESTAR_GRID, 100 * 100, 0, false);
    unsigned of_degree[5] = {0};
    for (uint32_t u = 0; u < f.graph.nodes; u++) {
        of_degree[lonestar_degree(&f.graph, u)]++;
        for (uint32_t e = lonestar_first(&f.graph, u); e < lonestar_first(&f.graph, u + 1); e++) {
            const int v = (int)lonestar_end(&f.graph, e);
            assert_int_equal(abs(v % 100 - (int)u % 100) + abs(v / 100 - (int)u / 100), 1);
        }
    }
    assert_int_equal(of_degree[2], 4);
    assert_int_equal(of_degree[3], 4 * 98);
    assert_int_equal(of_degree[4], 98 * 98);
    assert_int_equal(f.graph.edges, 4 * 100 * 99);
    assert_true(sum_over_edges(&f.graph, false) == sum_over_edges(&f.graph, true));
    device_memory_free(&f.memory);
}

/* New York: 264346 crossings, 733846 roads counted in both directions: 2.78 a crossing. */
TEST(roads_are_sparse_and_lead_everywhere) {
    struct fresh f = generate_graph(LONESTAR_ROAD, 514 * 514, 0, false);
    uint32_t high = 0;
    for (uint32_t u = 0; u < f.graph.nodes; u++) {
        high = lonestar_degree(&f.graph, u) > high ? lonestar_degree(&f.graph, u) : high;
    }
    print_message("roads: %u edges, %.3f a node\n", f.graph.edges,
                  (double)f.graph.edges / f.graph.nodes);
    assert_int_equal(high, 4);
    assert_int_equal(count_components(&f.graph), 1);
    assert_true(fabs((double)f.graph.edges / f.graph.nodes - 733846.0 / 264346) < 0.03);
    assert_true(sum_over_edges(&f.graph, false) == sum_over_edges(&f.graph, true));
    device_memory_free(&f.memory);
}

/* --- bfs and sssp: all edges in each launch. --- */

/* The loads of the launches but the first, in the code's order. Of the last one, which verifies, a
 * load more: of the errors. */
enum {
    DEGREE,
    DST_DEGREE,
    DST_SRCSRC,
    DST_PSRC,
    DST_WORD,
    WEIGHT_DEGREE,
    WEIGHT_SRCSRC,
    WEIGHT_PSRC,
    WEIGHT_WORD,
    OWN_DIST,
    DST_DIST,
    RELAX_LOADS,
    ERRORS = RELAX_LOADS
};

struct tally {
    uint64_t ops, lanes, lines;
};

struct relax_tally {
    struct tally load[LAUNCHES_MAX][ERRORS + 1], atomic[LAUNCHES_MAX], changed[LAUNCHES_MAX];
};

static void count_accesses_of_place(struct tally *t, const struct place *at) {
    t->ops++;
    t->lanes += record_lanes(at);
    t->lines += record_lines(at);
}

static void tally_relax(void *self, const struct place *at) {
    struct relax_tally *r = self;
    assert_true(at->launch < LAUNCHES_MAX);
    for (unsigned i = 0; i <= ERRORS; i++) {
        if (record_is(at, OP_LOAD, SPACE_GLOBAL, i)) {
            count_accesses_of_place(&r->load[at->launch][i], at);
        }
    }
    if (at->op->insn->op == OP_ATOMIC) {
        count_accesses_of_place(&r->atomic[at->launch], at);
    }
    if (at->op->insn->op == OP_STORE && at->op->insn->width == 1) {
        count_accesses_of_place(&r->changed[at->launch], at);
    }
}

static struct relax_tally *tally_of(struct program *p, unsigned *launches) {
    struct relax_tally *r = calloc(1, sizeof *r);
    *launches = records_run(p, (struct run_order){.skipped = -1}, tally_relax, r);
    return r;
}

static bool is_near_share(double value, double expected, double part) {
    return fabs(value / expected - 1) < part;
}

/* The suite's graph of 65536 nodes has, when all are active, 11.97 iterations a warp, 16.0 lanes,
 * 5.07 lines of the edges, 15.9 of the distances. Rodinia's generator makes graphs of its kind. */
TEST(all_nodes_of_graph65536_expand_as_measured) {
    const struct lonestar_input input = {LONESTAR_UNIFORM, 65536, 2 * GRAPH_EDGES_A_NODE, false};
    struct program p;
    struct lonestar_relax *k = host_open(&p, sizeof *k);
    assert_true(k && lonestar_relax_open(k, &input, false, 1));
    const struct lonestar_graph *g = &k->distances.graph;
    int32_t *index = malloc(2 * 65536 * sizeof *index), *degree = g->noutgoing.data;
    int32_t *psrc = g->psrc.data;
    assert_true(
        graph_generate(65536, GRAPH_EDGES_A_NODE, 1, index, (int32_t *)g->edgessrcdst.data + 1));
    for (uint32_t u = 0; u < 65536; u++) {
        psrc[u] = index[2 * u] + 1;
        degree[u] = index[2 * u + 1];
    }
    free(index);
    unsigned launches;
    struct relax_tally *r = tally_of(&p, &launches);
    const struct tally *edge = &r->load[1][DST_WORD], *dist = &r->load[1][DST_DIST];
    const double trips = (double)edge->ops / 2048, lanes = (double)edge->lanes / edge->ops;
    const double edge_lines = (double)edge->lines / edge->ops;
    const double dist_lines = (double)dist->lines / dist->ops;
    print_message("graph65536: %.2f iterations (11.97), %.2f lanes (16.0), lines: edges %.2f "
                  "(5.07), distances %.2f (15.9)\n",
                  trips, lanes, edge_lines, dist_lines);
    assert_true(is_near_share(trips, 11.97, 0.02));
    assert_true(is_near_share(lanes, 16.0, 0.02));
    assert_true(is_near_share(edge_lines, 5.07, 0.02));
    assert_true(is_near_share(dist_lines, 15.9, 0.02));
    assert_string_equal(workload_check(workload_find("lonestar-bfs"), &p) ? "differs" : "equal",
                        "equal");
    host_close(&p);
    free(r);
}

/* Checks the counts that all launches share, whatever has been reached. */
static void expect_whole_graph(const struct relax_tally *r, unsigned launches,
                               const struct lonestar_graph *g, bool weighted) {
    for (unsigned i = 1; i < launches; i++) {
        const struct tally *load = r->load[i];
        assert_int_equal(load[DEGREE].lanes, g->nodes);
        for (unsigned l = DST_DEGREE; l < RELAX_LOADS; l++) {
            const bool weight = l >= WEIGHT_DEGREE && l <= WEIGHT_WORD;
            assert_int_equal(load[l].lanes, weight && !weighted ? 0 : g->edges);
        }
        assert_true(r->atomic[i].lanes <= g->edges);
        /* The last but one changes nothing, the last only looks. */
        assert_true((r->atomic[i].lanes > 0) == (i < launches - 2));
        assert_int_equal(load[ERRORS].lanes, 0);
        assert_true(r->changed[i].lines == r->changed[i].ops); /* one byte for all lanes */
    }
}

static uint32_t search_depth(const struct lonestar_relax *k) {
    const uint32_t *dist = k->distances.dist.data;
    uint32_t depth = 0;
    for (uint32_t u = 0; u < k->distances.graph.nodes; u++) {
        depth = dist[u] != LONESTAR_INFINITY && dist[u] > depth ? dist[u] : depth;
    }
    return depth;
}

/* No graph takes more launches than its depth and two. RMAT takes fewer than on a machine that runs
 * many CTAs at a time (of rmat20 six to eight are told): here a CTA sees what all before it have
 * stored. */
TEST(bfs_relaxes_all_edges_in_each_launch) {
    static const struct {
        const char *name;
        unsigned least, most;
    } cases[] = {
        {"lonestar-bfs", 4, 8}, {"lonestar-bfs-r4", 6, 16}, {"lonestar-bfs-road", 20, 250}};
    for (unsigned i = 0; i < 3; i++) {
        struct program p;
        unsigned launches;
        records_open(cases[i].name, &p, i < 2 ? SIZE_SMALL : SIZE_TINY);
        struct relax_tally *r = tally_of(&p, &launches);
        const struct lonestar_relax *k = p.self;
        expect_whole_graph(r, launches, &k->distances.graph, false);
        const unsigned relaxing = launches - 2;
        print_message("%s: %u launches, depth %u\n", cases[i].name, relaxing, search_depth(k));
        assert_true(relaxing <= search_depth(k) + 2);
        assert_in_range(relaxing, cases[i].least, cases[i].most);
        workload_close(workload_find(cases[i].name), &p);
        free(r);
    }
}

/* r4: four iterations of whole warps; lists of 16 bytes a lane lie in four lines, or five as they
 * begin with the second word of one. */
TEST(sssp_reads_two_words_an_edge) {
    struct program p;
    unsigned launches;
    records_open("sssp", &p, SIZE_SMALL);
    struct relax_tally *r = tally_of(&p, &launches);
    const struct lonestar_relax *k = p.self;
    const uint32_t n = k->distances.graph.nodes;
    expect_whole_graph(r, launches, &k->distances.graph, true);
    print_message("sssp: %u launches\n", launches - 2);
    assert_in_range(launches - 2, 8, 30);
    for (unsigned i = 1; i < launches; i++) {
        const struct tally *load = r->load[i];
        assert_int_equal(load[DST_WORD].ops, n / WARP_SIZE * 4);
        /* Words 1, 5, .. 125 of a warp's 128, then 2 .., 3 .., and of the fourth one is beyond. */
        assert_int_equal(load[DST_WORD].lines, n / WARP_SIZE * (3 * 4 + 5));
        assert_int_equal(load[WEIGHT_WORD].lines, load[DST_WORD].lines);
        assert_int_equal(load[DST_PSRC].lines, load[DST_PSRC].ops);
        assert_true((double)load[DST_DIST].lines / load[DST_DIST].ops > 31);
    }
    /* Nodes are lowered again and again. */
    uint64_t lowered = 0;
    for (unsigned i = 1; i < launches; i++) {
        lowered += r->atomic[i].lanes;
    }
    assert_true(lowered > 2 * n);
    workload_close(workload_find("sssp"), &p);
    free(r);
}

/* The other answer to what an nvcc of that time did. */
TEST(hoisted_accessors_load_once_a_node) {
    static const char *const names[] = {"lonestar-bfs", "sssp"};
    for (unsigned i = 0; i < 2; i++) {
        struct program p;
        unsigned launches;
        struct workload_expectation e;
        records_open(names[i], &p, SIZE_TINY);
        struct lonestar_relax *k = p.self;
        struct lonestar_graph *g = &k->distances.graph;
        g->hoist = true;
        struct relax_tally *r = tally_of(&p, &launches);
        uint64_t some = 0, lines = 0;
        for (uint32_t u = 0; u < g->nodes; u++) {
            some += lonestar_degree(g, u) > 0;
        }
        for (unsigned j = 1; j < launches; j++) {
            for (unsigned l = 0; l < RELAX_LOADS; l++) {
                lines += r->load[j][l].lines;
            }
            for (unsigned l = DST_DEGREE; l < DST_WORD; l++) {
                assert_int_equal(r->load[j][l].lanes, some);
                assert_int_equal(r->load[j][l + WEIGHT_DEGREE - DST_DEGREE].lanes, 0);
            }
            assert_int_equal(r->load[j][DST_WORD].lanes, g->edges);
        }
        workload_expect(workload_find(names[i]), &p, LINE_BYTES, &e);
        assert_int_equal(lines, e.global_read_accesses);
        assert_null(workload_check(workload_find(names[i]), &p));
        workload_close(workload_find(names[i]), &p);
        free(r);
    }
}

/* Without relaxing launch @skipped `changed` stays 0, and the last launch follows. The suite's
 * count is no atomic one: threads that execute the addition together add 1 to the word. */
static void expect_errors_counted(const char *name, int skipped) {
    struct program p;
    records_open(name, &p, SIZE_TINY);
    struct relax_tally *r = calloc(1, sizeof *r);
    const unsigned launches =
        records_run(&p, (struct run_order){.skipped = skipped}, tally_relax, r);
    const struct lonestar_distances *d = p.self;
    const struct tally *errors = &r->load[launches - 1][ERRORS];
    assert_int_equal(launches, skipped + 2);
    if (skipped == 1) { /* the source alone has a distance */
        assert_int_equal(errors->lanes, lonestar_degree(&d->graph, LONESTAR_SOURCE));
        assert_int_equal(*(int32_t *)d->errors.data, errors->lanes);
    } else {
        assert_in_range(*(int32_t *)d->errors.data, 1, errors->ops - 1);
    }
    assert_non_null(workload_check(workload_find(name), &p));
    workload_close(workload_find(name), &p);
    free(r);
}

TEST(the_last_launch_counts_distances_that_are_too_long) {
    static const char *const names[] = {"lonestar-bfs", "sssp"};
    for (unsigned i = 0; i < 2; i++) {
        expect_errors_counted(names[i], 1);
    }
    expect_errors_counted("sssp", 4);
}

TEST(results_do_not_depend_on_the_order_of_ctas) {
    static const char *const names[] = {"lonestar-bfs", "lonestar-bfs-road", "sssp"};
    for (unsigned i = 0; i < 3; i++) {
        struct program p;
        records_open(names[i], &p, SIZE_TINY);
        records_run(&p, (struct run_order){-1, true}, NULL, NULL);
        assert_null(workload_check(workload_find(names[i]), &p));
        workload_close(workload_find(names[i]), &p);
    }
}

TEST(wrong_graph_results_are_seen) {
    static const char *const names[] = {"lonestar-bfs", "lonestar-bfs-road", "sssp"};
    for (unsigned i = 0; i < 3; i++) {
        expect_wrong_bit_seen(names[i], 5, 4 * 17, "dist[17]");
        for (int launch = 0; launch < 4; launch++) {
            expect_left_out_seen(names[i], launch);
        }
    }
}
