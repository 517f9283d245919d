/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU gesummv: y = alpha A x + beta B x, one launch, a thread a row. A warp walks down 32
 * rows of A and 32 of B at once, 32 lines a load each, all in one set of an L1 without a hashed
 * index. Two sums in one loop, whose pointers may alias, cannot be carried in registers: tmp and y
 * are loaded and stored in every step, which is why x is read twice. The original leaves B
 * unset; here it is a closed formula like A, and tmp and y start from 0.
 */
#include "workloads/host.h"
#include "workloads/workloads.h"

#define BLOCK 256
#define ALPHA 43532.0f
#define BETA 12313.0f

/* Rows of A and B are 8 KB long, so that in a 16 KB, 4-way L1 the elements of a column meet in one
 * set, and so they do at 16 KB, which MDB's are: the suite's input. */
static const struct size {
    unsigned rows, columns; /* rows a multiple of BLOCK */
    unsigned stride;        /* elements from a row to the next */
} sizes[] = {
    [SIZE_TINY] = {256, 128, 2048},
    [SIZE_SMALL] = {2048, 1024, 2048},
    [SIZE_PAPER_MRPB] = {2048, 2048, 2048},
    [SIZE_PAPER_MDB] = {4096, 4096, 4096},
};

struct gesummv {
    struct host host;
    struct size size;
    struct buffer a, b, x, y, tmp;
};

enum {
    R_ID,
    R_TMP_ADDRESS,
    R_TMP,
    R_Y_ADDRESS,
    R_Y,
    R_A_ADDRESS,
    R_A,
    R_B_ADDRESS,
    R_B,
    R_X_ADDRESS,
    R_X,
    R_PREDICATE
};

#define GESUMMV(I) \
    I(ALU, ID, OP_INT_MAD, R_ID, REG_NONE) \
    I(ALU, GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, TMP_ADDRESS, OP_INT_MAD, R_TMP_ADDRESS, R_ID) \
    I(ALU, Y_ADDRESS, OP_INT_MAD, R_Y_ADDRESS, R_ID) \
    I(ALU, A_ADDRESS, OP_INT_MAD, R_A_ADDRESS, R_ID) \
    I(ALU, B_ADDRESS, OP_INT_MAD, R_B_ADDRESS, R_ID) \
    I(ALU, X_ADDRESS, OP_INT_ADD, R_X_ADDRESS, REG_NONE) \
    I(LOOP, EACH) \
    I(LOAD, LOAD_X, SPACE_GLOBAL, 4, R_X, R_X_ADDRESS) \
    I(LOAD, LOAD_A, SPACE_GLOBAL, 4, R_A, R_A_ADDRESS) \
    I(LOAD, LOAD_TMP, SPACE_GLOBAL, 4, R_TMP, R_TMP_ADDRESS) \
    I(ALU, FMA_A, OP_FP_MAD, R_TMP, R_A, R_X, R_TMP) \
    I(STORE, STORE_TMP, SPACE_GLOBAL, 4, R_TMP, R_TMP_ADDRESS) \
    I(LOAD, LOAD_X_AGAIN, SPACE_GLOBAL, 4, R_X, R_X_ADDRESS) \
    I(LOAD, LOAD_B, SPACE_GLOBAL, 4, R_B, R_B_ADDRESS) \
    I(LOAD, LOAD_Y, SPACE_GLOBAL, 4, R_Y, R_Y_ADDRESS) \
    I(ALU, FMA_B, OP_FP_MAD, R_Y, R_B, R_X, R_Y) \
    I(STORE, STORE_Y, SPACE_GLOBAL, 4, R_Y, R_Y_ADDRESS) \
    I(ALU, NEXT_A, OP_INT_ADD, R_A_ADDRESS, R_A_ADDRESS) \
    I(ALU, NEXT_B, OP_INT_ADD, R_B_ADDRESS, R_B_ADDRESS) \
    I(ALU, NEXT_X, OP_INT_ADD, R_X_ADDRESS, R_X_ADDRESS) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_X_ADDRESS) \
    I(BRANCH, BRANCH_BACK, R_PREDICATE) \
    I(LOAD, LOAD_TMP_LAST, SPACE_GLOBAL, 4, R_TMP, R_TMP_ADDRESS) \
    I(ALU, SCALE_Y, OP_FP_MUL, R_Y, R_Y) \
    I(ALU, ADD_TMP, OP_FP_MAD, R_Y, R_TMP, R_Y) \
    I(STORE, STORE_Y_LAST, SPACE_GLOBAL, 4, R_Y, R_Y_ADDRESS)
SIMT_CODE(gesummv, GESUMMV, .registers = 18);

/* for (j = 0; j < N; j++) tmp[id] += A[id * N + j] * x[j], y[id] += B[id * N + j] * x[j];
 * y[id] = alpha * tmp[id] + beta * y[id]; */
