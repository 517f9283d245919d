/* SPDX-License-Identifier: Apache-2.0
 *
 * The order in which resident warps access memory, as a text: CTA and warp of each access.
 */
#include "characterize/hand_made.h"

#include <stdio.h>
#include <stdlib.h>

#include "characterize/order.h"

enum { CTAS = 6 };

/* A core, what it did, and which accesses miss. */
struct bench {
    struct order order;
    struct launch launch;
    struct resident_cta cta[CTAS];
    char text[1024];
    uint64_t hits;       /* lines below it hit */
    unsigned lines_each; /* that a miss waits for */
};

static unsigned note_access(void *user, const struct warp_op *op, uint32_t owner) {
    struct bench *b = user;
    char word[16];
    snprintf(word, sizeof word, "%s%u%c", *b->text ? " " : "", owner / CTA_WARPS_MAX,
             'a' + (char)(owner % CTA_WARPS_MAX));
    strncat(b->text, word, sizeof b->text - strlen(b->text) - 1);
    return (op->base - BASE) / 128 < b->hits ? 0 : b->lines_each;
}

/* CTAs of @warps warps, each with @accesses accesses of lines 0, 1, ... */
static void make_order(struct bench *b, enum order_kind kind, unsigned slots, unsigned warps,
                       unsigned accesses) {
    *b = (struct bench){.launch = {&hand_code, {CTAS, 1, 1}, {warps * WARP_SIZE, 1, 1}},
                        .lines_each = 1};
    assert_true(order_init(&b->order, kind, slots));
    b->order.mshrs = 32;
    b->order.access = note_access;
    b->order.user = b;
    for (unsigned i = 0; i < CTAS; i++) {
        b->cta[i] = (struct resident_cta){.trace = cta_trace_create(), .number = i, .users = 1};
        b->cta[i].trace->warp_count = warps;
        for (unsigned w = 0; w < warps; w++) {
            for (unsigned a = 0; a < accesses; a++) {
                put_op(&b->cta[i].trace->warp[w], ADD); /* takes no turn */
                put_line_of_bytes(&b->cta[i].trace->warp[w], LOAD, a, 128);
            }
        }
    }
    order_launch(&b->order, &b->launch, slots);
}

static void place_ctas(struct bench *b, unsigned ctas) {
    for (unsigned i = 0; i < ctas; i++) {
        order_place(&b->order, &b->launch, &b->cta[i]);
    }
}

static void finish_order(struct bench *b, const char *want) {
    order_finish(&b->order);
    assert_string_equal(b->text, want);
    for (unsigned i = 0; i < CTAS; i++) {
        cta_trace_destroy(b->cta[i].trace);
    }
    order_destroy(&b->order);
}

TEST(all_warps_take_turns) {
    struct bench b;
    make_order(&b, ORDER_ROUND_ROBIN, 2, 2, 2);
    place_ctas(&b, 2);
    finish_order(&b, "0a 0b 1a 1b 0a 0b 1a 1b");
    assert_int_equal(b.cta[0].users + b.cta[1].users, 0);
    assert_int_equal(b.cta[2].users, 1); /* was never there */
}

/* With one access each, both warps of CTA 0 end in their second turn, and CTA 2 comes. */
TEST(a_cta_that_ends_makes_room_for_the_next) {
    struct bench b;
    make_order(&b, ORDER_ROUND_ROBIN, 2, 2, 1);
    place_ctas(&b, 3);
    finish_order(&b, "0a 0b 1a 1b 2a 2b");
    make_order(&b, ORDER_ROUND_ROBIN, 1, 1, 2);
    place_ctas(&b, 3);
    finish_order(&b, "0a 0a 1a 1a 2a 2a");
}

TEST(a_warp_at_a_barrier_waits_for_its_cta) {
    struct bench b;
    make_order(&b, ORDER_ROUND_ROBIN, 2, 2, 1);
    struct warp_stream *first = &b.cta[0].trace->warp[0], *second = &b.cta[0].trace->warp[1];
    put_op(first, BARRIER); /* after one access; the second after three */
    put_line_of_bytes(first, LOAD, 0, 128);
    put_line_of_bytes(second, LOAD, 0, 128);
    put_line_of_bytes(second, LOAD, 0, 128);
    put_op(second, BARRIER);
    put_line_of_bytes(second, LOAD, 0, 128);
    place_ctas(&b, 2);
    finish_order(&b, "0a 0b 1a 1b 0b 0b 0a 0b");
}

