/* SPDX-License-Identifier: Apache-2.0
 * A run over time: `run --series`, and the script that draws it. */
#include "cli/command_json.h"

enum { COLUMNS = 32, ROWS = 512 };

/* A file of --series: names, and values as text; cut up in place. */
struct table {
    char *text, *name[COLUMNS], *cell[ROWS][COLUMNS];
    unsigned columns, rows;
};

static unsigned cut_cells(char *line, char **cells) {
    unsigned n = 0;
    for (char *end = line; end; line = end + 1) {
        end = strchr(line, ',');
        if (end) {
            *end = '\0';
        }
        assert_true(n < COLUMNS);
        cells[n++] = line;
    }
    return n;
}

static void load_table(struct table *t, const char *path) {
    *t = (struct table){.text = read_whole_file(path)};
    char *line = strtok(t->text, "\n");
    t->columns = cut_cells(line, t->name);
    while ((line = strtok(NULL, "\n"))) {
        assert_true(t->rows < ROWS);
        assert_int_equal(cut_cells(line, t->cell[t->rows++]), t->columns);
    }
}

static const char *cell_of_row(const struct table *t, unsigned row, const char *name) {
    for (unsigned i = 0; i < t->columns; i++) {
        if (!strcmp(t->name[i], name)) {
            return t->cell[row][i];
        }
    }
    fail_msg("no column %s", name);
    return "";
}

static json_int_t count_of_run(json_t *run, const char *name) {
    return json_integer_value(json_object_get(json_object_get(run, "stats"), name));
}

/* Rates times what they are a share of give the run's totals again, the last part included. */
COMMAND_TEST(intervals_add_up_to_the_run) {
    json_t *run = json_of(x, "run gemm --size tiny --json - --series s.csv "
                             "--series-interval 1000");
    json_int_t cycles = json_integer_value(json_object_get(run, "cycles"));
    struct table t;
    load_table(&t, "s.csv");
    double warp = 0, bus = 0;
    json_int_t before = 0;
    assert_int_equal(t.rows, (cycles + 999) / 1000);
    for (unsigned i = 0; i < t.rows; i++) {
        json_int_t at = atoll(cell_of_row(&t, i, "cycle"));
        assert_int_equal(at, i + 1 < t.rows ? 1000 * (i + 1) : cycles);
        warp += atof(cell_of_row(&t, i, "ipc_warp")) * (double)(at - before);
        bus += atof(cell_of_row(&t, i, "bus_use")) * (double)(at - before);
        before = at;
    }
    assert_int_equal((json_int_t)(warp + 0.5), count_of_run(run, "core.warp_instructions"));
    /* DRAM cycles of six channels at 750 MHz, core cycles at 575 MHz */
    assert_int_equal((json_int_t)(bus * 6 * 750 / 575 + 0.5),
                     count_of_run(run, "dram.data_cycles"));
    free(t.text);
    json_decref(run);
}

COMMAND_TEST(one_interval_has_the_figures_of_the_run) {
    json_t *run = json_of(x, "run gemm --size tiny --json - --series s.csv "
                             "--series-interval 1000000000");
    struct table t;
    load_table(&t, "s.csv");
    assert_int_equal(t.rows, 1);
    double reads =
        (double)(count_of_run(run, "l1.read_hits") + count_of_run(run, "l1.read_pending_hits") +
                 count_of_run(run, "l1.read_misses") + count_of_run(run, "l1.read_bypasses"));
    double difference =
        atof(cell_of_row(&t, 0, "l1_hit_rate")) - (double)count_of_run(run, "l1.read_hits") / reads;
    assert_true(difference < 1e-6 && difference > -1e-6);
    assert_string_equal(cell_of_row(&t, 0, "resident_ctas"), "0"); /* all have ended */
    assert_string_equal(cell_of_row(&t, 0, "dram_queue"), "0");
    free(t.text);
    json_decref(run);
}

