/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "dram/fr_fcfs.h"

BLOCK_DEFINE(dram, fr_fcfs, FR_FCFS)
