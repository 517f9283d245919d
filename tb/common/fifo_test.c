/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bench.h"
#include "common/fifo.h"
#include "cosim/block_test.h"

enum { LATENCY = 2 }; /* cycles from entering an empty FIFO to the offer */

static unsigned depth_of(const struct bench *b) {
    return ((const struct fifo_params *)b->pair.ports.params)->DEPTH;
}

static const struct fifo_out *fifo_out_of(const struct bench *b) {
    return b->pair.c_out;
}

/* A one-bit word shows the parity of the number. */
static uint64_t word_of_number(const struct bench *b, unsigned number) {
    const struct fifo_params *p = (const struct fifo_params *)b->pair.ports.params;
    return p->DATA_BITS == 1 ? (unsigned)__builtin_parity(number) : number;
}

/* Drives a word in this cycle; true if it enters. The edge is still to come. */
static bool drive_word(struct bench *b, unsigned number) {
    struct fifo_in *in = b->pair.in;
    in->enq_valid = true;
    in->enq_data[0] = word_of_number(b, number);
    bench_comb(b);
    return fifo_out_of(b)->enq_ready;
}

static void enter_word(struct bench *b, unsigned number) {
    assert_true(drive_word(b, number));
    bench_edge(b);
}

static void assert_word_offered(struct bench *b, unsigned number) {
    bench_comb(b);
    assert_true(fifo_out_of(b)->deq_valid);
    assert_int_equal(fifo_out_of(b)->deq_data[0], word_of_number(b, number));
}

static void take_fifo_word(struct bench *b, unsigned number) {
    assert_word_offered(b, number);
    ((struct fifo_in *)b->pair.in)->deq_ready = true;
    bench_edge(b);
}

static void assert_count(struct bench *b, unsigned count) {
    bench_comb(b);
    assert_int_equal(fifo_out_of(b)->count, count);
}

SET_TEST(test_a_word_is_offered_two_cycles_after_it_entered) {
    enter_word(b, 7);
    for (unsigned cycle = 1; cycle < LATENCY; cycle++) {
        assert_count(b, 1);
        assert_false(fifo_out_of(b)->deq_valid);
        bench_edge(b);
    }
    take_fifo_word(b, 7);
    assert_count(b, 0);
    assert_false(fifo_out_of(b)->deq_valid);
}

SET_TEST(test_words_leave_in_the_order_in_which_they_entered) {
    for (unsigned round = 0; round < 5; round++) { /* the pointers wrap */
        for (unsigned i = 0; i < depth_of(b); i++) {
            enter_word(b, 100 * round + i);
        }
        bench_idle(b, LATENCY);
        for (unsigned i = 0; i < depth_of(b); i++) {
            assert_count(b, depth_of(b) - i);
            take_fifo_word(b, 100 * round + i); /* one a cycle */
        }
    }
}

SET_TEST(test_a_full_fifo_takes_a_word_in_the_cycle_after_one_left) {
    for (unsigned i = 0; i < depth_of(b); i++) {
        enter_word(b, i);
    }
    bench_idle(b, LATENCY);
    assert_count(b, depth_of(b));
    assert_false(drive_word(b, 50));
    take_fifo_word(b, 0);
    assert_true(drive_word(b, 50));
}

SET_TEST(test_an_offer_waits_until_it_is_taken) {
    enter_word(b, 1);
    enter_word(b, 2);
    bench_idle(b, LATENCY);
    for (unsigned i = 0; i < 3; i++) {
        assert_word_offered(b, 1);
        bench_edge(b);
    }
    take_fifo_word(b, 1);
    take_fifo_word(b, 2);
}

SET_TEST(test_one_word_enters_and_one_leaves_each_cycle) {
    unsigned entered = 0, left = 0, cycles = 30 * depth_of(b);
    for (unsigned cycle = 0; cycle < cycles; cycle++) {
        entered += drive_word(b, entered);
        if (fifo_out_of(b)->deq_valid) {
            assert_int_equal(fifo_out_of(b)->deq_data[0], word_of_number(b, left));
            left++;
        }
        ((struct fifo_in *)b->pair.in)->deq_ready = true;
        bench_edge(b);
    }
    /* with DEPTH 2 two words in three cycles: a place is free the cycle after its word left */
    assert_int_equal(left, depth_of(b) == 2 ? (cycles - LATENCY) / 3 * 2 + 1 : cycles - LATENCY);
}

SET_TEST(test_reset_empties_and_lets_nothing_in) {
    enter_word(b, 1);
    enter_word(b, 2);
    ((struct fifo_in *)b->pair.in)->rst = true;
    (void)drive_word(b, 3);
    bench_edge(b);
    for (unsigned i = 0; i < 2 * LATENCY; i++) {
        assert_count(b, 0);
        assert_false(fifo_out_of(b)->deq_valid);
        bench_edge(b);
    }
}

SET_TEST(test_fifo_quiet_when_nothing_can_move) {
    struct fifo_in *in = b->pair.in;
    assert_true(bench_quiet(b));
    in->enq_valid = true;
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_false(bench_quiet(b)); /* on its way to the output */
    bench_edge(b);
    assert_true(bench_quiet(b)); /* offered and not taken */
    in->deq_ready = true;
    assert_false(bench_quiet(b));
}

