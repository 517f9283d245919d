/* SPDX-License-Identifier: Apache-2.0
 *
 * Test cases of MRPB with queues that grow (DEPTH = 0), which exists in C alone. Section 5.2
 * evaluates the drain policies so. They run with the block's other cases, where mutants of the C
 * are tried, and as a program of the model, under sanitizers too.
 */
#ifndef WARPMEM_TB_L1_MRPB_UNBOUNDED_H
#define WARPMEM_TB_L1_MRPB_UNBOUNDED_H

#include <malloc.h>

#include "base/unit_tests.h"
#include "base/block.h"
#include "l1/mrpb.h"

enum { UNBOUNDED_QUEUES = 4, MANY = 1000 };

static inline struct mrpb open_unbounded_mrpb(unsigned drain, unsigned flush) {
    struct mrpb_params params = {
        .QUEUES = UNBOUNDED_QUEUES, .DATA_BITS = 64, .LATENCY = 5, .DRAIN = drain, .FLUSH = flush};
    struct mrpb s;
    assert_null(block_params_error(&mrpb_block, &params));
    assert_true(mrpb_init(&s, &params));
    return s;
}

/* One cycle. Return: the tag that the cache took, or -1. */
static inline int cycle_unbounded(struct mrpb *s, int queue, bool write, unsigned tag, bool take) {
    struct mrpb_in in = {.enq_valid = queue >= 0,
                         .enq_queue = (uint8_t)(queue >= 0 ? queue : 0),
                         .enq_write = write,
                         .enq_data = {tag}};
    struct mrpb_out out;
    mrpb_comb(s, &in, &out);
    assert_true(queue < 0 || out.enq_ready);
    in.deq_ready = take;
    mrpb_step(s, &in, &out);
    return take && out.deq_valid ? (int)out.deq_data[0] : -1;
}

static inline unsigned take_all_tags(struct mrpb *s, int *tags, unsigned most) {
    unsigned count = 0;
    for (unsigned i = 0; i < most + 20; i++) {
        int tag = cycle_unbounded(s, -1, false, 0, true);
        if (tag >= 0) {
            assert_true(count < most);
            tags[count++] = tag;
        }
    }
    return count;
}

TEST(test_5_2_a_queue_without_bound_takes_everything_and_keeps_its_order) {
    CLOSED_BY(mrpb_destroy) struct mrpb s = open_unbounded_mrpb(MRPB_DRAIN_FIXED, 1);
    int tags[MANY];
    unsigned left = 0;
    for (unsigned i = 0; i < MANY; i++) { /* one leaves for three that enter: heads move */
        int tag = cycle_unbounded(&s, 2, false, i, i % 3 == 0);
        if (tag >= 0) {
            assert_int_equal(tag, left++);
        }
    }
    unsigned rest = take_all_tags(&s, tags, MANY);
    assert_int_equal(left + rest, MANY);
    for (unsigned i = 0; i < rest; i++) {
        assert_int_equal(tags[i], left + i);
    }
}

TEST(test_5_2_writes_queue_without_bound_when_there_is_no_flush) {
    CLOSED_BY(mrpb_destroy) struct mrpb s = open_unbounded_mrpb(MRPB_DRAIN_ROUND_ROBIN, 0);
    int tags[MANY];
    for (unsigned i = 0; i < MANY; i++) {
        cycle_unbounded(&s, (int)(i % 2), i % 5 == 0, i, false);
    }
    assert_int_equal(take_all_tags(&s, tags, MANY), MANY);
    unsigned next[2] = {0, 1};
    for (unsigned i = 0; i < MANY; i++) {
        assert_int_equal(tags[i], next[tags[i] % 2]);
        next[tags[i] % 2] += 2;
    }
}

/* Two queues of which one is far longer than any bounded one. */
TEST(test_5_2_longest_first_counts_without_bound) {
    enum { LONG = 200, SHORT = 100 };
    CLOSED_BY(mrpb_destroy) struct mrpb s = open_unbounded_mrpb(MRPB_DRAIN_LONGEST, 1);
    int tags[LONG + SHORT];
    for (unsigned i = 0; i < LONG + SHORT; i++) {
        cycle_unbounded(&s, i < SHORT ? 0 : 3, false, i, false);
    }
    assert_int_equal(take_all_tags(&s, tags, LONG + SHORT), LONG + SHORT);
    /* Those of queue 0 that were chosen while it was alone, then the other until both are equally
     * long and that is known: three choices are made before a choice counts. */
    enum { COMMITTED = MRPB_PICKS_MAX + 1, UNKNOWN = 3 };
    unsigned in_a_row = 0;
    for (unsigned i = COMMITTED; i < LONG && tags[i] >= SHORT; i++) {
        in_a_row++;
    }
    assert_int_equal(in_a_row, LONG - (SHORT - COMMITTED) + UNKNOWN);
}

TEST(test_verilog_has_bounded_queues_only) {
    struct mrpb_params params = {
        .QUEUES = UNBOUNDED_QUEUES, .DEPTH = 1, .DATA_BITS = 64, .LATENCY = 5};
    assert_string_equal(block_params_error(&mrpb_block, &params)->name, "DEPTH");
    params.DEPTH = 0;
    assert_null(block_params_error(&mrpb_block, &params));
    assert_null(block_set_matching(&mrpb_block, &params)); /* so no Verilog of it can be run */
    params.QUEUES = 0;
    assert_string_equal(block_params_error(&mrpb_block, &params)->name, "QUEUES");
}

static size_t allocated_now(void) {
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

TEST(test_queues_that_grew_give_their_room_back) {
    enum { FIRST_LIVES = 16 }; /* they fill the allocator's own stores */
    size_t before = 0;
    for (unsigned life = 0; life <= FIRST_LIVES; life++) {
        before = allocated_now();
        CLOSED_BY(mrpb_destroy) struct mrpb s = open_unbounded_mrpb(MRPB_DRAIN_LONGEST, 1);
        for (unsigned i = 0; i < MANY; i++) {
            cycle_unbounded(&s, (int)(i % UNBOUNDED_QUEUES), false, i, false);
        }
    }
    assert_int_equal(allocated_now(), before);
}

/* The room of a request's header, which only the sets of the list have otherwise. */
TEST(test_a_header_takes_as_many_words_as_its_bits_need) {
    static const unsigned bits_and_words[][2] = {{1, 1}, {64, 1}, {65, 2}, {128, 2}, {129, 3}};
    for (size_t i = 0; i < sizeof bits_and_words / sizeof *bits_and_words; i++) {
        const struct mrpb_params params = {
            .QUEUES = 2, .DEPTH = 2, .DATA_BITS = bits_and_words[i][0], .LATENCY = 5, .FLUSH = 1};
        CLOSED_BY(mrpb_destroy) struct mrpb s;
        assert_true(mrpb_init(&s, &params));
        assert_int_equal(s.words, bits_and_words[i][1]);
    }
}

#endif
