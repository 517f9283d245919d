/* SPDX-License-Identifier: Apache-2.0
 *
 * Random streams through the DRAM channel under the legality checker, and the checker's own tests.
 */
#include <inttypes.h>

#include "base/long_test.h"
#include "config/derived.h"
#include "dram/channel_bench.h"
#include "dram/one_queue.h"
#include "cosim/legality.h"
#include "cosim/line_history.h"

/* --- the checker rejects what breaks a rule, and accepts it a cycle later --- */

enum { LONG_AGO = 1000, NOW = 10000 };

/* A configuration in which no two distances are equal, and each rule can be the only one that is
 * broken. */
static struct config distinct_distances(void) {
    struct config c = base_preset();
    c.dram.cl = 20;
    c.dram.wl = 7;
    c.dram.rcd = 31;
    c.dram.rp = 17;
    c.dram.ras = 45;
    c.dram.rc = 80;
    c.dram.rrd = 9;
    c.dram.ccd = 4;
    c.dram.ccdl = 6;
    c.dram.rtpl = 11;
    c.dram.cdlr = 5;
    c.dram.wr = 13;
    return c;
}

/* Banks 0, 1 (of one group) and 15 (of another) have row 1 open for long, bank 2 is closed for
 * long. */
static void set_up_legality(struct legality *l, const struct config *c) {
    static const unsigned open[] = {0, 1, 15};
    legality_init(l, c);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(legality_check(l, LONG_AGO + 500 * i, DRAM_ACTIVATE, open[i], 1), LEGAL);
    }
}

TEST(a_legal_sequence_is_accepted) {
    struct config c = distinct_distances();
    struct legality l;
    set_up_legality(&l, &c);
    assert_int_equal(legality_check(&l, NOW, DRAM_READ, 0, 1), LEGAL);
    assert_int_equal(legality_check(&l, NOW + 4, DRAM_READ, 15, 1), LEGAL);
    assert_int_equal(legality_check(&l, NOW + 5, DRAM_ACTIVATE, 2, 9), LEGAL);
    assert_int_equal(legality_check(&l, NOW + 500, DRAM_WRITE, 2, 9), LEGAL);
    assert_int_equal(legality_check(&l, NOW + 900, DRAM_PRECHARGE, 2, 9), LEGAL);
}

TEST(each_state_rule_rejects) {
    struct config c = distinct_distances();
    struct legality l;
    set_up_legality(&l, &c);
    assert_int_equal(legality_check(&l, NOW, DRAM_ACTIVATE, 0, 2), ACTIVATE_OF_OPEN_BANK);
    assert_int_equal(legality_check(&l, NOW, DRAM_READ, 2, 1), COLUMN_OF_CLOSED_BANK);
    assert_int_equal(legality_check(&l, NOW, DRAM_WRITE, 2, 1), COLUMN_OF_CLOSED_BANK);
    assert_int_equal(legality_check(&l, NOW, DRAM_READ, 0, 2), COLUMN_OF_OTHER_ROW);
    assert_int_equal(legality_check(&l, NOW, DRAM_WRITE, 0, 2), COLUMN_OF_OTHER_ROW);
    assert_int_equal(legality_check(&l, NOW, DRAM_PRECHARGE, 2, 1), PRECHARGE_OF_CLOSED_BANK);
    assert_int_equal(legality_check(&l, NOW, DRAM_READ, 0, 1), LEGAL);
    assert_int_equal(legality_check(&l, NOW, DRAM_PRECHARGE, 15, 1), TWO_COMMANDS_A_CYCLE);
    assert_int_equal(legality_check(&l, NOW - 1, DRAM_PRECHARGE, 15, 1), TWO_COMMANDS_A_CYCLE);
}

/* Two commands; the second comes one cycle too early, then in time. */
struct pair {
    enum rule rule;
    unsigned distance;
    enum dram_command first, second;
    unsigned first_bank, second_bank;
};

