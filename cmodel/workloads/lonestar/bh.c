/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU bh: gravity between bodies by Barnes and Hut's tree, in eight launches a step: the
 * bounding box, the tree, masses of cells, bodies in the order of the tree, forces, the step. Most
 * of the time goes into forces: a warp walks the tree as one, so its loads are one line each, one
 * after another, and its neighbours walk nearly the same way. Building the tree and summing up
 * gather and wait: threads that meet a lock try again, cells wait for their children, and as the
 * CTAs of these kernels run in turns (kernel/simt_grid.h), they do so by themselves.
 *
 * Bodies follow the Plummer model, as the suite's do, from a generator of this project. Grids and
 * blocks are the suite's for Fermi, and registers are as many as these leave to a thread. Assumed:
 * loads that wait for other threads' stores bypass the L1 (of children and places when building, of
 * masses, counts and places when summing up, of starts when sorting, of the device's variables),
 * all others do not. The suite declares the force kernel's arrays volatile as well, but MDB
 * measures that a larger L1 helps the program by more than a half. The greatest depth is not reset
 * between steps.
 *
 * The suite's own inputs, 30,000 bodies in 50 steps and more, three times over, are hours; a step
 * is like any other, and from the second on velocities are corrected: two steps.
 */
#include <stdlib.h>
#include <string.h>

#include "workloads/lonestar/bh_plain.h"
#include "workloads/workloads.h"

static const struct size {
    int32_t bodies;
    unsigned steps;
} sizes[] = {
    [SIZE_TINY] = {640, 2},
    [SIZE_SMALL] = {6000, 1},
    [SIZE_PAPER_MEDIC] = {30000, 2},
    [SIZE_PAPER_MDB] = {30000, 2},
};

static bool bh_step(void *self, unsigned step, struct host_launch *out) {
    static const struct host_launch *const launches[] = {
        &bh_bounding_box, &bh_clear_1, &bh_build_tree, &bh_clear_2,
        &bh_summarize,    &bh_sort,    &bh_force,      &bh_integrate};
    const struct bh *k = self;
    if (step > 8 * k->steps) {
        return false;
    }
    *out = step ? *launches[(step - 1) % 8] : bh_initialize;
    return true;
}