COMMAND_TEST(an_interval_without_reads_has_no_rate) {
    free(run_good_command(x, "run vecadd --size tiny --series s.csv --series-interval 10"));
    struct table t;
    load_table(&t, "s.csv");
    assert_string_equal(cell_of_row(&t, 0, "l1_hit_rate"), "");
    assert_string_equal(cell_of_row(&t, 0, "row_hit_rate"), "");
    free(t.text);
}

COMMAND_TEST(a_series_changes_no_statistic) {
    static const char *const ways[] = {"", "--poll", "--reverse"};
    FREED char *alone = run_good_command(x, "run gemm --size tiny --scheme mrpb --json -"),
               *first = NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "run gemm --size tiny --scheme mrpb --json - --series s.csv --series-interval "
                 "777 %s",
                 ways[i]);
        char *out = run_good_command(x, line), *series = read_whole_file("s.csv");
        assert_string_equal(out, alone);
        if (first) {
            assert_string_equal(series, first);
            free(series);
        } else {
            first = series;
        }
        free(out);
    }
}

COMMAND_TEST(every_column_is_explained) {
    free(run_good_command(x, "run vecadd --size tiny --series s.csv"));
    FREED char *list = run_good_command(x, "list stats");
    struct table t;
    load_table(&t, "s.csv");
    char *columns = strstr(list, "Columns of run --series:\n");
    assert_non_null(columns);
    for (unsigned i = 0; i < t.columns; i++) {
        char name[64];
        snprintf(name, sizeof name, "\n%s ", t.name[i]);
        assert_printed(columns, name, "list stats");
    }
    free(t.text);
}

/* The lines of a run of any length: at most 500, and at least half of them where there are as many
 * steps of 5 core cycles; all but the last are as long as the first, and they add up to the run. */
COMMAND_TEST(a_series_without_an_interval_has_a_few_hundred_lines) {
    static const char *const runs[] = {"vecadd --size tiny", "gemm --size tiny",
                                       "vecadd --size small"};
    json_int_t least = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char line[256];
        snprintf(line, sizeof line, "run %s --json - --series s.csv", runs[i]);
        json_t *run = json_of(x, line);
        json_int_t cycles = json_integer_value(json_object_get(run, "cycles")), before = 0;
        struct table t;
        load_table(&t, "s.csv");
        json_int_t interval = atoll(cell_of_row(&t, 0, "cycle"));
        assert_true(t.rows <= 500 && (t.rows >= 250 || interval == 5));
        assert_int_equal(t.rows, (cycles + interval - 1) / interval);
        double warp = 0;
        for (unsigned k = 0; k < t.rows; k++) {
            json_int_t at = atoll(cell_of_row(&t, k, "cycle"));
            assert_int_equal(at, k + 1 < t.rows ? interval * (k + 1) : cycles);
            warp += atof(cell_of_row(&t, k, "ipc_warp")) * (double)(at - before);
            before = at;
        }
        assert_int_equal((json_int_t)(warp + 0.5), count_of_run(run, "core.warp_instructions"));
        assert_true(interval >= least); /* each of these runs is longer */
        least = interval;
        free(t.text);

        /* The same lines as for one who asks for that interval. */
        FREED char *chosen = read_whole_file("s.csv");
        snprintf(line, sizeof line, "run %s --series s.csv --series-interval %lld", runs[i],
                 (long long)interval);
        free(run_good_command(x, line));
        FREED char *asked = read_whole_file("s.csv");
        assert_string_equal(chosen, asked);
        json_decref(run);
    }
    assert_true(least > 5);
}

/* The warps' own interval does not change the other's. */
COMMAND_TEST(a_series_beside_the_warps_is_the_same) {
    free(run_good_command(x, "run gemm --size tiny --series s.csv"));
    FREED char *alone = read_whole_file("s.csv");
    free(run_good_command(x, "run gemm --size tiny --warps w.tsv"));
    FREED char *warps_alone = read_whole_file("w.tsv");
    free(run_good_command(x, "run gemm --size tiny --series s.csv --warps w.tsv"));
    FREED char *beside = read_whole_file("s.csv"), *warps = read_whole_file("w.tsv");
    assert_string_equal(beside, alone);
    assert_string_equal(warps, warps_alone);
}

