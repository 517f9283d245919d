#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""warpmem-cc in nvcc's place: its options, its macros, the C++ library's headers, code of several files."""
import os
import shutil

from test_house import BUILD, main
from capture_house import CC, CLANGS, Capture

HEADERS = """algorithm any array atomic bitset cassert ccomplex cctype cerrno cfenv cfloat charconv chrono cinttypes ciso646 climits clocale cmath
    codecvt complex condition_variable csetjmp csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime cuchar
    cwchar cwctype deque exception execution filesystem forward_list fstream functional future initializer_list iomanip ios iosfwd iostream
    istream iterator limits list locale map memory memory_resource mutex new numeric optional ostream queue random ratio regex
    scoped_allocator set shared_mutex sstream stack stdexcept streambuf string string_view strstream system_error thread tuple type_traits
    typeindex typeinfo unordered_map unordered_set utility valarray variant vector""".split()
MACROS = r"""
#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ != 12 || __CUDACC_VER_MINOR__ != 4 || __CUDACC_VER_BUILD__ != 131
#error release
#endif
"""
MACROS_OF_CUDA = MACROS + r"""
#include <cuda.h>
#if !defined(__CUDACC__) || CUDART_VERSION != 12040 || CUDA_VERSION != 12040
#error version
#endif
#ifdef __CUDACC_RDC__
#error rdc
#endif
const int architectures[] = {__CUDA_ARCH_LIST__};
__global__ void k(int *p) {
#if __CUDA_ARCH__ >= 700
    *p = __CUDA_ARCH__ == architectures[0];
#endif
}
int main() {
    int *p, runtime, driver, good;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(p);
    cudaMemcpy(&good, p, 4, cudaMemcpyDeviceToHost);
    return !good || cudaRuntimeGetVersion(&runtime) || cudaDriverGetVersion(&driver) || runtime != CUDART_VERSION || driver != CUDART_VERSION;
}
"""
# Shared memory of 8.0, which an error of the attribute refuses on 7.0.
CAPABILITY = """__global__ void k(int *p) {
    extern __shared__ int s[];
#ifdef __CUDA_ARCH__
    s[threadIdx.x] = __CUDA_ARCH__;
#endif
    *p = s[blockDim.x - 1];
}
int main() {
    int *p, major;
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaMallocManaged(&p, 4);
    const int refused = cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 166912);
    k<<<1, 1, refused ? 4 : 166912>>>(p);
    cudaDeviceSynchronize();
    printf("%d %d %d %d", prop.major, major, refused, *p);
}
"""
FIRST = """extern __device__ int total;
__device__ int twice(int);
static __device__ int own = 5;
static __global__ void step(int *p) { p[threadIdx.x] = twice(p[threadIdx.x]) + total + own; }
int second();
int main() {
    int *p, h[32], seven = 7;
    for (int i = 0; i < 32; i++) h[i] = i;
    cudaMalloc(&p, sizeof h);
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
    if (second() || cudaMemcpyToSymbol(own, &seven, sizeof seven)) return 9;
    step<<<1, 32>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\\n", h[0], h[31]);
}
"""
SECOND = """__device__ int total = 3;
static __device__ int own = 9;
__device__ int twice(int x) { return 2 * x + own; }
static __global__ void step() { own++; }
int second() {
    int thousand = 1000;
    step<<<1, 1>>>();
    return cudaMemcpyToSymbol(total, &thousand, sizeof thousand);
}
"""
ADDITION = "float *f = (float *)p; f[t] = f[t] * f[t + 1] + f[t + 2];"


