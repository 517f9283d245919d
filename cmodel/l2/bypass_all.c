/* SPDX-License-Identifier: Apache-2.0
 *
 * l2.bypass = all: every read goes to the DRAM.
 */
#include "l2/policy.h"

static bool wants_all_bypassing(const struct config *config) {
    return config->l2.bypass == L2_BYPASS_ALL;
}

const struct l2_policy_kind l2_policy_bypass_all = {.name = "bypass-all",
                                                    .about = "every read bypasses",
                                                    .wanted = wants_all_bypassing,
                                                    .bypasses = L2_BYPASS_ALWAYS};
