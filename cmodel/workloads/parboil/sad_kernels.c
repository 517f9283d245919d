/* SPDX-License-Identifier: Apache-2.0
 *
 * The three kernels of Parboil sad.
 */
#include <stdlib.h>

#include "workloads/parboil/sad.h"

enum {
    R_TID,
    R_CTA_X,
    R_CTA_Y,
    R_PREDICATE,
    R_ADDRESS,
    R_PIXEL,
    R_POSITION,
    R_ROW,
    R_COLUMN,
    R_Y,
    R_LINE,
    R_TEXEL,
    R_REFERENCE = R_TEXEL + 6,
    R_DIFFERENCE,
    R_SUM,
    R_OUT = R_SUM + 3,
    R_QUAD
};

/* Pixel @x of a row against the texels x, x + 1, x + 2. */
#define PIXEL(I, x) \
    I(LOAD, LOAD_PIXEL_##x, SPACE_SHARED, 2, R_REFERENCE, R_LINE) \
    I(ALU, DIFFERENCE_0_##x, OP_INT_ADD, R_DIFFERENCE, R_TEXEL + x, R_REFERENCE) \
    I(ALU, DIFFERENCE_1_##x, OP_INT_ADD, R_DIFFERENCE, R_TEXEL + x + 1, R_REFERENCE) \
    I(ALU, DIFFERENCE_2_##x, OP_INT_ADD, R_DIFFERENCE, R_TEXEL + x + 2, R_REFERENCE) \
    I(ALU, SUM_0_##x, OP_INT_ADD, R_SUM, R_SUM, R_DIFFERENCE) \
    I(ALU, SUM_1_##x, OP_INT_ADD, R_SUM + 1, R_SUM + 1, R_DIFFERENCE) \
    I(ALU, SUM_2_##x, OP_INT_ADD, R_SUM + 2, R_SUM + 2, R_DIFFERENCE)
#define PIXEL_INSNS 7

#define SAD_CALC(I) \
    I(ALU, TID, OP_INT_ADD, R_TID, REG_NONE) \
    I(ALU, CTA_X, OP_INT_ADD, R_CTA_X, REG_NONE) \
    I(ALU, CTA_Y, OP_INT_ADD, R_CTA_Y, REG_NONE) \
    I(ALU, BLOCK_X, OP_INT_MUL, R_COLUMN, R_CTA_X) \
    I(ALU, BLOCK_Y, OP_INT_MUL, R_ROW, R_CTA_Y) \
    I(ALU, FIRST_OUT, OP_INT_MAD, R_OUT, R_CTA_X, R_CTA_Y) \
    I(ALU, FRAME_COMPARE, OP_INT_ADD, R_PREDICATE, R_TID) \
    I(BRANCH, FRAME_BRANCH, R_PREDICATE) \
    I(ALU, PIXEL_ROW, OP_INT_MAD, R_ADDRESS, R_TID, R_ROW) \
    I(ALU, PIXEL_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ADDRESS, R_COLUMN) \
    I(LOAD, LOAD_FRAME, SPACE_GLOBAL, 2, R_PIXEL, R_ADDRESS) \
    I(STORE, STORE_FRAME, SPACE_SHARED, 2, R_PIXEL, R_TID) \
    I(BARRIER, FRAME_BARRIER) \
    I(ALU, FIRST_POSITION, OP_INT_MUL, R_POSITION, R_TID) \
    I(LOOP, TRIPLES) \
    I(ALU, DIVIDE, OP_INT_MUL, R_ROW, R_POSITION) \
    I(ALU, SHIFT, OP_INT_ADD, R_ROW, R_ROW) \
    I(ALU, REMAINDER, OP_INT_MAD, R_COLUMN, R_ROW, R_POSITION) \
    I(ALU, ZERO_0, OP_INT_ADD, R_SUM, REG_NONE) \
    I(ALU, ZERO_1, OP_INT_ADD, R_SUM + 1, REG_NONE) \
    I(ALU, ZERO_2, OP_INT_ADD, R_SUM + 2, REG_NONE) \
    I(LOOP, ROWS) \
    I(ALU, LINE, OP_INT_MAD, R_LINE, R_ROW, R_Y) \
    I(ALU, TEXEL_X, OP_INT_ADD, R_ADDRESS, R_COLUMN) \
    I(LOAD, TEXEL_0, SPACE_TEXTURE, 2, R_TEXEL, R_ADDRESS) \
    I(LOAD, TEXEL_1, SPACE_TEXTURE, 2, R_TEXEL + 1, R_ADDRESS) \
    I(LOAD, TEXEL_2, SPACE_TEXTURE, 2, R_TEXEL + 2, R_ADDRESS) \
    I(LOAD, TEXEL_3, SPACE_TEXTURE, 2, R_TEXEL + 3, R_ADDRESS) \
    I(LOAD, TEXEL_4, SPACE_TEXTURE, 2, R_TEXEL + 4, R_ADDRESS) \
    I(LOAD, TEXEL_5, SPACE_TEXTURE, 2, R_TEXEL + 5, R_ADDRESS) \
    I(ALU, SHARED_ROW, OP_INT_MAD, R_LINE, R_Y, R_LINE) \
    I(ALU, SHARED_ADDRESS, OP_INT_ADD, R_LINE, R_LINE) \
    PIXEL(I, 0) \
    PIXEL(I, 1) \
    PIXEL(I, 2) \
    PIXEL(I, 3) \
    I(ALU, NEXT_ROW, OP_INT_ADD, R_Y, R_Y) \
    I(ALU, ROW_COMPARE, OP_INT_ADD, R_PREDICATE, R_Y) \
    I(BRANCH, ROW_BRANCH, R_PREDICATE) \
    I(STORE, STORE_SAD_0, SPACE_SHARED, 2, R_SUM, R_POSITION) \
    I(STORE, STORE_SAD_1, SPACE_SHARED, 2, R_SUM + 1, R_POSITION) \
    I(STORE, STORE_SAD_2, SPACE_SHARED, 2, R_SUM + 2, R_POSITION) \
    I(ALU, NEXT_TRIPLE, OP_INT_ADD, R_POSITION, R_POSITION) \
    I(ALU, TRIPLE_COMPARE, OP_INT_ADD, R_PREDICATE, R_POSITION) \
    I(BRANCH, TRIPLE_BRANCH, R_PREDICATE) \
    I(BARRIER, SAD_BARRIER) \
    I(ALU, COPY_COMPARE, OP_INT_ADD, R_PREDICATE, R_TID) \
    I(BRANCH, COPY_BRANCH, R_PREDICATE) \
    I(LOOP, COPY) \
    I(ALU, QUAD_SHARED, OP_INT_MAD, R_ADDRESS, R_TID) \
    I(LOAD, LOAD_QUAD, SPACE_SHARED, 8, R_QUAD, R_ADDRESS) \
    I(ALU, QUAD_ADDRESS, OP_INT_MAD, R_ADDRESS, R_TID, R_OUT) \
    I(STORE, STORE_QUAD, SPACE_GLOBAL, 8, R_QUAD, R_ADDRESS) \
    I(ALU, NEXT_QUAD, OP_INT_ADD, R_TID, R_TID) \
    I(ALU, QUAD_COMPARE, OP_INT_ADD, R_PREDICATE, R_TID) \
    I(BRANCH, QUAD_BRANCH, R_PREDICATE)

SIMT_CODE(sad_calc, SAD_CALC, .registers = 24,
          .shared_bytes = 2 * (SAD_BLOCK * SAD_BLOCK + SAD_PADDED));

/* The four pixels of a row against the reference's at three neighbouring positions. */
static void add_row(struct simt *s, const struct sad *k, const struct buffer *pixels, unsigned y,
                    const int32_t *column, const int32_t *row, int32_t sum[3][SIMT_THREADS]) {
    uint16_t texel[SAD_BLOCK + 2][SIMT_THREADS], pixel[SIMT_THREADS];
    int32_t at[SIMT_THREADS];

    simt_alus(s, LINE, TEXEL_X);
    for (unsigned i = 0; i < SAD_BLOCK + 2; i++) {
        SIMT_EACH(s, t) {
            at[t] = sad_texel(k, column[t] + (int)i, row[t] + (int)y);
        }
        simt_load(s, TEXEL_0 + i, texel[i], &k->reference, element_lane(at));
    }
    simt_alus(s, SHARED_ROW, SHARED_ADDRESS);
    for (unsigned x = 0; x < SAD_BLOCK; x++) {
        const unsigned first = LOAD_PIXEL_0 + x * PIXEL_INSNS;
        simt_load(s, first, pixel, pixels, element_at(SAD_BLOCK * y + x));
        simt_alus(s, first + 1, first + PIXEL_INSNS - 1);
        for (unsigned i = 0; i < 3; i++) {
            SIMT_EACH(s, t) {
                sum[i][t] += abs(pixel[t] - texel[x + i][t]);
            }
        }
    }
    simt_alus(s, NEXT_ROW, ROW_BRANCH);
}

/* sad[position .. position + 2] of each thread. */
static void triple(struct simt *s, const struct sad *k, const struct buffer *pixels,
                   const struct buffer *sads, const int32_t *position) {
    int32_t column[SIMT_THREADS], row[SIMT_THREADS], at[SIMT_THREADS];
    int32_t sum[3][SIMT_THREADS];
    uint16_t value[SIMT_THREADS];

    simt_alus(s, DIVIDE, ZERO_2);
    SIMT_EACH(s, t) {
        const int32_t left = (int32_t)(s->cta[0] * SAD_BLOCK) - SAD_RANGE;
        const int32_t top = (int32_t)(s->cta[1] * SAD_BLOCK) - SAD_RANGE;
        column[t] = left + position[t] % SAD_SIDE;
        row[t] = top + position[t] / SAD_SIDE;
        sum[0][t] = sum[1][t] = sum[2][t] = 0;
    }
    SIMT_FOR(s, ROWS, y, SAD_BLOCK) {
        add_row(s, k, pixels, y, column, row, sum);
    }
    for (unsigned i = 0; i < 3; i++) {
        SIMT_EACH(s, t) {
            value[t] = (uint16_t)sum[i][t];
            at[t] = position[t] + (int32_t)i;
        }
        simt_store(s, STORE_SAD_0 + i, value, sads, element_lane(at));
    }
}

/* sad[position], position = 18 t .. 18 t + 17, of the 4 x 4 pixels of this CTA. */
static void all_positions(struct simt *s, const struct sad *k, const struct buffer *pixels,
                          const struct buffer *sads) {
    int32_t position[SIMT_THREADS];
    struct simt_mask left;

    SIMT_ALU(s, FIRST_POSITION, t) {
        position[t] = (int32_t)t * SAD_A_THREAD;
    }
    SIMT_LOOP(s, TRIPLES) {
        triple(s, k, pixels, sads, position);
        SIMT_ALU(s, NEXT_TRIPLE, t) {
            position[t] += 3;
        }
        simt_alu(s, TRIPLE_COMPARE);
        SIMT_WHERE(s, left, t,
                   position[t] < (int32_t)(t + 1) * SAD_A_THREAD && position[t] < SAD_POSITIONS);
        simt_while(s, TRIPLE_BRANCH, &left);
    }
}

/* for (q = t; q < 274; q += 32) the next four SADs to memory, the padding too. */
static void copy(struct simt *s, const struct sad *k, const struct buffer *quads, int64_t out) {
    uint64_t quad[SIMT_THREADS];
    struct simt_mask left;
    int64_t first = 0;
    SIMT_LOOP(s, COPY) {
        simt_alu(s, QUAD_SHARED);
        simt_load(s, LOAD_QUAD, quad, quads, element_x(first, 1));
        simt_alu(s, QUAD_ADDRESS);
        simt_store(s, STORE_QUAD, quad, &k->sad8, element_x(out + first, 1));
        first += WARP_SIZE;
        simt_alus(s, NEXT_QUAD, QUAD_COMPARE);
        SIMT_WHERE(s, left, t, first + t < SAD_QUADS);
        simt_while(s, QUAD_BRANCH, &left);
    }
}

static void sad_4x4(struct simt *s, const void *arguments) {
    const struct sad *k = arguments;
    const unsigned x = s->cta[0], y = s->cta[1];
    const unsigned block = sad_block_4x4(k, x, y);
    const struct buffer pixels = simt_shared(s, 0, SAD_BLOCK * SAD_BLOCK, 2);
    const struct buffer sads = simt_shared(s, 32, SAD_PADDED, 2);
    const struct buffer quads = simt_shared(s, 32, SAD_QUADS, 8);
    uint16_t pixel[SIMT_THREADS];
    int32_t at[SIMT_THREADS];
    struct simt_mask loads, copies;

    simt_alus(s, TID, FRAME_COMPARE);
    SIMT_WHERE(s, loads, t, t < SAD_BLOCK * SAD_BLOCK);
    SIMT_IF(s, FRAME_BRANCH, &loads) {
        simt_alus(s, PIXEL_ROW, PIXEL_ADDRESS);
        SIMT_EACH(s, t) {
            at[t] = (int32_t)((SAD_BLOCK * y + t / SAD_BLOCK) * k->width + SAD_BLOCK * x +
                              t % SAD_BLOCK);
        }
        simt_load(s, LOAD_FRAME, pixel, &k->frame, element_lane(at));
        simt_store(s, STORE_FRAME, pixel, &pixels, element_x(0, 1));
    }
    simt_barrier(s, FRAME_BARRIER);
    all_positions(s, k, &pixels, &sads);
    simt_barrier(s, SAD_BARRIER);
    simt_alu(s, COPY_COMPARE);
    SIMT_WHERE(s, copies, t, t < WARP_SIZE);
    SIMT_IF(s, COPY_BRANCH, &copies) {
        copy(s, k, &quads, (int64_t)block * SAD_QUADS);
    }
}

/* Sums of two by two blocks: the left and the right pair, the upper and the lower, all four. */
#define LARGER(I) \
    I(ALU, MACRO, OP_INT_MAD, R_CTA_X, REG_NONE) \
    I(ALU, IN, OP_INT_MAD, R_ADDRESS, R_CTA_X) \
    I(ALU, OUT_COLUMNS, OP_INT_MAD, R_COLUMN, R_CTA_X) \
    I(ALU, OUT_ROWS, OP_INT_MAD, R_ROW, R_CTA_X) \
    I(ALU, OUT_ALL, OP_INT_MAD, R_OUT, R_CTA_X) \
    I(LOOP, LARGER_LOOP) \
    I(LOAD, LOAD_00, SPACE_GLOBAL, 4, R_TEXEL, R_ADDRESS) \
    I(LOAD, LOAD_01, SPACE_GLOBAL, 4, R_TEXEL + 1, R_ADDRESS) \
    I(LOAD, LOAD_10, SPACE_GLOBAL, 4, R_TEXEL + 2, R_ADDRESS) \
    I(LOAD, LOAD_11, SPACE_GLOBAL, 4, R_TEXEL + 3, R_ADDRESS) \
    I(ALU, LEFT, OP_INT_ADD, R_SUM, R_TEXEL, R_TEXEL + 2) \
    I(ALU, RIGHT, OP_INT_ADD, R_SUM + 1, R_TEXEL + 1, R_TEXEL + 3) \
    I(STORE, STORE_LEFT, SPACE_GLOBAL, 4, R_SUM, R_COLUMN) \
    I(STORE, STORE_RIGHT, SPACE_GLOBAL, 4, R_SUM + 1, R_COLUMN) \
    I(ALU, UPPER, OP_INT_ADD, R_SUM + 2, R_TEXEL, R_TEXEL + 1) \
    I(ALU, LOWER, OP_INT_ADD, R_DIFFERENCE, R_TEXEL + 2, R_TEXEL + 3) \
    I(STORE, STORE_UPPER, SPACE_GLOBAL, 4, R_SUM + 2, R_ROW) \
    I(STORE, STORE_LOWER, SPACE_GLOBAL, 4, R_DIFFERENCE, R_ROW) \
    I(ALU, ALL, OP_INT_ADD, R_SUM, R_SUM, R_SUM + 1) \
    I(STORE, STORE_ALL, SPACE_GLOBAL, 4, R_SUM, R_OUT) \
    I(ALU, NEXT_IN, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(ALU, NEXT_COLUMNS, OP_INT_ADD, R_COLUMN, R_COLUMN) \
    I(ALU, NEXT_ROWS, OP_INT_ADD, R_ROW, R_ROW) \
    I(ALU, NEXT_ALL, OP_INT_ADD, R_OUT, R_OUT) \
    I(ALU, LARGER_COMPARE, OP_INT_ADD, R_PREDICATE, R_ADDRESS) \
    I(BRANCH, LARGER_BRANCH, R_PREDICATE)
SIMT_CODE(sad_larger, LARGER, .registers = 24);

/* Blocks that one warp takes and makes, and how far apart they are. */
struct larger {
    unsigned in, below; /* 2 x 2 of them, the lower ones @below behind */
    unsigned columns;   /* left, right */
    unsigned rows, under;
    unsigned all;
};

/* Two SADs a word, added together: none is greater than 16 bits. @of: of each warp. */
static void larger(struct simt *s, const struct sad *k, const struct larger *of) {
    uint32_t in[2][2][SIMT_THREADS], left[SIMT_THREADS], right[SIMT_THREADS], upper[SIMT_THREADS],
        lower[SIMT_THREADS];
    int32_t at[SIMT_THREADS];
    struct simt_mask more;
    unsigned first = 0;
/* Word @first + x of a block of the warp's. */
#define AT(block) \
    SIMT_EACH(s, t) { \
        const struct larger *w = &of[s->y[t]]; \
        at[t] = (int32_t)((block)*SAD_WORDS + first + s->x[t]); \
    }
    simt_alus(s, MACRO, OUT_ALL);
    SIMT_LOOP(s, LARGER_LOOP) {
        for (unsigned i = 0; i < 4; i++) {
            AT(w->in + i / 2 * w->below + i % 2);
            simt_load(s, LOAD_00 + i, in[i / 2][i % 2], &k->sad4, element_lane(at));
        }
        simt_alus(s, LEFT, RIGHT);
        SIMT_EACH(s, t) {
            left[t] = in[0][0][t] + in[1][0][t];
            right[t] = in[0][1][t] + in[1][1][t];
        }
        AT(w->columns);
        simt_store(s, STORE_LEFT, left, &k->sad4, element_lane(at));
        AT(w->columns + 1);
        simt_store(s, STORE_RIGHT, right, &k->sad4, element_lane(at));
        simt_alus(s, UPPER, LOWER);
        SIMT_EACH(s, t) {
            upper[t] = in[0][0][t] + in[0][1][t];
            lower[t] = in[1][0][t] + in[1][1][t];
        }
        AT(w->rows);
        simt_store(s, STORE_UPPER, upper, &k->sad4, element_lane(at));
        AT(w->rows + w->under);
        simt_store(s, STORE_LOWER, lower, &k->sad4, element_lane(at));
        SIMT_ALU(s, ALL, t) {
            left[t] += right[t];
        }
        AT(w->all);
        simt_store(s, STORE_ALL, left, &k->sad4, element_lane(at));
        first += WARP_SIZE;
        simt_alus(s, NEXT_IN, LARGER_COMPARE);
        SIMT_WHERE(s, more, t, first + s->x[t] < SAD_WORDS_USED);
        simt_while(s, LARGER_BRANCH, &more);
    }
#undef AT
}

static void sad_8x8(struct simt *s, const void *arguments) {
    const struct sad *k = arguments;
    const unsigned macro = s->cta[1] * k->macro_width + s->cta[0];
    struct larger of[4];
    for (unsigned q = 0; q < 4; q++) {
        const unsigned x = q % 2, y = q / 2;
        of[q] = (struct larger){
            .in = sad_block(k, SAD_4X4, 16, macro) + 8 * y + 2 * x,
            .below = 4,
            .columns = sad_block(k, SAD_4X8, 8, macro) + 4 * y + 2 * x,
            .rows = sad_block(k, SAD_8X4, 8, macro) + 4 * y + x,
            .under = 2,
            .all = sad_block(k, SAD_8X8, 4, macro) + 2 * y + x,
        };
    }
    larger(s, k, of);
}

static void sad_16x16(struct simt *s, const void *arguments) {
    const struct sad *k = arguments;
    const unsigned macro = s->cta[1] * k->macro_width + s->cta[0];
    const struct larger of = {
        .in = sad_block(k, SAD_8X8, 4, macro),
        .below = 2,
        .columns = sad_block(k, SAD_8X16, 2, macro),
        .rows = sad_block(k, SAD_16X8, 2, macro),
        .under = 1,
        .all = sad_block(k, SAD_16X16, 1, macro),
    };
    larger(s, k, &of);
}

void sad_add_calc(struct sad *k) {
    const unsigned wide = k->width / SAD_BLOCK, high = k->height / SAD_BLOCK;
    HOST_ADD_LAUNCH(&k->host, {&sad_calc_code, {wide, high, 1}, {SAD_THREADS, 1, 1}}, sad_4x4);
}

void sad_add_larger(struct sad *k) {
    const unsigned wide = k->macro_width, high = k->macro_height;
    HOST_ADD_LAUNCH(&k->host, {&sad_larger_code, {wide, high, 1}, {WARP_SIZE, 4, 1}}, sad_8x8);
    HOST_ADD_LAUNCH(&k->host, {&sad_larger_code, {wide, high, 1}, {WARP_SIZE, 1, 1}}, sad_16x16);
}
