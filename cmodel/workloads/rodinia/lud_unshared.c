/* SPDX-License-Identifier: Apache-2.0
 *
 * lud without shared memory: the launches of rodinia/lud.h, each working on the matrix in place
 * (the direct construction). A programmer who avoids shared memory would write this, and it is
 * legal: perimeter and internal blocks read only tiles that earlier launches have finished, and
 * their threads own what they write, so they need no barrier; the diagonal's block keeps its
 * barriers.
 *
 * Lanes that walk down a column are a row apart, 2 KB: 16 lines an access, in two sets of a 16 KB,
 * 4-way L1 without a hashed index. A sum is loaded once and stored in each step, as the compiler
 * must assume that the factors overlap it.
 */
#include "workloads/rodinia/lud.h"

#define TILE LUD_TILE

enum { R_BASE, R_ADDRESS, R_L_ADDRESS, R_U_ADDRESS, R_PREDICATE, R_I, R_L, R_U, R_SUM };

/* sum -= l * u, for a number of steps. */
#define SUBTRACT(I, name) \
    I(ALU, name##_FIRST_L, OP_INT_MAD, R_L_ADDRESS, R_I) \
    I(ALU, name##_FIRST_U, OP_INT_MAD, R_U_ADDRESS, R_I) \
    I(LOAD, name##_SUM, SPACE_GLOBAL, 4, R_SUM, R_ADDRESS) \
    I(LOOP, name) \
    I(LOAD, name##_L, SPACE_GLOBAL, 4, R_L, R_L_ADDRESS) \
    I(LOAD, name##_U, SPACE_GLOBAL, 4, R_U, R_U_ADDRESS) \
    I(ALU, name##_FMA, OP_FP_MAD, R_SUM, R_L, R_U, R_SUM) \
    I(STORE, name##_STORE, SPACE_GLOBAL, 4, R_SUM, R_ADDRESS) \
    I(ALU, name##_NEXT_L, OP_INT_ADD, R_L_ADDRESS, R_L_ADDRESS) \
    I(ALU, name##_NEXT_U, OP_INT_ADD, R_U_ADDRESS, R_U_ADDRESS) \
    I(ALU, name##_COMPARE, OP_INT_ADD, R_PREDICATE, R_L_ADDRESS) \
    I(BRANCH, name##_BRANCH, R_PREDICATE)

/* The sum is in its register still. */
#define DIVIDE(I, name) \
    I(LOAD, name##_PIVOT, SPACE_GLOBAL, 4, R_U, R_U_ADDRESS) \
    I(ALU, name, OP_FP_DIV, R_SUM, R_SUM, R_U) \
    I(STORE, name##_STORE, SPACE_GLOBAL, 4, R_SUM, R_ADDRESS)

/* The end of an outer loop. */
#define NEXT(I, name) \
    I(ALU, name##_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, name##_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, name##_BRANCH, R_PREDICATE)

/* @loop: of a SUBTRACT, around which its instructions lie. Each step takes the next column of l and
 * the next row of u. */
static void subtract(struct simt *s, const struct lud *k, unsigned loop, unsigned steps,
                     float value[SIMT_THREADS], struct element sum, struct element l,
                     struct element u) {
    float a[SIMT_THREADS], b[SIMT_THREADS];
    simt_alus(s, loop - 3, loop - 2);
    simt_load(s, loop - 1, value, &k->m, sum);
    SIMT_FOR(s, loop, j, steps) {
        simt_load(s, loop + 3, a, &k->m, l);
        simt_load(s, loop + 4, b, &k->m, u);
        SIMT_ALU(s, loop + 5, t) {
            value[t] -= a[t] * b[t];
        }
        simt_store(s, loop + 6, value, &k->m, sum);
        simt_alus(s, loop + 7, loop + 10);
        l.base++;
        u.base += k->stride;
    }
}

/* @first: of a DIVIDE. */
static void divide(struct simt *s, const struct lud *k, unsigned first, float value[SIMT_THREADS],
                   struct element sum, struct element pivot) {
    float by[SIMT_THREADS];
    simt_load(s, first, by, &k->m, pivot);
    SIMT_ALU(s, first + 1, t) {
        value[t] /= by[t];
    }
    simt_store(s, first + 2, value, &k->m, sum);
}

#define DIAGONAL(I) \
    I(ALU, D_BASE, OP_INT_MAD, R_BASE, REG_NONE) \
    I(ALU, D_FIRST, OP_INT_ADD, R_I, REG_NONE) \
    I(LOOP, D_EACH) \
    I(ALU, D_BELOW, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, D_IF_BELOW, R_PREDICATE) \
    I(ALU, D_COLUMN_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BASE, R_I) \
    SUBTRACT(I, D_COLUMN) \
    DIVIDE(I, D_DIVIDE) \
    I(BARRIER, D_COLUMN_DONE) \
    I(ALU, D_RIGHT, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, D_IF_RIGHT, R_PREDICATE) \
    I(ALU, D_ROW_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BASE, R_I) \
    SUBTRACT(I, D_ROW) \
    I(BARRIER, D_ROW_DONE) \
    NEXT(I, D_EACH)
SIMT_CODE(lud_diagonal_unshared, DIAGONAL, .registers = 19);

static void diagonal(struct simt *s, const void *arguments) {
    const struct lud *k = arguments;
    const int64_t stride = k->stride;
    float value[SIMT_THREADS];
    struct simt_mask below;

    simt_alus(s, D_BASE, D_FIRST);
    SIMT_FOR(s, D_EACH, i, TILE - 1) {
        const struct element column = element_x(lud_at(k, 0, i), stride); /* (tx, i) */
        simt_alu(s, D_BELOW);
        SIMT_WHERE(s, below, tx, tx > i);
        SIMT_IF(s, D_IF_BELOW, &below) {
            simt_alu(s, D_COLUMN_ADDRESS);
            subtract(s, k, D_COLUMN, i, value, column, element_x(lud_at(k, 0, 0), stride),
                     element_at(lud_at(k, 0, i)));
            divide(s, k, D_DIVIDE_PIVOT, value, column, element_at(lud_at(k, i, i)));
        }
        simt_barrier(s, D_COLUMN_DONE);
        simt_alu(s, D_RIGHT);
        SIMT_IF(s, D_IF_RIGHT, &below) {
            simt_alu(s, D_ROW_ADDRESS);
            subtract(s, k, D_ROW, i + 1, value, element_x(lud_at(k, i + 1, 0), 1),
                     element_at(lud_at(k, i + 1, 0)), element_x(lud_at(k, 0, 0), 1));
        }
        simt_barrier(s, D_ROW_DONE);
        simt_alus(s, D_EACH_NEXT, D_EACH_BRANCH);
    }
}

#define PERIMETER(I) \
    I(ALU, P_BASE, OP_INT_MAD, R_BASE, REG_NONE) \
    I(ALU, P_HALF, OP_INT_ADD, R_PREDICATE, REG_NONE) \
    I(BRANCH, P_IF, R_PREDICATE) \
    I(ALU, P_ROW_FIRST, OP_INT_ADD, R_I, REG_NONE) \
    I(LOOP, P_EACH_ROW) \
    I(ALU, P_ROW_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BASE, R_I) \
    SUBTRACT(I, P_ROW) \
    NEXT(I, P_EACH_ROW) \
    I(ALU, P_COLUMN_FIRST, OP_INT_ADD, R_I, REG_NONE) \
    I(LOOP, P_EACH_COLUMN) \
    I(ALU, P_COLUMN_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BASE, R_I) \
    SUBTRACT(I, P_COLUMN) \
    DIVIDE(I, P_DIVIDE) \
    NEXT(I, P_EACH_COLUMN)
SIMT_CODE(lud_perimeter_unshared, PERIMETER, .registers = 19);

/* Half a warp a tile of the row, the other half, threads 16 .. 31, its mirror. */
static void perimeter(struct simt *s, const void *arguments) {
    const struct lud *k = arguments;
    const unsigned tile = TILE * (s->cta[0] + 1);
    const int64_t stride = k->stride;
    float value[SIMT_THREADS];
    struct simt_mask lower;

    simt_alus(s, P_BASE, P_HALF);
    SIMT_WHERE(s, lower, t, t < TILE);
    SIMT_IF(s, P_IF, &lower) {
        simt_alu(s, P_ROW_FIRST);
        SIMT_FOR(s, P_EACH_ROW, i, TILE - 1) {
            simt_alu(s, P_ROW_ADDRESS);
            subtract(s, k, P_ROW, i + 1, value, element_x(lud_at(k, i + 1, tile), 1),
                     element_at(lud_at(k, i + 1, 0)), element_x(lud_at(k, 0, tile), 1));
            simt_alus(s, P_EACH_ROW_NEXT, P_EACH_ROW_BRANCH);
        }
    }
    SIMT_ELSE(s) {
        const int64_t first = lud_at(k, tile, 0) - TILE * stride; /* of thread 0 */
        simt_alu(s, P_COLUMN_FIRST);
        SIMT_FOR(s, P_EACH_COLUMN, i, TILE) {
            const struct element sum = element_x(first + i, stride);
            simt_alu(s, P_COLUMN_ADDRESS);
            subtract(s, k, P_COLUMN, i, value, sum, element_x(first, stride),
                     element_at(lud_at(k, 0, i)));
            divide(s, k, P_DIVIDE_PIVOT, value, sum, element_at(lud_at(k, i, i)));
            simt_alus(s, P_EACH_COLUMN_NEXT, P_EACH_COLUMN_BRANCH);
        }
    }
}

#define INTERNAL(I) \
    I(ALU, N_BASE, OP_INT_MAD, R_BASE, REG_NONE) \
    I(ALU, N_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BASE) \
    I(LOAD, N_L, SPACE_GLOBAL, 4, R_L, R_ADDRESS) \
    I(LOAD, N_U, SPACE_GLOBAL, 4, R_U, R_ADDRESS) \
    I(ALU, N_FMA, OP_FP_MAD, R_SUM, R_L, R_U, R_SUM) \
    I(LOAD, N_LOAD, SPACE_GLOBAL, 4, R_L, R_ADDRESS) \
    I(ALU, N_SUBTRACT, OP_FP_ADD, R_L, R_L, R_SUM) \
    I(STORE, N_STORE, SPACE_GLOBAL, 4, R_L, R_ADDRESS)
SIMT_CODE(lud_internal_unshared, INTERNAL, .registers = 18);

/* 50 instructions, unrolled as lud's, less 16 N_FMA, 1 N_SUBTRACT and 1 N_BASE. */
#define INTERNAL_ADDRESS (50 - 16 - 1 - 1)

static void internal(struct simt *s, const void *arguments) {
    const struct lud *k = arguments;
    const unsigned x = TILE * (s->cta[0] + 1), y = TILE * (s->cta[1] + 1);
    const struct element own = element_xy(lud_at(k, y, x), 1, k->stride);
    float value[SIMT_THREADS], l[SIMT_THREADS], u[SIMT_THREADS], sum[SIMT_THREADS] = {0};

    simt_alu(s, N_BASE);
    simt_work(s, N_ADDRESS, INTERNAL_ADDRESS);
    for (unsigned i = 0; i < TILE; i++) {
        simt_load(s, N_L, l, &k->m, element_xy(lud_at(k, y, i), 0, k->stride));
        simt_load(s, N_U, u, &k->m, element_x(lud_at(k, i, x), 1));
        SIMT_ALU(s, N_FMA, t) {
            sum[t] += l[t] * u[t];
        }
    }
    simt_load(s, N_LOAD, value, &k->m, own);
    SIMT_ALU(s, N_SUBTRACT, t) {
        value[t] -= sum[t];
    }
    simt_store(s, N_STORE, value, &k->m, own);
}

static bool open(void *self, enum workload_size size, uint64_t seed) {
    static const struct lud_code kernels[LUD_KERNELS] = {
        [LUD_DIAGONAL] = {&lud_diagonal_unshared_code, diagonal},
        [LUD_PERIMETER] = {&lud_perimeter_unshared_code, perimeter},
        [LUD_INTERNAL] = {&lud_internal_unshared_code, internal}};
    return lud_open(self, size, seed, kernels);
}

/* Instructions with @lanes lanes in @warps warps. */
static void add(struct workload_expectation *e, uint64_t warps, uint64_t instructions,
                unsigned lanes) {
    e->warp_instructions += warps * instructions;
    e->thread_instructions += warps * instructions * lanes;
}

/* A subtraction with its address is 4 and 8 a step, a division 3. Its sum is in @sum lines, and a
 * step's factors in @factors. */
static void add_subtractions(struct workload_expectation *e, uint64_t warps, unsigned lanes,
                             unsigned steps, uint64_t sum, uint64_t factors) {
    add(e, warps, 4 + 8 * steps, lanes);
    e->global_read_accesses += warps * (sum + steps * factors);
    e->global_write_accesses += warps * steps * sum;
}

static void add_division(struct workload_expectation *e, uint64_t warps, unsigned lanes) {
    add(e, warps, 3, lanes);
    e->global_read_accesses += warps;
    e->global_write_accesses += warps * lanes;
}

static void count(enum lud_kernel kernel, unsigned tiles, unsigned line_bytes,
                  struct workload_expectation *e) {
    const uint64_t lines = lud_row_lines(line_bytes), r = tiles;
    if (kernel == LUD_INTERNAL) {
        const uint64_t warps = r * r * TILE * TILE / WARP_SIZE;
        add(e, warps, 50 + 2 * TILE + 2, WARP_SIZE);
        e->global_read_accesses += warps * (TILE * (2 + lines) + 2 * lines);
        e->global_write_accesses += warps * 2 * lines;
    } else if (kernel == LUD_PERIMETER) {
        add(e, r, 3, WARP_SIZE);
        add(e, r, 1 + 15 * 3, TILE);
        add(e, r, 1 + 16 * 3, TILE);
        for (unsigned i = 0; i < TILE; i++) {
            if (i) {
                add_subtractions(e, r, TILE, i, lines, 1 + lines);
            }
            add_subtractions(e, r, TILE, i, TILE, TILE + 1);
            add_division(e, r, TILE);
        }
    } else {
        add(e, 1, 2 + 15 * 9, TILE);
        for (unsigned i = 0; i < TILE - 1; i++) {
            const unsigned lanes = TILE - 1 - i;
            const uint64_t row = lines - 4 * (i + 1) / (TILE * 4 / lines); /* from lane i + 1 on */
            add_subtractions(e, 1, lanes, i, lanes, lanes + 1);
            add_division(e, 1, lanes);
            add_subtractions(e, 1, lanes, i + 1, row, 1 + row);
        }
    }
}

static void expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    lud_sum(self, line_bytes, count, e);
}

const struct workload workload_lud_unshared = {
    .name = "lud-unshared",
    .suite = "rodinia",
    .about = "LU decomposition by tiles, in place: columns of 16 lines an access",
    .size_text = {LUD_SIZE_TEXT},
    .bytes = sizeof(struct lud),
    .open = open,
    .results = lud_results,
    .plain = lud_plain,
    .expect = expect,
};
