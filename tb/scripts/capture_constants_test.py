#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Capture of CUDA kernels with constants that the compiler places in memory: values, and the memory that they are in."""
import os
import re

from test_house import main
from capture_house import CLANGS, FOLDER, Capture


class Constants(Capture):
    def test_each_kind_has_its_values_and_its_memory(self):
        local = {"array": (["16"], ["4"]), "structs": (["16", "16", "4"], ["4", "4", "1"]), "changed": (["16", "8", "4"], ["4", "4"]),
                 "either": (["16", "4"] * 2, ["4"] * 4)}
        for clang in CLANGS:
            with self.subTest(clang=clang):
                self.compile(os.path.join(FOLDER, "constants.cu"), "constants", clang=clang)
                self.assertEqual(self.capture("./constants", "--check").stdout, "a string: warps\nright\n")
                launches = {kernel: (insns, records) for kernel, insns, records in self.records()}
                for kernel, (stores, loads) in local.items():
                    insns, records = launches[kernel]
                    for word, sizes in (("store", stores), ("load", loads)):
                        found = [re.match(word + r" local (\d+)", insns[pc]) for *_, pc, _, at in records if at]
                        self.assertEqual([of[1] for of in found if of], sizes, kernel)
                    self.assertFalse([text for text in insns.values() if text.startswith("load global")], kernel)
                for kernel, size in (("large", 4), ("text", 1), ("keep", 1)):
                    insns, records = launches[kernel]
                    loads = [at for *_, pc, _, at in records if insns[pc].startswith(f"load global {size}")]
                    self.assertTrue(loads and all(at.startswith(("@0x8", "0x8")) for at in loads), (kernel, loads))
                self.assertFalse([text for text in launches["choice"][0].values() if text.startswith("load")])
                self.assertIn("load constant 4", " ".join(launches["statics"][0].values()))


if __name__ == "__main__":
    main()
