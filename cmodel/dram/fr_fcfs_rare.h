/* SPDX-License-Identifier: Apache-2.0
 *
 * FR-FCFS of one queue with features that few machines have: refreshes, a cap of row hits, writes
 * in batches, rows that a prefetcher keeps open.
 */
#ifndef WARPMEM_DRAM_FR_FCFS_RARE_H
#define WARPMEM_DRAM_FR_FCFS_RARE_H

#include "dram/one_queue.h"
#include "dram/refresh.h"

/** struct fr_fcfs_command - the command of a cycle. @last: the entry's last column command */
struct fr_fcfs_command {
    enum {
        FR_FCFS_NOTHING,
        FR_FCFS_COLUMN,
        FR_FCFS_ACTIVATE,
        FR_FCFS_PRECHARGE, /* of the bank of the entry, which wants another row */
    } kind;
    bool last;
    const struct dram_entry *entry;
};

/**
 * struct fr_fcfs_rare - FR-FCFS and the state of these features.
 *
 * dram.row_hit_cap is DRAMsim3's rule (its constant is 4): after this many column commands to its
 * open row a bank is precharged for its oldest request if that wants another row, as soon as this
 * is legal. Row hits are still issued until then, so a stream of writes can delay the precharge,
 * each by its recovery time. A request of several bursts that has begun is finished first.
 *
 * With dram.write_drain reads and writes are two classes, each scheduled FR-FCFS without regard to
 * the other: rows that the class in service does not want are closed for it. Reads are in service
 * unless none waits, or a batch of writes is drained: from write_high writes in the queue until
 * write_low are left. Reads and writes share one queue, dram.queue, because one path brings both
 * from the L2 in order, and the simulator's full write queue blocks reads there too. No request
 * starves: write_high is at most the queue's size, so a queue full of writes is served. A read may
 * pass an older write of its line; this model keeps no data.
 */
struct fr_fcfs_rare {
    struct one_queue queue; /* its kept_banks: without the banks that have reached the cap */
    struct dram_refresh refresh;
    unsigned cap;                     /* dram.row_hit_cap */
    uint8_t columns[DRAM_BANKS_MAX];  /* column commands to the open row, up to the cap */
    bool split;                       /* dram.write_drain: one class at a time, else all requests */
    bool in_batch;                    /* writes go first until write_low are left */
    struct one_queue_service service; /* the class in service */
    unsigned writes_inside;           /* writes in the queue; kept if split */
    uint64_t write_drains;            /* batches */
    uint64_t held;                    /* banks whose row a prefetcher keeps open */
    bool replan;                      /* the plan may be out of date */
    bool admitted;                    /* a request entered in this cycle */
    struct fr_fcfs_command command;   /* of this cycle */
};

void fr_fcfs_rare_init(struct fr_fcfs_rare *s, const struct config *config);

/** fr_fcfs_rare_step() - one DRAM cycle of a channel whose scheduler's state begins with a struct
 * fr_fcfs_rare. Return: see run_channel_ahead(). */
uint64_t fr_fcfs_rare_step(struct dram_channel *d, const struct now *now);

bool fr_fcfs_rare_register_stats(const struct dram_channel *d, struct stats *s);

#endif
