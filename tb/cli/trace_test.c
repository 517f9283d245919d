/* SPDX-License-Identifier: Apache-2.0
 * warpmem trace, import, info, and run of what they wrote. */
#include "base/long_test.h"
#include "cli/command_json.h"
#include "workloads/sample.h"

#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

/* Removes the lines that name the input, which a trace has instead of arrays. */
static void forget_input(char *json) {
    char *to = json;
    for (char *at = json; *at;) {
        size_t length = strcspn(at, "\n") + 1, indent = strspn(at, " ");
        if (strncmp(at + indent, "\"trace\": ", 9) &&
            strncmp(at + indent, "\"input_hash\": ", 14)) {
            memmove(to, at, length);
            to += length;
        }
        at += length;
    }
    *to = '\0';
}

static void same_output(const struct fixture *x, const char *line, const char *again) {
    FREED char *a = run_good_command(x, line), *b = run_good_command(x, again);
    forget_input(a);
    forget_input(b);
    if (strcmp(a, b)) {
        fail_msg("%s\n%s\nprint different things", line, again);
    }
}

/* kmeans has three launches. */
COMMAND_TEST(one_launch_of_a_trace_runs_alone) {
    uint64_t all = 0;
    char line[128];
    free(run_good_command(x, "trace kmeans --size tiny -o file.wtr"));
    for (unsigned i = 1; i <= 3; i++) {
        snprintf(line, sizeof line, "run ./file.wtr --launch %u --json one.json", i);
        free(run_good_command(x, line));
        json_t *one = json_load_file("one.json", 0, NULL),
               *kernels = json_object_get(one, "kernels");
        assert_int_equal(json_array_size(kernels), 1);
        assert_true(json_is_true(json_object_get(one, "complete")));
        all += (uint64_t)json_integer_value(json_object_get(one, "warp_instructions"));
        json_decref(one);
    }
    json_t *whole = json_of(x, "run ./file.wtr --json -");
    assert_int_equal(all, json_integer_value(json_object_get(whole, "warp_instructions")));
    json_decref(whole);
    FREED char *out = run_good_command(x, "run --config one.json --json again.json");
    FREED char *first = read_whole_file("one.json"), *again = read_whole_file("again.json");
    assert_string_equal(first, again);
    CLOSED_BY(drop_printed)
    struct printed p = run_command(x, "run ./file.wtr --launch 4");
    assert_int_equal(p.status, 2);
    assert_printed(p.err, "launch 4: must be 1..3, as many as there are", "number");
    drop_printed(&p);
    p = run_command(x, "run kmeans --launch 1");
    assert_int_equal(p.status, 2);
    assert_printed(p.err, "--launch: only of a trace", "workload");
}

/* Byte for byte but for the input's hash; the file keeps the names of workload, size and seed. Of
 * all workloads in `make unit-long`, else of the sample and of every sixth. */
COMMAND_TEST(a_replay_gives_the_bytes_of_the_direct_run) {
    static const char *const options[] = {"", "--scheme mrpb", "--poll", "--max-cycles 3000"};
    char *list = run_good_command(x, "list workloads"), line[256], again[256];
    unsigned workloads = 0, seen = 0;
    for (char *at = list; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        if (*at == ' ') { /* of a workload's further lines */
            continue;
        }
        int length = (int)strcspn(at, " ");
        bool sampled = false;
        const struct workload *w;
        for (unsigned i = 0; (w = workload_sample(i)); i++) {
            sampled |= (int)strlen(w->name) == length && !strncmp(w->name, at, (size_t)length);
        }
        if (!sampled && !is_long_test() && seen++ % 6) {
            continue;
        }
        snprintf(line, sizeof line, "trace %.*s --size tiny --seed 5 -o file.wtr", length, at);
        free(run_good_command(x, line));
        for (size_t i = 0; i < (sampled ? sizeof options / sizeof *options : 1); i++) {
            snprintf(line, sizeof line, "run %.*s --size tiny --seed 5 %s --json -", length, at,
                     options[i]);
            snprintf(again, sizeof again, "run file.wtr %s --json -", options[i]);
            CLOSED_BY(drop_printed)
            struct printed a = run_command(x, line), b = run_command(x, again);
            assert_int_equal(a.status, b.status);
            forget_input(a.out);
            forget_input(b.out);
            if (a.status || strcmp(a.out, b.out) || strcmp(a.err, b.err)) {
                fail_msg("%s\n%s\n%d %d: %s%s", line, again, a.status, b.status, a.err, b.err);
            }
        }
        workloads++;
    }
    assert_true(workloads >= (is_long_test() ? 60 : 12));
    free(list);
}

