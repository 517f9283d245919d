/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "l1/victim_tags.h"

BLOCK_DEFINE(l1, victim_tags, VICTIM_TAGS)
