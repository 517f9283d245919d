/* SPDX-License-Identifier: Apache-2.0
 * warpmem compare of several workloads and of values of keys; results that are kept; pictures. */
#include "cli/command_json.h"

#include <signal.h>
#include <time.h>

static void assert_near(double a, double b, double distance) {
    if (!(a - b <= distance && b - a <= distance)) {
        fail_msg("%.9g: must be %.9g", a, b);
    }
}

COMMAND_TEST(several_workloads_have_a_mean) {
    struct printed p = run_command(x, "compare 2dconv atax --size tiny --schemes baseline,mrpb "
                                      "--tsv - --max-cycles 100");
    assert_int_equal(p.status, 0);
    assert_printed(p.out, "workload\tscheme\tcycles\t", "the heading");
    assert_printed(p.out, "\ngeometric\tmrpb\t-\t-\t-\t", "a mean of runs that are cut");
    drop_printed(&p);
    json_t *json = json_of(x, "compare 2dconv atax --size tiny --schemes baseline,mrpb --mean "
                              "harmonic --json -");
    json_t *rows = json_object_get(json, "rows"), *means = json_object_get(json, "means");
    double a = json_real_value(json_object_get(json_array_get(rows, 1), "speedup"));
    double b = json_real_value(json_object_get(json_array_get(rows, 3), "speedup"));
    double mean = json_real_value(json_object_get(json_array_get(means, 1), "speedup"));
    assert_int_equal(json_array_size(rows), 4);
    assert_int_equal(json_array_size(means), 2);
    assert_true(a > 1 && b > 1 && a != b);
    assert_near(mean, 2 / (1 / a + 1 / b), 1e-5);
    json_decref(json);
    char *out = run_good_command(x, "compare 2dconv atax --size tiny --mean none --tsv -");
    assert_null(strstr(out, "geometric"));
    free(out);
    json = json_of(x, "compare 2dconv atax --size tiny --json -");
    mean = json_real_value(
        json_object_get(json_array_get(json_object_get(json, "means"), 1), "speedup"));
    assert_near(mean * mean, a * b, 1e-4);
    json_decref(json);
}

/* Each row is the run that --set makes, relative to the first value under the first scheme. */
COMMAND_TEST(a_sweep_crosses_the_values_of_keys) {
    json_t *json = json_of(x, "compare WORKLOAD --size tiny --schemes baseline,gto --sweep "
                              "l1.ways=1,4 --sweep l1.mshrs=8,32 --json -");
    json_t *rows = json_object_get(json, "rows"), *row;
    size_t i;
    json_int_t first = 0;
    assert_int_equal(json_array_size(rows), 2 * 2 * 2);
    json_array_foreach(rows, i, row) {
        char line[160];
        int ways = i / 2 % 2 ? 4 : 1, mshrs = i % 2 ? 32 : 8;
        json_t *result = json_object_get(row, "result"), *point = json_object_get(row, "point");
        snprintf(line, sizeof line,
                 "run WORKLOAD --size tiny --scheme %s --set l1.ways=%d --set l1.mshrs=%d --json -",
                 i < 4 ? "baseline" : "gto", ways, mshrs);
        json_t *alone = json_of(x, line);
        assert_int_equal(json_integer_value(json_object_get(point, "l1.ways")), ways);
        assert_int_equal(json_integer_value(json_object_get(point, "l1.mshrs")), mshrs);
        assert_true(json_equal(json_object_get(result, "stats"), json_object_get(alone, "stats")));
        assert_true(
            json_equal(json_object_get(result, "config"), json_object_get(alone, "config")));
        assert_string_equal(json_string_value(json_object_get(row, "scheme")),
                            i < 4 ? "baseline" : "gto");
        json_int_t cycles = json_integer_value(json_object_get(result, "cycles"));
        first = i ? first : cycles;
        assert_near(json_real_value(json_object_get(row, "speedup")),
                    (double)first / (double)cycles, 1e-6);
        json_decref(alone);
    }
    json_decref(json);
    FREED char *out = run_good_command(x, "compare WORKLOAD --size tiny --schemes swl --sweep "
                                          "issue.warp_limit=2,1 --tsv -");
    assert_printed(out, "scheme\tissue.warp_limit\tcycles\t", "the heading");
    assert_printed(out, "\nswl\t2\t", "the first value");
    assert_printed(out, "\nswl\t1\t", "the second");
}

