#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""libcu++ and copies of pipelines: their values, and what they are in a trace."""
import collections
import os

from test_house import main
from capture_house import CLANGS, FOLDER, Capture

LIBCU = os.path.join(FOLDER, "libcu.cu")


class Libcu(Capture):
    def test_atomics_barriers_and_pipelines_compute_what_they_should(self):
        for clang in reversed(CLANGS):
            self.compile(LIBCU, "libcu", clang=clang)
            self.assertEqual(self.call("./libcu").stdout, "right\n")
        self.assertEqual(self.capture("./libcu", "--check").stdout, "right\n")

    def test_copies_and_waits_are_what_is_documented(self):
        self.compile(LIBCU, "libcu")
        self.capture("./libcu", "--kernels", "copies,phases")
        (_, copies, copied), (_, phases, waited) = self.records()
        accesses = [" ".join(copies[pc].split()[:3]) for cta, warp, pc, _, _ in copied if warp == 0 and copies[pc].split()[0] in ("load", "store")]
        self.assertEqual(accesses[:4], ["load global 16", "load global 4", "store shared 16", "store shared 4"])
        barriers = collections.Counter(warp for _, warp, pc, lanes, _ in waited if phases[pc].startswith("barrier") and lanes == 0xffffffff)
        self.assertEqual(barriers, {0: 1 + 2 * 5, 1: 1 + 2 * 5, 2: 1 + 2 * 5})

    def test_c_functions_of_pipelines(self):
        self.compile_one("__shared__ int4 s[64]; __pipeline_memcpy_async(&s[threadIdx.x], p + 4 * threadIdx.x, 16); __pipeline_commit(); __pipeline_wait_prior(0);\n"
                         "__pipeline_memcpy_async(&s[32 + threadIdx.x].y, p + 4 * threadIdx.x, 8, 3); __syncthreads(); p[t] = s[31 - threadIdx.x].x + s[32 + threadIdx.x].z;",
                         "int h[32 * 4]; for (int i = 0; i < 128; i++) h[i] = i * 0x01010101; cudaMalloc(&p, 512); cudaMemcpy(p, h, 512, cudaMemcpyHostToDevice);\n"
                         "one<<<1, 32>>>(p, 0); cudaMemcpy(h, p, 128, cudaMemcpyDeviceToHost);\n"
                         'for (int i = 0; i < 32; i++) if (h[i] != (31 - i) * 4 * 0x01010101 + (4 * i + 1)) return printf("%d: %x\\n", i, h[i]), 1;',
                         more="#include <cuda_pipeline.h>")
        self.call("./one")

    def test_threads_that_wait_for_ever_at_a_barrier_are_named(self):
        self.compile_one("__shared__ cuda::barrier<cuda::thread_scope_block> b; if (!t) init(&b, 33); __syncthreads(); b.arrive_and_wait();",
                         "one<<<1, 32>>>(p, 0); return cudaDeviceSynchronize();", more="#include <cuda/barrier>")
        self.assertIn("threads wait for others that do not come to a barrier", self.call("./one", code=1).stderr)


if __name__ == "__main__":
    main()
