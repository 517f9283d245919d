/* SPDX-License-Identifier: Apache-2.0
 *
 * Load/store unit: head-of-line blocking, exact retry counts, shared memory, sleeping.
 */
#include "l1/load_store_bench.h"

static void accesses_go_one_a_cycle_from_operand_latency_on(void **state) {
    (void)state;
    enum { LINES = 5 };
    struct bench b = {.config = preset()};
    open_bench(&b, false);
    assert_int_equal(push(&b, 2, OP_LOAD, 50, LINES), LINES);
    for (unsigned i = 0; i < LINES; i++) {
        assert_true(next_taken(&b) == START + b.config.core.operand_latency + i);
        assert_true(b.outcome.cache_result == L1_MISS && b.outcome.cache_warp == 2 &&
                    b.outcome.cache_reg == 7);
    }
    assert_true(load_store_idle(&b.unit));
    close_bench(&b);
}

static void the_next_instruction_follows_in_the_next_cycle(void **state) {
    (void)state;
    struct bench b = {.config = preset()};
    open_bench(&b, false);
    b.unit.slots = 2; /* two instructions fill the unit */
    push(&b, 0, OP_LOAD, 0, 2);
    push(&b, 1, OP_STORE, 8, 1);
    assert_false(load_store_can_take(&b.unit));
    assert_true(next_taken(&b) == AT && next_taken(&b) == AT + 1);
    assert_true(load_store_can_take(&b.unit));
    assert_true(next_taken(&b) == AT + 2);
    assert_true(b.outcome.cache_result == L1_WRITE && b.outcome.cache_write &&
                b.outcome.cache_warp == 1);
    close_bench(&b);
}

/* MRPB 2.1: the request is tried again every cycle; the memory stage is stalled. */
static void a_refused_access_blocks_a_hit_of_another_warp(void **state) {
    (void)state;
    enum { STALL = 37 };
    struct bench b = {.config = preset()};
    b.config.l1.sets = 2;
    b.config.l1.ways = 1;
    open_bench(&b, false);
    push(&b, 0, OP_LOAD, 1, 1);
    next_taken(&b);
    drain(&b);
    fill(&b, 1); /* line 1 is in set 1 */
    push(&b, 0, OP_LOAD, 0, 1);
    uint64_t first = next_taken(&b);
    push(&b, 1, OP_LOAD, 2, 1); /* set 0 again: its only line is reserved */
    push(&b, 2, OP_LOAD, 1, 1); /* would hit */
    uint64_t refused = first + b.config.core.operand_latency;
    while (b.cycle < refused + STALL - 1) {
        assert_false(step(&b)->cache_taken);
    }
    fill(&b, 0);
    assert_true(next_taken(&b) == refused + STALL);
    assert_true(b.outcome.cache_warp == 1 && b.outcome.cache_result == L1_MISS);
    assert_true(next_taken(&b) == refused + STALL + 1);
    assert_true(b.outcome.cache_warp == 2 && b.outcome.cache_result == L1_HIT);
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], STALL);
    close_bench(&b);
}

/* Each cause, with the cycle that the access is first offered in and the one that it is taken in.
 */
static void retries_of(enum l1_result cause, unsigned stall, bool every_cycle) {
    struct bench b = {.config = preset()};
    b.config.l1.sets = 2;
    b.config.l1.ways = cause == L1_FAIL_ASSOCIATIVITY ? 1 : 4;
    b.config.l1.mshrs = cause == L1_FAIL_MSHR_FULL ? 1 : 8;
    b.config.l1.mshr_merge = 1;
    b.config.l1.miss_queue = 1;
    b.config.l1.local_write = L1_WRITE_EVICT;
    open_bench(&b, false);
    push(&b, 0, OP_LOAD, 0, 1);
    while (!step(&b)->cache_taken) {}
    if (cause != L1_FAIL_MISS_QUEUE) {
        b.cycle++;
        drain(&b);
    }
    push(&b, 1, OP_LOAD, cause == L1_FAIL_MSHR_MERGE ? 0 : 2, 1);
    uint64_t first = b.cycle + b.config.core.operand_latency, freed = first + stall,
             next = b.cycle + 1;
    bool taken = false;
    while (!taken) {
        b.cycle++;
        if (b.cycle ==
            freed) { /* something changes; what it frees can be used in this very cycle */
            if (cause == L1_FAIL_MISS_QUEUE) {
                ring_pop(&b.unit.cache.miss_queue, b.cycle - 1);
                load_store_retry(&b.unit);
            } else {
                fill(&b, 0);
            }
        } else if (every_cycle) {
            load_store_retry(&b.unit);
        } else if (b.cycle < next) {
            continue;
        }
        load_store_cycle(&b.unit, b.cycle, b.cycle, b.cycle + 1, &b.outcome);
        next = load_store_next(&b.unit, b.cycle);
        taken = b.outcome.cache_taken;
        assert_true(b.cycle <= freed);
    }
    assert_true(b.cycle == freed);
    for (unsigned i = L1_FAILS; i < L1_RESULTS; i++) {
        assert_int_equal(b.unit.cache.stats.fails[i], i == cause ? stall : 0);
    }
    close_bench(&b);
}

