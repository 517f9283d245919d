/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/rodinia/particlefilter.h"

#include <math.h>
#include <stdlib.h>

#include "workloads/common/lines.h"

#define PI 3.1415926535897932
#define BACKGROUND 100
#define FOREGROUND 228

/* The program's generator of random numbers, in 64 bits so that nothing overflows. */
double pf_uniform(int32_t *seed) {
    *seed = (int32_t)((INT64_C(1103515245) * *seed + 12345) % INT32_MAX);
    return fabs((double)*seed / (double)INT32_MAX);
}

double pf_normal_of(double u, double v) {
    return sqrt(-2.0 * log(u)) * cos(2.0 * PI * v);
}

double pf_normal(int32_t *seed) {
    const double u = pf_uniform(seed), v = pf_uniform(seed);
    return pf_normal_of(u, v);
}

void pf_seeds(int32_t *seeds, unsigned particles, uint64_t seed) {
    for (unsigned i = 0; i < particles; i++) {
        seeds[i] = (int32_t)(host_random(&seed) >> 34) + 1;
    }
}

/* The disc begins in the middle and moves by (1, -2) a frame. */
void pf_video(uint8_t *pixels, unsigned frames, uint64_t seed) {
    int32_t state = (int32_t)(host_random(&seed) >> 34) + 1;
    for (int x = 0; x < PF_SIDE; x++) {
        for (int y = 0; y < PF_SIDE; y++) {
            for (int k = 0; k < (int)frames; k++) {
                const int dx = x - (PF_SIDE / 2 + k), dy = y - (PF_SIDE / 2 - 2 * k);
                const bool disc = dx * dx + dy * dy < PF_RADIUS * PF_RADIUS;
                const double pixel = (disc ? FOREGROUND : BACKGROUND) + 5.0 * pf_normal(&state);
                pixels[(x * PF_SIDE + y) * (int)frames + k] = (uint8_t)(pixel < 0.0     ? 0.0
                                                                        : pixel > 255.0 ? 255.0
                                                                                        : pixel);
            }
        }
    }
}

void pf_offsets(int32_t *offsets) {
    for (int x = 1 - PF_RADIUS; x < PF_RADIUS; x++) {
        for (int y = 1 - PF_RADIUS; y < PF_RADIUS; y++) {
            if (x * x + y * y < PF_RADIUS * PF_RADIUS) {
                *offsets++ = y;
                *offsets++ = x;
            }
        }
    }
}

int32_t pf_pixel(double x, double y, const int32_t offset[2], unsigned frame, unsigned frames) {
    const int32_t side = PF_SIDE, n = (int32_t)frames;
    const int32_t at = ((int32_t)floor(x + 0.5) + offset[1]) * side * n +
                       ((int32_t)floor(y + 0.5) + offset[0]) * n + (int32_t)frame;
    return abs(at) < side * side * n ? abs(at) : 0;
}

double pf_add_likelihood(double likelihood, uint8_t pixel) {
    const double background = pixel - BACKGROUND, foreground = pixel - FOREGROUND;
    return likelihood + (background * background - foreground * foreground) / 50.0;
}

unsigned pf_successor(const double *cdf, unsigned particles, double u) {
    for (unsigned i = 0; i < particles; i++) {
        if (cdf[i] >= u) {
            return i;
        }
    }
    return particles - 1;
}

enum { R_I, R_U, R_A, R_CDF, R_P, R_INDEX, R_X_ADDRESS, R_X, R_COUNT };

#define FIND_INDEX(I) \
    I(ALU, ID, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, GUARD_COMPARE, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, GUARD, R_P) \
    I(ALU, ADDRESS, OP_INT_MAD, R_U, R_I) \
    I(LOAD, LOAD_U, SPACE_GLOBAL, 8, R_U, R_U) \
    I(ALU, CDF_ADDRESS, OP_INT_ADD, R_A, REG_NONE) \
    I(LOOP, EACH) \
    I(LOAD, LOAD_CDF, SPACE_GLOBAL, 8, R_CDF, R_A) \
    I(ALU, REACHED, OP_DP_ADD, R_P, R_CDF, R_U) \
    I(BRANCH, GO_ON, R_P) \
    I(ALU, NEXT, OP_INT_ADD, R_A, R_A) \
    I(ALU, COUNT, OP_INT_ADD, R_COUNT, R_A) \
    I(ALU, ITEM, OP_INT_ADD, R_INDEX, R_COUNT) \
    I(ALU, COMPARE, OP_INT_ADD, R_P, R_COUNT) \
    I(BRANCH, AGAIN, R_P) \
    I(ALU, SELECT, OP_INT_MAX, R_INDEX, R_INDEX) \
    I(ALU, X_ADDRESS, OP_INT_MAD, R_X_ADDRESS, R_INDEX) \
    I(LOAD, LOAD_X, SPACE_GLOBAL, 8, R_X, R_X_ADDRESS) \
    I(STORE, STORE_X, SPACE_GLOBAL, 8, R_X, R_I) \
    I(LOAD, LOAD_Y, SPACE_GLOBAL, 8, R_X, R_X_ADDRESS) \
    I(STORE, STORE_Y, SPACE_GLOBAL, 8, R_X, R_I)
