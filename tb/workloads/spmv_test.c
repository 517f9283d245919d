/* SPDX-License-Identifier: Apache-2.0
 *
 * SHOC SPMV: its matrix against figures of the suite's own, and what the records of the two kernels
 * say of them.
 */
#include <math.h>

#include "workloads/rodinia_records.h"
#include "workloads/shoc/csr.h"

#define N_MAX 16384
#define ARRAY_LINES (1 << 15)

static int32_t rows[N_MAX + 1], cols[N_MAX * N_MAX / 100 + 1];

static bool is_near_digit(double measured, double expected, double digit) {
    return fabs(measured - expected) <= digit / 2 + 1e-9;
}

/* The figures come from the suite's generator with the C library's drand48(), at its sizes. */
TEST(the_matrix_is_the_suites) {
    static const struct {
        unsigned n;
        int32_t nonzeros, shortest, longest, last;
        double warp_longest; /* mean over the warps */
    } suite[] = {{1024, 10485, 1, 68, 68, 18.4},
                 {8192, 671088, 49, 936, 936, 104.2},
                 {16384, 2684354, 121, 382, 382, 191.0}};
    for (unsigned i = 0; i < sizeof suite / sizeof *suite; i++) {
        const unsigned n = suite[i].n;
        int32_t shortest = INT32_MAX, longest = 0;
        double sum = 0;
        csr_generate(n, rows, cols);
        for (unsigned first = 0; first < n; first += WARP_SIZE) {
            int32_t warp = 0;
            for (unsigned r = first; r < first + WARP_SIZE; r++) {
                const int32_t length = rows[r + 1] - rows[r];
                warp = length > warp ? length : warp;
                shortest = length < shortest ? length : shortest;
            }
            longest = warp > longest ? warp : longest;
            sum += warp;
        }
        assert_int_equal(rows[n], suite[i].nonzeros);
        assert_int_equal(shortest, suite[i].shortest);
        assert_int_equal(longest, suite[i].longest);
        assert_int_equal(rows[n] - rows[n - 1], suite[i].last);
        assert_true(is_near_digit(sum / (n / WARP_SIZE), suite[i].warp_longest, 0.1));
    }
}

TEST(columns_ascend_in_each_row) {
    csr_generate(8192, rows, cols);
    for (unsigned r = 0; r < 8192; r++) {
        for (int32_t j = rows[r]; j < rows[r + 1]; j++) {
            assert_true(cols[j] >= 0 && cols[j] < 8192);
            assert_true(j == rows[r] || cols[j] > cols[j - 1]);
        }
    }
}

/* Sums over all warps. */
struct counts {
    unsigned warps, instructions, iterations, lanes;
    unsigned cols_lines, val_lines, vec_lines;
    unsigned cols_distinct, val_distinct;
    unsigned narrow; /* loads of cols and val of one or two lines */
    unsigned shared, stores;
    unsigned toucher[2][ARRAY_LINES]; /* the last warp, from 1 */
};

/* Lines of the op that its warp has not touched before; an array has fewer than ARRAY_LINES. */
static unsigned new_lines(unsigned *toucher, unsigned warp, const struct place *at) {
    uint64_t address[WARP_SIZE];
    unsigned found = 0;
    warp_op_addresses(at->op, address);
    for (uint32_t m = at->op->active; m; m &= m - 1) {
        unsigned *t = &toucher[address[__builtin_ctz(m)] / LINE_BYTES % ARRAY_LINES];
        found += *t != warp;
        *t = warp;
    }
    return found;
}

static void count_spmv_loads(void *self, const struct place *at) {
    struct counts *c = self;
    const bool is_cols = record_is(at, OP_LOAD, SPACE_GLOBAL, 2);
    const bool is_val = record_is(at, OP_LOAD, SPACE_GLOBAL, 3);
    c->instructions += !insn_is_marker(at->op->insn);
    if (record_is(at, OP_LOAD, SPACE_GLOBAL, 0)) {
        c->warps++;
    }
    if (is_cols) {
        c->iterations++;
        c->lanes += record_lanes(at);
        c->cols_lines += record_lines(at);
        c->cols_distinct += new_lines(c->toucher[0], c->warps, at);
    }
    if (is_val) {
        c->val_lines += record_lines(at);
        c->val_distinct += new_lines(c->toucher[1], c->warps, at);
    }
    c->narrow += (is_cols || is_val) && record_lines(at) <= 2;
    c->vec_lines += record_is(at, OP_LOAD, SPACE_TEXTURE, 0) ? record_lines(at) : 0;
    c->shared += insn_is_memory(at->op->insn) && at->op->insn->space == SPACE_SHARED;
    c->stores += record_is(at, OP_STORE, SPACE_GLOBAL, 0);
}

