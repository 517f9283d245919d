/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU syrk: C = alpha A A^T + beta C, one launch, a thread an element of C. A warp is 32
 * elements of a row of C: in each step it reads one element of row i of A and 32 rows j, 32 lines,
 * which all warps of the block and all blocks below each other share; so warps of a core find, and
 * drive out, each other's lines. C is stored in every step, because the pointers may alias. Both
 * loads come before the arithmetic, where the compiler's scheduler puts them.
 */
#include "workloads/host.h"
#include "workloads/workloads.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define ALPHA 12435.0f
#define BETA 4546.0f

/* C is ni x nj, A nj x nk; ni a multiple of BLOCK_Y, nj of BLOCK_X, ni at most nj. MRPB scaled
 * inputs to between 17 M and 3.7 G thread instructions. It finds more than half of the misses to be
 * between warps (section 2.4), and little contention inside warps on its larger cache (5.4): of the
 * powers of two N = 256 comes nearest (half of the misses here, and 96 %). Smaller ones fit the
 * larger cache; at 512 the 32 lines of a load meet in 2 sets, and a warp drives out its own. Rows
 * are 1 KB in every size. */
static const struct size {
    unsigned ni, nj, nk;
    unsigned stride; /* elements from a row to the next, of C and A */
} sizes[] = {
    [SIZE_TINY] = {32, 64, 48, 256},
    [SIZE_SMALL] = {256, 256, 64, 256},
    [SIZE_PAPER_MRPB] = {256, 256, 256, 256},
};

struct syrk {
    struct host host;
    struct size size;
    struct buffer a, c;
};

enum { R_J, R_I, R_C_ADDRESS, R_C, R_AI_ADDRESS, R_AI, R_AJ_ADDRESS, R_AJ, R_PREDICATE };

#define SYRK(I) \
    I(ALU, J, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, ROW, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_I, R_J) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, C_ADDRESS, OP_INT_MAD, R_C_ADDRESS, R_I, R_J) \
    I(LOAD, LOAD_C, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS) \
    I(ALU, SCALE_C, OP_FP_MUL, R_C, R_C) \
    I(STORE, STORE_C_FIRST, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS) \
    I(ALU, AI_ADDRESS, OP_INT_MAD, R_AI_ADDRESS, R_I) \
    I(ALU, AJ_ADDRESS, OP_INT_MAD, R_AJ_ADDRESS, R_J) \
    I(LOOP, EACH) \
    I(LOAD, LOAD_AI, SPACE_GLOBAL, 4, R_AI, R_AI_ADDRESS) \
    I(LOAD, LOAD_AJ, SPACE_GLOBAL, 4, R_AJ, R_AJ_ADDRESS) \
    I(ALU, SCALE_A, OP_FP_MUL, R_AI, R_AI) \
    I(ALU, FMA, OP_FP_MAD, R_C, R_AI, R_AJ, R_C) \
    I(STORE, STORE_C, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS) \
    I(ALU, NEXT_AI, OP_INT_ADD, R_AI_ADDRESS, R_AI_ADDRESS) \
    I(ALU, NEXT_AJ, OP_INT_ADD, R_AJ_ADDRESS, R_AJ_ADDRESS) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_AI_ADDRESS) \
    I(BRANCH, BRANCH_BACK, R_PREDICATE)
SIMT_CODE(syrk, SYRK, .registers = 16);

/* c[i][j] *= beta; for (k = 0; k < M; k++) c[i][j] += alpha * a[i][k] * a[j][k]; */
static void kernel(struct simt *s, const void *arguments) {
    const struct syrk *k = arguments;
    const int64_t row = k->size.stride;
    const int64_t j = (int64_t)s->cta[0] * s->block[0]; /* of thread (0, 0) */
    const int64_t i = (int64_t)s->cta[1] * s->block[1];
    const struct element c_ij = element_xy(i * row + j, 1, row);
    float ai[SIMT_THREADS], aj[SIMT_THREADS], c[SIMT_THREADS];

    simt_alus(s, J, C_ADDRESS); /* the guard holds for all */
    simt_load(s, LOAD_C, c, &k->c, c_ij);
    SIMT_ALU(s, SCALE_C, t) {
        c[t] *= BETA;
    }
    simt_store(s, STORE_C_FIRST, c, &k->c, c_ij);
    simt_alus(s, AI_ADDRESS, AJ_ADDRESS);
    SIMT_FOR(s, EACH, l, k->size.nk) {
        simt_load(s, LOAD_AI, ai, &k->a, element_xy(i * row + l, 0, row));
        simt_load(s, LOAD_AJ, aj, &k->a, element_xy(j * row + l, row, 0));
        simt_alu(s, SCALE_A);
        SIMT_ALU(s, FMA, t) {
            c[t] += ALPHA * ai[t] * aj[t];
        }
        simt_store(s, STORE_C, c, &k->c, c_ij);
        simt_alus(s, NEXT_AI, BRANCH_BACK);
    }
}

