/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU gramschm: A = Q R by Gram and Schmidt, three launches a column k. The first is one
 * thread that walks down column k (latency); in the second each load and store touches 32 rows; in
 * the third a warp reads and writes lines of A in each of two loops, and its threads leave as k
 * passes them. The specification gives no inputs, which have no part in the accesses: A is random,
 * so that no norm vanishes.
 */
#include <math.h>

#include "workloads/host.h"
#include "workloads/workloads.h"

#define BLOCK 256

/* A, Q are rows x columns, both multiples of BLOCK. MRPB scaled inputs to between 17 M and 3.7 G
 * thread instructions: of the powers of two, N = 512 (1.2 G) is the largest. Rows are then 2 KB in
 * every size; the smaller ones stop after a few columns. */
static const struct size {
    unsigned rows, columns;
    unsigned stride; /* elements from a row to the next */
    unsigned done;   /* columns of Q that are worked out */
} sizes[] = {
    [SIZE_TINY] = {256, 256, 512, 2},
    [SIZE_SMALL] = {512, 512, 512, 32},
    [SIZE_PAPER_MRPB] = {512, 512, 512, 512},
};

struct gramschm {
    struct host host;
    struct size size;
    uint64_t seed;
    unsigned k; /* of the current launch */
    struct buffer a, r, q;
};

enum {
    R_ID,
    R_PREDICATE,
    R_A_ADDRESS,
    R_A,
    R_SUM,
    R_R_ADDRESS,
    REGISTERS_1 = 8,
    R_R = R_R_ADDRESS + 1,
    R_Q_ADDRESS,
    R_Q,
    REGISTERS_2 = 14,
    REGISTERS_3 = 17
};

/* if (id == 0) { nrm = 0; for (i = 0; i < NI; i++) nrm += A[i][k] * A[i][k]; R[k][k] = sqrt(nrm); }
 */
#define NORM(I) \
    I(ALU, K1_ID, OP_INT_MAD, R_ID, REG_NONE) \
    I(ALU, K1_GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID) \
    I(BRANCH, K1_GUARD, R_PREDICATE) \
    I(ALU, K1_A_ADDRESS, OP_INT_MAD, R_A_ADDRESS, REG_NONE) \
    I(ALU, K1_ZERO, OP_INT_ADD, R_SUM, REG_NONE) \
    I(LOOP, K1_EACH) \
    I(LOAD, K1_LOAD_A, SPACE_GLOBAL, 4, R_A, R_A_ADDRESS) \
    I(ALU, K1_FMA, OP_FP_MAD, R_SUM, R_A, R_A, R_SUM) \
    I(ALU, K1_NEXT, OP_INT_ADD, R_A_ADDRESS, R_A_ADDRESS) \
    I(ALU, K1_COMPARE, OP_INT_ADD, R_PREDICATE, R_A_ADDRESS) \
    I(BRANCH, K1_BRANCH, R_PREDICATE) \
    I(ALU, K1_ROOT, OP_SFU, R_SUM, R_SUM) \
    I(ALU, K1_R_ADDRESS, OP_INT_MAD, R_R_ADDRESS, REG_NONE) \
    I(STORE, K1_STORE_R, SPACE_GLOBAL, 4, R_SUM, R_R_ADDRESS)
SIMT_CODE(gramschm_kernel1, NORM, .registers = REGISTERS_1);

static void kernel_1(struct simt *s, const void *arguments) {
    const struct gramschm *g = arguments;
    const int64_t row = g->size.stride;
    const struct element r_kk = element_at(g->k * row + g->k);
    float a[SIMT_THREADS], norm[SIMT_THREADS];
    struct simt_mask first;

    simt_alus(s, K1_ID, K1_GUARD_COMPARE);
    SIMT_WHERE(s, first, t, t == 0);
    SIMT_IF(s, K1_GUARD, &first) {
        simt_alus(s, K1_A_ADDRESS, K1_ZERO);
        norm[0] = 0;
        SIMT_FOR(s, K1_EACH, i, g->size.rows) {
            simt_load(s, K1_LOAD_A, a, &g->a, element_at(i * row + g->k));
            SIMT_ALU(s, K1_FMA, t) {
                norm[t] += a[t] * a[t];
            }
            simt_alus(s, K1_NEXT, K1_BRANCH);
        }
        SIMT_ALU(s, K1_ROOT, t) {
            norm[t] = sqrtf(norm[t]);
        }
        simt_alu(s, K1_R_ADDRESS);
        simt_store(s, K1_STORE_R, norm, &g->r, r_kk);
    }
}

