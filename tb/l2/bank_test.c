/* SPDX-License-Identifier: Apache-2.0
 *
 * L2 bank: write policies, atomics, write-backs of an L1, the perfect cache, and what a request
 * bears.
 */
#include "l2/partition_bench.h"

static struct config config_with_policy(unsigned write, unsigned write_miss) {
    struct config c = partition_config();
    c.l2.write = write;
    c.l2.write_miss = write_miss;
    c.l2.rop_latency = 5;
    return c;
}

/* Cycles from asking an idle partition with period 1 to the bank's access. */
static uint64_t idle_cycles_to_bank(const struct bench *b) {
    return 1 + b->config.l2.rop_latency + b->config.l2.arbiter_latency;
}

static void ask_part(struct bench *b, unsigned kind, unsigned bytes, uint64_t local, uint64_t id) {
    struct request r = {
        .line = id, .local = local, .kind = (uint8_t)kind, .bytes = (uint16_t)bytes};
    ask_port(b, 0, &r);
}

static void assert_write(struct bench *b, uint64_t local, unsigned bytes) {
    until_dram(b);
    struct request r = dram_take(b);
    assert_true(r.kind == REQUEST_WRITEBACK && r.local == local && r.bytes == bytes);
}

static struct request take_fetch(struct bench *b, uint64_t local) {
    until_dram(b);
    struct request r = dram_take(b);
    assert_true(r.kind == REQUEST_READ && r.local == local);
    return r;
}

static void tick_cycles(struct bench *b, unsigned cycles) {
    while (cycles--) {
        tick_l2(b);
    }
}

static void assert_nothing_more(struct bench *b) {
    for (unsigned i = 0; i < 500; i++) {
        tick_l2(b);
        assert_true(!answer_seen(b) && !dram_seen(b));
    }
    assert_true(l2_partition_idle(&b->p));
}

/* The line must be there, and clean or dirty: another takes its place. */
static void assert_evicted(struct bench *b, uint64_t local, bool dirty) {
    uint64_t other = local + 64, back = partition_totals(b).writebacks;
    ask_partition(b, REQUEST_READ, other, false, 99);
    if (dirty) {
        assert_write(b, local, b->config.l2.line_bytes);
    }
    struct request r = take_fetch(b, other);
    dram_answer(b, &r);
    until_answer(b);
    take_answer(b);
    assert_int_equal(partition_totals(b).writebacks - back, dirty);
}

TEST(a_write_through_hit_is_acknowledged_as_a_hit_and_goes_on_with_its_bytes) {
    CLOSED_BY(close_partition_bench)
    struct bench b = {.config = config_with_policy(L2_WRITE_THROUGH, L2_WRITE_MISS_FETCH)};
    b.config.l2.sets = b.config.l2.ways = 1;
    open_partition_bench(&b, 1);
    bring_clean_line(&b, 0);
    uint64_t access = b.now + idle_cycles_to_bank(&b);
    ask_part(&b, REQUEST_WRITE, 32, 0, 7);
    assert_true(until_answer(&b) == access + b.config.l2.hit_latency + 1);
    assert_true(answer_seen(&b)->l2_hit && answer_seen(&b)->kind == REQUEST_WRITE);
    take_answer(&b);
    assert_true(until_dram(&b) == access + 1 + b.config.dram.latency);
    assert_write(&b, 0, 32);
    assert_evicted(&b, 0, false);
    struct l2_stats s = partition_totals(&b);
    assert_true(s.write_throughs == 1 && s.outcome[REQUEST_WRITE][L2_HIT] == 1);
    assert_nothing_more(&b);
}

TEST(a_write_through_miss_that_fetches_is_acknowledged_before_its_line_comes) {
    CLOSED_BY(close_partition_bench)
    struct bench b = {.config = config_with_policy(L2_WRITE_THROUGH, L2_WRITE_MISS_FETCH)};
    b.config.l2.sets = b.config.l2.ways = 1;
    open_partition_bench(&b, 1);
    uint64_t access = b.now + idle_cycles_to_bank(&b);
    ask_part(&b, REQUEST_WRITE, 64, 0, 7);
    assert_true(until_answer(&b) == access + b.config.l2.hit_latency + 1);
    take_answer(&b);
    struct request r = take_fetch(&b, 0);
    assert_write(&b, 0, 64);
    /* A second write to the line that is on its way needs no room in its MSHR. */
    ask_part(&b, REQUEST_WRITE, 32, 0, 8);
    until_answer(&b);
    assert_true(answer_seen(&b)->line == 8 && !answer_seen(&b)->l2_hit);
    take_answer(&b);
    assert_write(&b, 0, 32);
    dram_answer(&b, &r);
    tick_cycles(&b, 20);
    assert_true(!answer_seen(&b));
    assert_evicted(&b, 0, false);
    assert_true(partition_totals(&b).write_throughs == 2 && partition_totals(&b).fetches == 2);
    assert_nothing_more(&b);
}

