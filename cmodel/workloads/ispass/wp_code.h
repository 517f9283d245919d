/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of wp's kernel, and how its parts reach the levels of their columns.
 */
#ifndef WARPMEM_WORKLOADS_ISPASS_WP_CODE_H
#define WARPMEM_WORKLOADS_ISPASS_WP_CODE_H

#include "workloads/ispass/wp.h"
#include "workloads/ispass/wp_physics.h"

#define THREADS (WP_SIDE * WP_SIDE)
#define REGISTERS 144 /* of a thread: three CTAs in a core's 32 Ki, as on OWL's machine */

/* In local memory, WP_LEVELS floats each. */
enum local {
    L_T,
    L_CPM,
    L_XL,
    L_QS1,
    L_QS2,
    L_RH1,
    L_RH2,
    L_RSLOPE, /* four of rain, four of snow: as in struct wp_slope */
    L_DENFAC = L_RSLOPE + 8,
    L_N0SFAC,
    L_XNI,
    L_W1,
    L_W2,
    L_W3,
    L_COUNT
};

/* The microphysics' loads from local memory: all but the slopes and the speeds. */
#define WP_MICRO_LOCALS (L_XNI + 1 - 8)

enum {
    R_X,
    R_Y,
    R_P,
    R_COLUMN,
    R_K,
    R_INDEX,
    R_ADDRESS,
    R_LOCAL,
    R_N,
    R_SUBSTEPS,
    R_SPEED,
    R_ZERO,
    R_A, /* operands and results */
    R_B,
    R_C,
    R_D,
    R_E,
    R_F,
    R_G,
    R_H,
    R_FLUX_R, /* out of the level above: rain or ice, snow */
    R_FLUX_S,
    R_HEIGHT, /* of the level above */
    R_FALL_R, /* out of the lowest level */
    R_FALL_S,
    R_V, /* of arithmetic on them */
    R_U,
    R_LEVEL, /* values that the microphysics reads from local memory: a register each */
    R_REGISTERS = R_LEVEL + WP_MICRO_LOCALS
};
_Static_assert(R_REGISTERS <= REGISTERS, "the registers that the code names");

