/* SPDX-License-Identifier: Apache-2.0
 * What warpmem-rtl says when a block differs in the machine, with a program whose MRPB is broken in
 * every core: the commands in its report must work as they stand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "cosim/shell.h"

static const char *broken_program(void) {
    return setting_or("BROKEN", "build/tb/cosim/warpmem-broken");
}

/* An empty folder with a name that has to be quoted; the caller frees it. */
static char *empty_folder(void) {
    char *folder = scratch_path("it's a folder"), *text;
    assert_int_equal(run_shell(&text, "rm -rf \"%s\"; mkdir -p \"%s\"", folder, folder), 0);
    free(text);
    return folder;
}

/* Runs the broken program, called as `program`, in the folder; how it differs is in *text. */
static void run_until_it_differs(const char *folder, const char *program, const char *options,
                                 char **text) {
    char *gone;
    run_shell(&gone, "rm -rf \"$(dirname \"%s\")/mismatch\"", broken_program());
    free(gone);
    int code = run_shell(text,
                         "root=$PWD; cd \"%s\" && \"%s\" run --size tiny --scheme mrpb atax %s "
                         "2>&1 >/dev/null",
                         folder, program, options);
    assert_int_equal(code, 1);
}

/* The command behind the title of a line of the report of sm<core>; the caller frees it. */
static char *command_in_report(const char *report, const char *title, unsigned core) {
    char head[64];
    snprintf(head, sizeof head, "  sm%u  QUEUES=48 ", core);
    const char *at = strstr(report, head);
    snprintf(head, sizeof head, "\n  %-17s ", title);
    at = at ? strstr(at, head) : NULL;
    if (!at) {
        fail_msg("no %s of sm%u in:\n%s", title, core, report);
    }
    at += strlen(head);
    return strndup(at, strcspn(at, "\n"));
}

static char *file_of(const char *folder, const char *name) {
    char *path;
    run_shell(&path, "cat \"%s/%s\" \"$(dirname \"%s\")/mismatch/%s\" 2>/dev/null", folder, name,
              broken_program(), name);
    return path;
}

TEST(each_core_that_differs_has_its_file_beside_the_program) {
    char *folder = empty_folder(), *text, *file, *list;
    run_until_it_differs(folder, "$root/$BROKEN", "--lockstep l1/mrpb", &text);
    for (unsigned core = 0; core < 2; core++) {
        char name[64], first[64];
        snprintf(name, sizeof name, "l1_mrpb_sm%u.txt", core);
        snprintf(first, sizeof first, "l1/mrpb  sm%u  QUEUES=48", core);
        assert_says(text, name);
        file = file_of(folder, name);
        assert_says(file, first);
        free(file);
    }
    assert_int_equal(run_shell(&list, "ls -A \"%s\"", folder), 0);
    assert_string_equal(list, ""); /* nothing where it was called */
    free(list);
    free(text);
    free(folder);
}

TEST(a_relative_call_gives_relative_paths) {
    char *text, expected[512];
    run_until_it_differs(".", broken_program(), "--lockstep l1/mrpb@sm1", &text);
    const char *slash = strrchr(broken_program(), '/');
    snprintf(expected, sizeof expected, "  last 16 cycles    %.*s/mismatch/l1_mrpb_sm1.txt\n",
             (int)(slash - broken_program()), broken_program());
    assert_says(text, expected);
    FREED char *again = command_in_report(text, "again", 1);
    snprintf(expected, sizeof expected, "%s run ", broken_program());
    assert_int_equal(strncmp(again, expected, strlen(expected)), 0);
    free(text);
}

TEST(a_link_to_the_program_leads_to_its_folder) {
    FREED char *folder = empty_folder(), *text, *list;
    assert_int_equal(run_shell(&list, "ln -s \"$PWD/%s\" \"%s/link\"", broken_program(), folder),
                     0);
    free(list);
    run_until_it_differs(folder, "./link", "--lockstep l1/mrpb@sm0", &text);
    assert_says(text, "/mismatch/l1_mrpb_sm0.txt\n");
    assert_int_equal(run_shell(&list, "ls -A \"%s\"", folder), 0);
    assert_string_equal(list, "link\n");
    FREED char *again = command_in_report(text, "again", 0);
    assert_int_equal(strncmp(again, "./link run ", 11), 0);
}

/* Options to quote, values in words of their own and not, waves of something else. */
#define ODD_OPTIONS \
    "--json \"a b'c\\$d.json\" --rtl l1/mrpb@sm3 --lockstep=l1/mrpb@sm1 --wave other.fst " \
    "--wave-from 3 --wave-cycles=9 --lockstep l1/mrpb"

TEST(the_again_line_repeats_the_run) {
    static const char *const options[] = {"--lockstep l1/mrpb", ODD_OPTIONS};
    for (unsigned i = 0; i < 2; i++) {
        FREED char *folder = empty_folder(), *text, *second;
        run_until_it_differs(folder, "$root/$BROKEN", options[i], &text);
        FREED char *again = command_in_report(text, "again", 1);
        assert_int_equal(run_shell(&second, "cd \"%s\" && { %s\n} 2>&1 >/dev/null", folder, again),
                         1);
        assert_string_equal(second, text);
    }
}

TEST(the_waves_line_draws_the_instance_that_differs) {
    static const char *const options[] = {"--lockstep l1/mrpb", "--lockstep l1/mrpb@sm1",
                                          "--lockstep l1/mrpb --record l1/mrpb@sm1=r.stim",
                                          ODD_OPTIONS};
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
        char *folder = empty_folder(), *text, *second, *diff, cycle[64];
        run_until_it_differs(folder, "$root/$BROKEN", options[i], &text);
        unsigned at = 0;
        sscanf(strstr(text, "  cycle "), "  cycle %u", &at);
        assert_in_range(at, 8, 100000);
        FREED char *waves = command_in_report(text, "waves", 1);
        assert_int_equal(run_shell(&second, "cd \"%s\" && { %s\n} 2>&1 >/dev/null", folder, waves),
                         1);
        assert_says(second, "  sm1  QUEUES=48 ");
        assert_int_equal(run_shell(&diff,
                                   "%s --self \"$(dirname %s)/mismatch/l1_mrpb_sm1.fst\" 2>&1",
                                   setting_or("WAVEDIFF", "build/wavediff"), broken_program()),
                         1);
        snprintf(cycle, sizeof cycle, "first difference at %u ns\n", at * 10);
        assert_says(diff, cycle);
        assert_says(diff, "deq_bypass_o");
        snprintf(cycle, sizeof cycle, " --wave-from %u --wave-cycles 32 ", at - 8);
        assert_says(waves, cycle);
        free(diff);
        free(second);
        free(text);
        free(folder);
    }
}

TEST(a_recording_is_named_with_the_command_that_plays_it) {
    FREED char *folder = empty_folder(), *text;
    run_until_it_differs(folder, "$root/$BROKEN",
                         "--lockstep l1/mrpb@sm0 --record 'l1/mrpb@sm0=s 0.stim'", &text);
    FREED char *replay = command_in_report(text, "replay", 0);
    assert_string_equal(replay, "make lockstep BLOCK=l1/mrpb REPLAY='s 0.stim'");
}

static int export_broken(void **state) {
    (void)state;
    return setenv("BROKEN", broken_program(), 1);
}
TEST_GROUP(export_broken, NULL)
