/* SPDX-License-Identifier: Apache-2.0
 * Area and clock: what `make area` counts is what the Verilog says it costs, and wrong input gets
 * one line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "cosim/shell.h"

/* Runs the script with its files in a folder of this test. */
static int run_area(const char *arguments, char **text) {
    FREED char *folder = scratch_path("area");
    int code = run_shell(text, "scripts/area/__main__.py --build '%s' %s 2>&1", folder, arguments);
    return code;
}

/* The number in that column of the first row; the table's columns are separated by two blanks or
 * more. */
static double figure_of_column(const char *text, const char *column) {
    while (!strncmp(text, "area: ", 6) && strchr(text, '\n')) { /* progress, where it is slow */
        text = strchr(text, '\n') + 1;
    }
    const char *row = strchr(text, '\n'), *at = text;
    assert_non_null(row++);
    for (;;) {
        size_t name = 0, value = strcspn(row, " \n");
        while (at[name] && at[name] != '\n' && strncmp(at + name, "  ", 2)) {
            name++;
        }
        if (name == strlen(column) && !strncmp(at, column, name)) {
            return atof(row);
        }
        if (at[name] != ' ') {
            fail_msg("no column %s in:\n%s", column, text);
        }
        at += name + strspn(at + name, " ");
        row += value + strspn(row + value, " ");
    }
}

/* As fifo.v says under Cost: 2 * clog2(DEPTH) + clog2(DEPTH + 1) + 2 flip-flops. */
TEST(a_fifo_costs_what_its_header_says) {
    FREED char *text;
    if (run_area("--block common/fifo", &text)) {
        fail_msg("%s", text);
    }
    assert_int_equal(figure_of_column(text, "SRAM bits"), 32 * 64);
    assert_int_equal(figure_of_column(text, "flip-flops"), 2 * 5 + 6 + 2);
    assert_true(figure_of_column(text, "GHz at 45") > 0 &&
                figure_of_column(text, "GHz at 45") < 1 / 0.214);
    free(text);
    /* Too small for a macro: the words are flip-flops, and so is the word read last. */
    if (run_area("--block common/fifo:DEPTH=4,DATA_BITS=8", &text)) {
        fail_msg("%s", text);
    }
    assert_int_equal(figure_of_column(text, "SRAM bits"), 0);
    assert_int_equal(figure_of_column(text, "flip-flops"), 2 * 2 + 3 + 2 + 4 * 8 + 8);
}

/* 3 kB of queues and 8 words for writes, as mrpb.v says under Cost; the paper's CACTI figures for
 * the queues: 0.0126 mm2 and 2.6 GHz. Ours have 392 words,
 * a port for reads beside one for writes, and a cycle of 0.2155 ns. */
TEST(mrpb_stands_beside_its_papers_figures) {
    FREED char *text;
    if (run_area("--block l1/mrpb", &text)) {
        fail_msg("%s", text);
    }
    assert_int_equal(figure_of_column(text, "SRAM bits"), (48 * 8 + 8) * 64);
    assert_says(text, "hw-area        0.02236 mm2");
    assert_says(text, "has 0.0126, ratio 1.77");
    assert_says(text, "hw-clock       4.64 GHz");
    free(text);
    /* Another size is not the paper's. */
    if (run_area("--block l1/mrpb:DEPTH=4,QUEUES=8", &text)) {
        fail_msg("%s", text);
    }
    assert_int_equal(figure_of_column(text, "SRAM bits"), (8 * 4 + 8) * 64);
    assert_null(strstr(text, "hw-area"));
}

/* A combinational block has no flip-flops, and its slowest path is from input to output. */
TEST(an_encoder_is_timed_without_a_clock) {
    FREED char *text;
    if (run_area("--block common/priority_encoder", &text)) {
        fail_msg("%s", text);
    }
    assert_int_equal(figure_of_column(text, "flip-flops"), 0);
    assert_true(figure_of_column(text, "cells") > 48 && figure_of_column(text, "MHz") > 100);
    assert_says(text, "limited by req_valid_i[");
}

