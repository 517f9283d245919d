/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "l2/bank_arbiter.h"

BLOCK_DEFINE(l2, bank_arbiter, BANK_ARBITER)
