/* SPDX-License-Identifier: Apache-2.0
 *
 * DRAM channel: latencies and bandwidth as formulas of the timing parameters, and the order of
 * FR-FCFS.
 */
#include "dram/channel_bench.h"

/* Column commands of one line: all in one bank, so CCDL apart. */
static unsigned bursts(const struct config *c) {
    return LINE_BYTES / (c->dram.bus_bytes * c->dram.burst);
}

static unsigned burst_cycles(const struct config *c) {
    return c->dram.burst / c->dram.beats;
}

/* From a line's first column command to the time at which its last data has come. */
static unsigned columns_and_data(const struct config *c) {
    return (bursts(c) - 1) * c->dram.ccdl + c->dram.cl + burst_cycles(c);
}

/* The preset, a line in one burst, a line in eight, no bank groups, other numbers. */
static struct config shape(unsigned k) {
    struct config c = preset();
    if (k == 1) {
        c.dram.bus_bytes = 16;
    } else if (k == 2) {
        c.dram.bus_bytes = 2;
        c.dram.ccdl = 5;
    } else if (k == 3) {
        c.dram.bank_groups = 1;
        c.dram.ccdl = c.dram.ccd;
    } else if (k == 4) {
        c.dram.rcd = 7;
        c.dram.rp = 17;
        c.dram.cl = 21;
        c.dram.ras = 33;
        c.dram.rc = 60;
        c.dram.burst = 4;
        c.dram.beats = 2;
    }
    return c;
}
enum { SHAPES = 5 };

/* An idle channel is asked for a line: cycles until its data can be seen. */
static uint64_t latency_of(struct channel_bench *b, uint64_t local) {
    uint64_t id, asked = (b->now / b->period + 1) * b->period;
    ask(b, REQUEST_READ, local, 5);
    uint64_t time = until_data(b, &id) - asked;
    assert_true(id == 5 && time % b->period == 0);
    for (unsigned i = 0; i < 1000; i++) {
        channel_tick(b);
    }
    return time / b->period;
}

static void a_closed_row_takes_rcd_cl_and_the_bursts(void **state) {
    (void)state;
    for (unsigned k = 0; k < SHAPES; k++) {
        for (unsigned period = 1; period <= 23; period += 22) {
            struct channel_bench b = {.config = shape(k)};
            open_channel(&b, period);
            assert_int_equal(latency_of(&b, 0), b.config.dram.rcd + columns_and_data(&b.config));
            close_channel(&b);
        }
    }
}

static void a_row_hit_takes_cl_and_the_bursts(void **state) {
    (void)state;
    for (unsigned k = 0; k < SHAPES; k++) {
        struct channel_bench b = {.config = shape(k)};
        open_channel(&b, 1);
        latency_of(&b, local_line(&b.config, 3, 2, 0));
        assert_int_equal(latency_of(&b, local_line(&b.config, 3, 2, 1)),
                         columns_and_data(&b.config));
        assert_true(b.d.stats.row_hits == 1 && b.d.stats.activates == 1);
        close_channel(&b);
    }
}

