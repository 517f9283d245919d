/* SPDX-License-Identifier: Apache-2.0
 *
 * DRAM channel with two request queues (MeDiC, PACT 2015, section 4.4).
 */
#include "config/derived.h"
#include "dram/channel_shapes.h"
#include "cosim/legality.h"
#include "cosim/line_history.h"
#include "dram/two_queues.h"

static struct config two_queues(struct config c) {
    c.dram.queues = DRAM_QUEUES_TWO;
    return c;
}

static void ask_high(struct channel_bench *b, uint64_t local, uint64_t id) {
    ask_through(b, &b->d.high_in, REQUEST_READ, b->config.l2.line_bytes, local, id,
                (b->now / b->period + 1) * b->period);
}

/* An idle channel, a closed row and an open one: the block's latency, once, before the commands. */
TEST(the_first_command_comes_after_the_pipeline) {
    for (unsigned k = 0; k < SHAPES; k++) {
        for (unsigned period = 1; period <= 23; period += 22) {
            CLOSED_BY(close_channel)
            struct channel_bench b = {.config = two_queues(channel_shape(k))};
            const struct config *c = &b.config;
            open_channel(&b, period);
            assert_int_equal(latency_of(&b, local_line(c, 3, 2, 0)),
                             DUAL_QUEUE_LATENCY + c->dram.rcd + columns_and_data(c));
            assert_int_equal(latency_of(&b, local_line(c, 3, 2, 1)),
                             DUAL_QUEUE_LATENCY + columns_and_data(c));
            assert_int_equal(latency_of(&b, local_line(c, 4, 2, 1)),
                             DUAL_QUEUE_LATENCY + c->dram.rp + c->dram.rcd + columns_and_data(c));
        }
    }
}

/* Hits keep the data bus as busy as the ideal scheduler does: the masks look ahead. */
TEST(columns_follow_each_other_as_fast_as_the_bus_allows) {
    for (unsigned k = 0; k < SHAPES; k++) {
        CLOSED_BY(close_channel) struct channel_bench b = {.config = two_queues(channel_shape(k))};
        const struct config *c = &b.config;
        open_channel(&b, 1);
        latency_of(&b, local_line(c, 0, 0, 0));
        unsigned before = b.commands;
        for (unsigned i = 1; i <= 3; i++) {
            ask_channel(&b, REQUEST_READ, local_line(c, 0, 0, i), i);
        }
        drain_channel(&b);
        assert_int_equal(b.commands, before + 3 * bursts_of_line(c));
        for (unsigned i = before + 1; i < b.commands; i++) {
            assert_int_equal(b.log[i].cycle - b.log[i - 1].cycle, c->dram.ccdl);
        }
    }
}

TEST(test_4_4_a_high_request_overtakes_low_ones) {
    CLOSED_BY(close_channel) struct channel_bench b = {.config = two_queues(base_preset())};
    const struct config *c = &b.config;
    uint64_t id;
    open_channel(&b, 1);
    latency_of(&b, local_line(c, 0, 0, 0));
    for (unsigned i = 1; i <= 8; i++) {
        ask_channel(&b, REQUEST_READ, local_line(c, 0, 0, i), i);
    }
    ask_high(&b, local_line(c, 1, 0, 0), 100); /* comes with the first of them, another row */
    until_data(&b, &id);
    assert_int_equal(id, 100);
    for (unsigned i = 1; i <= 8; i++) {
        until_data(&b, &id);
        assert_int_equal(id, i);
    }
    assert_true(channel_count(&b, "dram.high_requests") == 1 && b.d.stats.reads == 10);
    /* From its arrival to the precharge: the first command for it. */
    assert_int_equal(channel_count(&b, "dram.high_wait_cycles"), DUAL_QUEUE_LATENCY);
}

