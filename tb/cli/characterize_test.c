/* SPDX-License-Identifier: Apache-2.0
 * warpmem characterize, from outside: workloads whose character is known by formula. */
#include "cli/command_json.h"

#include <signal.h>
#include <time.h>

static json_int_t number_at(const json_t *json, const char *path) {
    char copy[128];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *w = strtok(copy, "."); w; w = strtok(NULL, ".")) {
        json =
            json_is_array(json) ? json_array_get(json, (size_t)atoi(w)) : json_object_get(json, w);
    }
    if (!json_is_integer(json)) {
        fail_msg("%s: no such number", path);
    }
    return json_integer_value(json);
}

static double real_at(const json_t *json, const char *object, const char *name) {
    return json_number_value(json_object_get(json_object_get(json, object), name));
}

static json_int_t sum_of_array(const json_t *array) {
    json_int_t all = 0;
    size_t i;
    json_t *value;
    json_array_foreach(array, i, value) {
        all += json_integer_value(value);
    }
    return all;
}

/* 16 Ki threads of c = a + b: 512 warps, two loads and a store of one line of 128 bytes each. */
COMMAND_TEST(vecadd_is_coalesced_and_reuses_nothing) {
    json_t *j = json_of(x, "characterize vecadd --size tiny --json -");
    assert_string_equal(json_string_value(json_object_get(j, "schema")), "warpmem.character");
    assert_int_equal(number_at(j, "version"), 2);
    json_t *t = json_object_get(j, "total");
    assert_int_equal(number_at(t, "warps"), 512);
    assert_int_equal(number_at(t, "memory.global.load.instructions"), 2 * 512);
    assert_int_equal(number_at(t, "memory.global.load.accesses"), 2 * 512);
    assert_int_equal(number_at(t, "memory.lines_an_access.load.0"), 2 * 512);
    assert_int_equal(number_at(t, "memory.lines_an_access.store.0"), 512);
    assert_int_equal(number_at(t, "footprint.lines"), 3 * 512);
    assert_int_equal(number_at(t, "reuse_on_core.first"), 3 * 512);
    assert_int_equal(number_at(t, "instructions.divergent_branches"), 0);
    assert_int_equal(number_at(t, "replay.round_robin.read_misses"), 2 * 512);
    json_decref(j);
}

/* Lines of 64 bytes: two each. CTAs of 256 threads take 1 KB of each array: two a row of 2 KB. */
COMMAND_TEST(the_machine_decides_lines_and_rows) {
    json_t *j = json_of(x, "characterize vecadd --size tiny --preset quadro-owl --json -");
    json_t *t = json_object_get(j, "total");
    json_int_t ctas = number_at(t, "ctas"), threads = number_at(t, "cta_threads");
    assert_int_equal(number_at(t, "memory.global.load.accesses"), 2 * 2 * 512);
    assert_int_equal(number_at(j, "row_bytes"), 2048);
    assert_int_equal(number_at(t, "rows.rows"), 3 * 16384 * 4 / 2048);
    assert_true(real_at(t, "rows", "ctas_a_row") == (double)(2048 / (threads * 4)));
    assert_true(real_at(t, "rows", "consecutive_share") == 1);
    assert_int_equal(ctas * threads, 16384);
    json_decref(j);
    j = json_of(x, "characterize vecadd --size tiny --set l1.line_bytes=32 --json -");
    assert_int_equal(number_at(json_object_get(j, "total"), "memory.global.load.accesses"),
                     8 * 512);
    json_decref(j);
}

/* DAWS: the main loop of KMN takes 32 lines of features and two of a centre: 153.6 / 34 = 4. */
COMMAND_TEST(the_loop_of_kmeans_global_has_34_lines) {
    json_t *j = json_of(x, "characterize kmeans-global --size tiny --preset quadro-daws --json -");
    json_t *k = json_array_get(json_object_get(j, "kernels"), 0);
    json_t *loop = json_array_get(json_object_get(k, "loops"), 1);
    json_int_t warps = 2 * 992 / 32; /* 2 iterations */
    assert_int_equal(number_at(j, "l1_lines"), 256);
    assert_int_equal(number_at(loop, "entries"), warps * 5);
    assert_int_equal(number_at(loop, "trips"), warps * 5 * 34);
    assert_int_equal(number_at(loop, "trips_by_lanes.31"), warps * 5 * 34);
    assert_int_equal(number_at(loop, "footprint_lines"), warps * 5 * 34 * 34);
    assert_int_equal(number_at(loop, "footprint_by_lanes.31"), 34);
    assert_int_equal(number_at(loop, "trip_lines"),
                     warps * 5 * 34 * 33); /* the centre is one line */
    assert_int_equal(json_array_size(json_object_get(loop, "loads")), 2);
    json_decref(j);
}

