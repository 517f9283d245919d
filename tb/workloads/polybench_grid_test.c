/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench's grids and matrix products: launches, shapes, and what single warps do, counted from
 * the records and compared with figures worked out by hand; results are checked.
 */
#include <string.h>

#include "base/unit_tests.h"
#include "workloads/host.h"
#include "workloads/rodinia_records.h"
#include "workloads/workload.h"

#define LINE 128
#define ACCESSES_MAX 64

/* A warp's work: arithmetic, and of each memory access the lines, in order. */
struct walk {
    unsigned arithmetic, accesses, lanes;
    unsigned lines[ACCESSES_MAX];
    uint64_t first[ACCESSES_MAX]; /* address of the lowest active lane */
};

static unsigned lines_of_sorted_op(const struct warp_op *op) {
    uint64_t address[WARP_SIZE], last = UINT64_MAX;
    unsigned count = 0;
    warp_op_addresses(op, address);
    for (uint32_t m = op->active; m; m &= m - 1) { /* addresses ascend or are equal */
        uint64_t line = address[__builtin_ctz(m)] / LINE;
        count += line != last;
        last = line;
    }
    return count;
}

/* Walks warp @warp of CTA @cta of the current launch, and keeps its first accesses. */
static struct walk walk_warp(struct program *p, const struct launch *l, unsigned cta,
                             unsigned warp) {
    struct walk walk = {0};
    struct cta_trace *t = cta_trace_create();
    struct warp_cursor c;
    struct warp_op op;
    assert_true(p->run_cta(p->self, cta, t));
    warp_cursor_open(&c, &t->warp[warp], l->code);
    while (warp_cursor_next(&c, &op)) {
        if (insn_is_marker(op.insn)) {
            continue;
        }
        if (!insn_is_memory(op.insn)) {
            walk.arithmetic++;
        } else {
            uint64_t address[WARP_SIZE];
            unsigned at = walk.accesses++;
            walk.lanes = (unsigned)__builtin_popcount(op.active);
            if (at < ACCESSES_MAX) {
                warp_op_addresses(&op, address);
                walk.first[at] = address[__builtin_ctz(op.active)];
                walk.lines[at] = lines_of_sorted_op(&op);
            }
        }
    }
    cta_trace_destroy(t);
    return walk;
}

static void assert_lines(const struct walk *w, const unsigned *lines, unsigned count) {
    assert_int_equal(w->accesses, count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(w->lines[i], lines[i]);
    }
}

static void assert_shape(const struct launch *l, unsigned grid_x, unsigned grid_y) {
    assert_int_equal(l->grid[0], grid_x);
    assert_int_equal(l->grid[1], grid_y);
    assert_int_equal(l->grid[2], 1);
    assert_int_equal(l->block[0], 32);
    assert_int_equal(l->block[1], 8);
}

static const struct launch *next_launch_of(struct program *p) {
    const struct launch *l;
    assert_true(p->next_launch(p->self, &l));
    return l;
}

static void assert_launches_left(struct program *p, unsigned count) {
    const struct launch *l;
    for (unsigned i = 0; i < count; i++) {
        next_launch_of(p);
    }
    assert_false(p->next_launch(p->self, &l));
}

TEST(a_warp_of_2dconv_loads_nine_neighbours) {
    static const unsigned lines[] = {2, 1, 2, 2, 1, 2, 2, 1, 2, 1};
    struct program p;
    records_open("2dconv", &p, SIZE_PAPER_MRPB);
    const struct launch *l = next_launch_of(&p);
    assert_shape(l, 128, 512);
    assert_int_equal(l->code->registers, 24);
    struct walk w = walk_warp(&p, l, 129, 3); /* CTA (1, 1) */
    assert_lines(&w, lines, 10);
    assert_int_equal(w.arithmetic, 30);
    assert_int_equal(w.lanes, 32);
    /* Row 11, column 32: its neighbour above, then the one below it, two rows of 16 KB on. */
    assert_true(w.first[0] == DEVICE_MEMORY_BASE + 4 * (10 * 4096 + 31));
    assert_true(w.first[7] == w.first[1] + 2 * 16384);
    assert_launches_left(&p, 0);
    workload_close(workload_find("2dconv"), &p);
}

