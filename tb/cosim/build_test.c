/* SPDX-License-Identifier: Apache-2.0
 * The scripts of the build must fail: ports that do not agree, mutants that do not bite. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "cosim/shell.h"

static const char *sample_dir(void) {
    return setting_or("SAMPLE_DIR", "build/rtl/cosim/sample");
}

/* Runs the check with the list edited by sed, and the Verilog likewise. */
static int check_edited_ports(const char *set, const char *edit_list, const char *edit_verilog,
                              char **text) {
    FREED char *ports = scratch_path("ports.txt"), *verilog = scratch_path("sample.v"),
               *xml = scratch_path("ports.xml");
    int code = run_shell(text,
                         "sed -e '%s' %s/%s/ports.txt >%s && "
                         "sed -e '%s' tb/cosim/sample.v >%s && "
                         "verilator --xml-only -Wno-lint --top-module wm_sample "
                         "$(sed -n 's/^%s //p' %s/sets) --Mdir %s.d --xml-output %s %s && "
                         "scripts/check_ports.sh 'cosim/sample %s' %s %s 2>&1",
                         edit_list, sample_dir(), set, ports, edit_verilog, verilog, set,
                         sample_dir(), xml, xml, verilog, set, ports, xml);
    return code;
}

/* clang-format off */
struct port_case {
    const char *set, *edit_list, *edit_verilog, *says;
};

TEST(ports_that_disagree_are_named) {
    static const struct port_case cases[] = {
        {"plain", "/sum_valid_o/d", "", "the Verilog has output sum_valid_o, the list has not"},
        {"plain", "/sum_ready_i/d", "", "the Verilog has input sum_ready_i, the list has not"},
        {"plain", "s/sum_valid_o/sum_valud_o/", "",
         "the list has output sum_valud_o, the Verilog has not"},
        {"wide", "s/sum_lane_o 143 /sum_lane_o 144 /", "",
         "sum_lane_o has 144 bits in the list, 143 in the Verilog"},
        {"wide", "", "s/\\[WORD_BITS-1:0\\]       add_word_i/[WORD_BITS:0] add_word_i/",
         "add_word_i has 129 bits in the list, 130 in the Verilog"},
        {"tiny", "", "s/sum_ready_i/sum_ready_x/",
         "the list has input sum_ready_i, the Verilog has not"},
        {"tiny", "", "s/sum_ready_i/sum_ready_x/",
         "the Verilog has input sum_ready_x, the list has not"},
        {"plain", "", "s/input  wire                       add_valid_i/output wire add_valid_i/",
         "add_valid_i is input in the list, output in the Verilog"},
        {"plain", "s/input add_valid_i/output add_valid_o/", "",
         "the list has output add_valid_o, the Verilog has not (it has add_valid_i: wrong direction?)"},
        {"plain", "",
         "s/wire                       clk_i,/wire [1:0] clk_i,/; s/posedge clk_i/posedge clk_i[0]/",
         "the Verilog has input clk_i, the list has not"},
        {"default", "", "s/LANES     = 4/LANES = 5/",
         "LANES is 4 by default in the list, 5 in the Verilog"},
        {"default", "s/param LANES/param LINES/", "",
         "the list has parameter LINES, the Verilog has not"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        FREED char *text;
        assert_int_equal(check_edited_ports(cases[i].set, cases[i].edit_list, cases[i].edit_verilog, &text), 1);
        char line[256];
        snprintf(line, sizeof line, "check_ports cosim/sample %s: %s\n", cases[i].set,
                 cases[i].says);
        assert_says(text, line);
    }
}

/* clang-format on */

TEST(ports_that_agree_pass_silently) {
    static const char *const sets[] = {"plain", "tiny", "even", "wide", "default"};
    for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++) {
        FREED char *text;
        assert_int_equal(check_edited_ports(sets[i], "", "", &text), 0);
        assert_string_equal(text, "");
    }
}

TEST(a_check_without_ports_is_no_check) {
    FREED char *text, *empty = scratch_path("empty"), *line = scratch_path("line");
    write_shell_file(empty, "");
    write_shell_file(line, "nothing of use\n");
    assert_int_equal(run_shell(&text, "scripts/check_ports.sh x %s %s/plain/ports.xml 2>&1", empty,
                               sample_dir()),
                     2);
    free(text);
    assert_int_equal(
        run_shell(&text, "scripts/check_ports.sh x %s %s/plain/ports.xml 2>&1", line, sample_dir()),
        2);
    free(text);
    assert_int_equal(
        run_shell(&text, "scripts/check_ports.sh x %s/plain/ports.txt %s 2>&1", sample_dir(), line),
        2);
}

