/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia particlefilter, naive version: the host follows a disc in a video with 1000 particles,
 * and each frame one launch of 8 CTAs finds the successor of every particle. A thread walks along
 * the 8 KB of cumulated weights, the same element for all lanes, until its own threshold: a loop
 * that lanes leave one after another. Few warps, little but latency. OWL's PFN.
 *
 * The video and the random numbers are made as the program makes them, from this model's seed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/rodinia/particlefilter.h"
#include "workloads/workloads.h"

#define BLOCK 128
#define PARTICLES 1000

static const unsigned frames[] = {
    [SIZE_TINY] = 2,
    [SIZE_SMALL] = 10,
    [SIZE_PAPER_OWL] = 10,
};

/* The host's work on a frame: particles move and look, weights and thresholds follow. */
static void look(unsigned n, unsigned frame, unsigned count, const uint8_t *pixels, int32_t *seeds,
                 double *x, double *y, double *weights, double *cdf, double *u) {
    int32_t offsets[2 * PF_OFFSETS];
    double sum = 0.0;
    pf_offsets(offsets);
    for (unsigned i = 0; i < n; i++) {
        double likelihood = 0.0;
        x[i] += 1.0 + 5.0 * pf_normal(&seeds[i]);
        y[i] += -2.0 + 2.0 * pf_normal(&seeds[i]);
        for (unsigned o = 0; o < PF_OFFSETS; o++) {
            likelihood = pf_add_likelihood(
                likelihood, pixels[pf_pixel(x[i], y[i], &offsets[2 * o], frame, count)]);
        }
        weights[i] = 1.0 / n * exp(likelihood / PF_OFFSETS);
        sum += weights[i];
    }
    const double first = 1.0 / n * pf_uniform(&seeds[0]);
    for (unsigned i = 0; i < n; i++) {
        cdf[i] = (i ? cdf[i - 1] : 0.0) + weights[i] / sum;
        u[i] = first + (double)i / n;
    }
}

static void start(unsigned n, double *x, double *y) {
    for (unsigned i = 0; i < n; i++) {
        x[i] = y[i] = PF_SIDE / 2;
    }
}

static bool step(void *self, unsigned number, struct host_launch *out) {
    struct particlefilter *k = self;
    if (number == k->frames - 1) {
        return false;
    }
    if (number > 0) {
        memcpy(k->x.data, k->xj.data, k->particles * sizeof(double));
        memcpy(k->y.data, k->yj.data, k->particles * sizeof(double));
    }
    k->frame = number + 1;
    look(k->particles, k->frame, k->frames, k->host_pixels, k->host_seeds, k->x.data, k->y.data,
         k->host_weights, k->cdf.data, k->u.data);
    *out = (struct host_launch){
        .launch = {&pf_find_index_code, {(k->particles + BLOCK - 1) / BLOCK, 1, 1}, {BLOCK, 1, 1}},
        .kernel = pf_find_index};
    return true;
}

static bool naive_open(void *self, enum workload_size size, uint64_t seed) {
    struct particlefilter *k = self;
    const unsigned n = PARTICLES;
    k->particles = n;
    k->frames = frames[size];
    k->seed = seed;
    k->host_weights = host_array(&k->host, n, sizeof *k->host_weights);
    k->host_seeds = host_array(&k->host, n, sizeof *k->host_seeds);
    k->host_pixels = host_array(&k->host, PF_SIDE * PF_SIDE, k->frames);
    if (!k->host_weights || !k->host_seeds || !k->host_pixels ||
        !HOST_ALLOC(&k->host.memory, {&k->x, n, 8}, {&k->y, n, 8}, {&k->xj, n, 8}, {&k->yj, n, 8},
                    {&k->cdf, n, 8}, {&k->u, n, 8})) {
        return false;
    }
    pf_video(k->host_pixels, k->frames, seed);
    pf_seeds(k->host_seeds, n, seed);
    start(n, k->x.data, k->y.data);
    host_set_step(&k->host, step);
    return true;
}

/* --- Plain C. --- */

enum { X, Y, XJ, YJ, CDF, U, WEIGHTS, ARRAYS };

/* All frames. @e: NULL or what to add up. @a: one array of all, zeroed. False: out of memory. */
static bool track(const struct particlefilter *k, double *a[ARRAYS], unsigned line_bytes,
                  struct workload_expectation *e) {
    const unsigned n = k->particles;
    int32_t *seeds = calloc(n, sizeof *seeds);
    if (!seeds) {
        return false;
    }
    pf_seeds(seeds, n, k->seed);
    start(n, a[XJ], a[YJ]);
    for (unsigned frame = 1; frame < k->frames; frame++) {
        memcpy(a[X], a[XJ], n * sizeof *a[X]);
        memcpy(a[Y], a[YJ], n * sizeof *a[Y]);
        look(n, frame, k->frames, k->host_pixels, seeds, a[X], a[Y], a[WEIGHTS], a[CDF], a[U]);
        for (unsigned i = 0; i < n; i++) {
            const unsigned from = pf_successor(a[CDF], n, a[U][i]);
            a[XJ][i] = a[X][from];
            a[YJ][i] = a[Y][from];
        }
        if (e) {
            pf_expect_find_index(a[CDF], a[U], n, BLOCK, line_bytes, e);
        }
    }
    free(seeds);
    return true;
}

static bool track_new(const struct particlefilter *k, double *a[ARRAYS], unsigned line_bytes,
                      struct workload_expectation *e) {
    a[0] = calloc((size_t)ARRAYS * k->particles, sizeof *a[0]);
    for (unsigned i = 1; i < ARRAYS; i++) {
        a[i] = a[0] ? a[i - 1] + k->particles : NULL;
    }
    return a[0] && track(k, a, line_bytes, e);
}

static const struct workload_result results[] = {DOUBLES("arrayX", particlefilter, x),
                                                 DOUBLES("arrayY", particlefilter, y),
                                                 DOUBLES("xj", particlefilter, xj),
                                                 DOUBLES("yj", particlefilter, yj),
                                                 DOUBLES("CDF", particlefilter, cdf),
                                                 DOUBLES("u", particlefilter, u),
                                                 {0}};

static bool naive_plain(void *self, void *const expected[]) {
    struct particlefilter *k = self;
    double *a[ARRAYS] = {[WEIGHTS] = host_array(&k->host, k->particles, sizeof *a[0])};
    for (unsigned i = 0; i < WEIGHTS; i++) {
        a[i] = expected[i];
    }
    return a[WEIGHTS] && track(k, a, 128, NULL);
}

static void naive_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    double *a[ARRAYS];
    if (!track_new(self, a, line_bytes, e)) {
        *e = WORKLOAD_ALL_UNKNOWN;
    }
    free(a[0]);
}

const struct workload workload_particlefilter_naive = {
    .name = "particlefilter-naive",
    .suite = "rodinia",
    .about = "1000 threads walk along the same 8 KB and leave one by one",
    .size_text = {[SIZE_TINY] = "1000 particles, 2 frames",
                  [SIZE_SMALL] = "1000 particles, 10 frames",
                  [SIZE_PAPER_OWL] = "1000 particles, 10 frames"},
    .bytes = sizeof(struct particlefilter),
    .open = naive_open,
    .results = results,
    .plain = naive_plain,
    .expect = naive_expect,
};
