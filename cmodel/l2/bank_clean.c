/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/bank_clean.h"

#include "l2/bank_parts.h"
#include "l2/bank_sectors.h"

static unsigned count_dirty_ways(const struct l2_bank *b, unsigned set) {
    unsigned count = 0;
    for (unsigned i = 0; i < b->tags.words; i++) {
        count += (unsigned)__builtin_popcountll(b->tags.set[set * b->tags.words + i].dirty);
    }
    return count;
}

int l2_dirty_line_to_clean(const struct l2_bank *b, unsigned set, int way) {
    const bool more = !tag_is_dirty(&b->tags, set, way);
    return count_dirty_ways(b, set) + more > b->dirty_ways ? tag_oldest_dirty(&b->tags, set, way)
                                                           : TAG_NO_WAY;
}

void l2_clean_line(struct l2_bank *b, const struct request *r, unsigned set, int way,
                   uint64_t visible) {
    l2_bank_evict(b, r, set, way, visible);
    tag_clean(&b->tags, set, way);
    if (b->sectors) {
        l2_sectors_clean(b, set, way);
    }
    b->stats.cleanings++;
}