/* An LRU cache of 64 lines in one set misses what is first, far, or 64 lines or more apart. One
 * launch, and writes that stay. */
COMMAND_TEST(the_replay_is_what_stack_distances_say) {
    json_t *j = json_of(x, "characterize syr2k --size tiny --json - --set l1.sets=1 "
                           "--set l1.ways=64 --set l1.global_write=back "
                           "--set l1.write_miss=fetch --set l1.at_launch=keep "
                           "--set core.count=2");
    assert_int_equal(number_at(j, "total.launches"), 1);
    json_t *t = json_object_get(j, "total"), *reuse = json_object_get(t, "reuse_on_core");
    json_int_t misses = number_at(reuse, "first") + number_at(reuse, "far"), all = misses;
    static const char *const by[] = {"same_warp", "same_cta", "other_cta"};
    for (unsigned i = 0; i < 3; i++) {
        json_t *near = json_object_get(reuse, by[i]);
        all += sum_of_array(near);
        for (size_t bucket = 7; bucket < json_array_size(near); bucket++) { /* from 64 on */
            misses += json_integer_value(json_array_get(near, bucket));
        }
    }
    assert_int_equal(misses, number_at(t, "replay.round_robin.read_misses") +
                                 number_at(t, "replay.round_robin.write_misses"));
    assert_int_equal(all, number_at(t, "replay.round_robin.reads") +
                              number_at(t, "replay.round_robin.writes"));
    assert_true(misses > number_at(reuse, "first") && misses < all);
    json_decref(j);
}

COMMAND_TEST(kernels_add_up_to_the_program) {
    static const char *const paths[] = {"launches",
                                        "ctas",
                                        "warps",
                                        "instructions.warp",
                                        "instructions.active_lanes.31",
                                        "instructions.divergent_branches",
                                        "memory.global.load.accesses",
                                        "reuse_within_warp.first",
                                        "reuse_on_core.same_cta.3",
                                        "rows.rows",
                                        "replay.groups_until_end.read_misses"};
    json_t *j = json_of(x, "characterize backprop --size tiny --json -");
    json_t *kernels = json_object_get(j, "kernels");
    assert_int_equal(json_array_size(kernels), 2);
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_int_equal(number_at(json_object_get(j, "total"), paths[i]),
                         number_at(json_array_get(kernels, 0), paths[i]) +
                             number_at(json_array_get(kernels, 1), paths[i]));
    }
    assert_true(number_at(j, "total.instructions.barriers") > 0);
    json_decref(j);
}

/* Each static instruction has its line, and they add up. */
COMMAND_TEST(instructions_of_the_code_are_listed) {
    json_t *j = json_of(x, "characterize bfs-64k --size tiny --json -");
    json_t *kernel, *insn;
    size_t i, n;
    json_int_t loads = 0;
    json_array_foreach(json_object_get(j, "kernels"), i, kernel) {
        json_array_foreach(json_object_get(kernel, "memory_instructions"), n, insn) {
            bool load = !strcmp(json_string_value(json_object_get(insn, "kind")), "load");
            loads += load ? number_at(insn, "accesses") : 0;
            assert_true(number_at(insn, "lanes") >= number_at(insn, "executions"));
        }
    }
    assert_int_equal(loads, number_at(j, "total.memory.global.load.accesses"));
    json_decref(j);
}

COMMAND_TEST(a_trace_has_the_character_of_its_workload) {
    free(run_good_command(x, "trace backprop --size tiny -o b.wtr"));
    json_t *direct = json_of(x, "characterize backprop --size tiny --json -");
    json_t *replay = json_of(x, "characterize b.wtr --json -");
    assert_true(json_equal(direct, replay));
    json_decref(direct);
    json_decref(replay);
}

