/* SPDX-License-Identifier: Apache-2.0
 * Results that say what they are of, and runs that repeat them. */
#include "cli/command_json.h"

static const char *member_text(const json_t *json, const char *name) {
    const char *text = json_string_value(json_object_get(json, name));
    return text ? text : "(none)";
}

/* The member of "differs" that is about a key. */
static const json_t *difference_of(const json_t *json, const char *key) {
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(json, "differs"), i, one) {
        if (!strcmp(member_text(one, "key"), key)) {
            return one;
        }
    }
    return NULL;
}

COMMAND_TEST(a_changed_machine_is_not_called_as_its_preset) {
    static const struct {
        const char *options, *name, *scheme;
        size_t differs;
    } cases[] = {
        {"", "c2050-s", "baseline", 0},
        {"--scheme mrpb", "c2050-s", "mrpb", 1},
        {"--set core.count=14", "c2050-s", "baseline", 0},
        {"--set core.count=2", "c2050-s+changes", "baseline", 1},
        {"--set core.count=2 --scheme mrpb", "c2050-s+changes", "mrpb", 2},
        {"--config named.ini", "tall", "baseline", 2},
        {"--config named.ini --set core.count=7", "tall", "baseline", 2},
        {"--config named.ini --set core.count=3", "tall+changes", "baseline", 2},
        {"--config plain.ini", "gtx480+changes", "baseline", 1},
    };
    write_text("named.ini", "name = tall\nbase = gtx480\n[core]\ncount = 7\n[l2]\nways = 4\n");
    write_text("plain.ini", "base = gtx480\n[core]\ncount = 7\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[256], text[128];
        snprintf(line, sizeof line, "run WORKLOAD --size tiny --max-cycles 9 %s --json a.json",
                 cases[i].options);
        CLOSED_BY(drop_printed) struct printed p = run_command(x, line);
        json_t *json = json_load_file("a.json", 0, NULL);
        assert_int_equal(p.status, 0);
        snprintf(text, sizeof text, "machine       %s%s", cases[i].name,
                 strncmp(cases[i].name, member_text(json, "base"), 32) ? ", based on " : ": ");
        assert_printed(p.out, text, line);
        assert_string_equal(member_text(json, "machine"), cases[i].name);
        assert_string_equal(member_text(json, "scheme"), cases[i].scheme);
        assert_int_equal(json_array_size(json_object_get(json, "differs")), cases[i].differs);
        json_decref(json);
    }
}

COMMAND_TEST(every_key_that_differs_is_named_with_the_option_that_changed_it) {
    write_text("plain.ini", "[core]\ncount = 7\n[l1]\nways = 4 ; as the preset\n");
    static const char line[] = "run WORKLOAD --size tiny --max-cycles 9 --scheme mrpb --config "
                               "plain.ini --set l1.mshrs=8 --json a.json";
    CLOSED_BY(drop_printed) struct printed p = run_command(x, line);
    assert_printed(p.out, "\n  differs in  core.count=7 (14), l1.mshrs=8 (32)\n", line);
    assert_printed(p.out, "\n  sets        l1.front=mrpb (none)\n", line);
    json_t *json = json_load_file("a.json", 0, NULL);
    const char *const by[][2] = {
        {"core.count", "config"}, {"l1.mshrs", "set"}, {"l1.front", "scheme"}};
    assert_int_equal(json_array_size(json_object_get(json, "differs")), 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *one = difference_of(json, by[i][0]);
        assert_string_equal(member_text(one, "by"), by[i][1]);
        assert_true(json_equal(json_object_get(one, "value"),
                               json_object_get(json_object_get(json, "config"), by[i][0])));
    }
    assert_int_equal(json_integer_value(json_object_get(difference_of(json, "core.count"), "base")),
                     14);
    json_decref(json);
}

