/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "common/tag_sets.h"

BLOCK_DEFINE(common, tag_sets, TAG_SETS)
