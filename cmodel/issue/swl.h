/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_SWL_H
#define WARPMEM_ISSUE_SWL_H

#include <stdint.h>

/**
 * swl_allowed() - static warp limiting (SWL; Rogers et al., MICRO 2012): the @limit oldest warps of
 * a scheduler.
 * @eligible: its warps that have not ended and wait at no barrier or fence
 * @age: launch number of each slot's CTA; of equals the lower slot is older
 */
uint64_t swl_allowed(uint64_t eligible, unsigned limit, const uint64_t *age);

#endif
