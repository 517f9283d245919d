/* SPDX-License-Identifier: Apache-2.0
 *
 * MeDiC 4.4 from the bank to the DRAM and back: where low requests fill all they may fill, a high
 * one goes on.
 */
#include "dram/two_queues.h"
#include "l2/warp_loads.h"

enum { LOW = 1, HIGH };          /* warps */
enum { TIMES = 300, GAP = 397 }; /* high requests, and cycles from one to the next */

/* --- the ways, with a DRAM that takes high requests alone --- */

/* A warp becomes an all-hit warp with one hit. */
static struct config two_ways(void) {
    struct config c = one_bank();
    c.dram.queues = DRAM_QUEUES_TWO;
    c.l2.mshrs = 256;
    c.medic.profile = 1;
    return c;
}

static void make_high(struct warp_loads *l, unsigned accesses) {
    load_one(l, 0, 0, 0);
    finish_loads(l);
    for (unsigned i = 0; i < accesses; i++) {
        load_one(l, 0, HIGH, 0);
        finish_loads(l);
    }
}

static struct request read_of(const struct bench *b, unsigned warp, uint64_t local) {
    return (struct request){.line = local,
                            .local = local,
                            .kind = REQUEST_READ,
                            .bytes = (uint16_t)b->config.l2.line_bytes,
                            .sectors = 15,
                            .warp = (uint16_t)warp};
}

static void ask_read(struct bench *b, unsigned port, unsigned warp, uint64_t local) {
    struct request r = read_of(b, warp, local);
    ask_port(b, port, &r);
}

static void tick_partition(struct bench *b, unsigned cycles) {
    while (cycles--) {
        tick_l2(b);
    }
}

/* From a high request's departure to its sight by the DRAM: the pipeline, the bypass block, the
 * arbiter, the bank's miss queue, the constant part. */
static unsigned to_the_dram(const struct config *c) {
    return 1 + c->l2.rop_latency + 1 + c->l2.arbiter_latency + 1 + c->dram.latency;
}

TEST(test_4_4_full_low_ways_do_not_hold_up_a_high_request) {
    const struct config c = two_ways();
    const unsigned low = c.dram.return_queue; /* reads that may be on their way */
    struct warp_loads l;
    struct bench *b = &l.b;
    open_loads(&l, &c);
    wait_for_counters(&l, 0);
    make_high(&l, 1);
    for (unsigned i = 0; i < low + c.l2.miss_queue; i++) {
        ask_read(b, 0, LOW, 1000 + i);
        tick_l2(b);
    }
    tick_partition(b, 2 * to_the_dram(&c));
    assert_true(b->to_dram.count == low);
    assert_true(b->p.bank->miss_queue.count == c.l2.miss_queue && !b->p.bank->queue.count);
    const uint64_t asked = b->now;
    for (unsigned seen = 0; seen < c.dram.queue;) {
        if (b->now - asked < c.dram.queue) {
            ask_read(b, 0, HIGH, 2000 + b->now - asked);
        }
        tick_l2(b);
        if (dram_seen_on(b, &b->to_dram_high)) {
            assert_int_equal(dram_take_from(b, &b->to_dram_high).local, 2000 + seen);
            assert_int_equal(b->now - asked, to_the_dram(&c) + seen);
            seen++;
        }
        assert_true(b->now - asked < 5000);
    }
    assert_true(b->to_dram.count == low); /* not one of them has moved */
    close_partition_bench(b);
}

/* --- writes, for which nobody waits --- */

static void ask_kind(struct bench *b, unsigned kind, unsigned warp, uint64_t local) {
    struct request r = read_of(b, warp, local);
    r.kind = (uint8_t)kind;
    r.bytes = 32;
    ask_port(b, 0, &r);
}

