/* SPDX-License-Identifier: Apache-2.0
 *
 * A memory partition with the test as interconnect and DRAM.
 */
#ifndef WARPMEM_TB_PARTITION_BENCH_H
#define WARPMEM_TB_PARTITION_BENCH_H

#include "base/seeded.h"

#include <string.h>

#include "config/packets.h"
#include "config/derived.h"
#include "config/preset.h"
#include "l2/partition.h"

#define LINE 128 /* l2.line_bytes of the benches, if they do not say else */

enum { START = 10, REQUESTS = 64 };

static const uint64_t nobody_reads = NEVER; /* the counters, before the end */

/* A partition with the test as interconnect and DRAM. A request's identity stands in its line
 * number. */
struct bench {
    struct config config;
    struct l2_partition p;
    struct ring requests[L2_PORTS_MAX], replies[L2_PORTS_MAX], to_dram, to_dram_high;
    struct ring from_dram[L2_BANKS_MAX];
    struct warp_table table; /* of warp types, where the machine has one */
    struct clock_domain l2, noc, dram;
    struct unit_set replying;
    uint64_t now, period, core_period;   /* 0: a time unit */
    const struct l2_policy_kind *policy; /* of l2.policy; NULL: none */
    struct block_factory *factory;
    bool poll;
    bool plain; /* nothing is done ahead of time */
    uint64_t attention;
    struct alarm alarm;
    uint64_t evaluations;
};

/* By default a write of a whole line fetches nothing, so that both kinds of write miss can be told
 * apart. */
static inline struct config partition_config(void) {
    struct config c = base_preset();
    c.l2.write_miss = L2_WRITE_MISS_PARTIAL;
    return c;
}

static inline void open_partition_bench(struct bench *b, unsigned period) {
    assert_legal(&b->config);
    b->period = period;
    b->now = START * period;
    b->evaluations = 0;
    clock_domain_init(&b->l2, period, 1);
    clock_domain_init(&b->noc, 1, 2);
    clock_domain_init(&b->dram, 1, 1);
    for (unsigned i = 0; i < b->config.l2.reply_ports; i++) {
        assert_true(ring_init(&b->replies[i], b->config.noc.input_flits));
    }
    assert_true(ring_init(&b->to_dram, config_dram_returns(&b->config)));
    assert_true(ring_init(&b->to_dram_high, config_dram_returns(&b->config)));
    const uint64_t core_period = b->core_period ? b->core_period : 1;
    const struct l2_periods periods = {.core = core_period, .l2 = period, .dram = 1};
    char error[256] = "";
    const struct build build = {.factory = b->factory,
                                .alarm = &b->alarm,
                                .error = error,
                                .error_size = sizeof error,
                                .asks_twice = b->poll};
    b->alarm.attention = &b->attention;
    if (!l2_partition_init(&b->p, &b->config, 0, &periods, b->policy, &build)) {
        fail_msg("%s", error);
    }
    for (unsigned i = 0; i < b->config.l2.ports; i++) {
        assert_true(ring_init(&b->requests[i], REQUESTS));
        b->p.requests[i] = &b->requests[i];
    }
    for (unsigned i = 0; i < b->config.l2.banks; i++) {
        assert_true(ring_init(&b->from_dram[i], config_dram_returns(&b->config)));
        b->p.bank[i].wakes_ahead &= !b->plain;
    }
    assert_true(b->plain || l2_partition_join(&b->p));
    b->p.sends_ahead &= !b->plain;
    b->p.gives_ahead &= !b->plain;
    b->p.replies_ahead &= !b->plain;
    l2_partition_wire(&b->p, b->from_dram, &nobody_reads, NULL);
    l2_partition_wire_replies(&b->p, b->replies, &b->replying);
    b->p.to_dram = &b->to_dram;
    b->p.to_dram_high = b->config.dram.queues == DRAM_QUEUES_TWO ? &b->to_dram_high : NULL;
    if (b->p.policies.types) {
        assert_true(warp_table_init(&b->table, &b->config, b->p.policies.types, 1, core_period,
                                    period, "p0", &build));
        l2_partition_attach(&b->p, &b->table, 0, 0);
    }
    b->p.noc_clock = &b->noc;
    b->p.dram_clock = &b->dram;
    b->p.request_network = 0;
    b->p.reply_network = 1;
}

static inline void close_partition_bench(struct bench *b) {
    l2_partition_destroy(&b->p);
    warp_table_destroy(&b->table);
    ring_destroy(&b->to_dram_high);
    for (unsigned i = 0; i < b->config.l2.reply_ports; i++) {
        ring_destroy(&b->replies[i]);
    }
    ring_destroy(&b->to_dram);
    for (unsigned i = 0; i < b->config.l2.ports; i++) {
        ring_destroy(&b->requests[i]);
    }
    for (unsigned i = 0; i < b->config.l2.banks; i++) {
        ring_destroy(&b->from_dram[i]);
    }
}

