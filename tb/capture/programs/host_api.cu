// SPDX-License-Identifier: Apache-2.0
// The host's API: each call with its value, and the error of a wrong one.
#include <channel_descriptor.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <driver_functions.h>
#include <vector_types.h>

#include <cstdio>
#include <cstring>
#include <vector>

static int wrong;
#define CHECK(good) \
    do { \
        if (!(good)) { \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #good); \
            wrong = 1; \
        } \
    } while (0)
#define GOOD(call) CHECK((call) == cudaSuccess)
#define FAILS(error, call) CHECK((call) == (error) && cudaGetLastError() == (error) && cudaGetLastError() == cudaSuccess)

__device__ int total;
__constant__ int table[4];
__global__ void add(int *p, int n, double scale) { p[threadIdx.x] += (int)(n * scale); }
__global__ void fill(int *p) {
    __shared__ int s[256];
    s[threadIdx.x] = table[threadIdx.x % 4] + total;
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
extern __shared__ int dynamic[];
__global__ void dynamic_shared(int *p) {
    dynamic[threadIdx.x] = 3;
    *p = dynamic[0];
}

static int *device_memory(size_t bytes) {
    int *p = nullptr;
    GOOD(cudaMalloc(&p, bytes));
    GOOD(cudaMemset(p, 0, bytes));
    return p;
}
static int value_of(const int *p) {
    int v = -1;
    GOOD(cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost));
    return v;
}