/* Q[id][k] = A[id][k] / R[k][k]; */
#define SCALE(I) \
    I(ALU, K2_ID, OP_INT_MAD, R_ID, REG_NONE) \
    I(ALU, K2_GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID) \
    I(BRANCH, K2_GUARD, R_PREDICATE) \
    I(ALU, K2_A_ADDRESS, OP_INT_MAD, R_A_ADDRESS, R_ID) \
    I(ALU, K2_R_ADDRESS, OP_INT_MAD, R_R_ADDRESS, REG_NONE) \
    I(LOAD, K2_LOAD_A, SPACE_GLOBAL, 4, R_A, R_A_ADDRESS) \
    I(LOAD, K2_LOAD_R, SPACE_GLOBAL, 4, R_R, R_R_ADDRESS) \
    I(ALU, K2_DIVIDE, OP_FP_DIV, R_Q, R_A, R_R) \
    I(ALU, K2_Q_ADDRESS, OP_INT_MAD, R_Q_ADDRESS, R_ID) \
    I(STORE, K2_STORE_Q, SPACE_GLOBAL, 4, R_Q, R_Q_ADDRESS)
SIMT_CODE(gramschm_kernel2, SCALE, .registers = REGISTERS_2);

static void kernel_2(struct simt *s, const void *arguments) {
    const struct gramschm *g = arguments;
    const int64_t id = (int64_t)s->cta[0] * s->block[0], row = g->size.stride;
    const struct element column = element_x(id * row + g->k, row);
    float a[SIMT_THREADS], r[SIMT_THREADS], q[SIMT_THREADS];

    simt_alus(s, K2_ID, K2_R_ADDRESS); /* the guard holds for all */
    simt_load(s, K2_LOAD_A, a, &g->a, column);
    simt_load(s, K2_LOAD_R, r, &g->r, element_at(g->k * row + g->k));
    SIMT_ALU(s, K2_DIVIDE, t) {
        q[t] = a[t] / r[t];
    }
    simt_alu(s, K2_Q_ADDRESS);
    simt_store(s, K2_STORE_Q, q, &g->q, column);
}

/* if (id > k) { R[k][id] = 0;
 *     for (i = 0; i < NI; i++) R[k][id] += Q[i][k] * A[i][id];
 *     for (i = 0; i < NI; i++) A[i][id] -= Q[i][k] * R[k][id]; } */
#define PROJECT(I) \
    I(ALU, K3_ID, OP_INT_MAD, R_ID, REG_NONE) \
    I(ALU, K3_GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID) \
    I(BRANCH, K3_GUARD, R_PREDICATE) \
    I(ALU, K3_R_ADDRESS, OP_INT_MAD, R_R_ADDRESS, R_ID) \
    I(ALU, K3_ZERO, OP_INT_ADD, R_SUM, REG_NONE) \
    I(STORE, K3_CLEAR_R, SPACE_GLOBAL, 4, R_SUM, R_R_ADDRESS) \
    I(ALU, K3_A_ADDRESS, OP_INT_MAD, R_A_ADDRESS, R_ID) \
    I(ALU, K3_Q_ADDRESS, OP_INT_MAD, R_Q_ADDRESS, REG_NONE) \
    I(LOOP, K3_DOT) \
    I(LOAD, K3_LOAD_A, SPACE_GLOBAL, 4, R_A, R_A_ADDRESS) \
    I(LOAD, K3_LOAD_Q, SPACE_GLOBAL, 4, R_Q, R_Q_ADDRESS) \
    I(ALU, K3_FMA, OP_FP_MAD, R_SUM, R_A, R_Q, R_SUM) \
    I(STORE, K3_STORE_R, SPACE_GLOBAL, 4, R_SUM, R_R_ADDRESS) \
    I(ALU, K3_NEXT_A, OP_INT_ADD, R_A_ADDRESS, R_A_ADDRESS) \
    I(ALU, K3_NEXT_Q, OP_INT_ADD, R_Q_ADDRESS, R_Q_ADDRESS) \
    I(ALU, K3_COMPARE, OP_INT_ADD, R_PREDICATE, R_Q_ADDRESS) \
    I(BRANCH, K3_BRANCH, R_PREDICATE) \
    I(ALU, K3_A_AGAIN, OP_INT_MAD, R_A_ADDRESS, R_ID) \
    I(ALU, K3_Q_AGAIN, OP_INT_MAD, R_Q_ADDRESS, REG_NONE) \
    I(LOOP, K3_SUBTRACT) \
    I(LOAD, K3_RELOAD_R, SPACE_GLOBAL, 4, R_R, R_R_ADDRESS) \
    I(LOAD, K3_RELOAD_Q, SPACE_GLOBAL, 4, R_Q, R_Q_ADDRESS) \
    I(LOAD, K3_RELOAD_A, SPACE_GLOBAL, 4, R_A, R_A_ADDRESS) \
    I(ALU, K3_FNMA, OP_FP_MAD, R_A, R_Q, R_R, R_A) \
    I(STORE, K3_STORE_A, SPACE_GLOBAL, 4, R_A, R_A_ADDRESS) \
    I(ALU, K3_NEXT_A_2, OP_INT_ADD, R_A_ADDRESS, R_A_ADDRESS) \
    I(ALU, K3_NEXT_Q_2, OP_INT_ADD, R_Q_ADDRESS, R_Q_ADDRESS) \
    I(ALU, K3_COMPARE_2, OP_INT_ADD, R_PREDICATE, R_Q_ADDRESS) \
    I(BRANCH, K3_BRANCH_2, R_PREDICATE)
