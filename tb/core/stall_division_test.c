/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a core's cycles went: the division of a wait for memory by the stamps of the request that
 * ended it, and the latencies of loads, against answers worked out by hand.
 */
#include "config/preset.h"
#include "core/core.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { PERIOD = 10 };

static struct stall waiting_since(uint64_t cycle) {
    struct stall s;
    stall_init(&s);
    s.class = STALL_MEMORY;
    s.since = cycle;
    s.period = PERIOD;
    return s;
}

static struct request request_stamped(uint64_t born, unsigned port, unsigned bank, unsigned dram,
                                      unsigned service, unsigned data, unsigned reply) {
    return (struct request){.born = born, .stamp = {port, bank, dram, service, data, reply}};
}

TEST(each_stamp_opens_a_stage) {
    struct stall s = waiting_since(100);
    struct request r = request_stamped(103 * PERIOD, 7 * PERIOD, 18 * PERIOD, 33 * PERIOD,
                                       54 * PERIOD, 80 * PERIOD, 85 * PERIOD);
    stall_resolve(&s, &r, 200);
    const uint64_t *wait = s.stats.wait;
    assert_true(wait[STALL_L1] == 3);                       /* 100 .. born */
    assert_true(wait[STALL_NOC_REQUEST] == 7);              /* born .. port */
    assert_true(wait[STALL_L2_QUEUE] == 18 - 7);            /* port .. bank */
    assert_true(wait[STALL_L2_BANK] == 33 - 18 + 85 - 80);  /* bank .. DRAM, data .. reply */
    assert_true(wait[STALL_DRAM_QUEUE] == 54 - 33);         /* DRAM .. service */
    assert_true(wait[STALL_DRAM_SERVICE] == 80 - 54);       /* service .. data */
    assert_true(wait[STALL_NOC_REPLY] == 200 - (103 + 85)); /* reply .. the data in the core */
    assert_true(wait[STALL_UNRESOLVED] == 0 && s.since == 200);
}

TEST(a_stamp_that_is_missing_leaves_its_cycles_to_the_stage_before) {
    struct stall s = waiting_since(100);
    struct request hit =
        request_stamped(100 * PERIOD, 10 * PERIOD, 20 * PERIOD, 0, 0, 0, 35 * PERIOD);
    stall_resolve(&s, &hit, 150);
    assert_true(s.stats.wait[STALL_NOC_REQUEST] == 10 && s.stats.wait[STALL_L2_QUEUE] == 10);
    assert_true(s.stats.wait[STALL_L2_BANK] == 15 && s.stats.wait[STALL_NOC_REPLY] == 15);
    assert_true(!s.stats.wait[STALL_DRAM_QUEUE] && !s.stats.wait[STALL_DRAM_SERVICE]);
}

/* A request that was under way before the core stalled: only the stages within the wait count. */
TEST(stages_before_the_wait_do_not_count) {
    struct stall s = waiting_since(100);
    struct request r = request_stamped(10 * PERIOD, 20 * PERIOD, 40 * PERIOD, 60 * PERIOD,
                                       95 * PERIOD, 120 * PERIOD, 125 * PERIOD);
    stall_resolve(&s, &r, 140);
    assert_true(!s.stats.wait[STALL_L1] && !s.stats.wait[STALL_NOC_REQUEST] &&
                !s.stats.wait[STALL_L2_QUEUE]);
    assert_true(s.stats.wait[STALL_DRAM_QUEUE] == 10 - 5); /* to 10 + 95 */
    assert_true(s.stats.wait[STALL_DRAM_SERVICE] == 25);
    assert_true(s.stats.wait[STALL_L2_BANK] == 5);
    assert_true(s.stats.wait[STALL_NOC_REPLY] == 5);
}

/* Stamps of other clocks fall between core edges: a cycle belongs to the stage at its edge. */
TEST(a_cycle_belongs_to_the_stage_at_its_edge) {
    struct stall s = waiting_since(100);
    struct request r = request_stamped(100 * PERIOD, 1, 11, 20, 0, 0, 29);
    stall_resolve(&s, &r, 110);
    assert_true(s.stats.wait[STALL_NOC_REQUEST] == 1); /* 100 */
    assert_true(s.stats.wait[STALL_L2_QUEUE] == 1);    /* 101: the port at 1001, the bank at 1011 */
    assert_true(s.stats.wait[STALL_L2_BANK] == 0);     /* until 1020, the edge of 102 */
    assert_true(s.stats.wait[STALL_DRAM_QUEUE] == 1);  /* 102 */
    assert_true(s.stats.wait[STALL_NOC_REPLY] == 7);
}

TEST(data_of_the_core_itself_was_the_l1s_to_give) {
    struct stall s = waiting_since(100);
    stall_resolve(&s, NULL, 117);
    assert_true(s.stats.wait[STALL_L1] == 17);
}

TEST(only_the_first_answer_of_a_cycle_divides_it) {
    struct stall s = waiting_since(100);
    stall_resolve(&s, NULL, 110);
    stall_resolve_as(&s, STALL_SYNC, 110);
    assert_true(s.stats.wait[STALL_L1] == 10 && s.stats.wait[STALL_SYNC] == 0);
}

