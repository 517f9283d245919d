/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory partition: latencies as sums of the configured parts, write-back, refusals by cause.
 */
#include "l2/partition_bench.h"

static uint64_t edge_from(const struct bench *b, uint64_t time) {
    return (time + b->period - 1) / b->period * b->period;
}

/* Time of the bank's access to a request that is asked for now, by an idle partition. */
static uint64_t bank_time(const struct bench *b) {
    return edge_from(b, b->now + 1) +
           (b->config.l2.rop_latency + b->config.l2.arbiter_latency) * b->period;
}

TEST(a_hit_takes_rop_latency_and_hit_latency) {
    for (unsigned period = 1; period <= 30; period += 29) {
        for (unsigned hit = 1; hit <= 10; hit += 9) {
            CLOSED_BY(close_partition_bench) struct bench b = {.config = partition_config()};
            b.config.l2.hit_latency = hit;
            open_partition_bench(&b, period);
            bring_clean_line(&b, 5);
            uint64_t access = bank_time(&b);
            ask_partition(&b, REQUEST_READ, 5, false, 77);
            /* Moved to the interconnect's buffer in the cycle in which the reply stands in its
             * queue; seen a time later. */
            assert_true(until_answer(&b) == access + hit * period + 1);
            assert_true(answer_seen(&b)->line == 77);
            assert_true(unit_set_has(&b.replying, 0));
            assert_int_equal(outcome_of_kind(&b, REQUEST_READ, L2_HIT), 1);
        }
    }
}

TEST(a_miss_reaches_the_dram_a_cycle_and_its_constant_latency_later) {
    for (unsigned period = 1; period <= 30; period += 29) {
        BENCH(b, partition_config(), period);
        uint64_t access = bank_time(&b);
        ask_partition(&b, REQUEST_READ, 5, false, 77);
        assert_true(until_dram(&b) == access + period + b.config.dram.latency);
        assert_int_equal(outcome_of_kind(&b, REQUEST_READ, L2_MISS), 1);
    }
}

TEST(a_fill_wakes_its_requests_one_a_cycle_from_the_next_cycle_on) {
    enum { WAITING = 3 };
    for (unsigned fill = 1; fill <= 5; fill += 4) {
        CLOSED_BY(close_partition_bench) struct bench b = {.config = partition_config()};
        b.config.l2.fill_latency = fill;
        b.config.noc.input_flits = WAITING * packet_flits(&b.config, LINE);
        open_partition_bench(&b, 1);
        for (unsigned id = 0; id < WAITING; id++) {
            ask_partition(&b, REQUEST_READ, 5, false, id);
        }
        until_dram(&b);
        struct request r = dram_take(&b);
        dram_answer(&b, &r);
        uint64_t filled = b.now + 1;
        for (unsigned id = 0; id < WAITING; id++) {
            assert_true(until_answer(&b) == filled + 1 + id + fill + 1);
            assert_true(answer_seen(&b)->line == id);
            take_answer(&b);
        }
        assert_int_equal(outcome_of_kind(&b, REQUEST_READ, L2_PENDING_HIT), WAITING - 1);
        assert_true(l2_partition_idle(&b.p));
    }
}

TEST(a_write_of_a_whole_line_is_not_fetched) {
    BENCH(b, partition_config(), 1);
    uint64_t access = bank_time(&b);
    ask_partition(&b, REQUEST_WRITE, 5, true, 77);
    assert_true(until_answer(&b) == access + b.config.l2.hit_latency + 1);
    assert_true(answer_seen(&b)->line == 77 && answer_seen(&b)->kind == REQUEST_WRITE);
    assert_int_equal(b.replies->used,
                     packet_flits(&b.config, 0)); /* an acknowledgement has no data */
    assert_int_equal(b.p.bank[0].miss_queue.count + b.to_dram.count, 0);
    assert_true(outcome_of_kind(&b, REQUEST_WRITE, L2_MISS) == 1 &&
                partition_totals(&b).full_line_writes == 1);
}

