/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of a thread by CUDA's C functions: a load and a store, which have ended when the call
 * returns. Bytes from bytes - zeros on become 0.
 */
#ifndef WARPMEM_PIPELINE_PRIMITIVES_H
#define WARPMEM_PIPELINE_PRIMITIVES_H

#include "warpmem_cuda.h"

#ifdef __CUDA__
WARPMEM_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes,
                                            size_t zeros = 0) {
    if (zeros == 0 && bytes == 16) {
        *(__wm_word<16>::type *)to = *(const __wm_word<16>::type *)from;
    } else if (zeros == 0 && bytes == 8) {
        *(__wm_word<8>::type *)to = *(const __wm_word<8>::type *)from;
    } else if (zeros == 0 && bytes == 4) {
        *(__wm_word<4>::type *)to = *(const __wm_word<4>::type *)from;
    } else {
        for (size_t i = 0; i < bytes; i++) {
            ((char *)to)[i] = i + zeros < bytes ? ((const char *)from)[i] : 0;
        }
    }
}
WARPMEM_DEVICE void __pipeline_commit(void) {}
WARPMEM_DEVICE void __pipeline_wait_prior(size_t) {}
#endif

#endif
