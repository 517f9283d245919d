/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "workloads/rodinia/srad_v2.h"
#include "workloads/rodinia/srad.h"

#define CORNER 128 /* rows and columns that the host looks at */

/* Multiples of SRAD_V2_BLOCK, at least two blocks each way. Columns are at least 1024, a row at
 * least 4 KB, in every size: the 16 rows of a tile meet in one set of the L1, as in the papers.
 * MDB, OWL and DAWS have the suite's image; DAWS runs to the end in at most 1 G thread
 * instructions, an iteration, and the suite's two are more. */
static const struct size {
    unsigned rows, columns, iterations;
} sizes[] = {
    [SIZE_TINY] = {32, 1024, 1},         [SIZE_SMALL] = {512, 1024, 2},
    [SIZE_PAPER_MRPB] = {1024, 1024, 2}, [SIZE_PAPER_MDB] = {2048, 2048, 2},
    [SIZE_PAPER_OWL] = {2048, 2048, 2},  [SIZE_PAPER_DAWS] = {2048, 2048, 1},
};

static float variation(const float *j, unsigned rows, unsigned columns) {
    rows = rows < CORNER ? rows : CORNER;
    float sum = 0, sum2 = 0;
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned x = 0; x < CORNER; x++) {
            float pixel = j[(size_t)i * columns + x];
            sum += pixel;
            sum2 += pixel * pixel;
        }
    }
    float count = (float)(rows * CORNER), mean = sum / count;
    return (sum2 / count - mean * mean) / (mean * mean);
}

static void image(float *j, const struct srad_v2 *k) {
    uint64_t state = k->seed;
    for (size_t i = 0; i < (size_t)k->rows * k->columns; i++) {
        j[i] = expf(host_uniform(&state));
    }
}

static bool step(void *self, unsigned number, struct host_launch *out) {
    struct srad_v2 *k = self;
    if (number == 2 * k->iterations) {
        return false;
    }
    if (number % 2 == 0) {
        k->q0sqr = variation((float *)k->j.data + srad_v2_guarded(k, 0), k->rows, k->columns);
    }
    *out = (struct host_launch){
        .launch = {.code = k->kernels->code[number % 2],
                   .grid = {k->columns / SRAD_V2_BLOCK, k->rows / SRAD_V2_BLOCK, 1},
                   .block = {SRAD_V2_BLOCK, SRAD_V2_BLOCK, 1}},
        .kernel = k->kernels->kernel[number % 2]};
    return true;
}

bool srad_v2_open(struct srad_v2 *k, enum workload_size size, uint64_t seed,
                  const struct srad_v2_kernels *kernels) {
    const struct size *n = &sizes[size];
    const uint64_t pixels = (uint64_t)n->rows * n->columns;
    k->kernels = kernels;
    k->rows = n->rows;
    k->columns = n->columns;
    k->iterations = n->iterations;
    k->seed = seed;
    if (!HOST_ALLOC(&k->host.memory, {&k->j, pixels + 2 * n->columns, 4},
                    {&k->c, pixels + 2 * n->columns, 4}, {&k->e, pixels, 4}, {&k->w, pixels, 4},
                    {&k->s, pixels, 4}, {&k->n, pixels, 4})) {
        return false;
    }
    image((float *)k->j.data + srad_v2_guarded(k, 0), k);
    host_set_step(&k->host, step);
    return true;
}

/* --- Plain C. --- */

/* The arrays of one check, in the order J, C, E, W, S, N; J and C with guard rows. */
enum { J, C, E, W, S, N, ARRAYS };

static void iterate(float *a[ARRAYS], const struct srad_v2 *k) {
    const int rows = (int)k->rows, columns = (int)k->columns;
    float *j = a[J] + columns, *c = a[C] + columns;
    const float q0sqr = variation(j, k->rows, k->columns);
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
            const ptrdiff_t at = (ptrdiff_t)y * columns + x;
            a[N][at] = j[y == 0 ? at : at - columns] - j[at];
            a[S][at] = j[y == rows - 1 ? at : at + columns] - j[at];
            a[W][at] = j[x == 0 ? at : at - 1] - j[at];
            a[E][at] = j[x == columns - 1 ? at : at + 1] - j[at];
            c[at] = srad_coefficient(j[at], a[N][at], a[S][at], a[W][at], a[E][at], q0sqr);
        }
    }
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
            const ptrdiff_t at = (ptrdiff_t)y * columns + x;
            const float south = c[y == rows - 1 ? at : at + columns];
            const float east = c[x == columns - 1 ? at : at + 1];
            j[at] = srad_update(j[at], c[at], south, east,
                                (float[]){a[N][at], a[S][at], a[W][at], a[E][at]});
        }
    }
}

const struct workload_result srad_v2_results[ARRAYS + 1] = {
    [J] = FLOATS("J", srad_v2, j), [C] = FLOATS("C", srad_v2, c), [E] = FLOATS("E", srad_v2, e),
    [W] = FLOATS("W", srad_v2, w), [S] = FLOATS("S", srad_v2, s), [N] = FLOATS("N", srad_v2, n)};

bool srad_v2_plain(void *self, void *const expected[]) {
    const struct srad_v2 *k = self;
    float *a[ARRAYS];
    for (unsigned i = 0; i < ARRAYS; i++) {
        a[i] = expected[i];
    }
    image(a[J] + k->columns, k);
    for (unsigned i = 0; i < k->iterations; i++) {
        iterate(a, k);
    }
    return true;
}
