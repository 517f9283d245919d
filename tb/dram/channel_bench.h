/* SPDX-License-Identifier: Apache-2.0
 *
 * A DRAM channel with the test as L2: requests go in, data comes out, commands are logged.
 */
#ifndef WARPMEM_TB_CHANNEL_BENCH_H
#define WARPMEM_TB_CHANNEL_BENCH_H

#include "base/seeded.h"

#include <string.h>

#include "config/preset.h"
#include "dram/scheduler.h"

#define LOG_MAX 4096
#define LINE 128 /* l2.line_bytes of the benches, if they do not say else */

struct command {
    uint64_t cycle, row;
    enum dram_command command;
    unsigned bank;
};

struct channel_bench {
    struct config config;
    struct dram_channel d;
    struct clock_domain dram, l2;
    uint64_t now, period, attention;
    struct alarm alarm;
    const struct dram_scheduler_kind *named; /* NULL: that of the configuration's keys */
    bool poll;
    bool ahead;       /* the channel may run ahead of the present, up to seen_at */
    uint64_t seen_at; /* set before it is opened */
    struct command log[LOG_MAX];
    unsigned commands;
};

static inline void bench_log(void *user, uint64_t cycle, enum dram_command command, unsigned bank,
                             uint64_t row, const struct dram_entry *column) {
    (void)column;
    struct channel_bench *b = user;
    if (b->commands < LOG_MAX) {
        b->log[b->commands] = (struct command){cycle, row, command, bank};
    }
    b->commands++;
}

/* The clock starts at 1000 cycles: nothing that happens then is near the power-on. */
static inline void open_channel(struct channel_bench *b, uint64_t period) {
    assert_legal(&b->config);
    b->period = period;
    b->now = 1000 * period;
    b->commands = 0;
    clock_domain_init(&b->dram, period, 1);
    clock_domain_init(&b->l2, 1, 1);
    b->alarm = (struct alarm){.attention = &b->attention};
    b->attention = NEVER;
    const struct build build = {.alarm = &b->alarm, .asks_twice = b->poll};
    assert_true(dram_channel_init(&b->d, &b->config, 0, b->named, &build));
    b->d.l2_clock = &b->l2;
    b->d.clock = &b->dram;
    b->d.seen_at = b->ahead ? &b->seen_at : NULL;
    b->d.poll = b->poll;
    b->d.log = bench_log;
    b->d.log_user = b;
}

/** channel_count() - a counter of the channel by its name. */
static inline uint64_t channel_count(const struct channel_bench *b, const char *name) {
    struct stats *s = stats_create();
    assert_true(s && dram_channel_register_stats(&b->d, s));
    uint64_t count = stats_get(s, name);
    stats_destroy(s);
    return count;
}

static inline void close_channel(struct channel_bench *b) {
    dram_channel_destroy(&b->d);
}

/** CHANNEL() - an open one until the end of the scope. */
#define CHANNEL(b, config_of, period) \
    CLOSED_BY(close_channel) struct channel_bench b = {.config = config_of}; \
    open_channel(&b, period)

/** local_line() - the local line of a row, bank and column (a line each), by the documented order.
 */
static inline uint64_t local_line(const struct config *c, uint64_t row, unsigned bank,
                                  unsigned column) {
    return (row * c->dram.banks + bank) * (c->dram.row_bytes / c->l2.line_bytes) + column;
}

/** ask_through() - a request that comes by this way and can be seen at @visible. Its identity
 * stands in its line number. */
static inline void ask_through(struct channel_bench *b, struct ring *way, unsigned kind,
                               unsigned bytes, uint64_t local, uint64_t id, uint64_t visible) {
    struct request r = {
        .line = id, .local = local, .kind = (uint8_t)kind, .bytes = (uint16_t)bytes};
    ring_push(way, &r, visible, 1);
    clock_wake_at(&b->dram, 0, b->now, visible);
}

/** ask_bytes_at() - the same by the way of the only queue, or the low one. */
static inline void ask_bytes_at(struct channel_bench *b, unsigned kind, unsigned bytes,
                                uint64_t local, uint64_t id, uint64_t visible) {
    ask_through(b, &b->d.in, kind, bytes, local, id, visible);
}

/** ask_bytes() - a request that can be seen at the channel's next edge. */
static inline void ask_bytes(struct channel_bench *b, unsigned kind, unsigned bytes, uint64_t local,
                             uint64_t id) {
    ask_bytes_at(b, kind, bytes, local, id, (b->now / b->period + 1) * b->period);
}

/** ask_channel() - the same, of a whole line. */
static inline void ask_channel(struct channel_bench *b, unsigned kind, uint64_t local,
                               uint64_t id) {
    ask_bytes(b, kind, b->config.l2.line_bytes, local, id);
}

static inline void channel_tick(struct channel_bench *b) {
    b->now++;
    bool due = b->poll ? b->now == b->dram.edge : b->now == b->dram.next;
    if (due && (clock_take(&b->dram, b->now) || b->poll)) {
        clock_evaluated(&b->dram, 0, dram_channel_cycle(&b->d, &b->dram.now));
    }
}

/** until_data() - time at which the next answer can be seen; it is taken. Return: the answer's
 * identity in *id. */
static inline uint64_t until_data(struct channel_bench *b, uint64_t *id) {
    for (unsigned patience = 0; !ring_head(&b->d.out[0], b->now); patience++) {
        assert_true(patience < 100000);
        channel_tick(b);
    }
    *id = ring_head(&b->d.out[0], b->now)->request.line;
    ring_pop(&b->d.out[0], b->now);
    return b->now;
}

/** drain_channel() - until the channel is empty; answers are thrown away. */
static inline void drain_channel(struct channel_bench *b) {
    for (unsigned patience = 0; !dram_channel_idle(&b->d); patience++) {
        assert_true(patience < 1000000);
        channel_tick(b);
        if (ring_head(&b->d.out[0], b->now)) {
            ring_pop(&b->d.out[0], b->now);
        }
    }
}

#endif