TEST(row_first_reads_low_hits_before_it_opens_a_row_for_a_high_request) {
    CLOSED_BY(close_channel) struct channel_bench b = {.config = two_queues(base_preset())};
    struct config *c = &b.config;
    uint64_t id;
    c->dram.high = DRAM_HIGH_ROW_FIRST;
    open_channel(&b, 1);
    latency_of(&b, local_line(c, 0, 0, 0));
    for (unsigned i = 1; i <= 8; i++) {
        ask_channel(&b, REQUEST_READ, local_line(c, 0, 0, i), i);
    }
    ask_high(&b, local_line(c, 1, 0, 0), 100);
    ask_high(&b, local_line(c, 2, 0, 0), 101);
    for (unsigned i = 1; i <= 8; i++) {
        until_data(&b, &id);
        assert_int_equal(id, i);
    }
    until_data(&b, &id);
    assert_int_equal(id, 100);
    until_data(&b, &id);
    assert_int_equal(id, 101);
    assert_int_equal(b.d.stats.activates, 3);
}

TEST(test_4_4_a_full_low_queue_never_blocks_a_high_request) {
    CLOSED_BY(close_channel) struct channel_bench b = {.config = two_queues(base_preset())};
    const struct config *c = &b.config;
    uint64_t id = 0;
    open_channel(&b, 1);
    for (unsigned i = 0; i < 3 * c->dram.queue; i++) {
        ask_channel(&b, REQUEST_READ, local_line(c, i, 0, 0), i); /* every one a conflict */
    }
    const struct two_queues *u = b.d.scheduler.state;
    while (u->count[DUAL_QUEUE_LOW] < c->dram.queue) {
        channel_tick(&b);
    }
    assert_true(b.d.in.count > 0); /* more of them wait outside */
    uint64_t asked = b.now + 1;
    ask_high(&b, local_line(c, 0, 7, 0), 1000);
    while (id != 1000) {
        assert_true(until_data(&b, &id) > 0);
    }
    assert_true(b.now - asked <=
                DUAL_QUEUE_LATENCY + c->dram.rrd + c->dram.rcd + 2 * columns_and_data(c));
    drain_channel(&b);
    assert_int_equal(b.d.stats.reads, 3 * c->dram.queue + 1);
}

static unsigned requests_inside(const struct channel_bench *b) {
    const struct two_queues *u = b->d.scheduler.state;
    return u->count[DUAL_QUEUE_LOW] + u->count[DUAL_QUEUE_HIGH];
}

/* Against footnote 5: low requests that fill the places which both queues share hold up a high one,
 * until one of them has its last column command. In the cycle after that the high one enters,
 * though low ones have waited longer. */
TEST(test_4_4_where_queues_share_their_places_low_requests_hold_up_a_high_one) {
    for (unsigned poll = 0; poll < 2; poll++) {
        CLOSED_BY(close_channel)
        struct channel_bench b = {.config = two_queues(base_preset()), .poll = poll};
        struct config *c = &b.config;
        c->dram.queue_share = DRAM_QUEUE_SHARE_COMMON;
        open_channel(&b, 1);
        for (unsigned i = 0; i < 3 * c->dram.queue; i++) {
            ask_channel(&b, REQUEST_READ, local_line(c, i, 0, 0), i); /* every one a conflict */
        }
        const struct two_queues *u = b.d.scheduler.state;
        while (u->count[DUAL_QUEUE_LOW] < c->dram.queue) {
            channel_tick(&b);
        }
        ask_high(&b, local_line(c, 0, 7, 0), 1000);
        while (u->count[DUAL_QUEUE_LOW] == c->dram.queue) {
            assert_true(u->count[DUAL_QUEUE_HIGH] == 0 && b.d.high_in.count == 1);
            channel_tick(&b);
        }
        assert_int_equal(b.d.stats.columns, bursts_of_line(c)); /* the first low one's */
        assert_int_equal(u->count[DUAL_QUEUE_HIGH], 0);
        channel_tick(&b);
        assert_int_equal(u->count[DUAL_QUEUE_HIGH], 1);
        assert_int_equal(requests_inside(&b), c->dram.queue);
        drain_channel(&b);
        assert_int_equal(b.d.stats.reads, 3 * c->dram.queue + 1);
    }
}

