/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "common/priority_encoder.h"

BLOCK_DEFINE(common, priority_encoder, PRIORITY_ENCODER)
