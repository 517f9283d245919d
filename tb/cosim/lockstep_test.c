/* SPDX-License-Identifier: Apache-2.0
 * Lockstep must pass what is equal, and fail for each way of not being so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "cosim/sample.h"
#include "cosim/sample_stimulus.h"

enum { BAD_CYCLE = 777 };

/* Runs against the plain set; the caller frees *text. */
static struct lockstep_result run_lockstep_of_sample(const struct rtl_block *rtl,
                                                     const struct stimulus *stimulus,
                                                     uint64_t cycles, bool exact, char **text) {
    struct lockstep_options options = {.seed = 0x5eed0007,
                                       .cycles = cycles,
                                       .exact = exact,
                                       .all_points = true,
                                       .mismatch_dir = "build/mismatch/selftest",
                                       .out = tmpfile()};
    assert_non_null(options.out);
    struct lockstep_result result = lockstep_run(rtl, stimulus, &options);
    *text = text_of_file(options.out);
    return result;
}

TEST(equal_blocks_pass_with_every_port_kind) {
    unsigned count;
    const struct rtl_block *const *all = rtl_blocks(&count);
    assert_int_equal(count, 4);
    for (unsigned i = 0; i < count; i++) {
        FREED char *text;
        struct lockstep_result r =
            run_lockstep_of_sample(all[i], &sample_stimulus, 20000, false, &text);
        assert_int_equal(r.status, LOCKSTEP_PASS);
        assert_true(r.cycles >= 20000);
        assert_true(r.compared >= 3 * r.cycles);
        assert_true(r.held > 100);
        assert_says(text, "pass  cosim/sample");
        assert_says(text, "reached: added ");
        assert_int_equal(strcspn(text, "\n") + 1, strlen(text));
    }
}

TEST(a_passing_line_names_the_rarest_point_alone) {
    struct lockstep_options options = {.seed = 7, .cycles = 3000, .out = tmpfile()};
    assert_int_equal(lockstep_run(sample_rtl("wide"), &sample_stimulus, &options).status,
                     LOCKSTEP_PASS);
    FREED char *text = text_of_file(options.out);
    assert_says(text, " points reached, the rarest ");
    assert_null(strstr(text, "reached:"));
}

TEST(a_seed_repeats_a_run) {
    FREED char *a, *b;
    run_lockstep_of_sample(sample_rtl("wide"), &sample_stimulus, 3000, true, &a);
    run_lockstep_of_sample(sample_rtl("wide"), &sample_stimulus, 3000, true, &b);
    assert_string_equal(a, b);
}

/* --- C blocks with something wrong, made of the sample ---------------------------------------- */

static const struct block *good_sample_block(void) {
    return sample_rtl("plain")->block;
}

/* The sample with one function replaced, against the Verilog of the plain set. */
struct patched {
    struct block block;
    struct rtl_block rtl;
};

static void patch_sample(struct patched *p) {
    p->block = *good_sample_block();
    p->rtl = *sample_rtl("plain");
    p->rtl.block = &p->block;
}

#define PATCHED(p) \
    struct patched p; \
    patch_sample(&p)

static void comb_wrong_lane(void *state, const void *in, void *out) {
    good_sample_block()->comb(state, in, out);
    const struct sample *s = state;
    if (s->lane[2] == 30) {
        ((struct sample_out *)out)->sum_lane[2] = 31;
    }
}

