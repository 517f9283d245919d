/* SPDX-License-Identifier: Apache-2.0
 *
 * Write draining (dram.write_drain): which requests are served when, with the watermarks as
 * formulas.
 */
#include "dram/channel_shapes.h"

static struct config with_write_drain(unsigned queue, unsigned high, unsigned low) {
    struct config c = base_preset();
    c.dram.queue = queue;
    c.dram.write_drain = true;
    c.dram.write_high = high;
    c.dram.write_low = low;
    return c;
}

/* An open row of bank 0. */
static void open_row(struct channel_bench *b) {
    latency_of(b, local_line(&b->config, 0, 0, 0));
}

static void ask_hits(struct channel_bench *b, unsigned kind, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        ask_channel(b, kind, local_line(&b->config, 0, 0, i % 16), i);
    }
}

/* Column commands of one kind from *at on; moves there. */
static unsigned run_of(const struct channel_bench *b, unsigned *at, enum dram_command command) {
    unsigned from = *at;
    while (*at < b->commands && b->log[*at].command == command) {
        ++*at;
    }
    return *at - from;
}

TEST(reads_pass_writes_that_came_before) {
    enum { READS = 5, WRITES = 3 };
    CHANNEL(b, with_write_drain(16, 8, 4), 1);
    const struct config *c = &b.config;
    unsigned n = bursts_of_line(c);
    ask_channel(&b, REQUEST_READ, local_line(c, 0, 0, 0), 0); /* its row is opened meanwhile */
    ask_hits(&b, REQUEST_WRITEBACK, WRITES);
    ask_hits(&b, REQUEST_READ, READS);
    drain_channel(&b);
    unsigned at = 1;
    assert_int_equal(run_of(&b, &at, DRAM_READ), (1 + READS) * n);
    assert_int_equal(run_of(&b, &at, DRAM_WRITE), WRITES * n);
    const struct command *first = &b.log[1 + (1 + READS) * n];
    assert_true(first[0].cycle - first[-1].cycle == c->dram.cl + burst_cycles(c) + 2 - c->dram.wl);
    assert_true(at == b.commands && channel_count(&b, "dram.write_drains") == 0);
}

TEST(a_write_goes_at_once_where_no_read_waits) {
    for (unsigned k = 0; k < 2; k++) {
        CHANNEL(b, with_write_drain(16, 16, k ? 15 : 0), 1);
        open_row(&b);
        unsigned before = b.commands;
        uint64_t asked = b.now + 1;
        ask_hits(&b, REQUEST_WRITEBACK, 1);
        drain_channel(&b);
        assert_true(b.log[before].command == DRAM_WRITE && b.log[before].cycle == asked);
    }
}

/* Reads of an open row come first, then writes of it, a request a cycle. The batch begins in the
 * cycle in which as many writes as the high watermark wait, and ends with as many as the low one;
 * the reads that are left then go before the writes that are left. */
TEST(a_batch_begins_at_the_high_watermark_and_ends_at_the_low_one) {
    enum { READS = 20, QUEUE = 60 };
    for (unsigned high = 1; high <= 12; high++) {
        for (unsigned low = 0; low < high; low++) {
            CHANNEL(b, with_write_drain(QUEUE, high, low), 1);
            unsigned n = bursts_of_line(&b.config);
            open_row(&b);
            unsigned at = b.commands;
            uint64_t full = b.now + 1 + READS + high - 1; /* the last write is seen */
            ask_hits(&b, REQUEST_READ, READS);
            ask_hits(&b, REQUEST_WRITEBACK, high);
            drain_channel(&b);
            unsigned before = run_of(&b, &at, DRAM_READ);
            assert_true(before < READS * n && b.log[at - 1].cycle < full &&
                        b.log[at - 1].cycle + b.config.dram.ccdl >= full);
            assert_true(b.log[at].cycle == b.log[at - 1].cycle + b.d.banks.timing.read_to_write);
            assert_int_equal(run_of(&b, &at, DRAM_WRITE), (high - low) * n);
            assert_int_equal(run_of(&b, &at, DRAM_READ), READS * n - before);
            assert_int_equal(run_of(&b, &at, DRAM_WRITE), low * n);
            assert_true(at == b.commands && channel_count(&b, "dram.write_drains") == 1);
        }
    }
}

