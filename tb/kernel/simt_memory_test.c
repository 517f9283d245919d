/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads, stores, shared memory and the shapes of blocks.
 */
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "kernel/simt.h"

#define FULL 0xffffffffu

enum {
    LOAD,
    STORE,
    LOAD_BYTE,
    STORE_WIDE,
    LOAD_SHARED,
    STORE_SHARED,
    WAIT,
    ALU,
    BRANCH,
    INSN_LOOP_NAMES(LOOP),
    INSN_COUNT
};

static const struct insn insns[] = {
    INSN_LOAD(LOAD, SPACE_GLOBAL, 4, 1, 0),
    INSN_STORE(STORE, SPACE_GLOBAL, 4, 1, 0),
    INSN_LOAD(LOAD_BYTE, SPACE_TEXTURE, 1, 1, 0),
    INSN_STORE(STORE_WIDE, SPACE_GLOBAL, 16, 1, 0),
    INSN_LOAD(LOAD_SHARED, SPACE_SHARED, 4, 1, 0),
    INSN_STORE(STORE_SHARED, SPACE_SHARED, 4, 1, 0),
    INSN_BARRIER(WAIT),
    INSN_ALU(ALU, OP_INT_ADD, 1, 1, 1),
    INSN_BRANCH(BRANCH, 1),
    INSN_LOOP(LOOP),
};
static const struct kernel_code code = {.name = "test",
                                        .insns = insns,
                                        .insn_count = INSN_COUNT,
                                        .registers = 8,
                                        .shared_bytes = 1024 * 4};

#define ELEMENTS 4096

struct bench {
    struct simt *simt;
    struct cta_trace *trace;
    struct device_memory memory;
    struct buffer in, out; /* in[i] = 10 i, out zeros */
};

static int setup_memory_bench(void **state) {
    struct bench *b = calloc(1, sizeof *b);
    b->simt = simt_create();
    b->trace = cta_trace_create();
    assert_true(device_memory_alloc(&b->memory, &b->in, ELEMENTS, 4));
    assert_true(device_memory_alloc(&b->memory, &b->out, ELEMENTS, 4));
    for (int32_t i = 0; i < ELEMENTS; i++) {
        ((int32_t *)b->in.data)[i] = 10 * i;
    }
    *state = b;
    return 0;
}

static int teardown_memory_bench(void **state) {
    FREED struct bench *b = *state;
    simt_destroy(b->simt);
    cta_trace_destroy(b->trace);
    device_memory_free(&b->memory);
    return 0;
}

#define BENCH_TEST(name) TEST_OF(name, setup_memory_bench, teardown_memory_bench, struct bench *b)

static void run_memory_kernel(struct bench *b, simt_kernel *kernel, unsigned x, unsigned y,
                              unsigned z) {
    const struct launch l = {&code, {1, 1, 1}, {x, y, z}};
    assert_true(simt_run(b->simt, &l, 0, b->trace, kernel, b));
}

/* The n-th record of a warp. */
static struct warp_op memory_record(const struct bench *b, unsigned w, unsigned n) {
    struct warp_cursor c;
    struct warp_op op = {0};
    warp_cursor_open(&c, &b->trace->warp[w], &code);
    for (unsigned i = 0; i <= n; i++) {
        assert_true(warp_cursor_next(&c, &op));
    }
    return op;
}

/* --- Device memory. --- */

TEST(allocations_follow_one_another_at_256_bytes) {
    struct device_memory m = {0};
    struct buffer a, b, c, d;
    assert_true(device_memory_alloc(&m, &a, 1, 4));
    assert_true(device_memory_alloc(&m, &b, 65, 4));
    assert_true(device_memory_alloc(&m, &c, 32, 8));
    assert_true(device_memory_alloc(&m, &d, 1 << 20, 8));
    assert_true(a.address == 0x80000000);
    assert_true(b.address == a.address + 256);
    assert_true(c.address == b.address + 512);
    assert_true(d.address == c.address + 256);
    assert_int_equal(*(float *)a.data, 0);
    assert_false(device_memory_alloc(&m, &a, UINT64_MAX / 4, 16));
    device_memory_free(&m);
    assert_true(device_memory_alloc(&m, &a, 1, 4));
    assert_true(a.address == 0x80000000);
    device_memory_free(&m);
}

/* --- Every way to name elements, in every shape of block, against one element after another.
 * --- */

static const struct element ways[] = {
    {.base = 7},                                 /* one for all */
    {.base = 3, .x = 1, .y = 64, .z = 100},      /* rows */
    {.base = 5, .x = 32, .y = 1, .z = 8},        /* columns */
    {.base = 3000, .x = -1, .y = -40, .z = -50}, /* backwards */
    {.base = 1, .y = 3},                         /* a row, one element */
    {.base = 6, .x = 2, .y = 2, .z = 2},
    {.base = 2,
     .x = 1,
     .y = 5,
     .z = 30}, /* in a 5 x 5 x 5 block almost linear in the thread number */
    {.base = 4, .x = 1, .y = 16, .z = 64}, /* in an 8 x 4 x 4 block */
    {.base = 8, .x = 2, .y = 16, .z = 64}, /* in an 8 x 4 x 4 block linear */
};
#define WAYS (sizeof ways / sizeof ways[0])

