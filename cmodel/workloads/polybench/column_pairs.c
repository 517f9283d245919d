/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/polybench/column_pairs.h"

#include <stdlib.h>

#include "workloads/polybench/stencil.h"

#define S PAIRS_STRIDE

static uint64_t data_count(const struct column_pairs *k) {
    return (uint64_t)(k->size.observations + 1) * S;
}

static uint64_t symmat_count(const struct column_pairs *k) {
    return (uint64_t)(k->size.variables + 1) * S;
}

static void fill(const struct column_pairs *k, float *data) {
    for (unsigned i = 0; i <= k->size.observations; i++) {
        for (unsigned j = 0; j <= k->size.variables; j++) {
            data[(size_t)i * S + j] = (float)i * (float)j / (float)k->size.variables;
        }
    }
}

bool pairs_open(struct column_pairs *k, const struct pairs_size *size, bool with_stddev) {
    struct device_memory *m = &k->host.memory;
    k->size = *size;
    if (!HOST_ALLOC(m, {&k->data, data_count(k), sizeof(float)},
                    {&k->symmat, symmat_count(k), sizeof(float)}) ||
        (with_stddev && !device_memory_alloc(m, &k->stddev, size->variables + 1, sizeof(float))) ||
        !device_memory_alloc(m, &k->mean, size->variables + 1, sizeof(float))) {
        return false;
    }
    fill(k, k->data.data);
    return true;
}

struct host_launch pairs_launch(const struct column_pairs *k, const struct kernel_code *code,
                                simt_kernel *kernel) {
    return (struct host_launch){
        .launch = {code, {k->size.variables / PAIRS_BLOCK, 1, 1}, {PAIRS_BLOCK, 1, 1}},
        .kernel = kernel};
}

struct host_launch pairs_launch_reduce(const struct column_pairs *k, const struct kernel_code *code,
                                       simt_kernel *kernel, unsigned grid_y) {
    return stencil_launch(code, grid_y * STENCIL_BLOCK_Y, k->size.variables, kernel);
}

enum { R_J, R_PREDICATE, R_MEAN_ADDRESS, R_DATA_ADDRESS, R_DATA, R_SUM };

#define MEAN(I) \
    I(ALU, MEAN_J, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, MEAN_INSIDE, OP_INT_ADD, R_PREDICATE, R_J) \
    I(BRANCH, MEAN_GUARD, R_PREDICATE) \
    I(ALU, MEAN_ADDRESS, OP_INT_MAD, R_MEAN_ADDRESS, R_J) \
    I(ALU, MEAN_DATA_ADDRESS, OP_INT_MAD, R_DATA_ADDRESS, R_J) \
    I(ALU, MEAN_ZERO, OP_INT_ADD, R_SUM, REG_NONE) \
    I(STORE, MEAN_STORE_ZERO, SPACE_GLOBAL, 4, R_SUM, R_MEAN_ADDRESS) \
    I(LOOP, MEAN_LOOP) \
    I(LOAD, MEAN_LOAD, SPACE_GLOBAL, 4, R_DATA, R_DATA_ADDRESS) \
    I(ALU, MEAN_ADD, OP_FP_ADD, R_SUM, R_SUM, R_DATA) \
    I(STORE, MEAN_STORE, SPACE_GLOBAL, 4, R_SUM, R_MEAN_ADDRESS) \
    I(ALU, MEAN_NEXT, OP_INT_ADD, R_DATA_ADDRESS, R_DATA_ADDRESS) \
    I(ALU, MEAN_NEXT_I, OP_INT_ADD, R_PREDICATE, R_DATA_ADDRESS) \
    I(ALU, MEAN_COMPARE, OP_INT_ADD, R_PREDICATE, R_PREDICATE) \
    I(BRANCH, MEAN_BRANCH, R_PREDICATE) \
    I(ALU, MEAN_DIVIDE, OP_FP_DIV, R_SUM, R_SUM) \
    I(STORE, MEAN_STORE_LAST, SPACE_GLOBAL, 4, R_SUM, R_MEAN_ADDRESS)
