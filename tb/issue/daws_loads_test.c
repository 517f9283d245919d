/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of classified loads, and what it predicts (DAWS 5.1.1, 5.1.2).
 */
#include "base/unit_tests.h"

#include "issue/daws_loads.h"

enum { LOOP = 100, OTHER_LOOP = 200, LATER_LOOP = 300 };

static struct daws_loads empty_table(void) {
    struct daws_loads d;
    daws_loads_init(&d, 32, 8, false);
    return d;
}

static unsigned lines_of_trip(const struct daws_loads *d, uint32_t loop, unsigned lanes) {
    struct daws_answer a = daws_loads_ask(d, loop, lanes, false);
    assert_true(a.known);
    assert_int_equal(a.loop, loop);
    return a.lines;
}

TEST(a_diverged_load_is_a_line_a_lane_5_1_1) {
    struct daws_loads d = empty_table();
    assert_true(daws_loads_write(&d, LOOP, 101, true, 0));
    for (unsigned lanes = 1; lanes <= 32; lanes++) {
        assert_int_equal(lines_of_trip(&d, LOOP, lanes), lanes);
    }
}

TEST(a_converged_load_is_two_lines_and_one_with_one_lane_5_1_1) {
    struct daws_loads d = empty_table();
    assert_true(daws_loads_write(&d, LOOP, 101, false, 0));
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 2);
    assert_int_equal(lines_of_trip(&d, LOOP, 2), 2);
    assert_int_equal(lines_of_trip(&d, LOOP, 1), 1);
}

TEST(a_repetition_group_counts_once_and_as_diverged_if_one_load_is_5_1_1) {
    struct daws_loads d = empty_table();
    daws_loads_write(&d, LOOP, 101, false, 0);
    daws_loads_write(&d, LOOP, 102, false, 0);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 2);
    daws_loads_write(&d, LOOP, 103, true, 0);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 32);
    daws_loads_write(&d, LOOP, 104, false, 1);
    daws_loads_write(&d, LOOP, 105, true, 2);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 32 + 2 + 32);
    assert_int_equal(lines_of_trip(&d, LOOP, 1), 3);
}

/* The same group number in another loop is another group. */
TEST(only_the_loads_of_the_loop_count_5_1_1) {
    struct daws_loads d = empty_table();
    daws_loads_write(&d, LOOP, 101, true, 0);
    daws_loads_write(&d, OTHER_LOOP, 201, false, 0);
    assert_int_equal(lines_of_trip(&d, LOOP, 8), 8);
    assert_int_equal(lines_of_trip(&d, OTHER_LOOP, 8), 2);
    assert_false(daws_loads_ask(&d, LATER_LOOP, 8, false).known);
}

TEST(the_closest_loop_is_the_next_in_program_order_5_1_2) {
    struct daws_loads d = empty_table();
    daws_loads_write(&d, LATER_LOOP, 301, true, 0);
    daws_loads_write(&d, OTHER_LOOP, 201, false, 0);
    assert_int_equal(daws_loads_ask(&d, 150, 8, true).loop, OTHER_LOOP);
    assert_int_equal(daws_loads_ask(&d, 150, 8, true).lines, 2);
    assert_int_equal(daws_loads_ask(&d, 250, 8, true).lines, 8);
    /* A load with which the loop begins, and one behind the last loop. */
    assert_int_equal(daws_loads_ask(&d, LATER_LOOP, 8, true).loop, LATER_LOOP);
    assert_false(daws_loads_ask(&d, LATER_LOOP + 1, 8, true).known);
}

TEST(the_closest_loop_is_one_of_the_same_code_5_1_2) {
    struct daws_loads d = empty_table();
    daws_loads_write(&d, daws_name(1, 800), daws_name(1, 808), true, 0);
    assert_false(daws_loads_ask(&d, daws_name(0, 80), 8, true).known);
    assert_true(daws_loads_ask(&d, daws_name(1, 80), 8, true).known);
}

TEST(a_full_table_of_loads_refuses_and_counts) {
    struct daws_loads d = empty_table();
    for (unsigned i = 0; i < 32; i++) {
        assert_true(daws_loads_write(&d, LOOP, 1000 + i, true, i % 32));
    }
    assert_false(daws_loads_write(&d, LOOP, 2000, true, 0));
    assert_int_equal(d.refused_loads, 1);
    assert_int_equal(lines_of_trip(&d, LOOP, 2), 64);
}

TEST(a_full_table_of_loops_refuses_and_counts) {
    struct daws_loads d = empty_table();
    for (unsigned i = 0; i < 8; i++) {
        assert_true(daws_loads_write(&d, 100 + i, 1000 + i, true, i));
    }
    assert_false(daws_loads_write(&d, 99, 2000, true, 0));
    assert_int_equal(d.refused_loops, 1);
    assert_int_equal(d.refused_loads, 0);
    assert_true(daws_loads_write(&d, 100, 2001, true, 9)); /* a loop that is there */
}

