/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of lud and lud-unshared: the matrix, the sequence of launches, the check.
 *
 * In-place LU decomposition without pivoting, by tiles of 16 x 16. For each tile of the diagonal
 * but the last: one block of 16 threads decomposes it, then a block for each tile to its right
 * (together with its mirror below) computes the perimeter, then a block for each tile that is left
 * subtracts a product of the two. The last tile has its own launch.
 */
#ifndef WARPMEM_WORKLOADS_RODINIA_LUD_H
#define WARPMEM_WORKLOADS_RODINIA_LUD_H

#include "workloads/host.h"
#include "workloads/workloads.h"

#define LUD_TILE 16

enum lud_kernel { LUD_DIAGONAL, LUD_PERIMETER, LUD_INTERNAL, LUD_KERNELS };

struct lud_code {
    const struct kernel_code *code;
    simt_kernel *kernel;
};

struct lud {
    struct host host;
    unsigned n;      /* rows and columns, a multiple of LUD_TILE */
    unsigned stride; /* elements from a row to the next */
    uint64_t seed;
    const struct lud_code *kernels; /* LUD_KERNELS of them */
    unsigned offset;                /* of the diagonal's tile in this launch, in rows */
    struct buffer m;
};

/* Adds the counts of a launch with @tiles tiles to the right of the diagonal's. */
typedef void lud_count(enum lud_kernel kernel, unsigned tiles, unsigned line_bytes,
                       struct workload_expectation *e);

#define LUD_SIZE_TEXT \
    [SIZE_TINY] = "64 x 64, rows of 512", [SIZE_SMALL] = "512 x 512", \
    [SIZE_PAPER_MRPB] = "512 x 512"

/** lud_open() - as struct workload wants it, with the variant's kernels. */
bool lud_open(struct lud *k, enum workload_size size, uint64_t seed,
              const struct lud_code kernels[LUD_KERNELS]);
/** lud_plain() - of struct workload; its results. */
extern const struct workload_result lud_results[];
bool lud_plain(void *self, void *const expected[]);
/** lud_sum() - add up the counts of all launches. */
void lud_sum(const void *self, unsigned line_bytes, lud_count *count,
             struct workload_expectation *e);

/* Element (row, column) of the matrix, both counted from the diagonal's tile. */
static inline int64_t lud_at(const struct lud *k, unsigned row, unsigned column) {
    return (int64_t)(k->offset + row) * k->stride + k->offset + column;
}

/* Lines of a row of a tile, which is aligned to its 64 bytes. */
static inline uint64_t lud_row_lines(unsigned line_bytes) {
    return line_bytes < LUD_TILE * 4 ? LUD_TILE * 4 / line_bytes : 1;
}

#endif