static void a_row_conflict_takes_rp_more_than_a_closed_row(void **state) {
    (void)state;
    for (unsigned k = 0; k < SHAPES; k++) {
        struct channel_bench b = {.config = shape(k)};
        open_channel(&b, 1);
        latency_of(&b, local_line(&b.config, 3, 2, 0));
        assert_int_equal(latency_of(&b, local_line(&b.config, 4, 2, 0)),
                         b.config.dram.rp + b.config.dram.rcd + columns_and_data(&b.config));
        assert_true(b.d.stats.row_hits == 0 && b.d.stats.precharges == 1);
        close_channel(&b);
    }
}

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static void a_row_that_was_just_opened_stays_open_for_ras_and_its_bank_for_rc(void **state) {
    (void)state;
    for (unsigned k = 0; k < SHAPES; k++) {
        struct channel_bench b = {.config = shape(k)};
        const struct config *c = &b.config;
        open_channel(&b, 1);
        ask(&b, REQUEST_READ, local_line(c, 0, 0, 0), 1);
        ask(&b, REQUEST_READ, local_line(c, 1, 0, 0), 2);
        drain_channel(&b);
        uint64_t start = b.log[0].cycle,
                 last_column = start + c->dram.rcd + (bursts(c) - 1) * c->dram.ccdl;
        uint64_t to_precharge = later(c->dram.bank_groups > 1 ? c->dram.rtpl : 0, burst_cycles(c));
        uint64_t precharge = later(start + c->dram.ras, last_column + to_precharge);
        const struct command *p = &b.log[1 + bursts(c)];
        assert_true(p[0].command == DRAM_PRECHARGE && p[0].cycle == precharge);
        assert_true(p[1].command == DRAM_ACTIVATE);
        assert_true(p[1].cycle == later(precharge + c->dram.rp, start + c->dram.rc));
        close_channel(&b);
    }
}

/* Two requests of an open row: cycles from the last column command of the first to the first of the
 * second. */
static uint64_t turnaround(struct channel_bench *b, unsigned first, unsigned second) {
    latency_of(b, local_line(&b->config, 0, 0, 0));
    unsigned before = b->commands;
    ask(b, first, local_line(&b->config, 0, 0, 1), 1);
    ask(b, second, local_line(&b->config, 0, 0, 2), 2);
    drain_channel(b);
    const struct command *last = &b->log[before + bursts(&b->config) - 1];
    return last[1].cycle - last[0].cycle;
}

static void the_data_bus_turns_round_in_two_cycles_and_cdlr(void **state) {
    (void)state;
    for (unsigned k = 0; k < SHAPES; k++) {
        struct channel_bench b = {.config = shape(k)};
        const struct config *c = &b.config;
        open_channel(&b, 1);
        assert_int_equal(turnaround(&b, REQUEST_READ, REQUEST_WRITEBACK),
                         c->dram.cl + burst_cycles(c) + 2 - c->dram.wl);
        close_channel(&b);
        open_channel(&b, 1);
        assert_int_equal(turnaround(&b, REQUEST_WRITEBACK, REQUEST_READ),
                         c->dram.wl + burst_cycles(c) + c->dram.cdlr);
        close_channel(&b);
    }
}

static void a_written_row_is_closed_wr_after_its_data(void **state) {
    (void)state;
    for (unsigned k = 0; k < SHAPES; k++) {
        struct channel_bench b = {.config = shape(k)};
        const struct config *c = &b.config;
        open_channel(&b, 1);
        latency_of(&b, local_line(c, 0, 0, 0));
        unsigned before = b.commands;
        ask(&b, REQUEST_WRITEBACK, local_line(c, 0, 0, 1), 1);
        ask(&b, REQUEST_READ, local_line(c, 1, 0, 0), 2);
        drain_channel(&b);
        const struct command *last = &b.log[before + bursts(c) - 1];
        assert_int_equal(last[1].command, DRAM_PRECHARGE);
        assert_int_equal(last[1].cycle - last[0].cycle, c->dram.wl + burst_cycles(c) + c->dram.wr);
        close_channel(&b);
    }
}

/* --- bandwidth --- */

/* Reads of @lines lines that alternate between two banks whose rows are open. Return: the cycle of
 * each column command. */
static unsigned stream(struct channel_bench *b, unsigned bank, unsigned other, unsigned lines,
                       uint64_t *cycle) {
    latency_of(b, local_line(&b->config, 0, bank, 0));
    latency_of(b, local_line(&b->config, 0, other, 0));
    unsigned asked = 0, columns = 0, before = b->commands,
             row = b->config.dram.row_bytes / LINE_BYTES;
    while (asked < lines || !dram_channel_idle(&b->d)) {
        if (asked < lines && ring_room(&b->d.in, b->now) && asked < b->d.stats.reads + 40) {
            ask(b, REQUEST_READ,
                local_line(&b->config, 0, asked & 1 ? other : bank, asked / 2 % row), asked);
            asked++;
        }
        channel_tick(b);
        if (ring_head(&b->d.out, b->now)) {
            ring_pop(&b->d.out, b->now);
        }
    }
    for (unsigned i = before; i < b->commands; i++) {
        assert_int_equal(b->log[i].command, DRAM_READ);
        cycle[columns++] = b->log[i].cycle;
    }
    return columns;
}

