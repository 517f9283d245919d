/* SPDX-License-Identifier: Apache-2.0
 *
 * Where requests leave a partition that bypass (l2.bypass_at): before the bank arbiter, as section
 * 4.2 of MeDiC draws it, or at the port, before the pipeline in front of the arbiter.
 */
#include "l2/bypass.h"
#include "l2/partition_bench.h"

/* Reads bypass, and writes go to their banks. */
static struct config reads_bypass(unsigned at) {
    struct config c = partition_config();
    c.l2.write = L2_WRITE_THROUGH;
    c.l2.write_miss = L2_WRITE_MISS_AROUND;
    c.l2.bypass = L2_BYPASS_ALL;
    c.l2.bypass_at = at;
    return c;
}

static struct config nobody_bypasses(unsigned at) {
    struct config c = reads_bypass(at);
    c.l2.bypass = L2_BYPASS_RANDOM;
    c.rand.percent = 0;
    return c;
}

/* A cycle to be seen, the pipeline where it is passed, a cycle of the block, the constant part. */
TEST(test_4_2_a_read_that_bypasses_at_the_port_does_not_wait_for_the_pipeline) {
    for (unsigned at = 0; at < 2; at++) {
        for (unsigned period = 1; period <= 30; period += 29) {
            BENCH(b, reads_bypass(at), period);
            unsigned pipeline = at == L2_BYPASS_AT_PORT ? 0 : b.config.l2.rop_latency;
            uint64_t edge = (b.now + period) / period * period; /* in which it is seen */
            ask_partition(&b, REQUEST_READ, 7, false, 1);
            assert_true(until_dram(&b) == edge + (pipeline + 1) * period + b.config.dram.latency);
            struct request r = dram_take(&b);
            assert_int_equal(r.l2_route, L2_ROUTE_BYPASS);
            dram_answer(&b, &r);
            until_answer(&b);
            take_answer(&b);
            assert_true(partition_totals(&b).bypasses[REQUEST_READ] == 1 &&
                        l2_partition_idle(&b.p));
        }
    }
}

/* The block takes its cycle before the pipeline or behind it. Only behind it is it a part of the
 * delay from the port's end to the bank. */
TEST(test_4_2_what_goes_to_its_bank_takes_as_long_wherever_others_leave) {
    for (unsigned at = 0; at < 2; at++) {
        for (unsigned poll = 0; poll < 2; poll++) {
            CLOSED_BY(close_partition_bench)
            struct bench b = {.config = nobody_bypasses(at), .poll = poll};
            open_partition_bench(&b, 1);
            const struct config *c = &b.config;
            bring_clean_line(&b, 5);
            uint64_t asked = b.now;
            ask_partition(&b, REQUEST_READ, 5, false, 1);
            assert_true(until_answer(&b) == asked + 1 + c->l2.rop_latency + 1 +
                                                c->l2.arbiter_latency + c->l2.hit_latency + 1);
            assert_true(answer_seen(&b)->l2_hit);
            l2_partition_settle(&b.p, b.l2.cycle);
            struct l2_stats s = partition_totals(&b);
            unsigned stages = c->l2.arbiter_latency + (at == L2_BYPASS_AT_ARBITER);
            assert_true(s.requests == 2 && s.delay == 2 * stages && s.queue_wait == 0);
        }
    }
}

/* A read that comes a cycle behind a write overtakes it, as it does not stand in the pipeline. */
TEST(test_4_2_a_read_that_bypasses_at_the_port_overtakes_the_pipeline) {
    CLOSED_BY(close_partition_bench)
    struct bench b = {.config = reads_bypass(L2_BYPASS_AT_PORT)};
    b.config.dram.latency = 1;
    open_partition_bench(&b, 1);
    ask_partition(&b, REQUEST_WRITE, 3, true, 1);
    tick_l2(&b);
    uint64_t asked = b.now;
    ask_partition(&b, REQUEST_READ, 7, false, 2);
    assert_true(until_dram(&b) == asked + 2 + b.config.dram.latency);
    assert_int_equal(dram_take(&b).kind, REQUEST_READ);
    while (!partition_totals(&b).requests) {
        tick_l2(&b);
    }
    assert_true(b.now == asked + b.config.l2.rop_latency + 1 + b.config.l2.arbiter_latency);
}

/* A bank that takes nothing: its queue, then the pipeline, then the two places of the block are
 * full, and whatever is behind them waits in the interconnect. */
TEST(a_stalled_bank_backs_up_through_pipeline_and_block) {
    for (unsigned poll = 0; poll < 2; poll++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = nobody_bypasses(L2_BYPASS_AT_PORT), .poll = poll};
        b.config.l2.sets = b.config.l2.ways = 1;
        b.config.l2.rop_latency = 20;
        b.config.l2.queue = 3;
        open_partition_bench(&b, 1);
        unsigned sent = 0;
        for (unsigned i = 0; i < 1000; i++) {
            if (ring_room(&b.requests[0], b.now)) {
                ask_partition(&b, REQUEST_READ, sent, false, sent);
                sent++;
            }
            tick_l2(&b);
        }
        assert_int_equal(partition_totals(&b).requests, 1);
        assert_int_equal(b.p.bank[0].queue.count, b.config.l2.queue);
        assert_int_equal(b.p.port[0].rop.count, b.config.l2.rop_latency);
        assert_int_equal(b.p.front.count, BYPASS_PLACES);
        assert_int_equal(b.requests[0].count, REQUESTS);
        for (unsigned answered = 0; answered < sent; answered++) { /* and all of it goes on */
            until_dram(&b);
            struct request r = dram_take(&b);
            assert_int_equal(r.local, answered);
            dram_answer(&b, &r);
            until_answer(&b);
            take_answer(&b);
        }
        assert_true(l2_partition_idle(&b.p));
    }
}
