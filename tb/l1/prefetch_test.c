/* SPDX-License-Identifier: Apache-2.0
 *
 * Prefetches into the L1: when they go, when they are dropped, and what becomes of them.
 */
#include "l1/load_store_bench.h"

static const struct l1_policy_kind silent = {.name = "silent", .prefetches = true};

static void ask_for_line(struct bench *b, uint64_t line) {
    const struct l1_policy_access cause = {.warp = 5, .cta = 3};
    l1_prefetch_line(&b->unit.front.policies->prefetches, &cause, line);
    b->unit.asleep = false; /* as an event does */
}

/* Asks for the line in a cycle without an access. Return: was it fetched? */
static bool prefetch_at_once(struct bench *b, uint64_t line) {
    ask_for_line(b, line);
    return step_unit(b)->prefetched;
}

static const struct l1_prefetch_stats *prefetches_of(const struct bench *b) {
    return &b->unit.cache.stats.prefetch;
}

/* The reply of the request that was sent last; its accesses are woken. Return: how many. */
static unsigned answer_last_request(struct bench *b) {
    struct l1_data_cache *c = &b->unit.cache;
    struct request reply = {0};
    unsigned woken = 0;
    while (c->miss_queue.count) {
        reply = ring_front(&c->miss_queue)->request;
        ring_pop(&c->miss_queue, b->cycle + 1);
    }
    load_store_take_fill(&b->unit, &reply, b->cycle);
    while (mshr_ready(&c->mshrs)) {
        mshr_wake(&c->mshrs);
        woken++;
    }
    load_store_retry(&b->unit);
    return woken;
}

/* A cache of one set. */
static struct config one_set_cache(unsigned ways, unsigned mshrs, unsigned queue) {
    struct config c = base_preset();
    c.l1.sets = 1;
    c.l1.ways = ways;
    c.l1.mshrs = mshrs;
    c.l1.miss_queue = queue;
    c.l1.local_write = L1_WRITE_EVICT;
    return c;
}

#define PREFETCH_BENCH(b, config_of) \
    CLOSED_BY(close_unit_bench) struct bench b = {.config = config_of, .policy = &silent}; \
    open_unit_bench(&b, false)

TEST(a_prefetch_goes_in_a_cycle_without_an_access) {
    enum { LINES = 3, WAITING = 2 };
    PREFETCH_BENCH(b, base_preset());
    push_memory_insn(&b, 0, OP_LOAD, 50, LINES);
    while (b.cycle < AT - 1) {
        step_unit(&b);
    }
    for (unsigned i = 0; i < WAITING; i++) {
        ask_for_line(&b, 100 + i);
    }
    for (unsigned i = 0; i < LINES + WAITING + 2; i++) {
        const struct load_store_outcome *o = step_unit(&b);
        assert_int_equal(o->cache_taken, i < LINES);
        assert_int_equal(o->prefetched, i >= LINES && i < LINES + WAITING);
    }
    assert_true(load_store_sleeps(&b.unit, b.cycle + 1));
}

TEST(an_access_that_is_refused_uses_the_port_in_each_cycle) {
    PREFETCH_BENCH(b, one_set_cache(4, 4, 1));
    push_memory_insn(&b, 0, OP_LOAD, 50, 2);
    while (!b.unit.front.refusal.cause) {
        step_unit(&b);
    }
    ask_for_line(&b, 60);
    for (unsigned i = 0; i < 10; i++) {
        assert_false(step_unit(&b)->prefetched);
    }
    drain_miss_queue(&b);
    assert_true(step_unit(&b)->cache_taken);
    assert_int_equal(prefetches_of(&b)->dropped, 0);
    assert_false(step_unit(&b)->prefetched); /* tried, once: the queue is full again */
    assert_int_equal(prefetches_of(&b)->dropped, 1);
}

/* Each lacks one thing; nothing else has changed then. */
TEST(a_prefetch_that_lacks_something_is_dropped) {
    static const struct {
        unsigned ways, mshrs, queue, before; /* lines 1, 2, ... that are prefetched before */
        uint64_t line;
    } rows[] = {{4, 4, 8, 1, 1} /* under way */,
                {2, 4, 8, 2, 9} /* a line */,
                {4, 2, 8, 2, 9} /* an MSHR */,
                {4, 4, 2, 2, 9} /* a place in the queue */,
                {4, 4, 8, 0, UINT64_C(1) << 41}}; /* beyond 48 bits of address */
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        PREFETCH_BENCH(b, one_set_cache(rows[i].ways, rows[i].mshrs, rows[i].queue));
        for (unsigned k = 1; k <= rows[i].before; k++) {
            assert_true(prefetch_at_once(&b, k));
        }
        assert_false(prefetch_at_once(&b, rows[i].line));
        assert_int_equal(prefetches_of(&b)->dropped, 1);
        assert_int_equal(prefetches_of(&b)->issued, rows[i].before);
    }
    PREFETCH_BENCH(b, one_set_cache(4, 4, 8));
    assert_true(prefetch_at_once(&b, 1));
    answer_last_request(&b);
    assert_false(prefetch_at_once(&b, 1)); /* it is there */
}

TEST(only_so_many_prefetches_wait_and_none_without_a_warp) {
    PREFETCH_BENCH(b, base_preset());
    for (unsigned i = 0; i < L1_PREFETCHES_MAX + 3; i++) {
        ask_for_line(&b, 100 + i);
    }
    assert_int_equal(prefetches_of(&b)->dropped, 3);
    for (unsigned w = 0; w < b.config.core.warps; w++) {
        assert_true(l1_front_prefetches(&b.unit.front));
        load_store_warp_ended(&b.unit, w, b.cycle);
    }
    assert_false(l1_front_prefetches(&b.unit.front));
    ask_for_line(&b, 200);
    assert_int_equal(prefetches_of(&b)->dropped, 3 + L1_PREFETCHES_MAX + 1);
}

