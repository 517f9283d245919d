/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia streamcluster (3.1) computes the gain of making point x a centre, with a launch for each
 * candidate x. A thread is a point: it reads its coordinates, which lie dimension by dimension,
 * once in a launch, so the launch is a stream without reuse beside a broadcast of x's; then a
 * short tail of uncoalesced accesses: points of 32 bytes, and a row of costs a point, long as the
 * number of centres.
 *
 * The host keeps centres, assignments and costs as the local search does: it opens x where that
 * pays, and closes the centres that then no longer do. Chosen where the specification is open: the
 * search starts from 10 random centres, with the points at their nearest, and a centre costs 1/256
 * of the cost of that; 16 launches of the suite's 1611, which are 2.2 G thread instructions (OWL
 * stops at 1 G, MeDiC at 500 million a kernel). The rows of costs are allocated anew for each
 * launch, long as the centres of the moment need them, so they lie behind the arrays that stay:
 * here once, as long as they can become, last. The arrays in front of the coordinates decide how
 * CTAs share rows of DRAM: with a whole number of them, a CTA's 2 KB of a dimension are its own.
 */
#include <stdlib.h>
#include <string.h>

#include "workloads/host.h"
#include "workloads/common/lines.h"
#include "workloads/workloads.h"

#define BLOCK 512
#define CENTRES 10  /* at first */
#define FEASIBLE 69 /* points that are candidates */
#define LAUNCHES_MAX 16

static const struct size {
    unsigned points, dimensions, launches; /* points: a multiple of BLOCK */
} sizes[] = {
    [SIZE_TINY] = {8192, 16, 3},
    [SIZE_SMALL] = {65536, 64, 3},
    [SIZE_PAPER_MDB] = {65536, 256, LAUNCHES_MAX},
    [SIZE_PAPER_MEDIC] = {65536, 256, LAUNCHES_MAX},
    [SIZE_PAPER_OWL] = {65536, 256, LAUNCHES_MAX},
};

struct point {
    float weight, padding;
    uint64_t coordinates; /* a pointer of the host, which no kernel follows */
    int64_t assign;
    float cost, padding_too;
};
enum { POINT_WORDS = 8, COST_WORD = 6, POINT_LONGS = 4, ASSIGN_LONG = 2 };

/* A search: of the program, whose arrays are in device memory, or of the check. */
struct search {
    const float *coordinates;
    struct point *points;
    int32_t *table; /* of each point that is a centre: its number */
    float *work;    /* a row of centres + 1 a point */
    uint8_t *change;
    bool *centre;
    unsigned centres;
    float price; /* of a centre */
};

struct streamcluster {
    struct host host;
    struct size size;
    unsigned candidates[LAUNCHES_MAX];
    bool centre_first[1 << 16], centre[1 << 16];
    struct search search;
    struct point *first; /* as they are before the first launch */
    struct buffer table, change, points, coordinates, work; /* in this order in memory */
    unsigned stride;                                        /* of this launch: centres + 1 */
    unsigned x;                                             /* of this launch */
};

enum { R_T, R_A, R_X_ADDRESS, R_SUM, R_C, R_X, R_P, R_POINT, R_COST, R_WORK, R_CT };

