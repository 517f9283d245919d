/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia particlefilter, "float" version of 3.1, which computes in doubles and has the whole
 * filter on the device: four launches a frame, two CTAs for 1000 particles. The likelihood kernel
 * writes and reads 69 indices a particle, a row of 276 bytes each (32 lines an access, the next 31
 * accesses in the same lines), and gathers the pixels that they lead to. The other kernels are
 * latency: one thread cumulates 1000 weights, all threads walk along them. MDB's PTF, which has 16
 * warps a CTA: the naive version has 4.
 *
 * Chosen where the specification is open: a generator's logarithm and cosine are 2 special function
 * instructions in about 150 others; the second store of an index, for pixels outside the video, is
 * left out. The program cumulates weights that another CTA may not have divided by their sum yet:
 * here they count as divided.
 */
#include <math.h>
#include <stdlib.h>

#include "workloads/common/lines.h"
#include "workloads/rodinia/particlefilter_float.h"
#include "workloads/workloads.h"

static const unsigned frames[] = {
    [SIZE_TINY] = 2,
    [SIZE_SMALL] = 10,
    [SIZE_PAPER_MDB] = 10,
};

/* --- The host. --- */

static bool step(void *self, unsigned number, struct host_launch *out) {
    struct particlefilter *k = self;
    if (number == LAUNCHES * (k->frames - 1)) {
        return false;
    }
    k->frame = 1 + number / LAUNCHES;
    *out = pf_float_launches[number % LAUNCHES];
    return true;
}

static bool float_open(void *self, enum workload_size size, uint64_t seed) {
    struct particlefilter *k = self;
    const unsigned n = PARTICLES;
    k->particles = n;
    k->frames = frames[size];
    k->seed = seed;
    if (!HOST_ALLOC(&k->host.memory, {&k->x, n, 8}, {&k->y, n, 8}, {&k->xj, n, 8}, {&k->yj, n, 8},
                    {&k->cdf, n, 8}, {&k->u, n, 8}, {&k->likelihood, n, 8}, {&k->weights, n, 8},
                    {&k->pixels, PF_SIDE * PF_SIDE * k->frames, 1},
                    {&k->offsets, 2 * PF_OFFSETS, 4}, {&k->indices, PF_OFFSETS * n, 4},
                    {&k->seeds, n, 4}, {&k->partial_sums, CTAS, 8})) {
        return false;
    }
    pf_video(k->pixels.data, k->frames, seed);
    pf_offsets(k->offsets.data);
    pf_seeds(k->seeds.data, n, seed);
    double *xj = k->xj.data, *yj = k->yj.data;
    for (unsigned i = 0; i < n; i++) {
        xj[i] = yj[i] = PF_SIDE / 2;
    }
    host_set_step(&k->host, step);
    return true;
}

/* --- Plain C. --- */

struct filter {
    double x[PARTICLES], y[PARTICLES], xj[PARTICLES], yj[PARTICLES], cdf[PARTICLES], u[PARTICLES];
    double likelihood[PARTICLES], weights[PARTICLES], sums[CTAS];
    int32_t seeds[PARTICLES], indices[PARTICLES][PF_OFFSETS];
};

static void track_frame(const struct particlefilter *k, struct filter *f, unsigned frame) {
    const int32_t *offsets = k->offsets.data;
    const uint8_t *pixels = k->pixels.data;
    const double share = 1.0 / PARTICLES;
    double tree[CTAS * BLOCK] = {0.0};
    for (unsigned i = 0; i < PARTICLES; i++) {
        double sum = 0.0;
        f->x[i] = f->xj[i] + (1.0 + 5.0 * pf_normal(&f->seeds[i]));
        f->y[i] = f->yj[i] + (-2.0 + 2.0 * pf_normal(&f->seeds[i]));
        for (unsigned o = 0; o < PF_OFFSETS; o++) {
            f->indices[i][o] = pf_pixel(f->x[i], f->y[i], &offsets[2 * o], frame, k->frames);
            sum = pf_add_likelihood(sum, pixels[f->indices[i][o]]);
        }
        f->likelihood[i] = sum / PF_OFFSETS;
        f->weights[i] = tree[i] = share * exp(f->likelihood[i]);
    }
    for (unsigned c = 0; c < CTAS; c++) {
        double *v = &tree[c * BLOCK];
        for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
            for (unsigned i = 0; i < half; i++) {
                v[i] += v[i + half];
            }
        }
        f->sums[c] = v[0];
    }
    f->sums[0] += f->sums[1];
    for (unsigned i = 0; i < PARTICLES; i++) {
        f->weights[i] /= f->sums[0];
        f->cdf[i] = (i ? f->cdf[i - 1] : 0.0) + f->weights[i];
    }
    const double first = share * pf_uniform(&f->seeds[0]);
    for (unsigned i = 0; i < PARTICLES; i++) {
        f->u[i] = first + (double)i / PARTICLES;
        const unsigned from = pf_successor(f->cdf, PARTICLES, f->u[i]);
        f->xj[i] = f->x[from];
        f->yj[i] = f->y[from];
    }
}

