/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of DRAM schedulers, and the choice of a channel's.
 */
#ifndef WARPMEM_DRAM_SCHEDULER_TABLE_H
#define WARPMEM_DRAM_SCHEDULER_TABLE_H

#include "base/build.h"
#include "dram/channel.h"

/**
 * dram_make_scheduler() - after dram_channel_init(): the scheduler that dram.queues asks for.
 * False: refused.
 */
bool dram_make_scheduler(struct dram_channel *d, const struct build *build);

#endif
