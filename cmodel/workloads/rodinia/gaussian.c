/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia gaussian: elimination without pivoting of a system of linear equations, two launches a
 * column. The first divides a column by its pivot: a lane a row, each in a line of its own. The
 * second subtracts: a CTA is 4 x 4 threads whose x is the row, so that half a warp touches four
 * pieces of 16 bytes, and CTAs on different cores share lines. The grid always covers the whole
 * matrix: most CTAs find nothing to do.
 *
 * The rows are 208 floats long in all sizes but have only their first columns eliminated in the
 * smaller ones. Substitution backwards is the host's and left out.
 */
#include <math.h>

#include "workloads/host.h"
#include "workloads/common/lines.h"
#include "workloads/workloads.h"

#define COLUMN_BLOCK 512
#define SIDE 4

/* Rows of the matrix, a multiple of SIDE and at most COLUMN_BLOCK, and columns eliminated. */
static const struct size {
    unsigned rows, columns;
} sizes[] = {
    [SIZE_TINY] = {208, 4},
    [SIZE_SMALL] = {208, 207},
    [SIZE_PAPER_MRPB] = {208, 207},
};

struct gaussian {
    struct host host;
    unsigned n, columns;
    unsigned column; /* of the current launches */
    struct buffer m, a, b;
};

enum { R_INDEX, R_PREDICATE, R_ADDRESS, R_A, R_PIVOT, R_M, R_B };

#define DIVIDE(I) \
    I(ALU, D_INDEX, OP_INT_MAD, R_INDEX, R_INDEX) \
    I(ALU, D_GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_INDEX) \
    I(BRANCH, D_GUARD, R_PREDICATE) \
    I(ALU, D_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ADDRESS, R_INDEX) \
    I(LOAD, D_LOAD_A, SPACE_GLOBAL, 4, R_A, R_ADDRESS) \
    I(LOAD, D_LOAD_PIVOT, SPACE_GLOBAL, 4, R_PIVOT, R_ADDRESS) \
    I(ALU, D_DIV, OP_FP_DIV, R_A, R_A, R_PIVOT) \
    I(STORE, D_STORE_M, SPACE_GLOBAL, 4, R_A, R_ADDRESS)
SIMT_CODE(gaussian_divide, DIVIDE, .registers = 15);

/* 22 instructions of arithmetic, of which those to here are done by all threads. */
#define DIVIDE_ALL 5
#define DIVIDE_ADDRESS 16

/* m[c + 1 + g][c] = a[c + 1 + g][c] / a[c][c] */
static void divide(struct simt *s, const void *arguments) {
    const struct gaussian *k = arguments;
    const int64_t n = k->n, c = k->column;
    float a[SIMT_THREADS], pivot[SIMT_THREADS];
    struct simt_mask inside;

    simt_work(s, D_INDEX, DIVIDE_ALL - 2);
    simt_alu(s, D_GUARD_COMPARE);
    SIMT_WHERE(s, inside, t, t < n - 1 - c);
    SIMT_IF(s, D_GUARD, &inside) {
        simt_work(s, D_ADDRESS, DIVIDE_ADDRESS);
        simt_load(s, D_LOAD_A, a, &k->a, element_x((c + 1) * n + c, n));
        simt_load(s, D_LOAD_PIVOT, pivot, &k->a, element_at(c * n + c));
        SIMT_ALU(s, D_DIV, t) {
            a[t] /= pivot[t];
        }
        simt_store(s, D_STORE_M, a, &k->m, element_x((c + 1) * n + c, n));
    }
}

#define SUBTRACT(I) \
    I(ALU, S_INDEX, OP_INT_MAD, R_INDEX, R_INDEX) \
    I(ALU, S_ROW_COMPARE, OP_INT_ADD, R_PREDICATE, R_INDEX) \
    I(BRANCH, S_ROW_GUARD, R_PREDICATE) \
    I(ALU, S_COLUMN_COMPARE, OP_INT_ADD, R_PREDICATE, R_INDEX) \
    I(BRANCH, S_COLUMN_GUARD, R_PREDICATE) \
    I(ALU, S_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ADDRESS, R_INDEX) \
    I(LOAD, S_LOAD_M, SPACE_GLOBAL, 4, R_M, R_ADDRESS) \
    I(LOAD, S_LOAD_PIVOT, SPACE_GLOBAL, 4, R_PIVOT, R_ADDRESS) \
    I(LOAD, S_LOAD_A, SPACE_GLOBAL, 4, R_A, R_ADDRESS) \
    I(ALU, S_MUL, OP_FP_MUL, R_PIVOT, R_PIVOT, R_M) \
    I(ALU, S_SUB, OP_FP_ADD, R_A, R_A, R_PIVOT) \
    I(STORE, S_STORE_A, SPACE_GLOBAL, 4, R_A, R_ADDRESS) \
    I(ALU, S_FIRST_COMPARE, OP_INT_ADD, R_PREDICATE, R_INDEX) \
    I(BRANCH, S_FIRST, R_PREDICATE) \
    I(LOAD, S_RELOAD_M, SPACE_GLOBAL, 4, R_M, R_ADDRESS) \
    I(ALU, S_B_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ADDRESS) \
    I(LOAD, S_LOAD_B_PIVOT, SPACE_GLOBAL, 4, R_PIVOT, R_ADDRESS) \
    I(LOAD, S_LOAD_B, SPACE_GLOBAL, 4, R_B, R_ADDRESS) \
    I(ALU, S_B_MUL, OP_FP_MUL, R_PIVOT, R_PIVOT, R_M) \
    I(ALU, S_B_SUB, OP_FP_ADD, R_B, R_B, R_PIVOT) \
    I(STORE, S_STORE_B, SPACE_GLOBAL, 4, R_B, R_ADDRESS)
