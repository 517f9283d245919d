/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia srad_v2 without shared memory (MRPB's SRAD/U): a thread reads its pixel and the four
 * around it, then coefficients, where they are. No barriers; neighbours are read again by other
 * warps. The authors' program is not public: this is the direct construction, with the launches,
 * arrays and tiles of the original, and indices clamped at the edges of the image.
 */
#include "workloads/rodinia/srad.h"
#include "workloads/rodinia/srad_v2.h"
#include "workloads/workloads.h"

#define B SRAD_V2_BLOCK

enum { R_X, R_Y, R_INDEX, R_A, R_JC, R_N, R_S, R_W, R_E, R_V, R_G, R_L };

/* i, j, index = i * columns + j; the rows above and below, the columns left and right, clamped. */
#define SRAD_U_1(I) \
    I(ALU, K1_X, OP_INT_MAD, R_X, REG_NONE) \
    I(ALU, K1_Y, OP_INT_MAD, R_Y, REG_NONE) \
    I(ALU, K1_INDEX, OP_INT_MAD, R_INDEX, R_X, R_Y) \
    I(LOAD, LOAD_J, SPACE_GLOBAL, 4, R_JC, R_INDEX) \
    I(ALU, NORTH_CLAMP, OP_INT_MAX, R_A, R_Y) \
    I(ALU, NORTH_INDEX, OP_INT_MAD, R_A, R_A, R_X) \
    I(LOAD, LOAD_NORTH, SPACE_GLOBAL, 4, R_N, R_A) \
    I(ALU, SOUTH_CLAMP, OP_INT_MAX, R_A, R_Y) \
    I(ALU, SOUTH_INDEX, OP_INT_MAD, R_A, R_A, R_X) \
    I(LOAD, LOAD_SOUTH, SPACE_GLOBAL, 4, R_S, R_A) \
    I(ALU, WEST_CLAMP, OP_INT_MAX, R_A, R_X) \
    I(ALU, WEST_INDEX, OP_INT_MAD, R_A, R_A, R_Y) \
    I(LOAD, LOAD_WEST, SPACE_GLOBAL, 4, R_W, R_A) \
    I(ALU, EAST_CLAMP, OP_INT_MAX, R_A, R_X) \
    I(ALU, EAST_INDEX, OP_INT_MAD, R_A, R_A, R_Y) \
    I(LOAD, LOAD_EAST, SPACE_GLOBAL, 4, R_E, R_A) \
    I(ALU, DN, OP_FP_ADD, R_N, R_N, R_JC) \
    I(ALU, DS, OP_FP_ADD, R_S, R_S, R_JC) \
    I(ALU, DW, OP_FP_ADD, R_W, R_W, R_JC) \
    I(ALU, DE, OP_FP_ADD, R_E, R_E, R_JC) \
    SRAD_COEFFICIENT(I) \
    I(STORE, STORE_C, SPACE_GLOBAL, 4, R_V, R_INDEX) \
    I(STORE, STORE_E, SPACE_GLOBAL, 4, R_E, R_INDEX) \
    I(STORE, STORE_W, SPACE_GLOBAL, 4, R_W, R_INDEX) \
    I(STORE, STORE_S, SPACE_GLOBAL, 4, R_S, R_INDEX) \
    I(STORE, STORE_N, SPACE_GLOBAL, 4, R_N, R_INDEX)
SIMT_CODE(srad_u_1, SRAD_U_1, .registers = 22);

/* Fills in each thread's index: its pixel in the plain arrays, or in the guarded ones the neighbour
 * (x, y) away; its own pixel where that would be outside the image. */
static void indices(const struct simt *s, const struct srad_v2 *k, int x, int y, bool guarded,
                    int32_t *to) {
    const int rows = (int)k->rows, columns = (int)k->columns;
    for (unsigned t = 0; t < s->threads; t++) {
        const int i = (int)(s->cta[1] * B) + s->y[t] + y, j = (int)(s->cta[0] * B) + s->x[t] + x;
        const int row = i < 0 ? 0 : i >= rows ? rows - 1 : i;
        const int column = j < 0 ? 0 : j >= columns ? columns - 1 : j;
        to[t] = (row + guarded) * columns + column; /* the guard is a row */
    }
}

static void kernel_1(struct simt *s, const void *arguments) {
    const struct srad_v2 *k = arguments;
    static const int offsets[4][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}};
    float jc[SIMT_THREADS], c[SIMT_THREADS], difference[4][SIMT_THREADS];
    int32_t here[SIMT_THREADS], plain[SIMT_THREADS], there[SIMT_THREADS];
    indices(s, k, 0, 0, true, here);
    indices(s, k, 0, 0, false, plain);

    simt_alus(s, K1_X, K1_INDEX);
    simt_load(s, LOAD_J, jc, &k->j, element_lane(here));
    for (unsigned i = 0; i < 4; i++) {
        const unsigned first = NORTH_CLAMP + i * (SOUTH_CLAMP - NORTH_CLAMP);
        simt_alus(s, first, first + 1);
        indices(s, k, offsets[i][0], offsets[i][1], true, there);
        simt_load(s, first + 2, difference[i], &k->j, element_lane(there));
    }
    for (unsigned i = 0; i < 4; i++) {
        SIMT_ALU(s, DN + i, t) {
            difference[i][t] -= jc[t];
        }
    }
    simt_alus(s, COEFFICIENT, COEFFICIENT_LAST);
    SIMT_EACH(s, t) {
        c[t] = srad_coefficient(jc[t], difference[0][t], difference[1][t], difference[2][t],
                                difference[3][t], k->q0sqr);
    }
    simt_store(s, STORE_C, c, &k->c, element_lane(here));
    simt_store(s, STORE_E, difference[3], &k->e, element_lane(plain));
    simt_store(s, STORE_W, difference[2], &k->w, element_lane(plain));
    simt_store(s, STORE_S, difference[1], &k->s, element_lane(plain));
    simt_store(s, STORE_N, difference[0], &k->n, element_lane(plain));
}

