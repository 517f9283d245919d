#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Capture of CUDA and OpenCL programs: results, traces against what the source says, refusals, programs that end badly."""
import collections
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from test_house import BUILD, ROOT, House, main  # noqa: E402

CC, PROGRAM = os.path.join(BUILD, "warpmem-cc"), os.path.join(BUILD, "warpmem")
FEATURES = os.path.join(ROOT, "tb", "capture", "programs", "features.cu")
FOLDER = os.path.join(ROOT, "tb", "capture", "programs")
SPMV = os.path.join(ROOT, "examples", "capture", "spmv.cu")

# A kernel and its launch; @BODY@ and @LAUNCH@ are filled in.
ONE = """#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
@MORE@
__global__ void one(int *p, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    @BODY@
}
int main() {
    int *p, host[64] = {0};
    cudaMalloc(&p, sizeof host);
    cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
    @LAUNCH@
    return 0;
}
"""
FETCH = """
texture<float, 1, cudaReadModeElementType> table;
__global__ void fetch(float *out) { out[threadIdx.x] = tex1Dfetch(table, threadIdx.x); }
int main() {
    float *in, *out;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaBindTexture(0, table, in, 128);
    fetch<<<1, 32>>>(out);
    return cudaDeviceSynchronize();
}
"""


class Capture(House):
    def call(self, *words, code=0, **more):
        done = subprocess.run([os.fspath(word) for word in words], capture_output=True, text=True, check=False, cwd=self.folder,
                              timeout=120, **more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def compile(self, source, name, *options, code=0):
        return self.call(CC, *options, source, "-o", name, code=code)

    def compile_one(self, body="", launch="one<<<2, 32>>>(p, 64);", more="", code=0):
        text = ONE.replace("@BODY@", body).replace("@LAUNCH@", launch).replace("@MORE@", more)
        return self.compile(self.write("one.cu", text), "one", code=code)

    def capture(self, program, *options, output="t.wtr", code=0):
        return self.call(PROGRAM, "capture", "-o", output, *options, "--", *program.split(), code=code)

    def records(self, file="t.wtr"):
        """[(kernel, its instructions by PC, [(cta, warp, pc, lanes, addresses as a text)])] a launch."""
        launches, kernel, insns, where = [], None, {}, None
        for line in self.call(PROGRAM, "trace", self.path(file), "--text").stdout.splitlines():
            words = line.split()
            if words[0] == "kernel":
                kernel, insns = line.split(" name ")[1], {}
            elif words[0] == "insn" and not words[2].startswith("loop"):
                insns[words[1]] = " ".join(words[2:])
            elif words[0] == "launch":
                launches.append((kernel, insns, []))
            elif words[0] == "warp":
                where = int(words[1]), int(words[2])
            elif words[0].startswith("0x") and (len(words) == 2 or words[2].startswith("@")):
                launches[-1][2].append((*where, words[0], int(words[1], 16), words[2] if len(words) > 2 else ""))
        return launches

    def launches(self, file="t.wtr"):
        return [kernel for kernel, _, _ in self.records(file)]


class Programs(Capture):
    def test_each_part_of_cuda_computes_what_it_should_and_twice_the_same_trace(self):
        self.compile(FEATURES, "features")
        plain = self.call("./features").stdout
        self.assertIn("thread 3 of generic: 1.25, 70000000000, x%\nright\n", plain)
        os.mkdir(self.path("elsewhere"))
        for output in ("a.wtr", "elsewhere/b.wtr"):
            self.assertEqual(self.capture("./features", output=output).stdout, plain)
        self.assertEqual(self.bytes("a.wtr"), self.bytes("elsewhere/b.wtr"))
        self.compile(FEATURES, "slow", "-O0", "-g")  # of the host's half
        self.capture("./slow", "--name", "features", output="c.wtr")
        self.assertEqual(self.bytes("a.wtr"), self.bytes("c.wtr"))
        self.assertEqual(self.launches("a.wtr"), ["reduce<float, 128>", "histogram", "stencil", "mixed", "generic", "generic", "lanes", "votes", "fetch", "fetch", "generic"])

    def test_a_trace_has_the_accesses_that_the_source_has(self):
        self.compile(SPMV, "spmv")
        self.assertIn("elements: right", self.capture("./spmv 256").stdout)
        (name, insns, records), = self.records()
        self.assertEqual(name, "spmv")
        lengths = [4 + row * 7 % 29 for row in range(256)]
        loads = [pc for pc, text in insns.items() if text.startswith("load global 4")]
        lanes = collections.Counter()
        for _, _, pc, active, _ in records:
            lanes[pc] += bin(active).count("1")
        # first[row], first[row + 1]; value, column and x of each element; y of each row.
        self.assertEqual(sorted(lanes[pc] for pc in loads), [256, 256] + 3 * [sum(lengths)])
        self.assertEqual([lanes[pc] for pc, text in insns.items() if text.startswith("store")], [256])
        # In trip k the lanes whose row has more than k elements.
        for warp in range(8):
            rows = lengths[32 * warp:32 * warp + 32]
            value = next(pc for pc in loads if lanes[pc] == sum(lengths))
            masks = [active for _, w, pc, active, _ in records if w == warp and pc == value]
            self.assertEqual(masks, [sum((n > k) << lane for lane, n in enumerate(rows)) for k in range(max(rows))])
        text = self.call(PROGRAM, "run", "t.wtr", "--preset", "quadro-daws", "--tsv", "-").stdout
        self.assertIn("\ncomplete\ttrue\t", text)
        self.assertEqual(self.call(PROGRAM, "run", "t.wtr", "--preset", "quadro-daws", "--poll", "--tsv", "-").stdout, text)

    def test_addresses_are_those_of_the_arrays(self):
        self.compile_one("__shared__ int s[64]; s[63 - threadIdx.x] = p[t]; __syncthreads(); p[t + 2] = s[56 + threadIdx.x];", "one<<<1, 8>>>(p, 64);")
        self.capture("./one")
        (_, insns, records), = self.records()
        found = [(insns[pc].split(" dst")[0].split(" src")[0], active, at) for _, _, pc, active, at in records if at]
        self.assertEqual(found, [("load global 4", 0xff, "@0x10000000+4"), ("store shared 4", 0xff, "@0xfc-4"), ("load shared 4", 0xff, "@0xe0+4"),
                                 ("store global 4", 0xff, "@0x10000008+4")])

    def test_fetches_are_accesses_to_texture_memory(self):
        self.compile(self.write("fetch.cu", FETCH), "fetch")
        self.capture("./fetch")
        (_, insns, records), = self.records()
        found = [(insns[pc].split(" dst")[0].split(" src")[0], active, at) for _, _, pc, active, at in records if at]
        self.assertEqual(found, [("load texture 4", 0xffffffff, "@0x10000000+4"), ("store global 4", 0xffffffff, "@0x10000100+4")])

    def test_code_has_the_places_of_the_source(self):
        self.write("own.h", "static __device__ int twice(int x) {\n    return 2 * x;\n}\n")
        self.compile_one("p[t % 64] = twice(p[t]);\n    atomicAdd(p, n);", more='#include "own.h"')
        self.capture("./one")
        text = self.call(PROGRAM, "info", "t.wtr", "--code").stdout
        self.assertRegex(text, r"^kernel one: \d+ instructions, \d+ registers, 0 shared bytes; .*one\.cu\n +0x0  int_add")
        self.assertRegex(text, r"int_mad r\d+ <- r\d+ +8  p\[t % 64\] = twice\(p\[t\]\);\n.*load global 4 r\d+ <- r\d+ +8\n")
        self.assertRegex(text, r"int_add r\d+ <- r\d+ +2  own\.h: return 2 \* x;\n")
        self.assertRegex(text, r"atomic global 4.* +9  atomicAdd\(p, n\);\n")  # and not in our header
        os.remove(self.path("one.cu"))
        self.assertRegex(self.call(PROGRAM, "info", "t.wtr", "--code").stdout, r"atomic global 4.* 9\n")
        code = json.loads(self.call(PROGRAM, "info", "t.wtr", "--code", "--json", "-").stdout)["code"]
        self.assertEqual([(kernel["kernel"], kernel["shared_bytes"]) for kernel in code], [("one", 0)])
        atomic, = [insn for insn in code[0]["instructions"] if insn["operation"] == "atomic"]
        self.assertEqual((atomic["space"], atomic["bytes"], atomic["line"], os.path.basename(atomic["file"])), ("global", 4, 9, "one.cu"))
        self.write("t.txt", self.call(PROGRAM, "trace", self.path("t.wtr"), "--text").stdout)
        self.call(PROGRAM, "import", "--format", "text", "t.txt", "-o", "u.wtr")
        self.assertEqual(self.bytes("t.wtr"), self.bytes("u.wtr"))
        self.call(PROGRAM, "trace", "vecadd", "--size", "tiny", "-o", "v.wtr")
        self.assertIn("; its source is not in the trace\n       0x0  ", self.call(PROGRAM, "info", "v.wtr", "--code").stdout)
        self.assertIn("list of text traces: must be a .wtr", self.call(PROGRAM, "info", "a.g", "--code", code=2).stderr)

    def test_textures_of_one_and_two_dimensions(self):
        self.compile(os.path.join(FOLDER, "textures.cu"), "textures")
        self.assertEqual(self.capture("./textures", "--check").stdout, "right\n")
        launches = self.records()
        self.assertEqual([kernel for kernel, _, _ in launches], ["sample"] * 3 + ["turn", "shades", "between", "by_object"])
        fetches = [collections.Counter() for _ in launches]
        for (_, insns, records), found in zip(launches, fetches, strict=True):
            for _, _, pc, lanes, at in records:
                if insns[pc].startswith("load"):
                    found[insns[pc].split(" dst")[0]] += bin(lanes).count("1")
        every = 40 * 24
        self.assertEqual([dict(found) for found in fetches],
                         [{"load texture 4": every}, {"load texture 4": 4 * every}, {"load texture 4": every}, {"load texture 8": every},
                          {"load texture 1": every}, {"load texture 16": 2 * 32}, {"load texture 4": 2 * every}])

    def test_options_choose_what_is_recorded(self):
        self.compile(FEATURES, "features")
        self.capture("./features", "--kernels", "generic,stencil", "--max-launches", "3")
        self.assertEqual(self.launches(), ["stencil", "generic", "generic"])
        self.capture("./features", "--kernels", "stencil", "--ctas", "2", "--name", "mine")
        info = self.call(PROGRAM, "info", "t.wtr").stdout
        self.assertRegex(info, r"recorded from mine,.*\n(.*\n)*.* stencil +2,1,1 +16,8,1 ")

    def test_a_check_compares_launches_with_the_same_without_recording(self):
        self.compile(FEATURES, "features")
        plain = self.capture("./features")
        checked = self.capture("./features", "--check", output="c.wtr")
        self.assertEqual(checked.stdout, plain.stdout)  # printed once
        self.assertIn("warpmem capture: --check: 11 launches left the same in memory without recording\n", checked.stderr)
        self.assertEqual(self.bytes("t.wtr"), self.bytes("c.wtr"))
        # In front of the first array is memory that no program has, and that the check does not put back.
        self.compile_one("if (t == 1) { p[1] = ++p[-2]; }")
        self.assertIn("warpmem capture: --check: kernel one: byte 4 of the array at 0x10000000 is 0x02, and without recording 0x01\n",
                      self.capture("./one", "--check", output="d.wtr", code=1).stderr)
        self.assertFalse(os.path.exists(self.path("d.wtr")))

    def test_read_only_loads_go_to_texture_memory_where_that_is_wanted(self):
        source = self.write("ldg.cu", "__global__ void ldg(const int *__restrict__ a, const int *b, const int *c, int *__restrict__ to) {\n"
                                      "    int t = threadIdx.x;\n    to[t] = a[t] + __ldg(b + t) + c[t];\n}\n"
                                      "int main() {\n    int *p;\n    cudaMalloc(&p, 512);\n    ldg<<<1, 32>>>(p, p + 32, p + 64, p + 96);\n"
                                      "    return cudaDeviceSynchronize();\n}\n")
        for option, wanted in (("--ldg=global", {"global": 3}), ("--ldg=texture", {"texture": 2, "global": 1})):
            self.compile(source, "ldg", option)
            self.capture("./ldg", "--check")
            (_, insns, records), = self.records()
            loads = [insns[pc].split()[1] for *_, pc, _, at in records if at and insns[pc].startswith("load")]
            self.assertEqual(collections.Counter(loads), wanted)

    def test_variables_of_several_files_lie_one_behind_another(self):
        self.write("a.cu", "__device__ int v[100];\n__global__ void a() { v[threadIdx.x] = 1; }\nvoid run() { a<<<1, 32>>>(); }\n")
        self.write("b.cu", "__device__ int w[100];\n__global__ void b() { w[threadIdx.x] = 2; }\nvoid run();\n"
                           "int main() {\n    run();\n    b<<<1, 32>>>();\n    return cudaDeviceSynchronize();\n}\n")
        self.call(CC, "a.cu", "b.cu", "-o", "both")
        self.capture("./both")
        self.assertEqual([[at for *_, at in records if at] for _, _, records in self.records()], [["@0x8000000+4"], ["@0x8000200+4"]])

    def test_lanes_meet_where_the_rule_says(self):
        """Short circuits: the stack enters the last block once a way, the order of the code once."""
        body = "int v = p[t % 64]; if ((v & 1 && p[t ^ 1] > 3) || (v & 2 && p[t ^ 2] > 5)) { p[t % 64] = v * 3; }"
        self.compile_one(body, "int h[64]; for (int i = 0; i < 64; i++) h[i] = i * 7 % 13; cudaMemcpy(p, h, sizeof h, "
                               "cudaMemcpyHostToDevice); one<<<1, 32>>>(p, 64);")
        steps = {}
        for rule in ("smallest", "stack"):
            self.capture("./one", "--reconverge", rule)
            steps[rule] = len(self.records()[0][2])
        self.assertLess(steps["smallest"], steps["stack"])

    def test_files_are_compiled_apart_and_linked(self):
        self.write("kernel.cu", "__global__ void twice(int *p) { p[threadIdx.x] *= 2; }\nvoid run(int *p) { twice<<<1, 32>>>(p); }\n")
        self.write("other.cu", "static __global__ void twice(int *p) { p[threadIdx.x] += 1; }\nvoid add(int *p) { twice<<<1, 32>>>(p); }\n")
        self.write("main.cpp", """#include <cuda_runtime.h>
            #include <stdio.h>
            void run(int *);
            void add(int *);
            int main() {
                int h[32], *d;
                for (int i = 0; i < 32; i++) h[i] = i * SCALE;
                cudaMalloc(&d, sizeof h);
                cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
                run(d);
                add(d);
                cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
                printf("%d %d\\n", h[0], h[31]);
            }""")
        for source in ("kernel.cu", "other.cu"):
            self.call(CC, "-c", source, "-arch=sm_35", "-lineinfo")
        self.call(CC, "kernel.o", "other.o", "main.cpp", "-D", "SCALE=3", "-O2", "-o", "both", "-lcudart", "-L/usr/lib")
        self.assertEqual(self.capture("./both").stdout, "1 187\n")
        self.assertEqual(self.launches(), ["twice", "twice"])


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
        self.compile(os.path.join(FOLDER, "twins.cu"), "cuda")
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


class Agreement(Capture):
    def test_captured_kernels_have_the_accesses_of_the_built_in_ones(self):
        agree = os.path.join(ROOT, "scripts", "capture_agree.py")
        environment = {**os.environ, "SIZE": "tiny", "TSV": self.path("agree.tsv")}
        self.call(agree, BUILD, "spmv-scalar", "bfs-64k", "backprop", env=environment)
        rows = [line.split("\t") for line in self.read("agree.tsv").splitlines()]
        self.assertEqual(rows[0][:4], ["workload", "launch", "kernel", "same"])
        self.assertEqual({(row[0], row[2], row[3]) for row in rows[1:]},
                         {("spmv-scalar", "spmv_scalar", "yes"), ("bfs-64k", "bfs_expand", "yes"), ("bfs-64k", "bfs_advance", "yes"),
                          ("backprop", "backprop_forward", "yes"), ("backprop", "backprop_adjust", "yes")})
        self.assertIn("absent: must be one of", self.call(agree, BUILD, "absent", code=1).stderr)

    def test_daws_sees_the_same_loops_in_a_captured_kernel(self):
        self.call(PROGRAM, "workload-data", "spmv-scalar", "data", "--size", "tiny")
        self.compile(os.path.join(ROOT, "tb", "capture", "agree", "spmv-scalar.cu"), "spmv")
        self.capture("./spmv data")
        profiles = []
        for what in (("spmv-scalar", "--size", "tiny"), ("t.wtr",)):
            self.call(PROGRAM, "profile", *what, "-o", "profile")
            # A load's loop and PC are those of the code; then its divergence, its group, mean lanes and lines.
            profiles.append(re.findall(r"^load \d+ \d+ (.*)", self.read("profile"), re.M))
            os.remove(self.path("profile"))
        self.assertEqual(*profiles)
        self.assertEqual(len(profiles[0]), 2)

    def test_the_data_of_a_workload(self):
        self.call(PROGRAM, "workload-data", "spmv-scalar", "data", "--size", "tiny")
        rows = [line.split("\t") for line in self.read("data/arrays.tsv").splitlines()]
        self.assertEqual(rows[0], ["array", "address", "bytes", "file"])
        self.assertEqual([row[1] for row in rows[1:3]], ["0x80000000", "0x80029000"])
        for _, _, bytes_, file in rows[1:]:
            self.assertEqual(os.path.getsize(self.path(f"data/{file}")), int(bytes_))
        for words, said in (((), "needs a workload's name and a folder"), (("spmv-scalar",), "needs a workload's name and a folder"),
                            (("spmv-scaler", "d"), "spmv-scaler: no such workload; did you mean spmv-scalar?"), (("vecadd", "a", "b"), "b: too much"),
                            (("vecadd", "absent/d"), "absent/d: cannot be made: No such file"), (("vecadd", "d", "--size", "x"), "x")):
            done = self.call(PROGRAM, "workload-data", *words, code=2)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


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
        self.assertEqual(len(self.launches()), 11)


class Refused(Capture):
    def refused(self, body, said, more="", launch="one<<<1, 32>>>(p, 64);"):
        text = self.compile_one(body, launch, more, code=1).stderr
        self.assertRegex(text, said)
        self.assertRegex(text, r"one\.cu:\d+: ")
        self.assertFalse(os.path.exists(self.path("one")))

    def test_kernels_that_cannot_be_captured_name_the_line(self):
        self.refused("p[t] = f(n);", "call of _Z1fi could not be inlined: recursion and noinline",
                     "__device__ __noinline__ int f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2) * n; }")
        self.refused('asm("mov.u32 %0, 1;" : "=r"(p[t]));', "inline assembly")
        self.refused("typedef int (*F)(int); F f = ((F *)p)[t]; p[t] = f(n);", "call through a pointer")
        self.refused("memcpy(p, p + 8, n);", "copy whose size is not known", "")

    def test_options_that_are_none(self):
        source = self.write("a.cu", "int main() {}\n")
        for words, said in ((("-dc", source), "-dc: is not supported"), (("--nonsense", source), "--nonsense: no such option"),
                            ((), "needs a file"), (("absent.cu",), "absent.cu: no such file"), (("-o",), "-o: needs a value"),
                            (("a.f90",), "a.f90: must end in .cu")):
            self.assertIn("warpmem-cc: " + said, self.call(CC, *words, code=2).stderr)
        environment = {**os.environ, "CLANG": "absent-clang"}
        self.assertIn("absent-clang is not there: install clang", self.call(CC, source, code=2, env=environment).stderr)
        for words, said in ((("capture", "--", "./x"), "needs a file to write"), (("capture", "-o", "a.wtr"), "needs a program behind --"),
                            (("capture", "-o", "a.wtr", "./x"), "./x: the program must stand behind --"),
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

    def test_a_program_that_ends_early_leaves_no_file(self):
        self.compile_one("p[t] = n;", "one<<<2, 32>>>(p, 64); abort();")
        self.ends(134, "ended by signal 6: there is no trace")
        self.compile_one("p[t] = n;", "one<<<2, 32>>>(p, 64); _exit(5);")
        self.ends(5, "wrote no trace")
        self.compile_one("p[t] = n;", "")
        self.ends(1, "wrote no trace: must be compiled with warpmem-cc or use OpenCL, launch a kernel, and come to its end")
        self.compile_one('if (t == 40) { __assert_fail("good", "file", 7, "f"); }', "one<<<2, 32>>>(p, 64);")
        self.ends(1, r"file:7: f: block \[1,0,0\], thread \[8,0,0\]: assertion `good' failed")

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
