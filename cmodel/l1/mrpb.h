/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_MRPB_H
#define WARPMEM_L1_MRPB_H

#include "l1/mrpb_ports.h"

#define MRPB_WRITE_SLOTS 2

/**
 * struct mrpb - memory request prioritization buffer, in the paper's final form.
 *
 * Queues of read requests between coalescer and L1 data cache, drained in fixed order (lowest queue
 * first), with flush and bypass on associativity stalls. Source: Jia, Shaw, Martonosi, HPCA 2014,
 * sections 3.1 to 3.5 and 6, table 4 (bold). Verilog twin: rtl/l1/mrpb.v.
 *
 * Cycle behaviour, the same in both:
 *
 * - A read enters its queue when the queue holds fewer than DEPTH entries. Entered in cycle n, it
 *   can be selected from cycle n + LATENCY - 1 and stands at the outbound buffer, towards the
 *   cache, from cycle n + LATENCY.
 * - A write is never stored in a queue (flush, section 3.3 rule 2). The outbound buffer has two
 *   write slots, a FIFO: a write enters when its queue is empty and the second slot is free, and
 *   stands there from the next cycle. Writes leave in order, behind the read that stands in the
 *   outbound buffer by then. Two slots, because enq_ready does not look at deq_ready: one leaves
 *   while the next one enters.
 * - Selection, one queue a cycle, when the outbound buffer has no read or its read is taken at this
 *   edge, and no write stays in it: none stands there, or one, which is taken at this edge. So no
 *   later read of its warp overtakes a write. A read that is selected at the edge at which a write
 *   enters stands before it, and is of another queue, because the queue of that write is empty.
 *   Selected is the queue that a waiting read finds full (rule 1) or a waiting write finds not
 *   empty (rule 2), if it has a selectable entry; else the lowest queue that has one (rule 3). The
 *   place of a selected entry is free for an enqueue in the next cycle.
 * - So the outbound buffer is empty only if nothing could have been moved to it: reads alone,
 *   writes alone, and reads that alternate with writes of other warps pass one a cycle in steady
 *   state (section 3.5).
 * - When the cache refuses the offered read with deq_assoc_stall, deq_bypass is set from the next
 *   cycle on, until it is taken (section 3.4; the stall signal of section 6). deq_ready counts
 *   before it.
 * - enq_queue is below QUEUES while enq_valid.
 */
struct mrpb {
    struct mrpb_params params;
    unsigned words;          /* 64-bit words a header */
    uint64_t *entries;       /* [queue][slot][words] */
    uint8_t *head;           /* oldest entry, a queue */
    uint8_t *count;          /* entries stored, a queue */
    uint8_t *selectable;     /* of them, those that have waited long enough */
    uint64_t nonempty;       /* queues with a selectable entry */
    uint64_t delay_queue[2]; /* entries not selectable yet: queue, a byte a stage, youngest first */
    uint32_t delay_valid;    /* the same: which stages hold one, a bit a stage */
    uint32_t delay_last;     /* bit of the last stage: it becomes selectable at this edge */
    bool read_valid, read_bypass;
    uint8_t read_queue;
    uint64_t read_data[MRPB_DATA_WORDS];
    unsigned writes; /* that stand in the outbound buffer, the older one in slot 0 */
    uint8_t write_queue[MRPB_WRITE_SLOTS];
    uint64_t write_data[MRPB_WRITE_SLOTS][MRPB_DATA_WORDS];
};

/** mrpb_init() - allocate and reset; params in the ranges of MRPB_PARAMS. False: out of memory. */
bool mrpb_init(struct mrpb *s, const struct mrpb_params *params);
void mrpb_destroy(struct mrpb *s);
/** mrpb_comb() - the outputs of this cycle; late inputs are not read. */
void mrpb_comb(const struct mrpb *s, const struct mrpb_in *in, struct mrpb_out *out);
/** mrpb_step() - the clock edge; out as mrpb_comb gave it for this very in. */
void mrpb_step(struct mrpb *s, const struct mrpb_in *in, const struct mrpb_out *out);
/** mrpb_quiet() - with these inputs held, neither state nor outputs ever change. */
bool mrpb_quiet(const struct mrpb *s, const struct mrpb_in *in);

/* The port list and the functions above as data (l1/mrpb_block.c). */
struct block;
extern const struct block mrpb_block;

#endif