#define SRAD_U_2(I) \
    I(ALU, K2_X, OP_INT_MAD, R_X, REG_NONE) \
    I(ALU, K2_Y, OP_INT_MAD, R_Y, REG_NONE) \
    I(ALU, K2_INDEX, OP_INT_MAD, R_INDEX, R_X, R_Y) \
    I(LOAD, K2_LOAD_J, SPACE_GLOBAL, 4, R_JC, R_INDEX) \
    I(LOAD, LOAD_C, SPACE_GLOBAL, 4, R_V, R_INDEX) \
    I(ALU, K2_SOUTH_CLAMP, OP_INT_MAX, R_A, R_Y) \
    I(ALU, K2_SOUTH_INDEX, OP_INT_MAD, R_A, R_A, R_X) \
    I(LOAD, LOAD_C_SOUTH, SPACE_GLOBAL, 4, R_L, R_A) \
    I(ALU, K2_EAST_CLAMP, OP_INT_MAX, R_A, R_X) \
    I(ALU, K2_EAST_INDEX, OP_INT_MAD, R_A, R_A, R_Y) \
    I(LOAD, LOAD_C_EAST, SPACE_GLOBAL, 4, R_G, R_A) \
    I(LOAD, LOAD_N, SPACE_GLOBAL, 4, R_N, R_INDEX) \
    I(LOAD, LOAD_S, SPACE_GLOBAL, 4, R_S, R_INDEX) \
    I(LOAD, LOAD_W, SPACE_GLOBAL, 4, R_W, R_INDEX) \
    I(LOAD, LOAD_E, SPACE_GLOBAL, 4, R_E, R_INDEX) \
    SRAD_UPDATE(I) \
    I(STORE, STORE_J, SPACE_GLOBAL, 4, R_JC, R_INDEX)
SIMT_CODE(srad_u_2, SRAD_U_2, .registers = 26);

