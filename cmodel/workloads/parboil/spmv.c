/* SPDX-License-Identifier: Apache-2.0
 *
 * Parboil spmv: y = matrix * x, a thread a row of a matrix in jagged diagonals, so data and index
 * are streamed in whole lines; x is gathered, from few lines as rows that are neighbours in a mesh
 * are neighbours in x, and y scattered to where the row was before rows were sorted. Lengths are
 * those of a warp's longest row, and stand in constant memory, as the begins of the diagonals.
 *
 * The order of accesses is that of the suite's base version; its optimised one has the same
 * accesses, loads two iterations ahead.
 *
 * The suite's large input is the matrix Dubcova3, which is not here: its 146689 rows and 3.6
 * million non-zeros are those of cubic elements on a square of 128 x 128 (383^2 rows, 1907^2
 * non-zeros), and such a matrix is made, with unknowns numbered line by line: the suite's order is
 * not known. Tiny and small are of degree 5, with twice as many non-zeros a row; small has the
 * large one's blocks of 192 threads. All launches do the same; the host clears y between them and
 * sees that each has written all of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/parboil/jds.h"
#include "workloads/common/lines.h"
#include "workloads/workloads.h"

/* The suite asks the device: with enough rows to fill all cores, as many threads as an eighth of a
 * core's, else a warp a block. MeDiC's machine, table I. */
#define CORES 15
#define CORE_THREADS 1536
#define BLOCK_MANY (CORE_THREADS / 8)
#define BLOCK_FEW WARP_SIZE

static const struct size {
    struct fem fem;
    unsigned launches;
} sizes[] = {
    [SIZE_TINY] = {{5, 8}, 2},
    [SIZE_SMALL] = {{5, 32}, 4},
    [SIZE_PAPER_OWL] = {{3, 128}, 50},
};

struct spmv {
    struct host host;
    struct size size;
    unsigned block;
    struct jds matrix;
    struct buffer x, y;
    float *expected;       /* y in plain C */
    unsigned wrong_launch; /* the first that left a wrong y, from 1; 0: none */
};

enum {
    R_ROW,
    R_PREDICATE,
    R_WARP,
    R_BOUND,
    R_SUM,
    R_K,
    R_PTR_ADDRESS,
    R_PTR,
    R_J,
    R_ADDRESS,
    R_INDEX,
    R_DATA,
    R_X_ADDRESS,
    R_X,
    R_PERM
};

#define SPMV(I) \
    I(ALU, ROW, OP_INT_MAD, R_ROW, REG_NONE) \
    I(ALU, COMPARE_ROW, OP_INT_ADD, R_PREDICATE, R_ROW) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, WARP, OP_INT_ADD, R_WARP, R_ROW) \
    I(ALU, BOUND_ADDRESS, OP_INT_MAD, R_ADDRESS, R_WARP) \
    I(LOAD, LOAD_BOUND, SPACE_CONSTANT, 4, R_BOUND, R_ADDRESS) \
    I(ALU, ZERO, OP_FP_ADD, R_SUM, REG_NONE) \
    I(ALU, FIRST, OP_INT_ADD, R_K, REG_NONE) \
    I(ALU, FIRST_PTR, OP_INT_ADD, R_PTR_ADDRESS, REG_NONE) \
    I(ALU, COMPARE_EMPTY, OP_INT_ADD, R_PREDICATE, R_BOUND) \
    I(BRANCH, SKIP_EMPTY, R_PREDICATE) \
    I(LOOP, EACH) \
    I(LOAD, LOAD_PTR, SPACE_CONSTANT, 4, R_PTR, R_PTR_ADDRESS) \
    I(ALU, PLACE, OP_INT_ADD, R_J, R_PTR, R_ROW) \
    I(ALU, INDEX_ADDRESS, OP_INT_MAD, R_ADDRESS, R_J) \
    I(LOAD, LOAD_INDEX, SPACE_GLOBAL, 4, R_INDEX, R_ADDRESS) \
    I(ALU, DATA_ADDRESS, OP_INT_MAD, R_ADDRESS, R_J) \
    I(LOAD, LOAD_DATA, SPACE_GLOBAL, 4, R_DATA, R_ADDRESS) \
    I(ALU, X_ADDRESS, OP_INT_MAD, R_X_ADDRESS, R_INDEX) \
    I(LOAD, LOAD_X, SPACE_GLOBAL, 4, R_X, R_X_ADDRESS) \
    I(ALU, FMA, OP_FP_MAD, R_SUM, R_DATA, R_X, R_SUM) \
    I(ALU, NEXT, OP_INT_ADD, R_K, R_K) \
    I(ALU, NEXT_PTR, OP_INT_ADD, R_PTR_ADDRESS, R_PTR_ADDRESS) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_K, R_BOUND) \
    I(BRANCH, AGAIN, R_PREDICATE) \
    I(ALU, PERM_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ROW) \
    I(LOAD, LOAD_PERM, SPACE_GLOBAL, 4, R_PERM, R_ADDRESS) \
    I(ALU, Y_ADDRESS, OP_INT_MAD, R_ADDRESS, R_PERM) \
    I(STORE, STORE_Y, SPACE_GLOBAL, 4, R_SUM, R_ADDRESS)
