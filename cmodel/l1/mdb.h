/* SPDX-License-Identifier: Apache-2.0
 *
 * Model-driven bypassing in a core (MDB, DAC 2016, sections 4 and 6): the warps whose accesses
 * bypass the L1. The warp's number in its CTA identifies it; if several CTAs are resident, the
 * CTA's slot does, and whole CTAs bypass. The limit, the number of warps or CTAs that use the L1,
 * is fixed (mdb.bypass = limit, count), or a generator of this core or of the watched one finds it
 * (local, global). A fixed limit changes from warps to CTAs, or back, at once when a CTA begins or
 * ends; a generator changes at the first access of its next interval.
 */
#ifndef WARPMEM_L1_MDB_H
#define WARPMEM_L1_MDB_H

#include "l1/mdb_generator.h"
#include "l1/policy.h"
#include "l1/warp_bypass.h"

#define MDB_WARPS_MAX 64
#define MDB_CTAS_MAX 32
#define MDB_NUMBERS_MAX 8 /* warps or CTAs that are distinguished (6: eight calculators) */

/**
 * struct mdb - the policy l1_policy_mdb (l1/policy.h) of one core.
 * @bypass: the block l1/warp_bypass
 * @fixed: the limit, without a generator
 * @generator: of this core; NULL: it has none
 * @teller: the generator whose limit this core uses, some cycles late; NULL: none
 * @number: number in its CTA of the warp in each slot
 * @cta: slot of its CTA
 * @live: warps of each CTA slot that have not ended
 * @begun: warps with which it began
 * @ctas: CTAs resident
 * @warps: of the largest of them
 * @fails_seen: failures of the L1 that the generator has counted
 * @idle: of the watched core: this launch has given it no CTA yet
 * @unwatched: launches that gave it none
 */
struct mdb {
    const struct config *config;
    struct block_instance bypass;
    struct mdb_told fixed;
    struct mdb_generator *generator, *teller;
    uint8_t number[MDB_WARPS_MAX], cta[MDB_WARPS_MAX];
    uint8_t live[MDB_CTAS_MAX], begun[MDB_CTAS_MAX];
    unsigned ctas, warps;
    uint32_t kernel; /* hash of the name of the last launch that gave the core a CTA; 0: none yet */
    bool new_launch; /* and the core has not started a CTA of it */
    uint64_t fails_seen;
    uint64_t refused; /* refused accesses since the last load */
    bool idle;
    uint64_t unwatched;
};

#endif
