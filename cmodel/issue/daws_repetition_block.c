/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "issue/daws_repetition.h"

BLOCK_DEFINE(issue, daws_repetition, DAWS_REPETITION)
