/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/pdp.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool make_pdp(void *state, const struct l1_policy_view *view, const struct build *build) {
    const struct config *config = view->config;
    unsigned sets = config->l1.sets, sampled = (sets + PDP_SAMPLED - 1) / PDP_SAMPLED;
    struct pdp *p = state;
    *p = (struct pdp){.config = config,
                      .ways = config->l1.ways,
                      .distance = config->pdp.distance ? config->pdp.distance : config->l1.ways};
    p->left = calloc((size_t)sets * p->ways, sizeof *p->left);
    p->last = calloc((size_t)sampled * PDP_DISTANCE_MAX, sizeof *p->last);
    p->head = calloc(sampled, sizeof *p->head);
    p->filled = calloc(sampled, sizeof *p->filled);
    return (p->left && p->last && p->head && p->filled) || build_refused(build, "out of memory");
}

static void destroy_pdp(void *state) {
    struct pdp *p = state;
    free(p->left);
    free(p->last);
    free(p->head);
    free(p->filled);
    memset(p, 0, sizeof *p);
}

/* The least recently used line that is not protected. A write evicts any. A prefetched line is not
 * protected before its first use. */
static int choose_unprotected(const void *state, const struct l1_policy_view *view,
                              const struct l1_policy_access *access, uint64_t candidates) {
    const struct pdp *p = state;
    uint64_t oldest = UINT64_MAX;
    if (access->kind == REQUEST_WRITE) {
        return tag_victim(view->tags, access->set);
    }
    for (uint64_t rest = candidates; rest; rest &= rest - 1) {
        size_t at = (size_t)access->set * p->ways + (unsigned)__builtin_ctzll(rest);
        if (p->left[at] <= 1 && view->tags->used[at] < oldest) { /* this access is its last */
            oldest = view->tags->used[at];
        }
    }
    return oldest == UINT64_MAX ? L1_NO_LINE : (int)(oldest % TAG_WAYS_SMALL);
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

/* A read of the set is taken. @way: where its line is, or will be; TAG_NO_WAY: it has none. */
static void count_pdp_access(struct pdp *p, unsigned set, int way, uint64_t line) {
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

static void tell_pdp(void *state, const struct l1_policy_view *view,
                     const struct l1_policy_event *e, struct l1_prefetches *prefetches) {
    (void)prefetches;
    const struct l1_policy_access *a = e->access;
    if (a->kind == REQUEST_READ && !a->uncached && !e->bypasses) {
        count_pdp_access(state, a->set, tag_find(view->tags, a->set, a->line), a->line);
    }
}

static bool pdp_is_wanted(const struct config *config) {
    return config->l1.replacement == L1_REPLACEMENT_PDP;
}

static size_t size_of_pdp(const struct l1_policy_view *view) {
    (void)view;
    return sizeof(struct pdp);
}

static bool register_pdp(const void *state, struct stats *s) {
#define PDP_STAT(name, member, unit, meaning) \
    { {name, unit, meaning, "PDP (MICRO 2012)", STAT_SUM}, offsetof(struct pdp_stats, member) }
    static const struct stat_member members[] = {
        PDP_STAT("pdp.reads", accesses, "accesses",
                 "reads that an L1 with protecting distances took"),
        PDP_STAT("pdp.protected", reads_refused_a_line, "accesses",
                 "reads sent on without a line, as every line of their set was protected"),
        PDP_STAT("pdp.distances", distances, "distances", "protecting distances computed"),
        PDP_STAT("pdp.distance_sum", distance_sum, "accesses",
                 "sum of those distances; over pdp.distances: their mean"),
    };
#undef PDP_STAT
    static const struct pdp_stats none;
    return stats_register_members(s, members, sizeof members / sizeof *members,
                                  state ? &((const struct pdp *)state)->stats : &none);
}

const struct l1_policy_kind l1_policy_pdp = {
    .name = "pdp",
    .about = "lines are protected for a distance, else reads bypass (PDP, MICRO 2012)",
    .wanted = pdp_is_wanted,
    .state_size = size_of_pdp,
    .events = L1_POLICY_EVENT(L1_POLICY_TAKEN),
    .make = make_pdp,
    .destroy = destroy_pdp,
    .victim = choose_unprotected,
    .tell = tell_pdp,
    .register_stats = register_pdp};
