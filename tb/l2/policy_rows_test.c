/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of l2/policy_kinds.c by themselves: the filter of EAF and of MeDiC-reuse, the tokens of
 * PCAL, the lot of Rand; and which keys ask for which rows, and policies for which blocks.
 */
#include <string.h>

#include "base/unit_tests.h"
#include "cli/blocks.h"
#include "config/preset.h"
#include "l2/address_filter.h"
#include "l2/policy.h"

/* A row with its state in a partition of four banks; a core cycle is an L2 cycle. */
struct row_bench {
    const struct l2_policy_kind *kind;
    struct config config;
    struct l2_policy_view view;
    void *state;
};

static void open_policy_row(struct row_bench *b) {
    char error[64];
    const struct build build = {.error = error, .error_size = sizeof error};
    const struct l2_policy_kind *kinds[L2_POLICY_KINDS_MAX];
    assert_int_equal(l2_policy_kinds_wanted(&b->config, NULL, kinds), 1);
    b->kind = kinds[0];
    b->view = (struct l2_policy_view){.config = &b->config,
                                      .banks = 4,
                                      .ports = 1,
                                      .sets = b->config.l2.sets,
                                      .ways = b->config.l2.ways,
                                      .core_period = 1,
                                      .l2_period = 1};
    b->state = calloc(1, b->kind->state_size ? b->kind->state_size(&b->view) : 1);
    assert_true(b->state && (!b->kind->make || b->kind->make(b->state, &b->view, &build)));
}

static void close_policy_row(struct row_bench *b) {
    if (b->kind->destroy) {
        b->kind->destroy(b->state);
    }
    free(b->state);
}

/* --- the filter --- */

TEST(a_filter_knows_all_that_it_was_told) {
    CLOSED_BY(address_filter_destroy) struct address_filter f;
    assert_true(address_filter_init(&f, 8192, 4, 1024));
    for (uint64_t line = 0; line < 1000; line++) {
        address_filter_insert(&f, line * 977);
    }
    for (uint64_t line = 0; line < 1000; line++) {
        assert_true(address_filter_knows(&f, line * 977));
    }
}

/* (1 - e^(-4 * 1000 / 8192))^4 = 2.2 % of other addresses. */
TEST(a_full_filter_takes_few_others_for_known) {
    CLOSED_BY(address_filter_destroy) struct address_filter f;
    unsigned wrong = 0;
    assert_true(address_filter_init(&f, 8192, 4, 1024));
    for (uint64_t line = 0; line < 1000; line++) {
        address_filter_insert(&f, line);
    }
    for (uint64_t line = 1000; line < 11000; line++) {
        wrong += address_filter_knows(&f, line);
    }
    assert_in_range(wrong, 150, 320);
}

TEST(a_filter_is_emptied_after_its_number_of_addresses) {
    CLOSED_BY(address_filter_destroy) struct address_filter f;
    assert_true(address_filter_init(&f, 64, 2, 3));
    address_filter_insert(&f, 1);
    address_filter_insert(&f, 2);
    assert_true(address_filter_knows(&f, 1));
    address_filter_insert(&f, 3);
    assert_false(address_filter_knows(&f, 1) || address_filter_knows(&f, 3));
    address_filter_insert(&f, 1);
    assert_true(address_filter_knows(&f, 1));
}

/* Each of four banks has a quarter of 100 addresses, and is asked about its own lines. */
TEST(banks_share_the_filter_of_their_partition) {
    CLOSED_BY(close_policy_row) struct row_bench b = {.config = base_preset()};
    b.config.l2.insertion = L2_INSERTION_EAF;
    b.config.eaf.bits = 65536;
    b.config.eaf.addresses = 100;
    b.config.eaf.bimodal = 1024;
    open_policy_row(&b);
    for (unsigned told = 1; told <= 25; told++) {
        const struct l2_policy_access access = {.line = 2, .bank = 2};
        b.kind->tell(b.state, &b.view,
                     &(struct l2_policy_event){
                         .kind = L2_POLICY_EVICTED, .access = &access, .line = 4 * told + 2});
        for (unsigned bank = 2; bank < 4; bank++) {
            const struct l2_policy_access again = {.line = 4 + bank, .bank = bank};
            bool knows = bank == 2 && told < 25;
            assert_int_equal(b.kind->place(b.state, &b.view, &again, 0),
                             knows ? L2_PLACE_MOST_RECENT : L2_PLACE_LEAST_RECENT);
        }
    }
}

/* --- tokens --- */

