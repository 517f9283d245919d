/* SPDX-License-Identifier: Apache-2.0
 *
 * One bank of the L2: request queue, tags, MSHRs, miss queue and output.
 */
#ifndef WARPMEM_L2_BANK_H
#define WARPMEM_L2_BANK_H

#include <stdio.h>

#include "base/mshr.h"
#include "base/now.h"
#include "base/ring.h"
#include "base/sectors.h"
#include "base/tag_array.h"
#include "config/config.h"
#include "l2/policies.h"
#include "l2/types.h"

#define L2_BANKS_MAX 16
#define L2_KINDS (REQUEST_PREFETCH + 1)
#define L2_DELAY_BINS 16

/* Why the bank refused the request at its head. */
enum l2_refusal {
    L2_ACCEPTED,
    L2_FAIL_ASSOCIATIVITY,
    L2_FAIL_MSHR_FULL,
    L2_FAIL_MSHR_MERGE,
    L2_FAIL_MISS_QUEUE,
    L2_FAIL_OUTPUT,
    L2_REFUSALS
};

/* The changes for which a refused request may wait. */
enum l2_change {
    L2_CHANGE_FILL = 1,
    L2_CHANGE_MSHR_FREE = 2,
    L2_CHANGE_MISS_QUEUE = 4,
    L2_CHANGE_OUTPUT = 8,
    L2_CHANGE_MSHR_TAKEN = 16, /* another bank took the last one */
};

/* The parts of a bank's cycle: waking and fills; the access. */
enum { L2_BANK_WAKES = 1, L2_BANK_ACCESSES = 2, L2_BANK_ALL = 3 };

struct l2_stats {
    uint64_t requests;
    uint64_t outcome[L2_KINDS][L2_OUTCOMES]; /* by enum request_kind */
    uint64_t fetches;                        /* reads sent to the DRAM for requests */
    uint64_t sector_misses;                  /* misses that found their line */
    uint64_t sector_joins;                   /* of these, those with sectors being fetched */
    /* Where lines have sectors, those of the requests: here, being fetched, neither. */
    uint64_t sectors[L2_KINDS][L2_OUTCOMES];
    uint64_t full_line_writes;               /* write misses that took their line without a fetch */
    uint64_t write_throughs, write_arounds;  /* writes sent on: with their line here, or without */
    uint64_t writebacks, cleanings, replies; /* cleanings: of the writebacks, by l2.dirty_ways */
    /* By enum request_kind. no_allocate: misses of requests that may take no line. bypasses:
     * requests that went to the DRAM without the bank, which took none of them. */
    uint64_t no_allocate[L2_KINDS], bypasses[L2_KINDS];
    uint64_t returns;      /* reads of the DRAM for a request without a line */
    uint64_t bypass_bytes; /* bytes of the bypasses */
    /* Lines of open rows that the prefetcher offers: taken; not taken because they were here or
     * being fetched; not taken because a clean line, an MSHR or a return place was missing. Lines
     * taken: used by a request, of these before they arrived; evicted unused. */
    uint64_t claims; /* granted claims: lines to be read */
    uint64_t prefetches, prefetches_here, prefetches_refused;
    uint64_t prefetches_used, prefetches_late, prefetches_unused;
    uint64_t fails[L2_REFUSALS];
    uint64_t delay, delay_max; /* L2 cycles from the port's end to the bank's access */
    /* Its parts, by l2_partition_settle(): port and arbiter (l2.arbiter_latency) and the blocks
     * bypass and insertion, which a request takes in an empty machine too; and the rest. */
    uint64_t pipeline_delay, queue_wait;
    uint64_t at_port_end;               /* the part of delay there, with the block bypass */
    uint64_t bank_wait;                 /* the part of queue_wait in the bank's own queue */
    uint64_t delay_log2[L2_DELAY_BINS]; /* requests whose delay was 2^i and more, below 2^(i+1) */
};

/* L2 cycles in which a request reached the end of its port and left it; the latter is known when it
 * is in one of its bank's places. */
struct l2_port_end {
    uint64_t reached, left;
};

/**
 * struct l2_mshr_pool - MSHRs that the banks of a partition share (l2.mshr_pool = partition).
 *
 * In a cycle all banks wake requests first, so that an MSHR that one of them frees can be taken in
 * that cycle, as one of a bank's own MSHRs can. Then they access their tags one after the other,
 * beginning with the bank after the last one that took an MSHR. So a bank that waits for an MSHR is
 * passed over at most as often as there are other banks.
 */
struct l2_mshr_pool {
    unsigned free;
    unsigned first; /* bank that accesses first */
    struct l2_bank *bank;
    unsigned banks;
};

/* The times of a line's read, for the requests that waited for it. */
struct l2_fill {
    uint64_t dram, service, data;
};

