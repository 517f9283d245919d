/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/data_cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "config/derived.h"
#include "l1/data_cache_parts.h"
#include "l1/policies.h"

/* Rare cases are separate functions, so that they take no registers of a read. */
#define RARE __attribute__((noinline))

static enum tag_index l1_tag_index(unsigned key) {
    static const enum tag_index index[] = {[INDEX_MODULO] = TAG_INDEX_MODULO,
                                           [INDEX_XOR] = TAG_INDEX_XOR,
                                           [INDEX_XOR_ALL] = TAG_INDEX_XOR_ALL,
                                           [INDEX_FERMI] = TAG_INDEX_FERMI};
    return index[key];
}

static bool make_cache_parts(struct l1_data_cache *c, unsigned sets, unsigned ways,
                             unsigned most_ways, enum tag_index index, unsigned mshrs,
                             unsigned merge, unsigned miss_queue) {
    bool ok = tag_array_init(&c->tags, sets, ways, index) && mshr_init(&c->mshrs, mshrs, merge) &&
              ring_init(&c->miss_queue, miss_queue);
    c->owner = calloc((size_t)sets * most_ways, sizeof *c->owner);
    c->reply = calloc(mshrs, sizeof *c->reply);
    c->lineless = calloc(mshrs, sizeof *c->lineless);
    return ok && c->owner && c->reply && c->lineless;
}

/* The tags for each size of the L1 but the configured one. Sets @most_ways. */
static bool make_sizes(struct l1_data_cache *c, const struct config *config, unsigned *most_ways) {
    uint64_t shared[CARVEOUTS_MAX];
    const unsigned count = config_carveouts(config, shared);
    *most_ways = config->l1.ways;
    c->sizes = count ? calloc(count, sizeof *c->sizes) : NULL;
    for (unsigned i = 0; c->sizes && i < count; i++) {
        const unsigned ways = config_carveout_ways(config, shared[i]);
        const bool known =
            ways == config->l1.ways || (c->size_count && c->sizes[c->size_count - 1].ways == ways);
        *most_ways = ways > *most_ways ? ways : *most_ways;
        if (!known && !tag_array_init(&c->sizes[c->size_count++], config->l1.sets, ways,
                                      l1_tag_index(config->l1.index))) {
            return false;
        }
    }
    return c->sizes || !count;
}

static bool make_sectors(struct l1_data_cache *c, const struct config *config, unsigned most_ways) {
    c->by_sector = config->l1.sectors;
    c->takes_at_fill = config->l1.allocate == L1_ALLOCATE_FILL;
    c->all_sectors = (uint8_t)((1u << c->line_bytes / SECTOR_BYTES) - 1);
    if (!c->by_sector && !c->takes_at_fill) {
        return true;
    }
    c->sectors = sectors_create(config->l1.sets * most_ways, config->l1.mshrs);
    c->trip = calloc(config->l1.mshrs, sizeof *c->trip);
    return c->sectors && c->trip;
}

bool l1_data_cache_init(struct l1_data_cache *c, const struct config *config) {
    *c = (struct l1_data_cache){
        .line_bytes = (uint16_t)config->l1.line_bytes,
        .mode = config->l1.perfect ? L1_MODE_PERFECT
                : config->l1.cache ? L1_MODE_TAGS
                                   : L1_MODE_OFF,
        .write = {(uint8_t)config->l1.global_write, (uint8_t)config->l1.local_write},
        .write_fetches = config->l1.write_miss == L1_WRITE_MISS_FETCH,
        .write_allocates = config->l1.write_miss == L1_WRITE_MISS_MASK && config->l1.sectors,
        .bypass_line = config->l1.bypass_reply == BYPASS_REPLY_LINE,
        .refetches = config->l1.pending_hit == L1_PENDING_FETCH,
        .bypass_misses = config->pdp.bypass == PDP_BYPASS_MISS};
    bool tags = c->mode == L1_MODE_TAGS;
    unsigned most_ways = 1;
    if (tags && (!make_sizes(c, config, &most_ways) || !make_sectors(c, config, most_ways))) {
        return false;
    }
    return make_cache_parts(c, tags ? config->l1.sets : 1, tags ? config->l1.ways : 1, most_ways,
                            tags ? l1_tag_index(config->l1.index) : TAG_INDEX_MODULO,
                            config->l1.mshrs, config->l1.mshr_merge, config->l1.miss_queue);
}

