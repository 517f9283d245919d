/* SPDX-License-Identifier: Apache-2.0
 * Results that are kept: by run, by compare and for each other; files that are not believed. */
#include "cli/command.h"

#include <dirent.h>

#define RUN "run WORKLOAD --size tiny --scheme mrpb --json - --keep kept"

/* The path of the only kept file; the caller frees it. */
static char *kept_file(void) {
    char path[300] = "";
    DIR *d = opendir("kept/runs");
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (*e->d_name != '.') {
            assert_string_equal(path, "");
            snprintf(path, sizeof path, "kept/runs/%s", e->d_name);
        }
    }
    closedir(d);
    return strdup(path);
}

static void expect_run(const struct fixture *x, const char *line, int status, const char *out,
                       const char *err) {
    CLOSED_BY(drop_printed) struct printed p = run_command(x, line);
    if (p.status != status || (out && strcmp(p.out, out) != 0) || strcmp(p.err, err) != 0) {
        fail_msg("%s\nexit %d, printed %s%s", line, p.status, p.out, p.err);
    }
}

COMMAND_TEST(a_kept_run_gives_the_bytes_of_the_run_and_does_not_run) {
    FREED char *fresh = run_good_command(x, "run WORKLOAD --size tiny --scheme mrpb --json -");
    expect_run(x, RUN " --only-kept", 3, "", "");
    assert_int_equal(access("kept", F_OK), -1); /* nothing is made for a question */
    expect_run(x, RUN, 0, fresh, "");
    expect_run(x, RUN " --only-kept", 0, fresh, "");
    FREED char *table = run_good_command(x, "run WORKLOAD --size tiny --scheme mrpb --csv -");
    expect_run(x, "run WORKLOAD --size tiny --scheme mrpb --csv - --keep kept --only-kept", 0,
               table, "");
    expect_run(x, RUN " --only-kept --seed 2", 3, "", "");
    expect_run(x, RUN " --only-kept --set l1.ways=8", 3, "", "");
    expect_run(x, RUN " --only-kept --max-cycles 10", 3, "", "");
    assert_int_equal(system("rm -r kept"), 0);
}

COMMAND_TEST(run_and_compare_have_the_same_results) {
    expect_run(x, RUN, 0, NULL, "");
    FREED char *fresh =
        run_good_command(x, "compare WORKLOAD --size tiny --schemes mrpb,best-swl --swl-limits "
                            "1,3 --tsv -");
    expect_run(x,
               "compare WORKLOAD --size tiny --schemes mrpb,best-swl --swl-limits 1,3 --tsv - "
               "--keep kept",
               0, fresh, "warpmem: 1 of 3 results come from kept\n");
    const char *sweep = "run WORKLOAD --size tiny --scheme best-swl --swl-limits 1,3 --json -";
    char keeping[256];
    FREED char *swept = run_good_command(x, sweep);
    snprintf(keeping, sizeof keeping, "%s --keep kept --only-kept", sweep);
    expect_run(x, keeping, 0, swept, "warpmem: 2 of 2 results come from kept\n");
    /* One of its limits is missing. */
    expect_run(x,
               "run WORKLOAD --size tiny --scheme best-swl --swl-limits 1,2 --json - --keep kept "
               "--only-kept",
               3, "", "");
    assert_int_equal(system("rm -r kept"), 0);
}

COMMAND_TEST(warps_over_time_are_a_part_of_what_is_kept) {
    const char *line = "run WORKLOAD --size tiny --preset gtx480 --scheme medic --json - "
                       "--series-interval 500 --warps w.tsv";
    char keeping[256];
    FREED char *fresh = run_good_command(x, line);
    FREED char *warps = read_whole_file("w.tsv");
    assert_true(strlen(warps) > 40);
    snprintf(keeping, sizeof keeping, "%s --keep kept", line);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(remove("w.tsv"), 0);
        expect_run(x, keeping, 0, fresh, "");
        FREED char *again = read_whole_file("w.tsv");
        assert_string_equal(again, warps);
        snprintf(keeping, sizeof keeping, "%s --keep kept --only-kept", line);
    }
    /* Another interval is another run, and so is one without warps. */
    expect_run(x,
               "run WORKLOAD --size tiny --preset gtx480 --scheme medic --json - --warps w.tsv "
               "--keep kept --only-kept",
               3, "", "");
    expect_run(x,
               "run WORKLOAD --size tiny --preset gtx480 --scheme medic --json - --keep kept "
               "--only-kept",
               3, "", "");
    assert_int_equal(system("rm -r kept w.tsv"), 0);
}

