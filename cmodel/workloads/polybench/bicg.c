/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU bicg, the two products of BiCGStab: s = A^T r, then q = A p, as two launches. The
 * first walks along the rows of A, a line a load; in the second a warp walks down 32 rows, 32 lines
 * a load, all in one set of an L1 without a hashed index. Both sums start from a stored 0, and r is
 * read before A, as compiled. A, r and p are atax's.
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

/* s[id] = 0; for (i = 0; i < NX; i++) s[id] += A[i * NY + id] * r[i]; */
#define KERNEL_1(I) \
    DOT_BEGIN(I, K1) \
    DOT_CLEAR_SUM(I, K1) DOT_LOOP(I, K1) DOT_LOAD_X(I, K1) DOT_LOAD_A(I, K1) DOT_END(I, K1)
SIMT_CODE(bicg_kernel1, KERNEL_1, .registers = DOT_REGISTERS);

/* q[id] = 0; for (j = 0; j < NY; j++) q[id] += A[id * NY + j] * p[j]; */
#define KERNEL_2(I) \
    DOT_BEGIN(I, K2) \
    DOT_CLEAR_SUM(I, K2) DOT_LOOP(I, K2) DOT_LOAD_X(I, K2) DOT_LOAD_A(I, K2) DOT_END(I, K2)
SIMT_CODE(bicg_kernel2, KERNEL_2, .registers = DOT_REGISTERS);

enum { R, S, P, Q, VECTORS };

static const struct dot_form form = {
    .vectors = VECTORS,
    .vector = {[R] = {.of_rows = true, .input = matrix_vector_x},
               [S] = {.of_rows = false},
               [P] = {.of_rows = false, .input = matrix_vector_x},
               [Q] = {.of_rows = true}},
    .dot = {
        {&bicg_kernel1_code, .x = R, .sum = S, .clear = true, DOT_PLACES(K1)},
        {&bicg_kernel2_code, .x = P, .sum = Q, .along_rows = true, .clear = true, DOT_PLACES(K2)}}};

static bool bicg_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    return dot_open(self, &sizes[size], &form);
}

static const struct workload_result results[] = {FLOATS("r", dot_program, vector[R]),
                                                 FLOATS("s", dot_program, vector[S]),
                                                 FLOATS("p", dot_program, vector[P]),
                                                 FLOATS("q", dot_program, vector[Q]),
                                                 {0}};

const struct workload workload_bicg = {
    .name = "bicg",
    .suite = "polybench",
    .about = "s = A^T r, q = A p: A by columns, then by rows, 32 lines a load",
    .size_text = {[SIZE_TINY] = "512 rows, 256 columns of 2048",
                  [SIZE_SMALL] = "NX = NY = 2048",
                  [SIZE_PAPER_MRPB] = "NX = NY = 2048, as MRPB's atax",
                  [SIZE_PAPER_MDB] = "NX = NY = 4096"},
    .bytes = sizeof(struct dot_program),
    .open = bicg_open,
    .results = results,
    .plain = dot_plain,
    .expect = dot_expect,
};