/* All CTAs have as many instructions: one more than two have is reached in the third. */
COMMAND_TEST(a_limit_ends_with_the_cta_that_reaches_it) {
    json_t *all = json_of(x, "characterize vecadd --size tiny --json -");
    json_int_t a_cta = number_at(all, "total.instructions.thread") / number_at(all, "total.ctas");
    char line[128];
    snprintf(line, sizeof line, "characterize vecadd --size tiny --max-insn %lld --json v.json",
             (long long)(2 * a_cta + 1));
    CLOSED_BY(drop_printed) struct printed p = run_command(x, line);
    assert_int_equal(p.status, 0);
    assert_printed(p.err, "vecadd: stopped at --max-insn", line);
    assert_printed(p.out, "only the first", line);
    json_t *some = json_load_file("v.json", 0, NULL);
    assert_int_equal(number_at(some, "total.ctas"), 3);
    assert_int_equal(number_at(some, "total.replay.groups_until_end.reads"), 3 * 8 * 2);
    assert_true(json_is_false(json_object_get(some, "complete")));
    assert_true(json_is_true(json_object_get(all, "complete")));
    json_decref(all);
    json_decref(some);
}

COMMAND_TEST(the_report_reads_and_the_seed_matters) {
    FREED char *one = run_good_command(x, "characterize bfs-64k --size tiny"),
               *again = run_good_command(x, "characterize bfs-64k --size tiny"),
               *two = run_good_command(x, "characterize bfs-64k --size tiny --seed 2");
    static const char *const parts[] = {"bfs-64k tiny, seed 1, on c2050-s: lines of 128 bytes",
                                        "the whole program: 16 launches",
                                        "bfs_expand: 8 launches, 64 CTAs of 512 threads",
                                        "active lanes",
                                        "|####",
                                        "lines a load",
                                        "reuse, own warp",
                                        "reuse on a core",
                                        "DRAM rows",
                                        "L1s without time",
                                        "loops",
                                        "each instruction"};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_printed(one, parts[i], "characterize bfs-64k --size tiny");
    }
    assert_string_equal(one, again);
    assert_string_not_equal(one, two);
}

/* 208 x 208: a thread a row in blocks of 512, then a thread an element in blocks of 4 x 4. */
COMMAND_TEST(ctas_of_different_sizes_are_said_from_least_to_most) {
    char *text = run_good_command(x, "characterize gaussian --size tiny");
    static const char *const parts[] = {
        "CTAs of 16-512 threads, ", "warps; a core holds at most 8 CTAs\n",
        "gaussian_divide: 4 launches, 4 CTAs of 512 threads, 64 warps; a core holds 3 CTAs\n",
        " CTAs of 16 threads, "};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_printed(text, parts[i], "characterize gaussian --size tiny");
    }
    free(text);
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "characterize vecadd --size tiny --max-insn 1");
    assert_printed(p.out, "only the first 1 thread instruction, and", "one instruction");
    assert_printed(p.out, "vecadd: 1 launch, 1 CTA of 256 threads, 8 warps", "one CTA");
}

COMMAND_TEST(the_report_marks_loads_that_the_l1_does_not_serve) {
    json_t *j = json_of(x, "characterize mst --size tiny --json -"), *kernel, *insn;
    char *text = run_good_command(x, "characterize mst --size tiny"), *at = text;
    size_t i, n;
    json_int_t uncached = 0, marks = 0;
    json_array_foreach(json_object_get(j, "kernels"), i, kernel) {
        json_array_foreach(json_object_get(kernel, "memory_instructions"), n, insn) {
            uncached += json_is_true(json_object_get(insn, "uncached"));
        }
    }
    for (; (at = strstr(at, "  uncached\n")); at++) {
        marks++;
    }
    assert_true(uncached > 0);
    assert_int_equal(marks, uncached);
    free(text);
    json_decref(j);
}

COMMAND_TEST(a_picture_is_a_png) {
    free(run_good_command(x, "characterize backprop --size tiny --plot p.png --json p.json"));
    FILE *f = fopen("p.png", "rb");
    char head[8] = "";
    assert_non_null(f);
    assert_int_equal(fread(head, 1, 8, f), 8);
    fclose(f);
    assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(count_files("."), 2);
}

