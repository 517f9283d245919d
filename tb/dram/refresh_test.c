/* SPDX-License-Identifier: Apache-2.0
 *
 * All-bank refresh: when its commands come, how long a read waits for it, and what it leaves of the
 * bandwidth, as formulas of the timing parameters.
 */
#include "dram/channel_shapes.h"

enum { REFI = 3000, RFC = 61, DUE = 2 * REFI }; /* benches begin at cycle 1000 */

static struct config with_refresh(struct config c) {
    c.dram.refi = REFI;
    c.dram.rfc = RFC;
    return c;
}

#define REFRESHED(b, k) CHANNEL(b, with_refresh(channel_shape(k)), 1)

static uint64_t to_precharge(const struct config *c, bool write) {
    if (write) {
        return c->dram.wl + burst_cycles(c) + c->dram.wr;
    }
    return later_time(c->dram.bank_groups > 1 ? c->dram.rtpl : 0, burst_cycles(c));
}

/* The time from @arrives, when a read is seen by a channel without requests, to its data. */
static uint64_t latency_from(struct channel_bench *b, uint64_t local, uint64_t arrives) {
    uint64_t id;
    ask_bytes_at(b, REQUEST_READ, b->config.l2.line_bytes, local, 5, arrives);
    uint64_t time = until_data(b, &id) - arrives;
    assert_int_equal(id, 5);
    return time;
}

static const struct command *nth_refresh(const struct channel_bench *b, unsigned nth) {
    for (unsigned i = 0; i < b->commands; i++) {
        if (b->log[i].command == DRAM_REFRESH && nth-- == 0) {
            return &b->log[i];
        }
    }
    fail_msg("there was no such refresh");
    return NULL;
}

/* --- a read near the due time of a channel whose banks are closed --- */

TEST(a_read_at_the_due_time_or_soon_after_waits_for_the_rest_of_rfc) {
    for (unsigned k = 0; k < SHAPES; k++) {
        for (unsigned late = 0; late <= RFC + 3; late++) {
            REFRESHED(b, k);
            const struct config *c = &b.config;
            assert_int_equal(latency_from(&b, 0, DUE + late),
                             (late < RFC ? RFC - late : 0) + c->dram.rcd + columns_and_data(c));
            assert_true(nth_refresh(&b, 1)->cycle == DUE);
        }
    }
}

/* Its row is opened in vain: the bank may be closed after tRAS, refreshed after tRC. */
TEST(a_read_a_cycle_before_the_due_time_waits_for_rc_and_rfc) {
    for (unsigned k = 0; k < SHAPES; k++) {
        REFRESHED(b, k);
        const struct config *c = &b.config;
        assert_int_equal(latency_from(&b, local_line(c, 3, 2, 0), DUE - 1),
                         c->dram.rc + RFC + c->dram.rcd + columns_and_data(c));
        assert_true(nth_refresh(&b, 1)->cycle == DUE - 1 + c->dram.rc);
        assert_true(b.d.stats.activates == 2 && b.d.stats.precharges == 1);
        assert_true(channel_count(&b, "dram.refresh_cycles") == RFC + c->dram.rc - 1 + RFC);
    }
}

TEST(a_read_whose_last_column_comes_before_the_due_time_does_not_wait) {
    for (unsigned k = 0; k < SHAPES; k++) {
        REFRESHED(b, k);
        const struct config *c = &b.config;
        unsigned to_last = c->dram.rcd + (bursts_of_line(c) - 1) * c->dram.ccdl;
        assert_int_equal(latency_from(&b, 0, DUE - to_last - 1), c->dram.rcd + columns_and_data(c));
    }
}

/* A cycle later the last burst is left to be read after the refresh, from a row that is opened
 * again. */
TEST(a_read_whose_last_column_would_come_at_the_due_time_reads_the_rest_after_the_refresh) {
    for (unsigned k = 0; k < SHAPES; k++) {
        REFRESHED(b, k);
        const struct config *c = &b.config;
        unsigned n = bursts_of_line(c), to_last = c->dram.rcd + (n - 1) * c->dram.ccdl;
        uint64_t arrives = DUE - to_last, time = latency_from(&b, 0, arrives);
        uint64_t closed = later_time(arrives + c->dram.ras, DUE);
        closed = later_time(closed, n > 1 ? DUE - c->dram.ccdl + to_precharge(c, false) : 0);
        uint64_t refreshed_at = later_time(closed + c->dram.rp, arrives + c->dram.rc);
        assert_true(nth_refresh(&b, 1)->cycle == refreshed_at);
        assert_int_equal(arrives + time,
                         refreshed_at + RFC + c->dram.rcd + c->dram.cl + burst_cycles(c));
    }
}

/* --- open banks --- */

/* The last column command of a read or write comes in the cycle before the due time. */
TEST(the_last_bank_is_closed_rtp_or_wr_after_its_last_column) {
    for (unsigned k = 0; k < SHAPES; k++) {
        for (unsigned write = 0; write < 2; write++) {
            REFRESHED(b, k);
            const struct config *c = &b.config;
            unsigned columns = (bursts_of_line(c) - 1) * c->dram.ccdl;
            latency_from(&b, 0, DUE - 600); /* the row is open for long */
            ask_bytes_at(&b, write ? REQUEST_WRITE : REQUEST_READ, c->l2.line_bytes, 1, 1,
                         DUE - 1 - columns);
            drain_channel(&b);
            dram_channel_settle(&b.d, DUE + 500);
            assert_true(nth_refresh(&b, 1)->cycle == DUE - 1 + to_precharge(c, write) + c->dram.rp);
            assert_int_equal(b.d.stats.precharges, 1);
        }
    }
}

