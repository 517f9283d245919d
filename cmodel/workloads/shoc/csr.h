/* SPDX-License-Identifier: Apache-2.0
 *
 * The sparse matrix of SHOC's SPMV, in rows one behind another (CSR), and what its two kernels
 * share on the host side.
 */
#ifndef WARPMEM_WORKLOADS_SHOC_CSR_H
#define WARPMEM_WORKLOADS_SHOC_CSR_H

#include <stdint.h>

#include "workloads/host.h"
#include "workloads/workload.h"

#define CSR_BLOCK 128

/* The program of one launch: out = matrix * vec. The structure of both workloads. */
struct csr_program {
    struct host host;
    unsigned n; /* rows and columns, a multiple of CSR_BLOCK */
    struct buffer val, cols;
    struct buffer rows; /* start of each row in val and cols, and the end of the last */
    struct buffer vec;
    struct buffer out;
};

/** csr_nonzeros() - of a matrix of @n rows: a hundredth of the places. */
static inline uint32_t csr_nonzeros(uint32_t n) {
    return (uint32_t)((uint64_t)n * n / 100);
}

/**
 * csr_generate() - SHOC's random matrix: each place is taken with the probability that makes
 * csr_nonzeros() on average, in the order of rows, until there are so many; at the end of the
 * matrix every place that is still needed is taken. Always the same for an @n.
 * @rows: @n + 1 numbers
 * @cols: csr_nonzeros() numbers, ascending in each row
 */
void csr_generate(uint32_t n, int32_t *rows, int32_t *cols);

/**
 * csr_open() - SHOC's matrix, values from @seed in [0, 10), and one launch.
 * @rows: a multiple of CSR_BLOCK
 * @ctas: that CSR_BLOCK rows take
 */
bool csr_open(struct csr_program *k, unsigned rows, uint64_t seed, const struct kernel_code *code,
              simt_kernel *kernel, unsigned ctas);

#endif
