#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The host's API of captured CUDA programs, and the headers of CUDA's samples."""
import os
import shutil

from test_house import main
from capture_house import CC, CLANGS, FOLDER, Capture

SAMPLE = """#include <helper_cuda.h>
#include <helper_functions.h>
__global__ void twice(unsigned char *p, int n) { if ((int)threadIdx.x < n) { p[threadIdx.x] *= 2; } }
int main(int argc, char **argv) {
    int device = findCudaDevice(argc, (const char **)argv), n = getCmdLineArgumentInt(argc, (const char **)argv, "count");
    char *name = nullptr;
    unsigned char *image = nullptr, *p, small[3] = {1, 2, 3};
    unsigned width, height;
    if (!checkCmdLineFlag(argc, (const char **)argv, "count") || checkCmdLineFlag(argc, (const char **)argv, "none") ||
        !getCmdLineArgumentString(argc, (const char **)argv, "image", &name) || getCmdLineArgumentFloat(argc, (const char **)argv, "scale") != 0.5f) {
        return 2;
    }
    char *path = sdkFindFilePath(name, argv[0]);
    if (!path || !sdkLoadPGM(path, &image, &width, &height) || width * height != (unsigned)n) {
        return 3;
    }
    StopWatchInterface *timer = nullptr;
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    checkCudaErrors(cudaMalloc((void **)&p, n));
    checkCudaErrors(cudaMemcpy(p, image, n, cudaMemcpyHostToDevice));
    twice<<<1, 32>>>(p, n);
    getLastCudaError("twice");
    checkCudaErrors(cudaMemcpy(image, p, n, cudaMemcpyDeviceToHost));
    sdkStopTimer(&timer);
    sdkSavePGM("out.pgm", image, width, height);
    bool same = compareData(image, image, n, 0, 0.0f), other = compareData(image, small, 3, 0, 0.0f);
    float a[2] = {1, 2}, b[2] = {1, 2.001f};
    printf("%d %d %d %d %d %d %d\\n", device, image[1], same, other, sdkCompareL2fe(a, b, 2, 0.01f), sdkCompareL2fe(a, b, 2, 1e-6f),
           _ConvertSMVer2Cores(7, 0));
    checkCudaErrors(cudaSetDevice(MAX(3, MIN(5, 4))));
    return 0;
}
"""

MANAGED = """#include <cuda_runtime.h>
#include <cstdio>
extern __managed__ int m;
__global__ void k() { m += 2; }
int main() {
    printf("%d ", m);
    m = 5;
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("%d", m);
}
"""

IN_C = """#include <cuda_runtime_api.h>
#include <stdio.h>
void twice(float4 *, dim3);
int main(void) {
    const dim3 block = {2, 1, 1};
    struct cudaDeviceProp prop;
    float4 v[2] = {make_float4(1, 2, 3, 4)}, *p = v;
    cudaArray_t array = 0;
    struct cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaError_t error = cudaGetDeviceProperties(&prop, 0);
    error = error ? error : cudaMallocArray(&array, &desc, 8, 1, cudaArrayDefault);
    error = error ? error : cudaMallocManaged((void **)&p, sizeof v, cudaMemAttachGlobal);
    error = error ? error : cudaMemcpy(p, v, sizeof v, cudaMemcpyDefault);
    twice(p, block);
    printf("%s %d %g\\n", cudaGetErrorName(error), prop.warpSize, p[0].w);
    return 0;
}
"""
FROM_C = """__global__ void two(float4 *p) { p[threadIdx.x].w *= 2; }
extern "C" void twice(float4 *p, dim3 block) { two<<<1, block>>>(p); }
"""