/* Runs of every kind, and again from what they wrote. */
COMMAND_TEST(a_result_is_repeated_byte_for_byte) {
    static const char *const options[] = {
        "run WORKLOAD --size tiny",
        "run WORKLOAD --size tiny --seed 9 --preset gtx480 --scheme medic --set core.count=3",
        "run atax --size tiny --max-insn-launch 100000 --scheme mrpb --set mrpb.depth=4",
        "run WORKLOAD --size tiny --max-cycles 500",
        "run WORKLOAD --size tiny --scheme best-swl --swl-limits 4,1,2",
        "run WORKLOAD --size tiny --config mine.ini --l1 mrpb",
        "run WORKLOAD --size tiny --preset quadro-daws --scheme daws-profiled --profile p.profile",
        "run ./file.wtr --scheme mrpb",
    };
    write_text("mine.ini", "base = gtx480\nname = mine\n[l1]\nways = 2\n");
    free(run_good_command(x, "profile WORKLOAD --size tiny --preset quadro-daws -o p.profile"));
    free(run_good_command(x, "trace WORKLOAD --size tiny --seed 4 -o file.wtr"));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char line[256];
        snprintf(line, sizeof line, "%s --json first.json", options[i]);
        CLOSED_BY(drop_printed) struct printed p = run_command(x, line);
        assert_int_equal(p.status, 0);
        CLOSED_BY(drop_printed)
        struct printed again = run_command(x, "run --config first.json --json again.json");
        FREED char *a = read_whole_file("first.json"), *b = read_whole_file("again.json");
        if (again.status || strcmp(a, b) || strcmp(p.err, again.err)) {
            fail_msg("%s\nand its repetition differ: exit %d, %s", options[i], again.status,
                     again.err);
        }
        assert_string_equal(p.out, again.out);
    }
}

COMMAND_TEST(a_repeated_run_takes_other_options_too) {
    free(run_good_command(x, "run WORKLOAD --size tiny --scheme mrpb --json a.json"));
    json_t *alone = json_of(x, "run WORKLOAD --size tiny --seed 2 --scheme mrpb --set "
                               "l1.mshrs=8 --json -");
    json_t *over = json_of(x, "run --config a.json --seed 2 --set l1.mshrs=8 --json -");
    json_t *other = json_of(x, "run vecadd --size tiny --config a.json --json -");
    assert_true(json_equal(alone, over));
    assert_string_equal(member_text(other, "workload"), "vecadd");
    assert_string_equal(member_text(other, "scheme"), "mrpb");
    json_decref(alone);
    json_decref(over);
    json_decref(other);
}

