/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_DATA_CACHE_H
#define WARPMEM_L1_DATA_CACHE_H

#include "base/mshr.h"
#include "base/now.h"
#include "base/ring.h"
#include "base/sectors.h"
#include "base/stats.h"
#include "base/tag_array.h"
#include "config/config.h"
#include "l1/line_owner.h"
#include "l1/result.h"

struct l1_policies;

/* Accepted accesses. */
struct l1_space_stats {
    uint64_t reads, read_hits, read_pending_hits, read_misses, read_bypasses;
    uint64_t writes;
    /* Writes that ended here: in a valid line, an MSHR, a line that they fetch. */
    uint64_t write_hits, write_pending_hits, write_misses;
};

/* Sectors of accepted accesses, where lines have sectors. */
struct l1_sector_stats {
    uint64_t read_hits;         /* valid */
    uint64_t read_pending_hits; /* on their way for an earlier read */
    uint64_t read_misses;       /* fetched, or read without a line */
    uint64_t write_hits;        /* valid in their line, which a write through updates */
    uint64_t write_misses;
};

/* Prefetches. The line of one that was issued is under way, or there and unused, until it counts as
 * useful, late or useless. */
struct l1_prefetch_stats {
    uint64_t issued, dropped;
    uint64_t useful;  /* an access used it when it was there */
    uint64_t late;    /* an access merged into its MSHR */
    uint64_t useless; /* it left unused */
};

struct l1_stats {
    struct l1_space_stats space[2]; /* [request.local_space] */
    uint64_t atomics, uncached, write_evicts, writebacks;
    uint64_t refetches; /* of the pending hits of reads, those that fetched their line again */
    uint64_t fails[L1_RESULTS]; /* retry cycles, by cause */
    /* Read misses that found their line without its sectors, and those of which some sectors were
     * on their way. */
    uint64_t sector_misses, sector_joins;
    struct l1_sector_stats sectors;
    uint64_t fills, evictions;
    struct reuse_stats reuse;
    struct l1_prefetch_stats prefetch;
};

/* The line that an access evicted, and the warp and CTA that had fetched it. */
struct l1_victim {
    bool evicted;
    uint16_t warp;
    uint32_t cta;
    uint64_t line;
};

/* off and perfect (l1.cache, l1.perfect) read no tag. */
enum l1_mode { L1_MODE_TAGS, L1_MODE_OFF, L1_MODE_PERFECT };

/**
 * struct l1_data_cache - allocate on miss, LRU; one access a cycle. Also the constant cache, which
 * is read only.
 *
 * Source: MRPB section 2.1 and table 1 (write-evict, no write-allocate), OWL table 1 (write-back).
 * A miss needs, in this order, a line, an MSHR, a place in the miss queue, two if it evicts a dirty
 * line (chosen: the cause that is counted is the first that is missing). A pending hit needs room
 * in its MSHR only, because it sends nothing.
 *
 * A write, by the policy of its space:
 *   evict    evicts its line and goes on. A dirty copy (the line was written as the other space's)
 *            is written back before it.
 *   through  is written into its line, if that is valid, and goes on.
 *   back     makes its line dirty and ends here; waits in the MSHR of a line whose fill is under
 *            way, and ends here too; a miss goes on, or takes a line, fetches it and ends here
 *            (l1.write_miss).
 * A write that goes on needs a place in the miss queue only: it takes no line, so a full set does
 * not block it; nor does an outstanding fill of its line, which it does not touch.
 *
 * With l1.sectors a line is valid by sectors, and a read fetches those that it lacks: several
 * fetches of a line may be under way (base/sectors.h). A write updates the sectors that are there,
 * or evicts them all. With l1.allocate = fill a read that misses takes no line; the line is taken
 * when the data comes, so no line is reserved and no access is refused for its set. Both are of
 * caches from which all writes go on (config_check()).
 *
 * A prefetch fetches a line for which nobody waits. It takes a line, an MSHR and a place in the
 * miss queue as a miss does, with all sectors, and makes its line the most recently used; it is
 * dropped where one of them is missing, or the line is there or under way. An access to its line
 * merges into its MSHR, where the prefetch takes a place. It wakes nobody: its MSHR is free when
 * the line comes. One that is under way when a kernel is launched fills its line all the same.
 *
 * A read that a policy denies a line bypasses; with pdp.bypass = miss it takes an MSHR, into which
 * later reads of the line merge, and fetches the line, which is dropped when these are served.
 *
 * An atomic goes on to the L2 and leaves no copy here: a valid line is evicted, a dirty one written
 * back before. Its reply fills no line. An uncached read does the same, but that it waits while a
 * write waits in the MSHR of its line.
 */
