/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "l2/insertion.h"

BLOCK_DEFINE(l2, insertion, INSERTION)
