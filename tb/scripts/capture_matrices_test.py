#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Matrices of a warp: the values of each shape, and the instructions and accesses that they are."""
import collections
import os

from test_house import main
from capture_house import CLANGS, FOLDER, Capture

MATRICES = os.path.join(FOLDER, "matrices.cu")


class Matrices(Capture):
    def test_products_are_the_hosts_and_fragments_in_the_places_documented(self):
        for clang in reversed(CLANGS):
            self.compile(MATRICES, "matrices", clang=clang)
            self.assertEqual(self.call("./matrices").stdout, "right\n")
        self.assertEqual(self.capture("./matrices", "--check", "--kernels", "through_shared").stdout, "right\n")
        self.check_accesses()

    def check_accesses(self):
        """Fragments are read and written as documented."""
        (_, insns, rows), = self.records()
        first = next(n for n, (_, warp, pc, _, _) in enumerate(rows) if warp == 1 and insns[pc].startswith("load shared"))
        counted = collections.Counter(" ".join(word for word in insns[pc].split() if "=" not in word) for _, warp, pc, lanes, _ in rows[first:]
                                      if warp == 1 and lanes == 0xffffffff)
        # Four words of A and of B; two products of 16 x 8; two sums of each in a word of 8 bytes.
        self.assertEqual([counted[name] for name in ("load shared 4", "fp_mad", "store global 8")], [8, 2, 4])
        self.assertFalse([insn for insn in insns.values() if "local" in insn])
        products = [insn for insn in insns.values() if insn.startswith("fp_mad")]
        self.assertTrue(all(insn.count("src=") and len(insn.split("src=")[1].split()[0].split(",")) == 4 for insn in products), products)

    def test_matrices_that_are_not_there_are_named(self):
        for text, said in (("wmma::fragment<wmma::matrix_a, 8, 8, 32, wmma::experimental::precision::s4, wmma::row_major>", "tensor operations of 4 bits and of 1 bit: not supported"),
                           ("wmma::fragment<wmma::matrix_a, 16, 8, 16, half, wmma::row_major>", "wmma: no such shape")):
            stderr = self.compile_one(f"{text} f; p[t] = f.num_elements;", more="#include <mma.h>\nusing namespace nvcuda;", code=1).stderr
            self.assertIn(said, stderr)


if __name__ == "__main__":
    main()
