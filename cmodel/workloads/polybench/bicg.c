/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU bicg, the two products of BiCGStab: s = A^T r, then q = A p, as two launches. The
 * first walks along the rows of A, a line a load; in the second a warp walks down 32 rows, 32 lines
 * a load, all in one set of an L1 without a hashed index. Both sums start from a stored 0, and r is
 * read before A, as compiled. A, r and p are atax's.
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

struct bicg {
    struct host host;
    struct matrix_vector size;
    struct buffer a, r, s, p, q;
};

/* s[id] = 0; for (i = 0; i < NX; i++) s[id] += A[i * NY + id] * r[i]; */
#define KERNEL_1(I) \
    DOT_BEGIN(I, K1) \
    DOT_CLEAR_SUM(I, K1) DOT_LOOP(I, K1) DOT_LOAD_X(I, K1) DOT_LOAD_A(I, K1) DOT_END(I, K1)
SIMT_CODE(bicg_kernel1, KERNEL_1, .registers = DOT_REGISTERS);

static void kernel_1(struct simt *s, const void *arguments) {
    const struct bicg *k = arguments;
    dot_kernel(s, &(struct dot){&k->size, &k->a, &k->r, &k->s, .clear = true, DOT_PLACES(K1)});
}

/* q[id] = 0; for (j = 0; j < NY; j++) q[id] += A[id * NY + j] * p[j]; */
#define KERNEL_2(I) \
    DOT_BEGIN(I, K2) \
    DOT_CLEAR_SUM(I, K2) DOT_LOOP(I, K2) DOT_LOAD_X(I, K2) DOT_LOAD_A(I, K2) DOT_END(I, K2)
SIMT_CODE(bicg_kernel2, KERNEL_2, .registers = DOT_REGISTERS);

static void kernel_2(struct simt *s, const void *arguments) {
    const struct bicg *k = arguments;
    dot_kernel(s, &(struct dot){&k->size, &k->a, &k->p, &k->q, .along_rows = true, .clear = true,
                                DOT_PLACES(K2)});
}

static const char *bicg_open(struct program *p, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct bicg *k = host_open(p, sizeof *k);
    if (!k) {
        return "out of memory";
    }
    const struct matrix_vector *n = &sizes[size];
    struct device_memory *m = &k->host.memory;
    k->size = *n;
    if (!device_memory_alloc(m, &k->a, (uint64_t)n->rows * n->stride, sizeof(float)) ||
        !device_memory_alloc(m, &k->r, n->rows, sizeof(float)) ||
        !device_memory_alloc(m, &k->s, n->columns, sizeof(float)) ||
        !device_memory_alloc(m, &k->p, n->columns, sizeof(float)) ||
        !device_memory_alloc(m, &k->q, n->rows, sizeof(float))) {
        host_close(p);
        return "out of memory";
    }
    matrix_vector_fill(n, &k->a);
    matrix_vector_fill_x(&k->r, n->rows);
    matrix_vector_fill_x(&k->p, n->columns);
    dot_launch(&k->host, &k->size, false, &bicg_kernel1_code, kernel_1);
    dot_launch(&k->host, &k->size, true, &bicg_kernel2_code, kernel_2);
    return NULL;
}

static const char *bicg_check(const struct program *p) {
    struct bicg *k = p->self;
    const struct matrix_vector *n = &k->size;
    float *s = calloc(n->columns, sizeof *s), *q = calloc(n->rows, sizeof *q);
    const char *error = "out of memory";
    if (s && q) {
        for (unsigned i = 0; i < n->rows; i++) {
            for (unsigned j = 0; j < n->columns; j++) {
                s[j] += matrix_vector_a(n, i, j) * matrix_vector_x(i);
                q[i] += matrix_vector_a(n, i, j) * matrix_vector_x(j);
            }
        }
        error = host_compare(&k->host, "s", &k->s, s);
        if (!error) {
            error = host_compare(&k->host, "q", &k->q, q);
        }
    }
    free(s);
    free(q);
    return error;
}

static void bicg_expect(const struct program *p, unsigned line_bytes,
                        struct workload_expectation *e) {
    const struct bicg *k = p->self;
    *e = (struct workload_expectation){0};
    dot_expect(e, &k->size, false, true, line_bytes);
    dot_expect(e, &k->size, true, true, line_bytes);
}

const struct workload workload_bicg = {
    .name = "bicg",
    .suite = "polybench",
    .about = "s = A^T r, q = A p: A by columns, then by rows, 32 lines a load",
    .size_text = {[SIZE_TINY] = "512 rows, 256 columns of 2048",
                  [SIZE_SMALL] = "NX = NY = 2048",
                  [SIZE_PAPER_MRPB] = "NX = NY = 2048, as MRPB's atax",
                  [SIZE_PAPER_MDB] = "NX = NY = 4096"},
    .open = bicg_open,
    .check = bicg_check,
    .expect = bicg_expect,
    .close = host_close,
};
