#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/area: what is counted of an FPGA, which clock misses the goal."""
import glob
import os
import re
import shutil
import unittest

from test_house import ROOT, House, main, said
from area import blocks, fpga, limits
from area.memory import Size
from warpmem.tools.house import ToolFailed, read

os.chdir(ROOT)


class Tools(House):
    def tree(self):
        """A copy of what the tools read; what a test breaks in it is its own."""
        for name in ("rtl", os.path.join("data", "area")):
            shutil.copytree(name, os.path.join(self.folder, name))
        os.symlink(os.path.join(ROOT, "scripts"), self.path("scripts"))
        self.write("cmodel/cli/blocks.h", read("cmodel/cli/blocks.h"))
        for name in set(os.listdir("cmodel")) - {"cli"}:
            os.symlink(os.path.join(ROOT, "cmodel", name), self.path("cmodel/" + name))

    def only(self, start):
        """Of the table of blocks in that copy, no other row."""
        self.write("cmodel/cli/blocks.h", "".join(
            line for line in read("cmodel/cli/blocks.h").splitlines(True) if line.startswith(f"    B({start},")))

    def said(self, tool, *arguments):
        return said("scripts/tool", tool, "--build", self.path("build"), *arguments, cwd=self.folder)

    def row(self, text, start):
        line = next((line for line in text.splitlines() if line.startswith(start)), None)
        self.assertIsNotNone(line, text)
        return re.split(r" {2,}", line)


class Lists(unittest.TestCase):
    def test_every_block_is_measured(self):
        self.assertEqual([f"rtl/{block}.v" for block in sorted(blocks.area_sets())],
                         sorted(set(glob.glob("rtl/*/*.v")) - set(glob.glob("rtl/top/*.v"))))


