/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics, local memory, and CTAs that wait for each other.
 */
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "kernel/simt_grid.h"
#include "kernel/trace_text.h"

#define WAITING(I) \
    I(ALU, BEFORE, OP_INT_ADD, 0, REG_NONE) \
    I(ATOMIC, ADD, 1, 0, 2) \
    I(LOOP, SPIN) \
    I(LOAD_UNCACHED, LOAD_FLAG, 4, 1, 0) \
    I(BRANCH, AGAIN, 1) \
    I(STORE, STORE_FLAG, SPACE_GLOBAL, 4, 1, 0) \
    I(LOAD, LOAD_LOCAL, SPACE_LOCAL, 4, 1, 0) \
    I(STORE, STORE_LOCAL, SPACE_LOCAL, 4, 1, 0) \
    I(STORE, STORE_BYTE, SPACE_LOCAL, 1, 1, 0) \
    I(LOAD, LOAD_BYTE, SPACE_LOCAL, 1, 1, 0) \
    I(ALU, AFTER, OP_INT_ADD, 0, REG_NONE)
#define LOCAL_BYTES 40
#define LOCAL_CTAS 7
SIMT_CODE(waiting, WAITING, .registers = 8, .local_bytes = LOCAL_BYTES, .local_ctas = LOCAL_CTAS);

struct bench {
    struct simt *simt;
    struct cta_trace *trace;
    struct simt_grid *grid;
    struct device_memory memory;
    struct buffer word; /* word[i] = i */
    struct trace_text text;
};

static int setup_grid_bench(void **state) {
    struct bench *b = calloc(1, sizeof *b);
    b->simt = simt_create();
    b->trace = cta_trace_create();
    b->grid = simt_grid_create();
    assert_true(device_memory_alloc(&b->memory, &b->word, 64, 4));
    for (int32_t i = 0; i < 64; i++) {
        ((int32_t *)b->word.data)[i] = i;
    }
    *state = b;
    return 0;
}

static int teardown_grid_bench(void **state) {
    FREED struct bench *b = *state;
    simt_destroy(b->simt);
    simt_grid_destroy(b->grid);
    cta_trace_destroy(b->trace);
    device_memory_free(&b->memory);
    return 0;
}

#define BENCH_TEST(name) TEST_OF(name, setup_grid_bench, teardown_grid_bench, struct bench *b)

static struct warp_op grid_record(const struct bench *b, unsigned w, unsigned n) {
    struct warp_cursor c;
    struct warp_op op = {0};
    warp_cursor_open(&c, &b->trace->warp[w], &waiting_code);
    for (unsigned i = 0; i <= n; i++) {
        assert_true(warp_cursor_next(&c, &op));
    }
    return op;
}

/* --- Atomics. --- */

struct atomic_case {
    struct bench *b;
    enum simt_atomic operation;
    int32_t old[SIMT_THREADS];
};

/* Thread t on word t / 16, with the operand 100 - t; compared with its number of 16. */
static void three_words(struct simt *s, const void *arguments) {
    struct atomic_case *k = *(struct atomic_case *const *)arguments;
    int32_t value[SIMT_THREADS], compare[SIMT_THREADS], at[SIMT_THREADS];
    for (int32_t t = 0; t < (int32_t)s->threads; t++) {
        value[t] = 100 - t;
        compare[t] = t / 16;
        at[t] = t / 16;
    }
    simt_atomic(s, ADD, k->operation, k->old, value, k->operation == SIMT_CAS ? compare : NULL,
                &k->b->word, element_lane(at));
}