TEST(a_wrong_output_is_reported) {
    PATCHED(p);
    p.block.comb = comb_wrong_lane;
    FREED char *text;
    struct lockstep_result r =
        run_lockstep_of_sample(&p.rtl, &sample_stimulus, 100000, false, &text);
    assert_int_equal(r.status, LOCKSTEP_MISMATCH);
    assert_true(r.cycles > 1);

    char expected[256];
    unsigned long long wrong = r.cycles - 1;
    snprintf(expected, sizeof expected,
             "MISMATCH cosim/sample  cycle %llu  seed 0x5eed0007  set plain  LANES=4 "
             "LANE_BITS=5 WORD_BITS=100\n\n  output            rtl",
             wrong);
    assert_int_equal(strncmp(text, expected, strlen(expected)), 0);
    assert_says(text, "\n  sum_lane_o        {");
    assert_says(text, " 30 ");
    assert_says(text, " 31 ");
    assert_says(text, "<- first wrong cycle\n");
    assert_says(text, "  3 other outputs equal\n");
    assert_says(text, "  inputs            rst_i=0 add_valid_i=");
    assert_says(text, "  last 16 cycles    build/mismatch/selftest/cosim_sample_plain.txt\n");
    snprintf(
        expected, sizeof expected,
        "  waves             make waves BLOCK=cosim/sample SET=plain SEED=0x5eed0007 FROM=%llu "
        "CYCLES=%llu      (opens at cycle %llu)\n",
        wrong < 8 ? 0 : wrong - 8, wrong + 1, wrong < 8 ? 0 : wrong - 8);
    assert_says(text, expected);
    snprintf(expected, sizeof expected,
             "  again             make lockstep BLOCK=cosim/sample SET=plain SEED=0x5eed0007 "
             "CYCLES=%llu\n",
             wrong + 1);
    assert_says(text, expected);
    free(text);

    /* The last line of the file is the wrong cycle, and shows both values. */
    FILE *file = fopen("build/mismatch/selftest/cosim_sample_plain.txt", "r");
    assert_non_null(file);
    char line[4096], last[4096] = "";
    unsigned lines = 0;
    while (fgets(line, sizeof line, file)) {
        memcpy(last, line, sizeof last);
        lines++;
    }
    fclose(file);
    assert_int_equal(lines, 3 + (r.cycles < 16 ? r.cycles : 16));
    assert_int_equal(strtoull(last, NULL, 10), wrong);
    assert_says(last, "!={");

    /* "again" with that many cycles ends in the same place */
    struct lockstep_result again =
        run_lockstep_of_sample(&p.rtl, &sample_stimulus, r.cycles, true, &text);
    assert_int_equal(again.status, LOCKSTEP_MISMATCH);
    assert_int_equal(again.cycles, r.cycles);
}

static uint64_t compared_without_word(const void *params, const void *out) {
    return good_sample_block()->compared(params, out) & ~UINT64_C(8);
}

static void comb_wrong_word(void *state, const void *in, void *out) {
    good_sample_block()->comb(state, in, out);
    ((struct sample_out *)out)->sum_word[1] ^= 1;
}

TEST(an_output_that_does_not_count_is_not_compared) {
    PATCHED(p);
    p.block.comb = comb_wrong_word;
    FREED char *text;
    struct lockstep_result r = run_lockstep_of_sample(&p.rtl, &sample_stimulus, 1000, true, &text);
    assert_int_equal(r.status, LOCKSTEP_MISMATCH);
    assert_says(text, "sum_word_o");
    free(text);
    p.block.compared = compared_without_word;
    r = run_lockstep_of_sample(&p.rtl, &sample_stimulus, 1000, true, &text);
    assert_int_equal(r.status, LOCKSTEP_PASS);
}

static void comb_beyond_width(void *state, const void *in, void *out) {
    good_sample_block()->comb(state, in, out);
    ((struct sample_out *)out)->sum_lane[1] |= 1u << 5;
}

TEST(a_bit_above_the_width_is_a_mismatch) {
    PATCHED(p);
    p.block.comb = comb_beyond_width;
    FREED char *text;
    assert_int_equal(run_lockstep_of_sample(&p.rtl, &sample_stimulus, 10, true, &text).status,
                     LOCKSTEP_MISMATCH);
}

static void comb_reads_late(void *state, const void *input, void *out) {
    good_sample_block()->comb(state, input, out);
    const struct sample_in *in = input;
    const struct sample *s = state;
    if (s->valid && s->lane[0] == 3 && in->sum_ready) {
        ((struct sample_out *)out)->any_carry ^= 1;
    }
}

/* The late value during comb decides between the two reports. */
TEST(c_that_reads_a_late_input_is_caught) {
    PATCHED(p);
    p.block.comb = comb_reads_late;
    FREED char *text;
    enum lockstep_status status =
        run_lockstep_of_sample(&p.rtl, &sample_stimulus, 100000, true, &text).status;
    assert_true(status == LOCKSTEP_LATE || status == LOCKSTEP_MISMATCH);
}

static void rtl_comb_reads_late(void *self, const void *input, void *output) {
    sample_rtl("plain")->comb(self, input, output);
    const struct sample_in *in = input;
    struct sample_out *out = output;
    out->any_carry |= in->sum_ready && out->sum_valid && in->add_lane[0] == 9;
}

/* Both sides read it in the same way, so only the second look can see it. */
static void comb_reads_late_too(void *state, const void *input, void *output) {
    good_sample_block()->comb(state, input, output);
    const struct sample_in *in = input;
    struct sample_out *out = output;
    out->any_carry |= in->sum_ready && out->sum_valid && in->add_lane[0] == 9;
}