#define COMPUTE_COST(I) \
    I(ALU, ID, OP_INT_MAD, R_T, REG_NONE) \
    I(ALU, GUARD_COMPARE, OP_INT_ADD, R_P, R_T) \
    I(BRANCH, GUARD, R_P) \
    I(ALU, ADDRESS, OP_INT_MAD, R_A, R_T) \
    I(ALU, X_ADDRESS, OP_INT_MAD, R_X_ADDRESS, REG_NONE) \
    I(ALU, ZERO, OP_FP_ADD, R_SUM, REG_NONE) \
    I(LOOP, DIMENSION) \
    I(LOAD, LOAD_C, SPACE_GLOBAL, 4, R_C, R_A) \
    I(LOAD, LOAD_X, SPACE_GLOBAL, 4, R_X, R_X_ADDRESS) \
    I(ALU, SUB, OP_FP_ADD, R_C, R_C, R_X) \
    I(ALU, FMA, OP_FP_MAD, R_SUM, R_C, R_C, R_SUM) \
    I(ALU, NEXT, OP_INT_ADD, R_A, R_A) \
    I(ALU, NEXT_X, OP_INT_ADD, R_X_ADDRESS, R_X_ADDRESS) \
    I(ALU, COMPARE, OP_INT_ADD, R_P, R_A) \
    I(BRANCH, AGAIN, R_P) \
    I(ALU, POINT, OP_INT_MAD, R_POINT, R_T) \
    I(LOAD, LOAD_WEIGHT, SPACE_GLOBAL, 4, R_C, R_POINT) \
    I(ALU, SCALE, OP_FP_MUL, R_SUM, R_SUM, R_C) \
    I(LOAD, LOAD_COST, SPACE_GLOBAL, 4, R_COST, R_POINT) \
    I(ALU, NEARER, OP_FP_ADD, R_P, R_SUM, R_COST) \
    I(BRANCH, IF_NEARER, R_P) \
    I(STORE, STORE_CHANGE, SPACE_GLOBAL, 1, R_P, R_T) \
    I(LOAD, LOAD_COST_AGAIN, SPACE_GLOBAL, 4, R_COST, R_POINT) \
    I(ALU, LAST_ADDRESS, OP_INT_MAD, R_A, R_T) \
    I(LOAD, LOAD_LAST, SPACE_GLOBAL, 4, R_WORK, R_A) \
    I(ALU, GAIN, OP_FP_ADD, R_COST, R_SUM, R_COST) \
    I(ALU, ADD_GAIN, OP_FP_ADD, R_WORK, R_WORK, R_COST) \
    I(STORE, STORE_LAST, SPACE_GLOBAL, 4, R_WORK, R_A) \
    I(LOAD, LOAD_ASSIGN, SPACE_GLOBAL, 8, R_CT, R_POINT) \
    I(ALU, TABLE_ADDRESS, OP_INT_MAD, R_CT, R_CT) \
    I(LOAD, LOAD_TABLE, SPACE_GLOBAL, 4, R_CT, R_CT) \
    I(ALU, WORK_ADDRESS, OP_INT_MAD, R_A, R_T, R_CT) \
    I(LOAD, LOAD_WORK, SPACE_GLOBAL, 4, R_WORK, R_A) \
    I(ALU, LOSS, OP_FP_ADD, R_COST, R_COST, R_SUM) \
    I(ALU, ADD_LOSS, OP_FP_ADD, R_WORK, R_WORK, R_COST) \
    I(STORE, STORE_WORK, SPACE_GLOBAL, 4, R_WORK, R_A)
SIMT_CODE(compute_cost, COMPUTE_COST, .registers = 18);
enum { LOOP_INSNS = 8, AROUND_INSNS = 12, NEARER_INSNS = 7, FARTHER_INSNS = 8 };

/* The points seen as words of another width. */
static struct buffer view(const struct buffer *b, unsigned width) {
    return (struct buffer){.address = b->address,
                           .data = b->data,
                           .count = b->count * b->width / width,
                           .width = width};
}

