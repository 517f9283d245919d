/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU syr2k: C = alpha A B^T + alpha B A^T + beta C, one launch, a thread an element of
 * C. Like syrk with two streams of 32 lines a load: rows j of B and of A, which all warps of a
 * block and all blocks below each other share; so warps of a core find, and drive out, each other's
 * lines. Four loads are on their way at once; C is stored in every step, because the pointers may
 * alias.
 */
#include "workloads/host.h"
#include "workloads/workloads.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define ALPHA 12435.0f
#define BETA 4546.0f

/* C is ni x nj, A and B nj x nk; ni a multiple of BLOCK_Y, nj of BLOCK_X, ni at most nj. MRPB
 * scaled its inputs; why N = 256: see syrk.c. MDB scales like MRPB where it must, and the suite's
 * N = 2048 would be 100 G instructions and more. Rows are 1 KB in every size. */
static const struct size {
    unsigned ni, nj, nk;
    unsigned stride; /* elements from a row to the next, of all three */
} sizes[] = {
    [SIZE_TINY] = {32, 64, 24, 256},
    [SIZE_SMALL] = {256, 256, 32, 256},
    [SIZE_PAPER_MRPB] = {256, 256, 256, 256},
    [SIZE_PAPER_MDB] = {256, 256, 256, 256},
};

struct syr2k {
    struct host host;
    struct size size;
    struct buffer a, b, c;
};

enum {
    R_J,
    R_I,
    R_C_ADDRESS,
    R_C,
    R_AI_ADDRESS,
    R_AI,
    R_BJ_ADDRESS,
    R_BJ,
    R_BI_ADDRESS,
    R_BI,
    R_AJ_ADDRESS,
    R_AJ,
    R_SUM,
    R_PREDICATE
};

#define SYR2K(I) \
    I(ALU, J, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, ROW, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_I, R_J) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, C_ADDRESS, OP_INT_MAD, R_C_ADDRESS, R_I, R_J) \
    I(LOAD, LOAD_C, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS) \
    I(ALU, SCALE_C, OP_FP_MUL, R_C, R_C) \
    I(STORE, STORE_C_FIRST, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS) \
    I(ALU, AI_ADDRESS, OP_INT_MAD, R_AI_ADDRESS, R_I) \
    I(ALU, BJ_ADDRESS, OP_INT_MAD, R_BJ_ADDRESS, R_J) \
    I(ALU, BI_ADDRESS, OP_INT_MAD, R_BI_ADDRESS, R_I) \
    I(ALU, AJ_ADDRESS, OP_INT_MAD, R_AJ_ADDRESS, R_J) \
    I(LOOP, EACH) \
    I(LOAD, LOAD_AI, SPACE_GLOBAL, 4, R_AI, R_AI_ADDRESS) \
    I(LOAD, LOAD_BJ, SPACE_GLOBAL, 4, R_BJ, R_BJ_ADDRESS) \
    I(LOAD, LOAD_BI, SPACE_GLOBAL, 4, R_BI, R_BI_ADDRESS) \
    I(LOAD, LOAD_AJ, SPACE_GLOBAL, 4, R_AJ, R_AJ_ADDRESS) \
    I(ALU, SCALE_A, OP_FP_MUL, R_AI, R_AI) \
    I(ALU, SCALE_B, OP_FP_MUL, R_BI, R_BI) \
    I(ALU, MUL_AB, OP_FP_MUL, R_SUM, R_AI, R_BJ) \
    I(ALU, FMA_BA, OP_FP_MAD, R_SUM, R_BI, R_AJ, R_SUM) \
    I(ALU, ADD_C, OP_FP_ADD, R_C, R_C, R_SUM) \
    I(STORE, STORE_C, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS) \
    I(ALU, NEXT_AI, OP_INT_ADD, R_AI_ADDRESS, R_AI_ADDRESS) \
    I(ALU, NEXT_BJ, OP_INT_ADD, R_BJ_ADDRESS, R_BJ_ADDRESS) \
    I(ALU, NEXT_BI, OP_INT_ADD, R_BI_ADDRESS, R_BI_ADDRESS) \
    I(ALU, NEXT_AJ, OP_INT_ADD, R_AJ_ADDRESS, R_AJ_ADDRESS) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_AI_ADDRESS) \
    I(BRANCH, BRANCH_BACK, R_PREDICATE)
SIMT_CODE(syr2k, SYR2K, .registers = 22);

/* c[i][j] *= beta;
 * for (k = 0; k < M; k++) c[i][j] += alpha * a[i][k] * b[j][k] + alpha * b[i][k] * a[j][k]; */
