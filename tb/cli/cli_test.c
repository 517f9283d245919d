/* SPDX-License-Identifier: Apache-2.0
 * Output of the warpmem command. */
#include "cli/command.h"
#include "cli/command_json.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>

COMMAND_TEST(every_command_has_help) {
    static const char *const lines[] = {"help",
                                        "--help",
                                        "-h",
                                        "help run",
                                        "run --help",
                                        "run WORKLOAD --help",
                                        "run --size=tiny -h",
                                        "compare --help",
                                        "help compare",
                                        "list --help",
                                        "config --help",
                                        "help config"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        FREED char *out = run_good_command(x, lines[i]);
        assert_printed(out, "Usage: warpmem", lines[i]);
    }
    FREED char *out = run_good_command(x, "run --help");
    assert_printed(out, "preset < scheme", "run --help");
    assert_printed(out, "Exit status: 0 good, 1 ", "run --help");
    assert_printed(out, "--reverse", "run --help");
    free(out);
    out = run_good_command(x, "version");
    assert_printed(out, "warpmem 0.", "version");
}

COMMAND_TEST(a_run_reports_and_checks_its_results) {
    FREED char *out = run_good_command(x, "run WORKLOAD --size tiny --stats");
    assert_printed(out, "results equal plain C: yes\n", "run");
    assert_printed(out, "144.0 GB/s", "run");
    assert_printed(out, "\nlatency       ", "run");
    assert_printed(out, "\nparallelism   ", "run");
    assert_printed(out, "\nenergy        ", "run");
    assert_printed(out, "\nl1.read_hits ", "run --stats");
}

COMMAND_TEST(json_has_its_members_in_order) {
    static const char *const members[] = {"schema",
                                          "version",
                                          "program",
                                          "workload",
                                          "size",
                                          "seed",
                                          "machine",
                                          "base",
                                          "differs",
                                          "input_hash",
                                          "limits",
                                          "scheme",
                                          "config_hash",
                                          "config",
                                          "complete",
                                          "cycles",
                                          "warp_instructions",
                                          "thread_instructions",
                                          "ipc",
                                          "kernels",
                                          "figures",
                                          "stats"};
    json_t *json = json_of(x, "run WORKLOAD --size tiny --seed 7 --scheme mrpb --json -");
    const char *name;
    json_t *value;
    size_t i = 0;
    json_object_foreach(json, name, value) {
        assert_true(i < sizeof members / sizeof *members);
        assert_string_equal(name, members[i++]);
    }
    assert_int_equal(i, sizeof members / sizeof *members);
    assert_string_equal(json_string_value(json_object_get(json, "schema")), "warpmem.run");
    assert_int_equal(json_integer_value(json_object_get(json, "version")), 2);
    assert_string_equal(json_string_value(json_object_get(json, "workload")), x->workload);
    assert_string_equal(json_string_value(json_object_get(json, "size")), "tiny");
    assert_int_equal(json_integer_value(json_object_get(json, "seed")), 7);
    assert_string_equal(json_string_value(json_object_get(json, "scheme")), "mrpb");
    assert_int_equal(strlen(json_string_value(json_object_get(json, "config_hash"))), 16);
    assert_true(json_is_true(json_object_get(json, "complete")));
    json_int_t cycles = json_integer_value(json_object_get(json, "cycles"));
    json_int_t thread = json_integer_value(json_object_get(json, "thread_instructions"));
    double ipc = json_real_value(json_object_get(json, "ipc"));
    assert_true(cycles > 0 && ipc > 0);
    assert_true(ipc - (double)thread / (double)cycles < 1e-6 &&
                (double)thread / (double)cycles - ipc < 1e-6);
    json_decref(json);
}

