/* SPDX-License-Identifier: Apache-2.0
 *
 * Parboil fft: 1024 Fourier transforms of 256 complex numbers each, by stages of radix 2.
 *
 * fft keeps a transform in a CTA's registers: 128 threads load two numbers each, in order, and
 * exchange them through shared memory after each of the eight stages, first having multiplied both
 * with their factor, the first one's being 1. fft-base is the suite's simple version: a launch a
 * stage, from one array to the other, whose stores are apart by two numbers in the first stages
 * and in order in the last.
 *
 * The inputs are uniform in [-1, 1), as the suite's. OWL does not say which version it ran. In fft
 * the numbers are exchanged after the last stage too, which leaves them where they are; registers
 * are assumed.
 */
#include <math.h>

#include "workloads/host.h"
#include "workloads/common/lines.h"
#include "workloads/workloads.h"

#define N 256
#define STAGES 8
#define THREADS (N / 2)
#define WARPS (THREADS / WARP_SIZE)
#define TWO_PI 6.28318530717958647692f

static const unsigned batches[] = {[SIZE_TINY] = 64, [SIZE_SMALL] = 1024, [SIZE_PAPER_OWL] = 1024};

struct complex {
    float re, im;
};

struct fft {
    struct host host;
    unsigned batches;
    uint64_t seed;
    struct buffer data[2]; /* of fft the first alone */
    unsigned stage;        /* of the current launch of fft-base */
};

/* e^(-i angle), the same function for kernels and check. */
static struct complex factor(unsigned j, unsigned distance) {
    const float angle = -TWO_PI * (float)(j % distance) / (float)(2 * distance);
    return (struct complex){cosf(angle), sinf(angle)};
}

