/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of PolyBench/GPU's atax, bicg and mvt: a kernel in which each thread works out
 * one element of a product of a matrix and a vector. Along a row of the matrix a warp walks down 32
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

/* The parts' places in the kernel's table. */
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

/* A vector: as long as A has rows, or columns. Element i is input(size, i) at first; NULL: 0. */
struct dot_vector {
    bool of_rows;
    float (*input)(const struct matrix_vector *size, unsigned i);
};

/**
 * struct dot - a launch: sum[id] (+)= A along a row or column id, times x.
 * @x, @sum: which of the program's vectors; of the length that fits
 * @along_rows: id is a row, else a column
 * @clear: the code has DOT_CLEAR_SUM
 */
struct dot {
    const struct kernel_code *code;
    unsigned x, sum;
    bool along_rows, clear;
    unsigned start, loop, load_x, load_a, fma; /* DOT_PLACES() */
};

#define DOT_VECTORS_MAX 4
#define DOT_LAUNCHES 2

/* A program as a table: vectors in the order of allocation, after A, and its launches. */
struct dot_form {
    unsigned vectors;
    struct dot_vector vector[DOT_VECTORS_MAX];
    struct dot dot[DOT_LAUNCHES];
};

struct dot_program {
    struct host host;
    const struct dot_form *form;
    struct matrix_vector size;
    struct buffer a, vector[DOT_VECTORS_MAX];
};

/** dot_open() - of struct workload's open(). */
bool dot_open(struct dot_program *k, const struct matrix_vector *size, const struct dot_form *form);
/** dot_plain() - of struct workload; all vectors are results, in the order of the form. */
bool dot_plain(void *self, void *const expected[]);
void dot_expect(const void *self, unsigned line_bytes, struct workload_expectation *e);

/** matrix_vector_x() - an input that programs share: 3.14159 i. A[i][j] is i j / rows. */
float matrix_vector_x(const struct matrix_vector *size, unsigned i);

#endif
