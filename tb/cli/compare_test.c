/* SPDX-License-Identifier: Apache-2.0
 * warpmem compare, and the schemes that try many machines. */
#include "cli/command_json.h"

#include <signal.h>
#include <time.h>

COMMAND_TEST(compare_gives_one_table) {
    FREED char *out =
        run_good_command(x, "compare WORKLOAD --size tiny --schemes baseline,mrpb,mrpb+gto");
    size_t width = strcspn(out, "\n");
    unsigned lines = 0;
    for (char *line = out; *line; line += strcspn(line, "\n") + 1) {
        assert_int_equal(strcspn(line, "\n"), width);
        lines++;
    }
    assert_int_equal(lines, 4);
    assert_printed(out, "\nmrpb+gto ", "compare");
    assert_printed(out, "  1.000000  ", "compare");
    free(out);
    out = run_good_command(x, "compare WORKLOAD --size tiny --tsv -");
    char head[256];
    snprintf(head, sizeof head, "%.*s", (int)strcspn(out, "\n"), out);
    assert_string_equal(head,
                        "scheme\tcycles\tipc\tspeedup\tl1_hit_rate\tl2_hit_rate\trow_hit_rate\t"
                        "blp\tdram_gb_per_s\tmemory_latency");
    free(out);
    out = run_good_command(x, "compare --help");
    for (char *name = strtok(strchr(strchr(head, '\t') + 1, '\t') + 1, "\t"); name;
         name = strtok(NULL, "\t")) {
        assert_printed(out, name, "compare --help"); /* what each means */
    }
}

COMMAND_TEST(compare_and_run_agree) {
    json_t *both = json_of(x, "compare WORKLOAD --size tiny --schemes gto,mrpb --json -");
    json_t *alone = json_of(x, "run WORKLOAD --size tiny --scheme mrpb --json -");
    json_t *rows = json_object_get(both, "rows"), *second = json_array_get(rows, 1);
    json_t *result = json_object_get(second, "result");
    assert_string_equal(json_string_value(json_object_get(both, "schema")), "warpmem.compare");
    assert_int_equal(json_array_size(rows), 2);
    assert_true(json_equal(result, alone));
    assert_true(json_is_real(json_object_get(second, "speedup")));
    json_decref(both);
    json_decref(alone);
}

COMMAND_TEST(compare_has_no_speedup_for_a_part_of_a_run) {
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "compare WORKLOAD --size tiny --max-cycles 50 --json -");
    assert_int_equal(p.status, 0);
    assert_printed(p.out, "\"speedup\": null", "compare --max-cycles");
    assert_printed(p.out, "\"complete\": false", "compare --max-cycles");
}

COMMAND_TEST(compare_crosses_presets_with_schemes) {
    static const char *const begins[] = {"preset\tscheme\tcycles\t", "c2050-s\tbaseline\t",
                                         "c2050-s\tgto\t", "c2050-l\tbaseline\t", "c2050-l\tgto\t"};
    char *out =
        run_good_command(x, "compare WORKLOAD --size tiny --presets c2050-s,c2050-l --schemes "
                            "baseline,gto --tsv -");
    char *line = out;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        assert_int_equal(strncmp(line, begins[i], strlen(begins[i])), 0);
        if (i & 1) { /* each machine has its own reference */
            assert_printed(line, "\t1.000000\t", begins[i]);
        }
        line += strcspn(line, "\n") + 1;
    }
    assert_int_equal(*line, '\0');
    free(out);
    json_t *json = json_of(x, "compare WORKLOAD --size tiny --presets c2050-s,c2050-l "
                              "--schemes gto --json -");
    json_t *second = json_array_get(json_object_get(json, "rows"), 1);
    assert_string_equal(json_string_value(json_object_get(second, "base")), "c2050-l");
    json_decref(json);
}

COMMAND_TEST(all_presets_are_every_preset) {
    FREED char *presets = run_good_command(x, "list presets");
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "compare WORKLOAD --size tiny --max-cycles 9 --presets all "
                                      "--schemes baseline --tsv -");
    unsigned lines = 0, rows = 0;
    assert_int_equal(p.status, 0);
    for (char *line = presets; *line; line += strcspn(line, "\n") + 1) {
        char row[80];
        snprintf(row, sizeof row, "\n%.*s\tbaseline\t9\t", (int)strcspn(line, " "), line);
        assert_printed(p.out, row, "--presets all");
        lines++;
    }
    for (char *line = p.out; *line; line += strcspn(line, "\n") + 1) {
        rows++;
    }
    assert_int_equal(rows, lines + 1);
}

