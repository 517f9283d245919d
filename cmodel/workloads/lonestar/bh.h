/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's state, shared by host side and kernels of LonestarGPU bh.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_BH_H
#define WARPMEM_WORKLOADS_LONESTAR_BH_H

#include "workloads/host.h"
#include "workloads/lonestar/cores.h"

/* A child's number: a body, or from k->bodies on a cell, or one of these. */
#define BH_EMPTY (-1)
#define BH_LOCKED (-2)
#define BH_DEPTH_MAX 32

#define BH_DT 0.025f
#define BH_HALF_DT (BH_DT * 0.5f)
#define BH_EPS_SQUARED (0.05f * 0.05f)
#define BH_INVERSE_THETA_SQUARED (1 / (0.5f * 0.5f))

/* CTAs a core and threads a CTA: the suite's for Fermi. */
#define BH_BOX_CTAS (3 * LONESTAR_CORES)
#define BH_BOX_BLOCK 512
#define BH_CLEAR_CTAS LONESTAR_CORES
#define BH_CLEAR_BLOCK 1024
#define BH_TREE_CTAS (3 * LONESTAR_CORES)
#define BH_TREE_BLOCK 512
#define BH_SUM_CTAS (6 * LONESTAR_CORES)
#define BH_SUM_BLOCK 128
#define BH_SORT_CTAS (6 * LONESTAR_CORES)
#define BH_SORT_BLOCK 64
#define BH_FORCE_CTAS (5 * LONESTAR_CORES)
#define BH_FORCE_BLOCK 256
#define BH_MOVE_CTAS LONESTAR_CORES
#define BH_MOVE_BLOCK 1024

/* Arrays of nodes + 1 elements: bodies from 0 on, cells from @nodes, the root, downwards. */
struct bh {
    struct host host;
    int32_t bodies, nodes;
    unsigned steps;
    uint64_t seed;
    struct buffer child; /* eight a node */
    struct buffer mass, pos[3], vel[3], acc[3];
    struct buffer count;           /* bodies below a cell */
    struct buffer start;           /* the place of the first of them in sort */
    struct buffer sort;            /* bodies in the order of the tree */
    struct buffer low[3], high[3]; /* of the bodies of each CTA of bounding_box */
    /* Variables of the device. */
    struct buffer step, bottom, max_depth, arrived, error, radius;
};

/** bh_store_all() - the same value from all threads. */
static inline void bh_store_all(struct simt *s, unsigned index, int32_t with,
                                const struct buffer *b, struct element e) {
    int32_t value[SIMT_THREADS];
    SIMT_EACH(s, t) {
        value[t] = with;
    }
    simt_store(s, index, value, b, e);
}

/* Launches: the first once, the others in each step. */
extern const struct host_launch bh_initialize, bh_bounding_box, bh_clear_1, bh_build_tree,
    bh_clear_2, bh_summarize, bh_sort, bh_force, bh_integrate;

#endif
