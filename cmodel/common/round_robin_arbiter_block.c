/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "common/round_robin_arbiter.h"

BLOCK_DEFINE(common, round_robin_arbiter, ROUND_ROBIN_ARBITER)
