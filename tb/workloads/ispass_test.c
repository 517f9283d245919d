/* SPDX-License-Identifier: Apache-2.0
 *
 * ISPASS-2009 nn and bfs: launches, lines and lanes of named accesses, the drawn digits, and what
 * the races of a breadth-first search with one launch a level may do to its result.
 */
#include <math.h>

#include "workloads/ispass/digits.h"
#include "workloads/common/graph.h"
#include "workloads/rodinia_records.h"

#include "workloads/access_record.h"

/* --- The neural network. --- */

enum { PICTURES = 28 };

TEST(nn_launches_are_the_suites) {
    struct shape s[4];
    assert_int_equal(launch_shapes("ispass-nn", SIZE_PAPER_MEDIC, s, 4), 4);
    is_shape(&s[0], 6, PICTURES, 13, 13);
    is_shape(&s[1], 50, PICTURES, 5, 5);
    is_shape(&s[2], 100, PICTURES, 1, 1);
    is_shape(&s[3], 10, PICTURES, 1, 1);
}

struct nn_layers {
    unsigned neuron_loads[4], weight_loads[4], stores[4], table_loads[4];
    unsigned lanes_max[4], lines_min, lines_max;
    uint64_t lines, ops;
};

/* In all layers the first load is the bias, then neurons and weights by turns. */
static void see_layer(void *self, const struct place *at) {
    struct nn_layers *n = self;
    const unsigned l = at->launch, lanes = record_lanes(at);
    n->lanes_max[l] = lanes > n->lanes_max[l] ? lanes : n->lanes_max[l];
    n->table_loads[l] += record_is(at, OP_LOAD, SPACE_CONSTANT, 0);
    n->stores[l] += record_is(at, OP_STORE, SPACE_GLOBAL, 0) ? lanes : 0;
    if (record_is(at, OP_LOAD, SPACE_GLOBAL, 1)) {
        const unsigned lines = record_lines(at);
        n->neuron_loads[l]++;
        if (l == 0 && at->warp < 5) {
            assert_int_equal(lanes, WARP_SIZE);
            n->lines_min = lines < n->lines_min ? lines : n->lines_min;
            n->lines_max = lines > n->lines_max ? lines : n->lines_max;
            n->lines += lines;
            n->ops++;
        } else if (l == 0) {
            assert_int_equal(lanes, 169 - 5 * WARP_SIZE);
        }
    }
    if (record_is(at, OP_LOAD, SPACE_GLOBAL, 0) || record_is(at, OP_LOAD, SPACE_GLOBAL, 2)) {
        n->weight_loads[l]++;
        assert_int_equal(record_lines(at), 1); /* all threads the same one */
    }
}

/* A warp has parts of 3 or 4 rows of 13 neurons, whose pixels are two columns (8 bytes) apart and
 * 232 bytes from row to row, so that no two rows share a line. The k neurons of a row span 8 k - 4
 * bytes, of which the first is anywhere in a line: 1 + (k - 1) / 16 lines. Sum of a warp's rows:
 * 4.81 of three (three warps of five), 5.75 of four. */
TEST(nn_layers_load_what_the_suites_do) {
    struct program p;
    struct nn_layers n = {.lines_min = WARP_SIZE};
    records_open("ispass-nn", &p, SIZE_TINY);
    const unsigned pictures = 2;
    assert_int_equal(records_run(&p, (struct run_order){.skipped = -1}, see_layer, &n), 4);
    workload_close(workload_find("ispass-nn"), &p);
    print_message("nn layer 1: %u .. %u lines a load, %.2f on average\n", n.lines_min, n.lines_max,
                  (double)n.lines / (double)n.ops);
    const double expected = (3 * (3 + (32 - 3) / 16.0) + 2 * (4 + (32 - 4) / 16.0)) / 5;
    assert_true(n.lines_min >= 3 && n.lines_max <= 8);
    assert_true(fabs((double)n.lines / (double)n.ops / expected - 1) < 0.05);
    static const unsigned warps[] = {6 * 6, 50, 100, 10}, taps[] = {25, 150, 1250, 100};
    static const unsigned threads[] = {1014, 1250, 100, 10}, tables[] = {25, 25, 0, 0};
    static const unsigned lanes[] = {32, 25, 1, 1};
    for (unsigned l = 0; l < 4; l++) {
        assert_int_equal(n.neuron_loads[l], pictures * warps[l] * taps[l]);
        assert_int_equal(n.weight_loads[l], pictures * warps[l] * (1 + taps[l]));
        assert_int_equal(n.table_loads[l], pictures * warps[l] * tables[l]);
        assert_int_equal(n.stores[l], pictures * threads[l]);
        assert_int_equal(n.lanes_max[l], lanes[l]);
    }
}

