/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of the two versions of Rodinia particlefilter: a video of a moving disc, the
 * random numbers of each particle, what a particle sees, and the kernel that finds a particle's
 * successor.
 */
#ifndef WARPMEM_WORKLOADS_RODINIA_PARTICLEFILTER_H
#define WARPMEM_WORKLOADS_RODINIA_PARTICLEFILTER_H

#include "workloads/host.h"
#include "workloads/workload.h"

#define PF_SIDE 128   /* pixels */
#define PF_RADIUS 5   /* of the disc */
#define PF_OFFSETS 69 /* pixels of the disc */

struct particlefilter {
    struct host host;
    unsigned particles, frames; /* the first frame is only looked at for the start */
    unsigned frame;             /* of this launch, from 1 */
    uint64_t seed;
    /* Device memory: arrayX and arrayY, xj and yj, CDF and u as in the program. */
    struct buffer x, y, xj, yj, cdf, u;
    struct buffer likelihood, weights, partial_sums, pixels, offsets, seeds, indices;
    /* Host arrays of the naive version, whose kernels do not see them. */
    double *host_weights;
    int32_t *host_seeds;
    uint8_t *host_pixels;
};

/** pf_video() - @pixels: PF_SIDE * PF_SIDE * frames, the frames of a pixel together. */
void pf_video(uint8_t *pixels, unsigned frames, uint64_t seed);
/** pf_offsets() - of the pixels of a disc, y and x in turn, 2 * PF_OFFSETS numbers. */
void pf_offsets(int32_t *offsets);
/** pf_seeds() - one for each particle. */
void pf_seeds(int32_t *seeds, unsigned particles, uint64_t seed);
/** pf_uniform(), pf_normal() - the next number out of a particle's seed. */
double pf_uniform(int32_t *seed);
double pf_normal(int32_t *seed);
/** pf_normal_of() - out of two uniform ones. */
double pf_normal_of(double u, double v);
/** pf_pixel() - which pixel a particle at (x, y) looks at, @offset: y and x. 0 outside. */
int32_t pf_pixel(double x, double y, const int32_t offset[2], unsigned frame, unsigned frames);
/** pf_add_likelihood() - add a pixel's share to it. */
double pf_add_likelihood(double likelihood, uint8_t pixel);
/** pf_successor() - the first particle at which @cdf reaches u, at least the last one. */
unsigned pf_successor(const double *cdf, unsigned particles, double u);

/** pf_find_index() - its kernel; pf_find_index_code: its code. */
extern const struct kernel_code pf_find_index_code;
simt_kernel pf_find_index;

/** pf_expect_find_index() - add a launch of pf_find_index() in blocks of @block threads. */
void pf_expect_find_index(const double *cdf, const double *u, unsigned particles, unsigned block,
                          unsigned line_bytes, struct workload_expectation *e);

#endif
