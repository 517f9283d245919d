/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/lonestar/distances.h"

#include "workloads/lonestar/accessor.h"

enum { R_INFINITY = LONESTAR_REGISTERS };

#define INITIALIZE(I) \
    LONESTAR_THREAD(I, INIT) \
    I(ALU, INIT_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_NODE) \
    I(ALU, INIT_INFINITY, OP_INT_ADD, R_INFINITY, REG_NONE) \
    I(STORE, INIT_STORE_DIST, SPACE_GLOBAL, 4, R_INFINITY, R_NODE_ADDRESS)
SIMT_CODE(lonestar_initialize, INITIALIZE, .registers = 10);

static void initialize(struct simt *s, const void *arguments) {
    const struct lonestar_distances *d = arguments;
    const int64_t id = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    int32_t infinity[SIMT_THREADS];
    struct simt_mask inside;

    simt_alus(s, INIT_CTA, INIT_COMPARE);
    SIMT_WHERE(s, inside, t, id + t < d->graph.nodes);
    SIMT_IF(s, INIT_GUARD, &inside) {
        simt_alu(s, INIT_ADDRESS);
        SIMT_ALU(s, INIT_INFINITY, t) {
            infinity[t] = LONESTAR_INFINITY;
        }
        simt_store(s, INIT_STORE_DIST, infinity, &d->dist, element_x(id, 1));
    }
}

struct host_launch lonestar_initialize_launch(const struct lonestar_distances *d) {
    return (struct host_launch){
        .launch = {&lonestar_initialize_code,
                   {lonestar_grid(&d->graph), 1, 1},
                   {LONESTAR_BLOCK, 1, 1}},
        .kernel = initialize,
    };
}

bool lonestar_distances_open(struct lonestar_distances *d, const struct lonestar_input *input,
                             uint64_t seed) {
    return lonestar_graph_open(&d->graph, &d->host.memory, input, seed) &&
           HOST_ALLOC(&d->host.memory, {&d->dist, d->graph.nodes, 4}, {&d->errors, 1, 4});
}

void lonestar_set_source(struct lonestar_distances *d) {
    ((int32_t *)d->dist.data)[LONESTAR_SOURCE] = 0;
}

static void search(const struct lonestar_graph *g, int32_t *distance, uint32_t *queue) {
    uint32_t head = 0, tail = 0;
    for (uint32_t u = 0; u < g->nodes; u++) {
        distance[u] = LONESTAR_INFINITY;
    }
    distance[LONESTAR_SOURCE] = 0;
    queue[tail++] = LONESTAR_SOURCE;
    while (head < tail) {
        const uint32_t u = queue[head++];
        for (uint32_t e = lonestar_first(g, u); e < lonestar_first(g, u + 1); e++) {
            const uint32_t v = lonestar_end(g, e);
            if (distance[v] == LONESTAR_INFINITY) {
                distance[v] = distance[u] + 1;
                queue[tail++] = v;
            }
        }
    }
}

const struct workload_result lonestar_distances_results[] = {
    INTEGERS("dist", lonestar_distances, dist),
    INTEGERS("errors", lonestar_distances, errors),
    {0}};

bool lonestar_levels_plain(void *self, void *const expected[]) {
    struct lonestar_distances *d = self;
    uint32_t *queue = host_array(&d->host, d->graph.nodes, sizeof *queue);
    if (!queue) {
        return false;
    }
    search(&d->graph, expected[0], queue);
    *(int32_t *)expected[1] = 0;
    return true;
}