COMMAND_TEST(stats_adds_columns_of_counters_and_figures) {
    FREED char *out = run_good_command(x, "compare WORKLOAD --size tiny --schemes baseline --stats "
                                          "core.ctas,bus_use --tsv -");
    char *head = strtok(out, "\n"), *row = strtok(NULL, "\n");
    assert_printed(head, "\tcore.ctas\tbus_use", "--stats");
    double bus = atof(strrchr(row, '\t') + 1);
    assert_true(bus > 0 && bus < 1);
    *strrchr(row, '\t') = '\0';
    json_t *run = json_of(x, "run WORKLOAD --size tiny --json -");
    json_t *ctas = json_object_get(json_object_get(run, "stats"), "core.ctas");
    assert_int_equal(atoi(strrchr(row, '\t') + 1), json_integer_value(ctas));
    json_decref(run);
}

COMMAND_TEST(how_many_run_at_once_changes_no_byte) {
    static const char *const jobs[] = {"1", "2", "7"};
    FREED char *first = NULL;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "compare WORKLOAD --size tiny --schemes mrpb,baseline,gto,best-swl --swl-limits "
                 "3,1,2 --jobs %s --json -",
                 jobs[i]);
        char *out = run_good_command(x, line);
        if (first) {
            assert_string_equal(first, out);
            free(out);
        } else {
            first = out;
        }
    }
}

/* Cycles of one run with one limit. */
static json_int_t cycles_at(const struct fixture *x, const char *scheduler, int limit) {
    char line[256];
    snprintf(line, sizeof line, "run WORKLOAD --size tiny %s --set issue.warp_limit=%d --json -",
             scheduler, limit);
    json_t *run = json_of(x, line);
    json_int_t cycles = json_integer_value(json_object_get(run, "cycles"));
    json_decref(run);
    return cycles;
}

static void check_best_swl(const struct fixture *x, const char *options, const char *scheduler) {
    char line[256];
    snprintf(line, sizeof line, "run WORKLOAD --size tiny %s --swl-limits 1,4,24 --json -",
             options);
    json_t *json = json_of(x, line), *sweep = json_object_get(json, "sweep"), *pair;
    json_int_t least = -1, best = -1;
    size_t i;
    static const int limits[] = {1, 4, 24};
    assert_int_equal(json_array_size(json_object_get(sweep, "runs")), 3);
    json_array_foreach(json_object_get(sweep, "runs"), i, pair) {
        json_int_t cycles = cycles_at(x, scheduler, limits[i]);
        assert_int_equal(json_integer_value(json_object_get(pair, "value")), limits[i]);
        assert_int_equal(json_integer_value(json_object_get(pair, "cycles")), cycles);
        if (least < 0 || cycles < least) {
            least = cycles;
            best = limits[i];
        }
    }
    assert_int_equal(json_integer_value(json_object_get(sweep, "best")), best);
    assert_int_equal(json_integer_value(json_object_get(json, "cycles")), least);
    json_decref(json);
}

COMMAND_TEST(best_swl_keeps_the_limit_of_the_fewest_cycles) {
    check_best_swl(x, "--scheme best-swl", "--issue gto");    /* DAWS 7.1 */
    check_best_swl(x, "--scheme best-swl+rr", "--issue lrr"); /* MRPB 5.7 */
    FREED char *out =
        run_good_command(x, "run WORKLOAD --size tiny --scheme best-swl --swl-limits 1,2");
    assert_printed(out, "\nsweep         issue.warp_limit = ", "best-swl");
    assert_printed(out, ": fewest cycles of 2 runs\n", "best-swl");
}

COMMAND_TEST(best_swl_tries_every_limit) {
    json_t *json = json_of(x, "run WORKLOAD --size tiny --scheme best-swl --json - --set "
                              "core.warps=16 --set core.threads=512 --set core.schedulers=2");
    json_t *runs = json_object_get(json_object_get(json, "sweep"), "runs");
    assert_int_equal(json_array_size(runs), 16 / 2);
    for (int i = 0; i < 8; i++) {
        json_t *value = json_object_get(json_array_get(runs, (size_t)i), "value");
        assert_int_equal(json_integer_value(value), i + 1);
    }
    json_decref(json);
}

COMMAND_TEST(what_records_one_run_records_the_best_of_a_sweep) {
    free(run_good_command(
        x, "run WORKLOAD --size tiny --scheme best-swl --swl-limits 2,24 --json a.json "
           "--series a.csv --events a.ev"));
    json_error_t error;
    json_t *json = json_load_file("a.json", 0, &error);
    int best = (int)json_integer_value(json_object_get(json_object_get(json, "sweep"), "best"));
    char line[256];
    snprintf(line, sizeof line,
             "run WORKLOAD --size tiny --issue gto --set issue.warp_limit=%d --series b.csv "
             "--events b.ev",
             best);
    free(run_good_command(x, line));
    static const char *const names[][2] = {{"a.csv", "b.csv"}, {"a.ev", "b.ev"}};
    for (size_t i = 0; i < 2; i++) {
        FREED char *a = read_whole_file(names[i][0]), *b = read_whole_file(names[i][1]);
        assert_true(strlen(a) > 100 && !strcmp(a, b));
    }
    json_decref(json);
}