static void copy_all_ways(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS];
    struct simt_mask odd;
    for (unsigned i = 0; i < WAYS; i++) {
        simt_load(s, LOAD, value, &b->in, ways[i]);
        simt_store(s, STORE, value, &b->out, ways[i]);
    }
    SIMT_WHERE(s, odd, t, t % 3 != 0);
    SIMT_IF(s, BRANCH, &odd) {
        for (unsigned i = 0; i < WAYS; i++) {
            simt_load(s, LOAD, value, &b->in, ways[i]);
            simt_store(s, STORE, value, &b->out, ways[i]);
        }
    }
}

BENCH_TEST(accesses_go_where_the_formula_says) {
    static const unsigned shapes[][3] = {{32, 1, 1}, {64, 4, 1}, {16, 16, 1}, {8, 4, 4},
                                         {40, 3, 1}, {1, 64, 1}, {1, 1, 40},  {5, 5, 5},
                                         {33, 1, 2}, {17, 1, 1}};
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const unsigned *n = shapes[i];
        unsigned threads = n[0] * n[1] * n[2];
        int32_t *out = b->out.data;
        memset(out, 0, ELEMENTS * sizeof *out);
        run_memory_kernel(b, copy_all_ways, n[0], n[1], n[2]);
        int32_t expected[ELEMENTS] = {0};
        for (unsigned w = 0; w < b->trace->warp_count; w++) {
            for (unsigned k = 0; k < 4 * WAYS; k++) {
                bool odd = k >= 2 * WAYS;
                struct warp_op op = memory_record(b, w, k + odd);
                const struct element *e = &ways[k / 2 % WAYS];
                uint64_t address[WARP_SIZE], base = k % 2 ? b->out.address : b->in.address;
                uint32_t active = 0;
                warp_op_addresses(&op, address);
                for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
                    unsigned t = w * WARP_SIZE + lane;
                    if (t >= threads || (odd && t % 3 == 0)) {
                        continue;
                    }
                    int64_t x = t % n[0], y = t / n[0] % n[1], z = t / n[0] / n[1];
                    int64_t at = e->base + x * e->x + y * e->y + z * e->z;
                    active |= 1u << lane;
                    assert_true(address[lane] == base + (uint64_t)at * 4);
                    expected[at] = (int32_t)at * 10;
                }
                assert_int_equal(op.active, active);
            }
        }
        assert_memory_equal(out, expected, sizeof expected);
    }
}

static void reverse_by_index(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t index[SIMT_THREADS], value[SIMT_THREADS];
    SIMT_EACH(s, t) {
        index[t] = (int32_t)(t ^ 5) * 7 % 256;
    }
    simt_load(s, LOAD, value, &b->in, element_lane(index));
    simt_store(s, STORE, value, &b->out,
               (struct element){.base = 1, .x = 2, .lane = index, .scale = 4});
}

BENCH_TEST(an_index_a_thread) {
    run_memory_kernel(b, reverse_by_index, 100, 1, 1);
    int32_t *out = b->out.data;
    for (int32_t t = 0; t < 100; t++) {
        int32_t index = (t ^ 5) * 7 % 256;
        assert_int_equal(out[1 + 2 * t + 4 * index], 10 * index);
    }
    assert_int_equal(memory_record(b, 3, 0).active, 0xf);
    assert_int_equal(memory_record(b, 0, 0).form, ADDRESS_LIST);
}

static void other_widths(struct simt *s, const void *arguments) {
    const struct buffer *buffers = arguments;
    uint8_t byte[SIMT_THREADS];
    struct {
        float v[4];
    } quad[SIMT_THREADS];
    simt_load(s, LOAD_BYTE, byte, &buffers[0], element_x(0, 1));
    SIMT_ALU(s, ALU, t) {
        for (unsigned i = 0; i < 4; i++) {
            quad[t].v[i] = (float)(byte[t] + i);
        }
    }
    simt_store(s, STORE_WIDE, quad, &buffers[1], element_x(0, 1));
}

