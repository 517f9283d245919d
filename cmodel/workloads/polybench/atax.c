/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU atax: y = A^T (A x), as two launches (release 1.0; MRPB figure 2). In the first a
 * warp walks down 32 rows of A, 32 lines an access, all in one set of an L1 without a hashed index;
 * in the second it walks along a row.
 */
#include "workloads/polybench/matrix_vector.h"
#include "workloads/workloads.h"

/* Rows of A are 8 KB long, so that in a 16 KB, 4-way L1 the elements of a column meet in one set,
 * and so they do at 16 KB, which MDB's are: the suite's input. */
static const struct matrix_vector sizes[] = {
    [SIZE_TINY] = {512, 256, 2048},
    [SIZE_SMALL] = {2048, 2048, 2048},
    [SIZE_PAPER_MRPB] = {2048, 2048, 2048},
    [SIZE_PAPER_MDB] = {4096, 4096, 4096},
};

/* for (j = 0; j < NY; j++) tmp[id] += A[id * NY + j] * x[j]; */
#define KERNEL_1(I) \
    DOT_BEGIN(I, K1) \
    DOT_LOAD_SUM(I, K1) DOT_LOOP(I, K1) DOT_LOAD_X(I, K1) DOT_LOAD_A(I, K1) DOT_END(I, K1)
SIMT_CODE(atax_kernel1, KERNEL_1, .registers = DOT_REGISTERS);

/* for (i = 0; i < NX; i++) y[id] += A[i * NY + id] * tmp[i]; */
#define KERNEL_2(I) \
    DOT_BEGIN(I, K2) \
    DOT_LOAD_SUM(I, K2) DOT_LOOP(I, K2) DOT_LOAD_A(I, K2) DOT_LOAD_X(I, K2) DOT_END(I, K2)
SIMT_CODE(atax_kernel2, KERNEL_2, .registers = DOT_REGISTERS);

enum { X, Y, TMP, VECTORS };

static const struct dot_form form = {
    .vectors = VECTORS,
    .vector = {[X] = {.of_rows = false, .input = matrix_vector_x},
               [Y] = {.of_rows = false},
               [TMP] = {.of_rows = true}},
    .dot = {{&atax_kernel1_code, .x = X, .sum = TMP, .along_rows = true, DOT_PLACES(K1)},
            {&atax_kernel2_code, .x = TMP, .sum = Y, DOT_PLACES(K2)}}};

static bool atax_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    return dot_open(self, &sizes[size], &form);
}

static const struct workload_result results[] = {FLOATS("x", dot_program, vector[X]),
                                                 FLOATS("y", dot_program, vector[Y]),
                                                 FLOATS("tmp", dot_program, vector[TMP]),
                                                 {0}};

const struct workload workload_atax = {
    .name = "atax",
    .suite = "polybench",
    .about = "y = A^T (A x): A by rows, 32 lines a load, then by columns",
    .size_text = {[SIZE_TINY] = "512 rows, 256 columns of 2048",
                  [SIZE_SMALL] = "NX = NY = 2048",
                  [SIZE_PAPER_MRPB] = "NX = NY = 2048",
                  [SIZE_PAPER_MDB] = "NX = NY = 4096"},
    .bytes = sizeof(struct dot_program),
    .open = atax_open,
    .results = results,
    .plain = dot_plain,
    .expect = dot_expect,
};
