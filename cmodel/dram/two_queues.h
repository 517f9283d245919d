/* SPDX-License-Identifier: Apache-2.0
 *
 * Scheduler of a DRAM channel with two request queues (dram.queues = two; MeDiC 4.4): the block
 * dram/dual_queue chooses the commands. Requests of mostly-hit and all-hit warps come through the
 * channel's high_in to a queue of their own.
 *
 * dram.queue_share = common: both queues together hold dram.queue requests. Credits before the
 * block count them; the block is the same, and each of its queues can hold as many, up to its 128.
 * As in the block, a place is free in the cycle after a request's last command. If one place is
 * left and a request of each kind comes, the high one enters. A full low queue then blocks high
 * requests, which separate queues prevent (MeDiC 4.4, footnote 5).
 */
#ifndef WARPMEM_DRAM_TWO_QUEUES_H
#define WARPMEM_DRAM_TWO_QUEUES_H

#include "base/block.h"
#include "config/derived.h"
#include "dram/channel.h"
#include "dram/dual_queue.h"
#include "dram/queue_blocks.h"

/* Bits of a row number in the block. Real programs use addresses of 48 bits. Rows then take 31 bits
 * with 6 channels of 8 banks of 4 KB, and 32 with 8 channels of 4 banks of 2 KB, the smallest
 * preset. */
#define TWO_QUEUES_ROW_BITS 32
#define TWO_QUEUES_TAG_BITS 8

_Static_assert(TWO_QUEUES_DEPTH_MAX == DUAL_QUEUE_DEPTH_MAX, "a queue is the block's");
_Static_assert(DRAM_ENTRIES_MAX >= 2 * TWO_QUEUES_DEPTH_MAX, "an entry for each request");
_Static_assert(DRAM_ENTRIES_MAX <= 1 << TWO_QUEUES_TAG_BITS, "a tag is an entry's number");

/* The high queue's alone; the channel counts both queues. */
struct two_queues_stats {
    uint64_t high_requests, high_wait_cycles;
};

/** struct two_queues - never runs ahead, as the block needs each of its cycles in order. */
struct two_queues {
    struct block_instance block;
    struct timing_block timing; /* not used: dram/banks.h makes the masks */
    uint64_t cycle;             /* current DRAM cycle */
    unsigned depth;             /* requests that each of the block's queues holds */
    unsigned count[DUAL_QUEUE_SIDES];
    bool held[DUAL_QUEUE_SIDES]; /* queues whose head has no credit in this cycle */
    bool failed;                 /* it has set the alarm and does nothing from then on */
    struct two_queues_stats stats;
};

#endif
