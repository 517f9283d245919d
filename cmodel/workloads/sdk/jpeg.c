/* SPDX-License-Identifier: Apache-2.0
 *
 * JPEG decoding: the step from quantised coefficients to pixels, 8 x 8 at a time: multiply with the
 * quantisation table, transform the rows, transform the columns.
 *
 * OWL names a JPEG decoder of a third party, whose source is not known. This one represents it: the
 * shape of the inverse DCT of the CUDA SDK's dct8x8 (its second kernel: 32 x 16 pixels a block of
 * 64 threads, a thread a column, then a row, then its column again, in shared memory, where the
 * pitch of 33 words keeps rows and columns free of bank conflicts, without a barrier), with the
 * table in constant memory as that program's quantisation has it. An access is one line, and
 * consecutive blocks read data 128 bytes apart, so that 16 of them share a DRAM row of 2 KB, as in
 * OWL's table 4. Entropy decoding happens on the host in such programs and has happened here; the
 * colour conversion after it is not included.
 *
 * The size of OWL's picture is unknown: 16 million pixels, as a camera of its time has; tiny is the
 * SDK's own picture.
 *
 * The coefficients are those of a generated picture (slopes, waves and some noise), quantised with
 * the standard's example table for luminance. Most are zero, which no access depends on.
 */
#include <math.h>

#include "workloads/host.h"
#include "workloads/workloads.h"

#define EDGE 8 /* of a transform's block */
#define ACROSS 4
#define DOWN 2 /* such blocks in a CTA */
#define PITCH (ACROSS * EDGE + 1)
#define PREPARE_INSNS 8
#define TRANSFORM_INSNS 42
#define LEVEL 128.0

/* The picture's size: multiples of 32 and 16. */
static const struct size {
    unsigned width, height;
} sizes[] = {
    [SIZE_TINY] = {512, 512}, [SIZE_SMALL] = {2048, 2048}, [SIZE_PAPER_OWL] = {4096, 4096}};

static const int16_t luminance[EDGE * EDGE] = {
    16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
    14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
    18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};

struct jpeg {
    struct host host;
    struct size size;
    uint64_t seed;
    struct buffer coefficient; /* row by row of the picture, each in its pixel's place */
    struct buffer pixel;
    struct buffer quantiser;
};

enum {
    R_INDEX,
    R_ADDRESS,
    R_SHARED,
    R_Q,
    R_X0,
    R_X1,
    R_X2,
    R_X3,
    R_X4,
    R_X5,
    R_X6,
    R_X7,
    R_E0,
    R_E1,
    R_E2,
    R_E3,
    R_O0,
    R_O1,
    R_O2,
    R_O3
};

/* clang-format off */
#define EIGHT(I, WHAT, X) \
    WHAT(I, X, 0) WHAT(I, X, 1) WHAT(I, X, 2) WHAT(I, X, 3) \
    WHAT(I, X, 4) WHAT(I, X, 5) WHAT(I, X, 6) WHAT(I, X, 7)