static void kernel(struct simt *s, const void *arguments) {
    const struct streamcluster *k = arguments;
    const int64_t first = (int64_t)s->cta[0] * s->block[0], n = k->size.points;
    const struct buffer words = view(&k->points, 4), longs = view(&k->points, 8);
    const struct element cost_at = element_x(first * POINT_WORDS + COST_WORD, POINT_WORDS);
    float c[SIMT_THREADS], x[SIMT_THREADS], sum[SIMT_THREADS], weight[SIMT_THREADS];
    float cost[SIMT_THREADS], work[SIMT_THREADS];
    int64_t assign[SIMT_THREADS];
    int32_t at[SIMT_THREADS], ct[SIMT_THREADS];
    struct simt_mask nearer;

    simt_alus(s, ID, X_ADDRESS); /* t < n, always */
    SIMT_ALU(s, ZERO, t) {
        sum[t] = 0.0f;
    }
    SIMT_FOR(s, DIMENSION, d, k->size.dimensions) {
        simt_load(s, LOAD_C, c, &k->coordinates, element_x(d * n + first, 1));
        simt_load(s, LOAD_X, x, &k->coordinates, element_at(d * n + k->x));
        simt_alus(s, SUB, AGAIN);
        SIMT_EACH(s, t) {
            sum[t] += (c[t] - x[t]) * (c[t] - x[t]);
        }
    }
    simt_alu(s, POINT);
    simt_load(s, LOAD_WEIGHT, weight, &words, element_x(first * POINT_WORDS, POINT_WORDS));
    SIMT_ALU(s, SCALE, t) {
        sum[t] *= weight[t];
    }
    simt_load(s, LOAD_COST, cost, &words, cost_at);
    simt_alu(s, NEARER);
    SIMT_WHERE(s, nearer, t, sum[t] < cost[t]);
    SIMT_IF(s, IF_NEARER, &nearer) {
        uint8_t yes[SIMT_THREADS];
        memset(yes, 1, sizeof yes);
        simt_store(s, STORE_CHANGE, yes, &k->change, element_x(first, 1));
        simt_load(s, LOAD_COST_AGAIN, cost, &words, cost_at);
        simt_alu(s, LAST_ADDRESS);
        const struct element last =
            element_x(first * k->stride + k->stride - 1, (int64_t)k->stride);
        simt_load(s, LOAD_LAST, work, &k->work, last);
        simt_alus(s, GAIN, ADD_GAIN);
        SIMT_EACH(s, t) {
            work[t] += sum[t] - cost[t];
        }
        simt_store(s, STORE_LAST, work, &k->work, last);
    }
    SIMT_ELSE(s) {
        simt_load(s, LOAD_ASSIGN, assign, &longs,
                  element_x(first * POINT_LONGS + ASSIGN_LONG, POINT_LONGS));
        simt_alu(s, TABLE_ADDRESS);
        SIMT_EACH(s, t) {
            at[t] = (int32_t)assign[t];
        }
        simt_load(s, LOAD_TABLE, ct, &k->table, element_lane(at));
        struct element row = element_x(first * k->stride, k->stride);
        row.lane = ct;
        row.scale = 1;
        simt_alu(s, WORK_ADDRESS);
        simt_load(s, LOAD_WORK, work, &k->work, row);
        simt_alus(s, LOSS, ADD_LOSS);
        SIMT_EACH(s, t) {
            work[t] += cost[t] - sum[t];
        }
        simt_store(s, STORE_WORK, work, &k->work, row);
    }
}

/* --- The host's part of the search. --- */

static float distance(const struct size *n, const float *coordinates, unsigned a, unsigned b) {
    float sum = 0.0f;
    for (unsigned d = 0; d < n->dimensions; d++) {
        const float *row = coordinates + (size_t)d * n->points;
        sum += (row[a] - row[b]) * (row[a] - row[b]);
    }
    return sum;
}

/* Before a launch: numbers the centres and clears what the kernel adds to. */
static void prepare(const struct size *n, struct search *s) {
    s->centres = 0;
    for (unsigned i = 0; i < n->points; i++) {
        if (s->centre[i]) {
            s->table[i] = (int32_t)s->centres++;
        }
    }
    memset(s->work, 0, ((size_t)s->centres + 1) * (n->points + 1) * sizeof *s->work);
    memset(s->change, 0, n->points);
}

/* After it: opens x if it pays, with all that then closes. */
static void decide(const struct size *n, struct search *s, unsigned x) {
    const size_t stride = s->centres + 1;
    float saved[CENTRES + LAUNCHES_MAX + 1] = {0}; /* by closing a centre; at last: by opening x */
    for (size_t i = 0; i < n->points * stride; i++) {
        saved[i % stride] += s->work[i];
    }
    float cost = s->price + saved[s->centres];
    for (unsigned i = 0; i < s->centres; i++) {
        saved[i] += s->price;
        cost -= saved[i] > 0.0f ? saved[i] : 0.0f;
    }
    if (cost >= 0.0f) {
        return;
    }
    for (unsigned i = 0; i < n->points; i++) {
        struct point *p = &s->points[i];
        if (s->change[i] || saved[s->table[p->assign]] > 0.0f) {
            p->cost = p->weight * distance(n, s->coordinates, i, x);
            p->assign = x;
        }
    }
    for (unsigned i = 0; i < n->points; i++) {
        s->centre[i] = s->centre[i] && !(saved[s->table[i]] > 0.0f);
    }
    s->centre[x] = true;
}