COMMAND_TEST(a_replay_can_be_compared) {
    free(run_good_command(x, "trace WORKLOAD --size tiny --no-progress -o ./f"));
    same_output(x, "compare WORKLOAD --size tiny --schemes baseline,mrpb --json -",
                "compare ./f --schemes baseline,mrpb --json -");
}

COMMAND_TEST(a_replay_says_what_it_checked) {
    free(run_good_command(x, "trace WORKLOAD --size tiny -o f.wtr"));
    FREED char *out = run_good_command(x, "run f.wtr");
    assert_printed(out, "(replay of f.wtr), seed 1\n", "run f.wtr");
    assert_printed(out, "instructions equal the trace's totals: yes\n", "run f.wtr");
}

COMMAND_TEST(info_prints_launches_and_totals) {
    json_error_t e;
    free(run_good_command(x, "trace vecadd --size tiny -o f.wtr"));
    FREED char *out = run_good_command(x, "info f.wtr");
    assert_printed(out, "recorded from vecadd, size tiny, seed 1\n", "info");
    assert_printed(out, "     1  vecadd               64,1,1 ", "info");
    assert_printed(out,
                   "total   1 launches, 0 copies, 64 CTAs, 4096 warp instructions, 131072 "
                   "thread instructions, 1536 memory instructions, ",
                   "info");
    free(out);
    out = run_good_command(x, "info f.wtr --json -");
    json_t *json = json_loads(out, 0, &e);
    json_t *launch = json_array_get(json_object_get(json, "items"), 0);
    assert_string_equal(json_string_value(json_object_get(json, "schema")), "warpmem.info");
    assert_string_equal(json_string_value(json_object_get(launch, "kernel")), "vecadd");
    assert_int_equal(json_integer_value(json_object_get(launch, "warp_instructions")), 4096);
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(json, "totals"), "thread_instructions")),
        131072);
    json_decref(json);
}

static const char kernel[] = "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n"
                             "-nregs = 8\n-accelsim tracer version = 5\n\n#traces format = ...\n\n"
                             "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 3\n"
                             "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000000000 4 0\n"
                             "0010 0000ffff 1 R2 FROB 1 R2 0 0\n0020 ffffffff 0 EXIT 0 0 0\n\n"
                             "#END_TB\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 1\n"
                             "0020 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n";

COMMAND_TEST(an_import_can_be_run) {
    write_text("kernel-1.traceg", kernel);
    write_text("kernelslist.g",
               "MemcpyHtoD,0x7f0000000000,128\nkernel-1.traceg\nkernel-1.traceg\n");
    struct printed p = run_command(x, "import kernelslist.g --no-progress -o some.wtr");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "");
    assert_string_equal(p.err,
                        "warpmem: import: FROB: unknown opcode, ran as an integer addition 2 "
                        "times\n");
    drop_printed(&p);
    assert_int_equal(count_files("."), 3);
    FREED char *out = run_good_command(x, "info some.wtr");
    assert_printed(out, "recorded from some, size -, seed 0\n", "info some.wtr");
    assert_printed(out, "  copy  from the host to 0x7f0000000000: 128 bytes\n", "info some.wtr");
    assert_printed(out, "total   2 launches, 1 copies, 4 CTAs, 8 warp instructions, 224 thread",
                   "info some.wtr");
    free(out);
    out = run_good_command(x, "run some.wtr --tsv -");
    assert_printed(out, "workload\tsome\t\nsize\t-\t\nseed\t0\t\n", "run some.wtr");
    assert_printed(out, "\nwarp_instructions\t8\t", "run some.wtr");
    free(out);
    p = run_command(x, "import ./kernelslist.g -o other.wtr --name given");
    assert_int_equal(p.status, 0);
    drop_printed(&p);
    out = run_good_command(x, "info other.wtr");
    assert_printed(out, "recorded from given,", "--name");
}

