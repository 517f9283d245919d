/* SPDX-License-Identifier: Apache-2.0
 *
 * What PolyBench/GPU's atax, bicg and mvt share: a kernel in which each thread works out one
 * element of a product of a matrix and a vector. Along a row of the matrix a warp walks down 32
 * rows at once, a line a lane; along a column its lanes read neighbours. The pointers may alias, so
 * the sum is carried in a register, but stored in every step.
 *
 * A program composes the code of its kernels from the parts below, which fixes what comes first:
 *
 *     #define ROWS(I) \
 *         DOT_BEGIN(I, K1) DOT_LOAD_SUM(I, K1) DOT_LOOP(I, K1) \
 *         DOT_LOAD_X(I, K1) DOT_LOAD_A(I, K1) DOT_END(I, K1)
 */
#ifndef WARPMEM_WORKLOADS_POLYBENCH_MATRIX_VECTOR_H
#define WARPMEM_WORKLOADS_POLYBENCH_MATRIX_VECTOR_H

#include "workloads/host.h"
#include "workloads/workload.h"

#define DOT_BLOCK 256

enum {
    DOT_R_ID,
    DOT_R_SUM_ADDRESS,
    DOT_R_SUM,
    DOT_R_A_ADDRESS,
    DOT_R_A,
    DOT_R_X_ADDRESS,
    DOT_R_X,
    DOT_R_PREDICATE,
    DOT_REGISTERS = 11 /* as compiled */
};

/* clang-format off */

#define DOT_BEGIN(I, K) \
    I(ALU, K##_ID, OP_INT_MAD, DOT_R_ID, REG_NONE) \
    I(ALU, K##_GUARD_COMPARE, OP_INT_ADD, DOT_R_PREDICATE, DOT_R_ID) \
    I(BRANCH, K##_GUARD, DOT_R_PREDICATE) \
    I(ALU, K##_SUM_ADDRESS, OP_INT_MAD, DOT_R_SUM_ADDRESS, DOT_R_ID)
/* sum[id] is read, or set to 0. */
#define DOT_LOAD_SUM(I, K) \
    I(LOAD, K##_START, SPACE_GLOBAL, 4, DOT_R_SUM, DOT_R_SUM_ADDRESS)
#define DOT_CLEAR_SUM(I, K) \
    I(ALU, K##_ZERO, OP_INT_ADD, DOT_R_SUM, REG_NONE) \
    I(STORE, K##_START, SPACE_GLOBAL, 4, DOT_R_SUM, DOT_R_SUM_ADDRESS)
#define DOT_LOOP(I, K) \
    I(ALU, K##_A_ADDRESS, OP_INT_MAD, DOT_R_A_ADDRESS, DOT_R_ID) \
    I(ALU, K##_X_ADDRESS, OP_INT_ADD, DOT_R_X_ADDRESS, REG_NONE) \
    I(LOOP, K##_EACH)
#define DOT_LOAD_X(I, K) \
    I(LOAD, K##_LOAD_X, SPACE_GLOBAL, 4, DOT_R_X, DOT_R_X_ADDRESS)
#define DOT_LOAD_A(I, K) \
    I(LOAD, K##_LOAD_A, SPACE_GLOBAL, 4, DOT_R_A, DOT_R_A_ADDRESS)
#define DOT_END(I, K) \
    I(ALU, K##_FMA, OP_FP_MAD, DOT_R_SUM, DOT_R_A, DOT_R_X, DOT_R_SUM) \
    I(STORE, K##_STORE_SUM, SPACE_GLOBAL, 4, DOT_R_SUM, DOT_R_SUM_ADDRESS) \
    I(ALU, K##_NEXT_A, OP_INT_ADD, DOT_R_A_ADDRESS, DOT_R_A_ADDRESS) \
    I(ALU, K##_NEXT_X, OP_INT_ADD, DOT_R_X_ADDRESS, DOT_R_X_ADDRESS) \
    I(ALU, K##_COMPARE, OP_INT_ADD, DOT_R_PREDICATE, DOT_R_X_ADDRESS) \
    I(BRANCH, K##_BRANCH, DOT_R_PREDICATE)

/* clang-format on */

/* Where the parts stand in the kernel's table. */
#define DOT_PLACES(K) \
    .start = K##_START, .loop = K##_EACH, .load_x = K##_LOAD_X, .load_a = K##_LOAD_A, .fma = K##_FMA

/* Instructions before the loop, of which 1 loads (sum read) or 1 stores (sum set to 0); in the loop
 * 2 load and 1 stores. */
#define DOT_BEFORE_READ 7
#define DOT_BEFORE_CLEAR 8
#define DOT_STEP 8

/**
 * struct matrix_vector - sizes of the program's matrix.
 * @rows, @columns: multiples of DOT_BLOCK
 * @stride: elements from a row to the next, at least @columns
 */
struct matrix_vector {
    unsigned rows, columns, stride;
};

/**
 * struct dot - a kernel: sum[id] (+)= A along a row or column id, times x.
 * @along_rows: id is a row, else a column
 * @clear: the code has DOT_CLEAR_SUM
 */
struct dot {
    const struct matrix_vector *size;
    const struct buffer *a, *x, *sum;
    bool along_rows, clear;
    unsigned start, loop, load_x, load_a, fma; /* DOT_PLACES() */
};

/** dot_kernel() - run it. */
void dot_kernel(struct simt *s, const struct dot *d);

/** dot_launch() - append a launch of a thread an element. */
void dot_launch(struct host *h, const struct matrix_vector *size, bool along_rows,
                const struct kernel_code *code, simt_kernel *kernel);

/** dot_expect() - add what a launch of the kernel counts. */
void dot_expect(struct workload_expectation *e, const struct matrix_vector *size, bool along_rows,
                bool clear, unsigned line_bytes);

/* The inputs are closed formulas: A[i][j] = i j / rows, x[i] = 3.14159 i. */
float matrix_vector_a(const struct matrix_vector *size, unsigned i, unsigned j);
float matrix_vector_x(unsigned i);
/** matrix_vector_fill() - both into device memory; a vector has at least @count elements. */
void matrix_vector_fill(const struct matrix_vector *size, const struct buffer *a);
void matrix_vector_fill_x(const struct buffer *x, unsigned count);

#endif