TEST(verilog_that_reads_a_late_input_is_caught) {
    PATCHED(p);
    p.rtl.comb = rtl_comb_reads_late;
    p.block.comb = comb_reads_late_too;
    FREED char *text;
    assert_int_equal(run_lockstep_of_sample(&p.rtl, &sample_stimulus, 100000, true, &text).status,
                     LOCKSTEP_LATE);
    assert_says(text, "LATE INPUT cosim/sample");
    assert_says(text, "rtl before");
    assert_says(text, "any_carry_o");
    assert_says(text, "late inputs changed these outputs of the Verilog in the same cycle");
}

static bool always_quiet(void *state, const void *in) {
    (void)state;
    (void)in;
    return true;
}

TEST(a_block_that_calls_itself_quiet_but_changes_is_caught) {
    PATCHED(p);
    p.block.quiet = always_quiet;
    FREED char *text;
    struct lockstep_result r =
        run_lockstep_of_sample(&p.rtl, &sample_stimulus, 100000, true, &text);
    assert_int_equal(r.status, LOCKSTEP_QUIET);
    assert_says(text, "NOT QUIET cosim/sample");
    assert_says(text, "x_quiet() was true, but a step");
}

static bool fickle_quiet(void *state, const void *in) {
    const struct sample *s = state;
    return good_sample_block()->quiet(state, in) && s->word[2] == 0;
}

static bool step_touches_hidden_state(void *state, const void *in, const void *out) {
    good_sample_block()->step(state, in, out);
    ((struct sample *)state)->word[2] ^= 1;
    return true;
}

TEST(hidden_state_that_changes_while_quiet_is_caught) {
    PATCHED(p);
    p.block.step = step_touches_hidden_state;
    p.block.quiet = fickle_quiet;
    p.block.compared = compared_without_word;
    FREED char *text;
    struct lockstep_result r =
        run_lockstep_of_sample(&p.rtl, &sample_stimulus, 100000, true, &text);
    assert_int_equal(r.status, LOCKSTEP_QUIET);
    assert_says(text, "state");
}

/* The sample, and a number elsewhere that each step changes. */
struct pointing_sample {
    struct sample sample;
    uint64_t *elsewhere;
};

static bool init_pointing(void *state, const void *params) {
    struct pointing_sample *s = state;
    s->elsewhere = calloc(1, sizeof *s->elsewhere);
    return s->elsewhere && good_sample_block()->init(state, params);
}

static void destroy_pointing(void *state) {
    struct pointing_sample *s = state;
    free(s->elsewhere);
    s->elsewhere = NULL;
    good_sample_block()->destroy(state);
}

static bool step_changes_what_it_points_to(void *state, const void *in, const void *out) {
    ++*((struct pointing_sample *)state)->elsewhere;
    return good_sample_block()->step(state, in, out);
}

TEST(what_the_state_points_to_must_not_change_while_quiet) {
    PATCHED(p);
    p.block.state_size = sizeof(struct pointing_sample);
    p.block.init = init_pointing;
    p.block.destroy = destroy_pointing;
    FREED char *equal, *text;
    assert_int_equal(run_lockstep_of_sample(&p.rtl, &sample_stimulus, 20000, true, &equal).status,
                     LOCKSTEP_PASS);
    p.block.step = step_changes_what_it_points_to;
    assert_int_equal(run_lockstep_of_sample(&p.rtl, &sample_stimulus, 20000, true, &text).status,
                     LOCKSTEP_QUIET);
    assert_says(text, "state");
}

/* The Verilog changes an output of its own accord: here, a few edges after reset. */
static void rtl_edge_twice(void *self, uint64_t cycle) {
    sample_rtl("plain")->edge(self, cycle);
    if (cycle == BAD_CYCLE) {
        struct sample_in in = {.add_valid = true, .add_lane = {1}};
        struct sample_out out;
        sample_rtl("plain")->comb(self, &in, &out);
        sample_rtl("plain")->edge(self, cycle);
    }
}

TEST(a_bug_in_the_verilog_is_found_in_its_cycle) {
    PATCHED(p);
    p.rtl.edge = rtl_edge_twice;
    FREED char *text;
    struct lockstep_result r =
        run_lockstep_of_sample(&p.rtl, &sample_stimulus, 100000, false, &text);
    assert_int_equal(r.status, LOCKSTEP_MISMATCH);
    assert_int_equal(r.cycles, BAD_CYCLE + 2);
}

/* --- runs that prove nothing ------------------------------------------------------------------ */

static uint64_t compared_nothing(const void *params, const void *out) {
    (void)params;
    (void)out;
    return 0;
}

TEST(a_run_that_compared_nothing_fails) {
    PATCHED(p);
    p.block.compared = compared_nothing;
    FREED char *text;
    assert_int_equal(run_lockstep_of_sample(&p.rtl, &sample_stimulus, 1000, false, &text).status,
                     LOCKSTEP_NOTHING);
    assert_says(text, "NOTHING COMPARED cosim/sample");
}

