#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of the proofs of scripts/mutate: what they call equal, and what they must not."""
import os
import types
from unittest import mock

from test_house import ROOT, House, main
from mutate import guarded, prove, stages
from mutate.netlist import Block, Mutant
from mutate.store import Spent
from warpmem.tools.house import ToolFailed

os.chdir(ROOT)


class Equivalence(House):
    """Real proofs about the smallest arbiter."""

    def setUp(self):
        super().setUp()
        self.block = Block("common/round_robin_arbiter", ["least"], self.folder)
        os.makedirs(self.block.path("least", "proofs"))
        self.block.conditions = prove.conditions(self.block)
        self.block.elaborate("least", True)
        self.prover = prove.Prover(self.block, "least")
        text = self.read(self.block.path("least", "abstract.il")).split("module \\wm_dut\n")[1].split("\nend\n")[0]
        self.register = next(line.split()[2] for line in text.splitlines() if line.startswith("  cell $dff "))
        self.choice = next(line.split()[2] for line in text.splitlines() if line.startswith("  cell $mux "))

    def mutant(self, change):
        return Mutant(1, "least", change)

    def test_a_register_that_is_not_read_may_as_well_be_0(self):
        # of two requesters only bit 0 is read; that bit 2 differs is more than the step alone can know
        same = self.mutant(f"-mode const0 -module x -cell {self.register} -port Q -portbit 2")
        self.assertIs(self.prover.equal(same, False)[0], True)
        self.assertIsNot(self.prover.equal(same, True)[0], False)

    def test_copies_that_cannot_begin_alike_are_not_called_equal(self):
        for mode in ("const1", "inv"):
            for step in (True, False):
                other = self.mutant(f"-mode {mode} -module x -cell {self.register} -port Q -portbit 0")
                self.assertIsNot(self.prover.equal(other, step)[0], True)

    def test_another_output_is_found_and_refuted(self):
        other = self.mutant(f"-mode inv -module x -cell {self.choice} -port S -portbit 0")
        self.assertIsNot(self.prover.equal(other, True)[0], True)
        self.assertIs(self.prover.equal(other, False)[0], False)
        self.assertIsNotNone(self.prover.refute(other))

    def test_a_changed_register_does_not_begin_alike(self):
        cell, other = f"{self.register} 0", "$flatten\\memory.$procdff$7 0"
        for port in ("Q", "D", "CLK"):
            changed = self.mutant(f"-mode inv -module x -cell {self.register} -port {port} -portbit 0")
            self.assertEqual(prove.Prover.hides(changed, cell), port == "Q")
            self.assertFalse(prove.Prover.hides(changed, other))
            self.assertFalse(prove.Prover.hides(changed, f"{self.register} 1"))

    def test_a_flattened_cell_says_its_instance(self):
        for cell, instance in ((r"$flatten\g_lane[0].counters.$procdff$4", "g_lane[0].counters."),
                               (r"$flatten\g[1].waiting.$flatten\memory.$procdff$4", "g[1].waiting.memory."),
                               (r"$flatten\waiting.\memory.$memory\words[3]$9", "waiting.memory."),
                               ("$procdff$4", ""), (r"$lt$rtl/l2/x.v:3$4", "")):
            self.assertEqual(prove.instance_of(cell), instance)

    def test_a_flattened_wire_says_its_instance(self):
        for name, joined, instance in (("g[0].waiting.memory.words[3]", "g[0].waiting memory words[3]", "g[0].waiting.memory."),
                                       ("only_assigns.d_i", "only_assigns d_i", "only_assigns."),
                                       ("memory.g[1].word_q", "memory g[1].word_q", "memory."), ("g[0].count_q", None, "")):
            net = {"attributes": {"hdlname": joined} if joined else {}}
            self.assertEqual(prove.instance_of_name(name, net), instance)

    def test_a_sweep_that_fails_leaves_the_proof_without_it(self):
        same = self.mutant(f"-mode const0 -module x -cell {self.register} -port Q -portbit 2")
        honest, ways = prove.solve, []

        def solve(words, seconds):
            ways.append(words[-1])
            return "" if "scorr" in words[-1] else honest(words, seconds)
        with mock.patch.object(prove, "solve", solve):
            self.assertEqual(self.prover.equal(same, False), (True, "pdr"))
        self.assertTrue(ways[-1].endswith("; fold; pdr"))
        self.assertEqual(self.prover.equal(same, False), (True, "pdr"))

    def test_what_only_may_begin_otherwise_is_not_said_to_differ(self):
        for port, word in (("Q", "may differ"), ("D", "differ")):
            other = self.mutant(f"-mode inv -module x -cell {self.register} -port {port} -portbit 0")
            same, how = self.prover.equal(other, False)
            self.assertIs(same, False)
            self.assertIn(f"outputs {word}", how)

    def test_a_list_is_compared_as_a_whole_as_lockstep_does(self):
        self.prover.block.conditions = {"data_o": "valid", "other_o": "p->WAYS"}
        self.assertEqual(self.prover.counts("data_o", ["data_o", "valid_o"]), "!(|valid_o) || data_o == m_data_o")
        self.assertEqual(self.prover.counts("other_o", ["other_o"]), "other_o == m_other_o")

    def test_a_prover_that_calls_everything_equal_ends_the_run(self):
        dead = self.mutant(f"-mode inv -module x -cell {self.choice} -port S -portbit 0")
        run = stages.Run(self.block, types.SimpleNamespace(jobs=1), Spent(self.path("spent"), "key"))
        run.fates[1] = stages.Fate(dead, stages.LOCKSTEP, "mismatch")
        fair = types.SimpleNamespace(equal=lambda *_: (None, ""), reach=lambda *_: (False, ""), refute=lambda *_: None)
        stages.control_proofs(run, {"least": fair}, "fair", [dead])
        easy = types.SimpleNamespace(equal=lambda *_: (None, ""), reach=lambda *_: (True, "pdr"), refute=lambda *_: None)
        strict = types.SimpleNamespace(equal=fair.equal, reach=fair.reach, refute=lambda *_: ("an assertion", ""))
        for name, prover in (("easy", easy), ("strict", strict)):
            with self.subTest(name), self.assertRaises(ToolFailed):
                stages.control_proofs(run, {"least": prover}, name, [dead])


