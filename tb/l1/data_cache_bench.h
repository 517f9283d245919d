/* SPDX-License-Identifier: Apache-2.0
 *
 * An L1 data cache with the test before and behind it.
 */
#ifndef WARPMEM_TB_DATA_CACHE_BENCH_H
#define WARPMEM_TB_DATA_CACHE_BENCH_H

#include "base/seeded.h"

#include <string.h>

#include "config/preset.h"
#include "l1/coalescer.h"
#include "l1/data_cache.h"
#include "l1/mrpb_bypass.h"

enum { LINE = 128 };
#define NOW 1000
#define SENT (NOW + 7)

/* One cache at one time; the queue behind it is emptied by hand. */
struct bench {
    struct config config;
    struct l1_data_cache cache;
    uint64_t now;
};

static inline void open_bench_of(struct bench *b, const struct config *config) {
    b->config = *config;
    b->now = NOW;
    assert_legal(&b->config);
    assert_true(l1_data_cache_init(&b->cache, &b->config));
    b->cache.bypass_causes = mrpb_bypass_causes(&b->config);
}

static inline void open_cache_bench(struct bench *b, unsigned sets, unsigned ways, unsigned mshrs,
                                    unsigned merge, unsigned queue) {
    struct config c = base_preset();
    c.l1.sets = sets;
    c.l1.ways = ways;
    c.l1.mshrs = mshrs;
    c.l1.mshr_merge = merge;
    c.l1.miss_queue = queue;
    c.l1.local_write = L1_WRITE_EVICT; /* a dirty line needs a queue of two */
    open_bench_of(b, &c);
}

static inline void close_cache_bench(struct bench *b) {
    l1_data_cache_destroy(&b->cache);
}

/** BENCH() - a bench until the end of the scope. BENCH_OF() - one with a configuration. */
#define BENCH(b, ...) \
    CLOSED_BY(close_cache_bench) struct bench b; \
    open_cache_bench(&b, __VA_ARGS__)
#define BENCH_OF(b, config_of) \
    CLOSED_BY(close_cache_bench) struct bench b; \
    open_bench_of(&b, &(const struct config[]){config_of}[0])

static inline enum l1_result access_line(struct bench *b, uint64_t line, bool write, bool bypass,
                                         uint8_t sectors) {
    struct request r = {
        .line = line, .sectors = sectors, .warp = 3, .reg = 4, .core = 5, .may_bypass = bypass};
    r.kind = write ? REQUEST_WRITE : REQUEST_READ;
    return l1_data_cache_access(&b->cache, &r, 0, &(struct now){.time = b->now, .period = 7});
}

static inline enum l1_result read_cache_line(struct bench *b, uint64_t line) {
    return access_line(b, line, false, false, 1);
}

static inline enum l1_result write_cache_line(struct bench *b, uint64_t line) {
    return access_line(b, line, true, false, 1);
}

/* A read whose flag the MRPB has set. */
static inline enum l1_result bypass_line(struct bench *b, uint64_t line) {
    return access_line(b, line, false, true, 1);
}

/* The oldest request that the cache has sent. */
static inline struct request sent_by_cache(struct bench *b) {
    struct ring_entry *e = ring_head(&b->cache.miss_queue, NEVER - 1);
    assert_non_null(e);
    struct request r = e->request;
    ring_pop(&b->cache.miss_queue, b->now);
    b->now++;
    return r;
}

/* Its reply, and everybody who waited for it is woken. Return: how many. */
static inline unsigned fill_and_wake(struct bench *b, const struct request *r) {
    unsigned woken = 0;
    l1_data_cache_fill(&b->cache, r);
    for (; mshr_ready(&b->cache.mshrs); woken++) {
        mshr_wake(&b->cache.mshrs);
    }
    return woken;
}

static inline void bring_cache_line(struct bench *b, uint64_t line) {
    assert_int_equal(read_cache_line(b, line), L1_MISS);
    struct request r = sent_by_cache(b);
    fill_and_wake(b, &r);
}

static inline enum l1_result put_line_as(struct bench *b, uint64_t line, unsigned kind,
                                         bool local) {
    struct request r = {
        .line = line, .sectors = 2, .kind = (uint8_t)kind, .local_space = local, .warp = 3};
    return l1_data_cache_access(&b->cache, &r, 0, &(struct now){.time = b->now, .period = 7});
}

static inline enum l1_result read_uncached(struct bench *b, uint64_t line) {
    struct request r = {.line = line, .sectors = 2, .uncached = true, .reg = 4};
    return l1_data_cache_access(&b->cache, &r, 0, &(struct now){.time = b->now, .period = 7});
}

/* An event of the cache, and its expected result. */
struct step {
    enum {
        READ, /* an access of line `of` has the result `want`, up to BYPASS */
        WRITE,
        LOCAL_WRITE,
        ATOMIC,
        UNCACHED,
        BYPASS,     /* a read whose flag the MRPB has set */
        BRING,      /* line `of` is read, with the result `want`, and filled */
        SENDS,      /* the next request is of the kind `of` and has `want` bytes */
        FILLS,      /* the fetch that was sent last is filled, and wakes `want` */
        INVALIDATE, /* a kernel boundary */
    } what;
    unsigned of, want;
};

static inline void take_steps(struct bench *b, const struct step *steps, size_t count) {
    struct request r, fetch = {0};
    for (const struct step *s = steps; s < steps + count; s++) {
        unsigned result = s->want;
        switch (s->what) {
        case READ: result = read_cache_line(b, s->of); break;
        case WRITE: result = put_line_as(b, s->of, REQUEST_WRITE, false); break;
        case LOCAL_WRITE: result = put_line_as(b, s->of, REQUEST_WRITE, true); break;
        case ATOMIC: result = put_line_as(b, s->of, REQUEST_ATOMIC, false); break;
        case UNCACHED: result = read_uncached(b, s->of); break;
        case BYPASS: result = bypass_line(b, s->of); break;
        case BRING: bring_cache_line(b, s->of); break;
        case SENDS:
            r = sent_by_cache(b);
            assert_int_equal(r.kind, s->of);
            result = r.bytes;
            fetch = r.kind == REQUEST_READ && !r.bypasses ? r : fetch;
            break;
        case FILLS: result = fill_and_wake(b, &fetch); break;
        case INVALIDATE: l1_data_cache_invalidate(&b->cache); break;
        }
        if (result != s->want) {
            fail_msg("step %u: %u instead of %u", (unsigned)(s - steps) + 1, result, s->want);
        }
    }
}

#define STEPS(b, ...) \
    take_steps(b, (const struct step[]){__VA_ARGS__}, \
               sizeof((const struct step[]){__VA_ARGS__}) / sizeof(struct step))

#endif