bool l1_constant_cache_init(struct l1_data_cache *c, const struct config *config) {
    *c = (struct l1_data_cache){.line_bytes = (uint16_t)config->constant.line_bytes,
                                .mode = config->l1.perfect ? L1_MODE_PERFECT : L1_MODE_TAGS};
    return make_cache_parts(c, config->constant.sets, config->constant.ways, config->constant.ways,
                            TAG_INDEX_MODULO, config->constant.mshrs, config->constant.mshr_merge,
                            config->constant.miss_queue);
}

void l1_data_cache_destroy(struct l1_data_cache *c) {
    tag_array_destroy(&c->tags);
    for (unsigned i = 0; i < c->size_count; i++) {
        tag_array_destroy(&c->sizes[i]);
    }
    free(c->sizes);
    mshr_destroy(&c->mshrs);
    ring_destroy(&c->miss_queue);
    sectors_destroy(c->sectors);
    free(c->trip);
    free(c->owner);
    free(c->reply);
    free(c->lineless);
    c->sectors = NULL;
    c->trip = NULL;
    c->owner = NULL;
    c->reply = NULL;
    c->lineless = NULL;
}

RARE void l1_write_back(struct l1_data_cache *c, unsigned set, int way, const struct request *r,
                        const struct now *now) {
    struct request back = {.line = tag_line(&c->tags, set, way),
                           .born = r->born,
                           .cta = r->cta,
                           .generation = r->generation,
                           .bytes = c->line_bytes,
                           .warp = r->warp,
                           .pc = r->pc,
                           .reg = REG_NONE,
                           .kind = REQUEST_WRITEBACK,
                           .unit = r->unit,
                           .sectors = (uint8_t)((1u << c->line_bytes / SECTOR_BYTES) - 1),
                           .core = r->core,
                           .full = true};
    ring_push(&c->miss_queue, &back, now_next_edge(now), 1);
    c->stats.writebacks++;
}

/* Evicts a valid copy of @r's line. False: the miss queue lacks room for its dirty data and @r
 * behind it; nothing has changed then. */
static bool evict_copy(struct l1_data_cache *c, unsigned set, int way, const struct request *r,
                       const struct now *now) {
    bool copy = way != TAG_NO_WAY && tag_is_valid(&c->tags, set, way);
    bool dirty = copy && tag_is_dirty(&c->tags, set, way);
    if (ring_room(&c->miss_queue, now->time) < 1u + dirty) {
        return false;
    }
    if (dirty) {
        l1_write_back(c, set, way, r, now);
    }
    if (copy) {
        if (cache_prefetches(c)) {
            l1_lose_prefetched(c, set, way);
        }
        tag_invalidate(&c->tags, set, way);
        c->stats.write_evicts++;
    } else if (c->sectors && way != TAG_NO_WAY) { /* of an outstanding line those that are here */
        c->sectors->valid[place_of_line(c, set, way)] = 0;
    }
    return true;
}

/* A write or an atomic goes on; it leaves no copy here if it @evicts. */
RARE static enum l1_result send_write_on(struct l1_data_cache *c, unsigned set, int way,
                                         bool evicts, struct request *r, const struct now *now) {
    if (!evict_copy(c, set, evicts ? way : TAG_NO_WAY, r, now)) {
        return L1_FAIL_MISS_QUEUE;
    }
    r->bytes = moved_bytes(c, r->sectors);
    ring_push(&c->miss_queue, r, now_next_edge(now), 1);
    if (r->kind == REQUEST_ATOMIC) {
        c->stats.atomics++;
        return L1_ATOMIC;
    }
    c->stats.space[r->local_space].writes++;
    return L1_WRITE;
}

RARE enum l1_result l1_bypass_read(struct l1_data_cache *c, struct request *r,
                                   const struct now *now) {
    if (!ring_room(&c->miss_queue, now->time)) {
        return L1_FAIL_MISS_QUEUE;
    }
    r->bypasses = true;
    if (c->by_sector) {
        r->bytes = (uint16_t)sectors_bytes(r->sectors);
        c->stats.sectors.read_misses += sectors_count(r->sectors);
    } else {
        r->bytes = (uint16_t)segment_bytes(r->sectors);
    }
    r->bytes = c->bypass_line ? c->line_bytes : r->bytes;
    ring_push(&c->miss_queue, r, now_next_edge(now), 1);
    c->stats.space[r->local_space].reads++;
    c->stats.space[r->local_space].read_bypasses++;
    return L1_BYPASS;
}

