/* SPDX-License-Identifier: Apache-2.0
 * warpmem's behaviour when a system call fails or the model is wrong, with a program that faults.c
 * and wrong_model.c are linked into; wavediff_test.c is the like for wavediff. */
#define COMMAND_PROGRAM "tb/cli/warpmem-faulty"
#include "base/long_test.h"
#include "cli/command.h"

/* A run that was made to fail gives all that it gives otherwise, or one line and no result that is
 * not whole. Results are called result.*, what an undisturbed run gave good.*, what is read input.*
 * and kernel-1.*. */
static bool text_begins(const char *text, const char *with) {
    return !strncmp(text, with, strlen(with));
}

static unsigned keep_as_good(void) {
    char good_name[300];
    unsigned count = 0;
    DIR *d = opendir(".");
    for (struct dirent *e; (e = readdir(d));) {
        if (text_begins(e->d_name, "result.")) {
            snprintf(good_name, sizeof good_name, "good.%s", e->d_name + strlen("result."));
            assert_int_equal(rename(e->d_name, good_name), 0);
            rewinddir(d);
            count++;
        }
    }
    closedir(d);
    return count;
}

static bool same_file(const char *a, const char *b) {
    struct stat sa, sb;
    if (stat(a, &sa) || stat(b, &sb) || sa.st_size != sb.st_size) {
        return false;
    }
    FREED char *one = read_whole_file(a), *other = read_whole_file(b);
    bool same = !memcmp(one, other, (size_t)sa.st_size);
    return same;
}

/* The results that are there are whole, and no other file is there. Removes them; says how many. */
static unsigned whole_results(const char *what) {
    unsigned count = 0;
    char good_name[300];
    DIR *d = opendir(".");
    for (struct dirent *e; (e = readdir(d));) {
        const char *name = e->d_name;
        bool result = text_begins(name, "result.") && !strstr(name, ".tmp");
        if (*name == '.' || text_begins(name, "good.") || text_begins(name, "input.") ||
            text_begins(name, "kernel-1.")) {
            continue;
        }
        if (!result) {
            fail_msg("%s left %s", what, name);
        }
        snprintf(good_name, sizeof good_name, "good.%s", name + strlen("result."));
        if (!same_file(name, good_name)) {
            fail_msg("%s left a wrong %s", what, name);
        }
        remove(name);
        count++;
    }
    closedir(d);
    return count;
}

static void judge_faulty_run(const struct printed *p, const struct printed *undisturbed,
                             unsigned results, unsigned expected, const char *what) {
    /* Other messages come first. */
    size_t said = text_begins(p->err, undisturbed->err) ? strlen(undisturbed->err) : 0;
    const char *last = p->err + said, *end = strchr(last, '\n');
    if (p->status == undisturbed->status) {
        if (results != expected || strcmp(p->out, undisturbed->out) ||
            strcmp(p->err, undisturbed->err)) {
            fail_msg("%s ends as if nothing were, but with %u of %u results: %s", what, results,
                     expected, p->err);
        }
    } else if ((p->status != 1 && p->status != 2) || !end || end[1] ||
               !text_begins(last, "warpmem: ")) {
        fail_msg("%s: exit %d: must be 1 or 2 with one line, not \"%s\"", what, p->status, p->err);
    }
}

/* Fails the command once in each place where something can fail; but for `make unit-long` in
 * the first and every twelfth after it. */
static void fail_everywhere(const struct fixture *x, const char *line) {
    char number[16], note[80], what[512];
    unsigned place = 0, tried = 0, expected, refused = 0;
    const unsigned step = is_long_test() ? 1 : 12;
    snprintf(note, sizeof note, "%s/note", x->prints);
    setenv("FAULT_NOTE", note, 1);
    struct printed undisturbed = run_command(x, line), p;
    if (undisturbed.status) {
        fail_msg("%s: exit %d: %s", line, undisturbed.status, undisturbed.err);
    }
    expected = keep_as_good();
    for (bool failed = true; failed; drop_printed(&p)) {
        snprintf(number, sizeof number, "%u", place += place ? step : 1);
        snprintf(what, sizeof what, "FAULT=%u %.400s", place, line);
        setenv("FAULT", number, 1);
        p = run_command(x, line);
        unsetenv("FAULT");
        failed = !access(note, F_OK);
        remove(note);
        unsigned results = whole_results(what);
        judge_faulty_run(&p, &undisturbed, results, expected, what);
        refused += failed && p.status != undisturbed.status;
        tried += failed;
    }
    print_message("%u of %u places: %s\n", refused, tried, line);
    assert_true(refused > 5 / step);
    drop_printed(&undisturbed);
}

