/* SPDX-License-Identifier: Apache-2.0
 *
 * FR-FCFS of one queue (dram.queues = one).
 */
#ifndef WARPMEM_DRAM_ONE_QUEUE_H
#define WARPMEM_DRAM_ONE_QUEUE_H

#include "dram/fr_fcfs_choice.h"
#include "dram/queue_blocks.h"

/**
 * struct one_queue - first ready, first come first served.
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
 * Positions are those of the channel's order: 0 is the oldest request. The block dram/fr_fcfs makes
 * the same choice cycle by cycle.
 */
struct one_queue {
    struct fr_fcfs_positions at;
    uint64_t idle_until; /* DRAM cycle before which no command is legal */
    /* Position whose column command is issued at idle_until if no request arrives before;
     * FR_FCFS_NO_POSITION: a row command is. */
    unsigned planned_column;
    unsigned words; /* of the masks, for fr_fcfs_rare.c */
    struct queue_blocks blocks;
};

/** one_queue_wants_open_row() - see struct dram_scheduler_kind. */
bool one_queue_wants_open_row(const struct dram_channel *d, unsigned bank);

/*
 * For dram/fr_fcfs_rare.c: the steps of a cycle. They consider only requests in service: reads,
 * writes or both.
 */
struct one_queue_service {
    bool reads, writes;
};

/** one_queue_admit() - the oldest request of d->in enters. */
void one_queue_admit(struct dram_channel *d, struct one_queue *s, const struct now *now);

/** one_queue_ready_column() - the oldest request whose column command is legal at @cycle.
 * one_queue_ready_row() - of @banks, the one with the oldest request whose row command is legal:
 * that request. Return: its position, or FR_FCFS_NO_POSITION. */
unsigned one_queue_ready_column(const struct dram_channel *d, const struct one_queue *s,
                                uint64_t cycle, struct one_queue_service service);
unsigned one_queue_ready_row(const struct dram_channel *d, const struct one_queue *s,
                             uint64_t cycle, struct one_queue_service service, uint64_t banks);

/** one_queue_issue_column() - issue that of the request at a position. Return: it was the last one,
 * and the request has left. one_queue_issue_row() - Return: the row was opened. */
bool one_queue_issue_column(struct dram_channel *d, struct one_queue *s, unsigned position,
                            const struct now *now);
bool one_queue_issue_row(struct dram_channel *d, struct one_queue *s, unsigned position,
                         const struct now *now);

/** one_queue_cycle_of_only() - first cycle in which the next command of the only request is
 * legal. */
uint64_t one_queue_cycle_of_only(const struct dram_channel *d, const struct one_queue *s);

/** one_queue_plan_column() - set idle_until to the first cycle, from @first on, in which a column
 * command is legal. one_queue_plan_row() - then to that of a row command in @banks, if earlier. */
void one_queue_plan_column(const struct dram_channel *d, struct one_queue *s, uint64_t first,
                           struct one_queue_service service);
void one_queue_plan_row(const struct dram_channel *d, struct one_queue *s, uint64_t first,
                        uint64_t banks);

#endif
