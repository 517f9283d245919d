/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU mvt: x1 += A y1, then x2 += A^T y2, as two launches. In the first a warp walks down
 * 32 rows of A, 32 lines a load, all in one set of an L1 without a hashed index; in the second it
 * walks along a row. The specification gives no inputs, which have no part in the accesses: A is
 * atax's, the vectors are closed formulas.
 */
#include <stdlib.h>

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

struct mvt {
    struct host host;
    struct matrix_vector size;
    struct buffer a, x1, x2, y1, y2;
};

/* for (j = 0; j < N; j++) x1[id] += A[id * N + j] * y1[j]; */
#define KERNEL_1(I) \
    DOT_BEGIN(I, K1) \
    DOT_LOAD_SUM(I, K1) DOT_LOOP(I, K1) DOT_LOAD_X(I, K1) DOT_LOAD_A(I, K1) DOT_END(I, K1)
SIMT_CODE(mvt_kernel1, KERNEL_1, .registers = DOT_REGISTERS);

static void kernel_1(struct simt *s, const void *arguments) {
    const struct mvt *k = arguments;
    dot_kernel(s,
               &(struct dot){&k->size, &k->a, &k->y1, &k->x1, .along_rows = true, DOT_PLACES(K1)});
}

/* for (j = 0; j < N; j++) x2[id] += A[j * N + id] * y2[j]; */
#define KERNEL_2(I) \
    DOT_BEGIN(I, K2) \
    DOT_LOAD_SUM(I, K2) DOT_LOOP(I, K2) DOT_LOAD_A(I, K2) DOT_LOAD_X(I, K2) DOT_END(I, K2)
SIMT_CODE(mvt_kernel2, KERNEL_2, .registers = DOT_REGISTERS);

static void kernel_2(struct simt *s, const void *arguments) {
    const struct mvt *k = arguments;
    dot_kernel(s, &(struct dot){&k->size, &k->a, &k->y2, &k->x2, DOT_PLACES(K2)});
}

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

static void fill(const struct matrix_vector *n, void *vector, unsigned count,
                 float (*input)(const struct matrix_vector *, unsigned)) {
    float *to = vector;
    for (unsigned i = 0; i < count; i++) {
        to[i] = input(n, i);
    }
}

static const char *mvt_open(struct program *p, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct mvt *k = host_open(p, sizeof *k);
    if (!k) {
        return "out of memory";
    }
    const struct matrix_vector *n = &sizes[size];
    struct device_memory *m = &k->host.memory;
    k->size = *n;
    if (!device_memory_alloc(m, &k->a, (uint64_t)n->rows * n->stride, sizeof(float)) ||
        !device_memory_alloc(m, &k->x1, n->rows, sizeof(float)) ||
        !device_memory_alloc(m, &k->x2, n->columns, sizeof(float)) ||
        !device_memory_alloc(m, &k->y1, n->columns, sizeof(float)) ||
        !device_memory_alloc(m, &k->y2, n->rows, sizeof(float))) {
        host_close(p);
        return "out of memory";
    }
    matrix_vector_fill(n, &k->a);
    fill(n, k->x1.data, n->rows, input_x1);
    fill(n, k->x2.data, n->columns, input_x2);
    fill(n, k->y1.data, n->columns, input_y1);
    fill(n, k->y2.data, n->rows, input_y2);
    dot_launch(&k->host, &k->size, true, &mvt_kernel1_code, kernel_1);
    dot_launch(&k->host, &k->size, false, &mvt_kernel2_code, kernel_2);
    return NULL;
}

static const char *mvt_check(const struct program *p) {
    struct mvt *k = p->self;
    const struct matrix_vector *n = &k->size;
    float *x1 = calloc(n->rows, sizeof *x1), *x2 = calloc(n->columns, sizeof *x2);
    const char *error = "out of memory";
    if (x1 && x2) {
        fill(n, x1, n->rows, input_x1);
        fill(n, x2, n->columns, input_x2);
        for (unsigned i = 0; i < n->rows; i++) {
            for (unsigned j = 0; j < n->columns; j++) {
                x1[i] += matrix_vector_a(n, i, j) * input_y1(n, j);
                x2[j] += matrix_vector_a(n, i, j) * input_y2(n, i);
            }
        }
        error = host_compare(&k->host, "x1", &k->x1, x1);
        if (!error) {
            error = host_compare(&k->host, "x2", &k->x2, x2);
        }
    }
    free(x1);
    free(x2);
    return error;
}

static void mvt_expect(const struct program *p, unsigned line_bytes,
                       struct workload_expectation *e) {
    const struct mvt *k = p->self;
    *e = (struct workload_expectation){0};
    dot_expect(e, &k->size, true, false, line_bytes);
    dot_expect(e, &k->size, false, false, line_bytes);
}

const struct workload workload_mvt = {
    .name = "mvt",
    .suite = "polybench",
    .about = "x1 += A y1, x2 += A^T y2: A by rows, 32 lines a load, then by columns",
    .size_text = {[SIZE_TINY] = "256 rows and columns of 2048",
                  [SIZE_SMALL] = "N = 2048",
                  [SIZE_PAPER_MRPB] = "N = 2048, as MRPB's atax",
                  [SIZE_PAPER_MDB] = "N = 4096"},
    .open = mvt_open,
    .check = mvt_check,
    .expect = mvt_expect,
    .close = host_close,
};
