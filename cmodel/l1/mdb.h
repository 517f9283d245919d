/* SPDX-License-Identifier: Apache-2.0
 *
 * Model-driven bypassing in a core (MDB, DAC 2016, sections 4 and 6): the warps whose accesses
 * bypass the L1. Warps are identified by their number in the CTA; where several CTAs are resident,
 * CTAs by their slot take the warps' place. The limit, how many of them use the L1, is fixed
 * (mdb.bypass = limit, count), or a generator of this core or of the watched one finds it (local,
 * global). A fixed limit goes from warps to CTAs, or back, at once when a CTA begins or ends; a
 * generator does so at the first access of its next interval.
 */
#ifndef WARPMEM_L1_MDB_H
#define WARPMEM_L1_MDB_H

#include "base/request.h"
#include "l1/mdb_generator.h"
#include "l1/warp_bypass.h"

#define MDB_WARPS_MAX 64
#define MDB_CTAS_MAX 32
#define MDB_NUMBERS_MAX 8 /* warps or CTAs that are distinguished (6: eight calculators) */

/**
 * struct mdb - of one core.
 * @on: accesses may bypass the L1
 * @bypass: the block l1/warp_bypass
 * @fixed: the limit, where no generator is used
 * @generator: of this core; NULL: it has none
 * @teller: the generator whose limit this core uses, some cycles late; NULL: none
 * @number: of the warp in its CTA, of each warp slot
 * @cta: its CTA's slot
 * @live: warps of each CTA slot that have not ended
 * @begun: warps that it began with
 * @ctas: CTAs resident
 * @fails_seen: failures of the L1 that the generator has counted
 */
struct mdb {
    const struct config *config;
    bool on;
    struct block_instance bypass;
    struct mdb_told fixed;
    struct mdb_generator *generator, *teller;
    const uint64_t *cycle; /* of the core */
    uint8_t number[MDB_WARPS_MAX], cta[MDB_WARPS_MAX];
    uint8_t live[MDB_CTAS_MAX], begun[MDB_CTAS_MAX];
    unsigned ctas;
    uint32_t kernel; /* hash of the name of the last launch that gave the core a CTA; 0: none yet */
    bool new_launch; /* and the core has not started a CTA of it */
    uint64_t fails_seen;
    uint64_t refused; /* refused accesses since the last load */
};

/**
 * mdb_init() - of core number @core.
 * @cycle: as in load_store_init()
 * False: refused.
 */
bool mdb_init(struct mdb *m, const struct config *config, unsigned core, const uint64_t *cycle,
              const struct build *build);
void mdb_destroy(struct mdb *m);

/** mdb_follow() - with mdb.bypass = global: use the limit of core mdb.watched's generator. */
void mdb_follow(struct mdb *m, const struct mdb *watched);

/** mdb_begin_warp(), mdb_end_warp() - a warp begins in a slot, and ends; as load_store_warp(). */
void mdb_begin_warp(struct mdb *m, unsigned warp, unsigned cta_slot, unsigned number);
void mdb_end_warp(struct mdb *m, unsigned warp);

/** mdb_begin_launch() - a launch begins, of which the core may get CTAs. */
static inline void mdb_begin_launch(struct mdb *m) {
    m->new_launch = true;
}

/** mdb_begin_cta() - the first CTA of a launch, or one more, starts in @cycle; @kernel: hash of its
 * name. At the first one a generator continues or starts again (mdb.at_launch). */
void mdb_begin_cta(struct mdb *m, uint32_t kernel, uint64_t cycle);

/** mdb_goes_round() - does an access that is first shown to the L1 in @cycle bypass it? */
bool mdb_goes_round(struct mdb *m, const struct request *r, uint64_t cycle);

/**
 * mdb_taken() - the L1 accepts an access in @cycle, or lets it bypass.
 * @set: of the L1, in which its line would stand
 * @fails: the L1's failures until now, of enum l1_result, by cause
 * @refused: it was refused before
 */
void mdb_taken(struct mdb *m, const struct request *r, unsigned set, uint64_t fails, bool refused,
               uint64_t cycle);

bool mdb_register_stats(const struct mdb *m, struct stats *s);

#endif
