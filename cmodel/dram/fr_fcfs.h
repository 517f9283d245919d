/* SPDX-License-Identifier: Apache-2.0
 *
 * FR-FCFS of one queue (dram.queues = one).
 */
#ifndef WARPMEM_DRAM_FR_FCFS_H
#define WARPMEM_DRAM_FR_FCFS_H

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
 * FR-FCFS is not fair: a request waits for all column commands of later requests that hit the open
 * row, as long as such requests come. The cores bound the wait, because every stream of theirs is
 * finite: each of its requests is served, and a bank's row is closed as soon as its last hit has
 * left (tb/dram/channel_stats_test.c).
 *
 * Positions are those of the channel's order: 0 is the oldest request.
 */
struct fr_fcfs {
    uint64_t hits[FR_FCFS_WORDS];    /* positions whose row is open */
    uint64_t writing[FR_FCFS_WORDS]; /* positions of writes */
    uint64_t kept_banks;             /* banks that must stay open: a request wants their row */
    uint64_t idle_until;             /* DRAM cycle before which no command is legal */
    /* Position whose column command is issued at idle_until if no request arrives before;
     * FR_FCFS_NO_POSITION: a row command is. */
    unsigned planned_column;
    unsigned words;                     /* of the masks, for fr_fcfs_rare.c */
    uint8_t bank_of[DRAM_QUEUE_MAX];    /* bank of the request at a position */
    uint16_t hit_count[DRAM_BANKS_MAX]; /* requests of a bank whose row is open */
};

/** fr_fcfs_wants_open_row() - see struct dram_scheduler_kind. */
bool fr_fcfs_wants_open_row(const struct dram_channel *d, unsigned bank);

/*
 * For dram/fr_fcfs_rare.c: the steps of a cycle. They consider only requests in service: reads,
 * writes or both.
 */
struct fr_fcfs_service {
    bool reads, writes;
};

/** fr_fcfs_admit() - the oldest request of d->in enters. */
void fr_fcfs_admit(struct dram_channel *d, struct fr_fcfs *s, const struct now *now);

/** fr_fcfs_ready_column() - the oldest request whose column command is legal at @cycle.
 * fr_fcfs_ready_row() - of @banks, the one with the oldest request whose row command is legal: that
 * request. Return: its position, or FR_FCFS_NO_POSITION. */
unsigned fr_fcfs_ready_column(const struct dram_channel *d, const struct fr_fcfs *s, uint64_t cycle,
                              struct fr_fcfs_service service);
unsigned fr_fcfs_ready_row(const struct dram_channel *d, const struct fr_fcfs *s, uint64_t cycle,
                           struct fr_fcfs_service service, uint64_t banks);

/** fr_fcfs_issue_column() - issue that of the request at a position. Return: it was the last one,
 * and the request has left. fr_fcfs_issue_row() - Return: the row was opened. */
bool fr_fcfs_issue_column(struct dram_channel *d, struct fr_fcfs *s, unsigned position,
                          const struct now *now);
bool fr_fcfs_issue_row(struct dram_channel *d, struct fr_fcfs *s, unsigned position,
                       const struct now *now);

/** fr_fcfs_cycle_of_only() - first cycle in which the next command of the only request is legal. */
uint64_t fr_fcfs_cycle_of_only(const struct dram_channel *d, const struct fr_fcfs *s);

/** fr_fcfs_plan_column() - set idle_until to the first cycle, from @first on, in which a column
 * command is legal. fr_fcfs_plan_row() - then to that of a row command in @banks, if earlier. */
void fr_fcfs_plan_column(const struct dram_channel *d, struct fr_fcfs *s, uint64_t first,
                         struct fr_fcfs_service service);
void fr_fcfs_plan_row(const struct dram_channel *d, struct fr_fcfs *s, uint64_t first,
                      uint64_t banks);

#endif