static void alternating_bank_groups_fill_the_data_bus(void **state) {
    (void)state;
    enum { LINES = 500 };
    uint64_t cycle[LOG_MAX];
    struct channel_bench b = {.config = preset()};
    open_channel(&b, 1);
    unsigned columns = stream(&b, 0, b.config.dram.banks - 1, LINES, cycle);
    assert_int_equal(columns, LINES * bursts(&b.config));
    for (unsigned i = 1; i < columns; i++) {
        assert_true(cycle[i] - cycle[i - 1] == burst_cycles(&b.config));
    }
    close_channel(&b);
}

static void one_bank_group_takes_a_burst_every_ccdl(void **state) {
    (void)state;
    enum { LINES = 500 };
    for (unsigned ccdl = 2; ccdl <= 7; ccdl++) {
        uint64_t cycle[LOG_MAX];
        struct channel_bench b = {.config = preset()};
        b.config.dram.ccdl = ccdl;
        open_channel(&b, 1);
        unsigned columns = stream(&b, 0, 1, LINES, cycle);
        for (unsigned i = 1; i < columns; i++) {
            assert_true(cycle[i] - cycle[i - 1] == ccdl);
        }
        close_channel(&b);
    }
}

/* --- order --- */

/* Asks in this order while bank 0 has row 1 open and is busy; returns the order of the answers. */
static void order_of(struct channel_bench *b, const uint64_t *local, unsigned count,
                     uint64_t *order) {
    latency_of(b, local_line(&b->config, 1, 0, 0));
    for (uint64_t i = 0; i < count; i++) {
        ask(b, REQUEST_READ, local[i], i);
    }
    for (unsigned i = 0; i < count; i++) {
        until_data(b, &order[i]);
    }
}

static void a_row_hit_passes_an_older_conflict(void **state) {
    (void)state;
    struct channel_bench b = {.config = preset()};
    open_channel(&b, 1);
    latency_of(&b, local_line(&b.config, 1, 0, 0));
    /* Both are seen in the same cycle as far as commands go: the row may not be closed so soon
     * after the first read. */
    uint64_t order[3];
    const uint64_t local[] = {local_line(&b.config, 1, 0, 1), local_line(&b.config, 2, 0, 0),
                              local_line(&b.config, 1, 0, 2)};
    order_of(&b, local, 3, order);
    assert_true(order[0] == 0 && order[1] == 2 && order[2] == 1);
    close_channel(&b);
}

static void row_hits_go_oldest_first(void **state) {
    (void)state;
    enum { N = 8 };
    struct channel_bench b = {.config = preset()};
    uint64_t order[N], local[N];
    open_channel(&b, 1);
    for (unsigned i = 0; i < N; i++) {
        local[i] = local_line(&b.config, 1, 0, N - i);
    }
    order_of(&b, local, N, order);
    for (unsigned i = 0; i < N; i++) {
        assert_true(order[i] == i);
    }
    close_channel(&b);
}

static void closed_banks_open_in_the_order_of_their_oldest_requests(void **state) {
    (void)state;
    struct channel_bench b = {.config = preset()};
    static const unsigned banks[] = {9, 2, 9, 14, 2, 5};
    static const unsigned opened[] = {9, 2, 14, 5};
    open_channel(&b, 1);
    for (unsigned i = 0; i < 6; i++) {
        ask(&b, REQUEST_READ, local_line(&b.config, 7, banks[i], i), i);
    }
    drain_channel(&b);
    unsigned activates = 0;
    for (unsigned i = 0; i < b.commands; i++) {
        if (b.log[i].command == DRAM_ACTIVATE) {
            assert_int_equal(b.log[i].bank, opened[activates++]);
        }
    }
    assert_int_equal(activates, 4);
    close_channel(&b);
}

