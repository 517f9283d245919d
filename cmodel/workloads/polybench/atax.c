/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU atax: y = A^T (A x), as two launches (release 1.0; MRPB figure 2). In the first a
 * warp walks down 32 rows of A, 32 lines an access, all in one set of an L1 without a hashed index;
 * in the second it walks along a row.
 */
#include <stdlib.h>

#include "workloads/host.h"
#include "workloads/workloads.h"

#define BLOCK 256

/* Rows of A are 8 KB long in every size, so that in a 16 KB, 4-way L1 the elements of a column
 * meet in one set. */
static const struct size {
    unsigned rows, columns; /* of A, multiples of BLOCK */
    unsigned stride;        /* elements from a row to the next */
} sizes[] = {
    [SIZE_TINY] = {512, 256, 2048},
    [SIZE_SMALL] = {2048, 2048, 2048},
    [SIZE_PAPER_MRPB] = {2048, 2048, 2048},
};

struct atax {
    struct host host;
    struct size size;
    struct buffer a, x, y, tmp;
};

enum { R_TID, R_SUM_ADDRESS, R_SUM, R_A_ADDRESS, R_A, R_X_ADDRESS, R_X, R_PREDICATE };

enum {
    K1_TID,
    K1_GUARD_COMPARE,
    K1_GUARD,
    K1_TMP_ADDRESS,
    K1_LOAD_TMP,
    K1_A_ADDRESS,
    K1_X_ADDRESS,
    INSN_LOOP_NAMES(K1_LOOP),
    K1_LOAD_X,
    K1_LOAD_A,
    K1_FMA,
    K1_STORE_TMP,
    K1_NEXT_A,
    K1_NEXT_X,
    K1_COMPARE,
    K1_BRANCH,
    K1_COUNT
};

static const struct insn insns_1[] = {
    INSN_ALU(K1_TID, OP_INT_MAD, R_TID, REG_NONE),
    INSN_ALU(K1_GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_TID),
    INSN_BRANCH(K1_GUARD, R_PREDICATE),
    INSN_ALU(K1_TMP_ADDRESS, OP_INT_MAD, R_SUM_ADDRESS, R_TID),
    INSN_LOAD(K1_LOAD_TMP, SPACE_GLOBAL, 4, R_SUM, R_SUM_ADDRESS),
    INSN_ALU(K1_A_ADDRESS, OP_INT_MAD, R_A_ADDRESS, R_TID),
    INSN_ALU(K1_X_ADDRESS, OP_INT_ADD, R_X_ADDRESS, REG_NONE),
    INSN_LOOP(K1_LOOP),
    INSN_LOAD(K1_LOAD_X, SPACE_GLOBAL, 4, R_X, R_X_ADDRESS),
    INSN_LOAD(K1_LOAD_A, SPACE_GLOBAL, 4, R_A, R_A_ADDRESS),
    INSN_ALU(K1_FMA, OP_FP_MAD, R_SUM, R_A, R_X, R_SUM),
    INSN_STORE(K1_STORE_TMP, SPACE_GLOBAL, 4, R_SUM, R_SUM_ADDRESS),
    INSN_ALU(K1_NEXT_A, OP_INT_ADD, R_A_ADDRESS, R_A_ADDRESS),
    INSN_ALU(K1_NEXT_X, OP_INT_ADD, R_X_ADDRESS, R_X_ADDRESS),
    INSN_ALU(K1_COMPARE, OP_INT_ADD, R_PREDICATE, R_X_ADDRESS),
    INSN_BRANCH(K1_BRANCH, R_PREDICATE),
};
static const struct kernel_code code_1 = {
    .name = "atax_kernel1", .insns = insns_1, .insn_count = K1_COUNT, .registers = 11};

