/* SPDX-License-Identifier: Apache-2.0 */
#include "base/stats.h"

bool stats_register_members(struct stats *s, const struct stat_member *members, size_t count,
                            const void *base) {
    for (size_t i = 0; i < count; i++) {
        const char *at = (const char *)base + members[i].offset;
        if (!stats_register(s, &members[i].desc, (const uint64_t *)(const void *)at)) {
            return false;
        }
    }
    return true;
}
