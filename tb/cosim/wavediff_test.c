/* SPDX-License-Identifier: Apache-2.0
 * Waves, and wavediff on them: equal, different in one signal and cycle, and damaged files. */
#include <fstapi.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "cosim/sample.h"
#include "cosim/sample_stimulus.h"
#include "cosim/shell.h"
#include "cosim/wave.h"

static const char *wavediff_program(void) {
    return setting_or("WAVEDIFF", "build/wavediff");
}

static void run_lockstep_to_waves(const char *set, const char *wave, const char *rtl_wave,
                                  uint64_t cycles, uint64_t from, uint64_t to) {
    struct lockstep_options options = {.seed = 7,
                                       .cycles = cycles,
                                       .exact = true,
                                       .wave = wave,
                                       .rtl_wave = rtl_wave,
                                       .wave_from = from,
                                       .wave_to = to,
                                       .out = tmpfile()};
    assert_int_equal(lockstep_run(sample_rtl(set), &sample_stimulus, &options).status,
                     LOCKSTEP_PASS);
    fclose(options.out);
}

TEST(the_same_run_gives_equal_waves) {
    FREED char *a = scratch_path("a.fst"), *b = scratch_path("b.fst"), *text;
    run_lockstep_to_waves("wide", a, NULL, 2000, 0, 0);
    run_lockstep_to_waves("wide", b, NULL, 2000, 0, 0);
    assert_int_equal(run_shell(&text, "%s %s %s", wavediff_program(), a, b), 0);
    /* clk, cycle, rests, differs + rst, valid, 13 lanes, word, ready + twice 2, 13 lanes, word + 4
     * differ bits */
    assert_says(text, "equal: 57 signals from 0 to 20000 ns");
    free(text);
    assert_int_equal(run_shell(&text, "%s --self %s", wavediff_program(), a), 0);
    assert_says(text, "equal: 16 signals");
}

/* Two cycles of the wide set, and one output changed in the cycle `wrong`. */
static void write_wave(const char *path, uint64_t wrong, uint64_t cycles, const char *side) {
    struct port_table ports;
    struct wave_options options = {.c = true, .rtl = true};
    assert_true(
        port_table_init(&ports, sample_rtl("wide")->block, sample_rtl("wide")->set->values));
    struct wave *w = wave_open(path, &ports, &options);
    assert_non_null(w);
    for (uint64_t cycle = 0; cycle < cycles; cycle++) {
        struct sample_in in = {.add_valid = cycle & 1, .add_word = {cycle, ~cycle, 1}};
        struct sample_out c = {.sum_valid = true,
                               .sum_word = {cycle << 40, UINT64_C(0x8000000000000001), 1},
                               .sum_lane = {[12] = 1024}};
        struct sample_out rtl = c;
        if (cycle == wrong && strcmp(side, "c") == 0) {
            c.sum_word[1] ^= UINT64_C(1) << 63;
        } else if (cycle == wrong) {
            rtl.sum_lane[12] = 5;
        }
        wave_cycle(w, cycle, &in, &c, &rtl, 15, 0);
    }
    assert_true(wave_close(w, cycles - 1));
}