static void same_files(const char *a, const char *b) {
    FREED char *x = read_whole_file(a), *y = read_whole_file(b);
    struct stat s, t;
    assert_int_equal(stat(a, &s) | stat(b, &t), 0);
    assert_int_equal(s.st_size, t.st_size);
    assert_memory_equal(x, y, (size_t)s.st_size);
}

COMMAND_TEST(a_text_makes_the_trace_that_it_was_made_of) {
    static const char *const names[] = {"WORKLOAD", "mst", "backprop"};
    char line[128];
    for (unsigned i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "trace %s --size tiny --seed 3 -o a.wtr", names[i]);
        free(run_good_command(x, line));
        free(run_good_command(x, "trace a.wtr --text -o a.txt"));
        free(run_good_command(x, "import --format text a.txt -o b.wtr"));
        same_files("a.wtr", "b.wtr");
        snprintf(line, sizeof line, "trace %s --size tiny --seed 3 --text", names[i]);
        FREED char *direct = run_good_command(x, line), *text = read_whole_file("a.txt");
        assert_string_equal(direct, text);
    }
    free(run_good_command(x, "import --format text a.txt --name given -o b.wtr"));
    FREED char *info = run_good_command(x, "info b.wtr");
    assert_printed(info, "recorded from given,", "--name");
}

COMMAND_TEST(the_example_of_a_text_runs) {
    char path[2200];
    snprintf(path, sizeof path, "%s/examples/trace/stream_and_gather.py > t.txt", x->project);
    assert_int_equal(system(path), 0);
    free(run_good_command(x, "import --format text t.txt -o t.wtr"));
    FREED char *out = run_good_command(x, "run t.wtr --tsv -");
    /* 30 CTAs of 4 warps, 64 rounds of 3 instructions. */
    assert_printed(out, "\nwarp_instructions\t23040\t", "run t.wtr");
}

static void bad_input(const struct fixture *x, const char *line, const char *what,
                      const char *allowed, unsigned left) {
    struct printed p = run_command(x, line);
    if (p.status != 2 || *p.out) {
        fail_msg("%s\nexit %d, printed %s%s", line, p.status, p.out, p.err);
    }
    assert_printed(p.err, what, line);
    assert_printed(p.err, allowed, line);
    assert_int_equal(strncmp(p.err, "warpmem: ", 9), 0);
    assert_ptr_equal(strchr(p.err, '\n'), p.err + strlen(p.err) - 1); /* one line */
    if (count_files(x->folder) != left) {
        fail_msg("%s\nleaves %u files instead of %u", line, count_files(x->folder), left);
    }
    drop_printed(&p);
}

enum { ROW_OF_ALL_BANKS = 6 * 8 * 4096 }; /* bytes, of gtx480: with each a row number ends */

/* Loads of addresses @step apart, one after the other. */
static void load_lines(FILE *f, uint64_t from, unsigned step, unsigned loads) {
    for (unsigned i = 0; i < loads; i++) {
        fprintf(f, "0000 ffffffff 1 R4 LDG.E.STRONG.GPU 1 R4 4 1 %#" PRIx64 " 4 0\n",
                from + (uint64_t)i * step);
    }
}

enum { SAME = 40, ROWS = 20 };

/* Two warps: one loads SAME times the same line, and then ROWS others; one only others. Each other
 * line is in a row of its own. */
