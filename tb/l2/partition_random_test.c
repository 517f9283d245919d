/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory partition under random traffic, before a DRAM that answers in any order and late.
 */
#include "l2/partition_bench.h"

enum { FLIGHT = 256, IDS = 200000 };

struct hostile {
    struct {
        struct request r;
        uint64_t at;
    } flight[FLIGHT];
    unsigned flying;
    uint64_t asked, answered, reads, writebacks, hash;
    uint8_t *open; /* by identity: asked and not answered */
};

/* The neighbours at one time, drawn from that time alone. */
static void neighbours(struct bench *b, struct hostile *h, uint64_t stream, uint64_t until) {
    struct rng rng = seeded(stream * 1000000 + b->now);
    unsigned phase =
        (unsigned)(b->now / 1500 % 4); /* slow DRAM, slow interconnect, both, neither */
    if (b->now < until && ring_room(&b->requests, b->now) && rng_chance(&rng, 1, 2)) {
        bool write = rng_chance(&rng, 1, 3);
        h->open[h->asked] = 1;
        ask(b, write ? REQUEST_WRITE : REQUEST_READ, rng_below(&rng, 60),
            write && rng_chance(&rng, 1, 2), h->asked++);
    }
    if (answer_seen(b) && rng_chance(&rng, 1, phase & 1 ? 12 : 2)) {
        const struct request *r = answer_seen(b);
        assert_true(r->line < h->asked && h->open[r->line]);
        h->open[r->line] = 0;
        h->hash = (h->hash ^ (r->line * 3 + r->kind + b->now * 7)) * UINT64_C(0x100000001b3);
        h->answered++;
        take_answer(b);
    }
    if (dram_seen(b) && h->flying < FLIGHT && rng_chance(&rng, 1, phase & 2 ? 10 : 2)) {
        struct request r = dram_take(b);
        if (r.kind == REQUEST_READ) {
            h->flight[h->flying].at = b->now + rng_below(&rng, rng_chance(&rng, 1, 8) ? 400 : 40);
            h->flight[h->flying++].r = r;
            h->reads++;
        } else {
            assert_int_equal(r.kind, REQUEST_WRITEBACK);
            h->writebacks++;
        }
    }
    assert_true(h->flying + b->from_dram.count <= b->config.dram.return_queue);
    for (unsigned i = 0; i < h->flying; i++) { /* in any order, at most one a time */
        if (h->flight[i].at <= b->now) {
            dram_answer(b, &h->flight[i].r);
            h->flight[i] = h->flight[--h->flying];
            break;
        }
    }
}

static struct hostile run_random(unsigned stream, bool poll, bool neighbours_first,
                                 struct l2_stats *stats, uint64_t *evaluations) {
    static uint8_t open[IDS];
    struct bench b = {.config = config(), .poll = poll};
    struct hostile h = {.open = open};
    struct rng rng = seeded(stream);
    b.config.l2.write_miss = rng_below(&rng, 2);
    b.config.l2.sets = 1u << rng_below(&rng, 4);
    b.config.l2.ways = 1 + rng_below(&rng, 3);
    b.config.l2.mshrs = 1 + rng_below(&rng, 6);
    b.config.l2.mshr_merge = 1 + rng_below(&rng, 3);
    b.config.l2.miss_queue = 2 + rng_below(&rng, 3);
    b.config.l2.reply_queue = 1 + rng_below(&rng, 3);
    b.config.l2.queue = 1 + rng_below(&rng, 4);
    b.config.l2.rop_latency = 1 + rng_below(&rng, 12);
    b.config.l2.hit_latency = 1 + rng_below(&rng, 10);
    b.config.l2.fill_latency = 1 + rng_below(&rng, 4);
    b.config.noc.input_flits = 5 + rng_below(&rng, 6);
    b.config.dram.latency = 1 + rng_below(&rng, 20);
    b.config.dram.return_queue = 1 + rng_below(&rng, 10);
    open_bench(&b, 1 + rng_below(&rng, 3));
    memset(open, 0, sizeof open);
    uint64_t until = b.now + 30000;
    while (b.now < until || b.requests.count || b.replies.count || b.to_dram.count || h.flying ||
           !l2_partition_idle(&b.p)) {
        assert_true(b.now < until + 100000); /* everything is answered */
        b.now++;
        bool evaluated = due(&b);
        if (evaluated && !neighbours_first) {
            partition(&b);
        }
        neighbours(&b, &h, stream, until);
        if (evaluated && neighbours_first) {
            partition(&b);
        }
    }
    assert_true(h.asked == h.answered && h.asked > 200);
    const struct l2_stats *s = &b.p.stats;
    assert_true(s->requests == h.asked && s->replies == h.asked);
    assert_true(s->requests == s->read_hits + s->read_pending_hits + s->read_misses +
                                   s->write_hits + s->write_pending_hits + s->write_misses);
    assert_true(h.reads == s->read_misses + s->write_misses - s->full_line_writes);
    assert_true(h.writebacks == s->writebacks);
    l2_partition_settle(&b.p, b.l2.cycle);
    *stats = *s;
    *evaluations += b.evaluations;
    close_bench(&b);
    return h;
}

static void random_traffic_is_answered_once_at_the_same_times_however_it_is_evaluated(
    void **state) {
    (void)state;
    struct l2_stats sum = {0};
    uint64_t asleep = 0, polled = 0, other = 0;
    for (unsigned stream = 0; stream < 150; stream++) {
        struct l2_stats a, b, c;
        struct hostile x = run_random(stream, false, true, &a, &asleep),
                       y = run_random(stream, true, true, &b, &polled),
                       z = run_random(stream, false, false, &c, &other);
        assert_true(x.hash == y.hash && x.hash == z.hash);
        assert_memory_equal(&a, &b, sizeof a);
        assert_memory_equal(&a, &c, sizeof a);
        for (unsigned i = 1; i < L2_REFUSALS; i++) {
            sum.fails[i] += a.fails[i];
        }
        sum.writebacks += a.writebacks;
        sum.write_pending_hits += a.write_pending_hits;
    }
    for (unsigned i = 1; i < L2_REFUSALS; i++) {
        assert_true(sum.fails[i] > 1000);
    }
    assert_true(sum.writebacks > 1000 && sum.write_pending_hits > 1000);
    assert_true(asleep < polled && other < polled);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic_is_answered_once_at_the_same_times_however_it_is_evaluated),
    };
    return RUN_SEEDED(argc, argv, tests);
}
