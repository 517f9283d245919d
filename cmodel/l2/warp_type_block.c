/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "l2/warp_type.h"

BLOCK_DEFINE(l2, warp_type, WARP_TYPE)