static void kernel(struct simt *s, const void *arguments) {
    const struct gesummv *k = arguments;
    const int64_t id = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    const int64_t row = k->size.stride;
    const struct element own = element_x(id, 1);
    float a[SIMT_THREADS], b[SIMT_THREADS], x[SIMT_THREADS];
    float tmp[SIMT_THREADS], y[SIMT_THREADS];

    simt_alus(s, ID, X_ADDRESS); /* the guard holds for all */
    SIMT_FOR(s, EACH, j, k->size.columns) {
        const struct element down = element_x(id * row + j, row);
        simt_load(s, LOAD_X, x, &k->x, element_at(j));
        simt_load(s, LOAD_A, a, &k->a, down);
        simt_load(s, LOAD_TMP, tmp, &k->tmp, own);
        SIMT_ALU(s, FMA_A, t) {
            tmp[t] += a[t] * x[t];
        }
        simt_store(s, STORE_TMP, tmp, &k->tmp, own);
        simt_load(s, LOAD_X_AGAIN, x, &k->x, element_at(j));
        simt_load(s, LOAD_B, b, &k->b, down);
        simt_load(s, LOAD_Y, y, &k->y, own);
        SIMT_ALU(s, FMA_B, t) {
            y[t] += b[t] * x[t];
        }
        simt_store(s, STORE_Y, y, &k->y, own);
        simt_alus(s, NEXT_A, BRANCH_BACK);
    }
    simt_load(s, LOAD_TMP_LAST, tmp, &k->tmp, own);
    simt_alu(s, SCALE_Y);
    SIMT_ALU(s, ADD_TMP, t) {
        y[t] = ALPHA * tmp[t] + BETA * y[t];
    }
    simt_store(s, STORE_Y_LAST, y, &k->y, own);
}

/* The inputs are closed formulas: the seed has no part. */
static float input_a(const struct size *n, unsigned i, unsigned j) {
    return (float)i * (float)j / (float)n->rows;
}

static float input_b(const struct size *n, unsigned i, unsigned j) {
    return ((float)i * (float)j + 1) / (float)n->rows;
}

static float input_x(const struct size *n, unsigned j) {
    return (float)j / (float)n->rows;
}

static bool gesummv_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct gesummv *k = self;
    const struct size *n = &sizes[size];
    k->size = *n;
    if (!HOST_ALLOC(&k->host.memory, {&k->a, (uint64_t)n->rows * n->stride, sizeof(float)},
                    {&k->b, (uint64_t)n->rows * n->stride, sizeof(float)},
                    {&k->x, n->columns, sizeof(float)}, {&k->y, n->rows, sizeof(float)},
                    {&k->tmp, n->rows, sizeof(float)})) {
        return false;
    }
    float *a = k->a.data, *b = k->b.data, *x = k->x.data;
    for (unsigned j = 0; j < n->columns; j++) {
        x[j] = input_x(n, j);
    }
    for (unsigned i = 0; i < n->rows; i++) {
        for (unsigned j = 0; j < n->columns; j++) {
            a[(size_t)i * n->stride + j] = input_a(n, i, j);
            b[(size_t)i * n->stride + j] = input_b(n, i, j);
        }
    }
    HOST_ADD_LAUNCH(&k->host, {&gesummv_code, {n->rows / BLOCK, 1, 1}, {BLOCK, 1, 1}}, kernel);
    return true;
}

static const struct workload_result results[] = {
    FLOATS("tmp", gesummv, tmp), FLOATS("y", gesummv, y), {0}};

static bool gesummv_plain(void *self, void *const expected[]) {
    struct gesummv *k = self;
    float *tmp = expected[0], *y = expected[1];
    const struct size *n = &k->size;
    for (unsigned i = 0; i < n->rows; i++) {
        for (unsigned j = 0; j < n->columns; j++) {
            tmp[i] += input_a(n, i, j) * input_x(n, j);
            y[i] += input_b(n, i, j) * input_x(n, j);
        }
        y[i] = ALPHA * tmp[i] + BETA * y[i];
    }
    return true;
}

static void gesummv_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct gesummv *k = self;
    const uint64_t warps = k->size.rows / WARP_SIZE, steps = k->size.columns;
    const uint64_t lines = host_row_lines(line_bytes);
    /* 8 instructions before the loop, 15 in it and 4 behind it. */
    e->warp_instructions = warps * (8 + 15 * steps + 4);
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    /* In the loop twice an element of x, 32 rows of A or B and the threads' own tmp or y. */
    e->global_read_accesses = warps * (steps * 2 * (1 + WARP_SIZE + lines) + lines);
    e->global_write_accesses = warps * (steps * 2 + 1) * lines;
}

const struct workload workload_gesummv = {
    .name = "gesummv",
    .suite = "polybench",
    .about = "y = alpha A x + beta B x: two matrices by rows, 32 lines a load",
    .size_text = {[SIZE_TINY] = "256 rows, 128 columns of 2048",
                  [SIZE_SMALL] = "2048 rows, 1024 columns of 2048",
                  [SIZE_PAPER_MRPB] = "N = 2048, as MRPB's atax",
                  [SIZE_PAPER_MDB] = "N = 4096"},
    .bytes = sizeof(struct gesummv),
    .open = gesummv_open,
    .results = results,
    .plain = gesummv_plain,
    .expect = gesummv_expect,
};