/* High requests for rows of bank 0, two at a time: the low one there, whose row one of them opens,
 * waits for the last of them, however many come, and then for nothing but the DRAM; one of another
 * bank does not. */
TEST(test_4_4_a_low_request_waits_as_long_as_high_ones_come_to_its_bank) {
    enum { LOW_THERE = 1000, LOW_ELSEWHERE };
    for (unsigned highs = 10; highs <= 160; highs *= 4) {
        CLOSED_BY(close_channel) struct channel_bench b = {.config = two_queues(base_preset())};
        const struct config *c = &b.config;
        uint64_t id = 0, last_high = 0;
        bool elsewhere = false;
        open_channel(&b, 1);
        ask_high(&b, local_line(c, 1, 0, 0), 1);
        ask_high(&b, local_line(c, 2, 0, 0), 2);
        ask_channel(&b, REQUEST_READ, local_line(c, 2, 0, 1), LOW_THERE);
        ask_channel(&b, REQUEST_READ, local_line(c, 0, 1, 0), LOW_ELSEWHERE);
        for (unsigned asked = 2, got = 0; got < highs; got += id < LOW_THERE) {
            last_high = until_data(&b, &id);
            assert_int_not_equal(id, LOW_THERE);
            elsewhere |= id == LOW_ELSEWHERE;
            if (id < LOW_THERE && asked < highs) {
                asked++;
                ask_high(&b, local_line(c, asked, 0, 0), asked);
            }
        }
        assert_true(elsewhere);
        uint64_t low = until_data(&b, &id);
        assert_int_equal(id, LOW_THERE);
        assert_int_equal(low - last_high, later_time(c->dram.rc, c->dram.ras + c->dram.rp));
    }
}

/* High hits of an open row without end, twelve at a time, and a low request for another row of that
 * bank, or for the same. With a bound so many high column commands pass it. Then it waits for the
 * DRAM alone. */
TEST(a_low_request_is_passed_by_as_many_high_columns_as_the_bound_says) {
    enum { LOW_ONE = 1000, CYCLES = 5000 };
    static const unsigned bounds[] = {0, 1, 4, 33, 255};
    for (unsigned i = 0; i < 2 * sizeof bounds / sizeof *bounds; i++) {
        CLOSED_BY(close_channel) struct channel_bench b = {.config = two_queues(base_preset())};
        struct config *c = &b.config;
        unsigned asked = 0, columns = c->dram.row_bytes / c->l2.line_bytes, bound = bounds[i / 2],
                 low_row = i % 2;
        bool served = false;
        c->dram.low_bound = bound;
        open_channel(&b, 1);
        latency_of(&b, local_line(c, 0, 0, 0));
        unsigned before = b.commands;
        for (; asked < 12; asked++) {
            ask_high(&b, local_line(c, 0, 0, asked), asked);
        }
        ask_channel(&b, REQUEST_READ, local_line(c, low_row, 0, 0), LOW_ONE);
        uint64_t start = b.now, low_at = 0;
        while (!served && b.now < start + CYCLES) {
            uint64_t id;
            low_at = until_data(&b, &id);
            served = id == LOW_ONE;
            asked++;
            ask_high(&b, local_line(c, 0, 0, asked % columns), asked);
        }
        assert_int_equal(served, bound != 0);
        if (served) {
            unsigned passed = 0;
            uint64_t last = 0;
            for (unsigned n = before; b.log[n].cycle + columns_and_data(c) < low_at; n++) {
                bool column = b.log[n].command == DRAM_READ;
                passed += column;
                last = column ? b.log[n].cycle : last;
            }
            assert_int_equal(passed, bound); /* every CCDL > 2 cycles: none is on its way */
            assert_int_equal(low_at - last,
                             columns_and_data(c) +
                                 (low_row ? later_time(c->dram.rtpl, DUAL_QUEUE_LATENCY) +
                                                c->dram.rp + c->dram.rcd
                                          : c->dram.ccdl));
        }
    }
}

