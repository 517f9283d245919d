/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's state, shared by the host side of backprop and its kernels.
 */
#ifndef WARPMEM_WORKLOADS_RODINIA_BACKPROP_H
#define WARPMEM_WORKLOADS_RODINIA_BACKPROP_H

#include "workloads/host.h"

#define BACKPROP_HIDDEN 16
#define BACKPROP_ROW (BACKPROP_HIDDEN + 1) /* floats from an input's weights to the next's */
#define BACKPROP_ROWS 16                   /* inputs a CTA */
/* The place of the first weight of a CTA's first input: after the bias's row and a column. */
#define BACKPROP_FIRST(cta) (BACKPROP_ROWS * BACKPROP_ROW * (cta) + BACKPROP_ROW + 1)
#define BACKPROP_ETA 0.3
#define BACKPROP_MOMENTUM 0.3

struct backprop {
    struct host host;
    unsigned n; /* inputs; number 0 is the bias, 1 .. n are the others */
    uint64_t seed;
    bool unshared;
    float output_weight[BACKPROP_HIDDEN + 1];
    /* hidden: the suite allocates it, but no kernel touches it. */
    struct buffer input, hidden, w, partial, delta, old_w;
    struct buffer forward; /* of the host: the weights as the first launch left them */
};

/** backprop_forward() - the first launch: partial sums a CTA. */
struct host_launch backprop_forward(const struct backprop *k);
/** backprop_adjust() - the second launch. */
struct host_launch backprop_adjust(const struct backprop *k);

#endif
