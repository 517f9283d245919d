#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/mutate: what it plants, what it believes, when it fails."""
import os
import signal
import types

from test_house import ROOT, House, main
from mutate import __main__ as program, c_program, c_source, prove, report, stages
from mutate.netlist import Block
from mutate.simulate import run
from warpmem.tools.house import BadInput, ToolFailed

os.chdir(ROOT)
SOURCE = """#include <stdbool.h>
#define TWICE(x) ((x) + (x))
int f(int a, int b) {
    int sum = a + b;
    if (a < b && b) {
        sum += 2;
    }
    while (sum > 9) {
        sum--;
    }
    return a ? TWICE(sum) : -sum;
}
"""


class Marks(House):
    def test_that_each_marked_set_is_in_the_port_list_of_its_block(self):
        # Another one, which a proof may have, stops make mutate at the end of any block's run.
        for name, sets in program.known_blocks().items():
            with self.subTest(block=name):
                self.assertEqual(sets, list(Block(name, sets, self.folder).values) or ["none"])


class CSource(House):
    def setUp(self):
        super().setUp()
        self.source = self.write("f.c", SOURCE)
        self.text, self.all = c_source.candidates(self.source)

    def test_operators_constants_conditions_and_statements_are_changed(self):
        changes = {(m.line, m.what) for m in self.all}
        for change in ((4, "+ -> -"), (5, "< -> <="), (5, "&& -> ||"), (5, "a < b && b -> 0"), (5, "a < b && b -> 1"),
                       (6, "+= -> -="), (6, "2 -> 3"), (6, "2 -> 1"), (6, "sum += 2 -> nothing"), (8, "sum > 9 -> 0"),
                       (9, "-- -> ++"), (9, "sum-- -> nothing"), (11, "- -> nothing"), (11, "a -> !(a)")):
            self.assertIn(change, changes)

    def test_nothing_outside_functions_or_inside_macros_is_changed(self):
        self.assertEqual({m.line for m in self.all} & {1, 2, 3}, set())

    def test_every_mutant_changes_its_place_and_compiles(self):
        for mutant in self.all:
            changed = mutant.apply(self.text)
            self.assertNotEqual(changed, self.text)
            self.assertEqual(changed[:mutant.begin], self.text[:mutant.begin])
            self.assertTrue(changed.endswith(self.text[mutant.end:]))
            self.assertIsNotNone(c_program.CProgram.compile(changed), mutant.what)

    def test_a_sample_is_spread_over_the_file_and_a_seed_repeats_it(self):
        _, some = c_source.mutants(self.source, 6, 1)
        _, again = c_source.mutants(self.source, 6, 1)
        self.assertEqual([m.id for m in some], [m.id for m in again])
        self.assertEqual([m.number for m in some], [1, 2, 3, 4, 5, 6])
        self.assertLessEqual(some[0].line, 5)
        self.assertGreaterEqual(some[-1].line, 9)

    def test_what_is_listed_as_equal_is_always_tried(self):
        _, every = c_source.mutants(self.source, 10000, 1)
        _, some = c_source.mutants(self.source, 6, 1)
        left_out = next(m for m in every if m.id not in {n.id for n in some})
        _, with_it = c_source.mutants(self.source, 6, 1, {(left_out.text, left_out.what): "a reason"})
        self.assertIn(left_out.id, [m.id for m in with_it])
        self.assertEqual([m.number for m in with_it], list(range(1, len(with_it) + 1)))


class Endings(House):
    """The ways in which a mutant's test program may end."""

    def end(self, script, seconds=20):
        return run(["sh", "-c", script], seconds, {}, self.path("run"))

    def test_only_code_0_is_alive(self):
        self.assertEqual(self.end("exit 0"), (None, ""))
        self.assertEqual(self.end("echo 'MISMATCH l1/x  cycle 17  seed 1'; exit 1"), ("mismatch", "cycle 17"))
        self.assertEqual(self.end("echo '[  FAILED  ] test_a'; exit 1"), ("unit test", "test_a"))
        self.assertEqual(self.end("echo 'UNCOVERED x'; exit 1"), ("lockstep", "UNCOVERED x"))
        self.assertEqual(self.end("kill -SEGV $$"), ("crash", "SIGSEGV"))
        self.assertEqual(self.end("echo '[ RUN      ] a_test'; exit 255"), ("crash", "a signal that cmocka caught"))
        self.assertEqual(self.end("while :; do :; done", 1), ("no end", "1 s of processor time"))

    def test_what_comes_from_outside_kills_nothing(self):
        for number in (signal.SIGINT, signal.SIGHUP):  # what ignores them, as nohup does, hands that on to its children
            self.addCleanup(signal.signal, number, signal.signal(number, signal.SIG_DFL))
        for script in ("exit 127", "exit 2", "exit 1", "echo 'MISMATCH x cycle 3'; exit 2", "kill -KILL $$", "kill -TERM $$",
                       "kill -INT $$", "kill -HUP $$"):
            with self.subTest(script=script), self.assertRaises(ToolFailed):
                self.end(script)


