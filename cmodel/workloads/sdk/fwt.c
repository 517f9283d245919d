/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA SDK fastWalshTransform: a dyadic convolution of 2^D values with a kernel of 128. Both are
 * transformed, the kernel padded to the data's length, multiplied, and the product is transformed
 * back, in place throughout. A transform takes two stages a launch in global memory while a part
 * is longer than 2048 values, the rest in one launch in shared memory.
 *
 * All accesses are whole lines, and nothing is used again within a launch. Each thread of the
 * launches in global memory has four of them whose distance is a power of two, from 2^D down to
 * 8 KB: they meet in channels, banks and sets. A block has 1 KB at each of the four places, so two
 * blocks in sequence share a DRAM row of 2 KB, as OWL's table 4 has it. 2^23 values as in the
 * suite.
 */
#include <string.h>

#include "workloads/host.h"
#include "workloads/workloads.h"

#define LOG2_PART 11 /* D is odd, too */
#define PART (1 << LOG2_PART)
#define PART_BLOCK (PART / 4)
#define PART_STAGES 5 /* of four values; the last, of two, is apart */
#define BLOCK 256
#define KERNEL_COUNT 128
#define MODULATE_CTAS 128

static const unsigned sizes[] = {[SIZE_TINY] = 15, [SIZE_SMALL] = 19, [SIZE_PAPER_OWL] = 23};

struct fwt {
    struct host host;
    unsigned log2;
    uint64_t seed;
    struct buffer data, kernel;
    /* State of the current launch. */
    const struct buffer *target;
    unsigned stride;
};

enum {
    R_I,
    R_LOW,
    R_STRIDE,
    R_PREDICATE,
    R_ADDRESS_0,
    R_ADDRESS_1,
    R_ADDRESS_2,
    R_ADDRESS_3,
    R_0,
    R_1,
    R_2,
    R_3,
    R_SUM_0,
    R_SUM_1
};