SIMT_CODE(parboil_spmv, SPMV, .registers = 16);
enum {
    BEFORE = 8,
    STEP = 13,
    BEHIND = 4
}; /* instructions behind the guard, in and after the loop */

/* for (k = 0; k < bound; k++) sum += data[ptr[k] + row] * x[index[ptr[k] + row]]; */
static void sum_row(struct simt *s, const struct spmv *m, int64_t row, const int32_t *bound,
                    float *sum) {
    int32_t ptr[BLOCK_MANY], index[BLOCK_MANY];
    float data[BLOCK_MANY], x[BLOCK_MANY];
    struct simt_mask more;
    unsigned k = 0;
    SIMT_LOOP(s, EACH) {
        simt_load(s, LOAD_PTR, ptr, &m->matrix.ptr, element_at(k));
        const struct element place = {.base = row, .x = 1, .scale = 1, .lane = ptr};
        simt_alus(s, PLACE, INDEX_ADDRESS);
        simt_load(s, LOAD_INDEX, index, &m->matrix.index, place);
        simt_alu(s, DATA_ADDRESS);
        simt_load(s, LOAD_DATA, data, &m->matrix.data, place);
        simt_alu(s, X_ADDRESS);
        simt_load(s, LOAD_X, x, &m->x, element_lane(index));
        SIMT_ALU(s, FMA, t) {
            sum[t] += data[t] * x[t];
        }
        k++;
        simt_alus(s, NEXT, COMPARE);
        SIMT_WHERE(s, more, t, (int32_t)k < bound[t]);
        simt_while(s, AGAIN, &more);
    }
}

static void kernel(struct simt *s, const void *arguments) {
    const struct spmv *m = arguments;
    const int64_t row = (int64_t)s->cta[0] * m->block; /* of thread 0 */
    int32_t warp[BLOCK_MANY], bound[BLOCK_MANY], perm[BLOCK_MANY];
    float sum[BLOCK_MANY];
    struct simt_mask mask;

    simt_alus(s, ROW, COMPARE_ROW);
    SIMT_WHERE(s, mask, t, row + t < m->matrix.rows);
    SIMT_IF(s, GUARD, &mask) {
        simt_alus(s, WARP, BOUND_ADDRESS);
        SIMT_EACH(s, t) {
            warp[t] = (int32_t)((row + t) / JDS_GROUP);
        }
        simt_load(s, LOAD_BOUND, bound, &m->matrix.lengths, element_lane(warp));
        SIMT_ALU(s, ZERO, t) {
            sum[t] = 0;
        }
        simt_alus(s, FIRST, COMPARE_EMPTY);
        SIMT_WHERE(s, mask, t, bound[t] > 0);
        SIMT_IF(s, SKIP_EMPTY, &mask) {
            sum_row(s, m, row, bound, sum);
        }
        simt_alu(s, PERM_ADDRESS);
        simt_load(s, LOAD_PERM, perm, &m->matrix.perm, element_x(row, 1));
        simt_alu(s, Y_ADDRESS);
        simt_store(s, STORE_Y, sum, &m->y, element_lane(perm));
    }
}

static unsigned grid(const struct spmv *m) {
    return (m->matrix.groups * JDS_GROUP + m->block - 1) / m->block;
}

static bool spmv_step(void *self, unsigned step, struct host_launch *out) {
    struct spmv *m = self;
    const size_t bytes = m->y.count * sizeof(float);
    if (step > 0 && !m->wrong_launch && memcmp(m->y.data, m->expected, bytes) != 0) {
        m->wrong_launch = step;
    }
    if (step == m->size.launches) {
        return false;
    }
    memset(m->y.data, 0xff, bytes);
    *out = (struct host_launch){
        .launch = {&parboil_spmv_code, {grid(m), 1, 1}, {m->block, 1, 1}},
        .kernel = kernel,
    };
    return true;
}