static void import_two_warps(const struct fixture *x, uint64_t base) {
    FILE *f = fopen("kernel-1.traceg", "w");
    fprintf(f, "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-nregs = 8\n"
               "-accelsim tracer version = 5\n\n#traces format = ...\n\n");
    for (unsigned block = 0; block < 2; block++) {
        fprintf(f, "#BEGIN_TB\n\nthread block = %u,0,0\n\nwarp = 0\ninsts = %u\n", block,
                SAME + ROWS + 1);
        uint64_t others = base + (block ? 100 : 1) * (uint64_t)ROW_OF_ALL_BANKS;
        load_lines(f, block ? others + ROWS * (uint64_t)ROW_OF_ALL_BANKS : base,
                   block ? ROW_OF_ALL_BANKS : 0, SAME);
        load_lines(f, others, ROW_OF_ALL_BANKS, ROWS);
        fprintf(f, "0020 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n\n");
    }
    fclose(f);
    write_text("kernelslist.g", "kernel-1.traceg\n");
    free(run_good_command(x, "import kernelslist.g -o two.wtr"));
}

/* The allocations of a real driver begin near 2^47. Nothing but the numbers of rows differs from
 * the same trace at 0: the distance is a multiple of all that addresses are divided by. */
COMMAND_TEST(addresses_of_47_bits_run_with_two_dram_queues) {
    static const char *const schemes[] = {"wms", "medic", "medic-reuse"};
    char line[128], *low[3];
    for (unsigned far = 0; far < 2; far++) {
        import_two_warps(x, far ? UINT64_C(0x7f8000000000) : 0);
        for (unsigned i = 0; i < 3; i++) {
            snprintf(line, sizeof line, "run two.wtr --preset gtx480 --scheme %s --tsv -",
                     schemes[i]);
            char *out = run_good_command(x, line), want[80];
            assert_printed(out, "\ncomplete\ttrue\t", line);
            snprintf(want, sizeof want, "\ndram.reads\t%u\t", 1 + ROWS + SAME + ROWS);
            assert_printed(out, want, line);
            snprintf(want, sizeof want, "\ndram.high_requests\t%u\t", ROWS);
            assert_printed(out, want, line);
            if (far) {
                assert_string_equal(out, low[i]);
                free(low[i]);
                free(out);
            } else {
                low[i] = out;
            }
        }
    }
}

COMMAND_TEST(a_row_of_33_bits_ends_a_run_with_two_dram_queues) {
    const uint64_t end = (UINT64_C(1) << 32) * ROW_OF_ALL_BANKS;
    import_two_warps(x, end - 160 * (uint64_t)ROW_OF_ALL_BANKS);
    free(run_good_command(x, "run two.wtr --preset gtx480 --scheme medic"));
    import_two_warps(x, end - 159 * (uint64_t)ROW_OF_ALL_BANKS); /* the last of all loads */
    bad_input(x, "run two.wtr --preset gtx480 --scheme medic --json x.json",
              "two: kernel k: an address lies in a DRAM row whose number has more than 32 bits",
              "the most that dram.queues = two has room for", 3);
    free(run_good_command(x, "run two.wtr --preset gtx480"));
}

COMMAND_TEST(info_describes_text_traces) {
    write_text("kernel-1.traceg", kernel);
    write_text("kernelslist.g", "MemcpyHtoD,0x7f0000000000,128\nkernel-1.traceg\nMemcpyDtoH,1,2\n");
    char *out = run_good_command(x, "info kernelslist.g"), want[160];
    assert_printed(out, "  copy  from the host to 0x7f0000000000: 128 bytes\n", "info");
    snprintf(want, sizeof want,
             "     1  k                    2,1,1          32,1,1          8       "
             "0      5 %12zu  kernel-1.traceg\n",
             strlen(kernel));
    assert_printed(out, want, "info");
    free(out);
    json_error_t e;
    out = run_good_command(x, "info ./kernelslist.g --json -");
    json_t *json = json_loads(out, 0, &e);
    json_t *launch = json_array_get(json_object_get(json, "items"), 1);
    assert_string_equal(json_string_value(json_object_get(launch, "kernel")), "k");
    assert_int_equal(json_integer_value(json_object_get(launch, "tracer_version")), 5);
    json_decref(json);
    free(out);
}

