/* SPDX-License-Identifier: Apache-2.0
 *
 * The load/store unit that sleeps against the one that is evaluated every cycle, with accesses to
 * every space, under every policy.
 */
#include "l1/load_store_bench.h"

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
    drain_miss_queue(b);
}

static void fill_line(struct bench *b, uint64_t line) {
    fill_sent_line(b, line);
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

enum { CYCLES = 200000 };

static void push_random(struct pair *p, struct rng *rng) {
    static const uint8_t spaces[] = {SPACE_GLOBAL, SPACE_GLOBAL,  SPACE_GLOBAL,  SPACE_LOCAL,
                                     SPACE_SHARED, SPACE_TEXTURE, SPACE_CONSTANT};
    unsigned warp = rng_below(rng, 8), lines = 1 + rng_below(rng, 6), first = rng_below(rng, 12);
    struct insn insn = {.op = OP_LOAD, .space = spaces[rng_below(rng, 7)], .width = 4, .dst = 7};
    int64_t stride = insn.space == SPACE_SHARED ? 128 : rng_chance(rng, 1, 8) ? 4 : LINE;
    if (insn.space <= SPACE_SHARED && rng_chance(rng, 1, 4)) {
        bool atomic = insn.space != SPACE_LOCAL && rng_chance(rng, 1, 4);
        insn.op = atomic ? OP_ATOMIC : OP_STORE;
        insn.dst = atomic ? 7 : REG_NONE;
    }
    insn.uncached = insn.op == OP_LOAD && insn.space == SPACE_GLOBAL && rng_chance(rng, 1, 8);
    push_insn(&p->sleeper, warp, insn, first * LINE, stride, lines);
    push_insn(&p->poller, warp, insn, first * LINE, stride, lines);
}

/* A request of the texture or the constant cache leaves for the L2; both units sent the same. */
static void send_one(struct pair *p, bool texture, struct request *flight, unsigned *flying) {
    struct bench *both[] = {&p->sleeper, &p->poller};
    struct request r[2];
    for (unsigned i = 0; i < 2; i++) {
        struct load_store *u = &both[i]->unit;
        struct ring *queue = texture ? &u->texture.requests : &u->constant.miss_queue;
        if (!ring_head(queue, both[i]->cycle)) {
            assert_int_equal(i, 0);
            return;
        }
        r[i] = ring_front(queue)->request;
        ring_pop(queue, both[i]->cycle);
        load_store_retry(u);
    }
    assert_true(r[0].line == r[1].line && r[0].l1_mshr == r[1].l1_mshr);
    flight[(*flying)++] = r[0];
}

/* The reply of one, any. */
static void receive_one(struct pair *p, struct rng *rng, struct request *flight, unsigned *flying) {
    struct bench *both[] = {&p->sleeper, &p->poller};
    unsigned k = rng_below(rng, *flying);
    for (unsigned i = 0; i < 2; i++) {
        struct load_store *u = &both[i]->unit;
        if (flight[k].unit == UNIT_TEXTURE) {
            texture_cache_fill(&u->texture, &flight[k]);
        } else {
            l1_data_cache_fill(&u->constant, &flight[k]);
            while (mshr_ready(&u->constant.mshrs)) {
                mshr_wake(&u->constant.mshrs);
            }
            load_store_retry(u);
        }
    }
    flight[k] = flight[--*flying];
}

static void take_texture_of_both(struct pair *p) {
    struct bench *both[] = {&p->sleeper, &p->poller};
    struct texture_access a[2];
    for (unsigned i = 0; i < 2; i++) {
        const struct request *cause;
        if (texture_cache_next(&both[i]->unit.texture) > both[i]->cycle) {
            assert_int_equal(i, 0);
            return;
        }
        a[i] = texture_cache_take(&both[i]->unit.texture, &cause);
        assert_true(!a[i].miss == !cause);
        load_store_retry(&both[i]->unit);
    }
    assert_true(a[0].warp == a[1].warp && a[0].entered == a[1].entered);
}

static void same_outcome(const struct pair *p, bool evaluated) {
    const struct load_store_outcome *s = &p->sleeper.outcome, *o = &p->poller.outcome;
    assert_int_equal(evaluated && s->cache_taken, o->cache_taken);
    assert_int_equal(evaluated && s->shared_taken, o->shared_taken);
    assert_int_equal(evaluated && s->texture_taken, o->texture_taken);
    assert_int_equal(evaluated && s->constant_hit, o->constant_hit);
    if (o->cache_taken) {
        assert_true(s->cache.result == o->cache.result && s->cache.warp == o->cache.warp &&
                    s->cache.reg == o->cache.reg);
    }
    if (o->shared_taken) {
        assert_true(s->shared_warp == o->shared_warp && s->shared_ready_at == o->shared_ready_at);
    }
    for (unsigned w = 0; w < LOAD_STORE_WARPS_MAX; w++) {
        assert_int_equal(p->sleeper.unit.unseen[w], p->poller.unit.unseen[w]);
    }
}

/* The front of the L1: half the streams have the MRPB's queues; of the others, the later ones
 * its slot, most of the earlier ones a queue. The later ones have every drain policy and signature,
 * with and without flush and bound. */
static void design_point(struct config *c, unsigned k) {
    static const unsigned bypass[] = {MRPB_BYPASS_ASSOCIATIVITY, MRPB_BYPASS_OFF, MRPB_BYPASS_ALL};
    c->l1.front = k & 1 ? L1_FRONT_MRPB : k < 8 ? L1_FRONT_NONE : L1_FRONT_SLOT;
    c->l1.front_latency = c->l1.front == L1_FRONT_NONE ? k / 2 * 3 : 0;
    c->mrpb.bypass = bypass[k / 4 % 3];
    c->mrpb.depth = 2;
    c->mrpb.latency = 3 + k / 4;
    if (k >= 8) {
        c->mrpb.drain = (k - 8) / 2;
        c->mrpb.flush = k / 2 % 2;
        c->mrpb.signature = k % 3;
        c->mrpb.depth = k / 4 % 2 ? 0 : 3;
    }
}

TEST(sleeping_counts_what_polling_counts) {
    static struct pair p;
    static struct request flight[256];
    uint64_t fails[TEXTURE_RESULTS] = {0}, constant_fails[L1_RESULTS] = {0},
             data_fails[L1_RESULTS] = {0}, bypasses[2] = {0}, merged_writes = 0, uncached = 0;
    for (unsigned k = 0; k < 20; k++) {
        struct rng rng = seeded_rng(k);
        struct config c = base_preset();
        bool mrpb = k & 1;
        uint64_t skipped = 0;
        unsigned flying = 0;
        c.l1.sets = k & 2 ? 1 : 4;
        c.l1.ways = 2;
        c.l1.mshrs = 3;
        c.l1.mshr_merge = 2;
        c.l1.miss_queue = 1 + k / 4 % 2;
        c.l1.local_write = k % 8 < 4 ? L1_WRITE_THROUGH : L1_WRITE_BACK;
        c.l1.global_write = k % 8 < 6 ? L1_WRITE_EVICT : L1_WRITE_BACK;
        c.l1.write_miss = k % 8 == 5 || k % 8 == 7 ? L1_WRITE_MISS_FETCH : L1_WRITE_MISS_AROUND;
        c.texture.sets = 1;
        c.texture.ways = 3;
        c.texture.fifo = k & 2 ? 2 : 20;
        c.texture.reorder = k & 2 ? 20 : 2;
        c.texture.request_queue = k & 4 ? 1 : 5;
        c.constant.sets = 1 + k % 2;
        c.constant.ways = 1 + k / 4 % 2;
        c.constant.line_bytes = 128;
        c.constant.mshrs = 2;
        c.constant.mshr_merge = 2;
        c.constant.miss_queue = 1;
        design_point(&c, k);
        p.sleeper.config = p.poller.config = c;
        open_unit_bench(&p.sleeper, mrpb);
        open_unit_bench(&p.poller, mrpb);
        for (unsigned w = 0; w < 8; w++) { /* two CTAs of four warps */
            load_store_warp(&p.sleeper.unit, w, w / 4, w / 4, w % 4, 0);
            load_store_warp(&p.poller.unit, w, w / 4, w / 4, w % 4, 0);
        }
        for (uint64_t cycle = START + 1; cycle < START + CYCLES; cycle++) {
            p.sleeper.cycle = p.poller.cycle = cycle;
            uint64_t line = rng_chance(&rng, 1, 20) ? reserved_line(&p.poller, &rng) : NEVER;
            if (line != NEVER) {
                in_both(&p, fill_line, line);
            }
            bool due = cycle >= load_store_next(&p.sleeper.unit, cycle - 1);
            if (due) {
                load_store_cycle(&p.sleeper.unit, &(struct now){cycle, cycle, 1},
                                 &p.sleeper.outcome);
            }
            load_store_retry(&p.poller.unit);
            load_store_cycle(&p.poller.unit, &(struct now){cycle, cycle, 1}, &p.poller.outcome);
            same_outcome(&p, due);
            skipped += !due;
            if (rng_chance(&rng, 1, 10)) {
                in_both(&p, pop_queue, 0);
            }
            if (rng_chance(&rng, 1, 4)) {
                send_one(&p, rng_below(&rng, 2), flight, &flying);
            }
            if (flying && rng_chance(&rng, 1, 10)) {
                receive_one(&p, &rng, flight, &flying);
            }
            if (rng_chance(&rng, 1, 3)) {
                take_texture_of_both(&p);
            }
            assert_int_equal(load_store_can_take(&p.sleeper.unit),
                             load_store_can_take(&p.poller.unit));
            if (load_store_can_take(&p.poller.unit) && rng_chance(&rng, 1, 6)) {
                push_random(&p, &rng);
            }
        }
        load_store_settle(&p.sleeper.unit, START + CYCLES);
        load_store_settle(&p.poller.unit, START + CYCLES);
        assert_memory_equal(&p.sleeper.unit.cache.stats, &p.poller.unit.cache.stats,
                            sizeof(struct l1_stats));
        assert_memory_equal(&p.sleeper.unit.constant.stats, &p.poller.unit.constant.stats,
                            sizeof(struct l1_stats));
        assert_memory_equal(&p.sleeper.unit.texture.stats, &p.poller.unit.texture.stats,
                            sizeof(struct texture_stats));
        assert_memory_equal(&p.sleeper.unit.stats, &p.poller.unit.stats,
                            sizeof(struct load_store_stats));
        assert_true(skipped > 10000);
        for (unsigned i = L1_FAILS; i < L1_RESULTS; i++) {
            data_fails[i] += p.poller.unit.cache.stats.fails[i];
        }
        bypasses[c.l1.front && c.mrpb.bypass] +=
            p.poller.unit.cache.stats.space[0].read_bypasses - p.poller.unit.cache.stats.uncached;
        uncached += p.poller.unit.cache.stats.uncached;
        for (unsigned i = TEXTURE_TAKEN + 1; i < TEXTURE_RESULTS; i++) {
            fails[i] += p.poller.unit.texture.stats.fails[i];
        }
        for (unsigned i = L1_FAILS; i < L1_RESULTS; i++) {
            constant_fails[i] += p.poller.unit.constant.stats.fails[i];
        }
        merged_writes += p.poller.unit.cache.stats.space[0].write_pending_hits;
        close_unit_bench(&p.sleeper);
        close_unit_bench(&p.poller);
    }
    for (unsigned i = TEXTURE_TAKEN + 1; i < TEXTURE_RESULTS; i++) {
        assert_true(fails[i] > 1000);
    }
    for (unsigned i = L1_FAILS; i < L1_RESULTS; i++) {
        assert_true(constant_fails[i] > 100 && data_fails[i] > 50);
    }
    assert_true(merged_writes > 50 && uncached > 1000 && bypasses[1] > 50 && !bypasses[0]);
}