COMMAND_TEST(the_registry_has_the_names_that_reports_use) {
    static const char *const names[] = {"core.warp_instructions",
                                        "core.thread_instructions",
                                        "l1.global_read_accesses",
                                        "l1.global_write_accesses",
                                        "l1.read_hits",
                                        "l1.read_pending_hits",
                                        "l1.read_misses",
                                        "l1.read_bypasses",
                                        "l1.fail_associativity",
                                        "l1.fail_mshr_full",
                                        "l1.fail_mshr_merge",
                                        "l1.fail_miss_queue",
                                        "l2.read_hits",
                                        "l2.read_misses",
                                        "l2.write_hits",
                                        "l2.write_misses",
                                        "noc.request_flits",
                                        "noc.reply_flits",
                                        "noc.reply_packets",
                                        "dram.reads",
                                        "dram.writes",
                                        "dram.read_bytes",
                                        "dram.write_bytes",
                                        "dram.activates",
                                        "dram.row_hits"};
    json_t *json = json_of(x, "run WORKLOAD --size tiny --json -");
    FREED char *list = run_good_command(x, "list stats");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!json_is_integer(json_object_get(json_object_get(json, "stats"), names[i]))) {
            fail_msg("%s is missing", names[i]);
        }
        assert_printed(list, names[i], "list stats");
    }
    json_decref(json);
}

COMMAND_TEST(the_same_run_gives_the_same_bytes) {
    static const char *const lines[] = {
        "run WORKLOAD --size tiny --json -",
        "run WORKLOAD --size tiny --json - --poll",
        "run WORKLOAD --size tiny --json - --reverse",
        "run WORKLOAD --size tiny --json - --in-time",
        "run WORKLOAD --size tiny --json - --no-progress --seed 0x1",
        "run WORKLOAD --size=tiny --json=- --preset c2050-s --set l1.ways=4",
        "run --json - --size tiny WORKLOAD",
    };
    FREED char *first = run_good_command(x, lines[0]);
    for (size_t i = 1; i < sizeof lines / sizeof *lines; i++) {
        FREED char *again = run_good_command(x, lines[i]);
        assert_string_equal(first, again);
    }
    free(run_good_command(
        x, "run WORKLOAD --size tiny --json file.json --csv file.tsv --events events"));
    FREED char *file = read_whole_file("file.json");
    assert_string_equal(first, file);
    struct stat st;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat("file.json", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0666 & ~mask);
    assert_int_equal(count_files("."), 3);
}

/* Each cycle of each core is in one class, so the table has all and no more. */
COMMAND_TEST(explain_tells_every_cycle_apart) {
    FREED char *out = run_good_command(x, "run WORKLOAD --size tiny --explain");
    char *at = strstr(out, "\nwhere cycles went ");
    unsigned long long sum = 0, cycles, all = 0;
    assert_non_null(at);
    at += strcspn(at + 1, "\n") + 2;
    while (*at != '\n') {
        assert_int_equal(sscanf(at + 20, "%llu", &cycles), 1);
        if (!strncmp(at, "all cores ", 10)) {
            all = cycles;
        } else {
            sum += cycles;
        }
        at += strcspn(at, "\n") + 1;
    }
    assert_true(all && all == sum);
    assert_null(strstr(out, "not told apart"));
    assert_printed(at, "\nLatency  ", "--explain");
    assert_printed(at, "\nBottleneck    In ", "--explain");
    assert_printed(at, "What attacks it: ", "--explain");
}

COMMAND_TEST(csv_and_tsv_have_name_value_unit) {
    static const struct {
        const char *line, *head, *counter;
    } forms[] = {
        {"run WORKLOAD --size tiny --tsv -", "name\tvalue\tunit\n", "\nl1.read_hits\t"},
        {"run WORKLOAD --size tiny --csv -", "name,value,unit\n", "\nl1.read_hits,"},
    };
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
        FREED char *out = run_good_command(x, forms[i].line);
        assert_int_equal(strncmp(out, forms[i].head, strlen(forms[i].head)), 0);
        for (char *line = out; *line; line = strchr(line, '\n') + 1) {
            unsigned between = 0;
            for (char *p = line; *p != '\n'; p++) {
                between += *p == (i ? ',' : '\t');
            }
            assert_int_equal(between, 2);
        }
        assert_printed(out, forms[i].counter, forms[i].line);
    }
}

