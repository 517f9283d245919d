#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Capture of CUDA kernels that call functions: through pointers, virtual ones, and those that call themselves."""
import os

from test_house import main
from capture_house import CC, CLANGS, FOLDER, Capture

# Kernels of two files, of which one has the function whose pointer the other calls.
FUNCTION = """#include <cuda_runtime.h>
static __device__ int tripled(int x) { return 3 * x; }
__device__ int (*pointer)(int) = tripled;
void *address() {
    void *p;
    cudaMemcpyFromSymbol(&p, pointer, sizeof p);
    return p;
}
"""


class Calls(Capture):
    def test_each_kind_of_call_has_the_right_results(self):
        for clang in CLANGS:
            self.compile(os.path.join(FOLDER, "calls.cu"), "calls", clang=clang)
            for rule in ("smallest", "stack"):
                with self.subTest(clang=clang, rule=rule):
                    self.assertEqual(self.capture("./calls", "--check", "--reconverge", rule).stdout, "right\n")

    def test_lanes_of_one_target_run_together_and_all_meet_behind_the_call(self):
        self.compile(os.path.join(FOLDER, "calls.cu"), "calls")
        for rule in ("smallest", "stack"):
            self.capture("./calls", "--reconverge", rule)
            _, insns, records = next(row for row in self.records() if row[0] == "parted")
            steps = [(insns[pc], lanes, at) for _, warp, pc, lanes, at in records if warp == 0]
            pointer = next(n for n, (insn, _, at) in enumerate(steps) if insn.startswith("load global 8"))
            call = next(n for n in range(pointer, len(steps)) if steps[n][0].startswith("branch"))
            behind = next(n for n in range(call + 1, len(steps)) if steps[n][1] == 0xFFFFFFFF)
            self.assertEqual([lanes for _, lanes, _ in steps[:call + 1]], [0xFFFFFFFF] * (call + 1))
            self.assertTrue(steps[pointer][2].startswith("@0x8"), steps[pointer])  # a variable of the device
            # The third target loops as often as the lane's number says.
            of_target = [0x49249249, 0x92492492, 0x24924924]
            masks = [lanes for _, lanes, _ in steps[call + 1:behind]]
            runs = [next(n for n, mask in enumerate(of_target) if not lanes & ~mask) for lanes in masks]
            self.assertEqual(runs, sorted(runs, key=runs.index))
            self.assertEqual(sorted(set(runs)), [0, 1, 2])
            self.assertEqual([masks[n] for n in range(len(runs)) if n == 0 or runs[n] != runs[n - 1]], [of_target[n] for n in dict.fromkeys(runs)])
            self.assertTrue(steps[-2][0].startswith("store global 4") and steps[-2][1] == 0xFFFFFFFF)

    def test_a_call_through_what_is_no_function_of_the_device_is_an_error(self):
        more = """typedef int (*F)(int);
            static int on_host(int n) { return n; }
            static __device__ int on_device(int n) { return n + 1; }
            __device__ F kept = on_device;
            __global__ void call(int *p, F f) { p[threadIdx.x] = f(1); }"""
        for pointer in ("nullptr", "on_host", "(F)main"):
            self.compile_one("p[t] = n;", f'call<<<1, 32>>>(p, (F){pointer}); printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));', more)
            done = self.call("./one")
            self.assertEqual(done.stdout, "cudaErrorLaunchFailure")
            self.assertRegex(done.stderr, r"^warpmem capture: \S*one\.cu:9 or behind: kernel call, CTA 0, thread 0: calls through the pointer \S+: "
                                          "no function of the device in the kernel's file is there\n$")
            self.capture("./one", code=1)

    def test_a_function_of_another_file_needs_relocatable_code(self):
        file = self.write("function.cu", FUNCTION)
        kernel = self.write("kernel.cu", """#include <cuda_runtime.h>
            #include <cstdio>
            void *address();
            static __device__ int own(int x) { return x; }
            __device__ int (*kept)(int) = own;
            __global__ void call(int *p, int (*f)(int)) { *p = f(5); }
            int main() {
                int *p, got = 0;
                cudaMalloc(&p, 4);
                call<<<1, 1>>>(p, (int (*)(int))address());
                cudaMemcpy(&got, p, 4, cudaMemcpyDeviceToHost);
                printf("%d %s", got, cudaGetErrorName(cudaGetLastError()));
            }""")
        for options, said in ((["-rdc=true"], "15 cudaSuccess"), ([], "0 cudaErrorLaunchFailure")):
            self.call(CC, *options, file, kernel, "-o", "both")
            self.assertEqual(self.call("./both").stdout, said)

    def test_local_memory_of_a_recursion_without_end_is_full(self):
        self.compile_one("p[t] = deeper(n);", 'one<<<1, 1>>>(p, 64); printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));',
                         "__device__ int deeper(int n) { volatile int a[8]; a[n % 8] = n; return n ? deeper(n + 1) + a[n % 7] : 0; }")
        done = self.call("./one")
        self.assertEqual(done.stdout, "cudaErrorIllegalAddress")
        self.assertIn("kernel one, CTA 0, thread 0", done.stderr)

    def test_a_function_cannot_ask_which_lanes_are_active(self):
        more = "typedef int (*F)(); __device__ int lanes() { return __activemask(); } __device__ F f = lanes;"
        said = self.compile_one("p[t] = f();", more=more, code=1).stderr
        self.assertRegex(said, r"one\.cu:5: __activemask\(\) or coalesced_threads\(\) in a function that is called through a pointer.*kernel _Z3one")


if __name__ == "__main__":
    main()
