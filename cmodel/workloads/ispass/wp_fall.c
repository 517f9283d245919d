/* SPDX-License-Identifier: Apache-2.0
 *
 * Sedimentation in wp: in each substep, from the top down, water falls from a level into the one
 * below. These values, and the height of the level above, stay in registers on the way down, as
 * in the original. Columns need different numbers of substeps.
 */
#include <string.h>

#include "workloads/ispass/wp_code.h"

/* Values that a thread keeps from the level above. */
struct above {
    float flux[2][THREADS], delz[THREADS];
};

static void at_top(struct above *a) {
    memset(a->flux, 0, sizeof a->flux);
    for (unsigned t = 0; t < THREADS; t++) {
        a->delz[t] = 1.0f;
    }
}

/* Kind @i falls out of a level whose height is @delz, and into it. */
static void fall_one(const struct simt *s, struct above *a, unsigned i, const int32_t *substeps,
                     const float *den, float *q, const float *delz, const float *speed) {
    SIMT_EACH(s, t) {
        const float out = wp_flux(den[t], q[t], speed[t], (float)substeps[t]);
        q[t] = wp_fall(q[t], out, a->flux[i][t], a->delz[t], delz[t], den[t]);
        a->flux[i][t] = out;
    }
}

/* A level of a substep of rain and snow, from the top down. */
static void fall_level(struct simt *s, const struct columns *c, const int32_t *substeps,
                       struct above *a, float ground[2][THREADS]) {
    float den[THREADS], q[2][THREADS], delz[THREADS], w[2][THREADS];
    get(s, c, FALL_DEN_ADDRESS, WP_DEN, den);
    get(s, c, FALL_QR_ADDRESS, WP_QR, q[0]);
    get(s, c, FALL_QS_ADDRESS, WP_QS, q[1]);
    get(s, c, FALL_DELZ_ADDRESS, WP_DELZ, delz);
    look(s, c, FALL_W1_ADDRESS, L_W1, w[0]);
    look(s, c, FALL_W2_ADDRESS, L_W2, w[1]);
    simt_alu(s, FALL_TAKE);
    work(s, FALL_WORK_CHAIN, (struct amount){5, 4, 4, 3, 0});
    fall_one(s, a, 0, substeps, den, q[0], delz, w[0]);
    fall_one(s, a, 1, substeps, den, q[1], delz, w[1]);
    simt_alus(s, FALL_FLUX_R, FALL_SUM_S);
    SIMT_EACH(s, t) {
        a->delz[t] = delz[t];
        for (unsigned i = 0; i < 2; i++) {
            ground[i][t] += c->level == 0 ? a->flux[i][t] : 0.0f;
        }
    }
    put(s, c, FALL_STORE_QR_ADDRESS, WP_QR, q[0]);
    put(s, c, FALL_STORE_QS_ADDRESS, WP_QS, q[1]);
}

/* The same of ice. */
static void sink_level(struct simt *s, const struct columns *c, const int32_t *substeps,
                       struct above *a, float *ground) {
    float den[THREADS], q[THREADS], delz[THREADS], w[THREADS];
    get(s, c, SINK_DEN_ADDRESS, WP_DEN, den);
    get(s, c, SINK_QI_ADDRESS, WP_QI, q);
    get(s, c, SINK_DELZ_ADDRESS, WP_DELZ, delz);
    look(s, c, SINK_W3_ADDRESS, L_W3, w);
    simt_alu(s, SINK_TAKE);
    work(s, SINK_WORK_CHAIN, (struct amount){2, 2, 2, 3, 0});
    fall_one(s, a, 0, substeps, den, q, delz, w);
    simt_alus(s, SINK_FLUX, SINK_SUM);
    SIMT_EACH(s, t) {
        a->delz[t] = delz[t];
        ground[t] += c->level == 0 ? a->flux[0][t] : 0.0f;
    }
    put(s, c, SINK_STORE_QI_ADDRESS, WP_QI, q);
}

void wp_fall_all(struct simt *s, struct columns *c, const int32_t *substeps,
                 float ground[2][THREADS]) {
    int32_t n[THREADS] = {0};
    struct above a;
    struct simt_mask some;
    simt_alus(s, FALL_ZERO_R, FALL_N);
    SIMT_LOOP(s, FALL) {
        simt_alu(s, FALL_LEFT);
        SIMT_WHERE(s, some, t, n[t] < substeps[t]);
        simt_while(s, FALL_AGAIN, &some);
        at_top(&a);
        EACH_LEVEL(FALL_LEVELS, c) {
            LEVEL_HEAD(FALL_LEVELS);
            c->level = WP_LEVELS - 1 - c->level;
            fall_level(s, c, substeps, &a, ground);
            simt_alu(s, FALL_LEVELS_NEXT);
        }
        SIMT_ALU(s, FALL_NEXT, t) {
            n[t]++;
        }
    }
}

void wp_sink_all(struct simt *s, struct columns *c, const int32_t *substeps, float *ground) {
    int32_t n[THREADS] = {0};
    struct above a;
    struct simt_mask some;
    simt_alu(s, SINK_N);
    SIMT_LOOP(s, SINK) {
        simt_alu(s, SINK_LEFT);
        SIMT_WHERE(s, some, t, n[t] < substeps[t]);
        simt_while(s, SINK_AGAIN, &some);
        at_top(&a);
        EACH_LEVEL(SINK_LEVELS, c) {
            LEVEL_HEAD(SINK_LEVELS);
            c->level = WP_LEVELS - 1 - c->level;
            sink_level(s, c, substeps, &a, ground);
            simt_alu(s, SINK_LEVELS_NEXT);
        }
        SIMT_ALU(s, SINK_NEXT, t) {
            n[t]++;
        }
    }
}
