/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU mvt: x1 += A y1, then x2 += A^T y2, as two launches. In the first a warp walks down
 * 32 rows of A, 32 lines a load, all in one set of an L1 without a hashed index; in the second it
 * walks along a row. The specification gives no inputs, which have no part in the accesses: A is
 * atax's, the vectors are closed formulas.
 */
#include "workloads/polybench/matrix_vector.h"
#include "workloads/workloads.h"

/* Rows of A are 8 KB long, so that in a 16 KB, 4-way L1 the elements of a column meet in one set,
 * and so they do at 16 KB, which MDB's are: the suite's input. */
static const struct matrix_vector sizes[] = {
    [SIZE_TINY] = {256, 256, 2048},
    [SIZE_SMALL] = {2048, 2048, 2048},
    [SIZE_PAPER_MRPB] = {2048, 2048, 2048},
    [SIZE_PAPER_MDB] = {4096, 4096, 4096},
};

/* for (j = 0; j < N; j++) x1[id] += A[id * N + j] * y1[j]; */
#define KERNEL_1(I) \
    DOT_BEGIN(I, K1) \
    DOT_LOAD_SUM(I, K1) DOT_LOOP(I, K1) DOT_LOAD_X(I, K1) DOT_LOAD_A(I, K1) DOT_END(I, K1)
SIMT_CODE(mvt_kernel1, KERNEL_1, .registers = DOT_REGISTERS);

/* for (j = 0; j < N; j++) x2[id] += A[j * N + id] * y2[j]; */
#define KERNEL_2(I) \
    DOT_BEGIN(I, K2) \
    DOT_LOAD_SUM(I, K2) DOT_LOOP(I, K2) DOT_LOAD_A(I, K2) DOT_LOAD_X(I, K2) DOT_END(I, K2)
SIMT_CODE(mvt_kernel2, KERNEL_2, .registers = DOT_REGISTERS);

static float input_x1(const struct matrix_vector *n, unsigned i) {
    return (float)i / (float)n->rows;
}

static float input_x2(const struct matrix_vector *n, unsigned i) {
    return ((float)i + 1) / (float)n->columns;
}

static float input_y1(const struct matrix_vector *n, unsigned j) {
    return ((float)j + 3) / (float)n->columns;
}

static float input_y2(const struct matrix_vector *n, unsigned j) {
    return ((float)j + 4) / (float)n->rows;
}

enum { X1, X2, Y1, Y2, VECTORS };

static const struct dot_form form = {
    .vectors = VECTORS,
    .vector = {[X1] = {.of_rows = true, .input = input_x1},
               [X2] = {.of_rows = false, .input = input_x2},
               [Y1] = {.of_rows = false, .input = input_y1},
               [Y2] = {.of_rows = true, .input = input_y2}},
    .dot = {{&mvt_kernel1_code, .x = Y1, .sum = X1, .along_rows = true, DOT_PLACES(K1)},
            {&mvt_kernel2_code, .x = Y2, .sum = X2, DOT_PLACES(K2)}}};

static bool mvt_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    return dot_open(self, &sizes[size], &form);
}

static const struct workload_result results[] = {FLOATS("x1", dot_program, vector[X1]),
                                                 FLOATS("x2", dot_program, vector[X2]),
                                                 FLOATS("y1", dot_program, vector[Y1]),
                                                 FLOATS("y2", dot_program, vector[Y2]),
                                                 {0}};

const struct workload workload_mvt = {
    .name = "mvt",
    .suite = "polybench",
    .about = "x1 += A y1, x2 += A^T y2: A by rows, 32 lines a load, then by columns",
    .size_text = {[SIZE_TINY] = "256 rows and columns of 2048",
                  [SIZE_SMALL] = "N = 2048",
                  [SIZE_PAPER_MRPB] = "N = 2048, as MRPB's atax",
                  [SIZE_PAPER_MDB] = "N = 4096"},
    .bytes = sizeof(struct dot_program),
    .open = mvt_open,
    .results = results,
    .plain = dot_plain,
    .expect = dot_expect,
};
