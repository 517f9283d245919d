/* SPDX-License-Identifier: Apache-2.0
 *
 * OWL's groups of CTAs: algorithm 1, and where CTAs go that start later.
 */
#include "base/seeded.h"

#include "issue/cta_groups.h"

enum { CTAS = 32, CORES = 28 };

static struct cta_groups form_groups(enum cta_groups_priority priority, enum cta_groups_life life,
                                     unsigned core, unsigned k, unsigned n, unsigned least) {
    struct cta_groups g = {.priority = priority, .life = life, .core = core};
    cta_groups_launch(&g, k, n, least);
    for (unsigned slot = 0; slot < n; slot++) {
        cta_groups_start(&g, slot);
    }
    return g;
}

/* FORM_GROUPS of algorithm 1, line by line; n is at most N (DESIGN: one group where all CTAs have
 * too few warps). Return: g_core. */
static unsigned transcribed_groups(unsigned k, unsigned all, unsigned g_size,
                                   unsigned group_size[CTAS]) {
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

static void check_groups(const struct cta_groups *g, unsigned k, unsigned all, unsigned least) {
    unsigned size[CTAS], count = transcribed_groups(k, all, least, size), first = 0;
    assert_int_equal(g->count, count);
    for (unsigned g_num = 0; g_num < count; first += size[g_num++]) {
        unsigned place =
            g->priority == CTA_GROUPS_BLP
                ? (unsigned)(((int)g_num - (int)g->core % (int)count + (int)count) % (int)count)
                : g_num;
        uint64_t slots = ((UINT64_C(1) << size[g_num]) - 1) << first;
        assert_true(g->group[place].slots == slots);
    }
}

TEST(algorithm_1_forms_and_orders_the_first_groups) {
    for (unsigned all = 1; all <= CTAS; all++) {
        for (unsigned k = 1; k <= 32; k++) {
            for (unsigned least = 1; least <= 16; least++) {
                for (unsigned life = 0; life <= CTA_GROUPS_GENERATION; life++) {
                    unsigned core = (all + k + least) % CORES;
                    for (unsigned p = 0; p <= CTA_GROUPS_BLP; p++) {
                        struct cta_groups g = form_groups(p, life, core, k, all, least);
                        check_groups(&g, k, all, least);
                    }
                }
            }
        }
    }
}

TEST(section_4_1_ten_ctas_of_two_warps) {
    static const struct {
        unsigned k, n, least, count, size[3];
    } cases[] = {
        {2, 10, 5, 3, {3, 3, 4}}, {2, 10, 8, 2, {4, 6}}, {6, 1, 8, 1, {1}}, /* WP, 4.2 */
        {8, 3, 8, 3, {1, 1, 1}},  {2, 3, 8, 1, {3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cta_groups g = form_groups(CTA_GROUPS_LOCALITY, CTA_GROUPS_LAST, 0, cases[i].k,
                                          cases[i].n, cases[i].least);
        assert_int_equal(g.count, cases[i].count);
        for (unsigned j = 0; j < g.count; j++) {
            assert_int_equal(__builtin_popcount(g.group[j].slots), cases[i].size[j]);
        }
    }
}

/* Algorithm 1: g_pri = (g_num - core_ID) mod g_core. */
TEST(with_blp_another_group_is_first_on_each_core) {
    for (unsigned groups = 1; groups <= 8; groups++) {
        for (unsigned core = 0; core < CORES; core++) {
            struct cta_groups g =
                form_groups(CTA_GROUPS_BLP, CTA_GROUPS_GENERATION, core, 8, groups, 8);
            assert_true(g.group[0].slots == UINT32_C(1) << core % groups);
        }
    }
}

static void check_order_of_slots(const struct cta_groups *g, const char *slots) {
    char order[64] = "", *end = order;
    for (unsigned i = 0; i < g->count; i++) {
        for (unsigned slot = 0; slot < CTAS; slot++) {
            if (g->group[i].slots >> slot & 1) {
                *end++ = (char)('0' + slot);
            }
        }
        *end++ = ' ';
    }
    *end = '\0';
    assert_string_equal(order, slots);
}

static void replace_cta(struct cta_groups *g, unsigned slot) {
    cta_groups_end(g, slot);
    cta_groups_start(g, slot);
}

/* Three groups of one CTA, on core 1: of each three that start the second is first. */
TEST(a_generation_goes_behind_all_before_it_and_is_ordered_anew) {
    struct cta_groups g = form_groups(CTA_GROUPS_BLP, CTA_GROUPS_GENERATION, 1, 8, 3, 8);
    check_order_of_slots(&g, "1 2 0 ");
    replace_cta(&g, 1); /* the first of the second generation: its group's place is the last */
    check_order_of_slots(&g, "2 0 1 ");
    replace_cta(&g, 2); /* its second: first of those */
    check_order_of_slots(&g, "0 2 1 ");
    replace_cta(&g, 2); /* its third */
    check_order_of_slots(&g, "0 2 1 ");
    replace_cta(&g, 1); /* of the third generation */
    check_order_of_slots(&g, "0 2 1 ");
    replace_cta(&g, 0);
    check_order_of_slots(&g, "2 0 1 ");
}

/* Two CTAs a group, five at once: the third one's group has the rest. */
TEST(a_later_group_is_as_large_as_the_first_ones) {
    struct cta_groups g = form_groups(CTA_GROUPS_LOCALITY, CTA_GROUPS_LAST, 0, 4, 5, 8);
    check_order_of_slots(&g, "01 234 ");
    replace_cta(&g, 2);
    check_order_of_slots(&g, "01 34 2 ");
    replace_cta(&g, 0);
    check_order_of_slots(&g, "1 34 02 ");
    replace_cta(&g, 3);
    check_order_of_slots(&g, "1 4 02 3 ");
    replace_cta(&g, 2); /* the group before is full, though one of its CTAs has ended */
    check_order_of_slots(&g, "1 4 0 23 ");
}

TEST(a_generation_is_grouped_as_the_first_one) {
    struct cta_groups g = form_groups(CTA_GROUPS_LOCALITY, CTA_GROUPS_GENERATION, 0, 4, 5, 8);
    for (unsigned slot = 0; slot < 5; slot++) {
        replace_cta(&g, slot);
    }
    check_order_of_slots(&g, "01 234 ");
}

TEST(a_slot_keeps_its_group) {
    struct cta_groups g = form_groups(CTA_GROUPS_BLP, CTA_GROUPS_SLOT, 1, 4, 4, 8);
    check_order_of_slots(&g, "23 01 ");
    replace_cta(&g, 3);
    replace_cta(&g, 0);
    check_order_of_slots(&g, "23 01 ");
    cta_groups_end(&g, 2);
    cta_groups_end(&g, 3); /* the group ends */
    check_order_of_slots(&g, "01 ");
    cta_groups_start(&g, 2);
    check_order_of_slots(&g, "2 01 ");
}

/* The core of a small grid gets none as the launch begins, and one later, as when another ends. */
TEST(a_core_without_a_first_cta_groups_the_later_ones) {
    struct cta_groups g = form_groups(CTA_GROUPS_BLP, CTA_GROUPS_GENERATION, 3, 8, 0, 8);
    cta_groups_start(&g, 0);
    cta_groups_start(&g, 1);
    check_order_of_slots(&g, "0 1 ");
}

/* Every CTA is in one group, no group is empty, and older generations come first. */
TEST(random_starts_and_ends_keep_groups_whole) {
    struct rng rng = seeded_rng(1);
    for (unsigned run = 0; run < 300; run++) {
        unsigned all = 1 + rng_below(&rng, CTAS);
        struct cta_groups g =
            form_groups(rng_below(&rng, 3), rng_below(&rng, 3), rng_below(&rng, CORES),
                        1 + rng_below(&rng, 12), all, 1 + rng_below(&rng, 16));
        uint64_t resident = (UINT64_C(1) << all) - 1;
        for (unsigned i = 0; i < 200; i++) {
            unsigned slot = rng_below(&rng, all);
            if (resident >> slot & 1) {
                cta_groups_end(&g, slot);
            } else {
                cta_groups_start(&g, slot);
            }
            resident ^= UINT64_C(1) << slot;
            uint64_t seen = 0;
            for (unsigned j = 0; j < g.count; j++) {
                assert_true(g.group[j].slots && !(seen & g.group[j].slots));
                assert_true(!j || g.group[j].newest >= g.group[j - 1].newest);
                assert_true(!j || !g.group[j - 1].newest || g.group[j - 1].rank < g.group[j].rank);
                seen |= g.group[j].slots;
            }
            assert_true(seen == resident);
        }
    }
}