/**
 * struct l2_bank - one bank.
 *
 * It takes at most one request every l2.bank_interval cycles: allocate on miss, LRU, MSHRs with
 * merging. Writes (l2.write, l2.write_miss):
 *
 * - back: a write stays in its line, which is dirty until it is evicted. A write that misses takes
 *   a line and is acknowledged when the line has arrived; a write of a whole line with `partial`,
 *   at once.
 * - through: lines are never dirty. Every write goes on to the DRAM with its bytes, and is
 *   acknowledged when the bank has taken it, whether or not its line is here or being fetched.
 * - around: a write that misses goes to the DRAM without a line and is acknowledged at once.
 *
 * A request with L2_ROUTE_NO_ALLOCATE that misses takes no line and no MSHR: a write goes around; a
 * read or an atomic sends a read of its own bytes to the DRAM and is answered with their data, and
 * the atomic's write follows. A request that bypasses the bank (l2_bank_bypass()) returns the same
 * way: from the DRAM through the output.
 *
 * An atomic always needs its line: one that misses fetches it and is answered with the data. Under
 * `through` its write follows its fetch in the miss queue. A write-back of an L1 is a write without
 * an acknowledgement. A perfect L2 answers each request as a hit and sends nothing to the DRAM.
 *
 * With l2.sectors a line is valid and dirty by sectors (base/sectors.h): a miss, and a request that
 * finds its line without its sectors, fetch only the missing sectors; an evicted line sends its
 * dirty ones; a write of whole sectors fetches nothing under `partial`, and none does under `mask`:
 * written words make a sector valid when they are all of it. Under `through` a write
 * updates the sectors that are here and goes on, as does a write to a line that is being fetched.
 *
 * The policies of its partition (l2/policy.h) order the lines of a set in place of LRU, and receive
 * the bank's events. For a policy with begin_cycle() the head's set is read in a cycle before the
 * access.
 */
struct l2_bank {
    const struct config *config;
    unsigned number, partition;
    unsigned local_shift; /* the low bits of the partition's line number are the bank's number */
    unsigned dirty_ways;  /* l2.dirty_ways, where lines can be dirty */
    bool through, masks;  /* l2.write = through; sectors with l2.write_miss = mask */
    /* A fill for one request, with no other request before the bank, is answered ahead of time and
     * becomes visible at its usual time, unless the counters are read (*seen_at) in between. Only
     * host time differs. */
    bool wakes_ahead;
    const uint64_t *seen_at;
    struct tag_array tags;
    struct l2_policies *policies; /* NULL: LRU orders its lines, and there are no events */
    struct l2_types *types;       /* counts its hits; NULL: nothing has a type */
    bool reads_ahead;             /* a set is read in the cycle before its access, */
    bool set_read;                /* the set of the request at the head has been read, */
    uint64_t taken_until; /* and the first time at which the bank may take the next request */
    bool hears_uses;      /* a policy receives each use of a line */
    bool hears_accesses;  /* a policy receives each access, with this outcome: */
    enum l2_outcome outcome;
    bool *prefetched;        /* [set][way] no request has used it; NULL: no prefetch */
    struct sectors *sectors; /* NULL: lines are fetched and written whole */
    struct mshr_file mshrs;
    struct l2_mshr_pool *pool;    /* NULL: it has its own MSHRs */
    struct l2_fill *fill;         /* [MSHR] */
    struct ring queue;            /* after the arbiter */
    struct l2_port_end *port_end; /* [queue entry] */
    unsigned places;        /* of the queue; later entries of the ring are still in their port */
    uint64_t moved_at;      /* L2 cycle in which the last one that waited in the port left it */
    uint64_t held;          /* L2 cycles in which a full queue blocked the port */
    struct ring miss_queue; /* with two DRAM queues: to the low one */
    struct ring high_queue; /* to the high one */
    bool has_high;
    bool writes_low; /* writes never go to the high one (medic.writes) */
    bool plain;      /* one way to the DRAM, no policy, no sectors */
    struct ring output;
    struct ring *from_dram;
    uint64_t free_at; /* the first time at which it takes, or looks at, the next request */
    enum l2_refusal refused;
    uint64_t refused_since; /* L2 cycle */
    unsigned waits;         /* changes that it may wait for: bits of enum l2_change */
    unsigned changed;       /* those of them that occurred since the refusal */
    FILE *events;
    struct l2_stats stats;
};

/** l2_bank_init() - bank @number of @partition. False: out of memory. */
bool l2_bank_init(struct l2_bank *b, const struct config *config, unsigned partition,
                  unsigned number);

/** l2_bank_attach() - connect it to the policies and the types of its partition, before the run. */
void l2_bank_attach(struct l2_bank *b, struct l2_policies *policies, struct l2_types *types);