static void try_device() {
    int v = -1, device = -1;
    cudaDeviceProp prop;
    GOOD(cudaGetDeviceProperties(&prop, 0));
    const struct { cudaDeviceAttr which; long long value; } same[] = {
        {cudaDevAttrMaxThreadsPerBlock, prop.maxThreadsPerBlock}, {cudaDevAttrMaxGridDimY, prop.maxGridSize[1]},
        {cudaDevAttrMaxSharedMemoryPerBlock, (long long)prop.sharedMemPerBlock}, {cudaDevAttrWarpSize, prop.warpSize},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (long long)prop.sharedMemPerBlockOptin}, {cudaDevAttrClockRate, prop.clockRate},
        {cudaDevAttrMultiProcessorCount, prop.multiProcessorCount}, {cudaDevAttrComputeCapabilityMajor, prop.major},
        {cudaDevAttrMaxBlocksPerMultiprocessor, prop.maxBlocksPerMultiProcessor}, {cudaDevAttrL2CacheSize, prop.l2CacheSize},
        {cudaDevAttrMemoryPoolsSupported, prop.memoryPoolsSupported}, {cudaDevAttrManagedMemory, prop.managedMemory}};
    for (auto &s : same) {
        CHECK(cudaDeviceGetAttribute(&v, s.which, 0) == cudaSuccess && v == s.value && v > 0);
    }
    CHECK(prop.sharedMemPerBlock == 49152 && prop.sharedMemPerBlockOptin == 98304 && prop.tccDriver == 0 && !strcmp(prop.name, "warpmem capture"));
    FAILS(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 1));
    FAILS(cudaErrorInvalidValue, cudaDeviceGetAttribute(&v, (cudaDeviceAttr)9999, 0));
    FAILS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&prop, 1));
    FAILS(cudaErrorInvalidDevice, cudaSetDevice(1));
    CHECK(cudaChooseDevice(&device, &prop) == cudaSuccess && device == 0);
    CHECK(cudaDeviceCanAccessPeer(&v, 0, 0) == cudaSuccess && v == 0);
    size_t limit = 0, left, all;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24) == cudaSuccess);
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize) == cudaSuccess && limit == 1 << 24);
    FAILS(cudaErrorUnsupportedLimit, cudaDeviceSetLimit((cudaLimit)99, 1));
    CHECK(cudaMemGetInfo(&left, &all) == cudaSuccess && left <= all && all == prop.totalGlobalMem);
    GOOD(cudaProfilerStart());
    GOOD(cudaProfilerStop());
    FAILS(cudaErrorMemoryAllocation, cudaMalloc((void **)&limit, (size_t)1 << 40));
    CHECK(!strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"));
    CHECK(!strcmp(cudaGetErrorString(cudaErrorLaunchOutOfResources), "too many resources requested for launch"));
    CHECK(!strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code"));
}

static void try_memory() {
    cudaPointerAttributes a;
    int host[64] = {0}, other[64], flags, *pinned, *managed, *device = device_memory(256), *mapped;
    GOOD(cudaHostAlloc(&pinned, 256, cudaHostAllocMapped | cudaHostAllocPortable));
    GOOD(cudaMallocManaged(&managed, 256));
    const struct { void *p; cudaMemoryType type; } kinds[] = {{device, cudaMemoryTypeDevice}, {pinned, cudaMemoryTypeHost},
                                                              {managed, cudaMemoryTypeManaged}, {host, cudaMemoryTypeUnregistered}};
    for (auto &k : kinds) {
        CHECK(cudaPointerGetAttributes(&a, k.p) == cudaSuccess && a.type == k.type);
        CHECK((a.devicePointer == k.p) == (k.type != cudaMemoryTypeUnregistered) && (a.hostPointer == k.p) == (k.type != cudaMemoryTypeDevice));
    }
    GOOD(cudaMemPrefetchAsync(managed, 256, 0));
    GOOD(cudaMemPrefetchAsync(managed, 256, cudaCpuDeviceId, 0));
    FAILS(cudaErrorInvalidValue, cudaMemPrefetchAsync(device, 256, 0));
    const cudaMemLocation place = {cudaMemLocationTypeDevice, 0}, nowhere = {cudaMemLocationTypeDevice, 1};
    GOOD(cudaMemPrefetchAsync(managed, 256, place, 0));
    FAILS(cudaErrorInvalidDevice, cudaMemPrefetchAsync_v2(managed, 256, nowhere, 0));
    FAILS(cudaErrorInvalidDevice, cudaMemAdvise(managed, 256, cudaMemAdviseSetPreferredLocation, 3));
    GOOD(cudaMemAdvise(managed, 256, cudaMemAdviseSetReadMostly, 0));
    FAILS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&mapped, device, 0));
    CHECK(cudaHostGetDevicePointer(&mapped, pinned, 0) == cudaSuccess && mapped == pinned);
    CHECK(cudaHostGetFlags((unsigned *)&flags, pinned) == cudaSuccess && flags == cudaHostAllocMapped);
    // The host's own memory, after it is registered.
    FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(host));
    GOOD(cudaHostRegister(host, sizeof host, cudaHostRegisterDefault));
    FAILS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(host + 1, 4, 0));
    CHECK(cudaHostGetDevicePointer((void **)&mapped, host, 0) == cudaSuccess && mapped == host);
    add<<<1, 32>>>(mapped, 5, 1);
    CHECK(host[0] == 5 && host[31] == 5 && host[32] == 0);
    GOOD(cudaHostUnregister(host));
    // Kinds of copies, and the pool.
    FAILS(cudaErrorInvalidValue, cudaMemcpy(other, host, 4, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue, cudaMemcpy(device, host, 4, cudaMemcpyDeviceToHost));
    FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, host, 4, (cudaMemcpyKind)7));
    FAILS(cudaErrorInvalidValue, cudaMemcpy(device, host, 512, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue, cudaMemset(host, 0, 4));
    GOOD(cudaMemcpy(other, host, 4, cudaMemcpyDefault));
    CHECK(other[0] == 5);
    FAILS(cudaErrorInvalidValue, cudaFree(pinned));
    FAILS(cudaErrorInvalidValue, cudaFreeHost(device));
    GOOD(cudaFreeHost(pinned));
    GOOD(cudaFree(managed));
    cudaMemPool_t pool;
    unsigned long long threshold = 1 << 20, read = 0;
    GOOD(cudaDeviceGetDefaultMemPool(&pool, 0));
    GOOD(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read) == cudaSuccess && read == threshold);
    GOOD(cudaMallocAsync(&mapped, 64, (cudaStream_t)0));
    GOOD(cudaMemsetAsync(mapped, 1, 64));
    CHECK(value_of(mapped) == 0x01010101);
    GOOD(cudaFreeAsync(mapped, 0));
    GOOD(cudaFree(device));
}