SIMT_CODE(mean, MEAN, .registers = 14);

/* mean[j] = 0; for i: mean[j] += data[i][j]; mean[j] /= FLOAT_N; */
static void mean_kernel(struct simt *s, const void *arguments) {
    const struct column_pairs *k = arguments;
    const int64_t j = (int64_t)s->cta[0] * s->block[0] + 1; /* of thread 0 */
    float sum[SIMT_THREADS] = {0}, data[SIMT_THREADS];

    simt_alus(s, MEAN_J, MEAN_ZERO);
    simt_store(s, MEAN_STORE_ZERO, sum, &k->mean, element_x(j, 1));
    SIMT_FOR(s, MEAN_LOOP, i, k->size.observations) {
        simt_load(s, MEAN_LOAD, data, &k->data, element_x((i + 1) * (int64_t)S + j, 1));
        SIMT_ALU(s, MEAN_ADD, t) {
            sum[t] += data[t];
        }
        simt_store(s, MEAN_STORE, sum, &k->mean, element_x(j, 1));
        simt_alus(s, MEAN_NEXT, MEAN_BRANCH);
    }
    SIMT_ALU(s, MEAN_DIVIDE, t) {
        sum[t] /= PAIRS_FLOAT_N;
    }
    simt_store(s, MEAN_STORE_LAST, sum, &k->mean, element_x(j, 1));
}

struct host_launch pairs_mean(const struct column_pairs *k) {
    return pairs_launch(k, &mean_code, mean_kernel);
}

enum { P_J1, P_J2, P_PREDICATE, P_RESULT, P_MIRROR, P_SUM, P_ADDRESS_1, P_ADDRESS_2, P_1, P_2 };

#define PAIRS(I) \
    I(ALU, J1, OP_INT_MAD, P_J1, REG_NONE) \
    I(ALU, INSIDE, OP_INT_ADD, P_PREDICATE, P_J1) \
    I(BRANCH, GUARD, P_PREDICATE) \
    I(ALU, ONE, OP_INT_MAD, P_RESULT, P_J1) \
    I(STORE, STORE_ONE, SPACE_GLOBAL, 4, P_RESULT, P_RESULT) \
    I(ALU, J2, OP_INT_ADD, P_J2, P_J1) \
    I(LOOP, OUTER) \
    I(ALU, ZERO, OP_INT_ADD, P_SUM, REG_NONE) \
    I(ALU, RESULT, OP_INT_MAD, P_RESULT, P_J1, P_J2) \
    I(ALU, ADDRESS_1, OP_INT_MAD, P_ADDRESS_1, P_J1) \
    I(ALU, ADDRESS_2, OP_INT_MAD, P_ADDRESS_2, P_J2) \
    I(STORE, STORE_ZERO, SPACE_GLOBAL, 4, P_SUM, P_RESULT) \
    I(LOOP, INNER) \
    I(LOAD, LOAD_1, SPACE_GLOBAL, 4, P_1, P_ADDRESS_1) \
    I(LOAD, LOAD_2, SPACE_GLOBAL, 4, P_2, P_ADDRESS_2) \
    I(ALU, FMA, OP_FP_MAD, P_SUM, P_1, P_2, P_SUM) \
    I(STORE, STORE, SPACE_GLOBAL, 4, P_SUM, P_RESULT) \
    I(ALU, NEXT_1, OP_INT_ADD, P_ADDRESS_1, P_ADDRESS_1) \
    I(ALU, NEXT_2, OP_INT_ADD, P_ADDRESS_2, P_ADDRESS_2) \
    I(ALU, COMPARE, OP_INT_ADD, P_PREDICATE, P_ADDRESS_1) \
    I(BRANCH, BRANCH, P_PREDICATE) \
    I(ALU, MIRROR, OP_INT_MAD, P_MIRROR, P_J1, P_J2) \
    I(STORE, STORE_MIRROR, SPACE_GLOBAL, 4, P_SUM, P_MIRROR) \
    I(ALU, NEXT_J2, OP_INT_ADD, P_J2, P_J2) \
    I(ALU, OUTER_COMPARE, OP_INT_ADD, P_PREDICATE, P_J2) \
    I(BRANCH, OUTER_BRANCH, P_PREDICATE)
