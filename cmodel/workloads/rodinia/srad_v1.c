/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia srad_v1: speckle-reducing diffusion of an image stored by columns of 502 pixels, whose
 * neighbours are found through arrays of indices. Streams, neighbours one pixel and one column
 * away (2 lines, rarely 1), and sums of the image by a tree in shared memory, the second of which
 * reads with a stride of 2 KB. An iteration is five launches.
 *
 * As written, the last, partial CTA of a reduction adds its rest out of elements that are next to
 * each other even where its other elements are 512 apart: the sums are then not quite those of the
 * image. Kept, since it decides the addresses. The image is made here: the values decide no
 * address. 50 iterations of the suite's 100 in OWL's size, more than its limit of 1 G instructions.
 */
#include <math.h>

#include "workloads/rodinia/srad_v1.h"
#include "workloads/workloads.h"

/* Columns of 502 pixels. */
static const struct size {
    unsigned columns, iterations;
} sizes[] = {
    [SIZE_TINY] = {40, 1},
    [SIZE_SMALL] = {458, 3},
    [SIZE_PAPER_OWL] = {458, 50},
};

static float variation(const struct srad_v1 *k, float sum, float sum2) {
    const float mean = sum / (float)k->pixels, mean2 = mean * mean;
    return (sum2 / (float)k->pixels - mean2) / mean2;
}

static unsigned ctas_of(unsigned elements) {
    return (elements + SRAD_V1_BLOCK - 1) / SRAD_V1_BLOCK;
}

/* extract; prepare, reduce until one CTA is left, srad, srad2; compress. */
static bool step(void *self, unsigned number, struct host_launch *out) {
    struct srad_v1 *k = self;
    const unsigned ctas = ctas_of(k->pixels);
    unsigned grid = ctas;
    if (number > 1 + 5 * k->iterations) {
        return false;
    }
    const unsigned phase = (number - 1) % 5;
    if (number == 0 || number == 1 + 5 * k->iterations) {
        k->compress = number > 0;
        *out = srad_v1_launches[SRAD_V1_EXTRACT];
    } else {
        *out = srad_v1_launches[SRAD_V1_PREPARE + phase - (phase > 1)];
        if (phase == 1 || phase == 2) {
            k->reduce_elements = phase == 1 ? k->pixels : ctas;
            k->reduce_stride = phase == 1 ? 1 : SRAD_V1_BLOCK;
            grid = ctas_of(k->reduce_elements);
        } else if (phase == 3) {
            k->q0sqr = variation(k, *(float *)k->sums.data, *(float *)k->sums2.data);
        }
    }
    out->launch.grid[0] = grid;
    return true;
}

static void image(float *pixels, const struct srad_v1 *k) {
    uint64_t state = k->seed;
    for (unsigned i = 0; i < k->pixels; i++) {
        pixels[i] = (float)(host_random(&state) % 256);
    }
}

static bool srad_v1_open(void *self, enum workload_size size, uint64_t seed) {
    struct srad_v1 *k = self;
    const int rows = SRAD_V1_ROWS, columns = (int)sizes[size].columns;
    k->columns = (unsigned)columns;
    k->pixels = (unsigned)(rows * columns);
    k->iterations = sizes[size].iterations;
    k->seed = seed;
    if (!HOST_ALLOC(&k->host.memory, {&k->image, k->pixels, 4}, {&k->north, SRAD_V1_ROWS, 4},
                    {&k->south, SRAD_V1_ROWS, 4}, {&k->east, k->columns, 4},
                    {&k->west, k->columns, 4}, {&k->sums, k->pixels, 4}, {&k->sums2, k->pixels, 4},
                    {&k->d[0], k->pixels, 4}, {&k->d[1], k->pixels, 4}, {&k->d[2], k->pixels, 4},
                    {&k->d[3], k->pixels, 4}, {&k->c, k->pixels, 4})) {
        return false;
    }
    int32_t *north = k->north.data, *south = k->south.data;
    int32_t *east = k->east.data, *west = k->west.data;
    for (int i = 0; i < rows; i++) {
        north[i] = i > 0 ? i - 1 : 0;
        south[i] = i < rows - 1 ? i + 1 : i;
    }
    for (int j = 0; j < columns; j++) {
        west[j] = j > 0 ? j - 1 : 0;
        east[j] = j < columns - 1 ? j + 1 : j;
    }
    image(k->image.data, k);
    host_set_step(&k->host, step);
    return true;
}

/* --- Plain C. --- */

enum { I, SUMS, SUMS2, N, S, W, E, C, ARRAYS };

/* A CTA's tree: pairs, pairs of pairs. @count: a power of two; the sum is left in the last. */
static float tree(float *v, unsigned count) {
    for (unsigned i = 2; i <= count; i *= 2) {
        for (unsigned j = i - 1; j < count; j += i) {
            v[j] += v[j - i / 2];
        }
    }
    return v[count - 1];
}