/* A read of a line and a write of another, or the same, come to the DRAM, each on its way. */
static void see_both(struct bench *b, struct ring *reads, uint64_t read, struct ring *writes,
                     uint64_t written) {
    struct ring *ways[] = {&b->to_dram_high, &b->to_dram};
    unsigned seen_reads = 0, seen_writes = 0;
    for (unsigned i = 0; i < 3 * to_the_dram(&b->config); i++) {
        tick_l2(b);
        for (unsigned k = 0; k < 2; k++) {
            if (!dram_seen_on(b, ways[k])) {
                continue;
            }
            struct request r = dram_take_from(b, ways[k]);
            bool reads_it = r.kind == REQUEST_READ;
            assert_ptr_equal(ways[k], reads_it ? reads : writes);
            assert_int_equal(r.local, reads_it ? read : written);
            *(reads_it ? &seen_reads : &seen_writes) += 1;
            if (reads_it) {
                dram_answer(b, &r);
            }
        }
    }
    assert_true(seen_reads == 1 && seen_writes == 1 && answer_seen(b));
    take_answer(b);
}

/* The machine, and a warp in it that hits; LOW's type is not known. */
static void open_with_writes(struct warp_loads *l, unsigned writes, unsigned write) {
    struct config c = two_ways();
    c.medic.writes = writes;
    c.l2.write = write;
    c.l2.write_miss = L2_WRITE_MISS_FETCH;
    c.l2.ways = write == L2_WRITE_BACK ? 1 : c.l2.ways;
    open_loads(l, &c);
    wait_for_counters(l, 0);
    make_high(l, 1);
}

TEST(test_4_4_writes_of_a_mostly_hit_warp_are_tagged_or_go_low) {
    for (unsigned writes = 0; writes < 2; writes++) {
        struct warp_loads l;
        struct bench *b = &l.b;
        struct ring *high = &b->to_dram_high, *low = &b->to_dram;
        struct ring *way = writes == MEDIC_WRITES_LOW ? low : high;
        open_with_writes(&l, writes, L2_WRITE_THROUGH);
        ask_kind(b, REQUEST_WRITE, HIGH, 50);
        see_both(b, high, 50, way, 50);
        make_high(&l, 10); /* it still is */
        ask_kind(b, REQUEST_ATOMIC, HIGH, 60);
        see_both(b, high, 60, way, 60);
        ask_kind(b, REQUEST_WRITE, LOW, 30);
        see_both(b, low, 30, low, 30);
        close_partition_bench(b);
    }
}

TEST(a_dirty_victim_goes_as_the_writes_of_who_evicts_it) {
    for (unsigned writes = 0; writes < 2; writes++) {
        struct warp_loads l;
        struct bench *b = &l.b;
        struct ring *way = writes == MEDIC_WRITES_LOW ? &b->to_dram : &b->to_dram_high;
        open_with_writes(&l, writes, L2_WRITE_BACK);
        ask_kind(b, REQUEST_WRITE, HIGH, 0);
        until_answer(b);
        take_answer(b);
        ask_kind(b, REQUEST_READ, HIGH, b->config.l2.sets);
        see_both(b, &b->to_dram_high, b->config.l2.sets, way, 0);
        close_partition_bench(b);
    }
}

/* Reads of a warp for which nothing moves any more, beyond its bank. */
static void fill_way_from(struct bench *b, unsigned warp, uint64_t line, unsigned reads) {
    for (unsigned i = 0; i < reads + b->config.l2.miss_queue; i++) {
        ask_read(b, 0, warp, line + i);
        tick_l2(b);
    }
    tick_partition(b, 2 * to_the_dram(&b->config));
    assert_true(!b->p.bank->queue.count);
}

static void fill_way(struct bench *b, unsigned warp, unsigned reads) {
    fill_way_from(b, warp, 1000, reads);
}

static void fill_low_way(struct bench *b) {
    fill_way(b, LOW, b->config.dram.return_queue);
}

