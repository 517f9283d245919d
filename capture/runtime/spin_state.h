/* SPDX-License-Identifier: Apache-2.0
 *
 * The registers and the stack of the running thread: where they are equal in two iterations of a
 * loop that reads the same, it runs until another thread changes what it reads.
 */
#ifndef WARPMEM_RUNTIME_SPIN_STATE_H
#define WARPMEM_RUNTIME_SPIN_STATE_H

#include <stdint.h>

/** spin_state_hash() - of the kernel's function that has called the runtime, and of those above it.
 * 0: not known. */
uint64_t spin_state_hash(void);

#endif