TEST(the_border_of_2dconv_is_masked_off) {
    struct program p;
    records_open("2dconv", &p, SIZE_TINY);
    const struct launch *l = next_launch_of(&p);
    struct walk top = walk_warp(&p, l, 0, 0), left = walk_warp(&p, l, 0, 1);
    struct walk right = walk_warp(&p, l, 127, 1), bottom = walk_warp(&p, l, 2 * 128 + 5, 7);
    assert_int_equal(top.accesses, 0);
    assert_int_equal(bottom.accesses, 0);
    assert_int_equal(top.arithmetic, 8);
    assert_int_equal(left.lanes, 31);
    assert_int_equal(right.lanes, 31);
    /* Without lane 0 nobody needs the element left of the warp. */
    assert_int_equal(left.lines[0], 1);
    assert_int_equal(left.lines[2], 2);
    assert_int_equal(right.lines[0], 2);
    assert_int_equal(right.lines[2], 1);
    workload_close(workload_find("2dconv"), &p);
}

/* One load of z; then a line of y, an element of x and the store of z in each step. */
static void assert_product(struct program *p, const struct launch *l, unsigned depth,
                           unsigned columns) {
    struct walk w = walk_warp(p, l, 0, 1);
    assert_int_equal(w.accesses, 1 + 3 * depth);
    assert_int_equal(w.arithmetic, 7 + 5 * depth);
    for (unsigned i = 1; i + 5 < 60; i += 3) {
        assert_int_equal(w.lines[i], 1);
        assert_int_equal(w.lines[i + 1], 1);
        assert_int_equal(w.lines[i + 2], 1);
        assert_true(w.first[i + 2] == w.first[0]);
        assert_true(w.first[i + 3] == w.first[i] + columns * 4);
        assert_true(w.first[i + 4] == w.first[i + 1] + 4);
    }
}

TEST(the_products_of_3mm_store_in_each_step) {
    struct program p;
    records_open("3mm", &p, SIZE_PAPER_MRPB);
    assert_true(((struct host *)p.self)->memory.used == 7 << 20);
    for (unsigned i = 0; i < 3; i++) {
        const struct launch *l = next_launch_of(&p);
        assert_shape(l, 16, 64);
        assert_int_equal(l->code->registers, 14);
        assert_product(&p, l, 512, 512);
    }
    assert_launches_left(&p, 0);
    workload_close(workload_find("3mm"), &p);
}

TEST(small_2mm_keeps_strides_and_steps) {
    struct program p;
    records_open("2mm", &p, SIZE_SMALL);
    for (unsigned i = 0; i < 2; i++) {
        const struct launch *l = next_launch_of(&p);
        assert_shape(l, 16, 8);
        assert_product(&p, l, 512, 512);
    }
    assert_launches_left(&p, 0);
    workload_close(workload_find("2mm"), &p);
}

TEST(a_warp_of_3dconv_loads_eleven_neighbours) {
    static const unsigned lines[] = {2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 1};
    struct program p;
    records_open("3dconv", &p, SIZE_PAPER_MRPB);
    const struct launch *l = next_launch_of(&p);
    assert_shape(l, 8, 32);
    assert_int_equal(l->code->registers, 32);
    struct walk w = walk_warp(&p, l, 9, 2); /* CTA (1, 1) */
    assert_lines(&w, lines, 12);
    assert_int_equal(w.arithmetic, 46);
    /* Row 10, column 32 of plane 1: the third load is (1, 9, 32), the first (0, 9, 31). */
    assert_true(w.first[0] == DEVICE_MEMORY_BASE + 4 * (9 * 256 + 31));
    assert_true(w.first[2] == w.first[0] + 4 * (65536 + 1));
    assert_launches_left(&p, 253);
    workload_close(workload_find("3dconv"), &p);
}

