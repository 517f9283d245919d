/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/pdp.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool pdp_init(struct pdp *p, const struct config *config) {
    unsigned sets = config->l1.sets, sampled = (sets + PDP_SAMPLED - 1) / PDP_SAMPLED;
    *p = (struct pdp){.config = config,
                      .ways = config->l1.ways,
                      .distance = config->pdp.distance ? config->pdp.distance : config->l1.ways};
    p->left = calloc((size_t)sets * p->ways, sizeof *p->left);
    p->last = calloc((size_t)sampled * PDP_DISTANCE_MAX, sizeof *p->last);
    p->head = calloc(sampled, sizeof *p->head);
    p->filled = calloc(sampled, sizeof *p->filled);
    return p->left && p->last && p->head && p->filled;
}

void pdp_destroy(struct pdp *p) {
    free(p->left);
    free(p->last);
    free(p->head);
    free(p->filled);
    memset(p, 0, sizeof *p);
}

int pdp_victim(const struct pdp *p, const struct tag_array *tags, unsigned set) {
    const struct tag_set *s = &tags->set[set];
    uint64_t all = p->ways == 64 ? ~UINT64_C(0) : (UINT64_C(1) << p->ways) - 1;
    if ((s->valid | s->reserved) != all) {
        return tag_victim(tags, set);
    }
    uint64_t oldest = UINT64_MAX;
    for (uint64_t rest = s->valid; rest; rest &= rest - 1) {
        size_t at = (size_t)set * p->ways + (unsigned)__builtin_ctzll(rest);
        if (p->left[at] <= 1 && tags->used[at] < oldest) { /* this access is its last */
            oldest = tags->used[at];
        }
    }
    return oldest == UINT64_MAX ? TAG_NO_WAY : (int)(oldest % TAG_WAYS_SMALL);
}

unsigned pdp_best_distance(const uint32_t *reuses, uint64_t accesses, unsigned ways) {
    uint64_t hits = 0, stood = 0, best_hits = 0, best_time = 1;
    unsigned best = 0;
    for (unsigned d = 1; d <= PDP_DISTANCE_MAX; d++) {
        hits += reuses[d];
        stood += (uint64_t)reuses[d] * d;
        uint64_t time = stood + (accesses - hits) * (d + ways);
        if (hits * best_time > best_hits * time) { /* intervals are short: no overflow */
            best = d;
            best_hits = hits;
            best_time = time;
        }
    }
    return best;
}

/* Accesses since the last one of this line, with it; 0: none is known. */
static unsigned sample_access(struct pdp *p, unsigned sampled, uint64_t line) {
    uint64_t *ring = p->last + (size_t)sampled * PDP_DISTANCE_MAX;
    unsigned head = p->head[sampled], filled = p->filled[sampled], distance = 0;
    for (unsigned d = 1; d <= filled && !distance; d++) {
        distance = ring[(head - d) % PDP_DISTANCE_MAX] == line ? d : 0;
    }
    ring[head] = line;
    p->head[sampled] = (uint16_t)((head + 1) % PDP_DISTANCE_MAX);
    p->filled[sampled] = (uint16_t)(filled + (filled < PDP_DISTANCE_MAX));
    return distance;
}

static void end_pdp_interval(struct pdp *p) {
    unsigned best = pdp_best_distance(p->reuses, p->sampled, p->ways);
    p->distance = best ? best : p->distance;
    p->stats.distances++;
    p->stats.distance_sum += p->distance;
    p->accesses = p->sampled = 0;
    memset(p->reuses, 0, sizeof p->reuses);
}

void pdp_accessed(struct pdp *p, unsigned set, int way, uint64_t line) {
    uint16_t *left = p->left + (size_t)set * p->ways;
    for (unsigned i = 0; i < p->ways; i++) {
        left[i] -= left[i] != 0;
    }
    if (way != TAG_NO_WAY) {
        left[way] = (uint16_t)p->distance;
    }
    p->stats.accesses++;
    p->stats.reads_refused_a_line += way == TAG_NO_WAY;
    if (p->config->pdp.distance) {
        return;
    }
    if (set % PDP_SAMPLED == 0) {
        p->reuses[sample_access(p, set / PDP_SAMPLED, line)]++;
        p->sampled++;
    }
    if (++p->accesses == p->config->pdp.interval) {
        end_pdp_interval(p);
    }
}

bool pdp_register_stats(const struct pdp *p, struct stats *s) {
#define PDP_STAT(name, member, unit, meaning) \
    { {name, unit, meaning, "PDP (MICRO 2012)", STAT_SUM}, offsetof(struct pdp_stats, member) }
    static const struct stat_member members[] = {
        PDP_STAT("pdp.reads", accesses, "accesses",
                 "reads that an L1 with protecting distances took"),
        PDP_STAT("pdp.protected", reads_refused_a_line, "accesses",
                 "reads sent on without a line, as every line of their set was protected"),
        PDP_STAT("pdp.distances", distances, "distances", "protecting distances worked out"),
        PDP_STAT("pdp.distance_sum", distance_sum, "accesses",
                 "sum of those distances; over pdp.distances: their mean"),
    };
#undef PDP_STAT
    return stats_register_members(s, members, sizeof members / sizeof *members, &p->stats);
}