static void check_pair(const struct config *c, const struct pair *p) {
    for (unsigned in_time = 0; in_time < 2; in_time++) {
        struct legality l;
        uint64_t row = p->first == DRAM_ACTIVATE ? 2 : 1;
        set_up_legality(&l, c);
        if (p->first == DRAM_ACTIVATE && p->second == DRAM_ACTIVATE &&
            p->first_bank == p->second_bank) {
            /* RC: the bank is closed in between; that precharge and RP are in time. */
            assert_int_equal(legality_check(&l, NOW, DRAM_ACTIVATE, p->first_bank, row), LEGAL);
            assert_int_equal(
                legality_check(&l, NOW + c->dram.ras, DRAM_PRECHARGE, p->first_bank, row), LEGAL);
        } else {
            assert_int_equal(legality_check(&l, NOW, p->first, p->first_bank, row), LEGAL);
        }
        uint64_t cycle = NOW + p->distance - 1 + in_time;
        uint64_t second_row = p->second == DRAM_ACTIVATE        ? 3
                              : p->second_bank == p->first_bank ? row
                                                                : 1;
        assert_int_equal(legality_check(&l, cycle, p->second, p->second_bank, second_row),
                         in_time ? LEGAL : p->rule);
    }
}

TEST(each_distance_rule_rejects_a_cycle_before_its_time) {
    struct config c = distinct_distances();
    unsigned burst = 2; /* 8 beats, 4 a cycle */
    const struct pair pairs[] = {
        {RC, 80, DRAM_ACTIVATE, DRAM_ACTIVATE, 2, 2},
        {RRD, 9, DRAM_ACTIVATE, DRAM_ACTIVATE, 2, 3},
        {RCD_READ, 31, DRAM_ACTIVATE, DRAM_READ, 2, 2},
        {RCD_WRITE, 31 - 7 - 1, DRAM_ACTIVATE, DRAM_WRITE, 2, 2},
        {RAS, 45, DRAM_ACTIVATE, DRAM_PRECHARGE, 2, 2},
        {RP, 17, DRAM_PRECHARGE, DRAM_ACTIVATE, 0, 0},
        {CCD, 4, DRAM_READ, DRAM_READ, 0, 15},
        {CCD, 4, DRAM_WRITE, DRAM_WRITE, 0, 15},
        {CCDL, 6, DRAM_READ, DRAM_READ, 0, 1},
        {CCDL, 6, DRAM_WRITE, DRAM_WRITE, 0, 0},
        {READ_TO_WRITE, 20 + burst + 2 - 7, DRAM_READ, DRAM_WRITE, 0, 15},
        {WRITE_TO_READ, 7 + burst + 5, DRAM_WRITE, DRAM_READ, 0, 15},
        {READ_TO_PRECHARGE, 11, DRAM_READ, DRAM_PRECHARGE, 0, 0},
        {WRITE_TO_PRECHARGE, 7 + burst + 13, DRAM_WRITE, DRAM_PRECHARGE, 0, 0},
    };
    struct config data_sheet = c;
    data_sheet.dram.rcd_write = 27;
    check_pair(&data_sheet, &(struct pair){RCD_WRITE, 27, DRAM_ACTIVATE, DRAM_WRITE, 2, 2});
    unsigned rules = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        check_pair(&c, &pairs[i]);
        rules |= 1u << pairs[i].rule;
    }
    for (unsigned rule = FIRST_DISTANCE; rule < RC_TO_REFRESH; rule++) {
        assert_true(rules >> rule & 1); /* none left out */
    }
}

/* A refresh a cycle too early is rejected by the rule, and accepted a cycle later. */
static void check_refresh_pair(const struct legality *before, enum rule rule, uint64_t cycle,
                               enum dram_command command) {
    struct legality l = *before;
    assert_int_equal(legality_check(&l, cycle - 1, command, 0, 0), rule);
    assert_int_equal(legality_check(&l, cycle, command, 0, 0), LEGAL);
}