TEST(looking_at_the_counters_changes_nothing) {
    static struct core c;
    c.stall = waiting_since(100);
    stall_settle(&c, 104);
    assert_true(c.stall.stats.wait[STALL_UNRESOLVED] == 4);
    stall_settle(&c, 120);
    stall_settle(&c, 120);
    assert_true(c.stall.stats.wait[STALL_UNRESOLVED] == 20);
    struct request r = request_stamped(102 * PERIOD, 0, 0, 0, 0, 0, 0);
    stall_resolve(&c.stall, &r, 130);
    assert_true(c.stall.stats.wait[STALL_UNRESOLVED] == 0);
    assert_true(c.stall.stats.wait[STALL_L1] == 2 && c.stall.stats.wait[STALL_NOC_REQUEST] == 28);
    c.stall.class = STALL_RESULT;
    stall_settle(&c, 133);
    stall_settle(&c, 135);
    assert_true(c.stall.stats.wait[STALL_RESULT] == 5);
}

/* --- latencies --- */

TEST(the_penalty_of_an_all_hit_load_is_from_its_first_reply_to_its_last) {
    struct stall s;
    const struct request hit = {.l2_hit = true}, miss = {.l2_hit = false};
    static const struct {
        unsigned replies, missed; /* 0: none missed, else the number of the one that did */
        uint64_t at[3];
        uint64_t loads, sum;
    } cases[] = {{3, 0, {50, 58, 77}, 1, 77 - 50},
                 {2, 0, {60, 60}, 1, 0},
                 {1, 0, {70}, 0, 0}, /* one request: nothing diverges */
                 {3, 2, {50, 58, 77}, 0, 0},
                 {3, 1, {50, 58, 77}, 0, 0},
                 {0, 0, {0}, 0, 0}}; /* all in the L1 */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct load_flight f = {.issued = 40};
        stall_init(&s);
        for (unsigned k = 0; k < cases[i].replies; k++) {
            stall_load_reply(&f, k + 1 == cases[i].missed ? &miss : &hit, cases[i].at[k]);
        }
        stall_load_done(&s, &f, 90);
        assert_true(s.stats.all_hit_loads == cases[i].loads);
        assert_true(s.stats.divergence == cases[i].sum && s.stats.divergence_max == cases[i].sum);
        assert_true(s.stats.loads == 1 && s.stats.load_latency == 90 - 40);
    }
    struct load_flight first = {0}, second = {0};
    stall_init(&s);
    stall_load_reply(&first, &hit, 5), stall_load_reply(&first, &hit, 25);
    stall_load_reply(&second, &hit, 6), stall_load_reply(&second, &hit, 9);
    stall_load_done(&s, &first, 26), stall_load_done(&s, &second, 10);
    assert_true(s.stats.divergence == 20 + 3 && s.stats.divergence_max == 20);
    assert_true(s.stats.load_latency == 36 && s.stats.load_latency_max == 26);
}

/* Figure 7a: of requests that came back in another order than they had waited, and stages after the
 * bank, which are not the queues'. */
TEST(the_queues_share_of_the_penalty_is_between_partition_and_bank) {
    static struct core c;
    struct stall *s = &c.stall;
    struct request r[] = {
        request_stamped(0, 20 * PERIOD, 33 * PERIOD, 0, 0, 33 * PERIOD, 90 * PERIOD),
        request_stamped(0, 50 * PERIOD, 52 * PERIOD, 0, 0, 52 * PERIOD, 60 * PERIOD),
        request_stamped(0, 10 * PERIOD, 50 * PERIOD, 0, 0, 50 * PERIOD, 70 * PERIOD)};
    struct load_flight all = {0}, one = {0}, missed = {0}, two = {0};
    stall_init(s);
    s->period = PERIOD;
    for (unsigned i = 0; i < 3; i++) {
        r[i].l2_hit = true;
        stall_load_reply(&all, &r[i], 100 + i);
    }
    stall_load_reply(&one, &r[2], 100); /* nothing to diverge from */
    stall_load_reply(&two, &r[1], 100), stall_load_reply(&two, &r[0], 100);
    r[2].l2_hit = false;
    stall_load_reply(&missed, &r[0], 100), stall_load_reply(&missed, &r[2], 101);
    stall_load_done(s, &all, 110), stall_load_done(s, &one, 110);
    stall_load_done(s, &missed, 110), stall_load_done(s, &two, 110);
    stall_settle(&c, 110);
    assert_true(s->stats.all_hit_loads == 2);
    assert_true(s->stats.queue_divergence == (40 - 2) + (13 - 2));
    assert_true(s->stats.queue_divergence_max == 40 - 2);
}

TEST(a_read_replys_latency_is_its_life_and_a_write_has_none) {
    static struct core c;
    struct request r = {.born = 70, .kind = REQUEST_READ}, w = {.kind = REQUEST_WRITE};
    stall_init(&c.stall);
    c.stall.period = PERIOD;
    stall_reply(&c.stall, &r, 500);
    stall_reply(&c.stall, &r, 100);
    stall_reply(&c.stall, &w, 1000);
    stall_settle(&c, 1);
    assert_true(c.stall.stats.read_replies == 2);
    assert_true(c.stall.stats.read_latency == (500 - 70 + 100 - 70) / PERIOD);
    assert_true(c.stall.stats.read_latency_max == (500 - 70) / PERIOD);
}

/* --- a machine of one core --- */
