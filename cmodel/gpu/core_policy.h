/* SPDX-License-Identifier: Apache-2.0
 *
 * The issue policies of a core (issue/policy.h): which of its state they look at, and when.
 *
 * Masks and classes are those of the state after the memory side of a cycle and before its issue:
 * what one scheduler issues changes nothing for the next one in the same cycle.
 */
#ifndef WARPMEM_GPU_CORE_POLICY_H
#define WARPMEM_GPU_CORE_POLICY_H

#include "gpu/core.h"

void core_policy_init(struct core *c);

/** core_policy_refresh() - work out masks and classes anew. */
void core_policy_refresh(struct core *c);

/** core_policy_issued() - @scheduler has issued an instruction of @warp. */
void core_policy_issued(struct core *c, unsigned scheduler, unsigned warp);

/** core_policy_reason() - for the dump: why the policy holds the warp; NULL: it does not. */
const char *core_policy_reason(const struct core *c, unsigned warp);

#endif
