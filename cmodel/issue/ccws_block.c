/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "issue/ccws.h"

BLOCK_DEFINE_SKIPPING(issue, ccws, CCWS)
