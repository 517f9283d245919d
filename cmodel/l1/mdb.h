/* SPDX-License-Identifier: Apache-2.0
 *
 * Model-driven bypassing in a core (MDB, DAC 2016, sections 4 and 6): whose accesses go round the
 * L1. Warps are known by their number in the CTA; where several CTAs are resident, CTAs by their
 * slot take the warps' place.
 */
#ifndef WARPMEM_L1_MDB_H
#define WARPMEM_L1_MDB_H

#include "config/config.h"

#define MDB_WARPS_MAX 64
#define MDB_CTAS_MAX 32
#define MDB_NUMBERS_MAX 8 /* warps or CTAs that are told apart (6: eight calculators) */

/**
 * struct mdb - of one core.
 * @passing: warp slots whose accesses go round the L1, a bit each
 * @number: of the warp in its CTA, of each warp slot
 * @cta: its CTA's slot
 * @live: warps of each CTA slot that have not ended
 * @begun: warps that it began with
 * @ctas: CTAs resident
 */
struct mdb {
    const struct config *config;
    uint64_t passing;
    uint64_t live_warps;
    uint8_t number[MDB_WARPS_MAX], cta[MDB_WARPS_MAX];
    uint8_t live[MDB_CTAS_MAX], begun[MDB_CTAS_MAX];
    unsigned ctas;
};

void mdb_init(struct mdb *m, const struct config *config);
/** mdb_begin_warp(), mdb_end_warp() - a warp begins in a slot, and ends; as load_store_warp(). */
void mdb_begin_warp(struct mdb *m, unsigned warp, unsigned cta_slot, unsigned number);
void mdb_end_warp(struct mdb *m, unsigned warp);

#endif