class Options(Capture):
    def clangs(self):
        """The oldest that is supported, and the newest where it is installed."""
        return [{**os.environ, "CLANG": name} for name in ("clang++-14", "clang++-19") if shutil.which(name)]

    def test_every_header_of_the_library_compiles_beside_kernels(self):
        self.write("all.cu", "".join(f"#include <{name}>\n" for name in HEADERS) + """__noinline__ __device__ int f(int n) { return n + 1; }
            __global__ void k(int *p) { *p = f(*p); }
            int main() { return std::make_shared<int>(0).get() == nullptr; }""")
        for environment in self.clangs():
            self.call(CC, "-std=c++17", "-w", "-O0", "-c", "all.cu", env=environment)

    def test_nvccs_macros(self):
        self.write("m.cu", MACROS_OF_CUDA)
        self.write("n.cpp", MACROS)
        self.call(CC, "m.cu", "n.cpp", "-o", "m")
        self.call("./m")
        macros = "__CUDACC_EXTENDED_LAMBDA__", "__CUDACC_RELAXED_CONSTEXPR__", "__CUDACC_RDC__", "CUDA_API_PER_THREAD_DEFAULT_STREAM"
        self.write("e.cu", "".join(f"#ifdef {macro}\n\"{macro} is there\"\n#endif\n" for macro in macros))
        for options, wanted in (([], 0), (["--extended-lambda"], 1), (["-expt-relaxed-constexpr", "-expt-extended-lambda"], 2), (["-rdc=true"], 1),
                                (["--default-stream", "per-thread"], 1), (["-default-stream=legacy"], 0)):
            self.assertEqual(self.call(CC, "-E", *options, "e.cu").stdout.count("is there"), wanted)
        self.assertIn("release 12.4, V12.4.131", self.call(CC, "--version").stdout)

    def test_nvccs_options_are_taken(self):
        self.write("o.cu", "#include <own.h>\n#include <tuple>\n__global__ void k(int *p) { *p = OWN; }\n"
                           "int main() { auto [a, b] = std::make_tuple(1, 2); return a + b - SUM; }\n")
        self.write("include/own.h", "#define OWN 1\n")
        self.write("more", "-DSUM=3 '-I' include -std c++17\n")
        self.write("less", "--define-macro=SUM=3 -include-path include --std=c++17")
        common = """--extended-lambda -maxrregcount=32 -maxrregcount 32 -ccbin=g++ -ccbin g++ -Xcudafe --display_error_number -diag-suppress 20012
            --threads 4 -t=2 -Xlinker -rpath,lib -x cu -lineinfo -G -use_fast_math -arch sm_80 -arch=native -gencode=arch=compute_80,code=sm_80
            -Xptxas -v --ptxas-options=-O3 -cudart shared -lcudart -lcudadevrt -m64 --default-stream per-thread -Wno-deprecated-gpu-targets
            --Werror cross-execution-space-call -prec-div=false -ftz true -Xcompiler -Wall,-fopenmp-simd -O3""".split()
        for words in (["@more"], ["--options-file", "less"]):
            self.call(CC, *common, *words, "o.cu", "-o", "o")
            self.assertIn("lib", self.call("readelf", "-d", "./o").stdout.split("RUNPATH", 1)[1].splitlines()[0])
            self.call("./o")
        shutil.copy(self.path("o.cu"), self.path("o.txt"))
        self.call(CC, "-x", "cu", "@more", "o.txt", "-c", "-o", "o.o")
        self.call(CC, "@more", "-odir", "include", "-c", "o.cu", "-MMD")
        self.assertRegex(self.read("include/o.d"), r"^include/o\.o:( |\\|\n)*o\.cu( |\\|\n)*include/own\.h")
        self.call(CC, "@more", "o.cu", "-o", "o", "-MD", "-MF", "x.d", "-MT", "o")
        self.assertTrue(self.read("x.d").startswith("o:"))
        self.assertRegex(self.call(CC, "@more", "-MM", "o.cu").stdout, r"^o\.o:( |\\|\n)*o\.cu( |\\|\n)*include/own\.h")
        self.assertIn("return a + b - 3", self.call(CC, "@more", "-E", "o.cu").stdout)
        self.call(CC, "@more", "-cuda", "o.cu")
        self.assertIn("return a + b - 3", self.read("o.cu.cpp.ii"))
        for words, said in ((["-ptx"], "-ptx: is not supported: makes PTX"), (["@absent"], "absent: cannot be read: No such file"),
                            (["-x", "f"], "-x f: must be cu, c++ or c"),
                            (["--default-stream=each"], "--default-stream each: must be legacy, null or per-thread"), (["-dlink"], "-dlink: no object of -dc is among the files")):
            self.assertIn("warpmem-cc: " + said, self.call(CC, *words, "@more", "o.cu", code=2).stderr)

    def test_the_least_architecture_decides_the_capability(self):
        self.write("arch.cu", CAPABILITY)
        for options, wanted in (("-arch=sm_80", "8 8 0 800"), ("-gencode arch=compute_75,code=sm_75 --generate-code=arch=compute_90,code=sm_90", "7 7 1 700"),
                                ("-rdc=true --gpu-architecture sm_90a", "8 8 0 800")):
            self.call(CC, *options.split(), "arch.cu", "-o", "arch")
            self.assertEqual(self.call("./arch").stdout, wanted)

    def test_the_host_copies_to_variables_of_unnamed_namespaces(self):
        text = """namespace {
            __device__ __attribute__((aligned(16))) int seen[2] = {1, 1}; __constant__ int fixed = 1; const char *close = "}";
            __global__ void k(int *p) { *p = seen[1] * 10 + fixed; }
            }
            static int run(int first) {
                int *p, v[2] = {0, first};
                cudaMallocManaged(&p, 4);
                if (!*close || cudaMemcpyToSymbol(seen, v, 8) || cudaMemcpyToSymbol(fixed, &v[1], 4)) return -1;
                k<<<1, 1>>>(p);
                return cudaDeviceSynchronize() ? -1 : *p;
            }
            """
        a = self.write("a.cu", text + 'int b();\nint main() { int first = run(3); printf("%d %d %d", first, b(), run(4)); }\n')
        b = self.write("b.cu", text + "int b() { return run(7); }\n")
        for clang in CLANGS:
            for options in ([], ["-rdc=true"]):
                self.call(CC, *options, a, b, "-o", "both", env={**os.environ, "CLANG": clang})
                self.assertEqual(self.capture("./both").stdout, "33 77 44")
                self.assertEqual(self.launches(), 3 * ["(anonymous namespace)::k"])

    def test_a_programs_headers_come_first(self):
        self.write("include/helper_timer.h", "#define MINE 1\n")
        self.write("h.cu", "#include <helper_timer.h>\nint main() { return MINE - 1; }\n")
        self.call(CC, "h.cu", "-Iinclude", "-o", "h")
        self.assertIn("MINE", self.call(CC, "h.cu", "-o", "h", code=1).stderr)

    def test_products_and_sums_stay_apart_without_contraction(self):
        for option, wanted in (("--fmad=true", {"fp_mad"}), ("--fmad=false", {"fp_mul", "fp_add"})):
            self.write("one.cu", f"__global__ void one(int *p) {{ int t = threadIdx.x; {ADDITION} }}\n"
                                 "int main() { int *p; cudaMalloc(&p, 256); one<<<1, 32>>>(p); return cudaDeviceSynchronize(); }\n")
            self.call(CC, option, "one.cu", "-o", "one")
            self.capture("./one")
            self.assertEqual({text.split()[0] for text in self.records()[0][1].values() if text.startswith("fp_")}, wanted)

    def test_kernels_use_functions_and_variables_of_other_files(self):
        self.write("a/step.cu", FIRST)
        self.write("b/step.cu", SECOND)
        self.call(CC, "-dc", "a/step.cu", "-o", "a.o")
        self.call(CC, "--device-c", "b/step.cu", "-o", "b.o")
        self.call(CC, "-lib", "b.o", "-o", "libb.a")
        self.call(CC, "-dlink", "a.o", "b.o", "-o", "link.o")
        for words, environment in ((["a.o", "libb.a"], None), (["a.o", "b.o", "link.o", "-lcudadevrt"], None),
                                   (["-rdc=true", "a/step.cu", "b/step.cu"], self.clangs()[-1])):
            self.call(CC, *words, "-o", "both", env=environment)
            self.assertEqual(self.capture("./both").stdout, "1017 1079\n")
            self.assertEqual(self.launches(), ["step", "step"])
        self.assertIn("a/step.cu:4: the call of _Z5twicei: is not supported", self.call(CC, "-rdc=true", "a/step.cu", "-o", "both", code=1).stderr)

    def test_kernels_in_a_shared_library(self):
        self.write("lib.cu", "__global__ void k(int *p) { p[threadIdx.x] *= 3; }\nint *triple(int v) { int *p; cudaMallocManaged(&p, 4); *p = v; "
                             "k<<<1, 1>>>(p); cudaDeviceSynchronize(); return p; }\n")
        self.write("m.cpp", "int *triple(int);\nint main() { return *triple(4) - 12; }\n")
        self.call(CC, "-shared", "-Xcompiler", "-fPIC", "lib.cu", "-o", "libtriple.so")
        self.call(CC, "m.cpp", "-L.", "-ltriple", "-Xlinker", "-rpath,.", "-o", "m")
        self.capture("./m")
        self.assertEqual(self.launches(), ["k"])

    def test_another_linker_finds_the_runtime_in_place_of_a_toolkits(self):
        toolkit = os.path.join(BUILD, "warpmem-cuda")
        self.write("k.cu", "__global__ void k(int *p) { p[threadIdx.x] *= 3; }\nint *triple(int v) { int *p; cudaMallocManaged(&p, 4); *p = v; "
                           "k<<<1, 1>>>(p); return p; }\n")
        self.write("m.cpp", "#include <cuda_runtime.h>\nint *triple(int);\n"
                            "int main() { int *p = triple(4); return cudaDeviceSynchronize() != cudaSuccess || *p != 12; }\n")
        self.call(os.path.join(toolkit, "bin", "nvcc"), "-c", "k.cu", "-o", "k.o")
        self.call("g++", "m.cpp", "k.o", f"-I{toolkit}/include", f"-L{toolkit}/lib64", "-lcudart", "-lcuda", "-o", "m")
        self.capture("./m")
        self.assertEqual(self.launches(), ["k"])

    def test_joined_code_is_the_code_of_one_file(self):
        kernel = "__global__ void k(int *p) { for (int i = 0; i < 9; i++) p[threadIdx.x + i] += f(p[i]); }\n"
        function = "__device__ int f(int n) { return n & 1 ? n * 3 : n / 2; }\n"
        end = "int main() { int *p; cudaMalloc(&p, 256); cudaMemset(p, 5, 256); k<<<1, 32>>>(p); return cudaDeviceSynchronize(); }\n"
        self.write("one.cu", function + kernel + end)
        self.write("k.cu", "__device__ int f(int n);\n" + kernel + end)
        self.write("f.cu", function)
        self.call(CC, "one.cu", "-o", "one")
        self.call(CC, "-rdc=true", "k.cu", "f.cu", "-o", "two")
        code = []
        for program in ("one", "two"):
            self.capture("./" + program)
            code.append([([text.split(" line=")[0] for text in insns.values()], records) for _, insns, records in self.records()])
        self.assertEqual(*code)


if __name__ == "__main__":
    main()