TEST(each_refresh_rule_rejects_a_cycle_before_its_time) {
    struct config c = distinct_distances();
    struct legality l;
    c.dram.refi = NOW;
    c.dram.rfc = 99;
    set_up_legality(&l, &c);
    assert_int_equal(legality_check(&l, NOW, DRAM_REFRESH, 0, 0), REFRESH_OF_OPEN_BANK);
    assert_int_equal(legality_check(&l, NOW, DRAM_READ, 0, 1), REFRESH_OWED);
    assert_int_equal(legality_check(&l, NOW, DRAM_ACTIVATE, 2, 1), REFRESH_OWED);
    assert_int_equal(legality_check(&l, NOW - 40, DRAM_ACTIVATE, 2, 1), LEGAL);
    assert_int_equal(legality_check(&l, NOW + 5, DRAM_PRECHARGE, 2, 1), LEGAL);
    static const unsigned open[] = {0, 1, 15};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(legality_check(&l, NOW + 6 + i, DRAM_PRECHARGE, open[i], 1), LEGAL);
    }
    check_refresh_pair(&l, RC_TO_REFRESH, NOW - 40 + c.dram.rc, DRAM_REFRESH);
    c.dram.rc = l.c.dram.rc = 1;
    check_refresh_pair(&l, RP_TO_REFRESH, NOW + 8 + c.dram.rp, DRAM_REFRESH);
    assert_int_equal(legality_check(&l, NOW + 50, DRAM_REFRESH, 0, 0), LEGAL);
    check_refresh_pair(&l, RFC, NOW + 50 + c.dram.rfc, DRAM_ACTIVATE);
    check_refresh_pair(&l, REFRESH_EARLY, 2 * NOW, DRAM_REFRESH);
}

TEST(two_bursts_on_the_data_bus_are_rejected) {
    struct config c = distinct_distances();
    struct legality l;
    c.dram.burst = 32; /* 8 cycles: CCD = 4 would let them overlap */
    set_up_legality(&l, &c);
    assert_int_equal(legality_check(&l, NOW, DRAM_READ, 0, 1), LEGAL);
    assert_int_equal(legality_check(&l, NOW + 7, DRAM_READ, 15, 1), DATA_BUS);
    assert_int_equal(legality_check(&l, NOW + 8, DRAM_READ, 15, 1), LEGAL);
}

/* --- the model under the checker --- */

static unsigned pick_between(struct rng *rng, unsigned least, unsigned most) {
    return least + rng_below(rng, most - least + 1);
}

/* A legal configuration; the timing is small, so that every rule gets to decide. */
static struct config random_dram_config(struct rng *rng) {
    static const unsigned bus[] = {1, 2, 4, 8, 16}, beats[] = {1, 2, 4};
    struct config c = base_preset();
    c.dram.beats = beats[rng_below(rng, 3)];
    c.dram.burst = c.dram.beats << rng_below(rng, 3);
    c.dram.bus_bytes = bus[rng_below(rng, 5)];
    unsigned burst = c.dram.burst / c.dram.beats;
    c.dram.banks = 1u << rng_below(rng, 6);
    c.dram.bank_groups = 1u << rng_below(rng, 4);
    c.dram.bank_groups = c.dram.bank_groups > c.dram.banks ? c.dram.banks : c.dram.bank_groups;
    c.dram.group_bits = rng_below(rng, 2);
    c.dram.row_hit_cap = rng_chance(rng, 1, 2) ? 0 : pick_between(rng, 1, 8);
    c.dram.row_bytes = 256u << rng_below(rng, 4);
    c.dram.queue = rng_chance(rng, 1, 3) ? pick_between(rng, 65, 256) : pick_between(rng, 1, 32);
    c.l2.line_bytes = rng_chance(rng, 1, 3) ? 256 : 128;
    c.l2.banks = 1u << rng_below(rng, 3);
    c.dram.channel_bytes = 256;
    c.dram.return_queue = pick_between(rng, 1, 60);
    c.dram.latency = pick_between(rng, 1, 60);
    c.dram.cl = pick_between(rng, 1, 20);
    c.dram.wl = pick_between(rng, 1, 20);
    c.dram.rcd = pick_between(rng, 1, 25);
    c.dram.rcd_write = rng_chance(rng, 1, 2) ? 0 : pick_between(rng, 1, 25);
    c.dram.rp = pick_between(rng, 1, 20);
    c.dram.ras = pick_between(rng, 1, 40);
    c.dram.rc = c.dram.ras + c.dram.rp + rng_below(rng, 20);
    c.dram.rrd = pick_between(rng, 1, 15);
    c.dram.faw = rng_chance(rng, 1, 2) ? 0 : pick_between(rng, 1, 80);
    c.dram.aw32 = rng_chance(rng, 1, 2) ? 0 : pick_between(rng, 300, 2500);
    c.dram.ccd = burst + rng_below(rng, 4);
    c.dram.ccdl = c.dram.ccd + rng_below(rng, 5);
    c.dram.rtpl = pick_between(rng, 1, 12);
    c.dram.cdlr = pick_between(rng, 1, 10);
    c.dram.wr = pick_between(rng, 1, 15);
    if (rng_chance(rng, 1, 2)) {
        c.dram.rfc = pick_between(rng, 1, 100);
        c.dram.refi = config_refresh_and_column(&c) + pick_between(rng, 1, 500);
    }
    if (rng_chance(rng, 1, 2)) {
        c.dram.write_drain = true;
        c.dram.write_high = pick_between(rng, 1, c.dram.queue);
        c.dram.write_low = rng_below(rng, c.dram.write_high);
    }
    c.dram.line_order = rng_chance(rng, 1, 2);
    return c;
}