/* clang-format on */
#define LOAD_ROW(I, X, i) I(LOAD, X##_LOAD_##i, SPACE_GLOBAL, 4, R_X##i, R_ADDRESS)
#define GET(I, X, i) I(LOAD, X##_GET_##i, SPACE_SHARED, 4, R_X##i, R_SHARED)
#define PUT(I, X, i) I(STORE, X##_PUT_##i, SPACE_SHARED, 4, R_X##i, R_SHARED)
#define DEQUANTISE(I, X, i) \
    I(LOAD, X##_TABLE_##i, SPACE_CONSTANT, 2, R_Q, R_INDEX) \
    I(ALU, X##_CONVERT_##i, OP_FP_ADD, R_Q, R_Q) \
    I(ALU, X##_SCALE_##i, OP_FP_MUL, R_X##i, R_X##i, R_Q)
#define STORE_ROW(I, X, i) \
    I(LOAD, X##_TAKE_##i, SPACE_SHARED, 4, R_X##i, R_SHARED) \
    I(STORE, X##_STORE_##i, SPACE_GLOBAL, 4, R_X##i, R_ADDRESS)
#define ODD(I, X, i) \
    I(ALU, X##_ODD_1_##i, OP_FP_MUL, R_O##i, R_X1) \
    I(ALU, X##_ODD_3_##i, OP_FP_MAD, R_O##i, R_X3, R_O##i) \
    I(ALU, X##_ODD_5_##i, OP_FP_MAD, R_O##i, R_X5, R_O##i) \
    I(ALU, X##_ODD_7_##i, OP_FP_MAD, R_O##i, R_X7, R_O##i)
#define NORM(I, X, i) I(ALU, X##_NORM_##i, OP_FP_MUL, R_X##i, R_X##i)
/* Load eight values, transform, store: TRANSFORM_INSNS between. */
#define TRANSFORM(I, X) \
    I(ALU, X##_ADDRESS, OP_INT_MAD, R_SHARED, R_INDEX) \
    EIGHT(I, GET, X) \
    I(ALU, X##_EVEN_0, OP_FP_ADD, R_E0, R_X0, R_X4) \
    I(ALU, X##_EVEN_1, OP_FP_ADD, R_E1, R_X0, R_X4) \
    I(ALU, X##_EVEN_2, OP_FP_MUL, R_E2, R_X2) \
    I(ALU, X##_EVEN_26, OP_FP_MAD, R_E2, R_X6, R_E2) \
    I(ALU, X##_EVEN_3, OP_FP_MUL, R_E3, R_X2) \
    I(ALU, X##_EVEN_36, OP_FP_MAD, R_E3, R_X6, R_E3) \
    ODD(I, X, 0) \
    ODD(I, X, 1) \
    ODD(I, X, 2) \
    ODD(I, X, 3) \
    I(ALU, X##_SUM_0, OP_FP_ADD, R_X0, R_E0, R_E2) \
    I(ALU, X##_SUM_3, OP_FP_ADD, R_X3, R_E0, R_E2) \
    I(ALU, X##_SUM_1, OP_FP_ADD, R_X1, R_E1, R_E3) \
    I(ALU, X##_SUM_2, OP_FP_ADD, R_X2, R_E1, R_E3) \
    I(ALU, X##_OUT_7, OP_FP_ADD, R_X7, R_X0, R_O0) \
    I(ALU, X##_OUT_0, OP_FP_ADD, R_X0, R_X0, R_O0) \
    I(ALU, X##_OUT_6, OP_FP_ADD, R_X6, R_X1, R_O1) \
    I(ALU, X##_OUT_1, OP_FP_ADD, R_X1, R_X1, R_O1) \
    I(ALU, X##_OUT_5, OP_FP_ADD, R_X5, R_X2, R_O2) \
    I(ALU, X##_OUT_2, OP_FP_ADD, R_X2, R_X2, R_O2) \
    I(ALU, X##_OUT_4, OP_FP_ADD, R_X4, R_X3, R_O3) \
    I(ALU, X##_OUT_3, OP_FP_ADD, R_X3, R_X3, R_O3) \
    EIGHT(I, NORM, X) \
    EIGHT(I, PUT, X)

#define INVERSE_DCT(I) \
    I(ALU, PREPARE, OP_INT_MAD, R_INDEX, R_INDEX) \
    I(ALU, SOURCE, OP_INT_MAD, R_ADDRESS, R_INDEX) \
    I(ALU, TILE, OP_INT_MAD, R_SHARED, R_INDEX) \
    EIGHT(I, LOAD_ROW, SOURCE) \
    EIGHT(I, DEQUANTISE, TILE) \
    EIGHT(I, PUT, TILE) \
    TRANSFORM(I, ROW) \
    TRANSFORM(I, COLUMN) \
    I(ALU, TARGET, OP_INT_MAD, R_ADDRESS, R_INDEX) \
    EIGHT(I, STORE_ROW, TARGET)
SIMT_CODE(inverse_dct, INVERSE_DCT, .registers = 24, .shared_bytes = DOWN * EDGE * PITCH * 4);

/* sqrt(2) cos(k pi / 16), and the square root of 1 / 8. */
#define C1 1.387039845322147571f
#define C2 1.306562964876376576f
#define C3 1.175875602419358779f
#define C5 0.785694958387102187f
#define C6 0.541196100146196985f
#define C7 0.275899379282943004f
#define NORMAL 0.353553390593273762f

/* One thread's eight values, in place. */
static void transform(float *x[EDGE], unsigned t) {
    const float x1 = x[1][t], x2 = x[2][t], x3 = x[3][t], x5 = x[5][t], x6 = x[6][t], x7 = x[7][t];
    const float e0 = x[0][t] + x[4][t], e1 = x[0][t] - x[4][t];
    const float e2 = C2 * x2 + C6 * x6, e3 = C6 * x2 - C2 * x6;
    const float even[] = {e0 + e2, e1 + e3, e1 - e3, e0 - e2};
    const float odd[] = {
        C1 * x1 + C3 * x3 + C5 * x5 + C7 * x7, C3 * x1 - C7 * x3 - C1 * x5 - C5 * x7,
        C5 * x1 - C1 * x3 + C7 * x5 + C3 * x7, C7 * x1 - C5 * x3 + C3 * x5 - C1 * x7};
    for (unsigned i = 0; i < 4; i++) {
        x[i][t] = NORMAL * (even[i] + odd[i]);
        x[7 - i][t] = NORMAL * (even[i] - odd[i]);
    }
}

/* @first: of a TRANSFORM. @e: the first of the eight values; @step: to the next. */
static void transform_tile(struct simt *s, unsigned first, float *x[EDGE],
                           const struct buffer *tile, struct element e, unsigned step) {
    struct element from = e;
    simt_alu(s, first);
    for (unsigned i = 0; i < EDGE; i++, from.base += step) {
        simt_load_bytes(s, first + (ROW_GET_0 - ROW_ADDRESS) + i, x[i], sizeof **x, tile, from);
    }
    simt_alus(s, first + (ROW_EVEN_0 - ROW_ADDRESS), first + (ROW_NORM_7 - ROW_ADDRESS));
    SIMT_EACH(s, t) {
        transform(x, t);
    }
    for (unsigned i = 0; i < EDGE; i++, e.base += step) {
        simt_store_bytes(s, first + (ROW_PUT_0 - ROW_ADDRESS) + i, x[i], sizeof **x, tile, e);
    }
}

static void kernel(struct simt *s, const void *arguments) {
    const struct jpeg *k = arguments;
    const int64_t width = k->size.width;
    const struct buffer tile = simt_shared(s, 0, DOWN * EDGE * PITCH, 4);
    /* A thread's column, row i: in the picture and in the tile; and its row in the tile. */
    const struct element global = {.base = (int64_t)s->cta[1] * DOWN * EDGE * width +
                                           s->cta[0] * ACROSS * EDGE,
                                   .x = 1,
                                   .y = EDGE,
                                   .z = EDGE * width};
    const struct element column = {.x = 1, .y = EDGE, .z = EDGE * PITCH};
    const struct element row = {.x = PITCH, .y = EDGE, .z = EDGE * PITCH};
    float values[EDGE][SIMT_THREADS], *x[EDGE];
    int16_t q[SIMT_THREADS];

    simt_work(s, PREPARE, PREPARE_INSNS);
    simt_alus(s, SOURCE, TILE);
    struct element e = global;
    for (unsigned i = 0; i < EDGE; i++, e.base += width) {
        x[i] = values[i];
        simt_load(s, SOURCE_LOAD_0 + i, values[i], &k->coefficient, e);
    }
    for (unsigned i = 0; i < EDGE; i++) {
        const unsigned first = TILE_TABLE_0 + i * (TILE_TABLE_1 - TILE_TABLE_0);
        simt_load(s, first, q, &k->quantiser, element_x(i * EDGE, 1));
        simt_alus(s, first + 1, first + 2);
        SIMT_EACH(s, t) {
            values[i][t] *= (float)q[t];
        }
    }
    e = column;
    for (unsigned i = 0; i < EDGE; i++, e.base += PITCH) {
        simt_store(s, TILE_PUT_0 + i, values[i], &tile, e);
    }
    transform_tile(s, ROW_ADDRESS, x, &tile, row, 1);
    transform_tile(s, COLUMN_ADDRESS, x, &tile, column, PITCH);
    simt_alu(s, TARGET);
    e = global;
    struct element own = column;
    for (unsigned i = 0; i < EDGE; i++, e.base += width, own.base += PITCH) {
        simt_load(s, TARGET_TAKE_0 + 2 * i, values[i], &tile, own);
        simt_store(s, TARGET_STORE_0 + 2 * i, values[i], &k->pixel, e);
    }
}

/* --- The host side. --- */

/* sqrt(2) cos((2 place + 1) frequency pi / 16), 1 of frequency 0. */
static double wave(unsigned place, unsigned frequency) {
    const double pi = 3.14159265358979323846;
    return frequency ? sqrt(2.0) * cos((2 * place + 1) * frequency % 32 * pi / 16.0) : 1.0;
}

/* 0 .. 255 */
static double picture(unsigned x, unsigned y, uint64_t *noise) {
    const double slope = 60.0 + 0.05 * (x % 997) + 0.04 * (y % 1499);
    const double waves = 40.0 * sin(x / 23.0) * cos(y / 31.0) + 15.0 * sin((x + 2 * y) / 5.0);
    const double value = slope + waves + 10.0 * host_uniform(noise);
    return value < 0.0 ? 0.0 : value > 255.0 ? 255.0 : value;
}

/* The coefficients of a block from its pixels: in place, rows and then columns. */
static void forward(double block[EDGE][EDGE], double waves[EDGE][EDGE]) {
    double half[EDGE][EDGE];
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < EDGE * EDGE; i++) {
            double sum = 0.0;
            for (unsigned place = 0; place < EDGE; place++) {
                sum += block[i / EDGE][place] * waves[place][i % EDGE];
            }
            half[i % EDGE][i / EDGE] = sum * sqrt(0.125); /* transposed, twice in the end */
        }
        for (unsigned i = 0; i < EDGE * EDGE; i++) {
            block[i / EDGE][i % EDGE] = half[i / EDGE][i % EDGE];
        }
    }
}

static void fill(const struct jpeg *k, float *coefficient) {
    const unsigned width = k->size.width;
    double waves[EDGE][EDGE], block[EDGE][EDGE];
    uint64_t state = k->seed;
    for (unsigned i = 0; i < EDGE * EDGE; i++) {
        waves[i / EDGE][i % EDGE] = wave(i / EDGE, i % EDGE);
    }
    for (unsigned b = 0; b < width / EDGE * (k->size.height / EDGE); b++) {
        const unsigned x = b % (width / EDGE) * EDGE, y = b / (width / EDGE) * EDGE;
        for (unsigned i = 0; i < EDGE * EDGE; i++) {
            block[i / EDGE][i % EDGE] = picture(x + i % EDGE, y + i / EDGE, &state) - LEVEL;
        }
        forward(block, waves);
        for (unsigned i = 0; i < EDGE * EDGE; i++) {
            coefficient[(size_t)(y + i / EDGE) * width + x + i % EDGE] =
                (float)floor(block[i / EDGE][i % EDGE] / luminance[i] + 0.5);
        }
    }
}

static bool jpeg_open(void *self, enum workload_size size, uint64_t seed) {
    struct jpeg *k = self;
    k->size = sizes[size];
    k->seed = seed;
    const uint64_t pixels = (uint64_t)k->size.width * k->size.height;
    if (!HOST_ALLOC(&k->host.memory, {&k->coefficient, pixels, 4}, {&k->pixel, pixels, 4},
                    {&k->quantiser, EDGE * EDGE, 2})) {
        return false;
    }
    fill(k, k->coefficient.data);
    int16_t *quantiser = k->quantiser.data;
    for (unsigned i = 0; i < EDGE * EDGE; i++) {
        quantiser[i] = luminance[i];
    }
    HOST_ADD_LAUNCH(&k->host,
                    {&inverse_dct_code,
                     {k->size.width / (ACROSS * EDGE), k->size.height / (DOWN * EDGE), 1},
                     {EDGE, ACROSS, DOWN}},
                    kernel);
    return true;
}

/* Value @place of the eight whose coefficients are @step apart: the sum of the waves, of the even
 * frequencies (0 and 4 first) and of the odd ones. */
static float plain_value(const float *c, unsigned step, float waves[EDGE][EDGE], unsigned place) {
    const float *w = waves[place];
    const float even = c[0] + w[4] * c[4 * step] + (w[2] * c[2 * step] + w[6] * c[6 * step]);
    float odd = 0.0f;
    for (unsigned i = 1; i < EDGE; i += 2) {
        odd += w[i] * c[i * step];
    }
    return (float)sqrt(0.125) * (even + odd);
}

static void plain_block(float *pixel, unsigned width, float waves[EDGE][EDGE]) {
    float c[EDGE * EDGE], rows[EDGE * EDGE];
    for (unsigned i = 0; i < EDGE * EDGE; i++) {
        c[i] = pixel[(size_t)(i / EDGE) * width + i % EDGE] * (float)luminance[i];
    }
    for (unsigned i = 0; i < EDGE * EDGE; i++) {
        rows[i] = plain_value(&c[i / EDGE * EDGE], 1, waves, i % EDGE);
    }
    for (unsigned i = 0; i < EDGE * EDGE; i++) {
        pixel[(size_t)(i / EDGE) * width + i % EDGE] =
            plain_value(&rows[i % EDGE], EDGE, waves, i / EDGE);
    }
}

static const struct workload_result results[] = {FLOATS("pixel", jpeg, pixel), {0}};

static bool jpeg_plain(void *self, void *const expected[]) {
    struct jpeg *k = self;
    const unsigned width = k->size.width, height = k->size.height;
    float waves[EDGE][EDGE], *pixel = expected[0];
    for (unsigned i = 0; i < EDGE * EDGE; i++) {
        waves[i / EDGE][i % EDGE] = (float)wave(i / EDGE, i % EDGE);
    }
    fill(k, pixel);
    for (unsigned y = 0; y < height; y += EDGE) {
        for (unsigned x = 0; x < width; x += EDGE) {
            plain_block(pixel + (size_t)y * width + x, width, waves);
        }
    }
    return true;
}

static void jpeg_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct jpeg *k = self;
    const uint64_t warps = (uint64_t)k->size.width * k->size.height / EDGE / WARP_SIZE;
    e->warp_instructions = warps * (PREPARE_INSNS + 2 + EDGE * (1 + 3 + 1) +
                                    2 * (1 + EDGE + TRANSFORM_INSNS + EDGE) + 1 + EDGE * 2);
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    e->global_read_accesses = warps * EDGE * host_row_lines(line_bytes);
    e->global_write_accesses = e->global_read_accesses;
}

const struct workload workload_jpeg = {
    .name = "jpeg",
    .suite = "sdk",
    .about = "JPEG's coefficients to pixels, 8 x 8 inverse DCT in shared memory: coalesced",
    .size_text = {[SIZE_TINY] = "512 x 512 pixels",
                  [SIZE_SMALL] = "2048 x 2048 pixels",
                  [SIZE_PAPER_OWL] = "4096 x 4096 pixels"},
    .bytes = sizeof(struct jpeg),
    .open = jpeg_open,
    .results = results,
    .plain = jpeg_plain,
    .expect = jpeg_expect,
};
