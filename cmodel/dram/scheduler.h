/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface between a DRAM channel and the scheduler that chooses its commands.
 *
 * The channel (dram/channel.h) keeps timing, banks, requests, data and statistics, and knows no
 * scheduler by name. A scheduler keeps what it derives from the requests in order to choose; it
 * takes requests and issues commands by the functions of dram/channel_commands.h.
 * dram/scheduler_table.c names the scheduler of each value of dram.queues.
 *
 * A prefetcher of open rows (OWL 4.4) joins FR-FCFS: dram/prefetcher.h. The scheduler tells it the
 * commands and the open rows that requests wait for, keeps the rows open that it names, and leaves
 * it the cycles without a command.
 */
#ifndef WARPMEM_DRAM_SCHEDULER_H
#define WARPMEM_DRAM_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

struct dram_channel;
struct now;

/**
 * struct dram_scheduler - the scheduler of a channel.
 * @self: its own state
 * @has_high_way: it takes requests from the channel's high_in too, which exists then
 * @cycle: one DRAM cycle: accepts arrived requests and issues at most one command; where allowed,
 *         goes on with the following cycles. Return: see dram_channel_cycle()
 * @wants_open_row: is there a request inside that wants the row that @bank has open? False too if
 *                  no row is open. A request is inside from the cycle in which the scheduler takes
 *                  it until its last column command is issued
 * @destroy: frees @self
 */
struct dram_scheduler {
    void *self;
    bool has_high_way;
    uint64_t (*cycle)(struct dram_channel *d, const struct now *now);
    bool (*wants_open_row)(const struct dram_channel *d, unsigned bank);
    void (*destroy)(void *self);
};

#endif
