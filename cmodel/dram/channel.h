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
#include "dram/address.h"
#include "dram/scheduler.h"
#include "dram/timing.h"

#define DRAM_QUEUE_MAX 256
#define DRAM_ENTRIES_MAX 256   /* of one queue, or of two with TWO_QUEUES_DEPTH_MAX each */
#define DRAM_ACTIVATES_KEPT 32 /* those that aw32 asks for */
#define DRAM_GROUPS_MAX 16
#define DRAM_RETURNS_MAX 16 /* return queues: L2 banks of a partition */

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
    bool activated; /* a row was opened for it */
    bool served;    /* a command was issued for it */
    uint64_t since; /* cycle of its arrival; from the first command for it on, of that command */
};

struct dram_bank {
    bool open;
    uint64_t row;
    /* First DRAM cycle in which the command is legal here. */
    uint64_t activate_at, read_at, write_at;
};

struct dram_stats {
    uint64_t reads, writes; /* requests */
    uint64_t prefetches;    /* lines of open rows, read without a request */
    uint64_t read_bytes, write_bytes;
    uint64_t activates, precharges, columns;
    uint64_t row_hits;    /* requests that no row was opened for */
    uint64_t data_cycles; /* command cycles in which the data bus is taken */
    /* Sums over cycles; a request is in the queue from its arrival to its last column command. */
    uint64_t busy_cycles;  /* cycles with a request in the queue */
    uint64_t bank_cycles;  /* banks with a request in the queue */
    uint64_t queue_cycles; /* requests in the queue */
    /* Sums over requests. */
    uint64_t wait_cycles;    /* from arrival to the first command for it */
    uint64_t service_cycles; /* from that command to the end of its data */
    /* Refreshes, where they are on. */
    uint64_t refreshes;
    uint64_t refresh_cycles; /* from a refresh's due time to the end of its tRFC */
    uint64_t write_drains;   /* batches of writes with dram.write_drain */
    /* The high path alone, where there is one. */
    uint64_t high_requests, high_wait_cycles;
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
    struct dram_timing timing;
    struct dram_bank bank[DRAM_BANKS_MAX];
    /* First cycle in which the bank's row command is legal: a precharge if it is open, else an
     * activate. */
    uint64_t row_at[DRAM_BANKS_MAX];
    uint64_t group_column_at[DRAM_GROUPS_MAX];
    uint64_t column_at, read_at, write_at, activate_at; /* whole channel: first legal cycle */
    uint64_t activated[DRAM_ACTIVATES_KEPT]; /* the latest activates: a ring, the next one's place
                                                is dram.activates modulo its size */
    struct dram_entry entry[DRAM_ENTRIES_MAX];
    uint8_t order[DRAM_ENTRIES_MAX];     /* entries, oldest first: their positions */
    uint16_t bank_count[DRAM_BANKS_MAX]; /* entries of a bank */
    uint64_t occupied;                   /* banks with an entry */
    unsigned occupied_banks;             /* their number */
    uint64_t open_banks;
    uint8_t spare[DRAM_ENTRIES_MAX]; /* entries that are free */
    unsigned count;
    uint64_t refresh_due;  /* cycle from which the next refresh is owed; NEVER: there is none */
    uint64_t refresh_from; /* the same, and after the last precharge for it */
    uint64_t refresh_last; /* cycle of the last command for a refresh */
    uint64_t counted_to;   /* cycle up to which the sums over cycles are complete */
    struct ring in;        /* from the L2, visible after the constant latency */
    struct ring high_in;   /* the same where scheduler.has_high_way: served first */
    struct ring out[DRAM_RETURNS_MAX];  /* read data to the L2, a queue a bank */
    struct dram_prefetcher *prefetcher; /* of open rows; NULL: none */
    struct ring answers;                /* of the L2 to its claims */
    struct ring *claims;                /* wired by the machine */
    struct clock_domain *clock;         /* its own; may be NULL where seen_at is */
    struct clock_domain *l2_clock;      /* whom to wake */
    uint64_t present;                   /* time of the evaluation */
    /* Time of the next reader of counters and queues. Up to it the channel may run ahead of the
     * present as far as it knows its inputs; only host time changes. NULL: it may not, because
     * events or a log need their order. */
    const uint64_t *seen_at;
    unsigned partition; /* unit of that clock */
    bool poll;          /* look at the queue though no command can have become legal */
    /* Command log for checkers: may be NULL. */
    void (*log)(void *user, uint64_t cycle, enum dram_command command, unsigned bank, uint64_t row);
    void *log_user;
    FILE *log_file; /* dram/log.c's */
    FILE *events;
    struct dram_stats stats;
    struct dram_scheduler scheduler;
    struct alarm *alarm; /* a channel that cannot go on rings it and then does nothing */
};

/** dram_channel_init() - channel of partition @partition, still without a scheduler
 * (dram/scheduler_table.h). False: out of memory. */
bool dram_channel_init(struct dram_channel *d, const struct config *config, unsigned partition,
                       const struct build *build);
void dram_channel_destroy(struct dram_channel *d);

/** dram_channel_cycle() - a DRAM cycle. Return: time of its next work; NEVER: when woken. */
static inline uint64_t dram_channel_cycle(struct dram_channel *d, const struct now *now) {
    return d->scheduler.cycle(d, now);
}

/** dram_channel_next_input() - when something new can be seen; NEVER: nothing is on its way. */
static inline uint64_t dram_channel_next_input(const struct dram_channel *d) {
    const struct ring *rings[] = {&d->in, &d->high_in, &d->answers};
    uint64_t next = NEVER;
    for (unsigned i = 0; i < 3; i++) {
        next = rings[i]->count ? earlier_time(next, ring_next(rings[i])) : next;
    }
    return next;
}

/** dram_channel_settle() - before statistics are read: bring sums over cycles and refreshes up to,
 * not including, @cycle. */
void dram_channel_settle(struct dram_channel *d, uint64_t cycle);

/** dram_channel_idle() - no request inside. */
bool dram_channel_idle(const struct dram_channel *d);

bool dram_channel_register_stats(const struct dram_channel *d, struct stats *s);

#endif
