/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU 3DCONV: a 3 x 3 x 3 convolution, a launch a plane. Eleven coalesced loads, most of
 * them shifted by an element; two of the three planes that a launch reads the next reads again.
 *
 * The source adds 15 products: it names the two corners in front three times, with three weights.
 * The compiler loads each once. The other 6 of the 21 instructions after the first load are assumed
 * to be address arithmetic.
 */
#include "workloads/polybench/stencil.h"
#include "workloads/workloads.h"

/* Planes keep their size, rows are 1 KB long. */
#define ROW 256
#define PLANE (ROW * ROW)
static const unsigned planes_of[] = {
    [SIZE_TINY] = 4,
    [SIZE_SMALL] = 64,
    [SIZE_PAPER_MRPB] = 256,
};

enum { LOADS = 11, TERMS = 15 };

/* The loads' elements, in their order: planes, rows, columns away. */
static const struct {
    int i, j, k;
} offset[LOADS] = {{-1, -1, -1}, {1, -1, -1}, {0, -1, 0}, {0, 0, 0},  {0, 1, 0}, {-1, -1, 1},
                   {1, -1, 1},   {-1, 0, 1},  {1, 0, 1},  {-1, 1, 1}, {1, 1, 1}};

/* The sum, in the source's order. */
static const struct {
    float weight;
    unsigned load;
} term[TERMS] = {{2, 0},  {4, 1}, {5, 0}, {7, 1}, {-8, 0}, {10, 1}, {-3, 2}, {6, 3},
                 {-9, 4}, {2, 5}, {4, 6}, {5, 7}, {7, 8},  {-8, 9}, {10, 10}};

struct conv3d {
    struct host host;
    unsigned planes;
    unsigned plane; /* of the current launch */
    struct buffer a, b;
};

enum { R_K, R_J, R_TEST_K, R_TEST_J, R_PREDICATE, R_BASE, R_ADDRESS, R_SUM, R_A = R_SUM + 4 };