class Goal(Tools):
    """With Debian's cells under other names: what their node is, a library's name says."""
    CELLS = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

    def cells(self, name, library, change=("", "")):
        text = read(self.CELLS).replace("library(osu018_stdcells)", f"library({library})")
        return self.write(name, text.replace(*change) if change[0] else text)

    def test_cells_of_180_nm_give_a_range_and_decide_nothing(self):
        self.tree()
        code, out, err = self.said("area", "--block", "common/priority_encoder")
        self.assertEqual(code, 0, err)
        row = self.row(out, "common/priority_encoder")
        least, most = map(float, row[-2].split("-"))
        found = self.json("build/area/common/priority_encoder/area.json")
        factors = next(row for row in self.table("data/area/scaling.tsv") if row["library"] == "osu018")
        self.assertAlmostEqual(least, found["mhz"] / 1000 * float(factors["delay_least"]), 2)
        self.assertAlmostEqual(most, found["mhz"] / 1000 * float(factors["delay_most"]), 2)
        self.assertAlmostEqual(found["logic_um2"] / 1e6 / found["logic_45nm_mm2"], float(factors["area_least"]), 6)
        self.assertAlmostEqual(found["logic_um2"] / 1e6 / found["logic_least_45nm_mm2"], float(factors["area_most"]), 6)
        self.assertEqual(row[-1], "-")

    def test_cells_of_45_nm_fail_under_the_goal(self):
        """Those of 180 nm as if they were: no block is so fast with them."""
        self.tree()
        slow = self.cells("slow.lib", "NangateOpenCellLibrary_slow", ("nom_voltage : 1.8", "nom_voltage : 1.6"))
        words = ("--liberty", self.cells("typical.lib", "NangateOpenCellLibrary"), "--slow", slow)
        code, out, err = self.said("area", *words, "--block", "common/priority_encoder")
        self.assertEqual(code, 1, out)
        self.assertRegex(err.splitlines()[-1], r"^area: under the goal of 1.4 GHz at 45 nm: common/priority_encoder, 0\.\d\d GHz "
                                               r"from req_valid_i\S* to grant_\S+$")
        row = self.row(out, "common/priority_encoder")
        self.assertEqual(row[-1], "missed")
        self.assertEqual(row[5], row[6])  # at the corner, with the same cells
        self.assertIn("MHz slow", out)
        self.assertNotIn("MHz fast", out)
        # Of other parameters than the table's nothing is asked.
        code, out, err = self.said("area", *words, "--block", "common/priority_encoder:REQUESTERS=8")
        self.assertEqual((code, self.row(out, "common/priority_encoder")[-1]), (0, "-"), err)
        self.assertEqual(self.json("build/area/common/priority_encoder/area.json")["slow_conditions"], "process 1, 1.6 V, 25 C")

    def test_a_block_with_a_reason_may_be_slower(self):
        self.tree()
        words = ("area", "--liberty", self.cells("typical.lib", "NangateOpenCellLibrary"), "--block", "common/priority_encoder")
        table = "block\tghz\treason\ncommon/priority_encoder\t{}\tit is asked twice a day\n"
        self.write("data/area/limits.tsv", table.format(0.5))
        code, out, err = self.said(*words)
        self.assertEqual((code, self.row(out, "common/priority_encoder")[-1]), (0, "limited"), err)
        self.assertIn("under the goal: it is asked twice a day (data/area/limits.tsv)", out)
        self.write("data/area/limits.tsv", table.format(1.3))
        code, out, err = self.said(*words)
        self.assertEqual((code, self.row(out, "common/priority_encoder")[-1]), (1, "missed"), err)
        for line, said_of_it in (("x/y\t1.2\tr", "x/y: must be a block, once"), ("l2/bypass\t1.4\tr", "below the goal of 1.4 GHz, and a reason"),
                                 ("l2/bypass\tfast\tr", "below the goal"), ("l2/bypass\t1.2\t", "and a reason")):
            self.write("data/area/limits.tsv", f"block\tghz\treason\n{line}\n")
            self.one_line(self.said(*words), said_of_it)
        with self.assertRaisesRegex(ToolFailed, "l2/bypass reaches 1.61 GHz: delete its line"):
            limits.goal_of("l2/bypass", 1.61, (1.2, "r"))

    def test_a_corner_must_have_the_cells(self):
        self.tree()
        slow = self.cells("slow.lib", "mine", ("cell (AND2X1)", "cell (AND2X9)"))
        self.one_line(self.said("area", "--slow", slow), f"LIBERTY_SLOW={slow}: has no cell AND2X1; must have the cells of LIBERTY=")
        self.one_line(self.said("area", "--fast", "absent"), "LIBERTY_FAST=absent: No such file")
        self.one_line(self.said("area", "--fast", "two words"), "LIBERTY_FAST=two words: Yosys and OpenSTA read no path with blanks")


