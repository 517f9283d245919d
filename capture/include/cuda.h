/* SPDX-License-Identifier: Apache-2.0
 * The driver's API has only names that programs of the runtime's use; the others are refused. */
#include "warpmem_cuda.h"

#ifndef WARPMEM_DRIVER_H
#define WARPMEM_DRIVER_H
#define CUDA_VERSION CUDART_VERSION
#define CUDAAPI
typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

#define WARPMEM_NO_DRIVER(name) WARPMEM_NO("the driver's API", name)
WARPMEM_NO_DRIVER(cuInit)
WARPMEM_NO_DRIVER(cuDriverGetVersion)
WARPMEM_NO_DRIVER(cuDeviceGet)
WARPMEM_NO_DRIVER(cuDeviceGetCount)
WARPMEM_NO_DRIVER(cuDeviceGetName)
WARPMEM_NO_DRIVER(cuDeviceGetAttribute)
WARPMEM_NO_DRIVER(cuDeviceComputeCapability)
WARPMEM_NO_DRIVER(cuDeviceTotalMem)
WARPMEM_NO_DRIVER(cuDevicePrimaryCtxRetain)
WARPMEM_NO_DRIVER(cuCtxCreate)
WARPMEM_NO_DRIVER(cuCtxDestroy)
WARPMEM_NO_DRIVER(cuCtxGetCurrent)
WARPMEM_NO_DRIVER(cuCtxSetCurrent)
WARPMEM_NO_DRIVER(cuCtxSynchronize)
WARPMEM_NO_DRIVER(cuModuleLoad)
WARPMEM_NO_DRIVER(cuModuleLoadData)
WARPMEM_NO_DRIVER(cuModuleLoadDataEx)
WARPMEM_NO_DRIVER(cuModuleUnload)
WARPMEM_NO_DRIVER(cuModuleGetFunction)
WARPMEM_NO_DRIVER(cuModuleGetGlobal)
WARPMEM_NO_DRIVER(cuLinkCreate)
WARPMEM_NO_DRIVER(cuLaunchKernel)
WARPMEM_NO_DRIVER(cuMemAlloc)
WARPMEM_NO_DRIVER(cuMemAllocManaged)
WARPMEM_NO_DRIVER(cuMemFree)
WARPMEM_NO_DRIVER(cuMemcpyHtoD)
WARPMEM_NO_DRIVER(cuMemcpyDtoH)
WARPMEM_NO_DRIVER(cuMemcpyDtoD)
WARPMEM_NO_DRIVER(cuMemGetInfo)
WARPMEM_NO_DRIVER(cuMemCreate)
WARPMEM_NO_DRIVER(cuMemMap)
WARPMEM_NO_DRIVER(cuMemAddressReserve)
WARPMEM_NO_DRIVER(cuPointerGetAttribute)
WARPMEM_NO_DRIVER(cuStreamCreate)
WARPMEM_NO_DRIVER(cuStreamSynchronize)
WARPMEM_NO_DRIVER(cuEventCreate)
WARPMEM_NO_DRIVER(cuEventRecord)
WARPMEM_NO_DRIVER(cuEventElapsedTime)
WARPMEM_NO_DRIVER(cuGetErrorName)
WARPMEM_NO_DRIVER(cuGetErrorString)
#undef WARPMEM_NO_DRIVER
#endif