TEST(a_time_step_of_fdtd_is_three_launches) {
    /* Row 9 of ex starts 9 elements into a line. */
    static const unsigned ey_0[] = {1, 1}, ey[] = {1, 1, 1, 1}, ex[] = {1, 2, 2, 2},
                          hz[] = {2, 2, 1, 1, 1, 1};
    static const unsigned registers[] = {12, 12, 18}, arithmetic[] = {20, 24, 26};
    static const unsigned *const lines[] = {ey, ex, hz};
    static const unsigned counts[] = {4, 4, 6};
    struct program p;
    records_open("fdtd", &p, SIZE_PAPER_MRPB);
    for (unsigned i = 0; i < 3; i++) {
        const struct launch *l = next_launch_of(&p);
        assert_shape(l, 64, 256);
        assert_int_equal(l->code->registers, registers[i]);
        struct walk first = walk_warp(&p, l, 0, 0), w = walk_warp(&p, l, 65, 1);
        assert_lines(&w, lines[i], counts[i]);
        assert_int_equal(w.arithmetic, arithmetic[i]);
        assert_int_equal(first.lanes, i == 1 ? 31 : 32); /* j > 0 in step 2 alone */
        if (i == 0) {
            assert_lines(&first, ey_0, 2);
        }
    }
    assert_launches_left(&p, 3 * 8 - 3);
    workload_close(workload_find("fdtd"), &p);
}

/* Lanes are columns: loads go along a row of 2049 elements, results to as many rows as lanes. */
TEST(the_products_of_covar_store_to_32_lines) {
    struct program p;
    const unsigned n = 16;
    records_open("covar", &p, SIZE_SMALL);
    const struct launch *l = next_launch_of(&p);
    assert_int_equal(launch_ctas(l), 4);
    l = next_launch_of(&p);
    assert_shape(l, 32, 1); /* 8 of 16 rows */
    l = next_launch_of(&p);
    assert_int_equal(launch_ctas(l), 4);
    struct walk w = walk_warp(&p, l, 3, 6); /* columns 961 on: 64 steps, the last of one lane */
    assert_int_equal(w.accesses, 64 * (2 + 3 * n));
    assert_int_equal(w.arithmetic, 4 + 64 * (8 + 5 * n));
    assert_int_equal(w.lanes, 1);
    assert_int_equal(w.lines[0], 32);
    assert_int_equal(w.lines[1], 2); /* row 1 begins an element into a line */
    assert_int_equal(w.lines[2], 2);
    assert_int_equal(w.lines[3], 32);
    assert_true(w.first[3] == w.first[0]);
    assert_true(w.first[4] == w.first[1] + 2049 * 4);
    assert_launches_left(&p, 0);
    workload_close(workload_find("covar"), &p);
}

TEST(paper_covar_and_corr_have_eight_ctas) {
    struct program p;
    records_open("covar", &p, SIZE_PAPER_MDB);
    assert_int_equal(launch_ctas(next_launch_of(&p)), 8);
    assert_shape(next_launch_of(&p), 64, 4); /* 32 of 128 rows */
    assert_int_equal(launch_ctas(next_launch_of(&p)), 8);
    assert_launches_left(&p, 0);
    workload_close(workload_find("covar"), &p);
    records_open("corr", &p, SIZE_PAPER);
    assert_int_equal(launch_ctas(next_launch_of(&p)), 8);
    assert_int_equal(launch_ctas(next_launch_of(&p)), 8);
    assert_shape(next_launch_of(&p), 64, 16);
    assert_int_equal(launch_ctas(next_launch_of(&p)), 8);
    assert_launches_left(&p, 0);
    workload_close(workload_find("corr"), &p);
}

TEST(a_wrong_bit_in_a_grid_result_fails_the_check) {
    static const struct {
        const char *name;
        unsigned block; /* of the result, in the order of allocation */
        const char *says;
    } results[] = {
        {"2dconv", 1, "B[4117] is "},  {"2mm", 2, "C[17] is "},        {"2mm", 4, "E[17] is "},
        {"3mm", 4, "E[17] is "},       {"3mm", 5, "F[17] is "},        {"3mm", 6, "G[17] is "},
        {"3dconv", 1, "B[17] is "},    {"fdtd", 1, "ex[17] is "},      {"fdtd", 2, "ey[17] is "},
        {"fdtd", 3, "hz[17] is "},     {"covar", 1, "symmat[17] is "}, {"covar", 2, "mean[17] is "},
        {"corr", 1, "symmat[17] is "}, {"corr", 2, "stddev[17] is "}};
    for (unsigned i = 0; i < sizeof results / sizeof results[0]; i++) {
        const unsigned word = i == 0 ? 4117 : 17;
        expect_wrong_bit_seen(results[i].name, results[i].block, 4 * word, results[i].says);
    }
}
