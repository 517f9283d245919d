/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia particlefilter, "float" version of 3.1, which computes in doubles and has the whole
 * filter on the device: four launches a frame, two CTAs for 1000 particles. The likelihood kernel
 * writes and reads 69 indices a particle, a row of 276 bytes each (32 lines an access, the next 31
 * accesses in the same lines), and gathers the pixels that they lead to. The other kernels are
 * latency: one thread cumulates 1000 weights, all threads walk along them.
 *
 * Chosen where the specification is open: a generator's logarithm and cosine are 2 special function
 * instructions in about 150 others; the second store of an index, for pixels outside the video, is
 * left out. The program cumulates weights that another CTA may not have divided by their sum yet:
 * here they count as divided.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/rodinia/lines.h"
#include "workloads/rodinia/particlefilter.h"
#include "workloads/workloads.h"

#define BLOCK 512
#define PARTICLES 1000
#define CTAS 2
#define LAUNCHES 4 /* a frame */

static const unsigned frames[] = {
    [SIZE_TINY] = 2,
    [SIZE_SMALL] = 10,
    [SIZE_PAPER] = 10,
};

enum { R_I, R_A, R_P, R_X, R_Y, R_V, R_W, R_O, R_N, R_S };

#define LIKELIHOOD(I) \
    I(ALU, ID, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, COMPARE, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, GUARD, R_P) \
    I(LOAD, LOAD_XJ, SPACE_GLOBAL, 8, R_X, R_I) \
    I(STORE, STORE_X, SPACE_GLOBAL, 8, R_X, R_I) \
    I(LOAD, LOAD_YJ, SPACE_GLOBAL, 8, R_Y, R_I) \
    I(STORE, STORE_Y, SPACE_GLOBAL, 8, R_Y, R_I) \
    I(ALU, FIRST_WEIGHT, OP_DP_DIV, R_W, REG_NONE) \
    I(STORE, STORE_FIRST_WEIGHT, SPACE_GLOBAL, 8, R_W, R_I) \
    I(LOAD, LOAD_SEED, SPACE_GLOBAL, 4, R_S, R_I) \
    I(ALU, GENERATE, OP_INT_MAD, R_S, R_S, R_S) \
    I(STORE, STORE_SEED, SPACE_GLOBAL, 4, R_S, R_I) \
    I(ALU, NORMAL, OP_DP_MAD, R_V, R_V, R_S) \
    I(ALU, NORMAL_FUNCTION, OP_SFU, R_V, R_V) \
    I(LOAD, LOAD_X, SPACE_GLOBAL, 8, R_X, R_I) \
    I(ALU, MOVE, OP_DP_ADD, R_X, R_X, R_V) \
    I(STORE, STORE_MOVED, SPACE_GLOBAL, 8, R_X, R_I) \
    I(BARRIER, MOVED) \
    I(ALU, COMPARE_2, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, GUARD_2, R_P) \
    I(LOOP, OFFSET) \
    I(LOAD, OFFSET_X, SPACE_GLOBAL, 8, R_X, R_I) \
    I(LOAD, OFFSET_DX, SPACE_GLOBAL, 4, R_O, R_A) \
    I(LOAD, OFFSET_Y, SPACE_GLOBAL, 8, R_Y, R_I) \
    I(LOAD, OFFSET_DY, SPACE_GLOBAL, 4, R_N, R_A) \
    I(ALU, OFFSET_ROUND, OP_DP_ADD, R_V, R_X, R_Y) \
    I(ALU, OFFSET_INDEX, OP_INT_MAD, R_V, R_V, R_O, R_N) \
    I(STORE, STORE_INDEX, SPACE_GLOBAL, 4, R_V, R_A) \
    I(ALU, OFFSET_NEXT, OP_INT_ADD, R_A, R_A) \
    I(BRANCH, OFFSET_AGAIN, R_A) \
    I(LOOP, PIXEL) \
    I(LOAD, LOAD_INDEX, SPACE_GLOBAL, 4, R_N, R_A) \
    I(LOAD, LOAD_PIXEL, SPACE_GLOBAL, 1, R_O, R_N) \
    I(ALU, PIXEL_SQUARE, OP_DP_MAD, R_V, R_O, R_V) \
    I(ALU, PIXEL_NEXT, OP_INT_ADD, R_A, R_A) \
    I(BRANCH, PIXEL_AGAIN, R_A) \
    I(ALU, DIVIDE, OP_DP_DIV, R_V, R_V) \
    I(STORE, STORE_LIKELIHOOD, SPACE_GLOBAL, 8, R_V, R_I) \
    I(LOAD, LOAD_WEIGHT, SPACE_GLOBAL, 8, R_W, R_I) \
    I(ALU, EXPONENTIAL, OP_SFU, R_V, R_V) \
    I(ALU, WEIGH, OP_DP_MUL, R_W, R_W, R_V) \
    I(STORE, STORE_WEIGHT, SPACE_GLOBAL, 8, R_W, R_I) \
    I(ALU, ZERO, OP_DP_ADD, R_V, REG_NONE) \
    I(STORE, PUT_ZERO, SPACE_SHARED, 8, R_V, R_I) \
    I(BARRIER, ZEROED) \
    I(ALU, COMPARE_3, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, GUARD_3, R_P) \
    I(LOAD, LOAD_WEIGHT_AGAIN, SPACE_GLOBAL, 8, R_W, R_I) \
    I(STORE, PUT_WEIGHT, SPACE_SHARED, 8, R_W, R_I) \
    I(BARRIER, TAKEN) \
    I(LOOP, ROUND) \
    I(ALU, ROUND_COMPARE, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, ROUND_MINE, R_P) \
    I(LOAD, ROUND_A, SPACE_SHARED, 8, R_W, R_I) \
    I(LOAD, ROUND_B, SPACE_SHARED, 8, R_V, R_I) \
    I(ALU, ROUND_ADD, OP_DP_ADD, R_W, R_W, R_V) \
    I(STORE, ROUND_PUT, SPACE_SHARED, 8, R_W, R_I) \
    I(BARRIER, ROUND_DONE) \
    I(ALU, ROUND_NEXT, OP_INT_ADD, R_N, R_N) \
    I(BRANCH, ROUND_AGAIN, R_N) \
    I(ALU, IS_FIRST, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, IF_FIRST, R_P) \
    I(LOAD, GET_SUM, SPACE_SHARED, 8, R_W, R_I) \
    I(STORE, STORE_SUM, SPACE_GLOBAL, 8, R_W, R_I)