static void try_copies() {
    // Two slices of three rows of four values, between pitched memory and a row of the host.
    const cudaExtent box = make_cudaExtent(4 * sizeof(int), 3, 2);
    std::vector<int> in(24), out(24, -1);
    for (int i = 0; i < 24; i++) {
        in[i] = i * i;
    }
    cudaPitchedPtr p;
    GOOD(cudaMalloc3D(&p, box));
    CHECK(p.pitch >= 16 && p.xsize == 16 && p.ysize == 3);
    GOOD(cudaMemset3D(p, 0, box));
    cudaMemcpy3DParms c = {0};
    c.srcPtr = make_cudaPitchedPtr(in.data(), 16, 4, 3);
    c.dstPtr = p;
    c.extent = box;
    c.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemcpy3D(&c));
    CHECK(value_of((int *)((char *)p.ptr + p.pitch * 4) + 2) == in[12 + 4 + 2]);
    cudaMemcpy3DParms back = {0};
    back.srcPtr = p;
    back.srcPos = make_cudaPos(4, 1, 1);
    back.dstPtr = make_cudaPitchedPtr(out.data(), 16, 4, 3);
    back.extent = make_cudaExtent(8, 2, 1);
    back.kind = cudaMemcpyDeviceToHost;
    GOOD(cudaMemcpy3DAsync(&back));
    CHECK(out[0] == in[17] && out[1] == in[18] && out[2] == -1 && out[4] == in[21] && out[8] == -1);
    GOOD(cudaMemset2DAsync(p.ptr, p.pitch, 1, 8, 2));
    GOOD(cudaMemcpy2DAsync(out.data(), 16, p.ptr, p.pitch, 16, 3, cudaMemcpyDeviceToHost));
    CHECK(out[0] == 0x01010101 && out[2] == in[2] && out[4] == 0x01010101 && out[8] == in[8]);
    FAILS(cudaErrorInvalidPitchValue, cudaMemcpy2D(out.data(), 8, p.ptr, p.pitch, 16, 3, cudaMemcpyDeviceToHost));
    // Variables.
    int four[4] = {1, 2, 3, 4}, two[2] = {0}, ten = 10;
    void *address;
    size_t bytes = 0;
    GOOD(cudaMemcpyToSymbolAsync(table, four, sizeof four, 0, cudaMemcpyHostToDevice, 0));
    GOOD(cudaMemcpyToSymbol(total, &ten, sizeof ten));
    GOOD(cudaMemcpyFromSymbolAsync(two, table, 8, 8));
    CHECK(two[0] == 3 && two[1] == 4);
    FAILS(cudaErrorInvalidValue, cudaMemcpyFromSymbol(two, table, 16, 8));
    FAILS(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(two, wrong, 4));
    CHECK(cudaGetSymbolSize(&bytes, table) == cudaSuccess && bytes == 16);
    CHECK(cudaGetSymbolAddress(&address, total) == cudaSuccess && value_of((int *)address) == 10);
}

static void try_functions() {
    cudaFuncAttributes a;
    int blocks = 0, grid, block, *p = device_memory(1024);
    GOOD(cudaFuncGetAttributes(&a, fill));
    CHECK(a.sharedSizeBytes == 1024 && a.maxThreadsPerBlock == 1024 && a.numRegs > 0 && a.maxDynamicSharedSizeBytes == 49152 - 1024);
    FAILS(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&a, (const void *)try_memory));
    GOOD(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferL1));
    // By threads, by the number of blocks, by shared memory.
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0) == cudaSuccess && blocks == 2048 / 256);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 33, 0) == cudaSuccess && blocks == 2048 / 64);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 32, 0) == cudaSuccess && blocks == 32);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 31 << 10) == cudaSuccess && blocks == 3);
    FAILS(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 0, 0));
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 0) == cudaSuccess && block == 1024 && grid == 2 * 16);
    auto bytes = [](int threads) { return (size_t)threads * 96; };
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, add, bytes) == cudaSuccess && block == 1024 && grid == 16);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 100) == cudaSuccess && block == 64 && grid == 32 * 16);
    // Launches that a GPU refuses; the last works as soon as it is asked for.
    fill<<<dim3(1, 65536), 32>>>(p);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    fill<<<dim3(1, 1, 65536), 32>>>(p);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    fill<<<1, dim3(1, 1, 65)>>>(p);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    fill<<<1, 32, 49152 - 1023>>>(p);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    dynamic_shared<<<1, 32, 49153>>>(p);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue && value_of(p) == 0);
    FAILS(cudaErrorInvalidValue, cudaFuncSetAttribute(dynamic_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 98305));
    GOOD(cudaFuncSetAttribute(dynamic_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304));
    dynamic_shared<<<1, 32, 98304>>>(p);
    CHECK(cudaGetLastError() == cudaSuccess && value_of(p) == 3);
    // By pointers, and by a configuration.
    int n = 4;
    double half = 0.5;
    void *arguments[] = {&p, &n, &half};
    GOOD(cudaLaunchKernel(add, dim3(1), dim3(32), arguments));
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 32;
    GOOD(cudaLaunchKernelEx(&config, add, p, 7, 2));
    CHECK(value_of(p) == 3 + 2 + 14);
}

static void count(void *data) { ++*(int *)data; }
static void count_status(cudaStream_t, cudaError_t status, void *data) { *(int *)data += status == cudaSuccess ? 10 : 100; }

