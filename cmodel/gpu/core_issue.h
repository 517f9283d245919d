/* SPDX-License-Identifier: Apache-2.0
 *
 * The issue stage of a core: from a warp's next instruction to the function unit, and what holds a
 * warp back.
 */
#ifndef WARPMEM_GPU_CORE_ISSUE_H
#define WARPMEM_GPU_CORE_ISSUE_H

#include "gpu/core.h"

/** core_fetch() - read the warp's next instruction; it can issue from @cycle on. At the end of
 * its stream it exits. */
void core_fetch(struct core *c, unsigned warp, uint64_t cycle);

/** core_answered() - one of the warp's accesses is complete: a fence or the exit may have waited
 * for it. */
void core_answered(struct core *c, unsigned warp, uint64_t cycle);

/** core_issue() - at core cycle @cycle, time @now, each scheduler issues at most one warp
 * instruction. */
void core_issue(struct core *c, uint64_t cycle, uint64_t now);

/** core_can_issue() - is there a warp that nothing holds back but the turn? */
bool core_can_issue(const struct core *c);

#endif