static void kernel(struct simt *s, const void *arguments) {
    const struct syr2k *k = arguments;
    const int64_t row = k->size.stride;
    const int64_t j = (int64_t)s->cta[0] * s->block[0]; /* of thread (0, 0) */
    const int64_t i = (int64_t)s->cta[1] * s->block[1];
    const struct element c_ij = element_xy(i * row + j, 1, row);
    float ai[SIMT_THREADS], aj[SIMT_THREADS], bi[SIMT_THREADS], bj[SIMT_THREADS];
    float c[SIMT_THREADS];

    simt_alus(s, J, C_ADDRESS); /* the guard holds for all */
    simt_load(s, LOAD_C, c, &k->c, c_ij);
    SIMT_ALU(s, SCALE_C, t) {
        c[t] *= BETA;
    }
    simt_store(s, STORE_C_FIRST, c, &k->c, c_ij);
    simt_alus(s, AI_ADDRESS, AJ_ADDRESS);
    SIMT_FOR(s, EACH, l, k->size.nk) {
        const struct element il = element_xy(i * row + l, 0, row);
        const struct element jl = element_xy(j * row + l, row, 0);
        simt_load(s, LOAD_AI, ai, &k->a, il);
        simt_load(s, LOAD_BJ, bj, &k->b, jl);
        simt_load(s, LOAD_BI, bi, &k->b, il);
        simt_load(s, LOAD_AJ, aj, &k->a, jl);
        simt_alus(s, SCALE_A, FMA_BA);
        SIMT_ALU(s, ADD_C, t) {
            c[t] += ALPHA * ai[t] * bj[t] + ALPHA * bi[t] * aj[t];
        }
        simt_store(s, STORE_C, c, &k->c, c_ij);
        simt_alus(s, NEXT_AI, BRANCH_BACK);
    }
}

/* The inputs are closed formulas, (i j + offset) / N: the seed has no part. */
enum { OFFSET_A, OFFSET_B, OFFSET_C };

static void fill(const struct size *n, float *to, unsigned rows, unsigned columns, int offset) {
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned j = 0; j < columns; j++) {
            to[(size_t)i * n->stride + j] = ((float)i * (float)j + (float)offset) / (float)n->nj;
        }
    }
}

static bool syr2k_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct syr2k *k = self;
    const struct size *n = &sizes[size];
    k->size = *n;
    if (!HOST_ALLOC(&k->host.memory, {&k->a, (uint64_t)n->nj * n->stride, sizeof(float)},
                    {&k->b, (uint64_t)n->nj * n->stride, sizeof(float)},
                    {&k->c, (uint64_t)n->ni * n->stride, sizeof(float)})) {
        return false;
    }
    fill(n, k->a.data, n->nj, n->nk, OFFSET_A);
    fill(n, k->b.data, n->nj, n->nk, OFFSET_B);
    fill(n, k->c.data, n->ni, n->nj, OFFSET_C);
    HOST_ADD_LAUNCH(&k->host,
                    {&syr2k_code, {n->nj / BLOCK_X, n->ni / BLOCK_Y, 1}, {BLOCK_X, BLOCK_Y, 1}},
                    kernel);
    return true;
}

static const struct workload_result results[] = {
    FLOATS("C", syr2k, c), FLOATS("A", syr2k, a), FLOATS("B", syr2k, b), {0}};

static bool syr2k_plain(void *self, void *const expected[]) {
    struct syr2k *k = self;
    float *c = expected[0], *a = expected[1], *b = expected[2];
    const struct size *n = &k->size;
    const size_t row = n->stride;
    fill(n, a, n->nj, n->nk, OFFSET_A);
    fill(n, b, n->nj, n->nk, OFFSET_B);
    fill(n, c, n->ni, n->nj, OFFSET_C);
    for (unsigned i = 0; i < n->ni; i++) {
        const float *a_i = &a[i * row], *b_i = &b[i * row];
        for (unsigned j = 0; j < n->nj; j++) {
            const float *a_j = &a[j * row], *b_j = &b[j * row];
            c[i * row + j] *= BETA;
            for (unsigned l = 0; l < n->nk; l++) {
                c[i * row + j] += ALPHA * a_i[l] * b_j[l] + ALPHA * b_i[l] * a_j[l];
            }
        }
    }
    return true;
}

static void syr2k_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct syr2k *k = self;
    const uint64_t warps = (uint64_t)k->size.ni * k->size.nj / WARP_SIZE, nk = k->size.nk;
    const uint64_t lines = host_row_lines(line_bytes);
    /* 12 instructions before the loop and 16 in it; of them 1 and 4 load and 1 and 1 store; all
     * lanes read the same elements of rows i, and each a line of its own rows j. */
    e->warp_instructions = warps * (12 + 16 * nk);
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    e->global_read_accesses = warps * (lines + 2 * (1 + WARP_SIZE) * nk);
    e->global_write_accesses = warps * (1 + nk) * lines;
}

const struct workload workload_syr2k = {
    .name = "syr2k",
    .suite = "polybench",
    .about = "C = alpha A B^T + alpha B A^T + beta C: 2 x 32 rows, shared by all warps of a block",
    .size_text = {[SIZE_TINY] = "C 32 x 64, A and B 64 x 24, rows of 256",
                  [SIZE_SMALL] = "C 256 x 256, A and B 256 x 32, rows of 256",
                  [SIZE_PAPER_MRPB] = "N = M = 256 (why: syrk.c)",
                  [SIZE_PAPER_MDB] = "N = M = 256 (suite: 2048)"},
    .bytes = sizeof(struct syr2k),
    .open = syr2k_open,
    .results = results,
    .plain = syr2k_plain,
    .expect = syr2k_expect,
};
