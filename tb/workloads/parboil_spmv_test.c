/* SPDX-License-Identifier: Apache-2.0
 *
 * Parboil spmv: its matrix against the suite's large one, the jagged diagonals, and the accesses.
 */
#include "workloads/parboil/jds.h"
#include "workloads/rodinia_records.h"

#define COLUMNS_MAX 121

static const struct fem large = {3, 128}, small = {5, 32};

/* Dubcova3: 146689 rows, 3.6 million non-zeros; of cubic elements, an unknown inside one couples
 * with 4 along a side, one between two of them with 7. */
TEST(the_large_matrix_has_the_counts_of_the_suites) {
    int32_t column[COLUMNS_MAX];
    unsigned nonzeros = 0, of_length[COLUMNS_MAX + 1] = {0};
    assert_int_equal(fem_rows(&large), 146689);
    for (unsigned r = 0; r < fem_rows(&large); r++) {
        const unsigned count = fem_row(&large, r, column);
        nonzeros += count;
        of_length[count]++;
        for (unsigned i = 0; i < count; i++) {
            assert_true(column[i] >= 0 && column[i] < 146689);
            assert_true(abs(column[i] - (int)r) <= 3 * 383 + 3); /* banded */
            assert_true(i == 0 || column[i] > column[i - 1]);
        }
    }
    assert_int_equal(nonzeros, 1907 * 1907);
    /* Away from the border, where an element has lost some: 126 and 125 elements a side. */
    assert_int_equal(of_length[4 * 4], 4 * 126 * 126);
    assert_int_equal(of_length[7 * 7], 125 * 125);
    assert_int_equal(of_length[4 * 7], 2 * 2 * 126 * 125);
}

static bool holds_column(const int32_t *column, unsigned count, unsigned wanted) {
    for (unsigned i = 0; i < count; i++) {
        if (column[i] == (int32_t)wanted) {
            return true;
        }
    }
    return false;
}

TEST(the_matrix_is_symmetric) {
    int32_t row[COLUMNS_MAX], other[COLUMNS_MAX];
    for (unsigned r = 0; r < fem_rows(&small); r++) {
        const unsigned count = fem_row(&small, r, row);
        assert_true(holds_column(row, count, r));
        for (unsigned i = 0; i < count; i++) {
            assert_true(holds_column(other, fem_row(&small, (unsigned)row[i], other), r));
        }
    }
}

TEST(diagonals_hold_sorted_and_padded_rows) {
    struct device_memory m = {0};
    struct jds j;
    assert_true(jds_create(&j, &m, &small, 1));
    const int32_t *perm = j.perm.data, *ptr = j.ptr.data, *lengths = j.lengths.data;
    int32_t row[COLUMNS_MAX];
    unsigned before = COLUMNS_MAX;
    bool *seen = calloc(j.rows, sizeof *seen);
    assert_int_equal(j.diagonals, 121);
    for (unsigned i = 0; i < j.groups * JDS_GROUP; i++) {
        const unsigned padded = (unsigned)lengths[i / JDS_GROUP];
        const unsigned count = i < j.rows ? fem_row(&small, (unsigned)perm[i], row) : 0;
        assert_true(count <= before && count <= padded);
        assert_true(i % JDS_GROUP != 0 || count == padded);
        for (unsigned k = 0; k < padded; k++) {
            const uint64_t at = (uint64_t)ptr[k] + i;
            const float value = ((float *)j.data.data)[at];
            assert_int_equal(ptr[k] % JDS_GROUP, 0);
            assert_int_equal(((int32_t *)j.index.data)[at], k < count ? row[k] : 0);
            assert_true(k < count ? value >= 0 && value < 1 : value == 0);
        }
        if (i < j.rows) {
            assert_false(seen[perm[i]]);
            seen[perm[i]] = true;
            before = count;
        }
    }
    free(seen);
    device_memory_free(&m);
}

TEST(launches_and_blocks_are_the_suites) {
    static const struct {
        enum workload_size size;
        unsigned launches, block, grid;
    } expected[] = {{SIZE_TINY, 2, 32, 48}, /* 1521 rows do not fill the cores */
                    {SIZE_SMALL, 4, 192, 132},
                    {SIZE_PAPER_OWL, 50, 192, 765}};
    for (unsigned i = 0; i < 3; i++) {
        struct program p;
        const struct launch *l;
        unsigned launches = 0;
        records_open("parboil-spmv", &p, expected[i].size);
        for (; p.next_launch(p.self, &l); launches++) {
            assert_int_equal(l->block[0], expected[i].block);
            assert_int_equal(launch_ctas(l), expected[i].grid);
        }
        assert_int_equal(launches, expected[i].launches);
        workload_close(workload_find("parboil-spmv"), &p);
    }
}

struct counts {
    unsigned trips, whole, uniform, x_lines, y, y_lines;
};

/* Global loads in the order of the code: index, data, x, perm. */
static void count_parboil_loads(void *self, const struct place *at) {
    struct counts *c = self;
    const bool streamed =
        record_is(at, OP_LOAD, SPACE_GLOBAL, 0) || record_is(at, OP_LOAD, SPACE_GLOBAL, 1);
    c->whole += streamed && record_lanes(at) == WARP_SIZE && record_lines(at) == 1;
    c->uniform += record_is(at, OP_LOAD, SPACE_CONSTANT, 1) && record_lines(at) == 1;
    if (record_is(at, OP_LOAD, SPACE_GLOBAL, 2)) {
        c->trips++;
        c->x_lines += record_lines(at);
    }
    if (record_is(at, OP_STORE, SPACE_GLOBAL, 0)) {
        c->y++;
        c->y_lines += record_lines(at);
    }
}

/* 25281 rows are 790 warps and a row. */
TEST(warps_stream_the_matrix_and_gather_x) {
    struct counts c = {0};
    struct program p;
    records_open("parboil-spmv", &p, SIZE_SMALL);
    assert_int_equal(records_run(&p, (struct run_order){.skipped = -1}, count_parboil_loads, &c),
                     4);
    assert_int_equal(c.y, 4 * 791);
    assert_int_equal(c.uniform, c.trips);
    assert_int_equal(c.whole, 2 * (c.trips - 4 * 25)); /* the last, of a corner: 5 x 5 */
    print_message("%.1f trips; x: %.2f lines, y: %.2f lines\n", (double)c.trips / c.y,
                  (double)c.x_lines / c.trips, (double)c.y_lines / c.y);
    /* 32 rows of a kind lie along a line of the mesh: every unknown inside elements is 5/4 of a
     * place from the next, every one between them 5. */
    assert_true(c.x_lines >= 2 * c.trips && c.x_lines <= 6 * c.trips);
    workload_close(workload_find("parboil-spmv"), &p);
}

TEST(a_wrong_bit_or_launch_fails_the_check) {
    expect_wrong_bit_seen("parboil-spmv", 1, 17 * 4, "y[17] is ");
    expect_left_out_seen("parboil-spmv", 0);
    expect_left_out_seen("parboil-spmv", 1);
}
