/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills of boxes: of bytes in a row, rows in a slice, slices.
 */
#ifndef WARPMEM_CUDA_COPY_H
#define WARPMEM_CUDA_COPY_H

#include <stdbool.h>
#include <stddef.h>

/* A corner, and the bytes from row to row and from slice to slice. */
struct copy_end {
    char *at;
    size_t pitch, slice;
};

struct warpmem_array;

struct copy {
    struct copy_end to, from; /* from.at NULL: a fill */
    size_t width, height, depth;
    int kind;                    /* cudaMemcpyKind */
    unsigned value, value_bytes; /* of a fill */
};

/* As in warpmem_runtime.h. */
struct box_position {
    size_t x, y, z;
};
struct box_extent {
    size_t width, height, depth;
};
struct pitched_pointer {
    char *at;
    size_t pitch, width, height;
};
struct copy_parameters {
    struct warpmem_array *from_array;
    struct box_position from_position;
    struct pitched_pointer from;
    struct warpmem_array *to_array;
    struct box_position to_position;
    struct pitched_pointer to;
    size_t width, height, depth;
    int kind;
};

/** copy_from_parameters() - of cudaMemcpy3D(): the error, which is noted. */
int copy_from_parameters(const struct copy_parameters *p, struct copy *c);
/** copy_run() - the error, which is noted. */
int copy_run(const struct copy *c);
/** copy_in_stream() - run it, or make it a node of the graph that the stream captures. */
int copy_in_stream(const struct copy *c, void *stream);

#endif
