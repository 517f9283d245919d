/* SPDX-License-Identifier: Apache-2.0
 * Replacement state with warp types, one behaviour a test. Sections in the names of the cases are
 * those of Ausavarungnirun et al. (MeDiC), PACT 2015. */
#include "l2/insertion_cases.h"

SET_TEST(test_4_3_a_free_way_is_taken_first_the_lowest_of_them) {
    unsigned ways = insertion_params_of(b)->WAYS;
    for (unsigned way = 0; way < ways; way++) {
        uint64_t free = all_ways_of_params(b) << way & all_ways_of_params(b);
        assert_victim(b, free, 0, way);
        assert_victim(b, free, all_ways_of_params(b), way); /* whatever is held */
    }
}

SET_TEST(test_4_3_lines_of_one_class_are_evicted_least_recently_used_first) {
    unsigned ways = insertion_params_of(b)->WAYS;
    for (unsigned i = 0; i < ways; i++) {
        insert_line(b, ways - 1 - i, L2_CLASS_HIT);
    }
    touch_way(b, ways - 1, L2_CLASS_HIT); /* the oldest becomes the youngest */
    uint64_t gone = 0;
    for (unsigned i = 1; i < ways; i++) {
        assert_victim(b, 0, gone, ways - 1 - i);
        gone |= way_bit(ways - 1 - i);
    }
    assert_victim(b, 0, gone, ways - 1);
}

SET_TEST(test_4_3_lines_are_evicted_by_class_then_by_recency) {
    if (insertion_params_of(b)->PLACE) {
        return;
    }
    unsigned ways = insertion_params_of(b)->WAYS;
    for (unsigned way = 0; way < ways; way++) {
        insert_line(b, way, 3 - way % 4); /* all-hit, mostly-hit, balanced, mostly-miss, ... */
    }
    uint64_t gone = 0;
    for (unsigned class = L2_CLASS_MISS; class <= L2_CLASS_ALL_HIT; class ++) {
        for (unsigned way = 3 - class; way < ways; way += 4) {
            assert_victim(b, 0, gone, way);
            gone |= way_bit(way);
        }
    }
    assert_no_victim(b, gone);
}

/* Nearer to the LRU position the lower its class, but behind the older lines of that class. */
SET_TEST(test_4_3_a_new_line_comes_between_its_class_and_the_higher_ones) {
    unsigned ways = insertion_params_of(b)->WAYS;
    if (ways < 4 || insertion_params_of(b)->PLACE) {
        return;
    }
    for (unsigned way = 0; way < ways; way++) {
        insert_line(b, way, way < 2 ? L2_CLASS_MISS : L2_CLASS_HIT);
    }
    insert_line(b, 0, L2_CLASS_MISS);
    assert_victim(b, 0, 0, 1);
    assert_victim(b, 0, way_bit(1), 0); /* the youngest of all, and yet the next */
    assert_victim(b, 0, way_bit(0) | way_bit(1), 2);
    insert_line(b, 2, L2_CLASS_BALANCED);
    assert_victim(b, 0, way_bit(0) | way_bit(1), 2);
    insert_line(b, 2, L2_CLASS_HIT);
    assert_victim(b, 0, way_bit(0) | way_bit(1), 3);
}

/* Footnote 4: all-miss shares the code of mostly-miss, so that recency alone orders the two. */
TEST(test_4_3_lines_of_all_miss_warps_stand_among_those_of_mostly_miss_warps) {
    const unsigned all_miss = L2_CLASS_MISS, mostly_miss = L2_CLASS_MISS;
    FOR_EACH_SET(b) {
        unsigned ways = insertion_params_of(b)->WAYS;
        bool reversed = insertion_params_of(b)->PLACE; /* each goes before the others */
        for (unsigned i = 0; i < ways; i++) {
            unsigned way = reversed ? ways - 1 - i : i;
            insert_line(b, way, i % 2 ? all_miss : mostly_miss);
        }
        for (unsigned way = 0; way < ways; way++) {
            assert_victim(b, 0, way_bit(way) - 1, way);
        }
    }
}

