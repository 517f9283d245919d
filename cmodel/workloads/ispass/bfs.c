/* SPDX-License-Identifier: Apache-2.0
 *
 * ISPASS-2009 BFS, after Harish and Narayanan: breadth-first search with one launch a level, a
 * thread a node. Masks and nodes are read in order, lists are adjacent, and the neighbours' flags
 * (visited: a byte) are scattered over the whole graph.
 *
 * Unlike in Rodinia's, no second launch makes the next frontier: a thread marks the nodes that it
 * meets in the same mask that other threads of the launch still read. So a node may be expanded in
 * the launch that meets it, and a node of the frontier whose thread comes late may get a greater
 * cost from a neighbour of the same level. The suite's program has these races too: a cost is the
 * length of some path from the source, not always of the shortest, and the number of launches
 * depends on the machine. Here that machine is fixed: WAVE CTAs start together and have read and
 * cleared their masks and set visited before any of them stores what it meets (which is four loads
 * later); then they run in their order; the next wave starts when they have ended.
 *
 * The loop's test loads a node's start and degree in each trip, as the specification of the suite
 * has it: the stores of bytes in the loop might have changed them. The graph is Rodinia's.
 */
#include <stdlib.h>
#include <string.h>

#include "workloads/host.h"
#include "workloads/common/graph.h"
#include "workloads/common/lines.h"
#include "workloads/workloads.h"

#define BLOCK 256
#define SOURCE 0
#define WAVE 90 /* CTAs: 15 cores that hold 6 of 256 threads, GTX 480 */

static const uint32_t sizes[] = {
    [SIZE_TINY] = 25000, [SIZE_SMALL] = 65536, [SIZE_PAPER_OWL] = 65536};

struct bfs {
    struct host host;
    uint32_t n;
    struct buffer node;    /* of each: where its list starts in edge, and how many neighbours */
    struct buffer edge;    /* the neighbours */
    struct buffer mask;    /* 1: to expand */
    struct buffer visited; /* 1: was expanded */
    struct buffer cost;    /* length of a path from the source, -1: not reached */
    struct buffer over;    /* 1: there is another launch */
    uint8_t *started;      /* what the threads of the current wave found in mask */
};

enum {
    R_TID,
    R_PREDICATE,
    R_MASK_ADDRESS,
    R_NODE_ADDRESS,
    R_COST_ADDRESS,
    R_MASK,
    R_VALUE,
    R_START,
    R_DEGREE,
    R_EDGE_ADDRESS,
    R_I,
    R_ID,
    R_ID_ADDRESS,
    R_VISITED,
    R_COST,
};