/** BENCH() - an open one until the end of the scope. */
#define BENCH(b, config_of, period) \
    CLOSED_BY(close_partition_bench) struct bench b = {.config = config_of}; \
    open_partition_bench(&b, period)

/* --- the neighbours --- */

/* The request r comes to a port. */
static inline void ask_port(struct bench *b, unsigned port, const struct request *r) {
    ring_push(&b->requests[port], r, b->now + 1, 1);
    clock_wake_at(&b->l2, 0, b->now, b->now + 1);
}

static inline void ask_partition(struct bench *b, unsigned kind, uint64_t local, bool full,
                                 uint64_t id) {
    struct request r = {.line = id,
                        .local = local,
                        .kind = (uint8_t)kind,
                        .full = full,
                        .bytes = (uint16_t)b->config.l2.line_bytes,
                        .sectors = 15};
    ask_port(b, 0, &r);
}

/* Requests of a kind that met a line so. */
static inline uint64_t outcome_of_kind(const struct bench *b, unsigned kind, enum l2_outcome what) {
    return l2_partition_totals(&b->p).outcome[kind][what];
}

/* Cycles in which ports were held by full queues. */
static inline uint64_t held_port_cycles(const struct bench *b) {
    uint64_t sum = b->p.conflicts;
    for (unsigned i = 0; i < b->config.l2.banks; i++) {
        sum += b->p.bank[i].held;
    }
    return sum;
}

static inline struct l2_stats partition_totals(const struct bench *b) {
    return l2_partition_totals(&b->p);
}

static inline const struct request *answer_seen_at(struct bench *b, unsigned port) {
    struct ring_entry *e = ring_head(&b->replies[port], b->now);
    return e ? &e->request : NULL;
}

static inline void take_answer_at(struct bench *b, unsigned port) {
    ring_pop(&b->replies[port], b->now);
    if (b->replies[port].sender_waits) {
        clock_wake(&b->l2, 0, b->now);
    }
}

/* At the first reply port. */
static inline const struct request *answer_seen(struct bench *b) {
    return answer_seen_at(b, 0);
}

static inline void take_answer(struct bench *b) {
    take_answer_at(b, 0);
}

/* Requests that have come to the DRAM on one of its paths. */
static inline const struct request *dram_seen_on(const struct bench *b, const struct ring *way) {
    struct ring_entry *e = ring_head(way, b->now);
    return e ? &e->request : NULL;
}

static inline struct request dram_take_from(struct bench *b, struct ring *way) {
    struct request r = *dram_seen_on(b, way);
    ring_pop(way, b->now);
    if (way->sender_waits) {
        clock_wake(&b->l2, 0, b->now);
    }
    return r;
}

static inline const struct request *dram_seen(struct bench *b) {
    return dram_seen_on(b, &b->to_dram);
}

static inline struct request dram_take(struct bench *b) {
    return dram_take_from(b, &b->to_dram);
}

static inline void dram_answer(struct bench *b, const struct request *r) {
    assert_int_equal(r->kind, REQUEST_READ);
    ring_push(&b->from_dram[r->local % b->config.l2.banks], r, b->now + 1, 1);
    clock_wake_at(&b->l2, 0, b->now, b->now + 1);
}

/* --- time --- */

static inline bool is_partition_due(struct bench *b) {
    if (b->poll) {
        return b->now == b->l2.edge && (clock_take(&b->l2, b->now), true);
    }
    return b->now == b->l2.next && clock_take(&b->l2, b->now);
}

static inline void evaluate_partition(struct bench *b) {
    uint64_t next = l2_partition_cycle(&b->p, &b->l2.now, b->poll);
    if (b->table.pending) {
        warp_table_cycle(&b->table, b->l2.cycle - 1);
    }
    clock_evaluated(&b->l2, 0, next);
    b->evaluations++;
}

static inline void tick_l2(struct bench *b) {
    b->now++;
    if (is_partition_due(b)) {
        evaluate_partition(b);
    }
}

static inline uint64_t until_answer(struct bench *b) {
    for (unsigned patience = 0; !answer_seen(b); patience++) {
        assert_true(patience < 5000);
        tick_l2(b);
    }
    return b->now;
}

static inline uint64_t until_dram(struct bench *b) {
    for (unsigned patience = 0; !dram_seen(b); patience++) {
        assert_true(patience < 5000);
        tick_l2(b);
    }
    return b->now;
}

/* A line that is there, clean. */
static inline void bring_clean_line(struct bench *b, uint64_t local) {
    ask_partition(b, REQUEST_READ, local, false, 0);
    until_dram(b);
    struct request r = dram_take(b);
    assert_true(r.kind == REQUEST_READ && r.local == local);
    dram_answer(b, &r);
    until_answer(b);
    take_answer(b);
    tick_l2(b);
}

#endif