TEST(who_ends_is_not_waited_for) {
    struct bench b;
    make_order(&b, ORDER_ROUND_ROBIN, 1, 2, 1);
    put_op(&b.cta[0].trace->warp[0], BARRIER);
    put_line_of_bytes(&b.cta[0].trace->warp[0], LOAD, 0, 128);
    place_ctas(&b, 1);
    finish_order(&b, "0a 0b 0a");
}

/* OWL 4.1's example has N = 10 and k = 2: with 5 warps n = 3, with the 8 of 5.2 n = 4. */
TEST(owl_algorithm_1_groups_have_the_least_ctas_with_8_warps) {
    static const unsigned cases[][3] = {/* CTAs, warps of each, CTAs in a group */
                                        {10, 2, 4}, {8, 8, 1}, {8, 9, 1}, {8, 7, 2},
                                        {8, 1, 8},  {3, 2, 3}, {1, 1, 1}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(order_group_slots(cases[i][0], cases[i][1]), cases[i][2]);
    }
    struct order o;
    struct launch l = {&hand_code, {10, 1, 1}, {2 * WARP_SIZE, 1, 1}};
    assert_true(order_init(&o, ORDER_GROUPS_UNTIL_END, 10));
    order_launch(&o, &l, 10);
    assert_int_equal(o.groups, 2); /* of 4 and of 6: what is left joins the last one */
    order_destroy(&o);
}

/* 8 warps a CTA: each CTA is a group. */
TEST(a_group_runs_until_its_ctas_end) {
    struct bench b;
    make_order(&b, ORDER_GROUPS_UNTIL_END, 2, 8, 2);
    place_ctas(&b, 3);
    finish_order(&b, "0a 0b 0c 0d 0e 0f 0g 0h 0a 0b 0c 0d 0e 0f 0g 0h "
                     "1a 1b 1c 1d 1e 1f 1g 1h 1a 1b 1c 1d 1e 1f 1g 1h "
                     "2a 2b 2c 2d 2e 2f 2g 2h 2a 2b 2c 2d 2e 2f 2g 2h");
}

/* Groups of two CTAs of four warps: CTA 4 takes the place of one that has ended early, and waits
 * for the other group before it runs. */
TEST(a_cta_that_comes_waits_for_its_groups_next_time) {
    struct bench b;
    make_order(&b, ORDER_GROUPS_UNTIL_END, 4, 4, 1);
    put_line_of_bytes(&b.cta[1].trace->warp[3], LOAD, 0, 128); /* CTA 1 lasts longer */
    put_line_of_bytes(&b.cta[1].trace->warp[3], LOAD, 0, 128);
    place_ctas(&b, 5);
    finish_order(&b, "0a 0b 0c 0d 1a 1b 1c 1d 1d 1d "
                     "2a 2b 2c 2d 3a 3b 3c 3d 4a 4b 4c 4d");
}

/* Too few warps for two groups: as round robin, newcomers too. */
TEST(one_group_alone_is_round_robin) {
    static char texts[2][1024];
    for (unsigned i = 0; i < 2; i++) {
        struct bench b;
        make_order(&b, i ? ORDER_GROUPS_UNTIL_END : ORDER_ROUND_ROBIN, 2, 2, 1);
        put_line_of_bytes(&b.cta[1].trace->warp[1], LOAD, 0, 128);
        put_line_of_bytes(&b.cta[1].trace->warp[1], LOAD, 0, 128);
        place_ctas(&b, 4);
        order_finish(&b.order);
        memcpy(texts[i], b.text, sizeof texts[i]);
        finish_order(&b, texts[i]);
    }
    assert_string_equal(texts[0], texts[1]);
    assert_string_equal(texts[0], "0a 0b 1a 1b 1b 2a 2b 1b 3a 3b");
}

