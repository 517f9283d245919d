/* SPDX-License-Identifier: Apache-2.0
 * The scripts that check the tree and the programs must fail when there is something to find.
 * Programs that they call are fakes here. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "cosim/shell.h"

#define LICENCE "SPDX-License-Identifier: Apache-2.0"

/* Lint on a small tree, in which `edit` was done; in a git repository that knows none of its files,
 * or outside of git. */
static int run_lint(const char *edit, bool git, char **text) {
    FREED char *tree = scratch_path("lint tree");
    int code =
        run_shell(text,
                  "%s; rm -rf '%s' && mkdir -p '%s/scripts' && cp scripts/lint.sh '%s/scripts' && "
                  "cp .clang-format .gitignore '%s' && cd '%s' && %s && "
                  "mkdir -p cmodel/base cmodel/cli rtl tb build && echo 'not C' >build/out.c && "
                  "for f in cmodel/base/a.c cmodel/base/a.h cmodel/cli/b.c tb/x.cpp rtl/x.v; do "
                  "echo '/* " LICENCE " */' >$f; done && echo '# " LICENCE "' >Makefile && "
                  "cp Makefile scripts/rules.mk && { %s; } && scripts/lint.sh 2>&1",
                  git ? "unset GIT_DIR" : "export GIT_DIR=\"$PWD/absent\"", tree, tree, tree, tree,
                  tree, git ? "git init -q ." : "true", edit);
    return code;
}

TEST(lint_looks_at_every_source_in_git_and_outside) {
    static const char *const bad[][2] = {
        {"echo '#include \"cli/b.h\"' >>cmodel/base/a.h",
         "lint: cmodel/base/a.h: base/ may not include cli/\n"},
        {"echo >rtl/x.v", "lint: rtl/x.v: no licence line in its first three lines\n"},
        {"{ echo; echo; echo; cat Makefile; } >scripts/late.sh",
         "lint: scripts/late.sh: no licence line in its first three lines\n"},
        {"echo '  int  x;' >>cmodel/cli/b.c", "lint: clang-format -i the files above\n"},
        {"rm rtl/x.v", "lint: no files like *.v\n"},
        {"rm scripts/rules.mk", "lint: no files like *.mk\n"},
        {"mv cmodel/*/*.[ch] tb", "lint: no C files in cmodel/\n"},
    };
    for (unsigned git = 0; git < 2; git++) {
        char *text;
        if (run_lint("true", git, &text) != 0) {
            fail_msg("%s", text);
        }
        assert_string_equal(text, "  PASS    lint: 3 C files, 8 sources\n");
        free(text);
        for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
            assert_int_equal(run_lint(bad[i][0], git, &text), 1);
            assert_says(text, bad[i][1]);
            free(text);
        }
    }
}

/* An empty folder for a script's build; the caller frees it. */
static char *build_folder(void) {
    char *folder = scratch_path("scripts"), *text;
    assert_int_equal(run_shell(&text, "rm -rf %s && mkdir -p %s", folder, folder), 0);
    free(text);
    return folder;
}

static void write_program(const char *folder, const char *name, const char *text) {
    char path[1024], *out;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_shell_file(path, text);
    assert_int_equal(run_shell(&out, "chmod +x %s", path), 0);
    free(out);
}

/* A `make` that builds a warpmem which lists and prints its presets, workloads and schemes, and in
 * the build `odd` once something else. */
static int run_determinism(const char *builds, const char *last_preset, const char *odd,
                           const char *when, char **text) {
    char *folder = build_folder(), fake[1024];
    snprintf(fake, sizeof fake,
             "#!/bin/sh\n"
             "for out; do :; done; mkdir -p ${out%%%%/*} $(dirname $out)\n"
             "cat >$out <<'E'\n#!/bin/sh\n"
             "case \"$1 $2\" in\n"
             "'list workloads') printf '%%s\\n' 'atax  a' '      more' 'gemm' 'vecadd'; exit ;;\n"
             "'list presets') printf '%%s\\n' c2050-s b c d e %s; exit ;;\n"
             "esac\n"
             "echo '\"complete\": true' \"$4\" \"$2\" \"$6\"\n"
             "case \"$0 $4 $2 $6\" in *%s*\"%s\") echo odd ;; esac\nE\n"
             "chmod +x $out\n",
             last_preset, odd, when);
    write_program(folder, "make", fake);
    int code = run_shell(text, "PATH=%s:$PATH; make %s/warpmem; scripts/determinism.sh %s %s 2>&1",
                         folder, folder, folder, builds);
    free(folder);
    return code;
}

