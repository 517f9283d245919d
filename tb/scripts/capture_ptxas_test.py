#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""warpmem-cc --ptxas: registers a thread as nvcc says, in traces and in occupancy."""
import json
import os
import shutil
import subprocess

from test_house import main
from capture_house import CC, PROGRAM, Capture

SOURCE = """#include <cuda_runtime.h>
#include <cstdio>
template <int N> __global__ void scaled(float *p) { p[threadIdx.x] *= N; }
__global__ void plain(float *p) { p[threadIdx.x] += 1; }
int main() {
    float *p;
    int blocks;
    cudaMalloc(&p, 1024 * sizeof *p);
    scaled<3><<<1, 32>>>(p);
    plain<<<1, 32>>>(p);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 1024, 0);
    printf("%d\\n", blocks);
}
"""
# Recorded of nvcc 13.0 --resource-usage, shortened; the numbers of registers are this test's.
SAID = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5plainPf' for 'sm_75'
ptxas info    : Function properties for _Z5plainPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 61 registers, used 0 barriers, 360 bytes cmem[0]
ptxas info    : Compile time = 8.078 ms
ptxas info    : Compiling entry function '_Z6scaledILi3EEvPf' for 'sm_75'
ptxas info    : Function properties for _Z6scaledILi3EEvPf
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 17 registers, used 0 barriers, 360 bytes cmem[0]
"""
NVCC = """#!/bin/sh
echo "$@" >>"$0.log"
case "$*" in *sm_70*) echo "nvcc fatal   : Unsupported gpu architecture 'compute_70'"; exit 1 ;; esac
cat <<'TEXT'
@SAID@TEXT
"""


def real_nvcc():
    """The path of a toolkit's nvcc, which warpmem's own stand-in is not; None."""
    for path in (shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"):
        if path and "NVIDIA" in subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout:
            return path
    return None


class Ptxas(Capture):
    def registers(self):
        items = json.loads(self.call(PROGRAM, "info", "--json=-", self.path("t.wtr")).stdout)["items"]
        return {item["kernel"]: item["registers"] for item in items if item["kind"] == "launch"}

    def build(self, *options):
        """(registers of each kernel in the trace, CTAs of 1024 threads that a multiprocessor holds)"""
        self.compile(self.write("p.cu", SOURCE), "p", *options)
        blocks = int(self.capture("./p").stdout)
        return self.registers(), blocks

    def test_recorded_counts_replace_clangs(self):
        nvcc = self.program("nvcc", NVCC.replace("@SAID@", SAID))
        own, blocks = self.build()
        self.assertTrue(all(count < 17 for count in own.values()), own)
        self.assertEqual(blocks, 2)
        counts, blocks = self.build("--ptxas=" + nvcc, "-DX=1", "-maxrregcount", "64", "-O2")
        self.assertEqual(counts, {"scaled<3>": 17, "plain": 61})
        self.assertEqual(blocks, 1)  # 65536 registers: 61, in units, are too many for two
        for word in ("-arch=sm_70", "-arch=sm_75", "-DX=1", "-maxrregcount=64"):
            self.assertIn(word, self.read("nvcc.log"))

    def test_what_cannot_be_asked_is_refused(self):
        source = self.write("p.cu", SOURCE)
        self.assertIn("--ptxas=/none: is not there", self.compile(source, "p", "--ptxas=/none", code=2).stderr)
        self.assertIn("not with relocatable device code", self.compile(source, "p", "--ptxas", "-rdc=true", code=2).stderr)
        broken = self.program("broken", "#!/bin/sh\necho 'p.cu(3): error: identifier \"x\" is undefined'\nexit 2\n")
        self.assertIn('error: identifier "x" is undefined', self.compile(source, "p", "--ptxas=" + broken, code=2).stderr)
        silent = self.program("silent", "#!/bin/sh\nexit 0\n")
        self.assertIn("nvcc names no kernel in it", self.compile(source, "p", "--ptxas=" + silent).stderr)

    def test_a_toolkits_nvcc_is_asked(self):
        nvcc = real_nvcc()
        if not nvcc:
            print("SKIPPED: no nvcc of a CUDA toolkit here: --ptxas was tried with recorded output alone")
            return
        said = subprocess.run([nvcc, "-cubin", "-arch=sm_75", "--resource-usage", "-o", self.path("x.cubin"), self.write("p.cu", SOURCE)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout
        counts, _ = self.build("--ptxas=" + nvcc)
        for name, mangled in (("plain", "_Z5plainPf"), ("scaled<3>", "_Z6scaledILi3EEvPf")):
            used = said.split(f"'{mangled}'")[1].split("Used ")[1].split()[0]
            self.assertEqual(counts[name], int(used))


if __name__ == "__main__":
    main()