static void fetched_write(struct config c, bool full) {
    BENCH(b, c, 1);
    uint64_t access = bank_time(&b);
    ask_partition(&b, REQUEST_WRITE, 5, full, 77);
    assert_true(until_dram(&b) == access + 1 + b.config.dram.latency);
    struct request r = dram_take(&b);
    assert_int_equal(r.kind, REQUEST_READ);
    dram_answer(&b, &r);
    uint64_t filled = b.now + 1;
    assert_true(until_answer(&b) == filled + 1 + b.config.l2.fill_latency + 1);
    assert_true(answer_seen(&b)->line == 77 && answer_seen(&b)->kind == REQUEST_WRITE);
    assert_true(outcome_of_kind(&b, REQUEST_WRITE, L2_MISS) == 1 &&
                partition_totals(&b).full_line_writes == 0);
}

TEST(a_write_of_part_of_a_line_fetches_it_and_is_then_acknowledged) {
    fetched_write(partition_config(), false);
}

TEST(every_write_miss_fetches_where_the_configuration_says_so) {
    struct config c = partition_config();
    c.l2.write_miss = L2_WRITE_MISS_FETCH;
    fetched_write(c, false);
    fetched_write(c, true);
}

/* Ways to make a line dirty. */
enum dirtying { WHOLE_WRITE, PART_WRITE, WRITE_HIT, WRITE_PENDING, NO_WRITE };

static void make_line(struct bench *b, enum dirtying how) {
    if (how == WHOLE_WRITE) {
        ask_partition(b, REQUEST_WRITE, 0, true, 1);
        until_answer(b);
    } else if (how == WRITE_HIT || how == NO_WRITE) {
        bring_clean_line(b, 0);
        ask_partition(b, how == NO_WRITE ? REQUEST_READ : REQUEST_WRITE, 0, false, 1);
        until_answer(b);
    } else {
        ask_partition(b, how == WRITE_PENDING ? REQUEST_READ : REQUEST_WRITE, 0, false, 1);
        if (how == WRITE_PENDING) {
            ask_partition(b, REQUEST_WRITE, 0, false, 2);
        }
        until_dram(b);
        struct request r = dram_take(b);
        dram_answer(b, &r);
        until_answer(b);
        if (how == WRITE_PENDING) {
            take_answer(b);
            until_answer(b);
        }
    }
    take_answer(b);
    tick_l2(b);
}

TEST(a_dirty_victim_is_written_back_before_the_fetch_and_a_clean_one_is_dropped) {
    for (enum dirtying how = WHOLE_WRITE; how <= NO_WRITE; how++) {
        CLOSED_BY(close_partition_bench) struct bench b = {.config = partition_config()};
        b.config.l2.sets = 1;
        b.config.l2.ways = 1;
        open_partition_bench(&b, 1);
        make_line(&b, how);
        ask_partition(&b, REQUEST_READ, 9, false, 3);
        until_dram(&b);
        struct request first = dram_take(&b);
        if (how == NO_WRITE) {
            assert_true(first.kind == REQUEST_READ && first.local == 9);
        } else {
            assert_true(first.kind == REQUEST_WRITEBACK && first.local == 0 && first.bytes == LINE);
            until_dram(&b);
            struct request second = dram_take(&b);
            assert_true(second.kind == REQUEST_READ && second.local == 9);
        }
        assert_int_equal(partition_totals(&b).writebacks, how != NO_WRITE);
    }
}

TEST(a_line_that_was_written_back_is_clean) {
    CLOSED_BY(close_partition_bench) struct bench b = {.config = partition_config()};
    b.config.l2.sets = b.config.l2.ways = 1;
    open_partition_bench(&b, 1);
    make_line(&b, WHOLE_WRITE);
    for (uint64_t line = 9; line < 11; line++) {
        ask_partition(&b, REQUEST_READ, line, false, line);
        struct request r = {.kind = REQUEST_WRITEBACK};
        while (r.kind == REQUEST_WRITEBACK) {
            until_dram(&b);
            r = dram_take(&b);
        }
        dram_answer(&b, &r);
        until_answer(&b);
        take_answer(&b);
    }
    assert_int_equal(partition_totals(&b).writebacks, 1);
}

/* --- refusals: the bank's second request waits for STALL cycles --- */

enum { STALL = 200 };