/* Line 0 hits, the others miss: a group's warps go on over line 0 and stop at line 1. */
TEST(a_group_runs_until_all_its_warps_have_missed) {
    struct bench b;
    make_order(&b, ORDER_GROUPS_UNTIL_MISS, 2, 8, 3);
    b.hits = 1;
    place_ctas(&b, 2);
    finish_order(&b, "0a 0b 0c 0d 0e 0f 0g 0h 0a 0b 0c 0d 0e 0f 0g 0h " /* line 0; 1 */
                     "1a 1b 1c 1d 1e 1f 1g 1h 1a 1b 1c 1d 1e 1f 1g 1h "
                     "0a 0b 0c 0d 0e 0f 0g 0h " /* line 2 */
                     "1a 1b 1c 1d 1e 1f 1g 1h");
}

/* There are MSHRs for all: each warp's first lines come when every warp waits for its own. */
TEST(lines_come_the_oldest_first_when_nobody_can_go_on) {
    for (unsigned i = 0; i < 2; i++) {
        struct bench b;
        make_order(&b, i ? ORDER_GROUPS_OLDEST : ORDER_GROUPS_UNTIL_MISS, 2, 8, 2);
        place_ctas(&b, 2);
        finish_order(&b, "0a 0b 0c 0d 0e 0f 0g 0h 1a 1b 1c 1d 1e 1f 1g 1h "
                         "0a 0b 0c 0d 0e 0f 0g 0h 1a 1b 1c 1d 1e 1f 1g 1h");
    }
}

/* MSHRs for the lines of four of the eight warps: when warp e misses, the lines of a come, so that
 * the group always has a warp that can go on and the other one waits until it has ended. */
TEST(a_miss_that_finds_no_mshr_has_the_oldest_lines_come) {
    for (unsigned i = 0; i < 2; i++) {
        struct bench b;
        make_order(&b, i ? ORDER_GROUPS_OLDEST : ORDER_GROUPS_UNTIL_MISS, 2, 8, 2);
        b.lines_each = 8;
        place_ctas(&b, 2);
        finish_order(&b, "0a 0b 0c 0d 0e 0f 0g 0h 0a 0b 0c 0d 0e 0f 0g 0h "
                         "1a 1b 1c 1d 1e 1f 1g 1h 1a 1b 1c 1d 1e 1f 1g 1h");
        make_order(&b, i ? ORDER_GROUPS_OLDEST : ORDER_GROUPS_UNTIL_MISS, 2, 8, 2);
        b.lines_each = 64; /* more than there are: they come all the same */
        place_ctas(&b, 1);
        finish_order(&b, "0a 0b 0c 0d 0e 0f 0g 0h 0a 0b 0c 0d 0e 0f 0g 0h");
    }
}

/* 10 MSHRs: 1c's miss has the lines of 0a come. CTA-Aware goes on with CTA 1. The oldest group goes
 * first: 0a, whose second miss has 0b's lines come, and so on to 0h, for which 1a's come. */
TEST(the_group_with_the_oldest_cta_comes_before_others) {
    static const char *const want[] = {"0a 0b 0c 0d 0e 0f 0g 0h 1a 1b 1c 1d 1e 1f 1g 1h "
                                       "0a 0b 0c 0d 0e 0f 0g 0h 1a 1b 1c 1d 1e 1f 1g 1h",
                                       "0a 0b 0c 0d 0e 0f 0g 0h 1a 1b 1c 0a 0b 0c 0d 0e 0f 0g 0h "
                                       "1a 1b 1c 1d 1e 1f 1g 1h 1d 1e 1f 1g 1h"};
    for (unsigned i = 0; i < 2; i++) {
        struct bench b;
        make_order(&b, i ? ORDER_GROUPS_OLDEST : ORDER_GROUPS_UNTIL_MISS, 2, 8, 2);
        b.order.mshrs = 10;
        place_ctas(&b, 2);
        finish_order(&b, want[i]);
    }
}

TEST(a_cta_without_a_warp_is_over_at_once) {
    struct bench b;
    make_order(&b, ORDER_ROUND_ROBIN, 1, 1, 1);
    b.cta[0].trace->warp_count = 0;
    place_ctas(&b, 2);
    assert_int_equal(b.cta[0].users, 0);
    finish_order(&b, "1a");
}
