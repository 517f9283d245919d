/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU bfs-wlw: breadth-first search with work-lists, a launch a level. The grid is as large
 * as the machine; each thread takes a run of the list, so that a warp's items are far apart if the
 * list is long. The first thread to meet a node appends it to the next list by an atomic add on one
 * counter for all; so do threads that meet it at the same time, because the flag is the distance,
 * which is tested and then stored. The list's ends and capacity are single words that all lanes
 * load for each item and each append. A node's edges are walked by one thread as in bfs; the graphs
 * are those of bfs, so that the two compare. For 41, 4, 21, 7 and 27 % of rmat20's loads, all,
 * most, some, few or none of the accesses that reach the L2 hit, where MeDiC's table II has 40, 1,
 * 20, 13 and 26 % of the warps; with a lookup of one cycle requests wait 34.84 cycles before an L2
 * bank of gtx480, MeDiC's figure 8: 34.8. So this is MeDiC's BFS here (data/workload_sets.tsv).
 *
 * The initial size of the suite's list is unknown. Here it has room for the most that a level could
 * append; only pages that are touched take memory.
 */
#include "workloads/lonestar/accessor.h"
#include "workloads/lonestar/cores.h"
#include "workloads/lonestar/distances.h"
#include "workloads/workloads.h"

#define BLOCK 256
#define GRID (4 * LONESTAR_CORES)

/* Items start .. end - 1 are to be done. */
struct worklist {
    struct buffer start, end, capacity, items;
};

struct bfs_worklist {
    struct lonestar_distances distances;
    struct worklist list[2];
    unsigned in; /* the list of this level; the other one is the next */
};

enum {
    R_START = LONESTAR_REGISTERS,
    R_END,
    R_SIZE,
    R_EACH,
    R_REST,
    R_ITEM,
    R_LAST,
    R_ITEM_ADDRESS,
    R_SCALAR_ADDRESS,
    R_DST,
    R_DST_ADDRESS,
    R_DIST,
    R_DST_DIST,
    R_CAPACITY,
    R_ONE,
    R_OFFSET,
};