/* A CACTI that the user has is asked; what it refuses, with exit code 0 too, ends the run. */
TEST(the_users_cacti_is_asked) {
    char *fake = scratch_path("cacti"), *text, arguments[1200];
    char *out;
    write_shell_file(
        fake,
        "#!/bin/sh\ncat <<'E'\nAccess time (ns): 0.5\nCycle time (ns):  2.0\nData array: Area "
        "(mm2): 0.125\nE\n");
    assert_int_equal(run_shell(&out, "chmod +x '%s'", fake), 0);
    free(out);
    snprintf(arguments, sizeof arguments, "--block common/fifo --cacti '%s'", fake);
    if (run_area(arguments, &text)) {
        fail_msg("%s", text);
    }
    assert_true(figure_of_column(text, "SRAM mm2 at 45") == 0.125 &&
                figure_of_column(text, "GHz at 45") == 0.5);
    assert_says(text, "limited by the memory's own cycle");
    free(text);
    write_shell_file(fake, "#!/bin/sh\necho 'Cache size must >=64'\n");
    assert_int_equal(run_area(arguments, &text), 1);
    assert_says(text, "area: CACTI gives no figures for 32 x 64 bits (");
    assert_says(text, "): Cache size must >=64\n");
    free(text);
    free(fake);
}

TEST(wrong_input_gets_one_line_and_exit_2) {
    char *unknown = scratch_path("unknown.lib"), *absent = scratch_path("absent"), *text, *out;
    char arguments[1200], liberty[2][1200], cacti[2][1200];
    snprintf(liberty[0], sizeof *liberty, "--liberty '%s'", absent);
    snprintf(liberty[1], sizeof *liberty, "area: LIBERTY=%s: No such file", absent);
    snprintf(cacti[0], sizeof *cacti, "--cacti '%s'", absent);
    snprintf(cacti[1], sizeof *cacti, "area: CACTI=%s: must be CACTI's executable file\n", absent);
    const struct {
        const char *arguments, *says;
    } bad[] = {
        {liberty[0], liberty[1]},
        {cacti[0], cacti[1]},
        {"--liberty README.md", "must be a Liberty file (.lib)\n"},
        {"--block l1/mrbp", "area: --block l1/mrbp: must be one of common/priority_encoder, "},
        {"--block l1/mrpb:DEEP=4", "must be one of QUEUES, DEPTH, "},
        {"--block l1/mrpb:LATENCY=2", "area: --block l1/mrpb:LATENCY=2: must be 3..18\n"},
        {"--block l1/mrpb:QUEUES=65", "area: --block l1/mrpb:QUEUES=65: must be 2..64\n"},
        {"--liberty 'my cells.lib'", "LIBERTY=my cells.lib: Yosys and OpenSTA read no path with "},
        {"--node 0", "area: argument --node: '0': must be 1..1000 nm; --help lists what is "},
        {"--nodes 45", "area: unrecognized arguments: --nodes 45; --help lists what is allowed\n"},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(run_area(bad[i].arguments, &text), 2);
        assert_says(text, bad[i].says);
        assert_ptr_equal(strchr(text, '\n') + 1, text + strlen(text));
        free(text);
    }
    /* The same cells under a name of which no node is known. */
    assert_int_equal(run_shell(&out,
                               "sed 's/library(osu018_stdcells)/library(mine)/' "
                               "/usr/share/qflow/tech/osu018/osu018_stdcells.lib >'%s'",
                               unknown),
                     0);
    free(out);
    snprintf(arguments, sizeof arguments, "--block common/fifo --liberty '%s'", unknown);
    assert_int_equal(run_area(arguments, &text), 2);
    assert_says(text, "its node is unknown; say NODE=nm");
    free(text);
    snprintf(arguments, sizeof arguments, "--block common/fifo --liberty '%s' --node 90", unknown);
    assert_int_equal(run_area(arguments, &text), 0);
    assert_says(text, "delay by the length, area by its square");
    double ratio =
        figure_of_column(text, "um2 at 90 nm") / 1e6 / figure_of_column(text, "logic mm2 at 45");
    assert_true(ratio > 3.99 && ratio < 4.01);
    free(text);
    free(absent);
    free(unknown);
}
