/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of matrices that a warp's lanes hold together, as PTX's mma has them: NVIDIA's PTX ISA
 * 8.4, sections 9.7.13.4.4 to 9.7.13.4.8.
 */
#ifndef WARPMEM_RUNTIME_MATRIX_H
#define WARPMEM_RUNTIME_MATRIX_H

/** matrix_multiply() - a lane's part of the result, when every lane has brought its operands. */
void matrix_multiply(unsigned lane);
/** matrix_distribute() - a lane's registers of the rows that all have loaded. */
void matrix_distribute(unsigned lane);

#endif
