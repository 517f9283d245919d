/* SPDX-License-Identifier: Apache-2.0
 *
 * Immediate dominators of the reversed graph by K. Cooper, T. Harvey, K. Kennedy, "A simple, fast
 * dominance algorithm" (2001). An extra node after all exits is the root.
 */
#include "capture/block_graph.h"

#include <stdlib.h>

struct turned_graph {
    const struct block_graph *g;
    uint32_t *before_first, *before; /* predecessors of each block */
    uint32_t *rank;      /* place in the postorder of the turned graph, from 1; 0: none */
    uint32_t *postorder; /* blocks; the root is behind the last */
    uint32_t *edge, *path;
    uint32_t ranked;
};

static void turn_edges(struct turned_graph *t) {
    const struct block_graph *g = t->g;
    for (uint32_t e = 0; e < g->first[g->count]; e++) {
        t->before_first[g->target[e] + 1]++;
    }
    for (uint32_t b = 0; b < g->count; b++) {
        t->before_first[b + 1] += t->before_first[b];
        t->edge[b] = t->before_first[b];
    }
    for (uint32_t b = 0; b < g->count; b++) {
        for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++) {
            t->before[t->edge[g->target[e]]++] = b;
        }
    }
    for (uint32_t b = 0; b < g->count; b++) {
        t->edge[b] = t->before_first[b];
    }
}

/* rank: 0 unseen, else its place, or a place that is still open. */
static void rank_blocks(struct turned_graph *t, uint32_t from) {
    uint32_t depth = 0;
    t->path[depth++] = from;
    t->rank[from] = BLOCK_NONE;
    while (depth) {
        uint32_t b = t->path[depth - 1];
        if (t->edge[b] == t->before_first[b + 1]) {
            t->postorder[t->ranked++] = b;
            t->rank[b] = t->ranked;
            depth--;
            continue;
        }
        uint32_t to = t->before[t->edge[b]++];
        if (!t->rank[to]) {
            t->rank[to] = BLOCK_NONE;
            t->path[depth++] = to;
        }
    }
}

static bool block_is_exit(const struct block_graph *g, uint32_t b) {
    return g->first[b] == g->first[b + 1];
}

static uint32_t meet_dominators(const struct turned_graph *t, const uint32_t *dominator, uint32_t a,
                                uint32_t b) {
    const uint32_t root = t->g->count;
    while (a != b) {
        uint32_t rank_a = a == root ? BLOCK_NONE : t->rank[a];
        uint32_t rank_b = b == root ? BLOCK_NONE : t->rank[b];
        if (rank_a < rank_b) {
            a = dominator[a];
        } else {
            b = dominator[b];
        }
    }
    return a;
}

static void find_dominators(const struct turned_graph *t, uint32_t *dominator) {
    const struct block_graph *g = t->g;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = t->ranked; i-- > 0;) {
            uint32_t b = t->postorder[i], found = block_is_exit(g, b) ? g->count : BLOCK_NONE;
            for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++) {
                uint32_t to = g->target[e];
                if (t->rank[to] && dominator[to] != BLOCK_NONE) {
                    found = found == BLOCK_NONE ? to : meet_dominators(t, dominator, found, to);
                }
            }
            changed |= dominator[b] != found;
            dominator[b] = found;
        }
    }
}

uint32_t *block_post_dominators(const struct block_graph *g) {
    const size_t n = g->count, edges = g->first[n];
    uint32_t *memory = calloc(5 * n + 1 + edges, sizeof *memory);
    uint32_t *dominator = calloc(n, sizeof *dominator);
    if (!memory || !dominator) {
        free(memory);
        free(dominator);
        return NULL;
    }
    struct turned_graph t = {.g = g,
                             .before_first = memory,
                             .before = memory + n + 1,
                             .rank = memory + n + 1 + edges,
                             .postorder = memory + 2 * n + 1 + edges,
                             .edge = memory + 3 * n + 1 + edges,
                             .path = memory + 4 * n + 1 + edges};
    turn_edges(&t);
    for (uint32_t b = 0; b < g->count; b++) {
        dominator[b] = BLOCK_NONE;
        if (block_is_exit(g, b)) {
            rank_blocks(&t, b);
        }
    }
    find_dominators(&t, dominator);
    for (uint32_t b = 0; b < g->count; b++) {
        dominator[b] = dominator[b] == g->count ? BLOCK_NONE : dominator[b];
    }
    free(memory);
    return dominator;
}