SIMT_CODE(likelihood, LIKELIHOOD, .registers = 45, .shared_bytes = BLOCK * 8);

/* One normal number a thread, through its seed in memory, and the coordinate that it moves. */
static void move(struct simt *s, const struct particlefilter *k, const struct buffer *coordinate,
                 struct element here, double step, double spread) {
    double moved[SIMT_THREADS], random[SIMT_THREADS], other[SIMT_THREADS];
    int32_t seed[SIMT_THREADS];
    double *const uniform[2] = {random, other};
    for (unsigned i = 0; i < 2; i++) {
        simt_load(s, LOAD_SEED, seed, &k->seeds, here);
        simt_work(s, GENERATE, 8);
        SIMT_EACH(s, t) {
            uniform[i][t] = pf_uniform(&seed[t]);
        }
        simt_store(s, STORE_SEED, seed, &k->seeds, here);
    }
    simt_work(s, NORMAL, 130);
    simt_work(s, NORMAL_FUNCTION, 2);
    simt_load(s, LOAD_X, moved, coordinate, here);
    simt_work(s, MOVE, 2);
    SIMT_EACH(s, t) {
        moved[t] += step + spread * pf_normal_of(random[t], other[t]);
    }
    simt_store(s, STORE_MOVED, moved, coordinate, here);
}