/* Two nodes a body and at least 1024 a core; whole warps, of which the last is the root. */
static int32_t nodes_for(int32_t bodies) {
    int32_t nodes = 2 * bodies < 1024 * LONESTAR_CORES ? 1024 * LONESTAR_CORES : 2 * bodies;
    return (nodes + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE - 1;
}

static bool allocate(struct bh *k) {
    struct device_memory *m = &k->host.memory;
    const uint64_t all = (uint64_t)k->nodes + 1;
    bool good = HOST_ALLOC(m, {&k->child, 8 * all, 4}, {&k->mass, all, 4}, {&k->count, all, 4},
                           {&k->start, all, 4}, {&k->sort, all, 4}, {&k->step, 1, 4},
                           {&k->bottom, 1, 4}, {&k->max_depth, 1, 4}, {&k->arrived, 1, 4},
                           {&k->error, 1, 4}, {&k->radius, 1, 4});
    for (unsigned axis = 0; axis < 3; axis++) {
        good = good && HOST_ALLOC(m, {&k->pos[axis], all, 4}, {&k->vel[axis], all, 4},
                                  {&k->acc[axis], all, 4}, {&k->low[axis], BH_BOX_CTAS, 4},
                                  {&k->high[axis], BH_BOX_CTAS, 4});
    }
    return good;
}

static void copy_in(struct bh *k, const struct bh_plain *p) {
    const size_t bytes = (size_t)k->bodies * sizeof(float);
    float *mass = k->mass.data;
    for (unsigned axis = 0; axis < 3; axis++) {
        memcpy(k->pos[axis].data, p->pos[axis], bytes);
        memcpy(k->vel[axis].data, p->vel[axis], bytes);
    }
    for (int32_t i = 0; i < k->bodies; i++) {
        mass[i] = p->mass;
    }
}

static bool bh_open(void *self, enum workload_size size, uint64_t seed) {
    struct bh *k = self;
    struct bh_plain bodies;
    if (!k) {
        return false;
    }
    k->bodies = sizes[size].bodies;
    k->steps = sizes[size].steps;
    k->nodes = nodes_for(k->bodies);
    k->seed = seed;
    const bool good = bh_plain_open(&bodies, k->bodies) && allocate(k);
    if (good) {
        bh_generate(&bodies, seed);
        copy_in(k, &bodies);
        host_set_step(&k->host, bh_step);
    }
    bh_plain_close(&bodies);
    return good;
}

/* --- The check: plain C from the first step on. --- */

/* The device's variables, after all steps. */
static const char *compare_variables(struct bh *k, const struct bh_plain *p) {
    const int32_t step = (int32_t)k->steps - 1, zero = 0, bottom = k->nodes + 1 - p->cells;
    struct host *h = &k->host;
    const char *error = host_compare_int(h, "error", &k->error, &zero);
    error = error ? error : host_compare_int(h, "step", &k->step, &step);
    error = error ? error : host_compare_int(h, "blkcnt", &k->arrived, &zero);
    error = error ? error : host_compare_int(h, "maxdepth", &k->max_depth, &p->max_depth);
    error = error ? error : host_compare_int(h, "bottom", &k->bottom, &bottom);
    return error ? error : host_compare(h, "radius", &k->radius, &p->radius);
}

/* Cell @number of the device beside plain C's @own: the same in all but the numbers of cells. The
 * device's is put into *as in plain C's terms. Each body is in plain C's tree once. */
static void same_cell(const struct bh *k, const struct bh_plain *p, int32_t number, int32_t own,
                      struct bh_cell *as) {
    const int32_t *child = (const int32_t *)k->child.data + (size_t)number * 8;
    const struct bh_cell *c = &p->cell[own];
    unsigned front = 0;
    as[own] = (struct bh_cell){.count = ((const int32_t *)k->count.data)[number],
                               .start = ((const int32_t *)k->start.data)[number],
                               .mass = ((const float *)k->mass.data)[number]};
    for (unsigned axis = 0; axis < 3; axis++) {
        as[own].pos[axis] = ((const float *)k->pos[axis].data)[number];
    }
    for (unsigned o = 0; o < 8; o++) {
        as[own].child[o] = BH_EMPTY;
        if (c->child[o] >= p->bodies && child[front] >= k->bodies && child[front] <= k->nodes) {
            as[own].child[o] = c->child[o];
            same_cell(k, p, child[front++], c->child[o] - p->bodies, as);
        } else if (c->child[o] >= 0) {
            as[own].child[o] = child[front] < k->bodies ? child[front] : BH_LOCKED;
            front++;
        }
    }
    for (; front < 8; front++) {
        as[own].count += child[front] != BH_EMPTY; /* one child too many */
    }
}

static const char *compare_tree(struct bh *k, const struct bh_plain *p) {
    const size_t bytes = (size_t)p->cells * sizeof *p->cell;
    struct bh_cell *as = calloc(1, bytes);
    if (!as) {
        return "out of memory";
    }
    same_cell(k, p, k->nodes, 0, as);
    struct buffer tree = {.data = as, .count = bytes / 4, .width = 4};
    const char *error = host_compare_int(&k->host, "tree", &tree, p->cell);
    free(as);
    return error;
}

static const char *compare_bodies(struct bh *k, const struct bh_plain *p) {
    static const char *const names[] = {"posx", "posy", "posz", "velx", "vely",
                                        "velz", "accx", "accy", "accz"};
    const char *error = NULL;
    for (unsigned i = 0; i < 9 && !error; i++) {
        const unsigned axis = i % 3;
        struct buffer b = i < 3 ? k->pos[axis] : i < 6 ? k->vel[axis] : k->acc[axis];
        b.count = (uint64_t)k->bodies;
        error = host_compare(&k->host, names[i], &b,
                             i < 3   ? p->pos[axis]
                             : i < 6 ? p->vel[axis]
                                     : p->acc[axis]);
    }
    struct buffer sort = k->sort;
    sort.count = (uint64_t)k->bodies;
    return error ? error : host_compare_int(&k->host, "sort", &sort, p->sort);
}

static const char *bh_check(void *self) {
    struct bh *k = self;
    struct bh_plain p;
    const char *error = "out of memory";
    if (bh_plain_open(&p, k->bodies)) {
        bh_generate(&p, k->seed);
        for (unsigned step = 0; step < k->steps; step++) {
            bh_plain_step(&p, step);
        }
        error = compare_variables(k, &p);
        error = error ? error : compare_bodies(k, &p);
        error = error ? error : compare_tree(k, &p);
    }
    bh_plain_close(&p);
    return error;
}

const struct workload workload_bh = {
    .name = "bh",
    .suite = "lonestar",
    .about = "Barnes-Hut: warps walk a tree as one, a line a load; locks and waiting to build it",
    .size_text = {[SIZE_TINY] = "640 bodies, 2 steps",
                  [SIZE_SMALL] = "6000 bodies, 1 step",
                  [SIZE_PAPER_MEDIC] = "30000 bodies, 2 steps",
                  [SIZE_PAPER_MDB] = "30000 bodies, 2 steps"},
    .bytes = sizeof(struct bh),
    .open = bh_open,
    .check = bh_check,
    /* .expect: the waits and the ways through the tree are known only from running the kernels. */
};