TEST(a_launch_begins_with_its_own_profile_5_1) {
    struct daws_loads d = empty_table();
    daws_loads_write(&d, LOOP, 101, true, 0);
    daws_loads_clear(&d);
    assert_false(daws_loads_ask(&d, LOOP, 8, false).known);
    assert_true(daws_loads_write(&d, LOOP, 101, false, 0));
    assert_int_equal(lines_of_trip(&d, LOOP, 8), 2);
}

TEST(names_tell_codes_and_places_apart) {
    assert_true(daws_name(0, 8) != daws_name(1, 8));
    assert_true(daws_name(3, 8) < daws_name(3, 16));
    assert_true(daws_name(3, 8 * 65535) < daws_name(4, 0));
}

/* --- classes that are detected (5.2.2) --- */

/* As a loop with locality that has taken the time of its scans. */
static void settle_loop(struct daws_loads *d, uint32_t loop) {
    daws_loads_positive(d, loop, true);
    daws_loads_run(d, d->cycle + 200);
}

TEST(more_than_two_accesses_count_a_load_as_diverged_above_one_5_2_2) {
    struct daws_loads d = empty_table();
    daws_loads_class(&d, LOOP, 101, 32, 3);
    settle_loop(&d, LOOP);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 2); /* its counter is 1 */
    daws_loads_class(&d, LOOP, 101, 3, 3);
    settle_loop(&d, LOOP);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 32);
    daws_loads_class(&d, LOOP, 101, 32, 2);
    settle_loop(&d, LOOP);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 2);
}

TEST(two_lanes_say_nothing_of_divergence_5_2_2) {
    struct daws_loads d = empty_table();
    for (unsigned i = 0; i < 10; i++) {
        daws_loads_class(&d, LOOP, 101, 2, 3); /* not aligned: three lines */
    }
    settle_loop(&d, LOOP);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 2);
}

TEST(divergence_counters_saturate_5_2_2) {
    struct daws_loads d = empty_table();
    for (unsigned i = 0; i < 100; i++) {
        daws_loads_class(&d, LOOP, 101, 32, 32);
    }
    assert_int_equal(d.load[0].counter, 7);
    for (unsigned i = 0; i < 100; i++) {
        daws_loads_class(&d, LOOP, 101, 32, 1);
    }
    assert_int_equal(d.load[0].counter, -8);
    assert_int_equal(d.load_count, 1);
}

TEST(a_pair_is_one_group_the_older_ones_5_2_2) {
    struct daws_loads d = empty_table();
    for (unsigned i = 0; i < 4; i++) {
        daws_loads_class(&d, LOOP, 101 + i, 32, 1);
    }
    settle_loop(&d, LOOP);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 8);
    daws_loads_pair(&d, LOOP, 104, 103);
    daws_loads_pair(&d, LOOP, 101, 102);
    settle_loop(&d, LOOP);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 4);
    daws_loads_pair(&d, LOOP, 103, 102); /* joins both groups */
    settle_loop(&d, LOOP);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 2);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(d.load[i].group, 0);
    }
    daws_loads_pair(&d, LOOP, 101, 199); /* one that has no entry */
    assert_int_equal(d.load_count, 4);
}

TEST(a_loop_without_locality_predicts_nothing_and_keeps_its_classes_5_2_1) {
    struct daws_loads d = empty_table();
    daws_loads_class(&d, LOOP, 101, 32, 1);
    daws_loads_run(&d, 200);
    assert_false(daws_loads_ask(&d, LOOP, 32, false).known);
    daws_loads_positive(&d, LOOP, true);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 2);
    daws_loads_positive(&d, LOOP, false);
    assert_false(daws_loads_ask(&d, LOOP, 32, false).known);
    assert_false(daws_loads_ask(&d, 90, 32, true).known);
}

/* A scan begins a cycle after the change, and reads an entry a cycle. */
TEST(a_class_counts_after_a_scan_of_the_table) {
    struct daws_loads d = empty_table();
    daws_loads_run(&d, 1000);
    daws_loads_class(&d, LOOP, 101, 32, 1);
    daws_loads_positive(&d, LOOP, true);
    daws_loads_run(&d, 1000 + 32);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 0);
    assert_true(daws_loads_scans(&d));
    daws_loads_run(&d, 1000 + 33);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 2);
    assert_false(daws_loads_scans(&d));
}

TEST(a_change_during_a_scan_makes_it_begin_anew) {
    struct daws_loads d = empty_table();
    daws_loads_class(&d, LOOP, 101, 32, 1);
    daws_loads_positive(&d, LOOP, true);
    daws_loads_run(&d, 20);
    daws_loads_class(&d, LOOP, 102, 32, 1);
    daws_loads_run(&d, 20 + 32);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 0);
    daws_loads_run(&d, 20 + 33);
    assert_int_equal(lines_of_trip(&d, LOOP, 32), 4);
}