/* A matplotlib that cannot be imported stands before Debian's. */
COMMAND_TEST(a_picture_without_matplotlib_is_refused) {
    write_text("matplotlib.py", "raise ImportError\n");
    setenv("PYTHONPATH", ".", 1);
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "characterize vecadd --size tiny --plot p.png --json p.json");
    unsetenv("PYTHONPATH");
    assert_int_equal(p.status, 2);
    assert_printed(p.err, "warpmem: --plot: needs /usr/bin/python3 with matplotlib", "--plot");
    assert_int_equal(count_files("."), 1);
}

/* One that says it can draw and then cannot. */
COMMAND_TEST(a_picture_that_fails_is_one_line_and_no_file) {
    assert_int_equal(mkdir("matplotlib", 0755), 0);
    write_text("matplotlib/__init__.py", "def use(_): pass\n");
    write_text("matplotlib/pyplot.py", "def subplots(*_, **__): raise SystemExit(1)\n");
    setenv("PYTHONPATH", ".", 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    struct printed p = run_command(x, "characterize vecadd --size tiny --plot p.png --json p.json");
    unsetenv("PYTHONDONTWRITEBYTECODE");
    unsetenv("PYTHONPATH");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "warpmem: --plot: the picture could not be drawn\n");
    assert_int_equal(access("p.png", F_OK), -1);
    drop_printed(&p);
    remove_files_in("matplotlib");
    rmdir("matplotlib");
}

COMMAND_TEST(bad_characterize_gets_one_line_and_no_file) {
    static const char *const bad[][3] = {
        {"characterize", "workload", "warpmem list workloads"},
        {"characterize vecadd again", "again", "exactly one"},
        {"characterize no-such-thing", "no-such-thing", "warpmem list workloads"},
        {"characterize vecadd --size huge --json x", "--size huge", "tiny, small"},
        {"characterize vecadd --max-insn 0 --json x", "--max-insn 0", "1 or more"},
        {"characterize vecadd --preset x --json x", "preset x", "must be one of"},
        {"characterize vecadd --scheme mrpb --json x", "--scheme", "no such option"},
        {"characterize vecadd --json absent/x", "absent/x", "No such file"},
        {"characterize vecadd --json x --plot x", "--plot x: is also --json", "a file of its own"},
        {"characterize vecadd --plot -", "--plot -", "must be a file"},
        {"characterize vecadd --plot x.jpg", "--plot x.jpg", "must end in .png, .svg or .pdf"},
        {"characterize nothing.wtr --json x", "nothing.wtr", "No such file"},
        {"characterize vecadd --size tiny --set core.cta_threads=32 --json x",
         "a CTA of 256 threads", "at most core.cta_threads = 32"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CLOSED_BY(drop_printed) struct printed p = run_command(x, bad[i][0]);
        if (p.status != 2 || *p.out) {
            fail_msg("%s\nexit %d, printed %s%s", bad[i][0], p.status, p.out, p.err);
        }
        assert_printed(p.err, bad[i][1], bad[i][0]);
        assert_printed(p.err, bad[i][2], bad[i][0]);
        assert_ptr_equal(strchr(p.err, '\n'), p.err + strlen(p.err) - 1); /* one line */
        assert_int_equal(count_files(x->folder), 0);
    }
}

COMMAND_TEST(a_signal_ends_it_without_a_file) {
    pid_t child = start_command(x, "characterize cfd --size paper --json c.json");
    const struct timespec moment = {0, 300000000};
    nanosleep(&moment, NULL);
    kill(child, SIGTERM);
    CLOSED_BY(drop_printed) struct printed p = finish_command(x, child);
    assert_int_equal(p.status, 143);
    assert_printed(p.err, "interrupted; nothing is written", "SIGTERM");
    assert_int_equal(count_files("."), 0);
}

COMMAND_TEST(help_has_the_definitions) {
    FREED char *out = run_good_command(x, "characterize --help");
    static const char *const parts[] = {"Usage: warpmem characterize", "divergent branch:",
                                        "reuse distance:", "CTAs a row:", "For example:"};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_printed(out, parts[i], "characterize --help");
    }
    free(out);
    out = run_good_command(x, "help");
    assert_printed(out, "  characterize WHAT ", "help");
}
