/* SPDX-License-Identifier: Apache-2.0
 *
 * Speckle-reducing anisotropic diffusion: what both Rodinia versions compute for a pixel, and what
 * that costs. Constants are doubles as in the programs, so part of it is in double precision.
 */
#ifndef WARPMEM_WORKLOADS_RODINIA_SRAD_H
#define WARPMEM_WORKLOADS_RODINIA_SRAD_H

#define SRAD_LAMBDA 0.5f

/* The diffusion coefficient of a pixel out of its value and the differences to its neighbours. */
static inline float srad_coefficient(float jc, float n, float s, float w, float e, float q0sqr) {
    const float gradient = (n * n + s * s + w * w + e * e) / (jc * jc);
    const float laplacian = (n + s + w + e) / jc;
    const float num =
        (float)(0.5 * (double)gradient - 1.0 / 16.0 * (double)(laplacian * laplacian));
    const float den = (float)(1.0 + 0.25 * (double)laplacian);
    const float qsqr = num / (den * den);
    const float distance = (qsqr - q0sqr) / (q0sqr * (1.0f + q0sqr));
    const float c = (float)(1.0 / (1.0 + (double)distance));
    return c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
}

/* A pixel's new value: @cn is the coefficient of the pixel itself, which stands for north and
 * west. */
static inline float srad_update(float j, float cn, float cs, float ce, const float difference[4]) {
    const float d =
        cn * difference[0] + cs * difference[1] + cn * difference[2] + ce * difference[3];
    return (float)((double)j + 0.25 * (double)SRAD_LAMBDA * (double)d);
}

/* The instructions of srad_coefficient() for a kernel's list (SIMT_CODE): from COEFFICIENT to
 * COEFFICIENT_LAST, 31 of them, 4 float divisions and one double. The kernel's registers: R_JC,
 * R_N, R_S, R_W, R_E in, R_V out, R_L, R_G and R_P between. */
#define SRAD_COEFFICIENT(I) \
    I(ALU, COEFFICIENT, OP_FP_MUL, R_G, R_N, R_N) \
    I(ALU, SQUARE_S, OP_FP_MAD, R_G, R_S, R_S, R_G) \
    I(ALU, SQUARE_W, OP_FP_MAD, R_G, R_W, R_W, R_G) \
    I(ALU, SQUARE_E, OP_FP_MAD, R_G, R_E, R_E, R_G) \
    I(ALU, SQUARE_JC, OP_FP_MUL, R_V, R_JC, R_JC) \
    I(ALU, GRADIENT, OP_FP_DIV, R_G, R_G, R_V) \
    I(ALU, SUM_NS, OP_FP_ADD, R_L, R_N, R_S) \
    I(ALU, SUM_W, OP_FP_ADD, R_L, R_L, R_W) \
    I(ALU, SUM_E, OP_FP_ADD, R_L, R_L, R_E) \
    I(ALU, LAPLACIAN, OP_FP_DIV, R_L, R_L, R_JC) \
    I(ALU, GRADIENT_DOUBLE, OP_FP_ADD, R_G, R_G) \
    I(ALU, SQUARE_L, OP_FP_MUL, R_V, R_L, R_L) \
    I(ALU, SQUARE_L_DOUBLE, OP_FP_ADD, R_V, R_V) \
    I(ALU, HALF_GRADIENT, OP_DP_MUL, R_G, R_G) \
    I(ALU, NUMERATOR, OP_DP_MAD, R_G, R_V, R_G) \
    I(ALU, NUMERATOR_FLOAT, OP_FP_ADD, R_G, R_G) \
    I(ALU, L_DOUBLE, OP_FP_ADD, R_L, R_L) \
    I(ALU, DENOMINATOR, OP_DP_MAD, R_L, R_L) \
    I(ALU, DENOMINATOR_FLOAT, OP_FP_ADD, R_L, R_L) \
    I(ALU, DENOMINATOR_SQUARE, OP_FP_MUL, R_L, R_L, R_L) \
    I(ALU, QSQR, OP_FP_DIV, R_G, R_G, R_L) \
    I(ALU, QSQR_DIFFERENCE, OP_FP_ADD, R_G, R_G) \
    I(ALU, Q0_PLUS_1, OP_FP_ADD, R_V, REG_NONE) \
    I(ALU, Q0_SCALE, OP_FP_MUL, R_V, R_V) \
    I(ALU, DISTANCE, OP_FP_DIV, R_V, R_G, R_V) \
    I(ALU, DISTANCE_DOUBLE, OP_FP_ADD, R_V, R_V) \
    I(ALU, DISTANCE_PLUS_1, OP_DP_ADD, R_V, R_V) \
    I(ALU, INVERSE, OP_DP_DIV, R_V, R_V) \
    I(ALU, INVERSE_FLOAT, OP_FP_ADD, R_V, R_V) \
    I(ALU, CLAMP_LOW, OP_FP_MAX, R_V, R_V) \
    I(ALU, COEFFICIENT_LAST, OP_FP_MAX, R_V, R_V)
#define SRAD_COEFFICIENT_INSNS 31

/* Those of srad_update(): R_JC in and out, R_V, R_L, R_G the coefficients cn, cs, ce. */
#define SRAD_UPDATE(I) \
    I(ALU, UPDATE, OP_FP_MUL, R_N, R_N, R_V) \
    I(ALU, UPDATE_S, OP_FP_MAD, R_N, R_S, R_L, R_N) \
    I(ALU, UPDATE_W, OP_FP_MAD, R_N, R_W, R_V, R_N) \
    I(ALU, UPDATE_E, OP_FP_MAD, R_N, R_E, R_G, R_N) \
    I(ALU, UPDATE_DOUBLE, OP_FP_ADD, R_N, R_N) \
    I(ALU, UPDATE_SCALE, OP_DP_MUL, R_N, R_N) \
    I(ALU, UPDATE_J_DOUBLE, OP_FP_ADD, R_JC, R_JC) \
    I(ALU, UPDATE_ADD, OP_DP_ADD, R_JC, R_JC, R_N) \
    I(ALU, UPDATE_LAST, OP_FP_ADD, R_JC, R_JC)
#define SRAD_UPDATE_INSNS 9

#endif
