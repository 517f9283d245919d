/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "l1/bpg.h"

BLOCK_DEFINE(l1, bpg, BPG)