COMMAND_TEST(a_file_replaces_whole_and_a_link_stays_a_link) {
    struct stat st;
    write_text("old.json", "old");
    assert_int_equal(symlink("old.json", "link.json"), 0);
    struct printed p = run_command(x, "run WORKLOAD --size tiny --json link.json --set l1.ways=0");
    assert_int_equal(p.status, 2);
    drop_printed(&p);
    char *text = read_whole_file("old.json");
    assert_string_equal(text, "old");
    free(text);
    free(run_good_command(x, "run WORKLOAD --size tiny --json link.json"));
    assert_int_equal(lstat("link.json", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    text = read_whole_file("old.json");
    assert_printed(text, "\"schema\": \"warpmem.run\"", "--json link.json");
    free(text);
    assert_int_equal(count_files("."), 2);
}

COMMAND_TEST(devices_are_written_not_replaced) {
    struct stat st;
    free(run_good_command(x, "run WORKLOAD --size tiny --json /dev/null"));
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "run WORKLOAD --size tiny --json /dev/full");
    assert_int_equal(p.status, 1);
    assert_printed(p.err, "/dev/full: cannot be written: No space left", "/dev/full");
    assert_printed(p.out, "\nresults equal plain C: yes\n",
                   "the report, whatever becomes of a file");
    drop_printed(&p);
    p = run_command(x, "run WORKLOAD --size tiny --series /dev/full --tsv x.tsv");
    assert_int_equal(p.status, 1);
    FREED char *whole = read_whole_file("x.tsv");
    assert_printed(whole, "\nl1.read_hits\t", "a file beside one that fails");
    remove("x.tsv");
    drop_printed(&p);
    p = run_command(x, "list presets --full-stdout");
    assert_int_equal(p.status, 1);
    assert_printed(p.err, "stdout: cannot be written: No space left", "stdout to /dev/full");
}

/* A program that writes a temporary file has it locked; kill -9 leaves it unlocked. */
COMMAND_TEST(a_temporary_file_that_kill_9_left_is_removed) {
    write_text("x.json.tmpAAAAAA", "half");
    write_text("x.json.tmpBBBBBB", "of another that runs");
    write_text("x.json.tmpAAAAAAA", "of the user");
    int fd = open("x.json.tmpBBBBBB", O_RDWR);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    free(run_good_command(x, "run WORKLOAD --size tiny --json x.json"));
    assert_int_not_equal(access("x.json.tmpAAAAAA", F_OK), 0);
    assert_int_equal(access("x.json.tmpBBBBBB", F_OK), 0);
    assert_int_equal(access("x.json.tmpAAAAAAA", F_OK), 0);
    close(fd);
    assert_int_equal(count_files("."), 3);
}

COMMAND_TEST(max_cycles_ends_a_run_incomplete) {
    struct printed p = run_command(x, "run WORKLOAD --size tiny --max-cycles 100 --json x.json");
    assert_int_equal(p.status, 0);
    assert_printed(p.err, "stopped at --max-cycles 100", "--max-cycles");
    assert_printed(p.out, "not checked, incomplete", "--max-cycles");
    drop_printed(&p);
    FREED char *text = read_whole_file("x.json");
    assert_printed(text, "\"complete\": false", "--max-cycles");
    assert_printed(text, "\"cycles\": 100,", "--max-cycles");
}

COMMAND_TEST(max_insn_ends_a_run_incomplete) {
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "run WORKLOAD --size tiny --max-insn 5000 --json x.json");
    assert_int_equal(p.status, 0);
    assert_printed(p.err, "stopped at --max-insn 5000; the statistics are incomplete", "max-insn");
    assert_printed(p.out, "not checked, incomplete", "--max-insn");
    drop_printed(&p);
    char *text = read_whole_file("x.json");
    assert_printed(text, "\"complete\": false", "--max-insn");
    free(text);
    /* Two cycles of 14 cores, each with two schedulers: 1792 thread instructions at most. */
    p = run_command(x, "run WORKLOAD --size tiny --max-insn 5000 --max-cycles 2");
    assert_printed(p.err, "stopped at --max-cycles 2;", "which came first");
}

