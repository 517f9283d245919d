#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Capture of CUDA programs that cannot be captured, and of those that end badly."""
import os
import re
import subprocess
import time

from test_house import main
from capture_house import CC, PROGRAM, Capture


class Refused(Capture):
    def refused(self, body, said, more="", launch="one<<<1, 32>>>(p, 64);"):
        text = self.compile_one(body, launch, more, code=1).stderr
        self.assertRegex(text, said)
        self.assertRegex(text, r"one\.cu:\d+: ")
        self.assertFalse(os.path.exists(self.path("one")))

    def test_kernels_that_cannot_be_captured_name_the_line(self):
        self.refused('asm("mov.u32 %0, %%envreg3;" : "=r"(p[t]));', r"one\.cu:8: inline PTX: '%envreg3': is not supported \(kernel")
        self.refused('asm("nop");', "inline assembly: is not supported")
        self.refused("__builtin_memcpy(p, p + 8, n);", "copy whose size is not known", "")

    def test_parts_of_cuda_that_are_not_there_are_named(self):
        for more, body, said in (("void g() { cudaIpcGetMemHandle(0, 0); }", "p[t] = n;",
                                  "'cudaIpcGetMemHandle' is unavailable: memory and events of other processes: not supported"),
                                 ("#include <cuda.h>\nvoid g() { cuInit(0); }", "p[t] = n;", "'cuInit' is unavailable: the driver's API: not supported")):
            self.assertRegex(self.compile_one(body, more=more, code=1).stderr, r"one\.cu:\d+:\d+: error: .*" + said)

    def test_the_hosts_functions_in_a_kernel_are_named(self):
        said = self.compile_one("if (!t) { cudaEventSynchronize(0); }", code=1).stderr
        self.assertRegex(said, r"one\.cu:8:\d+: error: ")
        self.assertTrue(said.endswith("\nwarpmem-cc: a kernel that calls the host's API, but to launch kernels: not supported\n"), said)
        said = self.compile_one("if (!t) { two<<<1, 1>>>(p); cudaDeviceSynchronize(); }", more="__global__ void two(int *p) {}", code=1).stderr
        self.assertRegex(said, r"one\.cu:8:\d+: error: 'cudaDeviceSynchronize' is unavailable: cudaDeviceSynchronize\(\) in a kernel, which CUDA 12 has no more")
        self.assertRegex(self.compile_one("if (!t) { two<<<1, 1>>>(p); }", more="__global__ void two(int *p);", code=1).stderr,
                         r"one\.cu:8: a launch of _Z3twoPi, which is in another file: needs -rdc=true \(kernel _Z3onePii\)\n$")

    def test_libraries_that_are_not_there_are_named(self):
        for header, name in (("thrust/device_vector.h", "thrust"), ("cublas_v2.h", "cuBLAS"), ("cuda/annotated_ptr", "libcu++"), ("nvrtc.h", "compilation at run time (NVRTC)")):
            self.write("deeper.h", f"#include <{header}>\n")
            said = self.compile_one("p[t] = n;", more='#include "deeper.h"', code=1).stderr
            self.assertIn(f"deeper.h:1:10: fatal error: '{header}' file not found", said)
            self.assertTrue(said.endswith(f"\nwarpmem-cc: {name}: not supported\n"), said)
        self.assertNotIn("warpmem-cc:", self.compile_one(more="#include <absent.h>", code=1).stderr)

    def test_options_that_are_none(self):
        source = self.write("a.cu", "int main() {}\n")
        for words, said in ((("-cubin", source), "-cubin: is not supported"), (("--nonsense", source), "--nonsense: no such option"),
                            ((), "needs a file"), (("absent.cu",), "absent.cu: no such file"), (("-o",), "-o: needs a value"),
                            (("a.f90",), "a.f90: must end in .cu")):
            self.assertIn("warpmem-cc: " + said, self.call(CC, *words, code=2).stderr)
        environment = {**os.environ, "CLANG": "absent-clang"}
        self.assertIn("absent-clang is not there: install clang", self.call(CC, source, code=2, env=environment).stderr)
        for words, said in ((("capture", "--", "./x"), "needs a file to write"), (("capture", "-o", "a.wtr"), "needs a program after --"),
                            (("capture", "-o", "a.wtr", "./x"), "./x: the program must come after --"),
                            (("capture", "-o", "a.wtr", "--ctas", "0", "--", "./x"), "--ctas 0: must be a number of 1 or more"),
                            (("capture", "-o", "a.wtr", "--reconverge", "x", "--", "./x"), "must be smallest or stack"),
                            (("capture", "-o", "a.wtr", "--", "./absent"), "./absent: cannot be run: No such file"),
                            (("capture", "-o", "absent/a.wtr", "--", "/bin/true"), "-o absent/a.wtr: cannot be written: No such file")):
            done = self.call(PROGRAM, *words, code=2)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


