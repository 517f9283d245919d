/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/cta_groups.h"

#include <assert.h>
#include <string.h>

void cta_groups_launch(struct cta_groups *g, unsigned cta_warps, unsigned ctas,
                       unsigned least_warps) {
    ctas = ctas ? ctas : 1;
    g->size = (least_warps + cta_warps - 1) / cta_warps;
    g->size = g->size < ctas ? g->size : ctas;
    g->groups = ctas / g->size;
    g->begun = 0;
    g->generation_ctas = ctas;
    g->generation_groups = g->groups;
    g->count = 0;
}

static void begin_generation(struct cta_groups *g) {
    for (unsigned i = 0; i < g->count; i++) {
        g->group[i].newest = false;
    }
    g->begun = 0;
    if (g->life == CTA_GROUPS_LAST) {
        g->generation_ctas = g->size;
        g->generation_groups = 1;
    }
}

/* The rank within its generation of the group in which the next CTA is. */
static unsigned rank_of_next(struct cta_groups *g, unsigned slot) {
    unsigned number = slot;
    if (g->life != CTA_GROUPS_SLOT) {
        if (g->begun == g->generation_ctas) {
            begin_generation(g);
        }
        number = g->begun++;
    }
    unsigned group = number / g->size, groups = g->generation_groups;
    group = group < groups ? group : groups - 1;
    return g->priority == CTA_GROUPS_BLP ? (group + groups - g->core % groups) % groups : group;
}

void cta_groups_start(struct cta_groups *g, unsigned slot) {
    unsigned rank = rank_of_next(g, slot), at = 0;
    while (at < g->count && (!g->group[at].newest || g->group[at].rank < rank)) {
        at++;
    }
    if (at == g->count || g->group[at].rank != rank) {
        assert(g->count < CTA_GROUPS_MAX);
        memmove(&g->group[at + 1], &g->group[at], (g->count - at) * sizeof g->group[0]);
        g->group[at] = (struct cta_group){.rank = rank, .newest = true};
        g->count++;
    }
    g->group[at].slots |= UINT32_C(1) << slot;
}

void cta_groups_end(struct cta_groups *g, unsigned slot) {
    unsigned at = 0;
    while (!(g->group[at].slots >> slot & 1)) {
        at++;
        assert(at < g->count);
    }
    g->group[at].slots &= ~(UINT32_C(1) << slot);
    if (!g->group[at].slots) {
        g->count--;
        memmove(&g->group[at], &g->group[at + 1], (g->count - at) * sizeof g->group[0]);
    }
}