/* A read that the L1 may not serve. A store's data in the MSHR of an outstanding line is nowhere
 * else yet: the read waits for it. */
RARE static enum l1_result access_uncached(struct l1_data_cache *c, unsigned set, int way,
                                           struct request *r, const struct now *now) {
    if (way != TAG_NO_WAY && !tag_is_valid(&c->tags, set, way) &&
        tag_is_dirty(&c->tags, set, way)) {
        return L1_FAIL_MSHR_MERGE;
    }
    if (!evict_copy(c, set, way, r, now)) {
        return L1_FAIL_MISS_QUEUE;
    }
    c->stats.uncached++;
    return l1_bypass_read(c, r, now);
}

RARE void l1_note_victim(struct l1_data_cache *c, unsigned set, int way) {
    const struct line_owner *owner = owner_of(c, set, way);
    *c->victim = (struct l1_victim){.evicted = true,
                                    .line = tag_line(&c->tags, set, way),
                                    .warp = owner->warp,
                                    .cta = owner->cta};
}

/* Fetches the line of @r. Return: L1_MISS, or the cause of a failure. */
static inline __attribute__((always_inline)) enum l1_result fetch_missing_line(
    struct l1_data_cache *c, unsigned set, struct request *r, uint32_t trip,
    const struct now *now) {
    int victim = __builtin_expect(c->chooser != NULL, false) ? l1_policies_ask_victim(c->chooser)
                                                             : tag_victim(&c->tags, set);
    if (victim < 0) {
        return victim == L1_NO_LINE && r->kind == REQUEST_READ
                   ? l1_fetch_without_line(c, r, now)
                   : refuse_or_bypass(c, L1_FAIL_ASSOCIATIVITY, r, now);
    }
    if (!mshr_has_free(&c->mshrs)) {
        return refuse_or_bypass(c, L1_FAIL_MSHR_FULL, r, now);
    }
    bool valid = tag_is_valid(&c->tags, set, victim), dirty = tag_is_dirty(&c->tags, set, victim);
    if (ring_room(&c->miss_queue, now->time) < 1u + dirty) {
        return L1_FAIL_MISS_QUEUE;
    }
    if (dirty) {
        l1_write_back(c, set, victim, r, now);
    }
    if (c->victim && valid) {
        l1_note_victim(c, set, victim);
    }
    if (cache_prefetches(c)) {
        l1_lose_prefetched(c, set, victim);
    }
    c->stats.evictions += valid;
    line_owner_miss(owner_of(c, set, victim), r, trip, valid, &c->stats.reuse);
    r->bytes = c->line_bytes;
    r->l1_way = (uint32_t)victim;
    r->l1_mshr = (uint16_t)mshr_allocate(&c->mshrs, r);
    tag_reserve(&c->tags, set, victim, r->line, r->l1_mshr);
    r->kind = REQUEST_READ;
    ring_push(&c->miss_queue, r, now_next_edge(now), 1);
    return L1_MISS;
}

RARE static enum l1_result write_to_cache(struct l1_data_cache *c, unsigned set, int way,
                                          struct request *r, uint32_t trip, const struct now *now) {
    unsigned policy = c->write[r->local_space];
    struct l1_space_stats *s = &c->stats.space[r->local_space];
    bool there = way != TAG_NO_WAY, valid = there && tag_is_valid(&c->tags, set, way);
    if (policy == L1_WRITE_EVICT) {
        return send_write_on(c, set, way, true, r, now);
    }
    if (policy == L1_WRITE_THROUGH || (!there && !c->write_fetches)) {
        enum l1_result result = send_write_on(c, set, way, false, r, now);
        if (c->by_sector && result == L1_WRITE) {
            l1_count_written_sectors(c, set, way, r);
            if (c->write_allocates && policy == L1_WRITE_THROUGH) {
                l1_write_sectors(c, set, way, r, trip);
            }
        }
        if (valid && result == L1_WRITE) {
            if (cache_prefetches(c)) {
                l1_use_prefetched(c, set, way);
            }
            tag_touch(&c->tags, set, way);
            line_owner_used(owner_of(c, set, way), r, trip);
        }
        return result;
    }
    if (!there) {
        enum l1_result result = fetch_missing_line(c, set, r, trip, now);
        if (result != L1_MISS) {
            return result;
        }
        way = (int)r->l1_way;
        s->write_misses++;
    } else if (valid) {
        if (cache_prefetches(c)) {
            l1_use_prefetched(c, set, way);
        }
        tag_touch(&c->tags, set, way);
        s->write_hits++;
    } else {
        unsigned entry = tag_mshr(&c->tags, set, way);
        if (!mshr_can_merge(&c->mshrs, entry)) {
            return L1_FAIL_MSHR_MERGE;
        }
        if (cache_prefetches(c)) {
            l1_merge_into_prefetch(c, entry);
        }
        mshr_merge(&c->mshrs, entry, r);
        tag_touch(&c->tags, set, way);
        s->write_pending_hits++;
    }
    tag_set_dirty(&c->tags, set, way); /* for an outstanding line: from the fill on */
    line_owner_used(owner_of(c, set, way), r, trip);
    s->writes++;
    return L1_WRITE_DONE;
}

