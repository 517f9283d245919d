/* SPDX-License-Identifier: Apache-2.0
 *
 * The device's properties, which are its attributes by other names.
 */
#ifndef WARPMEM_PROPERTIES_H
#define WARPMEM_PROPERTIES_H

#define WARPMEM_ATTRIBUTE_VALUE(name, number, value) warpmem_##name = value,
enum warpmem_attribute_value { WARPMEM_ATTRIBUTES(WARPMEM_ATTRIBUTE_VALUE) };
#undef WARPMEM_ATTRIBUTE_VALUE

WARPMEM_C_BEGIN
cudaError_t warpmem_describe_device(int, char *, size_t *);
WARPMEM_C_END

static inline void warpmem_describe_textures(struct cudaDeviceProp *p) {
    const int layers = warpmem_MaxTexture2DLayeredLayers, side = warpmem_MaxTexture2DWidth;
    p->maxTexture1D = warpmem_MaxTexture1DWidth;
    p->maxTexture1DLinear = warpmem_MaxTexture1DLinearWidth;
    p->maxTexture2D[0] = side;
    p->maxTexture2D[1] = warpmem_MaxTexture2DHeight;
    p->maxTexture2DLinear[0] = warpmem_MaxTexture2DLinearWidth;
    p->maxTexture2DLinear[1] = warpmem_MaxTexture2DLinearHeight;
    p->maxTexture2DLinear[2] = warpmem_MaxTexture2DLinearPitch;
    p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = warpmem_MaxTexture3DWidth;
    p->maxTexture1DLayered[0] = warpmem_MaxTexture1DLayeredWidth;
    p->maxTexture1DLayered[1] = layers;
    p->maxTexture2DLayered[0] = warpmem_MaxTexture2DLayeredWidth;
    p->maxTexture2DLayered[1] = warpmem_MaxTexture2DLayeredHeight;
    p->maxTexture2DLayered[2] = layers;
    p->textureAlignment = warpmem_TextureAlignment;
    p->texturePitchAlignment = warpmem_TexturePitchAlignment;
    p->surfaceAlignment = warpmem_SurfaceAlignment;
}

static inline void warpmem_describe_cores(struct cudaDeviceProp *p) {
    p->sharedMemPerBlock = warpmem_MaxSharedMemoryPerBlock;
    p->regsPerBlock = warpmem_MaxRegistersPerBlock;
    p->regsPerMultiprocessor = warpmem_MaxRegistersPerMultiprocessor;
    p->warpSize = warpmem_WarpSize;
    p->maxThreadsPerBlock = warpmem_MaxThreadsPerBlock;
    p->maxThreadsPerMultiProcessor = warpmem_MaxThreadsPerMultiProcessor;
    p->maxBlocksPerMultiProcessor = warpmem_MaxBlocksPerMultiprocessor;
    p->maxThreadsDim[0] = warpmem_MaxBlockDimX;
    p->maxThreadsDim[1] = warpmem_MaxBlockDimY;
    p->maxThreadsDim[2] = warpmem_MaxBlockDimZ;
    p->maxGridSize[0] = warpmem_MaxGridDimX;
    p->maxGridSize[1] = warpmem_MaxGridDimY;
    p->maxGridSize[2] = warpmem_MaxGridDimZ;
    p->clockRate = warpmem_ClockRate;
    p->singleToDoublePrecisionPerfRatio = warpmem_SingleToDoublePrecisionPerfRatio;
    p->cooperativeLaunch = warpmem_CooperativeLaunch;
}

/* Members by `warpmem capture --cores` and by the capability. */
static inline void warpmem_describe_variant(struct cudaDeviceProp *p) {
    int optin = 0, core = 0, reserved = 0;
    cudaDeviceGetAttribute(&p->multiProcessorCount, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&p->major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&p->minor, cudaDevAttrComputeCapabilityMinor, 0);
    cudaDeviceGetAttribute(&p->l2CacheSize, cudaDevAttrL2CacheSize, 0);
    cudaDeviceGetAttribute(&p->persistingL2CacheMaxSize, cudaDevAttrMaxPersistingL2CacheSize, 0);
    cudaDeviceGetAttribute(&p->accessPolicyMaxWindowSize, cudaDevAttrMaxAccessPolicyWindowSize, 0);
    cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    cudaDeviceGetAttribute(&core, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
    cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0);
    p->sharedMemPerBlockOptin = (size_t)optin;
    p->sharedMemPerMultiprocessor = (size_t)core;
    p->reservedSharedMemPerBlock = (size_t)reserved;
}

static inline cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
    char name[sizeof p->name] = "";
    size_t bytes;
    cudaError_t error = warpmem_describe_device(device, name, &bytes);
    if (error) {
        return error;
    }
    memset(p, 0, sizeof *p);
    memcpy(p->name, name, sizeof name);
    warpmem_describe_cores(p);
    warpmem_describe_variant(p);
    warpmem_describe_textures(p);
    p->totalGlobalMem = bytes;
    p->totalConstMem = warpmem_TotalConstantMemory;
    p->memPitch = warpmem_MaxPitch;
    p->memoryClockRate = warpmem_MemoryClockRate;
    p->memoryBusWidth = warpmem_GlobalMemoryBusWidth;
    p->deviceOverlap = warpmem_GpuOverlap;
    p->asyncEngineCount = warpmem_AsyncEngineCount;
    p->canMapHostMemory = warpmem_CanMapHostMemory;
    p->concurrentKernels = warpmem_ConcurrentKernels;
    p->unifiedAddressing = warpmem_UnifiedAddressing;
    p->streamPrioritiesSupported = warpmem_StreamPrioritiesSupported;
    p->globalL1CacheSupported = warpmem_GlobalL1CacheSupported;
    p->localL1CacheSupported = warpmem_LocalL1CacheSupported;
    p->managedMemory = warpmem_ManagedMemory;
    p->concurrentManagedAccess = warpmem_ConcurrentManagedAccess;
    p->computePreemptionSupported = warpmem_ComputePreemptionSupported;
    p->canUseHostPointerForRegisteredMem = warpmem_CanUseHostPointerForRegisteredMem;
    p->hostRegisterSupported = warpmem_HostRegisterSupported;
    p->hostRegisterReadOnlySupported = warpmem_HostRegisterReadOnlySupported;
    p->memoryPoolsSupported = warpmem_MemoryPoolsSupported;
    return cudaSuccess;
}
static inline cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted) {
    return !device || !wanted ? cudaErrorInvalidValue : cudaGetDevice(device);
}

#endif