static void each_cycle_of_a_stall_counts_once_for_its_cause(void **state) {
    (void)state;
    static const unsigned stalls[] = {0, 1, 2, 99};
    for (unsigned cause = L1_FAILS; cause < L1_RESULTS; cause++) {
        for (unsigned i = 0; i < 4; i++) {
            retries_of(cause, stalls[i], true);
            retries_of(cause, stalls[i], false);
        }
    }
}

static void a_stall_that_still_lasts_is_counted_when_statistics_are_read(void **state) {
    (void)state;
    enum { STALL = 1000 };
    struct bench b = {.config = preset()};
    b.config.l1.sets = b.config.l1.ways = 1;
    open_bench(&b, false);
    push(&b, 0, OP_LOAD, 0, 2);
    next_taken(&b);
    step(&b); /* the first refusal, in this cycle */
    load_store_settle(&b.unit, b.cycle + STALL);
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], STALL);
    load_store_settle(&b.unit, b.cycle + STALL);
    assert_int_equal(b.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY], STALL);
    close_bench(&b);
}

static void shared_memory_is_busy_for_its_conflicts(void **state) {
    (void)state;
    for (unsigned conflicts = 1; conflicts <= 32; conflicts += 31) {
        struct bench b = {.config = preset()};
        open_bench(&b, false);
        assert_int_equal(push_shared(&b, 3, OP_LOAD, conflicts), 1);
        push(&b, 4, OP_LOAD, 0, 1);
        while (!step(&b)->shared_taken) {
            assert_true(b.cycle < AT);
        }
        assert_true(b.cycle == AT);
        assert_true(b.outcome.shared_warp == 3 && b.outcome.shared_reg == 7 &&
                    !b.outcome.shared_write);
        assert_true(b.outcome.shared_ready_at == AT + conflicts - 1 + b.config.core.shared_latency);
        assert_true(next_taken(&b) == AT + conflicts);
        assert_int_equal(b.unit.stats.shared_conflict_cycles, conflicts - 1);
        close_bench(&b);
    }
}

/* --- the unit that sleeps against the unit that is evaluated every cycle --- */

struct pair {
    struct bench sleeper, poller;
};

static void in_both(struct pair *p, void (*act)(struct bench *, uint64_t), uint64_t argument) {
    act(&p->sleeper, argument);
    act(&p->poller, argument);
}

static void pop_queue(struct bench *b, uint64_t unused) {
    (void)unused;
    drain(b);
}

static void fill_line(struct bench *b, uint64_t line) {
    fill(b, line);
}

/* A reserved line, by chance; NEVER: none. */
static uint64_t reserved_line(const struct bench *b, struct rng *rng) {
    const struct tag_array *t = &b->unit.cache.tags;
    for (unsigned i = 0; i < 8; i++) {
        unsigned set = rng_below(rng, t->sets), way = rng_below(rng, t->ways);
        if (t->set[set].reserved >> way & 1) {
            return tag_line(t, set, (int)way);
        }
    }
    return NEVER;
}

static void push_random(struct pair *p, struct rng *rng) {
    unsigned warp = rng_below(rng, 8), lines = 1 + rng_below(rng, 6), first = rng_below(rng, 12);
    unsigned op = rng_chance(rng, 1, 5) ? OP_STORE : OP_LOAD;
    bool shared = rng_chance(rng, 1, 6);
    struct bench *both[] = {&p->sleeper, &p->poller};
    for (unsigned i = 0; i < 2; i++) {
        if (shared) {
            push_shared(both[i], warp, op, lines);
        } else {
            push(both[i], warp, op, first, lines);
        }
    }
}

