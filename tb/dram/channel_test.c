/* SPDX-License-Identifier: Apache-2.0
 *
 * DRAM channel: latencies and bandwidth as formulas of the timing parameters, and the order of
 * FR-FCFS.
 */
#include "dram/channel_shapes.h"

TEST(a_closed_row_takes_rcd_cl_and_the_bursts) {
    for (unsigned k = 0; k < SHAPES; k++) {
        for (unsigned period = 1; period <= 23; period += 22) {
            CHANNEL(b, channel_shape(k), period);
            assert_int_equal(latency_of(&b, 0), b.config.dram.rcd + columns_and_data(&b.config));
        }
    }
}

/* By default as the papers' simulator: the data come wl later than the command. */
TEST(a_write_follows_its_activate_by_rcd_write) {
    for (unsigned k = 0; k < SHAPES; k++) {
        for (unsigned rcd_write = 0; rcd_write <= 40; rcd_write += 20) {
            CLOSED_BY(close_channel) struct channel_bench b = {.config = channel_shape(k)};
            const unsigned ahead = b.config.dram.wl + 1, rcd = b.config.dram.rcd;
            b.config.dram.rcd_write = rcd_write;
            open_channel(&b, 1);
            ask_bytes(&b, REQUEST_WRITEBACK, 1, 0, 1);
            drain_channel(&b);
            assert_true(b.log[0].command == DRAM_ACTIVATE && b.log[1].command == DRAM_WRITE);
            assert_int_equal(b.log[1].cycle - b.log[0].cycle, rcd_write     ? rcd_write
                                                              : rcd > ahead ? rcd - ahead
                                                                            : 1);
        }
    }
}

TEST(a_row_hit_takes_cl_and_the_bursts) {
    for (unsigned k = 0; k < SHAPES; k++) {
        CHANNEL(b, channel_shape(k), 1);
        latency_of(&b, local_line(&b.config, 3, 2, 0));
        assert_int_equal(latency_of(&b, local_line(&b.config, 3, 2, 1)),
                         columns_and_data(&b.config));
        assert_true(b.d.stats.row_hits == 1 && b.d.stats.activates == 1);
    }
}

TEST(a_row_conflict_takes_rp_more_than_a_closed_row) {
    for (unsigned k = 0; k < SHAPES; k++) {
        CHANNEL(b, channel_shape(k), 1);
        latency_of(&b, local_line(&b.config, 3, 2, 0));
        assert_int_equal(latency_of(&b, local_line(&b.config, 4, 2, 0)),
                         b.config.dram.rp + b.config.dram.rcd + columns_and_data(&b.config));
        assert_true(b.d.stats.row_hits == 0 && b.d.stats.precharges == 1);
    }
}

TEST(a_row_that_was_just_opened_stays_open_for_ras_and_its_bank_for_rc) {
    for (unsigned k = 0; k < SHAPES; k++) {
        CLOSED_BY(close_channel) struct channel_bench b = {.config = channel_shape(k)};
        const struct config *c = &b.config;
        open_channel(&b, 1);
        ask_channel(&b, REQUEST_READ, local_line(c, 0, 0, 0), 1);
        ask_channel(&b, REQUEST_READ, local_line(c, 1, 0, 0), 2);
        drain_channel(&b);
        uint64_t start = b.log[0].cycle,
                 last_column = start + c->dram.rcd + (bursts_of_line(c) - 1) * c->dram.ccdl;
        uint64_t to_precharge =
            later_time(c->dram.bank_groups > 1 ? c->dram.rtpl : 0, burst_cycles(c));
        uint64_t precharge = later_time(start + c->dram.ras, last_column + to_precharge);
        const struct command *p = &b.log[1 + bursts_of_line(c)];
        assert_true(p[0].command == DRAM_PRECHARGE && p[0].cycle == precharge);
        assert_true(p[1].command == DRAM_ACTIVATE);
        assert_true(p[1].cycle == later_time(precharge + c->dram.rp, start + c->dram.rc));
    }
}

/* Two requests of an open row: cycles from the last column command of the first to the first of the
 * second. */
