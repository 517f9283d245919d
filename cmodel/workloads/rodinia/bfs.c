/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia bfs: breadth-first search, a thread a node, two launches a level. The first gives the
 * neighbours of the frontier their distance: the frontier's mask and its lists are read in order,
 * the neighbours' flags (visited: a byte each) are scattered over the whole graph. The second makes
 * the nodes that were met the next frontier.
 *
 * The graph is generated: a random tree plus random edges, six neighbours a node on average, as the
 * suite's own graphs have them. The loop's test loads a node's start and degree again after a
 * store, as measured on a compiler of today.
 * Neighbours that two threads meet get the same distance from both, and visited changes in the
 * second launch only: no branch depends on the order.
 *
 * bfs-64k and bfs-1m are the suite's two graphs, both MRPB's. OWL's BFSR is taken to be bfs-64k,
 * whose CTAs share rows of DRAM more nearly as OWL table 4 has it; DAWS's BFS to be bfs-1m, whose
 * visited nodes are many times the L1, as of a program that it calls highly cache-sensitive.
 *
 * bfs-dense has what DAWS reports of its BFS and bfs-1m has not: a static limit of few warps gains
 * (table 3: five, here four), and two converged loads in each trip of the loop (figure 5: PCs 400
 * and 408), here the test's start and degree, as an older compiler may load them. DAWS names no
 * graph; of those in docs/daws_machine.md the one with 24 neighbours a node comes nearest.
 */
#include <stdlib.h>
#include <string.h>

#include "workloads/host.h"
#include "workloads/common/graph.h"
#include "workloads/common/lines.h"
#include "workloads/workloads.h"

#define BLOCK 512
#define SOURCE 0
#define DENSE_EDGES_A_NODE 12

struct bfs {
    struct host host;
    uint32_t n;
    bool reloads_always;    /* the loop's test loads start and degree in each trip */
    struct buffer node;     /* of each: where its list starts in edge, and how many neighbours */
    struct buffer edge;     /* the neighbours */
    struct buffer mask;     /* 1: in the frontier */
    struct buffer updating; /* 1: met in this level */
    struct buffer visited;
    struct buffer cost; /* distance from the source, -1: not reached */
    struct buffer over; /* 1: there is another level */
};

enum {
    R_TID,
    R_PREDICATE,
    R_MASK_ADDRESS,
    R_NODE_ADDRESS,
    R_COST_ADDRESS,
    R_MASK,
    R_ZERO,
    R_START,
    R_DEGREE,
    R_END,
    R_EDGE_ADDRESS,
    R_ID,
    R_VISITED_ADDRESS,
    R_VISITED,
    R_COST,
    R_ONE,
    R_ID_ADDRESS,
};

