#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Capture of OpenCL programs, and what the second LLVM makes of both languages."""
import collections
import os
import re

from test_house import BUILD, main
from capture_house import CC, FEATURES, FOLDER, PROGRAM, Capture

OPENCL = """#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
int main() {
    const char *source = "__kernel void one(__global int *p, int n) { int t = get_global_id(0); @BODY@ }";
    cl_device_id device;
    cl_int error;
    cl_mem p;
    size_t items = 32;
    int n = 64;
    clGetDeviceIDs(NULL, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL)) {
        puts("not built");
        return 7;
    }
    cl_kernel one = clCreateKernel(program, "one", &error);
    p = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error);
    clSetKernelArg(one, 0, sizeof p, &p);
    clSetKernelArg(one, 1, sizeof n, &n);
    return clEnqueueNDRangeKernel(queue, one, 1, NULL, &items, NULL, 0, NULL, NULL);
}
"""


class OpenCL(Capture):
    def link(self, source, name):
        """As any OpenCL program is: with the C compiler and -lOpenCL."""
        return self.call("gcc", "-o", name, source, "-I", FOLDER, "-L", os.path.join(BUILD, "warpmem-opencl"), "-lOpenCL", "-lm")

    def link_one(self, body):
        self.link(self.write("one.c", OPENCL.replace("@BODY@", body)), "one")

    def test_the_calls_and_functions_of_opencl_do_what_they_should(self):
        self.link(os.path.join(FOLDER, "features.c"), "features")
        done = self.capture(f"./features {FOLDER}/features.cl")
        self.assertEqual(done.stdout, "item 0 of 64: 504.00, x%\nright\n")
        self.assertIn("warpmem capture: kernels of OpenCL C were not built: program1.cl:2:12: error: use of undeclared identifier 'absent'\n", done.stderr)
        self.assertIn("warpmem capture: a command waits for a user event that the program has not completed", done.stderr)
        self.assertEqual(self.launches(), ["arithmetic", "whole", "moves"])
        checked = self.capture(f"./features {FOLDER}/features.cl", "--check")
        self.assertEqual(checked.stdout, done.stdout)
        self.assertIn("--check: 3 launches left the same", checked.stderr)
        self.call(CC, os.path.join(FOLDER, "features.c"), "-lOpenCL", "-lm", "-o", "alone")  # runs without warpmem, and as the same
        self.assertEqual(self.call("./alone", FOLDER + "/features.cl").stdout, done.stdout)
        self.capture(f"./alone {FOLDER}/features.cl", "--name", "features", output="again.wtr")
        self.assertEqual(self.bytes("t.wtr"), self.bytes("again.wtr"))

    def accesses(self, file):
        """[(kernel, counts of (cta, warp, operation, lanes, addresses))]: the compiler may put either side of a branch first.
        Constants lie elsewhere in OpenCL."""
        launches = []
        for kernel, insns, records in self.records(file):
            found = [(cta, warp, re.sub(r" (dst|src|line)=.*", "", insns[pc]), lanes, at) for cta, warp, pc, lanes, at in records if at]
            launches.append((kernel, collections.Counter((*record[:4], "") if "constant" in record[2] else record for record in found)))
        return launches

    def test_twins_in_cuda_and_opencl_have_the_same_accesses_and_masks(self):
        os.environ["BUILD_OPTIONS"] = "-fno-unroll-loops"  # of OpenCL; each target has limits of its own
        self.addCleanup(os.environ.pop, "BUILD_OPTIONS")
        self.compile(os.path.join(FOLDER, "twins.cu"), "cuda", "-fno-unroll-loops")
        self.link(os.path.join(FOLDER, "twins.c"), "opencl")
        for program, output in (("./cuda", "cuda.wtr"), (f"./opencl {FOLDER}/twins.cl", "opencl.wtr")):
            self.assertEqual(self.capture(program, output=output).stdout, "right\n")
        cuda, opencl = self.accesses("cuda.wtr"), self.accesses("opencl.wtr")
        self.assertEqual([kernel for kernel, _ in opencl], ["spmv", "histogram", "stencil", "reduce"] + 6 * ["expand"] + ["turn", "smallest"])
        for twin, other in zip(cuda, opencl, strict=True):
            self.assertEqual(twin[1] - other[1], {}, twin[0])
            self.assertEqual(other[1] - twin[1], {}, twin[0])
            self.assertTrue(twin[1])
        spaces = {operation.split()[1] for _, records in opencl for _, _, operation, _, _ in records}
        self.assertEqual(spaces, {"global", "shared", "local", "constant"})

    def test_kernels_that_cannot_be_captured_name_the_line(self):
        for body, said in (("p[t] = (int)(read_imagef(*(__constant image2d_t *)0, (int2)(0, 0)).x);", "program1.cl:1:"),
                           ("p[t] = printf(\\\"%v4d\\\", (int4)(n));", "program1.cl:1: a printf of a vector: is not supported (kernel one)"),
                           ("p[t] = nan(", "program1.cl:1:"),
                           ("p[t] = ((__global int *)(ulong)n)[t];", None)):
            self.link_one(body)
            done = self.capture("./one", code=7 if said else 1)
            self.assertIn(said or "program1.cl:1: kernel one, CTA 0, thread 0: address 0x40 is in no memory of the device", done.stderr)
            self.assertEqual(done.stdout, "not built\n" if said else "")
            self.assertFalse(os.path.exists(self.path("t.wtr")))

    def test_kernels_need_clang_where_the_program_runs(self):
        self.link_one("p[t] = n;")
        os.mkdir(self.path("tmp"))
        environment = {**os.environ, "CLANG": "absent-clang", "TMPDIR": self.path("tmp")}
        done = self.call(PROGRAM, "capture", "-o", "t.wtr", "--", "./one", code=7, env=environment)
        self.assertIn("kernels of OpenCL C were not built: warpmem-cc: absent-clang is not there: install clang", done.stderr)
        self.call(PROGRAM, "capture", "-o", "t.wtr", "--", "./one", env={**environment, "CLANG": "clang"})
        self.assertEqual(self.launches(), ["one"])
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_kernels_compile_without_their_program(self):
        source = self.write("k.cl", "__kernel void k(__global float *p) { p[get_global_id(0)] *= FACTOR; }\n")
        self.call(CC, "-c", source, "-D", "FACTOR=3", "-cl-fast-relaxed-math", "-o", "k.module")
        self.assertIn("undeclared identifier 'FACTOR'", self.call(CC, "-c", source, "-o", "k.module", code=1).stderr)
        self.assertIn("a .cl file has no program", self.call(CC, source, code=2).stderr)
        both = self.write("both.cu", "int main() {}\n")
        self.assertIn("-lOpenCL: a program with CUDA's kernels", self.call(CC, both, "-lOpenCL", code=2).stderr)


class SecondClang(OpenCL):
    """Each LLVM has another library, and from version 17 on pointers without types."""
    # These ask nothing of LLVM.
    test_kernels_need_clang_where_the_program_runs = test_kernels_compile_without_their_program = None

    def setUp(self):
        super().setUp()
        before = os.environ.get("CLANG")
        os.environ["CLANG"] = "clang++-19"
        self.addCleanup(lambda: os.environ.pop("CLANG") if before is None else os.environ.update(CLANG=before))

    def test_each_part_of_cuda_computes_what_it_should(self):
        self.assertIn("version 19.", self.call("clang++-19", "--version").stdout)
        self.compile(FEATURES, "features")
        self.assertIn("\nright\n", self.capture("./features").stdout)
        self.assertEqual(len(self.launches()), 12)


if __name__ == "__main__":
    main()
