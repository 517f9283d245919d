/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/scheduler_table.h"

#include "dram/fr_fcfs.h"
#include "dram/two_queues.h"

typedef bool make_scheduler(struct dram_channel *d, struct block_factory *blocks, char *error,
                            size_t error_size);

bool dram_make_scheduler(struct dram_channel *d, struct block_factory *blocks, char *error,
                         size_t error_size) {
    static make_scheduler *const make[] = {
        [DRAM_QUEUES_ONE] = fr_fcfs_make,
        [DRAM_QUEUES_TWO] = two_queues_make,
    };
    return make[d->config->dram.queues](d, blocks, error, error_size);
}