#define WORKLIST(I) \
    I(ALU, CTA, OP_INT_MUL, R_NODE, REG_NONE) \
    I(ALU, THREAD, OP_INT_ADD, R_NODE, R_NODE) \
    I(ALU, SCALAR_ADDRESS, OP_INT_ADD, R_SCALAR_ADDRESS, REG_NONE) \
    I(LOAD, LOAD_END, SPACE_GLOBAL, 4, R_END, R_SCALAR_ADDRESS) \
    I(LOAD, LOAD_START, SPACE_GLOBAL, 4, R_START, R_SCALAR_ADDRESS) \
    I(ALU, SIZE, OP_INT_ADD, R_SIZE, R_END, R_START) \
    I(ALU, THREADS, OP_INT_MUL, R_REST, REG_NONE) \
    I(ALU, EACH, OP_INT_DIV, R_EACH, R_SIZE, R_REST) \
    I(ALU, REST, OP_INT_MAD, R_REST, R_EACH, R_REST, R_SIZE) \
    I(ALU, LEAST, OP_INT_MAX, R_ITEM, R_NODE, R_REST) \
    I(ALU, FIRST_ITEM, OP_INT_MAD, R_ITEM, R_NODE, R_EACH, R_ITEM) \
    I(ALU, ONE_MORE, OP_INT_ADD, R_PREDICATE, R_NODE, R_REST) \
    I(ALU, LAST_ITEM, OP_INT_ADD, R_LAST, R_ITEM, R_EACH, R_PREDICATE) \
    I(ALU, NONE_COMPARE, OP_INT_ADD, R_PREDICATE, R_ITEM, R_LAST) \
    I(BRANCH, NONE_BRANCH, R_PREDICATE) \
    I(LOOP, ITEMS) \
    I(LOAD, ITEM_LOAD_END, SPACE_GLOBAL, 4, R_END, R_SCALAR_ADDRESS) \
    I(LOAD, ITEM_LOAD_START, SPACE_GLOBAL, 4, R_START, R_SCALAR_ADDRESS) \
    I(ALU, ITEM_SIZE, OP_INT_ADD, R_SIZE, R_END, R_START) \
    I(ALU, ITEM_COMPARE, OP_INT_ADD, R_PREDICATE, R_ITEM, R_SIZE) \
    I(BRANCH, ITEM_BRANCH, R_PREDICATE) \
    I(ALU, ITEM_ADDRESS, OP_INT_MAD, R_ITEM_ADDRESS, R_ITEM, R_START) \
    I(LOAD, LOAD_ITEM, SPACE_GLOBAL, 4, R_NODE, R_ITEM_ADDRESS) \
    I(ALU, DEGREE_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_NODE) \
    I(LOAD, LOAD_DEGREE, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(ALU, K_ZERO, OP_INT_ADD, R_K, REG_NONE) \
    I(ALU, EMPTY_COMPARE, OP_INT_ADD, R_PREDICATE, R_DEGREE) \
    I(BRANCH, EMPTY_BRANCH, R_PREDICATE) \
    I(LOOP, EDGES) \
    LONESTAR_ACCESSOR(I, DST, R_DST) \
    I(ALU, DST_COMPARE, OP_INT_ADD, R_PREDICATE, R_DST) \
    I(BRANCH, DST_BRANCH, R_PREDICATE) \
    I(ALU, DIST_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_NODE) \
    I(LOAD, LOAD_DIST, SPACE_GLOBAL, 4, R_DIST, R_NODE_ADDRESS) \
    I(ALU, DST_ADDRESS, OP_INT_MAD, R_DST_ADDRESS, R_DST) \
    I(LOAD, LOAD_DST_DIST, SPACE_GLOBAL, 4, R_DST_DIST, R_DST_ADDRESS) \
    I(ALU, INFINITY_COMPARE, OP_INT_ADD, R_PREDICATE, R_DST_DIST) \
    I(BRANCH, INFINITY_BRANCH, R_PREDICATE) \
    I(ALU, NEW_DIST, OP_INT_ADD, R_DIST, R_DIST) \
    I(STORE, STORE_DIST, SPACE_GLOBAL, 4, R_DIST, R_DST_ADDRESS) \
    I(LOAD, LOAD_CAPACITY, SPACE_GLOBAL, 4, R_CAPACITY, R_SCALAR_ADDRESS) \
    I(ALU, ONE, OP_INT_ADD, R_ONE, REG_NONE) \
    I(ATOMIC, ATOMIC_END, R_OFFSET, R_SCALAR_ADDRESS, R_ONE) \
    I(ALU, FULL_COMPARE, OP_INT_ADD, R_PREDICATE, R_OFFSET, R_CAPACITY) \
    I(BRANCH, FULL_BRANCH, R_PREDICATE) \
    I(ALU, MODULO, OP_INT_DIV, R_OFFSET, R_OFFSET, R_CAPACITY) \
    I(ALU, OUT_ADDRESS, OP_INT_MAD, R_ITEM_ADDRESS, R_OFFSET) \
    I(STORE, STORE_ITEM, SPACE_GLOBAL, 4, R_DST, R_ITEM_ADDRESS) \
    I(ALU, NEXT_K, OP_INT_ADD, R_K, R_K) \
    I(ALU, EDGES_COMPARE, OP_INT_ADD, R_PREDICATE, R_K, R_DEGREE) \
    I(BRANCH, EDGES_BRANCH, R_PREDICATE) \
    I(ALU, NEXT_ITEM, OP_INT_ADD, R_ITEM, R_ITEM) \
    I(ALU, ITEMS_COMPARE, OP_INT_ADD, R_PREDICATE, R_ITEM, R_LAST) \
    I(BRANCH, ITEMS_BRANCH, R_PREDICATE)
SIMT_CODE(lonestar_bfs_worklist, WORKLIST, .registers = 26);

/* out.items[end++ mod capacity] = dst */
static void push(struct simt *s, const struct worklist *out, const int32_t *dst) {
    int32_t capacity[SIMT_THREADS], one[SIMT_THREADS], offset[SIMT_THREADS];
    simt_load(s, LOAD_CAPACITY, capacity, &out->capacity, element_at(0));
    SIMT_ALU(s, ONE, t) {
        one[t] = 1;
    }
    simt_atomic(s, ATOMIC_END, SIMT_ADD, offset, one, NULL, &out->end, element_at(0));
    simt_alus(s, FULL_COMPARE, FULL_BRANCH);
    SIMT_ALU(s, MODULO, t) {
        offset[t] %= capacity[t];
    }
    simt_alu(s, OUT_ADDRESS);
    simt_store(s, STORE_ITEM, dst, &out->items, element_lane(offset));
}

/* if (dist[dst] is infinite) { dist[dst] = dist[node] + 1; push(dst); } */
static void visit_edge(struct simt *s, const struct bfs_worklist *k, const struct lonestar_walk *w,
                       const int32_t *dst) {
    const struct buffer *dist = &k->distances.dist;
    int32_t from[SIMT_THREADS], was[SIMT_THREADS];
    struct simt_mask unmet;
    simt_alu(s, DIST_ADDRESS);
    simt_load(s, LOAD_DIST, from, dist, element_lane(w->node));
    simt_alu(s, DST_ADDRESS);
    simt_load(s, LOAD_DST_DIST, was, dist, element_lane(dst));
    simt_alu(s, INFINITY_COMPARE);
    SIMT_WHERE(s, unmet, t, was[t] == LONESTAR_INFINITY);
    SIMT_IF(s, INFINITY_BRANCH, &unmet) {
        SIMT_ALU(s, NEW_DIST, t) {
            from[t]++;
        }
        simt_store(s, STORE_DIST, from, dist, element_lane(dst));
        push(s, &k->list[!k->in], dst);
    }
}

static void visit_node(struct simt *s, const struct bfs_worklist *k, struct lonestar_walk *w) {
    const struct lonestar_graph *g = &k->distances.graph;
    int32_t dst[SIMT_THREADS];
    struct simt_mask some, left;
    simt_alu(s, DEGREE_ADDRESS);
    simt_load(s, LOAD_DEGREE, w->degree, &g->noutgoing, element_lane(w->node));
    SIMT_ALU(s, K_ZERO, t) {
        w->k[t] = 0;
    }
    w->held = false;
    simt_alu(s, EMPTY_COMPARE);
    SIMT_WHERE(s, some, t, w->degree[t] > 0);
    SIMT_IF(s, EMPTY_BRANCH, &some) {
        SIMT_LOOP(s, EDGES) {
            lonestar_access(s, DST_NODE_COMPARE, g, &g->edgessrcdst, w, dst);
            simt_alus(s, DST_COMPARE, DST_BRANCH);
            visit_edge(s, k, w, dst);
            SIMT_ALU(s, NEXT_K, t) {
                w->k[t]++;
            }
            simt_alu(s, EDGES_COMPARE);
            SIMT_WHERE(s, left, t, w->k[t] < w->degree[t]);
            simt_while(s, EDGES_BRANCH, &left);
        }
    }
}

static void load_ends(struct simt *s, const struct worklist *in, unsigned end, unsigned start,
                      int32_t *first, int32_t *last) {
    simt_load(s, end, last, &in->end, element_at(0));
    simt_load(s, start, first, &in->start, element_at(0));
}

/* Each thread takes size / threads items, and the first ones take one more of the rest. */
static void visit(struct simt *s, const void *arguments) {
    const struct bfs_worklist *k = arguments;
    const struct worklist *in = &k->list[k->in];
    const int32_t id = (int32_t)(s->cta[0] * s->block[0]); /* of thread 0 */
    int32_t start[SIMT_THREADS], end[SIMT_THREADS], at[SIMT_THREADS], item[SIMT_THREADS],
        last[SIMT_THREADS];
    struct lonestar_walk w;
    struct simt_mask some, left;

    simt_alus(s, CTA, SCALAR_ADDRESS);
    load_ends(s, in, LOAD_END, LOAD_START, start, end);
    simt_alus(s, SIZE, ONE_MORE);
    SIMT_ALU(s, LAST_ITEM, t) {
        const int32_t number = id + (int32_t)t, size = end[t] - start[t];
        const int32_t each = size / (GRID * BLOCK), rest = size % (GRID * BLOCK);
        item[t] = number * each + (number < rest ? number : rest);
        last[t] = item[t] + each + (number < rest);
    }
    simt_alu(s, NONE_COMPARE);
    SIMT_WHERE(s, some, t, item[t] < last[t]);
    SIMT_IF(s, NONE_BRANCH, &some) {
        SIMT_LOOP(s, ITEMS) {
            load_ends(s, in, ITEM_LOAD_END, ITEM_LOAD_START, start, end);
            simt_alus(s, ITEM_SIZE, ITEM_BRANCH);
            SIMT_ALU(s, ITEM_ADDRESS, t) {
                at[t] = start[t] + item[t];
            }
            simt_load(s, LOAD_ITEM, w.node, &in->items, element_lane(at));
            visit_node(s, k, &w);
            SIMT_ALU(s, NEXT_ITEM, t) {
                item[t]++;
            }
            simt_alu(s, ITEMS_COMPARE);
            SIMT_WHERE(s, left, t, item[t] < last[t]);
            simt_while(s, ITEMS_BRANCH, &left);
        }
    }
}

/* Items of the list that the launch before has filled. */
static int32_t take_next_list(struct bfs_worklist *k) {
    struct worklist *next = &k->list[!k->in], *done = &k->list[k->in];
    *(int32_t *)done->end.data = *(int32_t *)done->start.data = 0;
    k->in = !k->in;
    return *(int32_t *)next->end.data - *(int32_t *)next->start.data;
}

/* initialize; for (in = {source}; in is not empty; in = out) visit; verify; */
static bool worklist_step(void *self, unsigned step, struct host_launch *out) {
    struct bfs_worklist *k = self;
    if (step == 0) {
        *out = lonestar_initialize_launch(&k->distances);
        return true;
    }
    if (step == 1) {
        lonestar_set_source(&k->distances);
        *(int32_t *)k->list[0].items.data = LONESTAR_SOURCE;
        *(int32_t *)k->list[0].end.data = 1;
    } else if (take_next_list(k) == 0) {
        return lonestar_verify_step(&k->distances, out);
    }
    *out = (struct host_launch){
        .launch = {&lonestar_bfs_worklist_code, {GRID, 1, 1}, {BLOCK, 1, 1}},
        .kernel = visit,
    };
    return true;
}

static bool open_list(struct device_memory *m, struct worklist *l, uint32_t capacity) {
    if (!HOST_ALLOC(m, {&l->start, 1, 4}, {&l->end, 1, 4}, {&l->capacity, 1, 4},
                    {&l->items, capacity, 4})) {
        return false;
    }
    *(uint32_t *)l->capacity.data = capacity;
    return true;
}

static bool worklist_open(void *self, enum workload_size size, uint64_t seed) {
    static const uint32_t nodes[] = {
        [SIZE_TINY] = 1 << 12, [SIZE_SMALL] = 1 << 17, [SIZE_PAPER_MEDIC] = 1 << 20};
    const struct lonestar_input input = {.shape = LONESTAR_RMAT, .nodes = nodes[size], .degree = 8};
    struct bfs_worklist *k = self;
    if (!lonestar_distances_open(&k->distances, &input, seed) ||
        !open_list(&k->distances.host.memory, &k->list[0], k->distances.graph.edges) ||
        !open_list(&k->distances.host.memory, &k->list[1], k->distances.graph.edges)) {
        return false;
    }
    host_set_step(&k->distances.host, worklist_step);
    return true;
}

const struct workload workload_lonestar_bfs_worklist = {
    .name = "lonestar-bfs-worklist",
    .suite = "lonestar",
    .about = "breadth-first search with work-lists: as lonestar-bfs, appends by one hot atomic",
    .size_text = {[SIZE_TINY] = "rmat12: 4 Ki nodes, 32 Ki edges",
                  [SIZE_SMALL] = "rmat17: 128 Ki nodes, 1 Mi edges",
                  [SIZE_PAPER_MEDIC] = "rmat20: 1 Mi nodes, 8 Mi edges"},
    .bytes = sizeof(struct bfs_worklist),
    .open = worklist_open,
    .results = lonestar_distances_results,
    .plain = lonestar_levels_plain,
    /* .expect: the lists depend on which threads meet a node in the same instant. */
};