/* A thread of the third layer reads two streams of 5000 bytes word by word: each line 32 times. */
TEST(nn_lines_of_the_third_layer_serve_32_loads_each) {
    struct warp_record r = record_warp("ispass-nn", SIZE_TINY, 2, 117, 0);
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 1 + 2 * 1250);
    const unsigned lines = footprint_of_accesses(r.access[LOADS][SPACE_GLOBAL], 1 + 2 * 1250);
    assert_true(lines >= 2 * 40 && lines <= 2 * 41);
    for (unsigned i = 1; i < 1249; i++) {
        const struct access *a = &r.access[LOADS][SPACE_GLOBAL][2 * i - 1];
        assert_int_equal(a[2].address[0], a[0].address[0] + 4);
        assert_int_equal(a[3].address[0], a[1].address[0] + 4);
    }
    forget_record(&r);
}

/* The row of weights of output o is the same for all pictures, the neurons for all outputs. */
TEST(nn_blocks_share_weights_and_neurons) {
    struct warp_record a = record_warp("ispass-nn", SIZE_TINY, 2, 7, 0);
    struct warp_record same_output = record_warp("ispass-nn", SIZE_TINY, 2, 107, 0);
    struct warp_record same_picture = record_warp("ispass-nn", SIZE_TINY, 2, 8, 0);
    for (unsigned i = 0; i < 2 * 1250; i++) {
        const uint64_t address = a.access[LOADS][SPACE_GLOBAL][1 + i].address[0];
        const bool weight = i % 2;
        assert_true((same_output.access[LOADS][SPACE_GLOBAL][1 + i].address[0] == address) ==
                    weight);
        assert_true((same_picture.access[LOADS][SPACE_GLOBAL][1 + i].address[0] == address) ==
                    !weight);
    }
    forget_record(&a);
    forget_record(&same_output);
    forget_record(&same_picture);
}

static void fill_piece(bool *inked, int at) {
    if (inked[at]) {
        inked[at] = false;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                fill_piece(inked, at + dy * (DIGITS_SIDE + 2) + dx);
            }
        }
    }
}

/* One line of ink, dark inside, on paper of 1. */
TEST(digits_are_strokes) {
    uint64_t seed = 1;
    float image[10][DIGITS_SIDE * DIGITS_SIDE];
    for (unsigned d = 0; d < 100; d++) {
        bool inked[(DIGITS_SIDE + 2) * (DIGITS_SIDE + 2)] = {false};
        float *picture = image[d % 10];
        unsigned ink = 0, pieces = 0, dark = 0;
        digits_draw(d % 10, &seed, picture);
        for (unsigned i = 0; i < DIGITS_SIDE * DIGITS_SIDE; i++) {
            const unsigned x = i % DIGITS_SIDE, y = i / DIGITS_SIDE;
            const float grey = (1.0f - picture[i]) * 256.0f;
            assert_true(grey >= 0.0f && grey <= 255.0f && grey == floorf(grey));
            assert_true(grey == 0.0f || (x < DIGITS_SIDE - 1 && y < DIGITS_SIDE - 1));
            inked[(y + 1) * (DIGITS_SIDE + 2) + x + 1] = grey > 0.0f;
            ink += grey > 0.0f;
            dark += grey == 255.0f;
        }
        for (int i = 0; i < (int)(sizeof inked / sizeof *inked); i++) {
            pieces += inked[i];
            fill_piece(inked, i);
        }
        assert_int_equal(pieces, 1);
        assert_true(ink > 40 && ink < 300 && dark > 10 && dark < ink);
        for (unsigned other = 0; other < d && other < 10; other++) {
            assert_true(other == d % 10 || memcmp(image[other], picture, sizeof image[other]) != 0);
        }
    }
}