TEST(the_first_difference_is_named) {
    FREED char *a = scratch_path("good.fst"), *b = scratch_path("wrong_c.fst"),
               *d = scratch_path("wrong_rtl.fst"), *text;
    write_wave(a, UINT64_MAX, 100, "");
    write_wave(b, 37, 100, "c");
    write_wave(d, 64, 100, "rtl");
    assert_int_equal(run_shell(&text, "%s %s %s", wavediff_program(), a, b), 1);
    assert_says(text, "first difference at 370 ns\n");
    assert_says(text, "\n  top.c.sum_word_o ");
    assert_null(strstr(text, "sum_lane"));
    free(text);
    assert_int_equal(run_shell(&text, "%s --self %s", wavediff_program(), d), 1);
    assert_says(text, "first difference at 640 ns\n");
    assert_says(text, "\n  top.c.sum_lane_o[12] ");
    assert_says(text, "0x400               0x005");
    free(text);
    assert_int_equal(run_shell(&text, "%s --from 371 %s %s", wavediff_program(), a, b), 1);
    assert_says(text, "first difference at 371 ns\n"); /* it lasts until 380 */
    free(text);
    assert_int_equal(run_shell(&text, "%s --from 380 %s %s", wavediff_program(), a, b), 0);
    free(text);
    assert_int_equal(run_shell(&text, "%s --to 369 %s %s", wavediff_program(), a, b), 0);
    free(text);
    assert_int_equal(run_shell(&text, "%s --ignore sum_word_o %s %s", wavediff_program(), a, b), 0);
    free(text);
    assert_int_equal(run_shell(&text, "%s --ignore 'top.c.*' %s %s", wavediff_program(), a, b), 0);
    free(text);
    assert_int_equal(run_shell(&text, "%s --map top.rtl=rtl %s %s", wavediff_program(), a, b), 0);
    free(text);
    assert_int_equal(run_shell(&text, "%s --map rtl=c %s %s", wavediff_program(), a, b), 1);
    assert_says(text, "first difference at 370 ns\n");
}

TEST(help_is_no_error) {
    FREED char *text;
    assert_int_equal(run_shell(&text, "%s -h", wavediff_program()), 0);
    assert_says(text, "The first time and the signals in which two FST dumps differ");
}

TEST(a_shorter_dump_differs) {
    FREED char *a = scratch_path("long.fst"), *b = scratch_path("short.fst"), *text;
    write_wave(a, UINT64_MAX, 100, "");
    write_wave(b, UINT64_MAX, 60, "");
    assert_int_equal(run_shell(&text, "%s %s %s", wavediff_program(), a, b), 1);
    assert_says(text, "equal before 600, but ");
    free(text);
    assert_int_equal(run_shell(&text, "%s --to 599 %s %s", wavediff_program(), a, b), 0);
    free(text);
    assert_int_equal(run_shell(&text, "%s --to 601 %s %s 2>&1", wavediff_program(), a, b), 2);
    assert_says(text, "ends at 600, before --to 601");
}

TEST(signals_of_one_file_only_are_named) {
    FREED char *a = scratch_path("wide.fst"), *b = scratch_path("plain.fst"), *text;
    run_lockstep_to_waves("wide", a, NULL, 50, 0, 0);
    run_lockstep_to_waves("plain", b, NULL, 50, 0, 0);
    assert_int_equal(run_shell(&text, "%s --to 0 %s %s", wavediff_program(), a, b), 1);
    char expected[512];
    snprintf(expected, sizeof expected, "only in %s: top.c.sum_lane_o[4]\n", a);
    assert_says(text, expected);
    assert_says(text, "top.c.sum_word_o has 129 bits in ");
    free(text);
    assert_int_equal(
        run_shell(&text, "%s --common --map in=differ %s %s 2>&1", wavediff_program(), a, b), 2);
    assert_says(text, "have no signal in common");
}

TEST(the_inner_dump_agrees_with_the_ports) {
    FREED char *a = scratch_path("ports.fst"), *b = scratch_path("inner.fst"), *text;
    run_lockstep_to_waves("even", a, b, 500, 100, 400);
    assert_int_equal(run_shell(&text,
                               "%s --common --x-matches --map in=rtl --map rtl=rtl "
                               "--ignore 'add_lane*' --ignore 'sum_lane*' %s %s",
                               wavediff_program(), a, b),
                     0);
    assert_says(text, "from 1000 to 3994 ns");
    assert_says(text, "equal: 7 signals");
}

TEST(only_the_window_is_dumped) {
    FREED char *a = scratch_path("all.fst"), *b = scratch_path("window.fst"), *text;
    run_lockstep_to_waves("plain", a, NULL, 500, 0, 0);
    run_lockstep_to_waves("plain", b, NULL, 500, 200, 300);
    assert_int_equal(run_shell(&text, "%s --from 2000 --to 2999 %s %s", wavediff_program(), a, b),
                     0);
    free(text);
    assert_int_equal(run_shell(&text, "%s --common --from 2000 %s %s", wavediff_program(), a, b),
                     0);
    assert_says(text, "from 2000 to 2999 ns");
}