static void reduce(float *sums, unsigned elements, unsigned stride) {
    for (unsigned first = 0; first < elements; first += SRAD_V1_BLOCK) {
        const unsigned left = elements - first;
        unsigned whole = SRAD_V1_BLOCK;
        float v[SRAD_V1_BLOCK];
        while (whole > left) {
            whole /= 2;
        }
        for (unsigned i = 0; i < whole; i++) {
            v[i] = sums[(size_t)(first + i) * stride];
        }
        float sum = tree(v, whole);
        for (unsigned i = whole; i < left && i < SRAD_V1_BLOCK; i++) {
            sum += sums[first + i];
        }
        sums[(size_t)first * stride] = sum;
    }
}

static void iterate(const struct srad_v1 *k, float *a[ARRAYS]) {
    const int rows = SRAD_V1_ROWS, columns = (int)k->columns;
    float *image = a[I];
    for (unsigned i = 0; i < k->pixels; i++) {
        a[SUMS][i] = image[i];
        a[SUMS2][i] = image[i] * image[i];
    }
    for (unsigned i = 0; i < 2; i++) {
        reduce(a[SUMS + i], k->pixels, 1);
        reduce(a[SUMS + i], ctas_of(k->pixels), SRAD_V1_BLOCK);
    }
    const float q0sqr = variation(k, a[SUMS][0], a[SUMS2][0]);
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++) {
            const int at = i + rows * j;
            a[N][at] = image[i > 0 ? at - 1 : at] - image[at];
            a[S][at] = image[i < rows - 1 ? at + 1 : at] - image[at];
            a[W][at] = image[j > 0 ? at - rows : at] - image[at];
            a[E][at] = image[j < columns - 1 ? at + rows : at] - image[at];
            a[C][at] = srad_coefficient(image[at], a[N][at], a[S][at], a[W][at], a[E][at], q0sqr);
        }
    }
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++) {
            const int at = i + rows * j;
            image[at] = srad_update(image[at], a[C][at], a[C][i < rows - 1 ? at + 1 : at],
                                    a[C][j < columns - 1 ? at + rows : at],
                                    (float[]){a[N][at], a[S][at], a[W][at], a[E][at]});
        }
    }
}

static const struct workload_result results[] = {
    FLOATS("I", srad_v1, image), FLOATS("sums", srad_v1, sums), FLOATS("sums2", srad_v1, sums2),
    FLOATS("dN", srad_v1, d[0]), FLOATS("dS", srad_v1, d[1]),   FLOATS("dW", srad_v1, d[2]),
    FLOATS("dE", srad_v1, d[3]), FLOATS("c", srad_v1, c),       {0}};

static bool srad_v1_plain(void *self, void *const expected[]) {
    const struct srad_v1 *k = self;
    float *a[ARRAYS];
    for (unsigned i = 0; i < ARRAYS; i++) {
        a[i] = expected[i];
    }
    image(a[I], k);
    for (unsigned i = 0; i < k->pixels; i++) {
        a[I][i] = expf(a[I][i] / 255.0f);
    }
    for (unsigned i = 0; i < k->iterations; i++) {
        iterate(k, a);
    }
    for (unsigned i = 0; i < k->pixels; i++) {
        a[I][i] = logf(a[I][i]) * 255.0f;
    }
    return true;
}

/* --- What the launches must have counted. --- */

/* A reduction: instructions by thread and by warp, accesses by what the code says. */
static void expect_reduce(unsigned elements, unsigned stride, unsigned line_bytes,
                          struct workload_expectation *e) {
    for (unsigned first = 0; first < elements; first += SRAD_V1_BLOCK) {
        const unsigned left = elements - first;
        const bool full = left >= SRAD_V1_BLOCK;
        const unsigned lanes = full ? SRAD_V1_BLOCK : left;
        unsigned whole = SRAD_V1_BLOCK, rounds = 0;
        while (whole > left) {
            whole /= 2;
        }
        /* Each round is a test and a barrier for all, and 8 instructions for every 2nd, 4th, 8th
         * thread below the power of two. */
        uint64_t warp = 0, thread = 0;
        for (unsigned i = 2; i <= whole; i *= 2, rounds++) {
            warp += SRAD_V1_ADD_INSNS *
                    (i <= WARP_SIZE ? (whole + WARP_SIZE - 1) / WARP_SIZE : whole / i);
            thread += SRAD_V1_ADD_INSNS * (whole / i);
        }
        const uint64_t straight = SRAD_V1_REDUCE_INSNS + rounds * SRAD_V1_ROUND_INSNS;
        const uint64_t rest = (left < SRAD_V1_BLOCK ? left - whole : 0) * SRAD_V1_REST_INSNS;
        warp += straight * SRAD_V1_WARPS + rest + SRAD_V1_LAST_INSNS;
        warp += (uint64_t)(lanes + WARP_SIZE - 1) / WARP_SIZE * SRAD_V1_TAKE_INSNS;
        thread += straight * SRAD_V1_BLOCK + rest + SRAD_V1_LAST_INSNS;
        thread += (uint64_t)lanes * SRAD_V1_TAKE_INSNS;
        e->warp_instructions += warp;
        e->thread_instructions += thread;
        for (unsigned i = 0; i < lanes; i += WARP_SIZE) {
            const unsigned last = i + WARP_SIZE < lanes ? i + WARP_SIZE - 1 : lanes - 1;
            e->global_read_accesses +=
                2 *
                (stride == 1 ? lines_of_run(first + i, last - i + 1, 4, line_bytes) : last - i + 1);
        }
        e->global_read_accesses += full ? 0 : 2 * (left - whole);
        e->global_write_accesses += 2;
    }
}

