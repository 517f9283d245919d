/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "common/sram_1r1w.h"

BLOCK_DEFINE(common, sram_1r1w, SRAM_1R1W)
