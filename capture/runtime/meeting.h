/* SPDX-License-Identifier: Apache-2.0
 *
 * Shuffles, votes and __syncwarp(): the lanes of a mask meet, and each gets the others' values.
 */
#ifndef WARPMEM_RUNTIME_MEETING_H
#define WARPMEM_RUNTIME_MEETING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** launch_meet() - the running lane waits for meeting_release(). launch_lane() - its number. */
void launch_meet(void);
unsigned launch_lane(void);

/**
 * meeting_release() - those of the waiting lanes whose meeting is complete: all lanes of its mask
 * wait for it or have ended. They get their results. If there are none, lanes that ask which are
 * active get their answer.
 */
uint32_t meeting_release(uint32_t waiting, uint32_t ended);

/** meeting_select() - lanes of this warp run from now on. */
void meeting_select(unsigned warp);
/** meeting_memory() - what the lanes of all warps have brought, and its bytes. */
void *meeting_memory(size_t *bytes);

/** meeting_of_matrices() - all lanes have brought operands, or rows: runtime/matrix.h. */
void meeting_of_matrices(bool rows);

#endif
