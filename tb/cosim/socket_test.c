/* SPDX-License-Identifier: Apache-2.0
 * A small machine around the sample block: the same results whatever stands in its place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "cosim/rng.h"
#include "cosim/sample.h"
#include "cosim/sample_stimulus.h"
#include "cosim/shell.h"
#include "cosim/socket.h"

enum { CYCLES = 5000 };

/* The machine's inputs to the block, computed from its outputs. */
struct outcome {
    uint64_t sum;
    uint64_t calls;
    uint64_t end; /* cycle in which it stopped */
};

/* Adds and takes in bursts; between them the block is quiet and is not called: a machine asleep. */
static struct outcome run_sample_machine(struct block_factory *factory, const char *set,
                                         bool poll) {
    const struct rtl_block *rtl = sample_rtl(set);
    struct outcome o = {0, 0, CYCLES};
    struct block_instance block;
    uint64_t cycle = 0;
    struct rng rng;
    rng_seed(&rng, 99);
    const struct build build = {.factory = factory};
    assert_true(block_make(&build, rtl->block, rtl->set->values, "sm0", &cycle, &block));
    struct sample_in in = {0};
    struct sample_out out = {0};
    bool asleep = false;
    for (; cycle < CYCLES; cycle++) {
        bool busy = cycle % 64 < 16;
        struct sample_in next = {0};
        if (busy) {
            next.add_valid = rng_chance(&rng, 1, 2);
            next.add_lane[0] = (uint16_t)(rng_next(&rng) & 1);
            next.add_word[0] = cycle & 1;
        }
        bool ready = busy && rng_chance(&rng, 1, 3);
        if (asleep && !busy && !poll) {
            continue;
        }
        in = next;
        block.comb(block.self, &in, &out);
        o.calls++;
        o.sum = o.sum * 31 + out.any_carry + 2 * out.sum_valid + 4 * (uint64_t)out.sum_lane[0] +
                8 * (out.sum_valid ? out.sum_word[0] : 0);
        in.sum_ready = ready;
        asleep = block.quiet(block.self, &in);
        if (asleep && !poll) {
            continue;
        }
        if (!block.step(block.self, &in, &out)) {
            o.end = cycle;
            break;
        }
    }
    block_unmake(&block);
    return o;
}

static struct socket_factory *factory_of(const struct socket_options *options) {
    char error[512];
    struct socket_factory *f = socket_factory_create();
    assert_non_null(f);
    assert_true(socket_factory_rule(f, "cosim/sample", options, error, sizeof error));
    return f;
}

static struct outcome run_socket(const struct socket_options *options, const char *set, bool good,
                                 char **summary) {
    struct socket_factory *f = factory_of(options);
    struct outcome o = run_sample_machine(socket_factory_blocks(f), set, false);
    FILE *out = tmpfile();
    assert_int_equal(socket_factory_finish(f, out), good);
    *summary = text_of_file(out);
    socket_factory_destroy(f);
    return o;
}

TEST(every_mode_gives_the_same_machine) {
    static const char *const sets[] = {"plain", "tiny", "even", "wide"};
    for (unsigned i = 0; i < 4; i++) {
        struct outcome c = run_sample_machine(NULL, sets[i], false);
        for (unsigned mode = SOCKET_C; mode <= SOCKET_LOCKSTEP; mode++) {
            for (unsigned no_quiet = 0; no_quiet < 2; no_quiet++) {
                struct socket_options options = {.mode = mode, .seed = mode, .no_quiet = no_quiet};
                FREED char *summary;
                struct outcome o = run_socket(&options, sets[i], true, &summary);
                assert_int_equal(o.end, CYCLES);
                if (!no_quiet) { /* else it is called more often */
                    assert_int_equal(o.sum, c.sum);
                    assert_int_equal(o.calls, c.calls);
                }
            }
        }
    }
}

