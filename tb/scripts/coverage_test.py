#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/coverage on a small project made up here: a block whose lockstep is a script that writes what
Verilator would, and a C file that gcc really compiles and gcov really reads."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from test_house import ROOT, SCRIPTS, House, main, said  # noqa: E402

import house  # noqa: E402

TOOL = os.path.join(SCRIPTS, "coverage")

VERILOG = """module wm_b (input wire clk_i, input wire [1:0] x_i);
    reg [1:0] q;
    always @(posedge clk_i) begin
        if (x_i[0])
            q <= x_i;
    end
endmodule
"""
C_FILE = """int half(int x) {
    if (x < 0) {
        return 3 * x;
    }
    return x / 2;
}
"""
C_TEST = """int half(int x);
int main(int argc, char **argv) {
    (void)argv;
    return half(argc + 3) != 2;
}
"""
# --unit; or --lockstep --points --set S --coverage FILE --mismatch-dir DIR
LOCKSTEP = """#!/bin/sh
echo run >>calls
[ "$1" = --lockstep ] || exit 0
[ ! -e fail ] || { echo "MISMATCH x/b  cycle 3"; exit 1; }
cp "dat.$4" "$6"
echo "pass  x/b   seed 0x1  set $4  N=1  100 cycles  50 outputs compared  held quiet 3  reached: full 3, empty, or so $(cat empty)"
"""


def toggle(line, bit, count, inside=""):
    return f"C '\1f\2rtl/x/b.v\1l\2{line}\1n\0025\1page\2v_toggle/wm_b\1o\2{bit}\1h\2rtl.wm_b{inside}' {count}\n"


def branch(line, way, count, lines=""):
    span = f"\1S\2{lines}" if lines else ""
    return f"C '\1f\2rtl/x/b.v\1l\2{line}\1n\0029\1page\2v_branch/wm_b\1o\2{way}{span}\1h\2rtl.wm_b' {count}\n"


def block(line, lines, count):
    return f"C '\1f\2rtl/x/b.v\1l\2{line}\1n\0025\1page\2v_line/wm_b\1o\2block\1S\2{lines}\1h\2rtl.wm_b' {count}\n"


# Of the Verilog, what `verilator --xml-only` says; q is the module's, and r in a generate block.
XML = """<verilator_xml><netlist><module name="wm_b" topModule="1"><var name="N" vartype="logic" param="true"/>
<var name="q" vartype="logic"/><var name="i" vartype="integer"/><var name="words" vartype=""/>
<var name="__VdfgTmp_h2__0" vartype="logic"/>%s</module>
<module name="wm_other"><var name="z" vartype="logic"/></module></netlist></verilator_xml>
"""
GENERATED = '<begin name="g[0]"><begin name="h"><var name="r" vartype="logic"/><var name="v" vartype="logic"/></begin></begin>'
GOOD = {"small": [toggle(2, "q[0]", 9), block(3, "3", 9), branch(4, "if", 4, "4-5"), branch(4, "else", 5)],
        "big": [toggle(2, "q[0]", 0), toggle(2, "q[1]", 3), block(3, "3", 9), branch(4, "if", 0, "4-5"), branch(4, "else", 5),
                "C '\1f\2rtl/x/other.v\1l\0021\1n\0025\1page\2v_toggle/wm_other\1o\2z\1h\2rtl.wm_b.other' 0\n"]}
EXCLUDE_C = "file cmodel/base/half.c\nkind line\n     if (x < 0) {\n>        return 3 * x;\nwhy nobody halves less than nothing\n"


