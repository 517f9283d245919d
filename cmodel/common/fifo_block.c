/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "common/fifo.h"

BLOCK_DEFINE(common, fifo, FIFO)
