/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia nw (Needleman-Wunsch): the score matrix of two sequences, a cell from its neighbours to
 * the north-west, west and north. A block of 16 threads, half a warp, computes a tile of 16 x 16
 * cells along its antidiagonals; a launch is an antidiagonal of tiles, which grow in number and
 * then shrink. Rows are 2049 elements long in every size, so tiles are aligned to nothing.
 *
 * nw keeps its tile in shared memory: rows of the reference and one row of the matrix are read
 * coalesced, the tile's west border as a column (16 lines). An antidiagonal of the tile, whose rows
 * are 17 words, lies in 2 of 32 banks.
 *
 * nw-unshared computes in place (the direct construction), as one who avoids shared memory would
 * write it. It is legal: a block owns its tile, earlier launches have finished what surrounds it,
 * and the barrier between antidiagonals makes cells visible to the block. Lanes are 8192 bytes
 * apart: up to 16 lines an access, which all fall in one set of an L1 without a hashed index.
 *
 * The original scores with a table of 24 amino acids; here the scores are seeded random numbers of
 * its range, since no address depends on them. The size is the suite's, for DAWS as for MRPB.
 */
#include "workloads/host.h"
#include "workloads/workloads.h"

#define TILE 16
#define STRIDE 2049 /* elements from a row to the next */
#define PENALTY 10
#define ACIDS 24
#define T_WIDTH (TILE + 1)
#define T_BYTES (T_WIDTH * T_WIDTH * 4)

/* Length of the sequences, a multiple of TILE, below STRIDE. */
static const unsigned sizes[] = {
    [SIZE_TINY] = 128,
    [SIZE_SMALL] = 1024,
    [SIZE_PAPER_MRPB] = 2048,
    [SIZE_PAPER_DAWS] = 2048,
};

struct nw {
    struct host host;
    unsigned n, tiles; /* tiles along a side */
    uint64_t seed;
    bool unshared;
    bool shrinking;      /* the launch is one of the second kernel */
    struct buffer score; /* [row][column] of the pair of acids there; row and column 0 unused */
    struct buffer matrix;
};

enum {
    R_TILE,
    R_PREDICATE,
    R_ADDRESS,
    R_SHARED,
    R_VALUE,
    R_ROUND,
    R_NW,
    R_W,
    R_N,
    R_SCORE,
    R_CELL
};