static bool step(void *self, unsigned number, struct host_launch *out) {
    struct streamcluster *k = self;
    if (number == k->size.launches) {
        return false;
    }
    if (number > 0) {
        decide(&k->size, &k->search, k->x);
    }
    prepare(&k->size, &k->search);
    k->stride = k->search.centres + 1;
    k->x = k->candidates[number];
    *out = (struct host_launch){
        .launch = {&compute_cost_code, {k->size.points / BLOCK, 1, 1}, {BLOCK, 1, 1}},
        .kernel = kernel};
    return true;
}

/* Random centres, every point at the nearest. */
static void start(struct streamcluster *k, uint64_t seed) {
    const struct size *n = &k->size;
    struct search *s = &k->search;
    unsigned centres[CENTRES], feasible[FEASIBLE];
    float total = 0.0f;
    for (unsigned i = 0; i < FEASIBLE; i++) {
        feasible[i] = (unsigned)(host_random(&seed) % n->points);
    }
    for (unsigned i = 0; i < n->launches; i++) {
        k->candidates[i] = feasible[host_random(&seed) % FEASIBLE];
    }
    for (unsigned i = 0; i < CENTRES; i++) {
        centres[i] = (unsigned)(host_random(&seed) % n->points);
        s->centre[centres[i]] = true;
    }
    for (unsigned i = 0; i < n->points; i++) {
        struct point *p = &s->points[i];
        p->weight = 1.0f;
        for (unsigned c = 0; c < CENTRES; c++) {
            const float d = distance(n, s->coordinates, i, centres[c]);
            if (c == 0 || d < p->cost) {
                p->cost = d;
                p->assign = centres[c];
            }
        }
        total += p->cost;
    }
    s->price = total / 256.0f;
    memcpy(k->centre_first, k->centre, sizeof k->centre);
    memcpy(k->first, s->points, n->points * sizeof *k->first);
}

static bool streamcluster_open(void *self, enum workload_size size, uint64_t seed) {
    struct streamcluster *k = self;
    const struct size *n = &sizes[size];
    k->size = *n;
    k->first = host_array(&k->host, n->points, sizeof *k->first);
    if (!k->first ||
        !HOST_ALLOC(&k->host.memory, {&k->table, n->points, 4}, {&k->change, n->points, 1},
                    {&k->points, n->points * POINT_LONGS, 8},
                    {&k->coordinates, (uint64_t)n->dimensions * n->points, 4},
                    {&k->work, (CENTRES + n->launches + 1) * (n->points + 1ull), 4})) {
        return false;
    }
    float *coordinates = k->coordinates.data;
    for (uint64_t i = 0; i < k->coordinates.count; i++) {
        coordinates[i] = host_uniform(&seed);
    }
    k->search = (struct search){.coordinates = coordinates,
                                .points = k->points.data,
                                .table = k->table.data,
                                .work = k->work.data,
                                .change = k->change.data,
                                .centre = k->centre};
    start(k, seed);
    host_set_step(&k->host, step);
    return true;
}

/* --- Plain C. --- */

/* The counts that the walk adds to. */
struct count {
    unsigned line_bytes;
    struct workload_expectation *e;
};

/* The tail of a warp, of which lanes are nearer to x: @nearer, a bool a lane. */
static void count_tail(const struct search *s, unsigned first, const bool *nearer,
                       const struct count *c) {
    const uint64_t stride = s->centres + 1;
    uint64_t point[WARP_SIZE], work[WARP_SIZE], table[WARP_SIZE];
    for (unsigned side = 0; side < 2; side++) {
        unsigned lanes = 0;
        for (unsigned t = first; t < first + WARP_SIZE; t++) {
            if (nearer[t - first] == (side == 0)) {
                const int64_t centre = s->points[t].assign;
                const uint64_t ct = side == 0 ? s->centres : (uint64_t)s->table[centre];
                point[lanes] = t * sizeof(struct point);
                table[lanes] = (uint64_t)centre * 4;
                work[lanes++] = (t * stride + ct) * 4;
            }
        }
        const uint64_t insns = side == 0 ? NEARER_INSNS : FARTHER_INSNS;
        c->e->warp_instructions += lanes ? insns : 0;
        c->e->thread_instructions += lanes * insns;
        const unsigned work_lines = lines_of(work, lanes, c->line_bytes);
        c->e->global_read_accesses += lines_of(point, lanes, c->line_bytes) + work_lines;
        c->e->global_read_accesses += side == 1 ? lines_of(table, lanes, c->line_bytes) : 0;
        /* The flags of a warp are 32 bytes. */
        c->e->global_write_accesses += work_lines + (side == 0 && lanes);
    }
}

