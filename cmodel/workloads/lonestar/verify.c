/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/lonestar/accessor.h"
#include "workloads/lonestar/distances.h"

enum {
    R_DST = LONESTAR_REGISTERS,
    R_WEIGHT,
    R_DIST,
    R_DST_DIST,
    R_DST_ADDRESS,
    R_ERRORS_ADDRESS,
    R_ERRORS,
};

/* The weight's accessor and comparison are sssp's alone. */
#define VERIFY(I) \
    LONESTAR_THREAD(I, VERIFY) \
    I(ALU, DEGREE_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_NODE) \
    I(LOAD, LOAD_DEGREE, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(ALU, K_ZERO, OP_INT_ADD, R_K, REG_NONE) \
    I(ALU, EMPTY_COMPARE, OP_INT_ADD, R_PREDICATE, R_DEGREE) \
    I(BRANCH, EMPTY_BRANCH, R_PREDICATE) \
    I(LOOP, EDGES) \
    LONESTAR_ACCESSOR(I, DST, R_DST) \
    LONESTAR_ACCESSOR(I, WEIGHT, R_WEIGHT) \
    I(ALU, WEIGHT_COMPARE, OP_INT_ADD, R_PREDICATE, R_WEIGHT) \
    I(BRANCH, WEIGHT_BRANCH, R_PREDICATE) \
    I(ALU, DIST_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_NODE) \
    I(LOAD, LOAD_DIST, SPACE_GLOBAL, 4, R_DIST, R_NODE_ADDRESS) \
    I(ALU, DST_ADDRESS, OP_INT_MAD, R_DST_ADDRESS, R_DST) \
    I(LOAD, LOAD_DST_DIST, SPACE_GLOBAL, 4, R_DST_DIST, R_DST_ADDRESS) \
    I(ALU, BOUND, OP_INT_ADD, R_DIST, R_DIST, R_WEIGHT) \
    I(ALU, LOWER_COMPARE, OP_INT_ADD, R_PREDICATE, R_DIST, R_DST_DIST) \
    I(BRANCH, LOWER_BRANCH, R_PREDICATE) \
    I(ALU, ERRORS_ADDRESS, OP_INT_ADD, R_ERRORS_ADDRESS, REG_NONE) \
    I(LOAD, LOAD_ERRORS, SPACE_GLOBAL, 4, R_ERRORS, R_ERRORS_ADDRESS) \
    I(ALU, ONE_MORE, OP_INT_ADD, R_ERRORS, R_ERRORS) \
    I(STORE, STORE_ERRORS, SPACE_GLOBAL, 4, R_ERRORS, R_ERRORS_ADDRESS) \
    I(ALU, NEXT_K, OP_INT_ADD, R_K, R_K) \
    I(ALU, EDGES_COMPARE, OP_INT_ADD, R_PREDICATE, R_K, R_DEGREE) \
    I(BRANCH, EDGES_BRANCH, R_PREDICATE)
SIMT_CODE(lonestar_verify, VERIFY, .registers = 22);

/* if (dist[node] + weight < dist[dst]) { errors++; } */
static void verify_edge(struct simt *s, const struct lonestar_distances *d,
                        const struct lonestar_walk *w, const int32_t *dst, const int32_t *weight) {
    int32_t bound[SIMT_THREADS], met[SIMT_THREADS], errors[SIMT_THREADS];
    struct simt_mask lower;
    simt_alu(s, DIST_ADDRESS);
    simt_load(s, LOAD_DIST, bound, &d->dist, element_lane(w->node));
    simt_alu(s, DST_ADDRESS);
    simt_load(s, LOAD_DST_DIST, met, &d->dist, element_lane(dst));
    SIMT_ALU(s, BOUND, t) {
        bound[t] += weight[t];
    }
    simt_alu(s, LOWER_COMPARE);
    SIMT_WHERE(s, lower, t, bound[t] < met[t]);
    SIMT_IF(s, LOWER_BRANCH, &lower) {
        simt_alu(s, ERRORS_ADDRESS);
        simt_load(s, LOAD_ERRORS, errors, &d->errors, element_at(0));
        SIMT_ALU(s, ONE_MORE, t) {
            errors[t]++;
        }
        simt_store(s, STORE_ERRORS, errors, &d->errors, element_at(0));
    }
}

static void verify_edges(struct simt *s, const struct lonestar_distances *d,
                         struct lonestar_walk *w) {
    const struct lonestar_graph *g = &d->graph;
    int32_t dst[SIMT_THREADS], weight[SIMT_THREADS];
    struct simt_mask left;
    w->held = false;
    SIMT_EACH(s, t) {
        weight[t] = 1;
    }
    SIMT_LOOP(s, EDGES) {
        lonestar_access(s, DST_NODE_COMPARE, g, &g->edgessrcdst, w, dst);
        if (d->weighted) {
            lonestar_access(s, WEIGHT_NODE_COMPARE, g, &g->edgessrcwt, w, weight);
            simt_alus(s, WEIGHT_COMPARE, WEIGHT_BRANCH); /* all weights are above 0 */
        }
        verify_edge(s, d, w, dst, weight);
        SIMT_ALU(s, NEXT_K, t) {
            w->k[t]++;
        }
        simt_alu(s, EDGES_COMPARE);
        SIMT_WHERE(s, left, t, w->k[t] < w->degree[t]);
        simt_while(s, EDGES_BRANCH, &left);
    }
}

static void verify_distances(struct simt *s, const void *arguments) {
    const struct lonestar_distances *d = arguments;
    const int64_t id = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    struct lonestar_walk w;
    struct simt_mask inside, some;

    simt_alus(s, VERIFY_CTA, VERIFY_COMPARE);
    SIMT_WHERE(s, inside, t, id + t < d->graph.nodes);
    SIMT_IF(s, VERIFY_GUARD, &inside) {
        simt_alu(s, DEGREE_ADDRESS);
        simt_load(s, LOAD_DEGREE, w.degree, &d->graph.noutgoing, element_x(id, 1));
        SIMT_ALU(s, K_ZERO, t) {
            w.node[t] = (int32_t)(id + t);
            w.k[t] = 0;
        }
        simt_alu(s, EMPTY_COMPARE);
        SIMT_WHERE(s, some, t, w.degree[t] > 0);
        SIMT_IF(s, EMPTY_BRANCH, &some) {
            verify_edges(s, d, &w);
        }
    }
}

bool lonestar_verify_step(struct lonestar_distances *d, struct host_launch *out) {
    if (d->verified) {
        return false;
    }
    d->verified = true;
    *out = (struct host_launch){
        .launch = {&lonestar_verify_code, {lonestar_grid(&d->graph), 1, 1}, {LONESTAR_BLOCK, 1, 1}},
        .kernel = verify_distances,
    };
    return true;
}
