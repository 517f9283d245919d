/* SPDX-License-Identifier: Apache-2.0
 * Shadow tag arrays, one behaviour a test. Sections in the names of the cases are those of MDB,
 * DAC 2016. */
#include "l1/shadow_tags_cases.h"

static bool tags_outnumber_ways(const struct bench *b) {
    return UINT64_C(1) << shadow_params_of(b)->TAG_BITS > shadow_params_of(b)->WAYS;
}

SET_TEST(test_6_an_access_enters_its_array_and_those_above) {
    for (unsigned first = shadow_params_of(b)->ARRAYS; first-- > 0;) {
        unsigned from_here = every_array(b) & ~((1u << first) - 1);
        assert_access(b, 1, 1, first, from_here & ~(1u << first)); /* entered by the ones before */
        assert_access(b, 1, 1, first, from_here);
    }
}

SET_TEST(test_6_an_array_does_not_change_where_it_does_not_see_an_access) {
    unsigned arrays = shadow_params_of(b)->ARRAYS, last = 1u << (arrays - 1);
    assert_access(b, 0, 1, arrays - 1, 0);
    assert_access(b, 0, 1, arrays - 1, last);
    assert_access(b, 0, 1, 0, last);
    assert_access(b, 0, 1, 0, every_array(b));
}

/* "whose replacement policy is the same as that of the L1": the least recently used line goes. */
SET_TEST(test_6_the_least_recently_used_line_is_replaced) {
    unsigned ways = shadow_params_of(b)->WAYS, all = every_array(b);
    if (!tags_outnumber_ways(b)) {
        return;
    }
    for (uint32_t tag = 0; tag < ways; tag++) {
        assert_access(b, 0, tag, 0, 0);
    }
    assert_access(b, 0, 0, 0, all);  /* the oldest becomes the youngest */
    assert_access(b, 0, ways, 0, 0); /* takes the place of 1 */
    for (uint32_t tag = 2; tag < ways; tag++) {
        assert_access(b, 0, tag, 0, all);
    }
    assert_access(b, 0, 0, 0, all);
    assert_access(b, 0, ways, 0, all);
    assert_access(b, 0, 1, 0, 0);
}

/* Each array alone is an LRU: together they are no stack. The lower array has seen nothing between
 * two accesses to a line, and the higher one so much that the line has gone. */
SET_TEST(test_6_a_lower_array_can_hit_where_a_higher_one_misses) {
    unsigned ways = shadow_params_of(b)->WAYS;
    if (shadow_params_of(b)->ARRAYS == 1 || !tags_outnumber_ways(b)) {
        return;
    }
    access_tag(b, 0, 0, 0);
    for (uint32_t tag = 1; tag <= ways; tag++) {
        access_tag(b, 0, tag, 1);
    }
    assert_access(b, 0, 0, 0, 1);
}

SET_TEST(test_hits_come_three_cycles_after_their_access) {
    access_tag(b, 1, 2, 0);
    for (unsigned cycle = 1; cycle < 8; cycle++) {
        bench_comb(b);
        assert_int_equal(shadow_out_of(b)->hit_valid, cycle == SHADOW_TAGS_LATENCY);
        bench_edge(b);
    }
}

/* The same line again after so many cycles, with accesses to another set between: a set that was
 * never written, and one that was. */
SET_TEST(test_an_access_finds_the_line_of_one_shortly_before) {
    unsigned all = every_array(b);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned distance = 1; distance <= 5; distance++) {
            if (!round) {
                shadow_in_of(b)->rst = true;
                bench_edge(b);
            }
            uint32_t tag = distance & 1;
            access_tag(b, 1, !tag, 0);
            bench_idle(b, SHADOW_TAGS_LATENCY);
            access_tag(b, 0, tag, 0);
            for (unsigned i = 1; i < distance; i++) {
                access_tag(b, 1, !tag, 0);
            }
            assert_access(b, 0, tag, 0, all);
        }
    }
}

/* A round of as many lines as ways hits with an access a cycle; with one line more it never does.
 */
SET_TEST(test_accesses_to_one_set_in_each_cycle_are_told_apart) {
    unsigned ways = shadow_params_of(b)->WAYS, all = every_array(b), rounds = 4;
    for (unsigned lines = 1; lines <= ways + tags_outnumber_ways(b); lines++) {
        shadow_in_of(b)->rst = true;
        bench_edge(b);
        for (unsigned i = 0; i < rounds * lines + SHADOW_TAGS_LATENCY; i++) {
            if (i >= SHADOW_TAGS_LATENCY) {
                bool again = i - SHADOW_TAGS_LATENCY >= lines;
                bench_comb(b);
                assert_true(shadow_out_of(b)->hit_valid);
                assert_int_equal(shadow_out_of(b)->hit, again && lines <= ways ? all : 0);
            }
            shadow_in_of(b)->acc_valid = i < rounds * lines;
            shadow_in_of(b)->acc_tag = i % lines;
            b->settled = false;
            bench_edge(b);
        }
    }
}

SET_TEST(test_sets_of_tags_are_kept_apart) {
    unsigned sets = shadow_params_of(b)->SETS;
    for (unsigned set = 0; set < sets; set++) {
        assert_access(b, set, 1, 0, 0);
    }
    for (unsigned set = 0; set < sets; set++) {
        assert_access(b, set, 1, 0, every_array(b));
        assert_access(b, set, 0, 0, 0);
    }
}

SET_TEST(test_every_bit_of_a_tag_counts) {
    assert_access(b, 0, 0, 0, 0);
    for (unsigned bit = 0; bit < shadow_params_of(b)->TAG_BITS; bit++) {
        assert_access(b, 0, 1u << bit, 0, 0);
        assert_access(b, 0, 0, 0, every_array(b));
    }
}

SET_TEST(test_a_reset_forgets_all_lines_and_what_is_on_its_way) {
    unsigned sets = shadow_params_of(b)->SETS;
    for (unsigned set = 0; set < sets; set++) {
        access_tag(b, set, 3, 0);
        access_tag(b, set, 2, 0);
    }
    shadow_in_of(b)->rst = shadow_in_of(b)->acc_valid = true;
    shadow_in_of(b)->acc_tag = 1;
    bench_edge(b);
    for (unsigned cycle = 0; cycle < 5; cycle++) {
        bench_comb(b);
        assert_false(shadow_out_of(b)->hit_valid);
        bench_edge(b);
    }
    for (unsigned set = 0; set < sets; set++) {
        assert_access(b, set, 3, 0, 0);
        assert_access(b, set, 2, 0, 0);
        assert_access(b, set, 1, 0, 0);
    }
}

SET_TEST(test_tags_are_quiet_when_nothing_is_on_its_way) {
    assert_true(bench_quiet(b));
    shadow_in_of(b)->rst = true;
    assert_true(bench_quiet(b)); /* it is empty */
    shadow_in_of(b)->rst = false;
    shadow_in_of(b)->acc_valid = true;
    assert_false(bench_quiet(b));
    bench_edge(b);
    for (unsigned cycle = 0; cycle < SHADOW_TAGS_LATENCY; cycle++) {
        assert_false(bench_quiet(b));
        shadow_in_of(b)->rst = true;
        assert_false(bench_quiet(b));
        shadow_in_of(b)->rst = false;
        bench_edge(b);
    }
    assert_true(bench_quiet(b));
    shadow_in_of(b)->rst = true;
    assert_false(bench_quiet(b)); /* it has a line */
    bench_edge(b);
    shadow_in_of(b)->rst = true;
    assert_true(bench_quiet(b));
}
