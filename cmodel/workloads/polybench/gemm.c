/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU gemm: C = alpha A B + beta C, one launch. A warp is a row of 32 elements of C: it
 * reads a line of B and one element of A in each step, and stores its line of C in each step,
 * because the compiler must assume that C overlaps A or B.
 */
#include <stdlib.h>

#include "workloads/host.h"
#include "workloads/workloads.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define ALPHA 32412.0f
#define BETA 2123.0f

/* C is ni x nj, A ni x nk, B nk x nj; ni a multiple of BLOCK_Y, nj of BLOCK_X. */
static const struct size {
    unsigned ni, nj, nk;
} sizes[] = {
    [SIZE_TINY] = {64, 64, 64},
    [SIZE_SMALL] = {256, 256, 256},
    [SIZE_PAPER_MRPB] = {512, 512, 512},
};

struct gemm {
    struct host host;
    struct size size;
    struct buffer a, b, c;
};

enum { R_J, R_I, R_C_ADDRESS, R_C, R_A_ADDRESS, R_A, R_B_ADDRESS, R_B, R_PREDICATE };

enum {
    J,
    I,
    GUARD_COMPARE,
    GUARD,
    C_ADDRESS,
    LOAD_C,
    SCALE_C,
    STORE_C_FIRST,
    B_ADDRESS,
    A_ADDRESS,
    INSN_LOOP_NAMES(LOOP),
    LOAD_B,
    LOAD_A,
    SCALE_A,
    FMA,
    STORE_C,
    NEXT_B,
    NEXT_A,
    COMPARE,
    BRANCH,
    INSN_COUNT
};

static const struct insn insns[] = {
    INSN_ALU(J, OP_INT_MAD, R_J, REG_NONE),
    INSN_ALU(I, OP_INT_MAD, R_I, REG_NONE),
    INSN_ALU(GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_I, R_J),
    INSN_BRANCH(GUARD, R_PREDICATE),
    INSN_ALU(C_ADDRESS, OP_INT_MAD, R_C_ADDRESS, R_I, R_J),
    INSN_LOAD(LOAD_C, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS),
    INSN_ALU(SCALE_C, OP_FP_MUL, R_C, R_C),
    INSN_STORE(STORE_C_FIRST, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS),
    INSN_ALU(B_ADDRESS, OP_INT_MAD, R_B_ADDRESS, R_J),
    INSN_ALU(A_ADDRESS, OP_INT_MAD, R_A_ADDRESS, R_I),
    INSN_LOOP(LOOP),
    INSN_LOAD(LOAD_B, SPACE_GLOBAL, 4, R_B, R_B_ADDRESS),
    INSN_LOAD(LOAD_A, SPACE_GLOBAL, 4, R_A, R_A_ADDRESS),
    INSN_ALU(SCALE_A, OP_FP_MUL, R_A, R_A),
    INSN_ALU(FMA, OP_FP_MAD, R_C, R_A, R_B, R_C),
    INSN_STORE(STORE_C, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS),
    INSN_ALU(NEXT_B, OP_INT_ADD, R_B_ADDRESS, R_B_ADDRESS),
    INSN_ALU(NEXT_A, OP_INT_ADD, R_A_ADDRESS, R_A_ADDRESS),
    INSN_ALU(COMPARE, OP_INT_ADD, R_PREDICATE, R_A_ADDRESS),
    INSN_BRANCH(BRANCH, R_PREDICATE),
};
static const struct kernel_code code = {
    .name = "gemm_kernel", .insns = insns, .insn_count = INSN_COUNT, .registers = 16};

/* c[i][j] *= beta; for (k = 0; k < NK; k++) c[i][j] += alpha * a[i][k] * b[k][j]; */
static void kernel(struct simt *s, const void *arguments) {
    const struct gemm *g = arguments;
    const int64_t nj = g->size.nj, nk = g->size.nk;
    const int64_t j = (int64_t)s->cta[0] * s->block[0]; /* of thread (0, 0) */
    const int64_t i = (int64_t)s->cta[1] * s->block[1];
    const struct element c_ij = element_xy(i * nj + j, 1, nj);
    float a[SIMT_THREADS], b[SIMT_THREADS], c[SIMT_THREADS];

    simt_alu(s, J);
    simt_alu(s, I);
    simt_alu(s, GUARD_COMPARE);
    simt_alu(s, GUARD); /* i < ni && j < nj, always */
    simt_alu(s, C_ADDRESS);
    simt_load(s, LOAD_C, c, &g->c, c_ij);
    SIMT_ALU(s, SCALE_C, t) {
        c[t] *= BETA;
    }
    simt_store(s, STORE_C_FIRST, c, &g->c, c_ij);
    simt_alu(s, B_ADDRESS);
    simt_alu(s, A_ADDRESS);
    SIMT_FOR(s, LOOP, k, g->size.nk) {
        simt_load(s, LOAD_B, b, &g->b, element_xy(k * nj + j, 1, 0));
        simt_load(s, LOAD_A, a, &g->a, element_xy(i * nk + k, 0, nk));
        SIMT_ALU(s, SCALE_A, t) {
            a[t] *= ALPHA;
        }
        SIMT_ALU(s, FMA, t) {
            c[t] += a[t] * b[t];
        }
        simt_store(s, STORE_C, c, &g->c, c_ij);
        simt_alu(s, NEXT_B);
        simt_alu(s, NEXT_A);
        simt_alu(s, COMPARE);
        simt_alu(s, BRANCH);
    }
}