/* The outputs are those of neither a dead nor a saturated network. */
TEST(nn_outputs_depend_on_the_picture) {
    struct program p;
    records_open("ispass-nn", &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1}, NULL, NULL);
    struct host *h = p.self;
    const float *out = h->memory.block[9];
    unsigned inside = 0;
    for (unsigned o = 0; o < 10; o++) {
        assert_true(out[o] != out[10 + o]);
        inside += fabsf(out[o]) > 0.01f && fabsf(out[o]) < 1.6f;
    }
    assert_true(inside >= 8);
    workload_close(workload_find("ispass-nn"), &p);
}

TEST(nn_wrong_results_are_seen) {
    static const unsigned blocks[] = {1, 4, 7, 9};
    static const char *const says[] = {"layer1[17]", "layer2[17]", "layer3[17]", "layer4[17]"};
    for (unsigned l = 0; l < 4; l++) {
        expect_wrong_bit_seen("ispass-nn", blocks[l], 4 * 17, says[l]);
        expect_left_out_seen("ispass-nn", (int)l);
    }
    expect_any_order("ispass-nn");
}

/* --- Breadth-first search. --- */

enum { N = 65536, LAUNCHES_MAX = 32, WAVE_THREADS = 90 * 256 };

static int32_t node[2 * N], edge[2 * GRAPH_EDGES_A_NODE * N], distance[N];

static void find_distances(void) {
    bool more = true;
    memset(distance, -1, sizeof distance);
    distance[0] = 0;
    for (int32_t level = 0; more; level++) {
        more = false;
        for (unsigned u = 0; u < N; u++) {
            for (int32_t i = 0; distance[u] == level && i < node[2 * u + 1]; i++) {
                int32_t *d = &distance[edge[node[2 * u] + i]];
                more |= *d < 0;
                *d = *d < 0 ? level + 1 : *d;
            }
        }
    }
}

struct bfs_launch {
    unsigned nodes, warps, edge_ops, edges, edge_lines, visited_lines, met, masks;
};

struct bfs_launches {
    struct bfs_launch launch[LAUNCHES_MAX];
    uint8_t expanded[N];
};

/* Loads: mask, start, degree, edge, visited, cost, start, degree. Stores: mask, visited, cost, mask
 * of a neighbour, over. */
static void see_bfs(void *self, const struct place *at) {
    struct bfs_launches *b = self;
    assert_true(at->launch < LAUNCHES_MAX);
    struct bfs_launch *l = &b->launch[at->launch];
    const unsigned lanes = record_lanes(at);
    if (record_is(at, OP_LOAD, SPACE_GLOBAL, 0)) {
        assert_int_equal(record_lines(at), 1);
        l->masks++;
    } else if (record_is(at, OP_STORE, SPACE_GLOBAL, 1)) {
        l->warps++;
        l->nodes += lanes;
        for (uint32_t m = at->op->active; m; m &= m - 1) {
            b->expanded[at->cta * 256 + at->warp * 32 + (unsigned)__builtin_ctz(m)]++;
        }
    } else if (record_is(at, OP_LOAD, SPACE_GLOBAL, 3)) {
        l->edge_ops++;
        l->edges += lanes;
        l->edge_lines += record_lines(at);
    } else if (record_is(at, OP_LOAD, SPACE_GLOBAL, 4)) {
        l->visited_lines += record_lines(at);
    } else if (record_is(at, OP_STORE, SPACE_GLOBAL, 3)) {
        l->met += lanes;
    }
}

/* Costs: of a path, but not always of the shortest. */
static void check_paths(const int32_t *cost) {
    unsigned longer = 0;
    uint64_t excess = 0;
    assert_int_equal(cost[0], 0);
    for (unsigned u = 0; u < N; u++) {
        bool from = u == 0;
        for (int32_t i = 0; i < node[2 * u + 1]; i++) {
            from |= cost[edge[node[2 * u] + i]] == cost[u] - 1;
        }
        assert_true(from && cost[u] >= distance[u]);
        longer += cost[u] > distance[u];
        excess += (unsigned)(cost[u] - distance[u]);
    }
    print_message("bfs: %u costs are greater than the distance, by %.2f\n", longer,
                  (double)excess / longer);
    assert_true(longer > 0 && longer < N);
}

/* In the suite's graph, and the Rodinia program: ten levels, 9 lanes an edge load, 4.5 lines of
 * edges and 8.8 of visited in the greatest. Here some nodes are met and expanded in one launch. */