/* 46 arithmetic instructions: 8 up to the guard, 17 up to the first load. */
#define CONV3D(I) \
    I(ALU, K, OP_INT_MAD, R_K, REG_NONE) \
    I(ALU, J, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, FIRST_K, OP_INT_ADD, R_TEST_K, R_K) \
    I(ALU, LAST_K, OP_INT_ADD, R_TEST_K, R_TEST_K) \
    I(ALU, FIRST_J, OP_INT_ADD, R_TEST_J, R_J) \
    I(ALU, LAST_J, OP_INT_ADD, R_TEST_J, R_TEST_J) \
    I(ALU, BOTH, OP_INT_ADD, R_PREDICATE, R_TEST_J, R_TEST_K) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, BASE, OP_INT_MAD, R_BASE, R_J, R_K) \
    I(ALU, ADDRESS, OP_INT_ADD, R_ADDRESS, R_BASE) \
    I(ALU, MORE_ADDRESS, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(LOAD, LOAD_0, SPACE_GLOBAL, 4, R_A, R_ADDRESS) \
    I(LOAD, LOAD_1, SPACE_GLOBAL, 4, R_A + 1, R_ADDRESS) \
    I(LOAD, LOAD_2, SPACE_GLOBAL, 4, R_A + 2, R_ADDRESS) \
    I(LOAD, LOAD_3, SPACE_GLOBAL, 4, R_A + 3, R_ADDRESS) \
    I(LOAD, LOAD_4, SPACE_GLOBAL, 4, R_A + 4, R_ADDRESS) \
    I(LOAD, LOAD_5, SPACE_GLOBAL, 4, R_A + 5, R_ADDRESS) \
    I(LOAD, LOAD_6, SPACE_GLOBAL, 4, R_A + 6, R_ADDRESS) \
    I(LOAD, LOAD_7, SPACE_GLOBAL, 4, R_A + 7, R_ADDRESS) \
    I(LOAD, LOAD_8, SPACE_GLOBAL, 4, R_A + 8, R_ADDRESS) \
    I(LOAD, LOAD_9, SPACE_GLOBAL, 4, R_A + 9, R_ADDRESS) \
    I(LOAD, LOAD_10, SPACE_GLOBAL, 4, R_A + 10, R_ADDRESS) \
    I(ALU, TERM_0, OP_FP_MUL, R_SUM, R_A) \
    I(ALU, TERM_1, OP_FP_MAD, R_SUM, R_A + 1, R_SUM) \
    I(ALU, TERM_2, OP_FP_MAD, R_SUM, R_A, R_SUM) \
    I(ALU, TERM_3, OP_FP_MAD, R_SUM, R_A + 1, R_SUM) \
    I(ALU, TERM_4, OP_FP_MAD, R_SUM, R_A, R_SUM) \
    I(ALU, TERM_5, OP_FP_MAD, R_SUM, R_A + 1, R_SUM) \
    I(ALU, TERM_6, OP_FP_MAD, R_SUM, R_A + 2, R_SUM) \
    I(ALU, TERM_7, OP_FP_MAD, R_SUM, R_A + 3, R_SUM) \
    I(ALU, TERM_8, OP_FP_MAD, R_SUM, R_A + 4, R_SUM) \
    I(ALU, TERM_9, OP_FP_MAD, R_SUM, R_A + 5, R_SUM) \
    I(ALU, TERM_10, OP_FP_MAD, R_SUM, R_A + 6, R_SUM) \
    I(ALU, TERM_11, OP_FP_MAD, R_SUM, R_A + 7, R_SUM) \
    I(ALU, TERM_12, OP_FP_MAD, R_SUM, R_A + 8, R_SUM) \
    I(ALU, TERM_13, OP_FP_MAD, R_SUM, R_A + 9, R_SUM) \
    I(ALU, TERM_14, OP_FP_MAD, R_SUM, R_A + 10, R_SUM) \
    I(ALU, STORE_ADDRESS, OP_INT_ADD, R_BASE, R_BASE) \
    I(STORE, STORE_B, SPACE_GLOBAL, 4, R_SUM, R_BASE)
SIMT_CODE(conv3d, CONV3D, .registers = 32);

enum { BEFORE_GUARD = 8, ADDRESSES = 17, STORE_ADDRESSES = 6 };
enum { INSIDE = ADDRESSES + LOADS + TERMS + STORE_ADDRESSES + 1 };

/* if (0 < j < NJ - 1 && 0 < k < NK - 1) B[i][j][k] = the sum; i is the launch's. */
static void kernel(struct simt *s, const void *arguments) {
    const struct conv3d *c = arguments;
    const unsigned k = s->cta[0] * s->block[0], j = s->cta[1] * s->block[1]; /* thread (0, 0) */
    const int64_t element = (int64_t)c->plane * PLANE + j * ROW + k;
    float a[LOADS][SIMT_THREADS], sum[SIMT_THREADS];
    struct simt_mask inside;

    simt_alus(s, K, BOTH);
    SIMT_WHERE(s, inside, t,
               j + s->y[t] > 0 && j + s->y[t] < ROW - 1 && k + s->x[t] > 0 &&
                   k + s->x[t] < ROW - 1);
    SIMT_IF(s, GUARD, &inside) {
        simt_alus(s, BASE, ADDRESS);
        simt_work(s, MORE_ADDRESS, ADDRESSES - 2);
        for (unsigned l = 0; l < LOADS; l++) {
            int64_t at = element + offset[l].i * PLANE + offset[l].j * ROW + offset[l].k;
            simt_load(s, LOAD_0 + l, a[l], &c->a, element_xy(at, 1, ROW));
        }
        for (unsigned m = 0; m < TERMS; m++) {
            const float *value = a[term[m].load];
            SIMT_ALU(s, TERM_0 + m, t) {
                float product = term[m].weight * value[t];
                sum[t] = m == 0 ? product : product + sum[t];
            }
        }
        simt_work(s, STORE_ADDRESS, STORE_ADDRESSES);
        simt_store(s, STORE_B, sum, &c->b, element_xy(element, 1, ROW));
    }
}

static bool next(void *self, unsigned step, struct host_launch *out) {
    struct conv3d *c = self;
    c->plane = step + 1;
    *out = stencil_launch(&conv3d_code, ROW, ROW, kernel);
    return c->plane < c->planes - 1;
}

static float input(unsigned i, unsigned j, unsigned k) {
    return (float)(i % 12 + 2 * (j % 7) + 3 * (k % 13));
}

static bool conv3d_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct conv3d *c = self;
    c->planes = planes_of[size];
    if (!HOST_ALLOC(&c->host.memory, {&c->a, (uint64_t)c->planes * PLANE, sizeof(float)},
                    {&c->b, (uint64_t)c->planes * PLANE, sizeof(float)})) {
        return false;
    }
    float *a = c->a.data;
    for (unsigned e = 0; e < c->planes * PLANE; e++) {
        a[e] = input(e / PLANE, e / ROW % ROW, e % ROW);
    }
    host_set_step(&c->host, next);
    return true;
}