SIMT_CODE(gaussian_subtract, SUBTRACT, .registers = 16);

/* 38 instructions of arithmetic: to the second guard, addresses of a, those of b. */
#define SUBTRACT_INDEX 5
#define SUBTRACT_ADDRESS 19
#define SUBTRACT_B_ADDRESS 4

/* b[c + 1 + x] -= m[c + 1 + x][c] * b[c] */
static void subtract_b(struct simt *s, const struct gaussian *k, int64_t x) {
    const int64_t n = k->n, c = k->column;
    float m[SIMT_THREADS], pivot[SIMT_THREADS], b[SIMT_THREADS];

    simt_load(s, S_RELOAD_M, m, &k->m, element_x((c + 1 + x) * n + c, n));
    simt_work(s, S_B_ADDRESS, SUBTRACT_B_ADDRESS);
    simt_load(s, S_LOAD_B_PIVOT, pivot, &k->b, element_at(c));
    simt_load(s, S_LOAD_B, b, &k->b, element_x(c + 1 + x, 1));
    simt_alus(s, S_B_MUL, S_B_SUB);
    SIMT_EACH(s, t) {
        b[t] -= m[t] * pivot[t];
    }
    simt_store(s, S_STORE_B, b, &k->b, element_x(c + 1 + x, 1));
}

/* a[c + 1 + x][c + y] -= m[c + 1 + x][c] * a[c][c + y] */
static void subtract_a(struct simt *s, const struct gaussian *k, int64_t x, int64_t y) {
    const int64_t n = k->n, c = k->column;
    const struct element cell = element_xy((c + 1 + x) * n + c + y, n, 1);
    float m[SIMT_THREADS], pivot[SIMT_THREADS], a[SIMT_THREADS];
    struct simt_mask first;

    simt_work(s, S_ADDRESS, SUBTRACT_ADDRESS);
    simt_load(s, S_LOAD_M, m, &k->m, element_x((c + 1 + x) * n + c, n));
    simt_load(s, S_LOAD_PIVOT, pivot, &k->a, element_xy(c * n + c + y, 0, 1));
    simt_load(s, S_LOAD_A, a, &k->a, cell);
    simt_alus(s, S_MUL, S_SUB);
    SIMT_EACH(s, t) {
        a[t] -= m[t] * pivot[t];
    }
    simt_store(s, S_STORE_A, a, &k->a, cell);
    simt_alu(s, S_FIRST_COMPARE);
    SIMT_WHERE(s, first, t, y + s->y[t] == 0);
    SIMT_IF(s, S_FIRST, &first) {
        subtract_b(s, k, x);
    }
}

static void subtract(struct simt *s, const void *arguments) {
    const struct gaussian *k = arguments;
    const int64_t n = k->n, c = k->column;
    const int64_t x = (int64_t)s->cta[0] * SIDE, y = (int64_t)s->cta[1] * SIDE; /* of thread 0 */
    struct simt_mask row, column;

    simt_work(s, S_INDEX, SUBTRACT_INDEX);
    simt_alu(s, S_ROW_COMPARE);
    SIMT_WHERE(s, row, t, x + s->x[t] < n - 1 - c);
    SIMT_IF(s, S_ROW_GUARD, &row) {
        simt_alu(s, S_COLUMN_COMPARE);
        SIMT_WHERE(s, column, t, y + s->y[t] < n - c);
        SIMT_IF(s, S_COLUMN_GUARD, &column) {
            subtract_a(s, k, x, y);
        }
    }
}

static bool gaussian_step(void *self, unsigned step, struct host_launch *out) {
    struct gaussian *k = self;
    k->column = step / 2;
    if (step % 2 == 0) {
        *out = (struct host_launch){
            .launch = {&gaussian_divide_code, {1, 1, 1}, {COLUMN_BLOCK, 1, 1}}, .kernel = divide};
    } else {
        *out = (struct host_launch){
            .launch = {&gaussian_subtract_code, {k->n / SIDE, k->n / SIDE, 1}, {SIDE, SIDE, 1}},
            .kernel = subtract};
    }
    return k->column < k->columns;
}