/* Reads that cover the latency get their places at any queue depth, and the high queue fills. */
TEST(low_reads_have_all_return_places_but_those_that_the_high_queue_adds) {
    static const unsigned shapes[][2] = {{4, 4}, {4, 16}, {1, 128}, {40, 16}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct warp_loads l;
        struct bench *b = &l.b;
        struct config c = two_ways();
        c.dram.return_queue = shapes[i][0];
        c.dram.queue = shapes[i][1];
        open_loads(&l, &c);
        wait_for_counters(&l, 0);
        make_high(&l, 1);
        fill_way_from(b, LOW, 1000, c.dram.return_queue);
        assert_int_equal(b->to_dram.count, c.dram.return_queue);
        fill_way_from(b, HIGH, 2000, c.dram.queue);
        assert_int_equal(b->to_dram_high.count, c.dram.queue);
        assert_int_equal(b->to_dram.count, c.dram.return_queue);
        close_partition_bench(b);
    }
}

/* Return: L2 cycles until now in which a request was refused for @why, by a bank that may sleep. */
static uint64_t refused_cycles(struct bench *b, unsigned why) {
    l2_partition_settle(&b->p, b->now / b->period + 1);
    return partition_totals(b).fails[why];
}

/* The low read that is one too many stands before the high one, which moves when the DRAM has
 * answered a low one: seen, a low one leaves in that cycle; the bank takes the refused one in the
 * next, then, when it is free again, the high one, which has its way before it. */
TEST(one_low_read_too_many_holds_its_bank_and_the_high_one_behind_it) {
    enum { HELD = 500 };
    struct config c = two_ways();
    struct warp_loads l;
    struct bench *b = &l.b;
    open_loads(&l, &c);
    wait_for_counters(&l, 0);
    make_high(&l, 1);
    fill_low_way(b);
    ask_read(b, 0, LOW, 2000);
    tick_l2(b);
    ask_read(b, 0, HIGH, 3000);
    tick_partition(b, to_the_dram(&c));
    const uint64_t before = refused_cycles(b, L2_FAIL_MISS_QUEUE);
    tick_partition(b, HELD);
    assert_int_equal(refused_cycles(b, L2_FAIL_MISS_QUEUE) - before, HELD);
    assert_true(b->p.bank->queue.count == 2 && !b->to_dram_high.count);
    struct request r = dram_take_from(b, &b->to_dram);
    const uint64_t answered = b->now;
    dram_answer(b, &r);
    while (!dram_seen_on(b, &b->to_dram_high)) {
        tick_l2(b);
        assert_true(b->now - answered < HELD);
    }
    assert_int_equal(b->now - answered, 1 + 1 + c.l2.bank_interval + 1 + c.dram.latency);
    close_partition_bench(b);
}

/* The same where the ways are empty and the bank's MSHRs are taken: a high request that hits. */
TEST(a_low_read_without_an_mshr_holds_its_bank_and_a_hit_behind_it) {
    enum { HELD = 500, MSHRS = 2 };
    struct config c = two_ways();
    struct warp_loads l;
    struct bench *b = &l.b;
    c.l2.mshrs = MSHRS;
    open_loads(&l, &c);
    wait_for_counters(&l, 0);
    make_high(&l, 1);
    for (unsigned i = 0; i <= MSHRS; i++) {
        ask_read(b, 0, LOW, 1000 + i);
        tick_l2(b);
    }
    ask_read(b, 0, HIGH, 0); /* the line is there */
    tick_partition(b, to_the_dram(&c));
    const uint64_t before = refused_cycles(b, L2_FAIL_MSHR_FULL);
    tick_partition(b, HELD);
    assert_int_equal(refused_cycles(b, L2_FAIL_MSHR_FULL) - before, HELD);
    assert_true(b->to_dram.count == MSHRS && b->p.bank->queue.count == 2 && !answer_seen(b));
    close_partition_bench(b);
}