/* for (i = 0; i < NY; i++) tmp[tid] += A[tid * NY + i] * x[i]; */
static void kernel_1(struct simt *s, const void *arguments) {
    const struct atax *k = arguments;
    const int64_t tid = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    const int64_t row = k->size.stride;
    float tmp[SIMT_THREADS], a[SIMT_THREADS], x[SIMT_THREADS];

    simt_alu(s, K1_TID);
    simt_alu(s, K1_GUARD_COMPARE);
    simt_alu(s, K1_GUARD); /* tid < rows, always */
    simt_alu(s, K1_TMP_ADDRESS);
    simt_load(s, K1_LOAD_TMP, tmp, &k->tmp, element_x(tid, 1));
    simt_alu(s, K1_A_ADDRESS);
    simt_alu(s, K1_X_ADDRESS);
    SIMT_FOR(s, K1_LOOP, i, k->size.columns) {
        simt_load(s, K1_LOAD_X, x, &k->x, element_at(i));
        simt_load(s, K1_LOAD_A, a, &k->a, element_x(tid * row + i, row));
        SIMT_ALU(s, K1_FMA, t) {
            tmp[t] += a[t] * x[t];
        }
        simt_store(s, K1_STORE_TMP, tmp, &k->tmp, element_x(tid, 1));
        simt_alu(s, K1_NEXT_A);
        simt_alu(s, K1_NEXT_X);
        simt_alu(s, K1_COMPARE);
        simt_alu(s, K1_BRANCH);
    }
}

enum {
    K2_TID,
    K2_GUARD_COMPARE,
    K2_GUARD,
    K2_Y_ADDRESS,
    K2_LOAD_Y,
    K2_A_ADDRESS,
    K2_TMP_ADDRESS,
    INSN_LOOP_NAMES(K2_LOOP),
    K2_LOAD_A,
    K2_LOAD_TMP,
    K2_FMA,
    K2_STORE_Y,
    K2_NEXT_A,
    K2_NEXT_TMP,
    K2_COMPARE,
    K2_BRANCH,
    K2_COUNT
};

static const struct insn insns_2[] = {
    INSN_ALU(K2_TID, OP_INT_MAD, R_TID, REG_NONE),
    INSN_ALU(K2_GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_TID),
    INSN_BRANCH(K2_GUARD, R_PREDICATE),
    INSN_ALU(K2_Y_ADDRESS, OP_INT_MAD, R_SUM_ADDRESS, R_TID),
    INSN_LOAD(K2_LOAD_Y, SPACE_GLOBAL, 4, R_SUM, R_SUM_ADDRESS),
    INSN_ALU(K2_A_ADDRESS, OP_INT_MAD, R_A_ADDRESS, R_TID),
    INSN_ALU(K2_TMP_ADDRESS, OP_INT_ADD, R_X_ADDRESS, REG_NONE),
    INSN_LOOP(K2_LOOP),
    INSN_LOAD(K2_LOAD_A, SPACE_GLOBAL, 4, R_A, R_A_ADDRESS),
    INSN_LOAD(K2_LOAD_TMP, SPACE_GLOBAL, 4, R_X, R_X_ADDRESS),
    INSN_ALU(K2_FMA, OP_FP_MAD, R_SUM, R_A, R_X, R_SUM),
    INSN_STORE(K2_STORE_Y, SPACE_GLOBAL, 4, R_SUM, R_SUM_ADDRESS),
    INSN_ALU(K2_NEXT_A, OP_INT_ADD, R_A_ADDRESS, R_A_ADDRESS),
    INSN_ALU(K2_NEXT_TMP, OP_INT_ADD, R_X_ADDRESS, R_X_ADDRESS),
    INSN_ALU(K2_COMPARE, OP_INT_ADD, R_PREDICATE, R_X_ADDRESS),
    INSN_BRANCH(K2_BRANCH, R_PREDICATE),
};
static const struct kernel_code code_2 = {
    .name = "atax_kernel2", .insns = insns_2, .insn_count = K2_COUNT, .registers = 11};

/* for (i = 0; i < NX; i++) y[tid] += A[i * NY + tid] * tmp[i]; */
static void kernel_2(struct simt *s, const void *arguments) {
    const struct atax *k = arguments;
    const int64_t tid = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    const int64_t row = k->size.stride;
    float y[SIMT_THREADS], a[SIMT_THREADS], tmp[SIMT_THREADS];

    simt_alu(s, K2_TID);
    simt_alu(s, K2_GUARD_COMPARE);
    simt_alu(s, K2_GUARD); /* tid < columns, always */
    simt_alu(s, K2_Y_ADDRESS);
    simt_load(s, K2_LOAD_Y, y, &k->y, element_x(tid, 1));
    simt_alu(s, K2_A_ADDRESS);
    simt_alu(s, K2_TMP_ADDRESS);
    SIMT_FOR(s, K2_LOOP, i, k->size.rows) {
        simt_load(s, K2_LOAD_A, a, &k->a, element_x(i * row + tid, 1));
        simt_load(s, K2_LOAD_TMP, tmp, &k->tmp, element_at(i));
        SIMT_ALU(s, K2_FMA, t) {
            y[t] += a[t] * tmp[t];
        }
        simt_store(s, K2_STORE_Y, y, &k->y, element_x(tid, 1));
        simt_alu(s, K2_NEXT_A);
        simt_alu(s, K2_NEXT_TMP);
        simt_alu(s, K2_COMPARE);
        simt_alu(s, K2_BRANCH);
    }
}