/* While a block is not called, its values stand; the next call stands at its own time. */
TEST(a_gap_keeps_its_length) {
    FREED char *a = scratch_path("gap.fst"), *text;
    struct port_table ports;
    struct wave_options options = {.c = true};
    assert_true(
        port_table_init(&ports, sample_rtl("even")->block, sample_rtl("even")->set->values));
    struct wave *w = wave_open(a, &ports, &options);
    assert_non_null(w);
    struct sample_in in = {.add_valid = true};
    struct sample_out out = {.sum_valid = true, .sum_word = {3}};
    wave_cycle(w, 10, &in, &out, NULL, 15, 0);
    in.add_valid = false;
    wave_cycle(w, 11, &in, &out, NULL, 15, 0);
    in.add_valid = true;
    wave_cycle(w, 5000, &in, &out, NULL, 15, 0);
    assert_true(wave_close(w, 5000));
    assert_int_equal(run_shell(&text, "fst2vcd %s", a), 0);
    assert_says(text, "#100\n");
    assert_says(text, "#115\n");
    assert_says(text, "#50000\n");
    assert_says(text, "#50010\n");
    assert_says(text, "#120\n"); /* it rests from there, and nothing else changes */
    assert_null(strstr(text, "#125\n"));
    assert_null(strstr(text, "#130\n"));
}

TEST(bad_files_and_arguments_are_one_line_and_code_2) {
    char *a = scratch_path("fine.fst"), *b = scratch_path("damaged.fst"), *text;
    write_wave(a, UINT64_MAX, 3000, "");
    static const char *const bad[] = {"--from x A A", "--map c A A", "A",          "A A A",
                                      "--self A A",   "--to -1 A A", "A A.absent", "--bogus A A"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(run_shell(&text, "A=%s; %s $(echo '%s' | sed \"s,A,$A,g\") 2>&1", a,
                                   wavediff_program(), bad[i]),
                         2);
        assert_true(strlen(text) > 10);
        free(text);
    }
    write_shell_file(b, "this is no dump");
    assert_int_equal(run_shell(&text, "%s %s %s 2>&1", wavediff_program(), a, b), 2);
    assert_says(text, "no FST file, or damaged\n");
    free(text);
    /* cut off anywhere: never a crash, never "equal" */
    for (unsigned n = 0; n < 100; n += 7) {
        int code = run_shell(&text,
                             "size=$(stat -c %%s %s); head -c $((size * %u / 100)) %s >%s; "
                             "timeout 20 %s %s %s 2>&1",
                             a, n, a, b, wavediff_program(), a, b);
        assert_in_range(code, 1, 2);
        free(text);
    }
    free(a);
    free(b);
}

/* Features of the format that no warpmem writes. */
static void write_text_wave(const char *path, const char *last) {
    void *fst = fstWriterCreate(path, 1);
    assert_non_null(fst);
    fstHandle text = fstWriterCreateVar(fst, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, "text", 0);
    fstWriterEmitTimeChange(fst, 0);
    fstWriterEmitVariableLengthValueChange(fst, text, "abc", 3);
    fstWriterEmitTimeChange(fst, 10);
    fstWriterEmitVariableLengthValueChange(fst, text, last, (uint32_t)strlen(last));
    fstWriterClose(fst);
}

TEST(values_of_any_length_are_compared) {
    FREED char *a = scratch_path("text.fst"), *b = scratch_path("text_longer.fst"), *text;
    write_text_wave(a, "de");
    write_text_wave(b, "def");
    assert_int_equal(run_shell(&text, "%s %s %s", wavediff_program(), a, a), 0);
    free(text);
    assert_int_equal(run_shell(&text, "%s %s %s", wavediff_program(), a, b), 1);
    assert_says(text, "first difference at 10 ");
}

