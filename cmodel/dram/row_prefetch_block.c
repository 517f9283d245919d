/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "dram/row_prefetch.h"

BLOCK_DEFINE(dram, row_prefetch, ROW_PREFETCH)
