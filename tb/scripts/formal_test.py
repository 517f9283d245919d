#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/formal, with Yosys and the solvers at work on blocks of a few lines."""
import glob
import os
import shutil
import subprocess
import unittest

from test_house import ROOT, SCRIPTS, TOOL, House, main, said
from formal import jobs, prove

os.chdir(ROOT)
COUNTER = """module wm_counter #(
    parameter TOP = 5
) (
    input  wire       clk_i,
    input  wire       rst_i,
    input  wire       up_i,
    output wire [3:0] count_o
);
    reg [3:0] count_q;
    wire [3:0] more;
    wm_next next (.a_i(count_q), .b_o(more));
    always @(posedge clk_i) begin
        if (up_i && count_q < TOP) count_q <= more;
        if (rst_i) count_q <= 0;
    end
    assign count_o = count_q;
endmodule
"""
COUNTER_PROPS = """`BEGIN_counter_props
    always @* begin
        // more
        if (started) begin
            in_range: assert (count_o <= TOP);
        end
        shows_top: cover (started && count_o == TOP);
        cover (started && count_o == 1);
        not_up: cover (started && !up_i);
    end
endmodule
"""
NEXT = "module wm_next #(parameter ODD = 0) (input wire [3:0] a_i, output wire [3:0] b_o);\n    assign b_o = a_i + 1'b1;\nendmodule\n"
NEXT_PROPS = """module next_props #(parameter ODD = 0) (input wire [3:0] a_i);
    wire [3:0] b_o;
    wm_next dut (.a_i(a_i), .b_o(b_o));
    always @* begin
        other: assert (b_o != a_i);
        wraps: cover (b_o == 0);
    end
endmodule
"""
# Two factors of a product of primes: no solver finds them in a few seconds.
HARD_PROPS = """`BEGIN_counter_props
    (* anyconst *) wire [35:0] a;
    (* anyconst *) wire [35:0] b;
    wire [71:0] product = a * b;
    always @* prime: assert (TOP == 5 || a == 1 || b == 1 || product != 72'd1152921504606847009 * 32'd2147483647);
endmodule
"""
LIST = """# comment
t/counter       TOP=5  induction  1  test
t/counter       TOP=3  bounded    6  test
t/counter       TOP=4  induction  1  check
t/counter       TOP=5  cover      9  test
common/next     ODD=0  pdr        0  test
common/next     ODD=1  induction  1  test
common/next     ODD=0  cover      1  test
"""


class Tree(House):
    """With two blocks, one of which stands on the other."""

    def setUp(self):
        super().setUp()
        for name, text in (("rtl/t/counter.v", COUNTER), ("rtl/common/next.v", NEXT), ("tb/t/counter_props.v", COUNTER_PROPS),
                           ("tb/common/next_props.v", NEXT_PROPS),
                           ("cmodel/t/counter_ports.h", "#define COUNTER_PARAMS(P) P(TOP, 5, 1, 7, \"\")\n"
                            "#define COUNTER_SETS(S) S(small, 3)\n"),
                           ("cmodel/common/next_ports.h", "#define NEXT_PARAMS(P) P(ODD, 0, 0, 1, \"\")\n"
                            "#define NEXT_SETS(S) S(odd, 1)\n")):
            self.write(name, text)
        self.mutants = {"t/counter": "# NAME SED\nbeyond_top s/< TOP/<= TOP/\n", "common/next": "stands@odd s/ + 1'b1//\n"}
        self.write_proofs(LIST)
        os.makedirs(self.path("scripts"))
        shutil.copy(os.path.join(SCRIPTS, "block_params.sh"), self.path("scripts"))

    def write_proofs(self, text):
        """Each block's list, out of lines that begin with the block."""
        self.proofs = text
        head, *lines = text.splitlines()
        for block, mutants in self.mutants.items():
            mine = [line.split(" ", 1)[1] for line in lines if line.split()[0] == block]
            self.write(f"tb/{block}.tests", "\n".join(["[proofs]", head, *mine, "[mutants]", mutants]))

    def plant(self, mutants):
        self.mutants["t/counter"] = mutants
        self.write_proofs(self.proofs)

    def words(self, *arguments):
        return [TOOL, "formal", "--root", self.folder, "--build", self.path("build"), *arguments]

    def said(self, *arguments):
        return said(*self.words(*arguments))

    def made(self, name):
        return self.path(os.path.join("build", "formal", name))

    def rows(self):
        """formal.tsv, a row by block, parameters and method."""
        return {(r["block"], r["parameters"], r["method"]): r for r in self.table(self.made("formal.tsv"))}

    def proved_now(self, out):
        """(block, parameters, method) of the lines for proofs that ran."""
        return {(w[1], w[-1], w[3]) for w in map(str.split, out.splitlines()) if w and w[0] in ("pass", "FAIL") and "/" in w[1]}