/* The section that a writer is at has no length; one that was killed leaves it with one that is
 * beyond what came to the disk. */
static void lengthen_last_section(const char *path) {
    uint8_t head[9] = {0};
    long at = 0;
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    for (unsigned length = 1; length; at += length ? 1 + (long)length : 0) {
        assert_int_equal(fseek(f, at, SEEK_SET), 0);
        assert_int_equal(fread(head, 1, sizeof head, f), sizeof head);
        length = (unsigned)head[6] << 16 | (unsigned)head[7] << 8 | head[8];
    }
    assert_int_equal(head[0], FST_BL_SKIP);
    assert_int_equal(fseek(f, at + 6, SEEK_SET), 0);
    assert_int_equal(fputc(1, f), 1); /* 64 kB */
    assert_int_equal(fclose(f), 0);
}

/* A file whose writer is still at it, or never came to its end; and one in a wrapper of gzip. */
TEST(open_and_wrapped_files_are_read) {
    char *a = scratch_path("open.fst"), *killed = scratch_path("killed.fst"), *text;
    void *fst = fstWriterCreate(a, 1);
    assert_non_null(fst);
    fstHandle bit = fstWriterCreateVar(fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 1, "bit", 0);
    fstWriterSetRepackOnClose(fst, 1);
    for (unsigned time = 0; time < 100; time++) {
        fstWriterEmitTimeChange(fst, time);
        fstWriterEmitValueChange(fst, bit, time & 1 ? "1" : "0");
    }
    fstWriterFlushContext(fst);
    for (unsigned time = 100; time < 200; time++) {
        fstWriterEmitTimeChange(fst, time);
        fstWriterEmitValueChange(fst, bit, time & 1 ? "1" : "0");
    }
    assert_int_equal(run_shell(&text, "%s %s %s 2>&1", wavediff_program(), a, a), 0);
    assert_says(text, "equal: 1 signals from 0 to 99 ");
    free(text);
    assert_int_equal(run_shell(&text, "cp %s %s && cp %s.hier %s.hier", a, killed, a, killed), 0);
    free(text);
    lengthen_last_section(killed);
    assert_int_equal(run_shell(&text, "%s %s %s 2>&1", wavediff_program(), killed, killed), 0);
    assert_says(text, "equal: 1 signals from 0 to 99 ");
    free(text);
    free(killed);
    fstWriterClose(fst);
    assert_int_equal(run_shell(&text, "head -c 1 %s", a), 0);
    assert_int_equal((uint8_t)text[0], FST_BL_ZWRAPPER);
    free(text);
    assert_int_equal(run_shell(&text, "%s %s %s 2>&1", wavediff_program(), a, a), 0);
    assert_says(text, "equal: 1 signals from 0 to 199 ");
    free(text);
    free(a);
}

/* Many times the changes after which the limit of time is set anew, in a file of few bytes. */
TEST(many_changes_in_a_small_file_are_read) {
    enum { SIGNALS = 40, TIMES = 60000 };
    char *a = scratch_path("many.fst"), *text, name[16];
    fstHandle signal[SIGNALS];
    void *fst = fstWriterCreate(a, 1);
    assert_non_null(fst);
    for (unsigned i = 0; i < SIGNALS; i++) {
        snprintf(name, sizeof name, "s%u", i);
        signal[i] = fstWriterCreateVar(fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 1, name, 0);
    }
    for (unsigned time = 0; time < TIMES; time++) {
        fstWriterEmitTimeChange(fst, time);
        for (unsigned i = 0; i < SIGNALS; i++) {
            fstWriterEmitValueChange(fst, signal[i], time & 1 ? "1" : "0");
        }
    }
    fstWriterClose(fst);
    assert_int_equal(run_shell(&text, "%s %s %s 2>&1", wavediff_program(), a, a), 0);
    assert_says(text, "equal: 40 signals from 0 to 59999 ns, 2400000 changes");
    free(text);
    free(a);
}

