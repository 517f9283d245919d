/* SPDX-License-Identifier: Apache-2.0
 *
 * MSHRs that the banks of a partition share (l2.mshr_pool = partition): section 5 of MeDiC divides
 * the L2 into banks, and figure 9 has more of them.
 */
#include "l2/partition_bench.h"

enum { STALL = 600 }; /* more than a miss takes to the DRAM */

/* Lines go to the banks in turn, so the low bits of a line's number name its bank. */
static struct config config_of_pool(unsigned pool, unsigned banks, unsigned mshrs) {
    struct config c = partition_config();
    c.l2.ports = banks;
    c.l2.banks = banks;
    c.l2.mshrs = mshrs;
    c.l2.mshr_pool = pool;
    c.l2.sets = 16;
    c.l2.miss_queue = 16;
    return c;
}

static void ask_read_at(struct bench *b, unsigned port, uint64_t local) {
    struct request r = {
        .line = local, .local = local, .kind = REQUEST_READ, .bytes = LINE, .sectors = 15};
    ask_port(b, port, &r);
}

/* Fetches that come to the DRAM in @cycles. */
static unsigned fetches_in(struct bench *b, unsigned cycles) {
    unsigned fetches = 0;
    while (cycles--) {
        tick_l2(b);
        if (dram_seen(b)) {
            dram_take(b);
            fetches++;
        }
    }
    return fetches;
}

TEST(test_5_misses_of_one_bank_leave_no_mshr_for_another_where_they_share) {
    enum { MSHRS = 3 };
    for (unsigned pool = 0; pool < 2; pool++) {
        for (unsigned sorted = 0; sorted < 2; sorted++) {
            CLOSED_BY(close_partition_bench)
            struct bench b = {.config = config_of_pool(pool, 2, MSHRS)};
            b.config.l2.allocation = sorted ? L2_ALLOCATION_TOKENS : L2_ALLOCATION_ALL;
            open_partition_bench(&b, 1);
            for (unsigned i = 0; i < MSHRS; i++) {
                ask_read_at(&b, 0, 2 * i);
            }
            assert_int_equal(fetches_in(&b, STALL), MSHRS);
            ask_read_at(&b, 1, 1);
            bool shared = pool == L2_MSHR_POOL_PARTITION;
            assert_int_equal(fetches_in(&b, STALL), !shared);
            assert_int_equal(b.p.bank[1].refused, shared ? L2_FAIL_MSHR_FULL : L2_ACCEPTED);
            assert_int_equal(l2_bank_free_mshrs(&b.p.bank[1]), shared ? 0 : MSHRS - 1);
        }
    }
}

/* The line of a bank comes to it in cycle n, its request is woken in n + 1, and in that cycle the
 * other bank takes the MSHR. */
TEST(test_5_an_mshr_that_one_bank_frees_another_takes_in_that_cycle) {
    for (unsigned poll = 0; poll < 2; poll++) {
        for (unsigned waits = 0; waits < 2; waits++) { /* which bank */
            CLOSED_BY(close_partition_bench)
            struct bench b = {.config = config_of_pool(L2_MSHR_POOL_PARTITION, 2, 1), .poll = poll};
            open_partition_bench(&b, 1);
            ask_read_at(&b, !waits, !waits);
            ask_read_at(&b, waits, waits);
            b.p.pool.first = !waits;
            uint64_t access = b.now + 1 + b.config.l2.rop_latency + b.config.l2.arbiter_latency;
            until_dram(&b);
            struct request r = dram_take(&b);
            assert_int_equal(r.local, !waits);
            while (b.now < access + STALL) {
                tick_l2(&b);
            }
            dram_answer(&b, &r);
            uint64_t woken = b.now + 2;
            while (partition_totals(&b).requests < 2) {
                tick_l2(&b);
            }
            assert_true(b.now == woken);
            assert_int_equal(partition_totals(&b).fails[L2_FAIL_MSHR_FULL], woken - access);
            assert_int_equal(b.p.bank[waits].stats.fails[L2_FAIL_MSHR_FULL], woken - access);
        }
    }
}

/* Each bank has a queue of misses; an MSHR that is free goes to the bank behind the last taker. */
TEST(test_5_banks_that_wait_for_an_mshr_take_turns) {
    enum { BANKS = 4, EACH = 3 };
    for (unsigned poll = 0; poll < 2; poll++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = config_of_pool(L2_MSHR_POOL_PARTITION, BANKS, 1), .poll = poll};
        open_partition_bench(&b, 1);
        for (unsigned i = 0; i < BANKS * EACH; i++) {
            ask_read_at(&b, i % BANKS, i);
        }
        for (unsigned i = 0; i < BANKS * EACH; i++) {
            until_dram(&b);
            struct request r = dram_take(&b);
            assert_int_equal(r.local % BANKS, i % BANKS);
            dram_answer(&b, &r);
            until_answer(&b);
            take_answer(&b);
        }
        assert_true(partition_totals(&b).requests == BANKS * EACH);
    }
}

TEST(test_figure_9_more_banks_add_no_mshrs_where_they_share) {
    enum { MSHRS = 4 };
    for (unsigned pool = 0; pool < 2; pool++) {
        for (unsigned banks = 1; banks <= 4; banks *= 2) {
            BENCH(b, config_of_pool(pool, banks, MSHRS), 1);
            for (unsigned i = 0; i < 8 * banks; i++) {
                ask_read_at(&b, i % banks, i);
            }
            bool shared = pool == L2_MSHR_POOL_PARTITION;
            assert_int_equal(config_l2_mshrs(&b.config), shared ? MSHRS : MSHRS * banks);
            assert_int_equal(fetches_in(&b, STALL), config_l2_mshrs(&b.config));
        }
    }
}

/* A refused request's cause is that of the cycle, however the bank is evaluated: room in the miss
 * queue, until another bank takes the last MSHR. */
TEST(a_request_that_waits_for_the_miss_queue_waits_for_an_mshr_when_the_last_is_taken) {
    for (unsigned poll = 0; poll < 2; poll++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = config_of_pool(L2_MSHR_POOL_PARTITION, 2, 4), .poll = poll};
        b.config.l2.miss_queue = 2;
        b.config.dram.return_queue = 1; /* the DRAM takes one read and no more */
        open_partition_bench(&b, 1);
        for (unsigned i = 0; i < 4; i++) { /* one in the DRAM, two in the queue, one refused */
            ask_read_at(&b, 0, 2 * i);
        }
        fetches_in(&b, STALL);
        assert_int_equal(b.p.bank[0].refused, L2_FAIL_MISS_QUEUE);
        uint64_t access = b.now + 1 + b.config.l2.rop_latency + b.config.l2.arbiter_latency;
        ask_read_at(&b, 1, 1);
        uint64_t before = 0;
        while (b.now < access + 10) {
            before = b.now == access ? partition_totals(&b).fails[L2_FAIL_MSHR_FULL] : before;
            tick_l2(&b);
        }
        assert_int_equal(before, 0);
        assert_int_equal(b.p.bank[0].refused, L2_FAIL_MSHR_FULL);
        l2_partition_settle(&b.p, b.l2.cycle);
        /* Bank 1 was first in turn, so bank 0 sees it in that very cycle. */
        assert_int_equal(b.p.bank[0].stats.fails[L2_FAIL_MSHR_FULL], b.l2.cycle - access);
    }
}
