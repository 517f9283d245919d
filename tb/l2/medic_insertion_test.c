/* SPDX-License-Identifier: Apache-2.0
 *
 * L2 bank with l2.insertion = warp-type: what the block l2/insertion is told, and when. Sections
 * in the names of the cases are those of Ausavarungnirun et al. (MeDiC), PACT 2015.
 */
#include "l2/insertion.h"
#include "l2/partition_bench.h"

/* One bank, one set. */
static struct config one_set_bank(unsigned ways, unsigned insertion) {
    struct config c = partition_config();
    c.l2.ports = c.l2.banks = c.l2.sets = 1;
    c.l2.ways = ways;
    c.l2.rop_latency = 5;
    c.l2.queue = 32;
    c.l2.write = L2_WRITE_BACK;
    c.l2.insertion = insertion;
    c.medic.insertion = MEDIC_INSERTION_CLASS;
    return c;
}

/* Straight into the bank's queue, to be seen in the next cycle. */
static void ask_as(struct bench *b, unsigned kind, uint64_t local, unsigned class) {
    struct request r = {.local = local,
                        .kind = (uint8_t)kind,
                        .l2_class = (uint8_t) class,
                        .full = kind != REQUEST_READ,
                        .bytes = (uint16_t)b->config.l2.line_bytes};
    uint64_t now = b->now / b->period * b->period;
    l2_bank_push(b->p.bank, &r, now + b->period, now / b->period, now / b->period);
    clock_wake_at(&b->l2, 0, b->now, now + b->period);
}

/* The next thing that the partition sends to the DRAM is the fetch of this line. */
static struct request fetch_of(struct bench *b, uint64_t local) {
    until_dram(b);
    struct request r = dram_take(b);
    assert_true(r.kind == REQUEST_READ && r.local == local);
    return r;
}

static void read_line_of_class(struct bench *b, uint64_t local, unsigned class) {
    uint64_t fetches = partition_totals(b).fetches;
    ask_as(b, REQUEST_READ, local, class);
    while (!answer_seen(b)) {
        tick_l2(b);
        if (dram_seen(b) && dram_seen(b)->kind == REQUEST_READ) {
            struct request r = fetch_of(b, local);
            dram_answer(b, &r);
        } else if (dram_seen(b)) {
            dram_take(b);
        }
        assert_true(partition_totals(b).fetches <= fetches + 1);
    }
    take_answer(b);
    tick_l2(b);
}

/* Is the line there? It is looked at without an access. */
static bool is_line_in_bank(const struct bench *b, uint64_t local) {
    return tag_find(&b->p.bank[0].tags, 0, local) != TAG_NO_WAY;
}

TEST(test_4_3_a_line_of_a_mostly_miss_warp_goes_before_an_older_one) {
    BENCH(b, one_set_bank(2, L2_INSERTION_WARP_TYPE), 1);
    read_line_of_class(&b, 1, L2_CLASS_HIT);
    read_line_of_class(&b, 2, L2_CLASS_MISS);
    read_line_of_class(&b, 3, L2_CLASS_BALANCED);
    assert_true(is_line_in_bank(&b, 1) && !is_line_in_bank(&b, 2) && is_line_in_bank(&b, 3));
    read_line_of_class(&b, 4, L2_CLASS_MISS); /* even by a lower one */
    assert_true(is_line_in_bank(&b, 1) && !is_line_in_bank(&b, 3) && is_line_in_bank(&b, 4));
}

TEST(test_4_3_a_whole_line_written_takes_its_place_by_the_class_of_the_write) {
    for (unsigned class = L2_CLASS_MISS; class <= L2_CLASS_HIT; class ++) {
        BENCH(b, one_set_bank(2, L2_INSERTION_WARP_TYPE), 1);
        ask_as(&b, REQUEST_WRITE, 1, class);
        until_answer(&b);
        take_answer(&b);
        assert_int_equal(partition_totals(&b).full_line_writes, 1);
        read_line_of_class(&b, 2, L2_CLASS_BALANCED);
        read_line_of_class(&b, 3, L2_CLASS_ALL_HIT);
        assert_int_equal(is_line_in_bank(&b, 1),
                         class == L2_CLASS_HIT); /* of one class the older one goes */
        assert_int_equal(is_line_in_bank(&b, 2), class != L2_CLASS_HIT);
    }
}

