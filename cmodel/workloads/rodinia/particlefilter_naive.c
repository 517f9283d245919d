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

static void naive_close(struct program *p) {
    struct particlefilter *k = p->self;
    if (k) {
        free(k->host_weights);
        free(k->host_seeds);
        free(k->host_pixels);
    }
    host_close(p);
}

static const char *naive_open(struct program *p, enum workload_size size, uint64_t seed) {
    struct particlefilter *k = host_open(p, sizeof *k);
    if (!k) {
        return "out of memory";
    }
    const unsigned n = PARTICLES;
    struct buffer *const arrays[] = {&k->x, &k->y, &k->xj, &k->yj, &k->cdf, &k->u};
    k->particles = n;
    k->frames = frames[size];
    k->seed = seed;
    k->host_weights = calloc(n, sizeof *k->host_weights);
    k->host_seeds = calloc(n, sizeof *k->host_seeds);
    k->host_pixels = calloc(PF_SIDE * PF_SIDE, k->frames);
    bool fits = k->host_weights && k->host_seeds && k->host_pixels;
    for (unsigned i = 0; i < 6; i++) {
        fits = fits && device_memory_alloc(&k->host.memory, arrays[i], n, sizeof(double));
    }
    if (!fits) {
        naive_close(p);
        return "out of memory";
    }
    pf_video(k->host_pixels, k->frames, seed);
    pf_seeds(k->host_seeds, n, seed);
    start(n, k->x.data, k->y.data);
    host_set_step(&k->host, step);
    return NULL;
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

static const char *naive_check(const struct program *p) {
    struct particlefilter *k = p->self;
    const struct buffer *const results[] = {&k->x, &k->y, &k->xj, &k->yj, &k->cdf, &k->u};
    static const char *const names[] = {"arrayX", "arrayY", "xj", "yj", "CDF", "u"};
    double *a[ARRAYS];
    const char *error = track_new(k, a, 128, NULL) ? NULL : "out of memory";
    for (unsigned i = 0; i < WEIGHTS && !error; i++) {
        error = host_compare_double(&k->host, names[i], results[i], a[i]);
    }
    free(a[0]);
    return error;
}

static void naive_expect(const struct program *p, unsigned line_bytes,
                         struct workload_expectation *e) {
    double *a[ARRAYS];
    *e = (struct workload_expectation){0};
    if (!track_new(p->self, a, line_bytes, e)) {
        *e = (struct workload_expectation){WORKLOAD_UNKNOWN, WORKLOAD_UNKNOWN, WORKLOAD_UNKNOWN,
                                           WORKLOAD_UNKNOWN};
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
    .open = naive_open,
    .check = naive_check,
    .expect = naive_expect,
    .close = naive_close,
};
