/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers of every scheduler of a DRAM channel through its interface (dram/scheduler.h).
 */
#include "dram/channel_bench.h"

/* With one queue both rings of a test are the same. */
static struct ring *high_way(struct channel_bench *b) {
    return b->d.scheduler.kind->has_high_way ? &b->d.high_in : &b->d.in;
}

static void open_with(struct channel_bench *b, unsigned queues, unsigned row_hit_cap) {
    *b = (struct channel_bench){.config = base_preset()};
    b->config.dram.queues = queues;
    b->config.dram.row_hit_cap = row_hit_cap;
    b->config.dram.queue = 8;
    open_channel(b, 1);
    assert_true(b->d.scheduler.kind->has_high_way == (queues == DRAM_QUEUES_TWO));
}

static bool wants_open_row_of_bank(const struct channel_bench *b, unsigned bank) {
    return dram_channel_wants_open_row(&b->d, bank);
}

static void tick_until_commands(struct channel_bench *b, unsigned commands) {
    for (unsigned patience = 0; b->commands < commands; patience++) {
        assert_true(patience < 1000);
        channel_tick(b);
    }
}

TEST(an_open_row_is_wanted_from_its_activate_to_the_last_column) {
    enum { BANK = 2, OTHER = 5 };
    for (unsigned queues = DRAM_QUEUES_ONE; queues <= DRAM_QUEUES_TWO; queues++) {
        struct channel_bench b;
        open_with(&b, queues, 0);
        const unsigned columns = b.d.banks.timing.bursts;
        assert_false(wants_open_row_of_bank(&b, BANK));
        ask_channel(&b, REQUEST_READ, local_line(&b.config, 3, BANK, 0), 1);
        while (!b.commands) {
            assert_false(wants_open_row_of_bank(&b, BANK)); /* no row is open */
            channel_tick(&b);
        }
        for (unsigned column = 0; column < columns; column++) {
            assert_true(wants_open_row_of_bank(&b, BANK) && !wants_open_row_of_bank(&b, OTHER));
            tick_until_commands(&b, 2 + column);
        }
        assert_true(b.d.banks.bank[BANK].open && !wants_open_row_of_bank(&b, BANK));
        /* Another row of the bank: what is open now, and closed then, is not wanted. */
        ask_channel(&b, REQUEST_READ, local_line(&b.config, 4, BANK, 0), 2);
        while (b.commands < 1 + columns + 2) {
            assert_false(wants_open_row_of_bank(&b, BANK));
            channel_tick(&b);
        }
        assert_true(b.log[b.commands - 1].command == DRAM_ACTIVATE &&
                    wants_open_row_of_bank(&b, BANK));
        /* The row is hit again: it stays wanted when the first of the two has gone. */
        ask_channel(&b, REQUEST_READ, local_line(&b.config, 4, BANK, 1), 3);
        tick_until_commands(&b, 1 + columns + 2 + columns);
        assert_true(wants_open_row_of_bank(&b, BANK));
        drain_channel(&b);
        assert_true(b.d.banks.bank[BANK].open && !wants_open_row_of_bank(&b, BANK));
        close_channel(&b);
    }
}

/* Requests of both ways; each tick all banks are compared with the requests inside. */
TEST(random_streams_want_the_rows_of_the_requests_inside) {
    enum { ASKED = 800, BANKS = 4, ROWS = 3 };
    for (unsigned k = 0; k < 3; k++) { /* one queue, two, one with a cap */
        struct channel_bench b;
        struct rng rng = seeded_rng(k);
        uint64_t wanted = 0, idle_rows = 0;
        open_with(&b, k == 1 ? DRAM_QUEUES_TWO : DRAM_QUEUES_ONE, k == 2 ? 2 : 0);
        for (unsigned asked = 0; asked < ASKED || !dram_channel_idle(&b.d);) {
            struct ring *way = rng_chance(&rng, 1, 3) ? high_way(&b) : &b.d.in;
            bool reads = b.d.stats.reads + b.config.dram.return_queue / 2 > asked;
            if (asked < ASKED && reads && ring_room(way, b.now) && rng_chance(&rng, 1, 12)) {
                uint64_t local = local_line(&b.config, rng_below(&rng, ROWS),
                                            rng_below(&rng, BANKS), rng_below(&rng, 8));
                ask_through(&b, way, REQUEST_READ, 0, local, asked++, b.now + 1);
            }
            channel_tick(&b);
            if (ring_head(&b.d.out[0], b.now)) {
                ring_pop(&b.d.out[0], b.now);
            }
            for (unsigned bank = 0; bank < BANKS; bank++) {
                const struct dram_bank *at = &b.d.banks.bank[bank];
                bool want = false;
                for (unsigned i = 0; i < b.d.count; i++) {
                    const struct dram_address *a = &b.d.entry[b.d.order[i]].at;
                    want |= at->open && a->bank == bank && a->row == at->row;
                }
                assert_true(wants_open_row_of_bank(&b, bank) == want);
                wanted += want;
                idle_rows += at->open && !want;
            }
        }
        assert_true(wanted > 1000 && idle_rows > 1000);
        close_channel(&b);
    }
}