TEST(test_4_3_a_hit_makes_a_line_the_youngest_of_its_class) {
    for (unsigned raise = 0; raise < 2; raise++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = one_set_bank(3, L2_INSERTION_WARP_TYPE)};
        b.config.medic.hit_class = raise ? MEDIC_HIT_CLASS_RAISE : MEDIC_HIT_CLASS_KEEP;
        open_partition_bench(&b, 1);
        read_line_of_class(&b, 1, L2_CLASS_MISS);
        read_line_of_class(&b, 2, L2_CLASS_MISS);
        read_line_of_class(&b, 3, L2_CLASS_HIT);
        read_line_of_class(&b, 1, L2_CLASS_HIT);
        read_line_of_class(&b, 4, L2_CLASS_ALL_HIT);
        assert_true(!is_line_in_bank(&b, 2) && is_line_in_bank(&b, 1));
        read_line_of_class(&b, 5, L2_CLASS_ALL_HIT);
        assert_true(is_line_in_bank(&b, 1) == raise && is_line_in_bank(&b, 3) == !raise);
    }
}

TEST(test_4_3_with_places_a_line_that_nobody_hits_ages_whatever_its_warp) {
    for (unsigned place = 0; place < 2; place++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = one_set_bank(2, L2_INSERTION_WARP_TYPE)};
        b.config.medic.insertion = place ? MEDIC_INSERTION_PLACE : MEDIC_INSERTION_CLASS;
        open_partition_bench(&b, 1);
        read_line_of_class(&b, 1, L2_CLASS_ALL_HIT);
        read_line_of_class(&b, 2, L2_CLASS_BALANCED); /* free; the younger one */
        read_line_of_class(&b, 2, L2_CLASS_BALANCED);
        read_line_of_class(&b, 3, L2_CLASS_BALANCED);
        assert_true(is_line_in_bank(&b, 1) == !place && is_line_in_bank(&b, 2) == place);
    }
}

TEST(a_request_for_a_line_on_its_way_is_a_use) {
    BENCH(b, one_set_bank(2, L2_INSERTION_WARP_TYPE), 1);
    ask_as(&b, REQUEST_READ, 1, L2_CLASS_BALANCED);
    struct request first = fetch_of(&b, 1);
    ask_as(&b, REQUEST_READ, 2, L2_CLASS_BALANCED);
    struct request second = fetch_of(&b, 2);
    ask_as(&b, REQUEST_READ, 1, L2_CLASS_BALANCED);
    while (!outcome_of_kind(&b, REQUEST_READ, L2_PENDING_HIT)) {
        tick_l2(&b);
    }
    dram_answer(&b, &second); /* the order of fills does not count */
    dram_answer(&b, &first);
    for (unsigned i = 0; i < 3; i++) {
        until_answer(&b);
        take_answer(&b);
    }
    read_line_of_class(&b, 3, L2_CLASS_BALANCED);
    assert_true(is_line_in_bank(&b, 1) && !is_line_in_bank(&b, 2));
}

TEST(a_line_on_its_way_is_not_evicted) {
    CLOSED_BY(close_partition_bench)
    struct bench b = {.config = one_set_bank(2, L2_INSERTION_WARP_TYPE), .poll = true};
    open_partition_bench(&b, 1);
    read_line_of_class(&b, 1, L2_CLASS_ALL_HIT);
    ask_as(&b, REQUEST_READ, 2, L2_CLASS_MISS);
    struct request second = fetch_of(&b, 2);
    ask_as(&b, REQUEST_READ, 3, L2_CLASS_MISS);
    struct request third = fetch_of(&b, 3);
    assert_false(is_line_in_bank(&b, 1));
    ask_as(&b, REQUEST_READ, 4, L2_CLASS_ALL_HIT);
    for (unsigned i = 0; i < 100; i++) {
        tick_l2(&b);
        assert_true(!dram_seen(&b) && is_line_in_bank(&b, 2) && is_line_in_bank(&b, 3));
    }
    l2_partition_settle(&b.p, b.l2.cycle);
    assert_true(partition_totals(&b).fails[L2_FAIL_ASSOCIATIVITY] > 50);
    dram_answer(&b, &third);
    struct request fourth = fetch_of(&b, 4);
    assert_true(is_line_in_bank(&b, 2) &&
                !is_line_in_bank(&b, 3)); /* the younger one, but the other is held */
    dram_answer(&b, &second);
    dram_answer(&b, &fourth);
}

TEST(an_access_takes_a_cycle_more_than_under_lru) {
    for (unsigned period = 1; period <= 3; period++) {
        uint64_t took[2];
        for (unsigned policy = 0; policy < 2; policy++) {
            CLOSED_BY(close_partition_bench)
            struct bench b = {
                .config = one_set_bank(2, policy ? L2_INSERTION_WARP_TYPE : L2_INSERTION_LRU)};
            open_partition_bench(&b, period);
            read_line_of_class(&b, 1, 0);
            while (b.now % (6 * period)) { /* the same place in the clock */
                tick_l2(&b);
            }
            uint64_t start = b.now;
            ask_as(&b, REQUEST_READ, 1, 0);
            took[policy] = until_answer(&b) - start;
        }
        assert_int_equal(took[1], took[0] + period);
    }
}