/* Between them each part of a machine is made; vecadd runs in no time. */
COMMAND_TEST(a_run_is_whole_or_one_line) {
    static const char *const lines[] = {
        "run vecadd --size tiny --scheme mrpb --json result.json --csv result.csv",
        "run vecadd --size tiny --preset gtx480 --scheme medic-reuse --series result.s",
        "run vecadd --size tiny --set noc.topology=mesh --set noc.nodes=ccccc/ccccc/ccccp/ppppp "
        "--l2 eaf --events result.e --stats",
        "run vecadd --size tiny --preset gtx480 --l2 pcal:9 --warps result.w --explain --kernels",
        "run vecadd --size tiny --max-insn-per-kernel 20000",
        "run spmv-vector --size tiny --max-insn 20000",
        "run atax --size tiny --preset gtx480 --l2 wip --dram-log result.d",
        "run vecadd --size tiny --preset gtx480 --record-border result.b",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        fail_everywhere(x, lines[i]);
        remove_files_in(".");
    }
}

/* Of one run: of several, those that succeed stay. */
COMMAND_TEST(a_table_is_whole_or_one_line) {
    fail_everywhere(x, "compare vecadd --size tiny --presets gtx480 --schemes best-swl "
                       "--swl-limits 2 --jobs 1 --json result.json --tsv result.tsv");
}

COMMAND_TEST(a_character_is_whole_or_one_line) {
    fail_everywhere(x, "characterize vecadd --size tiny --json result.json");
}

static const char kernel[] = "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n"
                             "-nregs = 8\n-accelsim tracer version = 5\n\n#traces format = ...\n\n"
                             "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 3\n"
                             "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000000000 4 0\n"
                             "0010 0000ffff 1 R2 IADD 2 R2 R6 0 0\n0020 ffffffff 0 EXIT 0 0 0\n\n"
                             "#END_TB\n\n#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\n"
                             "insts = 1\n0020 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n";

COMMAND_TEST(traces_are_written_and_read_whole_or_not_at_all) {
    fail_everywhere(x, "trace vecadd --size tiny -o result.wtr");
    assert_int_equal(rename("good.wtr", "input.wtr"), 0);
    fail_everywhere(x, "info input.wtr");
    fail_everywhere(x, "run input.wtr --json result.json");
    remove_files_in(".");
    write_text("kernel-1.traceg", kernel);
    write_text("input.g", "MemcpyHtoD,0x7f0000000000,128\nkernel-1.traceg\n");
    fail_everywhere(x, "import input.g -o result.wtr");
    fail_everywhere(x, "info input.g");
}

COMMAND_TEST(what_is_wrong_in_the_model_is_said) {
    static const struct {
        const char *wrong, *line, *said;
    } cases[] = {
        {"law", "run vecadd --size tiny", "not conserved: reply packets = replies: "},
        {"core", "run vecadd --size tiny", "not conserved: sm0 is not empty after the run"},
        {"partition", "run vecadd --size tiny", "not conserved: partition 0 is not empty"},
        {"network", "run vecadd --size tiny", "not conserved: the interconnect is not empty"},
        {"check", "run vecadd --size tiny", "vecadd tiny: results differ from plain C: as planted"},
        {"check", "trace vecadd --size tiny -o x", "results differ from plain C: as planted"},
        {"check", "characterize vecadd --size tiny", "results differ from plain C: as planted"},
        {"expect", "run vecadd --size tiny", "vecadd tiny: core.thread_instructions = "},
        {"expect", "trace vecadd --size tiny -o x", " thread instructions: must be "},
        {"expect", "characterize vecadd --size tiny", "vecadd tiny: thread instructions = "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("WRONG", cases[i].wrong, 1);
        struct printed p = run_command(x, cases[i].line);
        unsetenv("WRONG");
        assert_printed(p.err, cases[i].said, cases[i].line);
        assert_int_equal(p.status, 1);
        drop_printed(&p);
        assert_int_equal(count_files("."), 0);
    }
}