static uint64_t measure_turnaround(struct channel_bench *b, unsigned first, unsigned second) {
    latency_of(b, local_line(&b->config, 0, 0, 0));
    unsigned before = b->commands;
    ask_channel(b, first, local_line(&b->config, 0, 0, 1), 1);
    ask_channel(b, second, local_line(&b->config, 0, 0, 2), 2);
    drain_channel(b);
    const struct command *last = &b->log[before + bursts_of_line(&b->config) - 1];
    return last[1].cycle - last[0].cycle;
}

TEST(the_data_bus_turns_round_in_two_cycles_and_cdlr) {
    for (unsigned k = 0; k < SHAPES; k++) {
        CLOSED_BY(close_channel) struct channel_bench b = {.config = channel_shape(k)};
        const struct config *c = &b.config;
        open_channel(&b, 1);
        assert_int_equal(measure_turnaround(&b, REQUEST_READ, REQUEST_WRITEBACK),
                         c->dram.cl + burst_cycles(c) + 2 - c->dram.wl);
        close_channel(&b);
        open_channel(&b, 1);
        assert_int_equal(measure_turnaround(&b, REQUEST_WRITEBACK, REQUEST_READ),
                         c->dram.wl + burst_cycles(c) + c->dram.cdlr);
    }
}

TEST(columns_of_one_kind_follow_each_other_after_ccdl) {
    for (unsigned k = 0; k < SHAPES; k++) {
        for (unsigned writes = 0; writes < 2; writes++) {
            unsigned kind = writes ? REQUEST_WRITEBACK : REQUEST_READ;
            CHANNEL(b, channel_shape(k), 1);
            latency_of(&b, local_line(&b.config, 0, 0, 0));
            unsigned before = b.commands;
            for (unsigned i = 1; i <= 3; i++) {
                ask_channel(&b, kind, local_line(&b.config, 0, 0, i), i);
            }
            drain_channel(&b);
            assert_int_equal(b.commands, before + 3 * bursts_of_line(&b.config));
            for (unsigned i = before + 1; i < b.commands; i++) {
                assert_int_equal(b.log[i].cycle - b.log[i - 1].cycle, b.config.dram.ccdl);
            }
        }
    }
}

TEST(a_written_row_is_closed_wr_after_its_data) {
    for (unsigned k = 0; k < SHAPES; k++) {
        CLOSED_BY(close_channel) struct channel_bench b = {.config = channel_shape(k)};
        const struct config *c = &b.config;
        open_channel(&b, 1);
        latency_of(&b, local_line(c, 0, 0, 0));
        unsigned before = b.commands;
        ask_channel(&b, REQUEST_WRITEBACK, local_line(c, 0, 0, 1), 1);
        ask_channel(&b, REQUEST_READ, local_line(c, 1, 0, 0), 2);
        drain_channel(&b);
        const struct command *last = &b.log[before + bursts_of_line(c) - 1];
        assert_int_equal(last[1].command, DRAM_PRECHARGE);
        assert_int_equal(last[1].cycle - last[0].cycle, c->dram.wl + burst_cycles(c) + c->dram.wr);
    }
}

/* --- bandwidth --- */

/* Reads of @lines lines that alternate between two banks whose rows are open. Return: the cycle of
 * each column command. */
static unsigned stream_two_banks(struct channel_bench *b, unsigned bank, unsigned other,
                                 unsigned lines, uint64_t *cycle) {
    latency_of(b, local_line(&b->config, 0, bank, 0));
    latency_of(b, local_line(&b->config, 0, other, 0));
    unsigned asked = 0, columns = 0, before = b->commands, row = b->config.dram.row_bytes / LINE;
    while (asked < lines || !dram_channel_idle(&b->d)) {
        if (asked < lines && ring_room(&b->d.in, b->now) && asked < b->d.stats.reads + 40) {
            ask_channel(b, REQUEST_READ,
                        local_line(&b->config, 0, asked & 1 ? other : bank, asked / 2 % row),
                        asked);
            asked++;
        }
        channel_tick(b);
        if (ring_head(&b->d.out[0], b->now)) {
            ring_pop(&b->d.out[0], b->now);
        }
    }
    for (unsigned i = before; i < b->commands; i++) {
        assert_int_equal(b->log[i].command, DRAM_READ);
        cycle[columns++] = b->log[i].cycle;
    }
    return columns;
}

