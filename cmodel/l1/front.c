/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/front.h"

#include <stddef.h>
#include <stdio.h>

/* The table of fronts. */
#define L1_FRONTS(F) F(none) F(queue) F(slot) F(mrpb)

#define DECLARE_FRONT(name) extern const struct l1_front_kind l1_front_##name;
#define FRONT_ROW(name) &l1_front_##name,
L1_FRONTS(DECLARE_FRONT)
static const struct l1_front_kind *const kinds[] = {L1_FRONTS(FRONT_ROW)};
enum { FRONT_KINDS = sizeof kinds / sizeof *kinds };

static const struct l1_front_kind *front_kind(const struct config *config) {
    unsigned i = 0;
    while (i < FRONT_KINDS - 1 && !kinds[i]->wanted(config)) {
        i++;
    }
    return kinds[i];
}

bool l1_front_init(struct l1_front *f, const struct config *config, unsigned core,
                   struct l1_data_cache *cache, const uint64_t *cycle, const struct build *build) {
    const struct l1_front_kind *kind = front_kind(config);
    char where[16];
    *f = (struct l1_front){.kind = kind,
                           .config = config,
                           .cache = cache,
                           .alarm = build->alarm,
                           .keeps_accesses = kind->keeps_accesses,
                           .core = (uint8_t)core,
                           .all_words = line_words(config->l1.line_bytes)};
    f->all_sectors = line_access_sectors(&(struct line_access){.words = f->all_words});
    f->refusal.fails = cache->stats.fails;
    cache->bypass_causes = kind->bypass_causes ? kind->bypass_causes(config) : 0;
    snprintf(where, sizeof where, "sm%u", core);
    return mdb_init(&f->mdb, config, core, cycle, build) &&
           (!kind->init || kind->init(f, where, cycle, build));
}

void l1_front_destroy(struct l1_front *f) {
    if (f->kind && f->kind->destroy) {
        f->kind->destroy(f);
    }
    mdb_destroy(&f->mdb);
}

void l1_front_begin_warp(struct l1_front *f, unsigned warp, uint64_t cta, unsigned cta_slot,
                         unsigned number) {
    f->cta[warp] = (uint32_t)cta;
    f->generation[warp]++;
    mdb_begin_warp(&f->mdb, warp, cta_slot, number);
    if (f->kind->begin_warp) {
        f->kind->begin_warp(f, warp, cta_slot, number);
    }
}

void l1_front_end_warp(struct l1_front *f, unsigned warp) {
    mdb_end_warp(&f->mdb, warp);
}

void l1_front_decide_way(struct l1_front *f, struct request *r, const struct now *now) {
    r->passes_l1 = mdb_goes_round(&f->mdb, r, now->cycle);
}

/* Reservation failures of all causes until now: those of the access at hand have been counted. */
static uint64_t sum_failures(const struct l1_front *f) {
    uint64_t sum = 0;
    for (unsigned cause = L1_FAILS; cause < L1_RESULTS; cause++) {
        sum += f->cache->stats.fails[cause];
    }
    return sum;
}

void l1_front_tell_taken(struct l1_front *f, const struct request *r, const struct now *now) {
    mdb_taken(&f->mdb, r, tag_set_of(&f->cache->tags, r->line), sum_failures(f),
              f->refusal.cause != 0, now->cycle);
}

void l1_front_watch_access(struct l1_front *f, const struct request *r) {
    f->watched->line = r->line;
    f->watched->pc = r->pc;
}

bool l1_front_register_stats(const struct l1_front *f, struct stats *s) {
    static const struct stat_member members[] = {
        {{"l1.fail_round", "core cycles",
          "an access that goes round the L1 waited: miss queue full; no reservation failure",
          "MDB 2.2", STAT_SUM},
         offsetof(struct l1_front_stats, pass_fails[L1_FAIL_MISS_QUEUE])},
    };
    for (unsigned i = 0; i < FRONT_KINDS; i++) {
        if (kinds[i]->register_stats &&
            !kinds[i]->register_stats(kinds[i] == f->kind ? f->own : NULL, s)) {
            return false;
        }
    }
    return stats_register_members(s, members, sizeof members / sizeof *members, &f->stats) &&
           mdb_register_stats(&f->mdb, s);
}
