/* SPDX-License-Identifier: Apache-2.0
 *
 * FR-FCFS, with dram.row_hit_cap, write draining, line order and refreshes and without, command by
 * command beside a scheduler written from its rules: each cycle it goes through the whole queue,
 * and asks the checker of command logs (legality.h) whether a command is legal.
 */
#include "config/derived.h"
#include "dram/channel_shapes.h"
#include "cosim/legality.h"

enum { REQUESTS = 500 };

struct asked {
    uint64_t visible, row;
    unsigned bank, column, bursts;
    bool write;
};

struct plain_entry {
    struct asked r;
    bool begun; /* a column command was issued for it */
};

struct plain_scheduler {
    struct legality l;
    struct plain_entry queue[DRAM_QUEUE_MAX];
    unsigned count, columns[DRAM_BANKS_MAX]; /* column commands to the open row */
    struct command log[LOG_MAX];
    unsigned commands, capped; /* capped: precharges of a row that a request in service wants */
    bool in_batch;             /* dram.write_drain: writes go first */
    unsigned batches, refreshes, held; /* held: column commands that waited for the line's order */
};

static bool is_legal(const struct plain_scheduler *p, uint64_t cycle, enum dram_command command,
                     unsigned bank, uint64_t row) {
    static struct legality copy;
    copy = p->l;
    return legality_check(&copy, cycle, command, bank, row) == LEGAL;
}

static void issue_plainly(struct plain_scheduler *p, uint64_t cycle, enum dram_command command,
                          unsigned bank, uint64_t row) {
    assert_int_equal(legality_check(&p->l, cycle, command, bank, row), LEGAL);
    assert_true(p->commands < LOG_MAX);
    p->log[p->commands++] = (struct command){cycle, row, command, bank};
}

static bool wants_open(const struct plain_scheduler *p, const struct asked *r) {
    return p->l.open[r->bank] && p->l.row[r->bank] == r->row;
}

static unsigned count_writes(const struct plain_scheduler *p) {
    unsigned writes = 0;
    for (unsigned i = 0; i < p->count; i++) {
        writes += p->queue[i].r.write;
    }
    return writes;
}

/* A request has come or left. */
static void note_watermarks(struct plain_scheduler *p) {
    unsigned writes = count_writes(p);
    if (p->in_batch) {
        p->in_batch = writes > p->l.c.dram.write_low;
    } else if (p->l.c.dram.write_drain && writes >= p->l.c.dram.write_high) {
        p->in_batch = true;
        p->batches++;
    }
}

/* Must the later of two requests of the queue wait for the earlier one? */
static bool are_ordered(const struct plain_scheduler *p, unsigned i, unsigned j) {
    const struct asked *a = &p->queue[i].r, *b = &p->queue[j].r;
    return p->l.c.dram.line_order && a->bank == b->bank && a->row == b->row &&
           a->column == b->column && (a->write || b->write);
}

static bool waits_for_older(const struct plain_scheduler *p, unsigned i) {
    bool waits = false;
    for (unsigned older = 0; older < i; older++) {
        waits |= are_ordered(p, older, i);
    }
    return waits;
}

/* In the class in service, or awaited by another. */
static bool is_served(const struct plain_scheduler *p, unsigned i) {
    bool writes = p->in_batch || count_writes(p) == p->count;
    bool served = !p->l.c.dram.write_drain || p->queue[i].r.write == writes;
    for (unsigned younger = i + 1; younger < p->count; younger++) {
        served |= are_ordered(p, i, younger);
    }
    return served;
}

/* From the due time of a refresh until it is issued no request gets a command. */
static bool issue_for_refresh(struct plain_scheduler *p, uint64_t cycle) {
    const struct config *c = &p->l.c;
    if (!c->dram.refi || p->refreshes >= cycle / c->dram.refi) {
        return false;
    }
    bool open = false;
    for (unsigned bank = 0; bank < c->dram.banks; bank++) {
        open |= p->l.open[bank];
        if (p->l.open[bank] && is_legal(p, cycle, DRAM_PRECHARGE, bank, p->l.row[bank])) {
            issue_plainly(p, cycle, DRAM_PRECHARGE, bank, p->l.row[bank]);
            return true;
        }
    }
    if (!open && is_legal(p, cycle, DRAM_REFRESH, 0, 0)) {
        issue_plainly(p, cycle, DRAM_REFRESH, 0, 0);
        p->refreshes++;
    }
    return true;
}