/* Write-backs are not answered: nothing but the bank limits them. */
TEST(requests_in_a_row_are_taken_one_each_interval) {
    enum { COUNT = 20 };
    for (unsigned interval = 1; interval <= 4; interval++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = one_set_bank(2, L2_INSERTION_WARP_TYPE)};
        b.config.l2.bank_interval = interval;
        open_partition_bench(&b, 1);
        for (unsigned i = 0; i < COUNT; i++) {
            ask_as(&b, REQUEST_WRITEBACK, 1, 0);
        }
        while (!partition_totals(&b).requests) {
            tick_l2(&b);
        }
        for (unsigned cycle = 0; cycle < (COUNT - 1) * interval; cycle++) {
            assert_int_equal(partition_totals(&b).requests, 1 + cycle / interval);
            tick_l2(&b);
        }
        assert_int_equal(partition_totals(&b).requests, COUNT);
    }
}

TEST(with_one_class_it_evicts_what_lru_does) {
    for (unsigned ways = 1; ways <= 20; ways++) {
        CLOSED_BY(close_partition_bench)
        struct bench lru = {.config = one_set_bank(ways, L2_INSERTION_LRU)};
        CLOSED_BY(close_partition_bench)
        struct bench types = {.config = one_set_bank(ways, L2_INSERTION_WARP_TYPE)};
        struct rng rng = seeded_rng(ways);
        lru.config.l2.sets = types.config.l2.sets = 4;
        open_partition_bench(&lru, 1);
        open_partition_bench(&types, 1);
        for (unsigned i = 0; i < 1000; i++) {
            uint64_t local = rng_below(&rng, 8 * ways);
            read_line_of_class(&lru, local, 0);
            read_line_of_class(&types, local, 0);
            assert_int_equal(partition_totals(&lru).fetches, partition_totals(&types).fetches);
        }
        assert_true(partition_totals(&types).fetches > 100 &&
                    partition_totals(&types).fetches < 1000);
        assert_memory_equal(lru.p.bank->tags.line, types.p.bank->tags.line,
                            4 * ways * sizeof *lru.p.bank->tags.line);
    }
}

TEST(only_a_policy_by_the_warp_has_the_block) {
    for (unsigned i = 0; i < 4; i++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config =
                              one_set_bank(2, i & 1 ? L2_INSERTION_WARP_TYPE : L2_INSERTION_LRU)};
        b.config.l2.perfect = i & 2;
        open_partition_bench(&b, 1);
        assert_int_equal(b.p.bank->reads_ahead, i == 1);
    }
}

/* --- a block that differs in lockstep --- */

static struct {
    bool (*step)(void *self, const void *in, const void *out);
    unsigned steps;
    char where[16];
} failing;

static bool fail_second_step(void *self, const void *in, const void *out) {
    return failing.step(self, in, out) && ++failing.steps != 2;
}

static bool make_failing_block(const struct build *build, const struct block *block,
                               const void *params, const char *where, const uint64_t *cycle,
                               struct block_instance *instance) {
    (void)cycle;
    bool made = block_make_in_c(build, block, params, instance);
    if (block == &insertion_block) {
        failing.step = instance->step;
        instance->step = fail_second_step;
        snprintf(failing.where, sizeof failing.where, "%s", where);
    }
    return made;
}

TEST(a_block_that_differs_rings_the_alarm) {
    struct block_factory factory = {.make = make_failing_block};
    CLOSED_BY(close_partition_bench)
    struct bench b = {.config = one_set_bank(2, L2_INSERTION_WARP_TYPE), .factory = &factory};
    open_partition_bench(&b, 1);
    b.attention = 1000;
    assert_string_equal(failing.where, "p0b0");
    for (unsigned accesses = 1; accesses <= 2; accesses++) { /* set 0 is current, and not read */
        assert_true(!b.alarm.cause && b.attention == 1000);
        ask_as(&b, REQUEST_WRITEBACK, 0, 0);
        for (unsigned patience = 0; failing.steps < accesses; patience++) {
            assert_true(patience < 100);
            tick_l2(&b);
        }
    }
    assert_true(b.alarm.cause == ALARM_BLOCK_DIFFERS && b.attention == 0);
}
