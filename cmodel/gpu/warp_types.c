/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/warp_types.h"

#include <stddef.h>

bool warp_types_register_stats(const struct warp_types *t, struct stats *s) {
#define TYPE(type, name, share) \
    {{"core.loads_" name, "warp instructions", \
      "loads of whose accesses beyond the L1 the L2 had " share, "MeDiC figure 4", STAT_SUM}, \
     offsetof(struct warp_types, stats.loads[type])}, \
    { \
        {"core.warps_" name, "warps", \
         "of whose requests to the L2, writes too, over the warp's life, it had " share, \
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