TEST(a_machine_that_sleeps_sees_what_one_that_polls_sees) {
    struct socket_options options = {.mode = SOCKET_LOCKSTEP};
    struct socket_factory *f = factory_of(&options);
    assert_int_equal(run_sample_machine(socket_factory_blocks(f), "plain", true).end, CYCLES);
    assert_int_equal(run_sample_machine(socket_factory_blocks(f), "plain", false).end, CYCLES);
    FILE *out = tmpfile();
    assert_true(socket_factory_finish(f, out));
    char *text = text_of_file(out);
    assert_non_null(strstr(text, "lockstep cosim/sample  2 instances  "));
    assert_non_null(strstr(text, " outputs compared, 0 instances differ\n"));
    free(text);
    socket_factory_destroy(f);
}

/* --- failures --------------------------------------------------------------------------------- */

static const struct block *good_socket_block(void) {
    return sample_rtl("plain")->block;
}

static void comb_wrong_later(void *state, const void *in, void *out) {
    good_socket_block()->comb(state, in, out);
    if (((const struct sample *)state)->lane[0] == 9) {
        ((struct sample_out *)out)->sum_lane[0] = 8;
    }
}

static struct outcome run_wrong(const struct socket_options *options, bool wide_input, char **text,
                                char **summary) {
    struct block block = *good_socket_block();
    block.comb = wide_input ? block.comb : comb_wrong_later;
    struct socket_options o = *options;
    struct socket_counts counts = {0};
    struct block_instance instance;
    uint64_t cycle = 0;
    char error[512];
    struct sample_in in = {.add_valid = true, .add_lane = {wide_input ? 32 : 1}};
    struct sample_out out = {0};
    o.out = tmpfile();
    assert_true(socket_make(&block, sample_rtl("plain")->set->values, "sm4", &cycle, &o, &counts,
                            &instance, error, sizeof error));
    struct outcome result = {0, 0, CYCLES};
    for (; cycle < 100; cycle++) {
        instance.comb(instance.self, &in, &out);
        if (instance.quiet(instance.self, &in)) {
            continue;
        }
        if (!instance.step(instance.self, &in, &out)) {
            result.end = cycle;
            break;
        }
    }
    /* it stays failed */
    assert_true(result.end == CYCLES || !instance.step(instance.self, &in, &out));
    block_unmake(&instance);
    *text = text_of_file(o.out);
    *summary = calloc(1, 64);
    snprintf(*summary, 64, "%u failed", counts.failed);
    return result;
}

TEST(a_difference_ends_the_machine_with_a_report) {
    char *record = scratch_path("machine.stim"), *text, *summary, expected[512];
    struct socket_options options = {
        .mode = SOCKET_LOCKSTEP, .record = record, .mismatch_dir = "build/mismatch/socket"};
    struct outcome o = run_wrong(&options, false, &text, &summary);
    assert_int_equal(o.end, 9); /* nine additions of one, which show in the cycle after */
    assert_string_equal(summary, "1 failed");
    assert_non_null(strstr(text, "MISMATCH cosim/sample  cycle 9  sm4  LANES=4 "));
    assert_non_null(strstr(text, "sum_lane_o        {9 0 0 0}"));
    snprintf(expected, sizeof expected,
             "  replay            make lockstep BLOCK=cosim/sample REPLAY=%s\n", record);
    assert_non_null(strstr(text, expected));
    free(text);
    free(summary);

    /* that command finds it again */
    struct block wrong = *good_socket_block();
    wrong.comb = comb_wrong_later;
    struct rtl_block rtl = *sample_rtl("plain");
    rtl.block = &wrong;
    struct lockstep_options replay = {
        .replay = record, .mismatch_dir = "build/mismatch/socket", .out = tmpfile()};
    struct lockstep_result r = lockstep_run(&rtl, NULL, &replay);
    fclose(replay.out);
    assert_int_equal(r.status, LOCKSTEP_MISMATCH);
    assert_int_equal(r.cycles, 10);
    free(record);
}

TEST(an_input_beyond_its_width_is_the_machines_fault) {
    FREED char *text, *summary;
    struct socket_options options = {.mode = SOCKET_LOCKSTEP,
                                     .mismatch_dir = "build/mismatch/socket"};
    assert_int_equal(run_wrong(&options, true, &text, &summary).end, 0);
    assert_non_null(strstr(text, "the machine drives an input beyond its port's width"));
}