BENCH_TEST(an_atomic_changes_its_word_thread_after_thread) {
    const struct launch l = {&waiting_code, {1, 1, 1}, {40, 1, 1}};
    /* Words 0 to 2 after 16, 16 and 8 threads; what thread 17, the second of word 1, found. */
    static const struct {
        enum simt_atomic operation;
        int32_t word[3], old;
    } cases[] = {
        {SIMT_ADD, {16 * 100 - 120, 1 + 16 * 100 - 376, 2 + 8 * 100 - 284}, 1 + 84},
        {SIMT_MIN, {0, 1, 2}, 1},
        {SIMT_MAX, {100, 84, 68}, 84},
        {SIMT_EXCHANGE, {85, 69, 61}, 84},
        {SIMT_CAS, {100, 84, 68}, 84},
        {SIMT_OR, {127, 95, 2 | 68 | 67 | 66 | 65 | 64 | 63 | 62 | 61}, 1 | 84},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct atomic_case k = {.b = b, .operation = cases[i].operation}, *at = &k;
        for (int32_t w = 0; w < 3; w++) {
            ((int32_t *)b->word.data)[w] = w;
        }
        assert_true(simt_run(b->simt, &l, 0, b->trace, three_words, &at));
        for (unsigned w = 0; w < 3; w++) {
            assert_int_equal(((int32_t *)b->word.data)[w], cases[i].word[w]);
        }
        assert_int_equal(k.old[17], cases[i].old);
    }
    struct warp_op op = grid_record(b, 1, 0);
    uint64_t address[WARP_SIZE];
    warp_op_addresses(&op, address);
    assert_true(op.insn->op == OP_ATOMIC && op.active == 0xff);
    assert_true(address[0] == b->word.address + 8 && address[7] == b->word.address + 8);
}

/* --- Local memory. --- */

/* local[i] = 1000 t + i, and byte 37 of each = t, read again the other way round. */
static void keep_local_kernel(struct simt *s, const void *arguments) {
    unsigned *wrong = *(unsigned *const *)arguments;
    struct buffer words = simt_local(s, 4, 8, 4), bytes = simt_local(s, 36, 4, 1);
    int32_t value[SIMT_THREADS], at[SIMT_THREADS];
    uint8_t byte[SIMT_THREADS];
    SIMT_EACH(s, t) {
        byte[t] = (uint8_t)t;
    }
    simt_store(s, STORE_BYTE, byte, &bytes, element_at(1));
    for (int32_t i = 0; i < 8; i++) {
        SIMT_EACH(s, t) {
            value[t] = (int32_t)(1000 * t) + i;
        }
        simt_store(s, STORE_LOCAL, value, &words, element_at(i));
    }
    for (int32_t i = 0; i < 8; i++) {
        SIMT_EACH(s, t) {
            at[t] = (i + (int32_t)t) % 8;
        }
        simt_load(s, LOAD_LOCAL, value, &words, element_lane(at));
        SIMT_EACH(s, t) {
            *wrong += value[t] != (int32_t)(1000 * t) + at[t];
        }
    }
    simt_load(s, LOAD_BYTE, byte, &bytes, element_at(1));
    SIMT_EACH(s, t) {
        *wrong += byte[t] != t;
    }
}

/* 40 threads are two warps, so that a CTA's threads take 64 places of each word. */
BENCH_TEST(a_word_of_all_threads_lies_side_by_side) {
    const struct launch l = {&waiting_code, {300, 1, 1}, {40, 1, 1}};
    const uint64_t word = LOCAL_CTAS * 64 * 4;
    uint64_t address[WARP_SIZE];
    for (unsigned cta = 0; cta < 300; cta += 130) {
        unsigned wrong = 0, *at = &wrong;
        assert_true(simt_run(b->simt, &l, cta, b->trace, keep_local_kernel, &at));
        assert_int_equal(wrong, 0);
        for (unsigned w = 0; w < 2; w++) {
            uint64_t first = SIMT_LOCAL_BASE + (cta % LOCAL_CTAS * 64 + w * WARP_SIZE) * 4;
            struct warp_op op = grid_record(b, w, 0);
            warp_op_addresses(&op, address);
            assert_true(address[5] == first + 9 * word + 5 * 4 + 1); /* byte 37: of word 9 */
            op = grid_record(b, w, 3);
            warp_op_addresses(&op, address);
            assert_true(address[0] == first + 3 * word && address[7] == address[0] + 28);
            op = grid_record(b, w, 9); /* lane t: element t % 8 */
            warp_op_addresses(&op, address);
            assert_true(address[3] == first + (1 + 3) * word + 3 * 4);
        }
    }
}

/* --- CTAs that wait for each other. --- */

/* CTA i waits until word 0 is n - 1 - i, then counts it up: the last CTA is the first. */
static void backwards_kernel(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t wanted = (int32_t)(3 - s->cta[0]), flag[SIMT_THREADS];
    struct simt_mask not_yet;
    SIMT_LOOP(s, SPIN) {
        simt_load(s, LOAD_FLAG, flag, &b->word, element_at(0));
        SIMT_WHERE(s, not_yet, t, flag[t] != wanted);
        simt_while(s, AGAIN, &not_yet);
        if (simt_any(s)) {
            simt_turn(s);
        }
    }
    SIMT_EACH(s, t) {
        flag[t] = wanted + 1;
    }
    simt_store(s, STORE_FLAG, flag, &b->word, element_at(0));
}