static void same_outcome(const struct pair *p, bool evaluated) {
    const struct load_store_outcome *s = &p->sleeper.outcome, *o = &p->poller.outcome;
    assert_int_equal(evaluated && s->cache_taken, o->cache_taken);
    assert_int_equal(evaluated && s->shared_taken, o->shared_taken);
    if (o->cache_taken) {
        assert_true(s->cache_result == o->cache_result && s->cache_warp == o->cache_warp &&
                    s->cache_reg == o->cache_reg);
    }
    if (o->shared_taken) {
        assert_true(s->shared_warp == o->shared_warp && s->shared_ready_at == o->shared_ready_at);
    }
    for (unsigned w = 0; w < LOAD_STORE_WARPS_MAX; w++) {
        assert_int_equal(p->sleeper.unit.unseen[w], p->poller.unit.unseen[w]);
    }
}

static void sleeping_counts_what_polling_counts(void **state) {
    (void)state;
    static struct pair p;
    for (unsigned k = 0; k < 8; k++) {
        struct rng rng = seeded(k);
        struct config c = preset();
        bool mrpb = k & 1;
        uint64_t skipped = 0;
        c.l1.sets = k & 2 ? 1 : 4;
        c.l1.ways = 2;
        c.l1.mshrs = 3;
        c.l1.mshr_merge = 2;
        c.l1.miss_queue = 1 + k / 4;
        c.l1.local_write = c.l1.miss_queue < 2 ? L1_WRITE_EVICT : L1_WRITE_BACK;
        c.mrpb.depth = 2;
        c.mrpb.latency = 3 + k / 4;
        c.mrpb.bypass = k < 4 ? MRPB_BYPASS_ASSOCIATIVITY : MRPB_BYPASS_OFF;
        p.sleeper.config = p.poller.config = c;
        open_bench(&p.sleeper, mrpb);
        open_bench(&p.poller, mrpb);
        for (uint64_t cycle = START + 1; cycle < START + 60000; cycle++) {
            p.sleeper.cycle = p.poller.cycle = cycle;
            uint64_t line = rng_chance(&rng, 1, 30) ? reserved_line(&p.poller, &rng) : NEVER;
            if (line != NEVER) {
                in_both(&p, fill_line, line);
            }
            bool due = cycle >= load_store_next(&p.sleeper.unit, cycle - 1);
            if (due) {
                load_store_cycle(&p.sleeper.unit, cycle, cycle, cycle + 1, &p.sleeper.outcome);
            }
            load_store_retry(&p.poller.unit);
            load_store_cycle(&p.poller.unit, cycle, cycle, cycle + 1, &p.poller.outcome);
            same_outcome(&p, due);
            skipped += !due;
            if (rng_chance(&rng, 1, 10)) {
                in_both(&p, pop_queue, 0);
            }
            assert_int_equal(load_store_can_take(&p.sleeper.unit),
                             load_store_can_take(&p.poller.unit));
            if (load_store_can_take(&p.poller.unit) && rng_chance(&rng, 1, 6)) {
                push_random(&p, &rng);
            }
        }
        load_store_settle(&p.sleeper.unit, START + 60000);
        load_store_settle(&p.poller.unit, START + 60000);
        assert_memory_equal(&p.sleeper.unit.cache.stats, &p.poller.unit.cache.stats,
                            sizeof(struct l1_stats));
        assert_memory_equal(&p.sleeper.unit.stats, &p.poller.unit.stats,
                            sizeof(struct load_store_stats));
        assert_true(skipped > 10000 && p.poller.unit.cache.stats.fails[L1_FAIL_MISS_QUEUE] > 1000);
        assert_true(p.poller.unit.cache.stats.fails[L1_FAIL_ASSOCIATIVITY] > 50);
        assert_int_equal(p.poller.unit.cache.stats.read_bypasses > 50, mrpb && k < 4);
        close_bench(&p.sleeper);
        close_bench(&p.poller);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_go_one_a_cycle_from_operand_latency_on),
        cmocka_unit_test(the_next_instruction_follows_in_the_next_cycle),
        cmocka_unit_test(a_refused_access_blocks_a_hit_of_another_warp),
        cmocka_unit_test(each_cycle_of_a_stall_counts_once_for_its_cause),
        cmocka_unit_test(a_stall_that_still_lasts_is_counted_when_statistics_are_read),
        cmocka_unit_test(shared_memory_is_busy_for_its_conflicts),
        cmocka_unit_test(sleeping_counts_what_polling_counts),
    };
    return RUN_SEEDED(argc, argv, tests);
}