static float plain_element(unsigned i, unsigned j, unsigned k) {
    const float front = input(i - 1, j - 1, k - 1), back = input(i + 1, j - 1, k - 1);
    return 2 * front + 4 * back + 5 * front + 7 * back + -8 * front + 10 * back +
           -3 * input(i, j - 1, k) + 6 * input(i, j, k) + -9 * input(i, j + 1, k) +
           2 * input(i - 1, j - 1, k + 1) + 4 * input(i + 1, j - 1, k + 1) +
           5 * input(i - 1, j, k + 1) + 7 * input(i + 1, j, k + 1) +
           -8 * input(i - 1, j + 1, k + 1) + 10 * input(i + 1, j + 1, k + 1);
}

static const struct workload_result results[] = {FLOATS("B", conv3d, b), {0}};

static bool conv3d_plain(void *self, void *const expected[]) {
    struct conv3d *c = self;
    float *b = expected[0];
    for (unsigned i = 1; i < c->planes - 1; i++) {
        for (unsigned j = 1; j < ROW - 1; j++) {
            for (unsigned k = 1; k < ROW - 1; k++) {
                b[(size_t)i * PLANE + j * ROW + k] = plain_element(i, j, k);
            }
        }
    }
    return true;
}

static void conv3d_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct conv3d *c = self;
    const uint64_t launches = c->planes - 2, inner = ROW - 2; /* rows inside, lanes of each */
    const uint64_t warps = ROW / WARP_SIZE, lines = warps * host_row_lines(line_bytes);
    e->warp_instructions = launches * warps * (ROW * BEFORE_GUARD + inner * INSIDE);
    e->thread_instructions = launches * (PLANE * BEFORE_GUARD + inner * inner * INSIDE);
    /* 8 loads are shifted by an element, which costs all warps of a row but one a line more. */
    e->global_read_accesses = launches * inner * (LOADS * lines + 8 * (warps - 1));
    e->global_write_accesses = launches * inner * lines;
}

const struct workload workload_3dconv = {
    .name = "3dconv",
    .suite = "polybench",
    .about = "3 x 3 x 3 convolution, a launch a plane: eleven coalesced loads",
    .size_text = {[SIZE_TINY] = "4 planes of 256 x 256",
                  [SIZE_SMALL] = "64 planes of 256 x 256",
                  [SIZE_PAPER_MRPB] = "256 x 256 x 256"},
    .bytes = sizeof(struct conv3d),
    .open = conv3d_open,
    .results = results,
    .plain = conv3d_plain,
    .expect = conv3d_expect,
};
