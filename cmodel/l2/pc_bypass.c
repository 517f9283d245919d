/* SPDX-License-Identifier: Apache-2.0
 *
 * Bypassing by the instruction (PC-Byp of MeDiC section 5): requests of instructions that mostly
 * miss go to the DRAM.
 */
#include "l2/policy.h"

static bool wants_pc_bypass(const struct config *config) {
    return config->l2.bypass == L2_BYPASS_PC;
}

const struct l2_policy_kind l2_policy_pc_byp = {
    .name = "pc-byp",
    .about = "requests of instructions that mostly miss bypass",
    .wanted = wants_pc_bypass,
    .types = L2_TYPES_OF_INSTRUCTIONS,
    .bypasses = L2_BYPASS_BY_TYPE};
