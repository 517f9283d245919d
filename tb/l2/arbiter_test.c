/* SPDX-License-Identifier: Apache-2.0
 *
 * Ports, arbiter and banks of a partition (MeDiC section 5): throughput and queueing delay as
 * formulas, and that no port or bank is left out.
 */
#include "l2/partition_bench.h"

/* Every request hits; acknowledgements and requests alone, so that the interconnect carries one
 * reply a cycle. */
static struct config arbiter_shape(unsigned ports, unsigned banks) {
    struct config c = partition_config();
    c.l2.perfect = true;
    c.l2.ports = ports;
    c.l2.banks = banks;
    c.l2.rop_latency = 5;
    c.l2.hit_latency = 10;
    c.l2.queue = REQUESTS;
    c.l2.reply_queue = REQUESTS;
    return c;
}

static void send_to_port(struct bench *b, unsigned port, unsigned kind, uint64_t local,
                         uint64_t id) {
    struct request r = {.line = id, .local = local, .kind = (uint8_t)kind, .bytes = 4};
    ask_port(b, port, &r);
}

/* When each request was answered: by identity. */
static void answer_times(struct bench *b, unsigned count, uint64_t *at) {
    for (unsigned i = 0; i < count; i++) {
        until_answer(b);
        at[answer_seen(b)->line] = b->now;
        take_answer(b);
    }
}

static uint64_t cycles_to_bank(const struct bench *b) {
    return 1 + b->config.l2.rop_latency + b->config.l2.arbiter_latency;
}

TEST(a_bank_takes_a_request_every_interval_whatever_its_latency) {
    enum { N = 20 };
    for (unsigned interval = 1; interval <= 10; interval += 3) {
        for (unsigned latency = 1; latency <= 19; latency += 9) {
            CLOSED_BY(close_partition_bench) struct bench b = {.config = arbiter_shape(1, 1)};
            uint64_t at[N];
            b.config.l2.bank_interval = interval;
            b.config.l2.hit_latency = latency;
            open_partition_bench(&b, 1);
            uint64_t access = b.now + cycles_to_bank(&b);
            for (unsigned i = 0; i < N; i++) {
                send_to_port(&b, 0, REQUEST_WRITE, i, i);
            }
            answer_times(&b, N, at);
            for (unsigned i = 0; i < N; i++) {
                assert_true(at[i] == access + i * interval + latency + 1);
            }
            /* They come to the end of the port one a cycle. */
            struct l2_stats s = partition_totals(&b);
            unsigned arbiter = b.config.l2.arbiter_latency, longest = arbiter;
            longest += (N - 1) * (interval - 1);
            assert_true(s.delay == N * arbiter + (interval - 1) * N * (N - 1) / 2);
            assert_true(s.delay_max == longest);
            assert_true(s.delay_log2[63 - __builtin_clzll(longest)] >= 1);
        }
    }
}

/* A request alone, and one that finds the bank busy: what arbiter and blocks add is no waiting. */
TEST(what_a_request_takes_on_its_way_to_a_bank_is_no_queueing) {
    enum { LRU, BYPASS, INSERTION, MACHINES };
    static const unsigned stages[MACHINES] = {0, 1, 2}; /* insertion needs classes, from bypass */
    for (unsigned i = 0; i < MACHINES; i++) {
        enum { INTERVAL = 40, ARBITER = 3 };
        CLOSED_BY(close_partition_bench) struct bench b = {.config = arbiter_shape(1, 1)};
        b.config.l2.perfect = false;
        b.config.l2.write = L2_WRITE_THROUGH;
        b.config.l2.write_miss = L2_WRITE_MISS_AROUND;
        b.config.l2.bank_interval = INTERVAL;
        b.config.l2.arbiter_latency = ARBITER;
        b.config.l2.bypass_at = L2_BYPASS_AT_ARBITER;
        b.config.l2.bypass = i == BYPASS ? L2_BYPASS_WARP_TYPE : L2_BYPASS_OFF;
        b.config.l2.insertion = i == INSERTION ? L2_INSERTION_WARP_TYPE : L2_INSERTION_LRU;
        open_partition_bench(&b, 1);
        for (unsigned n = 1; n <= 2; n++) {
            /* The second comes a cycle after the first, and so waits for the interval less that. */
            send_to_port(&b, 0, REQUEST_WRITE, 5, n);
        }
        uint64_t at[3];
        answer_times(&b, 2, at);
        l2_partition_settle(&b.p, b.l2.cycle);
        struct l2_stats s = partition_totals(&b);
        assert_int_equal(s.requests, 2);
        assert_int_equal(s.queue_wait, INTERVAL - 1);
        assert_int_equal(s.pipeline_delay, 2 * (ARBITER + stages[i]));
        assert_int_equal(s.delay, s.queue_wait + s.pipeline_delay);
    }
}