class Memory(House):
    """Real proofs about a block on a memory."""

    def setUp(self):
        super().setUp()
        self.block = Block("common/fifo", ["least"], self.folder)
        for name in ("proofs", "whole"):
            os.makedirs(self.block.path("least", name))
        self.block.conditions = prove.conditions(self.block)
        self.block.elaborate("least", True)
        self.block.netlist("least", [])
        self.prover = prove.Prover(self.block, "least")

    def test_memories_have_to_be_used_alike_where_only_their_promise_is_known(self):
        # Reads of what nobody looks at: the same outputs, another use of the memory.
        always = Mutant(1, "least", "-mode const1 -module x -cell memory -port rd_en_i -portbit 0")
        self.assertIsNot(self.prover.equal(always, False)[0], True)
        twin = " ".join(self.read(os.path.join(self.prover.folder, "twin.v")).split())
        for port in ("wr_en_i", "wr_addr_i", "wr_data_i", "rd_en_i", "rd_addr_i"):
            self.assertIn(rf"\props.dut.memory.{port} == \gate.memory.{port} );", twin)

    def twin(self, prover):
        prover.make_twin()
        return self.read(os.path.join(prover.folder, "twin.v"))

    def test_registers_are_compared_by_names_of_their_own_instance(self):
        # The mutant may change the instance's connections.
        text = self.twin(self.prover)
        self.assertIn(r"\props.dut.memory.rd_data_q [0] == \gate.memory.rd_data_q [0]", text)
        self.assertNotIn(r"\props.dut.deq_data_o [0] == ", text)
        unused = Mutant(1, "least", "-mode inv -module x -cell memory -port rd_data_o -portbit 0")
        self.assertIsNot(self.prover.equal(unused, True)[0], True)

    def test_all_words_are_compared_where_the_promise_does_not_decide(self):
        text = self.twin(self.prover.whole)
        for word in range(2):
            self.assertIn(rf"\props.dut.memory.words[{word}] [0] == \gate.memory.words[{word}] [0]", text)
        for wrong in ("inv", "const1"):
            other = Mutant(1, "least", f"-mode {wrong} -module x -cell memory -port rd_en_i -portbit 0")
            self.assertIs(self.prover.whole.equal(other, False)[0], False)

    def test_a_proof_by_conditions_looks_at_the_use_of_memories_too(self):
        always = Mutant(1, "least", "-mode const1 -module x -cell memory -port rd_en_i -portbit 0")
        self.assertIsNot(guarded.equal(self.prover, always)[0], True)


