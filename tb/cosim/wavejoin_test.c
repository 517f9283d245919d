/* SPDX-License-Identifier: Apache-2.0
 * Waves name rests and differences, and wavejoin puts several in one file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/unit_tests.h"
#include "cosim/sample.h"
#include "cosim/sample_stimulus.h"
#include "cosim/shell.h"
#include "cosim/wave.h"

static const char *wavejoin_program(void) {
    return setting_or("WAVEJOIN", "build/wavejoin");
}

/* Cycles 0 to 2 and 7 of the plain set; the sides differ in cycle `wrong`. */
static void write_resting_wave(const char *path, uint64_t wrong, uint64_t from) {
    static const uint64_t cycles[] = {0, 1, 2, 7};
    struct port_table ports;
    const struct wave_options options = {.c = true, .rtl = true, .from = from};
    assert_true(
        port_table_init(&ports, sample_rtl("plain")->block, sample_rtl("plain")->set->values));
    struct wave *w = wave_open(path, &ports, &options);
    assert_non_null(w);
    for (unsigned i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        const struct sample_in in = {0};
        const struct sample_out out = {0};
        wave_cycle(w, cycles[i], &in, &out, &out, 15, cycles[i] == wrong ? 2 : 0);
    }
    assert_true(wave_close(w, 9));
}

/* "time=value ..." of a signal of the dump, by GTKWave's own converter. @path: a.b.name */
static char *changes_of_signal(const char *file, const char *path) {
    char *text;
    assert_int_equal(
        run_shell(&text,
                  "fst2vcd -f '%s' | awk -v wanted='%s' '"
                  "$1 == \"$scope\" { path = path $3 \".\" } "
                  "$1 == \"$upscope\" { sub(/[^.]*\\.$/, \"\", path) } "
                  "$1 == \"$var\" && path $5 == wanted { id = $4 } "
                  "/^#/ { time = substr($0, 2) } "
                  "id && length($0) == 1 + length(id) && substr($0, 2) == id && $0 !~ /^#/ "
                  "{ printf \"%%s=%%s \", time, substr($0, 1, 1) }'",
                  file, path),
        0);
    return text;
}

TEST(a_wave_says_where_the_clock_rests) {
    FREED char *a = scratch_path("rests.fst"), *late = scratch_path("late.fst"), *text;
    write_resting_wave(a, UINT64_MAX, 0);
    text = changes_of_signal(a, "top.rests");
    assert_string_equal(text, "0=0 30=1 70=0 80=1 ");
    free(text);
    write_resting_wave(late, UINT64_MAX, 5); /* the window opens while it rests */
    text = changes_of_signal(late, "top.rests");
    assert_string_equal(text, "50=1 70=0 80=1 ");
}

TEST(one_signal_rises_when_any_output_differs) {
    FREED char *a = scratch_path("differs.fst"), *text;
    write_resting_wave(a, 1, 0);
    text = changes_of_signal(a, "top.differs");
    assert_string_equal(text, "0=0 10=1 20=0 ");
}

TEST(a_joined_dump_has_the_signals_of_each) {
    FREED char *ports = scratch_path("j_ports.fst"), *inside = scratch_path("j_inside.fst"),
               *joined = scratch_path("j.fst"), *text;
    struct lockstep_options options = {.seed = 7,
                                       .cycles = 500,
                                       .exact = true,
                                       .wave = ports,
                                       .rtl_wave = inside,
                                       .out = tmpfile()};
    assert_int_equal(lockstep_run(sample_rtl("wide"), &sample_stimulus, &options).status,
                     LOCKSTEP_PASS);
    fclose(options.out);
    assert_int_equal(run_shell(&text, "%s %s %s -o %s", wavejoin_program(), ports, inside, joined),
                     0);
    assert_string_equal(text, "");
    free(text);
    const char *const parts[] = {ports, inside};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(run_shell(&text, "%s --common %s %s",
                                   setting_or("WAVEDIFF", "build/wavediff"), parts[i], joined),
                         0);
        assert_says(text, i ? "equal: " : "equal: 57 signals from 0 to 5000 ns");
        free(text);
    }
    assert_int_equal(run_shell(&text, "%s --list %s", wavejoin_program(), joined), 0);
    assert_says(text, "top.in.add_word_i\t129\n");
    assert_says(text, "\nrtl.wm_sample.");
}

TEST(several_blocks_have_one_signal_that_rises_when_any_differs) {
    FREED char *a = scratch_path("m_a.fst"), *b = scratch_path("m_b.fst"),
               *joined = scratch_path("m.fst"), *text;
    write_resting_wave(a, 1, 0);
    write_resting_wave(b, 7, 0); /* and rests behind it: its values stand */
    assert_int_equal(run_shell(&text, "%s sm0=%s sm1=%s -o %s", wavejoin_program(), a, b, joined),
                     0);
    free(text);
    text = changes_of_signal(joined, "any.differs");
    assert_string_equal(text, "0=0 10=1 20=0 70=1 ");
    free(text);
    text = changes_of_signal(joined, "sm1.differs");
    assert_string_equal(text, "0=0 70=1 ");
}

TEST(wavejoin_refuses_what_it_cannot_join_and_leaves_no_file) {
    FREED char *a = scratch_path("w_a.fst"), *joined = scratch_path("w.fst"), *text;
    write_resting_wave(a, UINT64_MAX, 0);
    const struct {
        const char *words, *says;
    } wrong[] = {
        {"'%1$s' '%2$s' -o '%3$s'", "both have the scope top: name them, as in sm0="},
        {"'%1$s' no.such -o '%3$s'", "wavejoin: no.such: cannot read: No such file or directory"},
        {"'%1$s' x=/dev/null -o '%3$s'", "wavejoin: /dev/null: no FST file, or damaged"},
        {"'%1$s' a.b=x.fst -o '%3$s'", "must be NAME=FILE, without a dot in the name"},
        {"'%1$s' -o /nowhere/x.fst", "/nowhere/x.fst.part: cannot write"},
        {"'%1$s'", "-o FILE or --list: one of the two"},
        {"--list", "a file is needed"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char words[1024];
        snprintf(words, sizeof words, wrong[i].words, a, a, joined);
        assert_int_equal(run_shell(&text, "%s %s 2>&1", wavejoin_program(), words), 2);
        assert_says(text, wrong[i].says);
        free(text);
        assert_int_equal(access(joined, F_OK), -1);
    }
    /* Its end is cut off: found after the output was begun. */
    assert_int_equal(run_shell(&text,
                               "cp %s %s.cut && truncate -s -40 %s.cut && %s %s.cut -o %s 2>&1", a,
                               a, a, wavejoin_program(), a, joined),
                     2);
    free(text);
    assert_int_equal(run_shell(&text, "ls %s* 2>&1", joined), 2);
}
