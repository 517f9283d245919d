#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/evidence on a small project made up here, whose Makefile writes what the measurements would."""
import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
from test_house import ROOT, SCRIPTS, House, main, said  # noqa: E402

TOOL = os.path.join(SCRIPTS, "evidence", "__main__.py")
KINDS = ["area", "fpga", "lockstep", "formal", "coverage", "mutate", "area-45nm"]
VERILOG = """// SPDX-License-Identifier: Apache-2.0
// wm_{0}: keeps what
// it is given.
//
module wm_{0} (input wire clk_i);

    wire a = clk_i; // not blank
    {1}
endmodule
"""
README = """# thing
before
<!-- evidence: blocks (written by make evidence) -->
| old |
<!-- evidence: end -->
after
"""
AREA = {"block": "x/b", "parameters": "N=4", "library": "cells", "revision": "2", "conditions": "1.8 V", "nm": 180, "cells": 1234,
        "flip_flops": 5, "sram_bits": 64, "sram_kb": 0.5, "logic_um2": 1000.0, "mhz": 512.345678, "critical_path": "a to b",
        "levels": 3, "logic_least_45nm_mm2": 0.0008, "logic_45nm_mm2": 0.001, "sram_45nm_mm2": 0.002, "area_45nm_mm2": 0.003,
        "sram_1rw_45nm_mm2": 0.0015, "sram_read_nj": 0.002, "sram_leak_mw": 0.3, "sram_source": "recorded", "ghz_45nm": 1.1,
        "ghz_most_45nm": 1.9, "goal_ghz": 1.4, "sram_ghz": 3.5, "share_of_l1": 0.01, "slow_mhz": "", "fast_mhz": "", "goal": "-"}
AREA_45NM = dict(AREA, library="small", nm=45, cells=987, mhz=1500.0, ghz_45nm=1.5, ghz_most_45nm=1.5, slow_mhz=500.0,
                 slow_conditions="0.9 V", fast_mhz=2500.0, fast_conditions="1.2 V", logic_least_45nm_mm2=0.0005,
                 logic_45nm_mm2=0.0005, area_45nm_mm2=0.0025, critical_path="c to d", goal="met")
POWER = {"block": "x/b", "parameters": "N=4", "library": "small", "conditions": "1.1 V", "run": "atax, sm0", "ghz": 0.7,
         "cycles": 12345, "requests": 678, "request": "in_valid_i", "clock_mw": 1.0, "cells_mw": 0.5, "cells_leakage_mw": 0.125,
         "sram_mw": 0.25, "sram_leakage_mw": 0.0625, "total_mw": 1.9375, "pj_a_request": 50.4}
FPGA_ROW = {"luts": 11, "flip_flops": 12, "block_rams": 1, "block_ram_kbits": 18, "lut_rams": 0, "carries": 0, "wide_muxes": 0,
            "multipliers": 0}
FPGA = [{"block": "x/b", "parameters": "N=4", "family": family, **FPGA_ROW} for family in ("ecp5", "xc7", "ice40")]
LOCKSTEP = """[       OK ] one
pass  x/b          seed 0x1  set small  N=4  1000000 cycles  2500000 outputs compared  held quiet 3  reached: full 3
pass  x/b          seed 0x1  set odd  N=3  1000001 cycles  49999 outputs compared  held quiet 3  reached: full 3
"""
FORMAL = {"blocks": [{"block": "x/b", "corners": 2, "proven": 2, "bounded": 1, "bounded_depth": 7, "assertions": 9, "covers": 1,
                      "trace": {"cover": "shows_it"}, "not_passed": 0, "not_run": 0, "processor_seconds": 1.5}],
          "proofs": [{"block": "x/b", "set": "small", "parameters": {"N": 4}, "method": "induction", "result": "proven",
                      "depth": "all", "properties": 9, "processor_seconds": 1.5}]}
PART = {"covered": 1999, "total": 2000, "excluded": 1}
COVERAGE = {"blocks": [{"block": "x/b", "line": PART, "branch": dict(PART, covered=2000), "toggle": PART, "functional": PART,
                        "unseen": ["hidden_q", "more_q"]}]}
SIDE = {"block": "x/b", "mutants": 210, "lockstep": 150, "unit": 20, "proof": 10, "equivalent": 29, "by_hand": 0,
        "survived": 1, "verdict": "pass",
        "fates": [{"file": "rtl/x/b.v", "line": 7, "set": "odd", "mutation": "inv at and A[0]", "number": 3, "fate": "survived",
                   "how": "", "equality": "no answer in 60 s"},
                  {"file": "rtl/x/b.v", "line": 8, "set": "odd", "mutation": "inv at and A[1]", "number": 4,
                   "fate": "lockstep", "how": "mismatch, cycle 3", "equality": ""}]}
MUTATE = {"rows": [dict(SIDE, side="verilog"),
                   dict(SIDE, side="c", mutants=23, lockstep=5, unit=10, proof=0, equivalent=5, by_hand=2)]}
WRITES = {"area": ("area/x/b/area.json", AREA), "fpga": ("area/fpga/x/b/fpga.json", FPGA),
          "lockstep": ("tb/x/b_test.txt", LOCKSTEP), "formal": ("formal/formal.json", FORMAL),
          "coverage": ("coverage/verilog/coverage.json", COVERAGE), "mutate": ("mutate/scores.json", MUTATE),
          "power": ("power/x/b/power.json", POWER)}
