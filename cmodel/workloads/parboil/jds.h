/* SPDX-License-Identifier: Apache-2.0
 *
 * The sparse matrix of Parboil's spmv: a finite-element matrix in jagged diagonals (JDS). Rows are
 * sorted by length, longest first, and the k-th non-zeros of all rows are adjacent, so
 * that the threads of a warp, a row each, load neighbours.
 */
#ifndef WARPMEM_WORKLOADS_PARBOIL_JDS_H
#define WARPMEM_WORKLOADS_PARBOIL_JDS_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/host.h"

/**
 * struct fem - a square of elements, each with a polynomial of a degree in x and in y, zero at the
 * border of the square. An unknown depends on all those of the elements that it belongs to. They
 * are numbered line by line.
 */
struct fem {
    unsigned degree, elements; /* along a side */
};

static inline unsigned fem_side(const struct fem *f) {
    return f->degree * f->elements - 1;
}

static inline unsigned fem_rows(const struct fem *f) {
    return fem_side(f) * fem_side(f);
}

/** fem_row() - the columns of a row, ascending, (2 degree + 1)^2 at most. Return: how many. */
unsigned fem_row(const struct fem *f, unsigned row, int32_t *column);

/* Rows of a group are padded to the longest with zeros of column 0. */
#define JDS_GROUP 32

/**
 * struct jds - device buffers.
 * @data, @index: value and column of the non-zeros, diagonal by diagonal
 * @perm: the row at each place
 * @ptr: where each diagonal starts in data and index
 * @lengths: of the rows of each group
 */
struct jds {
    unsigned rows, groups, diagonals;
    struct buffer data, index, perm, ptr, lengths;
};

/** jds_create() - the matrix, values from @seed in [0, 1), in the order of rows and columns.
 * False: out of memory. */
bool jds_create(struct jds *j, struct device_memory *m, const struct fem *f, uint64_t seed);

#endif
