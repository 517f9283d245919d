#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Inline PTX: each statement's value, the instructions that it costs a kernel, its accesses; what is refused."""
import os
import re
import sys

from test_house import ROOT, main
from capture_house import CC, CLANGS, FOLDER, Capture

sys.path.append(os.path.join(ROOT, "capture", "compiler"))
from inline_ptx import without_assembly  # noqa: E402 pylint: disable=wrong-import-position

PROGRAM_TEXT, ROWS = os.path.join(FOLDER, "inline_ptx.cu"), os.path.join(FOLDER, "inline_ptx.cuh")


class InlinePtx(Capture):
    def test_each_statement_has_its_value_and_its_cost(self):
        for clang in reversed(CLANGS):
            self.compile(PROGRAM_TEXT, "ptx", clang=clang)
            self.assertEqual(self.call("./ptx").stdout, "right\n")
        self.assertEqual(self.capture("./ptx", "--check").stdout, "right\n")
        counted, costs = self.counted()["inline_ptx.cuh"], self.costs(ROWS)
        for line, cost in costs.items():
            self.assertEqual(counted[line], +cost, f"inline_ptx.cuh:{line}")
        self.assertGreater(len(costs), 160)

    def test_accesses_are_in_the_trace(self):
        self.compile(PROGRAM_TEXT, "ptx")
        self.capture("./ptx", "--kernels", "accesses")
        (_, insns, accesses), = self.records()
        with open(PROGRAM_TEXT, encoding="utf-8") as file:
            lines = {number: line for number, line in enumerate(file, 1) if 'asm' in line}
        found = [(lines[int(re.search(r"line=\d+:(\d+)", insns[pc]).group(1))].split('"')[1].split()[0], re.sub(r" (dst|src|line)=\S+", "", insns[pc]), f"{lanes:08x}")
                 for _, _, pc, lanes, _ in accesses if int(re.search(r"line=\d+:(\d+)", insns[pc]).group(1)) in lines]
        self.assertEqual([f"{statement} {insn}" for statement, insn, _ in found], """\
cp.async.ca.shared.global load global 16
cp.async.ca.shared.global store shared 16
ld.shared.v2.u32 load shared 8
ld.global.cg.v4.s32 load global 16 uncached
ld.global.nc.b32 load global 4
ld.u32 load global 4
ld.global.s16 load global 2
{\\n\\t.reg load global 1 uncached
red.global.add.s32 atomic global 4
atom.shared.cas.b32 load shared 4
atom.shared.cas.b32 load shared 4
{ int_add
{ branch
{ store shared 4
membar.gl; fence
barrier.sync barrier
st.global.wt.b32 int_mad
st.global.wt.b32 store global 4""".split("\n"))  # an atomic on shared memory is a load, as all are; the first one is its operand
        self.assertEqual({insn: lanes for _, insn, lanes in found if lanes != "ffffffff"}, {"store shared 4": "000000ff"})

    def test_what_is_not_known_is_named(self):
        for text, said in (("tex.2d.v4.f32.f32 {%0, %0, %0, %0}, [%0, {%0, %0}];", "'tex.2d.v4.f32.f32'"), ("mbarrier.init.shared.b64 [%0], 1;", "'mbarrier.init.shared.b64'"),
                           ("mov.u32 %0, %%envreg1;", "'%envreg1'"), ("add.u32 %0, %0, nobody;", "'nobody'"), ("add.rz.u32 %0, %0, 1;", "'add.rz.u32'"),
                           ("add.u32 %0, %0;", "'add.u32'"), ("mad.hi.sat.s32 %0, %0, %0, %0;", "'mad.hi.sat.s32'"), ("exit;", "'exit'"),
                           ("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0}, {%0}, {%0}, {%0};", "'mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32'"), ("ld.param.u32 %0, [%0];", "'ld.param.u32'"), ("add.u32 %0, %3, 1;", "operand %3, which is not there"),
                           ("{ add.u32 %0, %0, 1; }}", "PTX with a '}' too many"), ("bar.arrive 1, 64;", "'bar.arrive'"), (".reg .b128 a;", "a register of type .b128")):
            translated, _ = without_assembly(f'asm volatile("{text}" : "+r"(n));')
            self.assertEqual(translated, f'__asm__ volatile("warpmem: inline PTX: {said}: is not supported" :);'.replace("%", "%%"))
        said = self.compile_one('asm volatile("frobnicate.u32 %0, 1;" : "+r"(n)); p[t] = n;', code=1).stderr
        self.assertRegex(said, r"^\S*one\.cu:8: inline PTX: 'frobnicate\.u32': is not supported \(kernel _Z3onePii\)\n$")

    def test_the_hosts_assembly_and_unused_functions_do_not_matter(self):
        self.compile_one("p[t] = n;", more='template <int N> __device__ void never() { asm("frobnicate.%0;" :: "n"(N)); }\n'
                         'static unsigned long long ticks() { unsigned low, high; asm volatile("rdtsc" : "=a"(low), "=d"(high)); return low; }\n'
                         'extern int other(int) asm("elsewhere");\nint elsewhere_too asm("here") = 3;', launch="one<<<2, 32>>>(p, ticks() != 0);")
        self.call("./one")

    def test_statements_of_every_form(self):
        self.write("forms.cuh", '#define NAME(x) "mov.u32 %0, " x ";"\n__device__ inline unsigned lane() { unsigned r; __asm__ __volatile__(NAME("%%laneid") "\\n\\t" : "=r"(r)); return r; }\n')
        self.compile_one("int x = 3, *q = p; struct { int v[3]; } s = {{5, 6, 7}};\n"
                         'if (n) asm("add.s32 %[d], %[d], %[s];" : [d] "+r"(x) : [s] "r"(s.v[x > 2 ? 1 : 0])); else asm("");\n'
                         'asm volatile("{ .reg .s32 t; mov.s32 t, %1; add.s32 t, t, 1; mov.s32 %0, t; }" : "=r"(s.v[2]) : "0"(x) : "memory", "cc");\n'
                         'asm volatile(R"(st.global.u32 [%0 + 4], %1; // raw "text"\n)" :: "l"(q), "r"(s.v[2]));\n'
                         "if (!t) { p[0] = lane(); p[2] = get(p); }",
                         "one<<<1, 1>>>(p, 1); cudaMemcpy(host, p, 12, cudaMemcpyDeviceToHost); return host[0] != 0 || host[1] != 10 || host[2] != 77;",
                         more='#include "forms.cuh"\ntemplate <class T> __device__ T get(T *p) { T r; if (sizeof(T) == 4) asm("mov.u32 %0, 77;" : "=r"(r)); else asm("frobnicate;"); return r; }')
        self.call("./one")

    def test_arrays_in_shared_memory_with_an_alignment(self):
        text = ("__shared__ alignas(64) int s[32]; __shared__ alignas(double) char c[8]; s[t] = n; c[t % 8] = 1; __syncthreads(); p[t] = s[31 - t] + c[0];")
        self.compile_one(text, "one<<<1, 32>>>(p, 5); cudaMemcpy(host, p, 4, cudaMemcpyDeviceToHost); return host[0] != 6;")
        self.call("./one")
        self.call(CC, "-c", "-MD", "-MT", "thing.o", "one.cu", "-o", "one.o")
        with open(self.path("one.d"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"^thing\.o: one\.cu ")

    def test_device_code_of_several_files(self):
        self.write("lane.cu", '__device__ unsigned lane() { unsigned r; asm("mov.u32 %0, %laneid;" : "=r"(r)); return r; }\n')
        self.write("main.cu", "__device__ unsigned lane(); __global__ void k(unsigned *o) { o[threadIdx.x] = lane(); }\n"
                              "int main() { unsigned *d, h[32]; cudaMalloc(&d, 128); k<<<1, 32>>>(d); cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost); return h[9] != 9; }\n")
        self.call(CC, "-rdc=true", "lane.cu", "main.cu", "-o", "lanes")
        self.call("./lanes")

    def test_threads_that_wait_for_ever_at_a_numbered_barrier_are_named(self):
        self.compile_one('if (t < 32) asm volatile("bar.sync 2, 64;");', "one<<<1, 64>>>(p, 1); return cudaDeviceSynchronize();")
        self.assertIn("threads wait for others that do not come to a barrier", self.call("./one", code=1).stderr)
        self.compile_one('if (t < 32) asm volatile("bar.sync 2, 64;"); else asm volatile("barrier.sync.aligned 2, 64;");\n', "one<<<1, 64>>>(p, 1);")
        self.capture("./one")


if __name__ == "__main__":
    main()
