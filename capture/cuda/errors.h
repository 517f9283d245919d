/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations that the files of the API share.
 */
#ifndef WARPMEM_CUDA_ERRORS_H
#define WARPMEM_CUDA_ERRORS_H

#include <stdbool.h>

#include "include/warpmem_errors.h"

#define CUDA_RELEASE 12040 /* CUDART_VERSION of warpmem_cuda.h */

/* A function of the API, which the program's header declares. */
#define API(name, ...) \
    int name(__VA_ARGS__); \
    int name(__VA_ARGS__)

/** note_error() - keep an error for cudaGetLastError(). Return: @error, or the device's if it is
 * lost. */
int note_error(int error);
/** device_is_lost() - a kernel ended at a fault, so every call fails from now on. */
bool device_is_lost(void);
/** device_attribute() - the value of enum cudaDeviceAttr; -1: there is none of this number. */
int device_attribute(int attribute);

#endif
