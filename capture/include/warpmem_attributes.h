/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of the device that a captured program sees, which is a GPU of compute capability 7.0
 * (8.0 if the program is compiled for 8.0 or later): A(name behind cudaDevAttr, number, value).
 */
#ifndef WARPMEM_ATTRIBUTES_H
#define WARPMEM_ATTRIBUTES_H

#define WARPMEM_SHARED_PER_BLOCK 49152 /* without cudaFuncSetAttribute() */
#define WARPMEM_REGISTERS_PER_CORE 65536
#define WARPMEM_THREADS_PER_CORE 2048
#define WARPMEM_BLOCKS_PER_CORE 32
#define WARPMEM_CORES 16 /* without `warpmem capture --cores` */
#define WARPMEM_GRID_X 2147483647
#define WARPMEM_GRID_YZ 65535

/* clang-format off */
#define WARPMEM_ATTRIBUTES(A) \
    A(MaxThreadsPerBlock, 1, 1024) A(MaxBlockDimX, 2, 1024) A(MaxBlockDimY, 3, 1024) A(MaxBlockDimZ, 4, 64) \
    A(MaxGridDimX, 5, WARPMEM_GRID_X) A(MaxGridDimY, 6, WARPMEM_GRID_YZ) A(MaxGridDimZ, 7, WARPMEM_GRID_YZ) \
    A(MaxSharedMemoryPerBlock, 8, WARPMEM_SHARED_PER_BLOCK) A(TotalConstantMemory, 9, 65536) A(WarpSize, 10, 32) \
    A(MaxPitch, 11, 2147483647) A(MaxRegistersPerBlock, 12, 65536) A(ClockRate, 13, 1000000) A(TextureAlignment, 14, 512) \
    A(GpuOverlap, 15, 1) A(MultiProcessorCount, 16, WARPMEM_CORES) A(KernelExecTimeout, 17, 0) A(Integrated, 18, 0) \
    A(CanMapHostMemory, 19, 1) A(ComputeMode, 20, 0) A(MaxTexture1DWidth, 21, 131072) A(MaxTexture2DWidth, 22, 131072) \
    A(MaxTexture2DHeight, 23, 65536) A(MaxTexture3DWidth, 24, 16384) A(MaxTexture3DHeight, 25, 16384) \
    A(MaxTexture3DDepth, 26, 16384) A(MaxTexture2DLayeredWidth, 27, 32768) A(MaxTexture2DLayeredHeight, 28, 32768) \
    A(MaxTexture2DLayeredLayers, 29, 2048) A(SurfaceAlignment, 30, 512) A(ConcurrentKernels, 31, 1) A(EccEnabled, 32, 0) \
    A(PciBusId, 33, 0) A(PciDeviceId, 34, 0) A(TccDriver, 35, 0) A(MemoryClockRate, 36, 1000000) A(GlobalMemoryBusWidth, 37, 256) \
    A(L2CacheSize, 38, 2097152) A(MaxThreadsPerMultiProcessor, 39, WARPMEM_THREADS_PER_CORE) A(AsyncEngineCount, 40, 1) \
    A(UnifiedAddressing, 41, 1) A(MaxTexture1DLayeredWidth, 42, 32768) A(MaxTexture1DLayeredLayers, 43, 2048) A(PciDomainId, 50, 0) \
    A(TexturePitchAlignment, 51, 32) A(MaxTexture1DLinearWidth, 69, 134217728) A(MaxTexture2DLinearWidth, 70, 131072) \
    A(MaxTexture2DLinearHeight, 71, 65000) A(MaxTexture2DLinearPitch, 72, 2097120) A(ComputeCapabilityMajor, 75, 7) \
    A(ComputeCapabilityMinor, 76, 0) A(StreamPrioritiesSupported, 78, 1) A(GlobalL1CacheSupported, 79, 1) \
    A(LocalL1CacheSupported, 80, 1) A(MaxSharedMemoryPerMultiprocessor, 81, 98304) \
    A(MaxRegistersPerMultiprocessor, 82, WARPMEM_REGISTERS_PER_CORE) A(ManagedMemory, 83, 1) A(IsMultiGpuBoard, 84, 0) \
    A(MultiGpuBoardGroupID, 85, 0) A(HostNativeAtomicSupported, 86, 0) A(SingleToDoublePrecisionPerfRatio, 87, 2) \
    A(PageableMemoryAccess, 88, 0) A(ConcurrentManagedAccess, 89, 1) A(ComputePreemptionSupported, 90, 1) \
    A(CanUseHostPointerForRegisteredMem, 91, 1) A(CooperativeLaunch, 95, 1) A(CooperativeMultiDeviceLaunch, 96, 0) \
    A(MaxSharedMemoryPerBlockOptin, 97, 98304) A(CanFlushRemoteWrites, 98, 0) A(HostRegisterSupported, 99, 1) \
    A(PageableMemoryAccessUsesHostPageTables, 100, 0) A(DirectManagedMemAccessFromHost, 101, 0) \
    A(MaxBlocksPerMultiprocessor, 106, WARPMEM_BLOCKS_PER_CORE) A(MaxPersistingL2CacheSize, 108, 0) A(MaxAccessPolicyWindowSize, 109, 0) \
    A(ReservedSharedMemoryPerBlock, 111, 0) A(SparseCudaArraySupported, 112, 0) A(HostRegisterReadOnlySupported, 113, 1) \
    A(TimelineSemaphoreInteropSupported, 114, 0) A(MemoryPoolsSupported, 115, 1) A(GPUDirectRDMASupported, 116, 0) \
    A(ClusterLaunch, 120, 0) A(DeferredMappingCudaArraySupported, 121, 0) A(IpcEventSupport, 125, 0) \
    A(UnifiedFunctionPointers, 129, 0)
/* Those that differ at 8.0: NVIDIA's A100 with 40 MB of L2. */
#define WARPMEM_ATTRIBUTES_80(A) \
    A(L2CacheSize, 38, 41943040) A(ComputeCapabilityMajor, 75, 8) A(MaxSharedMemoryPerMultiprocessor, 81, 167936) \
    A(MaxSharedMemoryPerBlockOptin, 97, 166912) A(MaxPersistingL2CacheSize, 108, 31457280) A(MaxAccessPolicyWindowSize, 109, 134213632) \
    A(ReservedSharedMemoryPerBlock, 111, 1024)
/* clang-format on */

#define WARPMEM_ATTRIBUTE_NUMBER(name, number, value) cudaDevAttr##name = number,
enum cudaDeviceAttr { WARPMEM_ATTRIBUTES(WARPMEM_ATTRIBUTE_NUMBER) };
#undef WARPMEM_ATTRIBUTE_NUMBER

#endif
