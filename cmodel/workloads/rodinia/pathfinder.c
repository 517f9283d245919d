/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia pathfinder: the cheapest way down a wall, row by row, each step straight or to a
 * neighbouring column. A launch takes up to 20 rows: a block of 256 threads carries a row of 256
 * columns along and gives up one at either end with each step, so blocks overlap by 40 columns, and
 * the last launch, of fewer steps, lays them further apart. A step is one load of the wall (2
 * lines, as blocks do not begin at a line) between two barriers.
 *
 * pathfinder keeps the two rows in shared memory, without bank conflicts.
 *
 * pathfinder-unshared keeps them in a global scratch of 2 KB a block, the rest unchanged, barriers
 * too (the mechanical construction). In place is not legal: blocks overlap, so one would read what
 * its neighbour has overwritten, and 20 rows a launch are part of the input that MRPB names; with
 * one row a launch it would be another program.
 *
 * The wall's height in rows includes the first, which is the cost to begin with.
 */
#include <stdlib.h>

#include "workloads/host.h"
#include "workloads/workloads.h"

#define BLOCK 256
#define PYRAMID 20 /* rows a launch, and columns that a block gives up at either end */

static const struct size {
    unsigned columns, rows; /* columns: a multiple of WARP_SIZE */
} sizes[] = {
    [SIZE_TINY] = {2080, 30},
    [SIZE_SMALL] = {100000, 50},
    [SIZE_PAPER_MRPB] = {100000, 100},
};

struct pathfinder {
    struct host host;
    struct size size;
    uint64_t seed;
    unsigned ctas; /* in every launch */
    bool unshared;
    unsigned from, steps;  /* of this launch: row of the wall, rows */
    struct buffer cost[2]; /* a row each, taking turns */
    struct buffer wall;    /* without the first row */
    struct buffer scratch; /* unshared only: two rows of a block each */
    unsigned turn;         /* the cost that this launch reads */
};

enum { R_X, R_PREDICATE, R_ADDRESS, R_VALUE, R_STEP, R_LEFT, R_UP, R_RIGHT, R_WALL, R_MIN };

