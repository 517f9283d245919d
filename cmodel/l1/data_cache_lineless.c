/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads of the L1 data cache that have an MSHR and no line.
 */
#include "l1/data_cache_parts.h"

int l1_find_lineless(const struct l1_data_cache *c, uint64_t line) {
    for (unsigned i = 0; i < c->lineless_count; i++) {
        if (mshr_only(&c->mshrs, c->lineless[i])->line == line) {
            return c->lineless[i];
        }
    }
    return -1;
}

/* A read takes an MSHR and no line, and counts in @as. Return: @result, or the failure's cause. */
static enum l1_result fetch_lineless(struct l1_data_cache *c, struct request *r,
                                     enum l1_result result, uint64_t *as, const struct now *now) {
    if (!mshr_has_free(&c->mshrs)) {
        return refuse_or_bypass(c, L1_FAIL_MSHR_FULL, r, now);
    }
    if (!ring_room(&c->miss_queue, now->time)) {
        return L1_FAIL_MISS_QUEUE;
    }
    r->bytes = c->line_bytes;
    r->l1_way = (uint32_t)TAG_NO_WAY;
    r->l1_mshr = (uint16_t)mshr_allocate(&c->mshrs, r);
    c->lineless[c->lineless_count++] = r->l1_mshr;
    ring_push(&c->miss_queue, r, now_next_edge(now), 1);
    c->stats.space[r->local_space].reads++;
    *as += 1;
    return result;
}

enum l1_result l1_fetch_without_line(struct l1_data_cache *c, struct request *r,
                                     const struct now *now) {
    uint64_t *bypasses = &c->stats.space[r->local_space].read_bypasses;
    return c->bypass_misses ? fetch_lineless(c, r, L1_BYPASS, bypasses, now)
                            : l1_bypass_read(c, r, now);
}

enum l1_result l1_fetch_again(struct l1_data_cache *c, struct request *r, const struct now *now) {
    uint64_t *pending = &c->stats.space[r->local_space].read_pending_hits;
    enum l1_result result = fetch_lineless(c, r, L1_PENDING_HIT, pending, now);
    c->stats.refetches += result == L1_PENDING_HIT;
    return result;
}

enum l1_result l1_merge_lineless(struct l1_data_cache *c, unsigned mshr, struct request *r,
                                 const struct now *now) {
    if (!mshr_can_merge(&c->mshrs, mshr)) {
        return refuse_or_bypass(c, L1_FAIL_MSHR_MERGE, r, now);
    }
    mshr_merge(&c->mshrs, mshr, r);
    c->stats.space[r->local_space].reads++;
    c->stats.space[r->local_space].read_pending_hits++;
    return L1_PENDING_HIT;
}

unsigned l1_fill_lineless(struct l1_data_cache *c, const struct request *reply) {
    unsigned i = 0;
    while (c->lineless[i] != reply->l1_mshr) {
        i++;
    }
    c->lineless[i] = c->lineless[--c->lineless_count];
    mshr_fill(&c->mshrs, reply->l1_mshr);
    c->reply[reply->l1_mshr] = *reply;
    return tag_set_of(&c->tags, reply->line) == c->accessed_set ? L1_FILL_IN_SET : 0;
}
