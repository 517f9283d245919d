/* SPDX-License-Identifier: Apache-2.0 */
#include "core/warp_types.h"

#include <stddef.h>
#include <string.h>

void warp_types_sampled(struct warp_types *t, unsigned warp) {
    t->sampled[warp_type_of(t->hits[warp], t->requests[warp])]++;
}

static void add_unfinished(const struct warp_types *t, uint64_t count[WARP_TYPES]) {
    for (unsigned w = 0; w < WARP_TYPES_WARPS_MAX; w++) {
        if (t->requests[w] && t->requests[w] < WARP_TYPES_SAMPLE) {
            count[warp_type_of(t->hits[w], t->requests[w])]++;
        }
    }
}

void warp_types_reset(struct warp_types *t) {
    add_unfinished(t, t->sampled);
    memset(t->requests, 0, sizeof t->requests);
    memset(t->hits, 0, sizeof t->hits);
}

void warp_types_settle(struct warp_types *t) {
    memcpy(t->stats.warps, t->sampled, sizeof t->sampled);
    add_unfinished(t, t->stats.warps);
}

bool warp_types_register_stats(const struct warp_types *t, struct stats *s) {
#define TYPE(type, name, share) \
    {{"core.loads_" name, "warp instructions", \
      "loads of whose accesses beyond the L1, bypasses too, the L2 had " share, "MeDiC figure 4", \
      STAT_SUM}, \
     offsetof(struct warp_types, stats.loads[type])}, \
    { \
        {"core.warps_" name, "samples", \
         "a warp's first 30 requests beyond the L1, writes and bypasses too, of each 100k " \
         "cycles: the L2 had " share, \
         "MeDiC table II", STAT_SUM}, \
            offsetof(struct warp_types, stats.warps[type]) \
    }
    static const struct stat_member members[] = {
        TYPE(WARP_ALL_HIT, "all_hit", "all"),
        TYPE(WARP_MOSTLY_HIT, "mostly_hit", "70 % or more, not all"),
        TYPE(WARP_BALANCED, "balanced", "more than 20 and less than 70 %"),
        TYPE(WARP_MOSTLY_MISS, "mostly_miss", "20 % or less, not none"),
        TYPE(WARP_ALL_MISS, "all_miss", "none"),
    };
#undef TYPE
    return stats_register_members(s, members, sizeof members / sizeof *members, t);
}
