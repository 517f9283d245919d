/* SPDX-License-Identifier: Apache-2.0
 *
 * Sedimentation in wp: in each substep from the top down, what falls out of a level and into the
 * one below. Columns need different numbers of substeps.
 */
#include <string.h>

#include "workloads/ispass/wp_code.h"

/* A level of a substep of rain and snow, from the top down. */
static void fall_level(struct simt *s, const struct columns *c, const int32_t *substeps) {
    float den[THREADS], q[2][THREADS], delz[THREADS], w[2][THREADS], fall[2][THREADS];
    float in[2][THREADS], out[2][THREADS], delz_above[THREADS];
    memset(in, 0, sizeof in);
    get(s, c, FALL_DEN_ADDRESS, WP_DEN, den);
    get(s, c, FALL_QR_ADDRESS, WP_QR, q[0]);
    get(s, c, FALL_QS_ADDRESS, WP_QS, q[1]);
    get(s, c, FALL_DELZ_ADDRESS, WP_DELZ, delz);
    look(s, c, FALL_W1_ADDRESS, L_W1, w[0]);
    look(s, c, FALL_W2_ADDRESS, L_W2, w[1]);
    simt_alu(s, FALL_ABOVE);
    SIMT_EACH(s, t) {
        delz_above[t] = 1.0f;
    }
    if (c->level + 1 < WP_LEVELS) {
        look_at(s, c, FALL_FALKR_ABOVE_ADDRESS, L_FALKR, c->level + 1, in[0]);
        look_at(s, c, FALL_FALKS_ABOVE_ADDRESS, L_FALKS, c->level + 1, in[1]);
        get_at(s, c, FALL_DELZ_ABOVE_ADDRESS, WP_DELZ, c->level + 1, delz_above);
    }
    simt_alu(s, FALL_TAKE);
    work(s, FALL_WORK_CHAIN, (struct amount){5, 4, 4, 3, 0});
    look(s, c, FALL_FALLR_ADDRESS, L_FALLR, fall[0]);
    look(s, c, FALL_FALLS_ADDRESS, L_FALLS, fall[1]);
    simt_alus(s, FALL_SUM_R, FALL_SUM_S);
    SIMT_EACH(s, t) {
        for (unsigned i = 0; i < 2; i++) {
            out[i][t] = wp_flux(den[t], q[i][t], w[i][t], (float)substeps[t]);
            q[i][t] = wp_fall(q[i][t], out[i][t], in[i][t], delz_above[t], delz[t], den[t]);
            fall[i][t] += out[i][t];
        }
    }
    keep(s, c, FALL_FALKR_ADDRESS, L_FALKR, out[0]);
    keep(s, c, FALL_FALKS_ADDRESS, L_FALKS, out[1]);
    keep(s, c, FALL_STORE_FALLR_ADDRESS, L_FALLR, fall[0]);
    keep(s, c, FALL_STORE_FALLS_ADDRESS, L_FALLS, fall[1]);
    put(s, c, FALL_STORE_QR_ADDRESS, WP_QR, q[0]);
    put(s, c, FALL_STORE_QS_ADDRESS, WP_QS, q[1]);
}

/* The same of ice; @ground: what has left the lowest level. */
static void sink_level(struct simt *s, const struct columns *c, const int32_t *substeps,
                       float *ground) {
    float den[THREADS], q[THREADS], delz[THREADS], w[THREADS], in[THREADS] = {0}, out[THREADS];
    float delz_above[THREADS];
    get(s, c, SINK_DEN_ADDRESS, WP_DEN, den);
    get(s, c, SINK_QI_ADDRESS, WP_QI, q);
    get(s, c, SINK_DELZ_ADDRESS, WP_DELZ, delz);
    look(s, c, SINK_W3_ADDRESS, L_W3, w);
    simt_alu(s, SINK_ABOVE);
    SIMT_EACH(s, t) {
        delz_above[t] = 1.0f;
    }
    if (c->level + 1 < WP_LEVELS) {
        look_at(s, c, SINK_FALK_ABOVE_ADDRESS, L_FALKR, c->level + 1, in);
        get_at(s, c, SINK_DELZ_ABOVE_ADDRESS, WP_DELZ, c->level + 1, delz_above);
    }
    simt_alu(s, SINK_TAKE);
    work(s, SINK_WORK_CHAIN, (struct amount){2, 2, 2, 3, 0});
    SIMT_EACH(s, t) {
        out[t] = wp_flux(den[t], q[t], w[t], (float)substeps[t]);
        q[t] = wp_fall(q[t], out[t], in[t], delz_above[t], delz[t], den[t]);
        ground[t] += c->level == 0 ? out[t] : 0.0f;
    }
    keep(s, c, SINK_FALK_ADDRESS, L_FALKR, out);
    put(s, c, SINK_STORE_QI_ADDRESS, WP_QI, q);
}

void wp_fall_all(struct simt *s, struct columns *c, const int32_t *substeps) {
    int32_t n[THREADS] = {0};
    struct simt_mask some;
    simt_alu(s, FALL_N);
    SIMT_LOOP(s, FALL) {
        simt_alu(s, FALL_LEFT);
        SIMT_WHERE(s, some, t, n[t] < substeps[t]);
        simt_while(s, FALL_AGAIN, &some);
        EACH_LEVEL(FALL_LEVELS, c) {
            LEVEL_HEAD(FALL_LEVELS);
            c->level = WP_LEVELS - 1 - c->level;
            fall_level(s, c, substeps);
            simt_alu(s, FALL_LEVELS_NEXT);
        }
        SIMT_ALU(s, FALL_NEXT, t) {
            n[t]++;
        }
    }
}

void wp_sink_all(struct simt *s, struct columns *c, const int32_t *substeps, float *ground) {
    int32_t n[THREADS] = {0};
    struct simt_mask some;
    simt_alu(s, SINK_N);
    SIMT_LOOP(s, SINK) {
        simt_alu(s, SINK_LEFT);
        SIMT_WHERE(s, some, t, n[t] < substeps[t]);
        simt_while(s, SINK_AGAIN, &some);
        EACH_LEVEL(SINK_LEVELS, c) {
            LEVEL_HEAD(SINK_LEVELS);
            c->level = WP_LEVELS - 1 - c->level;
            sink_level(s, c, substeps, ground);
            simt_alu(s, SINK_LEVELS_NEXT);
        }
        SIMT_ALU(s, SINK_NEXT, t) {
            n[t]++;
        }
    }
}
