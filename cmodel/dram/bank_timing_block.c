/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "dram/bank_timing.h"

BLOCK_DEFINE(dram, bank_timing, BANK_TIMING)
