/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU atax: y = A^T (A x), as two launches (release 1.0; MRPB figure 2). In the first a
 * warp walks down 32 rows of A, 32 lines an access, all in one set of an L1 without a hashed index;
 * in the second it walks along a row.
 */
#include <stdlib.h>

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

struct atax {
    struct host host;
    struct matrix_vector size;
    struct buffer a, x, y, tmp;
};

/* for (j = 0; j < NY; j++) tmp[id] += A[id * NY + j] * x[j]; */
#define KERNEL_1(I) \
    DOT_BEGIN(I, K1) \
    DOT_LOAD_SUM(I, K1) DOT_LOOP(I, K1) DOT_LOAD_X(I, K1) DOT_LOAD_A(I, K1) DOT_END(I, K1)
SIMT_CODE(atax_kernel1, KERNEL_1, .registers = DOT_REGISTERS);

static void kernel_1(struct simt *s, const void *arguments) {
    const struct atax *k = arguments;
    dot_kernel(s,
               &(struct dot){&k->size, &k->a, &k->x, &k->tmp, .along_rows = true, DOT_PLACES(K1)});
}

/* for (i = 0; i < NX; i++) y[id] += A[i * NY + id] * tmp[i]; */
#define KERNEL_2(I) \
    DOT_BEGIN(I, K2) \
    DOT_LOAD_SUM(I, K2) DOT_LOOP(I, K2) DOT_LOAD_A(I, K2) DOT_LOAD_X(I, K2) DOT_END(I, K2)
SIMT_CODE(atax_kernel2, KERNEL_2, .registers = DOT_REGISTERS);

static void kernel_2(struct simt *s, const void *arguments) {
    const struct atax *k = arguments;
    dot_kernel(s, &(struct dot){&k->size, &k->a, &k->tmp, &k->y, DOT_PLACES(K2)});
}

static const char *atax_open(struct program *p, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct atax *k = host_open(p, sizeof *k);
    if (!k) {
        return "out of memory";
    }
    const struct matrix_vector *n = &sizes[size];
    struct device_memory *m = &k->host.memory;
    k->size = *n;
    if (!device_memory_alloc(m, &k->a, (uint64_t)n->rows * n->stride, sizeof(float)) ||
        !device_memory_alloc(m, &k->x, n->columns, sizeof(float)) ||
        !device_memory_alloc(m, &k->y, n->columns, sizeof(float)) ||
        !device_memory_alloc(m, &k->tmp, n->rows, sizeof(float))) {
        host_close(p);
        return "out of memory";
    }
    matrix_vector_fill(n, &k->a);
    matrix_vector_fill_x(&k->x, n->columns);
    dot_launch(&k->host, &k->size, true, &atax_kernel1_code, kernel_1);
    dot_launch(&k->host, &k->size, false, &atax_kernel2_code, kernel_2);
    return NULL;
}

static const char *atax_check(const struct program *p) {
    struct atax *k = p->self;
    const struct matrix_vector *n = &k->size;
    float *tmp = calloc(n->rows, sizeof *tmp), *y = calloc(n->columns, sizeof *y);
    const char *error = "out of memory";
    if (tmp && y) {
        for (unsigned i = 0; i < n->rows; i++) {
            for (unsigned j = 0; j < n->columns; j++) {
                tmp[i] += matrix_vector_a(n, i, j) * matrix_vector_x(j);
            }
            for (unsigned j = 0; j < n->columns; j++) {
                y[j] += matrix_vector_a(n, i, j) * tmp[i];
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
    *e = (struct workload_expectation){0};
    dot_expect(e, &k->size, true, false, line_bytes);
    dot_expect(e, &k->size, false, false, line_bytes);
}

const struct workload workload_atax = {
    .name = "atax",
    .suite = "polybench",
    .about = "y = A^T (A x): A by rows, 32 lines a load, then by columns",
    .size_text = {[SIZE_TINY] = "512 rows, 256 columns of 2048",
                  [SIZE_SMALL] = "NX = NY = 2048",
                  [SIZE_PAPER_MRPB] = "NX = NY = 2048",
                  [SIZE_PAPER_MDB] = "NX = NY = 4096"},
    .open = atax_open,
    .check = atax_check,
    .expect = atax_expect,
    .close = host_close,
};
