/* SPDX-License-Identifier: Apache-2.0
 *
 * FR-FCFS of one queue (dram.queues = one).
 */
#ifndef WARPMEM_DRAM_FR_FCFS_H
#define WARPMEM_DRAM_FR_FCFS_H

#include "base/block.h"
#include "dram/channel.h"

#define FR_FCFS_WORDS (DRAM_QUEUE_MAX / 64)
#define FR_FCFS_NO_POSITION DRAM_QUEUE_MAX

/**
 * struct fr_fcfs - first ready, first come first served.
 *
 * In a cycle it issues the oldest request's column command that is legal now; else, bank by bank in
 * the order of their oldest requests, an activate of a closed bank or a precharge of a bank whose
 * open row no request in the queue wants. Rows stay open.
 *
 * dram.row_hit_cap is DRAMsim3's rule (its constant is 4): after this many column commands to its
 * open row a bank is precharged for its oldest request if that wants another row, as soon as this
 * is legal. Row hits are still issued until then, so a stream of writes can delay the precharge,
 * each by its recovery time. A request of several bursts that has begun is finished first.
 *
 * Without a cap FR-FCFS is not fair: a request waits for all column commands of later requests that
 * hit the open row, as long as such requests come. The cores bound the wait, because every stream
 * of theirs is finite: each of its requests is served, and a bank's row is closed as soon as its
 * last hit has gone (tb/dram/channel_stats_test.c).
 *
 * With dram.write_drain reads and writes are two classes, each scheduled FR-FCFS without regard to
 * the other: rows that the class in service does not want are closed for it. Reads are in service
 * unless none waits, or a batch of writes is drained: from write_high writes in the queue until
 * write_low are left. Reads and writes share one queue, dram.queue, because one path brings both
 * from the L2 in order, and the simulator's full write queue blocks reads there too. Nothing
 * starves: write_high is at most the queue's size, so a queue full of writes is served. A read may
 * pass an older write of its line; data are not kept here.
 *
 * Positions are those of the channel's order: 0 is the oldest request.
 */
struct fr_fcfs {
    uint64_t hits[FR_FCFS_WORDS];    /* positions whose row is open */
    uint64_t writing[FR_FCFS_WORDS]; /* positions of writes */
    uint64_t kept_banks;    /* banks that must stay open: a request, not capped, wants their open
                               row */
    unsigned cap;           /* dram.row_hit_cap */
    bool split;             /* dram.write_drain: one class at a time, else all requests */
    bool in_batch;          /* writes go first until write_low are left */
    bool reads, writes;     /* the class in service */
    unsigned writes_inside; /* writes in the queue; kept where split */
    uint64_t held;          /* banks whose row a prefetcher keeps open (dram/prefetcher.h) */
    bool replan;            /* with a prefetcher: the plan may be out of date */
    bool issued;            /* a command, in this cycle */
    bool admitted;          /* a request came in, in this cycle */
    uint64_t idle_until;    /* DRAM cycle before which no command is legal */
    /* Position whose column command is issued at idle_until if no request comes before;
     * FR_FCFS_NO_POSITION: a row command is. */
    unsigned planned_column;
    uint8_t bank_of[DRAM_QUEUE_MAX];    /* bank of the request at a position */
    uint16_t hit_count[DRAM_BANKS_MAX]; /* requests of a bank whose row is open */
    uint8_t columns[DRAM_BANKS_MAX];    /* column commands to the open row, up to the cap */
};

/** fr_fcfs_make() - see dram_make_scheduler(). */
bool fr_fcfs_make(struct dram_channel *d, const struct build *build);

#endif
