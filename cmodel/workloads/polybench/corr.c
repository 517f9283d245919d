/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU corr: the correlation of each pair of columns, as four launches: means, standard
 * deviations, data less means over deviations, products (polybench/column_pairs.h).
 *
 * A deviation of at most 0.005 becomes 1, by a second store: with inputs that grow with the column
 * this is so in the first columns alone. Sizes as covar's; the third launch has all rows.
 */
#include <math.h>

#include "workloads/polybench/column_pairs.h"
#include "workloads/polybench/stencil.h"
#include "workloads/workloads.h"

#define EPSILON 0.005f

static const struct pairs_size sizes[] = {
    [SIZE_TINY] = {256, 8},
    [SIZE_SMALL] = {1024, 16},
    [SIZE_PAPER] = {2048, 128},
};

enum { R_J, R_PREDICATE, R_STD_ADDRESS, R_ADDRESS, R_MEAN_ADDRESS, R_DATA, R_MEAN, R_STD, R_I };

#define STD(I) \
    I(ALU, S_J, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, S_INSIDE, OP_INT_ADD, R_PREDICATE, R_J) \
    I(BRANCH, S_GUARD, R_PREDICATE) \
    I(ALU, S_STD_ADDRESS, OP_INT_MAD, R_STD_ADDRESS, R_J) \
    I(ALU, S_MEAN_ADDRESS, OP_INT_MAD, R_MEAN_ADDRESS, R_J) \
    I(ALU, S_ADDRESS, OP_INT_MAD, R_ADDRESS, R_J) \
    I(ALU, S_ZERO, OP_INT_ADD, R_STD, REG_NONE) \
    I(STORE, S_STORE_ZERO, SPACE_GLOBAL, 4, R_STD, R_STD_ADDRESS) \
    I(LOOP, S_LOOP) \
    I(LOAD, S_LOAD_MEAN, SPACE_GLOBAL, 4, R_MEAN, R_MEAN_ADDRESS) \
    I(LOAD, S_LOAD, SPACE_GLOBAL, 4, R_DATA, R_ADDRESS) \
    I(ALU, S_SUB, OP_FP_ADD, R_DATA, R_DATA, R_MEAN) \
    I(ALU, S_FMA, OP_FP_MAD, R_STD, R_DATA, R_DATA, R_STD) \
    I(STORE, S_STORE, SPACE_GLOBAL, 4, R_STD, R_STD_ADDRESS) \
    I(ALU, S_NEXT, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(ALU, S_COMPARE, OP_INT_ADD, R_PREDICATE, R_ADDRESS) \
    I(BRANCH, S_BRANCH, R_PREDICATE) \
    I(ALU, S_DIVIDE, OP_FP_DIV, R_STD, R_STD) \
    I(ALU, S_SQRT, OP_SFU, R_STD, R_STD) \
    I(STORE, S_STORE_ROOT, SPACE_GLOBAL, 4, R_STD, R_STD_ADDRESS) \
    I(ALU, S_SMALL, OP_FP_MAX, R_PREDICATE, R_STD) \
    I(BRANCH, S_IF_SMALL, R_PREDICATE) \
    I(ALU, S_ONE, OP_INT_ADD, R_STD, REG_NONE) \
    I(STORE, S_STORE_ONE, SPACE_GLOBAL, 4, R_STD, R_STD_ADDRESS)
SIMT_CODE(corr_std, STD, .registers = 14);

enum { STD_BEFORE = 8, STD_LOOP = 8, STD_BEHIND = 5, STD_SMALL = 2 };

/* for i: std[j] += (data[i][j] - mean[j])^2; std[j] = sqrt(std[j] / FLOAT_N), or 1; */
static void std_kernel(struct simt *s, const void *arguments) {
    const struct column_pairs *k = arguments;
    const int64_t j = (int64_t)s->cta[0] * s->block[0] + 1; /* of thread 0 */
    const struct element at_j = element_x(j, 1);
    float sum[SIMT_THREADS] = {0}, data[SIMT_THREADS], mean[SIMT_THREADS];
    struct simt_mask few;

    simt_alus(s, S_J, S_ZERO);
    simt_store(s, S_STORE_ZERO, sum, &k->stddev, at_j);
    SIMT_FOR(s, S_LOOP, i, k->size.observations) {
        simt_load(s, S_LOAD_MEAN, mean, &k->mean, at_j);
        simt_load(s, S_LOAD, data, &k->data, element_x((i + 1) * (int64_t)PAIRS_STRIDE + j, 1));
        simt_alu(s, S_SUB);
        SIMT_ALU(s, S_FMA, t) {
            sum[t] += (data[t] - mean[t]) * (data[t] - mean[t]);
        }
        simt_store(s, S_STORE, sum, &k->stddev, at_j);
        simt_alus(s, S_NEXT, S_BRANCH);
    }
    simt_alu(s, S_DIVIDE);
    SIMT_ALU(s, S_SQRT, t) {
        sum[t] = sqrtf(sum[t] / PAIRS_FLOAT_N);
    }
    simt_store(s, S_STORE_ROOT, sum, &k->stddev, at_j);
    simt_alu(s, S_SMALL);
    SIMT_WHERE(s, few, t, sum[t] <= EPSILON);
    SIMT_IF(s, S_IF_SMALL, &few) {
        SIMT_ALU(s, S_ONE, t) {
            sum[t] = 1;
        }
        simt_store(s, S_STORE_ONE, sum, &k->stddev, at_j);
    }
}

#define REDUCE(I) \
    I(ALU, R_J_, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, R_I_, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, R_INSIDE, OP_INT_ADD, R_PREDICATE, R_I, R_J) \
    I(BRANCH, R_GUARD, R_PREDICATE) \
    I(ALU, R_AT, OP_INT_MAD, R_ADDRESS, R_I, R_J) \
    I(ALU, R_AT_MEAN, OP_INT_MAD, R_MEAN_ADDRESS, R_J) \
    I(ALU, R_AT_STD, OP_INT_MAD, R_STD_ADDRESS, R_J) \
    I(LOAD, R_LOAD, SPACE_GLOBAL, 4, R_DATA, R_ADDRESS) \
    I(LOAD, R_LOAD_MEAN, SPACE_GLOBAL, 4, R_MEAN, R_MEAN_ADDRESS) \
    I(ALU, R_SUB, OP_FP_ADD, R_DATA, R_DATA, R_MEAN) \
    I(STORE, R_STORE, SPACE_GLOBAL, 4, R_DATA, R_ADDRESS) \
    I(LOAD, R_LOAD_STD, SPACE_GLOBAL, 4, R_STD, R_STD_ADDRESS) \
    I(ALU, R_SCALE, OP_FP_MUL, R_STD, R_STD) \
    I(ALU, R_DIVIDE, OP_FP_DIV, R_DATA, R_DATA, R_STD) \
    I(STORE, R_STORE_LAST, SPACE_GLOBAL, 4, R_DATA, R_ADDRESS)
SIMT_CODE(corr_reduce, REDUCE, .registers = 16);

enum { REDUCE_ALL = 15 };

/* data[i][j] -= mean[j]; data[i][j] /= sqrt(FLOAT_N) * std[j]; */
static void reduce(struct simt *s, const void *arguments) {
    const struct column_pairs *k = arguments;
    const int64_t j = (int64_t)s->cta[0] * s->block[0] + 1; /* of thread (0, 0) */
    const int64_t i = (int64_t)s->cta[1] * s->block[1] + 1;
    const struct element at = element_xy(i * PAIRS_STRIDE + j, 1, PAIRS_STRIDE);
    const struct element at_j = element_xy(j, 1, 0);
    const float root = sqrtf(PAIRS_FLOAT_N);
    float data[SIMT_THREADS], mean[SIMT_THREADS], std[SIMT_THREADS];

    simt_alus(s, R_J_, R_AT_STD); /* both inside, always */
    simt_load(s, R_LOAD, data, &k->data, at);
    simt_load(s, R_LOAD_MEAN, mean, &k->mean, at_j);
    SIMT_ALU(s, R_SUB, t) {
        data[t] -= mean[t];
    }
    simt_store(s, R_STORE, data, &k->data, at);
    simt_load(s, R_LOAD_STD, std, &k->stddev, at_j);
    simt_alu(s, R_SCALE);
    SIMT_ALU(s, R_DIVIDE, t) {
        data[t] /= root * std[t];
    }
    simt_store(s, R_STORE_LAST, data, &k->data, at);
}

static bool corr_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct column_pairs *k = self;
    if (!pairs_open(k, &sizes[size], true)) {
        return false;
    }
    struct host_launch launches[] = {
        pairs_mean(k), pairs_launch(k, &corr_std_code, std_kernel),
        pairs_launch_reduce(k, &corr_reduce_code, reduce, k->size.observations / STENCIL_BLOCK_Y),
        pairs_products(k, false)};
    for (unsigned i = 0; i < sizeof launches / sizeof *launches; i++) {
        host_add_launch(&k->host, &launches[i]);
    }
    /* The last element of the diagonal has no thread: the host writes it. It does so behind the
     * launches, but none of them accesses it. */
    ((float *)k->symmat.data)[(size_t)k->size.variables * (PAIRS_STRIDE + 1)] = 1;
    return true;
}

