/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of DRAM schedulers, and the choice of a channel's.
 */
#ifndef WARPMEM_DRAM_SCHEDULER_TABLE_H
#define WARPMEM_DRAM_SCHEDULER_TABLE_H

#include "base/block.h"
#include "dram/channel.h"

/**
 * dram_make_scheduler() - after dram_channel_init(): the scheduler that dram.queues asks for.
 * @blocks: makes the hardware blocks of schedulers; NULL: those in C
 * False: refused, and error says why.
 */
bool dram_make_scheduler(struct dram_channel *d, struct block_factory *blocks, char *error,
                         size_t error_size);

#endif
