/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/polybench/matrix_vector.h"

static void load_a(struct simt *s, const struct dot_program *k, const struct dot *d, int64_t id,
                   unsigned i, float *a) {
    const int64_t row = k->size.stride;
    simt_load(s, d->load_a, a, &k->a,
              d->along_rows ? element_x(id * row + i, row) : element_x(i * row + id, 1));
}

/* The current launch. */
static void dot_kernel(struct simt *s, const void *arguments) {
    const struct dot_program *k = arguments;
    const struct dot *d = &k->form->dot[k->host.launched - 1];
    const struct buffer *result = &k->vector[d->sum];
    const int64_t id = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    const struct element own = element_x(id, 1);
    const unsigned steps = d->along_rows ? k->size.columns : k->size.rows;
    float sum[SIMT_THREADS], a[SIMT_THREADS], x[SIMT_THREADS];

    /* The guard holds for all. */
    simt_alus(s, 0, d->start - 1);
    if (d->clear) {
        SIMT_EACH(s, t) {
            sum[t] = 0;
        }
        simt_store(s, d->start, sum, result, own);
    } else {
        simt_load(s, d->start, sum, result, own);
    }
    simt_alus(s, d->start + 1, d->loop - 1);
    SIMT_FOR(s, d->loop, i, steps) {
        if (d->load_a < d->load_x) {
            load_a(s, k, d, id, i, a);
        }
        simt_load(s, d->load_x, x, &k->vector[d->x], element_at(i));
        if (d->load_x < d->load_a) {
            load_a(s, k, d, id, i, a);
        }
        SIMT_ALU(s, d->fma, t) {
            sum[t] += a[t] * x[t];
        }
        simt_store(s, d->fma + 1, sum, result, own);
        simt_alus(s, d->fma + 2, d->fma + 5);
    }
}

static float input_a(const struct matrix_vector *size, unsigned i, unsigned j) {
    return (float)i * (float)j / (float)size->rows;
}

float matrix_vector_x(const struct matrix_vector *size, unsigned i) {
    (void)size;
    return (float)i * 3.14159f;
}

static unsigned vector_length(const struct dot_program *k, unsigned vector) {
    return k->form->vector[vector].of_rows ? k->size.rows : k->size.columns;
}

static void fill_vector(const struct dot_program *k, unsigned vector, float *to) {
    const struct dot_vector *v = &k->form->vector[vector];
    for (unsigned i = 0; v->input && i < vector_length(k, vector); i++) {
        to[i] = v->input(&k->size, i);
    }
}

static void fill_matrix(const struct matrix_vector *size, float *to) {
    for (unsigned i = 0; i < size->rows; i++) {
        for (unsigned j = 0; j < size->columns; j++) {
            to[(size_t)i * size->stride + j] = input_a(size, i, j);
        }
    }
}

bool dot_open(struct dot_program *k, const struct matrix_vector *size,
              const struct dot_form *form) {
    struct device_memory *m = &k->host.memory;
    k->size = *size;
    k->form = form;
    if (!HOST_ALLOC(m, {&k->a, (uint64_t)size->rows * size->stride, sizeof(float)})) {
        return false;
    }
    fill_matrix(size, k->a.data);
    for (unsigned v = 0; v < form->vectors; v++) {
        if (!HOST_ALLOC(m, {&k->vector[v], vector_length(k, v), sizeof(float)})) {
            return false;
        }
        fill_vector(k, v, k->vector[v].data);
    }
    for (unsigned i = 0; i < DOT_LAUNCHES; i++) { /* a thread an element */
        const unsigned threads = vector_length(k, form->dot[i].sum);
        HOST_ADD_LAUNCH(&k->host,
                        {form->dot[i].code, {threads / DOT_BLOCK, 1, 1}, {DOT_BLOCK, 1, 1}},
                        dot_kernel);
    }
    return true;
}

bool dot_plain(void *self, void *const expected[]) {
    const struct dot_program *k = self;
    for (unsigned v = 0; v < k->form->vectors; v++) {
        fill_vector(k, v, expected[v]);
    }
    for (const struct dot *d = k->form->dot; d < k->form->dot + DOT_LAUNCHES; d++) {
        const float *x = expected[d->x];
        float *sum = expected[d->sum];
        for (unsigned i = 0; i < k->size.rows; i++) {
            for (unsigned j = 0; j < k->size.columns; j++) {
                sum[d->along_rows ? i : j] += input_a(&k->size, i, j) * x[d->along_rows ? j : i];
            }
        }
    }
    return true;
}

static void expect_launch(const struct matrix_vector *size, const struct dot *d,
                          unsigned line_bytes, struct workload_expectation *e) {
    const uint64_t warps = (d->along_rows ? size->rows : size->columns) / WARP_SIZE;
    const uint64_t steps = d->along_rows ? size->columns : size->rows;
    const uint64_t lines = host_row_lines(line_bytes);
    const uint64_t insns =
        warps * ((d->clear ? DOT_BEFORE_CLEAR : DOT_BEFORE_READ) + DOT_STEP * steps);
    e->warp_instructions += insns;
    e->thread_instructions += insns * WARP_SIZE;
    /* Along rows 32 lines a load of A, since a row is at least a line long; 1 of x, since all lanes
     * read the same element. */
    e->global_read_accesses +=
        warps * ((d->clear ? 0 : lines) + steps * ((d->along_rows ? WARP_SIZE : lines) + 1));
    e->global_write_accesses += warps * ((d->clear ? lines : 0) + steps * lines);
}

void dot_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct dot_program *k = self;
    for (unsigned i = 0; i < DOT_LAUNCHES; i++) {
        expect_launch(&k->size, &k->form->dot[i], line_bytes, e);
    }
}