/* The 69 indices of each particle, and then the pixels that they lead to. */
static void look(struct simt *s, const struct particlefilter *k, int64_t first, double *sum) {
    const struct element here = element_x(first, 1);
    double x[SIMT_THREADS], y[SIMT_THREADS];
    int32_t dx[SIMT_THREADS], dy[SIMT_THREADS], index[SIMT_THREADS];
    uint8_t pixel[SIMT_THREADS];
    SIMT_FOR(s, OFFSET, o, PF_OFFSETS) {
        simt_load(s, OFFSET_X, x, &k->x, here);
        simt_load(s, OFFSET_DX, dx, &k->offsets, element_at(2 * o + 1));
        simt_load(s, OFFSET_Y, y, &k->y, here);
        simt_load(s, OFFSET_DY, dy, &k->offsets, element_at(2 * o));
        simt_work(s, OFFSET_ROUND, 6);
        simt_work(s, OFFSET_INDEX, 8);
        SIMT_EACH(s, t) {
            index[t] = pf_pixel(x[t], y[t], (int32_t[]){dy[t], dx[t]}, k->frame, k->frames);
        }
        simt_store(s, STORE_INDEX, index, &k->indices,
                   element_x(first * PF_OFFSETS + o, PF_OFFSETS));
        simt_alus(s, OFFSET_NEXT, OFFSET_AGAIN);
    }
    SIMT_EACH(s, t) {
        sum[t] = 0.0;
    }
    SIMT_FOR(s, PIXEL, o, PF_OFFSETS) {
        simt_load(s, LOAD_INDEX, index, &k->indices, element_x(first * PF_OFFSETS + o, PF_OFFSETS));
        simt_load(s, LOAD_PIXEL, pixel, &k->pixels, element_lane(index));
        simt_work(s, PIXEL_SQUARE, 40);
        simt_alus(s, PIXEL_NEXT, PIXEL_AGAIN);
        SIMT_EACH(s, t) {
            sum[t] = pf_add_likelihood(sum[t], pixel[t]);
        }
    }
}

static void kernel_likelihood(struct simt *s, const void *arguments) {
    const struct particlefilter *k = arguments;
    const int64_t first = (int64_t)s->cta[0] * s->block[0];
    const struct element here = element_x(first, 1), mine = element_x(0, 1);
    const struct buffer sums = simt_shared(s, 0, BLOCK, 8);
    double v[SIMT_THREADS], w[SIMT_THREADS];
    struct simt_mask inside, half;

    SIMT_WHERE(s, inside, t, first + t < k->particles);
    simt_alus(s, ID, COMPARE);
    SIMT_IF(s, GUARD, &inside) {
        simt_load(s, LOAD_XJ, v, &k->xj, here);
        simt_store(s, STORE_X, v, &k->x, here);
        simt_load(s, LOAD_YJ, v, &k->yj, here);
        simt_store(s, STORE_Y, v, &k->y, here);
        SIMT_ALU(s, FIRST_WEIGHT, t) {
            w[t] = 1.0 / k->particles;
        }
        simt_store(s, STORE_FIRST_WEIGHT, w, &k->weights, here);
        move(s, k, &k->x, here, 1.0, 5.0);
        move(s, k, &k->y, here, -2.0, 2.0);
    }
    simt_barrier(s, MOVED);
    simt_alu(s, COMPARE_2);
    SIMT_IF(s, GUARD_2, &inside) {
        look(s, k, first, v);
        SIMT_ALU(s, DIVIDE, t) {
            v[t] /= PF_OFFSETS;
        }
        simt_store(s, STORE_LIKELIHOOD, v, &k->likelihood, here);
        simt_load(s, LOAD_WEIGHT, w, &k->weights, here);
        simt_work(s, EXPONENTIAL, 2);
        SIMT_ALU(s, WEIGH, t) {
            w[t] *= exp(v[t]);
        }
        simt_store(s, STORE_WEIGHT, w, &k->weights, here);
    }
    SIMT_ALU(s, ZERO, t) {
        v[t] = 0.0;
    }
    simt_store(s, PUT_ZERO, v, &sums, mine);
    simt_barrier(s, ZEROED);
    simt_alu(s, COMPARE_3);
    SIMT_IF(s, GUARD_3, &inside) {
        simt_load(s, LOAD_WEIGHT_AGAIN, w, &k->weights, here);
        simt_store(s, PUT_WEIGHT, w, &sums, mine);
    }
    simt_barrier(s, TAKEN);
    SIMT_FOR(s, ROUND, r, 9) {
        const unsigned count = BLOCK / 2 >> r;
        simt_alu(s, ROUND_COMPARE);
        SIMT_WHERE(s, half, t, t < count);
        SIMT_IF(s, ROUND_MINE, &half) {
            simt_load(s, ROUND_A, w, &sums, mine);
            simt_load(s, ROUND_B, v, &sums, element_x(count, 1));
            SIMT_ALU(s, ROUND_ADD, t) {
                w[t] += v[t];
            }
            simt_store(s, ROUND_PUT, w, &sums, mine);
        }
        simt_barrier(s, ROUND_DONE);
        simt_alus(s, ROUND_NEXT, ROUND_AGAIN);
    }
    simt_alu(s, IS_FIRST);
    SIMT_WHERE(s, half, t, t == 0);
    SIMT_IF(s, IF_FIRST, &half) {
        simt_load(s, GET_SUM, w, &sums, mine);
        simt_store(s, STORE_SUM, w, &k->partial_sums, element_at(s->cta[0]));
    }
}