class Proving(Tree):
    def test_tables_say_proven_or_bounded_with_its_depth_and_nothing_is_done_twice(self):
        code, out, _ = self.said()
        self.assertEqual(code, 0, out)
        self.assertIn("formal: 6 of 6 passed; 6 now", out)
        rows = self.rows()
        self.assertEqual(len(rows), 7)

        def of(*name):
            return [rows[name][column] for column in ("result", "depth", "properties", "when")]
        self.assertEqual(of("t/counter", "TOP=5", "induction"), ["proven", "all", "1", "test"])
        self.assertEqual(of("t/counter", "TOP=3", "bounded"), ["bounded", "6", "1", "test"])
        self.assertEqual(of("t/counter", "TOP=4", "induction"), ["not run", "", "", "check"])
        self.assertEqual(of("t/counter", "TOP=5", "cover"), ["reached", "6", "3", "test"])
        self.assertEqual(of("common/next", "ODD=0", "pdr"), ["proven", "all", "1", "test"])
        data = self.json(self.made("formal.json"))
        block = {b["block"]: b for b in data["blocks"]}["t/counter"]
        self.assertEqual([block[n] for n in ("corners", "proven", "bounded", "bounded_depth", "covers", "not_run")],
                         [3, 1, 1, 6, 3, 1])
        cover = next(p for p in data["proofs"] if p["block"] == "t/counter" and p["method"] == "cover")
        self.assertEqual(cover["covers"], {"shows_top": 6, "not_up": 1, "tb/t/counter_props.v:8": 2})
        self.assertIn("Yosys 0.23", data["tools"]["yosys"])
        # The waves are those of the cover that shows the block at its work.
        for ending in (".vcd", ".fst"):
            self.assertGreater(os.path.getsize(self.made("cover/t_counter" + ending)), 100)
        text = subprocess.run(["fst2vcd", self.made("cover/t_counter.fst")], text=True, capture_output=True, check=True).stdout
        self.assertRegex(text, r"\$var \S+ 4 \S+ count_o")
        self.assertIn("b0101", text)

        stamps = {name: os.stat(name).st_mtime_ns for name in glob.glob(self.made("proofs/*/result.json"))}
        code, out, _ = self.said()
        self.assertEqual((code, self.proved_now(out)), (0, set()))
        self.assertIn("nothing has changed, so none was worked out anew", out)
        self.assertEqual(stamps, {name: os.stat(name).st_mtime_ns for name in stamps})
        self.assertEqual(self.rows(), rows)

        # Long proofs add to the same table; --covers has nothing to do.
        code, out, _ = self.said("--when", "check")
        self.assertEqual((code, self.proved_now(out)), (0, {("t/counter", "TOP=4", "induction")}))
        self.assertEqual(set(row["result"] for row in self.rows().values()), {"proven", "bounded", "reached"})
        _, out, _ = self.said("--covers")
        self.assertIn("2 of 2 passed; nothing has changed", out)
        self.assertRegex(out, r"t/counter +shows_top, step 6: \S*cover/t_counter\.fst")

        # Lost waves, a cut result: only those run again.
        os.remove(self.made("proofs/t_counter-TOP_5-cover/cover0.vcd"))
        with open(self.made("proofs/common_next-ODD_0-pdr/result.json"), "r+", encoding="utf-8") as file:
            file.truncate(40)
        again = {("t/counter", "TOP=5", "cover"), ("common/next", "ODD=0", "pdr")}
        self.assertEqual(self.proved_now(self.said()[1]), again)

        # A change proves what depends on it: properties of one block; Verilog that the other stands on.
        self.change("tb/common/next_props.v", "b_o == 0", "b_o == 1")
        self.assertEqual({block for block, _, _ in self.proved_now(self.said()[1])}, {"common/next"})
        self.change("rtl/common/next.v", "a_i + 1'b1", "1'b1 + a_i")
        self.assertEqual(self.rows()[("t/counter", "TOP=4", "induction")]["result"], "proven")
        _, out, _ = self.said("--block", "t/counter")
        self.assertEqual({block for block, _, _ in self.proved_now(out)}, {"t/counter"})
        self.assertEqual(len(self.proved_now(out)), 3)
        self.assertNotIn("common/next", out)
        # Results of files that are no more are not in the table.
        self.assertEqual(self.rows()[("t/counter", "TOP=4", "induction")]["result"], "not run")
        self.assertEqual(self.rows()[("common/next", "ODD=0", "pdr")]["result"], "not run")

    def fails(self, word, method, *more):
        """Of the block's proofs of this method, which must fail for the reason word; twice, for a failure is not kept."""
        for _ in range(2):
            code, out, _ = self.said("--block", "t/counter", *more)
            self.assertEqual(code, 1, out)
            self.assertIn(word, out)
            self.assertRegex(out, rf"FAIL  t/counter .* {method} ")
        self.assertIn("FAIL  formal", out)

    def test_an_error_in_the_block_is_found_by_name(self):
        self.change("rtl/t/counter.v", "< TOP", "<= TOP")
        self.fails("in_range", "bounded")
        self.assertEqual(self.rows()[("t/counter", "TOP=3", "bounded")]["result"], "failed")
        self.assertTrue(os.path.exists(self.made("proofs/t_counter-TOP_3-bounded/trace.vcd")))

    def test_a_failed_step_shows_its_registers(self):
        """7 follows 6, and no run gets beyond 3."""
        self.change("rtl/t/counter.v", "count_q <= more", "count_q <= count_q == 3 ? 0 : more")
        self.change("tb/t/counter_props.v", "count_o <= TOP", "count_o != 7")
        self.write_proofs(LIST.replace("TOP=5  induction", "TOP=7  induction"))
        code, out, _ = self.said("--block", "t/counter")
        self.assertEqual(code, 1, out)
        self.assertIn("registers, first > last cycle of the step: dut.count_q 6 > 7", out)
        self.assertIn("assert the invariant that excludes this state", out)

    PARTS = "".join(line + "\n" for line in LIST.splitlines() if line.startswith(("#", "common"))) + (
        "t/counter TOP=5 parts 1 test\nt/counter TOP=4 bounded 1 test\nt/counter TOP=5 cover 9 check\n")
    # Each of the two assertions needs the other in the cycle before.
    TWICE = """// more
        if (started) begin
            same: assert (twice == {count_o, 1'b0});
            bounded: assert (twice <= 2 * TOP);
        end"""

    def write_twice(self, step="count_o + 1'b1"):
        self.change("tb/t/counter_props.v", "// more", self.TWICE)
        self.change("tb/t/counter_props.v", "    always @*", f"""    reg [4:0] twice;
    always @(posedge clk_i) twice <= rst_i ? 0 : up_i && count_o < TOP ? {{{step}, 1'b0}} : twice;
    always @*""")
        self.write_proofs(self.PARTS)

    def test_a_step_is_asked_for_each_assertion_by_itself(self):
        self.write_twice()
        code, out, err = self.said("--block", "t/counter")
        self.assertEqual(code, 0, out + err)
        row = self.rows()[("t/counter", "TOP=5", "parts")]
        self.assertEqual([row[column] for column in ("result", "depth", "properties")], ["proven", "all", "3"])
        self.assertEqual(self.read(self.made("proofs/t_counter-TOP_5-parts/log")).count("$ z3 "), 3)

    def test_a_part_that_does_not_follow_fails_by_name(self):
        self.write_twice(step="count_o")
        self.fails("same", "parts")
        self.assertEqual(self.rows()[("t/counter", "TOP=5", "parts")]["result"], "failed")

    def test_a_part_without_an_answer_decides_nothing(self):
        """It is easy at power-on, where the count is 0."""
        self.write("tb/t/counter_props.v", HARD_PROPS.replace("TOP == 5", "count_o == 0").replace("    always @* prime", """
    always @* if (started) prime"""))
        self.write_proofs(self.PARTS)
        code, out, _ = self.said("--block", "t/counter", "--seconds", "8")
        self.assertEqual(code, 1)
        self.assertIn("the solver used up its time\n      prime\n", out)
        self.assertEqual(self.rows()[("t/counter", "TOP=5", "parts")]["result"], "no answer")

    BITS = PARTS.replace("parts 1", "bits 1")

    def test_bits_are_asked_for_each_assertion_by_itself(self):
        self.write_twice()
        self.write_proofs(self.BITS)
        code, out, err = self.said("--block", "t/counter")
        self.assertEqual(code, 0, out + err)
        row = self.rows()[("t/counter", "TOP=5", "bits")]
        self.assertEqual([row[column] for column in ("result", "depth", "properties")], ["proven", "all", "3"])
        # At power-on and in the step; and that there is a run of each.
        self.assertEqual(self.read(self.made("proofs/t_counter-TOP_5-bits/log")).count("$ yosys-abc "), 2 * 3 + 2)

    def test_bits_that_do_not_follow_fail_by_name(self):
        self.write_twice(step="count_o")
        self.write_proofs(self.BITS)
        self.fails("same", "bits")
        self.assertEqual(self.rows()[("t/counter", "TOP=5", "bits")]["result"], "failed")

    def test_bits_that_fail_at_power_on_are_shown(self):
        self.write_proofs(self.BITS.replace("bits 1", "bits 3"))
        self.change("rtl/t/counter.v", "count_q <= 0;", "count_q <= 9;")
        self.fails("in_range", "bits")
        self.assertTrue(os.path.exists(self.made("proofs/t_counter-TOP_5-bits/trace.vcd")))

    def test_bits_without_an_answer_decide_nothing(self):
        self.write("tb/t/counter_props.v", HARD_PROPS.replace("TOP == 5 || ", ""))
        self.write_proofs(self.BITS)
        code, out, _ = self.said("--block", "t/counter", "--seconds", "8")
        self.assertEqual(code, 1)
        self.assertIn("the solver used up its time\n      prime\n", out)
        log = self.read(self.made("proofs/t_counter-TOP_5-bits/log"))
        self.assertIn("bmc3", log)
        self.assertIn("iprove", log)

    def test_bits_look_back_as_many_cycles_as_they_have(self):
        """8 comes after 7, that after 6, and that after nothing, as 0 comes after 5."""
        self.change("tb/t/counter_props.v", "count_o <= TOP", "count_o != 8")
        self.change("rtl/t/counter.v", "if (up_i && count_q < TOP) count_q <= more;", "count_q <= count_q == TOP ? 0 : more;")
        for depth, result in ((1, "failed"), (2, "failed"), (3, "proven")):
            self.write_proofs(self.BITS.replace("bits 1", f"bits {depth}"))
            self.said("--block", "t/counter")
            self.assertEqual(self.rows()[("t/counter", "TOP=5", "bits")]["result"], result, depth)

    def test_bits_refuse_what_is_true_at_power_on_alone(self):
        """The step begins in any cycle, and would believe it there."""
        self.change("tb/t/counter_props.v", "    always @*", "    initial assume (count_o == 0);\n    always @*")
        self.write_proofs(self.BITS)
        code, out, err = self.said("--block", "t/counter")
        self.assertNotEqual(code, 0)
        self.assertIn("initstate", out + err)

    def test_bits_without_a_run_prove_nothing(self):
        self.write_proofs(self.BITS)
        self.change("tb/t/counter_props.v", "// more", "assume (!rst_i || started);")
        self.fails("no run of", "bits")

    def test_an_unreachable_cover_fails(self):
        self.change("tb/t/counter_props.v", "count_o == 1", "count_o == TOP + 1")
        self.fails("tb/t/counter_props.v:8", "cover", "--covers")
        self.assertFalse(os.path.exists(self.made("cover/t_counter.fst")))

    def test_assumptions_that_leave_no_run_fail(self):
        self.change("tb/t/counter_props.v", "// more", "if (started) assume (rst_i && up_i && !rst_i);")
        self.fails("no run of 4 cycles", "induction")

    def test_no_assertion_fails(self):
        self.change("tb/t/counter_props.v", "in_range: assert (count_o <= TOP);", "")
        self.fails("nothing to prove", "induction")

    def test_properties_name_what_is_inside_the_block(self):
        self.change("tb/t/counter_props.v", "in_range: assert (count_o <= TOP",
                    "in_range: assert (dut.count_q <= TOP && {1'b0, dut.next.b_o} == dut.next.a_i + 5'd1")
        code, out, _ = self.said("--block", "t/counter")
        self.assertEqual(code, 0, out)

    def test_a_name_that_is_not_in_the_block_fails(self):
        self.change("tb/t/counter_props.v", "    always @*", "    wire more = dut.count_z;\n    always @*")
        self.fails("count_z", "induction")

    def test_errors_must_be_refuted(self):
        code, out, _ = self.said("--mutants")
        self.assertEqual(code, 0, out)
        self.assertIn("pass  formal-mutants t/counter beyond_top: refuted by in_range", out)
        self.assertIn("pass  formal-mutants common/next stands: refuted by other", out)
        self.assertEqual([(r["mutant"], r["set"], r["result"], r["assertion"]) for r in self.table(self.made("mutants.tsv"))],
                         [("stands", "odd", "refuted", "other"), ("beyond_top", "small", "refuted", "in_range")])
        self.plant("beyond_top s/< TOP/<= TOP/\nslower s/up_i \\&\\&/up_i \\&\\& clk_i \\&\\&/\n")
        code, out, _ = self.said("--mutants")
        self.assertEqual(code, 1)
        self.assertIn("FAIL  formal-mutants t/counter slower: survived", out)
        self.assertIn("2 of 3 passed; 1 now, 2 kept", out)
        self.plant("same s/nowhere//\n")
        code, out, _ = self.said("--mutants")
        self.assertEqual(code, 1)
        self.assertIn("its expression changes nothing", out)

    def test_an_error_that_shows_late_is_refuted_in_the_step_of_an_induction(self):
        self.change("rtl/t/counter.v", "    reg [3:0] count_q;\n", "    reg [3:0] count_q;\n    reg [5:0] age_q;\n")
        self.change("rtl/t/counter.v", "        if (rst_i) count_q <= 0;\n",
                    "        age_q <= age_q + 1'b1;\n        if (rst_i) {age_q, count_q} <= 0;\n")
        self.plant("late s/count_q < TOP/(count_q < TOP || age_q == 40)/\n")
        code, out, _ = self.said("--mutants", "--block", "t/counter")
        self.assertEqual(code, 1)
        self.assertIn("FAIL  formal-mutants t/counter late: survived", out)
        self.write_proofs(LIST + "t/counter small induction 1 check\n")  # not proven every day
        self.assertEqual(self.said("--mutants", "--block", "t/counter")[0], 1)
        self.write_proofs(LIST + "t/counter small induction 1 test\n")
        code, out, _ = self.said("--mutants", "--block", "t/counter")
        self.assertEqual(code, 0, out)
        self.assertIn("pass  formal-mutants t/counter late: refuted by in_range in the step of its induction", out)

    def mutant_fails(self, words, result, *more):
        """beyond_top does, with these words, and is no refuted error."""
        code, out, _ = self.said("--mutants", "--block", "t/counter", *more)
        self.assertEqual(code, 1, out)
        self.assertIn(f"FAIL  formal-mutants t/counter beyond_top: {result}\n", out)
        self.assertIn(words, out)
        self.assertIn("0 of 1 passed", out)
        rows = {row["mutant"]: row for row in self.table(self.made("mutants.tsv"))}
        self.assertEqual((rows["beyond_top"]["result"], rows["beyond_top"]["assertion"]), (result, ""))

    def test_no_error_is_refuted_by_no_assertion(self):
        self.change("tb/t/counter_props.v", "in_range: assert (count_o <= TOP);", "")
        self.mutant_fails("there is nothing to prove", "failed")

    def test_an_error_that_yosys_refuses_is_not_refuted(self):
        self.plant("beyond_top s/count_q < TOP/count_q < /\n")
        self.mutant_fails("yosys, exit code 1", "failed")

    def test_an_error_that_leaves_no_run_is_not_refuted(self):
        self.change("tb/t/counter_props.v", "// more", "if (started) assume (rst_i && up_i && !rst_i);")
        self.mutant_fails("the proofs do not find this error", "survived")

    def test_an_error_that_the_solver_gives_up_is_not_refuted(self):
        self.write("tb/t/counter_props.v", HARD_PROPS)
        self.mutant_fails("the solver used up its time", "no answer", "--seconds", "2")

    def test_an_answer_that_is_not_known_decides_nothing(self):
        job = jobs.Job("t/counter", "small", (), "bounded", 6, "test", ("beyond_top", "s/a/b/"))
        failed = "Assert failed in top: in_range\n"
        proof = prove.Proof(job, self.folder, 1)
        for code, said_by_solver, verdict in ((1, failed + "Status: FAILED", prove.PASSED), (0, "Status: PASSED", prove.FAILED),
                                              (-9, "", prove.NO_ANSWER), (1, "Unexpected EOF response", prove.NO_ANSWER)):
            proof.text, proof.run = said_by_solver, lambda words, answer=(code, said_by_solver): answer
            self.assertEqual(proof.refuted()[0], verdict, said_by_solver)
        for code, said_by_solver in ((1, "Status: PREUNSAT"), (1, failed + "Status: PASSED"), (0, failed + "Status: FAILED"),
                                     (2, failed + "Status: FAILED"), (1, "Unexpected response unknown"),
                                     (1, "Status: FAILED")):  # by no assertion that has a name
            proof.text, proof.run = said_by_solver, lambda words, answer=(code, said_by_solver): answer
            with self.assertRaises(prove.ToolFailed, msg=said_by_solver):
                proof.refuted()


