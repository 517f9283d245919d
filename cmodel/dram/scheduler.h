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
 * dram/scheduler_table.c; or a plug-in brings it (gpu/plugin.h). Most need no more than choose():
 * then the channel takes requests in, says which of them can be served, issues the command and
 * sleeps until there is another choice (dram/chooser.c). A scheduler that keeps plans of its own
 * or wants another channel has cycle() instead.
 */
#ifndef WARPMEM_DRAM_SCHEDULER_H
#define WARPMEM_DRAM_SCHEDULER_H

#include "base/build.h"
#include "dram/channel.h"

/**
 * struct dram_view - a channel as choose() and tell() see it. A position is a request's place in
 * the order of arrival, from 0, the oldest; a slot stays its own as long as it is inside.
 * @cycle: DRAM cycle
 * @count: requests inside
 * @ready: for choose(): positions whose next command is legal in this cycle: a column command if
 *         the request's row is open, an activate if no row is open in its bank, else a precharge
 */
struct dram_view {
    const struct dram_channel *channel;
    uint64_t cycle;
    unsigned count;
    uint64_t ready[DRAM_QUEUE_MAX / 64];
};

#define DRAM_NO_POSITION DRAM_QUEUE_MAX

/** dram_view_slot() - below DRAM_ENTRIES_MAX. dram_view_request() - the request at a position. */
static inline unsigned dram_view_slot(const struct dram_view *v, unsigned position) {
    return v->channel->order[position];
}
static inline const struct dram_entry *dram_view_request(const struct dram_view *v,
                                                         unsigned position) {
    return &v->channel->entry[dram_view_slot(v, position)];
}

/** dram_view_is_ready() - is the position in @ready? dram_view_hits() - is its row open? */
static inline bool dram_view_is_ready(const struct dram_view *v, unsigned position) {
    return v->ready[position / 64] >> position % 64 & 1;
}
static inline bool dram_view_hits(const struct dram_view *v, unsigned position) {
    return entry_hits(v->channel, dram_view_request(v, position));
}

/**
 * struct dram_event - a request has entered, or a command was issued for it.
 * @slot: its own
 * @entered: it is the newest one now; else @command
 * @left: that was its last command, and it is inside no more
 */
struct dram_event {
    unsigned slot;
    bool entered, left;
    enum dram_command command;
    const struct dram_entry *entry;
};

/**
 * struct dram_scheduler_kind - one scheduler. All but name, about and choose or cycle may be NULL
 * or 0.
 * @about: one line
 * @wanted: do the configuration's keys ask for it? The first row that returns true is taken.
 *          NULL: dram.policy alone does
 * @has_high_way: it takes requests from the channel's high_in too, which exists then
 * @state_size: bytes of its state d->scheduler.state, zeroed before init
 * @init: may choose another d->scheduler.cycle; false: refused, with the reason in
 *        build->error
 * @destroy: undo init; also of a zeroed state
 * @choose: the request whose next command is issued in this cycle: a position in view->ready; or
 *          DRAM_NO_POSITION. Asked again later, and with --poll again at once: changes nothing
 * @tell: an event
 * @next_change: the first cycle after the current one in which choose() may give another answer
 *               for the same requests and the same view->ready; UINT64_MAX: none. NULL: never
 * @cycle: one DRAM cycle: accepts arrived requests and issues at most one command; may continue
 *         with the following cycles (dram/run_ahead.h). Return: see dram_channel_cycle()
 * @wants_open_row: is there a request inside for the open row of @bank? False if no row is open. A
 *                  request is inside from the cycle in which the scheduler takes it until its last
 *                  column command is issued. NULL: the channel compares its requests
 * @is_busy: may it act although no request is inside?
 * @reads_unasked: does it read the line of number @local for no request inside, and has taken that
 *                 up before request number @before came?
 * @settle: issue the commands before @cycle that need no request
 * @register_stats: register its counters
 */
struct dram_scheduler_kind {
    const char *name, *about;
    bool (*wanted)(const struct config *config);
    bool has_high_way;
    size_t state_size;
    bool (*init)(struct dram_channel *d, const struct build *build);
    void (*destroy)(void *state);
    unsigned (*choose)(const void *state, const struct dram_view *view);
    void (*tell)(void *state, const struct dram_view *view, const struct dram_event *event);
    uint64_t (*next_change)(const void *state, const struct dram_view *view);
    uint64_t (*cycle)(struct dram_channel *d, const struct now *now);
    bool (*wants_open_row)(const struct dram_channel *d, unsigned bank);
    bool (*is_busy)(const struct dram_channel *d);
    bool (*reads_unasked)(const struct dram_channel *d, uint64_t local, uint64_t before);
    void (*settle)(struct dram_channel *d, uint64_t cycle);
    bool (*register_stats)(const struct dram_channel *d, struct stats *s);
};

/** dram_scheduler_kind_at() - the i-th row; NULL: there are no more. */
const struct dram_scheduler_kind *dram_scheduler_kind_at(unsigned i);
/** dram_scheduler_wanted() - the row that the configuration's keys ask for. */
const struct dram_scheduler_kind *dram_scheduler_wanted(const struct config *config);

/** chooser_cycle() - the cycle of kinds with choose(). */
uint64_t chooser_cycle(struct dram_channel *d, const struct now *now);

/* A counter of a struct as a row of stats_register_members(). */
#define DRAM_STAT(of, member, unit, meaning, source) \
    { {"dram." #member, unit, meaning, source, STAT_SUM}, offsetof(of, member) }

#endif
