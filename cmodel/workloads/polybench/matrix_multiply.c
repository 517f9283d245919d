/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/polybench/matrix_multiply.h"

static float input(const struct matrix *m, unsigned i, unsigned j) {
    if (m->divisor == 0) {
        return 0;
    }
    return ((float)i * (float)(j + m->shift) + (float)m->plus) / (float)m->divisor;
}

void matrix_fill(const struct matrix *m, float *data) {
    for (unsigned i = 0; i < m->rows; i++) {
        for (unsigned j = 0; j < m->columns; j++) {
            data[(size_t)i * m->columns + j] = input(m, i, j);
        }
    }
}

bool matrix_open(struct host *h, struct matrix *m) {
    uint64_t count = (uint64_t)m->rows * m->columns;
    if (!device_memory_alloc(&h->memory, &m->data, count, sizeof(float))) {
        return false;
    }
    matrix_fill(m, m->data.data);
    return true;
}

struct host_launch multiply_launch(const struct kernel_code *code, const struct matrix *z,
                                   simt_kernel *kernel) {
    return (struct host_launch){
        .launch = {code,
                   {z->columns / MULTIPLY_BLOCK_X, z->rows / MULTIPLY_BLOCK_Y, 1},
                   {MULTIPLY_BLOCK_X, MULTIPLY_BLOCK_Y, 1}},
        .kernel = kernel};
}

enum { R_J, R_I, R_Z_ADDRESS, R_Z, R_X_ADDRESS, R_X, R_Y_ADDRESS, R_Y, R_PREDICATE };

#define MULTIPLY(I) \
    I(ALU, J, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, I_, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_I, R_J) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, Z_ADDRESS, OP_INT_MAD, R_Z_ADDRESS, R_I, R_J) \
    I(LOAD, LOAD_Z, SPACE_GLOBAL, 4, R_Z, R_Z_ADDRESS) \
    I(ALU, Y_ADDRESS, OP_INT_MAD, R_Y_ADDRESS, R_J) \
    I(ALU, X_ADDRESS, OP_INT_MAD, R_X_ADDRESS, R_I) \
    I(LOOP, LOOP) \
    I(LOAD, LOAD_Y, SPACE_GLOBAL, 4, R_Y, R_Y_ADDRESS) \
    I(LOAD, LOAD_X, SPACE_GLOBAL, 4, R_X, R_X_ADDRESS) \
    I(ALU, FMA, OP_FP_MAD, R_Z, R_X, R_Y, R_Z) \
    I(STORE, STORE_Z, SPACE_GLOBAL, 4, R_Z, R_Z_ADDRESS) \
    I(ALU, NEXT_Y, OP_INT_ADD, R_Y_ADDRESS, R_Y_ADDRESS) \
    I(ALU, NEXT_X, OP_INT_ADD, R_X_ADDRESS, R_X_ADDRESS) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_X_ADDRESS) \
    I(BRANCH, BRANCH, R_PREDICATE)
SIMT_CODE(mm_kernel, MULTIPLY, .registers = 14);

/* The product of the current launch. */
static void multiply(struct simt *s, const void *arguments) {
    const struct products *w = arguments;
    const struct product *p = &w->product[w->host.launched - 1];
    const int64_t columns = p->z->columns, depth = p->x->columns;
    const int64_t j = (int64_t)s->cta[0] * s->block[0]; /* of thread (0, 0) */
    const int64_t i = (int64_t)s->cta[1] * s->block[1];
    const struct element z_ij = element_xy(i * columns + j, 1, columns);
    float x[SIMT_THREADS], y[SIMT_THREADS], z[SIMT_THREADS];

    simt_alus(s, J, Z_ADDRESS); /* i < rows && j < columns, always */
    simt_load(s, LOAD_Z, z, &p->z->data, z_ij);
    simt_alus(s, Y_ADDRESS, X_ADDRESS);
    SIMT_FOR(s, LOOP, k, p->x->columns) {
        simt_load(s, LOAD_Y, y, &p->y->data, element_xy(k * columns + j, 1, 0));
        simt_load(s, LOAD_X, x, &p->x->data, element_xy(i * depth + k, 0, depth));
        SIMT_ALU(s, FMA, t) {
            z[t] += x[t] * y[t];
        }
        simt_store(s, STORE_Z, z, &p->z->data, z_ij);
        simt_alus(s, NEXT_Y, BRANCH);
    }
}

void multiply_plain(float *z, const float *x, const float *y, const struct product *p,
                    float alpha) {
    const size_t depth = p->x->columns, columns = p->z->columns;
    for (size_t i = 0; i < p->z->rows; i++) {
        for (size_t k = 0; k < depth; k++) {
            float scaled = x[i * depth + k] * alpha;
            for (size_t j = 0; j < columns; j++) {
                z[i * columns + j] += scaled * y[k * columns + j];
            }
        }
    }
}

void multiply_expect(struct workload_expectation *e, const struct product *p, unsigned line_bytes,
                     unsigned before, unsigned body, unsigned stores_before) {
    const uint64_t warps = (uint64_t)p->z->rows * p->z->columns / WARP_SIZE;
    const uint64_t depth = p->x->columns, lines = host_row_lines(line_bytes);
    const uint64_t instructions = warps * (before + body * depth);
    e->warp_instructions += instructions;
    e->thread_instructions += instructions * WARP_SIZE;
    /* All lanes read the same element of x. */
    e->global_read_accesses += warps * (lines + (1 + lines) * depth);
    e->global_write_accesses += warps * (stores_before + depth) * lines;
}

bool products_open(struct products *w) {
    for (unsigned i = 0; i < w->matrices; i++) {
        if (!matrix_open(&w->host, &w->matrix[i])) {
            return false;
        }
    }
    for (unsigned i = 0; i < w->count; i++) {
        struct host_launch launch = multiply_launch(&mm_kernel_code, w->product[i].z, multiply);
        host_add_launch(&w->host, &launch);
    }
    return true;
}

bool products_plain(void *self, void *const expected[]) {
    const struct products *w = self;
    for (unsigned i = 0; i < w->matrices; i++) {
        matrix_fill(&w->matrix[i], expected[i]);
    }
    for (unsigned i = 0; i < w->count; i++) {
        const struct product *p = &w->product[i];
        multiply_plain(expected[p->z - w->matrix], expected[p->x - w->matrix],
                       expected[p->y - w->matrix], p, 1);
    }
    return true;
}

void products_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct products *w = self;
    for (unsigned i = 0; i < w->count; i++) {
        multiply_expect(e, &w->product[i], line_bytes, 8, 8, 0);
    }
}