#define SUM(I) \
    I(ALU, SUM_ID, OP_INT_MAD, R_I, REG_NONE) \
    I(BRANCH, SUM_GUARD, R_I) \
    I(LOOP, SUM_EACH) \
    I(LOAD, SUM_LOAD, SPACE_GLOBAL, 8, R_X, R_I) \
    I(ALU, SUM_ADD, OP_DP_ADD, R_V, R_V, R_X) \
    I(ALU, SUM_NEXT, OP_INT_ADD, R_I, R_I) \
    I(BRANCH, SUM_AGAIN, R_I) \
    I(STORE, SUM_STORE, SPACE_GLOBAL, 8, R_V, R_I)
SIMT_CODE(sum, SUM, .registers = 16);

/* Thread 0: partial_sums[0] = the sum of all. */
static void kernel_sum(struct simt *s, const void *arguments) {
    const struct particlefilter *k = arguments;
    double v[SIMT_THREADS], sum[SIMT_THREADS];
    struct simt_mask one;
    simt_alu(s, SUM_ID);
    SIMT_WHERE(s, one, t, s->cta[0] == 0 && t == 0);
    SIMT_IF(s, SUM_GUARD, &one) {
        sum[0] = 0.0;
        SIMT_FOR(s, SUM_EACH, i, CTAS) {
            simt_load(s, SUM_LOAD, v, &k->partial_sums, element_at(i));
            simt_alus(s, SUM_ADD, SUM_AGAIN);
            sum[0] += v[0];
        }
        simt_store(s, SUM_STORE, sum, &k->partial_sums, element_at(0));
    }
}

#define NORMALIZE(I) \
    I(ALU, N_ID, OP_INT_MAD, R_I, REG_NONE) \
    I(BRANCH, N_FIRST, R_I) \
    I(LOAD, N_SUM, SPACE_GLOBAL, 8, R_V, R_I) \
    I(STORE, N_PUT_SUM, SPACE_SHARED, 8, R_V, R_I) \
    I(BARRIER, N_SUM_TAKEN) \
    I(ALU, N_COMPARE, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, N_GUARD, R_P) \
    I(LOAD, N_WEIGHT, SPACE_GLOBAL, 8, R_W, R_I) \
    I(LOAD, N_GET_SUM, SPACE_SHARED, 8, R_V, R_I) \
    I(ALU, N_DIVIDE, OP_DP_DIV, R_W, R_W, R_V) \
    I(STORE, N_STORE_WEIGHT, SPACE_GLOBAL, 8, R_W, R_I) \
    I(BARRIER, N_DIVIDED) \
    I(ALU, N_IS_ZERO, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, N_ZERO, R_P) \
    I(LOOP, N_EACH) \
    I(LOAD, N_LOAD, SPACE_GLOBAL, 8, R_X, R_A) \
    I(ALU, N_ADD, OP_DP_ADD, R_Y, R_Y, R_X) \
    I(STORE, N_CDF, SPACE_GLOBAL, 8, R_Y, R_A) \
    I(ALU, N_NEXT, OP_INT_ADD, R_A, R_A) \
    I(BRANCH, N_AGAIN, R_A) \
    I(LOAD, N_SEED, SPACE_GLOBAL, 4, R_S, R_I) \
    I(ALU, N_GENERATE, OP_INT_MAD, R_S, R_S, R_S) \
    I(STORE, N_STORE_SEED, SPACE_GLOBAL, 4, R_S, R_I) \
    I(STORE, N_U0, SPACE_GLOBAL, 8, R_V, R_I) \
    I(BARRIER, N_CUMULATED) \
    I(BRANCH, N_FIRST_AGAIN, R_I) \
    I(LOAD, N_LOAD_U0, SPACE_GLOBAL, 8, R_V, R_A) \
    I(STORE, N_PUT_U0, SPACE_SHARED, 8, R_V, R_I) \
    I(BARRIER, N_U0_TAKEN) \
    I(ALU, N_COMPARE_2, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, N_GUARD_2, R_P) \
    I(LOAD, N_GET_U0, SPACE_SHARED, 8, R_V, R_I) \
    I(ALU, N_U, OP_DP_ADD, R_V, R_V, R_I) \
    I(STORE, N_STORE_U, SPACE_GLOBAL, 8, R_V, R_I)