/* kmeans has three launches. */
COMMAND_TEST(max_insn_launch_ends_a_run_with_a_launch) {
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "run kmeans --size tiny --max-insn-launch 1 --kernels");
    assert_int_equal(p.status, 0);
    assert_printed(p.err, "stopped at --max-insn-launch 1; the statistics are incomplete", "cap");
    assert_printed(p.out, "not checked, incomplete", "--max-insn-launch");
    FREED char *whole = run_good_command(x, "run kmeans --size tiny --max-insn-launch 1000000000");
    assert_printed(whole, "results equal plain C: yes", "never reached");
}

COMMAND_TEST(kernels_that_were_cut_are_named) {
    struct printed p = run_command(x, "run WORKLOAD --size tiny --max-insn-per-kernel 5000");
    assert_int_equal(p.status, 0);
    assert_printed(p.err, " launches were cut at --max-insn-per-kernel 5000", "per kernel");
    assert_printed(p.out, " launches cut at --max-insn-per-kernel 5000\n", "per kernel");
    assert_printed(p.out, "results equal plain C: yes\n", "per kernel");
    drop_printed(&p);
    FREED char *out =
        run_good_command(x, "run WORKLOAD --size tiny --max-insn-per-kernel 1000000000");
    assert_null(strstr(out, "capped"));
}

COMMAND_TEST(a_dram_log_has_every_command) {
    json_t *run = json_of(x, "run WORKLOAD --size tiny --json - --dram-log log");
    json_t *stats = json_object_get(run, "stats");
    char *text = read_whole_file("log");
    json_int_t lines = -1; /* the heading */
    for (char *line = text; *line; line += strcspn(line, "\n") + 1) {
        lines++;
    }
    assert_int_equal(lines, json_integer_value(json_object_get(stats, "dram.activates")) +
                                json_integer_value(json_object_get(stats, "dram.precharges")) +
                                json_integer_value(json_object_get(stats, "dram.columns")));
    free(text);
    json_decref(run);
}

static json_int_t lines_of_kind(const char *text, const char *kind) {
    json_int_t count = 0;
    for (const char *at = text; (at = strstr(at, kind)); at++) {
        count++;
    }
    return count;
}