/* Two stages of the values at i, i + stride, i + 2 stride, i + 3 stride. */
#define BUTTERFLY(I, X, space) \
    I(ALU, X##_LOW, OP_INT_ADD, R_LOW, R_I, R_STRIDE) \
    I(ALU, X##_BASE, OP_INT_ADD, R_ADDRESS_0, R_I, R_LOW) \
    I(ALU, X##_ADDRESS_0, OP_INT_MAD, R_ADDRESS_0, R_ADDRESS_0, R_LOW) \
    I(ALU, X##_ADDRESS_1, OP_INT_MAD, R_ADDRESS_1, R_ADDRESS_0, R_STRIDE) \
    I(ALU, X##_ADDRESS_2, OP_INT_MAD, R_ADDRESS_2, R_ADDRESS_1, R_STRIDE) \
    I(ALU, X##_ADDRESS_3, OP_INT_MAD, R_ADDRESS_3, R_ADDRESS_2, R_STRIDE) \
    I(LOAD, X##_LOAD_0, space, 4, R_0, R_ADDRESS_0) \
    I(LOAD, X##_LOAD_1, space, 4, R_1, R_ADDRESS_1) \
    I(LOAD, X##_LOAD_2, space, 4, R_2, R_ADDRESS_2) \
    I(LOAD, X##_LOAD_3, space, 4, R_3, R_ADDRESS_3) \
    I(ALU, X##_ADD_02, OP_FP_ADD, R_SUM_0, R_0, R_2) \
    I(ALU, X##_SUB_02, OP_FP_ADD, R_2, R_0, R_2) \
    I(ALU, X##_ADD_13, OP_FP_ADD, R_SUM_1, R_1, R_3) \
    I(ALU, X##_SUB_13, OP_FP_ADD, R_3, R_1, R_3) \
    I(ALU, X##_RESULT_0, OP_FP_ADD, R_0, R_SUM_0, R_SUM_1) \
    I(ALU, X##_RESULT_1, OP_FP_ADD, R_1, R_SUM_0, R_SUM_1) \
    I(ALU, X##_RESULT_2, OP_FP_ADD, R_SUM_0, R_2, R_3) \
    I(ALU, X##_RESULT_3, OP_FP_ADD, R_SUM_1, R_2, R_3) \
    I(STORE, X##_STORE_0, space, 4, R_0, R_ADDRESS_0) \
    I(STORE, X##_STORE_1, space, 4, R_1, R_ADDRESS_1) \
    I(STORE, X##_STORE_2, space, 4, R_SUM_0, R_ADDRESS_2) \
    I(STORE, X##_STORE_3, space, 4, R_SUM_1, R_ADDRESS_3)
#define BUTTERFLY_INSNS 22
#define BUTTERFLY_OFFSET(name) (WIDE_##name - WIDE_LOW)

#define WIDE(I) \
    I(ALU, WIDE_I, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, WIDE_STRIDE, OP_INT_ADD, R_STRIDE, REG_NONE) \
    BUTTERFLY(I, WIDE, SPACE_GLOBAL)
SIMT_CODE(fwt_wide, WIDE, .registers = 16);

/* @first: of a BUTTERFLY. @base: element; @position: which of the threads' four values each of
 * them takes. */
static void butterfly(struct simt *s, unsigned first, const struct buffer *data, int64_t base,
                      unsigned position, unsigned stride) {
    int32_t at[SIMT_THREADS];
    float x[4][SIMT_THREADS];

    simt_alus(s, first, first + BUTTERFLY_OFFSET(ADDRESS_3));
    SIMT_EACH(s, t) {
        const unsigned i = position + t, low = i & (stride - 1);
        at[t] = (int32_t)((i - low) * 4 + low);
    }
    struct element e = {.base = base, .scale = 1, .lane = at};
    for (unsigned i = 0; i < 4; i++, e.base += stride) {
        simt_load(s, first + BUTTERFLY_OFFSET(LOAD_0) + i, x[i], data, e);
    }
    simt_alus(s, first + BUTTERFLY_OFFSET(ADD_02), first + BUTTERFLY_OFFSET(RESULT_3));
    SIMT_EACH(s, t) {
        const float sum_02 = x[0][t] + x[2][t], difference_02 = x[0][t] - x[2][t];
        const float sum_13 = x[1][t] + x[3][t], difference_13 = x[1][t] - x[3][t];
        x[0][t] = sum_02 + sum_13;
        x[1][t] = sum_02 - sum_13;
        x[2][t] = difference_02 + difference_13;
        x[3][t] = difference_02 - difference_13;
    }
    e.base = base;
    for (unsigned i = 0; i < 4; i++, e.base += stride) {
        simt_store(s, first + BUTTERFLY_OFFSET(STORE_0) + i, x[i], data, e);
    }
}

/* Two stages of the whole array. */
static void wide(struct simt *s, const void *arguments) {
    const struct fwt *k = arguments;
    simt_alus(s, WIDE_I, WIDE_STRIDE);
    butterfly(s, WIDE_LOW, k->target, 0, s->cta[0] * BLOCK, k->stride);
}

#define PART_CODE(I) \
    I(ALU, FIRST, OP_INT_ADD, R_I, REG_NONE) \
    I(LOOP, LOADS) \
    I(ALU, LOAD_ADDRESS, OP_INT_MAD, R_ADDRESS_0, R_I) \
    I(LOAD, LOAD, SPACE_GLOBAL, 4, R_0, R_ADDRESS_0) \
    I(STORE, PUT, SPACE_SHARED, 4, R_0, R_I) \
    I(ALU, LOAD_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, LOAD_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, LOAD_AGAIN, R_PREDICATE) \
    I(ALU, POSITION, OP_INT_ADD, R_I, REG_NONE) \
    I(ALU, FIRST_STRIDE, OP_INT_ADD, R_STRIDE, REG_NONE) \
    I(LOOP, STAGES) \
    I(BARRIER, STAGE_READY) \
    BUTTERFLY(I, NEAR, SPACE_SHARED) \
    I(ALU, STAGE_NEXT, OP_INT_ADD, R_STRIDE, R_STRIDE) \
    I(ALU, STAGE_COMPARE, OP_INT_ADD, R_PREDICATE, R_STRIDE) \
    I(BRANCH, STAGE_AGAIN, R_PREDICATE) \
    I(BARRIER, PAIRS_READY) \
    I(LOOP, PAIRS) \
    I(ALU, PAIR_ADDRESS, OP_INT_MAD, R_ADDRESS_0, R_I) \
    I(ALU, OTHER_ADDRESS, OP_INT_ADD, R_ADDRESS_1, R_ADDRESS_0) \
    I(LOAD, GET_PAIR, SPACE_SHARED, 4, R_0, R_ADDRESS_0) \
    I(LOAD, GET_OTHER, SPACE_SHARED, 4, R_1, R_ADDRESS_1) \
    I(ALU, ADD, OP_FP_ADD, R_SUM_0, R_0, R_1) \
    I(ALU, SUB, OP_FP_ADD, R_SUM_1, R_0, R_1) \
    I(STORE, PUT_PAIR, SPACE_SHARED, 4, R_SUM_0, R_ADDRESS_0) \
    I(STORE, PUT_OTHER, SPACE_SHARED, 4, R_SUM_1, R_ADDRESS_1) \
    I(ALU, PAIR_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, PAIR_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, PAIR_AGAIN, R_PREDICATE) \
    I(BARRIER, DONE) \
    I(LOOP, STORES) \
    I(ALU, STORE_ADDRESS, OP_INT_MAD, R_ADDRESS_0, R_I) \
    I(LOAD, GET, SPACE_SHARED, 4, R_0, R_I) \
    I(STORE, STORE, SPACE_GLOBAL, 4, R_0, R_ADDRESS_0) \
    I(ALU, STORE_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, STORE_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, STORE_AGAIN, R_PREDICATE)
SIMT_CODE(fwt_part, PART_CODE, .registers = 16, .shared_bytes = PART * 4);

/* The last stage of a part: neighbours. */
static void add_pairs(struct simt *s, const struct buffer *part) {
    float pair[SIMT_THREADS], other[SIMT_THREADS], sum[SIMT_THREADS];
    SIMT_FOR(s, PAIRS, i, PART / 2 / PART_BLOCK) {
        const int64_t at = (int64_t)i * 2 * PART_BLOCK;
        simt_alus(s, PAIR_ADDRESS, OTHER_ADDRESS);
        simt_load(s, GET_PAIR, pair, part, element_x(at, 2));
        simt_load(s, GET_OTHER, other, part, element_x(at + 1, 2));
        simt_alus(s, ADD, SUB);
        SIMT_EACH(s, t) {
            sum[t] = pair[t] + other[t];
            other[t] = pair[t] - other[t];
        }
        simt_store(s, PUT_PAIR, sum, part, element_x(at, 2));
        simt_store(s, PUT_OTHER, other, part, element_x(at + 1, 2));
        simt_alus(s, PAIR_NEXT, PAIR_AGAIN);
    }
}

/* All stages of a part that are left. */
static void near(struct simt *s, const void *arguments) {
    const struct fwt *k = arguments;
    const struct buffer part = simt_shared(s, 0, PART, 4);
    const int64_t base = (int64_t)s->cta[0] * PART;
    float x[SIMT_THREADS];

    simt_alu(s, FIRST);
    SIMT_FOR(s, LOADS, i, PART / PART_BLOCK) {
        simt_alu(s, LOAD_ADDRESS);
        simt_load(s, LOAD, x, k->target, element_x(base + i * PART_BLOCK, 1));
        simt_store(s, PUT, x, &part, element_x(i * PART_BLOCK, 1));
        simt_alus(s, LOAD_NEXT, LOAD_AGAIN);
    }
    simt_alus(s, POSITION, FIRST_STRIDE);
    SIMT_FOR(s, STAGES, i, PART_STAGES) {
        simt_barrier(s, STAGE_READY);
        butterfly(s, NEAR_LOW, &part, 0, 0, PART / 4 >> 2 * i);
        simt_alus(s, STAGE_NEXT, STAGE_AGAIN);
    }
    simt_barrier(s, PAIRS_READY);
    add_pairs(s, &part);
    simt_barrier(s, DONE);
    SIMT_FOR(s, STORES, i, PART / PART_BLOCK) {
        simt_alu(s, STORE_ADDRESS);
        simt_load(s, GET, x, &part, element_x(i * PART_BLOCK, 1));
        simt_store(s, STORE, x, k->target, element_x(base + i * PART_BLOCK, 1));
        simt_alus(s, STORE_NEXT, STORE_AGAIN);
    }
}

#define MODULATE(I) \
    I(ALU, M_FIRST, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, M_INVERSE, OP_FP_DIV, R_SUM_0, REG_NONE) \
    I(LOOP, M_EACH) \
    I(ALU, M_DATA_ADDRESS, OP_INT_MAD, R_ADDRESS_0, R_I) \
    I(ALU, M_KERNEL_ADDRESS, OP_INT_MAD, R_ADDRESS_1, R_I) \
    I(LOAD, M_LOAD_DATA, SPACE_GLOBAL, 4, R_0, R_ADDRESS_0) \
    I(LOAD, M_LOAD_KERNEL, SPACE_GLOBAL, 4, R_1, R_ADDRESS_1) \
    I(ALU, M_SCALE, OP_FP_MUL, R_1, R_1, R_SUM_0) \
    I(ALU, M_MULTIPLY, OP_FP_MUL, R_0, R_0, R_1) \
    I(STORE, M_STORE, SPACE_GLOBAL, 4, R_0, R_ADDRESS_0) \
    I(ALU, M_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, M_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, M_AGAIN, R_PREDICATE)
SIMT_CODE(fwt_modulate, MODULATE, .registers = 14);

static unsigned modulate_trips(const struct fwt *k) {
    return (1u << k->log2) / (MODULATE_CTAS * BLOCK);
}

/* data *= kernel / count */
static void modulate(struct simt *s, const void *arguments) {
    const struct fwt *k = arguments;
    const float inverse = 1.0f / (float)(1u << k->log2);
    float data[SIMT_THREADS], kernel[SIMT_THREADS];

    simt_alus(s, M_FIRST, M_INVERSE);
    SIMT_FOR(s, M_EACH, i, modulate_trips(k)) {
        const struct element e = element_x((int64_t)(i * MODULATE_CTAS + s->cta[0]) * BLOCK, 1);
        simt_alus(s, M_DATA_ADDRESS, M_KERNEL_ADDRESS);
        simt_load(s, M_LOAD_DATA, data, &k->data, e);
        simt_load(s, M_LOAD_KERNEL, kernel, &k->kernel, e);
        simt_alu(s, M_SCALE);
        SIMT_ALU(s, M_MULTIPLY, t) {
            data[t] *= kernel[t] * inverse;
        }
        simt_store(s, M_STORE, data, &k->data, e);
        simt_alus(s, M_NEXT, M_AGAIN);
    }
}

/* --- The host side. --- */

/* Launches of a transform that are in global memory. */
static unsigned wide_launches(const struct fwt *k) {
    return (k->log2 - LOG2_PART) / 2;
}

static bool next_step(void *self, unsigned step, struct host_launch *out) {
    struct fwt *k = self;
    const unsigned count = 1u << k->log2, launches = wide_launches(k) + 1;
    if (step == 3 * launches + 1) {
        return false;
    }
    if (step == 2 * launches) {
        *out = (struct host_launch){
            .launch = {&fwt_modulate_code, {MODULATE_CTAS, 1, 1}, {BLOCK, 1, 1}},
            .kernel = modulate};
        return true;
    }
    k->target = step / launches == 1 ? &k->kernel : &k->data;
    const unsigned at = (step > 2 * launches ? step - 1 : step) % launches;
    if (at == launches - 1) {
        *out = (struct host_launch){
            .launch = {&fwt_part_code, {count / PART, 1, 1}, {PART_BLOCK, 1, 1}}, .kernel = near};
    } else {
        k->stride = count / 4 >> 2 * at;
        *out = (struct host_launch){
            .launch = {&fwt_wide_code, {count / 4 / BLOCK, 1, 1}, {BLOCK, 1, 1}}, .kernel = wide};
    }
    return true;
}

static void fill(const struct fwt *k, float *data, float *kernel) {
    uint64_t state = k->seed;
    for (unsigned i = 0; i < KERNEL_COUNT; i++) {
        kernel[i] = host_uniform(&state);
    }
    memset(kernel + KERNEL_COUNT, 0, ((1u << k->log2) - KERNEL_COUNT) * sizeof *kernel);
    for (unsigned i = 0; i < 1u << k->log2; i++) {
        data[i] = host_uniform(&state);
    }
}

static bool fwt_open(void *self, enum workload_size size, uint64_t seed) {
    struct fwt *k = self;
    k->log2 = sizes[size];
    k->seed = seed;
    if (!HOST_ALLOC(&k->host.memory, {&k->data, UINT64_C(1) << k->log2, 4},
                    {&k->kernel, UINT64_C(1) << k->log2, 4})) {
        return false;
    }
    fill(k, k->data.data, k->kernel.data);
    host_set_step(&k->host, next_step);
    return true;
}

/* A stage at a time. */
static void transform(float *x, unsigned count) {
    for (unsigned half = count / 2; half > 0; half /= 2) {
        for (unsigned i = 0; i < count; i++) {
            if (!(i & half)) {
                const float a = x[i], b = x[i + half];
                x[i] = a + b;
                x[i + half] = a - b;
            }
        }
    }
}

static const struct workload_result results[] = {
    FLOATS("data", fwt, data), FLOATS("kernel", fwt, kernel), {0}};

static bool fwt_plain(void *self, void *const expected[]) {
    const struct fwt *k = self;
    const unsigned count = 1u << k->log2;
    float *data = expected[0], *kernel = expected[1];
    fill(k, data, kernel);
    transform(kernel, count);
    transform(data, count);
    for (unsigned i = 0; i < count; i++) {
        data[i] *= kernel[i] * (1.0f / (float)count);
    }
    transform(data, count);
    return true;
}

static void fwt_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct fwt *k = self;
    const uint64_t count = UINT64_C(1) << k->log2, quarter = count / 4 / WARP_SIZE;
    const uint64_t loads = 1 + PART / PART_BLOCK * 6;
    const uint64_t stages = 2 + PART_STAGES * (1 + BUTTERFLY_INSNS + 3);
    const uint64_t pairs = 1 + PART / 2 / PART_BLOCK * 11;
    const uint64_t part = loads + stages + pairs + 1 + PART / PART_BLOCK * 6;
    const uint64_t passes = wide_launches(k);
    /* A launch of a transform has a thread for each four values. */
    e->warp_instructions = 3 * quarter * (passes * (2 + BUTTERFLY_INSNS) + part);
    e->warp_instructions +=
        MODULATE_CTAS * BLOCK / WARP_SIZE * (2 + (uint64_t)modulate_trips(k) * 10);
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    const uint64_t lines = count / WARP_SIZE * host_row_lines(line_bytes);
    e->global_read_accesses = (3 * (passes + 1) + 2) * lines;
    e->global_write_accesses = (3 * (passes + 1) + 1) * lines;
}

const struct workload workload_fwt = {
    .name = "fwt",
    .suite = "sdk",
    .about = "fast Walsh transform and convolution: coalesced, strides of powers of two",
    .size_text = {[SIZE_TINY] = "2^15 values",
                  [SIZE_SMALL] = "2^19 values",
                  [SIZE_PAPER_OWL] = "2^23 values"},
    .bytes = sizeof(struct fwt),
    .open = fwt_open,
    .results = results,
    .plain = fwt_plain,
    .expect = fwt_expect,
};