static void refused_until_filled(enum l2_refusal cause, bool poll) {
    CLOSED_BY(close_partition_bench) struct bench b = {.config = partition_config(), .poll = poll};
    b.config.l2.sets = 2;
    b.config.l2.ways = cause == L2_FAIL_ASSOCIATIVITY ? 1 : 2;
    b.config.l2.mshrs = cause == L2_FAIL_MSHR_FULL ? 1 : 8;
    b.config.l2.mshr_merge = 1;
    open_partition_bench(&b, 1);
    uint64_t access = bank_time(&b);
    ask_partition(&b, REQUEST_READ, 0, false, 1);
    ask_partition(&b, REQUEST_READ, cause == L2_FAIL_MSHR_MERGE ? 0 : 2, false, 2);
    until_dram(&b);
    struct request r = dram_take(&b);
    while (b.now < access + 1 + STALL - 1) {
        tick_l2(&b);
    }
    dram_answer(&b, &r); /* the line is there at access + 1 + STALL, its MSHR free a cycle later */
    unsigned stall = STALL + (cause == L2_FAIL_MSHR_FULL);
    while (partition_totals(&b).requests < 2) {
        tick_l2(&b);
    }
    assert_true(b.now == access + 1 + stall);
    for (unsigned i = 1; i < L2_REFUSALS; i++) {
        assert_int_equal(partition_totals(&b).fails[i], i == cause ? stall : 0);
    }
}

TEST(a_request_waits_for_a_line_an_mshr_or_room_in_one) {
    for (unsigned poll = 0; poll < 2; poll++) {
        refused_until_filled(L2_FAIL_ASSOCIATIVITY, poll);
        refused_until_filled(L2_FAIL_MSHR_FULL, poll);
        refused_until_filled(L2_FAIL_MSHR_MERGE, poll);
    }
}

TEST(a_request_waits_for_room_in_the_miss_queue) {
    for (unsigned poll = 0; poll < 2; poll++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = partition_config(), .poll = poll};
        b.config.l2.miss_queue = 2;
        b.config.dram.return_queue = 1; /* the DRAM takes one read and no more */
        open_partition_bench(&b, 1);
        uint64_t access = bank_time(&b);
        for (uint64_t line = 0; line < 4; line++) {
            ask_partition(&b, REQUEST_READ, line, false, line);
        }
        /* 0 goes to the DRAM, 1 and 2 fill the queue, 3 is refused from access + 3 on. */
        while (b.now < access + 3 + STALL - 4) {
            tick_l2(&b);
        }
        assert_int_equal(b.p.bank[0].miss_queue.count, 2);
        struct request r = dram_take(&b);
        dram_answer(&b, &r);
        uint64_t filled =
            b.now + 1; /* 1 leaves the queue in that cycle, its room is used in the next */
        while (partition_totals(&b).requests < 4) {
            tick_l2(&b);
        }
        assert_true(b.now == filled + 1);
        assert_int_equal(partition_totals(&b).fails[L2_FAIL_MISS_QUEUE], b.now - (access + 3));
    }
}

TEST(a_miss_with_a_dirty_victim_takes_two_places) {
    for (unsigned dirty = 0; dirty < 2; dirty++) {
        CLOSED_BY(close_partition_bench) struct bench b = {.config = partition_config()};
        b.config.l2.sets = 4;
        b.config.l2.ways = 1;
        b.config.l2.miss_queue = 2;
        b.config.dram.return_queue = 1;
        open_partition_bench(&b, 1);
        make_line(&b, dirty ? WRITE_HIT : NO_WRITE); /* line 0 */
        uint64_t answered = partition_totals(&b).requests;
        ask_partition(&b, REQUEST_READ, 1, false, 1); /* in the DRAM */
        ask_partition(&b, REQUEST_READ, 2, false, 2); /* in the queue */
        ask_partition(&b, REQUEST_READ, 4, false, 4); /* in the place of line 0 */
        for (unsigned i = 0; i < 2 * b.config.l2.rop_latency; i++) {
            tick_l2(&b);
        }
        assert_int_equal(partition_totals(&b).requests - answered, dirty ? 2 : 3);
        assert_int_equal(b.p.bank[0].refused, dirty ? L2_FAIL_MISS_QUEUE : L2_ACCEPTED);
        assert_int_equal(b.p.bank[0].miss_queue.count, dirty ? 1 : 2);
    }
}