/* The suite's generated matrix, the same for all seeds: greatest on the diagonal, and falling off
 * with the distance from it. */
static void fill(unsigned n, float *a, float *b) {
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < n; j++) {
            a[i * n + j] = 10.0f * expf(-0.01f * (float)(i > j ? i - j : j - i));
        }
        b[i] = 1.0f;
    }
}

static bool gaussian_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct gaussian *k = self;
    const unsigned n = sizes[size].rows;
    k->n = n;
    k->columns = sizes[size].columns;
    if (!HOST_ALLOC(&k->host.memory, {&k->m, n * n, sizeof(float)}, {&k->a, n * n, sizeof(float)},
                    {&k->b, n, sizeof(float)})) {
        return false;
    }
    fill(n, k->a.data, k->b.data);
    host_set_step(&k->host, gaussian_step);
    return true;
}

static const struct workload_result results[] = {
    FLOATS("m", gaussian, m), FLOATS("a", gaussian, a), FLOATS("b", gaussian, b), {0}};

static bool gaussian_plain(void *self, void *const expected[]) {
    const struct gaussian *k = self;
    const unsigned n = k->n;
    float *m = expected[0], *a = expected[1], *b = expected[2];
    fill(n, a, b);
    for (unsigned c = 0; c < k->columns; c++) {
        for (unsigned i = c + 1; i < n; i++) {
            const float factor = a[i * n + c] / a[c * n + c];
            m[i * n + c] = factor;
            for (unsigned j = c; j < n; j++) {
                a[i * n + j] -= factor * a[c * n + j];
            }
            b[i] -= factor * b[c];
        }
    }
    return true;
}

static void add(struct workload_expectation *e, uint64_t instructions, uint64_t lanes) {
    e->warp_instructions += lanes ? instructions : 0;
    e->thread_instructions += instructions * lanes;
}

/* Elements @first .. @first + SIDE - 1 below @end. */
static unsigned below(unsigned first, unsigned end) {
    return first >= end ? 0 : end - first < SIDE ? end - first : SIDE;
}

/* The CTA whose first element is (@x, @y) of what is left when @c columns are gone. */
static void expect_subtract(unsigned n, unsigned c, unsigned x, unsigned y, unsigned line_bytes,
                            struct workload_expectation *e) {
    const unsigned rows = below(x, n - 1 - c), columns = below(y, n - c);
    uint64_t cells = 0;
    for (unsigned i = 0; columns && i < rows; i++) {
        cells += lines_of_run((uint64_t)(c + 1 + x + i) * n + c + y, columns, 4, line_bytes);
    }
    add(e, SUBTRACT_INDEX + 2, SIDE * SIDE);
    add(e, 2, rows * SIDE);
    add(e, SUBTRACT_ADDRESS + 8, rows * columns);
    add(e, y == 0 ? SUBTRACT_B_ADDRESS + 6 : 0, columns ? rows : 0);
    if (rows && columns) {
        const uint64_t b = lines_of_run(c + 1 + x, rows, 4, line_bytes);
        e->global_read_accesses +=
            rows + lines_of_run((uint64_t)c * n + c + y, columns, 4, line_bytes) + cells;
        e->global_read_accesses += y == 0 ? rows + 1 + b : 0;
        e->global_write_accesses += cells + (y == 0 ? b : 0);
    }
}

static void gaussian_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct gaussian *k = self;
    const unsigned n = k->n;
    for (unsigned c = 0; c < k->columns; c++) {
        const unsigned rows = n - 1 - c, warps = (rows + WARP_SIZE - 1) / WARP_SIZE;
        e->warp_instructions +=
            COLUMN_BLOCK / WARP_SIZE * DIVIDE_ALL + warps * (DIVIDE_ADDRESS + 4);
        e->thread_instructions += COLUMN_BLOCK * DIVIDE_ALL + rows * (DIVIDE_ADDRESS + 4);
        e->global_read_accesses += rows + warps; /* a row is longer than a line */
        e->global_write_accesses += rows;
        for (unsigned i = 0; i < n * n / (SIDE * SIDE); i++) {
            expect_subtract(n, c, i % (n / SIDE) * SIDE, i / (n / SIDE) * SIDE, line_bytes, e);
        }
    }
}

const struct workload workload_gaussian = {
    .name = "gaussian",
    .suite = "rodinia",
    .about = "elimination: columns a lane a row, then half-empty warps of 4 x 4",
    .size_text = {[SIZE_TINY] = "208 x 208, 4 columns",
                  [SIZE_SMALL] = "208 x 208",
                  [SIZE_PAPER_MRPB] = "208 x 208"},
    .bytes = sizeof(struct gaussian),
    .open = gaussian_open,
    .results = results,
    .plain = gaussian_plain,
    .expect = gaussian_expect,
};