TEST(a_write_around_takes_no_line) {
    for (unsigned write = 0; write < 2; write++) {
        for (unsigned full = 0; full < 2; full++) {
            BENCH(b, config_with_policy(write, L2_WRITE_MISS_AROUND), 1);
            uint64_t access = b.now + idle_cycles_to_bank(&b);
            struct request r = {.local = 3, .kind = REQUEST_WRITE, .full = full, .bytes = LINE};
            ask_port(&b, 0, &r);
            assert_true(until_answer(&b) == access + b.config.l2.hit_latency + 1);
            take_answer(&b);
            assert_write(&b, 3, LINE);
            ask_partition(&b, REQUEST_READ, 3, false, 8); /* a miss */
            struct request read = take_fetch(&b, 3);
            dram_answer(&b, &read);
            until_answer(&b);
            take_answer(&b);
            assert_true(partition_totals(&b).write_arounds == 1 &&
                        partition_totals(&b).write_throughs == 0);
            assert_nothing_more(&b);
        }
    }
}

TEST(a_whole_line_is_that_of_the_l2_not_of_the_sender) {
    CLOSED_BY(close_partition_bench)
    struct bench b = {.config = config_with_policy(L2_WRITE_BACK, L2_WRITE_MISS_PARTIAL)};
    b.config.l2.line_bytes = 256;
    open_partition_bench(&b, 1);
    struct request r = {.local = 3, .kind = REQUEST_WRITE, .full = true, .bytes = 128};
    ask_port(&b, 0, &r);
    r = take_fetch(&b, 3);
    dram_answer(&b, &r);
    until_answer(&b);
    assert_true(partition_totals(&b).full_line_writes == 0 && partition_totals(&b).fetches == 1);
}

TEST(an_atomic_fetches_its_line_whatever_writes_do_and_brings_data) {
    for (unsigned write = 0; write < 2; write++) {
        for (unsigned write_miss = 0; write_miss < 3; write_miss++) {
            CLOSED_BY(close_partition_bench)
            struct bench b = {.config = config_with_policy(write, write_miss)};
            b.config.l2.sets = b.config.l2.ways = 1;
            open_partition_bench(&b, 1);
            struct request a = {.line = 7, .kind = REQUEST_ATOMIC, .full = true, .bytes = LINE};
            for (unsigned k = 0; k < 2; k++) { /* a miss, then a hit */
                ask_port(&b, 0, &a);
                if (k == 0) {
                    struct request r = take_fetch(&b, 0);
                    dram_answer(&b, &r);
                }
                until_answer(&b);
                assert_true(answer_seen(&b)->kind == REQUEST_ATOMIC &&
                            answer_seen(&b)->l2_hit == (k == 1));
                assert_int_equal(b.replies->used, packet_flits(&b.config, LINE));
                take_answer(&b);
                if (write == L2_WRITE_THROUGH) {
                    assert_write(&b, 0, LINE);
                }
            }
            assert_true(outcome_of_kind(&b, REQUEST_ATOMIC, L2_MISS) == 1 &&
                        outcome_of_kind(&b, REQUEST_ATOMIC, L2_HIT) == 1);
            assert_evicted(&b, 0, write == L2_WRITE_BACK);
        }
    }
}

TEST(a_write_back_of_an_l1_is_a_write_that_nobody_acknowledges) {
    for (unsigned write = 0; write < 2; write++) {
        for (unsigned write_miss = 0; write_miss < 3; write_miss++) {
            CLOSED_BY(close_partition_bench)
            struct bench b = {.config = config_with_policy(write, write_miss)};
            bool around = write_miss == L2_WRITE_MISS_AROUND;
            b.config.l2.sets = b.config.l2.ways = 1;
            open_partition_bench(&b, 1);
            ask_part(&b, REQUEST_WRITEBACK, 64, 0, 7); /* a miss */
            if (!around) {
                struct request r = take_fetch(&b, 0);
                dram_answer(&b, &r);
            }
            if (around || write == L2_WRITE_THROUGH) {
                assert_write(&b, 0, 64);
            }
            assert_nothing_more(&b);
            if (!around) {
                ask_part(&b, REQUEST_WRITEBACK, 64, 0, 8); /* a hit */
                if (write == L2_WRITE_THROUGH) {
                    assert_write(&b, 0, 64);
                }
                assert_nothing_more(&b);
                assert_evicted(&b, 0, write == L2_WRITE_BACK);
            }
            assert_true(outcome_of_kind(&b, REQUEST_WRITEBACK, L2_MISS) == 1 &&
                        outcome_of_kind(&b, REQUEST_WRITEBACK, L2_HIT) == !around);
        }
    }
}