static const uint64_t END_OF_ROWS = UINT64_C(1) << TWO_QUEUES_ROW_BITS;

TEST(a_row_beyond_the_blocks_row_numbers_ends_the_run) {
    CHANNEL(b, two_queues(base_preset()), 1);
    ask_channel(&b, REQUEST_READ, local_line(&b.config, END_OF_ROWS - 1, 0, 0), 1);
    drain_channel(&b);
    assert_int_equal(b.alarm.cause, ALARM_NONE);
    ask_channel(&b, REQUEST_READ, local_line(&b.config, END_OF_ROWS, 0, 0), 1);
    for (unsigned i = 0; i < 10; i++) {
        channel_tick(&b);
    }
    assert_true(b.alarm.cause == ALARM_FAR_ADDRESS && b.attention == 0);
}

/* Addresses of real traces have 48 bits. */
TEST(every_preset_has_room_for_addresses_of_48_bits) {
    const char *name;
    for (unsigned i = 0; (name = config_preset_name(i, NULL)); i++) {
        CLOSED_BY(close_channel) struct channel_bench b = {0};
        struct config_error e;
        struct dram_map map;
        uint64_t local;
        assert_true(config_preset(&b.config, name, &e));
        b.config.core.count = b.config.core.count < 64 ? b.config.core.count : 64;
        b.config = two_queues(b.config);
        dram_map_init(&map, &b.config);
        dram_map_partition(&map, (UINT64_C(1) << 48) - 1, &local);
        open_channel(&b, 1);
        ask_channel(&b, REQUEST_READ, local, 1);
        while (b.commands == 0) {
            channel_tick(&b);
            assert_int_equal(b.alarm.cause, ALARM_NONE);
        }
        assert_int_equal(b.log[0].row, dram_map_local(&map, local).row);
    }
}

/* --- random streams: every rule kept, each read answered once, asleep the same as polled --- */

enum { REQUESTS = 1200 };

struct checked_run {
    struct legality l;
    struct line_history lines;
    bool ordered;
    uint64_t hash, evaluations;
    struct dram_stats stats;
    struct two_queues_stats high;
};

static void check_command(void *user, uint64_t cycle, enum dram_command command, unsigned bank,
                          uint64_t row, const struct dram_entry *column) {
    struct checked_run *run = user;
    uint64_t passed = 0;
    if (column && run->ordered) {
        assert_true(line_history_add(&run->lines, column->request.local, column->request.line,
                                     command == DRAM_WRITE, &passed));
        assert_false(passed);
    }
    assert_int_equal(legality_check(&run->l, cycle, command, bank, row), LEGAL);
    run->hash = (run->hash ^ (cycle * 256 + bank * 4 + command)) * UINT64_C(0x100000001b3);
}

/* Drawn from the time alone: bursts and pauses, hits and conflicts, reads and writes, both ways. */
static bool ask_some(struct channel_bench *b, struct rng *rng, unsigned asked, unsigned reading,
                     bool *write) {
    unsigned mood = (unsigned)(b->now / 700 % 6), high = (unsigned)(b->now / 4200 % 4);
    const struct config *c = &b->config;
    struct ring *way = rng_chance(rng, high, 3) ? &b->d.high_in : &b->d.in;
    *write = rng_chance(rng, mood == 2 ? 4 : 1, 5);
    if (!ring_room(way, b->now) || !rng_chance(rng, 1, mood == 4 ? 40 : 2) ||
        (!*write && reading == config_dram_returns(c))) {
        return false;
    }
    unsigned bank = mood == 1 ? 0 : rng_below(rng, c->dram.banks), rows = mood == 3 ? 1 : 4;
    ask_through(b, way, *write ? REQUEST_WRITEBACK : REQUEST_READ,
                *write ? 1 + rng_below(rng, c->l2.line_bytes) : 0,
                local_line(c, rng_below(rng, rows), bank,
                           rng_below(rng, c->dram.row_bytes / c->l2.line_bytes)),
                asked, b->now + c->dram.latency * b->period);
    return true;
}

