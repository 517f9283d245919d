#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Capture of CUDA programs: results, traces against what the source says, agreement with built-in workloads."""
import collections
import json
import os
import re

from test_house import BUILD, ROOT, main
from capture_house import CC, CLANGS, FEATURES, FOLDER, PROGRAM, Capture

SPMV = os.path.join(ROOT, "examples", "capture", "spmv.cu")
SEARCH = os.path.join(ROOT, "examples", "capture", "bfs.cu")
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
        self.assertEqual(self.launches("a.wtr"), ["reduce<float, 128>", "histogram", "stencil", "mixed", "generic", "generic", "lanes", "votes", "extremes", "fetch", "fetch", "generic"])

    def test_the_example_searches_each_of_its_graphs(self):
        self.compile(SEARCH, "bfs")
        for graph in ("random", "directed", "near", "skewed"):
            with self.subTest(graph=graph):
                loads = []
                for test in ("kept", "again"):
                    self.assertIn("reached: right", self.capture(f"./bfs 700 4 {graph} {test}").stdout)
                    result = json.loads(self.call(PROGRAM, "run", "./t.wtr", "--json", "-").stdout)
                    self.assertEqual(result["kernels"][0]["name"], f"expand<{'true' if test == 'again' else 'false'}>")
                    loads.append(sum(load["executions"] for load in result["kernels"][0]["loads"] if "loop" in load))
                self.assertGreater(loads[1], loads[0])  # of the list's end, in each trip
        self.assertIn("must be 2 or more", self.call("./bfs", "1", code=2).stderr)

    def test_timers_and_checks_of_the_samples(self):
        for header, body in (("cutil.h", """unsigned t = 0;
                CUT_DEVICE_INIT(1, 0);
                CUT_SAFE_CALL(cutCreateTimer(&t));
                CUT_SAFE_CALL(cutStartTimer(t));
                one<<<2, 32>>>(p, 64);
                CUT_CHECK_ERROR("one");
                CUDA_SAFE_CALL(cudaThreadSynchronize());
                usleep(2000);
                CUT_SAFE_CALL(cutStopTimer(t));
                float ms = cutGetTimerValue(t);
                CUT_SAFE_CALL(cutDeleteTimer(t));
                printf("%d %d\\n", ms >= 2 && ms < 60000, cutStartTimer(t));
                CUT_EXIT(1, 0);"""), ("helper_timer.h", """StopWatchInterface *t = 0;
                bool made = sdkCreateTimer(&t) && sdkStartTimer(&t);
                one<<<2, 32>>>(p, 64);
                usleep(2000);
                sdkStopTimer(&t);
                float ms = sdkGetTimerValue(&t);
                printf("%d %d\\n", made && ms >= 2 && ms == sdkGetAverageTimerValue(&t), !sdkDeleteTimer(&t) || sdkStartTimer(&t));""")):
            self.compile_one("p[t] = n;", body, f"#include <{header}>")
            self.assertEqual(self.capture("./one").stdout, "1 0\n")
            self.assertEqual(self.launches(), ["one"])

    def test_a_trace_has_the_accesses_that_the_source_has(self):
        self.compile(SPMV, "spmv", "-fno-unroll-loops")
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

    def listing(self, body, launch="one<<<2, 32>>>(p, 64);", clang=None):
        """Operations of the kernel's code, up to the first load that is not unrolled."""
        self.compile_one(body, launch, clang=clang)
        self.capture("./one")
        lines = self.call(PROGRAM, "trace", self.path("t.wtr"), "--text").stdout.splitlines()
        return [re.sub(" (dst|src|line)=.*", "", line.split(maxsplit=2)[2]) for line in lines if line.startswith("insn ")]

    def test_loops_are_unrolled_as_nvcc_unrolls_them(self):
        whole = self.listing("int s = 0; for (int i = 0; i < 32; i++) { if (p[t] >> i & 1) s ^= i * 77; } p[t] = s;")
        self.assertEqual((whole.count("branch"), whole.count("loop_begin")), (1, 0))  # the end alone: short ifs have no branch
        part = self.listing("int s = 0; for (int i = 0; i < n; i++) s = s * p[64 + i * 32] + 1; p[t] = s;")
        self.assertEqual(part.count("loop_begin"), 2)  # four trips, and those that are left
        loads = [place for place, operation in enumerate(part) if operation == "load global 4"][:4]
        self.assertLess(loads[3] - loads[0], 12)  # all of them before the first product of s
        self.assertEqual(part[loads[3] + 1:loads[3] + 5], 4 * ["int_mad"])

    def test_lanes_meet_in_each_trip_of_an_unrolled_loop(self):
        self.compile_one("__shared__ int s[64]; for (int k = 0; k < n; k++) { s[threadIdx.x] = p[t] + k; __syncthreads(); p[t] = s[31 - threadIdx.x];"
                         " __syncthreads(); p[t] += __shfl_sync(~0u, p[t], k % 32); }", "one<<<1, 32>>>(p, 6);")
        self.capture("./one", "--check")
        (_, insns, records), = self.records()
        self.assertEqual(sum(insns[pc].startswith("barrier") for _, _, pc, _, _ in records), 12)

    def test_neighbouring_accesses_merge_where_their_alignment_is_known(self):
        self.write("wide.cu", """__global__ void wide(float4 *a, double2 *b, const float *c, float *d) {
            const int i = threadIdx.x;
            float4 v = a[i]; double2 w = b[i]; // a load each
            d[i] = v.x + v.w + (float)(w.x * w.y) + c[2 * i] + c[2 * i + 1]; // four bytes each: a GPU refuses unaligned ones
            a[i] = make_float4(v.w, v.z, v.y, v.x);
        }
        int main() {
            float4 *a; double2 *b; float *c, *d;
            cudaMalloc(&a, 1024); cudaMalloc(&b, 1024); cudaMalloc(&c, 1024); cudaMalloc(&d, 1024);
            wide<<<1, 32>>>(a, b, c, d);
        }""")
        self.compile("wide.cu", "wide")
        self.capture("./wide")
        ((_, insns, records),) = self.records()
        found = [insns[pc].split(" dst")[0].split(" src")[0] for _, _, pc, _, _ in records if insns[pc].startswith(("load", "store"))]
        self.assertEqual(sorted(found), ["load global 16", "load global 16", "load global 4", "load global 4", "store global 16", "store global 4"])

    def test_shared_accesses_merge_as_ptxas_merges_them(self):
        # The SASS of nvcc 13 (sm_75) has these accesses: LDS.128 is "load 16".
        begin, end = "__shared__ int s[64][16]; s[threadIdx.x / 16][t % 16] = p[t]; __syncthreads(); int sum = 0; ", " p[t] = sum;"
        for body, wanted in (
                ("for (int j = 0; j < n; j++) for (int k = 0; k < 16; k++) sum += s[j & 31][k] * (k + 3);", {"load 16": 12}),
                ("extern __shared__ int d[]; for (int k = 0; k < 8; k++) sum += d[t * 8 + k];", {"load 16": 2}),
                ("__shared__ int b[9][18]; b[0][t % 18] = n; for (int k = 0; k < 16; k++) sum += b[t % 9][k];", {"load 8": 8}),
                ("int *q = &s[0][0] + n * t; for (int k = 0; k < 4; k++) sum += q[k];", {"load 4": 4}),  # of unknown alignment
                ("for (int k = 0; k < 4; k++) s[t][k] = p[t * n + k]; sum = s[0][n];", {"store 16": 1, "load 4": 1}),
                ("for (int k = 0; k < 4; k++) s[t][k] = s[t][k] * 3;", {"load 4": 4, "store 4": 4}),  # in turn: not merged
                ("__shared__ int b[64]; for (int k = 0; k < 4; k++) b[t + k] = s[t][k] * 3; __syncthreads(); sum = b[n];", {"load 4": 5, "store 4": 4})):
            for clang in CLANGS if "load 16" in wanted else CLANGS[:1]:
                with self.subTest(body, clang=clang):
                    code = self.listing(begin + body + end, "one<<<1, 32, 4096>>>(p, 1);", clang)
                    found = collections.Counter(words[0] + " " + words[2] for words in map(str.split, code) if "shared" in words)
                    found.subtract({"store 4": 1 + body.count("= n;")})  # of the preparation
                    self.assertEqual(dict(+found), wanted)

    def test_a_short_if_that_no_lane_takes_is_issued_without_its_accesses(self):
        self.compile_one("int s = t; if (p[t] == 5) s = p[t + 32] * n + 7; p[t] = s;", "one<<<1, 32>>>(p, 64);")
        self.capture("./one", "--check")
        (_, insns, records), = self.records()
        off = [insns[pc].split()[0] for _, _, pc, lanes, _ in records if not lanes]
        self.assertEqual((off, sum(insns[pc].startswith("load") for _, _, pc, _, _ in records)), (["int_mad"], 1))

    def test_loads_are_ahead_as_ptxas_has_them(self):
        self.compile_one("__shared__ float s[8][16]; float c[16] = {0}, *f = (float *)p;"
                         "for (int i = 0; i < n; i++) { s[t / 16][t % 16] = f[i]; __syncthreads();"
                         "for (int j = 0; j < 8; j++) { float a = f[t + j * n]; for (int k = 0; k < 16; k++) c[k] += a * s[j][k]; } __syncthreads(); }"
                         "for (int k = 0; k < 16; k++) f[t + k] = c[k];", "one<<<1, 32>>>(p, 1);")
        self.capture("./one")
        (_, insns, _), = self.records()
        kinds = {"load global": "G", "load shared": "S", "fp_mad": "m", "barrier": "|", "store global": "g"}
        order = "".join(letter for operation in insns.values() for kind, letter in kinds.items() if operation.startswith(kind))
        # Loads of global memory first; then 32 registers' worth of shared loads; then one more whenever one has been used.
        self.assertRegex(order.split("|")[1], "^G{8}S{8}(m+S){24}m+$")

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

    def test_images_of_layers_and_volumes_and_surfaces(self):
        self.compile(os.path.join(FOLDER, "images.cu"), "images")
        self.assertEqual(self.capture("./images", "--check").stdout, "right\n")
        found = collections.defaultdict(collections.Counter)
        for kernel, insns, records in self.records():
            for _, _, pc, lanes, at in records:
                if insns[pc].startswith(("load", "store")):
                    found[kernel][insns[pc].split(" dst")[0].split(" src")[0]] += bin(lanes).count("1")
        every = 8 * 6
        self.assertEqual(found["sample_3d"], {"load texture 4": 4 * every * (1 + 8), "store global 4": 4 * every * 2})
        self.assertEqual(found["sample_shades"], {"load texture 4": every * (1 + 4), "store global 16": every * 2})
        self.assertEqual(found["sample_cube"]["load texture 4"], 7)
        self.assertEqual(found["write_surface"], {"store global 8": every + 6})
        self.assertEqual(found["read_surface"], {"load global 8": 2 * every - 2 * 6, "store global 8": 2 * every})

    def test_levels_of_mipmapped_arrays(self):
        self.compile(os.path.join(FOLDER, "mipmaps.cu"), "mipmaps")
        self.assertEqual(self.capture("./mipmaps", "--check").stdout, "right\n")
        loads = [sum(bin(lanes).count("1") for _, _, pc, lanes, _ in rows if insns[pc].startswith("load texture")) for name, insns, rows in self.records()
                 if name == "by_level"]
        self.assertEqual(loads[:2], [10, 10 + 5])  # five numbers lie between two levels, and one fetch reads both

    def test_options_choose_what_is_recorded(self):
        self.compile(FEATURES, "features")
        self.capture("./features", "--kernels", "generic,stencil", "--max-launches", "3")
        self.assertEqual(self.launches(), ["stencil", "generic", "generic"])
        self.capture("./features", "--kernels", "stencil", "--ctas", "2", "--name", "mine")
        info = self.call(PROGRAM, "info", "t.wtr").stdout
        self.assertRegex(info, r"recorded from mine,.*\n(.*\n)*.* stencil +2,1,1 +16,8,1 ")

    def test_a_program_sees_the_multiprocessors_that_are_wanted(self):
        launch = """cudaDeviceProp d;
            int cores, grid, block;
            cudaGetDeviceProperties(&d, 0);
            cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, 0);
            cudaOccupancyMaxPotentialBlockSize(&grid, &block, one);
            printf("%d %d %d\\n", cores, d.multiProcessorCount, grid * block);
            one<<<d.multiProcessorCount, 1>>>(p, 1);"""
        self.compile_one("p[t] = n;", launch)
        for wanted in ([], 16), (["--cores", "3"], 3):
            self.assertEqual(self.capture("./one", *wanted[0]).stdout, f"{wanted[1]} {wanted[1]} {2048 * wanted[1]}\n")
            self.assertRegex(self.call(PROGRAM, "info", "t.wtr").stdout, rf" one +{wanted[1]},1,1 +1,1,1 ")
        for bad in "0", "1025", "-1", "x":
            self.assertIn("--cores", self.call(PROGRAM, "capture", "-o", "t.wtr", "--cores", bad, "--", "./one", code=2).stderr)

    def operations(self, value):
        self.compile_one(f"p[t] = {value};", "one<<<1, 32>>>(p, 64);")
        self.capture("./one")
        code = json.loads(self.call(PROGRAM, "info", "t.wtr", "--code", "--json", "-").stdout)["code"][0]
        return collections.Counter(insn["operation"] for insn in code["instructions"])

    def test_a_division_by_a_constant_is_shifts_and_products(self):
        plain = self.operations("n")
        for value, wanted in (("n / 8", {"int_add": 2}), ("n % 8", {"int_add": 3}), ("n / 7", {"int_mad": 1, "int_add": 2}),
                              ("n % 7", {"int_mad": 2, "int_add": 2}), ("unsigned(n) / 7", {"int_mad": 1, "int_add": 1}),
                              ("n / (t + 1)", {"int_div": 1, "int_add": 1}), ("(int)(n * 0.5f)", {"sfu": 2, "fp_mul": 1})):
            self.assertEqual(self.operations(value) - plain, wanted, value)

    def test_kernels_have_the_names_of_the_source(self):
        names = ["(anonymous namespace)::plain", "(anonymous namespace)::many<1, 2>", "(anonymous namespace)::many<3, (int)4>", "deep::of<int (*)(float)>"]
        self.compile_one("p[t] = n;", "plain<<<1, 32>>>(p); many<1, 2><<<1, 32>>>(p); many<3, 4><<<1, 32>>>(p, 0); deep::of<int (*)(float)><<<1, 32>>>(p);",
                         "namespace { __global__ void plain(int *p) { *p = 1; } template <int a, int b> __global__ void many(int *p) { *p = a + b; }\n"
                         "template <char a, int b> __global__ void many(int *p, int c) { *p = a * b + c; } }\n"
                         "namespace deep { template <class F> __global__ void of(int *p) { *p = sizeof(F); } }")
        self.capture("./one")
        found = self.launches()
        self.assertEqual([found[0], found[1], found[3]], [names[0], names[1], names[3]])
        self.assertRegex(found[2], r"^\(anonymous namespace\)::many<")
        self.assertNotIn("--kernels", self.capture("./one", "--kernels", f"{names[1]},{names[3]}").stderr)
        self.assertEqual(self.launches(), [names[1], names[3]])
        said = self.capture("./one", "--kernels", f"absent<1, 2>,{names[0]}").stderr
        self.assertIn("warpmem capture: --kernels: absent<1, 2> was not launched\nwarpmem capture: kernels that were launched: "
                      f"{names[0]}; {names[1]}; ", said)
        self.assertEqual(self.launches(), names[:1])
        said = self.capture("./one", "--kernels", "many", code=1).stderr
        self.assertIn("--kernels: many was not launched\n", said)
        self.assertIn("wrote no trace: must be compiled with warpmem-cc or use OpenCL, launch a kernel of --kernels, and end normally", said)

    def test_a_check_compares_launches_with_the_same_without_recording(self):
        self.compile(FEATURES, "features")
        plain = self.capture("./features")
        checked = self.capture("./features", "--check", output="c.wtr")
        self.assertEqual(checked.stdout, plain.stdout)  # printed once
        self.assertIn("warpmem capture: --check: 12 launches left the same in memory without recording\n", checked.stderr)
        self.assertEqual(self.bytes("t.wtr"), self.bytes("c.wtr"))
        # In front of the first array is memory that no program has, and that the check does not put back.
        self.compile_one("if (t == 1) { p[1] = ++p[-2]; }")
        self.assertIn("warpmem capture: --check: kernel one: byte 4 of the array at 0x10000000 is 0x01, and without recording 0x02\n",
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
        self.compile(os.path.join(ROOT, "tb", "capture", "agree", "spmv-scalar.cu"), "spmv", "-fno-unroll-loops")
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


if __name__ == "__main__":
    main()