SET_TEST(test_4_3_an_insert_can_lower_the_class_of_its_way) {
    for (unsigned way = 0; way < insertion_params_of(b)->WAYS; way++) {
        insert_line(b, way, L2_CLASS_ALL_HIT);
    }
    unsigned last = insertion_params_of(b)->WAYS - 1;
    insert_line(b, last, L2_CLASS_MISS);
    assert_victim(b, 0, 0, last);
}

SET_TEST(test_4_3_a_hit_keeps_the_class_or_raises_it) {
    unsigned ways = insertion_params_of(b)->WAYS;
    if (ways < 2 || insertion_params_of(b)->PLACE) {
        return;
    }
    insert_line(b, 0, L2_CLASS_BALANCED);
    for (unsigned way = 1; way < ways; way++) {
        insert_line(b, way, L2_CLASS_HIT);
    }
    touch_way(b, 0, L2_CLASS_ALL_HIT);
    assert_victim(b, 0, 0, insertion_params_of(b)->RAISE ? 1 : 0);
    touch_way(b, 1, L2_CLASS_MISS); /* never lowered */
    assert_victim(b, 0, way_bit(0), ways == 2 ? 1 : 2);
}

/* The last way comes back with this class; then it has so many of the others before it. */
static void assert_place_of_class(struct bench *b, unsigned line_class, unsigned place) {
    unsigned last = insertion_params_of(b)->WAYS - 1;
    for (unsigned way = 0; way <= last; way++) {
        insert_line(b, way, L2_CLASS_HIT);
    }
    insert_line(b, last, line_class);
    uint64_t gone = 0;
    for (unsigned i = 0; i <= last; i++) {
        unsigned way = i < place ? i : i == place ? last : i - 1;
        assert_victim(b, 0, gone, way);
        gone |= way_bit(way);
    }
}

SET_TEST(test_4_3_with_places_a_new_line_enters_nearer_to_lru_or_to_mru) {
    unsigned ways = insertion_params_of(b)->WAYS;
    if (!insertion_params_of(b)->PLACE) {
        return;
    }
    assert_place_of_class(b, L2_CLASS_MISS, 0);
    assert_place_of_class(b, L2_CLASS_BALANCED, ways / 2);
    assert_place_of_class(b, L2_CLASS_HIT, ways - 1);
    assert_place_of_class(b, L2_CLASS_ALL_HIT, ways - 1);
}

SET_TEST(test_4_3_with_places_a_hit_by_any_warp_makes_a_line_the_youngest) {
    unsigned ways = insertion_params_of(b)->WAYS;
    if (!insertion_params_of(b)->PLACE) {
        return;
    }
    for (unsigned line_class = L2_CLASS_MISS; line_class <= L2_CLASS_ALL_HIT; line_class++) {
        for (unsigned way = 0; way < ways; way++) {
            insert_line(b, way, L2_CLASS_ALL_HIT);
        }
        touch_way(b, 0, line_class);
        assert_victim(b, 0, (way_bit(ways - 1) - 1) & ~way_bit(0), ways - 1);
        assert_victim(b, 0, all_ways_of_params(b) & ~way_bit(0), 0);
    }
}

SET_TEST(test_4_3_a_line_on_its_way_is_not_evicted) {
    unsigned ways = insertion_params_of(b)->WAYS;
    for (unsigned way = 0; way < ways; way++) {
        insert_line(b, way, way ? L2_CLASS_ALL_HIT : L2_CLASS_MISS);
    }
    for (unsigned way = 0; way < ways; way++) {
        assert_victim(b, 0, way_bit(way) - 1, way);
    }
    assert_no_victim(b, all_ways_of_params(b));
}

SET_TEST(test_after_the_reset_the_lowest_way_is_the_oldest) {
    for (unsigned set = 0; set < insertion_params_of(b)->SETS; set++) {
        read_set(b, set);
        for (unsigned way = 0; way < insertion_params_of(b)->WAYS; way++) {
            assert_victim(b, 0, way_bit(way) - 1, way);
        }
    }
}

