#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/power: toggles that are counted beside those of a wave, sums done by hand, wrong lists."""
import os
import re
import subprocess
import unittest

from test_house import ROOT, TOOL, House, main, said
from area.liberty import Cell
from area.memory import Estimate
from area.synthesis import Netlist
from power import __main__ as power_main, activity, netlist, power
from warpmem.tools.block_table import area_sets
from warpmem.tools.block_tests import lines_of
from warpmem.tools.house import BadInput, read, read_table

os.chdir(ROOT)
CELLS = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
BUILD = os.environ.get("WARPMEM_BUILD", "build")


class Sums(unittest.TestCase):
    def test_a_gate_takes_what_its_net_toggles(self):
        made = Netlist("", "t", {}, [], {}, {("and", "Y"): "_1_", ("ff", "Q"): "q[3]", ("ff", "QN"): "_2_"},
                       {"and": "AND", "ff": "DFF", "ram": "sram_64x32_1r1w"})
        gates = {"and": power.Gate(0.0, 4e-3, 1e-6), "ff": power.Gate(2e-3, 8e-3, 2e-6), "ram": power.Gate(9.0, 9.0, 9.0)}

        class Cells:
            cells = {"AND": Cell("AND", 1.0, "", False, 0.0), "DFF": Cell("DFF", 1.0, "flip-flop", False, 0.0)}
        done = activity.Activity(100, 7, {"_1_": 50, "q[3]": 25, "_2_": 25}, [(64, 32, 40, 10)])
        clock, toggles, leakage = power.of_gates(made, gates, Cells, done)
        self.assertAlmostEqual(clock, 2.0)
        self.assertAlmostEqual(toggles, 4.0 * 0.5 + 8.0 * 0.25)
        self.assertAlmostEqual(leakage, 0.003)
        # 40 reads of 3 pJ and 10 writes of 5 pJ in 100 cycles of 2 ns.
        estimate = Estimate(0.1, 0.2, 0.2, 0.003, 0.005, 1.5, "recorded")
        dynamic, leakage = power.of_memories(done, {(64, 32): estimate}, 2.0)
        self.assertAlmostEqual(dynamic, (40 * 3 + 10 * 5) / 200)
        self.assertEqual(leakage, 1.5)

    def test_names_of_nets_are_verilog(self):
        cases = {"_1_": "_1_", "q[3]": "q[3]", "g.q": "\\g.q ", "g[2].q[3]": "\\g[2].q [3]"}
        self.assertEqual([netlist._expression(net) for net in cases], list(cases.values()))  # pylint: disable=protected-access


class Lists(House):
    def test_every_block_that_machines_have_has_a_run(self):
        table = read("cmodel/cli/blocks.h")
        of_machines = {f"{place}/{name}" for place, name, sets in
                       re.findall(r'B\((\w+), (\w+), \w+, [A-Z]+, "([^"]*)"', table) if sets}
        without_clock = {block for block in of_machines if "clk_i" not in read(f"rtl/{block}.v")}
        self.assertEqual(without_clock, {"l1/warp_bypass"})  # eight gates
        of_machines -= without_clock
        self.assertEqual({block for block in area_sets() if lines_of(block, "power")}, of_machines)

    def test_a_list_must_be_whole(self):
        os.chdir(self.folder)
        self.addCleanup(os.chdir, ROOT)
        good = "[power]\nrun atax --size tiny\nwhere sm0\nset paper\nclock core\nrequest a && b\n"
        self.write("tb/x/b.tests", good)
        plan = power_main.plan_of("x/b")
        self.assertEqual((plan.run, plan.where, plan.request, plan.paper), ("atax --size tiny", "sm0", "a && b", ""))
        for text, says in ((good + "runs x\n", "b.tests:7: must be once each run, where, set, clock"),
                           (good + "run x\n", "b.tests:7: must"), (good.replace("sm0", ""), "b.tests:3: must"),
                           (good.replace("clock core\n", ""), "b.tests: section .power. has no clock")):
            self.write("tb/x/b.tests", text)
            self.assertRaisesRegex(BadInput, says, power_main.plan_of, "x/b")


class Bypass(House):
    """One block at work, with Debian's cells."""

    def test_its_toggles_are_those_of_the_waves(self):
        code, out, err = said(TOOL, "power", "--build", BUILD, "--block", "l2/bypass", cwd=ROOT)
        self.assertEqual(code, 0, err)
        self.assertIn("scp --size tiny --preset gtx480 --scheme medic, p0; a request: req_valid_i & req_ready_o", out)
        row = next(line for line in out.splitlines() if line.startswith("l2/bypass"))
        figures = dict(zip(("ghz", "requests", "cycles", "clock", "gates", "sram", "leakage", "sram_leakage", "total", "pj"),
                           map(float, row.split()[1:])))
        self.assertAlmostEqual(figures["total"], sum(figures[name] for name in ("clock", "gates", "sram", "leakage",
                                                                                "sram_leakage")), 1)
        self.assertAlmostEqual(figures["pj"] / (figures["total"] * figures["cycles"] / figures["ghz"] / figures["requests"]), 1, 2)
        # The same run, in a wave of the ports.
        wave = self.path("ports.fst")
        subprocess.run([os.path.join(BUILD, "warpmem-rtl"), "run", "scp", "--size", "tiny", "--preset", "gtx480", "--scheme",
                        "medic", "--lockstep", "l2/bypass@p0", "--wave", wave, "--no-progress"], check=True, capture_output=True)
        values = self.values_by_cycle(subprocess.run(["fst2vcd", wave], check=True, capture_output=True, text=True).stdout)
        requests = sum(bin(int(now["in.req_valid_i"], 2) & int(now["c.req_ready_o"], 2)).count("1") for now in values)
        self.assertEqual(requests, figures["requests"])
        changes = sum(a["c.byp_valid_o"] != b["c.byp_valid_o"] for a, b in zip(values, values[1:]))
        self.assertGreater(changes, 50)
        found = read_table(os.path.join(BUILD, "power/l2/bypass/activity.tsv"))
        # The run may end between a change and the edge that would count it, and begins with any value.
        self.assertIn(next(int(row["changes"]) for row in found if row["net"] == "byp_valid_o") - changes, (-1, 0, 1))

    @staticmethod
    def values_by_cycle(vcd):
        """[{scope.signal: value as it stands at the end of the cycle}]"""
        names, scopes, now, cycles, clock = {}, [], {}, [], None
        for line in vcd.splitlines():
            words = line.split()
            if line.startswith("$scope"):
                scopes.append(words[2])
            elif line.startswith("$upscope"):
                scopes.pop()
            elif line.startswith("$var"):
                names.setdefault(words[3], []).append(".".join([*scopes[1:], words[4]]))
                clock = words[3] if words[4] == "clk" else clock
            elif line[:1] in ("b", "0", "1", "x") and not line.startswith("$"):
                value, code = words if line[0] == "b" else (line[0], line[1:])
                if code == clock and value == "1" and now:
                    cycles.append(dict(now))
                for name in names.get(code, ()):
                    now[name] = value.lstrip("b")
        return [cycle for cycle in [*cycles, now] if set(cycle.get("in.req_valid_i", "x") + cycle.get("c.req_ready_o", "x"))
                <= {"0", "1"}]


if __name__ == "__main__":
    main()