/* A frame's launches. The likelihood kernel has 59 instructions for all threads and 4812 for those
 * with a particle, of which 65 for each offset; of normalize 13 and 9, 5 a weight and 11 more for
 * thread 0. */
static void expect_frame(const struct filter *f, unsigned line_bytes,
                         struct workload_expectation *e) {
    const uint64_t warps = (PARTICLES + WARP_SIZE - 1) / WARP_SIZE, threads = CTAS * BLOCK;
    const uint64_t serial = CTAS * (4 + 2) + (2 * 4 + 1) + (5 * PARTICLES + 11);
    /* The tree's rounds have 8, 4, 2 and six times 1 warp, 511 threads. */
    e->warp_instructions += warps * (59 + 4812 + 2 + 13 + 9) + CTAS * 20 * 4 + serial;
    e->thread_instructions +=
        threads * (59 + 2 + 13) + PARTICLES * (4812 + 9) + CTAS * 511 * 4 + serial;
    for (unsigned first = 0; first < PARTICLES; first += WARP_SIZE) {
        const unsigned lanes = PARTICLES - first < WARP_SIZE ? PARTICLES - first : WARP_SIZE;
        const uint64_t row = lines_of_run(first, lanes, 8, line_bytes);
        const uint64_t seeds = lines_of_run(first, lanes, 4, line_bytes);
        uint64_t index[WARP_SIZE], pixel[WARP_SIZE];
        for (unsigned o = 0; o < PF_OFFSETS; o++) {
            for (unsigned i = 0; i < lanes; i++) {
                index[i] = ((uint64_t)(first + i) * PF_OFFSETS + o) * 4;
                pixel[i] = (uint64_t)f->indices[first + i][o];
            }
            const uint64_t indices = lines_of(index, lanes, line_bytes);
            e->global_read_accesses += 2 * row + 2 + indices + lines_of(pixel, lanes, line_bytes);
            e->global_write_accesses += indices;
        }
        e->global_read_accesses += 7 * row + 4 * seeds;
        e->global_write_accesses += 9 * row + 4 * seeds;
    }
    e->global_read_accesses += 2 + CTAS * 2 + PARTICLES + 1;
    e->global_write_accesses += CTAS + 1 + PARTICLES + 2;
    pf_expect_find_index(f->cdf, f->u, PARTICLES, BLOCK, line_bytes, e);
}

/* All frames; @e: NULL or what to add up. */
static struct filter *track(const struct particlefilter *k, unsigned line_bytes,
                            struct workload_expectation *e) {
    struct filter *f = calloc(1, sizeof *f);
    if (!f) {
        return NULL;
    }
    pf_seeds(f->seeds, PARTICLES, k->seed);
    for (unsigned i = 0; i < PARTICLES; i++) {
        f->xj[i] = f->yj[i] = PF_SIDE / 2;
    }
    for (unsigned frame = 1; frame < k->frames; frame++) {
        track_frame(k, f, frame);
        if (e) {
            expect_frame(f, line_bytes, e);
        }
    }
    return f;
}

static const char *float_check(void *self) {
    struct particlefilter *k = self;
    struct filter *f = track(k, 128, NULL);
    if (!f) {
        return "out of memory";
    }
    const struct {
        const char *name;
        const struct buffer *result;
        const double *expected;
    } results[] = {{"arrayX", &k->x, f->x},
                   {"arrayY", &k->y, f->y},
                   {"xj", &k->xj, f->xj},
                   {"yj", &k->yj, f->yj},
                   {"CDF", &k->cdf, f->cdf},
                   {"u", &k->u, f->u},
                   {"likelihood", &k->likelihood, f->likelihood},
                   {"weights", &k->weights, f->weights},
                   {"partial_sums", &k->partial_sums, f->sums}};
    const char *error = host_compare_int(&k->host, "ind", &k->indices, f->indices);
    error = error ? error : host_compare_int(&k->host, "seed", &k->seeds, f->seeds);
    for (unsigned i = 0; i < sizeof results / sizeof *results && !error; i++) {
        error =
            host_compare_double(&k->host, results[i].name, results[i].result, results[i].expected);
    }
    free(f);
    return error;
}

static void float_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    struct filter *f = track(self, line_bytes, e);
    if (!f) {
        *e = WORKLOAD_ALL_UNKNOWN;
    }
    free(f);
}

const struct workload workload_particlefilter_float = {
    .name = "particlefilter-float",
    .suite = "rodinia",
    .about = "69 indices a particle, 32 lines an access, then gathers and serial sums",
    .size_text = {[SIZE_TINY] = "1000 particles, 2 frames",
                  [SIZE_SMALL] = "1000 particles, 10 frames",
                  [SIZE_PAPER_MDB] = "1000 particles, 10 frames"},
    .bytes = sizeof(struct particlefilter),
    .open = float_open,
    .check = float_check,
    .expect = float_expect,
};