SET_TEST(test_a_reset_forgets_every_set_and_comes_before_the_rest) {
    unsigned ways = insertion_params_of(b)->WAYS, last_set = insertion_params_of(b)->SETS - 1;
    insert_line(b, 0, L2_CLASS_ALL_HIT);
    read_set(b, last_set);
    insert_line(b, 0, L2_CLASS_ALL_HIT);
    insertion_in_of(b)->rst = insertion_in_of(b)->insert = insertion_in_of(b)->read = true;
    insertion_in_of(b)->set = last_set;
    insertion_in_of(b)->way = (uint8_t)(ways - 1);
    insertion_in_of(b)->line_class = L2_CLASS_HIT;
    bench_edge(b);
    assert_victim(b, 0, 0, 0);
    insert_line(b, 0, L2_CLASS_HIT); /* into set 0 */
    read_set(b, last_set);
    assert_victim(b, 0, 0, 0);
    read_set(b, 0);
    assert_victim(b, 0, 0, last_set && ways > 1 ? 1 : ways > 1);
}

SET_TEST(test_a_set_is_current_from_the_cycle_after_its_read) {
    unsigned ways = insertion_params_of(b)->WAYS, last_set = insertion_params_of(b)->SETS - 1;
    if (ways < 2 || !last_set) {
        return;
    }
    insert_line(b, 0, L2_CLASS_ALL_HIT); /* of set 0: its victim is 1 */
    insertion_in_of(b)->read = true;
    insertion_in_of(b)->set = last_set;
    bench_comb(b);
    assert_int_equal(insertion_out_of(b)->victim, 1);
    bench_edge(b);
    assert_victim(b, 0, 0, 0);
    bench_idle(b, 3); /* and stays so */
    assert_victim(b, 0, 0, 0);
    read_set(b, 0);
    assert_victim(b, 0, 0, 1);
}

SET_TEST(test_an_access_with_a_read_is_to_the_set_before_it) {
    unsigned ways = insertion_params_of(b)->WAYS, last_set = insertion_params_of(b)->SETS - 1;
    if (ways < 2 || !last_set) {
        return;
    }
    for (unsigned round = 0; round < 2; round++) { /* never written, and written before */
        drive_use(b, 0, L2_CLASS_HIT, true);
        insertion_in_of(b)->read = true;
        insertion_in_of(b)->set = last_set;
        bench_edge(b);
        assert_victim(b, 0, 0, 0);
        read_set(b, 0); /* in the very next cycle */
        assert_victim(b, 0, 0, 1);
    }
}

SET_TEST(test_a_read_of_the_current_set_sees_the_access_of_its_cycle) {
    unsigned ways = insertion_params_of(b)->WAYS, last_set = insertion_params_of(b)->SETS - 1;
    read_set(b, last_set);
    for (unsigned way = 0; way < ways; way++) {
        assert_victim(b, 0, 0, way);
        drive_use(b, way, L2_CLASS_HIT, true);
        insertion_in_of(b)->read = true;
        insertion_in_of(b)->set = last_set;
        bench_edge(b);
    }
    assert_victim(b, 0, 0, 0);
}

/* The C model's state of a set beyond its ports, for the coverage points. */
SET_TEST(test_places_and_classes_of_each_set_are_told) {
    const struct insertion *s = b->pair.state;
    bool placed = insertion_params_of(b)->PLACE;
    unsigned ways = insertion_params_of(b)->WAYS, sets = insertion_params_of(b)->SETS;
    for (unsigned set = 0; set < sets; set++) {
        read_set(b, set);
        for (unsigned i = 0; i < ways; i++) {
            insert_line(b, (i + set) % ways, placed ? L2_CLASS_HIT : (i + set) % 4);
        }
    }
    for (unsigned set = 0; set < sets; set++) {
        for (unsigned i = 0; i < ways; i++) {
            unsigned way = (i + set) % ways;
            assert_int_equal(insertion_way_at(s, set, i), way);
            assert_int_equal(insertion_class(s, set, way), placed ? 0 : (i + set) % 4);
        }
    }
}