BENCH_TEST(elements_of_1_and_16_bytes) {
    struct buffer buffers[2];
    assert_true(device_memory_alloc(&b->memory, &buffers[0], 64, 1));
    assert_true(device_memory_alloc(&b->memory, &buffers[1], 64, 16));
    for (unsigned i = 0; i < 64; i++) {
        ((uint8_t *)buffers[0].data)[i] = (uint8_t)(200 + i);
    }
    const struct launch l = {&code, {1, 1, 1}, {64, 1, 1}};
    assert_true(simt_run(b->simt, &l, 0, b->trace, other_widths, buffers));
    for (unsigned i = 0; i < 256; i++) {
        assert_true(((float *)buffers[1].data)[i] == (float)((200 + i / 4) % 256 + i % 4));
    }
    assert_int_equal(memory_record(b, 1, 2).stride, 16);
    assert_true(memory_record(b, 1, 2).base == buffers[1].address + 32 * 16);
}

static void all_to_one(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS];
    SIMT_EACH(s, t) {
        value[t] = (int32_t)t;
    }
    simt_store(s, STORE, value, &b->out, element_at(9));
}

BENCH_TEST(the_last_thread_wins_a_store) {
    run_memory_kernel(b, all_to_one, 77, 1, 1);
    assert_int_equal(((int32_t *)b->out.data)[9], 76);
}

/* --- Shared memory: a sum over the whole CTA, across warps. --- */

static void reduction_kernel(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    struct buffer sums = simt_shared(s, 0, 1024, 4);
    int32_t mine[SIMT_THREADS], other[SIMT_THREADS];
    struct simt_mask low;
    simt_load(s, LOAD, mine, &b->in, element_x(0, 1));
    simt_store(s, STORE_SHARED, mine, &sums, element_x(0, 1));
    simt_barrier(s, WAIT);
    for (unsigned half = s->threads / 2; half; half /= 2) {
        SIMT_WHERE(s, low, t, t < half);
        SIMT_IF(s, BRANCH, &low) {
            simt_load(s, LOAD_SHARED, mine, &sums, element_x(0, 1));
            simt_load(s, LOAD_SHARED, other, &sums, element_x(half, 1));
            SIMT_ALU(s, ALU, t) {
                mine[t] += other[t];
            }
            simt_store(s, STORE_SHARED, mine, &sums, element_x(0, 1));
        }
        simt_barrier(s, WAIT);
    }
    SIMT_WHERE(s, low, t, t == 0);
    SIMT_IF(s, BRANCH, &low) {
        simt_load(s, LOAD_SHARED, mine, &sums, element_at(0));
        simt_store(s, STORE, mine, &b->out, element_at(0));
    }
}

BENCH_TEST(a_reduction_in_shared_memory_crosses_warps) {
    run_memory_kernel(b, reduction_kernel, 1024, 1, 1);
    assert_int_equal(((int32_t *)b->out.data)[0], 10 * 1023 * 1024 / 2);
    /* Every warp waits at each of the 11 barriers, with work or without. */
    for (unsigned w = 0; w < 32; w++) {
        struct warp_cursor c;
        struct warp_op op;
        unsigned barriers = 0, shared = 0;
        warp_cursor_open(&c, &b->trace->warp[w], &code);
        while (warp_cursor_next(&c, &op)) {
            barriers += op.insn->op == OP_BARRIER && op.active == FULL;
            shared += insn_is_memory(op.insn) && op.insn->space == SPACE_SHARED;
            if (op.insn->space == SPACE_SHARED) {
                assert_true(op.base < 4096);
            }
        }
        assert_int_equal(barriers, 11);
        unsigned steps = 0;
        for (unsigned half = 512; half; half /= 2) {
            steps += w * WARP_SIZE < half;
        }
        assert_int_equal(shared, 1 + 3 * steps + (w == 0));
    }
}

static void read_shared(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    struct buffer words = simt_shared(s, 0, 32, 4);
    int32_t value[SIMT_THREADS];
    simt_load(s, LOAD_SHARED, value, &words, element_x(0, 1));
    simt_store(s, STORE, value, &b->out, element_x(0, 1));
    memset(words.data, 0, 128);
}

BENCH_TEST(shared_memory_is_garbage_at_first_in_every_cta) {
    for (unsigned i = 0; i < 2; i++) {
        run_memory_kernel(b, read_shared, 32, 1, 1);
        assert_int_equal(((uint32_t *)b->out.data)[31], 0xa5a5a5a5);
    }
}

static void write_cta(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS];
    SIMT_EACH(s, t) {
        value[t] = (int32_t)(s->cta[0] + 10 * s->cta[1] + 100 * s->cta[2]);
    }
    simt_store(s, STORE, value, &b->out, element_x(0, 1));
}

BENCH_TEST(ctas_are_numbered_x_first) {
    const struct launch l = {&code, {3, 4, 5}, {32, 1, 1}};
    for (unsigned cta = 0; cta < 60; cta++) {
        assert_true(simt_run(b->simt, &l, cta, b->trace, write_cta, b));
        assert_int_equal(((int32_t *)b->out.data)[0],
                         cta % 3 + 10 * (cta / 3 % 4) + 100 * (cta / 12));
    }
}