class Endings(Tree):
    def setUp(self):
        super().setUp()
        self.write("tb/t/counter_props.v", HARD_PROPS)
        self.write_proofs(LIST.replace("t/counter       TOP=5  cover      9  test\n",
                                                 "t/counter       TOP=5  cover      9  check\n"))

    def test_a_solver_that_takes_too_long_gives_no_answer(self):
        code, out, _ = self.said("--block", "t/counter", "--seconds", "8")
        self.assertEqual(code, 1)
        self.assertIn("the solver used up its time", out)
        self.assertEqual(self.rows()[("t/counter", "TOP=3", "bounded")]["result"], "no answer")
        self.assertEqual(self.rows()[("t/counter", "TOP=5", "induction")]["result"], "proven")


class Lists(unittest.TestCase):
    """Of this project."""

    def test_a_proof_reads_what_its_block_stands_on_and_no_more(self):
        files = {job.block: jobs.verilog_files(job) for job in jobs.listed()}
        self.assertEqual(files["common/priority_encoder"],
                         ["rtl/common/priority_encoder.v", "tb/common/priority_encoder_props.v"])
        self.assertIn("rtl/common/round_robin_arbiter.v", files["l2/bypass"])
        self.assertIn("tb/common/sram_1r1w_formal.v", files["l1/mrpb"])
        self.assertNotIn("rtl/common/sram_1r1w.v", files["l1/mrpb"])
        self.assertNotIn("tb/common/sram_1r1w_formal.v", files["common/sram_1r1w"])


if __name__ == "__main__":
    main()
