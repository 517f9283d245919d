/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads of a data cache whose lines have sectors, or are taken with their data (l1.sectors,
 * l1.allocate).
 */
#include <assert.h>

#include "l1/data_cache_parts.h"

/* A read needs these of its line. */
static uint8_t wanted_sectors(const struct l1_data_cache *c, const struct request *r) {
    return c->by_sector ? r->sectors : c->all_sectors;
}

void l1_take_line(struct l1_data_cache *c, unsigned set, int way, const struct request *r,
                  uint32_t trip, unsigned mshr) {
    bool valid = tag_is_valid(&c->tags, set, way);
    if (valid && c->victim) {
        l1_note_victim(c, set, way);
    }
    if (cache_prefetches(c)) {
        l1_lose_prefetched(c, set, way);
    }
    c->stats.evictions += valid;
    if (r->kind != REQUEST_READ) {
        line_owner_take(owner_of(c, set, way), r, trip);
    } else {
        line_owner_miss(owner_of(c, set, way), r, trip, valid, &c->stats.reuse);
    }
    tag_reserve(&c->tags, set, way, r->line, mshr);
    if (c->sectors) {
        c->sectors->valid[place_of_line(c, set, way)] = 0;
        c->sectors->written[place_of_line(c, set, way)] = 0;
    }
}

/* Sends a read of those of @missing that no MSHR fetches. @way: of its line, or of the victim. */
static void send_sector_fetch(struct l1_data_cache *c, struct request *r, unsigned mshr,
                              uint8_t missing, int way, const struct now *now) {
    const uint8_t fetched = sectors_begin_fetch(c->sectors, mshr, r->line, missing);
    c->stats.sector_joins += fetched != missing;
    r->l1_mshr = (uint16_t)mshr;
    r->l1_way = (uint32_t)way;
    r->sectors = fetched;
    r->bytes = (uint16_t)sectors_bytes(fetched);
    ring_push(&c->miss_queue, r, now_next_edge(now), 1);
}

bool l1_has_sectors(const struct l1_data_cache *c, unsigned set, int way, const struct request *r) {
    return !(wanted_sectors(c, r) & ~c->sectors->valid[place_of_line(c, set, way)]);
}

static enum l1_result fetch_sectors(struct l1_data_cache *c, unsigned set, int way, uint8_t missing,
                                    struct request *r, uint32_t trip, const struct now *now) {
    int line = way != TAG_NO_WAY || c->takes_at_fill ? way : tag_victim(&c->tags, set);
    if (line == TAG_NO_WAY && !c->takes_at_fill) {
        return refuse_or_bypass(c, L1_FAIL_ASSOCIATIVITY, r, now);
    }
    if (!mshr_has_free(&c->mshrs)) {
        return refuse_or_bypass(c, L1_FAIL_MSHR_FULL, r, now);
    }
    if (!ring_room(&c->miss_queue, now->time)) {
        return L1_FAIL_MISS_QUEUE;
    }
    unsigned mshr = mshr_allocate(&c->mshrs, r);
    c->trip[mshr] = trip;
    if (way != TAG_NO_WAY) {
        c->stats.sector_misses += !c->takes_at_fill;
        tag_touch(&c->tags, set, way);
        line_owner_used(owner_of(c, set, way), r, trip);
    } else if (!c->takes_at_fill) {
        l1_take_line(c, set, line, r, trip, mshr);
    }
    if (!c->takes_at_fill) {
        c->sectors->fetches[place_of_line(c, set, line)]++;
        if (tag_is_valid(&c->tags, set, line)) {
            tag_hold(&c->tags, set, line);
        }
    }
    send_sector_fetch(c, r, mshr, missing, line, now);
    return L1_MISS;
}

