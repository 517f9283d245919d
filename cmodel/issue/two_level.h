/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_TWO_LEVEL_H
#define WARPMEM_ISSUE_TWO_LEVEL_H

#include "issue/policy.h"

/**
 * two_level_form_groups() - fetch groups (Narasiman et al., MICRO 2011): the i-th warp of a
 * scheduler belongs to its group i / @group_warps; the last group may be smaller.
 *
 * Groups take turns in a circle that begins with the current one; the scheduler proceeds to the
 * next group only when all warps of a group are stalled on long-latency operations. The current
 * group changes only when a warp of another one issues.
 * @mine: the warps of each of @schedulers
 */
void two_level_form_groups(struct issue_policy *p, const uint64_t *mine, unsigned schedulers,
                           unsigned group_warps);

#endif
