/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU 2DCONV: a 3 x 3 convolution of a picture, one launch. A thread loads its nine
 * neighbours back to back and stores one element: coalesced, a line of A serves three rows of
 * warps and three shifts. The border is left out: its lanes are masked off.
 *
 * The sum is taken in the order of the loads, row by row.
 */
#include "workloads/polybench/stencil.h"
#include "workloads/workloads.h"

/* Rows are 16 KB long in every size; a multiple of the block. */
#define COLUMNS 4096
static const unsigned rows_of[] = {
    [SIZE_TINY] = 24,
    [SIZE_SMALL] = 1024,
    [SIZE_PAPER_MRPB] = 4096,
    [SIZE_PAPER_MDB] = 4096,
};

enum { TAPS = 9 };
/* Weights of the rows i-1, i, i+1, each of the columns j-1, j, j+1. */
static const float weight[TAPS] = {0.2f, -0.3f, 0.4f, 0.5f, 0.6f, 0.7f, -0.8f, -0.9f, 0.1f};

struct conv2d {
    struct host host;
    unsigned rows;
    uint64_t seed;
    struct buffer a, b;
};

enum { R_J, R_I, R_TEST_J, R_TEST_I, R_PREDICATE, R_ADDRESS, R_ROW, R_SUM, R_A = R_SUM + 4 };

/* 21 arithmetic instructions before the first load, as compiled: 8 up to the guard, 13 for
 * addresses. */
