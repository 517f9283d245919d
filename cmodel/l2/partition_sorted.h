/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L2_PARTITION_SORTED_H
#define WARPMEM_L2_PARTITION_SORTED_H

#include "l2/partition.h"

/** l2_partition_sorted_cycle() - l2_partition_cycle() where l2_front_sorts(). */
uint64_t l2_partition_sorted_cycle(struct l2_partition *p, const struct now *now, bool poll);

#endif
