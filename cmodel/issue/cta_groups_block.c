/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "issue/cta_groups.h"

BLOCK_DEFINE(issue, cta_groups, CTA_GROUPS)