/* The whole search. @c: NULL or what to count with. False: out of memory. */
static bool search_again(const struct streamcluster *k, struct search *s, const struct count *c) {
    const struct size *n = &k->size;
    *s = (struct search){.coordinates = k->search.coordinates, .price = k->search.price};
    s->points = calloc(n->points, sizeof *s->points);
    s->table = calloc(n->points, sizeof *s->table);
    s->work = calloc(k->work.count, sizeof *s->work);
    s->change = calloc(n->points, 1);
    s->centre = calloc(n->points, sizeof *s->centre);
    if (!s->points || !s->table || !s->work || !s->change || !s->centre) {
        return false;
    }
    memcpy(s->points, k->first, n->points * sizeof *s->points);
    memcpy(s->centre, k->centre_first, n->points * sizeof *s->centre);
    for (unsigned i = 0; i < n->launches; i++) {
        bool nearer[WARP_SIZE];
        if (i > 0) {
            decide(n, s, k->candidates[i - 1]);
        }
        prepare(n, s);
        for (unsigned t = 0; t < n->points; t++) {
            const struct point *p = &s->points[t];
            const float cost = distance(n, s->coordinates, t, k->candidates[i]) * p->weight;
            float *row = s->work + (size_t)t * (s->centres + 1);
            s->change[t] = nearer[t % WARP_SIZE] = cost < p->cost;
            if (s->change[t]) {
                row[s->centres] += cost - p->cost;
            } else {
                row[s->table[p->assign]] += p->cost - cost;
            }
            if (c && t % WARP_SIZE == WARP_SIZE - 1) {
                count_tail(s, t - (WARP_SIZE - 1), nearer, c);
            }
        }
    }
    return true;
}

static void search_free(struct search *s) {
    free(s->points);
    free(s->table);
    free(s->work);
    free(s->change);
    free(s->centre);
}

static const char *streamcluster_check(void *self) {
    struct streamcluster *k = self;
    struct search s;
    const char *error = "out of memory";
    if (search_again(k, &s, NULL)) {
        error = host_compare(&k->host, "work", &k->work, s.work);
        error = error ? error : host_compare_int(&k->host, "switch", &k->change, s.change);
        error = error ? error : host_compare_int(&k->host, "points", &k->points, s.points);
        error = error ? error : host_compare_int(&k->host, "center_table", &k->table, s.table);
    }
    search_free(&s);
    return error;
}

static void streamcluster_expect(const void *self, unsigned line_bytes,
                                 struct workload_expectation *e) {
    const struct streamcluster *k = self;
    const struct size *n = &k->size;
    const uint64_t warps = (uint64_t)n->launches * n->points / WARP_SIZE;
    const uint64_t straight = AROUND_INSNS + LOOP_INSNS * n->dimensions;
    struct search s;
    *e = (struct workload_expectation){
        .warp_instructions = warps * straight,
        .thread_instructions = warps * straight * WARP_SIZE,
        /* A dimension: a line and x's; then weights and costs of 32 points. */
        .global_read_accesses = warps * (n->dimensions * (host_row_lines(line_bytes) + 1) +
                                         2 * WARP_SIZE * sizeof(struct point) / line_bytes)};
    if (!search_again(k, &s, &(struct count){line_bytes, e})) {
        *e = WORKLOAD_ALL_UNKNOWN;
    }
    search_free(&s);
}

const struct workload workload_streamcluster = {
    .name = "streamcluster",
    .suite = "rodinia",
    .about = "distances of all points to one: a stream and a broadcast, no reuse",
    .size_text = {[SIZE_TINY] = "8 Ki points of 16 dimensions, 3 launches",
                  [SIZE_SMALL] = "64 Ki points of 64 dimensions, 3 launches",
                  [SIZE_PAPER_MDB] = "64 Ki points of 256 dimensions, 16 launches (suite: 1611)",
                  [SIZE_PAPER_MEDIC] = "64 Ki points of 256 dimensions, 16 launches (suite: 1611)",
                  [SIZE_PAPER_OWL] = "64 Ki points of 256 dimensions, 16 launches (suite: 1611)"},
    .bytes = sizeof(struct streamcluster),
    .open = streamcluster_open,
    .check = streamcluster_check,
    .expect = streamcluster_expect,
};
