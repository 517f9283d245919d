/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bench.h"
#include "common/sram_1r1w.h"
#include "cosim/block_test.h"

static unsigned sram_words_of(const struct bench *b) {
    return ((const struct sram_1r1w_params *)b->pair.ports.params)->WORDS;
}

/* Sets the write port for this cycle; the edge is still to come. */
static void write_word(struct bench *b, unsigned addr, uint64_t value) {
    struct sram_1r1w_in *in = b->pair.in;
    in->wr_en = true;
    in->wr_addr = (uint16_t)addr;
    in->wr_data[0] = value;
}

static void read_word(struct bench *b, unsigned addr) {
    struct sram_1r1w_in *in = b->pair.in;
    in->rd_en = true;
    in->rd_addr = (uint16_t)addr;
}

static void assert_shows(struct bench *b, uint64_t value) {
    const struct sram_1r1w_out *out = b->pair.c_out;
    bench_comb(b);
    assert_true(out->defined);
    assert_int_equal(out->rd_data[0], value);
}

SET_TEST(test_a_word_reads_as_it_was_written_last) {
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < sram_words_of(b); i++) {
            write_word(b, i, (i * 7 + round) & 0xff);
            bench_edge(b);
        }
    }
    for (unsigned i = 0; i < sram_words_of(b); i++) {
        read_word(b, i);
        bench_edge(b);
        assert_shows(b, (i * 7 + 1) & 0xff);
    }
}

SET_TEST(test_a_word_can_be_read_in_the_cycle_after_its_write) {
    write_word(b, 1, 17);
    bench_edge(b);
    read_word(b, 1);
    write_word(b, 0, 18); /* another word at the same edge */
    bench_edge(b);
    assert_shows(b, 17);
    read_word(b, 0);
    bench_edge(b);
    assert_shows(b, 18);
}

SET_TEST(test_the_output_holds_until_the_next_read) {
    write_word(b, 0, 17);
    bench_edge(b);
    read_word(b, 0);
    bench_edge(b);
    for (unsigned i = 0; i < 3; i++) {
        assert_shows(b, 17);
        write_word(b, 0, 18 + i); /* the word changes, what was read does not */
        bench_edge(b);
    }
    assert_shows(b, 17);
}

SET_TEST(test_reading_what_was_not_written_is_undefined) {
    const struct sram_1r1w_out *out = b->pair.c_out;
    bench_comb(b);
    assert_false(out->defined);
    read_word(b, 1);
    bench_edge(b);
    bench_comb(b);
    assert_false(out->defined);
}

SET_TEST(test_reading_the_word_that_is_written_is_undefined) {
    const struct sram_1r1w_out *out = b->pair.c_out;
    write_word(b, 1, 17);
    bench_edge(b);
    write_word(b, 1, 18);
    read_word(b, 1);
    bench_edge(b);
    bench_comb(b);
    assert_false(out->defined);
    read_word(b, 1); /* the write itself was good */
    bench_edge(b);
    assert_shows(b, 18);
}

SET_TEST(test_quiet_without_a_read_and_a_write) {
    assert_true(bench_quiet(b));
    write_word(b, 1, 17);
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_true(bench_quiet(b));
    read_word(b, 1);
    assert_false(bench_quiet(b));
    write_word(b, 0, 17);
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_true(bench_quiet(b));
}

TEST(test_a_word_takes_as_many_chunks_as_its_bits_need) {
    static const unsigned bits_and_chunks[][2] = {{1, 1}, {64, 1}, {65, 2}, {128, 2}, {129, 3}};
    for (size_t i = 0; i < sizeof bits_and_chunks / sizeof *bits_and_chunks; i++) {
        const struct sram_1r1w_params params = {.WORDS = 2, .DATA_BITS = bits_and_chunks[i][0]};
        struct sram_1r1w s;
        assert_true(sram_1r1w_init(&s, &params));
        assert_int_equal(s.chunks, bits_and_chunks[i][1]);
        sram_1r1w_destroy(&s);
    }
}

/* There is none for the words, but for their marks. No machine contains this block, so
 * tb/cli/faults_test.c does not come here. */
TEST(test_without_memory_sram_keeps_nothing) {
    const struct sram_1r1w_params params = {.WORDS = 1 << 28, .DATA_BITS = 64};
    struct sram_1r1w s;
    rlim_t before = limit_memory(params.WORDS * sizeof *s.words);
    bool good = sram_1r1w_init(&s, &params);
    limit_memory(before);
    assert_false(good);
    assert_null(s.words);
    assert_null(s.written);
}

/* clang-format off */
#define SRAM_1R1W_POINTS(P) \
    P(FIRST_WORD,         "first word read") \
    P(LAST_WORD,          "last word read") \
    P(READ_AND_WRITE,     "read and write of two words") \
    P(COLLISION,          "read and write of one word") \
    P(READ_AT_ONCE,       "read right after its write") \
    P(HELD_THROUGH_WRITE, "shown word overwritten")
/* clang-format on */

COVERAGE_POINTS(SRAM_1R1W_POINTS, struct sram_1r1w_params)

struct sram_stimulus {
    bool wrote; /* in the last cycle, this word */
    unsigned wrote_addr;
    unsigned shown_addr;
};

static void sram_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct sram_stimulus *st = self;
    const struct sram_1r1w_params *p = now->params;
    struct sram_1r1w_in *in = input;
    if (in->rd_en) {
        st->shown_addr = in->rd_addr;
    }
    st->wrote = in->wr_en;
    st->wrote_addr = in->wr_addr;
    in->wr_en = rng_chance(now->rng, 1, 2);
    in->rd_en = rng_chance(now->rng, 1, 2);
    /* often few words, so that reads meet writes */
    unsigned span = rng_chance(now->rng, 1, 2) ? p->WORDS : 3;
    in->wr_addr = (uint16_t)rng_below(now->rng, span < p->WORDS ? span : p->WORDS);
    in->rd_addr = (uint16_t)rng_below(now->rng, span < p->WORDS ? span : p->WORDS);
    for (unsigned i = 0; i < SRAM_1R1W_DATA_WORDS; i++) {
        in->wr_data[i] = rng_next(now->rng);
    }
}

static void sram_count_points(void *self, const struct lockstep_now *now, const void *input,
                              const void *output, uint64_t *counts) {
    const struct sram_1r1w_params *p = now->params;
    const struct sram_1r1w *s = now->state;
    const struct sram_1r1w_in *in = input;
    const struct sram_1r1w_out *out = output;
    const struct sram_stimulus *st = self;
    bool known = in->rd_en && s->written[in->rd_addr];
    bool same = in->rd_addr == in->wr_addr;
    counts[FIRST_WORD] += known && in->rd_addr == 0;
    counts[LAST_WORD] += known && in->rd_addr == p->WORDS - 1;
    counts[READ_AND_WRITE] += known && in->wr_en && !same;
    counts[COLLISION] += known && in->wr_en && same;
    counts[READ_AT_ONCE] += known && st->wrote && st->wrote_addr == in->rd_addr;
    counts[HELD_THROUGH_WRITE] +=
        out->defined && !in->rd_en && in->wr_en && in->wr_addr == st->shown_addr;
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct sram_stimulus),
    .points = points,
    .early = sram_early_inputs,
    .cover = sram_count_points,
    .unreachable = point_unreachable,
};
