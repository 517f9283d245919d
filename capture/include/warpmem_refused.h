/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of CUDA's runtime that are not there. The compiler names one where a program calls it.
 */
#ifndef WARPMEM_REFUSED_H
#define WARPMEM_REFUSED_H

#ifdef __cplusplus
#define WARPMEM_NO(what, name) extern "C" int name(...) WARPMEM_ABSENT(what ":");
#else
#define WARPMEM_NO(what, name) int name() WARPMEM_ABSENT(what ":");
#endif

typedef struct cudaIpcMemHandle_st {
    char reserved[64];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st {
    char reserved[64];
} cudaIpcEventHandle_t;
enum { cudaIpcMemLazyEnablePeerAccess = 1 };
#define WARPMEM_NO_IPC(name) WARPMEM_NO("memory and events of other processes", name)
WARPMEM_NO_IPC(cudaIpcGetMemHandle)
WARPMEM_NO_IPC(cudaIpcOpenMemHandle)
WARPMEM_NO_IPC(cudaIpcCloseMemHandle)
WARPMEM_NO_IPC(cudaIpcGetEventHandle)
WARPMEM_NO_IPC(cudaIpcOpenEventHandle)
WARPMEM_NO_IPC(cudaMemPoolExportToShareableHandle)
WARPMEM_NO_IPC(cudaMemPoolImportFromShareableHandle)
#define WARPMEM_NO_GRAPHICS(name) WARPMEM_NO("OpenGL, Vulkan and other graphics", name)
WARPMEM_NO_GRAPHICS(cudaGraphicsGLRegisterBuffer)
WARPMEM_NO_GRAPHICS(cudaGraphicsGLRegisterImage)
WARPMEM_NO_GRAPHICS(cudaGraphicsMapResources)
WARPMEM_NO_GRAPHICS(cudaGraphicsUnmapResources)
WARPMEM_NO_GRAPHICS(cudaGraphicsUnregisterResource)
WARPMEM_NO_GRAPHICS(cudaGraphicsResourceGetMappedPointer)
WARPMEM_NO_GRAPHICS(cudaGraphicsSubResourceGetMappedArray)
WARPMEM_NO_GRAPHICS(cudaImportExternalMemory)
WARPMEM_NO_GRAPHICS(cudaImportExternalSemaphore)
#define WARPMEM_NO_ARRAY(name) WARPMEM_NO("references of mipmapped textures and of surfaces", name)
WARPMEM_NO_ARRAY(cudaBindTextureToMipmappedArray)
WARPMEM_NO_ARRAY(cudaBindSurfaceToArray)
typedef int cudaGraphConditionalHandle WARPMEM_ABSENT("conditional nodes of graphs:");
#define WARPMEM_NO_GRAPH(name) WARPMEM_NO("this kind of a graph's nodes", name)
WARPMEM_NO_GRAPH(cudaGraphAddEventRecordNode)
WARPMEM_NO_GRAPH(cudaGraphAddEventWaitNode)
WARPMEM_NO_GRAPH(cudaGraphAddMemcpyNodeToSymbol)
WARPMEM_NO_GRAPH(cudaGraphAddMemcpyNodeFromSymbol)
WARPMEM_NO_GRAPH(cudaGraphConditionalHandleCreate)
WARPMEM_NO_GRAPH(cudaStreamGetCaptureInfo)
WARPMEM_NO_GRAPH(cudaStreamUpdateCaptureDependencies)
#undef WARPMEM_NO_IPC
#undef WARPMEM_NO_GRAPHICS
#undef WARPMEM_NO_ARRAY
#undef WARPMEM_NO_GRAPH

#endif