/* Both kernels of the original have this code; the second reads the corner behind the reference. */
#define NW(I) \
    I(ALU, TILE_X, OP_INT_MAD, R_TILE, REG_NONE) \
    I(ALU, TILE_Y, OP_INT_MAD, R_TILE, R_TILE) \
    I(ALU, TILE_BASE, OP_INT_MAD, R_TILE, R_TILE) \
    I(ALU, ADDRESS, OP_INT_MAD, R_ADDRESS, R_TILE) \
    I(ALU, FIRST_LANE, OP_INT_ADD, R_PREDICATE, REG_NONE) \
    I(BRANCH, IF_FIRST, R_PREDICATE) \
    I(LOAD, LOAD_CORNER, SPACE_GLOBAL, 4, R_VALUE, R_TILE) \
    I(STORE, STS_CORNER, SPACE_SHARED, 4, R_VALUE, R_SHARED) \
    I(LOOP, EACH_ROW) \
    I(LOAD, LOAD_SCORE, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(STORE, STS_SCORE, SPACE_SHARED, 4, R_VALUE, R_SHARED) \
    I(ALU, NEXT_ROW, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(ALU, NEXT_SHARED, OP_INT_ADD, R_SHARED, R_SHARED) \
    I(ALU, LAST_ROW, OP_INT_ADD, R_PREDICATE, R_SHARED) \
    I(BRANCH, ROW_AGAIN, R_PREDICATE) \
    I(BARRIER, HAVE_SCORES) \
    I(ALU, WEST, OP_INT_MAD, R_ADDRESS, R_TILE) \
    I(LOAD, LOAD_WEST, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(STORE, STS_WEST, SPACE_SHARED, 4, R_VALUE, R_SHARED) \
    I(BARRIER, HAVE_WEST) \
    I(ALU, NORTH, OP_INT_ADD, R_ADDRESS, R_TILE) \
    I(LOAD, LOAD_NORTH, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(STORE, STS_NORTH, SPACE_SHARED, 4, R_VALUE, R_SHARED) \
    I(BARRIER, HAVE_NORTH) \
    SWEEP(I, GROW, SPACE_SHARED) \
    SWEEP(I, SHRINK, SPACE_SHARED) \
    I(LOOP, EACH_RESULT) \
    I(LOAD, LDS_RESULT, SPACE_SHARED, 4, R_VALUE, R_SHARED) \
    I(STORE, STORE_RESULT, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(ALU, RESULT_NEXT, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(ALU, RESULT_SHARED, OP_INT_ADD, R_SHARED, R_SHARED) \
    I(ALU, RESULT_LAST, OP_INT_ADD, R_PREDICATE, R_SHARED) \
    I(BRANCH, RESULT_AGAIN, R_PREDICATE)

/* Half of the tile's antidiagonals; 6 arithmetic instructions a cell. */
#define SWEEP(I, name, space) \
    I(LOOP, name) \
    I(ALU, name##_ACTIVE, OP_INT_ADD, R_PREDICATE, R_ROUND) \
    I(BRANCH, name##_IF, R_PREDICATE) \
    I(ALU, name##_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ROUND, R_TILE) \
    I(LOAD, name##_NW, space, 4, R_NW, R_ADDRESS) \
    I(LOAD, name##_W, space, 4, R_W, R_ADDRESS) \
    I(LOAD, name##_N, space, 4, R_N, R_ADDRESS) \
    I(LOAD, name##_SCORE, space, 4, R_SCORE, R_ADDRESS) \
    I(ALU, name##_MATCH, OP_INT_ADD, R_NW, R_NW, R_SCORE) \
    I(ALU, name##_GAP_W, OP_INT_ADD, R_W, R_W) \
    I(ALU, name##_GAP_N, OP_INT_ADD, R_N, R_N) \
    I(ALU, name##_MAX_GAP, OP_INT_MAX, R_CELL, R_W, R_N) \
    I(ALU, name##_MAX, OP_INT_MAX, R_CELL, R_CELL, R_NW) \
    I(STORE, name##_STORE, space, 4, R_CELL, R_ADDRESS) \
    I(BARRIER, name##_BARRIER) \
    I(ALU, name##_NEXT, OP_INT_ADD, R_ROUND, R_ROUND) \
    I(ALU, name##_LAST, OP_INT_ADD, R_PREDICATE, R_ROUND) \
    I(BRANCH, name##_AGAIN, R_PREDICATE)
SIMT_CODE(nw, NW, .registers = 18, .shared_bytes = T_BYTES + TILE * TILE * 4);

#define UNSHARED(I) \
    I(ALU, U_TILE_X, OP_INT_MAD, R_TILE, REG_NONE) \
    I(ALU, U_TILE_Y, OP_INT_MAD, R_TILE, R_TILE) \
    I(ALU, U_TILE_BASE, OP_INT_MAD, R_TILE, R_TILE) \
    I(ALU, U_ROUND, OP_INT_ADD, R_ROUND, REG_NONE) \
    SWEEP(I, U_GROW, SPACE_GLOBAL) \
    SWEEP(I, U_SHRINK, SPACE_GLOBAL)
SIMT_CODE(nw_unshared, UNSHARED, .registers = 18);

/* The element of the matrix to the north-west of this CTA's tile. */
static int64_t tile_base(const struct simt *s, const struct nw *k) {
    const unsigned i = s->launch->grid[0], bx = s->cta[0];
    const unsigned x = k->shrinking ? bx + k->tiles - i : bx;
    const unsigned y = k->shrinking ? k->tiles - 1 - bx : i - 1 - bx;
    return (int64_t)STRIDE * TILE * y + (int64_t)TILE * x;
}

/* The array of a sweep: the cell (y, x) of the tile, both from 1 on, is element base + y * width +
 * x; its score is element score_base + y * score_width + x. */
struct grid {
    const struct buffer *cells, *scores;
    int64_t base, score_base;
    int width, score_width;
};

/* Round d of a sweep: lane x has cell (y - x, x + 1). @first: of the sweep's instructions. */
static void sweep_round(struct simt *s, const struct grid *g, unsigned first, unsigned d, int y) {
    enum { OFFSET = GROW_ACTIVE }; /* the two sweeps of both kernels are laid out alike */
    const unsigned at = first - OFFSET;
    const int64_t cell = g->base + (int64_t)y * g->width + 1;
    const int64_t score = g->score_base + (int64_t)y * g->score_width + 1;
    const int64_t step = 1 - g->width, score_step = 1 - g->score_width;
    int32_t nw[WARP_SIZE], w[WARP_SIZE], n[WARP_SIZE], match[WARP_SIZE];
    struct simt_mask lanes;

    simt_alu(s, at + GROW_ACTIVE);
    SIMT_WHERE(s, lanes, t, t <= d);
    SIMT_IF(s, at + GROW_IF, &lanes) {
        simt_alu(s, at + GROW_ADDRESS);
        simt_load(s, at + GROW_NW, nw, g->cells, element_x(cell - g->width - 1, step));
        simt_load(s, at + GROW_W, w, g->cells, element_x(cell - 1, step));
        simt_load(s, at + GROW_N, n, g->cells, element_x(cell - g->width, step));
        simt_load(s, at + GROW_SCORE, match, g->scores, element_x(score, score_step));
        simt_alus(s, at + GROW_MATCH, at + GROW_MAX_GAP);
        SIMT_ALU(s, at + GROW_MAX, t) {
            const int32_t gap = (w[t] > n[t] ? w[t] : n[t]) - PENALTY;
            nw[t] += match[t];
            nw[t] = nw[t] > gap ? nw[t] : gap;
        }
        simt_store(s, at + GROW_STORE, nw, g->cells, element_x(cell, step));
    }
    simt_barrier(s, at + GROW_BARRIER);
    simt_alus(s, at + GROW_NEXT, at + GROW_AGAIN);
}

static void load_corner(struct simt *s, const struct nw *k, const struct buffer *t, int64_t base) {
    int32_t value[WARP_SIZE];
    struct simt_mask first;
    simt_alu(s, FIRST_LANE);
    SIMT_WHERE(s, first, lane, lane == 0);
    SIMT_IF(s, IF_FIRST, &first) {
        simt_load(s, LOAD_CORNER, value, &k->matrix, element_at(base));
        simt_store(s, STS_CORNER, value, t, element_at(0));
    }
}

static void kernel(struct simt *s, const void *arguments) {
    const struct nw *k = arguments;
    const struct buffer t = simt_shared(s, 0, T_WIDTH * T_WIDTH, 4);
    const struct buffer r = simt_shared(s, T_BYTES, TILE * TILE, 4);
    const int64_t base = tile_base(s, k), inner = base + STRIDE + 1;
    const struct grid g = {&t, &r, 0, -TILE - 1, T_WIDTH, TILE};
    int32_t value[WARP_SIZE];

    simt_alus(s, TILE_X, ADDRESS);
    if (!k->shrinking) {
        load_corner(s, k, &t, base);
    }
    SIMT_FOR(s, EACH_ROW, row, TILE) {
        simt_load(s, LOAD_SCORE, value, &k->score, element_x(inner + (int64_t)row * STRIDE, 1));
        simt_store(s, STS_SCORE, value, &r, element_x(row * TILE, 1));
        simt_alus(s, NEXT_ROW, ROW_AGAIN);
    }
    if (k->shrinking) {
        load_corner(s, k, &t, base);
    }
    simt_barrier(s, HAVE_SCORES);
    simt_alu(s, WEST);
    simt_load(s, LOAD_WEST, value, &k->matrix, element_x(base + STRIDE, STRIDE));
    simt_store(s, STS_WEST, value, &t, element_x(T_WIDTH, T_WIDTH));
    simt_barrier(s, HAVE_WEST);
    simt_alu(s, NORTH);
    simt_load(s, LOAD_NORTH, value, &k->matrix, element_x(base + 1, 1));
    simt_store(s, STS_NORTH, value, &t, element_x(1, 1));
    simt_barrier(s, HAVE_NORTH);
    SIMT_FOR(s, GROW, d, TILE) {
        sweep_round(s, &g, GROW_ACTIVE, d, (int)d + 1);
    }
    SIMT_FOR(s, SHRINK, i, TILE - 1) {
        /* lane x: row 16 - x, and column x + 16 - d, which is x + 1 from a base further right */
        const unsigned d = TILE - 2 - i;
        const int64_t right = TILE - 1 - d;
        const struct grid h = {&t, &r, right, right - TILE - 1, T_WIDTH, TILE};
        sweep_round(s, &h, SHRINK_ACTIVE, d, TILE);
    }
    SIMT_FOR(s, EACH_RESULT, row, TILE) {
        simt_load(s, LDS_RESULT, value, &t, element_x((row + 1) * T_WIDTH + 1, 1));
        simt_store(s, STORE_RESULT, value, &k->matrix, element_x(inner + (int64_t)row * STRIDE, 1));
        simt_alus(s, RESULT_NEXT, RESULT_AGAIN);
    }
}

static void kernel_unshared(struct simt *s, const void *arguments) {
    const struct nw *k = arguments;
    const int64_t base = tile_base(s, k);
    struct grid g = {&k->matrix, &k->score, base, base, STRIDE, STRIDE};

    simt_alus(s, U_TILE_X, U_ROUND);
    SIMT_FOR(s, U_GROW, d, TILE) {
        sweep_round(s, &g, U_GROW_ACTIVE, d, (int)d + 1);
    }
    SIMT_FOR(s, U_SHRINK, i, TILE - 1) {
        g.base = g.score_base = base + i + 1;
        sweep_round(s, &g, U_SHRINK_ACTIVE, TILE - 2 - i, TILE);
    }
}

/* Launch step: 1 .. tiles tiles, then tiles - 1 .. 1. */
static bool next_step(void *self, unsigned step, struct host_launch *out) {
    struct nw *k = self;
    k->shrinking = step >= k->tiles;
    const unsigned ctas = k->shrinking ? 2 * k->tiles - 1 - step : step + 1;
    if (step >= 2 * k->tiles - 1) {
        return false;
    }
    *out = (struct host_launch){
        .launch = {k->unshared ? &nw_unshared_code : &nw_code, {ctas, 1, 1}, {TILE, 1, 1}},
        .kernel = k->unshared ? kernel_unshared : kernel};
    return true;
}

/* The scores of all pairs of acids are symmetric, higher on the diagonal; the sequences follow. */
static void draw(uint64_t seed, unsigned n, int32_t score[ACIDS][ACIDS], uint8_t *a, uint8_t *b) {
    for (unsigned i = 0; i < ACIDS; i++) {
        for (unsigned j = 0; j <= i; j++) {
            score[i][j] = score[j][i] = i == j ? (int32_t)(host_random(&seed) % 8) + 4
                                               : (int32_t)(host_random(&seed) % 8) - 4;
        }
    }
    for (unsigned i = 0; i < n; i++) {
        a[i] = (uint8_t)(host_random(&seed) % 10 + 1);
        b[i] = (uint8_t)(host_random(&seed) % 10 + 1);
    }
}

static bool open_variant(struct nw *k, enum workload_size size, uint64_t seed, bool unshared) {
    const unsigned n = sizes[size];
    k->n = n;
    k->tiles = n / TILE;
    k->seed = seed;
    k->unshared = unshared;
    if (!HOST_ALLOC(&k->host.memory, {&k->score, (uint64_t)(n + 1) * STRIDE, 4},
                    {&k->matrix, (uint64_t)(n + 1) * STRIDE, 4})) {
        return false;
    }
    int32_t score[ACIDS][ACIDS], *pairs = k->score.data, *matrix = k->matrix.data;
    uint8_t a[STRIDE], b[STRIDE];
    draw(seed, n, score, a, b);
    for (size_t i = 1; i <= n; i++) {
        matrix[i] = matrix[i * STRIDE] = -(int32_t)i * PENALTY;
        for (size_t j = 1; j <= n; j++) {
            pairs[i * STRIDE + j] = score[a[i - 1]][b[j - 1]];
        }
    }
    host_set_step(&k->host, next_step);
    return true;
}

static bool nw_open(void *self, enum workload_size size, uint64_t seed) {
    return open_variant(self, size, seed, false);
}

static bool nw_unshared_open(void *self, enum workload_size size, uint64_t seed) {
    return open_variant(self, size, seed, true);
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/* Row by row, as the recurrence is written. */
static const struct workload_result results[] = {INTEGERS("matrix", nw, matrix), {0}};

static bool nw_plain(void *self, void *const expected[]) {
    struct nw *k = self;
    int32_t *f = expected[0], score[ACIDS][ACIDS];
    uint8_t a[STRIDE], b[STRIDE];
    draw(k->seed, k->n, score, a, b);
    for (size_t j = 0; j <= k->n; j++) {
        f[j] = -(int32_t)j * PENALTY;
    }
    for (size_t i = 1; i <= k->n; i++) {
        int32_t *row = &f[i * STRIDE], *above = row - STRIDE;
        row[0] = -(int32_t)i * PENALTY;
        for (size_t j = 1; j <= k->n; j++) {
            row[j] = larger(above[j - 1] + score[a[i - 1]][b[j - 1]],
                            larger(row[j - 1], above[j]) - PENALTY);
        }
    }
    return true;
}

/* Lines of 16 consecutive elements from element e on, of an aligned array. */
static uint64_t segment_lines(uint64_t e, unsigned line_bytes) {
    return (4 * e + 4 * TILE - 1) / line_bytes - 4 * e / line_bytes + 1;
}

/* Per tile, whichever launch computes it. */
static void nw_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct nw *k = self;
    const uint64_t tiles = (uint64_t)k->tiles * k->tiles, rounds = 2 * TILE - 1;
    const uint64_t cells = TILE * TILE;
    /* A round: 2 instructions, 11 under the mask, 4; each cell is in one round. */
    const uint64_t warp = rounds * (2 + 11 + 4), thread = rounds * 6 * TILE + cells * 11;
    if (k->unshared) {
        e->warp_instructions = tiles * (4 + warp);
        e->thread_instructions = tiles * (4 * TILE + thread);
        /* Each cell is in a line of its own, as the lanes are 8192 bytes apart. */
        e->global_read_accesses = tiles * cells * 4;
        e->global_write_accesses = tiles * cells;
        return;
    }
    /* 4, the corner 2 and 2 of one lane, 6 a row and 1, west and north 4 each, 6 a row. */
    e->warp_instructions = tiles * (4 + 4 + TILE * 6 + 1 + 8 + warp + TILE * 6);
    e->thread_instructions = tiles * (TILE * (4 + 2 + TILE * 6 + 1 + 8 + TILE * 6) + 2 + thread);
    e->global_read_accesses = tiles * (1 + TILE); /* the corner and the column */
    e->global_write_accesses = 0;
    for (uint64_t y = 0; y < k->n; y++) {
        for (uint64_t x = 0; x < k->n; x += TILE) {
            uint64_t lines = segment_lines((y + 1) * STRIDE + x + 1, line_bytes);
            e->global_read_accesses += lines;
            e->global_write_accesses += lines;
            if (y % TILE == 0) {
                e->global_read_accesses += segment_lines(y * STRIDE + x + 1, line_bytes);
            }
        }
    }
}

#define SIZE_TEXT \
    [SIZE_TINY] = "128 x 128, rows of 2049", [SIZE_SMALL] = "1024 x 1024, rows of 2049", \
    [SIZE_PAPER_MRPB] = "2048 x 2048"

const struct workload workload_nw = {
    .name = "nw",
    .suite = "rodinia",
    .about = "alignment of two sequences: a wavefront of half-warp blocks, tiles in shared memory",
    .size_text = {SIZE_TEXT, [SIZE_PAPER_DAWS] = "2048 x 2048"},
    .bytes = sizeof(struct nw),
    .open = nw_open,
    .results = results,
    .plain = nw_plain,
    .expect = nw_expect,
};

const struct workload workload_nw_unshared = {
    .name = "nw-unshared",
    .suite = "rodinia",
    .about = "nw in place: antidiagonals of the matrix in global memory, 16 lines an access",
    .size_text = {SIZE_TEXT},
    .bytes = sizeof(struct nw),
    .open = nw_unshared_open,
    .results = results,
    .plain = nw_plain,
    .expect = nw_expect,
};