COMMAND_TEST(bad_trace_gets_one_line_exit_2_and_no_file) {
    static const struct {
        const char *line, *what, *allowed;
    } bad[] = {
        {"trace", "workload", "warpmem list workloads"},
        {"trace WORKLOAD", "needs a file", "-o FILE.wtr"},
        {"trace no-such-thing -o f.wtr", "no-such-thing", "warpmem list workloads"},
        {"trace WORKLOAD again -o f.wtr", "again", "exactly one"},
        {"trace other.wtr -o f.wtr", "other.wtr", "must be a workload's name"},
        {"trace WORKLOAD -o absent/f.wtr", "-o absent/f.wtr", "No such file"},
        {"trace WORKLOAD -o -", "-o -", "must be a file"},
        {"trace WORKLOAD -o /dev/null", "-o /dev/null", "must be a file"},
        {"trace WORKLOAD --size huge -o f.wtr", "--size huge", "tiny, small"},
        {"trace WORKLOAD --seed x -o f.wtr", "--seed x", "0.."},
        {"trace WORKLOAD --poll -o f.wtr", "--poll", "warpmem trace --help"},
        {"info", "file", ".wtr"},
        {"info a.wtr b.wtr", "b.wtr", "exactly one"},
        {"info a.wtr", "a.wtr: cannot be read", "No such file"},
        {"info a.g", "a.g: cannot be read", "No such file"},
        {"info a.g --json x.json", "a.g: cannot be read", "No such file"},
        {"info .", ".: cannot be read", "directory"},
        {"info /dev/null", "byte 0", "must begin with"},
        {"run a.wtr", "a.wtr: cannot be read", "No such file"},
        {"run ./a --json x", "./a: cannot be read", "No such file"},
        {"run /dev/null --json x", "/dev/null: byte 0", "must begin with"},
        {"run a.wtr --size tiny --json x", "a.wtr: --size", "recorded with"},
        {"run a.wtr --seed 1 --json x", "a.wtr: --seed", "recorded with"},
        {"compare a.wtr --json x", "a.wtr: cannot be read", "No such file"},
        {"import", "list of kernels", "kernelslist.g"},
        {"import k.g", "needs a file", "-o FILE.wtr"},
        {"import k.g l.g -o f.wtr", "l.g", "exactly one"},
        {"import k.g -o f.wtr", "k.g: cannot be read", "No such file"},
        {"import . -o f.wtr", ".: cannot be read", "directory"},
        {"import k.g -o f.wtr --name EMPTY", "--name", "1..200"},
        {"trace other.wtr --text", "other.wtr: cannot be read", "No such file"},
        {"trace WORKLOAD --size tiny --text -o absent/f", "-o absent/f", "No such file"},
        {"import k.g -o f.wtr --format csv", "--format csv", "accelsim or text"},
        {"import --format text /dev/null -o f.wtr", "/dev/null:1 (byte 0)", "warpmem-trace 1"},
        {"import /dev/null -o f.wtr", "/dev/null:1 (byte 0)", "must name a kernel's file"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bad_input(x, bad[i].line, bad[i].what, bad[i].allowed, 0);
    }
}

COMMAND_TEST(a_bad_line_leaves_no_file) {
    char text[sizeof kernel + 16];
    write_text("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
    write_text("kernel-1.traceg", kernel);
    snprintf(text, sizeof text, "%s", kernel);
    strstr(text, "0020")[3] = 'q';
    write_text("kernel-2.traceg", text);
    bad_input(x, "import kernelslist.g -o f.wtr", "kernel-2.traceg:17 (byte ", "PC: must be", 3);
}

COMMAND_TEST(info_names_what_is_wrong_in_a_list) {
    write_text("absent.g", "kernel-1.traceg\n");
    bad_input(x, "info absent.g", "kernel-1.traceg: cannot be read", "No such file", 1);
    write_text("empty.g", "kernel-2.traceg\n");
    write_text("kernel-2.traceg", "\n");
    bad_input(x, "info empty.g", "kernel-2.traceg:", "must", 3);
    write_text("copy.g", "MemcpyHtoD,0x7f0000000000\n");
    bad_input(x, "info copy.g", "copy.g:1", "must", 4);
}

COMMAND_TEST(what_is_read_is_not_written) {
    write_text("kernelslist.g", "kernel-1.traceg\n");
    write_text("kernel-1.traceg", kernel);
    free(run_good_command(x, "trace WORKLOAD --size tiny -o f.wtr"));
    assert_int_equal(symlink("kernel-1.traceg", "link"), 0);
    static const char *const lines[] = {
        "import kernelslist.g -o kernelslist.g",
        "import kernelslist.g -o kernel-1.traceg",
        "import kernelslist.g -o link",
        "run f.wtr --json ./f.wtr",
        "compare f.wtr --json f.wtr",
        "info f.wtr --json f.wtr",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        bad_input(x, lines[i], "read", "must be another file", 4);
    }
    char *text = read_whole_file("kernel-1.traceg");
    assert_string_equal(text, kernel);
    free(text);
    free(run_good_command(x, "run f.wtr"));
}

/* A pipe can be read once: enough for a list, not for a run. */
COMMAND_TEST(pipes_do_not_hang) {
    write_text("kernel-1.traceg", kernel);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    bad_input(x, "run ./pipe", "pipe: a pipe", "must be a file", 2);
    pid_t import = start_command(x, "import pipe -o f.wtr");
    write_text("pipe", "kernel-1.traceg\n");
    struct printed p = finish_command(x, import);
    assert_int_equal(p.status, 0);
    drop_printed(&p);
    free(run_good_command(x, "info f.wtr"));
}

/* Damage that shows when the machine has run a while: what it wrote by then goes. */
COMMAND_TEST(a_trace_that_breaks_in_a_run_ends_it) {
    FILE *f;
    free(run_good_command(x, "trace WORKLOAD --size tiny -o f.wtr"));
    struct stat st;
    assert_int_equal(stat("f.wtr", &st), 0);
    assert_int_equal(truncate("f.wtr", st.st_size - 1), 0);
    bad_input(x, "run f.wtr --json x.json --events e --csv x.tsv", "f.wtr: byte ",
              "the file ends in a block", 1);
    bad_input(x, "compare f.wtr --json x.json", "f.wtr: byte ", "the file ends in a block", 1);
    assert_int_equal(truncate("f.wtr", st.st_size), 0);
    f = fopen("f.wtr", "r+b");
    fseek(f, st.st_size - 40, SEEK_SET);
    fputc(0x55, f);
    fclose(f);
    bad_input(x, "run f.wtr --json x.json", "f.wtr: byte ", "checksum", 1);
    bad_input(x, "info f.wtr --json x.json", "f.wtr: byte ", "checksum", 1);
}

COMMAND_TEST(a_signal_ends_a_recording_without_a_file) {
    pid_t child = start_command(x, "trace gemm --size paper -o f.wtr");
    const struct timespec moment = {0, 1000000};
    do {
        nanosleep(&moment, NULL);
    } while (!count_files(".")); /* the temporary one */
    kill(child, SIGTERM);
    CLOSED_BY(drop_printed) struct printed p = finish_command(x, child);
    assert_int_equal(p.status, 143);
    assert_printed(p.err, "interrupted; nothing is written", "SIGTERM");
    assert_int_equal(count_files("."), 0);
}

COMMAND_TEST(the_commands_have_help) {
    static const char *const lines[] = {"trace --help", "help trace",  "import --help",
                                        "help import",  "info --help", "help info"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        FREED char *out = run_good_command(x, lines[i]);
        assert_printed(out, "Usage: warpmem", lines[i]);
        assert_printed(out, "For example:", lines[i]);
    }
    FREED char *out = run_good_command(x, "help");
    assert_printed(out, "  trace WHAT -o FILE.wtr ", "help");
    assert_printed(out, "  import INPUT -o FILE.wtr ", "help");
    assert_printed(out, "  info FILE ", "help");
}
