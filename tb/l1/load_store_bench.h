/* SPDX-License-Identifier: Apache-2.0
 *
 * A load/store unit at a clock of period 1, with the test as its core and as what lies behind its
 * cache.
 */
#ifndef WARPMEM_TB_LOAD_STORE_BENCH_H
#define WARPMEM_TB_LOAD_STORE_BENCH_H

#include "base/seeded.h"

#include <string.h>

#include "config/preset.h"
#include "l1/load_store.h"

enum { LINE = 128 };
#define ALL 0xffffffffu

enum { START = 100, AT = START + 4 };

/* One unit at a clock of period 1. Lines are addressed by their number. */
struct bench {
    struct config config;
    struct load_store unit;
    struct alarm alarm;
    uint64_t attention; /* the alarm's */
    struct load_store_outcome outcome;
    uint64_t cycle;
    const struct l1_policy_kind *policy; /* of l1.policy; NULL: none */
};

/* @mrpb: with the MRPB before the cache; else with the front that b->config asks for. */
static inline void open_unit_bench(struct bench *b, bool mrpb) {
    b->cycle = START;
    b->config.l1.front = mrpb ? L1_FRONT_MRPB : b->config.l1.front;
    b->alarm = (struct alarm){.attention = &b->attention};
    assert_legal(&b->config);
    assert_true(load_store_init(&b->unit, &b->config, 0, b->policy, &b->cycle,
                                &(struct build){.alarm = &b->alarm}));
    for (unsigned w = 0; w < b->config.core.warps; w++) {
        load_store_warp(&b->unit, w, 0, 0, w, 0); /* all of one CTA */
    }
}

static inline void close_unit_bench(struct bench *b) {
    load_store_destroy(&b->unit);
}

/** BENCH() - an open one until the end of the scope. */
#define BENCH(b, config_of, mrpb) \
    CLOSED_BY(close_unit_bench) struct bench b = {.config = config_of}; \
    open_unit_bench(&b, mrpb)

/* A memory instruction whose lane i touches word 0 of line first + i * step; active lanes: the
 * first `lanes`. */
static inline unsigned push_insn(struct bench *b, unsigned warp, struct insn insn, uint64_t base,
                                 int64_t stride, unsigned lanes) {
    struct warp_op op = {.insn = &insn,
                         .active = lanes == 32 ? ALL : (1u << lanes) - 1,
                         .form = ADDRESS_AFFINE,
                         .base = base,
                         .stride = stride};
    assert_true(load_store_can_take(&b->unit));
    return load_store_push(&b->unit, warp, &op, b->cycle + b->config.core.operand_latency);
}

static inline unsigned push_memory_insn(struct bench *b, unsigned warp, unsigned op, uint64_t first,
                                        unsigned lines) {
    struct insn insn = {
        .op = (uint8_t)op, .space = SPACE_GLOBAL, .width = 4, .dst = op == OP_LOAD ? 7 : REG_NONE};
    return push_insn(b, warp, insn, first * LINE, LINE, lines);
}

static inline unsigned push_shared(struct bench *b, unsigned warp, unsigned op,
                                   unsigned conflicts) {
    struct insn insn = {
        .op = (uint8_t)op, .space = SPACE_SHARED, .width = 4, .dst = op == OP_LOAD ? 7 : REG_NONE};
    return push_insn(b, warp, insn, 0, 4 * b->config.core.shared_banks, conflicts);
}

/* One cycle. */
static const struct load_store_outcome *step_unit(struct bench *b) {
    b->cycle++;
    load_store_cycle(&b->unit, &(struct now){b->cycle, b->cycle, 1}, &b->outcome);
    return &b->outcome;
}

/* A counter of the unit by its name. */
static inline uint64_t unit_counter(const struct bench *b, const char *name) {
    struct stats *s = stats_create();
    assert_true(s && load_store_register_stats(&b->unit, s));
    uint64_t value = stats_get(s, name);
    stats_destroy(s);
    return value;
}

/* Makes room in the queue behind the cache. */
static inline void drain_miss_queue(struct bench *b) {
    if (ring_head(&b->unit.cache.miss_queue, b->cycle)) {
        ring_pop(&b->unit.cache.miss_queue, b->cycle);
        load_store_retry(&b->unit);
    }
}

/* The cycle in which the cache takes the next access; the queue behind it is drained every cycle.
 */
static inline uint64_t next_taken(struct bench *b) {
    for (unsigned patience = 0; patience < 1000; patience++) {
        bool taken = step_unit(b)->cache_taken;
        drain_miss_queue(b);
        if (taken) {
            return b->cycle;
        }
    }
    fail_msg("the cache never took an access");
    return 0;
}

static inline void wake_all(struct bench *b) {
    while (mshr_ready(&b->unit.cache.mshrs)) {
        mshr_wake(&b->unit.cache.mshrs);
    }
    load_store_retry(&b->unit);
}

/* The fill of a line that was sent. */
static inline void fill_sent_line(struct bench *b, uint64_t line) {
    struct tag_array *tags = &b->unit.cache.tags;
    unsigned set = tag_set_of(tags, line);
    int way = tag_find(tags, set, line);
    assert_true(way != TAG_NO_WAY && !tag_is_valid(tags, set, way));
    struct request r = {
        .line = line, .l1_mshr = (uint16_t)tag_mshr(tags, set, way), .l1_way = (uint8_t)way};
    l1_data_cache_fill(&b->unit.cache, &r);
    wake_all(b);
}

#endif