struct checked_run {
    struct channel_bench *bench;
    struct legality l;
    struct line_history lines;
    unsigned held; /* column commands while the order of a line holds a request */
    unsigned columns[DRAM_BANKS_MAX]; /* to the open row */
    uint64_t hash, answers, seen;     /* commands, answers, what was seen now and then */
    uint64_t evaluations, activates;
    struct stats *counters; /* all that the channel registers */
};

enum way { ASLEEP, POLLED, AHEAD };

/* A precharge: no request wants the row, or its columns have reached the cap and the oldest request
 * of the bank wants another row. Refreshes close all rows, and with write_drain only requests in
 * service count: tb/dram/one_queue_test.c knows those. */
static void check_row_closing(const struct checked_run *run, unsigned bank) {
    const struct dram_channel *d = &run->bench->d;
    unsigned cap = d->config->dram.row_hit_cap;
    bool wanted = false, oldest = true, oldest_hits = false;
    for (unsigned i = 0; i < d->count; i++) {
        const struct dram_entry *e = &d->entry[d->order[i]];
        if (e->at.bank == bank) {
            bool hit = e->at.row == run->l.row[bank];
            oldest_hits |= oldest && hit;
            oldest = false;
            wanted |= hit;
        }
    }
    if (d->config->dram.refi || d->config->dram.write_drain || run->bench->named) {
        return;
    }
    assert_true(!wanted || (cap && run->columns[bank] >= cap && !oldest_hits));
}

static void check_legal_command(void *user, uint64_t cycle, enum dram_command command,
                                unsigned bank, uint64_t row, const struct dram_entry *column) {
    struct checked_run *run = user;
    uint64_t passed = 0;
    enum rule broken = legality_check(&run->l, cycle, command, bank, row);
    if (broken != LEGAL) {
        fail_msg("cycle %" PRIu64 ": command %d to bank %u breaks rule %d", cycle, (int)command,
                 bank, (int)broken);
    }
    if (column && run->bench->config.dram.line_order) {
        assert_true(line_history_add(&run->lines, column->request.local, column->number,
                                     command == DRAM_WRITE, &passed));
        assert_false(passed);
        run->held += run->bench->d.holds_some;
    }
    if (command == DRAM_PRECHARGE) {
        check_row_closing(run, bank);
    }
    run->columns[bank] = command == DRAM_ACTIVATE ? 0 : run->columns[bank] + 1;
    run->hash = (run->hash ^ (cycle * 512 + bank * 8 + command)) * UINT64_C(0x100000001b3);
}