#define GET(I, P, TO) \
    I(ALU, P##_ADDRESS, OP_INT_ADD, R_ADDRESS, R_INDEX) \
    I(LOAD, P, SPACE_GLOBAL, 4, TO, R_ADDRESS)
#define PUT(I, P, FROM) \
    I(ALU, P##_ADDRESS, OP_INT_ADD, R_ADDRESS, R_INDEX) \
    I(STORE, P, SPACE_GLOBAL, 4, FROM, R_ADDRESS)
#define LOOK(I, P, TO) \
    I(ALU, P##_ADDRESS, OP_INT_ADD, R_LOCAL, R_K) \
    I(LOAD, P, SPACE_LOCAL, 4, TO, R_LOCAL)
#define KEEP(I, P, FROM) \
    I(ALU, P##_ADDRESS, OP_INT_ADD, R_LOCAL, R_K) \
    I(STORE, P, SPACE_LOCAL, 4, FROM, R_LOCAL)
#define LEVELS(I, P) \
    I(ALU, P##_FIRST, OP_INT_ADD, R_K, REG_NONE) \
    I(LOOP, P) \
    I(ALU, P##_COMPARE, OP_INT_ADD, R_P, R_K) \
    I(BRANCH, P##_BRANCH, R_P) \
    I(ALU, P##_INDEX, OP_INT_MAD, R_INDEX, R_K, R_COLUMN)
#define NEXT_LEVEL(I, P) I(ALU, P##_NEXT, OP_INT_ADD, R_K, R_K)
/* Arithmetic: a chain, what does not depend on it, and the dear ones. */
#define WORK(I, P) \
    I(ALU, P##_CHAIN, OP_FP_MAD, R_V, R_V, R_A, R_U) \
    I(ALU, P##_MUL, OP_FP_MUL, R_U, R_B, R_C) \
    I(ALU, P##_MAX, OP_FP_MAX, R_V, R_D, R_E) \
    I(ALU, P##_DIV, OP_FP_DIV, R_V, R_V, R_F) \
    I(ALU, P##_SFU, OP_SFU, R_V, R_V)
/* The chain continues with the loaded values. */
#define TAKE(I, P, ...) I(ALU, P, OP_FP_MAD, R_V, __VA_ARGS__)
#define CLAMP_ONE(I, P) \
    GET(I, P##_LOAD, R_A) \
    I(ALU, P##_NEGATIVE, OP_FP_ADD, R_P, R_A) \
    I(BRANCH, P##_IF, R_P) \
    I(STORE, P##_STORE, SPACE_GLOBAL, 4, R_ZERO, R_ADDRESS)
/* The inputs of the slopes have been loaded. */
#define SLOPES(I, P) \
    WORK(I, P##_WORK) \
    KEEP(I, P##_0, R_V) \
    KEEP(I, P##_1, R_V) \
    KEEP(I, P##_2, R_V) \
    KEEP(I, P##_3, R_V) \
    KEEP(I, P##_4, R_U) \
    KEEP(I, P##_5, R_U) \
    KEEP(I, P##_6, R_U) \
    KEEP(I, P##_7, R_U)
/* While substeps are left. */
#define SUBSTEPS(I, P) \
    I(ALU, P##_N, OP_INT_ADD, R_N, REG_NONE) \
    I(LOOP, P) \
    I(ALU, P##_LEFT, OP_INT_ADD, R_P, R_N, R_SUBSTEPS) \
    I(BRANCH, P##_AGAIN, R_P) \
    LEVELS(I, P##_LEVELS)
#define NEXT_SUBSTEP(I, P) NEXT_LEVEL(I, P##_LEVELS) I(ALU, P##_NEXT, OP_INT_ADD, R_N, R_N)

#define WP(I) \
    I(ALU, CTA_X, OP_INT_MAD, R_X, REG_NONE) \
    I(ALU, CTA_Y, OP_INT_MAD, R_Y, REG_NONE) \
    I(ALU, X_COMPARE, OP_INT_ADD, R_P, R_X) \
    I(ALU, Y_COMPARE, OP_INT_ADD, R_P, R_P, R_Y) \
    I(BRANCH, GUARD, R_P) \
    I(ALU, COLUMN, OP_INT_MAD, R_COLUMN, R_X, R_Y) \
    I(ALU, ZERO, OP_INT_ADD, R_ZERO, REG_NONE) \
    LEVELS(I, CLAMP) \
    CLAMP_ONE(I, CLAMP_QC) \
    CLAMP_ONE(I, CLAMP_QI) \
    CLAMP_ONE(I, CLAMP_QR) \
    CLAMP_ONE(I, CLAMP_QS) \
    NEXT_LEVEL(I, CLAMP) \
    LEVELS(I, HEAT) \
    GET(I, HEAT_TH, R_A) \
    GET(I, HEAT_PII, R_B) \
    I(ALU, HEAT_MUL, OP_FP_MUL, R_V, R_A, R_B) \
    KEEP(I, HEAT_T, R_V) \
    NEXT_LEVEL(I, HEAT) \
    LEVELS(I, SATURATE) \
    LOOK(I, SATURATE_T, R_A) \
    GET(I, SATURATE_P, R_B) \
    GET(I, SATURATE_Q, R_C) \
    WORK(I, SATURATE_WORK) \
    KEEP(I, SATURATE_CPM, R_U) \
    KEEP(I, SATURATE_XL, R_U) \
    KEEP(I, SATURATE_QS1, R_V) \
    KEEP(I, SATURATE_QS2, R_V) \
    KEEP(I, SATURATE_RH1, R_V) \
    KEEP(I, SATURATE_RH2, R_V) \
    NEXT_LEVEL(I, SATURATE) \
    LEVELS(I, SLOPE) \
    GET(I, SLOPE_QR, R_A) \
    GET(I, SLOPE_QS, R_B) \
    GET(I, SLOPE_DEN, R_C) \
    LOOK(I, SLOPE_T, R_D) \
    GET(I, SLOPE_DELZ, R_F) \
    SLOPES(I, SLOPE) \
    KEEP(I, SLOPE_DENFAC, R_U) \
    KEEP(I, SLOPE_N0SFAC, R_V) \
    KEEP(I, SLOPE_W1, R_V) \
    KEEP(I, SLOPE_W2, R_V) \
    I(ALU, SLOPE_SPEED, OP_FP_MAX, R_SPEED, R_SPEED, R_V) \
    NEXT_LEVEL(I, SLOPE) \
    I(ALU, RAIN_SUBSTEPS, OP_FP_MAD, R_SUBSTEPS, R_SPEED) \
    I(ALU, RAIN_MOST, OP_INT_MAX, R_SUBSTEPS, R_SUBSTEPS) \
    I(ALU, FALL_ZERO_R, OP_FP_ADD, R_FALL_R, REG_NONE) \
    I(ALU, FALL_ZERO_S, OP_FP_ADD, R_FALL_S, REG_NONE) \
    SUBSTEPS(I, FALL) \
    GET(I, FALL_DEN, R_A) \
    GET(I, FALL_QR, R_B) \
    GET(I, FALL_QS, R_C) \
    GET(I, FALL_DELZ, R_D) \
    LOOK(I, FALL_W1, R_E) \
    LOOK(I, FALL_W2, R_F) \
    TAKE(I, FALL_TAKE, R_FLUX_R, R_FLUX_S, R_HEIGHT) \
    WORK(I, FALL_WORK) \
    I(ALU, FALL_FLUX_R, OP_FP_MUL, R_FLUX_R, R_B, R_E) \
    I(ALU, FALL_FLUX_S, OP_FP_MUL, R_FLUX_S, R_C, R_F) \
    I(ALU, FALL_HEIGHT, OP_FP_ADD, R_HEIGHT, R_D) \
    I(ALU, FALL_SUM_R, OP_FP_ADD, R_FALL_R, R_FALL_R, R_FLUX_R) \
    I(ALU, FALL_SUM_S, OP_FP_ADD, R_FALL_S, R_FALL_S, R_FLUX_S) \
    PUT(I, FALL_STORE_QR, R_V) \
    PUT(I, FALL_STORE_QS, R_U) \
    NEXT_SUBSTEP(I, FALL) \
    LEVELS(I, ICE) \
    GET(I, ICE_DEN, R_A) \
    GET(I, ICE_QI, R_B) \
    GET(I, ICE_DELZ, R_F) \
    WORK(I, ICE_WORK) \
    KEEP(I, ICE_XNI, R_V) \
    KEEP(I, ICE_W3, R_V) \
    I(ALU, ICE_SPEED, OP_FP_MAX, R_SPEED, R_SPEED, R_V) \
    NEXT_LEVEL(I, ICE) \
    I(ALU, ICE_SUBSTEPS, OP_FP_MAD, R_SUBSTEPS, R_SPEED) \
    I(ALU, ICE_MOST, OP_INT_MAX, R_SUBSTEPS, R_SUBSTEPS) \
    SUBSTEPS(I, SINK) \
    GET(I, SINK_DEN, R_A) \
    GET(I, SINK_QI, R_B) \
    GET(I, SINK_DELZ, R_D) \
    LOOK(I, SINK_W3, R_E) \
    TAKE(I, SINK_TAKE, R_FLUX_R, R_HEIGHT, R_V) \
    WORK(I, SINK_WORK) \
    I(ALU, SINK_FLUX, OP_FP_MUL, R_FLUX_R, R_B, R_E) \
    I(ALU, SINK_HEIGHT, OP_FP_ADD, R_HEIGHT, R_D) \
    I(ALU, SINK_SUM, OP_FP_ADD, R_FALL_S, R_FALL_S, R_FLUX_R) \
    PUT(I, SINK_STORE_QI, R_V) \
    NEXT_SUBSTEP(I, SINK) \
    LEVELS(I, MICRO) \
    GET(I, MICRO_Q, R_A) \
    GET(I, MICRO_QC, R_B) \
    GET(I, MICRO_QI, R_C) \
    GET(I, MICRO_QR, R_D) \
    GET(I, MICRO_QS, R_E) \
    GET(I, MICRO_P, R_F) \
    GET(I, MICRO_DEN, R_G) \
    LOOK(I, MICRO_T, R_LEVEL) \
    LOOK(I, MICRO_CPM, R_LEVEL + 1) \
    LOOK(I, MICRO_XL, R_LEVEL + 2) \
    LOOK(I, MICRO_QS1, R_LEVEL + 3) \
    LOOK(I, MICRO_QS2, R_LEVEL + 4) \
    LOOK(I, MICRO_RH1, R_LEVEL + 5) \
    LOOK(I, MICRO_RH2, R_LEVEL + 6) \
    LOOK(I, MICRO_DENFAC, R_LEVEL + 7) \
    LOOK(I, MICRO_N0SFAC, R_LEVEL + 8) \
    LOOK(I, MICRO_XNI, R_LEVEL + 9) \
    SLOPES(I, MICRO_SLOPE) \
    TAKE(I, MICRO_TAKE_0, R_G, R_LEVEL, R_LEVEL + 1) \
    TAKE(I, MICRO_TAKE_1, R_LEVEL + 2, R_LEVEL + 3, R_LEVEL + 4) \
    TAKE(I, MICRO_TAKE_2, R_LEVEL + 5, R_LEVEL + 6, R_LEVEL + 7) \
    TAKE(I, MICRO_TAKE_3, R_LEVEL + 8, R_LEVEL + 9, R_V) \
    WORK(I, MICRO_WORK) \
    PUT(I, MICRO_STORE_Q, R_V) \
    PUT(I, MICRO_STORE_QC, R_V) \
    PUT(I, MICRO_STORE_QI, R_V) \
    PUT(I, MICRO_STORE_QR, R_V) \
    PUT(I, MICRO_STORE_QS, R_V) \
    KEEP(I, MICRO_STORE_T, R_V) \
    NEXT_LEVEL(I, MICRO) \
    LEVELS(I, LAST) \
    LOOK(I, LAST_T, R_A) \
    GET(I, LAST_PII, R_B) \
    I(ALU, LAST_DIV, OP_FP_DIV, R_V, R_A, R_B) \
    PUT(I, LAST_TH, R_V) \
    NEXT_LEVEL(I, LAST) \
    GET(I, GROUND_DELZ, R_C) \
    TAKE(I, GROUND_TAKE, R_FALL_R, R_FALL_S, R_C) \
    WORK(I, GROUND_WORK) \
    GET(I, GROUND_RAIN, R_D) \
    GET(I, GROUND_SNOW, R_E) \
    PUT(I, GROUND_STORE_RAIN, R_D) \
    PUT(I, GROUND_STORE_RAINNCV, R_V) \
    PUT(I, GROUND_STORE_SNOW, R_E) \
    PUT(I, GROUND_STORE_SNOWNCV, R_U) \
    PUT(I, GROUND_STORE_SR, R_V)
enum { WP(INSN_INDEX) WP_INSNS };

/* The threads of a CTA, at a level. */
struct columns {
    const struct wp *k;
    struct buffer local[L_COUNT];
    unsigned level;
};

static inline struct element here(const struct simt *s, const struct columns *c, unsigned level) {
    const unsigned ni = c->k->ni, row = ni * WP_LEVELS;
    return element_xy(s->cta[0] * WP_SIDE + (int64_t)row * s->cta[1] * WP_SIDE + ni * level, 1,
                      row);
}

/* @index: of GET, PUT, LOOK, KEEP: the address, then the access. */
static inline void get_at(struct simt *s, const struct columns *c, unsigned index, enum wp_volume v,
                          unsigned level, float *to) {
    simt_alu(s, index);
    simt_load(s, index + 1, to, &c->k->volume[v], here(s, c, level));
}

static inline void get(struct simt *s, const struct columns *c, unsigned index, enum wp_volume v,
                       float *to) {
    get_at(s, c, index, v, c->level, to);
}

static inline void put(struct simt *s, const struct columns *c, unsigned index, enum wp_volume v,
                       const float *from) {
    simt_alu(s, index);
    simt_store(s, index + 1, from, &c->k->volume[v], here(s, c, c->level));
}

static inline void look_at(struct simt *s, const struct columns *c, unsigned index, unsigned l,
                           unsigned level, float *to) {
    simt_alu(s, index);
    simt_load(s, index + 1, to, &c->local[l], element_at(level));
}

static inline void look(struct simt *s, const struct columns *c, unsigned index, unsigned l,
                        float *to) {
    look_at(s, c, index, l, c->level, to);
}

static inline void keep(struct simt *s, const struct columns *c, unsigned index, unsigned l,
                        const float *from) {
    simt_alu(s, index);
    simt_store(s, index + 1, from, &c->local[l], element_at(c->level));
}

/* Arithmetic instructions, as compiled for a GPU, whose exp, log and sqrt are an instruction or
 * two. */
struct amount {
    unsigned chain, mul, max, div, sfu;
};

static inline void work(struct simt *s, unsigned index, struct amount a) {
    simt_work(s, index, a.chain / 2);
    simt_work(s, index + 1, a.mul);
    simt_work(s, index + 2, a.max);
    simt_work(s, index + 3, a.div);
    simt_work(s, index + 4, a.sfu);
    simt_work(s, index, a.chain - a.chain / 2);
}

/* For each level, from the ground up. */
#define EACH_LEVEL(P, c) \
    SIMT_FOR(s, (simt_alu(s, P##_FIRST), P), P##_k, ((c)->level = P##_k, WP_LEVELS))
#define LEVEL_HEAD(P) simt_alus(s, P##_COMPARE, P##_INDEX)

/** wp_fall_all() - rain and snow fall, each thread's in its number of substeps. @ground: what of
 * both leaves the lowest level. */
void wp_fall_all(struct simt *s, struct columns *c, const int32_t *substeps,
                 float ground[2][THREADS]);
/** wp_sink_all() - the same of ice; @ground: what leaves the lowest level is added. */
void wp_sink_all(struct simt *s, struct columns *c, const int32_t *substeps, float *ground);

#endif
