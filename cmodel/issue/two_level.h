/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_TWO_LEVEL_H
#define WARPMEM_ISSUE_TWO_LEVEL_H

#include "issue/policy.h"

/**
 * struct two_level - fetch groups of a scheduler (Narasiman et al., MICRO 2011).
 *
 * Its i-th warp belongs to group i / group_warps; the last group may be smaller. Groups take turns
 * in a circle that begins with the current one; the scheduler goes on to the next only when all
 * warps of a group are stalled on long-latency operations. The current group changes only when a
 * warp of another one issues.
 */
struct two_level {
    unsigned groups, current;
    uint64_t group[POLICY_CLASSES_MAX];
};

/** two_level_init() - @mine: the scheduler's warps. */
void two_level_init(struct two_level *t, uint64_t mine, unsigned group_warps);
/** two_level_classify() - a group's class: how many groups come before it from the current one. */
void two_level_classify(const struct two_level *t, struct issue_policy *p);
/** two_level_issued() - @warp of this scheduler issued. Return: the current group changed. */
bool two_level_issued(struct two_level *t, unsigned warp);

#endif
