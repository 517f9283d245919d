/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/polybench/matrix_vector.h"

static void load_a(struct simt *s, const struct dot *d, int64_t id, unsigned i, float *a) {
    const int64_t row = d->size->stride;
    simt_load(s, d->load_a, a, d->a,
              d->along_rows ? element_x(id * row + i, row) : element_x(i * row + id, 1));
}

void dot_kernel(struct simt *s, const struct dot *d) {
    const int64_t id = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    const struct element own = element_x(id, 1);
    const unsigned steps = d->along_rows ? d->size->columns : d->size->rows;
    float sum[SIMT_THREADS], a[SIMT_THREADS], x[SIMT_THREADS];

    /* The guard holds for all. */
    simt_alus(s, 0, d->start - 1);
    if (d->clear) {
        SIMT_EACH(s, t) {
            sum[t] = 0;
        }
        simt_store(s, d->start, sum, d->sum, own);
    } else {
        simt_load(s, d->start, sum, d->sum, own);
    }
    simt_alus(s, d->start + 1, d->loop - 1);
    SIMT_FOR(s, d->loop, i, steps) {
        if (d->load_a < d->load_x) {
            load_a(s, d, id, i, a);
        }
        simt_load(s, d->load_x, x, d->x, element_at(i));
        if (d->load_x < d->load_a) {
            load_a(s, d, id, i, a);
        }
        SIMT_ALU(s, d->fma, t) {
            sum[t] += a[t] * x[t];
        }
        simt_store(s, d->fma + 1, sum, d->sum, own);
        simt_alus(s, d->fma + 2, d->fma + 5);
    }
}

void dot_launch(struct host *h, const struct matrix_vector *size, bool along_rows,
                const struct kernel_code *code, simt_kernel *kernel) {
    const unsigned threads = along_rows ? size->rows : size->columns;
    host_add_launch(
        h, &(struct host_launch){.launch = {code, {threads / DOT_BLOCK, 1, 1}, {DOT_BLOCK, 1, 1}},
                                 .kernel = kernel});
}

void dot_expect(struct workload_expectation *e, const struct matrix_vector *size, bool along_rows,
                bool clear, unsigned line_bytes) {
    const uint64_t warps = (along_rows ? size->rows : size->columns) / WARP_SIZE;
    const uint64_t steps = along_rows ? size->columns : size->rows;
    const uint64_t lines = host_row_lines(line_bytes);
    const uint64_t insns =
        warps * ((clear ? DOT_BEFORE_CLEAR : DOT_BEFORE_READ) + DOT_STEP * steps);
    e->warp_instructions += insns;
    e->thread_instructions += insns * WARP_SIZE;
    /* Along rows 32 lines a load of A, since a row is at least a line long; 1 of x, since all lanes
     * read the same element. */
    e->global_read_accesses +=
        warps * ((clear ? 0 : lines) + steps * ((along_rows ? WARP_SIZE : lines) + 1));
    e->global_write_accesses += warps * ((clear ? lines : 0) + steps * lines);
}

float matrix_vector_a(const struct matrix_vector *size, unsigned i, unsigned j) {
    return (float)i * (float)j / (float)size->rows;
}

float matrix_vector_x(unsigned i) {
    return (float)i * 3.14159f;
}

void matrix_vector_fill(const struct matrix_vector *size, const struct buffer *a) {
    float *to = a->data;
    for (unsigned i = 0; i < size->rows; i++) {
        for (unsigned j = 0; j < size->columns; j++) {
            to[(size_t)i * size->stride + j] = matrix_vector_a(size, i, j);
        }
    }
}

void matrix_vector_fill_x(const struct buffer *x, unsigned count) {
    float *to = x->data;
    for (unsigned i = 0; i < count; i++) {
        to[i] = matrix_vector_x(i);
    }
}