/* Two ports, a queue of one place: a request waits there for the one before it, and at its port's
 * end for that place. */
TEST(a_wait_in_the_banks_queue_is_counted_apart_from_that_at_the_port) {
    enum { INTERVAL = 40, N = 4 };
    CLOSED_BY(close_partition_bench) struct bench b = {.config = arbiter_shape(2, 2)};
    b.config.l2.bank_interval = INTERVAL;
    b.config.l2.queue = 1;
    open_partition_bench(&b, 1);
    for (unsigned n = 0; n < N; n++) {
        send_to_port(&b, 0, REQUEST_WRITE, 2, n);
    }
    uint64_t at[N];
    answer_times(&b, N, at);
    l2_partition_settle(&b.p, b.l2.cycle);
    struct l2_stats s = partition_totals(&b);
    /* Request n reaches its port's end n cycles after the first, and its bank n intervals. The
     * queue has room from the cycle after an access on, so n waits there for an interval less the
     * cycles of the arbiter and of that room; the second finds it empty at once. */
    unsigned arbiter = b.config.l2.arbiter_latency;
    assert_int_equal(s.queue_wait, (INTERVAL - 1) * (1 + 2 + 3));
    assert_int_equal(s.bank_wait, (N - 1) * (INTERVAL - 1 - arbiter));
}

/* Requests for all banks in turn: each port moves one a cycle, each bank takes one an interval. */
TEST(a_partition_takes_what_its_ports_and_banks_allow) {
    enum { N = 32 };
    for (unsigned ports = 1; ports <= 4; ports++) {
        for (unsigned banks = 1; banks <= 8; banks *= 2) {
            for (unsigned interval = 1; interval <= 4; interval += 3) {
                CLOSED_BY(close_partition_bench)
                struct bench b = {.config = arbiter_shape(ports, banks)};
                b.config.l2.bank_interval = interval;
                open_partition_bench(&b, 1);
                uint64_t access = b.now + cycles_to_bank(&b), last = 0;
                for (unsigned i = 0; i < N; i++) {
                    for (unsigned port = 0; port < ports; port++) { /* nobody answers these */
                        send_to_port(&b, port, REQUEST_WRITEBACK, i * ports + port, 0);
                    }
                }
                while (partition_totals(&b).requests < N * ports) {
                    tick_l2(&b);
                    last = b.now;
                }
                uint64_t by_ports = N, by_banks = (N * ports + banks - 1) / banks * interval;
                uint64_t least =
                    by_ports > by_banks - interval + 1 ? by_ports : by_banks - interval + 1;
                /* Requests of one cycle are for different banks if there are as many; else, and
                 * where the numbers do not divide, banks wait for the arbiter now and then. */
                assert_true(last - access + 1 >= least);
                if (ports == 1 || (banks % ports == 0 && interval == 1)) {
                    assert_true(last - access + 1 <= least + banks * (interval - 1));
                }
            }
        }
    }
}

TEST(the_low_bits_choose_the_bank_and_the_rest_the_set) {
    CLOSED_BY(close_partition_bench) struct bench b = {.config = partition_config()};
    b.config.l2.banks = 4;
    b.config.l2.sets = 2;
    b.config.l2.ways = 1;
    open_partition_bench(&b, 1);
    for (uint64_t line = 0; line < 8; line++) { /* each has a place of its own */
        bring_clean_line(&b, line);
    }
    for (uint64_t line = 0; line < 8; line++) {
        ask_partition(&b, REQUEST_WRITE, line, false, line);
        until_answer(&b);
        take_answer(&b);
        tick_l2(&b);
    }
    assert_int_equal(outcome_of_kind(&b, REQUEST_WRITE, L2_HIT), 8);
    for (unsigned bank = 0; bank < 4; bank++) {
        assert_int_equal(b.p.bank[bank].stats.requests, 4);
    }
    /* Line 14 is in bank 2, set 1, as line 6 is: which is written back under its own number. */
    ask_partition(&b, REQUEST_READ, 14, false, 1);
    until_dram(&b);
    assert_true(dram_seen(&b)->kind == REQUEST_WRITEBACK && dram_seen(&b)->local == 6);
}

TEST(a_full_bank_queue_holds_its_port_alone) {
    for (unsigned poll = 0; poll < 2; poll++) {
        enum { QUEUE = 3, INTERVAL = 50, N = 8 };
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = arbiter_shape(2, 2), .poll = poll};
        uint64_t at[2 * N];
        b.config.l2.queue = QUEUE;
        b.config.l2.bank_interval = INTERVAL;
        open_partition_bench(&b, 1);
        uint64_t access = b.now + cycles_to_bank(&b);
        for (unsigned i = 0; i < N; i++) {
            send_to_port(&b, 0, REQUEST_WRITE, 0, i); /* bank 0 */
        }
        send_to_port(&b, 1, REQUEST_WRITE, 1, N); /* bank 1 */
        answer_times(&b, N + 1, at);
        assert_true(at[N] == access + b.config.l2.hit_latency + 1 ||
                    at[N] == access + b.config.l2.hit_latency + 2);
        /* The first is taken at `access`; QUEUE more stand in the queue at access + QUEUE. The next
         * head, seen at access + QUEUE, is held until the cycle after the bank's second access; so
         * is each that follows, from the cycle after the one before it went. */
        uint64_t first = INTERVAL + 1 - QUEUE, each = INTERVAL - 1;
        assert_int_equal(held_port_cycles(&b), first + (N - 1 - QUEUE - 1) * each);
    }
}

