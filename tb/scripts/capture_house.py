# SPDX-License-Identifier: Apache-2.0
"""Shared part of the tests of capture: programs are compiled and captured, traces are read as text."""
import collections
import json
import os
import re
import shutil
import subprocess

from test_house import BUILD, ROOT, House

CC, PROGRAM = os.path.join(BUILD, "warpmem-cc"), os.path.join(BUILD, "warpmem")
FOLDER = os.path.join(ROOT, "tb", "capture", "programs")
CLANGS = [name for name in ("clang++-14", "clang++-19") if shutil.which(name)] or ["clang++"]
FEATURES = os.path.join(FOLDER, "features.cu")

# A row with the instructions that it costs.
COST = re.compile(r'[A-Z0-9_]+\("([^"]*)"')

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


class Capture(House):
    def call(self, *words, code=0, **more):
        done = subprocess.run([os.fspath(word) for word in words], capture_output=True, text=True, check=False, cwd=self.folder,
                              timeout=120, **more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def compile(self, source, name, *options, code=0, clang=None):
        more = {"env": {**os.environ, "CLANG": clang}} if clang else {}
        return self.call(CC, *options, source, "-o", name, code=code, **more)

    def compile_one(self, body="", launch="one<<<2, 32>>>(p, 64);", more="", code=0, clang=None):
        text = ONE.replace("@BODY@", body).replace("@LAUNCH@", launch).replace("@MORE@", more)
        return self.compile(self.write("one.cu", text), "one", code=code, clang=clang)

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

    def costs(self, path):
        """{line: operations} of a file of rows: "fp_mul sfu*2" are one product and two special functions."""
        with open(path, encoding="utf-8") as file:
            rows = {number: COST.match(line) for number, line in enumerate(file, 1)}
        costs = {}
        for number, row in rows.items():
            if row:
                words = [word.split("*") for word in row.group(1).split()]
                costs[number] = collections.Counter({word[0]: int(word[1]) if len(word) > 1 else 1 for word in words})
        return costs

    def counted(self):
        """{file: {line: operations}} of the recorded code."""
        counted = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
        for kernel in json.loads(self.call(PROGRAM, "info", "t.wtr", "--code", "--json", "-").stdout)["code"]:
            for insn in kernel["instructions"]:
                operation = insn["operation"] + (".uncached" if insn.get("uncached") else "")
                counted[os.path.basename(insn.get("file", ""))][insn.get("line")][operation] += 1
        return counted