SET_TEST(test_quiet_when_full_though_a_word_asks) {
    struct fifo_in *in = b->pair.in;
    for (unsigned i = 0; i < depth_of(b); i++) {
        in->enq_valid = true;
        bench_edge(b);
    }
    in->enq_valid = true;
    assert_true(bench_quiet(b));
    in->deq_ready = true;
    assert_false(bench_quiet(b));
}

/* The words are as wide as they have to be, and no wider: the port behind them is another's. */
TEST(test_the_widest_word_stays_in_its_port) {
    static const struct fifo_params params = {.DEPTH = 2, .DATA_BITS = 64 * FIFO_DATA_WORDS};
    struct fifo fifo;
    struct fifo_in in = {.enq_valid = true};
    struct fifo_out out;
    assert_true(fifo_init(&fifo, &params));
    memset(in.enq_data, 0xc3, sizeof in.enq_data);
    for (unsigned cycle = 0; cycle < 2; cycle++) {
        fifo_comb(&fifo, &in, &out);
        fifo_step(&fifo, &in, &out);
        in.enq_valid = false;
    }
    memset(&out, 0, sizeof out);
    fifo_comb(&fifo, &in, &out);
    assert_true(out.deq_valid);
    assert_memory_equal(out.deq_data, in.enq_data, sizeof in.enq_data);
    assert_int_equal(out.count, 1);
    assert_int_equal(fifo.chunks, FIFO_DATA_WORDS);
    fifo_destroy(&fifo);
}

/* clang-format off */
#define FIFO_POINTS(P) \
    P(EMPTY,                   "empty") \
    P(FULL,                    "full") \
    P(FULL_REFUSES,            "refused because full") \
    P(HEAD_WRAPS,              "head wraps") \
    P(TAIL_WRAPS,              "tail wraps") \
    P(IN_AND_OUT,              "in and out at one edge") \
    P(IN_AND_OUT_OF_ONE,       "in and out with one inside") \
    P(OUTPUT_WAITS_FOR_MEMORY, "inside but not offered yet") \
    P(LEAVES_FULL,             "one leaves a full one") \
    P(RESET_AT_WORK,           "reset at work") \
    P(QUIET_EMPTY,             "quiet empty") \
    P(QUIET_FULL,              "quiet full")
/* clang-format on */

COVERAGE_POINTS(FIFO_POINTS, struct fifo_params)

struct fifo_stimulus {
    unsigned left, in, out; /* cycles of this phase; chances in 16 */
};

static void fifo_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    static const unsigned often[] = {0, 2, 8, 14, 16, 16};
    struct fifo_stimulus *st = self;
    const struct fifo_params *p = now->params;
    struct fifo_in *in = input;
    if (st->left-- == 0) {
        st->left = rng_below(now->rng, 4 * p->DEPTH + 20);
        st->in = often[rng_below(now->rng, 6)];
        st->out = often[rng_below(now->rng, 6)];
    }
    in->rst = rng_chance(now->rng, 1, 2000);
    in->enq_valid = rng_chance(now->rng, st->in, 16);
    for (unsigned i = 0; i < FIFO_DATA_WORDS; i++) {
        in->enq_data[i] = rng_next(now->rng);
    }
}

static void fifo_late_inputs(void *self, const struct lockstep_now *now, const void *output,
                             void *input) {
    const struct fifo_stimulus *st = self;
    (void)output;
    ((struct fifo_in *)input)->deq_ready = rng_chance(now->rng, st->out, 16);
}

static void fifo_count_points(void *self, const struct lockstep_now *now, const void *input,
                              const void *output, uint64_t *counts) {
    const struct fifo_params *p = now->params;
    const struct fifo *s = now->state;
    const struct fifo_in *in = input;
    const struct fifo_out *out = output;
    (void)self;
    bool enters = in->enq_valid && out->enq_ready;
    bool leaves = out->deq_valid && in->deq_ready;
    counts[RESET_AT_WORK] += in->rst && enters && leaves;
    if (in->rst) {
        return;
    }
    counts[EMPTY] += out->count == 0;
    counts[FULL] += out->count == p->DEPTH;
    counts[FULL_REFUSES] += in->enq_valid && !out->enq_ready;
    counts[HEAD_WRAPS] += leaves && s->head == p->DEPTH - 1;
    counts[TAIL_WRAPS] += enters && (s->head + s->count) % p->DEPTH == p->DEPTH - 1;
    counts[IN_AND_OUT] += enters && leaves;
    counts[IN_AND_OUT_OF_ONE] += enters && leaves && out->count == 1;
    counts[OUTPUT_WAITS_FOR_MEMORY] += out->count > 0 && !out->deq_valid;
    counts[LEAVES_FULL] += leaves && out->count == p->DEPTH && in->enq_valid;
    bool quiet = fifo_quiet(s, in);
    counts[QUIET_EMPTY] += quiet && out->count == 0;
    counts[QUIET_FULL] += quiet && out->count == p->DEPTH;
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct fifo_stimulus),
    .points = points,
    .early = fifo_early_inputs,
    .late = fifo_late_inputs,
    .cover = fifo_count_points,
    .unreachable = point_unreachable,
};
