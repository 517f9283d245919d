/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory side of a core: its load/store unit and caches between the scoreboard and the
 * interconnect.
 */
#ifndef WARPMEM_GPU_CORE_MEMORY_H
#define WARPMEM_GPU_CORE_MEMORY_H

#include "gpu/core.h"

/** core_wake_one() - an access that waits in a filled MSHR gets its data. Return: whether one did,
 * and took the register write port. */
bool core_wake_one(struct core *c, uint64_t cycle);
/** core_take_reply() - the oldest reply of the interconnect. @port_taken: a woken access writes its
 * register in this cycle, so a bypassing read must wait. */
void core_take_reply(struct core *c, uint64_t cycle, uint64_t now, bool port_taken);
/** core_access_memory() - one cycle of the load/store unit. @next: time of the next core cycle. */
void core_access_memory(struct core *c, uint64_t cycle, uint64_t now, uint64_t next);
/** core_inject() - at most one request into the interconnect. */
void core_inject(struct core *c, uint64_t now);
/** core_memory_next() - time from which the above have something to do, the load/store unit left
 * out; NEVER: when woken. */
uint64_t core_memory_next(const struct core *c);

#endif