TEST(alternating_bank_groups_fill_the_data_bus) {
    enum { LINES = 500 };
    uint64_t cycle[LOG_MAX];
    CHANNEL(b, base_preset(), 1);
    unsigned columns = stream_two_banks(&b, 0, b.config.dram.banks - 1, LINES, cycle);
    assert_int_equal(columns, LINES * bursts_of_line(&b.config));
    for (unsigned i = 1; i < columns; i++) {
        assert_true(cycle[i] - cycle[i - 1] == burst_cycles(&b.config));
    }
}

TEST(one_bank_group_takes_a_burst_every_ccdl) {
    enum { LINES = 500 };
    for (unsigned ccdl = 2; ccdl <= 7; ccdl++) {
        uint64_t cycle[LOG_MAX];
        CLOSED_BY(close_channel) struct channel_bench b = {.config = base_preset()};
        b.config.dram.ccdl = ccdl;
        open_channel(&b, 1);
        unsigned columns = stream_two_banks(&b, 0, 1, LINES, cycle);
        for (unsigned i = 1; i < columns; i++) {
            assert_true(cycle[i] - cycle[i - 1] == ccdl);
        }
    }
}

/* Without groups any two banks do, and so does one. */
TEST(gddr3_fills_its_data_bus_from_one_bank) {
    enum { LINES = 500 };
    uint64_t cycle[LOG_MAX];
    for (unsigned other = 0; other < 2; other++) {
        CHANNEL(b, gddr3_config(), 1);
        unsigned columns = stream_two_banks(&b, 0, other, LINES, cycle);
        assert_int_equal(columns, LINES * bursts_of_line(&b.config));
        for (unsigned i = 1; i < columns; i++) {
            assert_true(cycle[i] - cycle[i - 1] == burst_cycles(&b.config));
        }
    }
}

TEST(a_write_moves_the_bursts_of_its_bytes) {
    for (unsigned k = 0; k < SHAPES; k++) {
        CLOSED_BY(close_channel) struct channel_bench b = {.config = channel_shape(k)};
        unsigned burst_bytes = b.config.dram.bus_bytes * b.config.dram.burst;
        open_channel(&b, 1);
        for (unsigned bytes = 1; bytes <= b.config.l2.line_bytes; bytes += 21) {
            uint64_t columns = b.d.stats.columns, written = b.d.stats.write_bytes;
            ask_bytes(&b, REQUEST_WRITEBACK, bytes, 0, 1);
            drain_channel(&b);
            assert_true(b.d.stats.columns - columns == (bytes + burst_bytes - 1) / burst_bytes);
            assert_true(b.d.stats.write_bytes - written == bytes);
        }
    }
}

/* --- order --- */

/* Bank 0 opens a row for each of many requests; behind them stands a hit in bank 1. */
TEST(a_longer_queue_sees_a_hit_behind_more_requests) {
    static const unsigned queue[] = {64, 128, 256}, conflicts[] = {90, 90, 240};
    for (unsigned k = 0; k < 3; k++) {
        CLOSED_BY(close_channel) struct channel_bench b = {.config = base_preset()};
        uint64_t id = 0;
        unsigned before = 0;
        b.config.dram.queue = queue[k];
        b.config.dram.return_queue = 300;
        open_channel(&b, 1);
        latency_of(&b, local_line(&b.config, 0, 1, 0));
        for (uint64_t i = 0; i < conflicts[k]; i++) {
            ask_channel(&b, REQUEST_READ, local_line(&b.config, i, 0, 0), i);
        }
        ask_channel(&b, REQUEST_READ, local_line(&b.config, 0, 1, 1), conflicts[k]);
        while (until_data(&b, &id), id != conflicts[k]) {
            before++;
        }
        /* A queue in which they do not fit must first serve some; one in which they do takes all in
         * as many cycles, in which a bank opens so many rows. */
        unsigned opened = conflicts[k] / b.config.dram.rc;
        assert_true(queue[k] <= conflicts[k] ? before >= conflicts[k] - (queue[k] - 1)
                                             : before <= 1 + opened + 1);
    }
}

/* Asks in this order while bank 0 has row 1 open and is busy; returns the order of the answers. */
static void answer_order(struct channel_bench *b, const uint64_t *local, unsigned count,
                         uint64_t *order) {
    latency_of(b, local_line(&b->config, 1, 0, 0));
    for (uint64_t i = 0; i < count; i++) {
        ask_channel(b, REQUEST_READ, local[i], i);
    }
    for (unsigned i = 0; i < count; i++) {
        until_data(b, &order[i]);
    }
}

