/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_DATA_CACHE_H
#define WARPMEM_L1_DATA_CACHE_H

#include "base/mshr.h"
#include "base/ring.h"
#include "base/stats.h"
#include "base/tag_array.h"
#include "config/config.h"

/* What became of an access. The failures are the causes of a reservation failure: nothing has
 * changed, try again. */
enum l1_result {
    L1_HIT,         /* the data is in the cache */
    L1_PENDING_HIT, /* the line's fill is under way: merged into its MSHR */
    L1_MISS,        /* line, MSHR and miss-queue place taken */
    L1_BYPASS,      /* sent without a line */
    L1_WRITE,       /* sent; a valid line of that address is evicted */
    L1_FAIL_ASSOCIATIVITY,
    L1_FAIL_MSHR_FULL,
    L1_FAIL_MSHR_MERGE,
    L1_FAIL_MISS_QUEUE,
    L1_RESULTS
};

#define L1_FAILS L1_FAIL_ASSOCIATIVITY /* first of the failures */

struct l1_stats {
    uint64_t reads, read_hits, read_pending_hits, read_misses, read_bypasses;
    uint64_t writes, write_evicts;
    uint64_t fails[L1_RESULTS]; /* retry cycles, by cause */
    uint64_t fills, evictions;
};

/**
 * struct l1_data_cache - allocate on miss, write-evict and no write-allocate, LRU; one access a
 * cycle.
 *
 * Source: MRPB section 2.1 and table 1. A miss needs, in this order, a line, an MSHR, a place in
 * the miss queue (chosen: the cause that is counted is the first that is missing). A pending hit
 * needs room in its MSHR only, because it sends nothing. A write needs a place in the miss queue
 * only: it takes no line, so a full set does not stop it.
 */
struct l1_data_cache {
    const struct config *config;
    struct tag_array tags;
    struct mshr_file mshrs;
    struct ring miss_queue; /* to the interconnect */
    struct l1_stats stats;
};

bool l1_data_cache_init(struct l1_data_cache *c, const struct config *config);
void l1_data_cache_destroy(struct l1_data_cache *c);

/**
 * l1_data_cache_access() - one access at @now; what it sends can leave the miss queue from @visible
 * on.
 * @r: line, sectors, kind (read or write), warp, reg, core, and may_bypass: if it misses and every
 *     line of its set waits for a fill, it is sent on without a line (MRPB 3.4, bypass on
 *     associativity stalls). While the flag stands the set is looked at at each try: a read that
 *     waited for the miss queue and then finds a line takes it.
 */
enum l1_result l1_data_cache_access(struct l1_data_cache *c, const struct request *r, uint64_t now,
                                    uint64_t visible);

/** l1_data_cache_fill() - a read's reply (not a bypass) has arrived; its waiting accesses can be
 * woken. */
void l1_data_cache_fill(struct l1_data_cache *c, const struct request *reply);

/** l1_data_cache_invalidate() - forget all valid lines, as at a kernel boundary; no fill may be
 * under way. */
void l1_data_cache_invalidate(struct l1_data_cache *c);

bool l1_data_cache_register_stats(const struct l1_data_cache *c, struct stats *s);

#endif
