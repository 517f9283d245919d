/* SPDX-License-Identifier: Apache-2.0
 *
 * DRAM channel: how long requests wait, and what its counters say of it.
 */
#include "dram/channel_shapes.h"

/* --- fairness --- */

/* FR-FCFS is not fair: what bounds a wait is the number of hits that are asked for. */
TEST(a_conflict_waits_for_every_hit_that_comes_and_no_longer) {
    enum { HITS = 200, CONFLICT = 1000 };
    CLOSED_BY(close_channel) struct channel_bench b = {.config = base_preset()};
    const struct config *c = &b.config;
    open_channel(&b, 1);
    latency_of(&b, local_line(c, 0, 0, 0));
    unsigned before = b.commands, asked = 1;
    ask_channel(&b, REQUEST_READ, local_line(c, 0, 0, 1), 0);
    ask_channel(&b, REQUEST_READ, local_line(c, 1, 0, 0), CONFLICT);
    while (!dram_channel_idle(&b.d)) {
        if (asked < HITS && b.d.in.count + b.d.count < 8) {
            ask_channel(&b, REQUEST_READ, local_line(c, 0, 0, asked % 32), asked);
            asked++;
        }
        channel_tick(&b);
        if (ring_head(&b.d.out[0], b.now)) {
            ring_pop(&b.d.out[0], b.now);
        }
    }
    unsigned columns = HITS * bursts_of_line(c);
    const struct command *last = &b.log[before + columns - 1];
    for (unsigned i = 0; i < columns; i++) {
        assert_int_equal(b.log[before + i].command, DRAM_READ);
    }
    uint64_t to_precharge = later_time(c->dram.rtpl, burst_cycles(c));
    assert_true(last[1].command == DRAM_PRECHARGE && last[1].cycle == last->cycle + to_precharge);
    assert_true(last[2].command == DRAM_ACTIVATE && last[2].cycle == last[1].cycle + c->dram.rp);
    assert_true(last->cycle - b.log[before].cycle == (columns - 1) * c->dram.ccdl);
}

/* --- statistics --- */

/* Two reads of closed rows in two bank groups arrive one after the other. */
TEST(bank_level_parallelism_and_waits_are_sums_over_cycles) {
    for (unsigned poll = 0; poll < 2; poll++) {
        CLOSED_BY(close_channel) struct channel_bench b = {.config = base_preset(), .poll = poll};
        const struct config *c = &b.config;
        const struct dram_stats *s = &b.d.stats;
        unsigned n = bursts_of_line(c);
        assert_true(c->dram.rrd > (n - 1) * c->dram.ccdl + 1); /* the banks' bursts do not meet */
        open_channel(&b, 1);
        ask_channel(&b, REQUEST_READ, local_line(c, 0, 0, 0), 1);
        ask_channel(&b, REQUEST_READ, local_line(c, 0, c->dram.banks - 1, 0), 2);
        drain_channel(&b);
        dram_channel_settle(&b.d, b.dram.cycle);
        /* From cycle 0: the first activates at 0 and leaves with its last column; the second comes
         * at 1, activates RRD after the first and leaves so much later. */
        uint64_t stay = c->dram.rcd + (n - 1) * c->dram.ccdl, leaves = c->dram.rrd + stay;
        assert_true(s->busy_cycles == leaves);
        assert_true(s->bank_cycles == stay + leaves - 1 && s->queue_cycles == s->bank_cycles);
        assert_true(s->wait_cycles == c->dram.rrd - 1);
        assert_true(s->service_cycles == 2 * (stay + c->dram.cl + burst_cycles(c)));
        assert_true(s->row_hits == 0 && s->reads == 2 && s->read_bytes == 2 * c->l2.line_bytes);
    }
}

TEST(requests_of_one_bank_count_one_bank) {
    CLOSED_BY(close_channel) struct channel_bench b = {.config = base_preset()};
    const struct dram_stats *s = &b.d.stats;
    open_channel(&b, 1);
    for (unsigned i = 0; i < 8; i++) {
        ask_channel(&b, REQUEST_READ, local_line(&b.config, 0, 3, i), i);
    }
    drain_channel(&b);
    assert_true(s->busy_cycles == s->bank_cycles && s->queue_cycles > 4 * s->busy_cycles);
    assert_true(s->row_hits == 7);
}

TEST(a_read_bears_when_it_came_and_when_its_first_command_was) {
    CHANNEL(b, base_preset(), 23);
    latency_of(&b, local_line(&b.config, 0, 0, 0));
    unsigned before = b.commands;
    uint64_t born = (b.now / b.period + 1) * b.period;
    ask_channel(&b, REQUEST_READ, local_line(&b.config, 0, 0, 1), 1);
    ask_channel(&b, REQUEST_READ, local_line(&b.config, 1, 0, 1), 2);
    for (uint64_t i = 0; i < 2; i++) {
        while (!ring_head(&b.d.out[0], b.now)) {
            channel_tick(&b);
        }
        const struct request *r = &ring_head(&b.d.out[0], b.now)->request;
        const struct command *first = &b.log[before + i * bursts_of_line(&b.config)];
        assert_true(r->line == i + 1 && r->stamp[STAMP_DRAM] == born + i * b.period);
        assert_true(r->stamp[STAMP_SERVICE] == first->cycle * b.period);
        ring_pop(&b.d.out[0], b.now);
    }
}