enum { REQUESTS = 1500, LOOK_EVERY = 331 };

/* Requests at a time are drawn from that time alone: bursts and pauses, hits and conflicts, reads
 * and writes. */
static void ask_some_at_now(struct channel_bench *b, struct rng *rng, unsigned *asked,
                            unsigned *reads, uint64_t *read_bytes, unsigned reading) {
    unsigned mood = (unsigned)(b->now / 700 % 5);
    bool write = rng_chance(rng, mood == 2 ? 4 : 1, 5);
    if (*asked == REQUESTS || !ring_room(&b->d.in, b->now) ||
        !rng_chance(rng, 1, mood == 4 ? 40 : 2) ||
        (!write && reading == b->config.dram.return_queue)) {
        return;
    }
    unsigned columns = b->config.dram.row_bytes / b->config.l2.line_bytes,
             banks = b->config.dram.banks;
    unsigned bank = mood == 1 ? 0 : rng_below(rng, banks), rows = mood == 3 ? 1 : 4;
    unsigned line = b->config.l2.line_bytes, bytes = line; /* of a read that fetches */
    if (write) {
        bytes = pick_between(rng, 1, line);
    } else if (b->config.l2.sectors) {
        bytes = SECTOR_BYTES * pick_between(rng, 1, line / SECTOR_BYTES);
    }
    ask_bytes_at(b, write ? REQUEST_WRITEBACK : REQUEST_READ, bytes,
                 local_line(&b->config, rng_below(rng, rows), bank, rng_below(rng, columns)),
                 *asked, b->now + b->config.dram.latency * b->period);
    *reads += !write;
    *read_bytes += write ? 0 : bytes;
    ++*asked;
}

/* The scheduler's record of its entries stays true as they move. */
static void check_masks(const struct dram_channel *d) {
    const struct one_queue *s = d->scheduler.state;
    unsigned hits[DRAM_BANKS_MAX] = {0};
    uint64_t wanted = 0;
    for (unsigned i = 0; i < d->count; i++) {
        const struct dram_entry *e = &d->entry[d->order[i]];
        const struct dram_bank *b = &d->banks.bank[e->at.bank];
        bool hit = s->at.hits[i / 64] >> i % 64 & 1, write = s->at.writing[i / 64] >> i % 64 & 1;
        assert_true(hit == (b->open && b->row == e->at.row));
        hits[e->at.bank] += hit;
        wanted |= (uint64_t)hit << e->at.bank;
        assert_true(write == (e->request.kind != REQUEST_READ) && s->at.bank_of[i] == e->at.bank);
    }
    for (unsigned i = d->count; i < DRAM_QUEUE_MAX; i++) {
        assert_false((s->at.hits[i / 64] | s->at.writing[i / 64]) >> i % 64 & 1);
    }
    for (unsigned bank = 0; bank < DRAM_BANKS_MAX; bank++) {
        assert_int_equal(s->at.hit_count[bank], hits[bank]);
    }
    for (unsigned bank = 0; bank < DRAM_BANKS_MAX; bank++) {
        assert_int_equal(dram_channel_wants_open_row(d, bank), wanted >> bank & 1);
        assert_true(!(s->at.kept_banks >> bank & 1) || wanted >> bank & 1);
    }
    assert_true(d->config->dram.row_hit_cap || s->at.kept_banks == wanted);
}

/* Adds to ->seen all that is visible from outside before this cycle. */
static void look_at_channel(struct channel_bench *b, struct checked_run *run, uint64_t cycle) {
    dram_channel_settle(&b->d, cycle);
    for (size_t i = 0; i < stats_count(run->counters); i++) {
        run->seen = (run->seen ^ stats_value(run->counters, i)) * UINT64_C(0x100000001b3);
    }
    run->seen = (run->seen ^ (b->d.count * 256 + b->d.in.count)) * UINT64_C(0x100000001b3);
}

