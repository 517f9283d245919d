/* SPDX-License-Identifier: Apache-2.0
 *
 * The issue stage of a core: from a warp's next instruction to the function unit, with all causes
 * of a stall.
 */
#ifndef WARPMEM_CORE_CORE_ISSUE_H
#define WARPMEM_CORE_CORE_ISSUE_H

#include "core/core.h"

/** core_fetch() - read the warp's next instruction; it can issue from @cycle on. At the end of
 * its stream it exits. */
void core_fetch(struct core *c, unsigned warp, uint64_t cycle);

/** core_answered() - one of the warp's accesses is complete: a fence or the exit may have waited
 * for it. */
void core_answered(struct core *c, unsigned warp, uint64_t cycle);

/**
 * core_data() - an access of a load has its data, and is answered.
 * @reg: the load's register, REG_NONE: none
 * @ready_at: first core cycle in which the data can be used
 * @cause: the reply that brought it, with its stamps; NULL: it never left the core. Not kept.
 */
void core_data(struct core *c, unsigned warp, unsigned reg, uint64_t ready_at, uint64_t cycle,
               const struct request *cause);

/** core_issue() - each scheduler issues at most one warp instruction. Return: true if one did. */
bool core_issue(struct core *c, const struct now *now);

bool core_can_issue_limited(const struct core *c);
/** core_can_issue() - is there a warp that needs only its turn, or a free pipeline or scheduler? */
static inline bool core_can_issue(const struct core *c) {
    uint64_t warps = core_takeable(c);
    if (!c->limited && !(warps & (c->sync_next | c->sending | c->answering))) {
        return warps != 0;
    }
    return core_can_issue_limited(c);
}

/** core_is_held() - is there a warp that only the issue policy holds? */
bool core_is_held(const struct core *c);

/** core_forget() - the warp has no next instruction any more: it has ended. */
void core_forget(struct core *c, unsigned warp, uint64_t cycle);

#endif
