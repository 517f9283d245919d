/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA SDK's first prefix sum for arrays of any length ("scanLargeArray"), exclusive, of
 * integers: each CTA scans 512 elements in shared memory, up a tree of sums and down again; the
 * sums of the CTAs are scanned in the same way, and then added to all elements of their CTAs.
 * On every level the elements after the last whole 512 have their own launch, with half as many
 * threads as elements, rounded down to a power of two.
 */
#ifndef WARPMEM_WORKLOADS_COMMON_SCAN_H
#define WARPMEM_WORKLOADS_COMMON_SCAN_H

#include "workloads/host.h"

#define SCAN_BLOCK 256
#define SCAN_ELEMENTS (2 * SCAN_BLOCK) /* a CTA */
#define SCAN_LEVELS_MAX 4

struct scan {
    /* Level 0: the caller's arrays. Above it the sums of the level below, scanned in place. */
    struct buffer in[SCAN_LEVELS_MAX], out[SCAN_LEVELS_MAX];
    unsigned count[SCAN_LEVELS_MAX];
    unsigned levels;
    /* State of the current launch. */
    unsigned level;
    bool last; /* the elements after the last whole 512 */
    bool add;  /* the second kernel */
};

/**
 * scan_open() - prepare a scan and allocate the sums of its levels.
 * @in, @out: of 4 bytes an element, at least @n, not the same
 * @n: at least 1
 * Return: false when out of memory.
 */
bool scan_open(struct scan *k, struct device_memory *m, const struct buffer *in,
               const struct buffer *out, unsigned n);
/** scan_launch() - the @i-th launch, whose kernel calls scan_run(); false: there is none. */
bool scan_launch(struct scan *k, unsigned i, struct launch *out);
/** scan_run() - the kernel of the current launch. */
void scan_run(struct simt *s, const struct scan *k);

#endif
