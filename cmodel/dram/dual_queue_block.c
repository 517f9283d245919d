/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "dram/dual_queue.h"

BLOCK_DEFINE(dram, dual_queue, DUAL_QUEUE)