class Project(House):
    def setUp(self):
        super().setUp()
        self.write("rtl/x/b.v", VERILOG)
        self.write("cmodel/base/half.c", C_FILE)
        self.write("half_test.c", C_TEST)
        self.write("build/build/rtl/x/b/sets", "small -GN=1\nbig -GN=2\n")
        self.program("build/build/tb/x/b_test", LOCKSTEP)
        self.xml("")
        self.write("empty", "7\n")
        self.write("list", "# nothing\n")
        self.counts(GOOD)
        self.compile()

    def counts(self, sets):
        for label, points in sets.items():
            self.write("dat." + label, "# SystemC::Coverage-3\n" + "".join(points))

    def xml(self, more):
        for label in GOOD:
            self.write(f"build/build/rtl/x/b/{label}/ports.xml", XML % more)

    def compile(self):
        os.makedirs(self.path("build/build/obj/cmodel/base"), exist_ok=True)
        os.makedirs(self.path("build/build/unit/base"), exist_ok=True)
        subprocess.run(["gcc", "--coverage", "-O1", "-frandom-seed=x", "-c", "cmodel/base/half.c", "-o",
                        "build/build/obj/cmodel/base/half.o"], cwd=self.folder, check=True)
        subprocess.run(["gcc", "--coverage", "half_test.c", "build/build/obj/cmodel/base/half.o", "-o",
                        "build/build/unit/base/half_test"], cwd=self.folder, check=True)

    def run_tool(self, *words, unit=True):
        words = [*words, "--build", "build", "--exclusions", "list", "--block", "x/b"]
        words += ["--unit", "build/build/unit/base/half_test"] if unit else ["--only-verilog"]
        return said(sys.executable, TOOL, *words, cwd=self.folder)

    def rows(self, folder):
        data = json.loads(self.read(folder + "/coverage.json"))
        return {(row["file"], row["kind"]): row for row in data["files"]}

    def calls(self):
        return self.read("calls").count("run")


class Verilog(Project):
    def test_points_of_all_sets_are_united(self):
        code, out, err = self.run_tool(unit=False)
        self.assertEqual(code, 0, err)
        self.assertIn("pass  coverage: 1 blocks", out)
        rows = self.rows("build/verilog")
        for kind, points in (("line", 3), ("branch", 2), ("toggle", 2)):
            row = rows["rtl/x/b.v", kind]
            self.assertEqual((row["covered"], row["total"]), (points, points), kind)
        self.assertIn("rtl/x/b.v", self.read("build/verilog/coverage.info"))
        self.assertTrue(os.path.exists(self.path("build/verilog/html/index.html")))
        self.assertTrue(os.path.exists(self.path("build/verilog/html/lines/index.html")))
        self.assertIn("2/2     2 ", self.read("build/verilog/annotated/rtl/x/b.v.txt"))

    def test_a_block_of_assigns_alone_has_toggles_and_no_lines(self):
        self.counts({label: [point for point in points if "v_toggle" in point] for label, points in GOOD.items()})
        code, _, err = self.run_tool(unit=False)
        self.assertEqual(code, 0, err)
        row = self.rows("build/verilog")["rtl/x/b.v", "toggle"]
        self.assertEqual((row["covered"], row["total"]), (2, 2))
        self.assertFalse(os.path.exists(self.path("build/verilog/html/lines")))
        self.assertNotIn("lines/index.html", self.read("build/verilog/html/index.html"))

    def test_a_bit_that_only_the_big_set_has_must_toggle_there(self):
        self.counts({"big": [point.replace("' 3\n", "' 2\n") for point in GOOD["big"]]})
        code, _, err = self.run_tool(unit=False)
        self.assertEqual(code, 1)
        self.assertIn("rtl/x/b.v: toggle coverage 50.0 %, must be 95 %; not covered: 2 (q[1])", err)

    def test_each_generated_copy_toggles_by_itself(self):
        self.counts({"big": GOOD["big"] + [toggle(2, "v", 4, ".g[0]"), toggle(2, "v", 0, ".g[1]")]})
        self.assertIn("not covered: 2 (g[1].v)", self.run_tool(unit=False)[2])

    def test_a_line_and_a_branch_that_no_set_reaches_are_named(self):
        self.counts({"small": [point.replace("' 4\n", "' 0\n") for point in GOOD["small"]]})
        code, _, err = self.run_tool(unit=False)
        self.assertEqual(code, 1)
        self.assertIn("rtl/x/b.v: line coverage 66.7 %, must be 95 %; not covered: 5\n", err)
        self.assertIn("rtl/x/b.v: branch coverage 50.0 %, must be 95 %; not covered: 4 (if)\n", err)
        self.assertRegex(self.read("build/verilog/annotated/rtl/x/b.v.txt"), r"(?m)^!          10    1/2                 4  ")

    def test_each_functional_point_must_be_reached(self):
        self.write("empty", "0\n")
        code, _, err = self.run_tool(unit=False)
        self.assertEqual((code, err.splitlines()[-1]),
                         (1, "coverage: x/b: 1 of 2 functional points were never reached: empty, or so"))

    def test_a_lockstep_that_fails_ends_it(self):
        self.write("fail", "")
        code, out, err = self.run_tool(unit=False)
        self.assertEqual((code, out), (1, ""))
        self.assertIn("lockstep/x/b.small failed (exit 1)", err)
        self.assertIn("MISMATCH x/b  cycle 3", err)
        self.assertFalse(os.path.exists(self.path("build/verilog/coverage.txt")))

    def test_a_file_that_is_not_verilators_is_refused(self):
        self.write("dat.small", "coverage\n")
        code, _, err = self.run_tool(unit=False)
        self.assertEqual((code, "not a coverage file of Verilator" in err), (1, True))

    def test_a_signal_that_verilator_does_not_count_ends_it(self):
        self.xml('<var name="wide" vartype="logic"/>')
        code, out, err = self.run_tool(unit=False)
        self.assertEqual((code, out), (1, ""))
        self.assertIn("coverage: rtl/x/b.v: Verilator counts no toggles of wide with the parameters of "
                      "build/build/rtl/x/b/small/ports.xml; is one wider than --coverage-max-width", err)
        self.counts({label: [*points, toggle(2, "wide[300]", 3)] for label, points in GOOD.items()})
        shutil.rmtree(self.path("build/runs"))
        self.assertEqual(self.run_tool(unit=False)[0], 0)

    def test_signals_in_generate_blocks_are_named(self):
        self.assertNotIn("generate", self.run_tool(unit=False)[1])
        self.xml(GENERATED)
        words = "\nSignals in generate blocks, of which Verilator counts no toggles:\nrtl/x/b.v: "
        self.assertIn(words + "2: r, v\n", self.run_tool(unit=False)[1])
        self.assertIn(words + "2: r, v\n", self.read("build/verilog/coverage.txt"))
        self.counts({label: [*points, toggle(2, "r[1]", 3, ".g[0].h")] for label, points in GOOD.items()})
        shutil.rmtree(self.path("build/runs"))
        self.assertIn(words + "1: v\n", self.run_tool(unit=False)[1])


    def test_a_file_that_is_no_blocks_is_refused(self):
        self.write("rtl/x/lost.v", VERILOG)
        code, _, err = self.run_tool()
        self.assertEqual((code, err), (2, "coverage: rtl/x/lost.v: no --block measures it\n"))
        self.assertFalse(os.path.exists(self.path("calls")))