COMMAND_TEST(a_point_may_have_a_reference_of_its_own) {
    json_t *json = json_of(x, "compare WORKLOAD --size tiny --schemes baseline,gto --sweep "
                              "l1.ways=1,4 --reference point --json -");
    json_t *rows = json_object_get(json, "rows");
    json_int_t cycles[4];
    for (unsigned i = 0; i < 4; i++) {
        json_t *row = json_array_get(rows, i);
        cycles[i] = json_integer_value(json_object_get(json_object_get(row, "result"), "cycles"));
        assert_near(json_real_value(json_object_get(row, "speedup")),
                    (double)cycles[i % 2] / (double)cycles[i], 1e-6);
    }
    assert_int_not_equal(cycles[0], cycles[1]);
    assert_string_equal(json_string_value(json_object_get(json, "reference")), "point");
    json_decref(json);
}

/* nn has no loops; those of mvt hold somebody on the machine of DAWS. */
COMMAND_TEST(a_scheme_that_held_nobody_is_named) {
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "compare nn spmv-scalar --size tiny --preset quadro-daws "
                                      "--schemes gto,daws-detected --tsv - --json x.json");
    assert_int_equal(p.status, 0);
    assert_printed(p.out, "\theld no warp: no loop markers\nspmv-scalar\tgto\t", "nn");
    assert_printed(p.out, "\theld no warp in 1 of 2 workloads\n", "the mean");
    FREED char *json = read_whole_file("x.json");
    assert_printed(json, "\"note\": \"held no warp: no loop markers\"", "--json");
    remove("x.json");
    FREED char *gto = run_good_command(x, "compare nn mvt --size tiny --preset quadro-daws "
                                          "--schemes gto,rr --tsv -");
    assert_null(strstr(gto, "reason"));
}

COMMAND_TEST(a_suite_is_its_workloads) {
    FREED char *list = run_good_command(x, "list suites");
    assert_printed(list, "\ndaws-case-study     daws: spmv-scalar spmv-vector\n", "list suites");
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "compare --suite daws-case-study atax --size tiny "
                                      "--schemes baseline --max-cycles 100 --tsv -");
    const char *atax = strstr(p.out, "\natax\t"), *scalar = strstr(p.out, "\nspmv-scalar\t");
    assert_int_equal(p.status, 0);
    assert_true(atax && scalar && atax < scalar && strstr(p.out, "\nspmv-vector\t"));
}

COMMAND_TEST(bad_grids_are_one_line) {
    static const struct {
        const char *line, *what, *allowed;
    } bad[] = {
        {"compare", "needs a workload's name or --suite", "list suites"},
        {"compare atax mvt atax", "atax", "named twice"},
        {"compare atax ataks", "ataks", "atax?"},
        {"compare --suite polybench", "--suite polybench", "polybench12?"},
        {"compare --suite zzzzzzzzzz", "--suite zzzzzzzzzz", "list suites"},
        {"compare atax --mean median", "--mean median", "geometric, harmonic or none"},
        {"compare atax --sweep l1.ways", "--sweep l1.ways", "SECTION.KEY=VALUE"},
        {"compare atax --sweep ways=1", "--sweep ways=1", "SECTION.KEY=VALUE"},
        {"compare atax --sweep l1.way=1", "--sweep l1.way", "l1.ways?"},
        {"compare atax --sweep l1.ways=1,,2", "--sweep l1.ways=1,,2", "a value is missing"},
        {"compare atax --sweep l1.ways=1,2,1", "--sweep l1.ways", "1 occurs twice"},
        {"compare atax --sweep l1.ways=1,x", "--sweep l1.ways = x", "1..524288"},
        {"compare atax --sweep l1.ways=1 --sweep l1.ways=2", "--sweep l1.ways", "named twice"},
        {"compare atax --sweep l1.sets=3", "l1.sets=3", "power of two"},
        {"compare atax --schemes best-swl --sweep issue.warp_limit=1", "issue.warp_limit=1",
         "must not be set"},
        {"compare atax --keep /dev/null", "--keep /dev/null", "Not a directory"},
        {"compare atax --keep absent/folder", "--keep absent/folder", "No such file"},
        {"compare atax --plot x.gif", "--plot x.gif", ".png, .svg or .pdf"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CLOSED_BY(drop_printed) struct printed p = run_command(x, bad[i].line);
        if (p.status != 2 || *p.out || !strstr(p.err, bad[i].what) ||
            !strstr(p.err, bad[i].allowed) || strchr(p.err, '\n') != p.err + strlen(p.err) - 1) {
            fail_msg("%s\nexit %d, printed %s%s", bad[i].line, p.status, p.out, p.err);
        }
    }
    assert_int_equal(count_files("."), 0);
}

static void same_table(const struct fixture *x, const char *line, const char *want,
                       const char *said) {
    CLOSED_BY(drop_printed) struct printed p = run_command(x, line);
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, want);
    assert_printed(p.err, said, line);
}

/* Results that were kept give the bytes of fresh ones; one that is cut, changed or of another run
 * is run again. */