COMMAND_TEST(a_limit_is_said_once_a_run_and_in_order) {
    CLOSED_BY(drop_printed)
    struct printed p =
        run_command(x, "compare WORKLOAD --size tiny --schemes gto,mrpb --max-cycles "
                       "50 --jobs 2 --tsv -");
    char want[512];
    snprintf(want, sizeof want,
             "warpmem: %s gto: stopped at --max-cycles 50; the statistics are incomplete\n"
             "warpmem: %s mrpb: stopped at --max-cycles 50; the statistics are incomplete\n",
             x->workload, x->workload);
    assert_string_equal(p.err, want);
    assert_printed(p.out, "\tincomplete\t", "--max-cycles");
}

/* Each cell that fails is a row with its reason, and the others are there. */
COMMAND_TEST(a_machine_that_a_kernel_does_not_fit_is_a_row_with_the_reason) {
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "compare mst --size tiny --schemes baseline,gto --presets "
                                      "quadro-owl,c2050-s --max-cycles 2000 --tsv - --json x.json");
    assert_int_equal(p.status, 1);
    assert_printed(p.out, "\tmemory_latency\treason\nquadro-owl\tbaseline\t-\t-\tfailed\t",
                   "--tsv");
    assert_printed(p.out, "\tkernel mst_initcs: a CTA of 1024 threads: at most core.cta_threads",
                   "reason");
    assert_printed(p.out, "\nc2050-s\tgto\t2000\t", "the other preset");
    FREED char *text = read_whole_file("x.json");
    assert_printed(text, "\"failed\": \"kernel mst_initcs: a CTA", "--json");
    remove("x.json");
}

COMMAND_TEST(an_empty_name_is_refused) {
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "compare WORKLOAD --schemes gto,,mrpb");
    assert_int_equal(p.status, 2);
    assert_printed(p.err, "--schemes gto,,mrpb: an empty name", "--schemes");
}

COMMAND_TEST(machines_that_a_kernel_does_not_fit_end_without_a_table) {
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "compare WORKLOAD --size tiny --schemes baseline,gto --set "
                                      "core.threads=32 --jobs 2 --json x.json");
    assert_int_equal(p.status, 2);
    assert_string_equal(p.out, "");
    assert_printed(p.err, "needs more than a core has", "core.threads");
    assert_int_equal(count_files("."), 0);
}

/* The system counts them for the child: its own and those in the kernel. */
static double processor_seconds(pid_t child) {
    char path[64], text[512] = "";
    unsigned long long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)child);
    FILE *f = fopen(path, "r");
    if (f) {
        (void)!fread(text, 1, sizeof text - 1, f);
        fclose(f);
    }
    const char *behind = strrchr(text, ')'); /* of the program's name */
    if (behind) {
        sscanf(behind + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user, &system);
    }
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* A run of a minute, and the signal when each machine has had the work that it takes to be built:
 * of the processor, as a busy computer takes longer. */
static void compare_signalled(const struct fixture *x, const char *line, int number,
                              const char *file) {
    pid_t child = start_command(x, line);
    struct timespec while_ = {.tv_nsec = 50000000};
    for (unsigned i = 0; i < 1200 && processor_seconds(child) < 1.5; i++) {
        nanosleep(&while_, NULL);
    }
    kill(child, number);
    struct printed p = finish_command(x, child);
    if (p.status != 128 + number) {
        fail_msg("%s\nexit %d: %s%s", line, p.status, p.out, p.err);
    }
    assert_printed(p.err, "interrupted at cycle", line);
    drop_printed(&p);
    char *text = read_whole_file(file);
    assert_printed(text, "\"complete\": false", line);
    free(text);
    assert_int_equal(count_files("."), 1);
    remove(file);
}

COMMAND_TEST(a_signal_ends_all_runs_with_their_statistics_so_far) {
    compare_signalled(x, "compare WORKLOAD --size paper --jobs 2 --json part.json", SIGINT,
                      "part.json");
    compare_signalled(x, "compare WORKLOAD --size paper --jobs 1 --json part.json", SIGTERM,
                      "part.json");
    compare_signalled(x, "run WORKLOAD --size paper --scheme best-swl --jobs 2 --json part.json",
                      SIGINT, "part.json");
}