/* Row by row from the mesh, without diagonals; the values are @seed's in that order. */
static bool multiply(const struct fem *f, uint64_t seed, const float *x, float *y) {
    const unsigned width = 2 * f->degree + 1;
    int32_t *column = malloc((size_t)width * width * sizeof *column);
    for (unsigned r = 0; column && r < fem_rows(f); r++) {
        const unsigned count = fem_row(f, r, column);
        y[r] = 0;
        for (unsigned i = 0; i < count; i++) {
            y[r] += host_uniform(&seed) * x[column[i]];
        }
    }
    free(column);
    return column != NULL;
}

static bool spmv_open(void *self, enum workload_size size, uint64_t seed) {
    struct spmv *m = self;
    struct device_memory *d = &m->host.memory;
    m->size = sizes[size];
    const unsigned rows = fem_rows(&m->size.fem);
    uint64_t state = ~seed;
    m->expected = host_array(&m->host, rows, sizeof *m->expected);
    if (!m->expected || !HOST_ALLOC(&m->host.memory, {&m->x, rows, 4}, {&m->y, rows, 4}) ||
        !jds_create(&m->matrix, d, &m->size.fem, seed)) {
        return false;
    }
    for (unsigned i = 0; i < rows; i++) {
        ((float *)m->x.data)[i] = host_uniform(&state);
    }
    if (!multiply(&m->size.fem, seed, m->x.data, m->expected)) {
        return false;
    }
    m->block = m->matrix.groups * JDS_GROUP > CORES * CORE_THREADS ? BLOCK_MANY : BLOCK_FEW;
    host_set_step(&m->host, spmv_step);
    return true;
}

static const char *spmv_check(void *self) {
    struct spmv *m = self;
    if (m->wrong_launch) {
        snprintf(m->host.message, sizeof m->host.message, "y is not plain C's after launch %u",
                 m->wrong_launch);
        return m->host.message;
    }
    return host_compare(&m->host, "y", &m->y, m->expected);
}

/* The warp of rows @first to @last - 1. */
static void expect_warp(const struct spmv *m, unsigned first, unsigned last, unsigned line_bytes,
                        struct workload_expectation *e) {
    const int32_t *perm = m->matrix.perm.data, *ptr = m->matrix.ptr.data;
    const int32_t *index = m->matrix.index.data;
    const unsigned lanes = last - first, trips = ((int32_t *)m->matrix.lengths.data)[first / 32];
    const unsigned count = BEFORE + STEP * trips + BEHIND;
    struct line_set y = {.count = 0};
    e->warp_instructions += count;
    e->thread_instructions += (uint64_t)count * lanes;
    /* Diagonals begin at a line, as perm: index and data in each trip, perm once. */
    e->global_read_accesses += (2 * trips + 1) * lines_of_run(0, lanes, 4, line_bytes);
    for (unsigned k = 0; k < trips; k++) {
        struct line_set x = {.count = 0};
        for (unsigned r = first; r < last; r++) {
            line_set_add(&x, (uint64_t)index[(unsigned)ptr[k] + r], 4, line_bytes);
        }
        e->global_read_accesses += x.count;
    }
    for (unsigned r = first; r < last; r++) {
        line_set_add(&y, (uint64_t)perm[r], 4, line_bytes);
    }
    e->global_write_accesses += y.count;
}

static void spmv_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct spmv *m = self;
    const uint64_t launches = m->size.launches, threads = (uint64_t)grid(m) * m->block;
    *e = (struct workload_expectation){
        .warp_instructions = 3 * threads / WARP_SIZE,
        .thread_instructions = 3 * threads,
    };
    for (unsigned first = 0; first < m->matrix.rows; first += WARP_SIZE) {
        const unsigned last = first + WARP_SIZE;
        expect_warp(m, first, last < m->matrix.rows ? last : m->matrix.rows, line_bytes, e);
    }
    e->warp_instructions *= launches;
    e->thread_instructions *= launches;
    e->global_read_accesses *= launches;
    e->global_write_accesses *= launches;
}

const struct workload workload_parboil_spmv = {
    .name = "parboil-spmv",
    .suite = "parboil",
    .about = "sparse matrix times vector in jagged diagonals: streams, and gathers of near rows",
    .size_text = {[SIZE_TINY] = "1521 rows of 44, 2 launches",
                  [SIZE_SMALL] = "25281 rows of 48, 4 launches",
                  [SIZE_PAPER_OWL] = "146689 rows of 25, 50 launches"},
    .bytes = sizeof(struct spmv),
    .open = spmv_open,
    .check = spmv_check,
    .expect = spmv_expect,
};