/* Rewrites a text in a result. */
static void change_result(const char *from, const char *to) {
    FREED char *text = read_whole_file("a.json");
    FILE *f = fopen("changed.json", "w");
    char *at = strstr(text, from);
    assert_non_null(at);
    fprintf(f, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    fclose(f);
}

COMMAND_TEST(a_result_that_cannot_be_repeated_is_refused) {
    static const struct {
        const char *from, *to, *said;
    } cases[] = {
        {"\"version\": 2", "\"version\": 1", "must be warpmem.run, version 2"},
        {"warpmem.run", "warpmem.compare", "must be warpmem.run, version 2"},
        {"\"l1.ways\": 4", "\"l1.ways\": 0", "l1.ways = 0: must be 1.."},
        {"\"l1.ways\": 4", "\"l1.ways\": true", "l1.ways = (nothing): must be 1.."},
        {"\"l1.ways\": 4", "\"l1.wais\": 4", "\"config\" lacks l1.ways"},
        {"\"l1.ways\": 4", "\"l1.ways\": 4, \"l1.none\": 4", "\"config\" has l1.none"},
        {"\"base\": \"c2050-s\"", "\"base\": \"c2050\"", "did you mean c2050-"},
        {"\"seed\": 1", "\"seed\": 3", "its input_hash is"},
        {"\"seed\": 1", "\"seed\": \"1\"", "\"seed\" must be a number"},
        {"\"size\": \"tiny\"", "\"size\": \"huge\"", "--size huge: must be one of"},
        {"\"workload\": ", "\"workload\": 1, \"was\": ", "\"workload\" must be a text"},
        {"\"stats\": {", "\"stats\": [", "must be keys of a machine, or a result"},
    };
    free(run_good_command(x, "run WORKLOAD --size tiny --json a.json"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        change_result(cases[i].from, cases[i].to);
        CLOSED_BY(drop_printed)
        struct printed p = run_command(x, "run --config changed.json --json b.json");
        if (p.status != 2 || *p.out || access("b.json", F_OK) == 0) {
            fail_msg("%s: exit %d, printed %s%s", cases[i].to, p.status, p.out, p.err);
        }
        assert_printed(p.err, cases[i].said, cases[i].to);
        assert_ptr_equal(strchr(p.err, '\n'), p.err + strlen(p.err) - 1); /* one line */
    }
}

COMMAND_TEST(options_that_a_result_has_are_refused_beside_it) {
    static const char *const bad[][2] = {
        {"run --config a.json --scheme gto", "--scheme gto: a.json is a result"},
        {"run --config a.json --preset gtx480", "--preset gtx480: a.json is a result"},
        {"run --config a.json --config b.ini", "must be the only --config"},
        {"run --config b.ini", "needs a workload's name"},
        {"run --config none.json", "needs a workload's name"},
        {"compare WORKLOAD --config a.json", "a.json is a result"},
    };
    free(run_good_command(x, "run WORKLOAD --size tiny --json a.json"));
    write_text("b.ini", "[l1]\nways = 2\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CLOSED_BY(drop_printed) struct printed p = run_command(x, bad[i][0]);
        assert_int_equal(p.status, 2);
        assert_printed(p.err, bad[i][1], bad[i][0]);
    }
}

COMMAND_TEST(a_result_of_another_program_is_repeated_with_a_warning) {
    free(run_good_command(x, "run WORKLOAD --size tiny --json a.json"));
    change_result("\"commit\": ", "\"commit\": \"0123\", \"was\": ");
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "run --config changed.json --json b.json");
    assert_int_equal(p.status, 0);
    assert_printed(p.err, "commit 0123: this program may give another result", "another commit");
}

/* Only what --times adds may differ from run to run. */
COMMAND_TEST(times_stand_apart_from_what_is_the_same_each_time) {
    json_t *plain = json_of(x, "run WORKLOAD --size tiny --json -");
    json_t *timed = json_of(x, "run WORKLOAD --size tiny --json - --times");
    const json_t *times = json_object_get(timed, "times");
    assert_null(json_object_get(plain, "times"));
    assert_true(json_real_value(json_object_get(times, "wall_seconds")) > 0);
    assert_true(json_real_value(json_object_get(times, "processor_seconds")) > 0);
    assert_int_equal(strlen(member_text(times, "began")), strlen("2000-01-01T00:00:00Z"));
    json_object_del(timed, "times");
    assert_true(json_equal(plain, timed));
    json_decref(plain);
    json_decref(timed);
}

COMMAND_TEST(the_input_hash_follows_size_and_seed_alone) {
    static const char *const runs[] = {"--size tiny", "--size tiny --scheme mrpb --preset gtx480",
                                       "--size tiny --seed 2"};
    char hash[3][20];
    for (size_t i = 0; i < 3; i++) {
        char line[128];
        snprintf(line, sizeof line, "run WORKLOAD %s --max-cycles 9 --json a.json", runs[i]);
        CLOSED_BY(drop_printed) struct printed p = run_command(x, line);
        json_t *json = json_load_file("a.json", 0, NULL);
        snprintf(hash[i], sizeof hash[i], "%s", member_text(json, "input_hash"));
        assert_int_equal(strlen(hash[i]), 16);
        json_decref(json);
    }
    assert_string_equal(hash[0], hash[1]);
    assert_string_not_equal(hash[0], hash[2]);
}
