/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/data_cache.h"

#include <assert.h>

#include "l1/coalescer.h"

bool l1_data_cache_init(struct l1_data_cache *c, const struct config *config) {
    *c = (struct l1_data_cache){.config = config};
    return tag_array_init(&c->tags, config->l1.sets, config->l1.ways,
                          config->l1.index == INDEX_XOR ? TAG_INDEX_XOR : TAG_INDEX_MODULO) &&
           mshr_init(&c->mshrs, config->l1.mshrs, config->l1.mshr_merge) &&
           ring_init(&c->miss_queue, config->l1.miss_queue);
}

void l1_data_cache_destroy(struct l1_data_cache *c) {
    tag_array_destroy(&c->tags);
    mshr_destroy(&c->mshrs);
    ring_destroy(&c->miss_queue);
}

static enum l1_result write(struct l1_data_cache *c, unsigned set, int way, struct request *r,
                            uint64_t now, uint64_t visible) {
    if (!ring_room(&c->miss_queue, now)) {
        return L1_FAIL_MISS_QUEUE;
    }
    if (way != TAG_NO_WAY && tag_is_valid(&c->tags, set, way)) {
        tag_invalidate(&c->tags, set, way);
        c->stats.write_evicts++;
    }
    r->bytes = (uint16_t)segment_bytes(r->sectors);
    ring_push(&c->miss_queue, r, visible, 1);
    c->stats.writes++;
    return L1_WRITE;
}

static enum l1_result bypass(struct l1_data_cache *c, struct request *r, uint64_t now,
                             uint64_t visible) {
    if (!ring_room(&c->miss_queue, now)) {
        return L1_FAIL_MISS_QUEUE;
    }
    r->bypasses = true;
    r->bytes =
        (uint16_t)(c->config->l1.bypass_reply == BYPASS_REPLY_LINE ? LINE_BYTES
                                                                   : segment_bytes(r->sectors));
    ring_push(&c->miss_queue, r, visible, 1);
    c->stats.reads++;
    c->stats.read_bypasses++;
    return L1_BYPASS;
}

enum l1_result l1_data_cache_access(struct l1_data_cache *c, const struct request *access,
                                    uint64_t now, uint64_t visible) {
    unsigned set = tag_set_of(&c->tags, access->line);
    int way = tag_find(&c->tags, set, access->line);
    struct request r = *access;
    r.born = now;
    if (r.kind == REQUEST_WRITE) {
        return write(c, set, way, &r, now, visible);
    }
    if (way != TAG_NO_WAY) {
        if (tag_is_valid(&c->tags, set, way)) {
            tag_touch(&c->tags, set, way);
            c->stats.reads++;
            c->stats.read_hits++;
            return L1_HIT;
        }
        unsigned entry = tag_mshr(&c->tags, set, way);
        if (!mshr_can_merge(&c->mshrs, entry)) {
            return L1_FAIL_MSHR_MERGE;
        }
        mshr_merge(&c->mshrs, entry, &r);
        tag_touch(&c->tags, set, way);
        c->stats.reads++;
        c->stats.read_pending_hits++;
        return L1_PENDING_HIT;
    }
    int victim = tag_victim(&c->tags, set);
    if (victim == TAG_NO_WAY) {
        return r.may_bypass ? bypass(c, &r, now, visible) : L1_FAIL_ASSOCIATIVITY;
    }
    if (!mshr_has_free(&c->mshrs)) {
        return L1_FAIL_MSHR_FULL;
    }
    if (!ring_room(&c->miss_queue, now)) {
        return L1_FAIL_MISS_QUEUE;
    }
    c->stats.evictions += tag_is_valid(&c->tags, set, victim);
    r.bytes = LINE_BYTES;
    r.l1_way = (uint32_t)victim;
    r.l1_mshr = (uint16_t)mshr_allocate(&c->mshrs, &r);
    tag_reserve(&c->tags, set, victim, r.line, r.l1_mshr);
    ring_push(&c->miss_queue, &r, visible, 1);
    c->stats.reads++;
    c->stats.read_misses++;
    return L1_MISS;
}

void l1_data_cache_fill(struct l1_data_cache *c, const struct request *reply) {
    unsigned set = tag_set_of(&c->tags, reply->line);
    assert(tag_line(&c->tags, set, (int)reply->l1_way) == reply->line &&
           !tag_is_valid(&c->tags, set, (int)reply->l1_way));
    tag_fill(&c->tags, set, (int)reply->l1_way);
    mshr_fill(&c->mshrs, reply->l1_mshr);
    c->stats.fills++;
}

void l1_data_cache_invalidate(struct l1_data_cache *c) {
    for (unsigned set = 0; set < c->tags.sets; set++) {
        assert(!c->tags.set[set].reserved);
        c->tags.set[set].valid = 0;
    }
}

bool l1_data_cache_register_stats(const struct l1_data_cache *c, struct stats *s) {
#define L1_STAT(member, stat, unit, meaning, source) \
    { {"l1." stat, unit, meaning, source, STAT_SUM}, offsetof(struct l1_stats, member) }
    static const struct stat_member members[] = {
        L1_STAT(reads, "global_read_accesses", "accesses",
                "reads of global and local memory that the cache took", "MRPB 2.1"),
        L1_STAT(writes, "global_write_accesses", "accesses",
                "writes sent on (write-evict, no allocation)", "MRPB table 1"),
        L1_STAT(read_hits, "read_hits", "accesses", "reads that found their line valid",
                "MRPB 2.1"),
        L1_STAT(read_pending_hits, "read_pending_hits", "accesses",
                "reads that found their line's fill under way and merged into its MSHR",
                "MRPB 2.1"),
        L1_STAT(read_misses, "read_misses", "accesses", "reads that took a line and an MSHR",
                "MRPB 5.5"),
        L1_STAT(read_bypasses, "read_bypasses", "accesses", "reads sent on without a line",
                "MRPB 3.4"),
        L1_STAT(write_evicts, "write_evicts", "lines", "valid lines evicted by a write to them",
                "MRPB table 1"),
        L1_STAT(fails[L1_FAIL_ASSOCIATIVITY], "fail_associativity", "core cycles",
                "an access waited: every line of its set waits for a fill", "MRPB 3.4"),
        L1_STAT(fails[L1_FAIL_MSHR_FULL], "fail_mshr_full", "core cycles",
                "an access waited: no MSHR free", "MRPB 2.1"),
        L1_STAT(fails[L1_FAIL_MSHR_MERGE], "fail_mshr_merge", "core cycles",
                "an access waited: the MSHR of its line holds no more", "MRPB 2.1"),
        L1_STAT(fails[L1_FAIL_MISS_QUEUE], "fail_miss_queue", "core cycles",
                "an access waited: miss queue full", "MRPB 2.1"),
        L1_STAT(fills, "fills", "lines", "lines that arrived", "model"),
        L1_STAT(evictions, "evictions", "lines", "valid lines replaced by a miss", "model"),
    };
#undef L1_STAT
    return stats_register_members(s, members, sizeof members / sizeof *members, &c->stats);
}
