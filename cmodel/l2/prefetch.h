/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of open DRAM rows that come into an L2 bank without a request (OWL 4.4): dram/prefetcher.c
 * sends claims for them.
 *
 * owl.claim = early: the bank answers a claim in a cycle in which it takes no request, and takes
 * the line as for a miss without a waiting request. So a request merges meanwhile, and no line is
 * fetched twice. It does not take a line that it has or is fetching, nor one for which it would
 * evict a dirty line or use its last MSHR.
 *
 * late: the line is looked up when its data is there, and taken then unless the bank has it, is
 * fetching it, or would evict a dirty line. The claim reserves only its place in the return queue.
 */
#ifndef WARPMEM_L2_PREFETCH_H
#define WARPMEM_L2_PREFETCH_H

#include "base/now.h"
#include "base/ring.h"

struct l2_bank;
struct l2_partition;

/** l2_bank_claim() - may the line of claim @r come? If so, what its read needs is entered in *r. */
bool l2_bank_claim(struct l2_bank *b, struct request *r);

/** l2_bank_take_unclaimed() - the data of a late claim has come. */
void l2_bank_take_unclaimed(struct l2_bank *b, const struct request *r);

/** l2_bank_count_used() - a request found a line that had been prefetched, whole or (@late) on its
 * way. l2_bank_count_unused() - the way is given to another line. */
void l2_bank_count_used(struct l2_bank *b, unsigned set, int way, bool late);
void l2_bank_count_unused(struct l2_bank *b, unsigned set, int way);

/** l2_partition_cycle_with_claims() - an L2 cycle, with the claim that is before the partition. */
uint64_t l2_partition_cycle_with_claims(struct l2_partition *p, const struct now *now, bool poll);

#endif
