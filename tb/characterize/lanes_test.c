/* SPDX-License-Identifier: Apache-2.0
 *
 * Active lanes and divergent branches from hand-made records.
 */
#include "characterize/hand_made.h"

#include "characterize/lanes.h"

/* The records of one warp: place in the code, active lanes. */
struct record {
    unsigned insn;
    uint32_t active;
};

static struct lane_counts count_lanes(const struct record *r, unsigned records) {
    struct lane_counts c = {0};
    struct lane_watch w = {0};
    for (unsigned i = 0; i < records; i++) {
        struct warp_op op = op_of(r[i].insn, r[i].active, 0, 0);
        lanes_see(&c, &w, &op);
    }
    return c;
}

#define COUNT(...) \
    count_lanes((const struct record[]){__VA_ARGS__}, \
                sizeof((const struct record[]){__VA_ARGS__}) / sizeof(struct record))

TEST(instructions_are_counted_by_kind_and_lanes) {
    struct lane_counts c = COUNT({ADD, 0xff}, {LOAD, 0xff}, {BARRIER, ALL_LANES}, {FENCE, 1},
                                 {BEGIN, 1}, {ITERATION, 1}, {BRANCH, 1}, {END, 1});
    assert_int_equal(c.warp_instructions, 5); /* markers are none */
    assert_int_equal(c.thread_instructions, 8 + 8 + 32 + 1 + 1);
    assert_int_equal(c.lanes[1], 2);
    assert_int_equal(c.lanes[8], 2);
    assert_int_equal(c.lanes[32], 1);
    assert_int_equal(c.arithmetic, 1);
    assert_int_equal(c.branches, 1);
    assert_int_equal(c.barriers, 1);
    assert_int_equal(c.fences, 1);
}

TEST(a_branch_that_some_lanes_take_is_divergent) {
    assert_int_equal(COUNT({BRANCH, 0xff}, {ADD, 0x0f}, {ADD, 0xff}).divergent_branches, 1);
    /* The lanes that stay in a loop are in its marker. */
    assert_int_equal(COUNT({BRANCH, 0xff}, {ITERATION, 0x7f}).divergent_branches, 1);
}

TEST(one_that_all_lanes_take_or_none_is_not) {
    assert_int_equal(COUNT({BRANCH, 0xff}, {ADD, 0xff}).divergent_branches, 0);
    assert_int_equal(COUNT({BRANCH, 0xff}).divergent_branches, 0); /* the end of the warp */
}

/* After a loop's last branch come the lanes that left before; others belong to another path. */
TEST(lanes_that_come_back_or_are_others_do_not_diverge) {
    assert_int_equal(COUNT({BRANCH, 0x01}, {END, 0xff}).divergent_branches, 0);
    assert_int_equal(COUNT({BRANCH, 0x0f}, {ADD, 0xf0}).divergent_branches, 0);
    assert_int_equal(COUNT({BRANCH, 0x0f}, {ADD, 0x13}).divergent_branches, 0);
}

TEST(only_the_record_right_after_the_branch_counts) {
    assert_int_equal(COUNT({BRANCH, 0xff}, {ADD, 0xff}, {ADD, 0x0f}).divergent_branches, 0);
    assert_int_equal(COUNT({BRANCH, 0xff}, {BRANCH, 0x0f}, {ADD, 0x01}).divergent_branches, 2);
}

TEST(sums_add_every_member) {
    struct lane_counts one = COUNT({ADD, 0xff}, {FENCE, 1}, {BARRIER, 3}, {BRANCH, 3}, {ADD, 1});
    struct lane_counts sum = {0};
    lanes_add(&sum, &one);
    assert_memory_equal(&sum, &one, sizeof sum);
    lanes_add(&sum, &one);
    for (size_t i = 0; i < sizeof sum / sizeof(uint64_t); i++) {
        assert_int_equal(((uint64_t *)&sum)[i], 2 * ((uint64_t *)&one)[i]);
    }
}
