/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that the files of the data cache share.
 */
#ifndef WARPMEM_L1_DATA_CACHE_PARTS_H
#define WARPMEM_L1_DATA_CACHE_PARTS_H

#include "base/sectors.h"
#include "l1/coalescer.h"
#include "l1/data_cache.h"

static inline unsigned place_of_line(const struct l1_data_cache *c, unsigned set, int way) {
    return set * c->tags.ways + (unsigned)way;
}

static inline struct line_owner *owner_of(struct l1_data_cache *c, unsigned set, int way) {
    return &c->owner[place_of_line(c, set, way)];
}

/* Data of a write, or of the reply of a read that takes no line. */
static inline uint16_t moved_bytes(const struct l1_data_cache *c, uint8_t sectors) {
    return (uint16_t)(c->by_sector ? sectors_bytes(sectors) : segment_bytes(sectors));
}

/** l1_bypass_read() - a read goes on without a line, if the miss queue has room. */
enum l1_result l1_bypass_read(struct l1_data_cache *c, struct request *r, const struct now *now);

/* A resource is missing, which a bypass may not need. */
static inline enum l1_result refuse_or_bypass(struct l1_data_cache *c, enum l1_result cause,
                                              struct request *r, const struct now *now) {
    return r->may_bypass && l1_data_cache_bypass_helps(c, cause) ? l1_bypass_read(c, r, now)
                                                                 : cause;
}

/** l1_note_victim() - report the evicted line in c->victim. */
void l1_note_victim(struct l1_data_cache *c, unsigned set, int way);

/** l1_write_back() - the data of a dirty line goes to the L2, because of @r; there is room. */
void l1_write_back(struct l1_data_cache *c, unsigned set, int way, const struct request *r,
                   const struct now *now);

/** l1_take_line() - allocate the way to the line of @r, which then waits for its fill. */
void l1_take_line(struct l1_data_cache *c, unsigned set, int way, const struct request *r,
                  uint32_t trip, unsigned mshr);

/** With prefetches: l1_use_prefetched() - an access uses the line. l1_lose_prefetched() - it is
 * evicted. l1_lose_all_prefetched() - all lines are. l1_merge_into_prefetch() - an access merges
 * into the MSHR. l1_fill_mshr() - mshr_fill(), and mark a line that nobody used. Return: 0, or
 * L1_FILL_FREES_MSHR. l1_fill_prefetching() - l1_data_cache_fill() of whole lines. */
void l1_use_prefetched(struct l1_data_cache *c, unsigned set, int way);
void l1_lose_prefetched(struct l1_data_cache *c, unsigned set, int way);
void l1_lose_all_prefetched(struct l1_data_cache *c);
void l1_merge_into_prefetch(struct l1_data_cache *c, unsigned mshr);
unsigned l1_fill_mshr(struct l1_data_cache *c, unsigned mshr, unsigned set, int way);
unsigned l1_fill_prefetching(struct l1_data_cache *c, const struct request *reply);

/* Prefetches are rare: one test where there are none. */
static inline bool cache_prefetches(const struct l1_data_cache *c) {
    return __builtin_expect(c->prefetches, false);
}

/** Reads that have an MSHR and no line: l1_find_lineless() - the MSHR, or -1.
 * l1_fetch_without_line() - a read that the chooser denies a line. l1_fetch_again() - one of a line
 * on its way that no store has written: its data would be missing. l1_merge_lineless() - one more
 * joins the MSHR. l1_fill_lineless() - l1_data_cache_fill() of theirs. */
int l1_find_lineless(const struct l1_data_cache *c, uint64_t line);
enum l1_result l1_fetch_without_line(struct l1_data_cache *c, struct request *r,
                                     const struct now *now);
enum l1_result l1_fetch_again(struct l1_data_cache *c, struct request *r, const struct now *now);
enum l1_result l1_merge_lineless(struct l1_data_cache *c, unsigned mshr, struct request *r,
                                 const struct now *now);
unsigned l1_fill_lineless(struct l1_data_cache *c, const struct request *reply);

/** l1_has_sectors() - where the cache has sectors or takes lines with their data: those that the
 * read needs are in this way. */
bool l1_has_sectors(const struct l1_data_cache *c, unsigned set, int way, const struct request *r);

/** l1_count_written_sectors() - of a write that went on, where the cache has sectors. */
void l1_count_written_sectors(struct l1_data_cache *c, unsigned set, int way,
                              const struct request *r);

/** l1_write_sectors() - the bytes of a write that went on are valid in its line; where there is
 * none, in a line that it takes (l1.write_miss = mask). */
void l1_write_sectors(struct l1_data_cache *c, unsigned set, int way, const struct request *r,
                      uint32_t trip);

/** l1_read_sectors(), l1_fill_sectors() - l1_data_cache_access() for a read, l1_data_cache_fill(),
 * where the cache has sectors or takes lines with their data. @way: of its line, or TAG_NO_WAY. */
enum l1_result l1_read_sectors(struct l1_data_cache *c, unsigned set, int way, struct request *r,
                               uint32_t trip, const struct now *now);
unsigned l1_fill_sectors(struct l1_data_cache *c, const struct request *reply);

#endif