COMMAND_TEST(kept_results_are_those_of_the_runs) {
    const char *line =
        "compare WORKLOAD vecadd --size tiny --schemes baseline,best-swl --swl-limits "
        "1,3 --json -";
    char keeping[256], name[256] = "", path[300];
    snprintf(keeping, sizeof keeping, "%s --keep kept", line);
    FREED char *fresh = run_good_command(x, line);
    same_table(x, keeping, fresh, "");
    same_table(x, keeping, fresh, "warpmem: 6 of 6 results come from kept\n");
    DIR *d = opendir("kept/runs");
    unsigned files = 0;
    for (struct dirent *e; (e = readdir(d));) {
        files += *e->d_name != '.';
        if (*e->d_name != '.') {
            snprintf(name, sizeof name, "%s", e->d_name);
        }
    }
    closedir(d);
    assert_int_equal(files, 6);
    snprintf(path, sizeof path, "kept/runs/%s", name);
    FREED char *whole = read_whole_file(path);
    char *config = strstr(whole, "\"config\""), *cycles = strstr(whole, "\n    \"cycles\": ");
    assert_true(config && cycles);
    for (unsigned i = 0; i < 3; i++) {
        FREED char *changed = strdup(whole);
        if (i == 0) {
            changed[strlen(changed) / 2] = '\0';
        } else if (i == 1) {
            *strchr(strstr(changed, "\"seed\": ") + 8, '1') = '2'; /* another run's key */
        } else {
            memcpy(changed + (cycles - whole) + 6, "cycled", 6);
        }
        write_text(path, changed);
        same_table(x, keeping, fresh, "warpmem: 5 of 6 results come from kept\n");
    }
    same_table(x, keeping, fresh, "warpmem: 6 of 6 results come from kept\n");
    /* Another size, seed, limit and machine are other runs. */
    static const char *const others[] = {"--seed 2", "--max-insn-launch 100000", "--set l1.ways=8"};
    for (unsigned i = 0; i < 3; i++) {
        snprintf(keeping, sizeof keeping,
                 "compare WORKLOAD --size tiny --schemes baseline %s "
                 "--keep kept",
                 others[i]);
        CLOSED_BY(drop_printed) struct printed p = run_command(x, keeping);
        assert_null(strstr(p.err, "results are those"));
    }
    assert_int_equal(system("rm -r kept"), 0);
}

COMMAND_TEST(a_table_that_was_stopped_goes_on) {
    pid_t child =
        start_command(x, "compare vecadd atax --size small --schemes gto --jobs 1 --keep k");
    struct timespec while_ = {.tv_nsec = 50000000};
    for (unsigned i = 0; i < 600 && !(access("k/runs", F_OK) == 0 && count_files("k/runs")); i++) {
        nanosleep(&while_, NULL);
    }
    kill(child, SIGTERM);
    struct printed p = finish_command(x, child);
    assert_int_equal(p.status, 128 + SIGTERM);
    drop_printed(&p);
    assert_int_equal(count_files("k/runs"), 1); /* none of a run that was cut */
    p = run_command(x, "compare vecadd atax --size small --schemes gto --jobs 1 --keep k "
                       "--max-cycles 1000 --tsv -");
    assert_null(strstr(p.err, "results are those")); /* the limit makes another run */
    drop_printed(&p);
    p = run_command(x, "compare vecadd --size small --schemes gto --jobs 1 --keep k --tsv -");
    assert_printed(p.err, "warpmem: 1 of 1 results come from k\n", "goes on");
    drop_printed(&p);
    assert_int_equal(system("rm -r k"), 0);
}

COMMAND_TEST(a_picture_is_drawn_of_each_kind_of_table) {
    static const char *const grids[] = {"", "--sweep l1.ways=1,2",
                                        "--sweep l1.ways=1,2 --sweep "
                                        "l1.mshrs=8,16"};
    char line[2300];
    for (unsigned i = 0; i < 3; i++) {
        snprintf(line, sizeof line,
                 "compare 2dconv vecadd --size tiny %s --plot x.svg --json x.json", grids[i]);
        free(run_good_command(x, line));
        FREED char *svg = read_whole_file("x.svg");
        assert_printed(svg, "<svg", line);
        assert_printed(svg, i ? "l1.ways" : "geometric mean", line);
        assert_printed(svg, i == 2 ? "vecadd, baseline" : "vecadd", line);
        if (i == 0) { /* the script alone draws the same */
            snprintf(line, sizeof line, "%s/scripts/plot_compare.py x.json y.svg", x->project);
            assert_int_equal(system(line), 0);
            FREED char *again = read_whole_file("y.svg");
            assert_string_equal(svg, again);
            remove("y.svg");
        }
        remove("x.svg");
        remove("x.json");
    }
}
