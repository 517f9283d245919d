/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "l2/bypass.h"

BLOCK_DEFINE(l2, bypass, BYPASS)