SIMT_CODE(gramschm_kernel3, PROJECT, .registers = REGISTERS_3);

static void kernel_3(struct simt *s, const void *arguments) {
    const struct gramschm *g = arguments;
    const int64_t id = (int64_t)s->cta[0] * s->block[0], row = g->size.stride;
    const struct element r_k = element_x(g->k * row + id, 1);
    float a[SIMT_THREADS], r[SIMT_THREADS], q[SIMT_THREADS];
    struct simt_mask right;

    simt_alus(s, K3_ID, K3_GUARD_COMPARE);
    SIMT_WHERE(s, right, t, id + t > g->k);
    SIMT_IF(s, K3_GUARD, &right) {
        simt_alu(s, K3_R_ADDRESS);
        SIMT_ALU(s, K3_ZERO, t) {
            r[t] = 0;
        }
        simt_store(s, K3_CLEAR_R, r, &g->r, r_k);
        simt_alus(s, K3_A_ADDRESS, K3_Q_ADDRESS);
        SIMT_FOR(s, K3_DOT, i, g->size.rows) {
            simt_load(s, K3_LOAD_A, a, &g->a, element_x(i * row + id, 1));
            simt_load(s, K3_LOAD_Q, q, &g->q, element_at(i * row + g->k));
            SIMT_ALU(s, K3_FMA, t) {
                r[t] += q[t] * a[t];
            }
            simt_store(s, K3_STORE_R, r, &g->r, r_k);
            simt_alus(s, K3_NEXT_A, K3_BRANCH);
        }
        simt_alus(s, K3_A_AGAIN, K3_Q_AGAIN);
        SIMT_FOR(s, K3_SUBTRACT, i, g->size.rows) {
            simt_load(s, K3_RELOAD_R, r, &g->r, r_k);
            simt_load(s, K3_RELOAD_Q, q, &g->q, element_at(i * row + g->k));
            simt_load(s, K3_RELOAD_A, a, &g->a, element_x(i * row + id, 1));
            SIMT_ALU(s, K3_FNMA, t) {
                a[t] -= q[t] * r[t];
            }
            simt_store(s, K3_STORE_A, a, &g->a, element_x(i * row + id, 1));
            simt_alus(s, K3_NEXT_A_2, K3_BRANCH_2);
        }
    }
}

static bool step(void *self, unsigned step, struct host_launch *out) {
    struct gramschm *g = self;
    const unsigned down = g->size.rows / BLOCK, across = g->size.columns / BLOCK;
    const struct host_launch launches[] = {
        {{&gramschm_kernel1_code, {1, 1, 1}, {BLOCK, 1, 1}}, kernel_1},
        {{&gramschm_kernel2_code, {down, 1, 1}, {BLOCK, 1, 1}}, kernel_2},
        {{&gramschm_kernel3_code, {across, 1, 1}, {BLOCK, 1, 1}}, kernel_3},
    };
    if (step == 3 * g->size.done) {
        return false;
    }
    g->k = step / 3;
    *out = launches[step % 3];
    return true;
}