static void cover_without_carry(void *self, const struct lockstep_now *now, const void *in,
                                const void *out, uint64_t *counts) {
    sample_stimulus.cover(self, now, in, out, counts);
    counts[SAMPLE_CARRY] = 0;
}

static bool carry_is_unreachable(const void *params, unsigned point) {
    (void)params;
    return point == SAMPLE_CARRY;
}

TEST(a_point_never_reached_fails_the_run) {
    struct stimulus s = sample_stimulus;
    s.cover = cover_without_carry;
    FREED char *text;
    struct lockstep_result r = run_lockstep_of_sample(sample_rtl("plain"), &s, 1000, false, &text);
    assert_int_equal(r.status, LOCKSTEP_UNCOVERED);
    assert_int_equal(r.cycles, 16000); /* it tried harder first */
    assert_says(text, "\"carry\" was never reached in 16000 cycles");
    free(text);

    assert_int_equal(run_lockstep_of_sample(sample_rtl("plain"), &s, 1000, true, &text).status,
                     LOCKSTEP_PASS);
    free(text);
    s.unreachable = carry_is_unreachable;
    assert_int_equal(run_lockstep_of_sample(sample_rtl("plain"), &s, 1000, false, &text).status,
                     LOCKSTEP_PASS);
    free(text);
    s.cover = sample_stimulus.cover;
    assert_int_equal(run_lockstep_of_sample(sample_rtl("plain"), &s, 1000, false, &text).status,
                     LOCKSTEP_UNCOVERED);
    assert_says(text, "is called unreachable, but was reached");
}

/* --- resets ----------------------------------------------------------------------------------- */

enum { LENGTHS = 12, GAPS = 4 };
static struct {
    unsigned now, gap; /* cycles of this reset; since the last one */
    unsigned of_length[LENGTHS], of_gap[GAPS];
} seen_resets;

static void count_resets(void *self, const struct lockstep_now *now, const void *input,
                         const void *output, uint64_t *counts) {
    sample_stimulus.cover(self, now, input, output, counts);
    if (((const struct sample_in *)input)->rst) {
        seen_resets.of_gap[seen_resets.gap < GAPS ? seen_resets.gap : 0]++;
        seen_resets.gap = 0;
        seen_resets.now++;
        return;
    }
    assert_true(seen_resets.now < LENGTHS);
    seen_resets.of_length[seen_resets.now]++;
    seen_resets.now = 0;
    seen_resets.gap++;
}

/* Each length from 1 to 4, and gaps of 1 to 3 cycles more often than by chance. (The cycles that
 * hold a quiet block's inputs are not counted.) */
TEST(resets_are_short_and_long_and_come_again) {
    struct stimulus stimulus = sample_stimulus;
    stimulus.cover = count_resets;
    FREED char *text;
    memset(&seen_resets, 0, sizeof seen_resets);
    struct lockstep_result r =
        run_lockstep_of_sample(sample_rtl("plain"), &stimulus, 40000, false, &text);
    assert_int_equal(r.status, LOCKSTEP_PASS);
    for (unsigned length = 1; length <= 4; length++) {
        assert_true(seen_resets.of_length[length] > 20);
    }
    for (unsigned gap = 1; gap < GAPS; gap++) {
        assert_true(seen_resets.of_gap[gap] > 8);
    }
}

static void one_reset(void *self, const struct lockstep_now *now, void *input) {
    bool *over = self;
    sample_stimulus.early(NULL, now, input);
    ((struct sample_in *)input)->rst = now->cycle >= 100 && !*over;
    *over = now->cycle >= 100;
}

/* A reset that comes again can come again: now and then one is enough for all lengths. */
TEST(a_run_without_resets_of_each_length_fails) {
    struct stimulus stimulus = sample_stimulus;
    stimulus.early = one_reset;
    stimulus.size = sizeof(bool);
    unsigned failed = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct lockstep_options options = {.seed = seed, .cycles = 300, .out = tmpfile()};
        assert_non_null(options.out);
        struct lockstep_result r = lockstep_run(sample_rtl("plain"), &stimulus, &options);
        FREED char *text = text_of_file(options.out);
        bool fails = strstr(text, "there were never resets of each length, 1 to 4 cycles") ||
                     strstr(text, "there were never resets right after others");
        assert_int_equal(r.status, fails ? LOCKSTEP_UNCOVERED : LOCKSTEP_PASS);
        failed += fails;
    }
    assert_true(failed >= 6);
}