static struct counts count_spmv_program(const char *name) {
    struct counts c = {0};
    struct program p;
    records_open(name, &p, SIZE_SMALL);
    assert_int_equal(records_run(&p, (struct run_order){.skipped = -1}, count_spmv_loads, &c), 1);
    assert_null(workload_check(workload_find(name), &p));
    workload_close(workload_find(name), &p);
    return c;
}

/* 82.9 lines of each array a warp, 64 of which are live: each lane's own. */
TEST(scalar_lanes_walk_a_line_each) {
    const struct counts c = count_spmv_program("spmv-scalar");
    assert_int_equal(c.warps, 256);
    assert_int_equal(c.lanes, 671088);
    assert_true(is_near_digit((double)c.iterations / c.warps, 104.2, 0.1));
    assert_true(is_near_digit((double)c.lanes / c.iterations, 25.2, 0.1));
    assert_true(is_near_digit((double)c.cols_lines / c.iterations, 25.2, 0.1));
    assert_true(is_near_digit((double)c.val_lines / c.iterations, 25.2, 0.1));
    assert_true(is_near_digit((double)c.vec_lines / c.iterations, 19.4, 0.1));
    assert_true(is_near_digit((double)c.cols_distinct / c.warps, 82.9, 0.1));
    assert_true(is_near_digit((double)c.val_distinct / c.warps, 82.9, 0.1));
}

/* A row of 82 takes 2.6 trips, of which the last is not full; an op has one line or two. */
TEST(vector_lanes_read_neighbours) {
    const struct counts c = count_spmv_program("spmv-vector");
    unsigned trips = 0;
    csr_generate(8192, rows, cols);
    for (unsigned r = 0; r < 8192; r++) {
        trips += (unsigned)(rows[r + 1] - rows[r] + WARP_SIZE - 1) / WARP_SIZE;
    }
    assert_int_equal(c.warps, 8192);
    assert_int_equal(c.lanes, 671088);
    assert_int_equal(c.iterations, trips);
    assert_int_equal(c.narrow, 2 * trips);
    assert_int_equal(c.shared, 8192 * (1 + 5 * 3 + 1));
    assert_int_equal(c.stores, 8192);
}

/* DAWS, section 7.2: 8k rows of 82, the only size that the paper names, and the only place where it
 * has the vector kernel. */
TEST(the_papers_matrix_has_8192_rows) {
    static const struct {
        const char *name;
        enum workload_size size;
    } programs[] = {
        {"spmv-scalar", SIZE_SMALL}, {"spmv-vector", SIZE_SMALL}, {"spmv-vector", SIZE_PAPER_DAWS}};
    for (unsigned i = 0; i < 3; i++) {
        struct program p;
        records_open(programs[i].name, &p, programs[i].size);
        const struct csr_program *k = p.self;
        assert_int_equal(k->n, 8192);
        assert_int_equal(k->val.count, 671088);
        workload_close(workload_find(programs[i].name), &p);
    }
}

/* DAWS, section 7.2: the scalar kernel executes 2.8 times fewer dynamic instructions and has 32
 * times fewer warps. */
TEST(the_kernels_compare_as_in_the_paper) {
    const struct counts scalar = count_spmv_program("spmv-scalar"),
                        vector = count_spmv_program("spmv-vector");
    print_message("vector / scalar instructions: %.2f\n",
                  (double)vector.instructions / scalar.instructions);
    assert_true(is_near_digit((double)vector.instructions / scalar.instructions, 2.8, 0.1));
    assert_int_equal(vector.warps, 32 * scalar.warps);
}

TEST(a_wrong_bit_in_out_fails_the_check) {
    expect_wrong_bit_seen("spmv-scalar", 4, 17 * 4, "out[17] is ");
    expect_wrong_bit_seen("spmv-vector", 4, 2047 * 4 + 3, "out[2047] is ");
}
