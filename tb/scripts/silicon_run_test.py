#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""make silicon and make silicon-micro from end to end: kernels against a table of this test, latencies of a preset, errors."""
import os

from silicon import counters
from test_house import BUILD, ROOT, TOOL, main
from capture_house import Capture

EXAMPLES = os.path.join(ROOT, "examples", "silicon")
COLUMNS = ("suite", "program", "arguments", "kernel", *counters.NAMES, "pipeline_duty")


class Comparison(Capture):
    def gpu_table(self, *rows):
        """rows: {column: value}."""
        lines = ["\t".join(COLUMNS)] + ["\t".join(str(row.get(name, "")) for name in COLUMNS) for row in rows]
        return self.write("gpu.tsv", "\n".join(lines) + "\n")

    def silicon(self, *words, code=0):
        return self.call(TOOL, "silicon", "--build", BUILD, "--out", self.path("out"), "--jobs", "1", *words, code=code)

    def test_kernels_are_captured_run_alone_and_compared(self):
        sectors = 65536 * 4 // 32
        row = {"suite": "warpmem", "program": "walsh", "arguments": "65536", "kernel": "transform_far", "cycles": 2000, "dram_reads": sectors,
               "l1_read_misses": 2 * sectors, "l2_write_hits": sectors, "pipeline_duty": 0.1}
        absent = {"suite": "parboil", "program": "sgemm", "kernel": "mysgemmNT", "cycles": 1}
        table = self.gpu_table(row, absent)
        done = self.silicon("--suites", EXAMPLES, "--table", table)
        self.assertIn("parboil/sgemm: no cuda/sgemm_kernel.cu below", done.stderr)
        self.assertIn("https://github.com/abduld/Parboil", done.stderr)
        found = {one["counter"]: one for one in self.table("out/gv100.tsv")}
        self.assertEqual({one["kernel"] for one in found.values()}, {"transform_far"})
        self.assertEqual(found["cycles"]["ours_launches"], "6")  # two transforms of three launches
        for counter, ratio in (("dram_reads", "1.0000"), ("l1_read_misses", "0.5000"), ("l2_write_hits", "1.0000")):
            self.assertEqual((found[counter]["ours"], found[counter]["ratio"]), (str(sectors), ratio))
        self.assertEqual(found["warp_instructions"]["gpu"], "-")
        self.assertIn("<svg", self.read("out/gv100.svg"))
        self.assertEqual(done.stdout.split("\n\nout")[0].split("\n" + self.path("out"))[0], self.read("out/gv100.txt"))
        before = self.read("out/gv100.tsv")
        again = self.silicon("--suites", EXAMPLES, "--table", table)
        self.assertNotIn("launches run", again.stderr)
        self.assertEqual(self.read("out/gv100.tsv"), before)

    def test_wrong_input_is_one_line(self):
        table = self.gpu_table({"suite": "warpmem", "program": "walsh", "arguments": "4096", "kernel": "transform_far", "cycles": 1})

        def refused(part, *words):
            done = self.silicon(*words, code=2)
            self.one_line((2, done.stdout, done.stderr), part)

        refused("no such folder; docs/silicon.md", "--suites", self.path("none"))
        refused("no silicon/walsh.cu below", "--suites", self.folder, "--table", table)
        refused("--only nothing: must be of transform_far, walsh", "--suites", EXAMPLES, "--table", table, "--only", "nothing")
        refused("none.tsv: No such file", "--suites", EXAMPLES, "--table", self.path("none.tsv"))
        refused("row 1: lacks program, kernel", "--suites", EXAMPLES, "--table", self.write("bad.tsv", "suite\tcycles\nwarpmem\t3\n"))
        refused("must be numbers", "--suites", EXAMPLES, "--table", self.gpu_table({"suite": "a", "program": "b", "kernel": "c", "cycles": "many"}))
        self.gpu_table({"suite": "warpmem", "program": "walsh", "arguments": "4096", "kernel": "transform_far", "cycles": 1})
        refused("preset none: there is none of that name", "--suites", EXAMPLES, "--table", table, "--preset", "none")
        refused("must have l1.sectors and l2.sectors", "--suites", EXAMPLES, "--table", table, "--preset", "c2050-s")

    def test_a_kernel_that_is_not_launched_fails_alone(self):
        rows = [{"suite": "warpmem", "program": "walsh", "arguments": "4096", "kernel": kernel, "cycles": 1000} for kernel in ("none", "transform_tile")]
        done = self.silicon("--suites", EXAMPLES, "--table", self.gpu_table(*rows), code=1)
        self.assertIn("failed: warpmem/walsh: warpmem: exit status 1: warpmem capture: --kernels: none was not launched", done.stderr)
        self.assertEqual({row["kernel"] for row in self.table("out/gv100.tsv")}, {"transform_tile"})


class Micro(Capture):
    def measured(self, name):
        self.call(TOOL, "silicon.micro", "--build", BUILD, "--out", self.path("out"), "--jobs", "1", "--presets", "v100", "--only", name)
        return self.table("out/micro.tsv")

    def test_a_pointer_chase_finds_the_latencies_of_the_preset(self):
        rows = self.measured("chase")
        ours = {row["measure"]: float(row["ours"]) for row in rows}
        self.assertEqual(ours["l1_latency"], 28)
        self.assertEqual({row["error %"] for row in rows if row["measure"] == "l1_latency" and row["source"] == "Jia 2018"}, {"+0.0"})
        self.assertLess(abs(ours["l2_latency"] - 193), 2)

    def test_shared_memory_takes_a_cycle_for_each_word_of_a_bank(self):
        ours = {row["measure"]: float(row["ours"]) for row in self.measured("shared_conflicts")}
        for stride in (4, 16, 32):
            self.assertLess(abs(ours[f"shared_stride_{stride}"] - stride), 0.2)
        self.assertEqual(ours["shared_stride_0"], ours["shared_stride_1"])


if __name__ == "__main__":
    main()
