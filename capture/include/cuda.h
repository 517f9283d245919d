/* SPDX-License-Identifier: Apache-2.0
 * Programs include this name; warpmem-cc includes warpmem_cuda.h before each file. */
#include "warpmem_cuda.h"

#ifndef WARPMEM_DRIVER_RESULT
#define WARPMEM_DRIVER_RESULT
#define CUDA_VERSION CUDART_VERSION
enum { CUDA_SUCCESS = 0 }; /* programs of the runtime's API compare with it too */
#endif