TEST(open_banks_are_closed_one_a_cycle_and_refreshed_after_rp) {
    for (unsigned poll = 0; poll < 2; poll++) {
        for (unsigned k = 0; k < SHAPES; k++) {
            CLOSED_BY(close_channel)
            struct channel_bench b = {.config = with_refresh(channel_shape(k)), .poll = poll};
            const struct config *c = &b.config;
            open_channel(&b, 1);
            for (unsigned bank = 0; bank < c->dram.banks; bank++) {
                ask_channel(&b, REQUEST_READ, local_line(c, 0, bank, 0), bank);
            }
            drain_channel(&b);
            unsigned before = b.commands;
            assert_true(b.log[0].command == DRAM_ACTIVATE && b.now < REFI);
            latency_from(&b, 0, REFI + 500);
            for (unsigned bank = 0; bank < c->dram.banks; bank++) {
                const struct command *p = &b.log[before + bank];
                assert_true(p->command == DRAM_PRECHARGE && p->bank == bank &&
                            p->cycle == REFI + bank);
            }
            const struct command *r = nth_refresh(&b, 0);
            assert_true(r == &b.log[before + c->dram.banks]);
            assert_true(r->cycle == REFI + c->dram.banks - 1 + c->dram.rp);
            assert_true(channel_count(&b, "dram.refresh_cycles") ==
                        c->dram.banks - 1 + c->dram.rp + RFC);
        }
    }
}

/* --- channels without requests --- */

/* Nobody looks at the channel for twenty intervals: neither commands nor counters show it. */
TEST(an_idle_channel_is_refreshed_at_each_due_time) {
    enum { INTERVALS = 20 };
    for (unsigned way = 0; way < 3; way++) { /* asleep, polled, settled now and then */
        for (unsigned period = 1; period <= 23; period += 22) {
            CLOSED_BY(close_channel)
            struct channel_bench b = {.config = with_refresh(base_preset()), .poll = way == 1};
            open_channel(&b, period);
            while (b.now < (INTERVALS * REFI + 100) * period) {
                channel_tick(&b);
                if (way == 2 && b.now % (777 * period) == 0) {
                    dram_channel_settle(&b.d, b.now / period + 1);
                    assert_true(channel_count(&b, "dram.refreshes") == b.now / period / REFI);
                }
            }
            assert_true(way != 0 || !b.commands);
            dram_channel_settle(&b.d, INTERVALS * REFI);
            assert_int_equal(channel_count(&b, "dram.refreshes"), INTERVALS - 1);
            dram_channel_settle(&b.d, INTERVALS * REFI + 1);
            assert_int_equal(b.commands, INTERVALS);
            for (unsigned i = 0; i < b.commands; i++) {
                assert_true(b.log[i].command == DRAM_REFRESH &&
                            b.log[i].cycle == (i + 1) * (uint64_t)REFI);
            }
            assert_true(channel_count(&b, "dram.refresh_cycles") == INTERVALS * RFC &&
                        b.d.stats.busy_cycles == 0);
        }
    }
}

TEST(a_channel_without_refresh_has_none) {
    CHANNEL(b, base_preset(), 1);
    latency_of(&b, 0);
    dram_channel_settle(&b.d, UINT64_C(1) << 40);
    assert_int_equal(b.commands, 3);
}

/* --- bandwidth --- */

/* Row hits of one bank fill the data bus of GDDR3. In each interval all of it is left but the
 * cycles to close the bank, to refresh it and to open it again: tRP + tRFC + tRCD, and one more
 * where the last burst ends after the due time. */
TEST(a_refresh_takes_rp_rfc_and_rcd_of_each_interval_from_the_data_bus) {
    enum { INTERVALS = 12 };
    for (unsigned refi = 700; refi <= 701; refi++) { /* due in step with the columns, or not */
        struct config c = with_refresh(gddr3_config());
        unsigned asked = 0, first = 0;
        c.dram.refi = refi;
        CHANNEL(b, c, 1);
        while (b.now < INTERVALS * refi) {
            if (ring_room(&b.d.in, b.now) && asked < b.d.stats.reads + 100) {
                ask_channel(&b, REQUEST_READ, local_line(&c, 0, 0, asked % 8), asked);
                asked++;
            }
            channel_tick(&b);
            if (ring_head(&b.d.out[0], b.now)) {
                ring_pop(&b.d.out[0], b.now);
            }
        }
        assert_true(b.commands < LOG_MAX && c.dram.ccd == burst_cycles(&c));
        while (b.log[first].cycle < 3 * refi) {
            first++; /* from the third due time on all is steady */
        }
        for (uint64_t due = 3 * refi; due + refi < b.now; due += refi) {
            const struct command *p = &b.log[first];
            uint64_t last = p[-1].cycle, columns = 0;
            uint64_t closed = later_time(due, last + burst_cycles(&c));
            assert_true(last < due && due - last <= c.dram.ccd && closed <= due + 1);
            assert_true(p[0].command == DRAM_PRECHARGE && p[0].cycle == closed);
            assert_true(p[1].command == DRAM_REFRESH && p[1].cycle == closed + c.dram.rp);
            assert_true(p[2].command == DRAM_ACTIVATE && p[2].cycle == p[1].cycle + RFC);
            uint64_t opened = p[2].cycle + c.dram.rcd;
            for (first += 3; b.log[first].cycle < due + refi; first++) {
                assert_true(b.log[first].command == DRAM_READ);
                assert_true(b.log[first].cycle == opened + columns++ * c.dram.ccd);
            }
            uint64_t lost = closed - due + c.dram.rp + RFC + c.dram.rcd;
            assert_int_equal(columns, (refi - lost + c.dram.ccd - 1) / c.dram.ccd);
        }
    }
}