static unsigned loads_of(struct bench *b, const struct launch *l, unsigned cta) {
    unsigned loads = 0;
    struct warp_cursor c;
    struct warp_op op;
    assert_true(simt_grid_run(b->grid, l, cta, b->trace, backwards_kernel, b));
    assert_int_equal(b->trace->warp_count, 1);
    warp_cursor_open(&c, &b->trace->warp[0], &waiting_code);
    while (warp_cursor_next(&c, &op)) {
        loads += op.insn->op == OP_LOAD && op.insn->uncached;
    }
    return loads;
}

BENCH_TEST(a_cta_that_spins_lets_the_others_run) {
    const struct launch l = {&waiting_code, {4, 1, 1}, {8, 1, 1}};
    for (unsigned again = 0; again < 3; again++) {
        ((int32_t *)b->word.data)[0] = 0;
        /* CTA 3 goes first; CTA 2 finds that in its second turn, CTA 0 in its fourth. */
        for (unsigned cta = 0; cta < 4; cta++) {
            assert_int_equal(loads_of(b, &l, cta), 4 - cta);
        }
        assert_int_equal(((int32_t *)b->word.data)[0], 4);
        assert_false(simt_grid_waits(b->grid));
    }
}

/* Three rounds; in each all CTAs add, then all store what all have added. */
static void rounds_kernel(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t one[SIMT_THREADS], sum[SIMT_THREADS];
    SIMT_FOR(s, SPIN, i, 3) {
        SIMT_EACH(s, t) {
            one[t] = 1;
        }
        simt_atomic(s, ADD, SIMT_ADD, NULL, one, NULL, &b->word, element_at(0));
        simt_grid_barrier(s);
        simt_load(s, LOAD_FLAG, sum, &b->word, element_at(0));
        simt_store(s, STORE_FLAG, sum, &b->word, element_at(1 + 3 * s->cta[0] + i));
        simt_grid_barrier(s);
    }
    simt_alu(s, AFTER);
}

BENCH_TEST(a_grid_wide_barrier_cuts_the_launch) {
    const struct launch l = {&waiting_code, {5, 1, 1}, {8, 1, 1}};
    const int32_t *word = b->word.data;
    ((int32_t *)b->word.data)[0] = 0;
    /* 2 3 4: the loop's markers. It ends before each barrier and begins again behind it. */
    static const char *const parts[] = {
        "2:000000ff 3:000000ff 1:000000ff 4:000000ff",
        "2:000000ff 3:000000ff 5:000000ff 7:000000ff 4:000000ff",
        "2:000000ff 3:000000ff 3:000000ff 1:000000ff 4:000000ff",
        "2:000000ff 3:000000ff 5:000000ff 7:000000ff 4:000000ff",
        "2:000000ff 3:000000ff 3:000000ff 1:000000ff 4:000000ff",
        "2:000000ff 3:000000ff 5:000000ff 7:000000ff 4:000000ff",
        "2:000000ff 3:000000ff 4:000000ff c:000000ff",
    };
    for (unsigned i = 0; i < 7; i++) {
        for (unsigned cta = 0; cta < 5; cta++) {
            assert_true(simt_grid_run(b->grid, &l, cta, b->trace, rounds_kernel, b));
            assert_string_equal(trace_text(&b->text, &b->trace->warp[0], &waiting_code), parts[i]);
        }
        assert_int_equal(simt_grid_waits(b->grid), i < 6);
    }
    for (unsigned i = 0; i < 15; i++) { /* 5 CTAs of 8 threads a round */
        assert_int_equal(word[1 + i], 40 * (i % 3 + 1));
    }
}

BENCH_TEST(a_grid_can_be_left_at_a_barrier) {
    const struct launch l = {&waiting_code, {5, 1, 1}, {8, 1, 1}},
                        other = {&waiting_code, {4, 1, 1}, {8, 1, 1}};
    for (unsigned cta = 0; cta < 5; cta++) {
        assert_true(simt_grid_run(b->grid, &l, cta, b->trace, rounds_kernel, b));
    }
    simt_grid_destroy(b->grid);
    b->grid = simt_grid_create();
    ((int32_t *)b->word.data)[0] = 0;
    assert_int_equal(loads_of(b, &other, 0), 4);
}