static void a_row_that_somebody_wants_is_not_closed(void **state) {
    (void)state;
    struct channel_bench b = {.config = preset()};
    enum { HITS = 10 };
    uint64_t local[1 + HITS + 1], order[1 + HITS + 1];
    open_channel(&b, 1);
    local[0] = local_line(&b.config, 1, 0, 1);
    local[1] = local_line(&b.config, 2, 0, 0); /* older than ten hits */
    for (unsigned i = 0; i < HITS; i++) {
        local[2 + i] = local_line(&b.config, 1, 0, 2 + i);
    }
    order_of(&b, local, 2 + HITS, order);
    assert_true(order[1 + HITS] == 1);
    assert_int_equal(b.d.stats.precharges, 1);
    close_channel(&b);
}

static void the_scheduler_sees_no_more_than_its_queue(void **state) {
    (void)state;
    for (unsigned queue = 1; queue <= 3; queue++) {
        struct channel_bench b = {.config = preset()};
        uint64_t order[4];
        b.config.dram.queue = queue;
        open_channel(&b, 1);
        /* The last is a hit. In a queue of three it comes in when the first has left, before its
         * row can be closed; a shorter queue is full of the two others. */
        const uint64_t local[] = {local_line(&b.config, 1, 0, 1), local_line(&b.config, 2, 0, 0),
                                  local_line(&b.config, 2, 1, 0), local_line(&b.config, 1, 0, 2)};
        order_of(&b, local, 4, order);
        assert_true(order[0] == 0 && order[queue == 3 ? 1 : 3] == 3);
        assert_int_equal(b.d.stats.precharges, queue == 3 ? 1 : 2);
        close_channel(&b);
    }
}

static void a_write_is_not_answered(void **state) {
    (void)state;
    struct channel_bench b = {.config = preset()};
    open_channel(&b, 1);
    ask(&b, REQUEST_WRITEBACK, 0, 1);
    ask(&b, REQUEST_READ, local_line(&b.config, 0, 0, 1), 2);
    uint64_t id;
    until_data(&b, &id);
    assert_true(id == 2);
    assert_true(dram_channel_idle(&b.d));
    assert_true(b.d.stats.writes == 1 && b.d.stats.reads == 1 &&
                b.d.stats.write_bytes == LINE_BYTES);
    assert_true(b.d.stats.data_cycles == 2 * bursts(&b.config) * burst_cycles(&b.config));
    close_channel(&b);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_row_takes_rcd_cl_and_the_bursts),
        cmocka_unit_test(a_row_hit_takes_cl_and_the_bursts),
        cmocka_unit_test(a_row_conflict_takes_rp_more_than_a_closed_row),
        cmocka_unit_test(a_row_that_was_just_opened_stays_open_for_ras_and_its_bank_for_rc),
        cmocka_unit_test(the_data_bus_turns_round_in_two_cycles_and_cdlr),
        cmocka_unit_test(a_written_row_is_closed_wr_after_its_data),
        cmocka_unit_test(alternating_bank_groups_fill_the_data_bus),
        cmocka_unit_test(one_bank_group_takes_a_burst_every_ccdl),
        cmocka_unit_test(a_row_hit_passes_an_older_conflict),
        cmocka_unit_test(row_hits_go_oldest_first),
        cmocka_unit_test(closed_banks_open_in_the_order_of_their_oldest_requests),
        cmocka_unit_test(a_row_that_somebody_wants_is_not_closed),
        cmocka_unit_test(the_scheduler_sees_no_more_than_its_queue),
        cmocka_unit_test(a_write_is_not_answered),
    };
    return RUN_SEEDED(argc, argv, tests);
}