enum { FIND_INDEX(INSN_INDEX) };
static const struct insn insns[] = {FIND_INDEX(INSN_ROW)};
const struct kernel_code pf_find_index_code = {.name = "find_index",
                                               .insns = insns,
                                               .insn_count = sizeof insns / sizeof *insns,
                                               .registers = 12};
enum { GUARD_INSNS = 3, AROUND_INSNS = 9, TEST_INSNS = 3, LOOP_INSNS = 8 };

/* for (x = 0; x < n && CDF[x] < u[i]; x++); xj[i] = arrayX[x]; yj[i] = arrayY[x]; */
void pf_find_index(struct simt *s, const void *arguments) {
    const struct particlefilter *k = arguments;
    const int64_t first = (int64_t)s->cta[0] * s->block[0];
    double u[SIMT_THREADS], cdf[SIMT_THREADS], x[SIMT_THREADS];
    int32_t index[SIMT_THREADS];
    struct simt_mask inside, on;

    simt_alus(s, ID, GUARD_COMPARE);
    SIMT_WHERE(s, inside, t, first + t < k->particles);
    SIMT_IF(s, GUARD, &inside) {
        simt_alu(s, ADDRESS);
        simt_load(s, LOAD_U, u, &k->u, element_x(first, 1));
        simt_alu(s, CDF_ADDRESS);
        SIMT_EACH(s, t) {
            index[t] = (int32_t)k->particles - 1;
        }
        SIMT_FOR(s, EACH, i, k->particles) {
            simt_load(s, LOAD_CDF, cdf, &k->cdf, element_at(i));
            simt_alu(s, REACHED);
            SIMT_WHERE(s, on, t, cdf[t] < u[t]);
            SIMT_EACH(s, t) {
                index[t] = cdf[t] < u[t] ? index[t] : (int32_t)i;
            }
            simt_while(s, GO_ON, &on);
            simt_alus(s, NEXT, AGAIN);
        }
        simt_alus(s, SELECT, X_ADDRESS);
        simt_load(s, LOAD_X, x, &k->x, element_lane(index));
        simt_store(s, STORE_X, x, &k->xj, element_x(first, 1));
        simt_load(s, LOAD_Y, x, &k->y, element_lane(index));
        simt_store(s, STORE_Y, x, &k->yj, element_x(first, 1));
    }
}

void pf_expect_find_index(const double *cdf, const double *u, unsigned particles, unsigned block,
                          unsigned line_bytes, struct workload_expectation *e) {
    const unsigned threads = (particles + block - 1) / block * block;
    e->warp_instructions += threads / WARP_SIZE * GUARD_INSNS;
    e->thread_instructions += threads * GUARD_INSNS;
    for (unsigned first = 0; first < particles; first += WARP_SIZE) {
        uint64_t byte[WARP_SIZE];
        unsigned lanes = 0, most = 0, tests = 0;
        for (; lanes < WARP_SIZE && first + lanes < particles; lanes++) {
            const unsigned i = pf_successor(cdf, particles, u[first + lanes]);
            const bool found = cdf[i] >= u[first + lanes];
            /* Whole iterations, and the test that ends the loop. */
            const unsigned insns = found ? i * LOOP_INSNS + TEST_INSNS : particles * LOOP_INSNS;
            byte[lanes] = i * sizeof(double);
            e->thread_instructions += AROUND_INSNS + insns;
            most = insns > most ? insns : most;
            tests = i + 1 > tests ? i + 1 : tests;
        }
        const uint64_t row = lines_of_run(first, lanes, sizeof(double), line_bytes);
        e->warp_instructions += AROUND_INSNS + most;
        e->global_read_accesses += row + tests + 2 * lines_of(byte, lanes, line_bytes);
        e->global_write_accesses += 2 * row;
    }
}