static bool issue_plain_column(struct plain_scheduler *p, uint64_t cycle) {
    for (unsigned i = 0; i < p->count; i++) {
        struct plain_entry *e = &p->queue[i];
        enum dram_command command = e->r.write ? DRAM_WRITE : DRAM_READ;
        if (!is_served(p, i) || !wants_open(p, &e->r) ||
            !is_legal(p, cycle, command, e->r.bank, e->r.row)) {
            continue;
        }
        if (waits_for_older(p, i)) {
            p->held++;
            continue;
        }
        issue_plainly(p, cycle, command, e->r.bank, e->r.row);
        p->columns[e->r.bank]++;
        e->begun = true;
        if (--e->r.bursts == 0) {
            p->count--;
            memmove(e, e + 1, (p->count - i) * sizeof *e);
            note_watermarks(p);
        }
        return true;
    }
    return false;
}

/* May the open row be closed for the oldest request of the bank? */
static bool row_may_be_closed(struct plain_scheduler *p, unsigned bank) {
    unsigned cap = p->l.c.dram.row_hit_cap;
    bool wanted = false, begun = false;
    for (unsigned i = 0; i < p->count; i++) {
        const struct asked *r = &p->queue[i].r;
        if (r->bank == bank && is_served(p, i) && wants_open(p, r)) {
            wanted = true;
            begun |= p->queue[i].begun;
        }
    }
    return !wanted || (cap && p->columns[bank] >= cap && !begun);
}

static void issue_plain_row_command(struct plain_scheduler *p, uint64_t cycle) {
    uint64_t seen = 0;
    for (unsigned i = 0; i < p->count; i++) {
        const struct asked *r = &p->queue[i].r;
        unsigned bank = r->bank;
        if (!is_served(p, i) || seen >> bank & 1 ||
            (seen |= UINT64_C(1) << bank, wants_open(p, r))) {
            continue;
        }
        if (!p->l.open[bank] && is_legal(p, cycle, DRAM_ACTIVATE, bank, r->row)) {
            issue_plainly(p, cycle, DRAM_ACTIVATE, bank, r->row);
            p->columns[bank] = 0;
            return;
        }
        if (p->l.open[bank] && row_may_be_closed(p, bank) &&
            is_legal(p, cycle, DRAM_PRECHARGE, bank, p->l.row[bank])) {
            for (unsigned k = 0; k < p->count; k++) {
                const struct asked *other = &p->queue[k].r;
                if (other->bank == bank && is_served(p, k) && wants_open(p, other)) {
                    p->capped++;
                    break;
                }
            }
            issue_plainly(p, cycle, DRAM_PRECHARGE, bank, p->l.row[bank]);
            return;
        }
    }
}

static void run_plainly(struct plain_scheduler *p, const struct config *c,
                        const struct asked *asked) {
    memset(p, 0, sizeof *p);
    legality_init(&p->l, c);
    unsigned next = 0;
    for (uint64_t cycle = 0; next < REQUESTS || p->count; cycle++) {
        if (next < REQUESTS && asked[next].visible <= cycle && p->count < c->dram.queue) {
            p->queue[p->count++] = (struct plain_entry){.r = asked[next++]};
            note_watermarks(p);
        }
        if (!issue_for_refresh(p, cycle) && !issue_plain_column(p, cycle)) {
            issue_plain_row_command(p, cycle);
        }
    }
}

/* Random requests for a few rows, in bursts; what was asked, and when it could be seen. */
static void run_channel(struct channel_bench *b, struct rng *rng, struct asked *asked) {
    const struct config *c = &b->config;
    unsigned sent = 0;
    while (sent < REQUESTS || !dram_channel_idle(&b->d)) {
        if (sent < REQUESTS && ring_has_room(&b->d.in, 1) && rng_chance(rng, sent % 90 + 2, 92)) {
            struct asked *r = &asked[sent];
            *r = (struct asked){.visible = b->now + 1,
                                .row = rng_below(rng, 3),
                                .bank = rng_below(rng, c->dram.banks),
                                .column = rng_below(rng, 2),
                                .bursts = 1 + rng_below(rng, bursts_of_line(c)),
                                .write = rng_chance(rng, 1, 4)};
            struct request q = {.local = local_line(c, r->row, r->bank, r->column),
                                .kind = r->write ? REQUEST_WRITE : REQUEST_READ,
                                .bytes = (uint16_t)(r->bursts * c->dram.bus_bytes * c->dram.burst),
                                .l2_route = L2_ROUTE_BYPASS};
            ring_push(&b->d.in, &q, r->visible, 1);
            clock_wake_at(&b->dram, 0, b->now, r->visible);
            sent++;
        }
        channel_tick(b);
        if (ring_head(&b->d.out[0], b->now)) {
            ring_pop(&b->d.out[0], b->now);
        }
    }
}