TEST(bfs_expands_each_node_once_and_late_ctas_run_ahead) {
    struct program p;
    static struct bfs_launches b;
    assert_true(graph_generate(N, GRAPH_EDGES_A_NODE, 1, node, edge));
    find_distances();
    records_open("ispass-bfs", &p, SIZE_PAPER_OWL);
    const unsigned launches = records_run(&p, (struct run_order){.skipped = -1}, see_bfs, &b);
    unsigned edges = 0, peak = 0;
    for (unsigned i = 0; i < launches; i++) {
        const struct bfs_launch *l = &b.launch[i];
        print_message("launch %u: %5u nodes in %4u warps, %5u edge loads of %.2f lanes, %.2f "
                      "lines; visited %.2f lines\n",
                      i, l->nodes, l->warps, l->edge_ops, (double)l->edges / l->edge_ops,
                      (double)l->edge_lines / l->edge_ops, (double)l->visited_lines / l->edge_ops);
        assert_int_equal(l->masks, N / WARP_SIZE);
        edges += l->edges;
        peak = l->nodes > b.launch[peak].nodes ? i : peak;
        assert_true((l->met == 0) == (i == launches - 1));
    }
    const struct bfs_launch *top = &b.launch[peak];
    assert_int_equal(edges, 6 * N);
    for (unsigned u = 0; u < N; u++) {
        assert_int_equal(b.expanded[u], 1);
    }
    assert_true(launches >= 6 && launches <= 11);
    assert_true(b.launch[0].nodes > 1); /* the source's neighbours in later waves */
    assert_true(top->nodes > N * 2 / 5 && top->nodes < N * 7 / 10);
    assert_true(top->edges > 8 * top->edge_ops && top->edges < 13 * top->edge_ops);
    assert_true(top->edge_lines > 4 * top->edge_ops && top->edge_lines < 6 * top->edge_ops);
    /* 64 KB are 512 lines: two lanes seldom want the same one. */
    assert_true(top->visited_lines > top->edges * 0.97);
    struct host *h = p.self;
    check_paths(h->memory.block[4]);
    workload_close(workload_find("ispass-bfs"), &p);
}

/* The first launch: of the nodes that are expanded one leads to the next, each in a wave behind it,
 * and all have the length of that path as their cost. */
TEST(bfs_launches_pass_on_what_they_find_from_wave_to_wave) {
    struct program p;
    static struct bfs_launches b;
    static int32_t path[N];
    struct cta_trace *t = cta_trace_create();
    const struct launch *l;
    assert_true(graph_generate(N, GRAPH_EDGES_A_NODE, 1, node, edge));
    memset(path, -1, sizeof path);
    path[0] = 0;
    for (unsigned u = 0; u < N; u++) {
        for (int32_t i = 0; path[u] >= 0 && i < node[2 * u + 1]; i++) {
            const unsigned v = (unsigned)edge[node[2 * u] + i];
            if (v / WAVE_THREADS > u / WAVE_THREADS) {
                path[v] = path[u] + 1;
            }
        }
    }
    records_open("ispass-bfs", &p, SIZE_PAPER_OWL);
    assert_true(p.next_launch(p.self, &l));
    assert_int_equal(launch_ctas(l), 256);
    assert_int_equal(launch_threads(l), 256);
    for (unsigned cta = 0; cta < 256; cta++) {
        assert_true(p.run_cta(p.self, cta, t));
    }
    struct host *h = p.self;
    const uint8_t *visited = h->memory.block[3];
    const int32_t *cost = h->memory.block[4];
    for (unsigned u = 0; u < N; u++) {
        assert_int_equal(visited[u], path[u] >= 0);
        assert_true(path[u] <= 0 || cost[u] >= 1);
        b.launch[0].nodes += visited[u];
    }
    assert_true(b.launch[0].nodes > 2);
    workload_close(workload_find("ispass-bfs"), &p);
    cta_trace_destroy(t);
}

TEST(bfs_wrong_results_are_seen) {
    expect_wrong_bit_seen("ispass-bfs", 2, 17, "mask[17]");
    expect_wrong_bit_seen("ispass-bfs", 3, 17, "visited[17]");
    expect_wrong_bit_seen("ispass-bfs", 4, 4 * 17, "cost[17]");
    expect_wrong_bit_seen("ispass-bfs", 5, 0, "over[0]");
    for (int launch = 0; launch < 4; launch++) {
        expect_left_out_seen("ispass-bfs", launch);
    }
}
