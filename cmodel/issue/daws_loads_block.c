/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "issue/daws_loads.h"

BLOCK_DEFINE_SKIPPING(issue, daws_loads, DAWS_LOADS)
