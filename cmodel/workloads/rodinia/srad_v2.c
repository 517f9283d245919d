/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia srad_v2: speckle-reducing diffusion of an image in tiles of 16 x 16 pixels, which a CTA
 * brings to shared memory with a frame of one pixel (MRPB figure 3). Rows are a multiple of 4 KB
 * long, so the 16 rows of a tile meet in one set of the L1; a warp is two rows.
 *
 * Chosen where the specification is open: the 9 cases of a pixel's place in its tile (corners,
 * edges, inside) are tested one after another, a compare and a branch each, and each has its own
 * loads; in the second kernel the two cases are two selects, without a branch.
 */
#include "workloads/rodinia/srad.h"
#include "workloads/rodinia/srad_v2.h"
#include "workloads/workloads.h"

#define B SRAD_V2_BLOCK
#define LAST (B - 1)
#define TILE (B * B)

enum {
    R_I0,
    R_X_ADDRESS,
    R_Y_ADDRESS,
    R_INDEX,
    R_SHARED,
    R_P,
    R_T,
    R_JC,
    R_N,
    R_S,
    R_W,
    R_E,
    R_V,
    R_G,
    R_L
};

/* A place in the tile: its test, and loads of the neighbours with the differences. */
#define TEST(I, name) \
    I(ALU, name, OP_INT_ADD, R_P, R_SHARED) \
    I(BRANCH, name##_TEST, R_P)
#define NEIGHBOURS(I, name) \
    I(LOAD, name##_N, SPACE_SHARED, 4, R_N, R_SHARED) \
    I(LOAD, name##_S, SPACE_SHARED, 4, R_S, R_SHARED) \
    I(LOAD, name##_W, SPACE_SHARED, 4, R_W, R_SHARED) \
    I(LOAD, name##_E, SPACE_SHARED, 4, R_E, R_SHARED) \
    I(ALU, name##_DN, OP_FP_ADD, R_N, R_N, R_JC) \
    I(ALU, name##_DS, OP_FP_ADD, R_S, R_S, R_JC) \
    I(ALU, name##_DW, OP_FP_ADD, R_W, R_W, R_JC) \
    I(ALU, name##_DE, OP_FP_ADD, R_E, R_E, R_JC)
#define PLACE(I, name) TEST(I, name) NEIGHBOURS(I, name)
enum { PLACE_INSNS = 10 };

#define SRAD_1(I) \
    I(ALU, K1_I0, OP_INT_MAD, R_I0, REG_NONE) \
    I(ALU, K1_Y, OP_INT_MAD, R_Y_ADDRESS, R_I0) \
    I(ALU, K1_INDEX, OP_INT_ADD, R_INDEX, R_Y_ADDRESS) \
    I(ALU, K1_SHARED, OP_INT_MAD, R_SHARED, REG_NONE) \
    I(ALU, K1_NORTH, OP_INT_ADD, R_X_ADDRESS, R_I0) \
    I(LOAD, LOAD_NORTH, SPACE_GLOBAL, 4, R_N, R_X_ADDRESS) \
    I(STORE, PUT_NORTH, SPACE_SHARED, 4, R_N, R_SHARED) \
    I(ALU, K1_SOUTH, OP_INT_ADD, R_X_ADDRESS, R_I0) \
    I(LOAD, LOAD_SOUTH, SPACE_GLOBAL, 4, R_S, R_X_ADDRESS) \
    I(STORE, PUT_SOUTH, SPACE_SHARED, 4, R_S, R_SHARED) \
    I(ALU, IS_TOP, OP_INT_ADD, R_P, REG_NONE) \
    I(BRANCH, IF_TOP, R_P) \
    I(LOAD, LOAD_TOP, SPACE_GLOBAL, 4, R_N, R_X_ADDRESS) \
    I(STORE, PUT_TOP, SPACE_SHARED, 4, R_N, R_SHARED) \
    I(ALU, IS_BOTTOM, OP_INT_ADD, R_P, REG_NONE) \
    I(BRANCH, IF_BOTTOM, R_P) \
    I(LOAD, LOAD_BOTTOM, SPACE_GLOBAL, 4, R_S, R_X_ADDRESS) \
    I(STORE, PUT_BOTTOM, SPACE_SHARED, 4, R_S, R_SHARED) \
    I(BARRIER, K1_FRAME_ROWS) \
    I(LOAD, LOAD_WEST, SPACE_GLOBAL, 4, R_W, R_Y_ADDRESS) \
    I(STORE, PUT_WEST, SPACE_SHARED, 4, R_W, R_SHARED) \
    I(LOAD, LOAD_EAST, SPACE_GLOBAL, 4, R_E, R_Y_ADDRESS) \
    I(STORE, PUT_EAST, SPACE_SHARED, 4, R_E, R_SHARED) \
    I(ALU, IS_LEFT, OP_INT_ADD, R_P, REG_NONE) \
    I(BRANCH, IF_LEFT, R_P) \
    I(LOAD, LOAD_LEFT, SPACE_GLOBAL, 4, R_W, R_Y_ADDRESS) \
    I(STORE, PUT_LEFT, SPACE_SHARED, 4, R_W, R_SHARED) \
    I(ALU, IS_RIGHT, OP_INT_ADD, R_P, REG_NONE) \
    I(BRANCH, IF_RIGHT, R_P) \
    I(LOAD, LOAD_RIGHT, SPACE_GLOBAL, 4, R_E, R_Y_ADDRESS) \
    I(STORE, PUT_RIGHT, SPACE_SHARED, 4, R_E, R_SHARED) \
    I(BARRIER, K1_FRAME) \
    I(LOAD, LOAD_TILE, SPACE_GLOBAL, 4, R_JC, R_INDEX) \
    I(STORE, PUT_TILE, SPACE_SHARED, 4, R_JC, R_SHARED) \
    I(BARRIER, K1_TILE) \
    I(LOAD, GET_JC, SPACE_SHARED, 4, R_JC, R_SHARED) \
    PLACE(I, NORTH_WEST) \
    PLACE(I, NORTH_EAST) \
    PLACE(I, SOUTH_EAST) \
    PLACE(I, SOUTH_WEST) \
    PLACE(I, TOP) \
    PLACE(I, RIGHT) \
    PLACE(I, BOTTOM) \
    PLACE(I, LEFT) \
    NEIGHBOURS(I, INSIDE) \
    SRAD_COEFFICIENT(I) \
    I(STORE, PUT_RESULT, SPACE_SHARED, 4, R_V, R_SHARED) \
    I(BARRIER, K1_RESULT) \
    I(LOAD, GET_RESULT, SPACE_SHARED, 4, R_V, R_SHARED) \
    I(STORE, STORE_C, SPACE_GLOBAL, 4, R_V, R_INDEX) \
    I(STORE, STORE_E, SPACE_GLOBAL, 4, R_E, R_INDEX) \
    I(STORE, STORE_W, SPACE_GLOBAL, 4, R_W, R_INDEX) \
    I(STORE, STORE_S, SPACE_GLOBAL, 4, R_S, R_INDEX) \
    I(STORE, STORE_N, SPACE_GLOBAL, 4, R_N, R_INDEX)
SIMT_CODE(srad_1, SRAD_1, .registers = 22, .shared_bytes = 6 * TILE * 4);

/* In the order of the tests. */
static const struct place {
    int x, y; /* of the threads; -1: any */
} places[] = {{0, 0}, {LAST, 0}, {LAST, LAST}, {0, LAST}, {-1, 0}, {LAST, -1}, {-1, LAST}, {0, -1}};
enum { PLACES = sizeof places / sizeof *places };

/* A CTA's tile with its frame, and a thread's pixel with its neighbours. */
struct tile {
    struct buffer north, south, east, west, pixels, result;
    float jc[SIMT_THREADS];
    float n[SIMT_THREADS], s[SIMT_THREADS], w[SIMT_THREADS], e[SIMT_THREADS];
};

/* Loads for the active threads, which are at one place: a neighbour is in the frame or in the
 * tile. */
static void neighbours(struct simt *s, struct tile *t, struct place at, unsigned first) {
    const struct element here = element_xy(0, 1, B);
    simt_load(s, first, t->n, at.y == 0 ? &t->north : &t->pixels,
              at.y == 0 ? here : element_xy(-B, 1, B));
    simt_load(s, first + 1, t->s, at.y == LAST ? &t->south : &t->pixels,
              at.y == LAST ? here : element_xy(B, 1, B));
    simt_load(s, first + 2, t->w, at.x == 0 ? &t->west : &t->pixels,
              at.x == 0 ? here : element_xy(-1, 1, B));
    simt_load(s, first + 3, t->e, at.x == LAST ? &t->east : &t->pixels,
              at.x == LAST ? here : element_xy(1, 1, B));
    simt_alus(s, first + 4, first + 7);
    SIMT_EACH(s, i) {
        t->n[i] -= t->jc[i];
        t->s[i] -= t->jc[i];
        t->w[i] -= t->jc[i];
        t->e[i] -= t->jc[i];
    }
}

/* The places from @place on, each the else of the one before. */
static void select_neighbours(struct simt *s, struct tile *t, unsigned place) {
    if (place == PLACES) {
        neighbours(s, t, (struct place){-1, -1}, INSIDE_N);
        return;
    }
    const struct place at = places[place];
    const unsigned first = NORTH_WEST + place * PLACE_INSNS;
    struct simt_mask here;
    SIMT_WHERE(s, here, i, (at.x < 0 || s->x[i] == at.x) && (at.y < 0 || s->y[i] == at.y));
    simt_alu(s, first);
    SIMT_IF(s, first + 1, &here) {
        neighbours(s, t, at, first + 2);
    }
    SIMT_ELSE(s) {
        select_neighbours(s, t, place + 1);
    }
}

static struct simt_mask all_if(const struct simt *s, bool condition) {
    struct simt_mask mask;
    SIMT_WHERE(s, mask, t, condition);
    return mask;
}

/* One more load that replaces what the frame has, of CTAs at the edge of the image. */
static void replace(struct simt *s, unsigned load, float *value, const struct buffer *j,
                    struct element from, const struct buffer *to) {
    simt_load(s, load, value, j, from);
    simt_store(s, load + 1, value, to, element_xy(0, 1, B));
}

static void kernel_1(struct simt *s, const void *arguments) {
    const struct srad_v2 *k = arguments;
    const int64_t columns = k->columns;
    const int64_t i0 = srad_v2_guarded(k, (int64_t)B * (s->cta[1] * columns + s->cta[0]));
    const unsigned right = k->columns / B - 1, bottom = k->rows / B - 1;
    const struct element here = element_xy(0, 1, B);
    struct tile tile;
    struct buffer *const parts[] = {&tile.north, &tile.south,  &tile.east,
                                    &tile.west,  &tile.pixels, &tile.result};
    float v[SIMT_THREADS];
    for (unsigned i = 0; i < 6; i++) {
        *parts[i] = simt_shared(s, i * TILE * 4, TILE, 4);
    }

    simt_alus(s, K1_I0, K1_NORTH);
    simt_load(s, LOAD_NORTH, v, &k->j, element_xy(i0 - columns, 1, 0));
    simt_store(s, PUT_NORTH, v, &tile.north, here);
    simt_alu(s, K1_SOUTH);
    simt_load(s, LOAD_SOUTH, v, &k->j, element_xy(i0 + B * columns, 1, 0));
    simt_store(s, PUT_SOUTH, v, &tile.south, here);
    const struct simt_mask top = all_if(s, s->cta[1] == 0);
    simt_alu(s, IS_TOP);
    SIMT_IF(s, IF_TOP, &top) {
        replace(s, LOAD_TOP, v, &k->j, element_xy(i0, 1, 0), &tile.north);
    }
    SIMT_ELSE(s) {
        const struct simt_mask last = all_if(s, s->cta[1] == bottom);
        simt_alu(s, IS_BOTTOM);
        SIMT_IF(s, IF_BOTTOM, &last) {
            replace(s, LOAD_BOTTOM, v, &k->j, element_xy(i0 + LAST * columns, 1, 0), &tile.south);
        }
    }
    simt_barrier(s, K1_FRAME_ROWS);
    simt_load(s, LOAD_WEST, v, &k->j, element_xy(i0 - 1, 0, columns));
    simt_store(s, PUT_WEST, v, &tile.west, here);
    simt_load(s, LOAD_EAST, v, &k->j, element_xy(i0 + B, 0, columns));
    simt_store(s, PUT_EAST, v, &tile.east, here);
    const struct simt_mask left = all_if(s, s->cta[0] == 0);
    simt_alu(s, IS_LEFT);
    SIMT_IF(s, IF_LEFT, &left) {
        replace(s, LOAD_LEFT, v, &k->j, element_xy(i0, 0, columns), &tile.west);
    }
    SIMT_ELSE(s) {
        const struct simt_mask last = all_if(s, s->cta[0] == right);
        simt_alu(s, IS_RIGHT);
        SIMT_IF(s, IF_RIGHT, &last) {
            replace(s, LOAD_RIGHT, v, &k->j, element_xy(i0 + LAST, 0, columns), &tile.east);
        }
    }
    simt_barrier(s, K1_FRAME);
    simt_load(s, LOAD_TILE, v, &k->j, element_xy(i0, 1, columns));
    simt_store(s, PUT_TILE, v, &tile.pixels, here);
    simt_barrier(s, K1_TILE);
    simt_load(s, GET_JC, tile.jc, &tile.pixels, here);
    select_neighbours(s, &tile, 0);
    simt_alus(s, COEFFICIENT, COEFFICIENT_LAST);
    SIMT_EACH(s, t) {
        v[t] = srad_coefficient(tile.jc[t], tile.n[t], tile.s[t], tile.w[t], tile.e[t], k->q0sqr);
    }
    simt_store(s, PUT_RESULT, v, &tile.result, here);
    simt_barrier(s, K1_RESULT);
    simt_load(s, GET_RESULT, v, &tile.result, here);
    const struct element to = element_xy(i0 - columns, 1, columns); /* without a guard row */
    simt_store(s, STORE_C, v, &k->c, element_xy(i0, 1, columns));
    simt_store(s, STORE_E, tile.e, &k->e, to);
    simt_store(s, STORE_W, tile.w, &k->w, to);
    simt_store(s, STORE_S, tile.s, &k->s, to);
    simt_store(s, STORE_N, tile.n, &k->n, to);
}

#define SRAD_2(I) \
    I(ALU, K2_I0, OP_INT_MAD, R_I0, REG_NONE) \
    I(ALU, K2_Y, OP_INT_MAD, R_Y_ADDRESS, R_I0) \
    I(ALU, K2_INDEX, OP_INT_ADD, R_INDEX, R_Y_ADDRESS) \
    I(ALU, K2_SHARED, OP_INT_MAD, R_SHARED, REG_NONE) \
    I(LOAD, LOAD_J, SPACE_GLOBAL, 4, R_JC, R_INDEX) \
    I(STORE, PUT_J, SPACE_SHARED, 4, R_JC, R_SHARED) \
    I(BARRIER, K2_J) \
    I(ALU, K2_SOUTH, OP_INT_ADD, R_X_ADDRESS, R_I0) \
    I(LOAD, LOAD_C_SOUTH, SPACE_GLOBAL, 4, R_S, R_X_ADDRESS) \
    I(STORE, PUT_C_SOUTH, SPACE_SHARED, 4, R_S, R_SHARED) \
    I(ALU, K2_IS_BOTTOM, OP_INT_ADD, R_P, REG_NONE) \
    I(BRANCH, K2_IF_BOTTOM, R_P) \
    I(LOAD, LOAD_C_BOTTOM, SPACE_GLOBAL, 4, R_S, R_X_ADDRESS) \
    I(STORE, PUT_C_BOTTOM, SPACE_SHARED, 4, R_S, R_SHARED) \
    I(BARRIER, K2_C_SOUTH) \
    I(LOAD, LOAD_C_EAST, SPACE_GLOBAL, 4, R_E, R_Y_ADDRESS) \
    I(STORE, PUT_C_EAST, SPACE_SHARED, 4, R_E, R_SHARED) \
    I(ALU, K2_IS_RIGHT, OP_INT_ADD, R_P, REG_NONE) \
    I(BRANCH, K2_IF_RIGHT, R_P) \
    I(LOAD, LOAD_C_RIGHT, SPACE_GLOBAL, 4, R_E, R_Y_ADDRESS) \
    I(STORE, PUT_C_RIGHT, SPACE_SHARED, 4, R_E, R_SHARED) \
    I(BARRIER, K2_C_EAST) \
    I(LOAD, LOAD_C, SPACE_GLOBAL, 4, R_V, R_INDEX) \
    I(STORE, PUT_C, SPACE_SHARED, 4, R_V, R_SHARED) \
    I(BARRIER, K2_C) \
    I(LOAD, GET_J, SPACE_SHARED, 4, R_JC, R_SHARED) \
    I(LOAD, GET_C, SPACE_SHARED, 4, R_V, R_SHARED) \
    I(ALU, K2_SELECT_SOUTH, OP_INT_ADD, R_P, R_SHARED) \
    I(ALU, K2_ADDRESS_SOUTH, OP_INT_ADD, R_T, R_SHARED, R_P) \
    I(LOAD, GET_C_SOUTH, SPACE_SHARED, 4, R_L, R_T) \
    I(ALU, K2_SELECT_EAST, OP_INT_ADD, R_P, R_SHARED) \
    I(ALU, K2_ADDRESS_EAST, OP_INT_ADD, R_T, R_SHARED, R_P) \
    I(LOAD, GET_C_EAST, SPACE_SHARED, 4, R_G, R_T) \
    I(LOAD, LOAD_N, SPACE_GLOBAL, 4, R_N, R_INDEX) \
    I(LOAD, LOAD_S, SPACE_GLOBAL, 4, R_S, R_INDEX) \
    I(LOAD, LOAD_W, SPACE_GLOBAL, 4, R_W, R_INDEX) \
    I(LOAD, LOAD_E, SPACE_GLOBAL, 4, R_E, R_INDEX) \
    SRAD_UPDATE(I) \
    I(STORE, PUT_UPDATE, SPACE_SHARED, 4, R_JC, R_SHARED) \
    I(BARRIER, K2_UPDATE) \
    I(LOAD, GET_UPDATE, SPACE_SHARED, 4, R_JC, R_SHARED) \
    I(STORE, STORE_J, SPACE_GLOBAL, 4, R_JC, R_INDEX)
SIMT_CODE(srad_2, SRAD_2, .registers = 26, .shared_bytes = 5 * TILE * 4);

static void kernel_2(struct simt *s, const void *arguments) {
    const struct srad_v2 *k = arguments;
    const int64_t columns = k->columns;
    const int64_t i0 = srad_v2_guarded(k, (int64_t)B * (s->cta[1] * columns + s->cta[0]));
    const struct element here = element_xy(0, 1, B), to = element_xy(i0, 1, columns);
    const struct element plain = element_xy(i0 - columns, 1, columns);
    /* South and east of the tile's coefficients stand behind them, so that one load gets either. */
    struct buffer pixels = simt_shared(s, 0, TILE, 4), result = simt_shared(s, TILE * 4, TILE, 4);
    struct buffer c = simt_shared(s, 2 * TILE * 4, 3 * TILE, 4);
    float j[SIMT_THREADS], v[SIMT_THREADS], cs[SIMT_THREADS], ce[SIMT_THREADS];
    float n[SIMT_THREADS], south[SIMT_THREADS], w[SIMT_THREADS], e[SIMT_THREADS];
    int32_t from[SIMT_THREADS];

    simt_alus(s, K2_I0, K2_SHARED);
    simt_load(s, LOAD_J, j, &k->j, to);
    simt_store(s, PUT_J, j, &pixels, here);
    simt_barrier(s, K2_J);
    simt_alu(s, K2_SOUTH);
    simt_load(s, LOAD_C_SOUTH, v, &k->c, element_xy(i0 + B * columns, 1, 0));
    simt_store(s, PUT_C_SOUTH, v, &c, element_xy(TILE, 1, B));
    const struct simt_mask bottom = all_if(s, s->cta[1] == k->rows / B - 1);
    simt_alu(s, K2_IS_BOTTOM);
    SIMT_IF(s, K2_IF_BOTTOM, &bottom) {
        simt_load(s, LOAD_C_BOTTOM, v, &k->c, element_xy(i0 + LAST * columns, 1, 0));
        simt_store(s, PUT_C_BOTTOM, v, &c, element_xy(TILE, 1, B));
    }
    simt_barrier(s, K2_C_SOUTH);
    simt_load(s, LOAD_C_EAST, v, &k->c, element_xy(i0 + B, 0, columns));
    simt_store(s, PUT_C_EAST, v, &c, element_xy(2 * TILE, 1, B));
    const struct simt_mask right = all_if(s, s->cta[0] == k->columns / B - 1);
    simt_alu(s, K2_IS_RIGHT);
    SIMT_IF(s, K2_IF_RIGHT, &right) {
        simt_load(s, LOAD_C_RIGHT, v, &k->c, element_xy(i0 + LAST, 0, columns));
        simt_store(s, PUT_C_RIGHT, v, &c, element_xy(2 * TILE, 1, B));
    }
    simt_barrier(s, K2_C_EAST);
    simt_load(s, LOAD_C, v, &k->c, to);
    simt_store(s, PUT_C, v, &c, here);
    simt_barrier(s, K2_C);
    simt_load(s, GET_J, j, &pixels, here);
    simt_load(s, GET_C, v, &c, here);
    simt_alus(s, K2_SELECT_SOUTH, K2_ADDRESS_SOUTH);
    SIMT_EACH(s, t) {
        from[t] = (int32_t)t + (s->y[t] == LAST ? TILE : B);
    }
    simt_load(s, GET_C_SOUTH, cs, &c, element_lane(from));
    simt_alus(s, K2_SELECT_EAST, K2_ADDRESS_EAST);
    SIMT_EACH(s, t) {
        from[t] = (int32_t)t + (s->x[t] == LAST ? 2 * TILE : 1);
    }
    simt_load(s, GET_C_EAST, ce, &c, element_lane(from));
    simt_load(s, LOAD_N, n, &k->n, plain);
    simt_load(s, LOAD_S, south, &k->s, plain);
    simt_load(s, LOAD_W, w, &k->w, plain);
    simt_load(s, LOAD_E, e, &k->e, plain);
    simt_alus(s, UPDATE, UPDATE_LAST);
    SIMT_EACH(s, t) {
        j[t] = srad_update(j[t], v[t], cs[t], ce[t], (float[]){n[t], south[t], w[t], e[t]});
    }
    simt_store(s, PUT_UPDATE, j, &result, here);
    simt_barrier(s, K2_UPDATE);
    simt_load(s, GET_UPDATE, j, &result, here);
    simt_store(s, STORE_J, j, &k->j, to);
}

static bool open_shared(void *self, enum workload_size size, uint64_t seed) {
    static const struct srad_v2_kernels kernels = {{&srad_1_code, &srad_2_code},
                                                   {kernel_1, kernel_2}};
    return srad_v2_open(self, size, seed, &kernels);
}

static void expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct srad_v2 *k = self;
    const uint64_t x = k->columns / B, y = k->rows / B, ctas = x * y, warps = ctas * 8;
    /* A warp of the first kernel: 24 instructions before the places, the coefficient, 8 behind it;
     * 8 places are tested, 2 instructions each, and a place that has lanes takes 8. The first and
     * the last warp of a CTA have lanes at 6 places, the others at 3. */
    const uint64_t straight_1 = 24 + SRAD_COEFFICIENT_INSNS + 8,
                   straight_2 = 37 + SRAD_UPDATE_INSNS;
    /* Top CTAs load more, all others test for the bottom, the lowest load more; the same
     * sideways. */
    const uint64_t edges_1 = (2 * x + 2 * (ctas - x) + 2 * x) + (2 * y + 2 * (ctas - y) + 2 * y);
    const uint64_t edges_2 = 2 * x + 2 * y;
    /* A thread at the i-th place has made i + 1 tests: 4 corners, 14 an edge, 196 inside. */
    const uint64_t tests = 1 + 2 + 3 + 4 + 14 * (5 + 6 + 7 + 8) + 196 * 8;
    e->warp_instructions = k->iterations * (warps * (straight_1 + straight_2 + 8 * 2) +
                                            ctas * (6 * 3 + 2 * 6) * 8 + 8 * (edges_1 + edges_2));
    e->thread_instructions =
        k->iterations *
        (ctas * (TILE * (straight_1 + straight_2 + 8) + tests * 2) + TILE * (edges_1 + edges_2));
    /* A warp has two rows of 64 bytes in different lines; the frame's rows are one of them, its
     * columns two words. */
    const uint64_t row = srad_v2_segment_lines(0, B - 1, line_bytes);
    const uint64_t reads_1 = warps * (2 * row + 2 * 2 + 2 * row) + 8 * (2 * x * row + 2 * y * 2);
    const uint64_t reads_2 = warps * (row + 2 + 12 * row) + 8 * (x * row + y * 2);
    e->global_read_accesses = k->iterations * (reads_1 + reads_2);
    e->global_write_accesses = k->iterations * warps * 6 * 2 * row;
}

const struct workload workload_srad_v2 = {
    .name = "srad-v2",
    .suite = "rodinia",
    .about = "image diffusion: tiles to shared memory, their 16 rows in one L1 set",
    .size_text = {SRAD_V2_SIZE_TEXT, [SIZE_PAPER_MDB] = "2048 x 2048 pixels, 2 iterations",
                  [SIZE_PAPER_OWL] = "2048 x 2048 pixels, 2 iterations",
                  [SIZE_PAPER_DAWS] = "2048 x 2048 pixels, 1 iteration (suite: 2)"},
    .bytes = sizeof(struct srad_v2),
    .open = open_shared,
    .results = srad_v2_results,
    .plain = srad_v2_plain,
    .expect = expect,
};
