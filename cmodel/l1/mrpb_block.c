/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "l1/mrpb.h"

BLOCK_DEFINE(l1, mrpb, MRPB)
