/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU gemm: C = alpha A B + beta C, one launch. A warp is a row of 32 elements of C: it
 * reads a line of B and one element of A in each step, and stores its line of C in each step,
 * because the compiler must assume that C overlaps A or B.
 */
#include "workloads/polybench/matrix_multiply.h"
#include "workloads/workloads.h"

#define ALPHA 32412.0f
#define BETA 2123.0f

/* C is ni x nj, A ni x nk, B nk x nj. */
static const struct size {
    unsigned ni, nj, nk;
} sizes[] = {
    [SIZE_TINY] = {64, 64, 64},
    [SIZE_SMALL] = {256, 256, 256},
    [SIZE_PAPER_MRPB] = {512, 512, 512},
};

struct gemm {
    struct host host;
    struct matrix a, b, c;
    struct product product;
};

enum { R_J, R_I, R_C_ADDRESS, R_C, R_A_ADDRESS, R_A, R_B_ADDRESS, R_B, R_PREDICATE };

#define GEMM(I) \
    I(ALU, J, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, I_, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_I, R_J) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, C_ADDRESS, OP_INT_MAD, R_C_ADDRESS, R_I, R_J) \
    I(LOAD, LOAD_C, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS) \
    I(ALU, SCALE_C, OP_FP_MUL, R_C, R_C) \
    I(STORE, STORE_C_FIRST, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS) \
    I(ALU, B_ADDRESS, OP_INT_MAD, R_B_ADDRESS, R_J) \
    I(ALU, A_ADDRESS, OP_INT_MAD, R_A_ADDRESS, R_I) \
    I(LOOP, LOOP) \
    I(LOAD, LOAD_B, SPACE_GLOBAL, 4, R_B, R_B_ADDRESS) \
    I(LOAD, LOAD_A, SPACE_GLOBAL, 4, R_A, R_A_ADDRESS) \
    I(ALU, SCALE_A, OP_FP_MUL, R_A, R_A) \
    I(ALU, FMA, OP_FP_MAD, R_C, R_A, R_B, R_C) \
    I(STORE, STORE_C, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS) \
    I(ALU, NEXT_B, OP_INT_ADD, R_B_ADDRESS, R_B_ADDRESS) \
    I(ALU, NEXT_A, OP_INT_ADD, R_A_ADDRESS, R_A_ADDRESS) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_A_ADDRESS) \
    I(BRANCH, BRANCH, R_PREDICATE)
SIMT_CODE(gemm_kernel, GEMM, .registers = 16);

/* c[i][j] *= beta; for (k = 0; k < NK; k++) c[i][j] += alpha * a[i][k] * b[k][j]; */
static void kernel(struct simt *s, const void *arguments) {
    const struct gemm *g = arguments;
    const struct buffer *a_data = &g->a.data, *b_data = &g->b.data, *c_data = &g->c.data;
    const int64_t nj = g->b.columns, nk = g->a.columns;
    const int64_t j = (int64_t)s->cta[0] * s->block[0]; /* of thread (0, 0) */
    const int64_t i = (int64_t)s->cta[1] * s->block[1];
    const struct element c_ij = element_xy(i * nj + j, 1, nj);
    float a[SIMT_THREADS], b[SIMT_THREADS], c[SIMT_THREADS];

    simt_alus(s, J, C_ADDRESS); /* i < ni && j < nj, always */
    simt_load(s, LOAD_C, c, c_data, c_ij);
    SIMT_ALU(s, SCALE_C, t) {
        c[t] *= BETA;
    }
    simt_store(s, STORE_C_FIRST, c, c_data, c_ij);
    simt_alus(s, B_ADDRESS, A_ADDRESS);
    SIMT_FOR(s, LOOP, k, g->a.columns) {
        simt_load(s, LOAD_B, b, b_data, element_xy(k * nj + j, 1, 0));
        simt_load(s, LOAD_A, a, a_data, element_xy(i * nk + k, 0, nk));
        SIMT_ALU(s, SCALE_A, t) {
            a[t] *= ALPHA;
        }
        SIMT_ALU(s, FMA, t) {
            c[t] += a[t] * b[t];
        }
        simt_store(s, STORE_C, c, c_data, c_ij);
        simt_alus(s, NEXT_B, BRANCH);
    }
}

static bool gemm_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct gemm *g = self;
    const struct size *n = &sizes[size];
    g->a = (struct matrix){"A", n->ni, n->nk, .divisor = n->ni};
    g->b = (struct matrix){"B", n->nk, n->nj, .plus = 1, .divisor = n->nj};
    g->c = (struct matrix){"C", n->ni, n->nj, .plus = 2, .divisor = n->nj};
    g->product = (struct product){&g->a, &g->b, &g->c};
    if (!matrix_open(&g->host, &g->a) || !matrix_open(&g->host, &g->b) ||
        !matrix_open(&g->host, &g->c)) {
        return false;
    }
    struct host_launch launch = multiply_launch(&gemm_kernel_code, &g->c, kernel);
    host_add_launch(&g->host, &launch);
    return true;
}

static const struct workload_result results[] = {
    FLOATS("C", gemm, c.data), FLOATS("A", gemm, a.data), FLOATS("B", gemm, b.data), {0}};

static bool gemm_plain(void *self, void *const expected[]) {
    const struct gemm *g = self;
    float *c = expected[0], *a = expected[1], *b = expected[2];
    matrix_fill(&g->a, a);
    matrix_fill(&g->b, b);
    matrix_fill(&g->c, c);
    for (size_t i = 0; i < (size_t)g->c.rows * g->c.columns; i++) {
        c[i] *= BETA;
    }
    multiply_plain(c, a, b, &g->product, ALPHA);
    return true;
}

static void gemm_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct gemm *g = self;
    multiply_expect(e, &g->product, line_bytes, 10, 9, 1);
}

const struct workload workload_gemm = {
    .name = "gemm",
    .suite = "polybench",
    .about = "C = alpha A B + beta C: coalesced and broadcast loads, a store in every step",
    .size_text = {[SIZE_TINY] = "64^3", [SIZE_SMALL] = "256^3", [SIZE_PAPER_MRPB] = "512^3"},
    .bytes = sizeof(struct gemm),
    .open = gemm_open,
    .results = results,
    .plain = gemm_plain,
    .expect = gemm_expect,
};