class Counting(House):
    def test_each_cell_is_of_one_kind_and_strange_ones_are_refused(self):
        row = fpga.count(fpga.FAMILIES["xc7"], {"LUT6": 5, "INV": 1, "FDRE": 7, "FDSE": 1, "RAMB36E1": 2, "RAMB18E1": 1,
                                                "RAM32M": 4, "SRL16E": 1, "CARRY4": 3, "MUXF7": 2, "DSP48E1": 1}, "b")
        self.assertEqual(row, {"luts": 6, "flip_flops": 8, "block_rams": 3, "block_ram_kbits": 90, "lut_rams": 5, "carries": 3,
                               "wide_muxes": 2, "multipliers": 1})
        with self.assertRaisesRegex(ToolFailed, "b: Lattice iCE40 has 2 cells SB_PLL40_CORE, of which is not known"):
            fpga.count(fpga.FAMILIES["ice40"], {"SB_LUT4": 1, "SB_PLL40_CORE": 2}, "b")
        with self.assertRaisesRegex(ToolFailed, "FDREX"):
            fpga.count(fpga.FAMILIES["xc7"], {"FDREX": 1}, "b")

    def test_memories_are_read_off_the_log(self):
        mapped = dict(fpga.MAPPED.findall("x\nmapping memory wm_b.g[0].u.words via $__ECP5_PDPW16KD_\n"
                                          "mapping memory wm_b.g[1].u.words via $__TRELLIS_DPR16X4_\n"
                                          "using FF mapping for memory wm_b.small.words\n"))
        sizes = {"g[0].u": Size(64, 32), "g[1].u": Size(64, 32), "small": Size(4, 8)}
        became, wrong = fpga.memories_of(fpga.FAMILIES["ecp5"], sizes, mapped, "b")
        self.assertEqual([(m["count"], m["words"], m["of"]) for m in became],
                         [(1, 4, "flip-flops"), (1, 64, "LUT RAM"), (1, 64, "block RAM")])
        self.assertEqual(wrong, [])
        for family, words, expected in (("ice40", 64, ["small, 64 x 32 bits,"]), ("ecp5", 64, ["small, 64 x 32 bits,"]),
                                        ("ice40", 8, ["small, 8 x 512 bits,"]), ("ice40", 4, []),
                                        ("ecp5", 4, ["small, 4 x 1024 bits,"])):
            sizes = {"small": Size(words, 32 if words == 64 else 4096 // words)}
            self.assertEqual(fpga.memories_of(fpga.FAMILIES[family], sizes, mapped, "b")[1], expected)
        with self.assertRaisesRegex(ToolFailed, "does not say what it made of the memory other"):
            fpga.memories_of(fpga.FAMILIES["ecp5"], {"other": Size(4, 8)}, mapped, "b")


class Fpga(Tools):
    def test_memories_become_block_ram_and_buffers_at_ports_are_not_counted(self):
        self.tree()
        code, out, err = self.said("area.fpga", "--block", "common/sram_1r1w:WORDS=512,DATA_BITS=32")
        self.assertEqual(code, 0, err)
        # 16 kbit: one of 18, one of 36 (one of 18 has no 32 bits for two ports), four of 4.
        for family, cells in (("ecp5", "1"), ("xc7", "1"), ("ice40", "4")):
            self.assertEqual(self.row(out, f"common/sram_1r1w  {family}")[2:],
                             ["0", "0", cells, "0", "0", "0", "0", "512 x 32: block RAM"])

    def test_a_memory_that_became_flip_flops_fails(self):
        self.tree()
        self.change("rtl/common/sram_1r1w.v", "assign rd_data_o = rd_data_q;", "assign rd_data_o = words[rd_addr_i];")
        words = ("--family", "ice40", "--block")
        code, out, err = self.said("area.fpga", *words, "common/sram_1r1w:WORDS=64,DATA_BITS=32")
        self.assertEqual(code, 1)
        self.assertEqual(self.row(out, "common/sram_1r1w")[-1], "64 x 32: flip-flops")
        self.assertEqual(err.splitlines()[-1], "area-fpga: common/sram_1r1w for ice40: the memory it, 64 x 32 bits, became "
                                               "flip-flops; from 2048 bits on it must be a RAM")
        # A smaller one may.
        self.assertEqual(self.said("area.fpga", *words, "common/sram_1r1w:WORDS=4,DATA_BITS=8")[0], 0)

    def test_the_tables_of_all_blocks(self):
        self.tree()
        self.only("common, sram_1r1w")
        code, _, err = self.said("area.fpga")
        self.assertEqual(code, 0, err)
        rows = self.table("build/area/fpga.tsv")
        self.assertEqual([row["family"] for row in rows], ["ecp5", "xc7", "ice40"])
        self.assertEqual(list(rows[0]), list(fpga.COLUMNS))
        self.assertEqual([(row["block_rams"], row["block_ram_kbits"], row["sram_bits"]) for row in rows],
                         [("2", "36", "24576"), ("1", "36", "24576"), ("8", "32", "24576")])
        found = self.json("build/area/fpga.json")
        self.assertIn("Yosys 0.", found["tool"])
        self.assertEqual([row["cells"] for row in found["rows"]], [{"DP16KD": 2}, {"RAMB36E1": 1}, {"SB_RAM40_4K": 8}])


if __name__ == "__main__":
    main()