TEST(a_request_waits_for_room_at_the_output) {
    for (unsigned poll = 0; poll < 2; poll++) {
        for (unsigned hit = 0; hit < 2;
             hit++) { /* a read hit, or a write of a whole line that misses */
            struct bench b = {.config = partition_config(), .poll = poll};
            b.config.l2.reply_queue = 1;
            b.config.noc.input_flits =
                packet_flits(&b.config, LINE); /* one reply in the interconnect */
            b.config.noc.flit_bytes = 32;
            assert_true(b.config.l2.hit_latency == 1 && b.config.l2.fill_latency == 1);
            open_partition_bench(&b, 1);
            bring_clean_line(&b, 0);
            uint64_t access = bank_time(&b);
            /* One stands in the interconnect's buffer, one in the queue, two at the output; nobody
             * takes them. */
            for (unsigned i = 1; i <= 4; i++) {
                ask_partition(&b, REQUEST_READ, 0, false, i);
            }
            ask_partition(&b, hit ? REQUEST_READ : REQUEST_WRITE, hit ? 0 : 7, !hit, 5);
            while (b.now < access + STALL) {
                tick_l2(&b);
            }
            assert_int_equal(b.p.bank[0].output.count, 2);
            assert_true(answer_seen(&b)->line == 1);
            take_answer(&b);
            /* In taken + 1 the second reply moves on, in taken + 2 the third into the queue, in
             * taken + 3 the last request is accepted; it was refused from access + 4 on. */
            uint64_t taken = b.now;
            while (partition_totals(&b).requests < 6) {
                tick_l2(&b);
            }
            assert_true(b.now == taken + 3);
            assert_int_equal(partition_totals(&b).fails[L2_FAIL_OUTPUT], taken + 3 - (access + 4));
            close_partition_bench(&b);
        }
    }
}

TEST(a_stalled_bank_backs_up_through_the_rop_pipeline) {
    CLOSED_BY(close_partition_bench) struct bench b = {.config = partition_config(), .plain = true};
    b.config.l2.sets = b.config.l2.ways = 1;
    b.config.l2.rop_latency = 20;
    b.config.l2.queue = 3;
    open_partition_bench(&b, 1);
    unsigned sent = 0;
    for (unsigned i = 0; i < 500; i++) {
        if (ring_room(&b.requests[0], b.now)) {
            ask_partition(&b, REQUEST_READ, sent, false, sent);
            sent++;
        }
        tick_l2(&b);
    }
    /* The first has missed; a stage of the pipeline and the queue hold one each of the others. */
    assert_int_equal(partition_totals(&b).requests, 1);
    assert_int_equal(b.p.port[0].rop.count, b.config.l2.rop_latency);
    assert_int_equal(b.p.bank[0].queue.count, b.config.l2.queue);
    assert_int_equal(b.requests[0].count, REQUESTS);
}

TEST(a_reply_waits_for_room_for_all_its_flits) {
    CLOSED_BY(close_partition_bench) struct bench b = {.config = partition_config()};
    unsigned flits = packet_flits(&b.config, LINE);
    b.config.noc.input_flits = 2 * flits - 1;
    open_partition_bench(&b, 1);
    bring_clean_line(&b, 0);
    ask_partition(&b, REQUEST_READ, 0, false, 1);
    ask_partition(&b, REQUEST_READ, 0, false, 2);
    until_answer(&b);
    for (unsigned i = 0; i < STALL; i++) {
        tick_l2(&b);
        assert_int_equal(b.replies->count, 1);
    }
    take_answer(&b);
    uint64_t taken = b.now;
    assert_true(until_answer(&b) == taken + 1 + 1); /* moved in the next cycle, seen a time later */
    assert_int_equal(b.replies->used, flits);
}

TEST(at_most_return_queue_reads_are_in_the_dram) {
    CLOSED_BY(close_partition_bench) struct bench b = {.config = partition_config()};
    b.config.dram.return_queue = 3;
    open_partition_bench(&b, 1);
    for (uint64_t line = 0; line < 10; line++) {
        ask_partition(&b, REQUEST_READ, line, false, line);
    }
    struct request r[10];
    unsigned taken = 0;
    for (unsigned i = 0; i < 1000; i++) {
        tick_l2(&b);
        if (dram_seen(&b)) {
            r[taken++] = dram_take(&b);
        }
    }
    assert_int_equal(taken, 3);
    dram_answer(&b, &r[1]);
    for (unsigned i = 0; i < 1000; i++) {
        tick_l2(&b);
        if (dram_seen(&b)) {
            r[taken++] = dram_take(&b);
        }
    }
    assert_int_equal(taken, 4);
}