COMMAND_TEST(a_series_can_go_to_stdout_alone) {
    FREED char *out = run_good_command(x, "run vecadd --size tiny --series -");
    assert_int_equal(strncmp(out, "cycle,ipc_warp,", 15), 0);
    assert_null(strstr(out, "machine"));
}

/* --- each warp --- */

struct warp_sums {
    unsigned lines, warps;
    json_int_t requests, hits, last;
};

/* Of a file of --warps, whose lines it checks. */
static struct warp_sums warps_of(const char *path, json_int_t interval) {
    struct warp_sums sums = {0};
    long long before = -1;
    uint64_t seen[64] = {0};
    char *text = read_whole_file(path), *line = strtok(text, "\n");
    assert_string_equal(line, "cycle\tcore\twarp\trequests\thits");
    while ((line = strtok(NULL, "\n"))) {
        long long cycle, requests, hits;
        unsigned core, warp;
        assert_int_equal(
            sscanf(line, "%lld\t%u\t%u\t%lld\t%lld", &cycle, &core, &warp, &requests, &hits), 5);
        assert_true(core < 64 && warp < 64 && requests > 0 && hits >= 0 && hits <= requests);
        /* In order, none twice. */
        assert_true((cycle * 64 + core) * 64 + warp > before);
        before = (cycle * 64 + core) * 64 + warp;
        assert_true(cycle == sums.last || cycle - sums.last >= interval ||
                    sums.last % interval == 0);
        sums.warps += !(seen[core] >> warp & 1);
        seen[core] |= UINT64_C(1) << warp;
        sums.requests += requests;
        sums.hits += hits;
        sums.last = cycle;
        sums.lines++;
    }
    free(text);
    return sums;
}

COMMAND_TEST(the_warps_intervals_add_up_to_the_run) {
    static const int intervals[] = {500, 1000000000};
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "run gemm --size tiny --json - --warps w.tsv --series-interval %d", intervals[i]);
        json_t *run = json_of(x, line);
        struct warp_sums sums = warps_of("w.tsv", intervals[i]);
        assert_int_equal(sums.requests, count_of_run(run, "core.replies_received"));
        assert_int_equal(sums.hits,
                         count_of_run(run, "l2.read_hits") + count_of_run(run, "l2.write_hits"));
        assert_true(sums.hits > 0 && sums.warps > 1);
        assert_true(intervals[i] == 500 ? sums.lines > sums.warps : sums.lines == sums.warps);
        assert_true(sums.last <= json_integer_value(json_object_get(run, "cycles")));
        json_decref(run);
    }
}

/* Reads that bypass are requests that found no line. */
COMMAND_TEST(what_bypasses_the_l2_is_a_miss_of_its_warp) {
    json_t *run = json_of(x, "run gemm --size tiny --preset gtx480 --set l2.bypass=all "
                             "--json - --warps w.tsv --series-interval 1000000000");
    struct warp_sums sums = warps_of("w.tsv", 1000000000);
    json_int_t bypasses = count_of_run(run, "l2.bypass_reads");
    assert_true(bypasses > 0 && !count_of_run(run, "l2.read_hits"));
    assert_int_equal(sums.requests, bypasses + count_of_run(run, "l2.requests"));
    assert_int_equal(sums.hits, count_of_run(run, "l2.write_hits"));
    assert_true(count_of_run(run, "core.warps_all_miss") > 0);
    assert_int_equal(count_of_run(run, "core.loads_all_hit"), 0);
    json_decref(run);
}

COMMAND_TEST(looking_at_warps_changes_no_statistic) {
    static const char *const ways[] = {"", "--poll", "--reverse", "--series s.csv"};
    FREED char *alone = run_good_command(x, "run gemm --size tiny --scheme mrpb --json -"),
               *first = NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "run gemm --size tiny --scheme mrpb --json - --warps w.tsv --series-interval 777 "
                 "%s",
                 ways[i]);
        char *out = run_good_command(x, line), *warps = read_whole_file("w.tsv");
        assert_string_equal(out, alone);
        if (first) {
            assert_string_equal(warps, first);
            free(warps);
        } else {
            first = warps;
        }
        free(out);
    }
}

