/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel of wp: a thread a column, with one loop after another over the levels. A loop passes
 * values to the next one in local memory.
 */
#include <string.h>

#include "workloads/ispass/wp_code.h"

static const struct insn insns[] = {WP(INSN_ROW)};
const struct kernel_code wp_kernel_code = {.name = "wp",
                                           .insns = insns,
                                           .insn_count = sizeof insns / sizeof *insns,
                                           .registers = REGISTERS,
                                           .local_bytes = L_COUNT * WP_LEVELS * 4,
                                           .local_ctas =
                                               28 * 3 /* OWL: 28 cores, six warps each */};

static void clamp_one(struct simt *s, const struct columns *c, unsigned first, enum wp_volume v) {
    float value[THREADS], zero[THREADS] = {0};
    struct simt_mask negative;
    get(s, c, first, v, value);
    simt_alu(s, first + (CLAMP_QC_NEGATIVE - CLAMP_QC_LOAD_ADDRESS));
    SIMT_WHERE(s, negative, t, value[t] < 0.0f);
    SIMT_IF(s, first + (CLAMP_QC_IF - CLAMP_QC_LOAD_ADDRESS), &negative) {
        simt_store(s, first + (CLAMP_QC_STORE - CLAMP_QC_LOAD_ADDRESS), zero, &c->k->volume[v],
                   here(s, c, c->level));
    }
}

static void clamp_and_heat(struct simt *s, struct columns *c) {
    float th[THREADS], pii[THREADS];
    EACH_LEVEL(CLAMP, c) {
        LEVEL_HEAD(CLAMP);
        clamp_one(s, c, CLAMP_QC_LOAD_ADDRESS, WP_QC);
        clamp_one(s, c, CLAMP_QI_LOAD_ADDRESS, WP_QI);
        clamp_one(s, c, CLAMP_QR_LOAD_ADDRESS, WP_QR);
        clamp_one(s, c, CLAMP_QS_LOAD_ADDRESS, WP_QS);
        simt_alu(s, CLAMP_NEXT);
    }
    EACH_LEVEL(HEAT, c) {
        LEVEL_HEAD(HEAT);
        get(s, c, HEAT_TH_ADDRESS, WP_TH, th);
        get(s, c, HEAT_PII_ADDRESS, WP_PII, pii);
        SIMT_ALU(s, HEAT_MUL, t) {
            th[t] *= pii[t];
        }
        keep(s, c, HEAT_T_ADDRESS, L_T, th);
        simt_alu(s, HEAT_NEXT);
    }
}

static void saturate(struct simt *s, struct columns *c) {
    float heat[THREADS], p[THREADS], q[THREADS], to[6][THREADS];
    EACH_LEVEL(SATURATE, c) {
        LEVEL_HEAD(SATURATE);
        look(s, c, SATURATE_T_ADDRESS, L_T, heat);
        get(s, c, SATURATE_P_ADDRESS, WP_P, p);
        get(s, c, SATURATE_Q_ADDRESS, WP_Q, q);
        work(s, SATURATE_WORK_CHAIN, (struct amount){12, 11, 7, 6, 6});
        SIMT_EACH(s, t) {
            const struct wp_saturation air = wp_saturate(heat[t], p[t], q[t]);
            to[0][t] = wp_cell_heat(q[t]);
            to[1][t] = wp_evaporation_heat(heat[t]);
            to[2][t] = air.water;
            to[3][t] = air.ice;
            to[4][t] = air.rh_water;
            to[5][t] = air.rh_ice;
        }
        for (unsigned i = 0; i < 6; i++) {
            keep(s, c, SATURATE_CPM_ADDRESS + 2 * i, L_CPM + i, to[i]);
        }
        simt_alu(s, SATURATE_NEXT);
    }
}

/* From what has been loaded; to local memory. @first: of SLOPES. @delz: NULL: without speeds */
static void slopes(struct simt *s, const struct columns *c, unsigned first, float *const from[4],
                   const float *delz, struct wp_slopes out[THREADS]) {
    float to[8][THREADS];
    work(s, first, (struct amount){12, 10, 10, 4, 10});
    SIMT_EACH(s, t) {
        out[t] =
            wp_slopes_of(from[0][t], from[1][t], from[2][t], from[3][t], delz ? delz[t] : 1.0f);
        for (unsigned i = 0; i < 2; i++) {
            const struct wp_slope *o = i ? &out[t].snow : &out[t].rain;
            to[4 * i][t] = o->one;
            to[4 * i + 1][t] = o->two;
            to[4 * i + 2][t] = o->three;
            to[4 * i + 3][t] = o->fall;
        }
    }
    for (unsigned i = 0; i < 8; i++) {
        keep(s, c, first + (SLOPE_0_ADDRESS - SLOPE_WORK_CHAIN) + 2 * i, L_RSLOPE + i, to[i]);
    }
}