class Api(Capture):
    def test_each_call_does_what_it_should(self):
        source = os.path.join(FOLDER, "host_api.cu")
        newest = "clang++-19" if shutil.which("clang++-19") else "clang++"
        self.call(CC, source, "-o", "api", env={**os.environ, "CLANG": newest})
        self.assertEqual(self.call("./api").stdout, "right\n")
        self.assertEqual(self.capture("./api", "--check").stdout, "right\n")
        # The kernels of a registered array of the host, and of graphs, which run at each launch of a graph.
        self.assertEqual(self.launches(), ["add", "dynamic_shared"] + 8 * ["add"])

    def test_the_hosts_half_may_be_c(self):
        for standard in ("-std=c99", "-std=gnu17"):
            self.call(CC, standard, "-Xcompiler", "-Wall,-Werror", self.write("host.c", IN_C), "-c")
        self.call(CC, "host.o", self.write("two.cu", FROM_C), "-o", "both")
        self.assertEqual(self.capture("./both").stdout, "cudaSuccess 32 8\n")

    def test_the_host_and_kernels_have_one_managed_variable(self):
        for clang, options in zip(CLANGS, ((), ("-rdc=true", "-O2")), strict=False):
            with self.subTest(clang=clang, options=options):
                self.compile(os.path.join(FOLDER, "managed.cu"), "managed", *options, clang=clang)
                self.assertEqual(self.capture("./managed", "--check").stdout, "right\n")
                # Also one of another file.
                files = [self.write("a.cu", MANAGED), self.write("b.cu", "#include <cuda_runtime.h>\n__managed__ int m = 1;\n")]
                self.assertEqual(self.call(CC, "-rdc=true", *files, "-o", "both", env={**os.environ, "CLANG": clang}).stderr, "")
                self.assertEqual(self.call("./both").stdout, "1 7")
        # Two captures have the same addresses, among those of variables.
        before = self.bytes("t.wtr")
        self.capture("./managed")
        self.assertEqual(self.bytes("t.wtr"), before)
        counter = {at for kernel, _, records in self.records() if kernel == "walk" for *_, at in records if at}
        self.assertTrue(counter and all(at.startswith("@0x8") for at in counter), counter)

    def test_a_constant_address_of_a_managed_variable_is_named(self):
        said = self.compile_one("p[t] = *at;", more="__managed__ int shared_by_both; __device__ int *at = &shared_by_both;", code=1).stderr
        self.assertRegex(said, "the address of the __managed__ variable shared_by_both: is no constant\n$")

    def test_threads_of_the_host_share_the_device(self):
        self.compile(os.path.join(FOLDER, "threads.cu"), "threads", "-O2", "--default-stream", "per-thread")
        for options in ((), ("--check",)):
            order, result = self.capture("./threads", *options).stdout.splitlines()
            self.assertEqual(result, "right")
            self.assertEqual(self.launches(), order.split())
            self.assertEqual(len(order.split()), 6 * (5 + 19) + 1)

    def test_a_fault_of_another_thread_is_not_the_kernels(self):
        more = """#include <thread>
            __managed__ volatile int begun, ended;
            __global__ void slow() { begun = 1; for (long i = 0; i < 1L << 40 && !ended; i++) {} }"""
        self.compile_one("p[t] = n;", "std::thread t([] { slow<<<1, 1>>>(); }); while (!begun) {} *(volatile int *)8 = 1;", more)
        done = self.call("./one", code=-11)
        self.assertEqual(done.stderr, "")

    def test_the_headers_of_the_samples(self):
        self.write("data/in.pgm", "P5\n3 2\n255\n\1\2\3\4\5\6")
        self.compile(self.write("s.cu", SAMPLE), "s")
        done = self.capture("./s --count=6 -scale=0.5 --image=in.pgm", code=1)
        self.assertEqual(done.stdout, "0 4 1 0 1 0 64\n")
        self.assertRegex(done.stderr, r"s\.cu:\d+.*cudaErrorInvalidDevice.*cudaSetDevice\(MAX\(3, MIN\(5, 4\)\)\)")
        self.assertEqual(self.bytes("out.pgm"), b"P5\n3 2\n255\n\2\4\6\10\12\14")


if __name__ == "__main__":
    main()
