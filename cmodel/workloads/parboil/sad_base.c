/* SPDX-License-Identifier: Apache-2.0
 *
 * The first kernel of Parboil sad in the suite's simple version: no shared memory. The pixels of
 * the block come from global memory, each by a load of all threads together and again for each
 * position; each sum is stored as soon as it is complete, two bytes, 36 bytes from the next
 * thread's. The order of the inner loops is assumed: a position at a time, row by row.
 */
#include <stdlib.h>

#include "workloads/parboil/sad.h"

enum {
    R_TID,
    R_CTA_X,
    R_CTA_Y,
    R_PREDICATE,
    R_POSITION,
    R_ROW,
    R_COLUMN,
    R_Y,
    R_FRAME,
    R_TEXEL,
    R_PIXEL,
    R_REFERENCE,
    R_DIFFERENCE,
    R_SUM,
    R_OUT,
};

#define BASE(I) \
    I(ALU, TID, OP_INT_ADD, R_TID, REG_NONE) \
    I(ALU, CTA_X, OP_INT_ADD, R_CTA_X, REG_NONE) \
    I(ALU, CTA_Y, OP_INT_ADD, R_CTA_Y, REG_NONE) \
    I(ALU, FIRST_POSITION, OP_INT_MUL, R_POSITION, R_TID) \
    I(ALU, FIRST_OUT, OP_INT_MAD, R_OUT, R_CTA_X, R_CTA_Y) \
    I(LOOP, POSITIONS) \
    I(ALU, DIVIDE, OP_INT_MUL, R_ROW, R_POSITION) \
    I(ALU, SHIFT, OP_INT_ADD, R_ROW, R_ROW) \
    I(ALU, REMAINDER, OP_INT_MAD, R_COLUMN, R_ROW, R_POSITION) \
    I(ALU, ZERO, OP_INT_ADD, R_SUM, REG_NONE) \
    I(LOOP, ROWS) \
    I(ALU, FRAME_ADDRESS, OP_INT_MAD, R_FRAME, R_Y, R_CTA_Y) \
    I(ALU, TEXEL_Y, OP_INT_ADD, R_TEXEL, R_ROW, R_Y) \
    I(ALU, TEXEL_X, OP_INT_ADD, R_TEXEL, R_COLUMN) \
    I(LOAD, LOAD_PIXEL, SPACE_GLOBAL, 2, R_PIXEL, R_FRAME) \
    I(LOAD, LOAD_TEXEL, SPACE_TEXTURE, 2, R_REFERENCE, R_TEXEL) \
    I(ALU, DIFFERENCE, OP_INT_ADD, R_DIFFERENCE, R_PIXEL, R_REFERENCE) \
    I(ALU, SUM, OP_INT_ADD, R_SUM, R_SUM, R_DIFFERENCE) \
    I(ALU, NEXT_ROW, OP_INT_ADD, R_Y, R_Y) \
    I(ALU, ROW_COMPARE, OP_INT_ADD, R_PREDICATE, R_Y) \
    I(BRANCH, ROW_BRANCH, R_PREDICATE) \
    I(STORE, STORE_SUM, SPACE_GLOBAL, 2, R_SUM, R_OUT) \
    I(ALU, NEXT_OUT, OP_INT_ADD, R_OUT, R_OUT) \
    I(ALU, NEXT_POSITION, OP_INT_ADD, R_POSITION, R_POSITION) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_POSITION) \
    I(BRANCH, BRANCH_POSITION, R_PREDICATE)
SIMT_CODE(sad_calc_base, BASE, .registers = 18);

/* Row @y of the block at each thread's position. */
static void add_row(struct simt *s, const struct sad *k, unsigned y, const int32_t *position,
                    int32_t *sum) {
    const int left = (int)(s->cta[0] * SAD_BLOCK), top = (int)(s->cta[1] * SAD_BLOCK);
    uint16_t pixel[SIMT_THREADS], texel[SIMT_THREADS];
    int32_t at[SIMT_THREADS];
    simt_alus(s, FRAME_ADDRESS, TEXEL_X);
    for (unsigned x = 0; x < SAD_BLOCK; x++) {
        simt_load(s, LOAD_PIXEL, pixel, &k->frame,
                  element_at((top + (int64_t)y) * k->width + left + x));
        SIMT_EACH(s, t) {
            at[t] = sad_texel(k, left + (int)x + position[t] % SAD_SIDE - SAD_RANGE,
                              top + (int)y + position[t] / SAD_SIDE - SAD_RANGE);
        }
        simt_load(s, LOAD_TEXEL, texel, &k->reference, element_lane(at));
        simt_alu(s, DIFFERENCE);
        SIMT_ALU(s, SUM, t) {
            sum[t] += abs(pixel[t] - texel[t]);
        }
    }
    simt_alus(s, NEXT_ROW, ROW_BRANCH);
}

static void sad_4x4_base(struct simt *s, const void *arguments) {
    const struct sad *k = arguments;
    const int64_t out = (int64_t)sad_block_4x4(k, s->cta[0], s->cta[1]) * SAD_PADDED;
    int32_t position[SIMT_THREADS], sum[SIMT_THREADS];
    uint16_t value[SIMT_THREADS];
    struct simt_mask left;

    simt_alus(s, TID, FIRST_OUT);
    SIMT_EACH(s, t) {
        position[t] = (int32_t)t * SAD_A_THREAD;
    }
    SIMT_LOOP(s, POSITIONS) {
        simt_alus(s, DIVIDE, ZERO);
        SIMT_EACH(s, t) {
            sum[t] = 0;
        }
        SIMT_FOR(s, ROWS, y, SAD_BLOCK) {
            add_row(s, k, y, position, sum);
        }
        SIMT_EACH(s, t) {
            value[t] = (uint16_t)sum[t];
        }
        simt_store(s, STORE_SUM, value, &k->sad,
                   (struct element){.base = out, .scale = 1, .lane = position});
        simt_alu(s, NEXT_OUT);
        SIMT_ALU(s, NEXT_POSITION, t) {
            position[t]++;
        }
        simt_alu(s, COMPARE);
        SIMT_WHERE(s, left, t,
                   position[t] < (int32_t)(t + 1) * SAD_A_THREAD && position[t] < SAD_POSITIONS);
        simt_while(s, BRANCH_POSITION, &left);
    }
}

void sad_add_base(struct sad *k) {
    const unsigned wide = k->width / SAD_BLOCK, high = k->height / SAD_BLOCK;
    HOST_ADD_LAUNCH(&k->host, {&sad_calc_base_code, {wide, high, 1}, {SAD_THREADS, 1, 1}},
                    sad_4x4_base);
}
