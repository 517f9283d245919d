/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/scheduler_table.h"

#include "dram/fr_fcfs.h"
#include "dram/two_queues.h"

typedef bool make_scheduler(struct dram_channel *d, const struct build *build);

bool dram_make_scheduler(struct dram_channel *d, const struct build *build) {
    static make_scheduler *const make[] = {
        [DRAM_QUEUES_ONE] = fr_fcfs_make,
        [DRAM_QUEUES_TWO] = two_queues_make,
    };
    return make[d->config->dram.queues](d, build);
}
