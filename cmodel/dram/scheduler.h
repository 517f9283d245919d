/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface between a DRAM channel and the scheduler that chooses its commands.
 *
 * The channel (dram/channel.h) keeps banks and their timing, requests, data and statistics, and
 * names no scheduler. A scheduler keeps the state that it derives from the requests for its choice.
 * Calls go one way: scheduler, commands of the channel (dram/channel_commands.h), banks
 * (dram/banks.h).
 *
 * A scheduler is one file below dram/ with a struct dram_scheduler_kind, and one row in
 * dram/scheduler_table.c.
 */
#ifndef WARPMEM_DRAM_SCHEDULER_H
#define WARPMEM_DRAM_SCHEDULER_H

#include "base/build.h"
#include "dram/channel.h"

/**
 * struct dram_scheduler_kind - one scheduler. All but name, wanted and cycle may be NULL or 0.
 * @wanted: does the configuration ask for it? The first row that returns true is taken
 * @has_high_way: it takes requests from the channel's high_in too, which exists then
 * @state_size: bytes of its state, zeroed before init
 * @init: may choose another d->scheduler.cycle; false: refused, with the reason in build->error
 * @destroy: undo init; also of a zeroed state
 * @cycle: one DRAM cycle: accepts arrived requests and issues at most one command; may continue
 *         with the following cycles (dram/run_ahead.h). Return: see dram_channel_cycle()
 * @wants_open_row: is there a request inside for the open row of @bank? False if no row is open. A
 *                  request is inside from the cycle in which the scheduler takes it until its last
 *                  column command is issued. NULL: the channel compares its requests
 * @is_busy: may it act although no request is inside?
 * @settle: issue the commands before @cycle that need no request
 * @register_stats: register its counters
 */
struct dram_scheduler_kind {
    const char *name;
    bool (*wanted)(const struct config *config);
    bool has_high_way;
    size_t state_size;
    bool (*init)(struct dram_channel *d, const struct build *build);
    void (*destroy)(void *state);
    uint64_t (*cycle)(struct dram_channel *d, const struct now *now);
    bool (*wants_open_row)(const struct dram_channel *d, unsigned bank);
    bool (*is_busy)(const struct dram_channel *d);
    void (*settle)(struct dram_channel *d, uint64_t cycle);
    bool (*register_stats)(const struct dram_channel *d, struct stats *s);
};

/** dram_scheduler_wanted() - the row that the configuration asks for. */
const struct dram_scheduler_kind *dram_scheduler_wanted(const struct config *config);

/* A counter of a struct as a row of stats_register_members(). */
#define DRAM_STAT(of, member, unit, meaning, source) \
    { {"dram." #member, unit, meaning, source, STAT_SUM}, offsetof(of, member) }

#endif