/* --- the script --- */

/* Runs it with the words of a line. Return: exit status; what it said goes to "said". */
static int run_plot(const struct fixture *x, const char *line) {
    char command[8192];
    snprintf(command, sizeof command, "MPLCONFIGDIR=. %s/scripts/plot_series.py %s >said 2>&1",
             x->project, line);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool begins_with(const char *path, const char *bytes, size_t count) {
    FREED char *text = read_whole_file(path);
    bool same = !memcmp(text, bytes, count);
    return same;
}

COMMAND_TEST(the_script_draws_a_series) {
    struct stat st;
    free(run_good_command(x, "run gemm --size tiny --series s.csv --series-interval 500"));
    if (run_plot(x, "s.csv -o a.png -o a.svg -o a.pdf --title GEMM")) {
        fail_msg("%s", read_whole_file("said"));
    }
    assert_true(begins_with("a.png", "\x89PNG\r\n", 6));
    assert_int_equal(stat("a.png", &st), 0);
    assert_true(st.st_size > 10000);
    assert_true(begins_with("a.pdf", "%PDF-", 5));
    FREED char *svg = read_whole_file("a.svg");
    static const char *const parts[] = {"GEMM", "core cycles", "ipc_thread", "dram_queue"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_printed(svg, parts[i], "a.svg");
    }
}

COMMAND_TEST(the_script_lays_series_over_each_other) {
    free(run_good_command(x, "run gemm --size tiny --series one.csv"));
    free(run_good_command(x, "run gemm --size tiny --scheme mrpb --series two.csv"));
    if (run_plot(x, "one.csv two.csv -o a.svg") || run_plot(x, "one.csv -o b.svg")) {
        fail_msg("%s", read_whole_file("said"));
    }
    FREED char *both = read_whole_file("a.svg"), *one = read_whole_file("b.svg");
    static const char *const parts[] = {">one<", ">two<", "stroke-dasharray", "samples"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_printed(both, parts[i], "a.svg");
    }
    assert_null(strstr(one, ">one<"));
}

COMMAND_TEST(the_script_says_in_one_line_what_is_wrong) {
    static const struct {
        const char *content, *line, *said;
    } bad[] = {
        {NULL, "nothing.csv -o a.png", "nothing.csv: No such file"},
        {"", "x.csv -o a.png", "x.csv:1: must begin with a line of column names, cycle first"},
        {"ipc,cycle\n1,2\n", "x.csv -o a.png", "x.csv:1: must begin with"},
        {"cycle,ipc_thread\n", "x.csv -o a.png", "x.csv: has no line of values"},
        {"cycle,ipc_thread\n1,2\n3\n", "x.csv -o a.png", "x.csv:3: 1 fields: must be 2"},
        {"cycle,ipc_thread\n1,two\n", "x.csv -o a.png", "x.csv:2: ipc_thread = 'two': must be"},
        {"cycle,ipc_thread\n1,2\n", "x.csv", "needs -o PICTURE"},
        {"cycle,ipc_thread\n1,2\n", "x.csv x.csv x.csv x.csv x.csv -o a.png",
         "5 FILEs: must be 1..4"},
        {"cycle,ipc_thread\n1,2\n", "x.csv -o absent/a.png", "cannot be written: No such"},
        {"cycle,ipc_thread\n1,2\n", "x.csv -o a.jpg", "-o a.jpg: must end in .png, .svg or .pdf"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (bad[i].content) {
            write_text("x.csv", bad[i].content);
        }
        assert_int_equal(run_plot(x, bad[i].line), 2);
        FREED char *said = read_whole_file("said");
        assert_int_equal(strncmp(said, "plot_series: ", 13), 0);
        assert_printed(said, bad[i].said, bad[i].line);
        assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
    }
}
