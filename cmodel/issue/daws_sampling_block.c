/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "issue/daws_sampling.h"

BLOCK_DEFINE(issue, daws_sampling, DAWS_SAMPLING)
