/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_MRPB_H
#define WARPMEM_L1_MRPB_H

#include "l1/mrpb_ports.h"

#define MRPB_PICKS_MAX 3
#define MRPB_WRITES_MAX (MRPB_PICKS_MAX + 2)
#define MRPB_STAGES_MAX 16 /* a power of two; LATENCY - PIPE - 1 is less */

/**
 * mrpb_pipe() - PIPE: cycles from the choice of a request until it is visible to the cache.
 *
 * 3 stages (choose; look up the place; read the memory) if LATENCY leaves time for them, else 2
 * or 1.
 */
static inline unsigned mrpb_pipe(const struct mrpb_params *p) {
    return p->LATENCY < 5 ? p->LATENCY - 2 : MRPB_PICKS_MAX;
}

/** struct mrpb_queue - a ring of requests; entries between tail and head are free or on their way.
 */
struct mrpb_queue {
    uint64_t *entries;   /* [limit][words] */
    uint32_t limit;      /* entries that it has room for */
    uint32_t head, tail; /* the next to be chosen, the next place to fill */
    uint32_t stored;     /* entered, and their place is not free again */
    uint32_t ripe;       /* selectable */
};

/* A chosen request, or a write that waits for its choice. */
struct mrpb_request {
    uint64_t data[MRPB_DATA_WORDS];
    uint8_t queue;
    bool write;
};

/**
 * struct mrpb - memory request prioritization buffer: queues of requests between coalescer and L1
 * data cache, one a signature, and a drain policy that chooses between them.
 *
 * Source: Jia, Shaw, Martonosi, HPCA 2014, sections 3.1 to 3.5, 5.3 and 6. Verilog twin:
 * rtl/l1/mrpb.v.
 *
 * Cycle behaviour, the same in both. Each rule reads the state as it is at the beginning of its
 * cycle.
 *
 * - Stages. A request that enters its queue in cycle n is selectable from n + LATENCY - PIPE (at
 *   least n + 2). It is chosen in some cycle c, read from the memory in c + PIPE - 1 or later, and
 *   is in the outbound buffer, towards the cache, from the cycle after. So LATENCY cycles pass
 *   if nothing delays it. One request is chosen, one read, one taken a cycle (3.5). Requests
 *   are read in the order in which they were chosen, when the outbound buffer is empty or its
 *   request is taken at this edge.
 * - At most PIPE requests are chosen and not read: in a cycle that begins with so many, none is
 *   chosen. No choice depends on deq_ready.
 * - The place of an entry that is read in cycle r is free from r + 2. A queue with DEPTH places
 *   taken refuses. (A queue that must pass one request a cycle alone needs DEPTH > LATENCY.)
 * - FLUSH = 1: a write enters if its queue has no place taken, fewer than PIPE + 2 writes have
 *   entered and not been read, and no write was chosen in the last cycle while an entry of a queue
 *   was selectable (so that a stream of writes leaves half of the cycles to the reads). It is not
 *   stored in its queue but waits for the outbound buffer, and can be chosen from the second cycle
 *   after, for any LATENCY: PIPE + 2 cycles pass if nothing delays it, which are LATENCY up
 *   to 5, and 5 above. Writes are chosen in order, and before every entry of a queue: no later read
 *   of its queue overtakes it. (An earlier one has been read before the write enters.)
 * - FLUSH = 0: a write is an entry of its queue like a read.
 * - Choice of a queue, when no write waits:
 *   rule 1 (FLUSH) the queue that refused a read in the last cycle, if no place of it is free or
 *          becoming free: none of its entries was chosen since a place was freed last. So one
 *          item is drained for the read that waits.
 *   rule 2 (FLUSH) the queue that refused a write in the last cycle because a place was taken.
 *   rule 3 the drain policy; also if rule 1 or 2 names a queue without a selectable entry. Rules 1
 *          and 2 move no turn and end no greed.
 * - Drain policies (3.3), among the queues that have a selectable entry:
 *   fixed        the lowest.
 *   round-robin  the lowest above the one that the policy chose last; if there is none, the lowest.
 *   longest      the lowest of the longest ones, by the lengths two cycles before: a cycle counts
 *                the selectable entries at its beginning, and also the one that the cycle before
 *                it chose. If none of them has a selectable entry now, the lowest.
 *   greedy       the queue that the policy chose last as long as it has a selectable entry; then
 *                the basic policy.
 * - BYPASS: when the cache refuses the offered read with deq_assoc_stall (1) or deq_stall (2),
 *   deq_bypass is set from the next cycle until it is taken (3.4; the stall signal of section 6).
 *   deq_ready counts before it.
 * - DEPTH = 0, in C alone: queues grow; a queue refuses only if memory runs out.
 * - enq_queue is below QUEUES while enq_valid.
 */