/* Steps: a warp uses the cache and has a token (5+) or not (5-), or an epoch begins (e). */
TEST(tokens_go_to_the_latest_users_and_what_is_left_over_to_who_comes) {
    static const struct {
        unsigned tokens;
        const char *steps;
    } cases[] = {
        {2, "5+ 3+ 1- 5+"},
        {2, "0+ 1+ 2- 3- 4- 1+ e 0- 1+ 2- 3- 4+"}, /* 1 and 4 were the latest */
        {3, "6+ e 0+ 1+ 2- 6+ e e 0+"},            /* two were left; nobody used it since */
        {0, "0- 1- 2- 3- e 0-"},
        {100, "0+ 1+ 2+ 7+ e 3+"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        CLOSED_BY(close_policy_row) struct row_bench b = {.config = base_preset()};
        b.config.l2.allocation = L2_ALLOCATION_TOKENS;
        b.config.pcal.tokens = cases[i].tokens;
        b.config.pcal.epoch = 1000;
        b.config.core.count = 1;
        b.config.core.warps = 8;
        open_policy_row(&b);
        for (const char *step = cases[i].steps; *step; step += step[1] == ' ' ? 2 : 1) {
            if (*step == 'e') {
                b.view.cycle += b.config.pcal.epoch;
            } else if (*step >= '0' && *step <= '9') {
                const struct l2_policy_access access = {.warp = (unsigned)(*step - '0')};
                bool has = b.kind->takes_line(b.state, &b.view, &access);
                if (has != (step[1] == '+')) {
                    fail_msg("%u tokens, %s: at %s", cases[i].tokens, cases[i].steps, step);
                }
            }
        }
    }
}

/* --- the lot --- */

static unsigned drawn_warps(struct row_bench *b, unsigned period, unsigned percent,
                            uint8_t *drawn) {
    unsigned count = 0;
    b->config.rand.percent = percent;
    b->view.cycle = (uint64_t)period * b->config.medic.period;
    for (unsigned warp = 0; warp < 720; warp++) {
        const struct l2_policy_access access = {.warp = warp / 15, .core = warp % 15};
        enum l2_bypass answer = b->kind->bypass(b->state, &b->view, &access);
        assert_true(answer == L2_BYPASS_NEVER || answer == L2_BYPASS_ALWAYS);
        drawn[warp] = answer == L2_BYPASS_ALWAYS;
        count += drawn[warp];
    }
    return count;
}

TEST(the_lot_draws_its_percentage_anew_each_period) {
    CLOSED_BY(close_policy_row) struct row_bench b = {.config = base_preset()};
    uint8_t now[720], next[720];
    unsigned drawn = 0, both = 0;
    b.config.l2.bypass = L2_BYPASS_RANDOM;
    b.config.core.count = 15;
    open_policy_row(&b);
    for (unsigned period = 0; period < 20; period++) {
        assert_int_equal(drawn_warps(&b, period, 0, now), 0);
        assert_int_equal(drawn_warps(&b, period, 100, now), 720);
        drawn += drawn_warps(&b, period, 30, now);
        drawn_warps(&b, period + 1, 30, next);
        for (unsigned warp = 0; warp < 720; warp++) {
            both += now[warp] & next[warp];
        }
    }
    assert_in_range(drawn, 14400 * 28 / 100, 14400 * 32 / 100);
    assert_in_range(both, 14400 * 7 / 100, 14400 * 11 / 100); /* 0.3 x 0.3 */
}

/* --- which keys ask for which rows --- */

TEST(keys_ask_for_rows) {
    static const struct {
        const char *keys[4], *rows;
    } cases[] = {
        {{NULL}, ""},
        {{"dram.queues=two"}, ""},
        {{"l2.bypass=all"}, "bypass-all "},
        {{"l2.bypass=warp-type"}, "wbyp "},
        {{"l2.bypass=warp-type", "medic.reuse=bloom"}, "wbyp-reuse "},
        {{"l2.bypass=random"}, "rand "},
        {{"l2.bypass=pc", "l2.allocation=tokens"}, "pc-byp pcal "},
        {{"l2.insertion=warp-type"}, "wip "},
        {{"l2.insertion=eaf"}, "eaf "},
        {{"l2.insertion=eaf", "l2.perfect=on"}, ""}, /* it evicts nothing */
        {{"l2.insertion=warp-type", "l2.perfect=on"}, ""},
        {{"l2.bypass=warp-type", "l2.allocation=tokens", "l2.insertion=warp-type"},
         "wbyp pcal wip "},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct l2_policy_kind *kinds[L2_POLICY_KINDS_MAX];
        struct config c = base_preset();
        struct config_error e;
        char rows[80] = "";
        for (unsigned k = 0; k < 4 && cases[i].keys[k]; k++) {
            assert_true(config_set(&c, cases[i].keys[k], &e));
        }
        unsigned count = l2_policy_kinds_wanted(&c, NULL, kinds);
        for (unsigned k = 0; k < count; k++) {
            snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%s ", kinds[k]->name);
        }
        assert_string_equal(rows, cases[i].rows);
    }
}

/* --- blocks of a policy that l2.policy names --- */

static enum l2_bypass never_bypass(const void *state, const struct l2_policy_view *view,
                                   const struct l2_policy_access *access) {
    (void)state, (void)view, (void)access;
    return L2_BYPASS_NEVER;
}

static unsigned first_candidate(const void *state, const struct l2_policy_view *view,
                                const struct l2_policy_access *access, uint64_t candidates) {
    (void)state, (void)view, (void)access;
    return (unsigned)__builtin_ctzll(candidates);
}

TEST(a_machine_has_the_blocks_that_its_named_policy_needs) {
    static const struct l2_policy_kind replaces = {.name = "x", .victim = first_candidate},
                                       bypasses = {.name = "x", .bypass = never_bypass},
                                       typed = {.name = "x", .types = L2_TYPES_OF_WARPS};
    static const struct {
        const struct l2_policy_kind *kind;
        bool sorts, types;
    } cases[] = {{&replaces, false, false}, {&bypasses, true, false}, {&typed, true, true}};
    const struct block_row *row;
    struct config c = base_preset();
    strcpy(c.l2.policy, "x");
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct named_policies policies = {.l2 = cases[i].kind};
        for (unsigned k = 0; (row = block_row_at(k)); k++) {
            bool sorts = !strcmp(row->block->name, "l2/bypass") ||
                         !strcmp(row->block->name, "l2/bank_arbiter");
            bool types = !strcmp(row->block->name, "l2/warp_type");
            if (sorts || types) {
                assert_int_equal(row->present(&c, &policies),
                                 sorts ? cases[i].sorts : cases[i].types);
            }
        }
    }
}