TEST(a_write_less_than_the_high_watermark_begins_no_batch) {
    enum { READS = 20 };
    for (unsigned high = 2; high <= 12; high++) {
        CHANNEL(b, with_write_drain(60, high, high - 1), 1);
        unsigned n = bursts_of_line(&b.config);
        open_row(&b);
        unsigned at = b.commands;
        ask_hits(&b, REQUEST_READ, READS);
        ask_hits(&b, REQUEST_WRITEBACK, high - 1);
        drain_channel(&b);
        assert_int_equal(run_of(&b, &at, DRAM_READ), READS * n);
        assert_int_equal(run_of(&b, &at, DRAM_WRITE), (high - 1) * n);
        assert_int_equal(channel_count(&b, "dram.write_drains"), 0);
    }
}

/* A read closes the row that two older writes want; when no read waits, the first of them opens it
 * again. */
TEST(a_row_that_only_the_other_class_wants_is_closed) {
    CHANNEL(b, with_write_drain(16, 8, 4), 1);
    const struct config *c = &b.config;
    unsigned n = bursts_of_line(c);
    open_row(&b);
    unsigned at = b.commands;
    ask_channel(&b, REQUEST_READ, local_line(c, 0, 0, 1), 1);
    ask_hits(&b, REQUEST_WRITEBACK, 2);
    ask_channel(&b, REQUEST_READ, local_line(c, 5, 0, 0), 2);
    drain_channel(&b);
    static const enum dram_command row[] = {DRAM_PRECHARGE, DRAM_ACTIVATE};
    assert_int_equal(run_of(&b, &at, DRAM_READ), n);
    for (unsigned k = 0; k < 2; k++) {
        assert_true(b.log[at].command == row[0] && b.log[at + 1].command == row[1]);
        assert_true(b.log[at + 1].row == (k ? 0 : 5));
        at += 2;
        assert_int_equal(run_of(&b, &at, k ? DRAM_WRITE : DRAM_READ), k ? 2 * n : n);
    }
    assert_int_equal(at, b.commands);
    assert_int_equal(b.d.stats.row_hits, 2); /* the first read, the second write */
}

/* Requests of the class that waits open no rows, and theirs are the last to be opened. */
TEST(rows_are_opened_for_the_class_in_service_alone) {
    CHANNEL(b, with_write_drain(16, 8, 4), 1);
    const struct config *c = &b.config;
    ask_channel(&b, REQUEST_READ, local_line(c, 0, 0, 0), 0);
    ask_channel(&b, REQUEST_WRITEBACK, local_line(c, 0, 1, 0), 1);
    ask_channel(&b, REQUEST_READ, local_line(c, 0, 2, 0), 2);
    drain_channel(&b);
    unsigned opened = 0, order[3];
    for (unsigned i = 0; i < b.commands; i++) {
        if (b.log[i].command == DRAM_ACTIVATE) {
            order[opened++] = b.log[i].bank;
        }
    }
    assert_true(opened == 3 && order[0] == 0 && order[1] == 2 && order[2] == 1);
}

/* --- nothing waits for ever --- */

/* Reads keep coming behind a queue full of writes, as many as the high watermark. */
TEST(a_queue_full_of_writes_is_served) {
    static const unsigned queues[] = {1, 2, 16, 65, 128};
    for (unsigned k = 0; k < sizeof queues / sizeof *queues; k++) {
        for (unsigned low = 0; low<queues[k]; low += queues[k]> 1 ? queues[k] - 1 : 1) {
            CHANNEL(b, with_write_drain(queues[k], queues[k], low), 1);
            unsigned asked = 0;
            while (asked < 600 || !dram_channel_idle(&b.d)) {
                if (asked < 600 && ring_room(&b.d.in, b.now)) {
                    bool write = asked / (2 * queues[k]) % 2 || asked % 7 == 0;
                    ask_channel(&b, write ? REQUEST_WRITEBACK : REQUEST_READ,
                                local_line(&b.config, asked % 3, asked % 5, asked % 16), asked);
                    asked++;
                }
                channel_tick(&b);
                if (ring_head(&b.d.out[0], b.now)) {
                    ring_pop(&b.d.out[0], b.now);
                }
                assert_true(b.now < 200000);
            }
            assert_int_equal(b.d.stats.reads + b.d.stats.writes, 600);
        }
    }
}
