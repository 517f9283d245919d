/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/lonestar/accessor.h"

/* The tests never fail, because the kernels access existing edges only. */
static void load_node(struct simt *s, unsigned first, const struct lonestar_graph *g,
                      struct lonestar_walk *w) {
    int32_t degree[SIMT_THREADS], srcsrc[SIMT_THREADS];
    simt_alus(s, first + ACCESSOR_NODE_COMPARE, first + ACCESSOR_NODE_ADDRESS);
    simt_load(s, first + ACCESSOR_LOAD_DEGREE, degree, &g->noutgoing, element_lane(w->node));
    simt_alus(s, first + ACCESSOR_K_COMPARE, first + ACCESSOR_DEGREE_COMPARE);
    simt_load(s, first + ACCESSOR_LOAD_SRCSRC, srcsrc, &g->srcsrc, element_lane(w->node));
    simt_alus(s, first + ACCESSOR_SRCSRC_COMPARE, first + ACCESSOR_PSRC_ADDRESS);
    simt_load(s, first + ACCESSOR_LOAD_PSRC, w->psrc, &g->psrc, element_lane(srcsrc));
    w->held = true;
}

void lonestar_access(struct simt *s, unsigned first, const struct lonestar_graph *g,
                     const struct buffer *array, struct lonestar_walk *w, int32_t *to) {
    int32_t edge[SIMT_THREADS];
    if (!w->held || !g->hoist) {
        load_node(s, first, g, w);
    }
    SIMT_ALU(s, first + ACCESSOR_EDGE, t) {
        edge[t] = w->psrc[t] + w->k[t];
    }
    simt_alus(s, first + ACCESSOR_EDGE_COMPARE, first + ACCESSOR_EDGE_ADDRESS);
    simt_load(s, first + ACCESSOR_LOAD_EDGE, to, array, element_lane(edge));
}