/* Nothing leaves the bank; what waits for a fill without wanting an answer ends all the same. */
TEST(a_write_back_wakes_though_the_output_is_full) {
    for (unsigned poll = 0; poll < 2; poll++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = config_with_policy(L2_WRITE_BACK, L2_WRITE_MISS_FETCH),
                          .poll = poll};
        b.config.l2.reply_queue = 1;
        b.config.noc.flit_bytes = 32;
        b.config.noc.input_flits = packet_flits(&b.config, b.config.l2.line_bytes); /* one reply */
        assert_true(b.config.l2.hit_latency == 1 && b.config.l2.fill_latency == 1);
        open_partition_bench(&b, 1);
        bring_clean_line(&b, 0);
        ask_part(&b, REQUEST_WRITEBACK, 64, 7, 1);
        struct request r = take_fetch(&b, 7);
        for (unsigned i = 0; i < 4; i++) { /* interconnect, reply queue, two at the output */
            ask_partition(&b, REQUEST_READ, 0, false, 2 + i);
        }
        tick_cycles(&b, 50);
        assert_true(b.p.bank[0].output.count == 2);
        assert_true(b.p.bank[0].mshrs.free_count == b.config.l2.mshrs - 1);
        dram_answer(&b, &r);
        tick_cycles(&b, 4);
        assert_true(b.p.bank[0].output.count == 2);
        assert_true(b.p.bank[0].mshrs.free_count == b.config.l2.mshrs);
    }
}

TEST(every_request_hits_in_a_perfect_l2_and_nothing_reaches_the_dram) {
    for (unsigned write = 0; write < 2; write++) {
        struct bench b = {.config = config_with_policy(write, L2_WRITE_MISS_FETCH)};
        b.config.l2.perfect = true;
        b.config.l2.hit_latency = 10;
        open_partition_bench(&b, 1);
        for (unsigned kind = 0; kind < L2_KINDS; kind++) {
            uint64_t access = b.now + idle_cycles_to_bank(&b);
            ask_partition(&b, kind, 1000 + kind, false, kind);
            if (kind == REQUEST_WRITEBACK) {
                assert_nothing_more(&b);
                continue;
            }
            assert_true(until_answer(&b) == access + 10 + 1 && answer_seen(&b)->l2_hit);
            take_answer(&b);
            tick_cycles(&b, 3);
            assert_int_equal(outcome_of_kind(&b, kind, L2_HIT), 1);
        }
        close_partition_bench(&b);
    }
}

/* --- stamps --- */

TEST(a_hit_bears_when_it_was_where) {
    BENCH(b, config_with_policy(L2_WRITE_BACK, L2_WRITE_MISS_FETCH), 30);
    bring_clean_line(&b, 5);
    struct request r = {.local = 5, .kind = REQUEST_READ, .bytes = LINE, .born = b.now - 11};
    uint64_t seen = b.now + 1, taken = (seen + 29) / 30 * 30;
    uint64_t access = taken + (idle_cycles_to_bank(&b) - 1) * 30;
    ask_port(&b, 0, &r);
    until_answer(&b);
    const struct request *a = answer_seen(&b);
    assert_true(a->stamp[STAMP_PORT] == seen - r.born);
    assert_true(a->stamp[STAMP_BANK] == access - r.born);
    assert_true(a->stamp[STAMP_DATA] == a->stamp[STAMP_BANK] && a->l2_hit);
    assert_true(!a->stamp[STAMP_DRAM] && !a->stamp[STAMP_SERVICE]);
    assert_true(a->stamp[STAMP_REPLY] == access + b.config.l2.hit_latency * 30 - r.born);
}

TEST(requests_that_waited_for_a_fill_bear_its_times_but_none_before_their_own) {
    BENCH(b, config_with_policy(L2_WRITE_BACK, L2_WRITE_MISS_FETCH), 1);
    struct request first = {.line = 1, .kind = REQUEST_READ, .bytes = LINE, .born = b.now};
    ask_port(&b, 0, &first);
    until_dram(&b);
    struct request r = dram_take(&b);
    uint64_t in_queue = b.now, served = in_queue + 3;
    request_stamp(&r, STAMP_DRAM, in_queue);
    request_stamp(&r, STAMP_SERVICE, served);
    struct request second = {.line = 2, .kind = REQUEST_READ, .bytes = LINE, .born = b.now};
    uint64_t access = b.now + idle_cycles_to_bank(&b);
    assert_true(access > served);
    ask_port(&b, 0, &second);
    tick_cycles(&b, 50);
    dram_answer(&b, &r);
    uint64_t filled = b.now + 1;
    until_answer(&b);
    const struct request *a = answer_seen(&b);
    assert_true(a->line == 1 && a->stamp[STAMP_DRAM] == in_queue - first.born);
    assert_true(a->stamp[STAMP_SERVICE] == served - first.born && !a->l2_hit);
    assert_true(a->stamp[STAMP_DATA] == filled - first.born);
    take_answer(&b);
    tick_l2(&b);
    until_answer(&b);
    a = answer_seen(&b);
    assert_true(a->line == 2 && a->stamp[STAMP_BANK] == access - second.born);
    assert_true(a->stamp[STAMP_DRAM] == access - second.born);
    assert_true(a->stamp[STAMP_SERVICE] == access - second.born);
    assert_true(a->stamp[STAMP_DATA] == filled - second.born && !a->l2_hit);
}