/* Slopes and speeds; substeps = as many as the fastest level needs. */
static void slopes_and_speeds(struct simt *s, struct columns *c, int32_t *substeps) {
    struct wp_slopes o[THREADS];
    float qr[THREADS], qs[THREADS], den[THREADS], heat[THREADS], delz[THREADS];
    float *const from[4] = {qr, qs, den, heat};
    float to[4][THREADS], fastest[THREADS] = {0};
    EACH_LEVEL(SLOPE, c) {
        LEVEL_HEAD(SLOPE);
        get(s, c, SLOPE_QR_ADDRESS, WP_QR, qr);
        get(s, c, SLOPE_QS_ADDRESS, WP_QS, qs);
        get(s, c, SLOPE_DEN_ADDRESS, WP_DEN, den);
        look(s, c, SLOPE_T_ADDRESS, L_T, heat);
        get(s, c, SLOPE_DELZ_ADDRESS, WP_DELZ, delz);
        slopes(s, c, SLOPE_WORK_CHAIN, from, delz, o);
        SIMT_EACH(s, t) {
            to[0][t] = o[t].density_factor;
            to[1][t] = o[t].snow_factor;
            to[2][t] = o[t].rain_speed;
            to[3][t] = o[t].snow_speed;
            fastest[t] = wp_max(fastest[t], wp_max(o[t].rain_speed, o[t].snow_speed));
        }
        keep(s, c, SLOPE_DENFAC_ADDRESS, L_DENFAC, to[0]);
        keep(s, c, SLOPE_N0SFAC_ADDRESS, L_N0SFAC, to[1]);
        keep(s, c, SLOPE_W1_ADDRESS, L_W1, to[2]);
        keep(s, c, SLOPE_W2_ADDRESS, L_W2, to[3]);
        simt_work(s, SLOPE_SPEED, 2);
        simt_alu(s, SLOPE_NEXT);
    }
    simt_alus(s, RAIN_SUBSTEPS, RAIN_MOST);
    SIMT_EACH(s, t) {
        substeps[t] = wp_substeps(fastest[t]);
    }
}

static void ice(struct simt *s, struct columns *c, int32_t *substeps) {
    float den[THREADS], qi[THREADS], delz[THREADS], fastest[THREADS] = {0};
    float number[THREADS], speed[THREADS];
    EACH_LEVEL(ICE, c) {
        LEVEL_HEAD(ICE);
        get(s, c, ICE_DEN_ADDRESS, WP_DEN, den);
        get(s, c, ICE_QI_ADDRESS, WP_QI, qi);
        get(s, c, ICE_DELZ_ADDRESS, WP_DELZ, delz);
        work(s, ICE_WORK_CHAIN, (struct amount){6, 4, 8, 2, 5});
        SIMT_EACH(s, t) {
            number[t] = wp_ice_number(qi[t], den[t]);
            speed[t] = wp_ice_speed(qi[t], den[t], number[t], delz[t]);
            fastest[t] = wp_max(fastest[t], speed[t]);
        }
        keep(s, c, ICE_XNI_ADDRESS, L_XNI, number);
        keep(s, c, ICE_W3_ADDRESS, L_W3, speed);
        simt_alus(s, ICE_SPEED, ICE_NEXT);
    }
    simt_alus(s, ICE_SUBSTEPS, ICE_MOST);
    SIMT_EACH(s, t) {
        substeps[t] = wp_substeps(fastest[t]);
    }
}

static void microphysics(struct simt *s, struct columns *c) {
    static const enum wp_volume volumes[7] = {WP_Q, WP_QC, WP_QI, WP_QR, WP_QS, WP_P, WP_DEN};
    float volume[7][THREADS], local[L_XNI + 1][THREADS];
    float *const from[4] = {volume[3], volume[4], volume[6], local[L_T]};
    struct wp_slopes now[THREADS];
    EACH_LEVEL(MICRO, c) {
        LEVEL_HEAD(MICRO);
        for (unsigned i = 0; i < 7; i++) {
            get(s, c, MICRO_Q_ADDRESS + 2 * i, volumes[i], volume[i]);
        }
        for (unsigned i = 0; i < WP_MICRO_LOCALS; i++) {
            const unsigned l = i < L_RSLOPE ? i : i + 8;
            look(s, c, MICRO_T_ADDRESS + 2 * i, l, local[l]);
        }
        slopes(s, c, MICRO_SLOPE_WORK_CHAIN, from, NULL, now);
        simt_alus(s, MICRO_TAKE_0, MICRO_TAKE_3);
        work(s, MICRO_WORK_CHAIN, (struct amount){86, 68, 46, 31, 28});
        SIMT_EACH(s, t) {
            struct wp_cell cell = {local[L_T][t], volume[0][t], volume[1][t],
                                   volume[2][t],  volume[3][t], volume[4][t]};
            const struct wp_air air = {
                .p = volume[5][t],
                .den = volume[6][t],
                .heat = local[L_CPM][t],
                .evaporation = local[L_XL][t],
                .saturation = {local[L_QS1][t], local[L_QS2][t], local[L_RH1][t], local[L_RH2][t]},
                .rain = now[t].rain,
                .snow = now[t].snow,
                .density_factor = local[L_DENFAC][t],
                .snow_factor = local[L_N0SFAC][t],
                .ice_number = local[L_XNI][t]};
            wp_microphysics(&cell, &air);
            local[L_T][t] = cell.t;
            volume[0][t] = cell.q;
            volume[1][t] = cell.qc;
            volume[2][t] = cell.qi;
            volume[3][t] = cell.qr;
            volume[4][t] = cell.qs;
        }
        for (unsigned i = 0; i < 5; i++) {
            put(s, c, MICRO_STORE_Q_ADDRESS + 2 * i, volumes[i], volume[i]);
        }
        keep(s, c, MICRO_STORE_T_ADDRESS, L_T, local[L_T]);
        simt_alu(s, MICRO_NEXT);
    }
}

