/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "l1/warp_bypass.h"

BLOCK_DEFINE(l1, warp_bypass, WARP_BYPASS)
