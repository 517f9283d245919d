#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Capture of CUDA kernels that launch kernels."""
import os
import sys

from test_house import ROOT, House, main
from capture_house import CC, CLANGS, FOLDER, Capture

sys.path.insert(0, os.path.join(ROOT, "capture", "compiler"))
from child_launches import drop_child_launches, rewrite_launches  # noqa: E402 pylint: disable=wrong-import-position

DEVICE, KERNEL = "__attribute__((device)) ", "__attribute__((global)) "


class Text(House):
    def test_a_launch_for_the_device_is_a_call_and_its_shape(self):
        for before, after in (("k<<<1, 2>>>(a, b);", "k(a, b), ::wm_child_launch(1, 2);"),
                              ("n::k<T, 3>\n  <<<g(1, 2), n >> 2>>>\n  (f(x), \")\");", "n::k<T, 3>\n  \n  (f(x), \")\"), ::wm_child_launch(g(1, 2), n >> 2);"),
                              ("k<<<1, 2>>>();", "k(), ::wm_child_launch(1, 2);"),
                              ("k<<<1,\n# 7 \"a.cu\"\n2>>>(a);", "k(a), ::wm_child_launch(1,\n\n2);"),
                              ("k<<<1, 2>>>([] { j<<<3, 4>>>(); });", "k([] { j(), ::wm_child_launch(3, 4); }), ::wm_child_launch(1, 2);")):
            self.assertEqual(rewrite_launches(before), after)
        for same in ('"k<<<1, 2>>>(a)"', 'R"(k<<<1, 2>>>(a))"', "'<', x << y, a < b", "operator<<<int>(a);", "k<<<1, 2;", '# 3 "x.h" 1 3\nk<<<1, 2>>>(a);'):
            self.assertEqual(rewrite_launches(same), same)
            self.assertEqual(drop_child_launches(KERNEL + "void f() {\n" + same), KERNEL + "void f() {\n" + same)

    def test_the_host_keeps_its_own_launches(self):
        for before, after in ((KERNEL + "void f() { if (a) { n::k<T<1>, 3><<<1,\n 2>>>(b); } }", KERNEL + "void f() { if (a) { (void)0\n; } }"),
                              (DEVICE + "void f() { k<<<1, 2>>>(); } void g() { k<<<1, 2>>>(); }", DEVICE + "void f() { (void)0; } void g() { k<<<1, 2>>>(); }"),
                              ("struct S { " + DEVICE + "void f() { ::k <<<1, 2>>>(); } void g() { k<<<3, 4>>>(); } };",
                               "struct S { " + DEVICE + "void f() { (void)0; } void g() { k<<<3, 4>>>(); } };"),
                              (DEVICE + "int x; void g() { k<<<1, 2>>>(); }",) * 2,
                              ("__attribute__((host)) " + DEVICE + "void f() { k<<<1, 2>>>(); }",) * 2):
            self.assertEqual(drop_child_launches(before), after)


class Children(Capture):
    def test_kernels_launch_kernels_with_the_right_arguments_in_the_right_order(self):
        for clang, options in zip(CLANGS, ((), ("-rdc=true", "-O2")), strict=False):
            with self.subTest(clang=clang, options=options):
                self.compile(os.path.join(FOLDER, "children.cu"), "children", *options, clang=clang)
                self.assertEqual(self.capture("./children", "--check").stdout, "right\n")
        launches = self.launches()
        self.assertEqual(launches[:14], ["parent"] + 12 * ["inner::add<int, 2>"] + ["inner::add<float, 1>"])
        self.assertEqual(launches[14:24], 4 * ["tree"] + ["note"] + 3 * ["tree"] + 2 * ["note"])
        self.assertEqual(launches[24:48], 24 * ["deep"])
        self.assertEqual(launches[48:], ["memory", "inner::add<int, 1>", "inner::add<int, 1>", "note", "note", "use"])
        # The launch itself is a call of the device's own runtime; the children's accesses are theirs.
        _, insns, records = self.records()[24]
        self.assertEqual(sum(at.startswith("@") and "store global" in insns[pc] for *_, pc, _, at in records), 2)

    def test_kernels_of_another_file_are_launched_by_relocatable_code(self):
        parent = self.write("parent.cu", """#include <cuda_runtime.h>
            #include <cstdio>
            __global__ void child(int *p, int n);
            __global__ void parent(int *p) { child<<<1, 32>>>(p, 3); }
            int main() {
                int *p, got[32] = {0};
                cudaMalloc(&p, sizeof got);
                cudaMemset(p, 0, sizeof got);
                parent<<<1, 1>>>(p);
                child<<<1, 32>>>(p, 4);
                cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
                printf("%d %d", got[0], got[31]);
            }""")
        child = self.write("child.cu", "#include <cuda_runtime.h>\n__global__ void child(int *p, int n) { p[threadIdx.x] = 10 * p[threadIdx.x] + n; }\n")
        for files in ((parent, child), (child, parent)):
            self.call(CC, "-rdc=true", *files, "-o", "both")
            self.assertEqual(self.capture("./both").stdout, "34 34")
            self.assertEqual(self.launches(), ["parent", "child", "child"])

    def test_static_kernels_of_relocatable_files_have_their_own_names(self):
        text = """#include <cstdio>
            static __global__ void child(int *p) { p[threadIdx.x] += OWN; }
            namespace { __global__ void parent(int *p) { child<<<1, 32>>>(p); } }
            void NAME(int *p) { parent<<<1, 1>>>(p); cudaDeviceSynchronize(); }
            """
        a = self.write("a.cu", "#define OWN 1\n#define NAME a\n" + text + """void b(int *);
            int main() { int *p; cudaMallocManaged(&p, 128); a(p); a(p); b(p); printf("%d", p[31]); }""")
        b = self.write("b.cu", "#define OWN 40\n#define NAME b\n" + text)
        for clang in CLANGS:
            self.call(CC, "-rdc=true", a, b, "-o", "both", env={**os.environ, "CLANG": clang})
            self.assertEqual(self.capture("./both").stdout, "42")
            self.assertEqual(self.launches(), 3 * ["(anonymous namespace)::parent", "child"])

    def test_dependencies_are_those_of_the_source(self):
        self.write("own.h", "#define SHAPE 1, 2\n")
        self.compile(self.write("d.cu", '#include "own.h"\n__global__ void a() {}\n__global__ void b() { a<<<SHAPE>>>(); }\nint main() { b<<<1, 1>>>(); }\n'),
                     "d.o", "-c", "-MD")
        self.assertRegex(self.read("d.d"), r"^d\.o:( |\\|\n)*\S*d\.cu( |\\|\n)[^:]*own\.h")


if __name__ == "__main__":
    main()
