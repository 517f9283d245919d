/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/parboil/jds.h"

#include <stdlib.h>

/* The unknowns that share an element with @i (counted from 1) along one side: @first to @last. */
static void neighbours(const struct fem *f, unsigned i, unsigned *first, unsigned *last) {
    const unsigned begin = i / f->degree * f->degree, border = f->degree * f->elements;
    *first = i % f->degree ? begin : begin - f->degree;
    *last = begin + f->degree;
    *first += *first == 0; /* the border is no unknown */
    *last -= *last == border;
}

unsigned fem_row(const struct fem *f, unsigned row, int32_t *column) {
    const unsigned side = fem_side(f);
    unsigned first_x, last_x, first_y, last_y, count = 0;
    neighbours(f, row % side + 1, &first_x, &last_x);
    neighbours(f, row / side + 1, &first_y, &last_y);
    for (unsigned y = first_y; y <= last_y; y++) {
        for (unsigned x = first_x; x <= last_x; x++) {
            column[count++] = (int32_t)((y - 1) * side + x - 1);
        }
    }
    return count;
}

/* The longest first, rows of the same length in their order. */
static void sort_rows(const struct fem *f, unsigned longest, const uint32_t *start, int32_t *perm) {
    const unsigned rows = fem_rows(f);
    unsigned place = 0;
    for (unsigned length = longest; length > 0; length--) {
        for (unsigned r = 0; r < rows && place < rows; r++) {
            if (start[r + 1] - start[r] == length) {
                perm[place++] = (int32_t)r;
            }
        }
    }
}

static void fill(const struct jds *j, const struct fem *f, const uint32_t *start,
                 const float *value, int32_t *column) {
    const int32_t *perm = j->perm.data, *ptr = j->ptr.data;
    int32_t *index = j->index.data;
    float *data = j->data.data;
    for (unsigned i = 0; i < j->rows; i++) {
        const uint32_t row = (uint32_t)perm[i];
        const unsigned count = fem_row(f, row, column);
        for (unsigned k = 0; k < count; k++) {
            data[(unsigned)ptr[k] + i] = value[start[row] + k];
            index[(unsigned)ptr[k] + i] = column[k];
        }
    }
}

/* Diagonals and lengths of groups, from the sorted rows. Return: elements of all diagonals. */
static uint64_t measure(struct jds *j, const uint32_t *start) {
    const int32_t *perm = j->perm.data;
    int32_t *lengths = j->lengths.data, *ptr = j->ptr.data;
    uint64_t elements = 0;
    for (unsigned g = 0; g < j->groups; g++) {
        const uint32_t row = (uint32_t)perm[g * JDS_GROUP]; /* its longest */
        lengths[g] = (int32_t)(start[row + 1] - start[row]);
    }
    for (unsigned k = 0; k < j->diagonals; k++) {
        ptr[k] = (int32_t)elements;
        for (unsigned g = 0; g < j->groups && lengths[g] > (int32_t)k; g++) {
            elements += JDS_GROUP;
        }
    }
    return elements;
}

static bool build(struct jds *j, struct device_memory *m, const struct fem *f, uint64_t seed,
                  uint32_t *start, int32_t *column) {
    float *value;
    start[0] = 0;
    j->diagonals = 0;
    for (unsigned r = 0; r < j->rows; r++) {
        const unsigned count = fem_row(f, r, column);
        start[r + 1] = start[r] + count;
        j->diagonals = count > j->diagonals ? count : j->diagonals;
    }
    if (!HOST_ALLOC(m, {&j->perm, j->rows, 4}, {&j->ptr, j->diagonals, 4},
                    {&j->lengths, j->groups, 4})) {
        return false;
    }
    sort_rows(f, j->diagonals, start, j->perm.data);
    const uint64_t elements = measure(j, start);
    value = malloc(start[j->rows] * sizeof *value);
    const bool ok = value && HOST_ALLOC(m, {&j->data, elements, 4}, {&j->index, elements, 4});
    if (ok) {
        for (uint32_t i = 0; i < start[j->rows]; i++) {
            value[i] = host_uniform(&seed);
        }
        fill(j, f, start, value, column);
    }
    free(value);
    return ok;
}

bool jds_create(struct jds *j, struct device_memory *m, const struct fem *f, uint64_t seed) {
    const unsigned width = 2 * f->degree + 1;
    j->rows = fem_rows(f);
    j->groups = (j->rows + JDS_GROUP - 1) / JDS_GROUP;
    uint32_t *start = malloc((j->rows + (size_t)1) * sizeof *start);
    int32_t *column = malloc((size_t)width * width * sizeof *column);
    const bool ok = start && column && build(j, m, f, seed, start, column);
    free(start);
    free(column);
    return ok;
}