#define CONV2D(I) \
    I(ALU, J, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, I_, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, FIRST_J, OP_INT_ADD, R_TEST_J, R_J) \
    I(ALU, LAST_J, OP_INT_ADD, R_TEST_J, R_TEST_J) \
    I(ALU, FIRST_I, OP_INT_ADD, R_TEST_I, R_I) \
    I(ALU, LAST_I, OP_INT_ADD, R_TEST_I, R_TEST_I) \
    I(ALU, BOTH, OP_INT_ADD, R_PREDICATE, R_TEST_I, R_TEST_J) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, ROW, OP_INT_MAD, R_ROW, R_I, R_J) \
    I(ALU, ADDRESS, OP_INT_ADD, R_ADDRESS, R_ROW) \
    I(ALU, MORE_ADDRESS, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(LOAD, LOAD_0, SPACE_GLOBAL, 4, R_A, R_ADDRESS) \
    I(LOAD, LOAD_1, SPACE_GLOBAL, 4, R_A + 1, R_ADDRESS) \
    I(LOAD, LOAD_2, SPACE_GLOBAL, 4, R_A + 2, R_ADDRESS) \
    I(LOAD, LOAD_3, SPACE_GLOBAL, 4, R_A + 3, R_ADDRESS) \
    I(LOAD, LOAD_4, SPACE_GLOBAL, 4, R_A + 4, R_ADDRESS) \
    I(LOAD, LOAD_5, SPACE_GLOBAL, 4, R_A + 5, R_ADDRESS) \
    I(LOAD, LOAD_6, SPACE_GLOBAL, 4, R_A + 6, R_ADDRESS) \
    I(LOAD, LOAD_7, SPACE_GLOBAL, 4, R_A + 7, R_ADDRESS) \
    I(LOAD, LOAD_8, SPACE_GLOBAL, 4, R_A + 8, R_ADDRESS) \
    I(ALU, MUL, OP_FP_MUL, R_SUM, R_A) \
    I(ALU, FMA_1, OP_FP_MAD, R_SUM, R_A + 1, R_SUM) \
    I(ALU, FMA_2, OP_FP_MAD, R_SUM, R_A + 2, R_SUM) \
    I(ALU, FMA_3, OP_FP_MAD, R_SUM, R_A + 3, R_SUM) \
    I(ALU, FMA_4, OP_FP_MAD, R_SUM, R_A + 4, R_SUM) \
    I(ALU, FMA_5, OP_FP_MAD, R_SUM, R_A + 5, R_SUM) \
    I(ALU, FMA_6, OP_FP_MAD, R_SUM, R_A + 6, R_SUM) \
    I(ALU, FMA_7, OP_FP_MAD, R_SUM, R_A + 7, R_SUM) \
    I(ALU, FMA_8, OP_FP_MAD, R_SUM, R_A + 8, R_SUM) \
    I(STORE, STORE_B, SPACE_GLOBAL, 4, R_SUM, R_ADDRESS)
SIMT_CODE(conv2d, CONV2D, .registers = 24);

enum { BEFORE_GUARD = 8, ADDRESSES = 13, INSIDE = ADDRESSES + 2 * TAPS + 1 };

/* if (0 < i < NI - 1 && 0 < j < NJ - 1) B[i][j] = sum of weight * A[i + di][j + dj]; */
static void kernel(struct simt *s, const void *arguments) {
    const struct conv2d *k = arguments;
    const unsigned j = s->cta[0] * s->block[0], i = s->cta[1] * s->block[1]; /* thread (0, 0) */
    const int64_t element = (int64_t)i * COLUMNS + j;
    float a[TAPS][SIMT_THREADS], sum[SIMT_THREADS];
    struct simt_mask inside;

    simt_alus(s, J, BOTH);
    SIMT_WHERE(s, inside, t,
               i + s->y[t] > 0 && i + s->y[t] < k->rows - 1 && j + s->x[t] > 0 &&
                   j + s->x[t] < COLUMNS - 1);
    SIMT_IF(s, GUARD, &inside) {
        simt_alus(s, ROW, ADDRESS);
        simt_work(s, MORE_ADDRESS, ADDRESSES - 2);
        for (unsigned tap = 0; tap < TAPS; tap++) {
            int64_t at = element + ((int)tap / 3 - 1) * COLUMNS + (int)tap % 3 - 1;
            simt_load(s, LOAD_0 + tap, a[tap], &k->a, element_xy(at, 1, COLUMNS));
        }
        for (unsigned tap = 0; tap < TAPS; tap++) {
            SIMT_ALU(s, MUL + tap, t) {
                sum[t] = tap == 0 ? weight[0] * a[0][t] : weight[tap] * a[tap][t] + sum[t];
            }
        }
        simt_store(s, STORE_B, sum, &k->b, element_xy(element, 1, COLUMNS));
    }
}

static bool conv2d_open(void *self, enum workload_size size, uint64_t seed) {
    struct conv2d *k = self;
    k->rows = rows_of[size];
    k->seed = seed;
    if (!HOST_ALLOC(&k->host.memory, {&k->a, (uint64_t)k->rows * COLUMNS, sizeof(float)},
                    {&k->b, (uint64_t)k->rows * COLUMNS, sizeof(float)})) {
        return false;
    }
    float *a = k->a.data;
    for (uint64_t i = 0; i < k->a.count; i++) {
        a[i] = host_uniform(&seed);
    }
    struct host_launch launch = stencil_launch(&conv2d_code, k->rows, COLUMNS, kernel);
    host_add_launch(&k->host, &launch);
    return true;
}

static const struct workload_result results[] = {
    FLOATS("B", conv2d, b), FLOATS("A", conv2d, a), {0}};

static bool conv2d_plain(void *self, void *const expected[]) {
    struct conv2d *k = self;
    float *b = expected[0], *a = expected[1];
    uint64_t state = k->seed;
    for (uint64_t i = 0; i < k->a.count; i++) {
        a[i] = host_uniform(&state);
    }
    for (unsigned i = 1; i < k->rows - 1; i++) {
        const float *up = &a[(size_t)(i - 1) * COLUMNS], *row = up + COLUMNS;
        const float *down = row + COLUMNS;
        for (unsigned j = 1; j < COLUMNS - 1; j++) {
            b[(size_t)i * COLUMNS + j] = 0.2f * up[j - 1] + -0.3f * up[j] + 0.4f * up[j + 1] +
                                         0.5f * row[j - 1] + 0.6f * row[j] + 0.7f * row[j + 1] +
                                         -0.8f * down[j - 1] + -0.9f * down[j] + 0.1f * down[j + 1];
        }
    }
    return true;
}

static void conv2d_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct conv2d *k = self;
    const uint64_t warps = COLUMNS / WARP_SIZE, inner = k->rows - 2; /* of a row; rows */
    const uint64_t lines = warps * host_row_lines(line_bytes);
    e->warp_instructions = warps * (k->rows * BEFORE_GUARD + inner * INSIDE);
    e->thread_instructions =
        warps * WARP_SIZE * k->rows * BEFORE_GUARD + inner * (COLUMNS - 2) * INSIDE;
    /* A shift by one element costs a warp a line more, but for the one at the border where the
     * lane that would need it is masked off. */
    e->global_read_accesses = inner * 3 * (3 * lines + 2 * (warps - 1));
    e->global_write_accesses = inner * lines;
}

const struct workload workload_2dconv = {
    .name = "2dconv",
    .suite = "polybench",
    .about = "3 x 3 convolution: nine coalesced loads back to back, shared by rows of warps",
    .size_text = {[SIZE_TINY] = "24 rows of 4096",
                  [SIZE_SMALL] = "1024 rows of 4096",
                  [SIZE_PAPER_MRPB] = "NI = NJ = 4096",
                  [SIZE_PAPER_MDB] = "NI = NJ = 4096"},
    .bytes = sizeof(struct conv2d),
    .open = conv2d_open,
    .results = results,
    .plain = conv2d_plain,
    .expect = conv2d_expect,
};
