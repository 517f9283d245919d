/* SPDX-License-Identifier: Apache-2.0
 *
 * Victim tags as the paper has them, without cycles: of each warp and set the lines that were
 * evicted last, the newest first.
 */
#ifndef WARPMEM_TB_L1_VICTIM_TAGS_CASES_H
#define WARPMEM_TB_L1_VICTIM_TAGS_CASES_H

#include <stdbool.h>
#include <string.h>

#include "l1/victim_tags.h"

struct lost_lines {
    unsigned sets, ways;
    bool frees;
    unsigned count[VICTIM_TAGS_WARPS_MAX][VICTIM_TAGS_SETS_MAX];
    struct {
        uint32_t line;
        bool there; /* no miss has asked for it, where that frees it */
    } last[VICTIM_TAGS_WARPS_MAX][VICTIM_TAGS_SETS_MAX][VICTIM_TAGS_WAYS_MAX];
};

static inline bool lost_lines_look(struct lost_lines *l, unsigned warp, uint32_t line) {
    unsigned set = line % l->sets;
    bool hit = false;
    for (unsigned i = 0; i < l->count[warp][set]; i++) {
        if (l->last[warp][set][i].there && l->last[warp][set][i].line == line) {
            hit = true;
            l->last[warp][set][i].there = !l->frees;
        }
    }
    return hit;
}

static inline void lost_lines_evict(struct lost_lines *l, unsigned warp, uint32_t line) {
    unsigned set = line % l->sets, *count = &l->count[warp][set];
    *count += *count < l->ways;
    memmove(&l->last[warp][set][1], &l->last[warp][set][0],
            (*count - 1) * sizeof l->last[warp][set][0]);
    l->last[warp][set][0].line = line;
    l->last[warp][set][0].there = true;
}

static inline void lost_lines_clear(struct lost_lines *l, unsigned warp) {
    memset(l->count[warp], 0, sizeof l->count[warp]);
}

#endif