SIMT_CODE(normalize, NORMALIZE, .registers = 20, .shared_bytes = 2 * 8);

/* Weights to a sum of 1; thread 0 cumulates them all and draws the first threshold; thresholds. */
static void kernel_normalize(struct simt *s, const void *arguments) {
    const struct particlefilter *k = arguments;
    const int64_t first = (int64_t)s->cta[0] * s->block[0];
    const struct element here = element_x(first, 1);
    const struct buffer sum_shared = simt_shared(s, 0, 1, 8), u_shared = simt_shared(s, 8, 1, 8);
    double v[SIMT_THREADS], w[SIMT_THREADS], x[SIMT_THREADS], cdf[1] = {0.0};
    int32_t seed[1];
    struct simt_mask inside, one, zero;

    SIMT_WHERE(s, inside, t, first + t < k->particles);
    SIMT_WHERE(s, one, t, t == 0);
    SIMT_WHERE(s, zero, t, first + t == 0);
    simt_alu(s, N_ID);
    SIMT_IF(s, N_FIRST, &one) {
        simt_load(s, N_SUM, v, &k->partial_sums, element_at(0));
        simt_store(s, N_PUT_SUM, v, &sum_shared, element_at(0));
    }
    simt_barrier(s, N_SUM_TAKEN);
    simt_alu(s, N_COMPARE);
    SIMT_IF(s, N_GUARD, &inside) {
        simt_load(s, N_WEIGHT, w, &k->weights, here);
        simt_load(s, N_GET_SUM, v, &sum_shared, element_at(0));
        SIMT_ALU(s, N_DIVIDE, t) {
            w[t] /= v[t];
        }
        simt_store(s, N_STORE_WEIGHT, w, &k->weights, here);
    }
    simt_barrier(s, N_DIVIDED);
    simt_alu(s, N_IS_ZERO);
    SIMT_IF(s, N_ZERO, &zero) {
        SIMT_FOR(s, N_EACH, i, k->particles) {
            simt_load(s, N_LOAD, x, &k->weights, element_at(i));
            simt_alu(s, N_ADD);
            cdf[0] += i < s->block[0] ? x[0] : x[0] / v[0];
            simt_store(s, N_CDF, cdf, &k->cdf, element_at(i));
            simt_alus(s, N_NEXT, N_AGAIN);
        }
        simt_load(s, N_SEED, seed, &k->seeds, element_at(0));
        simt_work(s, N_GENERATE, 8);
        x[0] = 1.0 / k->particles * pf_uniform(seed);
        simt_store(s, N_STORE_SEED, seed, &k->seeds, element_at(0));
        simt_store(s, N_U0, x, &k->u, element_at(0));
    }
    simt_barrier(s, N_CUMULATED);
    SIMT_IF(s, N_FIRST_AGAIN, &one) {
        simt_load(s, N_LOAD_U0, x, &k->u, element_at(0));
        simt_store(s, N_PUT_U0, x, &u_shared, element_at(0));
    }
    simt_barrier(s, N_U0_TAKEN);
    simt_alu(s, N_COMPARE_2);
    SIMT_IF(s, N_GUARD_2, &inside) {
        simt_load(s, N_GET_U0, x, &u_shared, element_at(0));
        simt_work(s, N_U, 3);
        SIMT_EACH(s, t) {
            x[t] += (double)(first + t) / k->particles;
        }
        simt_store(s, N_STORE_U, x, &k->u, here);
    }
}