class Scores(House):
    def row(self, killed, survived, equivalent=0, wanted=210):
        mutant = types.SimpleNamespace(line=1, file=self.write("a.v", "wire a;\n"), set="small", what="inv", number=7)
        fates = [stages.Fate(mutant, kind, "how") for kind, count in
                 ((stages.LOCKSTEP, killed), (stages.SURVIVED, survived), (stages.EQUIVALENT, equivalent))
                 for _ in range(count)]
        return report.row_of(types.SimpleNamespace(name="l2/x"), "verilog", wanted, fates, 1.0, 2.0)

    def test_equivalent_mutants_do_not_count(self):
        self.assertEqual(self.row(95, 5, 100)["score"], 95.0)

    def test_what_a_reason_says_is_equal_stands_apart_and_does_not_count(self):
        fates = [stages.Fate(types.SimpleNamespace(line=1, file="a.c", set="", what="0 -> 1", number=n), kind, "how")
                 for n, kind in enumerate([stages.UNIT] * 19 + [stages.SURVIVED] + [stages.BY_HAND] * 30)]
        row = report.row_of(types.SimpleNamespace(name="l2/x"), "c", 100, fates, 1.0, 2.0)
        self.assertEqual((row["score"], row["by_hand"], row["equivalent"]), (95.0, 30, 0))
        self.assertIn("0 equivalent, 30 by hand, 1 survived", report.line(row))

    def test_under_95_per_cent_fails(self):
        self.assertTrue(report.passes(self.row(190, 10)))
        self.assertFalse(report.passes(self.row(949, 51)))
        self.assertFalse(report.passes(self.row(0, 0, 300)))

    def test_too_few_mutants_of_the_verilog_fail_unless_fewer_were_asked_for(self):
        self.assertFalse(report.passes(self.row(150, 0, 49)))
        self.assertTrue(report.passes(self.row(150, 0, 50)))
        self.assertTrue(report.passes(self.row(20, 0, wanted=20)))

    def test_survivors_stand_with_their_source(self):
        listed = list(report.survivors(self.row(1, 1)))
        self.assertEqual(len(listed), 1)
        self.assertIn("a.v:1: small 7: inv\n    wire a;", listed[0])

    def test_the_table_has_a_row_a_side_with_its_score_and_verdict(self):
        report.write(self.folder, [self.row(1, 1), dict(self.row(200, 0), block="l2/y")])
        lines = [line.split("\t") for line in self.read("scores.tsv").splitlines()]
        self.assertEqual(lines[0], list(report.COLUMNS))
        self.assertEqual([(li[0], li[9], li[10]) for li in lines[1:]], [("l2/x", "50.00", "FAIL"), ("l2/y", "100.00", "pass")])


class ByHand(House):
    def listed(self, text):
        self.write("tb/l9/x.tests", "[equivalent]\n" + text)
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            return c_program.equivalents(types.SimpleNamespace(name="l9/x"))[1]
        finally:
            os.chdir(here)

    def test_each_has_a_reason(self):
        self.assertEqual(self.listed("# why\na = 1;\t1 -> 2\tnobody reads it\n"), {("a = 1;", "1 -> 2"): "nobody reads it"})

    def test_without_a_reason_it_is_refused(self):
        with self.assertRaises(BadInput):
            self.listed("a = 1;\t1 -> 2\n")

    def test_a_reason_is_about_one_place_unless_it_says_of_how_many(self):
        for reason, places, good in (("nobody reads it", 1, True), ("nobody reads it", 2, False), ("nobody reads it", 0, False),
                                     ("2 places: nobody reads it", 2, True), ("2 places: nobody reads it", 3, False),
                                     ("2 places: nobody reads it", 1, False)):
            with self.subTest(reason, places=places):
                given = ("list", {("a = 1;", "1 -> 2"): reason}, "a.c", {("a = 1;", "1 -> 2"): places})
                if good:
                    stages.check_list(*given)
                else:
                    self.assertRaises(ToolFailed, stages.check_list, *given)


class Reliance(House):
    def test_what_proofs_of_equality_rely_on_is_proven_in_every_run(self):
        """`make mutate` runs the everyday proofs first; a set of its table may not rest on one of `make formal-long`."""
        os.chdir(ROOT)
        for block, sets in program.known_blocks().items():
            self.assertTrue(sets, block)
            everyday = {(block, *words[:2]) for words in prove.listed_proofs(block) if words[3] != "check"}
            for label in sets:
                if prove.proven_for_all_time(types.SimpleNamespace(name=block), label):
                    self.assertTrue(everyday & {(block, label, way) for way in ("induction", "pdr")}, (block, label))


if __name__ == "__main__":
    main()
