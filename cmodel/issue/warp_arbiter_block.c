/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "issue/warp_arbiter.h"

BLOCK_DEFINE(issue, warp_arbiter, WARP_ARBITER)