/* Return: is it held in its bank's queue, because of a way? */
static bool bank_holds(struct bench *b, unsigned kind, uint64_t local) {
    const uint64_t fails = partition_totals(b).fails[L2_FAIL_MISS_QUEUE];
    ask_kind(b, kind, HIGH, local);
    tick_partition(b, 2 * to_the_dram(&b->config));
    l2_partition_settle(&b->p, b->l2.cycle);
    bool held = b->p.bank->queue.count;
    assert_true(held == (partition_totals(b).fails[L2_FAIL_MISS_QUEUE] > fails));
    return held;
}

/* The cost of medic.writes = low: a read of the same warp waits behind its write. */
TEST(a_full_low_way_holds_a_write_that_goes_low) {
    for (unsigned writes = 0; writes < 2; writes++) {
        struct warp_loads l;
        struct bench *b = &l.b;
        const bool held = writes == MEDIC_WRITES_LOW;
        open_with_writes(&l, writes, L2_WRITE_THROUGH);
        fill_low_way(b);
        assert_true(bank_holds(b, REQUEST_WRITE, 0) == held);
        ask_read(b, 0, HIGH, 2000);
        tick_partition(b, 2 * to_the_dram(&b->config));
        assert_int_equal(b->p.bank->queue.count, held ? 2 : 0);
        assert_int_equal(b->to_dram_high.count, held ? 0 : 2);
        close_partition_bench(b);
    }
}

TEST(a_full_high_way_holds_the_fetch_of_a_write_but_no_write_that_goes_low) {
    struct warp_loads l;
    struct bench *b = &l.b;
    open_with_writes(&l, MEDIC_WRITES_LOW, L2_WRITE_THROUGH);
    fill_way(b, HIGH, config_dram_returns(&b->config));
    assert_false(bank_holds(b, REQUEST_WRITE, 0));
    assert_int_equal(b->to_dram.count, 1);
    assert_true(bank_holds(b, REQUEST_WRITE, 500));
    assert_int_equal(b->to_dram.count, 1);
    close_partition_bench(b);
}

TEST(an_atomic_without_a_line_needs_both_ways) {
    struct config c = two_ways();
    c.medic.writes = MEDIC_WRITES_LOW;
    c.l2.allocation = L2_ALLOCATION_TOKENS;
    c.pcal.tokens = 1; /* warp 0 has it */
    struct warp_loads l;
    open_loads(&l, &c);
    wait_for_counters(&l, 0);
    make_high(&l, 1);
    fill_low_way(&l.b);
    assert_true(bank_holds(&l.b, REQUEST_ATOMIC, 500));
    assert_int_equal(l.b.to_dram_high.count, 0);
    close_partition_bench(&l.b);
}

/* --- with a DRAM channel --- */

struct channel_and_partition {
    struct warp_loads l;
    struct dram_channel d;
    struct clock_domain clock;
};

static void open_both(struct channel_and_partition *m, const struct config *c) {
    open_loads(&m->l, c);
    struct bench *b = &m->l.b;
    const struct build build = {.alarm = &b->alarm};
    assert_true(dram_channel_init(&m->d, c, 0, NULL, &build));
    m->d.clock = &b->dram;
    m->d.l2_clock = &b->l2;
    l2_partition_wire(&b->p, m->d.out, &nobody_reads, NULL);
    b->p.to_dram = &m->d.in;
    b->p.to_dram_high = c->dram.queues == DRAM_QUEUES_TWO ? &m->d.high_in : NULL;
}

static void close_both(struct channel_and_partition *m) {
    dram_channel_destroy(&m->d);
    close_partition_bench(&m->l.b);
}

/* Return: the answer that came, NULL: none. */
static const struct request *both_tick(struct channel_and_partition *m, struct request *answer) {
    struct bench *b = &m->l.b;
    tick_l2(b);
    if (b->now == b->dram.next && clock_take(&b->dram, b->now)) {
        clock_evaluated(&b->dram, 0, dram_channel_cycle(&m->d, &b->dram.now));
    }
    if (!answer_seen(b)) {
        return NULL;
    }
    *answer = *answer_seen(b);
    take_answer(b);
    return answer;
}

