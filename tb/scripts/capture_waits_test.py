#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Capture of kernels whose threads wait for others in a loop: results, the iterations in a trace, waits that never end."""
import os

from test_house import main
from capture_house import CLANGS, FOLDER, PROGRAM, Capture

WAITS = os.path.join(FOLDER, "waits.cu")
LOAD = "static __device__ int load(const int *p) { return *(const volatile int *)p; }\n"
COPY = 'cudaDeviceSynchronize(); cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost); printf("%d %d\\n", host[0], host[1]);'
EVER = r"one\.cu:\d+ or near: kernel one, CTA {}, thread {}: waits in a loop for ever: no thread that runs changes what it reads{}\n"


class Waits(Capture):
    def accesses(self, launch=0):
        """{(CTA, warp): [operation, lanes]} of global memory, but for addresses."""
        found = {}
        _, insns, records = self.records()[launch]
        for cta, warp, pc, lanes, _ in records:
            words = insns[pc].split()
            if words[:2] in (["load", "global"], ["store", "global"], ["atomic", "global"]):
                found.setdefault((cta, warp), []).append((words[0], lanes))
        return found

    def test_threads_wait_for_those_of_their_warp_their_cta_and_others(self):
        for clang in CLANGS:
            with self.subTest(clang=clang):
                self.compile(WAITS, "waits", clang=clang)
                self.assertEqual(self.call("./waits").stdout, "right\n")
                done = self.capture("./waits", "--check")
                self.assertEqual(done.stdout, "right\n")
                self.assertIn("11 launches were not compared, as their threads wait for each other", done.stderr)
        self.capture("./waits", output="again.wtr")
        self.assertEqual(self.bytes("t.wtr"), self.bytes("again.wtr"))
        for preset in ("gtx480", "v100"):
            self.assertIn("\ncomplete\ttrue\t", self.call(PROGRAM, "run", "t.wtr", "--preset", preset, "--tsv", "-").stdout)

    def test_ctas_that_are_not_recorded_wait_too(self):
        self.compile(WAITS, "waits")
        self.assertEqual(self.capture("./waits", "--ctas", "1").stdout, "right\n")
        self.assertEqual(self.capture("./waits", "--max-launches", "2").stdout, "right\n")

    def test_the_trace_has_one_iteration_in_vain(self):
        self.compile_one("if (t == 0) { while (load(p) == 0) {} p[1] = load(p) + 1; } if (t == 31) { *p = 41; }", "one<<<1, 32>>>(p, 64); " + COPY, LOAD)
        self.assertEqual(self.capture("./one").stdout, "41 42\n")
        loads = [lanes for what, lanes in self.accesses()[0, 0] if what == "load" and lanes == 1]
        self.assertIn(len(loads), (3, 4))  # one or two in vain, one of the new value, one behind the loop
        self.compile_one("if (t == 0) { while (atomicAdd(p, 0) == 0) { } } if (t == 32) { atomicExch(p, 1); }", "one<<<2, 32>>>(p, 64); " + COPY, LOAD)
        self.assertEqual(self.capture("./one").stdout, "1 0\n")
        self.assertIn(len(self.accesses()[0, 0]), (2, 3))

    def test_a_loop_that_counts_and_ends_by_itself_is_whole(self):
        self.compile_one("int i = 0; while (load(p) == 0 && i < 5000) { i++; } p[1] = i;", "one<<<1, 32>>>(p, 64); " + COPY, LOAD)
        self.assertEqual(self.capture("./one").stdout, "0 5000\n")
        self.assertEqual([what for what, _ in self.accesses()[0, 0]].count("load"), 5001)

    def test_a_wait_with_barriers_keeps_the_iterations_before_it_is_seen(self):
        self.compile_one("while (__syncthreads_or(blockIdx.x == 0 && load(p) == 0)) {} if (blockIdx.x == 1) { *p = 1; } p[1] = 2;",
                         "one<<<2, 64>>>(p, 64); " + COPY, LOAD)
        self.assertEqual(self.capture("./one").stdout, "1 2\n")
        loads = [what for what, _ in self.accesses()[0, 0]].count("load")
        self.assertEqual(loads, 64 + 4 + 1)  # until the CTA is looked at, while its rounds are compared, and the one that ends it

    def test_only_ctas_that_the_device_holds_run_at_once(self):
        self.compile_one("if (blockIdx.x + 1 < gridDim.x) { while (atomicAdd(p, 0) == 0) {} } else { *p = 1; }",
                         'int n; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, one, 512, 0); one<<<getenv("MORE") ? n + 1 : n, 512>>>(p, 64); ' + COPY)
        self.assertEqual(self.capture("./one", "--cores", "1").stdout, "1 0\n")
        os.environ["MORE"] = "1"
        self.addCleanup(os.environ.pop, "MORE")
        done = self.capture("./one", "--cores", "1", code=1)
        self.assertRegex(done.stderr, EVER.format(0, 0, "; 1 of 5 CTAs have not begun, as the device holds 4 of them at once"))
        self.assertEqual(self.capture("./one", "--cores", "2").stdout, "1 0\n")

    def test_another_thread_of_the_host_may_end_a_wait(self):
        self.compile_one("if (t == 0) { while (load(p) == 0) {} p[1] = 7; }",
                         "cudaMallocManaged(&p, 64); p[0] = p[1] = 0; std::thread other([p] { usleep(20000); *(volatile int *)p = 1; });\n"
                         "one<<<1, 32>>>(p, 64); other.join(); " + COPY.replace("sizeof host", "8"), LOAD + "#include <thread>\n")
        self.assertEqual(self.call("./one").stdout, "1 7\n")
        self.assertEqual(self.capture("./one").stdout, "1 7\n")

    def test_waits_that_never_end_are_named(self):
        rows = (("if (t == 5) { while (load(p) == 0) {} }", (0, 5)),
                ("while (atomicCAS(p, 0, 1) != 0) {}", (0, 1)),
                ("while (__syncthreads_or(load(p) == 0)) {}", (0, 0)),
                ("__shared__ int f[2]; f[t % 2] = 0; __syncthreads(); if (t < 2) { while (load(&f[1 - t]) == 0) {} f[t] = 1; } __syncthreads();", (0, 0)),
                ("if (blockIdx.x == 1 && load(p) == 0) { while (load(p + 1) == 0) {} }", (1, 0)))
        for body, (cta, thread) in rows:
            with self.subTest(body=body):
                self.compile_one(body, "one<<<2, 32>>>(p, 64); " + COPY, LOAD)
                for done in (self.capture("./one", code=1), self.call("./one", code=1)):
                    self.assertRegex(done.stderr, "^warpmem capture: \\S*" + EVER.format(cta, thread, ""))


if __name__ == "__main__":
    main()