static void try_streams() {
    cudaStream_t s, t;
    cudaEvent_t begin, end, silent;
    int least, greatest, priority, calls = 0;
    unsigned flags;
    float ms = -1;
    GOOD(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(least == 0 && greatest < 0);
    GOOD(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -100));
    CHECK(cudaStreamGetPriority(s, &priority) == cudaSuccess && priority == greatest);
    CHECK(cudaStreamGetFlags(s, &flags) == cudaSuccess && flags == cudaStreamNonBlocking);
    GOOD(cudaStreamCreateWithFlags(&t, cudaStreamDefault));
    GOOD(cudaEventCreateWithFlags(&begin, cudaEventBlockingSync));
    GOOD(cudaEventCreate(&end));
    GOOD(cudaEventCreate(&silent, cudaEventDisableTiming));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, begin, end));
    GOOD(cudaEventRecord(begin, s));
    GOOD(cudaStreamWaitEvent(t, begin));
    GOOD(cudaLaunchHostFunc(t, count, &calls));
    GOOD(cudaStreamAddCallback(t, count_status, &calls, 0));
    CHECK(calls == 11);
    GOOD(cudaEventRecord(end, t));
    GOOD(cudaEventRecord(silent));
    CHECK(cudaEventQuery(end) == cudaSuccess && cudaStreamQuery(t) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, begin, end) == cudaSuccess && ms >= 0 && ms < 60000);
    FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, begin, silent));
    cudaStreamAttrValue window = {}, read;
    window.accessPolicyWindow.num_bytes = 4096;
    GOOD(cudaStreamSetAttribute(t, cudaStreamAttributeAccessPolicyWindow, &window));
    GOOD(cudaStreamCopyAttributes(s, t));
    CHECK(cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &read) == cudaSuccess && read.accessPolicyWindow.num_bytes == 4096);
    GOOD(cudaCtxResetPersistingL2Cache());
    GOOD(cudaStreamDestroy(t));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(t));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(t));
    GOOD(cudaStreamSynchronize(cudaStreamPerThread));
    GOOD(cudaStreamDestroy(s));
    GOOD(cudaEventDestroy(begin));
}

