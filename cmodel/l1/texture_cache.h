/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_TEXTURE_CACHE_H
#define WARPMEM_L1_TEXTURE_CACHE_H

#include "base/now.h"
#include "base/ring.h"
#include "base/stats.h"
#include "base/tag_array.h"
#include "config/config.h"

/* Reasons to refuse an access: nothing has changed, retry. */
enum texture_result {
    TEXTURE_TAKEN,
    TEXTURE_FAIL_FIFO,
    TEXTURE_FAIL_REQUEST_QUEUE,
    TEXTURE_FAIL_REORDER,
    TEXTURE_RESULTS
};

struct texture_stats {
    uint64_t accesses, hits, pending_hits, misses;
    uint64_t fails[TEXTURE_RESULTS]; /* retry cycles, by cause */
};

/* An access between the tags and the data. */
struct texture_access {
    uint64_t entered; /* core cycle */
    uint16_t warp;
    uint8_t reg;
    bool miss; /* it takes the reorder buffer's next line */
};

struct texture_line {
    bool arrived;
    struct request reply;
};

/**
 * struct texture_cache - read only, hides latency in order (Igehy et al., 1998, in GPGPU-Sim's
 * form).
 *
 * An access looks its line up and, if it misses, takes it at once: later accesses find the line
 * present. Every access then waits its turn in a FIFO, and gets its data at its head: a hit in the
 * cycle after it entered, a miss in the cycle after its line has arrived, if that is later. Lines
 * arrive in any order in the reorder buffer and are taken in order. So a hit waits for the misses
 * before it, and a line that a later miss has taken over is read before it is replaced. One access
 * in and one out a cycle; a place freed in a cycle can be taken in it.
 *
 * With sectors, an access that lacks some of its line's asks for these, in the line that is there.
 *
 * Every access, hit or miss, needs a place in the FIFO, in the request queue and in the reorder
 * buffer, in this order: they are tested before the tags (GPGPU-Sim).
 */
struct texture_cache {
    struct tag_array tags;
    struct ring requests; /* to the interconnect */
    uint16_t
        *asked; /* [set][way] place in the reorder buffer + 1 while it is being fetched, or 0 */
    uint8_t *sectors; /* [set][way] that are there or asked for; NULL: all of a line are */
    struct texture_access *fifo;
    unsigned fifo_size, fifo_head, fifo_count;
    struct texture_line *reorder;
    unsigned reorder_size, reorder_head, reorder_count;
    uint16_t line_bytes;
    bool perfect;
    struct texture_stats stats;
};

/** texture_cache_init() - by the keys of [texture] and l1.perfect. False: out of memory. */
bool texture_cache_init(struct texture_cache *c, const struct config *config);
void texture_cache_destroy(struct texture_cache *c);

/**
 * texture_cache_access() - one access; its request can leave the request queue at the next edge.
 * @r: line, sectors, warp, cta, reg, core.
 */
enum texture_result texture_cache_access(struct texture_cache *c, const struct request *r,
                                         const struct now *now);

/** texture_cache_fill() - the reply of a miss has arrived; it can be taken in the next cycle. */
void texture_cache_fill(struct texture_cache *c, const struct request *reply);

/** texture_cache_next() - first core cycle in which the head of the FIFO has its data, past or not;
 * NEVER: it waits for its line, or there is none. */
static inline uint64_t texture_cache_next(const struct texture_cache *c) {
    if (!c->fifo_count) {
        return NEVER;
    }
    const struct texture_access *a = &c->fifo[c->fifo_head];
    return a->miss && !c->reorder[c->reorder_head].arrived ? NEVER : a->entered + 1;
}

/**
 * texture_cache_take() - the head, whose data is there, leaves.
 * @cause: set to the reply that brought its line, valid until the next fill; NULL for a hit.
 */
struct texture_access texture_cache_take(struct texture_cache *c, const struct request **cause);

/** texture_cache_invalidate() - drop all lines, as at a kernel boundary: the cache is idle. */
void texture_cache_invalidate(struct texture_cache *c);

/** texture_cache_idle() - no access inside. */
bool texture_cache_idle(const struct texture_cache *c);

bool texture_cache_register_stats(const struct texture_cache *c, struct stats *s);

#endif