/* The inputs are closed formulas: the seed has no part. */
static float input_a(const struct size *n, unsigned i, unsigned j) {
    return (float)i * (float)j / (float)n->nj;
}

static float input_c(const struct size *n, unsigned i, unsigned j) {
    return ((float)i * (float)j + 2) / (float)n->nj;
}

static void fill(const struct size *n, float *to, unsigned rows, unsigned columns,
                 float (*input)(const struct size *, unsigned, unsigned)) {
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned j = 0; j < columns; j++) {
            to[(size_t)i * n->stride + j] = input(n, i, j);
        }
    }
}

static bool syrk_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct syrk *k = self;
    const struct size *n = &sizes[size];
    k->size = *n;
    if (!HOST_ALLOC(&k->host.memory, {&k->a, (uint64_t)n->nj * n->stride, sizeof(float)},
                    {&k->c, (uint64_t)n->ni * n->stride, sizeof(float)})) {
        return false;
    }
    fill(n, k->a.data, n->nj, n->nk, input_a);
    fill(n, k->c.data, n->ni, n->nj, input_c);
    HOST_ADD_LAUNCH(&k->host,
                    {&syrk_code, {n->nj / BLOCK_X, n->ni / BLOCK_Y, 1}, {BLOCK_X, BLOCK_Y, 1}},
                    kernel);
    return true;
}

static const struct workload_result results[] = {FLOATS("C", syrk, c), FLOATS("A", syrk, a), {0}};

static bool syrk_plain(void *self, void *const expected[]) {
    struct syrk *k = self;
    float *c = expected[0], *a = expected[1];
    const struct size *n = &k->size;
    const size_t row = n->stride;
    fill(n, a, n->nj, n->nk, input_a);
    fill(n, c, n->ni, n->nj, input_c);
    for (unsigned i = 0; i < n->ni; i++) {
        for (unsigned j = 0; j < n->nj; j++) {
            c[i * row + j] *= BETA;
            for (unsigned l = 0; l < n->nk; l++) {
                c[i * row + j] += ALPHA * a[i * row + l] * a[j * row + l];
            }
        }
    }
    return true;
}

static void syrk_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct syrk *k = self;
    const uint64_t warps = (uint64_t)k->size.ni * k->size.nj / WARP_SIZE, nk = k->size.nk;
    const uint64_t lines = host_row_lines(line_bytes);
    /* 10 instructions before the loop and 9 in it; of them 1 and 2 load and 1 and 1 store; all
     * lanes read the same element of row i, and each a line of its own row j. */
    e->warp_instructions = warps * (10 + 9 * nk);
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    e->global_read_accesses = warps * (lines + (1 + WARP_SIZE) * nk);
    e->global_write_accesses = warps * (1 + nk) * lines;
}

const struct workload workload_syrk = {
    .name = "syrk",
    .suite = "polybench",
    .about = "C = alpha A A^T + beta C: 32 rows a load, shared by all warps of a block",
    .size_text = {[SIZE_TINY] = "C 32 x 64, A 64 x 48, rows of 256",
                  [SIZE_SMALL] = "C 256 x 256, A 256 x 64, rows of 256",
                  [SIZE_PAPER_MRPB] = "N = M = 256"},
    .bytes = sizeof(struct syrk),
    .open = syrk_open,
    .results = results,
    .plain = syrk_plain,
    .expect = syrk_expect,
};
