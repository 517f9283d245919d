/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/rodinia/lud.h"

/* Rows are 2 KB long in the small sizes too, so the elements of a column keep meeting in few sets.
 * The papers without an input of their own have the suite's, 256. */
static const struct {
    unsigned n, stride;
} sizes[] = {
    [SIZE_TINY] = {64, 512},       [SIZE_SMALL] = {512, 512},     [SIZE_PAPER_MRPB] = {512, 512},
    [SIZE_PAPER_MDB] = {256, 256}, [SIZE_PAPER_OWL] = {256, 256}, [SIZE_PAPER_DAWS] = {256, 256},
};

/* Tiles to the right of the diagonal's when it is tile d. */
static unsigned tiles_right(const struct lud *k, unsigned d) {
    return k->n / LUD_TILE - 1 - d;
}

static bool next_step(void *self, unsigned step, struct host_launch *out) {
    struct lud *k = self;
    const unsigned d = step / LUD_KERNELS, kernel = step % LUD_KERNELS;
    if (d >= k->n / LUD_TILE || (kernel != LUD_DIAGONAL && tiles_right(k, d) == 0)) {
        return false;
    }
    const unsigned r = tiles_right(k, d);
    const struct launch launches[LUD_KERNELS] = {
        [LUD_DIAGONAL] = {NULL, {1, 1, 1}, {LUD_TILE, 1, 1}},
        [LUD_PERIMETER] = {NULL, {r, 1, 1}, {2 * LUD_TILE, 1, 1}},
        [LUD_INTERNAL] = {NULL, {r, r, 1}, {LUD_TILE, LUD_TILE, 1}}};
    k->offset = d * LUD_TILE;
    out->launch = launches[kernel];
    out->launch.code = k->kernels[kernel].code;
    out->kernel = k->kernels[kernel].kernel;
    return true;
}

/* The diagonal outweighs the rest, so that no pivot comes near zero. */
static void fill(const struct lud *k, float *m) {
    uint64_t state = k->seed;
    for (unsigned i = 0; i < k->n; i++) {
        for (unsigned j = 0; j < k->n; j++) {
            m[(size_t)i * k->stride + j] = host_uniform(&state) + (i == j ? (float)k->n : 0.0f);
        }
    }
}

bool lud_open(struct lud *k, enum workload_size size, uint64_t seed,
              const struct lud_code kernels[LUD_KERNELS]) {
    k->n = sizes[size].n;
    k->stride = sizes[size].stride;
    k->seed = seed;
    k->kernels = kernels;
    if (!device_memory_alloc(&k->host.memory, &k->m, (uint64_t)k->n * k->stride, sizeof(float))) {
        return false;
    }
    fill(k, k->m.data);
    host_set_step(&k->host, next_step);
    return true;
}

/* Element (i, j), when those to its left and above it are final: minus its row of L times its
 * column of U. Up to the tile of the diagonal the products of 16 are summed first. */
static float eliminate(const struct lud *k, const float *lu, unsigned i, unsigned j) {
    const float *row = &lu[(size_t)i * k->stride], *column = &lu[j];
    const unsigned end = i < j ? i : j, tiles_end = end - end % LUD_TILE;
    float value = row[j];
    for (unsigned q = 0; q < tiles_end; q += LUD_TILE) {
        float sum = 0;
        for (unsigned r = q; r < q + LUD_TILE; r++) {
            sum += row[r] * column[(size_t)r * k->stride];
        }
        value -= sum;
    }
    for (unsigned r = tiles_end; r < end; r++) {
        value -= row[r] * column[(size_t)r * k->stride];
    }
    return i > j ? value / column[(size_t)j * k->stride] : value;
}

const struct workload_result lud_results[] = {FLOATS("m", lud, m), {0}};

bool lud_plain(void *self, void *const expected[]) {
    const struct lud *k = self;
    float *lu = expected[0];
    fill(k, lu);
    for (unsigned i = 0; i < k->n; i++) {
        for (unsigned j = 0; j < k->n; j++) {
            lu[(size_t)i * k->stride + j] = eliminate(k, lu, i, j);
        }
    }
    return true;
}

void lud_sum(const void *self, unsigned line_bytes, lud_count *count,
             struct workload_expectation *e) {
    const struct lud *k = self;
    *e = (struct workload_expectation){0};
    for (unsigned d = 0; d < k->n / LUD_TILE; d++) {
        const unsigned r = tiles_right(k, d);
        count(LUD_DIAGONAL, r, line_bytes, e);
        if (r) {
            count(LUD_PERIMETER, r, line_bytes, e);
            count(LUD_INTERNAL, r, line_bytes, e);
        }
    }
}
