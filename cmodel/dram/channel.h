/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_DRAM_CHANNEL_H
#define WARPMEM_DRAM_CHANNEL_H

#include <stdio.h>

#include "base/alarm.h"
#include "base/build.h"
#include "base/clock.h"
#include "base/now.h"
#include "base/ring.h"
#include "base/stats.h"
#include "dram/banks.h"

#define DRAM_QUEUE_MAX 256
#define DRAM_ENTRIES_MAX 256 /* of one queue, or of two with TWO_QUEUES_DEPTH_MAX each */
#define DRAM_RETURNS_MAX 16  /* return queues: L2 banks of a partition */

enum dram_command {
    DRAM_ACTIVATE,
    DRAM_READ,
    DRAM_WRITE,
    DRAM_PRECHARGE,
    DRAM_REFRESH, /* all banks; its bank and row are 0 */
    DRAM_COMMANDS
};

struct dram_entry {
    struct request request;
    struct dram_address at;
    unsigned bursts_left;
    uint64_t number; /* in the order in which the channel took requests in */
    bool activated;  /* a row was opened for it */
    bool served;     /* a command was issued for it */
    bool begun;      /* a column command was: kept by fr_fcfs_rare.c alone */
    uint64_t since;  /* cycle of its arrival; from the first command for it on, of that command */
};

static inline bool entry_is_write(const struct dram_entry *e) {
    return e->request.kind != REQUEST_READ;
}

struct dram_stats {
    uint64_t reads, writes; /* requests */
    uint64_t prefetches;    /* lines of open rows, read without a request */
    uint64_t read_bytes, write_bytes;
    uint64_t activates, precharges, columns;
    uint64_t row_hits;    /* requests for which no row was opened */
    uint64_t data_cycles; /* command cycles in which the data bus is taken */
    /* Sums over cycles; a request is in the queue from its arrival to its last column command. */
    uint64_t busy_cycles;  /* cycles with a request in the queue */
    uint64_t bank_cycles;  /* banks with a request in the queue */
    uint64_t queue_cycles; /* requests in the queue */
    /* Sums over requests. */
    uint64_t wait_cycles;    /* from arrival to the first command for it */
    uint64_t service_cycles; /* from that command to the end of its data */
};

struct dram_border;
struct dram_channel;
struct dram_scheduler_kind;

/** struct dram_scheduler - the scheduler of a channel (dram/scheduler.h).
 * @cycle: the function that the channel calls
 * @ask_at, @copy: of dram/chooser.c: the cycle in which it asks again, unless a request comes; room
 *                 for a copy of the state where it asks twice, else NULL */
struct dram_scheduler {
    const struct dram_scheduler_kind *kind;
    void *state;
    uint64_t (*cycle)(struct dram_channel *d, const struct now *now);
    uint64_t ask_at;
    void *copy;
};

/**
 * struct dram_channel - GDDR controller and devices of one channel.
 *
 * A scheduler (dram/scheduler.h) chooses at most one command a cycle. A fetch moves the whole L2
 * line; a write, and a read for a request that takes no line there, the bursts of its bytes. A
 * read's data goes to the return queue of its L2 bank when its last burst has ended.
 */