class Hostile(Capture):
    def ends(self, code, said, *files):
        done = self.capture("./one", code=code)
        self.assertRegex(done.stderr, said)
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(["one", "one.cu", *files]))

    def test_an_address_outside_the_device_is_named(self):
        for body, at in (("p[t] = *(int *)(size_t)(n - 64);", "(nil)"), ("p[t] = ((int *)n)[t];", "0x")):
            self.compile_one(body)
            self.ends(1, r"one\.cu:8: kernel one, CTA 0, thread 0: address .*" + re.escape(at) + ".* is in no memory of the device")

    def test_a_bad_address_is_an_error_for_the_program_when_nothing_is_recorded(self):
        after = """one<<<2, 32>>>(p, 64);
            printf("%s", cudaGetErrorName(cudaGetLastError()));
            printf(" %s", cudaGetErrorName(cudaDeviceSynchronize()));
            one<<<1, 32>>>(p, 64);
            int value = 7;
            printf(" %s %d", cudaGetErrorString(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost)), value);"""
        for body, launch, at in (("if (t == 33) { p[t] = *(int *)(size_t)(n - 64); }", after, r"CTA 1, thread 1: address \(nil\)"),
                                 ("if (t == 33) { p = 0; } p[threadIdx.x] = n;", after, r"CTA 1, thread 1: address 0x4"),
                                 ("p[t] = n; __syncthreads();\n    p[0] += ((int *)(size_t)n)[t];", after, "CTA 0, thread 0: address 0x40"),
                                 ("p[t] = n;", "int on_host[32]; p = on_host; " + after, "CTA 0, thread 0: address 0x")):
            self.compile_one(body, launch)
            done = self.call("./one")
            self.assertRegex(done.stderr, r"^warpmem capture: \S*one\.cu:\d+: kernel one, " + at + ".* is in no memory of the device\n$")
            self.assertEqual(done.stdout, "cudaErrorIllegalAddress cudaErrorIllegalAddress an illegal memory access was encountered 7")

    def test_other_faults_of_a_kernel_are_errors_too(self):
        launch = 'one<<<1, 32>>>(p, 64); printf("%s %s", cudaGetErrorName(cudaDeviceSynchronize()), cudaGetErrorName(cudaGetLastError()));'
        for body, error, said in (('if (t == 9) { __assert_fail("good", "file", 7, "f"); }', "cudaErrorAssert", r"file:7: f: block \[0,0,0\], thread \[9,0,0\]"),
                                  ("p[t] = n / (t - 9);", "cudaErrorLaunchFailure",
                                   r"one\.cu:7 or behind: kernel one, CTA 0, thread 9,0,0: an integer is divided by zero"),
                                  ("volatile int a[99999]; for (int i = 99998; i > 0; i -= 97) { a[i] = n; }\n    p[t] = a[n];", "cudaErrorIllegalAddress",
                                   r"one\.cu:[78]( or behind)?: kernel one, CTA 0, thread 0(,0,0: its local memory is full|: address)")):
            self.compile_one(body, launch)
            done = self.call("./one")
            self.assertEqual(done.stdout, f"{error} {error}")
            self.assertRegex(done.stderr, "^warpmem capture: .*" + said + ".*\n$")

    def test_a_bad_pointer_of_a_copy_is_an_error(self):
        self.compile_one("p[t] = n;", r"""for (size_t bad : {(size_t)8, (size_t)0, (size_t)1 << 46}) {
                printf("%s %s %s\n", cudaGetErrorName(cudaMemcpy(p, (void *)bad, 64, cudaMemcpyHostToDevice)),
                       cudaGetErrorName(cudaMemcpy((void *)bad, p, 64, cudaMemcpyDeviceToHost)), cudaGetErrorName(cudaMemset((void *)bad, 0, 4)));
            }
            one<<<2, 32>>>(p, 64);
            printf("%s\n", cudaGetErrorName(cudaGetLastError()));
            printf("%s\n", cudaGetErrorName(cudaGetLastError()));
            cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
            if (host[63] == 64) { fflush(stdout); *(volatile int *)8 = 1; }""")
        wanted = 3 * "cudaErrorInvalidValue cudaErrorInvalidValue cudaErrorInvalidValue\n"
        done = self.call("./one", code=-11)  # the program's own fault is its own
        self.assertEqual(done.stdout, wanted + "cudaErrorInvalidValue\ncudaSuccess\n")
        self.assertEqual(done.stderr, "")

    def test_a_program_ends_with_its_capture(self):
        words = [PROGRAM, "capture", "-o", "k.wtr", "--", "sh", "-c", "echo $$; exec sleep 100"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=self.folder) as capture:
            program = int(capture.stdout.readline())
            capture.kill()
        for _ in range(100):
            if not os.path.exists(f"/proc/{program}/exe"):
                break
            time.sleep(0.05)
        self.assertFalse(os.path.exists(f"/proc/{program}/exe"))

    def test_a_program_that_ends_early_leaves_no_file(self):
        self.compile_one("p[t] = n;", "one<<<2, 32>>>(p, 64); abort();")
        self.ends(134, "ended by signal 6: no trace is written")
        self.compile_one("p[t] = n;", "one<<<2, 32>>>(p, 64); _exit(5);")
        self.ends(5, "wrote no trace")
        self.compile_one("p[t] = n;", "")
        self.ends(1, "wrote no trace: must be compiled with warpmem-cc or use OpenCL, launch a kernel, and end normally")

    def test_a_failed_assertion_ends_its_thread_and_is_the_programs_error(self):
        launch = 'one<<<2, 32>>>(p, 64); printf("%s %s", cudaGetErrorName(cudaDeviceSynchronize()), cudaGetErrorName(cudaGetLastError()));'
        for more in ("", "__syncthreads();"):
            self.compile_one("p[t] = 0; " + more + 'if (t >= 40) { __assert_fail("good", "file", 7, "f"); } p[t] = 5;', launch)
            self.ends(0, r"file:7: f: block \[1,0,0\], thread \[31,0,0\]: assertion `good' failed", "t.wtr")
            self.assertEqual(self.call("./one").stdout, "cudaErrorAssert cudaErrorAssert")
            stores = [lanes for _, insns, records in self.records() for *_, pc, lanes, _ in records if insns[pc].startswith("store global")]
            self.assertEqual(stores, [0xffffffff, 0xffffffff, 0xffffffff, 0xff])
            os.remove(self.path("t.wtr"))

    def test_a_kernel_that_traps_or_frees_what_it_has_not_is_named(self):
        for body, said in (("if (t == 40) { __trap(); }", r"kernel one: block \[1,0,0\], thread \[8,0,0\]: __trap\(\)"),
                           ("free(p + t);", r"kernel one: free\(\) of an address that malloc\(\) has not returned")):
            self.compile_one(body)
            self.ends(1, said)

    def test_the_exit_status_is_the_programs(self):
        self.compile_one("p[t] = n;", "one<<<2, 32>>>(p, 64); exit(3);")
        self.ends(3, "1 launches", "t.wtr")

    def test_a_child_of_the_program_records_nothing(self):
        self.compile_one("p[t] = n;", "one<<<1, 32>>>(p, 64); if (!fork()) { one<<<1, 32>>>(p, 64); exit(0); } sleep(1); "
                                      "one<<<1, 32>>>(p, 64);")
        self.ends(0, "2 launches", "t.wtr")
        self.assertEqual(self.launches(), ["one", "one"])

    def test_a_launch_that_a_gpu_refuses_is_an_error_of_the_program(self):
        self.compile_one("p[t] = n;", "one<<<1, 1025>>>(p, 64); if (cudaGetLastError() != cudaErrorInvalidConfiguration) exit(9); "
                                      "one<<<0, 32>>>(p, 64); if (cudaGetLastError() != cudaErrorInvalidConfiguration) exit(8); "
                                      "one<<<1, 32>>>(p, 64);")
        self.ends(0, "1 launches", "t.wtr")

    def test_lanes_that_wait_for_ever_are_named(self):
        self.compile_one("if (t == 3) { __syncthreads(); } p[t] = __shfl_sync(0xffffffff, t, 0);", "one<<<1, 32>>>(p, 64);")
        self.ends(1, "kernel one, CTA 0,0,0, warp 0: lanes wait for others that do not come to a shuffle or vote")

    def test_threads_that_leave_before_a_barrier_do_not_hold_it(self):
        self.compile_one("if (threadIdx.x > 40) { return; } p[threadIdx.x] = 1; __syncthreads(); p[threadIdx.x] += p[40 - threadIdx.x];",
                         "one<<<1, 64>>>(p, 64); int h[64]; cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost); "
                         "if (h[0] != 2 || h[41]) exit(7);")
        self.ends(0, "1 launches", "t.wtr")


if __name__ == "__main__":
    main()