COMMAND_TEST(a_kept_file_that_is_not_believed_is_named_and_run_again) {
    FREED char *fresh = run_good_command(x, RUN);
    FREED char *path = kept_file(), *whole = read_whole_file(path);
    const struct {
        const char *from, *to; /* NULL: it is cut there */
        const char *why;
    } damages[] = {
        {"\"cycles\"", NULL, "is not JSON, or incomplete"},
        {"\"warp_instructions\": ", "\"warp_instructionz\": ",
         "its checksum is not that of its contents"},
        {"\"seed\": 1", "\"seed\": 2", "its checksum is not that of its contents"},
        {"warpmem.kept", "warpmem.hept", "is not a kept result"},
        {"\"version\": 3", "\"version\": 1", "is of another version of kept results"},
        {"{", "[", "is not JSON, or incomplete"},
    };
    for (unsigned i = 0; i < sizeof damages / sizeof *damages; i++) {
        FREED char *changed = strdup(whole);
        char *at = strstr(changed, damages[i].from), said[512];
        assert_non_null(at);
        if (damages[i].to) {
            memcpy(at, damages[i].to, strlen(damages[i].to));
        } else {
            *at = '\0';
        }
        write_text(path, changed);
        snprintf(said, sizeof said, "warpmem: %s: %s: not used\n", path, damages[i].why);
        expect_run(x, RUN " --only-kept", 3, "", said);
        expect_run(x, RUN, 0, fresh, said);
        expect_run(x, RUN " --only-kept", 0, fresh, "");
    }
    /* A whole file under the name of another run. */
    FREED char *other = run_good_command(x, RUN " --seed 2");
    char copy[700];
    snprintf(copy, sizeof copy,
             "cd kept/runs && for f in *.json; do [ \"kept/runs/$f\" = %s ] || cp $f ../../%s; "
             "done",
             path, path);
    assert_int_equal(system(copy), 0);
    snprintf(copy, sizeof copy, "warpmem: %s: is of another run: not used\n", path);
    expect_run(x, RUN, 0, fresh, copy);
    assert_int_equal(system("rm -r kept"), 0);
}

COMMAND_TEST(what_cannot_be_kept_is_refused) {
    static const struct {
        const char *words, *says;
    } wrong[] = {
        {"--only-kept", "--only-kept: needs --keep FOLDER"},
        {"--keep k --series s.csv", "--keep: not with --series, which needs a run"},
        {"--keep k --events e", "--keep: not with --events, which needs a run"},
        {"--keep k --dram-log d", "--keep: not with --dram-log, which needs a run"},
        {"--keep k --record-border b", "--keep: not with --record-border, which needs a run"},
        {"--keep k --poll", "--keep: not with --poll, which needs a run"},
        {"--keep k --reverse", "--keep: not with --reverse, which needs a run"},
        {"--keep k --in-time", "--keep: not with --in-time, which needs a run"},
        {"--keep /dev/null", "--keep /dev/null: Not a directory"},
        {"--keep EMPTY", "--keep: must be the name of a folder"},
    };
    char line[256], says[256];
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(line, sizeof line, "run WORKLOAD --size tiny %s", wrong[i].words);
        snprintf(says, sizeof says, "warpmem: %s\n", wrong[i].says);
        expect_run(x, line, 2, "", says);
    }
    assert_int_equal(count_files("."), 0);
}

COMMAND_TEST(a_disk_without_room_costs_no_result_but_fails) {
    FREED char *fresh = run_good_command(x, "run WORKLOAD --size tiny --json -");
    assert_int_equal(mkdir("kept", 0777), 0);
    if (system("mount -t tmpfs -o size=4k none kept 2>/dev/null")) {
        assert_int_equal(rmdir("kept"), 0);
        skip(); /* needs the right to mount */
    }
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "run WORKLOAD --size tiny --json - --keep kept");
    assert_int_equal(system("umount kept && rmdir kept"), 0);
    assert_int_equal(p.status, 1);
    assert_string_equal(p.out, fresh);
    assert_printed(p.err, "No space left on device: results are not kept\n", "the reason");
}