struct dram_channel {
    const struct config *config;
    struct dram_map map;
    struct dram_banks banks;
    struct dram_entry entry[DRAM_ENTRIES_MAX];
    uint8_t order[DRAM_ENTRIES_MAX];     /* entries, oldest first: their positions */
    uint16_t bank_count[DRAM_BANKS_MAX]; /* entries of a bank */
    uint64_t occupied;                   /* banks with an entry */
    unsigned occupied_banks;             /* their number */
    uint8_t spare[DRAM_ENTRIES_MAX];     /* free entries */
    unsigned count;
    uint64_t counted_to; /* cycle up to which the sums over cycles are complete */
    struct ring in;      /* from the L2, visible after the constant latency */
    struct ring high_in; /* the same, if the scheduler's kind has a high way: served first */
    struct ring out[DRAM_RETURNS_MAX]; /* read data to the L2, a queue a bank */
    struct ring answers;               /* of the L2 to its claims (dram/prefetcher.c) */
    struct ring *claims;               /* wired by the machine */
    struct clock_domain *clock;        /* its own; may be NULL if seen_at is */
    struct clock_domain *l2_clock;     /* clock of the L2, whose units it wakes */
    uint64_t present;                  /* time of the evaluation */
    uint64_t ahead_to;                 /* time up to, not including, which inputs are dealt with */
    unsigned early;                    /* cycles before a request is visible: evaluate it then */
    /* The next time at which counters and queues are read. Until then the channel may run ahead of
     * the present as far as its inputs are known; only host time changes. NULL: it may not, because
     * events or a log need their order. */
    const uint64_t *seen_at;
    unsigned partition; /* unit of that clock */
    uint64_t numbered;  /* requests that have been given a number */
    bool line_order;    /* dram.line_order; then, by dram/line_order.h: */
    bool holds_some;
    uint64_t held[DRAM_QUEUE_MAX / 64];    /* positions without a column command */
    uint64_t holding[DRAM_QUEUE_MAX / 64]; /* positions that another one waits for */
    bool poll; /* inspect the queue even if no command can have become legal */
    /* Command log for checkers: may be NULL. @column: whose column command it is, or NULL. */
    void (*log)(void *user, uint64_t cycle, enum dram_command command, unsigned bank, uint64_t row,
                const struct dram_entry *column);
    void *log_user;
    FILE *log_file;             /* of dram/log.c */
    struct dram_border *border; /* dram/border.h; NULL: not recorded */
    FILE *events;
    struct dram_stats stats;
    struct dram_scheduler scheduler;
    struct alarm *alarm; /* a channel that cannot continue sets it and does nothing from then on */
};

/** entry_hits() - is the entry's row the open row of its bank? */
static inline bool entry_hits(const struct dram_channel *d, const struct dram_entry *e) {
    const struct dram_bank *b = &d->banks.bank[e->at.bank];
    return b->open && b->row == e->at.row;
}

/** dram_channel_init() - set up the channel of partition @partition, with the scheduler @named;
 * NULL: that of the configuration's keys (dram/scheduler.h). False: refused. */
bool dram_channel_init(struct dram_channel *d, const struct config *config, unsigned partition,
                       const struct dram_scheduler_kind *named, const struct build *build);
void dram_channel_destroy(struct dram_channel *d);

/** dram_channel_cycle() - one DRAM cycle. Return: time of its next work; NEVER: when woken. */
static inline uint64_t dram_channel_cycle(struct dram_channel *d, const struct now *now) {
    return d->scheduler.cycle(d, now);
}

/** dram_channel_next_input() - the time at which a new input is to be seen; NEVER: none comes. */
static inline uint64_t dram_channel_next_input(const struct dram_channel *d) {
    const struct ring *rings[] = {&d->in, &d->high_in, &d->answers};
    uint64_t next = NEVER;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t at = ring_next(rings[i]) - (rings[i]->count ? d->early * d->clock->period : 0);
        next = rings[i]->count && at >= d->ahead_to ? earlier_time(next, at) : next;
    }
    return next;
}

/** dram_channel_settle() - before statistics are read: complete sums over cycles and refreshes
 * before @cycle. */
void dram_channel_settle(struct dram_channel *d, uint64_t cycle);

/** dram_channel_idle() - no request inside. */
bool dram_channel_idle(const struct dram_channel *d);

/** dram_channel_wants_open_row() - see struct dram_scheduler_kind. */
bool dram_channel_wants_open_row(const struct dram_channel *d, unsigned bank);

bool dram_channel_register_stats(const struct dram_channel *d, struct stats *s);

#endif
