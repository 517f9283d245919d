#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The comparison with a GPU: its numbers, and our own programs."""
import os

from silicon import agreement, counters, report
from test_house import ROOT, main
from capture_house import Capture

EXAMPLES = os.path.join(ROOT, "examples", "silicon")
# Program: a small size, and its recorded launches.
SMALL = {"stores": ("65536", 1), "walsh": ("4096", 4), "multiply": ("64", 1), "tree_search": ("64 2", 1), "layer": ("256", 2), "stencil": ("64 2", 2),
         "quasirandom": ("4096", 1), "reduction": ("5000", 1)}


class Numbers(Capture):
    def test_errors_and_correlations_are_those_of_the_definitions(self):
        found = agreement.agreement([(110, 100), (150, 200), (800, 400), (1000, 1000)])
        self.assertAlmostEqual(found["error"], (0.1 + 0.25 + 1 + 0) / 4)
        self.assertAlmostEqual(found["worst"], 1)
        self.assertAlmostEqual(found["bias"], (1.1 * 0.75 * 2) ** 0.25)
        self.assertAlmostEqual(found["ranks"], 1)
        self.assertAlmostEqual(agreement.spearman([1, 2, 3, 4], [10, 40, 30, 20]), 1 - 6 * (0 + 4 + 0 + 4) / (4 * 15))
        self.assertEqual(agreement.ranks([5, 1, 5, 9]), [2.5, 1, 2.5, 4])
        self.assertAlmostEqual(agreement.pearson([1, 2, 4], [3, 5, 9]), 1)
        self.assertIsNone(agreement.pearson([1, 1, 1], [3, 5, 9]))

    def test_few_of_a_counter_are_shown_and_not_judged(self):
        row = {"kernel": "k", "program": "p", "launches": 1, "duty": 0.1, "ours": {"cycles": 100, "dram_reads": 5, "warp_instructions": 1},
               "counts": {"cycles": 2000, "dram_reads": 10}}
        self.assertEqual(report.pairs_of(row)["dram_reads"], (5, 10))
        self.assertEqual(report.judged(row), {"cycles": (100, 2000)})

    def test_every_row_of_the_gpus_table_has_a_program(self):
        rows = counters.gpu_rows(os.path.join(ROOT, "data", "silicon", "gv100.tsv"))
        self.assertEqual(len(rows), 11)
        self.assertEqual({name: rows[3]["counts"][name] for name in ("cycles", "dram_reads", "l2_read_misses")},
                         {"cycles": 126020, "dram_reads": 1048617, "l2_read_misses": 1048576})
        known = {(row["suite"], row["program"]) for row in self.programs()}
        self.assertLessEqual({(row["suite"], row["program"]) for row in rows}, known)
        self.assertLessEqual({("warpmem", name) for name in SMALL}, known)

    def programs(self):
        return self.table(os.path.join(ROOT, "data", "silicon", "programs.tsv"))


class Programs(Capture):
    def test_our_own_programs_find_their_results_right(self):
        for name, (words, launches) in SMALL.items():
            self.compile(os.path.join(EXAMPLES, name + ".cu"), name, "-O2")
            self.assertIn(f"{name}: PASS, 0 wrong", self.capture(f"./{name} {words}").stdout)
            self.assertEqual(len(self.launches()), launches, name)
        self.call("./multiply", "33", code=2)
        self.call("./walsh", "5000", code=2)


if __name__ == "__main__":
    main()