/* All ports always have a request for bank 0. */
TEST(ports_share_a_bank_evenly_whatever_its_interval) {
    for (unsigned ports = 2; ports <= 4; ports++) {
        for (unsigned interval = 1; interval <= 12; interval++) {
            CLOSED_BY(close_partition_bench) struct bench b = {.config = arbiter_shape(ports, 2)};
            unsigned taken[L2_PORTS_MAX] = {0}, all = 0;
            b.config.l2.queue = 1 + interval % 2;
            b.config.l2.bank_interval = interval;
            open_partition_bench(&b, 1);
            while (all < 40 * ports) {
                for (unsigned port = 0; port < ports; port++) {
                    if (ring_room(&b.requests[port], b.now)) {
                        send_to_port(&b, port, REQUEST_WRITE, 0, port);
                    }
                }
                tick_l2(&b);
                if (answer_seen(&b)) {
                    taken[answer_seen(&b)->line]++;
                    take_answer(&b);
                    all++;
                }
            }
            for (unsigned port = 0; port < ports; port++) {
                assert_true(taken[port] >= 39 && taken[port] <= 41);
            }
        }
    }
}

TEST(the_first_port_rotates_with_the_cycle) {
    for (unsigned start = 0; start < 4; start++) {
        CLOSED_BY(close_partition_bench) struct bench b = {.config = arbiter_shape(4, 1)};
        uint64_t at[4];
        open_partition_bench(&b, 1);
        while ((b.now + 1 + b.config.l2.rop_latency) % 4 != start) {
            tick_l2(&b);
        }
        for (unsigned port = 0; port < 4; port++) {
            send_to_port(&b, port, REQUEST_WRITE, 0, port);
        }
        answer_times(&b, 4, at);
        for (unsigned i = 1; i < 4; i++) { /* the number of the L2 cycle is its time here */
            assert_true(at[(start + i) % 4] == at[start] + i);
        }
    }
}

TEST(banks_take_turns_at_the_dram) {
    enum { BANKS = 4, EACH = 6 };
    CLOSED_BY(close_partition_bench) struct bench b = {.config = arbiter_shape(1, BANKS)};
    b.config.l2.perfect = false;
    b.config.l2.rop_latency = 30;
    b.config.l2.miss_queue = EACH + 2;
    open_partition_bench(&b, 1);
    b.config.dram.return_queue = 0; /* the partition reads it: no read may leave yet */
    for (unsigned i = 0; i < EACH; i++) {
        for (unsigned bank = 0; bank < BANKS; bank++) {
            send_to_port(&b, 0, REQUEST_READ, i * BANKS + bank, i * BANKS + bank);
        }
    }
    while (partition_totals(&b).requests < EACH * BANKS) {
        tick_l2(&b);
    }
    b.config.dram.return_queue = EACH * BANKS;
    clock_wake(&b.l2, 0, b.now);
    unsigned last = BANKS;
    for (unsigned i = 0; i < EACH * BANKS; i++) {
        uint64_t before = b.now;
        until_dram(&b);
        unsigned bank = (unsigned)(dram_take(&b).local % BANKS);
        assert_true(i == 0 || (bank == (last + 1) % BANKS && b.now == before + (b.now != before)));
        last = bank;
    }
}

TEST(banks_take_turns_at_the_reply_queue) {
    enum { BANKS = 4, EACH = 6 };
    CLOSED_BY(close_partition_bench) struct bench b = {.config = arbiter_shape(BANKS, BANKS)};
    b.config.noc.input_flits = packet_flits(&b.config, LINE);
    open_partition_bench(&b, 1);
    for (unsigned i = 0; i < EACH; i++) {
        for (unsigned bank = 0; bank < BANKS; bank++) {
            send_to_port(&b, bank, REQUEST_WRITE, bank, bank);
        }
    }
    uint64_t last = BANKS, when = 0;
    for (unsigned i = 0; i < EACH * BANKS; i++) {
        uint64_t now = until_answer(&b), bank = answer_seen(&b)->line;
        assert_true(i == 0 || (bank == (last + 1) % BANKS && now == when + 1));
        last = bank;
        when = now;
        take_answer(&b);
    }
}
