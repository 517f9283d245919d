/* SPDX-License-Identifier: Apache-2.0
 *
 * All-bank refresh of a DRAM channel (dram.refi, dram.rfc).
 *
 * One refresh is due in each DRAM cycle that is a multiple of tREFI, in all channels alike.
 * Decision: a due refresh has priority over requests and is not postponed, because DRAMsim3's
 * rank-level refresh does so, and a bound on postponing (JEDEC allows eight) would be one more key.
 * From the due cycle on no request gets a command; the open banks are closed one a cycle, each as
 * soon as tRAS, tRTP and tWR allow; REF follows when tRP and tRC of all banks have passed; then the
 * channel takes no command for tRFC.
 *
 * A channel without a request is not woken: it catches up on refreshes when the next request comes,
 * or when counters are read. The commands, their cycles and the counters equal those of a channel
 * that is evaluated in each cycle; a log gets them late.
 */
#ifndef WARPMEM_DRAM_REFRESH_H
#define WARPMEM_DRAM_REFRESH_H

#include "dram/channel.h"

/**
 * struct dram_refresh - the refreshes of one channel.
 * @due: cycle from which the next refresh is due; NEVER: no refresh
 * @from: the same, and after the last precharge for it
 * @last: cycle of the last command for a refresh
 * @refresh_cycles: sum over refreshes, from a refresh's due time to the end of its tRFC
 */
struct dram_refresh {
    uint64_t due, from, last;
    uint64_t refreshes, refresh_cycles;
};

void refresh_init(struct dram_refresh *r, const struct config *config);

/** refresh_next() - cycle of the next command of a refresh, unless a request's command comes first.
 * NEVER: no refresh. */
uint64_t refresh_next(const struct dram_refresh *r, const struct dram_channel *d);

/** refresh_until() - issue the commands of refreshes before @cycle: to all banks, whether requests
 * want their rows or not. */
void refresh_until(struct dram_refresh *r, struct dram_channel *d, uint64_t cycle);

/** refresh_holds() - after refresh_until(cycle + 1): does a refresh block requests' commands in
 * this cycle? The wait for tRFC does not count: it keeps banks from being opened. */
static inline bool refresh_holds(const struct dram_refresh *r, uint64_t cycle) {
    return r->from <= cycle || r->last == cycle;
}

bool refresh_register_stats(const struct dram_refresh *r, struct stats *s);

#endif