RARE static enum l1_result access_without_tags(struct l1_data_cache *c, struct request *r,
                                               const struct now *now) {
    struct l1_space_stats *s = &c->stats.space[r->local_space];
    if (c->mode == L1_MODE_OFF) {
        c->stats.uncached += r->uncached && ring_room(&c->miss_queue, now->time);
        return r->kind == REQUEST_READ ? l1_bypass_read(c, r, now)
                                       : send_write_on(c, 0, TAG_NO_WAY, false, r, now);
    }
    if (r->kind == REQUEST_WRITE) {
        s->writes++;
        s->write_hits++;
        return L1_WRITE_DONE;
    }
    if (r->kind == REQUEST_ATOMIC) {
        c->stats.atomics++;
        return L1_HIT;
    }
    s->reads++;
    s->read_hits++;
    return L1_HIT;
}

bool l1_data_cache_answers(const struct l1_data_cache *c, const struct request *r) {
    if (c->mode != L1_MODE_TAGS) {
        return c->mode == L1_MODE_PERFECT;
    }
    const unsigned set = tag_set_of(&c->tags, r->line);
    const int way = tag_find(&c->tags, set, r->line);
    if (way == TAG_NO_WAY || r->kind == REQUEST_ATOMIC || r->uncached) {
        return false;
    }
    if (r->kind == REQUEST_WRITE) {
        return c->write[r->local_space] == L1_WRITE_BACK;
    }
    return c->sectors ? l1_has_sectors(c, set, way, r) : tag_is_valid(&c->tags, set, way);
}

enum l1_result l1_data_cache_access(struct l1_data_cache *c, struct request *r, uint32_t trip,
                                    const struct now *now) {
    r->born = now->time;
    if (c->mode != L1_MODE_TAGS) {
        return access_without_tags(c, r, now);
    }
    unsigned set = c->accessed_set = tag_set_of(&c->tags, r->line);
    int way = c->accessed_way = tag_find(&c->tags, set, r->line);
    struct l1_space_stats *s = &c->stats.space[r->local_space];
    if (r->kind != REQUEST_READ) {
        return r->kind == REQUEST_WRITE ? write_to_cache(c, set, way, r, trip, now)
                                        : send_write_on(c, set, way, true, r, now);
    }
    if (r->uncached) {
        return access_uncached(c, set, way, r, now);
    }
    if (c->sectors) {
        return l1_read_sectors(c, set, way, r, trip, now);
    }
    if (way == TAG_NO_WAY) {
        int lineless = c->lineless_count && !c->refetches ? l1_find_lineless(c, r->line) : -1;
        if (__builtin_expect(lineless >= 0, false)) {
            return l1_merge_lineless(c, (unsigned)lineless, r, now);
        }
        enum l1_result result = fetch_missing_line(c, set, r, trip, now);
        if (result == L1_MISS) {
            s->reads++;
            s->read_misses++;
        }
        return result;
    }
    if (tag_is_valid(&c->tags, set, way)) {
        if (cache_prefetches(c)) {
            l1_use_prefetched(c, set, way);
        }
        tag_touch(&c->tags, set, way);
        line_owner_hit(owner_of(c, set, way), r, trip, &c->stats.reuse);
        s->reads++;
        s->read_hits++;
        return L1_HIT;
    }
    if (__builtin_expect(c->refetches, false) && !tag_is_dirty(&c->tags, set, way)) {
        return l1_fetch_again(c, r, now);
    }
    unsigned entry = tag_mshr(&c->tags, set, way);
    if (!mshr_can_merge(&c->mshrs, entry)) {
        return tag_is_dirty(&c->tags, set, way) ? L1_FAIL_MSHR_MERGE
                                                : refuse_or_bypass(c, L1_FAIL_MSHR_MERGE, r, now);
    }
    if (cache_prefetches(c)) {
        l1_merge_into_prefetch(c, entry);
    }
    mshr_merge(&c->mshrs, entry, r);
    tag_touch(&c->tags, set, way);
    line_owner_used(owner_of(c, set, way), r, trip);
    s->reads++;
    s->read_pending_hits++;
    return L1_PENDING_HIT;
}