TOY = """module wm_toy(input wire clk_i, input wire rst_i, input wire d_i, output wire kept_o, output wire odd_o);
    reg kept_q, one_q, other_q, odd_q;
    assign kept_o = kept_q;
    assign odd_o = odd_q;
    always @(posedge clk_i) begin
        one_q   <= d_i;
        other_q <= d_i;
        if (d_i) kept_q <= 1'b0;
        if (rst_i) odd_q <= one_q ^ other_q;
    end
endmodule
"""
TOY_PROPS = """module toy_props(input wire clk_i, input wire rst_i, input wire d_i);
    wire kept_o, odd_o;
    wm_toy dut(.clk_i(clk_i), .rst_i(rst_i), .d_i(d_i), .kept_o(kept_o), .odd_o(odd_o));
    reg started = 1'b0;
    always @(posedge clk_i) started <= 1'b1;
    always @* if (!started) assume (rst_i);
endmodule
"""


class Toy(House):
    """A block of a few lines."""

    def prover(self, verilog, properties, place="toy"):
        block = Block.__new__(Block)
        block.name, block.short, block.sets, block.work, block.values = "toy/toy", "toy", ["s"], self.path(place), {"s": {}}
        block.verilog, block.properties, block.conditions = block.path("toy.v"), [block.path("toy_props.v")], {}
        block.sources = lambda abstract: [block.verilog, *block.properties]
        self.write(place + "/toy.v", verilog)
        self.write(place + "/toy_props.v", properties)
        os.makedirs(block.path("s", "proofs"))
        self.cells = self.read(block.elaborate("s", True)).split("module \\wm_dut\n")[1].split("\nend\n")[0].split("\n  cell ")[1:]
        with mock.patch.object(prove, "listed_proofs", lambda name: []):
            return prove.Prover(block, "s")

    def mutant(self, mode, kind, connection, port):
        """In the cell of this kind with this connection."""
        found = [cell.split()[1] for cell in self.cells if cell.startswith(kind + " ") and f"connect {connection}\n" in cell]
        self.assertEqual(len(found), 1, self.cells)
        return Mutant(1, "s", f"-mode {mode} -module x -cell {found[0]} -port {port} -portbit 0")


class PowerOn(Toy):
    """The tool does not choose the registers' values then: these could be 0, and those two equal, but need not."""

    def test_registers_without_a_reset_may_hold_anything(self):
        prover = self.prover(TOY, TOY_PROPS)
        ways = {"step": lambda m: prover.equal(m, True), "pdr": lambda m: prover.equal(m, False),
                "guarded": lambda m: guarded.equal(prover, m)}
        for name in ("kept_q", "odd_q"):
            for port in ("Q", "D"):
                for way, equal in ways.items():
                    with self.subTest(name, port=port, way=way):
                        zero = self.mutant("const0", "$dff", rf"\Q \{name}", port)
                        self.assertIsNot(equal(zero)[0], True)


