/* SPDX-License-Identifier: Apache-2.0
 *
 * The hardware's products of matrices, for mma.h and for PTX's mma and ldmatrix: runtime/matrix.c.
 */
#ifndef WARPMEM_MATRIX_PRODUCTS_H
#define WARPMEM_MATRIX_PRODUCTS_H

#ifdef __CUDA__
typedef int __wm_words4 __attribute__((vector_size(16)));
extern "C" {
/* A code of types and k, four words of A, two of B, four of the sum. */
__device__ __wm_words4 __wm_meet_matrix_real(unsigned, unsigned, unsigned, unsigned, unsigned,
                                             unsigned, unsigned, __wm_words4);
__device__ __wm_words4 __wm_meet_matrix_integer(unsigned, unsigned, unsigned, unsigned, unsigned,
                                                unsigned, unsigned, __wm_words4);
__device__ __wm_words4 __wm_meet_matrix_double(unsigned, unsigned, unsigned, unsigned, unsigned,
                                               unsigned, unsigned, __wm_words4);
/* The rows that lanes have loaded, as a register for each matrix: no instruction, but a meeting. */
__device__ __wm_words4 __wm_same_rows(__wm_words4, unsigned);
}
#endif

#endif
