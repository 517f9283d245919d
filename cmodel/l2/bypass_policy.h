/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose requests bypass the L2, of which class they are, and whose misses take a line: what
 * l2.bypass, medic.reuse and l2.allocation choose between, in front of the block l2/bypass, which
 * only carries it out.
 */
#ifndef WARPMEM_L2_BYPASS_POLICY_H
#define WARPMEM_L2_BYPASS_POLICY_H

#include "base/request.h"
#include "config/config.h"
#include "l2/address_filter.h"
#include "l2/tokens.h"

/* A request's class as the block is told it. It bypasses if its class is known and the lowest. */
struct l2_verdict {
    enum l2_class l2_class;
    bool known;
};

/**
 * struct l2_policy - of a partition.
 *
 * Periods are counted from time 0; one begins with the first L2 cycle at or after its beginning, as
 * a period of the table of warp types does (l2/warp_table.h).
 */
struct l2_policy {
    const struct config *config;
    /* Time units: of an L2 cycle; from lot to lot; from epoch to epoch. */
    uint64_t l2_period, lot_period, epoch_period;
    uint64_t epoch;               /* that the tokens are in */
    struct tokens tokens;         /* l2.allocation = tokens */
    struct address_filter recent; /* medic.reuse: lines that bypassed or were evicted */
};

/** l2_policy_init() - False: out of memory. */
bool l2_policy_init(struct l2_policy *p, const struct config *config);
void l2_policy_destroy(struct l2_policy *p);

/** l2_policy_clock() - before the run. @core_period, @l2_period: time units a cycle. */
void l2_policy_clock(struct l2_policy *p, uint64_t core_period, uint64_t l2_period);

/** l2_policy_warp() - number of a request's warp slot in the machine. Neighbours are the same slot
 * of all cores: where the oldest warps issue first, the lanes of the table share their requests. */
static inline unsigned l2_policy_warp(const struct config *config, const struct request *r) {
    return r->warp * config->core.count + r->core;
}

/** l2_policy_entry() - a request's entry of the table of warp types: its warp's, or with l2.bypass
 * = pc that of its instruction. */
static inline unsigned l2_policy_entry(const struct config *config, const struct request *r) {
    return config->l2.bypass == L2_BYPASS_PC ? r->pc & (config->pcbyp.entries - 1)
                                             : l2_policy_warp(config, r);
}

/** l2_policy_keeps() - @r stands at the end of its port in L2 cycle @cycle: it must not bypass,
 * whatever its class. */
bool l2_policy_keeps(const struct l2_policy *p, const struct request *r, uint64_t cycle);

/** l2_policy_verdict() - on @r, which entered in @cycle, the last one. @type: found in the table,
 * looked up in that cycle; balanced and not known where the machine has none. */
struct l2_verdict l2_policy_verdict(const struct l2_policy *p, const struct request *r,
                                    struct l2_verdict type, uint64_t cycle);

/** l2_policy_allocates() - @r goes to its bank's queue in @cycle: may it take a line? To be asked
 * once of each: with tokens it is a use of the cache. */
bool l2_policy_allocates(struct l2_policy *p, const struct request *r, uint64_t cycle);

/** l2_policy_bypassed() - @r has left for the DRAM. */
static inline void l2_policy_bypassed(struct l2_policy *p, const struct request *r) {
    if (p->config->medic.reuse == MEDIC_REUSE_BLOOM) {
        address_filter_insert(&p->recent, r->local);
    }
}

#endif