struct l1_data_cache {
    struct tag_array tags;
    struct tag_array *sizes; /* for other sizes (core.carveout), size_count of them */
    unsigned size_count;
    struct mshr_file mshrs;
    struct ring miss_queue;   /* to the interconnect */
    struct line_owner *owner; /* [set][way] */
    struct request *reply;    /* [MSHR] the one that filled it, while it wakes */
    struct sectors *sectors;  /* NULL: neither l1.sectors nor allocation at the fill */
    uint32_t *trip;           /* [MSHR] of its first access, where lines are taken at the fill */
    uint16_t *lineless;       /* MSHRs whose lines have no place here, lineless_count of them */
    unsigned lineless_count;
    uint16_t line_bytes;
    bool by_sector, takes_at_fill;
    bool prefetches;      /* some lines come by prefetches: set by the front */
    uint64_t prefetched;  /* line of the last prefetch that was issued */
    uint8_t all_sectors;  /* of a line */
    uint8_t mode;         /* enum l1_mode */
    uint8_t write[2];     /* [request.local_space] L1_WRITE_EVICT, _THROUGH, _BACK */
    bool write_fetches;   /* a write miss, where writes stay */
    bool write_allocates; /* a write miss takes a line with its bytes, where writes go on */
    bool bypass_line;     /* the reply of a bypassing read carries the line */
    bool refetches;       /* l1.pending_hit = fetch */
    bool bypass_misses;   /* a read that the chooser denies a line takes an MSHR */
    /* Refusals for which a read that may bypass does, one bit each of enum l1_result: set by the
     * front (l1/front.h). */
    uint32_t bypass_causes;
    const struct l1_policies *chooser; /* of victims (l1/policies.h); NULL: LRU */
    struct l1_victim *victim;          /* set by an access that evicts a line; NULL: not wanted */
    unsigned accessed_set;             /* of the last access, taken or refused */
    int accessed_way;                  /* that it found its line in, or TAG_NO_WAY */
    struct l1_stats stats;
};

/** l1_data_cache_init() - by the keys of [l1]. False: out of memory. */
bool l1_data_cache_init(struct l1_data_cache *c, const struct config *config);
/** l1_constant_cache_init() - by the keys of [constant]. False: out of memory. */
bool l1_constant_cache_init(struct l1_data_cache *c, const struct config *config);
void l1_data_cache_destroy(struct l1_data_cache *c);

/**
 * l1_data_cache_access() - one access; its request can leave the miss queue at the next edge.
 * @r: line, sectors, kind (read, write or atomic), warp, cta, reg, core, unit, local_space,
 *     uncached, and may_bypass: if it misses and would be refused for one of bypass_causes, it
 *     is sent on without a line (MRPB 3.4). While the flag is set each try looks the cache up: a
 *     read that waited for the miss queue and then finds its line hits. Only the cache changes the
 *     flag.
 * @trip: loop trip in which the access was issued; 0: in no loop
 */
enum l1_result l1_data_cache_access(struct l1_data_cache *c, struct request *r, uint32_t trip,
                                    const struct now *now);

/** l1_data_cache_answers() - would l1_data_cache_access() answer the access with data or room that
 * the cache has, so that nothing leaves it? l1_data_cache_answered() - has it, the last one, with
 * this result? */
bool l1_data_cache_answers(const struct l1_data_cache *c, const struct request *r);
static inline bool l1_data_cache_answered(const struct l1_data_cache *c, enum l1_result result) {
    return result == L1_HIT || (result == L1_WRITE_DONE &&
                                (c->mode == L1_MODE_PERFECT || c->accessed_way != TAG_NO_WAY));
}

