/* SPDX-License-Identifier: Apache-2.0
 *
 * The kinds of l2_partition_cycle(), of which l2_partition_init() chooses one.
 */
#ifndef WARPMEM_L2_PARTITION_CYCLES_H
#define WARPMEM_L2_PARTITION_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

struct l2_partition;
struct now;

/** l2_partition_cycle_of_one(), _of_two(), _of_many(), _pooled() - requests go from the ports
 * straight to the arbiter; instances for one port and one bank, for two of each and one reply port,
 * for any numbers, and for any where the banks share MSHRs. */
uint64_t l2_partition_cycle_of_one(struct l2_partition *p, const struct now *now, bool poll);
uint64_t l2_partition_cycle_of_two(struct l2_partition *p, const struct now *now, bool poll);
uint64_t l2_partition_cycle_of_many(struct l2_partition *p, const struct now *now, bool poll);
uint64_t l2_partition_cycle_pooled(struct l2_partition *p, const struct now *now, bool poll);

/** l2_partition_arbitrate() - the arbiter gives the banks the requests at the ends of the pipelines
 * of the ports. */
void l2_partition_arbitrate(struct l2_partition *p, const struct now *now);

/** l2_partition_cycle_sorted() - the block l2/bypass stands before the arbiter: where
 * l2_front_sorts(). */
uint64_t l2_partition_cycle_sorted(struct l2_partition *p, const struct now *now, bool poll);

#endif