ZERO = """module wm_toy(input wire clk_i, input wire rst_i, input wire d_i, output wire kept_o, output wire odd_o);
    reg odd_q;
    reg [1:0] turn_q;
    assign kept_o = turn_q[1] ^ d_i;
    assign odd_o = odd_q;
    always @(posedge clk_i) begin
        odd_q  <= d_i;
        turn_q <= rst_i ? 2'd0 : {turn_q[1] && d_i, d_i};
    end
endmodule
"""


class AlwaysZero(Toy):
    def test_a_register_that_is_always_0_may_as_well_be_0(self):
        prover = self.prover(ZERO, TOY_PROPS)
        for step in (True, False):
            with self.subTest(step=step):
                zero = self.mutant("const0", "$dff", r"\Q \turn_q", "Q")
                zero = Mutant(1, "s", zero.change.replace("-portbit 0", "-portbit 1"))
                self.assertIs(prover.equal(zero, step)[0], True)


PLACE = """module wm_toy(input wire clk_i, input wire rst_i, input wire put_i, input wire take_i, input wire d_i, input wire left_i,
              output wire taken_o, output wire data_o);
    reg taken_q, data_q;
    assign taken_o = taken_q;
    assign data_o = data_q;
    always @(posedge clk_i) begin
        if (put_i && !taken_q) begin
            taken_q <= 1'b1;
            data_q  <= d_i;
        end else if (take_i) begin
            taken_q <= 1'b0;
            data_q  <= left_i;
        end
        if (rst_i) taken_q <= 1'b0;
    end
endmodule
"""
PLACE_PROPS = """module toy_props(input wire clk_i, input wire rst_i, input wire put_i, input wire take_i, input wire d_i,
                 input wire left_i);
    wire taken_o, data_o;
    wm_toy dut(.clk_i(clk_i), .rst_i(rst_i), .put_i(put_i), .take_i(take_i), .d_i(d_i), .left_i(left_i),
               .taken_o(taken_o), .data_o(data_o));
    reg started = 1'b0;
    always @(posedge clk_i) started <= 1'b1;
    always @* if (!started) assume (rst_i);
endmodule
"""