static void train_warp(struct channel_and_partition *m, unsigned warp, uint64_t first,
                       unsigned step) {
    struct request answer;
    for (unsigned i = 0; i < m->l.b.config.medic.profile; i++) {
        ask_read(&m->l.b, 1, warp, first + i * step);
        for (unsigned k = 0; k < 1000; k++) {
            both_tick(m, &answer);
        }
    }
}

/* The whole MeDiC but for the number of queues. A warp that misses saturates port 0; now and then
 * one that hits misses, and stalls for at most *longest. */
static void run_both(unsigned queues, uint64_t *longest, uint64_t *low_longest) {
    struct config c = named_preset("gtx480");
    c.l2.bypass = L2_BYPASS_WARP_TYPE;
    c.l2.insertion = L2_INSERTION_WARP_TYPE;
    c.dram.queues = queues;
    c.medic.period = 1000000;
    static struct channel_and_partition m;
    struct bench *b = &m.l.b;
    struct request answer;
    struct rng rng = seeded_rng(queues);
    uint64_t asked = 0;
    bool waits = false;
    open_both(&m, &c);
    train_warp(&m, 0, 0, 0); /* the line is there, whoever comes */
    train_warp(&m, HIGH, 0, 0);
    train_warp(&m, LOW, 100, 1);
    *longest = *low_longest = 0;
    for (unsigned i = 0, given = 0; given < TIMES || waits; i++) {
        if (ring_room(&b->requests[0], b->now)) {
            struct request r = read_of(b, LOW, 10000 + rng_below(&rng, 1 << 20));
            r.born = b->now;
            ask_port(b, 0, &r);
        }
        if (!waits && i >= 5 * GAP && i % GAP == 0) {
            ask_read(b, 1, HIGH, 2000000 + rng_below(&rng, 1 << 20));
            asked = b->now;
            waits = true;
            given++;
        }
        if (!both_tick(&m, &answer)) {
            continue;
        }
        if (answer.warp == HIGH) {
            waits = false;
            *longest = b->now - asked > *longest ? b->now - asked : *longest;
        } else if (b->now - answer.born > *low_longest) {
            *low_longest = b->now - answer.born;
        }
    }
    assert_true(partition_totals(b).bypasses[REQUEST_READ] > 1000);
    assert_true(!outcome_of_kind(b, REQUEST_READ, L2_PENDING_HIT));
    close_both(&m);
}

/* The worst case of a high request: its bank has just opened a row for a low one, so that the next
 * may be opened tRC later; another bank has just opened one; and before each of its three commands,
 * one of a low request is being chosen or issued. */
TEST(test_4_4_a_saturating_low_warp_does_not_hold_up_a_high_one) {
    struct config c = named_preset("gtx480");
    uint64_t one, two, low;
    const unsigned bursts = LINE / (c.dram.bus_bytes * c.dram.burst);
    const unsigned data =
        (bursts - 1) * (c.dram.ccdl + DUAL_QUEUE_LATENCY) + c.dram.cl + c.dram.burst / c.dram.beats;
    const unsigned dram =
        3 * DUAL_QUEUE_LATENCY + c.dram.rc + c.dram.rrd + c.dram.rcd + c.dram.ccdl + data;
    const unsigned back = 1 + 1 + c.l2.fill_latency + 1, set_read = 1;
    const unsigned bound = to_the_dram(&c) + set_read + dram + back;
    run_both(DRAM_QUEUES_TWO, &two, &low);
    assert_true(two <= bound && low > 2 * bound);
    run_both(DRAM_QUEUES_ONE, &one, &low);
    assert_true(one > bound);
}