static struct checked_run run_named_channel(unsigned stream, const struct config *c, enum way way,
                                            const struct dram_scheduler_kind *named,
                                            uint64_t *tight) {
    static struct channel_bench b;
    static bool answered[REQUESTS];
    struct checked_run run = {.bench = &b, .counters = stats_create()};
    unsigned asked = 0, reads = 0, got = 0;
    uint64_t read_bytes = 0;
    b = (struct channel_bench){.config = *c, .poll = way == POLLED, .ahead = way == AHEAD};
    b.named = named;
    b.seen_at = 1000 + LOOK_EVERY;
    memset(answered, 0, sizeof answered);
    open_channel(&b, 1);
    legality_init(&run.l, c);
    assert_true(dram_channel_register_stats(&b.d, run.counters));
    b.d.log = check_legal_command;
    b.d.log_user = &run;
    uint64_t patience = b.now + 5000000;
    while (asked < REQUESTS || !dram_channel_idle(&b.d)) {
        struct rng rng = seeded_rng(stream * UINT64_C(100000) + b.now);
        assert_true(b.now < patience); /* a finite stream ends */
        if (b.now + 1 == b.seen_at) {
            look_at_channel(&b, &run, b.seen_at);
            b.seen_at += LOOK_EVERY;
        }
        run.evaluations += b.now + 1 == (way == POLLED ? b.dram.edge : b.dram.next);
        channel_tick(&b);
        if (b.now % 5 == 0 && !named) {
            check_masks(&b.d);
        }
        ask_some_at_now(&b, &rng, &asked, &reads, &read_bytes, reads - got);
        for (unsigned bank = 0; bank < c->l2.banks; bank++) {
            struct ring_entry *e = ring_head(&b.d.out[bank], b.now);
            if (e && rng_chance(&rng, 1, 2)) {
                uint64_t id = e->request.line;
                assert_true(!answered[id] && e->request.local % c->l2.banks == bank);
                answered[id] = true;
                got++;
                run.answers = (run.answers ^ (b.now * 8192 + id)) * UINT64_C(0x100000001b3);
                ring_pop(&b.d.out[bank], b.now);
            }
        }
    }
    assert_int_equal(got, reads);
    assert_true(b.d.stats.reads == reads && b.d.stats.writes == asked - reads);
    assert_true(b.d.stats.read_bytes == read_bytes);
    unsigned burst_bytes = c->dram.bus_bytes * c->dram.burst;
    assert_true(b.d.stats.columns * burst_bytes >= b.d.stats.read_bytes + b.d.stats.write_bytes);
    for (unsigned rule = 0; rule < RULES; rule++) {
        tight[rule] += run.l.tight[rule];
    }
    look_at_channel(&b, &run, b.now + 1);
    run.activates = b.d.stats.activates;
    stats_destroy(run.counters);
    line_history_destroy(&run.lines);
    close_channel(&b);
    return run;
}

static struct checked_run run_checked_channel(unsigned stream, const struct config *c, enum way way,
                                              uint64_t *tight) {
    return run_named_channel(stream, c, way, NULL, tight);
}

TEST(random_streams_keep_all_rules) {
    uint64_t tight[RULES] = {0}, evaluations[AHEAD + 1] = {0}, held = 0;
    const unsigned streams = is_long_test() ? 60 : 20;
    for (unsigned stream = 0; stream < streams; stream++) {
        struct rng rng = seeded_rng(stream);
        struct config c = random_dram_config(&rng);
        assert_legal(&c);
        struct checked_run slept = run_checked_channel(stream, &c, ASLEEP, tight);
        for (enum way way = POLLED; way <= AHEAD; way++) {
            struct checked_run other = run_checked_channel(stream, &c, way, tight);
            assert_true(slept.hash == other.hash && slept.answers == other.answers);
            assert_true(slept.seen == other.seen);
            evaluations[way] += other.evaluations;
        }
        evaluations[ASLEEP] += slept.evaluations;
        held += slept.held;
    }
    assert_true(evaluations[AHEAD] < evaluations[ASLEEP] &&
                evaluations[ASLEEP] < evaluations[POLLED]);
    assert_true(held > 500);
    /* A rule that never decided has not been tested: the model might keep too large a distance, or
     * none. */
    for (unsigned rule = FIRST_DISTANCE; rule <= AW32; rule++) {
        if (tight[rule] < 50) {
            fail_msg("rule %u decided %u times", rule, (unsigned)tight[rule]);
        }
    }
}

