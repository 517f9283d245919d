/* SPDX-License-Identifier: Apache-2.0
 *
 * The first-level caches of small machines by chance, and what stands before them. All of them
 * legal.
 */
#ifndef WARPMEM_TB_RANDOM_L1_H
#define WARPMEM_TB_RANDOM_L1_H

#include "config/config.h"
#include "cosim/rng.h"

static inline unsigned one_of(struct rng *rng, unsigned least, unsigned most) {
    return least + rng_below(rng, most - least + 1);
}

/* First-level caches of every kind, policy and size; one-entry queues most of all. */
static inline void random_first_level(struct rng *rng, struct config *c) {
    c->l1.cache = c->l1.front || rng_chance(rng, 3, 4);
    c->l1.perfect = c->l1.cache && rng_chance(rng, 1, 12);
    c->l1.line_bytes = 32u << rng_below(rng, 3);
    c->l1.global_write = rng_below(rng, 3);
    c->l1.local_write = rng_below(rng, 3);
    c->l1.write_miss = rng_below(rng, 2);
    if (c->l1.global_write == L1_WRITE_BACK || c->l1.local_write == L1_WRITE_BACK) {
        c->l1.miss_queue += c->l1.miss_queue < 2;
    }
    if (c->l1.global_write == L1_WRITE_BACK) {
        c->l1.at_launch = AT_LAUNCH_KEEP;
    }
    if (rng_chance(rng, 1, 10)) {
        c->l1.sets = 32u << rng_below(rng, 2);
        c->l1.ways = 1;
        c->l1.line_bytes = 128;
        c->l1.index = INDEX_FERMI;
    } else if (rng_chance(rng, 1, 10)) {
        c->l1.sets = 1;
        c->l1.ways = one_of(rng, 65, 80);
    }
    c->texture.sets = 1u << rng_below(rng, 3);
    c->texture.ways = one_of(rng, 1, 4);
    c->texture.line_bytes = 32u << rng_below(rng, 3);
    c->texture.fifo = rng_chance(rng, 1, 3) ? 1 : one_of(rng, 2, 40);
    c->texture.request_queue = one_of(rng, 1, 4);
    c->texture.reorder = rng_chance(rng, 1, 3) ? 1 : one_of(rng, 2, 10);
    c->texture.hit_latency = one_of(rng, 1, 20);
    c->constant.sets = 1u << rng_below(rng, 3);
    c->constant.ways = one_of(rng, 1, 2);
    c->constant.line_bytes = 32u << rng_below(rng, 3);
    c->constant.hit_latency = one_of(rng, 1, 10);
    c->constant.mshrs = one_of(rng, 1, 4);
    c->constant.mshr_merge = one_of(rng, 1, 4);
    c->constant.miss_queue = rng_chance(rng, 2, 3) ? 1 : 2;
}

/* The generator's keys; the cache gets sets to sample and ways to order. */
static inline void random_generator(struct rng *rng, struct config *c) {
    c->l1.sets = 32u << rng_below(rng, 2); /* for any index */
    c->l1.ways = one_of(rng, 2, 4);
    c->mdb.interval = one_of(rng, 24, 100);
    c->mdb.hit_bits = one_of(rng, 4, 10);
    c->mdb.fail_bits = one_of(rng, 4, 12);
    c->mdb.failures = rng_below(rng, 2);
    c->mdb.hits_shift = rng_below(rng, 5);
    c->mdb.e_64ths = rng_below(rng, 65);
    c->mdb.rescale = rng_below(rng, 2);
    c->mdb.at_launch = rng_below(rng, 3);
    c->mdb.watched = rng_below(rng, c->core.count);
    c->mdb.broadcast = rng_chance(rng, 1, 3) ? 0 : one_of(rng, 1, 200);
}

static inline void random_replacement(struct rng *rng, struct config *c) {
    if (c->l1.cache && !c->l1.perfect && c->l1.ways <= 64 && rng_chance(rng, 1, 4)) {
        c->l1.replacement = L1_REPLACEMENT_PDP;
        c->pdp.distance = rng_chance(rng, 1, 2) ? 0 : one_of(rng, 1, 20);
        c->pdp.interval = one_of(rng, 64, 200);
    }
}

/* Lines by sectors, or taken with their data, of a cache that is never dirty. */
static inline void random_sectors(struct rng *rng, struct config *c) {
    if (c->l1.replacement != L1_REPLACEMENT_LRU || rng_chance(rng, 1, 2)) {
        return;
    }
    c->l1.sectors = rng_below(rng, 2);
    c->l1.allocate = rng_below(rng, 2);
    if (c->l1.sectors || c->l1.allocate == L1_ALLOCATE_FILL) {
        c->l1.global_write = rng_below(rng, L1_WRITE_BACK);
        c->l1.local_write = rng_below(rng, L1_WRITE_BACK);
    }
}

/* Warps or CTAs that go round the L1, where there is one whose data are elsewhere too. */
static inline void random_mdb(struct rng *rng, struct config *c) {
    if (!c->l1.cache || c->l1.perfect || c->l1.global_write == L1_WRITE_BACK) {
        return;
    }
    c->mdb.bypass = rng_chance(rng, 1, 6) ? MDB_BYPASS_GLOBAL : rng_below(rng, 6);
    c->mdb.level = rng_below(rng, 3);
    c->mdb.limit = one_of(rng, 1, 8);
    c->mdb.count = rng_below(rng, 8);
    if (c->mdb.bypass >= MDB_BYPASS_LOCAL) {
        random_generator(rng, c);
    }
    if (c->mdb.bypass != MDB_BYPASS_OFF && c->l1.front && c->mrpb.bypass == MRPB_BYPASS_ALL) {
        c->mrpb.bypass = MRPB_BYPASS_ASSOCIATIVITY;
    }
}

/* Half the machines with queues, some with the slot alone; every point of the design space. */
static inline void random_mrpb(struct rng *rng, struct config *c) {
    static const unsigned modes[] = {L1_FRONT_NONE, L1_FRONT_MRPB, L1_FRONT_MRPB, L1_FRONT_SLOT};
    c->l1.front = modes[rng_below(rng, 4)];
    c->mrpb.signature = rng_below(rng, c->core.ctas > 1 ? 3 : 2); /* two queues or more */
    c->mrpb.drain = rng_below(rng, 6);
    c->mrpb.flush = rng_below(rng, 2);
    c->mrpb.depth = rng_chance(rng, 1, 4) ? 0 : one_of(rng, 2, 8);
    c->mrpb.latency = one_of(rng, 3, 18);
    c->mrpb.bypass = rng_below(rng, 3);
}

#endif