static void fill(const struct size *n, float *a, uint64_t seed) {
    for (unsigned i = 0; i < n->rows; i++) {
        for (unsigned j = 0; j < n->columns; j++) {
            a[(size_t)i * n->stride + j] = host_uniform(&seed);
        }
    }
}

static bool gramschm_open(void *self, enum workload_size size, uint64_t seed) {
    struct gramschm *g = self;
    const struct size *n = &sizes[size];
    g->size = *n;
    g->seed = seed;
    if (!HOST_ALLOC(&g->host.memory, {&g->a, (uint64_t)n->rows * n->stride, sizeof(float)},
                    {&g->r, (uint64_t)n->columns * n->stride, sizeof(float)},
                    {&g->q, (uint64_t)n->rows * n->stride, sizeof(float)})) {
        return false;
    }
    fill(n, g->a.data, seed);
    host_set_step(&g->host, step);
    return true;
}

/* Column k of Q, row k of R, and what remains of A. */
static void orthogonalise(const struct size *n, unsigned k, float *a, float *r, float *q) {
    const size_t row = n->stride;
    float norm = 0;
    for (unsigned i = 0; i < n->rows; i++) {
        norm += a[i * row + k] * a[i * row + k];
    }
    r[k * row + k] = sqrtf(norm);
    for (unsigned i = 0; i < n->rows; i++) {
        q[i * row + k] = a[i * row + k] / r[k * row + k];
    }
    for (unsigned j = k + 1; j < n->columns; j++) {
        for (unsigned i = 0; i < n->rows; i++) {
            r[k * row + j] += q[i * row + k] * a[i * row + j];
        }
        for (unsigned i = 0; i < n->rows; i++) {
            a[i * row + j] -= q[i * row + k] * r[k * row + j];
        }
    }
}

static const struct workload_result results[] = {
    FLOATS("R", gramschm, r), FLOATS("Q", gramschm, q), FLOATS("A", gramschm, a), {0}};

static bool gramschm_plain(void *self, void *const expected[]) {
    struct gramschm *g = self;
    float *r = expected[0], *q = expected[1], *a = expected[2];
    const struct size *n = &g->size;
    fill(n, a, g->seed);
    for (unsigned k = 0; k < n->done; k++) {
        orthogonalise(n, k, a, r, q);
    }
    return true;
}

static void gramschm_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct gramschm *g = self;
    const uint64_t ni = g->size.rows, nj = g->size.columns, line = line_bytes / sizeof(float);
    const uint64_t block_warps = BLOCK / WARP_SIZE;
    for (unsigned k = 0; k < g->size.done; k++) {
        /* Columns k + 1 .. nj - 1: threads, warps and lines of a row. */
        const uint64_t threads = nj - 1 - k;
        const uint64_t warps = nj / WARP_SIZE - (k + 1) / WARP_SIZE;
        const uint64_t lines = nj / line - (k + 1) / line;
        /* A guard of 3 instructions; behind it one thread's 5 and 5 a row; 7 of all; 7 of those
         * right of k and 8 and 9 a row. */
        e->warp_instructions += 3 * block_warps + 5 + 5 * ni;
        e->thread_instructions += 3 * BLOCK + 5 + 5 * ni;
        e->warp_instructions += ni / WARP_SIZE * (3 + 7);
        e->thread_instructions += ni * (3 + 7);
        e->warp_instructions += 3 * nj / WARP_SIZE + warps * (7 + (8 + 9) * ni);
        e->thread_instructions += 3 * nj + threads * (7 + (8 + 9) * ni);
        e->global_read_accesses += ni + ni / WARP_SIZE * (WARP_SIZE + 1);
        e->global_read_accesses += ni * (lines + warps + 2 * lines + warps);
        e->global_write_accesses += 1 + ni + lines * (1 + 2 * ni);
    }
}

const struct workload workload_gramschm = {
    .name = "gramschm",
    .suite = "polybench",
    .about = "A = Q R: a serial column, 32 rows an access, then coalesced, three launches a column",
    .size_text = {[SIZE_TINY] = "256 rows and columns of 512, 2 of them done",
                  [SIZE_SMALL] = "N = 512, 32 columns done",
                  [SIZE_PAPER_MRPB] = "N = 512, the largest below MRPB's 3.7 G instructions"},
    .bytes = sizeof(struct gramschm),
    .open = gramschm_open,
    .results = results,
    .plain = gramschm_plain,
    .expect = gramschm_expect,
};
