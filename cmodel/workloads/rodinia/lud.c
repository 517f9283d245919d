/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia lud (rodinia/lud.h) as released: each tile is staged in shared memory, in rows of 16
 * words, so walking down a column of it meets 8 lanes in each of two banks. Global memory sees rows
 * of tiles only, 64 aligned bytes each.
 *
 * Each step of the sums reads both factors and the sum from shared memory and writes the sum back.
 * The internal kernel's loop of 16 steps is unrolled, as the specification's 50 arithmetic
 * instructions in all tell; the others are rolled.
 */
#include "workloads/rodinia/lud.h"

#define TILE LUD_TILE
#define WORDS (TILE * TILE)

enum { R_BASE, R_ADDRESS, R_SHARED, R_PREDICATE, R_I, R_J, R_VALUE, R_L, R_U, R_SUM, R_LU };

/* Rows of a tile from global to shared memory, or back. */
#define COPY_IN(I, name) \
    I(LOOP, name) \
    I(LOAD, name##_LOAD, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(STORE, name##_STORE, SPACE_SHARED, 4, R_VALUE, R_SHARED) \
    COPY_NEXT(I, name)
#define COPY_OUT(I, name) \
    I(LOOP, name) \
    I(LOAD, name##_LOAD, SPACE_SHARED, 4, R_VALUE, R_SHARED) \
    I(STORE, name##_STORE, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    COPY_NEXT(I, name)
#define COPY_NEXT(I, name) \
    I(ALU, name##_NEXT, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(ALU, name##_SHARED, OP_INT_ADD, R_SHARED, R_SHARED) \
    I(ALU, name##_COMPARE, OP_INT_ADD, R_PREDICATE, R_ADDRESS) \
    I(BRANCH, name##_BRANCH, R_PREDICATE)

/* sum -= l * u, for a number of steps. */
#define SUBTRACT(I, name) \
    I(ALU, name##_FIRST_L, OP_INT_MAD, R_ADDRESS, R_I) \
    I(ALU, name##_FIRST_U, OP_INT_MAD, R_SHARED, R_I) \
    I(LOOP, name) \
    I(LOAD, name##_SUM, SPACE_SHARED, 4, R_SUM, R_I) \
    I(LOAD, name##_L, SPACE_SHARED, 4, R_L, R_ADDRESS) \
    I(LOAD, name##_U, SPACE_SHARED, 4, R_U, R_SHARED) \
    I(ALU, name##_FMA, OP_FP_MAD, R_SUM, R_L, R_U, R_SUM) \
    I(STORE, name##_STORE, SPACE_SHARED, 4, R_SUM, R_I) \
    I(ALU, name##_NEXT_L, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(ALU, name##_NEXT_U, OP_INT_ADD, R_SHARED, R_SHARED) \
    I(ALU, name##_COMPARE, OP_INT_ADD, R_PREDICATE, R_ADDRESS) \
    I(BRANCH, name##_BRANCH, R_PREDICATE)

#define DIVIDE(I, name) \
    I(LOAD, name##_SUM, SPACE_SHARED, 4, R_SUM, R_I) \
    I(LOAD, name##_PIVOT, SPACE_SHARED, 4, R_U, R_I) \
    I(ALU, name, OP_FP_DIV, R_SUM, R_SUM, R_U) \
    I(STORE, name##_STORE, SPACE_SHARED, 4, R_SUM, R_I)

/* The end of an outer loop. */
#define NEXT(I, name) \
    I(ALU, name##_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, name##_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, name##_BRANCH, R_PREDICATE)

/* Element (row, column) of a tile in shared memory. */
static int64_t word(unsigned row, unsigned column) {
    return row * TILE + column;
}

/* Copies, subtractions and divisions each lie in the table in the same way: @loop is the place of
 * their loop, from which the others are counted, @first that of a division's first instruction. */
static void copy_in(struct simt *s, unsigned loop, unsigned rows, const struct buffer *m,
                    int64_t from, int64_t stride, const struct buffer *tile, int64_t to) {
    float value[SIMT_THREADS];
    SIMT_FOR(s, loop, r, rows) {
        simt_load(s, loop + 3, value, m, element_x(from + r * stride, 1));
        simt_store(s, loop + 4, value, tile, element_x(to + r * TILE, 1));
        simt_alus(s, loop + 5, loop + 8);
    }
}

static void copy_out(struct simt *s, unsigned loop, unsigned rows, const struct buffer *m,
                     int64_t to, int64_t stride, const struct buffer *tile, int64_t from) {
    float value[SIMT_THREADS];
    SIMT_FOR(s, loop, r, rows) {
        simt_load(s, loop + 3, value, tile, element_x(from + r * TILE, 1));
        simt_store(s, loop + 4, value, m, element_x(to + r * stride, 1));
        simt_alus(s, loop + 5, loop + 8);
    }
}

/* A tile in shared memory and the elements of it that the threads take first; each step takes the
 * next column of l and the next row of u. */
struct factor {
    const struct buffer *tile;
    struct element first;
};

static void subtract(struct simt *s, unsigned loop, unsigned steps, struct factor sum,
                     struct factor l, struct factor u) {
    float value[SIMT_THREADS], a[SIMT_THREADS], b[SIMT_THREADS];
    simt_alus(s, loop - 2, loop - 1);
    SIMT_FOR(s, loop, j, steps) {
        simt_load(s, loop + 3, value, sum.tile, sum.first);
        simt_load(s, loop + 4, a, l.tile, l.first);
        simt_load(s, loop + 5, b, u.tile, u.first);
        SIMT_ALU(s, loop + 6, t) {
            value[t] -= a[t] * b[t];
        }
        simt_store(s, loop + 7, value, sum.tile, sum.first);
        simt_alus(s, loop + 8, loop + 11);
        l.first.base++;
        u.first.base += TILE;
    }
}

static void divide(struct simt *s, unsigned first, struct factor sum, struct factor pivot) {
    float value[SIMT_THREADS], by[SIMT_THREADS];
    simt_load(s, first, value, sum.tile, sum.first);
    simt_load(s, first + 1, by, pivot.tile, pivot.first);
    SIMT_ALU(s, first + 2, t) {
        value[t] /= by[t];
    }
    simt_store(s, first + 3, value, sum.tile, sum.first);
}

/* --- The diagonal's tile: 16 threads. --- */

#define DIAGONAL(I) \
    I(ALU, D_BASE, OP_INT_MAD, R_BASE, REG_NONE) \
    I(ALU, D_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BASE) \
    I(ALU, D_SHARED, OP_INT_ADD, R_SHARED, REG_NONE) \
    COPY_IN(I, D_IN) \
    I(BARRIER, D_LOADED) \
    I(ALU, D_FIRST, OP_INT_ADD, R_I, REG_NONE) \
    I(LOOP, D_EACH) \
    I(ALU, D_BELOW, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, D_COLUMN_IF, R_PREDICATE) \
    SUBTRACT(I, D_COLUMN) \
    DIVIDE(I, D_DIVIDE) \
    I(BARRIER, D_COLUMN_DONE) \
    I(ALU, D_RIGHT, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, D_ROW_IF, R_PREDICATE) \
    SUBTRACT(I, D_ROW) \
    I(BARRIER, D_ROW_DONE) \
    NEXT(I, D_EACH) \
    I(ALU, D_TO_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BASE) \
    I(ALU, D_TO_SHARED, OP_INT_ADD, R_SHARED, REG_NONE) \
    COPY_OUT(I, D_OUT)
SIMT_CODE(lud_diagonal, DIAGONAL, .registers = 19, .shared_bytes = WORDS * 4);

static void diagonal(struct simt *s, const void *arguments) {
    const struct lud *k = arguments;
    const struct buffer tile = simt_shared(s, 0, WORDS, 4);
    struct simt_mask below;

    simt_alus(s, D_BASE, D_SHARED);
    copy_in(s, D_IN, TILE, &k->m, lud_at(k, 0, 0), k->stride, &tile, 0);
    simt_barrier(s, D_LOADED);
    simt_alu(s, D_FIRST);
    SIMT_FOR(s, D_EACH, i, TILE - 1) {
        const struct factor column = {&tile, element_x(i, TILE)}; /* (tx, i) */
        const struct factor row = {&tile, element_x(word(i + 1, 0), 1)};
        simt_alu(s, D_BELOW);
        SIMT_WHERE(s, below, tx, tx > i);
        SIMT_IF(s, D_COLUMN_IF, &below) {
            subtract(s, D_COLUMN, i, column, (struct factor){&tile, element_x(0, TILE)},
                     (struct factor){&tile, element_at(i)});
            divide(s, D_DIVIDE_SUM, column, (struct factor){&tile, element_at(word(i, i))});
        }
        simt_barrier(s, D_COLUMN_DONE);
        simt_alu(s, D_RIGHT);
        SIMT_IF(s, D_ROW_IF, &below) {
            subtract(s, D_ROW, i + 1, row, (struct factor){&tile, element_at(word(i + 1, 0))},
                     (struct factor){&tile, element_x(0, 1)});
        }
        simt_barrier(s, D_ROW_DONE);
        simt_alus(s, D_EACH_NEXT, D_EACH_BRANCH);
    }
    simt_alus(s, D_TO_ADDRESS, D_TO_SHARED);
    copy_out(s, D_OUT, TILE - 1, &k->m, lud_at(k, 1, 0), k->stride, &tile, word(1, 0));
}

/* --- The perimeter: half a warp a tile of the row, the other half its mirror. --- */

#define PERIMETER(I) \
    I(ALU, P_BASE, OP_INT_MAD, R_BASE, REG_NONE) \
    I(ALU, P_COMPARE, OP_INT_ADD, R_PREDICATE, REG_NONE) \
    I(BRANCH, P_IF_LOAD, R_PREDICATE) \
    I(ALU, P_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BASE) \
    I(ALU, P_SHARED, OP_INT_ADD, R_SHARED, REG_NONE) \
    COPY_IN(I, P_DIA_UPPER) \
    COPY_IN(I, P_ROW_IN) \
    I(ALU, P_COLUMN_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BASE) \
    I(ALU, P_COLUMN_SHARED, OP_INT_ADD, R_SHARED, REG_NONE) \
    COPY_IN(I, P_DIA_LOWER) \
    COPY_IN(I, P_COLUMN_IN) \
    I(BARRIER, P_LOADED) \
    I(BRANCH, P_IF, R_PREDICATE) \
    I(ALU, P_ROW_FIRST, OP_INT_ADD, R_I, REG_NONE) \
    I(LOOP, P_EACH_ROW) \
    SUBTRACT(I, P_ROW) \
    NEXT(I, P_EACH_ROW) \
    I(ALU, P_COLUMN_FIRST, OP_INT_ADD, R_I, REG_NONE) \
    I(LOOP, P_EACH_COLUMN) \
    SUBTRACT(I, P_COLUMN) \
    DIVIDE(I, P_DIVIDE) \
    NEXT(I, P_EACH_COLUMN) \
    I(BARRIER, P_DONE) \
    I(BRANCH, P_IF_STORE, R_PREDICATE) \
    COPY_OUT(I, P_ROW_OUT) \
    COPY_OUT(I, P_COLUMN_OUT)
SIMT_CODE(lud_perimeter, PERIMETER, .registers = 19, .shared_bytes = 3 * WORDS * 4);

/* Thread numbers of the upper half start at 16: hence the - TILE in its addresses. */
static void perimeter(struct simt *s, const void *arguments) {
    const struct lud *k = arguments;
    const struct buffer dia = simt_shared(s, 0, WORDS, 4);
    const struct buffer row = simt_shared(s, WORDS * 4, WORDS, 4);
    const struct buffer column = simt_shared(s, 2 * WORDS * 4, WORDS, 4);
    const unsigned tile = TILE * (s->cta[0] + 1);
    const int64_t stride = k->stride;
    struct simt_mask lower;

    simt_alus(s, P_BASE, P_COMPARE);
    SIMT_WHERE(s, lower, t, t < TILE);
    SIMT_IF(s, P_IF_LOAD, &lower) {
        simt_alus(s, P_ADDRESS, P_SHARED);
        copy_in(s, P_DIA_UPPER, TILE / 2, &k->m, lud_at(k, 0, 0), stride, &dia, 0);
        copy_in(s, P_ROW_IN, TILE, &k->m, lud_at(k, 0, tile), stride, &row, 0);
    }
    SIMT_ELSE(s) {
        simt_alus(s, P_COLUMN_ADDRESS, P_COLUMN_SHARED);
        copy_in(s, P_DIA_LOWER, TILE / 2, &k->m, lud_at(k, TILE / 2, 0) - TILE, stride, &dia,
                word(TILE / 2, 0) - TILE);
        copy_in(s, P_COLUMN_IN, TILE, &k->m, lud_at(k, tile, 0) - TILE, stride, &column, -TILE);
    }
    simt_barrier(s, P_LOADED);
    SIMT_IF(s, P_IF, &lower) {
        simt_alu(s, P_ROW_FIRST);
        SIMT_FOR(s, P_EACH_ROW, i, TILE - 1) {
            const int64_t r = word(i + 1, 0);
            subtract(s, P_ROW, i + 1, (struct factor){&row, element_x(r, 1)},
                     (struct factor){&dia, element_at(r)}, (struct factor){&row, element_x(0, 1)});
            simt_alus(s, P_EACH_ROW_NEXT, P_EACH_ROW_BRANCH);
        }
    }
    SIMT_ELSE(s) {
        simt_alu(s, P_COLUMN_FIRST);
        SIMT_FOR(s, P_EACH_COLUMN, i, TILE) {
            const struct factor sum = {&column, element_x((int64_t)i - WORDS, TILE)};
            subtract(s, P_COLUMN, i, sum, (struct factor){&column, element_x(-WORDS, TILE)},
                     (struct factor){&dia, element_at(i)});
            divide(s, P_DIVIDE_SUM, sum, (struct factor){&dia, element_at(word(i, i))});
            simt_alus(s, P_EACH_COLUMN_NEXT, P_EACH_COLUMN_BRANCH);
        }
    }
    simt_barrier(s, P_DONE);
    SIMT_IF(s, P_IF_STORE, &lower) {
        copy_out(s, P_ROW_OUT, TILE - 1, &k->m, lud_at(k, 1, tile), stride, &row, word(1, 0));
    }
    SIMT_ELSE(s) {
        copy_out(s, P_COLUMN_OUT, TILE, &k->m, lud_at(k, tile, 0) - TILE, stride, &column, -TILE);
    }
}

/* --- The internal tiles: 16 x 16 threads. --- */

#define INTERNAL(I) \
    I(ALU, N_BASE, OP_INT_MAD, R_BASE, REG_NONE) \
    I(ALU, N_ROW_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BASE) \
    I(LOAD, N_ROW_LOAD, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(STORE, N_ROW_STORE, SPACE_SHARED, 4, R_VALUE, R_SHARED) \
    I(LOAD, N_COLUMN_LOAD, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(STORE, N_COLUMN_STORE, SPACE_SHARED, 4, R_VALUE, R_SHARED) \
    I(ALU, N_INDEX, OP_INT_MAD, R_SHARED, R_BASE) \
    I(BARRIER, N_LOADED) \
    I(LOAD, N_L, SPACE_SHARED, 4, R_L, R_SHARED) \
    I(LOAD, N_U, SPACE_SHARED, 4, R_U, R_SHARED) \
    I(ALU, N_FMA, OP_FP_MAD, R_SUM, R_L, R_U, R_SUM) \
    I(LOAD, N_LOAD, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(ALU, N_SUBTRACT, OP_FP_ADD, R_VALUE, R_VALUE, R_SUM) \
    I(STORE, N_STORE, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS)
SIMT_CODE(lud_internal, INTERNAL, .registers = 18, .shared_bytes = 2 * WORDS * 4);

/* 50 instructions, less 16 N_FMA, 1 N_SUBTRACT, N_BASE and N_ROW_ADDRESS. */
#define INTERNAL_INDEX (50 - 16 - 1 - 2)

static void internal(struct simt *s, const void *arguments) {
    const struct lud *k = arguments;
    const struct buffer row = simt_shared(s, 0, WORDS, 4);
    const struct buffer column = simt_shared(s, WORDS * 4, WORDS, 4);
    const unsigned x = TILE * (s->cta[0] + 1), y = TILE * (s->cta[1] + 1);
    const int64_t stride = k->stride;
    float value[SIMT_THREADS], l[SIMT_THREADS], u[SIMT_THREADS], sum[SIMT_THREADS] = {0};

    simt_alus(s, N_BASE, N_ROW_ADDRESS);
    simt_work(s, N_INDEX, INTERNAL_INDEX);
    simt_load(s, N_ROW_LOAD, value, &k->m, element_xy(lud_at(k, 0, x), 1, stride));
    simt_store(s, N_ROW_STORE, value, &row, element_xy(0, 1, TILE));
    simt_load(s, N_COLUMN_LOAD, value, &k->m, element_xy(lud_at(k, y, 0), 1, stride));
    simt_store(s, N_COLUMN_STORE, value, &column, element_xy(0, 1, TILE));
    simt_barrier(s, N_LOADED);
    for (unsigned i = 0; i < TILE; i++) {
        simt_load(s, N_L, l, &column, element_xy(i, 0, TILE));
        simt_load(s, N_U, u, &row, element_x(word(i, 0), 1));
        SIMT_ALU(s, N_FMA, t) {
            sum[t] += l[t] * u[t];
        }
    }
    simt_load(s, N_LOAD, value, &k->m, element_xy(lud_at(k, y, x), 1, stride));
    SIMT_ALU(s, N_SUBTRACT, t) {
        value[t] -= sum[t];
    }
    simt_store(s, N_STORE, value, &k->m, element_xy(lud_at(k, y, x), 1, stride));
}

/* --- The workload. --- */

static bool open(void *self, enum workload_size size, uint64_t seed) {
    static const struct lud_code kernels[LUD_KERNELS] = {
        [LUD_DIAGONAL] = {&lud_diagonal_code, diagonal},
        [LUD_PERIMETER] = {&lud_perimeter_code, perimeter},
        [LUD_INTERNAL] = {&lud_internal_code, internal}};
    return lud_open(self, size, seed, kernels);
}

/* A row copied is 6 instructions, a subtraction 2 and 9 a step, a division 4. */
static void count(enum lud_kernel kernel, unsigned tiles, unsigned line_bytes,
                  struct workload_expectation *e) {
    const uint64_t lines = lud_row_lines(line_bytes), r = tiles;
    if (kernel == LUD_INTERNAL) { /* 50, 3 global accesses, 2 to stage, a barrier, 32 loads, 1 */
        const uint64_t warps = r * r * WORDS / WARP_SIZE;
        e->warp_instructions += warps * (50 + 3 + 2 + 1 + 32 + 1);
        e->thread_instructions += warps * (50 + 3 + 2 + 1 + 32 + 1) * WARP_SIZE;
        e->global_read_accesses += warps * 3 * 2 * lines;
        e->global_write_accesses += warps * 2 * lines;
    } else if (kernel == LUD_PERIMETER) {
        /* 120 steps a half warp; 15 rows and 16 columns, with 3 instructions to loop. */
        const uint64_t row = 2 + 24 * 6 + 1 + 15 * (2 + 3) + 120 * 9 + 15 * 6;
        const uint64_t column = 2 + 24 * 6 + 1 + 16 * (2 + 4 + 3) + 120 * 9 + 16 * 6;
        e->warp_instructions += r * (7 + row + column);
        e->thread_instructions += r * (7 * WARP_SIZE + (row + column) * TILE);
        e->global_read_accesses += r * 48 * lines;
        e->global_write_accesses += r * 31 * lines;
    } else {
        uint64_t warp = 4 + 16 * 6 + 1 + 2 + 15 * 6, thread = warp * TILE;
        for (unsigned i = 0; i < TILE - 1; i++) {
            const uint64_t below = 2 + i * 9 + 4 + 2 + (i + 1) * 9; /* by 15 - i lanes */
            warp += 9 + below;
            thread += 9 * TILE + (TILE - 1 - i) * below;
        }
        e->warp_instructions += warp;
        e->thread_instructions += thread;
        e->global_read_accesses += 16 * lines;
        e->global_write_accesses += 15 * lines;
    }
}

static void expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    lud_sum(self, line_bytes, count, e);
}

const struct workload workload_lud = {
    .name = "lud",
    .suite = "rodinia",
    .about = "LU decomposition by tiles in shared memory, three small launches a step",
    .size_text = {LUD_SIZE_TEXT, [SIZE_PAPER_MDB] = "256 x 256", [SIZE_PAPER_OWL] = "256 x 256",
                  [SIZE_PAPER_DAWS] = "256 x 256"},
    .bytes = sizeof(struct lud),
    .open = open,
    .results = lud_results,
    .plain = lud_plain,
    .expect = expect,
};