class Endings(Project):
    def run_until(self, number, ignored):
        """(exit code, what was said last) of a run that gets this signal while a lockstep goes on."""
        self.program("build/build/tb/x/b_test", LOCKSTEP.replace("cp ", "touch began; while [ ! -e go ]; do sleep 0.02; done\ncp "))
        words = [sys.executable, TOOL, "--build", "build", "--exclusions", "list", "--block", "x/b", "--only-verilog"]
        if os.path.exists(self.path("began")):
            os.remove(self.path("began"))
        run = subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL))
        self.until(lambda: os.path.exists(self.path("began")))
        os.kill(run.pid, number)
        time.sleep(0.2)
        if ignored:
            self.write("go", "")
        error = run.communicate(timeout=60)[1]
        self.assertEqual(os.path.exists(self.path("build/runs/lockstep_x_b.small")), ignored)
        return run.returncode, error.splitlines()[-1]

    def test_kill_and_a_closed_terminal_end_it_as_ctrl_c_does(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            self.assertEqual(self.run_until(number, False), (130, "coverage: stopped; the same command goes on from here"))

    def test_a_closed_terminal_does_not_end_it_under_nohup(self):
        self.assertEqual(self.run_until(signal.SIGHUP, True)[0], 0)


class Model(Project):
    def test_lines_that_no_test_reaches_are_named(self):
        code, _, err = self.run_tool()
        self.assertEqual(code, 1)
        self.assertIn("cmodel/base/half.c: line coverage 75.0 %, must be 95 %; not covered: 3\n", err)

    def test_a_file_that_no_test_links_has_no_line_covered(self):
        self.write("cmodel/base/lost.c", "int lost(void) {\n    return 1;\n}\n")
        subprocess.run(["gcc", "--coverage", "-c", "cmodel/base/lost.c", "-o", "build/build/obj/cmodel/base/lost.o"],
                       cwd=self.folder, check=True)
        self.assertIn("cmodel/base/lost.c: line coverage 0.0 %, must be 95 %; not covered: 1-2\n", self.run_tool()[2])

    def test_only_what_changed_runs_again(self):
        self.run_tool()
        self.assertEqual(self.calls(), 3)  # unit tests, two sets
        self.assertRegex(self.run_tool()[2], r"4 runs of \d+ s cpu, of which 0 are new")
        self.assertEqual(self.calls(), 3)
        self.write("half_test.c", C_TEST.replace("half(argc + 3) != 2", "half(argc - 9) != -24 || half(4) != 2"))
        self.compile()
        code, _, err = self.run_tool()
        self.assertRegex(err, r"4 runs of \d+ s cpu, of which 1 are new")
        self.assertEqual((code, self.calls()), (0, 3), err)

    def test_a_test_that_reads_a_folder_runs_again_when_that_changes(self):
        reads = ("#include <dirent.h>\n" + C_TEST).replace("(void)argv;", """(void)argv;
    DIR *d = opendir("tb/fuzz/corpus");
    for (struct dirent *e; d && (e = readdir(d));) half(-(e->d_name[0] == 'x'));
    d && closedir(d);""")
        self.write("half_test.c", reads)
        self.compile()
        self.write("tb/fuzz/corpus/words/a", "1")
        self.run_tool()
        self.assertRegex(self.run_tool()[2], r" of which 0 are new")
        self.write("tb/fuzz/corpus/words/a", "2")
        self.assertRegex(self.run_tool()[2], r" of which 1 are new")
        self.write("tb/fuzz/corpus/x", "2")
        code, _, err = self.run_tool()
        self.assertRegex(err, r" of which 1 are new")
        self.assertEqual(code, 0, err)  # it reached the line that is left

    def test_a_file_that_is_gone_is_measured_no_more(self):
        self.test_a_file_that_no_test_links_has_no_line_covered()
        notes = self.path("build/build/obj/cmodel/base/lost.gcno")
        self.assertTrue(os.path.exists(notes))
        os.rename(self.path("cmodel/base/lost.c"), self.path("kept.c"))
        code, out, err = self.run_tool()
        self.assertEqual((code, "lost.c" in out + err), (1, False), out + err)  # of half.c
        self.assertNotIn("lost.c", self.read("build/coverage.json"))
        # Nor is its object there, which would look as new as the file if that came back.
        self.assertFalse(os.path.exists(notes) or os.path.exists(notes.replace(".gcno", ".o")))

    def test_two_do_not_share_a_folder(self):
        with house.only_one(self.path("build"), "make coverage"):
            self.one_line(self.run_tool(), "another make coverage is at work there")
        self.assertFalse(os.path.exists(self.path("calls")))

    def test_a_program_that_a_test_compiles_again_ends_it(self):
        self.program("build/build/tb/x/b_test", LOCKSTEP.replace("cp ", "echo >>build/build/tb/x/b_test\ncp "))
        code, _, err = self.run_tool(unit=False)
        self.assertEqual(code, 1)
        self.assertIn("lockstep/x/b.big: build/build/tb/x/b_test was compiled again while the tests ran", err)

    def test_a_run_cut_short_begins_anew(self):
        self.run_tool(unit=False)
        os.rename(self.path("build/runs/lockstep_x_b.big"), self.path("build/runs/lockstep_x_b.big.part"))
        self.assertRegex(self.run_tool(unit=False)[2], r"2 runs of \d+ s cpu, of which 1 are new")


class Exclusions(Project):
    def test_a_line_with_its_reason_is_left_out(self):
        self.write("list", EXCLUDE_C)
        code, out, err = self.run_tool()
        self.assertEqual(code, 0, err)
        self.assertIn("1 points excluded", out)
        self.assertEqual(self.rows("build")["cmodel/base/half.c", "line"]["excluded"],
                         [{"point": [3], "why": "nobody halves less than nothing"}])

    def test_what_others_read_says_the_same_as_the_tables(self):
        self.write("list", EXCLUDE_C)
        self.run_tool()
        data = json.loads(self.read("build/coverage.json"))
        whole = {"covered": 2, "total": 2, "excluded": 0, "percent": 100.0}
        self.assertEqual(data["blocks"], [{
            "block": "x/b", "line": {**whole, "covered": 3, "total": 3}, "branch": whole, "toggle": whole, "functional": whole,
            "c_line": None, "cycles": 200, "outputs_compared": 100, "unseen": []}])
        self.assertEqual([(p["place"], p["files"], p["covered"], p["total"], p["excluded"]) for p in data["model"]],
                         [("base", 1, 3, 3, 1), ("all", 1, 3, 3, 1)])
        self.assertEqual([line.split("\t") for line in self.read("build/summary.tsv").splitlines()[1:]],
                         [["x/b", "100.00", "100.00", "100.00", "100.00", "", "200", "100", "0"],
                          ["cmodel/base", "", "", "", "", "100.00", "", "", "1"], ["cmodel", "", "", "", "", "100.00", "", "", "1"]])

    def test_those_of_this_project_stand_in_their_files(self):
        code, out, err = said(sys.executable, TOOL, "--check-list", cwd=ROOT)
        self.assertEqual((code, err), (0, ""))
        self.assertIn(" stand in their files", out)

    def test_an_exclusion_whose_text_is_gone_ends_it_before_anything_runs(self):
        self.write("list", EXCLUDE_C.replace("3 * x", "4 * x"))
        self.assertEqual(self.run_tool()[0], 2)
        self.assertFalse(os.path.exists(self.path("calls")))

    def test_bits_are_left_out_by_name(self):
        self.counts({"big": [point.replace("' 3\n", "' 1\n") for point in GOOD["big"]]})
        self.write("list", "file rtl/x/b.v\nkind toggle\nbits q[1]\n> reg [1:0] q;\nwhy it is never one\n")
        self.assertEqual(self.run_tool(unit=False)[0], 0)

    def test_one_that_is_not_needed_is_an_error(self):
        changed = EXCLUDE_C.replace("x < 0", "x < 1")
        twice = "file cmodel/base/half.c\nkind line\n> }\nwhy so\n"
        covered = "file cmodel/base/half.c\nkind line\n> return x / 2;\nwhy so\n"
        empty = "file cmodel/base/half.c\nkind line\n> }\n return x / 2;\nwhy so\n"
        bits = "file rtl/x/b.v\nkind toggle\nbits q[0]\n> reg [1:0] q;\nwhy so\n"
        for text, part in ((changed, "its lines stand 0 times in cmodel/base/half.c, must be once"),
                           (twice, "its lines stand 2 times in cmodel/base/half.c (lines 4, 6), must be once"),
                           (covered, "line 5 of cmodel/base/half.c is covered: the entry must go"),
                           (empty, "line 4 of cmodel/base/half.c has nothing that line coverage counts"),
                           (bits, "line 2 of rtl/x/b.v is covered: the entry must go"),
                           (EXCLUDE_C.replace("half.c", "third.c"), "cmodel/base/third.c: No such file or directory")):
            self.write("list", text)
            code, _, err = self.run_tool()
            self.assertEqual((code, err.splitlines()[-1]), (2, "coverage: list:1: " + part))

    def test_one_without_kind_text_or_reason_is_an_error(self):
        for text, part in (("kind line\n", "list:1: an entry must begin with: file PATH"),
                           ("file a\nkind lines\n", "list:2: kind 'lines': must be one of line, branch, toggle"),
                           ("file a\nkind line\n b\nwhy so\n", "list:4: must be, in this order"),
                           ("file a\nkind line\n> b\nwhy\n", "list:4: must be, in this order"),
                           ("file a\nkind line\nbits q\n", "list:3: must be, in this order"),
                           ("file a\nkind line\n> b\n", "list:1: the entry has no reason")):
            self.write("list", text)
            code, _, err = self.run_tool(unit=False)
            self.assertEqual((code, part in err), (2, True), err)

    def test_a_wrong_option_is_one_line(self):
        for words, part in ((("--jobs", "0"), "'0': must be 1..1024"), (("--nothing",), "unrecognized")):
            self.one_line(self.run_tool(*words), part)
        self.one_line(self.run_tool("--block", "x/c"), "--block x/c: must be a block")


if __name__ == "__main__":
    main()