/** l1_data_cache_bypass_helps() - may a read that was refused for this cause bypass? */
static inline bool l1_data_cache_bypass_helps(const struct l1_data_cache *c, enum l1_result cause) {
    return c->bypass_causes >> cause & 1;
}

/**
 * l1_data_cache_pass() - the same as l1_data_cache_access() for a read or write of a warp that
 * bypasses the L1 (MDB 2.2): a read is not looked up, a write leaves no copy.
 */
enum l1_result l1_data_cache_pass(struct l1_data_cache *c, struct request *r,
                                  const struct now *now);

/**
 * l1_data_cache_bypass() - the same as l1_data_cache_access() for a read that may bypass now, if
 * its last try was refused for a cause of l1_data_cache_bypass_helps() other than the merge limit
 * (a write may wait there), and only the miss queue has changed since: a look-up would fail for the
 * same cause.
 */
enum l1_result l1_data_cache_bypass(struct l1_data_cache *c, struct request *r,
                                    const struct now *now);

/** l1_data_cache_prefetch() - @r: kind REQUEST_PREFETCH, line, warp, cta, core. Only in a cycle
 * without an access. Return: false if it is dropped. */
bool l1_data_cache_prefetch(struct l1_data_cache *c, struct request *r, const struct now *now);

/* Results of a fill, a bit each: accesses that wait may go on or be refused for another cause. */
enum {
    L1_FILL_IN_SET = 1,     /* the one that was refused last, if it waits for a fill */
    L1_FILL_FREES_MSHR = 2, /* those that wait for an MSHR */
};

/** l1_data_cache_fill() - the reply of a miss or a prefetch has arrived; its waiting accesses can
 * be woken. Return: of L1_FILL_IN_SET, L1_FILL_FREES_MSHR. */
unsigned l1_data_cache_fill(struct l1_data_cache *c, const struct request *reply);

/** l1_data_cache_filled_by() - the reply that filled the MSHR whose accesses wake now. */
static inline const struct request *l1_data_cache_filled_by(const struct l1_data_cache *c) {
    return &c->reply[c->mshrs.ready[c->mshrs.ready_head]];
}

/** l1_data_cache_invalidate() - forget all valid lines, dirty ones too, as at a kernel boundary:
 * global memory is not dirty then (config_check()), local memory is of threads that have ended. */
void l1_data_cache_invalidate(struct l1_data_cache *c);

/** l1_data_cache_fetches_for() - does the warp slot wait first for the line, which has no place
 * before its fill? */
bool l1_data_cache_fetches_for(const struct l1_data_cache *c, unsigned warp, uint64_t line);

/** l1_data_cache_owns() - did the warp slot fetch the line, which the last access has hit? */
static inline bool l1_data_cache_owns(const struct l1_data_cache *c, unsigned warp, uint64_t line) {
    if (c->mode != L1_MODE_TAGS || c->accessed_way == TAG_NO_WAY) {
        return l1_data_cache_fetches_for(c, warp, line);
    }
    return c->owner[c->accessed_set * c->tags.ways + (unsigned)c->accessed_way].warp == warp;
}

/** l1_data_cache_resize() - give an empty L1 another of the numbers of ways of core.carveout. */
void l1_data_cache_resize(struct l1_data_cache *c, unsigned ways);
/** l1_data_cache_idle() - nothing is outstanding. */
bool l1_data_cache_idle(const struct l1_data_cache *c);

/** l1_data_cache_unused() - lines that a prefetch has brought and no access has used. */
uint64_t l1_data_cache_unused(const struct l1_data_cache *c);

/** l1_data_cache_sent() - requests that it has sent, for the laws of conservation. */
uint64_t l1_data_cache_sent(const struct l1_data_cache *c);

bool l1_data_cache_register_stats(const struct l1_data_cache *c, struct stats *s);
bool l1_prefetch_register_stats(const struct l1_prefetch_stats *prefetch, struct stats *s);
bool l1_constant_cache_register_stats(const struct l1_data_cache *c, struct stats *s);

#endif
