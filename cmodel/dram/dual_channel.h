/* SPDX-License-Identifier: Apache-2.0
 *
 * DRAM channel with two request queues (dram.queues = two; MeDiC 4.4): the block dram/dual_queue
 * chooses the commands; timing, statistics and data are those of dram/channel.c.
 */
#ifndef WARPMEM_DRAM_DUAL_CHANNEL_H
#define WARPMEM_DRAM_DUAL_CHANNEL_H

#include "base/block.h"
#include "dram/channel.h"
#include "dram/dual_queue.h"

/* Of a row number in the block. Addresses of real programs have up to 48 bits, and use them: with 6
 * channels of 8 banks of 4 KB that is 31 bits, with 8 of 4 of 2 KB, the smallest preset, 32. */
#define DUAL_CHANNEL_ROW_BITS 32
#define DUAL_CHANNEL_TAG_BITS 8

_Static_assert(DRAM_ENTRIES_MAX <= 1 << DUAL_CHANNEL_TAG_BITS, "a tag is an entry's number");

struct dual_channel {
    struct block_instance block;
    uint64_t cycle; /* DRAM cycle in hand */
    unsigned count[DUAL_QUEUE_SIDES];
    bool failed; /* it has rung the alarm */
};

/** dual_channel_params() - parameters of the block with this configuration. */
struct dual_queue_params dual_channel_params(const struct config *config);

/** dual_channel_init() - see dram_channel_make_queues(). */
bool dual_channel_init(struct dram_channel *d, struct block_factory *blocks, char *error,
                       size_t error_size);
void dual_channel_destroy(struct dram_channel *d);

/** dual_channel_cycle() - as dram_channel_cycle(); never runs ahead. */
uint64_t dual_channel_cycle(struct dram_channel *d, const struct now *now);

#endif