/* --- The host. --- */

static bool step(void *self, unsigned number, struct host_launch *out) {
    struct particlefilter *k = self;
    if (number == LAUNCHES * (k->frames - 1)) {
        return false;
    }
    const struct kernel_code *codes[] = {&likelihood_code, &sum_code, &normalize_code,
                                         pf_find_index_kernel};
    static simt_kernel *const kernels[] = {kernel_likelihood, kernel_sum, kernel_normalize,
                                           pf_find_index};
    k->frame = 1 + number / LAUNCHES;
    *out = (struct host_launch){.launch = {codes[number % LAUNCHES], {CTAS, 1, 1}, {BLOCK, 1, 1}},
                                .kernel = kernels[number % LAUNCHES]};
    return true;
}

static const char *float_open(struct program *p, enum workload_size size, uint64_t seed) {
    struct particlefilter *k = host_open(p, sizeof *k);
    if (!k) {
        return "out of memory";
    }
    const unsigned n = PARTICLES;
    k->particles = n;
    k->frames = frames[size];
    k->seed = seed;
    struct {
        struct buffer *buffer;
        unsigned count, width;
    } const arrays[] = {{&k->x, n, 8},
                        {&k->y, n, 8},
                        {&k->xj, n, 8},
                        {&k->yj, n, 8},
                        {&k->cdf, n, 8},
                        {&k->u, n, 8},
                        {&k->likelihood, n, 8},
                        {&k->weights, n, 8},
                        {&k->pixels, PF_SIDE * PF_SIDE * k->frames, 1},
                        {&k->offsets, 2 * PF_OFFSETS, 4},
                        {&k->indices, PF_OFFSETS * n, 4},
                        {&k->seeds, n, 4},
                        {&k->partial_sums, CTAS, 8}};
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (!device_memory_alloc(&k->host.memory, arrays[i].buffer, arrays[i].count,
                                 arrays[i].width)) {
            host_close(p);
            return "out of memory";
        }
    }
    pf_video(k->pixels.data, k->frames, seed);
    pf_offsets(k->offsets.data);
    pf_seeds(k->seeds.data, n, seed);
    double *xj = k->xj.data, *yj = k->yj.data;
    for (unsigned i = 0; i < n; i++) {
        xj[i] = yj[i] = PF_SIDE / 2;
    }
    host_set_step(&k->host, step);
    return NULL;
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

/* A frame's launches. Of the likelihood kernel 59 instructions are for all threads, 4812 for those
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
        const uint64_t row = lines_of_run(first, first + lanes - 1, 8, line_bytes);
        const uint64_t seeds = lines_of_run(first, first + lanes - 1, 4, line_bytes);
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

static const char *float_check(const struct program *p) {
    struct particlefilter *k = p->self;
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

static void float_expect(const struct program *p, unsigned line_bytes,
                         struct workload_expectation *e) {
    *e = (struct workload_expectation){0};
    struct filter *f = track(p->self, line_bytes, e);
    if (!f) {
        *e = (struct workload_expectation){WORKLOAD_UNKNOWN, WORKLOAD_UNKNOWN, WORKLOAD_UNKNOWN,
                                           WORKLOAD_UNKNOWN};
    }
    free(f);
}

const struct workload workload_particlefilter_float = {
    .name = "particlefilter-float",
    .suite = "rodinia",
    .about = "69 indices a particle, 32 lines an access, then gathers and serial sums",
    .size_text = {[SIZE_TINY] = "1000 particles, 2 frames",
                  [SIZE_SMALL] = "1000 particles, 10 frames",
                  [SIZE_PAPER] = "1000 particles, 10 frames"},
    .open = float_open,
    .check = float_check,
    .expect = float_expect,
    .close = host_close,
};
