/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of PolyBench/GPU's grids: the launch's shape, and counting the lines of rows that
 * do not start on a line.
 */
#ifndef WARPMEM_WORKLOADS_POLYBENCH_STENCIL_H
#define WARPMEM_WORKLOADS_POLYBENCH_STENCIL_H

#include <stdint.h>

#include "workloads/host.h"

#define STENCIL_BLOCK_X 32 /* a warp is a row of a CTA */
#define STENCIL_BLOCK_Y 8

/* A thread an element of @rows x @columns. */
static inline struct host_launch stencil_launch(const struct kernel_code *code, unsigned rows,
                                                unsigned columns, simt_kernel *kernel) {
    return (struct host_launch){.launch = {code,
                                           {columns / STENCIL_BLOCK_X, rows / STENCIL_BLOCK_Y, 1},
                                           {STENCIL_BLOCK_X, STENCIL_BLOCK_Y, 1}},
                                .kernel = kernel};
}

/* Lines that hold the elements @first to @last, of 4 bytes, of an array. */
static inline uint64_t stencil_lines(uint64_t first, uint64_t last, unsigned line_bytes) {
    return last * 4 / line_bytes - first * 4 / line_bytes + 1;
}

/* Lines of all accesses of the warps that cover a row whose element 0 is element @row of the array:
 * to the elements @shift behind those of the lanes @first to @last of the row. */
static inline uint64_t stencil_row_lines(uint64_t row, unsigned first, unsigned last, int shift,
                                         unsigned line_bytes) {
    uint64_t lines = 0;
    const uint64_t start = row + (uint64_t)(int64_t)shift;
    for (unsigned j = first; j <= last; j = j / WARP_SIZE * WARP_SIZE + WARP_SIZE) {
        unsigned end = j | (WARP_SIZE - 1);
        lines += stencil_lines(start + j, start + (end < last ? end : last), line_bytes);
    }
    return lines;
}

#endif
