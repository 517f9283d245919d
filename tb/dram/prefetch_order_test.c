/* SPDX-License-Identifier: Apache-2.0
 *
 * dram.line_order with prefetch of open rows (OWL 4.4): neither a request nor a prefetch passes
 * an older one of its line, if one of them is a write.
 */
#include "cosim/line_history.h"
#include "dram/channel_bench.h"

enum { REQUESTS = 3000 };

struct ordered_run {
    struct channel_bench bench;
    struct ring claims;
    struct line_history lines;
    unsigned held_alone; /* cycles in which the only request waits for a prefetch of its line */
};

static void check_line_order(void *user, uint64_t cycle, enum dram_command command, unsigned bank,
                             uint64_t row, const struct dram_entry *column) {
    struct ordered_run *run = user;
    uint64_t passed = 0;
    (void)bank;
    (void)row;
    if (column) {
        assert_true(line_history_add(&run->lines, column->request.local, column->number,
                                     command == DRAM_WRITE, &passed));
    }
    if (passed) {
        fail_msg("cycle %d: request %d of its line has passed %d", (int)cycle, (int)passed - 1,
                 (int)column->number);
    }
}

static struct config ordered_prefetch(void) {
    struct config c = base_preset();
    c.l2.banks = c.l2.ports = 1;
    c.dram.banks = 2;
    c.dram.bank_groups = 1;
    c.dram.row_bytes = 16 * LINE;
    c.dram.line_order = true;
    c.owl.prefetch = OWL_PREFETCH_LEAST;
    return c;
}

/* The L2 answers a claim, or leaves it for later. Return: the line of an answered one. */
static uint64_t answer_a_claim(struct ordered_run *run, struct rng *rng) {
    struct channel_bench *b = &run->bench;
    struct ring_entry *claim = ring_head(&run->claims, b->now);
    if (!claim || !rng_chance(rng, 1, 6)) {
        return NEVER;
    }
    struct request answer = claim->request;
    answer.unclaimed = rng_chance(rng, 1, 8);
    ring_pop(&run->claims, b->now);
    ring_push(&b->d.answers, &answer, b->now + 1, 1);
    clock_wake_at(&b->dram, 0, b->now, b->now + 1);
    return answer.local;
}

/* Requests come at random, and for lines whose prefetch begins. */
static unsigned ask_at_random(struct ordered_run *run, struct rng *rng, uint64_t claimed) {
    struct channel_bench *b = &run->bench;
    unsigned kind = rng_chance(rng, 1, 2) ? REQUEST_WRITE : REQUEST_READ;
    bool asks = claimed == NEVER ? rng_chance(rng, 1, 90) : rng_chance(rng, 1, 3);
    if (!asks || !ring_has_room(&b->d.in, 1)) {
        return 0;
    }
    uint64_t local =
        local_line(&b->config, rng_below(rng, 2), rng_below(rng, 2), rng_below(rng, 16));
    ask_channel(b, kind, claimed == NEVER ? local : claimed, 0);
    return 1;
}

TEST(a_write_and_a_prefetch_of_its_line_keep_their_order) {
    static struct ordered_run run;
    struct channel_bench *b = &run.bench;
    struct rng rng = seeded_rng(7);
    run = (struct ordered_run){.bench.config = ordered_prefetch()};
    open_channel(b, 1);
    assert_true(ring_init(&run.claims, 64));
    b->d.claims = &run.claims;
    b->d.log = check_line_order;
    b->d.log_user = &run;
    for (unsigned asked = 0; asked < REQUESTS || !dram_channel_idle(&b->d);) {
        const uint64_t claimed = answer_a_claim(&run, &rng);
        asked += asked < REQUESTS ? ask_at_random(&run, &rng, claimed) : 0;
        channel_tick(b);
        run.held_alone += b->d.count == 1 && b->d.holds_some;
        if (ring_head(&b->d.out[0], b->now)) {
            ring_pop(&b->d.out[0], b->now);
        }
    }
    assert_true(b->d.stats.prefetches > 1000 && run.held_alone > 10);
    line_history_destroy(&run.lines);
    ring_destroy(&run.claims);
    close_channel(b);
}