/* Lines of what a warp's pixels need: themselves, their rows and columns, the pixels next to them
 * in each direction. */
static void expect_pixels(const struct srad_v1 *k, unsigned line_bytes, uint64_t *itself,
                          uint64_t *first_kernel, uint64_t *second_kernel) {
    const int rows = SRAD_V1_ROWS, columns = (int)k->columns;
    for (int first = 0; first < (int)k->pixels; first += WARP_SIZE) {
        uint64_t pixel[WARP_SIZE], row[WARP_SIZE], column[WARP_SIZE];
        uint64_t n[WARP_SIZE], s[WARP_SIZE], w[WARP_SIZE], e[WARP_SIZE];
        unsigned lanes = 0;
        for (int at = first; at < first + WARP_SIZE && at < (int)k->pixels; at++, lanes++) {
            const int i = at % rows, j = at / rows;
            pixel[lanes] = (uint64_t)at * 4;
            row[lanes] = (uint64_t)i * 4;
            column[lanes] = (uint64_t)j * 4;
            n[lanes] = (uint64_t)(i > 0 ? at - 1 : at) * 4;
            s[lanes] = (uint64_t)(i < rows - 1 ? at + 1 : at) * 4;
            w[lanes] = (uint64_t)(j > 0 ? at - rows : at) * 4;
            e[lanes] = (uint64_t)(j < columns - 1 ? at + rows : at) * 4;
        }
        const unsigned own = lines_of(pixel, lanes, line_bytes);
        const unsigned south = lines_of(row, lanes, line_bytes) + lines_of(s, lanes, line_bytes);
        const unsigned east = lines_of(column, lanes, line_bytes) + lines_of(e, lanes, line_bytes);
        *itself += own;
        *first_kernel += own + south + east + lines_of(row, lanes, line_bytes) +
                         lines_of(n, lanes, line_bytes) + lines_of(column, lanes, line_bytes) +
                         lines_of(w, lanes, line_bytes);
        *second_kernel += 6 * own + south + east;
    }
}

static void srad_v1_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct srad_v1 *k = self;
    const uint64_t ctas = ctas_of(k->pixels);
    const uint64_t warps = (k->pixels + WARP_SIZE - 1) / WARP_SIZE;
    const uint64_t inside = SRAD_V1_PREPARE_INSNS + SRAD_V1_SRAD_INSNS + SRAD_V1_SRAD2_INSNS;
    uint64_t itself = 0, srad = 0, srad2 = 0;
    expect_reduce(k->pixels, 1, line_bytes, e);
    expect_reduce((unsigned)ctas, SRAD_V1_BLOCK, line_bytes, e);
    expect_pixels(k, line_bytes, &itself, &srad, &srad2);
    /* Three launches of an iteration and two of the program begin with a guard. */
    e->warp_instructions += 3 * SRAD_V1_GUARD_INSNS * ctas * SRAD_V1_WARPS + warps * inside;
    e->thread_instructions += 3 * SRAD_V1_GUARD_INSNS * ctas * SRAD_V1_BLOCK + k->pixels * inside;
    e->global_read_accesses += 2 * itself + srad + srad2;
    e->global_write_accesses += 2 * itself + 5 * itself + itself;
    e->warp_instructions =
        k->iterations * e->warp_instructions +
        2 * (SRAD_V1_GUARD_INSNS * ctas * SRAD_V1_WARPS + warps * SRAD_V1_EXTRACT_INSNS);
    e->thread_instructions =
        k->iterations * e->thread_instructions +
        2 * (SRAD_V1_GUARD_INSNS * ctas * SRAD_V1_BLOCK + k->pixels * SRAD_V1_EXTRACT_INSNS);
    e->global_read_accesses = k->iterations * e->global_read_accesses + 2 * itself;
    e->global_write_accesses = k->iterations * e->global_write_accesses + 2 * itself;
}

const struct workload workload_srad_v1 = {
    .name = "srad-v1",
    .suite = "rodinia",
    .about = "image diffusion through arrays of indices, with reductions",
    .size_text = {[SIZE_TINY] = "502 x 40 pixels, 1 iteration",
                  [SIZE_SMALL] = "502 x 458 pixels, 3 iterations",
                  [SIZE_PAPER_OWL] = "502 x 458 pixels, 50 iterations (suite: 100)"},
    .bytes = sizeof(struct srad_v1),
    .open = srad_v1_open,
    .results = results,
    .plain = srad_v1_plain,
    .expect = srad_v1_expect,
};
