/* SPDX-License-Identifier: Apache-2.0
 *
 * A bypassing parameter generator in a core (l1/bpg.h): it receives each load that the L1 accepts,
 * and reports each limit with its first cycle. Its block is evaluated on demand: between two
 * accesses its inputs are idle, and the next evaluation catches up on those cycles.
 */
#ifndef WARPMEM_L1_MDB_GENERATOR_H
#define WARPMEM_L1_MDB_GENERATOR_H

#include "base/alarm.h"
#include "base/block.h"
#include "base/stats.h"
#include "config/config.h"
#include "l1/bpg.h"

/* Limits that are kept, for cores that receive them up to 1,000 cycles later: an interval has 24
 * accesses or more. A power of two. */
#define MDB_TOLD_MAX 128

/* From cycle @at on the first @limit warps use the L1, or with @by_ctas the first CTAs. */
struct mdb_told {
    uint64_t at;
    uint8_t limit;
    bool by_ctas;
};

struct mdb_generator_stats {
    uint64_t accesses;                    /* counted */
    uint64_t limits[BPG_CALCULATORS_MAX]; /* computed limits: of 1 at [0] */
    uint64_t clears, level_changes;
};

/**
 * struct mdb_generator - of one core.
 * @cycle: the block's: the first cycle whose inputs are not yet given; hardware blocks read it
 * @by_ctas: this interval counts CTAs, not warps
 * @told: the last limits, a ring; [newest] is the last
 * @cleared_at: the first cycle in which the last clear is visible; 0: it was never cleared
 */
struct mdb_generator {
    const struct config *config;
    struct block_instance block;
    struct alarm *alarm;
    uint64_t cycle;
    bool by_ctas;
    struct mdb_told told[MDB_TOLD_MAX];
    unsigned newest;
    uint64_t cleared_at;
    struct mdb_generator_stats stats;
};

/* A load that the L1 accepts, or that bypasses it. */
struct mdb_load {
    uint64_t line;
    unsigned set;            /* of the L1 */
    unsigned warp, cta_slot; /* its warp's number in the CTA, and its CTA's slot */
    bool local;              /* of local memory, which all calculators count */
    unsigned warps, ctas;    /* resident: of the largest CTA, CTAs */
};

/** mdb_generator_params() - of the block, for a core of this configuration. */
struct bpg_params mdb_generator_params(const struct config *config);

/** mdb_generator_init() - @where: "sm0". False: refused. */
bool mdb_generator_init(struct mdb_generator *g, const struct config *config, const char *where,
                        const struct build *build);
void mdb_generator_destroy(struct mdb_generator *g);

/** mdb_generator_load() - the L1 takes a load in @cycle, later than every one before.
 * @fails: new failures of the L1 that count */
void mdb_generator_load(struct mdb_generator *g, const struct mdb_load *load, uint64_t fails,
                        uint64_t cycle);

/** mdb_generator_clear() - reset in @cycle, in which no load is accepted. */
void mdb_generator_clear(struct mdb_generator *g, uint64_t cycle);

/** mdb_generator_limit() - the limit in effect in @cycle, up to 1,000 cycles ago. */
struct mdb_told mdb_generator_limit(struct mdb_generator *g, uint64_t cycle);

bool mdb_generator_register_stats(const struct mdb_generator *g, struct stats *s);

#endif
