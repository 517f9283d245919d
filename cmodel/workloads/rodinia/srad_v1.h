/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's state, shared by host side and kernels of Rodinia srad_v1.
 */
#ifndef WARPMEM_WORKLOADS_RODINIA_SRAD_V1_H
#define WARPMEM_WORKLOADS_RODINIA_SRAD_V1_H

#include "workloads/host.h"
#include "workloads/common/lines.h"
#include "workloads/rodinia/srad.h"

#define SRAD_V1_BLOCK 512
#define SRAD_V1_WARPS (SRAD_V1_BLOCK / WARP_SIZE)
#define SRAD_V1_ROWS 502 /* pixels of a column, which lie next to each other */

struct srad_v1 {
    struct host host;
    unsigned columns, pixels, iterations;
    uint64_t seed;
    bool compress; /* at the end, instead of extract */
    unsigned reduce_elements, reduce_stride;
    float q0sqr;
    struct buffer image, north, south, east, west; /* indices of neighbours */
    struct buffer sums, sums2, d[4], c;            /* d: differences N, S, W, E */
};

/* Launches without the grid; extract is compress as well. */
enum {
    SRAD_V1_EXTRACT,
    SRAD_V1_PREPARE,
    SRAD_V1_REDUCE,
    SRAD_V1_SRAD,
    SRAD_V1_SRAD2,
    SRAD_V1_KERNELS
};
extern const struct host_launch srad_v1_launches[SRAD_V1_KERNELS];

/* Instructions of a warp: of all kernels but reduce, before the guard and behind it; of reduce,
 * before the tree, to take elements, of a round of the tree and of who adds in it, of the last
 * element that is added alone, and at the end. */
enum {
    SRAD_V1_GUARD_INSNS = 4,
    SRAD_V1_EXTRACT_INSNS = 2 + 34,
    SRAD_V1_PREPARE_INSNS = 4 + 7,
    SRAD_V1_SRAD_INSNS = 9 + 5 + 24 + 4 + SRAD_COEFFICIENT_INSNS + 15,
    SRAD_V1_SRAD2_INSNS = 10 + 1 + 24 + SRAD_UPDATE_INSNS + 5,
    SRAD_V1_REDUCE_INSNS = 4 + 12 + 1 + 2,
    SRAD_V1_TAKE_INSNS = 4,
    SRAD_V1_ROUND_INSNS = 5,
    SRAD_V1_ADD_INSNS = 8,
    SRAD_V1_REST_INSNS = 6,
    SRAD_V1_LAST_INSNS = 2
};

#endif