/* Deviations, before those that are too small become 1. */
static void plain_deviations(const struct column_pairs *k, struct pairs_plain *c) {
    for (unsigned j = 1; j <= k->size.variables; j++) {
        for (unsigned i = 1; i <= k->size.observations; i++) {
            float d = c->data[(size_t)i * PAIRS_STRIDE + j] - c->mean[j];
            c->stddev[j] += d * d;
        }
        c->stddev[j] = sqrtf(c->stddev[j] / PAIRS_FLOAT_N);
    }
}

static void plain_reduce(const struct column_pairs *k, struct pairs_plain *c) {
    const float root = sqrtf(PAIRS_FLOAT_N);
    for (unsigned j = 1; j <= k->size.variables; j++) {
        c->stddev[j] = c->stddev[j] <= EPSILON ? 1 : c->stddev[j];
        for (unsigned i = 1; i <= k->size.observations; i++) {
            float *data = &c->data[(size_t)i * PAIRS_STRIDE + j];
            *data = (*data - c->mean[j]) / (root * c->stddev[j]);
        }
    }
}

static const struct workload_result results[] = {FLOATS("mean", column_pairs, mean),
                                                 FLOATS("stddev", column_pairs, stddev),
                                                 FLOATS("data", column_pairs, data),
                                                 FLOATS("symmat", column_pairs, symmat),
                                                 {0}};

