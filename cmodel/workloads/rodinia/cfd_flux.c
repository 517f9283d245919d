/* SPDX-License-Identifier: Apache-2.0
 *
 * The flux kernel of Rodinia cfd: the flow through the four faces of an element.
 */
#include "workloads/rodinia/cfd.h"

/* A face: its neighbour and normal; 5 gathers and 75 instructions of arithmetic for another
 * element, arithmetic only at a wall, 17 constants and arithmetic at the far field. */
#define FACE(I, f) \
    I(ALU, f, OP_INT_ADD, CFD_A, CFD_I) \
    I(LOAD, f##_NB, SPACE_GLOBAL, 4, CFD_NB, CFD_A) \
    I(LOAD, f##_X, SPACE_GLOBAL, 4, CFD_X, CFD_A) \
    I(LOAD, f##_Y, SPACE_GLOBAL, 4, CFD_Y, CFD_A) \
    I(LOAD, f##_Z, SPACE_GLOBAL, 4, CFD_Z, CFD_A) \
    I(ALU, f##_IS_INTERIOR, OP_INT_ADD, CFD_P, CFD_NB) \
    I(BRANCH, f##_INTERIOR, CFD_P) \
    I(LOAD, f##_N0, SPACE_GLOBAL, 4, CFD_N0, CFD_NB) \
    I(LOAD, f##_N1, SPACE_GLOBAL, 4, CFD_N1, CFD_NB) \
    I(LOAD, f##_N2, SPACE_GLOBAL, 4, CFD_N2, CFD_NB) \
    I(LOAD, f##_N3, SPACE_GLOBAL, 4, CFD_N3, CFD_NB) \
    I(LOAD, f##_N4, SPACE_GLOBAL, 4, CFD_N4, CFD_NB) \
    I(ALU, f##_VELOCITY, OP_FP_DIV, CFD_T, CFD_N1, CFD_N0) \
    I(ALU, f##_CONTRIBUTION, OP_FP_MAD, CFD_T, CFD_T, CFD_N4, CFD_N2) \
    I(ALU, f##_ROOT, OP_SFU, CFD_T, CFD_T) \
    I(ALU, f##_SMOOTH, OP_FP_MAD, CFD_T, CFD_T, CFD_X, CFD_N3) \
    I(ALU, f##_F0, OP_FP_MAD, CFD_F0, CFD_F0, CFD_T, CFD_N0) \
    I(ALU, f##_F1, OP_FP_MAD, CFD_F1, CFD_F1, CFD_X, CFD_N1) \
    I(ALU, f##_F2, OP_FP_MAD, CFD_F2, CFD_F2, CFD_Y, CFD_N2) \
    I(ALU, f##_F3, OP_FP_MAD, CFD_F3, CFD_F3, CFD_Z, CFD_N3) \
    I(ALU, f##_F4, OP_FP_MAD, CFD_F4, CFD_F4, CFD_T, CFD_N4) \
    I(ALU, f##_IS_WALL, OP_INT_ADD, CFD_P, CFD_NB) \
    I(BRANCH, f##_WALL, CFD_P) \
    I(ALU, f##_W1, OP_FP_MAD, CFD_F1, CFD_F1, CFD_X, CFD_T) \
    I(ALU, f##_W2, OP_FP_MAD, CFD_F2, CFD_F2, CFD_Y, CFD_T) \
    I(ALU, f##_W3, OP_FP_MAD, CFD_F3, CFD_F3, CFD_Z, CFD_T) \
    I(ALU, f##_IS_FAR, OP_INT_ADD, CFD_P, CFD_NB) \
    I(BRANCH, f##_FAR, CFD_P) \
    I(LOAD, f##_CONSTANT, SPACE_CONSTANT, 4, CFD_T, CFD_A) \
    I(ALU, f##_B0, OP_FP_MAD, CFD_F0, CFD_F0, CFD_X, CFD_T) \
    I(ALU, f##_B1, OP_FP_MAD, CFD_F1, CFD_F1, CFD_X, CFD_T) \
    I(ALU, f##_B2, OP_FP_MAD, CFD_F2, CFD_F2, CFD_Y, CFD_T) \
    I(ALU, f##_B3, OP_FP_MAD, CFD_F3, CFD_F3, CFD_Z, CFD_T) \
    I(ALU, f##_B4, OP_FP_MAD, CFD_F4, CFD_F4, CFD_Z, CFD_T)

#define FLUX(I) \
    I(ALU, FLUX_I, OP_INT_MAD, CFD_I, REG_NONE) \
    I(ALU, FLUX_ADDRESS, OP_INT_MAD, CFD_A, CFD_I) \
    I(LOAD, FLUX_V0, SPACE_GLOBAL, 4, CFD_V0, CFD_A) \
    I(LOAD, FLUX_V1, SPACE_GLOBAL, 4, CFD_V1, CFD_A) \
    I(LOAD, FLUX_V2, SPACE_GLOBAL, 4, CFD_V2, CFD_A) \
    I(LOAD, FLUX_V3, SPACE_GLOBAL, 4, CFD_V3, CFD_A) \
    I(LOAD, FLUX_V4, SPACE_GLOBAL, 4, CFD_V4, CFD_A) \
    I(ALU, FLUX_ADDRESSES, OP_INT_ADD, CFD_A, CFD_A) \
    I(ALU, FLUX_VELOCITY, OP_FP_DIV, CFD_T, CFD_V1, CFD_V0) \
    I(ALU, FLUX_CONTRIBUTION, OP_FP_MAD, CFD_T, CFD_T, CFD_V4, CFD_V2) \
    I(ALU, FLUX_ROOT, OP_SFU, CFD_T, CFD_T) \
    I(ALU, FLUX_Z0, OP_FP_ADD, CFD_F0, REG_NONE) \
    I(ALU, FLUX_Z1, OP_FP_ADD, CFD_F1, REG_NONE) \
    I(ALU, FLUX_Z2, OP_FP_ADD, CFD_F2, REG_NONE) \
    I(ALU, FLUX_Z3, OP_FP_ADD, CFD_F3, REG_NONE) \
    I(ALU, FLUX_Z4, OP_FP_ADD, CFD_F4, REG_NONE) \
    FACE(I, FACE_0) \
    FACE(I, FACE_1) \
    FACE(I, FACE_2) \
    FACE(I, FACE_3) \
    I(STORE, FLUX_S0, SPACE_GLOBAL, 4, CFD_F0, CFD_A) \
    I(STORE, FLUX_S1, SPACE_GLOBAL, 4, CFD_F1, CFD_A) \
    I(STORE, FLUX_S2, SPACE_GLOBAL, 4, CFD_F2, CFD_A) \
    I(STORE, FLUX_S3, SPACE_GLOBAL, 4, CFD_F3, CFD_A) \
    I(STORE, FLUX_S4, SPACE_GLOBAL, 4, CFD_F4, CFD_A)
SIMT_CODE(flux, FLUX, .registers = 58);
const struct kernel_code *const cfd_flux_kernel = &flux_code;

struct flux_threads {
    struct cfd_flow here[SIMT_THREADS];
    float flux[CFD_VARIABLES][SIMT_THREADS], normal[3][SIMT_THREADS];
    float there[CFD_VARIABLES][SIMT_THREADS], far[CFD_CONSTANTS][SIMT_THREADS];
    int32_t nb[SIMT_THREADS];
};

/* The normal and the fluxes of one thread; what a face adds to the fluxes. */
#define NORMAL(x, t) ((const float[]){(x)->normal[0][t], (x)->normal[1][t], (x)->normal[2][t]})
#define ADD_FLUX(x, t, ...) \
    do { \
        float flux_[CFD_VARIABLES]; \
        for (unsigned m_ = 0; m_ < CFD_VARIABLES; m_++) { \
            flux_[m_] = (x)->flux[m_][t]; \
        } \
        __VA_ARGS__; \
        for (unsigned m_ = 0; m_ < CFD_VARIABLES; m_++) { \
            (x)->flux[m_][t] = flux_[m_]; \
        } \
    } while (0)

static void interior(struct simt *s, const struct cfd *k, struct flux_threads *x, unsigned f) {
    for (unsigned m = 0; m < CFD_VARIABLES; m++) {
        struct element e = element_lane(x->nb);
        e.base = (int64_t)m * k->mesh.elements;
        simt_load(s, f + (FACE_0_N0 - FACE_0) + m, x->there[m], &k->variables, e);
    }
    simt_work(s, f + (FACE_0_VELOCITY - FACE_0), 4);
    simt_work(s, f + (FACE_0_CONTRIBUTION - FACE_0), 20);
    simt_work(s, f + (FACE_0_ROOT - FACE_0), 3);
    simt_work(s, f + (FACE_0_SMOOTH - FACE_0), 8);
    for (unsigned i = 0; i < 8; i++) {
        simt_alus(s, f + (FACE_0_F0 - FACE_0), f + (FACE_0_F4 - FACE_0));
    }
    SIMT_EACH(s, t) {
        const float there[] = {x->there[0][t], x->there[1][t], x->there[2][t], x->there[3][t],
                               x->there[4][t]};
        ADD_FLUX(x, t, cfd_interior_face(&x->here[t], there, NORMAL(x, t), flux_));
    }
}

static void outside(struct simt *s, const struct cfd *k, struct flux_threads *x, unsigned f) {
    struct simt_mask wall, open;
    SIMT_WHERE(s, wall, t, x->nb[t] == CFD_WALL);
    simt_alu(s, f + (FACE_0_IS_WALL - FACE_0));
    SIMT_IF(s, f + (FACE_0_WALL - FACE_0), &wall) {
        simt_alus(s, f + (FACE_0_W1 - FACE_0), f + (FACE_0_W3 - FACE_0));
        SIMT_EACH(s, t) {
            ADD_FLUX(x, t, cfd_wall_face(&x->here[t], NORMAL(x, t), flux_));
        }
    }
    SIMT_ELSE(s) {
        SIMT_WHERE(s, open, t, x->nb[t] == CFD_FAR_FIELD);
        simt_alu(s, f + (FACE_0_IS_FAR - FACE_0));
        SIMT_IF(s, f + (FACE_0_FAR - FACE_0), &open) {
            for (unsigned i = 0; i < CFD_CONSTANTS; i++) {
                simt_load(s, f + (FACE_0_CONSTANT - FACE_0), x->far[i], &k->far, element_at(i));
            }
            for (unsigned i = 0; i < 3; i++) {
                simt_alus(s, f + (FACE_0_B0 - FACE_0), f + (FACE_0_B4 - FACE_0));
            }
            SIMT_EACH(s, t) {
                float far[CFD_CONSTANTS];
                for (unsigned i = 0; i < CFD_CONSTANTS; i++) {
                    far[i] = x->far[i][t];
                }
                ADD_FLUX(x, t, cfd_far_face(&x->here[t], far, NORMAL(x, t), flux_));
            }
        }
    }
}

void cfd_flux(struct simt *s, const void *arguments) {
    const struct cfd *k = arguments;
    const int64_t i = (int64_t)s->cta[0] * s->block[0], n = k->mesh.elements;
    struct flux_threads x;
    float v[CFD_VARIABLES][SIMT_THREADS];

    simt_alus(s, FLUX_I, FLUX_ADDRESS);
    for (unsigned m = 0; m < CFD_VARIABLES; m++) {
        simt_load(s, FLUX_V0 + m, v[m], &k->variables, element_x(i + m * n, 1));
    }
    simt_work(s, FLUX_ADDRESSES, 12);
    simt_work(s, FLUX_VELOCITY, 4);
    simt_work(s, FLUX_CONTRIBUTION, 30);
    simt_work(s, FLUX_ROOT, 2);
    simt_alus(s, FLUX_Z0, FLUX_Z4);
    SIMT_EACH(s, t) {
        x.here[t] = cfd_flow((float[]){v[0][t], v[1][t], v[2][t], v[3][t], v[4][t]});
        for (unsigned m = 0; m < CFD_VARIABLES; m++) {
            x.flux[m][t] = 0.0f;
        }
    }
    for (unsigned f = 0; f < CFD_FACES; f++) {
        const unsigned first = FACE_0 + f * (FACE_1 - FACE_0);
        struct simt_mask inside;
        simt_alu(s, first);
        simt_load(s, first + 1, x.nb, &k->neighbours, element_x(i + f * n, 1));
        for (unsigned d = 0; d < 3; d++) {
            simt_load(s, first + 2 + d, x.normal[d], &k->normals,
                      element_x(i + (f + CFD_FACES * d) * n, 1));
        }
        simt_alu(s, first + (FACE_0_IS_INTERIOR - FACE_0));
        SIMT_WHERE(s, inside, t, x.nb[t] >= 0);
        SIMT_IF(s, first + (FACE_0_INTERIOR - FACE_0), &inside) {
            interior(s, k, &x, first);
        }
        SIMT_ELSE(s) {
            outside(s, k, &x, first);
        }
    }
    for (unsigned m = 0; m < CFD_VARIABLES; m++) {
        simt_store(s, FLUX_S0 + m, x.flux[m], &k->fluxes, element_x(i + m * n, 1));
    }
}