/* The inputs are closed formulas: the seed has no part. */
static float input_a(const struct size *n, unsigned i, unsigned k) {
    return (float)i * (float)k / (float)n->ni;
}

static float input_b(const struct size *n, unsigned k, unsigned j) {
    return ((float)k * (float)j + 1) / (float)n->nj;
}

static float input_c(const struct size *n, unsigned i, unsigned j) {
    return ((float)i * (float)j + 2) / (float)n->nj;
}

static void fill(struct buffer *buffer, const struct size *n, unsigned rows, unsigned columns,
                 float (*input)(const struct size *, unsigned, unsigned)) {
    float *data = buffer->data;
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned j = 0; j < columns; j++) {
            data[(size_t)i * columns + j] = input(n, i, j);
        }
    }
}

static const char *gemm_open(struct program *p, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct gemm *g = host_open(p, sizeof *g);
    if (!g) {
        return "out of memory";
    }
    const struct size *n = &sizes[size];
    struct device_memory *m = &g->host.memory;
    g->size = *n;
    if (!device_memory_alloc(m, &g->a, (uint64_t)n->ni * n->nk, sizeof(float)) ||
        !device_memory_alloc(m, &g->b, (uint64_t)n->nk * n->nj, sizeof(float)) ||
        !device_memory_alloc(m, &g->c, (uint64_t)n->ni * n->nj, sizeof(float))) {
        host_close(p);
        return "out of memory";
    }
    fill(&g->a, n, n->ni, n->nk, input_a);
    fill(&g->b, n, n->nk, n->nj, input_b);
    fill(&g->c, n, n->ni, n->nj, input_c);
    host_add_launch(
        &g->host,
        &(struct host_launch){
            .launch = {&code, {n->nj / BLOCK_X, n->ni / BLOCK_Y, 1}, {BLOCK_X, BLOCK_Y, 1}},
            .kernel = kernel});
    return NULL;
}

static const char *gemm_check(const struct program *p) {
    struct gemm *g = p->self;
    const struct size *n = &g->size;
    float *b = calloc((size_t)n->nk * n->nj, sizeof *b);
    float *c = calloc((size_t)n->ni * n->nj, sizeof *c);
    const char *error = "out of memory";
    if (b && c) {
        fill(&(struct buffer){.data = b}, n, n->nk, n->nj, input_b);
        fill(&(struct buffer){.data = c}, n, n->ni, n->nj, input_c);
        for (unsigned i = 0; i < n->ni; i++) {
            float *c_i = &c[(size_t)i * n->nj];
            for (unsigned j = 0; j < n->nj; j++) {
                c_i[j] *= BETA;
            }
            for (unsigned k = 0; k < n->nk; k++) {
                const float *b_k = &b[(size_t)k * n->nj];
                float scaled = input_a(n, i, k) * ALPHA;
                for (unsigned j = 0; j < n->nj; j++) {
                    c_i[j] += scaled * b_k[j];
                }
            }
        }
        error = host_compare(&g->host, "C", &g->c, c);
    }
    free(b);
    free(c);
    return error;
}

static void gemm_expect(const struct program *p, unsigned line_bytes,
                        struct workload_expectation *e) {
    const struct gemm *g = p->self;
    const uint64_t warps = (uint64_t)g->size.ni * g->size.nj / WARP_SIZE, nk = g->size.nk;
    const uint64_t lines = host_row_lines(line_bytes);
    /* 10 instructions before the loop and 9 in it; of them 1 and 2 load and 1 and 1 store; all
     * lanes read the same element of A. */
    e->warp_instructions = warps * (10 + 9 * nk);
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    e->global_read_accesses = warps * (lines + (1 + lines) * nk);
    e->global_write_accesses = warps * (1 + nk) * lines;
}

const struct workload workload_gemm = {
    .name = "gemm",
    .suite = "polybench",
    .about = "C = alpha A B + beta C: coalesced and broadcast loads, a store in every step",
    .size_text = {[SIZE_TINY] = "64^3", [SIZE_SMALL] = "256^3", [SIZE_PAPER_MRPB] = "512^3"},
    .open = gemm_open,
    .check = gemm_check,
    .expect = gemm_expect,
    .close = host_close,
};
