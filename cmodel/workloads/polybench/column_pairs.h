/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of PolyBench/GPU's covar and corr: a matrix of observations (rows) of variables
 * (columns), numbered from 1, its means, and the sum of products of each pair of columns.
 *
 * The last is the main kernel: a thread is a column j1 and goes through the columns j2 after it.
 * Lanes go side by side, so loads are coalesced; the sum goes to row j1 of the result, so that the
 * store in every step is to 32 lines. Thread 0 has all columns before it, the last none: few CTAs,
 * of unequal length.
 */
#ifndef WARPMEM_WORKLOADS_POLYBENCH_COLUMN_PAIRS_H
#define WARPMEM_WORKLOADS_POLYBENCH_COLUMN_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/host.h"
#include "workloads/workload.h"

#define PAIRS_BLOCK 256
/* Elements from a row to the next in every size, that of 2048 variables: one more than a power of
 * two, so that the 32 rows of a store, S + 1 apart, lie in one set or two. */
#define PAIRS_STRIDE 2049
#define PAIRS_FLOAT_N 3214212.01f /* the divisor, a constant of the suite */

struct pairs_size {
    unsigned variables, observations; /* a multiple of PAIRS_BLOCK; of 8 */
};

struct column_pairs {
    struct host host;
    struct pairs_size size;
    struct buffer data, symmat, stddev, mean;
};

/** pairs_open() - allocate in the suite's order, data filled. Return: false when out of memory. */
bool pairs_open(struct column_pairs *k, const struct pairs_size *size, bool with_stddev);

/** pairs_launch() - a thread a variable. */
struct host_launch pairs_launch(const struct column_pairs *k, const struct kernel_code *code,
                                simt_kernel *kernel);
/** pairs_launch_reduce() - a thread an element, @grid_y CTAs of 8 rows. */
struct host_launch pairs_launch_reduce(const struct column_pairs *k, const struct kernel_code *code,
                                       simt_kernel *kernel, unsigned grid_y);

/** pairs_mean() - its launch. */
struct host_launch pairs_mean(const struct column_pairs *k);
/** pairs_products() - the main kernel's. @diagonal: pairs of a column with itself too; without
 * them, such an element becomes 1, and the last column has no thread. */
struct host_launch pairs_products(const struct column_pairs *k, bool diagonal);

/* The plain C side: arrays laid out like the buffers. */
struct pairs_plain {
    float *data, *symmat, *stddev, *mean;
};

/** pairs_plain_start() - the inputs again, and the means; the arrays are zeroed. */
void pairs_plain_start(const struct column_pairs *k, struct pairs_plain *c);
/** pairs_plain_open() - the same in separate arrays. Return: false when out of memory. */
bool pairs_plain_open(const struct column_pairs *k, struct pairs_plain *c);
void pairs_plain_products(const struct column_pairs *k, struct pairs_plain *c, bool diagonal);
void pairs_plain_close(struct pairs_plain *c);

/** pairs_row_lines() - lines of a load or store by all warps of a launch, of an element a column,
 * of row @row (0: also of the means). */
uint64_t pairs_row_lines(const struct column_pairs *k, unsigned row, unsigned line_bytes);
void pairs_expect_mean(const struct column_pairs *k, unsigned line_bytes,
                       struct workload_expectation *e);
void pairs_expect_products(const struct column_pairs *k, bool diagonal, unsigned line_bytes,
                           struct workload_expectation *e);

#endif