static void kernel_2(struct simt *s, const void *arguments) {
    const struct srad_v2 *k = arguments;
    float j[SIMT_THREADS], c[SIMT_THREADS], cs[SIMT_THREADS], ce[SIMT_THREADS];
    float n[SIMT_THREADS], south[SIMT_THREADS], w[SIMT_THREADS], e[SIMT_THREADS];
    int32_t here[SIMT_THREADS], plain[SIMT_THREADS], there[SIMT_THREADS];
    indices(s, k, 0, 0, true, here);
    indices(s, k, 0, 0, false, plain);

    simt_alus(s, K2_X, K2_INDEX);
    simt_load(s, K2_LOAD_J, j, &k->j, element_lane(here));
    simt_load(s, LOAD_C, c, &k->c, element_lane(here));
    simt_alus(s, K2_SOUTH_CLAMP, K2_SOUTH_INDEX);
    indices(s, k, 0, 1, true, there);
    simt_load(s, LOAD_C_SOUTH, cs, &k->c, element_lane(there));
    simt_alus(s, K2_EAST_CLAMP, K2_EAST_INDEX);
    indices(s, k, 1, 0, true, there);
    simt_load(s, LOAD_C_EAST, ce, &k->c, element_lane(there));
    simt_load(s, LOAD_N, n, &k->n, element_lane(plain));
    simt_load(s, LOAD_S, south, &k->s, element_lane(plain));
    simt_load(s, LOAD_W, w, &k->w, element_lane(plain));
    simt_load(s, LOAD_E, e, &k->e, element_lane(plain));
    simt_alus(s, UPDATE, UPDATE_LAST);
    SIMT_EACH(s, t) {
        j[t] = srad_update(j[t], c[t], cs[t], ce[t], (float[]){n[t], south[t], w[t], e[t]});
    }
    simt_store(s, STORE_J, j, &k->j, element_lane(here));
}

static bool open_unshared(void *self, enum workload_size size, uint64_t seed) {
    static const struct srad_v2_kernels kernels = {{&srad_u_1_code, &srad_u_2_code},
                                                   {kernel_1, kernel_2}};
    return srad_v2_open(self, size, seed, &kernels);
}

/* Lines of a tile's row, all tiles of a row of tiles together, shifted by @shift columns and
 * clamped. */
static uint64_t shifted_lines(const struct srad_v2 *k, int shift, unsigned line_bytes) {
    uint64_t lines = 0;
    for (unsigned x = 0; x < k->columns; x += B) {
        const unsigned first = x == 0 && shift < 0 ? 0 : x + (unsigned)shift;
        const unsigned last = x + B - 1 + (unsigned)shift;
        lines +=
            srad_v2_segment_lines(first, last < k->columns ? last : k->columns - 1, line_bytes);
    }
    return lines;
}

static void expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct srad_v2 *k = self;
    const uint64_t warps = (uint64_t)k->rows * k->columns / WARP_SIZE;
    /* 25 instructions around the coefficient, 16 around the update. */
    e->warp_instructions =
        k->iterations * warps * (25 + SRAD_COEFFICIENT_INSNS + 16 + SRAD_UPDATE_INSNS);
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    /* By rows of the image. At the top and at the bottom the two rows of a warp are clamped to
     * one. */
    const uint64_t here = shifted_lines(k, 0, line_bytes), east = shifted_lines(k, 1, line_bytes);
    const uint64_t reads_1 =
        k->rows * (3 * here + shifted_lines(k, -1, line_bytes) + east) - 2 * here;
    const uint64_t reads_2 = k->rows * (7 * here + east) - here;
    e->global_read_accesses = k->iterations * (reads_1 + reads_2);
    e->global_write_accesses = k->iterations * k->rows * 6 * here;
}

const struct workload workload_srad_v2_unshared = {
    .name = "srad-v2-unshared",
    .suite = "rodinia",
    .about = "image diffusion without shared memory: 5 points where they are",
    .size_text = {SRAD_V2_SIZE_TEXT},
    .bytes = sizeof(struct srad_v2),
    .open = open_unshared,
    .results = srad_v2_results,
    .plain = srad_v2_plain,
    .expect = expect,
};