static struct config random_channel(struct rng *rng) {
    static const unsigned caps[] = {0, 1, 2, 3, 4, 7}, bus[] = {16, 8, 4, 2};
    struct config c = base_preset();
    c.dram.row_hit_cap = caps[rng_below(rng, 6)];
    c.dram.bus_bytes = bus[rng_below(rng, 4)];
    c.dram.banks = 2u << rng_below(rng, 3);
    c.dram.bank_groups = c.dram.banks > 4 ? 2 : 1;
    c.dram.queue = rng_chance(rng, 1, 4) ? 70 + rng_below(rng, 187) : 1 + rng_below(rng, 24);
    c.dram.ras = 1 + rng_below(rng, 40);
    c.dram.rc = c.dram.ras + c.dram.rp + rng_below(rng, 8);
    c.dram.rtpl = 1 + rng_below(rng, 9);
    c.dram.wr = 1 + rng_below(rng, 12);
    c.dram.cdlr = 1 + rng_below(rng, 6);
    c.dram.ccdl = c.dram.ccd + rng_below(rng, 3);
    c.l2.banks = 1;
    if (rng_chance(rng, 1, 3)) {
        c.dram.rfc = 1 + rng_below(rng, 90);
        c.dram.refi = config_refresh_and_column(&c) + 1 + rng_below(rng, 900);
    }
    c.dram.write_drain = rng_chance(rng, 1, 3);
    c.dram.write_high = 1 + rng_below(rng, c.dram.queue);
    c.dram.write_low = rng_below(rng, c.dram.write_high);
    c.dram.line_order = rng_chance(rng, 1, 2);
    return c;
}

/* Commands up to the last column: a channel without requests may log its refreshes later. */
static unsigned commands_of_requests(const struct command *log, unsigned commands) {
    while (commands && log[commands - 1].command != DRAM_READ &&
           log[commands - 1].command != DRAM_WRITE) {
        commands--;
    }
    return commands;
}

TEST(random_streams_get_the_commands_of_a_plain_scheduler) {
    static struct plain_scheduler p;
    static struct asked asked[REQUESTS];
    unsigned capped = 0, commands = 0, batches = 0, refreshes = 0, capped_in_class = 0, held = 0,
             held_in_class = 0;
    for (unsigned run = 0; run < 120; run++) {
        struct rng rng = seeded_rng(run);
        CHANNEL(b, random_channel(&rng), 1);
        run_channel(&b, &rng, asked);
        run_plainly(&p, &b.config, asked);
        unsigned count = commands_of_requests(p.log, p.commands);
        for (unsigned i = 0; i < count && i < b.commands; i++) {
            const struct command *is = &b.log[i], *due = &p.log[i];
            if (is->cycle != due->cycle || is->command != due->command || is->bank != due->bank ||
                is->row != due->row) {
                fail_msg("run %u, command %u: cycle %d kind %d bank %u, not cycle %d kind %d "
                         "bank %u",
                         run, i, (int)is->cycle, (int)is->command, is->bank, (int)due->cycle,
                         (int)due->command, due->bank);
            }
        }
        assert_int_equal(commands_of_requests(b.log, b.commands), count);
        assert_true(b.config.dram.row_hit_cap || !p.capped);
        capped += p.capped;
        capped_in_class += b.config.dram.write_drain ? p.capped : 0;
        commands += count;
        batches += p.batches;
        held += p.held;
        held_in_class += b.config.dram.write_drain ? p.held : 0;
        refreshes += p.refreshes;
    }
    assert_true(capped > 1000 && capped_in_class > 200 && commands > 100000);
    assert_true(batches > 500 && refreshes > 500 && held > 500 && held_in_class > 100);
}