static struct checked_run run_checked(unsigned stream, const struct config *c, bool poll) {
    static struct channel_bench b;
    static bool answered[REQUESTS];
    struct checked_run run = {.ordered = c->dram.line_order};
    unsigned asked = 0, reads = 0, got = 0;
    b = (struct channel_bench){.config = *c, .poll = poll};
    memset(answered, 0, sizeof answered);
    open_channel(&b, 1);
    legality_init(&run.l, c);
    b.d.log = check_command;
    b.d.log_user = &run;
    uint64_t patience = b.now + 2000000;
    while (asked < REQUESTS || !dram_channel_idle(&b.d)) {
        struct rng rng = seeded_rng(stream * UINT64_C(100000) + b.now);
        bool write;
        assert_true(b.now < patience);
        run.evaluations += b.now + 1 == (poll ? b.dram.edge : b.dram.next);
        channel_tick(&b);
        assert_true(c->dram.queue_share == DRAM_QUEUE_SHARE_OWN ||
                    requests_inside(&b) <= c->dram.queue);
        if (asked < REQUESTS && ask_some(&b, &rng, asked, reads - got, &write)) {
            asked++;
            reads += !write;
        }
        for (unsigned bank = 0; bank < c->l2.banks; bank++) {
            struct ring_entry *e = ring_head(&b.d.out[bank], b.now);
            if (e && rng_chance(&rng, 1, 2)) {
                assert_false(answered[e->request.line]);
                answered[e->request.line] = true;
                got++;
                run.hash = (run.hash ^ (b.now * 8192 + e->request.line)) * UINT64_C(0x100000001b3);
                ring_pop(&b.d.out[bank], b.now);
            }
        }
    }
    assert_int_equal(got, reads);
    assert_true(b.d.stats.reads == reads && b.d.stats.writes == asked - reads);
    dram_channel_settle(&b.d, b.dram.cycle);
    run.stats = b.d.stats;
    run.high = ((const struct two_queues *)b.d.scheduler.state)->stats;
    line_history_destroy(&run.lines);
    close_channel(&b);
    return run;
}

TEST(random_streams_keep_every_rule_and_are_answered_once) {
    uint64_t asleep = 0, polled = 0, high = 0, low = 0;
    unsigned turned = 0;
    for (unsigned stream = 0; stream < 40; stream++) {
        static const unsigned depths[] = {2, 3, 16, 64, 128};
        struct config c = two_queues(channel_shape(stream % SHAPES));
        c.dram.queue = depths[stream % 5];
        c.dram.latency = 1 + stream % 7;
        c.dram.low_bound = stream % 3 ? 1 + stream % 3 * stream : 0;
        c.dram.high = stream / 3 % 2 ? DRAM_HIGH_ROW_FIRST : DRAM_HIGH_ALWAYS;
        c.dram.queue_share = stream / 2 % 2;
        c.dram.line_order = stream / 5 % 2;
        c.dram.queue *=
            c.dram.queue == 128 && c.dram.queue_share == DRAM_QUEUE_SHARE_COMMON ? 2 : 1;
        struct checked_run a = run_checked(stream, &c, false), b = run_checked(stream, &c, true);
        assert_true(a.hash == b.hash);
        assert_memory_equal(&a.stats, &b.stats, sizeof a.stats);
        assert_memory_equal(&a.high, &b.high, sizeof a.high);
        if (c.dram.low_bound) {
            c.dram.low_bound = 0;
            turned += run_checked(stream, &c, false).hash != a.hash;
        }
        asleep += a.evaluations;
        polled += b.evaluations;
        high += a.high.high_requests;
        low += a.stats.reads + a.stats.writes - a.high.high_requests;
    }
    assert_true(asleep < polled && high > 10000 && low > 10000 && turned > 10);
}
