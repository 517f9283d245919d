#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The counters of each load (cmodel/core/loads.h) against the machine's own counters and against the untimed analysis."""
import json
import os
import subprocess

from test_house import BUILD, House, main

PROGRAM = os.path.join(BUILD, "warpmem")
# Fronts, caches and programs that treat accesses differently: queues, bypasses, writes that stay, fills that take lines,
# sectors, no cache; atomics, local memory, several kernels and launches.
RUNS = (
    ("atax", "--scheme", "baseline"),
    ("atax", "--scheme", "mrpb"),
    ("atax", "--preset", "gtx480-mdb", "--scheme", "mdb-local"),
    ("kmeans-global", "--preset", "quadro-daws", "--scheme", "daws-detected"),
    ("spmv-scalar", "--preset", "quadro-daws", "--scheme", "ccws"),
    ("bfs-64k", "--preset", "quadro-owl", "--scheme", "owl"),
    ("bfs-64k", "--preset", "v100"),
    ("memc", "--preset", "quadro-daws"),
    ("memc", "--preset", "quadro-daws", "--set", "l1.replacement=pdp"),
    ("memc", "--preset", "quadro-daws", "--max-insn-per-kernel", "100000"),
    ("atax", "--set", "l1.front=slot"),
    ("atax", "--set", "l1.front_latency=9"),
    ("bicg", "--scheme", "mrpb", "--set", "mrpb.depth=0"),
    ("mst", "--preset", "gtx480"),
    ("atax", "--set", "l1.cache=off"),
    ("atax", "--set", "l1.perfect=on"),
)
TAKEN = ("hits_own", "hits_other", "pending_own", "pending_other", "misses", "past")


def run(*words):
    done = subprocess.run([PROGRAM, "run", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def result_of(workload, *options):
    return json.loads(run(workload, "--size", "tiny", *options, "--json", "-"))


def loads_of(result):
    return [load for kernel in result["kernels"] for load in kernel["loads"]]


class Loads(House):
    def test_each_access_of_each_load_is_counted_once(self):
        for words in RUNS:
            with self.subTest(run=" ".join(words)):
                result = result_of(*words)
                loads, stats = loads_of(result), result["stats"]

                def total(*names, loads=loads):
                    return sum(load[name] for load in loads for name in names)
                for load in loads:
                    self.assertEqual(load["accesses"], sum(load[name] for name in TAKEN), load)
                atomics = sum(load["executions"] for load in loads if load["op"] == "atomic")
                self.assertEqual(atomics, stats["core.atomics"])
                self.assertEqual(total("pending_own", "pending_other"), stats["l1.read_pending_hits"])
                self.assertEqual(total("misses"), stats["l1.read_misses"])
                if "l1.perfect=on" not in words:
                    self.assertEqual(total("hits_own", "hits_other"), stats["l1.read_hits"])
                    self.assertEqual(total("past"), stats["l1.read_bypasses"] + stats["l1.atomics"])
                    # The slot of a warp that has gone owns its lines still; the statistic knows its CTA.
                    self.assertGreaterEqual(total("hits_own"), stats["l1.hits_intra_warp"])

    def test_executions_lanes_and_loops_are_those_of_the_untimed_analysis(self):
        for workload in ("spmv-scalar", "bfs-64k", "kmeans-global"):
            with self.subTest(workload=workload):
                text = subprocess.run([PROGRAM, "characterize", workload, "--size", "tiny", "--preset", "quadro-daws", "--json", "-"],
                                      capture_output=True, text=True, check=True).stdout
                kernels = {kernel["name"]: kernel for kernel in json.loads(text)["kernels"]}
                for kernel in result_of(workload, "--preset", "quadro-daws")["kernels"]:
                    other = kernels[kernel["name"]]
                    untimed = {i["pc"]: i for i in other["memory_instructions"]}
                    in_loops = {load["pc"]: loop["pc"] for loop in other["loops"] for load in loop["loads"]}
                    self.assertTrue(kernel["loads"])
                    for load in kernel["loads"]:
                        i = untimed[load["pc"]]
                        self.assertEqual((load["executions"], load["accesses"]), (i["executions"], i["accesses"]))
                        self.assertEqual(load["lanes"], i["lanes"])
                        self.assertEqual(load.get("loop"), in_loops.get(load["pc"]))

    def test_two_warps_that_share_lines(self):
        """bicg's second kernel reads a matrix by columns: its warps hit lines that others fetched."""
        own, other = (sum(load[name] for load in loads_of(result_of("bicg"))) for name in ("hits_own", "hits_other"))
        self.assertGreater(own, 0)
        self.assertGreater(other, 0)

    def test_a_kept_result_has_them(self):
        words = ("spmv-scalar", "--size", "tiny", "--json", "-", "--keep", self.path("kept"))
        first = run(*words)
        self.assertEqual(run(*words, "--only-kept"), first)
        self.assertTrue(loads_of(json.loads(first)))

    def test_the_table_has_a_row_a_load(self):
        text = run("spmv-scalar", "--size", "tiny", "--preset", "quadro-daws", "--loads")
        rows = [line.split() for line in text.splitlines() if " load " in line]
        self.assertEqual([row[:2] for row in rows], [["32", "-"], ["40", "-"], ["112", "112"], ["120", "112"]])
        for row in rows:
            self.assertAlmostEqual(sum(map(float, row[7:])), 100, delta=0.4)


if __name__ == "__main__":
    main()