enum l1_result l1_read_sectors(struct l1_data_cache *c, unsigned set, int way, struct request *r,
                               uint32_t trip, const struct now *now) {
    struct l1_space_stats *s = &c->stats.space[r->local_space];
    struct l1_sector_stats *sectors = &c->stats.sectors;
    const uint8_t wanted = wanted_sectors(c, r);
    uint8_t missing = wanted;
    if (way != TAG_NO_WAY) {
        missing &= (uint8_t)~c->sectors->valid[place_of_line(c, set, way)];
    }
    if (!missing) {
        if (cache_prefetches(c)) {
            l1_use_prefetched(c, set, way);
        }
        tag_touch(&c->tags, set, way);
        line_owner_hit(owner_of(c, set, way), r, trip, &c->stats.reuse);
        s->reads++;
        s->read_hits++;
        sectors->read_hits += sectors_count(wanted);
        return L1_HIT;
    }
    const uint8_t on_way = sectors_on_way(c->sectors, r->line, missing);
    if (on_way != missing) {
        enum l1_result result = fetch_sectors(c, set, way, missing, r, trip, now);
        if (result == L1_MISS) {
            s->reads++;
            s->read_misses++;
            sectors->read_hits += sectors_count(wanted ^ missing);
            sectors->read_misses += sectors_count(missing ^ on_way);
            sectors->read_pending_hits += sectors_count(on_way);
        }
        return result;
    }
    const unsigned mshr = (unsigned)sectors_find_newest(c->sectors, r->line, missing);
    if (!mshr_can_merge(&c->mshrs, mshr)) {
        return refuse_or_bypass(c, L1_FAIL_MSHR_MERGE, r, now);
    }
    if (cache_prefetches(c)) {
        l1_merge_into_prefetch(c, mshr);
    }
    sectors_join(c->sectors, mshr, missing);
    mshr_merge(&c->mshrs, mshr, r);
    if (way != TAG_NO_WAY) {
        tag_touch(&c->tags, set, way);
        line_owner_used(owner_of(c, set, way), r, trip);
    }
    s->reads++;
    s->read_pending_hits++;
    sectors->read_hits += sectors_count(wanted ^ missing);
    sectors->read_pending_hits += sectors_count(missing);
    return L1_PENDING_HIT;
}

/* A GPU counts a write to a line that it has as a hit, whatever sectors are valid there. */
void l1_count_written_sectors(struct l1_data_cache *c, unsigned set, int way,
                              const struct request *r) {
    uint8_t valid = way == TAG_NO_WAY    ? 0
                    : c->write_allocates ? r->sectors
                                         : c->sectors->valid[place_of_line(c, set, way)];
    c->stats.sectors.write_hits += sectors_count(r->sectors & valid);
    c->stats.sectors.write_misses += sectors_count(r->sectors & (uint8_t)~valid);
}

void l1_write_sectors(struct l1_data_cache *c, unsigned set, int way, const struct request *r,
                      uint32_t trip) {
    if (way == TAG_NO_WAY) {
        way = tag_victim(&c->tags, set);
        if (way == TAG_NO_WAY) {
            return; /* fills have all lines of the set */
        }
        l1_take_line(c, set, way, r, trip, 0);
        tag_fill(&c->tags, set, way);
    }
    const unsigned place = place_of_line(c, set, way);
    c->sectors->written[place] |= r->words;
    c->sectors->valid[place] |= sectors_all_words(r->sectors, c->sectors->written[place]);
}

/* The way that takes the data. With allocation at the fill no line is reserved, so each set has a
 * victim. */
static int way_of_fill(struct l1_data_cache *c, unsigned set, const struct request *reply) {
    if (!c->takes_at_fill) {
        return (int)reply->l1_way;
    }
    int way = tag_find(&c->tags, set, reply->line);
    const struct request *first = mshr_only(&c->mshrs, reply->l1_mshr);
    if (way != TAG_NO_WAY) {
        c->stats.sector_misses += first->kind != REQUEST_PREFETCH;
        return way;
    }
    way = tag_victim(&c->tags, set);
    l1_take_line(c, set, way, first, c->trip[reply->l1_mshr], reply->l1_mshr);
    tag_fill(&c->tags, set, way);
    return way;
}

unsigned l1_fill_sectors(struct l1_data_cache *c, const struct request *reply) {
    unsigned set = tag_set_of(&c->tags, reply->line);
    int way = way_of_fill(c, set, reply);
    unsigned place = place_of_line(c, set, way);
    assert(tag_line(&c->tags, set, way) == reply->line);
    c->sectors->valid[place] |= sectors_end_fetch(c->sectors, reply->l1_mshr);
    if (!c->takes_at_fill && --c->sectors->fetches[place] == 0) {
        tag_fill(&c->tags, set, way);
    }
    unsigned did = set == c->accessed_set ? L1_FILL_IN_SET : 0;
    for (int mshr; (mshr = sectors_take_complete(c->sectors, reply->line)) != SECTORS_NO_MSHR;) {
        if (cache_prefetches(c)) {
            did |= l1_fill_mshr(c, (unsigned)mshr, set, way);
        } else {
            mshr_fill(&c->mshrs, (unsigned)mshr);
        }
    }
    c->reply[reply->l1_mshr] = *reply;
    c->stats.fills++;
    return did;
}