static struct complex product(struct complex a, struct complex b) {
    return (struct complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* The place of number @j of the upper half in a stage; that of the lower half @distance behind. */
static unsigned place(unsigned j, unsigned distance) {
    return j / distance * 2 * distance + j % distance;
}

enum {
    R_ADDRESS,
    R_J,
    R_DISTANCE,
    R_ANGLE,
    R_COS,
    R_SIN,
    R_PLACE,
    R_PREDICATE,
    R_REMAINDER,
    R_0, /* two complex numbers: a pair of registers each */
    R_1 = R_0 + 2,
    R_T = R_1 + 2,
};

/* Multiplies the complex number in registers NUMBER, NUMBER + 1. */
#define TURN(I, NAME, NUMBER) \
    I(ALU, NAME##_ANGLE, OP_FP_MUL, R_ANGLE, R_ANGLE) \
    I(ALU, NAME##_COS, OP_SFU, R_COS, R_ANGLE) \
    I(ALU, NAME##_SIN, OP_SFU, R_SIN, R_ANGLE) \
    I(ALU, NAME##_RE_IM, OP_FP_MUL, R_T, NUMBER + 1, R_SIN) \
    I(ALU, NAME##_IM_IM, OP_FP_MUL, R_T + 1, NUMBER + 1, R_COS) \
    I(ALU, NAME##_IM, OP_FP_MAD, NUMBER + 1, NUMBER, R_SIN, R_T + 1) \
    I(ALU, NAME##_RE, OP_FP_MAD, NUMBER, NUMBER, R_COS, R_T)

#define BUTTERFLY(I, NAME) \
    I(ALU, NAME##_SUM_RE, OP_FP_ADD, R_T, R_0, R_1) \
    I(ALU, NAME##_SUM_IM, OP_FP_ADD, R_T + 1, R_0 + 1, R_1 + 1) \
    I(ALU, NAME##_DIFFERENCE_RE, OP_FP_ADD, R_1, R_0, R_1) \
    I(ALU, NAME##_DIFFERENCE_IM, OP_FP_ADD, R_1 + 1, R_0 + 1, R_1 + 1)

#define IN_SHARED(I) \
    I(ALU, CTA, OP_INT_MAD, R_ADDRESS, REG_NONE) \
    I(ALU, THREAD, OP_INT_ADD, R_J, REG_NONE) \
    I(LOAD, LOAD_0, SPACE_GLOBAL, 8, R_0, R_ADDRESS) \
    I(LOAD, LOAD_1, SPACE_GLOBAL, 8, R_1, R_ADDRESS) \
    I(ALU, FIRST_DISTANCE, OP_INT_ADD, R_DISTANCE, REG_NONE) \
    I(LOOP, EACH_STAGE) \
    I(ALU, REMAINDER, OP_INT_ADD, R_REMAINDER, R_J, R_DISTANCE) \
    I(ALU, TO_FLOAT, OP_FP_ADD, R_ANGLE, R_REMAINDER) \
    I(ALU, DIVIDE, OP_FP_MUL, R_ANGLE, R_ANGLE, R_DISTANCE) \
    TURN(I, FIRST, R_0) \
    TURN(I, SECOND, R_1) \
    BUTTERFLY(I, SHARED) \
    I(ALU, QUOTIENT, OP_INT_MUL, R_PLACE, R_J, R_DISTANCE) \
    I(ALU, PLACE, OP_INT_MAD, R_PLACE, R_PLACE, R_REMAINDER) \
    I(BARRIER, BEFORE) \
    I(STORE, STORE_RE_0, SPACE_SHARED, 4, R_T, R_PLACE) \
    I(STORE, STORE_IM_0, SPACE_SHARED, 4, R_T + 1, R_PLACE) \
    I(STORE, STORE_RE_1, SPACE_SHARED, 4, R_1, R_PLACE) \
    I(STORE, STORE_IM_1, SPACE_SHARED, 4, R_1 + 1, R_PLACE) \
    I(BARRIER, BEHIND) \
    I(LOAD, LOAD_RE_0, SPACE_SHARED, 4, R_0, R_J) \
    I(LOAD, LOAD_IM_0, SPACE_SHARED, 4, R_0 + 1, R_J) \
    I(LOAD, LOAD_RE_1, SPACE_SHARED, 4, R_1, R_J) \
    I(LOAD, LOAD_IM_1, SPACE_SHARED, 4, R_1 + 1, R_J) \
    I(ALU, NEXT_DISTANCE, OP_INT_ADD, R_DISTANCE, R_DISTANCE) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_DISTANCE) \
    I(BRANCH, BRANCH_STAGE, R_PREDICATE) \
    I(STORE, STORE_0, SPACE_GLOBAL, 8, R_0, R_ADDRESS) \
    I(STORE, STORE_1, SPACE_GLOBAL, 8, R_1, R_ADDRESS)
SIMT_CODE(fft_shared, IN_SHARED, .registers = 20, .shared_bytes = 2 * N * 4);

static void turn(struct simt *s, unsigned last, struct complex *v, unsigned which,
                 unsigned distance) {
    SIMT_ALU(s, last, t) {
        v[t] = product(v[t], factor(which * (t % distance), distance));
    }
}

static void butterfly(struct simt *s, unsigned last, struct complex *a, struct complex *b) {
    SIMT_ALU(s, last, t) {
        const struct complex sum = {a[t].re + b[t].re, a[t].im + b[t].im};
        b[t] = (struct complex){a[t].re - b[t].re, a[t].im - b[t].im};
        a[t] = sum;
    }
}

/* Numbers j and j + 128 from and to shared memory: all real parts, then all imaginary ones. */
static void exchange(struct simt *s, struct complex v[2][SIMT_THREADS], unsigned distance) {
    const struct buffer part[2] = {simt_shared(s, 0, N, 4), simt_shared(s, N * 4, N, 4)};
    float value[SIMT_THREADS];
    int32_t at[SIMT_THREADS];
    simt_barrier(s, BEFORE);
    for (unsigned i = 0; i < 4; i++) {
        SIMT_EACH(s, t) {
            at[t] = (int32_t)(place(t, distance) + i / 2 * distance);
            value[t] = i % 2 ? v[i / 2][t].im : v[i / 2][t].re;
        }
        simt_store(s, STORE_RE_0 + i, value, &part[i % 2], element_lane(at));
    }
    simt_barrier(s, BEHIND);
    for (unsigned i = 0; i < 4; i++) {
        simt_load(s, LOAD_RE_0 + i, value, &part[i % 2], element_x(i / 2 * THREADS, 1));
        SIMT_EACH(s, t) {
            *(i % 2 ? &v[i / 2][t].im : &v[i / 2][t].re) = value[t];
        }
    }
}

static void fft_in_shared(struct simt *s, const void *arguments) {
    const struct fft *k = arguments;
    const int64_t first = (int64_t)s->cta[0] * N;
    struct complex v[2][SIMT_THREADS];

    simt_alus(s, CTA, THREAD);
    simt_load(s, LOAD_0, v[0], &k->data[0], element_x(first, 1));
    simt_load(s, LOAD_1, v[1], &k->data[0], element_x(first + THREADS, 1));
    simt_alu(s, FIRST_DISTANCE);
    SIMT_FOR(s, EACH_STAGE, stage, STAGES) {
        const unsigned distance = 1u << stage;
        simt_alus(s, REMAINDER, FIRST_IM);
        turn(s, FIRST_RE, v[0], 0, distance);
        simt_alus(s, SECOND_ANGLE, SECOND_IM);
        turn(s, SECOND_RE, v[1], 1, distance);
        simt_alus(s, SHARED_SUM_RE, SHARED_DIFFERENCE_RE);
        butterfly(s, SHARED_DIFFERENCE_IM, v[0], v[1]);
        simt_alus(s, QUOTIENT, PLACE);
        exchange(s, v, distance);
        simt_alus(s, NEXT_DISTANCE, BRANCH_STAGE);
    }
    simt_store(s, STORE_0, v[0], &k->data[0], element_x(first, 1));
    simt_store(s, STORE_1, v[1], &k->data[0], element_x(first + THREADS, 1));
}

#define ONE_STAGE(I) \
    I(ALU, B_CTA, OP_INT_MAD, R_ADDRESS, REG_NONE) \
    I(ALU, B_THREAD, OP_INT_ADD, R_J, REG_NONE) \
    I(LOAD, B_LOAD_0, SPACE_GLOBAL, 8, R_0, R_ADDRESS) \
    I(LOAD, B_LOAD_1, SPACE_GLOBAL, 8, R_1, R_ADDRESS) \
    I(ALU, B_REMAINDER, OP_INT_ADD, R_REMAINDER, R_J) \
    I(ALU, B_TO_FLOAT, OP_FP_ADD, R_ANGLE, R_REMAINDER) \
    I(ALU, B_DIVIDE, OP_FP_MUL, R_ANGLE, R_ANGLE) \
    TURN(I, B_FIRST, R_0) \
    TURN(I, B_SECOND, R_1) \
    BUTTERFLY(I, B) \
    I(ALU, B_QUOTIENT, OP_INT_MUL, R_PLACE, R_J) \
    I(ALU, B_PLACE, OP_INT_MAD, R_PLACE, R_PLACE, R_REMAINDER) \
    I(STORE, B_STORE_0, SPACE_GLOBAL, 8, R_T, R_PLACE) \
    I(STORE, B_STORE_1, SPACE_GLOBAL, 8, R_1, R_PLACE)
SIMT_CODE(fft_stage, ONE_STAGE, .registers = 16);

static void fft_one_stage(struct simt *s, const void *arguments) {
    const struct fft *k = arguments;
    const struct buffer *in = &k->data[k->stage % 2], *out = &k->data[(k->stage + 1) % 2];
    const int64_t first = (int64_t)s->cta[0] * N;
    const unsigned distance = 1u << k->stage;
    struct complex v[2][SIMT_THREADS];
    int32_t at[SIMT_THREADS];

    simt_alus(s, B_CTA, B_THREAD);
    simt_load(s, B_LOAD_0, v[0], in, element_x(first, 1));
    simt_load(s, B_LOAD_1, v[1], in, element_x(first + THREADS, 1));
    simt_alus(s, B_REMAINDER, B_FIRST_IM);
    turn(s, B_FIRST_RE, v[0], 0, distance);
    simt_alus(s, B_SECOND_ANGLE, B_SECOND_IM);
    turn(s, B_SECOND_RE, v[1], 1, distance);
    simt_alus(s, B_SUM_RE, B_DIFFERENCE_RE);
    butterfly(s, B_DIFFERENCE_IM, v[0], v[1]);
    simt_alus(s, B_QUOTIENT, B_PLACE);
    SIMT_EACH(s, t) {
        at[t] = (int32_t)(first + place(t, distance));
    }
    simt_store(s, B_STORE_0, v[0], out, element_lane(at));
    SIMT_EACH(s, t) {
        at[t] += (int32_t)distance;
    }
    simt_store(s, B_STORE_1, v[1], out, element_lane(at));
}

static bool fft_base_step(void *self, unsigned step, struct host_launch *out) {
    struct fft *k = self;
    k->stage = step;
    *out =
        (struct host_launch){{&fft_stage_code, {k->batches, 1, 1}, {THREADS, 1, 1}}, fft_one_stage};
    return step < STAGES;
}

static void generate(struct complex *data, unsigned count, uint64_t seed) {
    for (unsigned i = 0; i < count; i++) {
        data[i].re = 2.0f * host_uniform(&seed) - 1.0f;
        data[i].im = 2.0f * host_uniform(&seed) - 1.0f;
    }
}

static bool open_with(struct fft *k, enum workload_size size, uint64_t seed, unsigned arrays) {
    for (unsigned i = 0; i < arrays; i++) {
        if (!device_memory_alloc(&k->host.memory, &k->data[i], batches[size] * N,
                                 sizeof(struct complex))) {
            return false;
        }
    }
    k->batches = batches[size];
    k->seed = seed;
    generate(k->data[0].data, k->batches * N, seed);
    return true;
}

static bool fft_open(void *self, enum workload_size size, uint64_t seed) {
    struct fft *k = self;
    if (!open_with(k, size, seed, 1)) {
        return false;
    }
    HOST_ADD_LAUNCH(&k->host, {&fft_shared_code, {k->batches, 1, 1}, {THREADS, 1, 1}},
                    fft_in_shared);
    return true;
}

static bool fft_base_open(void *self, enum workload_size size, uint64_t seed) {
    struct fft *k = self;
    if (!open_with(k, size, seed, 2)) {
        return false;
    }
    host_set_step(&k->host, fft_base_step);
    return true;
}

/* The transform of in[0], in[step], ... by those of its even and its odd members. */
static void transform(const struct complex *in, unsigned step, unsigned count,
                      struct complex *out) {
    if (count == 1) {
        *out = *in;
        return;
    }
    const unsigned half = count / 2;
    transform(in, 2 * step, half, out);
    transform(in + step, 2 * step, half, out + half);
    for (unsigned i = 0; i < half; i++) {
        const struct complex a = product(out[i], factor(0, half));
        const struct complex b = product(out[half + i], factor(i, half));
        out[i] = (struct complex){a.re + b.re, a.im + b.im};
        out[half + i] = (struct complex){a.re - b.re, a.im - b.im};
    }
}

static const struct workload_result results[] = {INTEGERS("data", fft, data[0]), {0}};

static bool fft_plain(void *self, void *const expected[]) {
    struct fft *k = self;
    const unsigned count = k->batches * N;
    struct complex *in = host_array(&k->host, count, sizeof *in), *out = expected[0];
    if (!in) {
        return false;
    }
    generate(in, count, k->seed);
    for (unsigned i = 0; i < count; i += N) {
        transform(in + i, 1, N, out + i);
    }
    return true;
}

static void fft_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct fft *k = self;
    const uint64_t warps = (uint64_t)k->batches * WARPS;
    const uint64_t stage = 3 + 2 * 7 + 4 + 2 + 2 * (1 + 4) + 3;
    e->warp_instructions = warps * (2 + 2 + 1 + STAGES * stage + 2);
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    e->global_read_accesses = e->global_write_accesses = warps * 2 * 2 * host_row_lines(line_bytes);
}

static void fft_base_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct fft *k = self;
    const uint64_t warps = (uint64_t)k->batches * WARPS * STAGES;
    e->warp_instructions = warps * (2 + 2 + 3 + 2 * 7 + 4 + 2 + 2);
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    e->global_read_accesses = warps * 2 * 2 * host_row_lines(line_bytes);
    e->global_write_accesses = 0;
    for (unsigned distance = 1; distance < N; distance *= 2) {
        for (unsigned first = 0; first < THREADS; first += WARP_SIZE) {
            struct line_set half[2] = {{.count = 0}, {.count = 0}};
            for (unsigned t = first; t < first + WARP_SIZE; t++) {
                line_set_add(&half[0], place(t, distance), 8, line_bytes);
                line_set_add(&half[1], place(t, distance) + distance, 8, line_bytes);
            }
            e->global_write_accesses += k->batches * (uint64_t)(half[0].count + half[1].count);
        }
    }
}

const struct workload workload_fft = {
    .name = "fft",
    .suite = "parboil",
    .about = "Fourier transforms in shared memory: loads and stores in order, without reuse",
    .size_text = {[SIZE_TINY] = "64 x 256 numbers",
                  [SIZE_SMALL] = "1024 x 256 numbers",
                  [SIZE_PAPER_OWL] = "1024 x 256 numbers"},
    .bytes = sizeof(struct fft),
    .open = fft_open,
    .results = results,
    .plain = fft_plain,
    .expect = fft_expect,
};

const struct workload workload_fft_base = {
    .name = "fft-base",
    .suite = "parboil",
    .about = "Fourier transforms, a launch a stage: the array anew each time, strided stores",
    .size_text = {[SIZE_TINY] = "64 x 256 numbers",
                  [SIZE_SMALL] = "1024 x 256 numbers",
                  [SIZE_PAPER_OWL] = "1024 x 256 numbers"},
    .bytes = sizeof(struct fft),
    .open = fft_base_open,
    .results = results,
    .plain = fft_plain,
    .expect = fft_base_expect,
};
