/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of PolyBench/GPU's matrix multiplications (gemm, 2mm, 3mm): inputs by formula,
 * the kernel that adds a product to a matrix, the launch's shape, the product in plain C.
 */
#ifndef WARPMEM_WORKLOADS_POLYBENCH_MATRIX_MULTIPLY_H
#define WARPMEM_WORKLOADS_POLYBENCH_MATRIX_MULTIPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/host.h"
#include "workloads/workload.h"

#define MULTIPLY_BLOCK_X 32 /* a warp is a row of a CTA */
#define MULTIPLY_BLOCK_Y 8

/* A matrix without padding. Element (i, j) is at first (i * (j + shift) + plus) / divisor; with
 * divisor 0 it is 0. The seed has no part. */
struct matrix {
    const char *name;
    unsigned rows, columns;
    unsigned shift, plus, divisor;
    struct buffer data;
};

/* z += x y. Rows of z a multiple of MULTIPLY_BLOCK_Y, columns of MULTIPLY_BLOCK_X. */
struct product {
    const struct matrix *x, *y, *z;
};

/** matrix_open() - allocate and fill. Return: false when out of memory. */
bool matrix_open(struct host *h, struct matrix *m);
/** matrix_fill() - its inputs into @data. */
void matrix_fill(const struct matrix *m, float *data);

/** multiply_launch() - a thread an element of @z. */
struct host_launch multiply_launch(const struct kernel_code *code, const struct matrix *z,
                                   simt_kernel *kernel);

/** multiply_plain() - z += (alpha * x) y, row by row of y. */
void multiply_plain(float *z, const float *x, const float *y, const struct product *p, float alpha);

/**
 * multiply_expect() - add the counts of one launch.
 * @before, @body: instructions before and in the loop; of the latter 2 load and 1 stores
 * @stores_before: that store z, of those before the loop; besides one that loads it
 */
void multiply_expect(struct workload_expectation *e, const struct product *p, unsigned line_bytes,
                     unsigned before, unsigned body, unsigned stores_before);

#define PRODUCTS_MATRICES_MAX 7
#define PRODUCTS_MAX 3

/* A program of products, a launch each: z[i][j] += x[i][k] * y[k][j] for all k, stored in each
 * step. */
struct products {
    struct host host;
    unsigned matrices, count;
    struct matrix matrix[PRODUCTS_MATRICES_MAX]; /* in the order of allocation */
    struct product product[PRODUCTS_MAX];        /* in the order of launches */
};

/** products_open() - of struct workload's open(), with matrices and products filled in. */
bool products_open(struct products *w);
/** products_plain() - of struct workload; all matrices are results, in the order of allocation. */
bool products_plain(void *self, void *const expected[]);
void products_expect(const void *self, unsigned line_bytes, struct workload_expectation *e);

#endif