TEST(parameters_without_verilog_are_refused) {
    struct socket_options options = {.mode = SOCKET_RTL};
    struct socket_factory *f = factory_of(&options);
    struct block_instance block;
    char error[2048];
    const struct build build = {
        .factory = socket_factory_blocks(f), .error = error, .error_size = sizeof error};
    uint64_t cycle = 0;
    static const unsigned params[] = {3, 3, 3}, wrong[] = {17, 3, 3};
    assert_false(block_make(&build, good_socket_block(), params, "sm0", &cycle, &block));
    assert_non_null(strstr(error, "cosim/sample: no Verilog with LANES=3 LANE_BITS=3 "
                                  "WORD_BITS=3 in this program; there is: (LANES=4 LANE_BITS=5"));
    assert_false(block_make(&build, good_socket_block(), wrong, "sm0", &cycle, &block));
    assert_string_equal(error, "cosim/sample: LANES must be 1 to 16 (lanes, each with an "
                               "accumulator)");
    assert_null(block.self);
    block_unmake(&block);
    socket_factory_destroy(f);
}

TEST(rules_name_blocks_and_instances) {
    char error[512], *text;
    struct socket_options options = {.mode = SOCKET_LOCKSTEP};
    struct socket_factory *f = socket_factory_create();
    assert_false(socket_factory_rule(f, "l1/nothing", &options, error, sizeof error));
    assert_string_equal(error, "l1/nothing: its Verilog is not in this program, which has "
                               "cosim/sample; make build/warpmem-rtl builds all");
    assert_false(socket_factory_rule(f, "cosim/sample@", &options, error, sizeof error));
    assert_true(socket_factory_rule(f, "cosim/sample@sm7", &options, error, sizeof error));
    assert_int_equal(run_sample_machine(socket_factory_blocks(f), "plain", false).end,
                     CYCLES); /* is sm0 */
    FILE *out = tmpfile();
    assert_false(socket_factory_finish(f, out));
    text = text_of_file(out);
    assert_non_null(strstr(text, "lockstep cosim/sample@sm7  0 instances"));
    assert_non_null(strstr(text, ": the machine has no such instance\n"));
    free(text);
    socket_factory_destroy(f);
}

TEST(a_block_that_is_never_called_proves_nothing) {
    for (unsigned mode = SOCKET_C; mode <= SOCKET_LOCKSTEP; mode++) {
        struct socket_options options = {.mode = mode};
        struct socket_factory *f = factory_of(&options);
        const struct rtl_block *rtl = sample_rtl("plain");
        struct block_instance block;
        const struct build build = {.factory = socket_factory_blocks(f)};
        uint64_t cycle = 0;
        assert_true(block_make(&build, rtl->block, rtl->set->values, "sm0", &cycle, &block));
        block_unmake(&block);
        FILE *out = tmpfile();
        assert_false(socket_factory_finish(f, out));
        char *text = text_of_file(out);
        assert_non_null(strstr(text, mode == SOCKET_LOCKSTEP ? ": nothing was compared\n"
                                                             : ": the block was never called\n"));
        free(text);
        socket_factory_destroy(f);
    }
}

/* Waves of all modes show the same outputs at the same times, gaps included. */
TEST(waves_do_not_depend_on_the_mode) {
    FREED char *c = scratch_path("mode_c.fst"), *rtl = scratch_path("mode_rtl.fst"),
               *both = scratch_path("mode_both.fst");
    char *files[] = {c, rtl, both}, *text;
    for (unsigned mode = SOCKET_C; mode <= SOCKET_LOCKSTEP; mode++) {
        struct socket_options options = {
            .mode = mode, .wave = files[mode], .wave_from = 100, .wave_to = 3000};
        run_socket(&options, "wide", true, &text);
        free(text);
    }
    const char *wavediff = setting_or("WAVEDIFF", "build/wavediff");
    assert_int_equal(
        run_shell(&text, "%s --map in=in --map c=c --map clk=clk %s %s", wavediff, c, both), 0);
    free(text);
    assert_int_equal(run_shell(&text, "%s --map in=in --map rtl=c %s %s", wavediff, rtl, c), 0);
    assert_non_null(strstr(text, "from 1000 to 30000 ns"));
    free(text);
}
