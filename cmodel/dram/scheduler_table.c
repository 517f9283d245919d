/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of DRAM schedulers, one row each.
 */
#include "dram/scheduler.h"

#define DRAM_SCHEDULERS(P) P(two_queues) P(row_prefetch) P(fr_fcfs_rare) P(fr_fcfs)

#define DECLARE_SCHEDULER(name) extern const struct dram_scheduler_kind dram_##name;
#define SCHEDULER_ROW(name) &dram_##name,
DRAM_SCHEDULERS(DECLARE_SCHEDULER)
static const struct dram_scheduler_kind *const kinds[] = {DRAM_SCHEDULERS(SCHEDULER_ROW)};

const struct dram_scheduler_kind *dram_scheduler_kind_at(unsigned i) {
    return i < sizeof kinds / sizeof *kinds ? kinds[i] : NULL;
}

const struct dram_scheduler_kind *dram_scheduler_wanted(const struct config *config) {
    const struct dram_scheduler_kind *wanted = NULL;
    for (size_t i = 0; !wanted; i++) { /* FR-FCFS always is */
        wanted = kinds[i]->wanted && kinds[i]->wanted(config) ? kinds[i] : NULL;
    }
    return wanted;
}