/* The script with a fake build, whose test program ends as the mutant's text says. */
static int run_mutants(const char *list, unsigned count, char **text) {
    FREED char *file = scratch_path("mutants.txt"), *verilog = scratch_path("m.v"),
               *fake = scratch_path("fake.sh"), *dir = scratch_path("mutants");
    char sections[1024];
    snprintf(sections, sizeof sections, "[mutants]\n%s[runs]\nx y\n", list);
    write_shell_file(file, sections);
    write_shell_file(verilog, "original\n");
    write_shell_file(fake, "#!/bin/sh\n"
                           "for v in \"$@\"; do eval \"$v\"; done\n"
                           "grep -q syntax $MUTANT_VERILOG && exit 1\n"
                           "{ echo '#!/bin/sh'; grep -h '^run ' $MUTANT_VERILOG | sed 's/^run //'; "
                           "echo \"echo set $MUTANT_SET\"; } >$MUTANT_DIR/mutant_test\n"
                           "chmod +x $MUTANT_DIR/mutant_test\n");
    int code = run_shell(
        text, "rm -rf %s; MAKE_MUTANT='sh %s' cosim/mutants.sh %s mutants %s %s %s/sets %u 2>&1",
        dir, fake, file, verilog, dir, sample_dir(), count);
    return code;
}

#define KILLED "s/original/run echo 'MISMATCH x  cycle 12  y'; exit 1/\n"

TEST(mutants_that_are_found_pass) {
    FREED char *text;
    assert_int_equal(run_mutants("# comment\none " KILLED "\ntwo@wide " KILLED, 0, &text), 0);
    assert_says(text, "  killed    one  (plain, cycle 12)\n");
    assert_says(text, "  killed    two  (wide, cycle 12)\n");
    assert_says(text, ": 2 of 2 killed\n");
    free(text);
    assert_int_equal(run_mutants("one " KILLED "two " KILLED, 1, &text), 0);
    assert_says(text, ": 1 of 1 killed\n");
}

TEST(mutants_that_prove_nothing_fail) {
    static const char *const cases[][2] = {
        {"a s/gone/x/\n", "BROKEN    a: "},
        {"a s/original/run exit 0/\n", "SURVIVED  a"},
        {"a s/original/run exit 1/\n", "SURVIVED  a"}, /* failed, but not by a report */
        {"a s/original/run exit 2/\n", "BROKEN    a: the test ended with code 2"},
        {"a s/original/run kill -SEGV $$/\n", "BROKEN    a: the test ended with code 139"},
        {"a s/original/syntax/\n", "BROKEN    a: does not build"},
        {"a s/no end\n", "BROKEN    a: "},
        {"nothing\n", "BROKEN    nothing: "},
        {"# only a comment\n", ": 0 of 0 killed"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        FREED char *text;
        assert_int_equal(run_mutants(cases[i][0], 0, &text), 1);
        assert_says(text, cases[i][1]);
    }
}

TEST(a_saved_view_follows_the_parameter_set) {
    FREED char *text, *view = scratch_path("view.gtkw");
    write_shell_file(view, "@22\ntop.in.add_word_i[99:0]\n+{c word} top.c.sum_word_o[99:0]\n"
                           "top.rtl.sum_valid_o\ntop.other.sum_word_o[3:0]\n-text\n"
                           "top.rtl.sum_lane_o[2][4:0]\n");
    assert_int_equal(
        run_shell(&text, "cosim/view.sh %s/wide/ports.txt /dev/null %s", sample_dir(), view), 0);
    assert_string_equal(text, "@22\ntop.in.add_word_i[128:0]\n+{c word} top.c.sum_word_o[128:0]\n"
                              "top.rtl.sum_valid_o\ntop.other.sum_word_o[3:0]\n-text\n"
                              "top.rtl.sum_lane_o[2][10:0]\n");
    free(text);
    assert_int_equal(
        run_shell(&text, "cosim/view.sh %s/tiny/ports.txt /dev/null %s", sample_dir(), view), 0);
    assert_says(text, "\ntop.in.add_word_i\n+{c word} top.c.sum_word_o\n");
    free(text);
    assert_int_equal(run_shell(&text, "cosim/view.sh %s/wide/ports.txt /dev/null", sample_dir()),
                     0);
    assert_says(text, "\n+{rtl sum_word_o} top.rtl.sum_word_o[128:0]\n");
    assert_says(text, "\n+{c sum_lane_o[12]} top.c.sum_lane_o[12][10:0]\n");
    assert_says(text, "\ntop.differ.sum_lane_o\n");
}
