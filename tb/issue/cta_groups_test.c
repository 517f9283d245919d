/* SPDX-License-Identifier: Apache-2.0
 * The CTA groups of a core, one behaviour a test: algorithm 1, where CTAs go that start later, and
 * the cycles. Sections in the names of the cases are those of OWL, ASPLOS 2013. */
#include "issue/cta_groups_cases.h"

#include "base/seeded.h"
#include "common/bench.h"
#include "cosim/block_test.h"

enum { CORES = 28 };

/* --- algorithm 1 --- */

/* FORM_GROUPS of algorithm 1, line by line; n is at most N, so that CTAs with too few warps are one
 * group. Return: g_core. */
static unsigned transcribed_groups(unsigned k, unsigned all, unsigned g_size,
                                   unsigned group_size[CASE_CTAS]) {
    unsigned n = 1, g_core;
    while (n * k < g_size && n < all) {
        n = n + 1;
    }
    g_core = all / n;
    for (unsigned g_num = 0; g_num < g_core; g_num++) {
        group_size[g_num] = n;
    }
    if (all % n) {
        group_size[g_core - 1] += all % n;
    }
    return g_core;
}

static void check_groups(const struct groups_case *c, unsigned core, unsigned k, unsigned all) {
    const struct cta_groups_params *p = &c->block.p;
    const struct cta_groups_out out = groups_out(c);
    unsigned size[CASE_CTAS], count = transcribed_groups(k, all, p->MIN_WARPS, size), first = 0;
    assert_int_equal(out.groups, count);
    for (unsigned g_num = 0; g_num < count; first += size[g_num++]) {
        unsigned place =
            p->PRIORITY == CTA_GROUPS_BLP
                ? (unsigned)(((int)g_num - (int)core % (int)count + (int)count) % (int)count)
                : g_num;
        assert_true(out.group_warps[place] == ((UINT64_C(1) << size[g_num]) - 1) << first);
    }
}

TEST(owl_4_algorithm_1_forms_and_orders_the_first_groups) {
    for (unsigned all = 1; all <= CASE_CTAS; all++) {
        for (unsigned k = 1; k <= 32; k++) {
            for (unsigned least = 1; least <= 16; least++) {
                for (unsigned life = 0; life <= CTA_GROUPS_GENERATION; life++) {
                    unsigned core = (all + k + least) % CORES;
                    for (unsigned priority = 0; priority <= CTA_GROUPS_BLP; priority++) {
                        struct groups_case c = form_ctas(priority, life, core, k, all, least);
                        check_groups(&c, core, k, all);
                    }
                }
            }
        }
    }
}