class Guarded(Toy):
    """A place whose data count only while it is taken."""

    def setUp(self):
        super().setUp()
        self.place = self.prover(PLACE, PLACE_PROPS)
        self.place.block.conditions = {"data_o": "taken"}
        self.stale = [self.mutant(mode, "$mux", r"\B \left_i", "B") for mode in ("inv", "const0", "const1")]

    def test_what_an_empty_place_keeps_may_differ(self):
        for mutant in self.stale:
            with self.subTest(mutant.what):
                self.assertIsNot(self.place.equal(mutant, True)[0], True)
                self.assertEqual(guarded.equal(self.place, mutant), (True, "step, 1 register bits under conditions"))

    def test_what_a_taken_place_keeps_may_not(self):
        for change in (("inv", "$mux", r"\B \d_i", "B"), ("const1", "$mux", r"\B \d_i", "B"), ("inv", "$dff", r"\Q \data_q", "D"),
                       ("inv", "$mux", r"\B \left_i", "S"), ("const0", "$dff", r"\Q \taken_q", "D")):
            with self.subTest(change):
                self.assertEqual(guarded.equal(self.place, self.mutant(*change)), (None, "no proof by conditions"))

    def test_an_output_that_always_counts_has_to_be_equal(self):
        self.place.block.conditions = {}
        for mutant in self.stale:
            with self.subTest(mutant.what):
                self.assertIsNot(guarded.equal(self.place, mutant)[0], True)

    def test_nothing_is_proven_of_what_no_run_keeps_to(self):
        place = self.prover(PLACE, PLACE_PROPS.replace("if (!started) assume (rst_i)", "assume (!started)"), "never")
        stale = self.mutant("inv", "$mux", r"\B \left_i", "B")
        self.assertEqual(guarded.equal(place, stale), (None, "no proof within 3 cycles"))

    def test_too_many_registers_that_differ_end_it(self):
        with mock.patch.object(guarded, "MOST_UNLIKE", 0):
            self.assertEqual(guarded.equal(self.place, self.stale[0]), (None, "over 0 register bits differ"))

    def with_solver(self, last):
        """The result of a solver that does this when it is called."""
        self.program("z3", f"#!/bin/sh\nwhile read -r line; do case $line in *check-sat*) {last};; esac; done\n")
        with mock.patch.dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}"):
            return guarded.equal(self.place, self.stale[0])

    def test_a_solver_without_time_says_nothing(self):
        for last in ("kill -XCPU $$", "echo unknown"):
            with self.subTest(last):
                self.assertEqual(self.with_solver(last), (None, f"no answer in {guarded.SECONDS} s"))

    def test_a_solver_that_fails_ends_the_run(self):
        for last in ("exit 3", "kill -KILL $$", "echo '(error \"line 3 column 5: unknown constant (\")'", "exec <&-"):
            with self.subTest(last), self.assertRaises(ToolFailed):
                self.with_solver(last)

    def test_a_condition_may_be_a_bit_that_is_0(self):
        empty = PLACE
        for old, new in (("taken_o = taken_q", "taken_o = !empty_q"), ("!taken_q", "empty_q"), ("reg taken_q", "reg empty_q"),
                         ("taken_q <= 1'b1", "empty_q <= 1'b0"), ("taken_q <= 1'b0", "empty_q <= 1'b1")):
            self.assertIn(old, empty)
            empty = empty.replace(old, new)
        place = self.prover(empty, PLACE_PROPS, "empty")
        place.block.conditions = {"data_o": "taken"}
        stale = self.mutant("inv", "$mux", r"\B \left_i", "B")
        self.assertEqual(guarded.equal(place, stale), (True, "step, 1 register bits under conditions"))

    def test_a_block_with_one_register_bit_and_with_none(self):
        for body, port in (("reg q; assign o = q; always @(posedge clk_i) q <= d_i;", "reg q"), ("assign o = d_i;", "wire")):
            with self.subTest(port):
                verilog = f"module wm_toy(input wire clk_i, input wire rst_i, input wire d_i, output wire o_o); {body} endmodule\n"
                properties = TOY_PROPS.replace("wire kept_o, odd_o;", "wire o_o;").replace(
                    ".kept_o(kept_o), .odd_o(odd_o)", ".o_o(o_o)")
                place = self.prover(verilog.replace("assign o =", "assign o_o = !"), properties, port.split()[0])
                mutant = self.mutant("const0", "$logic_not", r"\Y \o_o", "Y")
                self.assertEqual(guarded.equal(place, mutant), (None, "no proof by conditions"))

    def test_a_proof_that_calls_everything_equal_ends_the_run(self):
        run = stages.Run(self.place.block, types.SimpleNamespace(jobs=1), Spent(self.path("spent"), "key"))
        dead, left = (Mutant(number, "s", self.stale[number].change) for number in (1, 2))
        given = (run, {"s": self.place}, "key", [dead, left])
        run.fates[1] = stages.Fate(dead, stages.LOCKSTEP, "mismatch")
        with self.assertRaises(ToolFailed):
            stages.equal_by_conditions(*given, [])
        run.fates[1].kind = stages.EQUIVALENT
        with self.assertRaises(ToolFailed):
            stages.equal_by_conditions(*given, [(left, (False, "outputs differ in cycle 5"))])
        self.assertNotIn(2, run.fates)
        self.assertTrue(stages.equal_by_conditions(*given, [(left, (False, "outputs may differ in cycle 5"))]))
        self.assertEqual(run.fates[2].kind, stages.EQUIVALENT)


if __name__ == "__main__":
    main()
