/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of DRAM schedulers, one row each.
 */
#include "dram/scheduler.h"

extern const struct dram_scheduler_kind dram_two_queues, dram_row_prefetch, dram_fr_fcfs_rare,
    dram_fr_fcfs;

static const struct dram_scheduler_kind *const kinds[] = {
    &dram_two_queues, &dram_row_prefetch, &dram_fr_fcfs_rare, &dram_fr_fcfs, /* wanted else */
};

const struct dram_scheduler_kind *dram_scheduler_wanted(const struct config *config) {
    unsigned i = 0;
    while (!kinds[i]->wanted(config)) {
        i++;
    }
    return kinds[i];
}