COMMAND_TEST(a_recorded_border_has_requests_commands_and_returns) {
    static const char line[] = "run WORKLOAD --size tiny --set l2.partitions=1 --json -";
    json_t *plain = json_of(x, line), *run = json_of(x, "run WORKLOAD --size tiny --set "
                                                        "l2.partitions=1 --json - "
                                                        "--record-border border");
    json_t *stats = json_object_get(run, "stats");
    FREED char *text = read_whole_file("border");
    assert_true(json_equal(json_object_get(plain, "stats"), stats));
    const struct {
        const char *kind, *stat;
    } kinds[] = {{"\tfetch\t", "dram.reads"},
                 {"\treturn\t", "dram.reads"},
                 {"\tstore\t", "dram.writes"},
                 {"\tactivate\t", "dram.activates"},
                 {"\tprecharge\t", "dram.precharges"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        assert_int_equal(lines_of_kind(text, kinds[i].kind),
                         json_integer_value(json_object_get(stats, kinds[i].stat)));
    }
    assert_int_equal(lines_of_kind(text, "\tread\t") + lines_of_kind(text, "\twrite\t"),
                     json_integer_value(json_object_get(stats, "dram.columns")));
    assert_int_equal(strncmp(text, "warpmem-border 1\tDEPTH=16\t", 26), 0);
    json_decref(plain);
    json_decref(run);
}

/* The value of "key = value" in what config show prints. */
static unsigned shown_key(const struct fixture *x, const char *line, const char *section,
                          const char *key) {
    char *out = run_good_command(x, line), head[64], want[64];
    unsigned value = ~0u;
    snprintf(head, sizeof head, "[%s]\n", section);
    snprintf(want, sizeof want, "\n%s ", key);
    char *at = strstr(out, head);
    at = at ? strstr(at, want) : NULL;
    if (!at || sscanf(strchr(at, '='), "= %u", &value) != 1) {
        fail_msg("%s\nno %s.%s in %s", line, section, key, out);
    }
    free(out);
    return value;
}

COMMAND_TEST(each_override_beats_the_one_before) {
    write_text("three.ini", "[mrpb]\ndepth = 3\n");
    write_text("four.ini", "[mrpb]\ndepth = 4\n");
    write_text("ways.ini", "[l1]\nways = 2\n");
    assert_int_equal(shown_key(x, "config show c2050-s", "l1", "ways"), 4);
    assert_int_equal(shown_key(x, "config show c2050-s --config ways.ini", "l1", "ways"), 2);
    assert_int_equal(
        shown_key(x, "config show c2050-s --set l1.ways=8 --config ways.ini", "l1", "ways"), 8);
    assert_int_equal(
        shown_key(x, "config show c2050-s --config three.ini --scheme mrpb", "mrpb", "depth"), 3);
    assert_int_equal(
        shown_key(x, "config show c2050-s --config three.ini --config four.ini", "mrpb", "depth"),
        4);
    assert_int_equal(
        shown_key(x, "config show c2050-s --set mrpb.depth=5 --set mrpb.depth=6", "mrpb", "depth"),
        6);
}

/* Schemes change the preset that a file inherits, and the file changes the scheme. */
COMMAND_TEST(a_file_names_the_preset_that_it_changes) {
    write_text("mine.ini", "base = gtx480\n[l1]\nways = 2\n");
    write_text("full.ini", "base = gtx480\n[l1]\nsets = 16\n");
    char *checked =
        run_good_command(x, "config check mine.ini --l1 fully-associative --config full.ini");
    assert_printed(checked, "over preset gtx480 it", "config check");
    free(checked);
    assert_int_equal(
        shown_key(x, "config show gtx480 --config full.ini --l1 fully-associative", "l1", "ways"),
        128);
    assert_int_equal(
        shown_key(x, "config show gtx480 --config mine.ini --l1 fully-associative", "l1", "ways"),
        2);
    char *ran = run_good_command(x, "run WORKLOAD --size tiny --config mine.ini --json -");
    assert_printed(ran, "\"base\": \"gtx480\"", "run --config");
    free(ran);
    char *sources = run_good_command(x, "config show gtx480 --config mine.ini --sources");
    assert_printed(sources, "= 2             ; scheme, part, --config or --set\n", "--sources");
    assert_printed(sources, "= 15            ; gtx480.ini:", "--sources");
    free(sources);
}

COMMAND_TEST(the_label_says_when_a_schemes_key_was_overridden) {
    static const struct {
        const char *options, *label;
    } cases[] = {
        {"", "baseline"},
        {"--scheme mrpb+gto", "mrpb+gto"},
        {"--issue gto --l1 mrpb", "issue:gto+l1:mrpb"},
        {"--scheme mrpb --set mrpb.depth=4", "mrpb+overrides"},
        {"--set l1.front=mrpb", "baseline+overrides"},
        {"--scheme mrpb --set l2.ways=8", "mrpb"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[256], want[128];
        snprintf(line, sizeof line, "config show c2050-s %s", cases[i].options);
        snprintf(want, sizeof want, "; scheme %s, config ", cases[i].label);
        FREED char *out = run_good_command(x, line);
        assert_printed(out, want, line);
    }
}

COMMAND_TEST(what_config_shows_can_be_given_back) {
    char *out = run_good_command(x, "config show c2050-s --scheme mrpb+gto --set l2.ways=8"),
         want[64];
    char *hash = strstr(out, ", config ") + 9;
    write_text("shown.ini", out);
    snprintf(want, sizeof want, "it gives config %.16s\n", hash);
    FREED char *checked = run_good_command(x, "config check shown.ini");
    assert_printed(checked, want, "config check");
    snprintf(want, sizeof want, "\"config_hash\": \"%.16s\"", hash);
    FREED char *ran = run_good_command(x, "run WORKLOAD --size tiny --config shown.ini --json -");
    assert_printed(ran, want, "run --config");
    free(out);
}

COMMAND_TEST(a_policy_says_so_where_it_held_nobody) {
    CLOSED_BY(drop_printed)
    struct printed none = run_command(x, "run nn --size tiny --scheme daws-detected --json -");
    assert_int_equal(none.status, 0);
    assert_string_equal(none.err, "warpmem: nn: daws held no warp: no loop markers\n");
    CLOSED_BY(drop_printed)
    struct printed some = run_command(x, "run mvt --size tiny --scheme daws-detected --json -");
    assert_string_equal(some.err, "warpmem: mvt: daws held no warp\n");
}

COMMAND_TEST(a_key_that_changes_nothing_is_named) {
    static const char mrpb[] = "--set mrpb.drain=longest: changes nothing while l1.front=none",
                      mdb[] = "--set mdb.limit=3: changes nothing while mdb.bypass=off",
                      pdp[] = "--set pdp.distance=8: changes nothing while l1.replacement=lru",
                      owl[] = "--set owl.life=slot: changes nothing while issue.scheduler",
                      daws[] = "--set daws.factor=50: changes nothing while daws.mode=off",
                      profile[] = "--profile: changes nothing while no policy reads it",
                      pool[] = "--set l2.mshr_pool=partition: changes nothing while l2.banks=1",
                      bypass_at[] = "--set l2.bypass_at=arbiter: changes nothing while "
                                    "l2.bypass=off",
                      counts[] = "--set medic.counts=reads: changes nothing while no policy uses",
                      share[] = "--set dram.queue_share=common: changes nothing while dram.queues",
                      high[] = "--set dram.high=row-first: changes nothing while dram.queues=one";
    static const struct {
        const char *options, *told; /* NULL: nothing */
    } keys[] = {
        {"--set mrpb.drain=longest", mrpb},
        {"--l1 mrpb --set mrpb.drain=longest", NULL},
        {"--scheme mrpb --set mrpb.drain=longest", NULL},
        {"--set mdb.limit=3", mdb},
        {"--set mdb.limit=3 --set mdb.bypass=limit", NULL},
        {"--set mdb.bypass=off", NULL},
        {"--set pdp.distance=8", pdp},
        {"--set owl.life=slot", owl},
        {"--scheme owl --set owl.life=slot", NULL},
        {"--scheme pdp --set pdp.distance=8", NULL},
        {"--set daws.factor=50", daws},
        {"--scheme daws-detected --set daws.factor=50", NULL},
        {"--scheme daws-detected --profile some.profile", profile},
        {"--set l2.mshr_pool=partition", pool},
        {"--preset gtx480 --set l2.mshr_pool=partition", NULL},
        {"--set medic.counts=reads", counts},
        {"--scheme wip --set medic.counts=reads", NULL},
        {"--set dram.queue_share=common", share},
        {"--scheme wms --set dram.queue_share=common", NULL},
        {"--set l2.bypass_at=arbiter", bypass_at},
        {"--scheme wms --set l2.bypass_at=arbiter", NULL},
        {"--set dram.high=row-first", high},
        {"--scheme wms-row-first", NULL},
    };
    write_text("some.profile", "daws-profile 1\nend\n");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char line[128];
        snprintf(line, sizeof line, "run WORKLOAD --size tiny --max-cycles 2 %s", keys[i].options);
        CLOSED_BY(drop_printed) struct printed p = run_command(x, line);
        assert_int_equal(p.status, 0);
        if (keys[i].told) {
            assert_non_null(strstr(p.err, keys[i].told));
        } else {
            assert_null(strstr(p.err, "changes nothing"));
        }
    }
}

COMMAND_TEST(lists_name_what_there_is) {
    static const char *const lists[][2] = {
        {"list schemes", "mrpb.bypass=associativity"},
        {"list schemes", "--issue gto"},
        /* the longest name and a short one: descriptions stand in one column */
        {"list schemes", "\n--issue cta-aware-locality-blp the same "},
        {"list schemes", "\nmrpb                           MRPB as in"},
        {"list presets", "c2050-s"},
        {"list blocks", "l1/mrpb"},
        {"list blocks", "DEPTH"},
        {"list blocks", "\ntop/memory_channel "},
        {"list blocks", " paper      48, 8, 64, 5, 0, 1, 1\n"},
        {"list workloads", "\natax                  polybench: "},
        {"list workloads", " s  512 rows, 256 columns of 2048\n"},
        {"list workloads --tsv",
         "\natax\tpolybench\ttiny\t512 rows, 256 columns of 2048\t2\t65704\t151576\t0."}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        FREED char *out = run_good_command(x, lists[i][0]);
        assert_printed(out, lists[i][1], lists[i][0]);
    }
}

/* Events into a pipe: the run has begun when they come, and waits for us when the pipe is full. */
static void run_signalled(const struct fixture *x, int number, int status) {
    char buf[4096];
    unlink("pipe");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int fd = open("pipe", O_RDONLY | O_NONBLOCK);
    pid_t child = start_command(x, "run WORKLOAD --size small --events pipe --json part.json");
    fcntl(fd, F_SETFL, 0);
    ssize_t n;
    do { /* without a writer a pipe reads as empty at once */
        n = read(fd, buf, sizeof buf);
    } while (n == 0 && waitpid(child, NULL, WNOHANG) == 0);
    assert_true(n > 0);
    kill(child, number);
    while (read(fd, buf, sizeof buf) > 0) {}
    close(fd);
    struct printed p = finish_command(x, child);
    if (p.status != status) {
        fail_msg("signal %d: exit %d: %s", number, p.status, p.err);
    }
    assert_printed(p.err, "interrupted at cycle", "signal");
    drop_printed(&p);
    char *text = read_whole_file("part.json");
    json_t *json = json_loads(text, 0, NULL);
    assert_true(json_is_false(json_object_get(json, "complete")));
    assert_true(json_integer_value(json_object_get(json, "cycles")) > 0);
    json_decref(json);
    free(text);
    assert_int_equal(count_files("."), 2);
}

COMMAND_TEST(a_signal_ends_a_run_with_the_statistics_so_far) {
    signal(SIGHUP, SIG_DFL); /* nohup ignores it, and so would the command */
    run_signalled(x, SIGINT, 130);
    run_signalled(x, SIGTERM, 143);
    run_signalled(x, SIGHUP, 129);
    run_signalled(x, SIGXFSZ, 153);
}

/* Only where the binary has Verilog: in warpmem there is nothing to compare. */
COMMAND_TEST(verilog_in_the_machine_changes_no_statistic) {
    static const char *const options[] = {
        "--rtl l1/mrpb",
        "--lockstep l1/mrpb",
        "--lockstep l1/mrpb@sm1 --rtl l1/mrpb --record l1/mrpb@sm0=rec --wave w.fst",
    };
    FREED char *c =
        x->verilog ? run_good_command(x, "run WORKLOAD --size tiny --scheme mrpb --json -") : NULL;
    for (size_t i = 0; c && i < sizeof options / sizeof *options; i++) {
        char line[256];
        snprintf(line, sizeof line, "run WORKLOAD --size tiny --scheme mrpb --json - %s",
                 options[i]);
        CLOSED_BY(drop_printed) struct printed p = run_command(x, line);
        if (p.status) {
            fail_msg("%s\nexit %d: %s", line, p.status, p.err);
        }
        assert_string_equal(p.out, c);
        assert_printed(p.err, " of them clocked", line);
    }
    assert_int_equal(count_files("."), c ? 2 : 0);
}