/* Whole lines or sectors, taken at the miss or with their data. */
static struct config config_of_kind(unsigned kind) {
    struct config c = one_set_cache(2, 4, 8);
    c.l1.sectors = kind & 1;
    c.l1.allocate = kind & 2 ? L1_ALLOCATE_FILL : L1_ALLOCATE_MISS;
    return c;
}

static void take_line_insn(struct bench *b, unsigned op, bool uncached, uint64_t line) {
    struct insn insn = {.op = (uint8_t)op,
                        .space = SPACE_GLOBAL,
                        .width = 4,
                        .dst = op == OP_STORE ? REG_NONE : 7,
                        .uncached = uncached};
    push_insn(b, 1, insn, line * LINE, LINE, 1);
    next_taken(b);
}

enum use {
    USE_NONE,
    USE_READ,
    USE_EARLY,
    USE_EVICT,
    USE_WRITE,
    USE_ATOMIC,
    USE_UNCACHED,
    USE_LAUNCH
};

static void use_prefetched_line(struct bench *b, enum use use, uint64_t line) {
    switch (use) {
    case USE_READ:
        for (unsigned i = 0; i < 2; i++) { /* the second is no use of the prefetch */
            take_line_insn(b, OP_LOAD, false, line);
            assert_true(b->outcome.cache.result == L1_HIT);
        }
        break;
    case USE_EVICT:
        for (unsigned i = 1; i <= 2; i++) {
            push_memory_insn(b, 1, OP_LOAD, line + i, 1);
            while (!step_unit(b)->cache_taken) {}
            answer_last_request(b);
        }
        break;
    case USE_WRITE: take_line_insn(b, OP_STORE, false, line); break;
    case USE_ATOMIC: take_line_insn(b, OP_ATOMIC, false, line); break;
    case USE_UNCACHED: take_line_insn(b, OP_LOAD, true, line); break;
    case USE_LAUNCH: load_store_invalidate(&b->unit); break;
    default: break;
    }
}

TEST(each_prefetch_ends_as_useful_late_useless_or_unused) {
    static const struct {
        enum use use;
        unsigned useful, late, useless;
    } rows[] = {{USE_NONE, 0, 0, 0},     {USE_READ, 1, 0, 0},  {USE_EARLY, 0, 1, 0},
                {USE_EVICT, 0, 0, 1},    {USE_WRITE, 0, 0, 1}, {USE_ATOMIC, 0, 0, 1},
                {USE_UNCACHED, 0, 0, 1}, {USE_LAUNCH, 0, 0, 1}};
    for (unsigned kind = 0; kind < 4; kind++) {
        for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
            PREFETCH_BENCH(b, config_of_kind(kind));
            const bool early = rows[i].use == USE_EARLY;
            assert_true(prefetch_at_once(&b, 30));
            assert_int_equal(ring_front(&b.unit.cache.miss_queue)->request.kind, REQUEST_PREFETCH);
            for (unsigned k = 0; k < 2 * early; k++) { /* the second is late for no other one */
                push_memory_insn(&b, 1, OP_LOAD, 30, 1);
                while (!step_unit(&b)->cache_taken) {}
                assert_true(b.outcome.cache.result == L1_PENDING_HIT);
            }
            assert_int_equal(answer_last_request(&b), early ? 2 : 0); /* nobody waits for it */
            assert_int_equal(b.unit.cache.mshrs.free_count, b.unit.cache.mshrs.entries);
            use_prefetched_line(&b, rows[i].use, 30);
            const struct l1_prefetch_stats *p = prefetches_of(&b);
            assert_int_equal(p->useful, rows[i].useful);
            assert_int_equal(p->late, rows[i].late);
            assert_int_equal(p->useless, rows[i].useless);
            assert_int_equal(l1_data_cache_unused(&b.unit.cache),
                             p->issued - p->useful - p->late - p->useless);
        }
    }
}

/* A dirty victim goes before the prefetch that evicts it. */
TEST(a_prefetch_writes_a_dirty_victim_back) {
    PREFETCH_BENCH(b, one_set_cache(1, 4, 2));
    b.unit.cache.write[0] = L1_WRITE_BACK;
    b.unit.cache.write_fetches = true;
    push_memory_insn(&b, 1, OP_STORE, 8, 1);
    while (!step_unit(&b)->cache_taken) {}
    answer_last_request(&b);
    step_unit(&b); /* the queue is empty then */
    assert_true(prefetch_at_once(&b, 9));
    struct ring *queue = &b.unit.cache.miss_queue;
    assert_int_equal(ring_front(queue)->request.kind, REQUEST_WRITEBACK);
    assert_int_equal(ring_front(queue)->request.line, 8);
    ring_pop(queue, b.cycle + 1);
    assert_int_equal(ring_front(queue)->request.line, 9);
    assert_int_equal(b.unit.cache.stats.writebacks, 1);
}

/* Its fill frees an MSHR that an access may wait for. */
TEST(the_fill_of_a_prefetch_lets_an_access_have_its_mshr) {
    PREFETCH_BENCH(b, one_set_cache(4, 1, 8));
    assert_true(prefetch_at_once(&b, 9));
    push_memory_insn(&b, 1, OP_LOAD, 20, 1);
    while (!b.unit.front.refusal.cause) {
        step_unit(&b);
    }
    assert_int_equal(b.unit.front.refusal.cause, L1_FAIL_MSHR_FULL);
    struct request reply = ring_front(&b.unit.cache.miss_queue)->request;
    load_store_take_fill(&b.unit, &reply, b.cycle);
    assert_true(step_unit(&b)->cache_taken);
}
