/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of hand-made memory instructions, and footprints.
 */
#include "characterize/hand_made.h"

#include "characterize/footprint.h"
#include "characterize/lines.h"

static struct accesses lines_on(const char *name, const struct insn *insn, uint32_t active,
                                uint64_t base, int64_t stride) {
    struct config c = preset_named(name);
    struct accesses a;
    struct warp_op op = {insn, active, ADDRESS_AFFINE, base, stride, NULL};
    lines_of(&c, &op, &a);
    return a;
}

/* 32 neighbouring words: one line of 128 bytes, two of 64. */
TEST(lines_are_those_of_the_machine) {
    assert_int_equal(lines_on("c2050-s", &insns[LOAD], ALL_LANES, BASE, 4).count, 1);
    assert_int_equal(lines_on("quadro-owl", &insns[LOAD], ALL_LANES, BASE, 4).count, 2);
    assert_int_equal(lines_on("c2050-s", &insns[LOAD], 0xff, BASE, 4096).count, 8);
}

/* Compute capability 1.3: half warps coalesce by themselves. */
TEST(halves_of_a_warp_make_two_accesses_of_one_line) {
    struct config c = preset_named("c2050-s");
    struct warp_op op = {&insns[LOAD], ALL_LANES, ADDRESS_AFFINE, BASE, 4, NULL};
    struct accesses a;
    c.l1.coalesce_parts = 2;
    lines_of(&c, &op, &a);
    assert_int_equal(a.count, 1);
    assert_int_equal(a.made, 2);
}

TEST(an_atomic_makes_an_access_a_lane_of_the_same_word) {
    struct accesses a = lines_on("c2050-s", &insns[ATOMIC], 0xff, BASE, 0);
    assert_int_equal(a.count, 1);
    assert_int_equal(a.made, 8);
    a = lines_on("c2050-s", &insns[ATOMIC], 0xff, BASE, 4);
    assert_int_equal(a.made, 1);
}

/* c2050-s: texture lines of 128 bytes; a constant access is a word; shared memory has none. */
TEST(other_spaces_count_what_their_caches_see) {
    struct insn load = {.op = OP_LOAD, .width = 4};
    load.space = SPACE_TEXTURE;
    assert_int_equal(lines_on("c2050-s", &load, ALL_LANES, BASE, 4).made, 1);
    load.space = SPACE_CONSTANT;
    assert_int_equal(lines_on("c2050-s", &load, ALL_LANES, BASE, 4).made, 32);
    assert_int_equal(lines_on("c2050-s", &load, ALL_LANES, BASE, 0).made, 1);
    load.space = SPACE_SHARED;
    assert_int_equal(lines_on("c2050-s", &load, ALL_LANES, BASE, 4).made, 0);
    assert_false(access_is_line(&load));
}

TEST(the_l1_serves_loads_and_stores_of_global_and_local) {
    struct insn load = insns[LOAD];
    assert_true(access_in_l1(&insns[LOAD]) && access_in_l1(&insns[STORE]));
    assert_false(access_in_l1(&insns[ATOMIC]));
    load.uncached = 1;
    assert_false(access_in_l1(&load));
    load = (struct insn){.op = OP_LOAD, .space = SPACE_LOCAL, .width = 4};
    assert_true(access_in_l1(&load));
    load.space = SPACE_TEXTURE;
    assert_false(access_in_l1(&load));
}

TEST(counts_go_to_kind_space_histogram_and_instruction) {
    struct line_counts c = {0}, sum = {0};
    struct static_access insn = {0};
    struct accesses a = {.count = 3, .made = 5};
    struct warp_op op = op_of(ATOMIC, 0xff, BASE, 0);
    lines_count(&c, &insn, &op, &a);
    a.made = 2;
    lines_count(&c, &insn, &op, &a);
    assert_int_equal(c.instructions[SPACE_GLOBAL][ACCESS_ATOMIC], 2);
    assert_int_equal(c.accesses[SPACE_GLOBAL][ACCESS_ATOMIC], 7);
    assert_int_equal(c.histogram[ACCESS_ATOMIC][5], 1);
    assert_int_equal(c.histogram[ACCESS_ATOMIC][2], 1);
    assert_int_equal(insn.executions, 2);
    assert_int_equal(insn.lanes, 16);
    assert_int_equal(insn.accesses, 7);
    assert_int_equal(insn.most, 5);
    lines_add(&sum, &c);
    assert_memory_equal(&sum, &c, sizeof sum);
}

TEST(a_footprint_counts_each_line_once) {
    struct footprint f = {0};
    static const uint64_t lines[] = {1, 2, 1, 9, 2};
    for (unsigned i = 0; i < 5; i++) {
        assert_true(footprint_touch(&f, lines[i]));
    }
    assert_int_equal(f.lines.count, 3);
    footprint_warp(&f, 3);
    footprint_warp(&f, 0); /* a warp that touches nothing has no footprint */
    footprint_warp(&f, 1);
    assert_int_equal(f.warps, 2);
    assert_int_equal(f.warp_lines, 4);
    assert_int_equal(f.warp_most, 3);
    footprint_destroy(&f);
}

TEST(a_launchs_lines_know_their_cores) {
    struct launch_lines l = {0};
    bool fresh;
    assert_true(launch_lines_touch(&l, 5, &fresh) && fresh);
    assert_true(launch_lines_touch(&l, 5, &fresh) && !fresh);
    assert_false(launch_lines_seen(&l, 5, 63));
    assert_true(launch_lines_seen(&l, 5, 63));
    assert_false(launch_lines_seen(&l, 5, 0));
    line_map_clear(&l.map); /* the next launch */
    assert_true(launch_lines_touch(&l, 5, &fresh) && fresh);
    assert_false(launch_lines_seen(&l, 5, 63));
    launch_lines_destroy(&l);
}
