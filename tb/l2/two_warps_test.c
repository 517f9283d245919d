/* SPDX-License-Identifier: Apache-2.0
 *
 * MeDiC (PACT 2015) figure 5: warps A, mostly-miss, and B, mostly-hit, load four lines each, A
 * first.
 */
#include "l2/warp_loads.h"

enum { A = 1, B = 2, REQUESTS_OF_ONE = 4 };
enum { SETS = 64, INTERVAL = 8 };
enum { LOAD_A, LOAD_B, LOAD_BETWEEN }; /* A's, between two rounds, in the set of B0 */

/* The hits are the same in every round: A3, B1 to B3, and B0 if it is still there. */
static uint64_t line_of_load(unsigned load, unsigned i, unsigned round) {
    static const unsigned set[][REQUESTS_OF_ONE] = {
        [LOAD_A] = {1, 2, 3, 4}, [LOAD_B] = {0, 5, 6, 7}, [LOAD_BETWEEN] = {0, 8, 9, 4}};
    bool is_new = load != LOAD_B && i < 3;
    uint64_t tag = is_new ? 10 * round + load : load == LOAD_B ? 1 : 2;
    return tag * SETS + set[load][i];
}

/* The types need a load of each. In the figure's example A hits with one of four requests: that is
 * to be a mostly-miss warp here. */
static struct config figure_config(void) {
    struct config c = one_bank();
    c.l2.sets = SETS;
    c.l2.ways = 2; /* in set 0: B0 and a line of A */
    c.l2.bank_interval = INTERVAL;
    c.medic.profile = REQUESTS_OF_ONE;
    c.medic.mostly_miss = 25;
    return c;
}

static void bring_what_hits(struct warp_loads *l) {
    load_one(l, 0, 0, line_of_load(LOAD_A, 3, 0));
    for (unsigned i = 1; i < REQUESTS_OF_ONE; i++) {
        load_one(l, 0, 0, line_of_load(LOAD_B, i, 0));
    }
    finish_loads(l);
}

static unsigned load_four(struct warp_loads *l, unsigned load, unsigned round) {
    unsigned first = l->asked;
    for (unsigned i = 0; i < REQUESTS_OF_ONE; i++) {
        load_one(l, 0, load == LOAD_B ? B : A, line_of_load(load, i, round));
    }
    return first;
}

struct stalls {
    uint64_t a, b;
};

static struct stalls round_of(struct warp_loads *l, unsigned round) {
    unsigned a = load_four(l, LOAD_A, round), b = load_four(l, LOAD_B, round);
    finish_loads(l);
    for (unsigned i = 0; i < 2; i++) {
        load_four(l, LOAD_BETWEEN, 2 * round + i);
        finish_loads(l);
    }
    return (struct stalls){stall_of(l, a, REQUESTS_OF_ONE), stall_of(l, b, REQUESTS_OF_ONE)};
}

/* --- the parts of the way, in cycles --- */

/* From a request's departure to its bank's access, if nothing is before it; the block l2/insertion
 * reads a set before that. */
static unsigned cycles_to_access(const struct config *c) {
    return 1 + c->l2.rop_latency + config_has_l2_sorting(c) + c->l2.arbiter_latency +
           (c->l2.insertion == L2_INSERTION_WARP_TYPE);
}

/* From the access to the reply. */
static unsigned hit_cycles(const struct config *c) {
    return c->l2.hit_latency + 1;
}

static unsigned miss_cycles(const struct config *c) {
    unsigned queue = 1, answer = 1, mshr = 1;
    return queue + c->dram.latency + DRAM_CYCLES + answer + mshr + c->l2.fill_latency + 1;
}

/* From the departure to the reply. */
static unsigned bypass_cycles(const struct config *c) {
    unsigned answer = 1;
    return 1 + c->l2.rop_latency + 1 + c->dram.latency + DRAM_CYCLES + answer + c->l2.fill_latency +
           1;
}

/* A waits for A2, third in the bank; B, whose requests leave four cycles later and stand behind
 * A's, for B0. */
static struct stalls figure_5a(const struct config *c) {
    return (struct stalls){cycles_to_access(c) + 2 * INTERVAL + miss_cycles(c),
                           cycles_to_access(c) + 4 * INTERVAL - 4 + miss_cycles(c)};
}

/* A's four go to the DRAM one a cycle; B3 is the fourth in the bank. */
static struct stalls figure_5b(const struct config *c) {
    return (struct stalls){bypass_cycles(c) + 3,
                           cycles_to_access(c) + 3 * INTERVAL + hit_cycles(c)};
}

static void assert_stalls(struct stalls got, struct stalls expected) {
    assert_int_equal(got.a, expected.a);
    assert_int_equal(got.b, expected.b);
}

TEST(test_5a_both_warps_wait_and_b_longer) {
    const struct config c = figure_config();
    struct warp_loads l;
    open_loads(&l, &c);
    bring_what_hits(&l);
    for (unsigned round = 1; round <= 3; round++) {
        struct stalls s = round_of(&l, round);
        assert_stalls(s, figure_5a(&c));
        assert_true(s.b > s.a);
        assert_true(outcome_of_kind(&l.b, REQUEST_READ, L2_HIT) == (1 + 3 + 2) * round);
    }
    close_partition_bench(&l.b);
}

TEST(test_5b_a_bypasses_and_b_hits_so_that_both_stall_for_less) {
    struct config c = figure_config();
    c.l2.bypass = L2_BYPASS_WARP_TYPE;
    struct warp_loads l;
    open_loads(&l, &c);
    bring_what_hits(&l);
    struct stalls before = round_of(&l, 1);
    assert_stalls(before, figure_5a(&c));
    for (unsigned round = 2; round <= 4; round++) {
        struct stalls s = round_of(&l, round);
        assert_stalls(s, figure_5b(&c));
        assert_true(s.a < before.a && s.b < before.b);
        assert_true(partition_totals(&l.b).bypasses[REQUEST_READ] == 12 * round - 4);
    }
    close_partition_bench(&l.b);
}

/* Without bypassing A's lines are evicted before B's (MeDiC 4.3): B hits, but behind A's
 * requests. */
TEST(test_4_3_b_keeps_its_line_and_stalls_for_less) {
    struct config c = figure_config();
    c.l2.insertion = L2_INSERTION_WARP_TYPE;
    struct warp_loads l;
    open_loads(&l, &c);
    bring_what_hits(&l);
    assert_stalls(round_of(&l, 1), figure_5a(&c));
    for (unsigned round = 2; round <= 4; round++) {
        assert_stalls(round_of(&l, round),
                      (struct stalls){figure_5a(&c).a,
                                      cycles_to_access(&c) + 7 * INTERVAL - 4 + hit_cycles(&c)});
    }
    close_partition_bench(&l.b);
}