static void potential_temperature(struct simt *s, struct columns *c) {
    float heat[THREADS], pii[THREADS];
    EACH_LEVEL(LAST, c) {
        LEVEL_HEAD(LAST);
        look(s, c, LAST_T_ADDRESS, L_T, heat);
        get(s, c, LAST_PII_ADDRESS, WP_PII, pii);
        SIMT_ALU(s, LAST_DIV, t) {
            heat[t] /= pii[t];
        }
        put(s, c, LAST_TH_ADDRESS, WP_TH, heat);
        simt_alu(s, LAST_NEXT);
    }
}

static void put_area(struct simt *s, const struct wp *k, unsigned index, enum wp_area a,
                     struct element column, const float *from) {
    simt_alu(s, index);
    simt_store(s, index + 1, from, &k->area[a], column);
}

/* Stores the precipitation that has reached the ground. @fall: rain and snow; @ice: in the substeps
 * of ice */
static void ground(struct simt *s, struct columns *c, float fall[2][THREADS], const float *ice) {
    const struct wp *k = c->k;
    const struct element column =
        element_xy(s->cta[0] * WP_SIDE + (int64_t)k->ni * s->cta[1] * WP_SIDE, 1, k->ni);
    float delz[THREADS], total[2][THREADS];
    struct wp_ground o[THREADS];
    float to[3][THREADS];
    c->level = 0;
    get(s, c, GROUND_DELZ_ADDRESS, WP_DELZ, delz);
    simt_alu(s, GROUND_TAKE);
    work(s, GROUND_WORK_CHAIN, (struct amount){4, 4, 2, 1, 0});
    simt_alu(s, GROUND_RAIN_ADDRESS);
    simt_load(s, GROUND_RAIN, total[0], &k->area[WP_RAIN], column);
    simt_alu(s, GROUND_SNOW_ADDRESS);
    simt_load(s, GROUND_SNOW, total[1], &k->area[WP_SNOW], column);
    SIMT_EACH(s, t) {
        o[t] = wp_ground_of(fall[0][t], fall[1][t] + ice[t], delz[t]);
        total[0][t] += o[t].rain;
        total[1][t] += o[t].snow;
        to[0][t] = o[t].rain;
        to[1][t] = o[t].snow;
        to[2][t] = o[t].ratio;
    }
    put_area(s, k, GROUND_STORE_RAIN_ADDRESS, WP_RAIN, column, total[0]);
    put_area(s, k, GROUND_STORE_RAINNCV_ADDRESS, WP_RAINNCV, column, to[0]);
    put_area(s, k, GROUND_STORE_SNOW_ADDRESS, WP_SNOW, column, total[1]);
    put_area(s, k, GROUND_STORE_SNOWNCV_ADDRESS, WP_SNOWNCV, column, to[1]);
    put_area(s, k, GROUND_STORE_SR_ADDRESS, WP_SR, column, to[2]);
}

void wp_kernel(struct simt *s, const void *arguments) {
    struct columns c = {.k = arguments};
    int32_t substeps[THREADS];
    float fall[2][THREADS], ice_out[THREADS] = {0};
    struct simt_mask inside;
    memset(fall, 0, sizeof fall);
    for (unsigned l = 0; l < L_COUNT; l++) {
        c.local[l] = simt_local(s, l * WP_LEVELS * 4, WP_LEVELS, 4);
    }
    simt_alus(s, CTA_X, Y_COMPARE);
    SIMT_WHERE(s, inside, t,
               s->cta[0] * WP_SIDE + s->x[t] < c.k->ni && s->cta[1] * WP_SIDE + s->y[t] < c.k->nj);
    SIMT_IF(s, GUARD, &inside) {
        simt_alus(s, COLUMN, ZERO);
        clamp_and_heat(s, &c);
        saturate(s, &c);
        slopes_and_speeds(s, &c, substeps);
        wp_fall_all(s, &c, substeps, fall);
        ice(s, &c, substeps);
        wp_sink_all(s, &c, substeps, ice_out);
        microphysics(s, &c);
        potential_temperature(s, &c);
        ground(s, &c, fall, ice_out);
    }
}