/* GTKWave's reader goes on from one section to the next by its length, and so goes back for ever.
 * The header: 1 byte of type, 8 of length (329), 321 more. */
TEST(lengths_that_lead_back_end) {
    static const char *const section[] = {
        "\\377\\377\\377\\377\\377\\377\\376\\265", /* to the header: 2^64 - 331 */
        "\\0\\0\\0\\0\\0\\0\\0\\0",                 /* none, in a file that was closed */
        "\\0\\0\\0\\0\\0\\0\\0\\7",                 /* not even its own */
        "\\0\\0\\0\\0\\0\\0\\1\\0"};                /* beyond the end */
    char *a = scratch_path("back.fst"), *b = scratch_path("wrapped_back.fst"),
         *good = scratch_path("ahead.fst"), *text;
    write_wave(good, UINT64_MAX, 3, "");
    for (unsigned i = 0; i < sizeof section / sizeof *section; i++) {
        assert_int_equal(
            run_shell(&text,
                      "{ head -c 330 %s; printf '\\5%s'; head -c 40 /dev/zero; } >%s && "
                      "{ printf '\\376%s%s\\0\\0\\0\\0\\0\\0\\1\\173'; gzip -c %s; } >%s",
                      good, section[i], a, "\\0\\0\\0\\0", "\\0\\0\\1\\0", a, b),
            0);
        free(text);
        for (unsigned wrapped = 0; wrapped < 2; wrapped++) {
            assert_int_equal(run_shell(&text, "timeout 20 %s %s %s 2>&1", wavediff_program(), good,
                                       wrapped ? b : a),
                             2);
            assert_says(text, ".fst: no FST file, or damaged\n");
            free(text);
        }
    }
    free(a);
    free(b);
    free(good);
}

/* A scope's name without its zero: GTKWave's reader looks for it at the end of the file for ever.
 * The section: of the type FST_BL_HIER, 256 bytes long, 6 of them before gzip. */
TEST(a_name_without_end_ends) {
    FREED char *a = scratch_path("name.fst"), *good = scratch_path("ahead.fst"), *text;
    write_wave(good, UINT64_MAX, 3, "");
    assert_int_equal(run_shell(&text,
                               "{ head -c 330 %s; printf '\\4'; "
                               "{ printf '%s\\1\\0%s\\0\\6'; printf '\\376\\0name' | gzip -c; "
                               "cat /dev/zero; } | head -c 256; } >%s",
                               good, "\\0\\0\\0\\0\\0\\0", "\\0\\0\\0\\0\\0\\0", a),
                     0);
    free(text);
    assert_int_equal(run_shell(&text, "timeout 20 %s %s %s 2>&1", wavediff_program(), good, a), 2);
    assert_says(text, ".fst: no FST file, or damaged: reading it came to no end\n");
}

/* As tb/cli/faults_test.c: where anything fails once, one line; never "equal" of half a file. */
TEST(a_system_that_fails_is_one_line_and_code_2) {
    char *a = scratch_path("faults.fst"), *note = scratch_path("faults.note"), *good, *text;
    const char *faulty = setting_or("WAVEDIFF_FAULTY", "build/tb/cli/wavediff-faulty");
    unsigned refused = 0;
    write_wave(a, UINT64_MAX, 100, "");
    assert_int_equal(run_shell(&good, "%s %s %s 2>&1", faulty, a, a), 0);
    bool failed = true;
    for (unsigned place = 1; failed; place++) {
        int code =
            run_shell(&text, "FAULT=%u FAULT_NOTE=%s %s %s %s 2>&1", place, note, faulty, a, a);
        failed = remove(note) == 0;
        refused += code != 0;
        const char *end = strchr(text, '\n');
        bool one_line = code == 2 && !strncmp(text, "wavediff-faulty: ", 17) && end && !end[1];
        if (!one_line && (code != 0 || strcmp(text, good))) {
            fail_msg("FAULT=%u: exit %d: %s", place, code, text);
        }
        free(text);
    }
    assert_in_range(refused, 10, 1000);
    free(good);
    free(note);
    free(a);
}
