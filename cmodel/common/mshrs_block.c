/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "common/mshrs.h"

BLOCK_DEFINE(common, mshrs, MSHRS)