#define EXPAND(I) \
    I(ALU, K1_CTA, OP_INT_MUL, R_TID, REG_NONE) \
    I(ALU, K1_TID, OP_INT_ADD, R_TID, R_TID) \
    I(ALU, K1_GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_TID) \
    I(BRANCH, K1_GUARD, R_PREDICATE) \
    I(ALU, K1_MASK_ADDRESS, OP_INT_ADD, R_MASK_ADDRESS, R_TID) \
    I(ALU, K1_NODE_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_TID) \
    I(ALU, K1_ZERO, OP_INT_ADD, R_ZERO, REG_NONE) \
    I(LOAD, K1_LOAD_MASK, SPACE_GLOBAL, 1, R_MASK, R_MASK_ADDRESS) \
    I(ALU, K1_MASK_COMPARE, OP_INT_ADD, R_PREDICATE, R_MASK) \
    I(BRANCH, K1_MASK_BRANCH, R_PREDICATE) \
    I(STORE, K1_STORE_MASK, SPACE_GLOBAL, 1, R_ZERO, R_MASK_ADDRESS) \
    I(LOAD, K1_LOAD_START, SPACE_GLOBAL, 4, R_START, R_NODE_ADDRESS) \
    I(LOAD, K1_LOAD_DEGREE, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(ALU, K1_FIRST_EDGE, OP_INT_MAD, R_EDGE_ADDRESS, R_START) \
    I(ALU, K1_FIRST_END, OP_INT_ADD, R_END, R_START, R_DEGREE) \
    I(ALU, K1_EMPTY_COMPARE, OP_INT_ADD, R_PREDICATE, R_DEGREE) \
    I(BRANCH, K1_EMPTY_BRANCH, R_PREDICATE) \
    I(LOOP, K1_LOOP) \
    I(LOAD, K1_LOAD_EDGE, SPACE_GLOBAL, 4, R_ID, R_EDGE_ADDRESS) \
    I(ALU, K1_VISITED_ADDRESS, OP_INT_ADD, R_VISITED_ADDRESS, R_ID) \
    I(LOAD, K1_LOAD_VISITED, SPACE_GLOBAL, 1, R_VISITED, R_VISITED_ADDRESS) \
    I(ALU, K1_VISITED_COMPARE, OP_INT_ADD, R_PREDICATE, R_VISITED) \
    I(BRANCH, K1_VISITED_BRANCH, R_PREDICATE) \
    I(ALU, K1_COST_ADDRESS, OP_INT_MAD, R_COST_ADDRESS, R_TID) \
    I(LOAD, K1_LOAD_COST, SPACE_GLOBAL, 4, R_COST, R_COST_ADDRESS) \
    I(ALU, K1_ID_ADDRESS, OP_INT_MAD, R_ID_ADDRESS, R_ID) \
    I(ALU, K1_NEXT_COST, OP_INT_ADD, R_COST, R_COST) \
    I(STORE, K1_STORE_COST, SPACE_GLOBAL, 4, R_COST, R_ID_ADDRESS) \
    I(ALU, K1_ONE, OP_INT_ADD, R_ONE, REG_NONE) \
    I(ALU, K1_UPDATING_ADDRESS, OP_INT_ADD, R_ID_ADDRESS, R_ID) \
    I(STORE, K1_STORE_UPDATING, SPACE_GLOBAL, 1, R_ONE, R_ID_ADDRESS) \
    I(LOAD, K1_RELOAD_DEGREE, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(LOAD, K1_RELOAD_START, SPACE_GLOBAL, 4, R_START, R_NODE_ADDRESS) \
    I(ALU, K1_END, OP_INT_ADD, R_END, R_START, R_DEGREE) \
    I(ALU, K1_NEXT_EDGE, OP_INT_ADD, R_EDGE_ADDRESS, R_EDGE_ADDRESS) \
    I(ALU, K1_COMPARE, OP_INT_ADD, R_PREDICATE, R_EDGE_ADDRESS, R_END) \
    I(BRANCH, K1_BRANCH, R_PREDICATE)
SIMT_CODE(bfs_expand, EXPAND, .registers = 20);

/* start + degree of the loop's test: nothing in the kernel changes them. */
static void reload_end(struct simt *s, const struct bfs *k, int64_t tid) {
    int32_t again[SIMT_THREADS];
    simt_load(s, K1_RELOAD_DEGREE, again, &k->node, element_x(2 * tid + 1, 2));
    simt_load(s, K1_RELOAD_START, again, &k->node, element_x(2 * tid, 2));
    simt_alu(s, K1_END);
}

/* for (e = start; e < start + degree; e++) if (!visited[edge[e]]) ... */
static void expand_neighbours(struct simt *s, const struct bfs *k, int64_t tid,
                              const int32_t *start, const int32_t *degree) {
    int32_t at[SIMT_THREADS], id[SIMT_THREADS], cost[SIMT_THREADS];
    uint8_t visited[SIMT_THREADS], one[SIMT_THREADS];
    struct simt_mask unvisited, left;
    memset(one, 1, sizeof one);
    SIMT_EACH(s, t) {
        at[t] = start[t];
    }
    SIMT_LOOP(s, K1_LOOP) {
        simt_load(s, K1_LOAD_EDGE, id, &k->edge, element_lane(at));
        simt_alu(s, K1_VISITED_ADDRESS);
        simt_load(s, K1_LOAD_VISITED, visited, &k->visited, element_lane(id));
        simt_alu(s, K1_VISITED_COMPARE);
        SIMT_WHERE(s, unvisited, t, !visited[t]);
        SIMT_IF(s, K1_VISITED_BRANCH, &unvisited) {
            simt_alu(s, K1_COST_ADDRESS);
            simt_load(s, K1_LOAD_COST, cost, &k->cost, element_x(tid, 1));
            simt_alu(s, K1_ID_ADDRESS);
            SIMT_ALU(s, K1_NEXT_COST, t) {
                cost[t]++;
            }
            simt_store(s, K1_STORE_COST, cost, &k->cost, element_lane(id));
            simt_alus(s, K1_ONE, K1_UPDATING_ADDRESS);
            simt_store(s, K1_STORE_UPDATING, one, &k->updating, element_lane(id));
            if (!k->reloads_always) {
                reload_end(s, k, tid);
            }
        }
        if (k->reloads_always) {
            reload_end(s, k, tid);
        }
        SIMT_ALU(s, K1_NEXT_EDGE, t) {
            at[t]++;
        }
        simt_alu(s, K1_COMPARE);
        SIMT_WHERE(s, left, t, at[t] < start[t] + degree[t]);
        simt_while(s, K1_BRANCH, &left);
    }
}

/* if (mask[t]) { mask[t] = 0; the neighbours } */
static void expand(struct simt *s, const void *arguments) {
    const struct bfs *k = arguments;
    const int64_t tid = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    int32_t start[SIMT_THREADS], degree[SIMT_THREADS];
    uint8_t mask[SIMT_THREADS], zero[SIMT_THREADS] = {0};
    struct simt_mask inside, frontier, some;

    simt_alus(s, K1_CTA, K1_GUARD_COMPARE);
    SIMT_WHERE(s, inside, t, tid + t < k->n);
    SIMT_IF(s, K1_GUARD, &inside) {
        simt_alus(s, K1_MASK_ADDRESS, K1_ZERO);
        simt_load(s, K1_LOAD_MASK, mask, &k->mask, element_x(tid, 1));
        simt_alu(s, K1_MASK_COMPARE);
        SIMT_WHERE(s, frontier, t, mask[t]);
        SIMT_IF(s, K1_MASK_BRANCH, &frontier) {
            simt_store(s, K1_STORE_MASK, zero, &k->mask, element_x(tid, 1));
            simt_load(s, K1_LOAD_START, start, &k->node, element_x(2 * tid, 2));
            simt_load(s, K1_LOAD_DEGREE, degree, &k->node, element_x(2 * tid + 1, 2));
            simt_alus(s, K1_FIRST_EDGE, K1_EMPTY_COMPARE);
            SIMT_WHERE(s, some, t, degree[t] > 0);
            SIMT_IF(s, K1_EMPTY_BRANCH, &some) {
                expand_neighbours(s, k, tid, start, degree);
            }
        }
    }
}

#define ADVANCE(I) \
    I(ALU, K2_CTA, OP_INT_MUL, R_TID, REG_NONE) \
    I(ALU, K2_TID, OP_INT_ADD, R_TID, R_TID) \
    I(ALU, K2_GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_TID) \
    I(BRANCH, K2_GUARD, R_PREDICATE) \
    I(ALU, K2_UPDATING_ADDRESS, OP_INT_ADD, R_NODE_ADDRESS, R_TID) \
    I(LOAD, K2_LOAD_UPDATING, SPACE_GLOBAL, 1, R_MASK, R_NODE_ADDRESS) \
    I(ALU, K2_COMPARE, OP_INT_ADD, R_PREDICATE, R_MASK) \
    I(BRANCH, K2_BRANCH, R_PREDICATE) \
    I(ALU, K2_ONE, OP_INT_ADD, R_MASK, REG_NONE) \
    I(ALU, K2_MASK_ADDRESS, OP_INT_ADD, R_MASK_ADDRESS, R_TID) \
    I(STORE, K2_STORE_MASK, SPACE_GLOBAL, 1, R_MASK, R_MASK_ADDRESS) \
    I(ALU, K2_VISITED_ADDRESS, OP_INT_ADD, R_MASK_ADDRESS, R_TID) \
    I(STORE, K2_STORE_VISITED, SPACE_GLOBAL, 1, R_MASK, R_MASK_ADDRESS) \
    I(ALU, K2_OVER_ADDRESS, OP_INT_ADD, R_MASK_ADDRESS, REG_NONE) \
    I(STORE, K2_STORE_OVER, SPACE_GLOBAL, 1, R_MASK, R_MASK_ADDRESS) \
    I(ALU, K2_ZERO, OP_INT_ADD, R_MASK, REG_NONE) \
    I(STORE, K2_STORE_UPDATING, SPACE_GLOBAL, 1, R_MASK, R_NODE_ADDRESS)
SIMT_CODE(bfs_advance, ADVANCE, .registers = 6);

/* if (updating[t]) { mask[t] = visited[t] = over = 1; updating[t] = 0; } */
static void advance(struct simt *s, const void *arguments) {
    const struct bfs *k = arguments;
    const int64_t tid = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    uint8_t updating[SIMT_THREADS], one[SIMT_THREADS], zero[SIMT_THREADS] = {0};
    struct simt_mask inside, met;
    memset(one, 1, sizeof one);

    simt_alus(s, K2_CTA, K2_GUARD_COMPARE);
    SIMT_WHERE(s, inside, t, tid + t < k->n);
    SIMT_IF(s, K2_GUARD, &inside) {
        simt_alu(s, K2_UPDATING_ADDRESS);
        simt_load(s, K2_LOAD_UPDATING, updating, &k->updating, element_x(tid, 1));
        simt_alu(s, K2_COMPARE);
        SIMT_WHERE(s, met, t, updating[t]);
        SIMT_IF(s, K2_BRANCH, &met) {
            simt_alus(s, K2_ONE, K2_MASK_ADDRESS);
            simt_store(s, K2_STORE_MASK, one, &k->mask, element_x(tid, 1));
            simt_alu(s, K2_VISITED_ADDRESS);
            simt_store(s, K2_STORE_VISITED, one, &k->visited, element_x(tid, 1));
            simt_alu(s, K2_OVER_ADDRESS);
            simt_store(s, K2_STORE_OVER, one, &k->over, element_at(0));
            simt_alu(s, K2_ZERO);
            simt_store(s, K2_STORE_UPDATING, zero, &k->updating, element_x(tid, 1));
        }
    }
}

/* do { over = 0; expand; advance; } while (over); */
static bool bfs_step(void *self, unsigned step, struct host_launch *out) {
    struct bfs *k = self;
    uint8_t *over = k->over.data;
    if (step % 2 == 0) {
        if (step > 0 && !*over) {
            return false;
        }
        *over = 0;
    }
    *out = (struct host_launch){
        .launch = {step % 2 ? &bfs_advance_code : &bfs_expand_code,
                   {(k->n + BLOCK - 1) / BLOCK, 1, 1},
                   {BLOCK, 1, 1}},
        .kernel = step % 2 ? advance : expand,
    };
    return true;
}

static bool bfs_open(struct bfs *k, uint32_t n, uint32_t edges_a_node, uint64_t seed) {
    k->n = n;
    if (!HOST_ALLOC(&k->host.memory, {&k->node, 2 * (uint64_t)n, 4},
                    {&k->edge, 2 * edges_a_node * (uint64_t)n, 4}, {&k->mask, n, 1},
                    {&k->updating, n, 1}, {&k->visited, n, 1}, {&k->cost, n, 4},
                    {&k->over, 1, 1}) ||
        !graph_generate(n, edges_a_node, seed, k->node.data, k->edge.data)) {
        return false;
    }
    int32_t *cost = k->cost.data;
    for (uint32_t i = 0; i < n; i++) {
        cost[i] = -1;
    }
    cost[SOURCE] = 0;
    ((uint8_t *)k->mask.data)[SOURCE] = 1;
    ((uint8_t *)k->visited.data)[SOURCE] = 1;
    host_set_step(&k->host, bfs_step);
    return true;
}

/* The same with a queue: the distance of each node. Return: the greatest one, -1: out of memory. */
static int search(const struct bfs *k, int32_t *distance) {
    const int32_t *node = k->node.data, *edge = k->edge.data;
    uint32_t *queue = malloc(k->n * sizeof *queue), head = 0, tail = 0;
    int greatest = -1;
    if (queue) {
        for (uint32_t i = 0; i < k->n; i++) {
            distance[i] = -1;
        }
        distance[SOURCE] = 0;
        queue[tail++] = SOURCE;
        while (head < tail) {
            uint32_t u = queue[head++];
            const int32_t *list = &edge[node[2 * u]];
            greatest = distance[u];
            for (int32_t i = 0; i < node[2 * u + 1]; i++) {
                if (distance[list[i]] < 0) {
                    distance[list[i]] = distance[u] + 1;
                    queue[tail++] = (uint32_t)list[i];
                }
            }
        }
        free(queue);
    }
    return greatest;
}

static const struct workload_result results[] = {
    INTEGERS("cost", bfs, cost), INTEGERS("visited", bfs, visited),
    INTEGERS("mask", bfs, mask), INTEGERS("updating", bfs, updating),
    INTEGERS("over", bfs, over), {0}};

static bool bfs_plain(void *self, void *const expected[]) {
    const struct bfs *k = self;
    int32_t *cost = expected[0];
    uint8_t *visited = expected[1]; /* the other flags are 0 */
    if (search(k, cost) < 0) {
        return false;
    }
    for (uint32_t i = 0; i < k->n; i++) {
        visited[i] = cost[i] >= 0;
    }
    return true;
}

/* --- What must have been counted, from the distances alone. --- */

static void instructions(struct workload_expectation *e, uint64_t count, uint64_t lanes) {
    e->warp_instructions += lanes ? count : 0;
    e->thread_instructions += count * lanes;
}

/* Neighbour @i of each of the warp's frontier nodes that has so many. */
static void expect_neighbours(const struct bfs *k, const int32_t *distance, int32_t level,
                              uint32_t first, uint32_t last, int32_t i, unsigned line_bytes,
                              struct workload_expectation *e) {
    const int32_t *node = k->node.data, *edge = k->edge.data;
    struct line_set edges = {.count = 0}, visited = edges, costs = edges, updating = edges,
                    nodes = edges, own = edges;
    unsigned lanes = 0, met = 0;
    for (uint32_t t = first; t < last; t++) {
        if (distance[t] != level || node[2 * t + 1] <= i) {
            continue;
        }
        uint32_t at = (uint32_t)(node[2 * t] + i), id = (uint32_t)edge[at];
        line_set_add(&edges, at, 4, line_bytes);
        line_set_add(&visited, id, 1, line_bytes);
        lanes++;
        if (distance[id] > level) {
            line_set_add(&costs, id, 4, line_bytes);
            line_set_add(&updating, id, 1, line_bytes);
            line_set_add(&own, t, 4, line_bytes);
            met++;
        }
        if (k->reloads_always || distance[id] > level) {
            line_set_add(&nodes, t, 8, line_bytes);
        }
    }
    instructions(e, 8, lanes);
    instructions(e, 8, met);
    instructions(e, 3, k->reloads_always ? lanes : met);
    e->global_read_accesses += edges.count + visited.count + own.count + 2 * nodes.count;
    e->global_write_accesses += costs.count + updating.count;
}

/* The threads @first to @last - 1, a warp, in the two launches of a level. */
static void expect_warp(const struct bfs *k, const int32_t *distance, int32_t level, uint32_t first,
                        uint32_t last, unsigned line_bytes, struct workload_expectation *e) {
    const int32_t *node = k->node.data;
    struct line_set nodes = {.count = 0};
    unsigned frontier = 0, next = 0;
    int32_t trips = 0;
    for (uint32_t t = first; t < last; t++) {
        if (distance[t] == level) {
            line_set_add(&nodes, t, 8, line_bytes);
            trips = trips > node[2 * t + 1] ? trips : node[2 * t + 1];
            frontier++;
        }
        next += distance[t] == level + 1;
    }
    instructions(e, 4 + 4, WARP_SIZE);
    instructions(e, 6 + 4, last - first);
    instructions(e, 7, frontier);
    instructions(e, 9, next);
    /* 32 bytes of the mask, and of those to update, are never in two lines. */
    e->global_read_accesses += last > first ? 2 : 0;
    e->global_read_accesses += 2 * nodes.count;
    e->global_write_accesses += (frontier > 0) + 4 * (next > 0);
    for (int32_t i = 0; i < trips; i++) {
        expect_neighbours(k, distance, level, first, last, i, line_bytes, e);
    }
}

static void bfs_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct bfs *k = self;
    const uint32_t threads = (k->n + BLOCK - 1) / BLOCK * BLOCK;
    int32_t *distance = malloc(k->n * sizeof *distance);
    int levels = distance ? search(k, distance) : -1;
    for (int32_t level = 0; level <= levels; level++) {
        for (uint32_t first = 0; first < threads; first += WARP_SIZE) {
            uint32_t last = first + WARP_SIZE;
            expect_warp(k, distance, level, first < k->n ? first : k->n, last < k->n ? last : k->n,
                        line_bytes, e);
        }
    }
    if (levels < 0) { /* out of memory */
        *e = WORKLOAD_ALL_UNKNOWN;
    }
    free(distance);
}

static bool bfs_64k_open(void *self, enum workload_size size, uint64_t seed) {
    static const uint32_t nodes[] = {[SIZE_TINY] = 4096,
                                     [SIZE_SMALL] = 65536,
                                     [SIZE_PAPER_MRPB] = 65536,
                                     [SIZE_PAPER_OWL] = 65536};
    return bfs_open(self, nodes[size], GRAPH_EDGES_A_NODE, seed);
}

static bool bfs_dense_open(void *self, enum workload_size size, uint64_t seed) {
    static const uint32_t nodes[] = {
        [SIZE_TINY] = 4096, [SIZE_SMALL] = 65536, [SIZE_PAPER_DAWS] = 1 << 18};
    struct bfs *k = self;
    k->reloads_always = true;
    return bfs_open(k, nodes[size], DENSE_EDGES_A_NODE, seed);
}

static bool bfs_1m_open(void *self, enum workload_size size, uint64_t seed) {
    static const uint32_t nodes[] = {[SIZE_TINY] = 10000,
                                     [SIZE_SMALL] = 1 << 18,
                                     [SIZE_PAPER_MRPB] = 1000000,
                                     [SIZE_PAPER_DAWS] = 1000000};
    return bfs_open(self, nodes[size], GRAPH_EDGES_A_NODE, seed);
}

const struct workload workload_bfs_64k = {
    .name = "bfs-64k",
    .suite = "rodinia",
    .about = "breadth-first search: lists in order, neighbours scattered over 64 KB of bytes",
    .size_text = {[SIZE_TINY] = "4096 nodes",
                  [SIZE_SMALL] = "65536 nodes",
                  [SIZE_PAPER_MRPB] = "65536 nodes",
                  [SIZE_PAPER_OWL] = "65536 nodes"},
    .bytes = sizeof(struct bfs),
    .open = bfs_64k_open,
    .results = results,
    .plain = bfs_plain,
    .expect = bfs_expect,
};

const struct workload workload_bfs_1m = {
    .name = "bfs-1m",
    .suite = "rodinia",
    .about = "breadth-first search: lists in order, neighbours scattered over 1 MB of bytes",
    .size_text = {[SIZE_TINY] = "10000 nodes",
                  [SIZE_SMALL] = "256 Ki nodes",
                  [SIZE_PAPER_MRPB] = "1000000 nodes",
                  [SIZE_PAPER_DAWS] = "1000000 nodes"},
    .bytes = sizeof(struct bfs),
    .open = bfs_1m_open,
    .results = results,
    .plain = bfs_plain,
    .expect = bfs_expect,
};

const struct workload workload_bfs_dense = {
    .name = "bfs-dense",
    .suite = "rodinia",
    .about = "breadth-first search: 24 neighbours a node, the loop's test loads in each trip",
    .size_text = {[SIZE_TINY] = "4096 nodes",
                  [SIZE_SMALL] = "65536 nodes",
                  [SIZE_PAPER_DAWS] = "256 Ki nodes"},
    .bytes = sizeof(struct bfs),
    .open = bfs_dense_open,
    .results = results,
    .plain = bfs_plain,
    .expect = bfs_expect,
};