GOALS = {"area": "area", "area-fpga": "fpga", "block-tests": "lockstep", "formal-long": None, "formal": "formal",
         "coverage": "coverage", "mutate": "mutate", "power": "power"}
# The runs of one block; the last with cells of 45 nm, and power only where the block has a run.
RAN = [*list(GOALS)[:-1], "area"]


class Evidence(House):
    def setUp(self):
        super().setUp()
        self.table("b", "other")
        self.write("tb/rules.mk", "")
        self.write("rtl/x/b.v", VERILOG.format("b", "wm_part part (clk_i);"))
        self.write("rtl/x/other.v", VERILOG.format("other", ""))
        self.write("rtl/common/part.v", VERILOG.format("part", ""))
        self.write("tb/x/b_test.c", '#include "x/b.h"\n')
        self.write("tb/x/b_props.v", "// promises\n")
        self.write("cmodel/x/b.h", "int b;\n")
        self.write("cmodel/x/b_ports.h", "int ports;\n")
        self.write("cmodel/x/other_ports.h", "int ports;\n")
        self.write("cmodel/x/b.c", '#include "base/deep.h"\n')
        self.write("cmodel/base/deep.h", "int deep;\n")
        self.write("cmodel/base/deep.c", "int deep;\n")
        self.write("scripts/tools.txt", "yosys 0.23 run yosys -V\nverilator 5.006 run verilator --version\n"
                   "opensta 0~2 snapshot opensta\nqflow-tech-osu018 1.3 dpkg qflow-tech-osu018\n")
        self.program("scripts/versions.sh", "#!/bin/sh\ntest ! -e another || { echo 'yosys 0.23 0.40 NO'; exit 1; }\n")
        self.write("data/claims/paper.tsv", "# comment\nid\tsection\tmetric\tvariant\tvalue\tunit\tnote\n"
                   "hw\t6\tclock_45nm\tx/b\t2.6\tGHz\tthe SRAM alone\nno\t6\tipc\tx/b\t9\tx\t-\n")
        self.write("README.md", README)
        recipes = "".join(self.recipe(goal, kind) for goal, kind in GOALS.items())
        self.write("Makefile", ".PHONY: " + " ".join(GOALS) + "\n" + recipes)
        self.write("build/rtl/x/b/sets", "small N=4\nodd N=3\n")
        for kind, (_, what) in WRITES.items():
            self.write(f"made/{kind}", what if isinstance(what, str) else json.dumps(what))
        self.write("made/area-45nm", json.dumps(AREA_45NM))
        self.write("cells.lib", "")

    @staticmethod
    def recipe(goal, kind):
        """Says that it ran, waits if it is told to, writes a result, and fails if it is told to."""
        path = f"$(BUILD)/{WRITES[kind][0]}" if kind else ""
        cells = "$(if $(LIBERTY),-45nm)" if kind == "area" else ""
        copy = (f"\t@mkdir -p {os.path.dirname(path)}\n"
                f"\t@test -e skip.{kind} || {{ cp made/{kind}{cells} {path}.new && mv {path}.new {path}; }}\n") if kind else ""
        return (f"{goal}:\n\t@echo '{goal} $(BLOCK) $(SEED)' >>ran\n\t@test ! -e wait.{goal} || sleep 30\n{copy}"
                f"\t@test ! -e fail.{goal} || {{ echo 'some reason' >&2; exit 1; }}\n")

    def table(self, *names):
        """Of blocks."""
        self.write("cmodel/cli/blocks.h", "".join(f'    B(x, {name}, small, PART, "", \\\n' for name in names))

    def append(self, name, text):
        self.write(name, text, "a")

    def command(self, *arguments, library=True):
        cells = ["--liberty", self.path("cells.lib")] if library else []
        return [TOOL, "--root", self.folder, "--build", self.path("build"), *cells, *arguments]

    def run_tool(self, *arguments, code=0, environment=None, library=True):
        done = subprocess.run(self.command(*arguments, library=library), text=True, capture_output=True, check=False,
                              env=dict(os.environ, **(environment or {})))
        self.assertEqual(code, done.returncode, done.stdout + done.stderr)
        return done

    def ran(self):
        """Goals that ran since the last time that this was asked."""
        lines = self.read("ran").splitlines() if os.path.exists(self.path("ran")) else []
        self.write("ran", "")
        return lines

    def measured(self):
        self.run_tool("--block", "x/b")
        self.ran()

    def complaint(self, *arguments, code=1):
        """The only line on stderr."""
        lines = self.run_tool(*arguments, code=code).stderr.splitlines()
        self.assertEqual(1, len(lines), lines)
        return lines[0]

    def stale(self, group, name, old, new, kinds, many=False):
        """With this change of a file the numbers of these kinds are of other sources; many: so are other groups of them."""
        before = self.read(name) if os.path.exists(self.path(name)) else ""
        self.assertIn(old, before)
        self.write(name, before.replace(old, new) if old else before + new)
        said = self.run_tool("--check", code=1 if kinds else 0).stderr
        self.assertEqual(kinds, re.findall(rf"([\w-]+) \({'(?:[a-z]+, )*' if many else ''}{group} changed\)", said), (name, old))
        self.write(name, before)

    def row(self, name, text):
        return next(line for line in self.read(name).splitlines() if line.startswith("| `x/b`") and text in line)

    # --- what the pages say

    def test_each_number_comes_from_its_command(self):
        self.run_tool("--block", "x/b")
        self.assertEqual([f"{goal} x/b" for goal in RAN], [line.strip() for line in self.ran()])
        cells = [cell.strip() for cell in self.row("README.md", "keeps what").strip("|").split("|")]
        self.assertEqual(["`x/b`: keeps what it is given", "0.0025 mm2", "1.50 GHz", "pass"], cells)
        cells = [cell.strip() for cell in self.row("EVIDENCE.md", "keeps what").strip("|").split("|")]
        self.assertEqual(["`x/b`", "keeps what it is given", "4", "0.0025 mm2", "1.50 GHz", "SRAM 2.6 GHz", "2.0 M", "2.5 M",
                          "99.9, 100, 99.9 %", "180 of 181, 15 of 16", "for all time at 2 sets, `small` among them, 1 for 7 cycles", "ports"], cells)
        cells = [cell.strip() for cell in self.row("EVIDENCE.md", "N=4").strip("|").split("|")]
        self.assertEqual(["`x/b`", "N=4", "987", "5", "64", "0.0005, 0.002 mm2", "1.50 GHz", "0.50, 2.50 GHz", "3.5 GHz",
                          "`c`, `d`", "pass"], cells)
        cells = [cell.strip() for cell in self.row("EVIDENCE.md", "512 MHz").strip("|").split("|")]
        self.assertEqual(["`x/b`", "1,234", "5", "1000 um2", "512 MHz", "`a`, `b`", "1.10 to 1.90 GHz"], cells)
        text = self.read("EVIDENCE.md")
        for part in ("2,549,999", "11 LUTs, 12 FFs, 1 block RAMs", "| 3.5 |", "99.4 %",
                     "* small, revision 2: 1.8 V; slow: 0.9 V; fast: 1.2 V", "`shows_it`", "all time"):
            self.assertIn(part, text)
        for goal in GOALS:
            self.assertRegex(text, rf"`make ({goal}|formal formal-long)\b")
        self.assertNotIn("512 MHz", self.read("README.md"))

    def test_without_cells_of_45_nm_the_clock_is_a_range_without_a_verdict(self):
        said = self.run_tool("--block", "x/b", library=False).stdout
        self.assertIn("area-45nm: 1 not asked, for want of LIBERTY=", said)
        self.assertIn("| 0.003 mm2 | 1.10 to 1.90 GHz, scaled |", self.row("README.md", "keeps what"))
        self.assertIn("not measured: area-45nm |", self.row("README.md", "keeps what"))
        row = self.row("EVIDENCE.md", "N=4")
        self.assertIn("| 0.0008 to 0.001, 0.002 mm2 | 1.10 to 1.90 GHz, scaled | - |", row)
        self.assertTrue(row.endswith("| scaled: none |"), row)
        self.assertIn("* none: no number of this page is of such cells", self.read("EVIDENCE.md"))
        self.run_tool("--check", library=False)

    def test_numbers_of_cells_that_are_not_there_stay_until_they_are_stale(self):
        self.measured()
        self.assertIn("area-45nm: 1 not asked", self.run_tool("--block", "x/b", "--again", library=False).stdout)
        self.assertIn("| 1.50 GHz |", self.row("README.md", "keeps what"))
        self.table("b")
        self.run_tool("--no-run")
        self.assertIn("area-45nm: 1 not asked", self.run_tool("--verify", library=False).stdout)
        self.append("rtl/x/b.v", "// other\n")
        self.run_tool("--block", "x/b", library=False)
        self.assertIn("x/b: area-45nm (verilog changed)", self.complaint("--check"))
        self.run_tool("--no-run", library=False)
        self.assertIn("scaled", self.row("README.md", "keeps what"))
        self.run_tool("--check")

    def test_a_block_under_the_goal_fails(self):
        self.write("made/area-45nm", json.dumps(dict(AREA_45NM, ghz_45nm=1.3, ghz_most_45nm=1.3, goal="missed")))
        self.write("fail.area", "")  # as make area does then
        self.run_tool("--block", "x/b", "--kind", "area-45nm", code=1)
        self.assertIn("| 1.30 GHz FAIL |", self.row("README.md", "keeps what"))
        self.assertTrue(self.row("EVIDENCE.md", "N=4").endswith("| `c`, `d` | FAIL |"))
        self.assertIn("x/b: area-45nm: make area BLOCK=x/b failed", self.complaint("--check"))

    def test_cells_of_another_node_are_refused(self):
        self.write("made/area-45nm", json.dumps(dict(AREA_45NM, nm=180)))
        self.assertIn("evidence: LIBERTY=: small is of 180 nm; must be of 45 nm\n",
                      self.run_tool("--block", "x/b", "--kind", "area-45nm", code=2).stderr)

    def test_proofs_at_other_sizes_than_the_measured_one_say_so(self):
        self.write("made/formal", json.dumps(FORMAL).replace('"set": "small"', '"set": ""'))
        self.run_tool("--block", "x/b", "--kind", "formal")
        self.assertIn("| for all time at 2 sets, not at `small`, 1 for 7 cycles |", self.row("EVIDENCE.md", "keeps what"))
        self.assertIn("| `x/b` | - | N=4 | induction | proven | all time | 9 | 1.5 s |", self.read("EVIDENCE.md"))

    def test_power_is_of_blocks_with_a_run(self):
        self.write("tb/x/b_power.txt", "run atax\n")
        self.run_tool("--block", "x/b", "--kind", "power")
        self.assertEqual(["power x/b"], [line.strip() for line in self.ran()])
        cells = [cell.strip() for cell in self.row("EVIDENCE.md", "atax").strip("|").split("|")]
        self.assertEqual(["`x/b`", "N=4", "`atax, sm0`", "0.7 GHz", "678 in 12,345 cycles: in_valid_i", "1 mW", "0.5 mW",
                          "0.25 mW", "0.125, 0.0625 mW", "1.94 mW", "50.4 pJ"], cells)
        self.stale("lists", "tb/x/b_power.txt", "atax", "mvt", ["power"])
        self.assertNotIn("`x/other` |  |", self.read("EVIDENCE.md"))

    def test_what_is_equal_by_a_listed_reason_is_not_called_proven(self):
        self.run_tool("--block", "x/b", "--kind", "mutate")
        text = self.read("EVIDENCE.md")
        self.assertIn("| equal by proof or same code | equal by a listed reason | survived |", text)
        self.assertIn("| `x/b` | C | 23 | 5 | 10 | 0 | 5 | 2 | 1 | 93.7 % | 83.3 % | pass |", text)
        self.write("made/mutate", json.dumps(MUTATE).replace('"by_hand": 2', '"by_hand": 3'))
        said = self.run_tool("--block", "x/b", "--kind", "mutate", "--again", code=1).stdout
        self.assertIn("by_hand, survived must add up to its 23 mutants", said)

    def test_the_rest_of_readme_stays(self):
        self.measured()
        kept = re.sub(r"(?s)(<!-- evidence: \w+ .*?-->\n).*?(<!-- evidence: end -->)", r"\1\2", self.read("README.md"))
        self.assertEqual(README.replace("| old |\n", ""), kept)

    def test_what_was_not_measured_is_said_and_not_invented(self):
        self.run_tool("--block", "x/b", "--kind", "area")
        self.assertEqual(5, self.row("EVIDENCE.md", "keeps what").count("not measured"))
        other = next(line for line in self.read("EVIDENCE.md").splitlines() if "`x/other` | keeps" in line)
        self.assertEqual(7, other.count("not measured"))
        row = self.row("README.md", "keeps what")
        self.assertEqual(1, row.count("not measured"))
        self.assertTrue(row.endswith("| not measured: fpga, lockstep, formal, coverage, mutate, area-45nm |"), row)
        other = next(line for line in self.read("README.md").splitlines() if "`x/other`: keeps" in line)
        self.assertEqual(["not measured"] * 3, [cell.strip() for cell in other.strip("|").split("|")][1:])
        self.run_tool("--check")

    def test_a_row_of_missing_markers_is_refused(self):
        self.write("README.md", README.replace("evidence: blocks", "evidence: block"))
        self.assertIn("must have once the line <!-- evidence: blocks", self.complaint("--no-run", code=2))

    # --- what is stale

    def test_a_readme_that_was_edited_fails(self):
        self.measured()
        self.run_tool("--check")
        self.write("README.md", self.read("README.md").replace("1.50 GHz", "1.60 GHz"))
        self.assertIn("README.md:6: is not what data/evidence and the sources say; make evidence", self.complaint("--check"))

    def test_an_evidence_page_that_was_edited_or_removed_fails(self):
        self.measured()
        self.append("EVIDENCE.md", "more\n")
        self.assertIn("EVIDENCE.md:", self.complaint("--check"))
        os.remove(self.path("EVIDENCE.md"))
        self.assertIn("EVIDENCE.md:1:", self.complaint("--check"))

    def test_changed_verilog_fails_with_block_and_command(self):
        self.measured()
        self.append("rtl/x/b.v", "// a word\n")
        line = self.complaint("--check")
        self.assertTrue(line.startswith("evidence: x/b: area (verilog changed), fpga (verilog changed), lockstep"), line)
        self.assertIn("make evidence BLOCK=x/b measures anew", line)

    def test_each_source_makes_stale_what_depends_on_it(self):
        cases = {"rtl/common/part.v": KINDS, "tb/x/b_test.c": ["lockstep", "coverage", "mutate"],
                 "cmodel/x/b.h": ["lockstep", "coverage", "mutate"], "cmodel/base/deep.c": ["lockstep", "coverage", "mutate"],
                 "tb/x/b_props.v": ["formal", "mutate"], "rtl/x/other.v": [], "CHANGELOG.md": [], "tb/contract/wave.c": []}
        self.write("tb/x/b_test.c", '#include "contract/wave.h"\n', "a")
        self.write("tb/contract/wave.h", "struct wave;\n")
        self.write("tb/contract/wave.c", "int wave;\n")
        self.measured()
        for name, kinds in cases.items():
            self.stale("[a-z]+", name, "", "// more\n", kinds, many=True)
        self.run_tool("--check")

    def test_comments_of_sources_do_not_count_but_lines_and_texts_do(self):
        text = 'module wm_b; // {}\n/* {}\n */ wire w; // {} "\n{}endmodule // verilator {}\n'
        self.write("rtl/x/b.v", "// wm_b: a block.\n" + text.format("why", "how", "what", "", "lint_off X"))
        self.measured()
        self.write("rtl/x/b.v", "// wm_b: a block.\n" + text.format("not", "so", "that", "", "lint_off X"))
        self.run_tool("--check")
        for changed in (text.format("", "", "", "// a line\n", "lint_off X"), text.format("", "", "", "", "lint_off Y"),
                        text.format("", "", "", "", "lint_off X").replace("wire", "reg")):
            self.write("rtl/x/b.v", "// wm_b: a block.\n" + changed)
            self.assertIn("verilog changed", self.complaint("--check"))

    def test_another_pinned_version_makes_stale_what_that_tool_decides(self):
        self.measured()
        self.stale("tools", "scripts/tools.txt", "5.006", "5.008", ["lockstep", "coverage", "mutate"])
        # The timing tool of the netlist, and its cells.
        for tool, kinds in (("0~2 snap", ["area", "area-45nm"]), ("1.3 dpkg", ["area"])):
            self.stale("tools", "scripts/tools.txt", tool, "9" + tool, kinds)

    def test_a_script_counts_by_what_it_does(self):
        cases = {"mutate/report.py": "mutate", "mutate/__main__.py": "mutate", "formal/table.py": "formal",
                 "formal/__main__.py": "formal", "coverage/__main__.py": "coverage", "coverage/figures.py": "coverage",
                 "area/timing.py": "area area-45nm", "area/fpga.py": "fpga"}
        text = 'def f(a):\n    """Old."""\n    return (a + {})  # why\n'
        for name in cases:
            self.write(f"scripts/{name}", text.format(1))
        self.measured()
        for name, kind in cases.items():
            self.write(f"scripts/{name}", '"""New."""\n\n\n' + text.format(1).replace("Old", "New").replace("why", "not"))
            self.run_tool("--check")
            self.write(f"scripts/{name}", text.format(1))
            self.stale("scripts", f"scripts/{name}", "+ 1", "+ 2", kind.split())
        self.write("scripts/area/fpga.py", "def f(:\n")
        self.assertIn("scripts/area/fpga.py:1: ", self.complaint("--check", code=2))

    def test_options_and_flags_of_the_makefiles_count(self):
        self.write("scripts/rules.mk", "COVERAGE_FLAGS := --coverage\n# why\ncoverage: ## for all\n\tmeasure -O0 \\\n"
                   "\t  --more\ncheck-evidence:\n\tcheck\n")
        self.write("rtl/rules.mk", "prove = scripts/formal --seconds\nformal: ## proofs\n\t$(prove) 120\narea: ## cells\n"
                   "\tmeasure\narea-fpga:\n\tmeasure\n")
        self.measured()
        for name, old, new, kinds in (
                ("scripts/rules.mk", ":= --coverage", ":= -O1", ["coverage"]), ("scripts/rules.mk", "-O0", "-O1", ["coverage"]),
                ("scripts/rules.mk", "--more", "--less", ["coverage"]), ("rtl/rules.mk", "120", "60", ["formal"]),
                ("rtl/rules.mk", "prove = ", "prove = nice ", ["formal"]),
                ("rtl/rules.mk", "cells\n\t", "cells\n\tX=", ["area", "area-45nm"]),
                ("scripts/rules.mk", "why", "not", []), ("scripts/rules.mk", "for all", "of all", []),
                ("scripts/rules.mk", "check\n", "check all\n", [])):
            self.stale("rules", name, old, new, kinds)

    def test_how_a_block_is_verilated_counts(self):
        self.append("tb/rules.mk", "CXXFLAGS_RTL ?= -O2\nmodel_make = make ONLY= \\\n    MORE=1\ndefine block_rules\n$1:\n\tmodel\n"
                    "# why\nendef\nother = 1\n")
        self.measured()
        every = ["lockstep", "coverage", "mutate"]
        for old, new, kinds in (("-O2", "-O1", every), ("ONLY=", "ONLY=small", every), ("MORE=1", "MORE=2", every),
                                ("\tmodel\n", "\tmodels\n", every), ("other = 1", "other = 2", [])):
            self.stale("rules", "tb/rules.mk", old, new, kinds)
        self.stale("rules", "scripts/block_params.sh", "", "other parameters\n",
                   ["area", "fpga", "formal", "mutate", "area-45nm"])

    def test_lines_of_shared_lists_count_as_their_tools_read_them(self):
        self.write("tb/x/b_proofs.txt", "# set\nsmall induction 1 test mutate\n")
        self.write("tb/x/other_proofs.txt", "small induction 1 test\n")
        self.write("data/coverage/exclusions.txt", "file rtl/x/other.v\n1 why\n")
        self.measured()
        for name, line, kinds in (("tb/x/b_proofs.txt", "# why\n", []), ("tb/x/other_proofs.txt", "odd bounded 9 test\n", []),
                                  ("tb/x/b_proofs.txt", "  odd bounded 9 test\n", ["formal"]),
                                  ("tb/x/b_proofs.txt", "small pdr all test\n", ["formal", "mutate"]),
                                  ("data/coverage/exclusions.txt", "\n file  rtl/x/b.v \n3 why\n", ["coverage"])):
            self.stale("lists", name, "", line, kinds)

    def test_when_a_proof_runs_decides_no_mutant(self):
        self.write("tb/x/b_proofs.txt", "small induction 1 test mutate\n")
        self.measured()
        self.stale("lists", "tb/x/b_proofs.txt", "test mutate", "check mutate", ["formal"])
        self.stale("lists", "tb/x/b_proofs.txt", "test mutate", "test", ["formal", "mutate"])

    def test_other_tools_than_the_pinned_ones_make_no_number(self):
        self.measured()
        self.write("another", "")
        self.run_tool("--block", "x/b")  # nothing to measure
        self.append("rtl/x/b.v", "// other\n")
        for arguments in (("--block", "x/b"), ("--verify", "--block", "x/b")):
            self.assertIn("yosys: not as scripts/tools.txt pins them", self.complaint(*arguments, code=2))
        self.assertEqual([], self.ran())

    def test_survivors_stand_on_the_page(self):
        self.measured()
        self.assertIn("* `rtl/x/b.v:7`, set odd: inv at and A[0]; proof of equality: no answer in 60 s", self.read("EVIDENCE.md"))
        self.assertNotIn("A[1]", self.read("EVIDENCE.md"))

    def test_what_reads_the_numbers_counts(self):
        with open(os.path.join(SCRIPTS, "evidence", "measure.py"), encoding="utf-8") as file:
            reader = file.read()
        self.write("scripts/evidence/measure.py", reader)
        self.measured()
        for old, new, kinds in (('"unit_tests": ', '"units": ', ["lockstep"]), ("def stamp(", "def stamps(", []),
                                ("value:.6g", "value:.5g", KINDS)):
            self.stale("reader", "scripts/evidence/measure.py", old, new, kinds, many=True)
        # One with other names than today's is no reason to end in the middle.
        self.write("data/evidence/x/b.json", self.read("data/evidence/x/b.json").replace('"by_hand"', '"old"'))
        self.write("scripts/evidence/measure.py", reader.replace('"by_hand"', '"hand"'))
        said = self.run_tool("--check", code=1).stderr
        self.assertIn("mutate (reader changed)", said)
        self.run_tool("--no-run")
        self.assertNotIn("180 of", self.read("EVIDENCE.md"))

    def test_stale_numbers_can_be_taken_out_without_running(self):
        self.measured()
        self.append("tb/x/b_props.v", "// more\n")
        self.run_tool("--no-run", "--block", "x/b")
        self.assertEqual([], self.ran())
        self.assertEqual(2, self.row("EVIDENCE.md", "keeps what").count("not measured"))
        self.assertIn("| 1.50 GHz | not measured: formal, mutate |", self.row("README.md", "keeps what"))
        self.run_tool("--check")

    def test_numbers_of_a_block_that_is_gone_fail(self):
        self.measured()
        self.table("other")
        self.assertIn("data/evidence/x/b.json: ", self.run_tool("--check", code=1).stderr)

    # --- what runs

    def test_only_what_changed_runs_again(self):
        self.measured()
        self.run_tool("--block", "x/b")
        self.assertEqual([], self.ran())
        self.append("tb/x/b_props.v", "// more\n")
        self.run_tool("--block", "x/b")
        self.assertEqual(["formal-long x/b", "formal x/b", "mutate x/b"], [line.strip() for line in self.ran()])
        self.run_tool("--block", "x/b", "--again", "--kind", "area,fpga")
        self.assertEqual(["area x/b", "area-fpga x/b"], [line.strip() for line in self.ran()])

    def test_variables_around_make_do_not_change_a_number(self):
        self.run_tool("--block", "x/b", "--kind", "lockstep", environment={"SEED": "7", "MAKEFLAGS": "SEED=8"})
        self.assertEqual(["block-tests x/b "], self.ran())

    def killed(self, how):
        self.write("wait.mutate", "")
        child = subprocess.Popen(self.command("--block", "x/b"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 start_new_session=True)
        self.until(lambda: "mutate x/b" in (self.read("ran") if os.path.exists(self.path("ran")) else ""))
        os.killpg(child.pid, how)
        code = child.wait()
        os.remove(self.path("wait.mutate"))
        return code

    def test_a_killed_run_goes_on_and_leaves_no_half_file(self):
        self.killed(signal.SIGKILL)
        self.run_tool("--check")  # the pages are whole, and agree with what was stored
        self.ran()
        left = [name for _, _, names in os.walk(self.path("data")) for name in names]
        self.assertEqual({"b.json", "paper.tsv"}, set(left))
        self.run_tool("--block", "x/b")
        self.assertEqual(["mutate x/b", "area x/b"], [line.strip() for line in self.ran()])

    def test_an_interrupted_run_says_that_it_goes_on(self):
        self.assertEqual(130, self.killed(signal.SIGTERM))

    def test_a_command_without_its_result_is_no_number(self):
        self.measured()
        self.append("rtl/x/b.v", "// a word\n")
        self.write("skip.area", "")  # the old file stays
        said = self.run_tool("--block", "x/b", "--kind", "area,area-45nm", code=1).stdout
        self.assertIn("make area BLOCK=x/b did not write", said)
        self.assertIn("not measured", self.row("EVIDENCE.md", "keeps what").split("|")[4])
        self.assertIn("not measured", self.row("README.md", "keeps what").split("|")[2])

    def test_a_command_that_fails_is_told_and_its_finding_kept(self):
        self.write("fail.mutate", "")
        said = self.run_tool("--block", "x/b", "--kind", "mutate", code=1).stdout
        self.assertIn("make mutate BLOCK=x/b failed: some reason", said)
        self.assertIn("| 180 of 181, 15 of 16 FAIL |", self.row("EVIDENCE.md", "keeps what"))
        self.assertIn("| FAIL: mutate; not measured: area,", self.row("README.md", "keeps what"))
        self.ran()
        os.remove(self.path("fail.mutate"))
        self.run_tool("--block", "x/b", "--kind", "mutate")  # it may have been stopped
        self.assertEqual(["mutate x/b"], [line.strip() for line in self.ran()])
        self.assertIn("| 180 of 181, 15 of 16 |", self.row("EVIDENCE.md", "keeps what"))
        self.run_tool("--check")
        self.write("fail.block-tests", "")
        self.run_tool("--block", "x/b", "--kind", "lockstep", code=1)
        self.assertNotIn("2.0 M", self.row("README.md", "keeps what"))
        self.assertNotIn("2.0 M", self.row("EVIDENCE.md", "keeps what"))

    def test_a_number_whose_command_failed_fails_the_check_and_says_so_in_the_tables(self):
        for goal, kind, cells in (("area", "area-45nm", ("0.0025 mm2 FAIL | 1.50 GHz FAIL",)), ("area-fpga", "fpga", ()),
                                  ("formal-long", "formal", ("for all time at 2 sets, `small` among them, 1 for 7 cycles FAIL",)),
                                  ("coverage", "coverage", ("99.9, 80.9, 99.9 % FAIL", "80.9 % of 2000, 1 excluded")),
                                  ("mutate", "mutate", ("180 of 181, 15 of 16 FAIL", "93.7 % | 83.3 % | FAIL |"))):
            self.write("made/coverage", json.dumps({"blocks": [dict(COVERAGE["blocks"][0], branch=dict(PART, covered=1619))]}))
            self.write(f"fail.{goal}", "")
            self.run_tool("--block", "x/b", "--kind", kind, "--again", code=1)
            line = self.complaint("--check")
            self.assertEqual(f"evidence: x/b: {kind}: make {goal} BLOCK=x/b failed when it was measured; mend what it found, "
                             f"then make evidence BLOCK=x/b KIND={kind}", line)
            text = self.read("EVIDENCE.md")
            for cell in cells:
                self.assertIn(cell, text)
            self.assertIn(f"| FAIL: {kind}", self.row("README.md", "keeps what"))
            if kind != "mutate":
                self.assertRegex(text, r"\| `x/b` \|.*\| FAIL \|\n")
            self.run_tool("--no-run", "--block", "x/b")  # a finding about today's sources is not put away like that
            self.complaint("--check")
            self.assertIn(f"x/b: {kind}: make {goal} BLOCK=x/b failed when",
                          self.run_tool("--verify", "--block", "x/b", "--kind", kind, code=1).stderr)
            os.remove(self.path(f"fail.{goal}"))
            self.run_tool("--block", "x/b", "--kind", kind)
            self.run_tool("--check")
            self.assertNotIn("FAIL |", self.read("EVIDENCE.md"))
            self.assertNotIn("FAIL", self.read("README.md"))

    def test_what_gave_no_number_is_not_the_one_of_before(self):
        self.measured()
        self.write("skip.mutate", "")
        said = self.run_tool("--block", "x/b", "--kind", "mutate", "--again", code=1).stdout
        self.assertIn("make mutate BLOCK=x/b did not write", said)
        self.assertNotIn("180 of", self.read("EVIDENCE.md"))
        self.assertNotIn('"mutate"', self.read("data/evidence/x/b.json"))
        self.run_tool("--verify", "--block", "x/b", "--kind", "area-45nm")
        self.write("skip.area", "")
        self.run_tool("--verify", "--block", "x/b", "--kind", "area-45nm", code=1)
        self.assertIn("0.0025 mm2", self.read("README.md"))  # --verify writes none, and takes none out

    def test_a_result_of_another_shape_is_one_line(self):
        self.write("made/formal", '{"blocks": 3}')
        self.assertIn("formal.json: not as expected", self.run_tool("--block", "x/b", "--kind", "formal", code=1).stdout)
        self.write("made/lockstep", LOCKSTEP.replace("pass  x/b          seed 0x1  set odd", "FAIL"))
        self.assertIn("1 parameter sets passed, of 2", self.run_tool("--block", "x/b", "--kind", "lockstep", code=1).stdout)

    # --- what is measured anew before a release

    def test_verify_finds_a_number_that_does_not_come_out_again(self):
        self.table("b")
        self.measured()
        self.run_tool("--verify")
        self.write("made/formal", json.dumps(FORMAL).replace("1.5", "2.5"))  # time is no finding
        self.run_tool("--verify")
        path = "data/evidence/x/b.json"
        self.write(path, self.read(path).replace('"cells": 1234', '"cells": 999'))
        self.run_tool("--no-run")
        said = self.run_tool("--verify", code=1).stderr
        self.assertIn("x/b: area: comes out otherwise: cells 999 is 1234", said)

    def test_verify_lets_only_solvers_decide_otherwise(self):
        self.table("b")
        self.measured()
        verilog, c = MUTATE["rows"]
        for side, change, same in (("verilog", {"proof": 8, "equivalent": 28, "survived": 4, "fates": []}, True),
                                   ("verilog", {"lockstep": 200, "unit": 0, "proof": 0, "equivalent": 0, "survived": 10},
                                    False), ("verilog", {"lockstep": 149, "unit": 21}, False),
                                   ("verilog", {"unit": 21, "proof": 9}, False),
                                   ("verilog", {"mutants": 211, "proof": 11}, False), ("verilog", {"verdict": "FAIL"}, False),
                                   ("verilog", {"by_hand": 1, "survived": 0}, False), ("c", {"fates": []}, False),
                                   ("c", {"equivalent": 4, "survived": 2}, False), ("c", {"by_hand": 3, "survived": 0}, False)):
            rows = [dict(verilog, **(change if side == "verilog" else {})), dict(c, **(change if side == "c" else {}))]
            self.write("made/mutate", json.dumps({"rows": rows}))
            said = self.run_tool("--verify", "--kind", "mutate", code=0 if same else 1).stderr
            self.assertEqual(not same, "x/b: mutate: comes out otherwise" in said, said)

    def test_verify_accepts_nothing_that_is_missing(self):
        self.measured()
        self.assertIn("x/other: area, fpga, lockstep, formal, coverage, mutate, area-45nm: not measured",
                      self.run_tool("--verify", "--block", "x/b", "--block", "x/other", code=1).stderr)

    # --- wrong input

    def test_wrong_input_is_one_line(self):
        self.assertIn("x/nothing: there is no such block; there are x/b, x/other",
                      self.complaint("--block", "x/nothing", code=2))
        self.assertIn("--kind cells: must be of area, fpga", self.complaint("--kind", "cells", code=2))
        self.assertIn("--help lists what is allowed", self.complaint("--nothing", code=2))
        self.assertIn("must be 1..1024", self.complaint("--jobs", "0", code=2))
        self.write("data/evidence/x/b.json", "{")
        self.assertIn("data/evidence/x/b.json: ", self.complaint("--check", code=2))
        self.assertIn("usage:", self.run_tool("--help").stdout)


class Versions(House):
    def test_of_a_snapshot_all_of_the_version_counts(self):
        """`make versions` asks dpkg, which is another here."""
        self.program("dpkg-query", "#!/bin/sh\necho installed:1:0~20191111gitc018cb2+dfsg-1\n")
        for way, wanted, good in (("snapshot", "0~20191111gitc018cb2+dfsg", True), ("snapshot", "0~20191111git+dfsg", False),
                                  ("snapshot", "0", False), ("dpkg", "0", True), ("dpkg", "1", False)):
            path = self.write("tools.txt", f"opensta {wanted} {way} opensta\n")
            code, out, _ = said(os.path.join(SCRIPTS, "versions.sh"), path,
                                env=dict(os.environ, PATH=self.folder + ":" + os.environ["PATH"]))
            self.assertEqual(0 if good else 1, code, out)


class Project(unittest.TestCase):
    def test_what_decides_the_numbers_exists(self):
        """A file, rule, tool or part of the reader that is not there would be hashed as nothing."""
        sys.path.insert(0, os.path.join(SCRIPTS, "evidence"))
        os.chdir(ROOT)
        import sources
        with open("scripts/tools.txt", encoding="utf-8") as file:
            pinned = {line.split()[0] for line in file if line.strip()}
        names = {name for name, _ in sources.program(sources.READER)}
        self.assertLessEqual(set(sources.READS), names)
        for kind in [*KINDS, "power"]:
            scripts, tools = sources.KINDS[kind]
            for script in scripts:
                self.assertTrue(os.path.exists(os.path.join("scripts", script)), script)
            self.assertLessEqual(set(tools), pinned)
            self.assertIn(f"of_{kind.replace('-', '_')}", names)
            lines = sources.rules(kind)
            for path, wanted in sources.RULES_OF[kind]:
                for name in wanted:
                    self.assertTrue(any(re.match(rf"(define )?{re.escape(name)}", line) for line in
                                        sources.lines_of_make(path, wanted)), (path, name))
            self.assertGreaterEqual(len(lines), 2)
        self.assertTrue(os.path.exists(sources.PARAMETERS))

    def test_the_check_is_fast_and_needs_no_tool(self):
        begun = time.process_time(), os.times().children_user
        done = subprocess.run([sys.executable, TOOL, "--check"], text=True, capture_output=True, check=False,
                              env={"PATH": "/absent"}, cwd=ROOT)
        self.assertNotIn("Traceback", done.stderr)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertLess(os.times().children_user - begun[1], 2)


if __name__ == "__main__":
    main()
