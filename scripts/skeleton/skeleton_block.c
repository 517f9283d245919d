/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "place/skeleton.h"

BLOCK_DEFINE(place, skeleton, SKELETON)