/** l2_bank_join_port() - before the run: make its queue one ring with the pipeline of the only port
 * that leads to it. False: out of memory. */
bool l2_bank_join_port(struct l2_bank *b);
void l2_bank_destroy(struct l2_bank *b);

/** l2_bank_push() - push into the queue, which has room. @at_port_end: L2 cycle in which the
 * request was at the end of its port; @left_port: in which it left that. */
static inline void l2_bank_push(struct l2_bank *b, const struct request *r, uint64_t visible_at,
                                uint64_t at_port_end, uint64_t left_port) {
    b->port_end[(b->queue.head + b->queue.count) & b->queue.mask] =
        (struct l2_port_end){at_port_end, left_port};
    ring_push(&b->queue, r, visible_at, 1);
}

/** l2_bank_note() - note a change, for which the refused request may wait. */
static inline void l2_bank_note(struct l2_bank *b, unsigned change) {
    b->changed |= change & b->waits;
}

/* Could the request at the head be taken now, or refused for another reason? */
static inline bool l2_bank_may_go_on(const struct l2_bank *b) {
    return b->refused == L2_ACCEPTED || b->changed;
}

/** l2_bank_due() - can the bank itself make progress at @time? If not, l2_bank_cycle() does
 * nothing. A request that it has refused waits for a change, or is retried (@poll). */
static inline bool l2_bank_due(const struct l2_bank *b, uint64_t time, bool poll) {
    return (b->queue.front_at <= time && (l2_bank_may_go_on(b) || poll)) ||
           b->from_dram->front_at <= time || mshr_ready(&b->mshrs);
}

/**
 * l2_bank_cycle() - wake a waiting request, take a fill, access the tags.
 * @poll: retry a refused request even without a change
 * @parts: which of L2_BANK_WAKES and L2_BANK_ACCESSES, in this order; in two calls where the banks
 *         share MSHRs
 * Return: fills taken, 0 or 1.
 */
unsigned l2_bank_cycle(struct l2_bank *b, const struct now *now, bool poll, unsigned parts);

/** l2_bank_free_mshrs() - MSHRs that a miss can take. */
static inline unsigned l2_bank_free_mshrs(const struct l2_bank *b) {
    return b->pool ? b->pool->free : b->mshrs.free_count;
}

/** l2_bank_output_room() - answers that the output can take at @time. An answer that left ahead of
 * time keeps its place until its usual time. */
static inline uint32_t l2_bank_output_room(const struct l2_bank *b, uint64_t time) {
    return ring_room_beside_leaving(&b->output, time);
}

/** l2_bank_may_bypass() - may @r go to the DRAM without the bank? A write needs room for its
 * acknowledgement. */
static inline bool l2_bank_may_bypass(const struct l2_bank *b, const struct request *r,
                                      uint64_t time) {
    return r->kind != REQUEST_WRITE || l2_bank_output_room(b, time);
}

/** l2_bank_bypass() - @r goes to the DRAM without the bank, which counts it and acknowledges a
 * write. Return: the request for the DRAM. */
struct request l2_bank_bypass(struct l2_bank *b, const struct request *r, const struct now *now);

/** l2_bank_holds_return() - has data for a request without a line arrived, and is the output full?
 */
static inline bool l2_bank_holds_return(const struct l2_bank *b, uint64_t time) {
    return b->from_dram->front_at <= time && b->output.used == b->output.capacity &&
           ring_front(b->from_dram)->request.l2_route == L2_ROUTE_BYPASS;
}

/** l2_bank_stalled() - has it a refused request, or one that waited for a fill? */
static inline bool l2_bank_stalled(const struct l2_bank *b) {
    return b->refused != L2_ACCEPTED || mshr_ready(&b->mshrs);
}

/** l2_bank_next_stalled() - the time at which a stalled bank can continue by itself. */
uint64_t l2_bank_next_stalled(const struct l2_bank *b, uint64_t time);

/** l2_bank_next() - the time at which it can continue by itself, without miss queue and output;
 * NEVER: when one of these, or a push, changes its state. */
static inline uint64_t l2_bank_next(const struct l2_bank *b, uint64_t time) {
    if (l2_bank_stalled(b)) {
        return l2_bank_next_stalled(b, time);
    }
    uint64_t access = b->queue.front_at < b->free_at ? b->free_at : b->queue.front_at;
    return access < b->from_dram->front_at ? access : b->from_dram->front_at;
}

/** l2_bank_next_held() - the same if l2_bank_holds_return(). */
uint64_t l2_bank_next_held(const struct l2_bank *b, uint64_t time);

/** l2_bank_settle() - count the retries before @cycle. */
void l2_bank_settle(struct l2_bank *b, uint64_t cycle);

/** l2_bank_idle() - no request inside. */
bool l2_bank_idle(const struct l2_bank *b);

#endif