SIMT_CODE(pairs, PAIRS, .registers = 20);

enum { PAIRS_INNER = 8, PAIRS_OUTER = 10 };

/* One step of the outer loop: the pairs that are @apart. */
static void pairs_step(struct simt *s, const struct column_pairs *k, int64_t j1, int64_t apart) {
    const int64_t j2 = j1 + apart;
    const struct element result = element_x(j1 * S + j2, S + 1);
    float a[SIMT_THREADS], b[SIMT_THREADS], sum[SIMT_THREADS] = {0};

    simt_alus(s, ZERO, ADDRESS_2);
    simt_store(s, STORE_ZERO, sum, &k->symmat, result);
    SIMT_FOR(s, INNER, i, k->size.observations) {
        const int64_t row = (i + 1) * (int64_t)S;
        simt_load(s, LOAD_1, a, &k->data, element_x(row + j1, 1));
        simt_load(s, LOAD_2, b, &k->data, element_x(row + j2, 1));
        SIMT_ALU(s, FMA, t) {
            sum[t] += a[t] * b[t];
        }
        simt_store(s, STORE, sum, &k->symmat, result);
        simt_alus(s, NEXT_1, BRANCH);
    }
    simt_alu(s, MIRROR);
    simt_store(s, STORE_MIRROR, sum, &k->symmat, element_x(j2 * S + j1, S + 1));
    simt_alus(s, NEXT_J2, OUTER_COMPARE);
}

/* for (j2 = j1 + first; j2 <= M; j2++) symmat[j1][j2] = symmat[j2][j1] = sum of products. */
static void pairs_loop(struct simt *s, const struct column_pairs *k, int64_t j1, int64_t first) {
    struct simt_mask again;
    int64_t apart = first;
    simt_alu(s, J2);
    SIMT_LOOP(s, OUTER) {
        pairs_step(s, k, j1, apart++);
        SIMT_WHERE(s, again, t, j1 + t + apart <= k->size.variables);
        simt_while(s, OUTER_BRANCH, &again);
    }
}

static void with_diagonal(struct simt *s, const void *arguments) {
    simt_alus(s, J1, GUARD); /* j1 <= M, always */
    pairs_loop(s, arguments, (int64_t)s->cta[0] * s->block[0] + 1, 0);
}

static void without_diagonal(struct simt *s, const void *arguments) {
    const struct column_pairs *k = arguments;
    const int64_t j1 = (int64_t)s->cta[0] * s->block[0] + 1; /* of thread 0 */
    float one[SIMT_THREADS];
    struct simt_mask inside;
    simt_alus(s, J1, INSIDE);
    SIMT_WHERE(s, inside, t, j1 + t < k->size.variables);
    SIMT_IF(s, GUARD, &inside) {
        SIMT_ALU(s, ONE, t) {
            one[t] = 1;
        }
        simt_store(s, STORE_ONE, one, &k->symmat, element_x(j1 * (S + 1), S + 1));
        pairs_loop(s, k, j1, 1);
    }
}

struct host_launch pairs_products(const struct column_pairs *k, bool diagonal) {
    return pairs_launch(k, &pairs_code, diagonal ? with_diagonal : without_diagonal);
}

void pairs_plain_start(const struct column_pairs *k, struct pairs_plain *c) {
    fill(k, c->data);
    for (unsigned j = 1; j <= k->size.variables; j++) {
        for (unsigned i = 1; i <= k->size.observations; i++) {
            c->mean[j] += c->data[(size_t)i * S + j];
        }
        c->mean[j] /= PAIRS_FLOAT_N;
    }
}