#define EXPAND(I) \
    I(ALU, CTA, OP_INT_MAD, R_TID, REG_NONE) \
    I(ALU, GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_TID) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, MASK_ADDRESS, OP_INT_ADD, R_MASK_ADDRESS, R_TID) \
    I(LOAD, LOAD_MASK, SPACE_GLOBAL, 1, R_MASK, R_MASK_ADDRESS) \
    I(ALU, MASK_COMPARE, OP_INT_ADD, R_PREDICATE, R_MASK) \
    I(BRANCH, MASK_BRANCH, R_PREDICATE) \
    I(ALU, ZERO, OP_INT_ADD, R_VALUE, REG_NONE) \
    I(STORE, STORE_MASK, SPACE_GLOBAL, 1, R_VALUE, R_MASK_ADDRESS) \
    I(ALU, ONE, OP_INT_ADD, R_VALUE, REG_NONE) \
    I(ALU, OWN_VISITED, OP_INT_ADD, R_MASK_ADDRESS, R_TID) \
    I(STORE, STORE_VISITED, SPACE_GLOBAL, 1, R_VALUE, R_MASK_ADDRESS) \
    I(ALU, NODE_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_TID) \
    I(LOAD, FIRST_START, SPACE_GLOBAL, 4, R_START, R_NODE_ADDRESS) \
    I(LOAD, FIRST_DEGREE, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(ALU, FIRST_EDGE, OP_INT_ADD, R_I, R_START) \
    I(ALU, FIRST_COMPARE, OP_INT_ADD, R_PREDICATE, R_DEGREE) \
    I(BRANCH, FIRST_BRANCH, R_PREDICATE) \
    I(LOOP, EDGES) \
    I(ALU, EDGE_ADDRESS, OP_INT_MAD, R_EDGE_ADDRESS, R_I) \
    I(LOAD, LOAD_EDGE, SPACE_GLOBAL, 4, R_ID, R_EDGE_ADDRESS) \
    I(ALU, VISITED_ADDRESS, OP_INT_ADD, R_ID_ADDRESS, R_ID) \
    I(LOAD, LOAD_VISITED, SPACE_GLOBAL, 1, R_VISITED, R_ID_ADDRESS) \
    I(ALU, VISITED_COMPARE, OP_INT_ADD, R_PREDICATE, R_VISITED) \
    I(BRANCH, VISITED_BRANCH, R_PREDICATE) \
    I(ALU, COST_ADDRESS, OP_INT_MAD, R_COST_ADDRESS, R_TID) \
    I(LOAD, LOAD_COST, SPACE_GLOBAL, 4, R_COST, R_COST_ADDRESS) \
    I(ALU, NEXT_COST, OP_INT_ADD, R_COST, R_COST) \
    I(ALU, ID_COST, OP_INT_MAD, R_ID_ADDRESS, R_ID) \
    I(STORE, STORE_COST, SPACE_GLOBAL, 4, R_COST, R_ID_ADDRESS) \
    I(ALU, ID_MASK, OP_INT_ADD, R_ID_ADDRESS, R_ID) \
    I(STORE, STORE_MET, SPACE_GLOBAL, 1, R_VALUE, R_ID_ADDRESS) \
    I(ALU, OVER_ADDRESS, OP_INT_ADD, R_ID_ADDRESS, REG_NONE) \
    I(STORE, STORE_OVER, SPACE_GLOBAL, 1, R_VALUE, R_ID_ADDRESS) \
    I(ALU, NEXT_EDGE, OP_INT_ADD, R_I, R_I) \
    I(LOAD, LOAD_START, SPACE_GLOBAL, 4, R_START, R_NODE_ADDRESS) \
    I(LOAD, LOAD_DEGREE, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(ALU, END, OP_INT_ADD, R_START, R_START, R_DEGREE) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_I, R_START) \
    I(BRANCH, BRANCH_EDGES, R_PREDICATE)
SIMT_CODE(ispass_bfs, EXPAND, .registers = 18);

/* Does the work of the instructions up to STORE_VISITED for all CTAs of a new wave. */
static void start_wave(const struct bfs *k, uint32_t first) {
    uint8_t *mask = k->mask.data, *visited = k->visited.data;
    for (uint32_t t = first; t < first + WAVE * BLOCK && t < k->n; t++) {
        k->started[t] = mask[t];
        visited[t] |= mask[t];
        mask[t] = 0;
    }
}

/* for (i = start; i < start + degree; i++) if (!visited[edge[i]]) ... */
static void expand_neighbours(struct simt *s, const struct bfs *k, int64_t tid) {
    int32_t at[SIMT_THREADS], id[SIMT_THREADS], cost[SIMT_THREADS];
    int32_t start[SIMT_THREADS], degree[SIMT_THREADS];
    uint8_t visited[SIMT_THREADS], one[SIMT_THREADS];
    struct simt_mask some, unvisited, left;
    memset(one, 1, sizeof one);
    simt_load(s, FIRST_START, start, &k->node, element_x(2 * tid, 2));
    simt_load(s, FIRST_DEGREE, degree, &k->node, element_x(2 * tid + 1, 2));
    SIMT_ALU(s, FIRST_EDGE, t) {
        at[t] = start[t];
    }
    simt_alu(s, FIRST_COMPARE);
    SIMT_WHERE(s, some, t, degree[t] > 0);
    SIMT_IF(s, FIRST_BRANCH, &some) {
        SIMT_LOOP(s, EDGES) {
            simt_alu(s, EDGE_ADDRESS);
            simt_load(s, LOAD_EDGE, id, &k->edge, element_lane(at));
            simt_alu(s, VISITED_ADDRESS);
            simt_load(s, LOAD_VISITED, visited, &k->visited, element_lane(id));
            simt_alu(s, VISITED_COMPARE);
            SIMT_WHERE(s, unvisited, t, !visited[t]);
            SIMT_IF(s, VISITED_BRANCH, &unvisited) {
                simt_alu(s, COST_ADDRESS);
                simt_load(s, LOAD_COST, cost, &k->cost, element_x(tid, 1));
                SIMT_ALU(s, NEXT_COST, t) {
                    cost[t]++;
                }
                simt_alu(s, ID_COST);
                simt_store(s, STORE_COST, cost, &k->cost, element_lane(id));
                simt_alu(s, ID_MASK);
                simt_store(s, STORE_MET, one, &k->mask, element_lane(id));
                simt_alu(s, OVER_ADDRESS);
                simt_store(s, STORE_OVER, one, &k->over, element_at(0));
            }
            SIMT_ALU(s, NEXT_EDGE, t) {
                at[t]++;
            }
            simt_load(s, LOAD_START, start, &k->node, element_x(2 * tid, 2));
            simt_load(s, LOAD_DEGREE, degree, &k->node, element_x(2 * tid + 1, 2));
            simt_alus(s, END, COMPARE);
            SIMT_WHERE(s, left, t, at[t] < start[t] + degree[t]);
            simt_while(s, BRANCH_EDGES, &left);
        }
    }
}

/* if (mask[t]) { mask[t] = 0; visited[t] = 1; the neighbours } */
static void expand(struct simt *s, const void *arguments) {
    const struct bfs *k = arguments;
    const int64_t tid = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    uint8_t mask[SIMT_THREADS], one[SIMT_THREADS];
    struct simt_mask inside, frontier;
    memset(one, 1, sizeof one);
    if (s->cta[0] % WAVE == 0) {
        start_wave(k, (uint32_t)tid);
    }

    simt_alus(s, CTA, GUARD_COMPARE);
    SIMT_WHERE(s, inside, t, tid + t < k->n);
    SIMT_IF(s, GUARD, &inside) {
        simt_alu(s, MASK_ADDRESS);
        /* A CTA of the same wave may have stored the present value after this load. */
        simt_load(s, LOAD_MASK, mask, &k->mask, element_x(tid, 1));
        simt_alu(s, MASK_COMPARE);
        SIMT_WHERE(s, frontier, t, k->started[tid + t]);
        SIMT_IF(s, MASK_BRANCH, &frontier) {
            simt_alu(s, ZERO);
            simt_store(s, STORE_MASK, mask, &k->mask, element_x(tid, 1)); /* was done */
            simt_alus(s, ONE, OWN_VISITED);
            simt_store(s, STORE_VISITED, one, &k->visited, element_x(tid, 1));
            simt_alu(s, NODE_ADDRESS);
            expand_neighbours(s, k, tid);
        }
    }
}

/* do { over = 0; expand; } while (over); */
static bool bfs_step(void *self, unsigned step, struct host_launch *out) {
    struct bfs *k = self;
    uint8_t *over = k->over.data;
    if (step > 0 && !*over) {
        return false;
    }
    *over = 0;
    *out = (struct host_launch){
        .launch = {&ispass_bfs_code, {(k->n + BLOCK - 1) / BLOCK, 1, 1}, {BLOCK, 1, 1}},
        .kernel = expand,
    };
    return true;
}

static bool bfs_open(void *self, enum workload_size size, uint64_t seed) {
    struct bfs *k = self;
    const uint32_t n = k->n = sizes[size];
    k->started = host_array(&k->host, n, 1);
    if (!k->started ||
        !HOST_ALLOC(&k->host.memory, {&k->node, 2 * (uint64_t)n, 4},
                    {&k->edge, 2 * GRAPH_EDGES_A_NODE * (uint64_t)n, 4}, {&k->mask, n, 1},
                    {&k->visited, n, 1}, {&k->cost, n, 4}, {&k->over, 1, 1}) ||
        !graph_generate(n, GRAPH_EDGES_A_NODE, seed, k->node.data, k->edge.data)) {
        return false;
    }
    int32_t *cost = k->cost.data;
    for (uint32_t i = 0; i < n; i++) {
        cost[i] = -1;
    }
    cost[SOURCE] = 0;
    ((uint8_t *)k->mask.data)[SOURCE] = 1;
    host_set_step(&k->host, bfs_step);
    return true;
}

/* --- The same with lists of nodes: what each node gets, and what must have been counted. --- */

struct walk {
    const struct bfs *k;
    int32_t *cost;
    uint8_t *mask, *visited;
    uint32_t *list; /* nodes to expand, of a wave, ascending */
    unsigned line_bytes;
    struct workload_expectation e;
};

static void instructions(struct walk *w, uint64_t count, uint64_t lanes) {
    w->e.warp_instructions += lanes ? count : 0;
    w->e.thread_instructions += count * lanes;
}

/* The @i-th neighbours of the nodes of a warp that have so many; @met: which of them were not
 * visited. */
static void count_edges(struct walk *w, const uint32_t *node, unsigned nodes, int32_t i,
                        uint32_t met) {
    const int32_t *index = w->k->node.data, *edge = w->k->edge.data;
    struct line_set edges = {.count = 0}, visited = edges, costs = edges, masks = edges,
                    own = edges, again = edges;
    unsigned lanes = 0;
    for (unsigned j = 0; j < nodes; j++) {
        const uint32_t t = node[j];
        if (i >= index[2 * t + 1]) {
            continue;
        }
        const uint32_t at = (uint32_t)(index[2 * t] + i), id = (uint32_t)edge[at];
        line_set_add(&edges, at, 4, w->line_bytes);
        line_set_add(&visited, id, 1, w->line_bytes);
        line_set_add(&again, t, 8, w->line_bytes);
        lanes++;
        if (met >> j & 1) {
            line_set_add(&own, t, 4, w->line_bytes);
            line_set_add(&costs, id, 4, w->line_bytes);
            line_set_add(&masks, id, 1, w->line_bytes);
        }
    }
    instructions(w, 6 + 6, lanes);
    instructions(w, 9, (unsigned)__builtin_popcount(met));
    w->e.global_read_accesses += edges.count + visited.count + own.count + 2 * again.count;
    w->e.global_write_accesses += costs.count + masks.count + (met != 0);
}

/* The nodes of a CTA take each trip together. Return: whether any met a node. */
static bool walk_cta(struct walk *w, const uint32_t *node, unsigned nodes) {
    const int32_t *index = w->k->node.data, *edge = w->k->edge.data;
    bool over = false, left = true;
    for (int32_t i = 0; left; i++) {
        left = false;
        for (unsigned first = 0, j; first < nodes; first = j) {
            uint32_t met = 0;
            for (j = first; j < nodes && node[j] / WARP_SIZE == node[first] / WARP_SIZE; j++) {
                const uint32_t u = node[j];
                if (i < index[2 * u + 1]) {
                    const int32_t d = edge[index[2 * u] + i];
                    left = true;
                    if (!w->visited[d]) {
                        w->cost[d] = w->cost[u] + 1;
                        w->mask[d] = 1;
                        met |= UINT32_C(1) << (j - first);
                    }
                }
            }
            over |= met != 0;
            count_edges(w, node + first, j - first, i, met);
        }
    }
    return over;
}

/* The warp of nodes @first to @first + 31 up to the loop; it reads its masks. */
static unsigned walk_warp(struct walk *w, uint32_t first, uint32_t *list) {
    const uint32_t n = w->k->n, last = first + WARP_SIZE < n ? first + WARP_SIZE : n;
    struct line_set nodes = {.count = 0};
    unsigned count = 0;
    for (uint32_t t = first; t < last; t++) {
        if (w->mask[t]) {
            w->mask[t] = 0;
            w->visited[t] = 1;
            list[count++] = t;
            line_set_add(&nodes, t, 8, w->line_bytes);
        }
    }
    instructions(w, 3, WARP_SIZE);
    instructions(w, 4, last > first ? last - first : 0);
    instructions(w, 11, count);
    w->e.global_read_accesses += (last > first) + 2 * nodes.count;
    w->e.global_write_accesses += count ? 2 : 0;
    return count;
}

static bool walk_wave(struct walk *w, uint32_t first, uint32_t end) {
    unsigned count = 0;
    bool over = false;
    for (uint32_t t = first; t < end; t += WARP_SIZE) {
        count += walk_warp(w, t, w->list + count);
    }
    for (unsigned i = 0, j; i < count; i = j) {
        for (j = i; j < count && w->list[j] / BLOCK == w->list[i] / BLOCK; j++) {}
        over |= walk_cta(w, w->list + i, j - i);
    }
    return over;
}

/* False: out of memory. @k and @line_bytes of @w are given; walk_close() in both cases. */
static bool walk_all(struct walk *w) {
    const uint32_t n = w->k->n, threads = (n + BLOCK - 1) / BLOCK * BLOCK;
    w->cost = malloc(n * sizeof *w->cost);
    w->mask = calloc(n, 1);
    w->visited = calloc(n, 1);
    w->list = malloc(n * sizeof *w->list);
    if (!w->cost || !w->mask || !w->visited || !w->list) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        w->cost[i] = i == SOURCE ? 0 : -1;
    }
    w->mask[SOURCE] = 1;
    for (bool over = true; over;) {
        over = false;
        for (uint32_t first = 0; first < threads; first += WAVE * BLOCK) {
            const uint32_t end = first + WAVE * BLOCK;
            over |= walk_wave(w, first, end < threads ? end : threads);
        }
    }
    return true;
}