/* Of 24 ways the order fills its words to the last byte, behind which the next set begins. */
TEST(test_an_order_in_bytes_keeps_to_its_room) {
    const struct insertion_params params = {.SETS = 2, .WAYS = 24};
    struct insertion s;
    struct insertion_in in = {.read = true, .set = 1};
    struct insertion_out out;
    assert_true(insertion_init(&s, &params));
    insertion_step(&s, &in, &out);
    for (unsigned way = 0; way < 48; way++) {
        bool last = way == 23;
        in = (struct insertion_in){.insert = true, .way = (uint8_t)(way % 24), .read = last};
        in.line_class = way / 8 % 2 && way < 24 ? L2_CLASS_ALL_HIT : L2_CLASS_MISS;
        insertion_comb(&s, &in, &out);
        insertion_step(&s, &in, &out); /* first all of set 1, then all of set 0 */
    }
    for (unsigned way = 0; way < 24; way++) {
        assert_int_equal(insertion_class(&s, 1, way),
                         way / 8 % 2 ? L2_CLASS_ALL_HIT : L2_CLASS_MISS);
        assert_int_equal(insertion_way_at(&s, 1, way), way);
        assert_int_equal(insertion_way_at(&s, 0, way), way);
    }
    insertion_destroy(&s);
}

SET_TEST(test_sets_are_kept_apart) {
    bool placed = insertion_params_of(b)->PLACE;
    unsigned ways = insertion_params_of(b)->WAYS, sets = insertion_params_of(b)->SETS;
    for (unsigned set = 0; set < sets; set++) {
        read_set(b, set);
        for (unsigned i = 0; i < ways; i++) {
            insert_line(b, (set + i) % ways,
                        placed ? L2_CLASS_HIT
                        : i    ? L2_CLASS_BALANCED
                               : set % 2);
        }
    }
    for (unsigned set = 0; set < sets; set++) {
        read_set(b, set);
        for (unsigned i = 0; i < ways; i++) {
            uint64_t gone = 0;
            for (unsigned k = 0; k < i; k++) {
                gone |= way_bit((set + k) % ways);
            }
            assert_victim(b, 0, gone, (set + i) % ways);
        }
    }
}

SET_TEST(test_an_insert_counts_before_a_touch) {
    for (unsigned way = 0; way < insertion_params_of(b)->WAYS; way++) {
        insert_line(b, way, L2_CLASS_HIT);
    }
    unsigned last = insertion_params_of(b)->WAYS - 1;
    drive_use(b, last, L2_CLASS_MISS, true);
    insertion_in_of(b)->touch = true;
    bench_edge(b);
    assert_victim(b, 0, 0, last);
}

SET_TEST(test_quiet_when_no_set_changes) {
    unsigned last_set = insertion_params_of(b)->SETS - 1;
    assert_true(bench_quiet(b));
    insertion_in_of(b)->held = all_ways_of_params(b);
    insertion_in_of(b)->free = 1;
    assert_true(bench_quiet(b)); /* the victim follows them at once */
    insertion_in_of(b)->read = true;
    assert_true(bench_quiet(b)); /* of set 0, which is current */
    insertion_in_of(b)->set = last_set;
    assert_int_equal(bench_quiet(b), !last_set);
    bench_edge(b);
    insertion_in_of(b)->read = true;
    insertion_in_of(b)->set = last_set;
    assert_true(bench_quiet(b)); /* now it is current */
    insertion_in_of(b)->touch = true;
    assert_false(bench_quiet(b));
    insertion_in_of(b)->touch = false;
    insertion_in_of(b)->insert = true;
    assert_false(bench_quiet(b));
    insertion_in_of(b)->insert = false;
    insertion_in_of(b)->rst = true;
    assert_false(bench_quiet(b));
}