/* The inputs are closed formulas: the seed has no part. */
static float input_a(const struct size *n, unsigned i, unsigned j) {
    return (float)i * (float)j / (float)n->rows;
}

static float input_x(unsigned j) {
    return (float)j * 3.14159f;
}

static const char *atax_open(struct program *p, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct atax *k = host_open(p, sizeof *k);
    if (!k) {
        return "out of memory";
    }
    const struct size *n = &sizes[size];
    struct device_memory *m = &k->host.memory;
    k->size = *n;
    if (!device_memory_alloc(m, &k->a, (uint64_t)n->rows * n->stride, sizeof(float)) ||
        !device_memory_alloc(m, &k->x, n->columns, sizeof(float)) ||
        !device_memory_alloc(m, &k->y, n->columns, sizeof(float)) ||
        !device_memory_alloc(m, &k->tmp, n->rows, sizeof(float))) {
        host_close(p);
        return "out of memory";
    }
    float *a = k->a.data, *x = k->x.data;
    for (unsigned j = 0; j < n->columns; j++) {
        x[j] = input_x(j);
    }
    for (unsigned i = 0; i < n->rows; i++) {
        for (unsigned j = 0; j < n->columns; j++) {
            a[(size_t)i * n->stride + j] = input_a(n, i, j);
        }
    }
    host_add_launch(
        &k->host, &(struct host_launch){.launch = {&code_1, {n->rows / BLOCK, 1, 1}, {BLOCK, 1, 1}},
                                        .kernel = kernel_1});
    host_add_launch(&k->host, &(struct host_launch){
                                  .launch = {&code_2, {n->columns / BLOCK, 1, 1}, {BLOCK, 1, 1}},
                                  .kernel = kernel_2});
    return NULL;
}

static const char *atax_check(const struct program *p) {
    struct atax *k = p->self;
    const struct size *n = &k->size;
    float *tmp = calloc(n->rows, sizeof *tmp), *y = calloc(n->columns, sizeof *y);
    const char *error = "out of memory";
    if (tmp && y) {
        for (unsigned i = 0; i < n->rows; i++) {
            for (unsigned j = 0; j < n->columns; j++) {
                tmp[i] += input_a(n, i, j) * input_x(j);
            }
            for (unsigned j = 0; j < n->columns; j++) {
                y[j] += input_a(n, i, j) * tmp[i];
            }
        }
        error = host_compare(&k->host, "tmp", &k->tmp, tmp);
        if (!error) {
            error = host_compare(&k->host, "y", &k->y, y);
        }
    }
    free(tmp);
    free(y);
    return error;
}

static void atax_expect(const struct program *p, unsigned line_bytes,
                        struct workload_expectation *e) {
    const struct atax *k = p->self;
    const uint64_t rows = k->size.rows, columns = k->size.columns;
    const uint64_t warps_1 = rows / WARP_SIZE, warps_2 = columns / WARP_SIZE;
    /* 7 instructions before each loop and 8 in it, of which 1 and 2 load and 0 and 1 store. */
    e->warp_instructions = warps_1 * (7 + 8 * columns) + warps_2 * (7 + 8 * rows);
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    /* 32 lines a load of A in the first launch, since a row is at least a line long; 1 where all
     * lanes read the same element. */
    const uint64_t lines = host_row_lines(line_bytes);
    e->global_read_accesses =
        warps_1 * (lines + columns * (1 + 32)) + warps_2 * (lines + rows * (lines + 1));
    e->global_write_accesses = (warps_1 * columns + warps_2 * rows) * lines;
}

const struct workload workload_atax = {
    .name = "atax",
    .suite = "polybench",
    .about = "y = A^T (A x): A by rows, 32 lines a load, then by columns",
    .size_text = {[SIZE_TINY] = "512 rows, 256 columns of 2048",
                  [SIZE_SMALL] = "NX = NY = 2048",
                  [SIZE_PAPER_MRPB] = "NX = NY = 2048"},
    .open = atax_open,
    .check = atax_check,
    .expect = atax_expect,
    .close = host_close,
};