static void walk_close(struct walk *w) {
    free(w->cost);
    free(w->mask);
    free(w->visited);
    free(w->list);
}

static const char *bfs_check(void *self) {
    struct bfs *k = self;
    struct walk w = {.k = k, .line_bytes = 128};
    const uint8_t none = 0;
    const char *error = "out of memory";
    if (walk_all(&w)) {
        error = host_compare_int(&k->host, "cost", &k->cost, w.cost);
        error = error ? error : host_compare_int(&k->host, "visited", &k->visited, w.visited);
        error = error ? error : host_compare_int(&k->host, "mask", &k->mask, w.mask);
        error = error ? error : host_compare_int(&k->host, "over", &k->over, &none);
    }
    walk_close(&w);
    return error;
}

static void bfs_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    struct walk w = {.k = self, .line_bytes = line_bytes};
    *e = WORKLOAD_ALL_UNKNOWN;
    if (walk_all(&w)) {
        *e = w.e;
    }
    walk_close(&w);
}

const struct workload workload_ispass_bfs = {
    .name = "ispass-bfs",
    .suite = "ispass",
    .about = "breadth-first search, one launch a level: neighbours scattered over 64 KB of bytes",
    .size_text = {[SIZE_TINY] = "25000 nodes",
                  [SIZE_SMALL] = "65536 nodes",
                  [SIZE_PAPER_OWL] = "65536 nodes"},
    .bytes = sizeof(struct bfs),
    .open = bfs_open,
    .check = bfs_check,
    .expect = bfs_expect,
};