/* space: where a block keeps its rows. 14 arithmetic instructions a step. */
#define PATHFINDER(I, space) \
    I(ALU, COLUMN, OP_INT_MAD, R_X, REG_NONE) \
    I(ALU, FIRST_VALID, OP_INT_MAX, R_X, R_X) \
    I(ALU, LAST_VALID, OP_INT_MAX, R_X, R_X) \
    I(ALU, INSIDE, OP_INT_ADD, R_PREDICATE, R_X) \
    I(BRANCH, IF_INSIDE, R_PREDICATE) \
    I(ALU, SOURCE_ADDRESS, OP_INT_MAD, R_ADDRESS, R_X) \
    I(LOAD, LOAD_SOURCE, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(STORE, PUT_SOURCE, space, 4, R_VALUE, R_X) \
    I(BARRIER, HAVE_SOURCE) \
    I(ALU, FIRST_STEP, OP_INT_ADD, R_STEP, REG_NONE) \
    I(LOOP, EACH_STEP) \
    I(ALU, FROM, OP_INT_ADD, R_PREDICATE, R_STEP) \
    I(ALU, TO, OP_INT_ADD, R_PREDICATE, R_STEP) \
    I(BRANCH, IF_COMPUTES, R_PREDICATE) \
    I(ALU, WEST, OP_INT_MAX, R_ADDRESS, R_X) \
    I(LOAD, LOAD_LEFT, space, 4, R_LEFT, R_ADDRESS) \
    I(LOAD, LOAD_UP, space, 4, R_UP, R_X) \
    I(ALU, EAST, OP_INT_MAX, R_ADDRESS, R_X) \
    I(LOAD, LOAD_RIGHT, space, 4, R_RIGHT, R_ADDRESS) \
    I(ALU, WALL_ADDRESS, OP_INT_MAD, R_ADDRESS, R_STEP, R_X) \
    I(LOAD, LOAD_WALL, SPACE_GLOBAL, 4, R_WALL, R_ADDRESS) \
    I(ALU, MIN_LEFT, OP_INT_MAX, R_MIN, R_LEFT, R_UP) \
    I(ALU, MIN_RIGHT, OP_INT_MAX, R_MIN, R_MIN, R_RIGHT) \
    I(ALU, ADD, OP_INT_ADD, R_MIN, R_MIN, R_WALL) \
    I(STORE, PUT_RESULT, space, 4, R_MIN, R_X) \
    I(BARRIER, HAVE_RESULT) \
    I(ALU, IS_LAST, OP_INT_ADD, R_PREDICATE, R_STEP) \
    I(BRANCH, IF_LAST, R_PREDICATE) \
    I(BRANCH, IF_COPIES, R_PREDICATE) \
    I(LOAD, GET_COPY, space, 4, R_VALUE, R_X) \
    I(STORE, PUT_COPY, space, 4, R_VALUE, R_X) \
    I(BARRIER, HAVE_COPY) \
    I(ALU, NEXT_STEP, OP_INT_ADD, R_STEP, R_STEP) \
    I(BRANCH, STEP_AGAIN, R_STEP) \
    I(BRANCH, IF_STORES, R_PREDICATE) \
    I(ALU, TARGET_ADDRESS, OP_INT_MAD, R_ADDRESS, R_X) \
    I(LOAD, GET_TARGET, space, 4, R_VALUE, R_X) \
    I(STORE, STORE_TARGET, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS)
#define SHARED_CODE(I) PATHFINDER(I, SPACE_SHARED)
SIMT_CODE(pathfinder, SHARED_CODE, .registers = 18, .shared_bytes = 2 * BLOCK * 4);

static const struct insn unshared_insns[] = {PATHFINDER(INSN_ROW, SPACE_GLOBAL)};
static const struct kernel_code pathfinder_unshared_code = {.name = "pathfinder_unshared",
                                                            .insns = unshared_insns,
                                                            .insn_count = sizeof unshared_insns /
                                                                          sizeof *unshared_insns,
                                                            .registers = 18};

/* A block's two rows: element base + its number of a buffer for each thread. */
struct rows {
    struct buffer before, after;
    int64_t before_base, after_base;
};

static struct rows rows_of(struct simt *s, const struct pathfinder *k) {
    if (!k->unshared) {
        return (struct rows){simt_shared(s, 0, BLOCK, 4), simt_shared(s, BLOCK * 4, BLOCK, 4), 0,
                             0};
    }
    const int64_t own = (int64_t)s->cta[0] * 2 * BLOCK;
    return (struct rows){k->scratch, k->scratch, own, own + BLOCK};
}

/* after = min(before at three columns) + wall. @wall: element for thread 0. @first, @last: threads
 * inside the wall, beyond which no neighbour is looked for. */
static void compute(struct simt *s, const struct pathfinder *k, const struct rows *r, int64_t wall,
                    int32_t first, int32_t last) {
    int32_t left[SIMT_THREADS], up[SIMT_THREADS], right[SIMT_THREADS], stone[SIMT_THREADS];
    int32_t west[SIMT_THREADS], east[SIMT_THREADS];

    SIMT_ALU(s, WEST, t) {
        const int32_t tx = (int32_t)t;
        west[t] = tx > first ? tx - 1 : first;
        east[t] = tx < last ? tx + 1 : last;
    }
    struct element e = {.base = r->before_base, .scale = 1, .lane = west};
    simt_load(s, LOAD_LEFT, left, &r->before, e);
    simt_load(s, LOAD_UP, up, &r->before, element_x(r->before_base, 1));
    simt_alu(s, EAST);
    e.lane = east;
    simt_load(s, LOAD_RIGHT, right, &r->before, e);
    simt_alu(s, WALL_ADDRESS);
    simt_load(s, LOAD_WALL, stone, &k->wall, element_x(wall, 1));
    simt_alus(s, MIN_LEFT, MIN_RIGHT);
    SIMT_ALU(s, ADD, t) {
        int32_t least = left[t] < up[t] ? left[t] : up[t];
        least = right[t] < least ? right[t] : least;
        stone[t] += least;
    }
    simt_store(s, PUT_RESULT, stone, &r->after, element_x(r->after_base, 1));
}

static void kernel(struct simt *s, const void *arguments) {
    const struct pathfinder *k = arguments;
    const struct rows r = rows_of(s, k);
    const int64_t columns = k->size.columns;
    const int64_t x = (int64_t)(BLOCK - 2 * k->steps) * s->cta[0] - PYRAMID; /* of thread 0 */
    const int32_t first = x < 0 ? (int32_t)-x : 0;
    const int32_t last = x + BLOCK > columns ? (int32_t)(columns - x) - 1 : BLOCK - 1;
    int32_t value[SIMT_THREADS];
    struct simt_mask lanes;

    simt_alus(s, COLUMN, INSIDE);
    SIMT_WHERE(s, lanes, t, (int32_t)t >= first && (int32_t)t <= last);
    SIMT_IF(s, IF_INSIDE, &lanes) {
        simt_alu(s, SOURCE_ADDRESS);
        simt_load(s, LOAD_SOURCE, value, &k->cost[k->turn], element_x(x, 1));
        simt_store(s, PUT_SOURCE, value, &r.before, element_x(r.before_base, 1));
    }
    simt_barrier(s, HAVE_SOURCE);
    simt_alu(s, FIRST_STEP);
    SIMT_FOR(s, EACH_STEP, step, k->steps) {
        simt_alus(s, FROM, TO);
        SIMT_WHERE(s, lanes, t,
                   t > step && t + step < BLOCK - 1 && (int32_t)t >= first && (int32_t)t <= last);
        SIMT_IF(s, IF_COMPUTES, &lanes) {
            compute(s, k, &r, (k->from + step) * columns + x, first, last);
        }
        simt_barrier(s, HAVE_RESULT);
        simt_alus(s, IS_LAST, IF_LAST);
        if (step + 1 < k->steps) {
            SIMT_IF(s, IF_COPIES, &lanes) {
                simt_load(s, GET_COPY, value, &r.after, element_x(r.after_base, 1));
                simt_store(s, PUT_COPY, value, &r.before, element_x(r.before_base, 1));
            }
            simt_barrier(s, HAVE_COPY);
            simt_alus(s, NEXT_STEP, STEP_AGAIN);
        }
    }
    SIMT_IF(s, IF_STORES, &lanes) {
        simt_alu(s, TARGET_ADDRESS);
        simt_load(s, GET_TARGET, value, &r.after, element_x(r.after_base, 1));
        simt_store(s, STORE_TARGET, value, &k->cost[!k->turn], element_x(x, 1));
    }
}

static unsigned launches(const struct pathfinder *k) {
    return (k->size.rows - 1 + PYRAMID - 1) / PYRAMID;
}

static unsigned launch_steps(const struct pathfinder *k, unsigned launch) {
    const unsigned left = k->size.rows - 1 - launch * PYRAMID;
    return left < PYRAMID ? left : PYRAMID;
}

static bool next_step(void *self, unsigned step, struct host_launch *out) {
    struct pathfinder *k = self;
    if (step == launches(k)) {
        return false;
    }
    k->from = step * PYRAMID;
    k->steps = launch_steps(k, step);
    k->turn = step % 2;
    *out =
        (struct host_launch){.launch = {k->unshared ? &pathfinder_unshared_code : &pathfinder_code,
                                        {k->ctas, 1, 1},
                                        {BLOCK, 1, 1}},
                             .kernel = kernel};
    return true;
}

static bool open_variant(struct pathfinder *k, enum workload_size size, uint64_t seed,
                         bool unshared) {
    const unsigned kept = BLOCK - 2 * PYRAMID;
    k->size = sizes[size];
    k->seed = seed;
    k->unshared = unshared;
    k->ctas = (k->size.columns + kept - 1) / kept;
    const uint64_t columns = k->size.columns, stones = columns * (k->size.rows - 1);
    if (!HOST_ALLOC(&k->host.memory, {&k->cost[0], columns, 4}, {&k->cost[1], columns, 4},
                    {&k->wall, stones, 4}) ||
        (unshared &&
         !device_memory_alloc(&k->host.memory, &k->scratch, (uint64_t)k->ctas * 2 * BLOCK, 4))) {
        return false;
    }
    int32_t *cost = k->cost[0].data, *wall = k->wall.data;
    for (uint64_t i = 0; i < columns; i++) {
        cost[i] = (int32_t)(host_random(&seed) % 10);
    }
    for (uint64_t i = 0; i < stones; i++) {
        wall[i] = (int32_t)(host_random(&seed) % 10);
    }
    host_set_step(&k->host, next_step);
    return true;
}

static bool pathfinder_open(void *self, enum workload_size size, uint64_t seed) {
    return open_variant(self, size, seed, false);
}

static bool pathfinder_unshared_open(void *self, enum workload_size size, uint64_t seed) {
    return open_variant(self, size, seed, true);
}

/* The row below @above; its costs are drawn as they are needed. */
static void descend(int32_t *below, const int32_t *above, unsigned columns, uint64_t *state) {
    for (unsigned x = 0; x < columns; x++) {
        int32_t least = above[x];
        if (x > 0 && above[x - 1] < least) {
            least = above[x - 1];
        }
        if (x + 1 < columns && above[x + 1] < least) {
            least = above[x + 1];
        }
        below[x] = least + (int32_t)(host_random(state) % 10);
    }
}

/* Both cost rows: what the last launch wrote, and the one before it. */
static const char *pathfinder_check(void *self) {
    struct pathfinder *k = self;
    const unsigned n = k->size.columns, rows = k->size.rows, count = launches(k);
    int32_t *all = calloc((size_t)rows * n, sizeof *all);
    if (!all) {
        return "out of memory";
    }
    uint64_t state = k->seed;
    for (unsigned x = 0; x < n; x++) {
        all[x] = (int32_t)(host_random(&state) % 10);
    }
    for (size_t y = 1; y < rows; y++) {
        descend(&all[y * n], &all[(y - 1) * n], n, &state);
    }
    const char *error =
        host_compare_int(&k->host, "cost", &k->cost[count % 2], &all[(size_t)(rows - 1) * n]);
    if (!error) {
        error = host_compare_int(&k->host, "cost before", &k->cost[!(count % 2)],
                                 &all[(size_t)(count - 1) * PYRAMID * n]);
    }
    free(all);
    return error;
}

/* Lines of elements first .. last of an aligned array. */
static uint64_t run_lines(int64_t first, int64_t last, unsigned line_bytes) {
    return (uint64_t)((last * 4 + 3) / line_bytes - first * 4 / line_bytes + 1);
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

struct lanes {
    int64_t first, last; /* threads; none when first > last */
};

/* The threads of warp w that are at least @margin from the ends of a block which begins at column
 * x, and inside the wall. */
static struct lanes lanes_of(const struct pathfinder *k, int64_t x, unsigned w, int64_t margin) {
    return (struct lanes){larger(w * WARP_SIZE, larger(margin, -x)),
                          smaller(w * WARP_SIZE + WARP_SIZE - 1,
                                  smaller(BLOCK - 1 - margin, k->size.columns - 1 - x))};
}

/* @count instructions of the lanes. */
static void add(struct workload_expectation *e, unsigned count, struct lanes l) {
    e->warp_instructions += count;
    e->thread_instructions += count * (uint64_t)(l.last - l.first + 1);
}

/* One warp in one launch: the lanes of each step are a run of threads, whose lines are counted. The
 * rows of an unshared block are aligned to the lines. */
static void count_warp(const struct pathfinder *k, unsigned steps, int64_t x, unsigned w,
                       unsigned line_bytes, struct workload_expectation *e) {
    const struct lanes all = {0, WARP_SIZE - 1}, inside = lanes_of(k, x, w, 0);
    const int64_t first = larger(0, -x), last = smaller(BLOCK - 1, k->size.columns - 1 - x);
    /* 5 and 2 to begin with, 6 a step, 4 more with the copy, and the last branch. */
    add(e, 5 + 2 + steps * 6 + (steps - 1) * 4 + 1, all);
    if (inside.first <= inside.last) {
        add(e, 3, inside);
        e->global_read_accesses += run_lines(x + inside.first, x + inside.last, line_bytes);
        e->global_write_accesses +=
            k->unshared ? run_lines(inside.first, inside.last, line_bytes) : 0;
    }
    for (unsigned i = 0; i < steps; i++) {
        const struct lanes l = lanes_of(k, x, w, i + 1);
        if (l.first > l.last) {
            continue;
        }
        /* 11 compute; 2 copy, or 3 store. Rows of the wall are whole lines. */
        const bool ends = i + 1 == steps;
        const uint64_t outside = run_lines(x + l.first, x + l.last, line_bytes);
        add(e, 11 + (ends ? 3 : 2), l);
        e->global_read_accesses += outside;
        e->global_write_accesses += ends ? outside : 0;
        if (k->unshared) {
            const uint64_t own = run_lines(l.first, l.last, line_bytes);
            e->global_read_accesses +=
                2 * own +
                run_lines(larger(l.first - 1, first), larger(l.last - 1, first), line_bytes) +
                run_lines(smaller(l.first + 1, last), smaller(l.last + 1, last), line_bytes);
            e->global_write_accesses += own + (ends ? 0 : own);
        }
    }
}

static void pathfinder_expect(const void *self, unsigned line_bytes,
                              struct workload_expectation *e) {
    const struct pathfinder *k = self;
    for (unsigned i = 0; i < launches(k); i++) {
        const unsigned steps = launch_steps(k, i);
        for (unsigned cta = 0; cta < k->ctas; cta++) {
            const int64_t x = (int64_t)(BLOCK - 2 * steps) * cta - PYRAMID;
            for (unsigned w = 0; w < BLOCK / WARP_SIZE; w++) {
                count_warp(k, steps, x, w, line_bytes, e);
            }
        }
    }
}

#define SIZE_TEXT \
    { [SIZE_TINY] = "2080 x 30", [SIZE_SMALL] = "100000 x 50", [SIZE_PAPER_MRPB] = "100000 x 100" }

const struct workload workload_pathfinder = {
    .name = "pathfinder",
    .suite = "rodinia",
    .about = "cheapest way down a wall: 20 rows a launch in shared memory, a barrier a row",
    .size_text = SIZE_TEXT,
    .bytes = sizeof(struct pathfinder),
    .open = pathfinder_open,
    .check = pathfinder_check,
    .expect = pathfinder_expect,
};

const struct workload workload_pathfinder_unshared = {
    .name = "pathfinder-unshared",
    .suite = "rodinia",
    .about = "pathfinder with a block's rows in a global scratch",
    .size_text = SIZE_TEXT,
    .bytes = sizeof(struct pathfinder),
    .open = pathfinder_unshared_open,
    .check = pathfinder_check,
    .expect = pathfinder_expect,
};