TEST(random_streams_on_every_preset_keep_every_rule) {
    const char *name, *about;
    for (unsigned i = 0; (name = config_preset_name(i, &about)); i++) {
        uint64_t tight[RULES] = {0};
        struct config c;
        struct config_error e;
        assert_true(config_preset(&c, name, &e));
        for (unsigned stream = 0; stream < 4; stream++) {
            struct checked_run slept = run_checked_channel(stream, &c, ASLEEP, tight),
                               ahead = run_checked_channel(stream, &c, AHEAD, tight);
            assert_true(slept.activates > 50);
            assert_true(slept.hash == ahead.hash && slept.answers == ahead.answers &&
                        slept.seen == ahead.seen);
            assert_true(ahead.evaluations * 4 < slept.evaluations * 3); /* it does run ahead */
        }
    }
}

/* --- schedulers that only choose --- */

/* FR-FCFS: the oldest column command, else the oldest row command that closes no wanted row. */
static unsigned choose_first_ready(const void *state, const struct dram_view *v) {
    unsigned row = DRAM_NO_POSITION;
    uint64_t wanted = 0;
    (void)state;
    for (unsigned i = 0; i < v->count; i++) {
        bool hit = dram_view_hits(v, i);
        wanted |= (uint64_t)hit << dram_view_request(v, i)->at.bank;
        if (hit && dram_view_is_ready(v, i)) {
            return i;
        }
    }
    for (unsigned i = v->count; i--;) {
        bool may = !(wanted >> dram_view_request(v, i)->at.bank & 1) && dram_view_is_ready(v, i);
        row = may ? i : row;
    }
    return row;
}

static const struct dram_scheduler_kind first_ready = {.name = "first-ready",
                                                       .choose = choose_first_ready};

TEST(a_choice_by_the_rules_of_fr_fcfs_gives_its_commands) {
    uint64_t tight[RULES] = {0};
    for (unsigned stream = 0; stream < 12; stream++) {
        struct rng rng = seeded_rng(stream);
        struct config c = random_dram_config(&rng);
        c.dram.row_hit_cap = c.dram.refi = c.dram.rfc = c.dram.write_drain = 0;
        struct checked_run built_in = run_checked_channel(stream, &c, ASLEEP, tight);
        for (enum way way = ASLEEP; way <= AHEAD; way++) {
            struct checked_run chosen = run_named_channel(stream, &c, way, &first_ready, tight);
            assert_true(chosen.hash == built_in.hash && chosen.answers == built_in.answers &&
                        chosen.seen == built_in.seen);
        }
    }
}

/* Serves requests in every second window of so many cycles, the oldest that it can. */
enum { WINDOW = 64 };

static unsigned choose_in_window(const void *state, const struct dram_view *v) {
    (void)state;
    for (unsigned i = 0; v->cycle / WINDOW % 2 && i < v->count; i++) {
        if (dram_view_is_ready(v, i)) {
            return i;
        }
    }
    return DRAM_NO_POSITION;
}

static uint64_t next_window(const void *state, const struct dram_view *v) {
    (void)state;
    return (v->cycle / WINDOW + 1) * WINDOW;
}

static const struct dram_scheduler_kind in_windows = {
    .name = "in-windows", .choose = choose_in_window, .next_change = next_window};

TEST(a_choice_that_changes_by_itself_is_asked_for_then) {
    uint64_t tight[RULES] = {0};
    struct config c = base_preset();
    struct checked_run slept = run_named_channel(1, &c, ASLEEP, &in_windows, tight);
    for (enum way way = POLLED; way <= AHEAD; way++) {
        struct checked_run other = run_named_channel(1, &c, way, &in_windows, tight);
        assert_true(slept.hash == other.hash && slept.seen == other.seen);
    }
}