static void try_captured_graph() {
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t graph, copy;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    int *p = device_memory(256), n = 1, out = -1, calls = 0;
    size_t nodes = 0;
    GOOD(cudaStreamCreate(&s));
    GOOD(cudaStreamCreate(&t));
    GOOD(cudaEventCreate(&fork));
    GOOD(cudaEventCreate(&join));
    GOOD(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    GOOD(cudaMemsetAsync(p, 0, 256, s));
    GOOD(cudaEventRecord(fork, s));
    GOOD(cudaStreamWaitEvent(t, fork, 0));
    add<<<1, 32, 0, t>>>(p, n, 3);
    n = 99; // the graph keeps the value
    GOOD(cudaEventRecord(join, t));
    GOOD(cudaStreamWaitEvent(s, join, 0));
    GOOD(cudaLaunchHostFunc(s, count, &calls));
    GOOD(cudaMemcpyAsync(&out, p, 4, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamIsCapturing(t, &status) == cudaSuccess && status == cudaStreamCaptureStatusActive);
    FAILS(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(t, &graph));
    GOOD(cudaStreamEndCapture(s, &graph));
    CHECK(out == -1 && calls == 0);
    CHECK(cudaStreamIsCapturing(t, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone);
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess && nodes == 4);
    GOOD(cudaGraphClone(&copy, graph));
    GOOD(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    GOOD(cudaGraphDestroy(graph));
    for (int i = 0; i < 3; i++) {
        GOOD(cudaGraphLaunch(exec, s));
        CHECK(out == 3 && calls == i + 1);
        out = -1;
    }
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, copy, &info) == cudaSuccess && info.result == cudaGraphExecUpdateSuccess);
    GOOD(cudaGraphLaunch(exec, 0));
    CHECK(out == 3 && calls == 4);
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(copy));
    // Waiting ends a capture.
    GOOD(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    FAILS(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(s));
    FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
    FAILS(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
}

static void try_made_graph() {
    cudaGraph_t graph, child;
    cudaGraphExec_t exec;
    cudaGraphNode_t first, second, last, empty;
    cudaGraphNodeType type;
    int *p = device_memory(256), n = 2, out = -1, calls = 0;
    double scale = 4;
    void *arguments[] = {&p, &n, &scale};
    cudaKernelNodeParams k = {};
    k.func = (void *)add;
    k.gridDim = dim3(1);
    k.blockDim = dim3(32);
    k.kernelParams = arguments;
    cudaMemsetParams m = {};
    m.dst = p;
    m.value = 100;
    m.elementSize = 4;
    m.width = 32;
    m.height = 1;
    m.pitch = 128;
    cudaHostNodeParams h = {count, &calls};
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaGraphCreate(&child, 0));
    GOOD(cudaGraphAddHostNode(&empty, child, nullptr, 0, &h));
    // The copy is added first, and runs last: it waits for the kernel, which waits for the fill.
    GOOD(cudaGraphAddMemcpyNode1D(&last, graph, nullptr, 0, &out, p, 4, cudaMemcpyDeviceToHost));
    GOOD(cudaGraphAddMemsetNode(&first, graph, nullptr, 0, &m));
    GOOD(cudaGraphAddKernelNode(&second, graph, &first, 1, &k));
    GOOD(cudaGraphAddDependencies(graph, &second, &last, 1));
    GOOD(cudaGraphAddChildGraphNode(&empty, graph, &last, 1, child));
    GOOD(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
    CHECK(cudaGraphNodeGetType(second, &type) == cudaSuccess && type == cudaGraphNodeTypeKernel);
    GOOD(cudaGraphInstantiate(&exec, graph));
    GOOD(cudaGraphLaunch(exec, 0));
    CHECK(out == 108 && calls == 1);
    n = 5;
    GOOD(cudaGraphExecKernelNodeSetParams(exec, second, &k));
    GOOD(cudaGraphLaunch(exec, 0));
    CHECK(out == 120);
    GOOD(cudaGraphAddDependencies(graph, &last, &first, 1)); // a circle
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphInstantiate(&exec, graph, 0ull));
    FAILS(cudaErrorInvalidValue, cudaGraphLaunch(exec, 0));
    FAILS(cudaErrorInvalidDeviceFunction, (k.func = (void *)count, cudaGraphAddKernelNode(&second, graph, nullptr, 0, &k)));
}

// An address is the same in each run of a graph, and may be freed by a node, another graph or the program.
static void try_graph_memory() {
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec, again;
    cudaGraphNode_t take, fill, give;
    int *p, *captured, out = 0;
    uint64_t used = 9, most = 9;
    cudaMemAllocNodeParams a = {};
    a.poolProps.allocType = cudaMemAllocationTypePinned;
    a.poolProps.location = {cudaMemLocationTypeDevice, 0};
    a.bytesize = 128;
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &a));
    p = (int *)a.dptr;
    cudaMemsetParams m = {p, 128, 7, 4, 32, 1};
    GOOD(cudaGraphAddMemsetNode(&fill, graph, &take, 1, &m));
    GOOD(cudaGraphInstantiate(&exec, graph));
    FAILS(cudaErrorInvalidValue, cudaFree(p)); // not in use yet
    GOOD(cudaGraphLaunch(exec, 0));
    CHECK(value_of(p) == 7);
    FAILS(cudaErrorInvalidValue, cudaGraphLaunch(exec, 0));
    GOOD(cudaGraphInstantiate(&again, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    GOOD(cudaGraphLaunch(again, 0));
    GOOD(cudaFree(p));
    GOOD(cudaGraphExecDestroy(again));
    GOOD(cudaGraphAddMemFreeNode(&give, graph, &fill, 1, p));
    FAILS(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&give, graph, &fill, 1, &out));
    GOOD(cudaGraphInstantiate(&again, graph));
    GOOD(cudaGraphLaunch(again, 0));
    GOOD(cudaGraphLaunch(again, 0));
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used) == cudaSuccess && used == 0);
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &most) == cudaSuccess && most == 128);
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphExecDestroy(again));
    GOOD(cudaGraphDestroy(graph));
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &used) == cudaSuccess && used == 0);
    // By a stream, from a pool.
    cudaMemPool_t pool;
    GOOD(cudaMemPoolCreate(&pool, &a.poolProps));
    GOOD(cudaStreamCreate(&s));
    GOOD(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    GOOD(cudaMallocFromPoolAsync(&captured, 4, pool, s));
    GOOD(cudaMemsetAsync(captured, 1, 4, s));
    GOOD(cudaMemcpyAsync(&out, captured, 4, cudaMemcpyDeviceToHost, s));
    GOOD(cudaFreeAsync(captured, s));
    GOOD(cudaStreamEndCapture(s, &graph));
    GOOD(cudaGraphInstantiate(&exec, graph));
    GOOD(cudaGraphLaunch(exec, s));
    CHECK(out == 0x01010101);
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
    GOOD(cudaStreamDestroy(s));
    GOOD(cudaMemPoolDestroy(pool));
}

int main() {
    try_device();
    try_memory();
    try_copies();
    try_functions();
    try_streams();
    try_captured_graph();
    try_made_graph();
    try_graph_memory();
    printf(wrong ? "wrong\n" : "right\n");
    return wrong;
}