TEST(owl_4_1_ten_ctas_of_two_warps) {
    static const struct {
        unsigned k, n, least, count, size[3];
    } cases[] = {
        {2, 10, 5, 3, {3, 3, 4}}, {2, 10, 8, 2, {4, 6}}, {6, 1, 8, 1, {1}}, /* WP, 4.2 */
        {8, 3, 8, 3, {1, 1, 1}},  {2, 3, 8, 1, {3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct groups_case c = form_ctas(CTA_GROUPS_LOCALITY, CTA_GROUPS_LAST, 0, cases[i].k,
                                         cases[i].n, cases[i].least);
        struct cta_groups_out out = groups_out(&c);
        assert_int_equal(out.groups, cases[i].count);
        for (unsigned j = 0; j < cases[i].count; j++) {
            assert_int_equal(__builtin_popcountll(out.group_warps[j]), cases[i].size[j]);
        }
    }
}

/* Algorithm 1: g_pri = (g_num - core_ID) mod g_core. */
TEST(owl_4_3_another_group_is_first_on_each_core) {
    for (unsigned groups = 1; groups <= 8; groups++) {
        for (unsigned core = 0; core < 64; core++) {
            struct groups_case c =
                form_ctas(CTA_GROUPS_BLP, CTA_GROUPS_GENERATION, core, 8, groups, 8);
            assert_true(groups_out(&c).group_warps[0] == UINT64_C(1) << core % groups);
        }
    }
}

/* --- later CTAs --- */

/* Three groups of one CTA, on core 1: of each three that start the second is first. */
TEST(a_generation_goes_behind_all_before_it_and_is_ordered_anew) {
    struct groups_case c = form_ctas(CTA_GROUPS_BLP, CTA_GROUPS_GENERATION, 1, 8, 3, 8);
    check_order_of_slots(&c, "1 2 0 ");
    replace_case_cta(&c, 1); /* the first of the second generation: its group's place is the last */
    check_order_of_slots(&c, "2 0 1 ");
    replace_case_cta(&c, 2); /* its second: first of those */
    check_order_of_slots(&c, "0 2 1 ");
    replace_case_cta(&c, 2); /* its third */
    check_order_of_slots(&c, "0 2 1 ");
    replace_case_cta(&c, 1); /* of the third generation */
    check_order_of_slots(&c, "0 2 1 ");
    replace_case_cta(&c, 0);
    check_order_of_slots(&c, "2 0 1 ");
}

/* Two CTAs a group, five at once: the third one's group has the rest. */
TEST(a_later_group_is_as_large_as_the_first_ones) {
    struct groups_case c = form_ctas(CTA_GROUPS_LOCALITY, CTA_GROUPS_LAST, 0, 4, 5, 8);
    check_order_of_slots(&c, "01 234 ");
    replace_case_cta(&c, 2);
    check_order_of_slots(&c, "01 34 2 ");
    replace_case_cta(&c, 0);
    check_order_of_slots(&c, "1 34 02 ");
    replace_case_cta(&c, 3);
    check_order_of_slots(&c, "1 4 02 3 ");
    replace_case_cta(&c, 2); /* the group before is full, though one of its CTAs has ended */
    check_order_of_slots(&c, "1 4 0 23 ");
}

TEST(a_generation_is_grouped_as_the_first_one) {
    struct groups_case c = form_ctas(CTA_GROUPS_LOCALITY, CTA_GROUPS_GENERATION, 0, 4, 5, 8);
    for (unsigned slot = 0; slot < 5; slot++) {
        replace_case_cta(&c, slot);
    }
    check_order_of_slots(&c, "01 234 ");
}

TEST(a_slot_keeps_its_group) {
    struct groups_case c = form_ctas(CTA_GROUPS_BLP, CTA_GROUPS_SLOT, 1, 4, 4, 8);
    check_order_of_slots(&c, "23 01 ");
    replace_case_cta(&c, 3);
    replace_case_cta(&c, 0);
    check_order_of_slots(&c, "23 01 ");
    end_case_cta(&c, 2);
    end_case_cta(&c, 3); /* the group ends */
    settle_groups(&c);
    check_order_of_slots(&c, "01 ");
    start_case_cta(&c, 2);
    settle_groups(&c);
    check_order_of_slots(&c, "2 01 ");
}

/* A core gets two CTAs as the launch begins, and room for more. */
TEST(a_slot_beyond_the_first_ctas_is_in_the_last_group) {
    struct groups_case c = form_ctas(CTA_GROUPS_LOCALITY, CTA_GROUPS_SLOT, 0, 8, 2, 8);
    start_case_cta(&c, 5);
    start_case_cta(&c, 31);
    settle_groups(&c);
    check_order_of_slots(&c, "0 15O ");
}

/* The core of a small grid gets none as the launch begins, and one later, as when another ends. */
TEST(a_core_without_a_first_cta_groups_the_later_ones) {
    struct groups_case c = form_ctas(CTA_GROUPS_BLP, CTA_GROUPS_GENERATION, 3, 8, 0, 8);
    start_case_cta(&c, 0);
    start_case_cta(&c, 1);
    settle_groups(&c);
    check_order_of_slots(&c, "0 1 ");
}

/* cta-aware's circle is one of places: a group that goes elsewhere would lose or gain a turn. */
TEST(with_rr_a_group_keeps_its_place_and_a_new_one_takes_the_first_empty_one) {
    struct groups_case c = form_ctas(CTA_GROUPS_RR, CTA_GROUPS_GENERATION, 5, 8, 4, 8);
    end_case_cta(&c, 2);
    end_case_cta(&c, 1);
    start_case_cta(&c, 2);
    settle_groups(&c);
    struct cta_groups_out out = groups_out(&c);
    assert_true(out.group_warps[0] == 1 && out.group_warps[1] == 4 && out.group_warps[2] == 0 &&
                out.group_warps[3] == 8);
}

/* Every CTA is in one group, and groups are in the order of their generations and ranks. */
TEST(random_starts_and_ends_keep_groups_whole) {
    struct rng rng = seeded_rng(1);
    for (unsigned run = 0; run < 300; run++) {
        unsigned all = 1 + rng_below(&rng, CASE_CTAS);
        struct groups_case c =
            form_ctas(rng_below(&rng, 3), rng_below(&rng, 3), rng_below(&rng, CORES),
                      1 + rng_below(&rng, 12), all, 1 + rng_below(&rng, 16));
        uint64_t resident = (UINT64_C(1) << all) - 1;
        for (unsigned i = 0; i < 200; i++) {
            unsigned slot = rng_below(&rng, all);
            if (resident >> slot & 1) {
                end_case_cta(&c, slot);
            } else {
                start_case_cta(&c, slot);
            }
            settle_groups(&c);
            resident ^= UINT64_C(1) << slot;
            uint64_t seen = 0;
            const struct cta_group *before = NULL;
            for (const struct cta_group *g = c.block.group; g < &c.block.group[CASE_CTAS]; g++) {
                assert_false(seen & g->warps);
                seen |= g->warps;
                if (!g->warps || c.block.p.PRIORITY == CTA_GROUPS_RR) {
                    continue;
                }
                assert_true(!before || g->newest >= before->newest);
                assert_true(!before || !before->newest || before->rank < g->rank);
                before = g;
            }
            assert_true(seen == resident);
        }
    }
}

/* --- cycles, on both sides --- */

static struct cta_groups_in *groups_in_of(const struct bench *b) {
    return b->pair.in;
}

static const struct cta_groups_out *groups_out_of(struct bench *b) {
    bench_comb(b);
    return b->pair.c_out;
}

/* The clock edge, with inputs that may have been set after a look at the outputs. */
static void edge_groups(struct bench *b) {
    bench_comb(b);
    bench_edge(b);
}

static const struct cta_groups_params *groups_params_of(const struct bench *b) {
    return (const struct cta_groups_params *)b->pair.ports.params;
}

static uint64_t mask_of_all_warps(const struct bench *b) {
    return ~UINT64_C(0) >> (64 - groups_params_of(b)->WARPS);
}

static void begin_launch_of(struct bench *b, unsigned core, unsigned k, unsigned n) {
    struct cta_groups_in *in = groups_in_of(b);
    in->launch_valid = true;
    in->launch_warps = (uint8_t)k;
    in->launch_ctas = (uint8_t)n;
    in->core = (uint8_t)core;
    edge_groups(b);
}

/* A launch whose CTAs are a group each, all on core 0. */
static void launch_single_ctas(struct bench *b) {
    begin_launch_of(b, 0, groups_params_of(b)->WARPS, groups_params_of(b)->CTAS);
    while (!groups_out_of(b)->formed) {
        edge_groups(b);
    }
    assert_int_equal(groups_out_of(b)->groups, groups_params_of(b)->CTAS);
}

/* The CTA in slot s has warp s. */
static void offer_start(struct bench *b, unsigned slot) {
    groups_in_of(b)->start_valid = true;
    groups_in_of(b)->start_slot = (uint8_t)slot;
    groups_in_of(b)->start_warps = UINT64_C(1) << slot;
}

/* n of algorithm 1. */
static unsigned ctas_of_group(unsigned k, unsigned all, unsigned least) {
    unsigned n = (least + k - 1) / k;
    return n < all ? n : all;
}

SET_TEST(test_owl_4_a_launch_takes_a_cycle_a_cta_of_a_group_a_group_a_bit_of_core_and_two) {
    const struct cta_groups_params *p = groups_params_of(b);
    for (unsigned n = 0; n <= p->CTAS; n++) {
        for (unsigned k = 1; k <= p->WARPS; k += 3) {
            unsigned size[CASE_CTAS], ctas = n ? n : 1;
            unsigned groups = transcribed_groups(k, ctas, p->MIN_WARPS, size), cycles = 0;
            unsigned slots = p->LIFE == CTA_GROUPS_SLOT ? p->CTAS : 0;
            unsigned bits = p->PRIORITY == CTA_GROUPS_BLP ? CTA_GROUPS_CORE_BITS : 0;
            begin_launch_of(b, 37, k, n);
            for (; !groups_out_of(b)->formed; cycles++) {
                offer_start(b, 0);
                assert_false(groups_out_of(b)->start_ready);
                assert_true(groups_out_of(b)->group_warps[0] == mask_of_all_warps(b));
                edge_groups(b);
            }
            assert_int_equal(cycles,
                             ctas_of_group(k, ctas, p->MIN_WARPS) + groups + 2 + bits + slots);
            assert_int_equal(groups_out_of(b)->groups, groups);
            assert_true(groups_out_of(b)->group_warps[0] == 0);
        }
    }
}

/* A start that is taken now, and what it does in the two cycles after. */
static void group_cta(struct bench *b, unsigned slot) {
    offer_start(b, slot);
    assert_true(groups_out_of(b)->start_ready);
    edge_groups(b);
    assert_false(groups_out_of(b)->start_ready);
    edge_groups(b);
}

SET_TEST(test_a_start_is_seen_three_cycles_later_and_an_end_two) {
    launch_single_ctas(b);
    group_cta(b, 0);
    assert_true(groups_out_of(b)->start_ready);
    assert_true(groups_out_of(b)->group_warps[0] == 0);
    edge_groups(b);
    assert_true(groups_out_of(b)->group_warps[0] == 1);
    groups_in_of(b)->end_warps = 1;
    edge_groups(b);
    assert_true(groups_out_of(b)->group_warps[0] == 1);
    edge_groups(b);
    assert_true(groups_out_of(b)->group_warps[0] == 0);
}

/* Each other cycle takes a start. */
SET_TEST(test_starts_follow_each_other_every_two_cycles) {
    launch_single_ctas(b);
    for (unsigned slot = 0; slot < groups_params_of(b)->CTAS; slot++) {
        group_cta(b, slot);
    }
    edge_groups(b);
    for (unsigned slot = 0; slot < groups_params_of(b)->CTAS; slot++) {
        assert_true(groups_out_of(b)->group_warps[slot] == UINT64_C(1) << slot);
    }
}

/* A place that an end empties is taken from the next cycle's start on. */
SET_TEST(test_a_start_beside_the_end_of_the_first_group) {
    launch_single_ctas(b);
    group_cta(b, 0);
    groups_in_of(b)->end_warps = 1;
    group_cta(b, 1);
    edge_groups(b);
    assert_true(groups_out_of(b)->group_warps[0] == 0);
    assert_true(groups_out_of(b)->group_warps[1] == 2);
}

SET_TEST(test_a_place_that_was_emptied_in_the_cycle_before_is_taken) {
    const struct cta_groups_params *p = groups_params_of(b);
    launch_single_ctas(b);
    for (unsigned slot = 0; slot < p->CTAS; slot++) {
        group_cta(b, slot);
    }
    groups_in_of(b)->end_warps = 1;
    edge_groups(b);
    group_cta(b, 0);
    edge_groups(b);
    bool moves = p->PRIORITY != CTA_GROUPS_RR && p->LIFE != CTA_GROUPS_SLOT;
    uint64_t last = UINT64_C(1) << (p->CTAS - 1);
    assert_true(groups_out_of(b)->group_warps[0] == (moves ? 2 : 1));
    assert_true(groups_out_of(b)->group_warps[p->CTAS - 1] == (moves ? 1 : last));
}

/* The last warps of a group leave it while a CTA joins it. */
SET_TEST(test_a_cta_joins_a_group_whose_other_ctas_end) {
    bool joins = groups_params_of(b)->MIN_WARPS > 1;
    begin_launch_of(b, 0, 1, 2);
    while (!groups_out_of(b)->formed) {
        edge_groups(b);
    }
    group_cta(b, 0);
    groups_in_of(b)->end_warps = 1;
    group_cta(b, 1);
    edge_groups(b);
    assert_true(groups_out_of(b)->group_warps[0] == (joins ? 2 : 0));
    assert_true(groups_out_of(b)->group_warps[1] == (joins ? 0 : 2));
}

SET_TEST(test_a_cta_that_ends_in_the_cycle_after_its_start_is_never_seen) {
    launch_single_ctas(b);
    offer_start(b, 1);
    edge_groups(b);
    groups_in_of(b)->end_warps = 2;
    for (unsigned cycle = 0; cycle < 4; cycle++) {
        edge_groups(b);
        for (unsigned i = 0; i < groups_params_of(b)->CTAS; i++) {
            assert_true(groups_out_of(b)->group_warps[i] == 0);
        }
    }
    group_cta(b, 0); /* its place is empty again */
    edge_groups(b);
    assert_true(groups_out_of(b)->group_warps[0] == 1);
}

SET_TEST(test_no_start_is_taken_in_the_cycle_of_a_launch) {
    launch_single_ctas(b);
    offer_start(b, 0);
    groups_in_of(b)->launch_valid = true;
    groups_in_of(b)->launch_warps = 1;
    assert_false(groups_out_of(b)->start_ready);
    edge_groups(b);
    assert_false(groups_out_of(b)->formed);
}

SET_TEST(test_a_launch_begins_anew_while_another_is_worked_out) {
    unsigned warps = groups_params_of(b)->WARPS, n = groups_params_of(b)->CTAS;
    begin_launch_of(b, 1, 1, n);
    edge_groups(b);
    edge_groups(b);
    launch_single_ctas(b);
    begin_launch_of(b, 1, warps, 1);
    while (!groups_out_of(b)->formed) {
        edge_groups(b);
    }
    assert_int_equal(groups_out_of(b)->groups, 1);
}

SET_TEST(test_a_reset_empties_all_places_and_ends_a_launch) {
    launch_single_ctas(b);
    group_cta(b, 0);
    offer_start(b, 1);
    groups_in_of(b)->rst = true;
    edge_groups(b);
    for (unsigned cycle = 0; cycle < 3; cycle++) {
        assert_true(groups_out_of(b)->formed);
        for (unsigned i = 0; i < groups_params_of(b)->CTAS; i++) {
            assert_true(groups_out_of(b)->group_warps[i] == 0);
        }
        edge_groups(b);
    }
    begin_launch_of(b, 0, 1, 1);
    assert_false(groups_out_of(b)->formed);
    groups_in_of(b)->rst = true;
    edge_groups(b);
    assert_true(groups_out_of(b)->formed);
    assert_int_equal(groups_out_of(b)->groups, 1);
}

SET_TEST(test_quiet_when_nothing_comes_and_nothing_is_under_way) {
    struct cta_groups_in *in = groups_in_of(b);
    assert_true(bench_quiet(b));
    begin_launch_of(b, 0, 1, 1);
    assert_false(bench_quiet(b));
    launch_single_ctas(b);
    assert_true(bench_quiet(b));
    in->rst = true;
    assert_false(bench_quiet(b));
    in->rst = false;
    in->launch_valid = true;
    assert_false(bench_quiet(b));
    in->launch_valid = false;
    in->core = 3;
    in->launch_warps = in->launch_ctas = 1;
    assert_true(bench_quiet(b)); /* of no launch */
    offer_start(b, 0);
    assert_false(bench_quiet(b));
    edge_groups(b);
    assert_false(bench_quiet(b)); /* its place is found */
    edge_groups(b);
    assert_false(bench_quiet(b)); /* it goes there */
    edge_groups(b);
    assert_true(bench_quiet(b));
    in->end_warps = 1;
    assert_false(bench_quiet(b));
    edge_groups(b);
    assert_false(bench_quiet(b));
    edge_groups(b);
    assert_true(bench_quiet(b));
}
