#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Capture of CUDA's cooperative groups: results, the instructions that they cost, launches of whole grids."""
import collections
import os
import re

from test_house import main
from capture_house import CLANGS, FOLDER, PROGRAM, Capture

# Macros that programs have, which our headers must not meet; a launch as a whole grid.
HEAD = "".join(f"#define {name} 0\n" for name in "SIZE WIDTH BLOCK GRID THREADS STEP COUNT BYTES WARPS LANES MORE".split())
HEAD += "".join(f"#include <cooperative_groups{part}.h>\n" for part in ("", "/reduce", "/scan", "/memcpy_async")) + "namespace cg = cooperative_groups;"
WHOLE = "void *a[] = {&p, &n}; cudaLaunchCooperativeKernel(one, 3, 64, a);"


class Groups(Capture):
    def test_groups_of_a_cta_compute_what_the_host_does(self):
        for clang in CLANGS:
            with self.subTest(clang=clang):
                self.compile(os.path.join(FOLDER, "groups.cu"), "groups", "-std=c++11", clang=clang)
                self.assertEqual(self.capture("./groups", "--check").stdout, "right\n")
                self.assertEqual(self.launches(), ["whole", "tiles<32>", "tiles<8>", "tiles<4>", "nested", "together", "parts", "combined", "copies",
                                                   "warps<64>", "warps<256>", "partial"])

    def test_whole_grids_compute_what_the_host_does_and_run_to_their_end(self):
        for clang in CLANGS:
            with self.subTest(clang=clang):
                self.compile(os.path.join(FOLDER, "grid.cu"), "grid", clang=clang)
                self.assertEqual(self.capture("./grid", "--check").stdout, "right\n")
                self.assertEqual(self.launches(), ["rounds", "rounds", "none", "small"])
        for preset in ("gtx480", "v100"):
            self.assertIn("\ncomplete\ttrue\t", self.call(PROGRAM, "run", "t.wtr", "--preset", preset, "--tsv", "-").stdout)
        self.capture("./grid", "--ctas", "2", output="two.wtr")
        first, = self.records("two.wtr")[:1]
        self.assertEqual({cta for cta, *_ in first[2]}, {0, 1})
        self.assertEqual(first[2], [record for record in self.records()[0][2] if record[0] < 2])

    def test_a_barrier_of_the_grid_is_what_a_gpu_executes(self):
        self.compile_one("p[t] = t; cg::this_grid().sync(); p[t] += n;", f"int n = 4; cudaMalloc(&p, 4096); {WHOLE}", HEAD)
        self.capture("./one")
        (_, insns, records), = self.records()
        warps = collections.defaultdict(list)
        for cta, warp, pc, lanes, at in records:
            words = insns[pc].split(" dst")[0].split(" src")[0].split(" line")[0]
            if words.split()[0] in ("barrier", "fence", "atomic", "load", "store") and "constant" not in words:
                warps[cta, warp].append((words, bin(lanes).count("1"), at))
        self.assertEqual(len(warps), 6)
        counters = set()
        for (_, warp), found in warps.items():
            what = [(words, lanes) for words, lanes, _ in found]
            arrival = [("fence", 1), ("atomic global 4", 1), ("load global 4 uncached", 1), ("fence", 1)]
            self.assertEqual(what, [("store global 4", 32), ("barrier", 32), *(arrival if warp % 2 == 0 else []), ("barrier", 32),
                                    ("load global 4", 32), ("store global 4", 32)])
            counters |= {at for words, lanes, at in found if lanes == 1 and at}
        self.assertEqual(len(counters), 1)

    def test_an_operation_costs_what_a_gpu_executes(self):
        costs = (("", 0), ("w.sync();", 1), ("v = w.shfl_xor(v, 1);", 1), ("v = w.shfl_down(v, 4);", 1), ("v = w.any(v);", 2), ("v = w.ballot(v);", 2),
                 ("v = w.match_any(v);", 1), ("cg::this_thread_block().sync();", 1), ("v = cg::reduce(w, v, cg::plus<int>());", 10),
                 ("double d = w.shfl(v + 0.5, 3); v = (int)d;", 5))
        kernels = "".join("__global__ void k%d(int *p, int n) { auto w = cg::tiled_partition<32>(cg::this_thread_block()); int t = threadIdx.x, v = p[t]; "
                          "%s p[t] = v * n; }\n" % (i, body) for i, (body, _) in enumerate(costs))
        self.compile_one("", "".join(f"k{i}<<<1, 32>>>(p, 64);" for i in range(len(costs))), HEAD + "\n" + kernels)
        self.capture("./one")
        found = [len(records) for _, _, records in self.records()]
        self.assertEqual([(body, count - found[0]) for (body, _), count in zip(costs, found, strict=True)], list(costs))

    def test_lanes_that_are_active_together_are_so_in_the_trace(self):
        """Each lane stores how many there are, to a place of its own for each time: as many lanes must store together."""
        body = """int k = 0;
            if (t == 13) { return; }
            for (int i = 0; i < t % 5 + 1; i++) {
                if ((t ^ i) % 4 == 3) { continue; }
                for (int j = 0; j < (t * 7 + i) % 6; j++) {
                    if ((t + j) % 7 == 5) { break; }
                    if ((t + j) % 3 == 1) { continue; }
                    p[k++ * 32 + t] = cg::coalesced_threads().size();
                }
            }
            do { p[k++ * 32 + t] = __popc(__activemask()); } while (k % (t % 3 + 2));"""
        self.compile_one(body, "cudaMalloc(&p, 2048 * sizeof(int)); one<<<1, 32>>>(p, 64); static int h[2048]; "
                               'cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost); for (int x : h) printf("%d ", x);', HEAD)
        stored = [int(word) for word in self.capture("./one", "--check").stdout.split()]
        (_, insns, records), = self.records()
        found = []
        for *_, pc, lanes, at in records:
            if insns[pc].startswith("store global 4"):
                active = [lane for lane in range(32) if lanes >> lane & 1]
                base = re.fullmatch(r"@0x(\w+)\+4", at)
                places = [int(base[1], 16) + 4 * lane for lane in active] if base else [int(word, 16) for word in at.lstrip("@").split(",")]
                found.append((len(active), [stored[(place - 0x10000100) // 4] for place in places]))
        self.assertGreater(len(found), 12)
        for count, values in found:
            self.assertEqual(values, [count] * count)

    def test_launches_and_groups_that_cannot_be_are_named(self):
        ends = (("cg::this_grid().sync();", "one<<<2, 32>>>(p, 64);", "kernel one: waits for the whole grid: must be launched with cudaLaunchCooperativeKernel()"),
                ("if (blockIdx.x) { cg::this_grid().sync(); }", f"int n = 4; {WHOLE}", "kernel one: 2 CTAs wait for the grid, but 1 have ended"),
                ("p[t % 64] = cg::tiled_partition(cg::this_thread_block(), n).size();", "one<<<1, 32>>>(p, 12);",
                 ": a tile's size must be a power of 2 up to 32"),
                ("p[t % 64] = cg::tiled_partition<64>(cg::this_thread_block()).thread_rank();", "one<<<1, 64>>>(p, 12);",
                 ": a tile of more than 32 threads needs block_tile_memory"),
                ("__shared__ cg::block_tile_memory<128> m; auto w = cg::tiled_partition<64>(cg::this_thread_block(m)); if (t < 96) { w.sync(); } else "
                 "{ __syncthreads(); }", "one<<<1, 128>>>(p, 12);", "threads wait for others that do not come to a barrier, a tile or the grid"))
        for body, launch, said in ends:
            self.compile_one(body, launch, HEAD)
            self.assertIn(said, self.capture("./one", code=1).stderr)
        for body, said in (("auto g = cg::this_multi_grid();", "grids of several devices (this_multi_grid()): not supported"),
                           ("auto g = cg::this_cluster();", "clusters of CTAs (this_cluster()): not supported"),
                           ("auto g = cg::tiled_partition<48>(cg::this_thread_block());", "a tile's size must be a power of 2 up to 1024")):
            self.assertIn(said, self.compile_one(body, more=HEAD, code=1).stderr)


if __name__ == "__main__":
    main()