enum l1_result l1_data_cache_bypass(struct l1_data_cache *c, struct request *r,
                                    const struct now *now) {
    r->born = now->time;
    c->accessed_way = TAG_NO_WAY;
    return l1_bypass_read(c, r, now);
}

enum l1_result l1_data_cache_pass(struct l1_data_cache *c, struct request *r,
                                  const struct now *now) {
    r->born = now->time;
    c->accessed_way = TAG_NO_WAY;
    if (r->kind == REQUEST_READ) {
        return l1_bypass_read(c, r, now);
    }
    unsigned set = c->accessed_set = tag_set_of(&c->tags, r->line);
    return send_write_on(c, set, tag_find(&c->tags, set, r->line), true, r, now);
}

unsigned l1_data_cache_fill(struct l1_data_cache *c, const struct request *reply) {
    if (c->sectors) {
        return l1_fill_sectors(c, reply);
    }
    if (__builtin_expect((int)reply->l1_way == TAG_NO_WAY, false)) {
        return l1_fill_lineless(c, reply);
    }
    unsigned set = tag_set_of(&c->tags, reply->line);
    assert(tag_line(&c->tags, set, (int)reply->l1_way) == reply->line &&
           !tag_is_valid(&c->tags, set, (int)reply->l1_way));
    if (cache_prefetches(c)) {
        return l1_fill_prefetching(c, reply);
    }
    tag_fill(&c->tags, set, (int)reply->l1_way);
    mshr_fill(&c->mshrs, reply->l1_mshr);
    c->reply[reply->l1_mshr] = *reply;
    c->stats.fills++;
    return set == c->accessed_set ? L1_FILL_IN_SET : 0;
}

void l1_data_cache_invalidate(struct l1_data_cache *c) {
    if (cache_prefetches(c)) {
        l1_lose_all_prefetched(c);
    }
    tag_invalidate_valid(&c->tags);
    if (c->sectors) { /* those of outstanding lines as well */
        memset(c->sectors->valid, 0, (size_t)c->tags.sets * c->tags.ways);
    }
}

void l1_data_cache_resize(struct l1_data_cache *c, unsigned ways) {
    assert(!tag_reserved_count(&c->tags));
    for (unsigned i = 0; i < c->size_count && c->tags.ways != ways; i++) {
        if (c->sizes[i].ways == ways) {
            const struct tag_array other = c->tags;
            c->tags = c->sizes[i];
            c->sizes[i] = other;
        }
    }
    assert(c->tags.ways == ways || c->mode != L1_MODE_TAGS);
    if (c->sectors) { /* places are of other lines now */
        memset(c->sectors->valid, 0, (size_t)c->tags.sets * c->tags.ways);
    }
}

bool l1_data_cache_fetches_for(const struct l1_data_cache *c, unsigned warp, uint64_t line) {
    int mshr =
        c->takes_at_fill ? sectors_find_newest(c->sectors, line, 0) : l1_find_lineless(c, line);
    return mshr >= 0 && mshr_only(&c->mshrs, (unsigned)mshr)->warp == warp;
}

bool l1_data_cache_idle(const struct l1_data_cache *c) {
    return !c->miss_queue.count && c->mshrs.free_count == c->mshrs.entries &&
           !tag_reserved_count(&c->tags);
}

uint64_t l1_data_cache_sent(const struct l1_data_cache *c) {
    uint64_t sent = c->stats.writebacks + c->stats.prefetch.issued + c->stats.refetches;
    if (c->mode == L1_MODE_PERFECT) {
        return sent;
    }
    for (unsigned i = 0; i < 2; i++) {
        const struct l1_space_stats *s = &c->stats.space[i];
        sent += s->read_misses + s->read_bypasses + s->writes - s->write_hits -
                s->write_pending_hits; /* a write that takes a line sends a read */
    }
    return sent + c->stats.atomics;
}