TEST(determinism_compares_every_build_workload_and_scheme) {
    static const char *const odd[][2] = {
        {"gcc-O3", "atax baseline"},     {"clang-O0", "atax mrpb"},
        {"clang-O3", "gemm baseline"},   {"gcc-O3", "gemm mrpb"},
        {"clang-O3", "vecadd mrpb"},     {"gcc-O0", "vecadd mrpb"},
        {"gcc-O3", "d gemm baseline"},   {"clang-O0", "f atax baseline"},
        {"gcc-O3", "gtx480 gemm medic"}, {"clang-O0", "gtx480 vecadd pc-byp"}};
    FREED char *text;
    static const char all[] = "gcc:-O0 gcc:-O3 clang:-O0 clang:-O3";
    assert_int_equal(run_determinism(all, "f", "nothing", "", &text), 0);
    assert_says(text, "determinism: 216 runs, 3 workloads with MRPB, 3 of them on 6 presets and "
                      "with 9 schemes of MeDiC's machine: ");
    assert_says(text, "equal from gcc -O0, gcc -O3, clang -O0, clang -O3\n");
    free(text);
    assert_int_equal(run_determinism("", "f", "nothing", "", &text), 0);
    assert_says(text, "determinism: 108 runs, ");
    assert_says(text, "equal from gcc -O0, clang -O3\n");
    free(text);
    assert_int_equal(run_determinism("", "f", "clang-O3", "gemm mrpb", &text), 1);
    assert_says(text, " differ\n");
    free(text);
    assert_int_equal(run_determinism("built clang:-O0", "f", "nothing", "", &text), 0);
    assert_says(text, "equal from built, clang -O0\n");
    free(text);
    assert_int_equal(run_determinism("built clang:-O0", "f", "clang-O0", "gemm mrpb", &text), 1);
    assert_says(text, " differ\n");
    free(text);
    assert_int_equal(run_determinism("gcc:-O3", "f", "nothing", "", &text), 0);
    assert_says(text, "determinism: 54 runs, ");
    free(text);
    for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++) {
        assert_int_equal(run_determinism(all, "f", odd[i][0], odd[i][1], &text), 1);
        assert_says(text, " differ\n");
        free(text);
    }
    assert_int_equal(run_determinism(all, "", "nothing", "", &text),
                     1); /* a preset is not listed */
    assert_says(text, " on 5 presets\n");
}

/* A machine whose runs all give the same statistics, but for those that have the option `odd`; with
 * --poll it calls the Verilog in `polled` cycles, else in 5. */
static int rtl_loop(const char *odd, unsigned polled, char **text) {
    char *folder = build_folder(), fake[1024];
    snprintf(fake, sizeof fake,
             "#!/bin/sh\n"
             "cycles=5\n"
             "case \"$*\" in *--poll*) cycles=%u ;; esac\n"
             "case \"$*\" in *\"%s\"*) echo odd ;; esac\n"
             "echo '\"complete\": true'\n"
             "echo \"rtl l1/mrpb  1 instance  $cycles cycles, 3 of them clocked\" >&2\n",
             polled, odd);
    write_program(folder, "warpmem-rtl", fake);
    write_program(folder, "warpmem", "#!/bin/sh\necho '\"complete\": true'\n");
    int code = run_shell(text, "scripts/rtl_loop.sh %s 2>&1", folder);
    free(folder);
    return code;
}

TEST(rtl_loop_compares_every_kind_of_run) {
    static const char *const odd[] = {"--rtl l1/mrpb", "--rtl l1/mrpb@sm0", "--rtl l1/mrpb --poll",
                                      "--lockstep l1/mrpb", "run gemm"};
    FREED char *text;
    for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++) {
        assert_int_equal(rtl_loop(odd[i], 9, &text), 1);
        assert_says(text, ": statistics differ from the C run\n");
        free(text);
    }
    assert_int_equal(rtl_loop("nothing", 5, &text), 1);
    assert_says(text, "--poll called the Verilog in 5 cycles, not more than 5\n");
}

/* A valgrind that counts 1000 host instructions for 10 accesses, or whatever `says` is. */
static int run_bench(const char *limits, const char *options, const char *says, char **text) {
    char *folder = build_folder(), fake[1024], path[1024];
    snprintf(fake, sizeof fake,
             "#!/bin/sh\n"
             "for json; do :; done\n"
             "echo '\"complete\": true,\n\"l1.global_read_accesses\": 6,\n"
             "\"l1.global_write_accesses\": 4' >$json\n"
             "echo '==1== %s' >&2\n",
             says);
    write_program(folder, "valgrind", fake);
    snprintf(path, sizeof path, "%s/limits", folder);
    write_shell_file(path, limits);
    int code = run_shell(text,
                         "PATH=%s:$PATH LIMITS=%s scripts/bench.sh %s %s 2>&1; code=$?; cat %s; "
                         "exit $code",
                         folder, path, options, folder, path);
    free(folder);
    return code;
}

TEST(the_bench_gate_closes_above_a_limit) {
    static const char counted[] = "Collected : 1000";
    static const struct {
        const char *limits, *says, *message;
        int code;
    } cases[] = {
        {"tiny mrpb 100 97\n", counted, "  PASS    bench-gate: ATAX tiny mrpb, 100 host", 0},
        {"tiny mrpb 99 97\n", counted, "ATAX tiny mrpb: 100 host instructions an L1 access, at", 1},
        {"tiny mrpb 200 9\nsmall gto 9 9\n", counted, "ATAX small gto: 100 host", 1},
        {"# nothing\n", counted, "no limits in ", 1},
        {"tiny mrpb many\n", counted, "\"many\" is no limit", 2},
        {"tiny mrpb 100 97\n", "killed", "callgrind failed", 1},
    };
    FREED char *text;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(run_bench(cases[i].limits, "--gate", cases[i].says, &text), cases[i].code);
        assert_says(text, cases[i].message);
        free(text);
    }
    assert_int_equal(run_bench("", "--record", counted, &text), 0);
    assert_says(text, "\ntiny baseline 103 100 measured, plus 3 %");
    assert_says(text, "\ntiny mrpb 103 100 measured, plus 3 %");
}