static bool corr_plain(void *self, void *const expected[]) {
    struct column_pairs *k = self;
    struct pairs_plain c = {
        .mean = expected[0], .stddev = expected[1], .data = expected[2], .symmat = expected[3]};
    pairs_plain_start(k, &c);
    plain_deviations(k, &c);
    plain_reduce(k, &c);
    pairs_plain_products(k, &c, false);
    return true;
}

/* The stores of the deviations that are too small: by a walk over them. */
static void expect_small(const struct column_pairs *k, unsigned line_bytes,
                         struct workload_expectation *e) {
    struct pairs_plain c;
    uint64_t warp = UINT64_MAX, line = UINT64_MAX; /* of the one before */
    if (pairs_plain_open(k, &c)) {
        plain_deviations(k, &c);
        for (unsigned j = 1; j <= k->size.variables; j++) {
            if (c.stddev[j] <= EPSILON) {
                bool new_warp = (j - 1) / WARP_SIZE != warp;
                e->warp_instructions += new_warp ? STD_SMALL : 0;
                e->thread_instructions += STD_SMALL;
                e->global_write_accesses += new_warp || j * 4 / line_bytes != line;
                warp = (j - 1) / WARP_SIZE;
                line = j * 4 / line_bytes;
            }
        }
    }
    pairs_plain_close(&c);
}

static void corr_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct column_pairs *k = self;
    const uint64_t n = k->size.observations, warps = k->size.variables / WARP_SIZE;
    const uint64_t both = warps * (STD_BEFORE + STD_LOOP * n + STD_BEHIND + REDUCE_ALL * n);
    const uint64_t vector = pairs_row_lines(k, 0, line_bytes); /* of means or deviations */
    pairs_expect_mean(k, line_bytes, e);
    e->warp_instructions += both;
    e->thread_instructions += both * WARP_SIZE;
    e->global_read_accesses += 3 * n * vector;        /* launch 2 once a row, launch 3 twice */
    e->global_write_accesses += (1 + n + 1) * vector; /* launch 2 */
    for (unsigned i = 1; i <= n; i++) {
        uint64_t lines = pairs_row_lines(k, i, line_bytes);
        e->global_read_accesses += 2 * lines;  /* both launches */
        e->global_write_accesses += 2 * lines; /* launch 3, twice */
    }
    expect_small(k, line_bytes, e);
    pairs_expect_products(k, false, line_bytes, e);
}

const struct workload workload_corr = {
    .name = "corr",
    .suite = "polybench",
    .about = "correlation of columns: coalesced loads, a store to 32 lines in every step",
    .size_text = {[SIZE_TINY] = "256 variables, 8 observations",
                  [SIZE_SMALL] = "1024 variables, 16 observations",
                  [SIZE_PAPER] = "2048 variables, 128 observations (release: 2048)"},
    .bytes = sizeof(struct column_pairs),
    .open = corr_open,
    .results = results,
    .plain = corr_plain,
    .expect = corr_expect,
};