struct mrpb {
    struct mrpb_params params;
    unsigned words, stride; /* 64-bit words a header; an entry */
    unsigned pipe;
    bool longest, round_robin, greedy;
    uint64_t *memory; /* the entries of all queues; NULL if they grow */
    struct mrpb_queue queue[MRPB_QUEUES_MAX];
    /* Queues as bit masks. */
    uint64_t ready;         /* with a selectable entry */
    uint64_t coming;        /* with an entry chosen since a place was freed last */
    uint64_t refused_read;  /* that refused a read in the last cycle and have no place free now */
    uint64_t refused_write; /* that refused a write in the last cycle because they were not empty */
    uint64_t prefer;        /* the policy's first candidates */
    uint64_t chosen;        /* greedy: its last choice */
    uint64_t *level;        /* longest: [i] those of length i and more; [0] all */
    uint32_t levels, top;   /* its size; the longest length */
    uint64_t longest_last;  /* the longest queues in the last cycle */
    /* Entries that are not selectable yet. */
    uint32_t delay_valid;                 /* which stages hold one, a bit a stage */
    uint32_t delay_last;                  /* bit of the last stage: selectable at this edge */
    uint8_t delay_queue[MRPB_STAGES_MAX]; /* their queues: a ring, the next from delay_out */
    uint8_t delay_in, delay_out;
    /* Requests from their choice until they are taken: a ring, the offered one first. */
    struct mrpb_request picked[MRPB_PICKS_MAX + 1];
    unsigned first, picks;      /* @picks: chosen and not read */
    bool offered, bypass;       /* the first one is in the outbound buffer */
    bool picked_last;           /* the last cycle chose one, */
    bool picked_write;          /* and it was a write, */
    uint8_t picked_queue;       /* of this queue */
    bool freeing;               /* the last cycle read an entry */
    uint8_t freed_queue;        /* of this queue */
    bool hold, write_entered;   /* writes wait for the reads; one entered in the last cycle */
    unsigned writes;            /* entered and not read */
    unsigned waiting, write_at; /* of them, those that can be chosen; place of the oldest */
    struct mrpb_request write[MRPB_WRITES_MAX];
};

/**
 * mrpb_init() - allocate and reset; params in the ranges of MRPB_PARAMS, or DEPTH 0. False: out of
 * memory.
 */
bool mrpb_init(struct mrpb *s, const struct mrpb_params *params);
void mrpb_destroy(struct mrpb *s);
/** mrpb_comb() - the outputs of this cycle; late inputs are not read. */
void mrpb_comb(const struct mrpb *s, const struct mrpb_in *in, struct mrpb_out *out);
/** mrpb_step() - the clock edge; @out is the output of mrpb_comb() for this @in. */
void mrpb_step(struct mrpb *s, const struct mrpb_in *in, const struct mrpb_out *out);
/** mrpb_quiet() - with these inputs held, neither state nor outputs ever change. */
bool mrpb_quiet(const struct mrpb *s, const struct mrpb_in *in);

#endif
