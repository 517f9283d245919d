/* SPDX-License-Identifier: Apache-2.0 */
#include "characterize/reuse.h"

#include "kernel/warp_stream.h"

unsigned reuse_bucket(uint32_t distance) {
    return distance ? 32 - (unsigned)__builtin_clz(distance) : 0;
}

uint32_t reuse_bucket_least(unsigned bucket) {
    return bucket ? UINT32_C(1) << (bucket - 1) : 0;
}

void reuse_add(struct reuse_counts *to, const struct reuse_counts *c) {
    to->first += c->first;
    to->far += c->far;
    for (unsigned by = 0; by < REUSE_BY_COUNT; by++) {
        for (unsigned i = 0; i < REUSE_BUCKETS; i++) {
            to->near[by][i] += c->near[by][i];
        }
    }
}

bool reuse_touch(struct stack_distance *s, struct reuse_counts *c, uint64_t line, bool seen,
                 uint32_t owner) {
    struct stack_touch before;
    if (!stack_distance_touch(s, line, owner, &before)) {
        return false;
    }
    if (before.near) {
        enum reuse_by by = before.owner == owner ? REUSE_SAME_WARP
                           : before.owner / CTA_WARPS_MAX == owner / CTA_WARPS_MAX
                               ? REUSE_SAME_CTA
                               : REUSE_OTHER_CTA;
        c->near[by][reuse_bucket(before.distance)]++;
    } else if (seen) {
        c->far++;
    } else {
        c->first++;
    }
    return true;
}
