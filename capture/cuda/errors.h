/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations that the files of the API share.
 */
#ifndef WARPMEM_CUDA_ERRORS_H
#define WARPMEM_CUDA_ERRORS_H

/* Numbers of warpmem_runtime.h. */
enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    NO_MEMORY = 2,
    INVALID_CONFIGURATION = 9,
    INVALID_SYMBOL = 13,
    INVALID_POINTER = 17,
    INVALID_DEVICE = 101,
    INVALID_FUNCTION = 98,
};

#define CUDA_RELEASE 12040 /* CUDART_VERSION of warpmem_cuda.h */

/* A function of the API, which the program's header declares. */
#define API(name, ...) \
    int name(__VA_ARGS__); \
    int name(__VA_ARGS__)

/** note_error() - keep an error for cudaGetLastError(). Return: @error. */
int note_error(int error);

#endif