bool pairs_plain_open(const struct column_pairs *k, struct pairs_plain *c) {
    const size_t columns = k->size.variables + 1;
    *c = (struct pairs_plain){
        .data = calloc(data_count(k), sizeof(float)),
        .symmat = calloc(symmat_count(k), sizeof(float)),
        .stddev = calloc(columns, sizeof(float)),
        .mean = calloc(columns, sizeof(float)),
    };
    if (!c->data || !c->symmat || !c->stddev || !c->mean) {
        return false;
    }
    pairs_plain_start(k, c);
    return true;
}

void pairs_plain_products(const struct column_pairs *k, struct pairs_plain *c, bool diagonal) {
    const unsigned m = k->size.variables;
    for (unsigned a = 1; a <= m; a++) {
        float *row = &c->symmat[(size_t)a * S];
        for (unsigned i = 1; i <= k->size.observations; i++) {
            const float *data = &c->data[(size_t)i * S];
            for (unsigned b = a; b <= m; b++) {
                row[b] += data[a] * data[b];
            }
        }
        row[a] = diagonal ? row[a] : 1;
        for (unsigned b = a; b <= m; b++) {
            c->symmat[(size_t)b * S + a] = row[b];
        }
    }
}

void pairs_plain_close(struct pairs_plain *c) {
    free(c->data);
    free(c->symmat);
    free(c->stddev);
    free(c->mean);
}

uint64_t pairs_row_lines(const struct column_pairs *k, unsigned row, unsigned line_bytes) {
    return stencil_row_lines((uint64_t)row * S, 0, k->size.variables - 1, 1, line_bytes);
}

void pairs_expect_mean(const struct column_pairs *k, unsigned line_bytes,
                       struct workload_expectation *e) {
    const uint64_t warps = k->size.variables / WARP_SIZE, n = k->size.observations;
    /* 7 instructions before the loop, of which 1 stores, 7 in it, 2 behind it. */
    e->warp_instructions += warps * (7 + 7 * n + 2);
    e->thread_instructions += warps * WARP_SIZE * (7 + 7 * n + 2);
    e->global_write_accesses += (2 + n) * pairs_row_lines(k, 0, line_bytes);
    for (unsigned i = 1; i <= n; i++) {
        e->global_read_accesses += pairs_row_lines(k, i, line_bytes);
    }
}

/* The walk goes through the outer steps; in each, lanes @first on are active while j2 is inside. */
void pairs_expect_products(const struct column_pairs *k, bool diagonal, unsigned line_bytes,
                           struct workload_expectation *e) {
    const unsigned m = k->size.variables, n = k->size.observations;
    const unsigned threads = diagonal ? m : m - 1; /* inside the guard */
    for (unsigned first = 1; first <= m; first += WARP_SIZE) {
        const unsigned inside = threads - (first - 1) < WARP_SIZE ? threads - (first - 1) : 32;
        const unsigned before = diagonal ? 1 : 3;
        e->warp_instructions += 3 + before;
        e->thread_instructions += 3 * WARP_SIZE + before * inside;
        e->global_write_accesses += diagonal ? 0 : inside;
        for (unsigned apart = !diagonal; first + apart <= m; apart++) {
            const unsigned left = m - apart - first + 1;
            const uint64_t lanes = left < inside ? left : inside;
            e->warp_instructions += PAIRS_OUTER + PAIRS_INNER * n;
            e->thread_instructions += lanes * (PAIRS_OUTER + PAIRS_INNER * n);
            e->global_write_accesses += lanes * (2 + n); /* rows of the result are lines apart */
            for (unsigned i = 1; i <= n; i++) {
                const uint64_t at = (uint64_t)i * S + first;
                e->global_read_accesses +=
                    stencil_lines(at, at + lanes - 1, line_bytes) +
                    stencil_lines(at + apart, at + apart + lanes - 1, line_bytes);
            }
        }
    }
}