TEST(a_row_hit_passes_an_older_conflict) {
    CHANNEL(b, base_preset(), 1);
    latency_of(&b, local_line(&b.config, 1, 0, 0));
    /* Both are seen in the same cycle as far as commands go: the row may not be closed so soon
     * after the first read. */
    uint64_t order[3];
    const uint64_t local[] = {local_line(&b.config, 1, 0, 1), local_line(&b.config, 2, 0, 0),
                              local_line(&b.config, 1, 0, 2)};
    answer_order(&b, local, 3, order);
    assert_true(order[0] == 0 && order[1] == 2 && order[2] == 1);
}

TEST(row_hits_go_oldest_first) {
    enum { N = 8 };
    CLOSED_BY(close_channel) struct channel_bench b = {.config = base_preset()};
    uint64_t order[N], local[N];
    open_channel(&b, 1);
    for (unsigned i = 0; i < N; i++) {
        local[i] = local_line(&b.config, 1, 0, N - i);
    }
    answer_order(&b, local, N, order);
    for (unsigned i = 0; i < N; i++) {
        assert_true(order[i] == i);
    }
}

TEST(closed_banks_open_in_the_order_of_their_oldest_requests) {
    CLOSED_BY(close_channel) struct channel_bench b = {.config = base_preset()};
    static const unsigned banks[] = {9, 2, 9, 14, 2, 5};
    static const unsigned opened[] = {9, 2, 14, 5};
    open_channel(&b, 1);
    for (unsigned i = 0; i < 6; i++) {
        ask_channel(&b, REQUEST_READ, local_line(&b.config, 7, banks[i], i), i);
    }
    drain_channel(&b);
    unsigned activates = 0;
    for (unsigned i = 0; i < b.commands; i++) {
        if (b.log[i].command == DRAM_ACTIVATE) {
            assert_int_equal(b.log[i].bank, opened[activates++]);
        }
    }
    assert_int_equal(activates, 4);
}

TEST(a_row_that_somebody_wants_is_not_closed) {
    CLOSED_BY(close_channel) struct channel_bench b = {.config = base_preset()};
    enum { HITS = 10 };
    uint64_t local[1 + HITS + 1], order[1 + HITS + 1];
    open_channel(&b, 1);
    local[0] = local_line(&b.config, 1, 0, 1);
    local[1] = local_line(&b.config, 2, 0, 0); /* older than ten hits */
    for (unsigned i = 0; i < HITS; i++) {
        local[2 + i] = local_line(&b.config, 1, 0, 2 + i);
    }
    answer_order(&b, local, 2 + HITS, order);
    assert_true(order[1 + HITS] == 1);
    assert_int_equal(b.d.stats.precharges, 1);
}

TEST(the_scheduler_sees_no_more_than_its_queue) {
    for (unsigned queue = 1; queue <= 3; queue++) {
        CLOSED_BY(close_channel) struct channel_bench b = {.config = base_preset()};
        uint64_t order[4];
        b.config.dram.queue = queue;
        open_channel(&b, 1);
        /* The last is a hit. In a queue of three it comes in when the first has left, before its
         * row can be closed; a shorter queue is full of the two others. */
        const uint64_t local[] = {local_line(&b.config, 1, 0, 1), local_line(&b.config, 2, 0, 0),
                                  local_line(&b.config, 2, 1, 0), local_line(&b.config, 1, 0, 2)};
        answer_order(&b, local, 4, order);
        assert_true(order[0] == 0 && order[queue == 3 ? 1 : 3] == 3);
        assert_int_equal(b.d.stats.precharges, queue == 3 ? 1 : 2);
    }
}

TEST(a_write_is_not_answered) {
    CHANNEL(b, base_preset(), 1);
    ask_channel(&b, REQUEST_WRITEBACK, 0, 1);
    ask_channel(&b, REQUEST_READ, local_line(&b.config, 0, 0, 1), 2);
    uint64_t id;
    until_data(&b, &id);
    assert_true(id == 2);
    assert_true(dram_channel_idle(&b.d));
    assert_true(b.d.stats.writes == 1 && b.d.stats.reads == 1 && b.d.stats.write_bytes == LINE);
    assert_true(b.d.stats.data_cycles == 2 * bursts_of_line(&b.config) * burst_cycles(&b.config));
}