/* --- closed formulas --- */

/* One burst a line; a row may be closed as soon as its last column command allows. */
static struct config quick_rows(unsigned cap) {
    struct config c = channel_shape(1);
    c.dram.row_hit_cap = cap;
    c.dram.ras = 1;
    c.dram.rc = c.dram.ras + c.dram.rp;
    assert_true(bursts_of_line(&c) == 1 && c.dram.rtpl < c.dram.ccdl && c.dram.queue >= 10);
    return c;
}

enum { HITS = 7 };

/* A request for row 0, @rows for row 1 of the same bank and HITS more for row 0. */
static void ask_for_two_rows(struct channel_bench *b, unsigned rows) {
    ask_channel(b, REQUEST_READ, local_line(&b->config, 0, 2, 0), 0);
    for (unsigned i = 0; i < rows; i++) {
        ask_channel(b, REQUEST_READ, local_line(&b->config, 1, 2, i), 1);
    }
    for (unsigned i = 0; i < HITS; i++) {
        ask_channel(b, REQUEST_READ, local_line(&b->config, 0, 2, 1 + i), 2);
    }
    drain_channel(b);
}

static unsigned find_precharge(const struct channel_bench *b) {
    unsigned i = 0;
    while (i < b->commands && b->log[i].command != DRAM_PRECHARGE) {
        i++;
    }
    return i;
}

TEST(a_row_is_closed_after_the_cap_while_another_row_waits) {
    for (unsigned cap = 0; cap <= HITS + 3; cap++) {
        CHANNEL(b, quick_rows(cap), 1);
        const struct config *c = &b.config;
        unsigned columns = cap && cap <= HITS ? cap : 1 + HITS, at;
        ask_for_two_rows(&b, 1);
        at = find_precharge(&b);
        assert_int_equal(at, 1 + columns);
        assert_int_equal(b.log[at].cycle - b.log[0].cycle,
                         c->dram.rcd + (columns - 1) * c->dram.ccdl + later_time(c->dram.rtpl, 2));
        assert_true(b.log[at + 1].command == DRAM_ACTIVATE && b.log[at + 1].row == 1);
        /* The hits that are left open the row again: for the oldest of them, once. */
        assert_int_equal(b.d.stats.activates, columns == 1 + HITS ? 2 : 3);
        assert_int_equal(b.d.stats.row_hits, 2 + HITS - b.d.stats.activates);
    }
}

TEST(the_cap_does_nothing_while_no_other_row_waits) {
    for (unsigned cap = 0; cap <= 2; cap++) {
        CHANNEL(b, quick_rows(cap), 1);
        ask_for_two_rows(&b, 0);
        assert_true(find_precharge(&b) == b.commands && b.d.stats.activates == 1);
    }
}

/* The request for another row is younger than the hits: it waits for all of them. */
TEST(older_row_hits_go_first_beyond_the_cap) {
    CHANNEL(b, quick_rows(1), 1);
    for (unsigned i = 0; i < HITS; i++) {
        ask_channel(&b, REQUEST_READ, local_line(&b.config, 0, 2, i), 0);
    }
    ask_channel(&b, REQUEST_READ, local_line(&b.config, 1, 2, 0), 1);
    drain_channel(&b);
    assert_int_equal(find_precharge(&b), 1 + HITS);
}

/* Row hits still go while RAS keeps the row open, two bursts each; the second is never cut off. */
TEST(a_request_that_has_begun_is_finished_in_its_row) {
    unsigned more_than_cap = 0;
    for (unsigned ras = 1; ras <= 40; ras++) {
        struct config c = channel_shape(0);
        c.dram.row_hit_cap = 1;
        c.dram.ras = ras;
        c.dram.rc = ras + c.dram.rp;
        CHANNEL(b, c, 1);
        assert_int_equal(bursts_of_line(&c), 2);
        ask_for_two_rows(&b, 1);
        unsigned columns = find_precharge(&b) - 1;
        assert_int_equal(columns % 2, 0);
        more_than_cap += columns > 2;
        assert_int_equal(b.d.stats.columns, 2 * (2 + HITS));
    }
    assert_true(more_than_cap > 10);
}
