/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/front.h"

#include <stddef.h>
#include <stdio.h>

#define ADDRESS_BITS 48 /* of a program */

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
                   struct l1_data_cache *cache, const struct l1_policy_kind *named,
                   const uint64_t *cycle, const struct build *build) {
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
    if (!l1_policies_make(&f->policies, config, named, core, &cache->tags, cache->stats.fails,
                          &cache->stats.prefetch.dropped, build)) {
        return false;
    }
    f->follows = f->policies && (f->policies->prefetch || f->policies->chooser);
    cache->prefetches = f->policies && f->policies->prefetch;
    cache->chooser = f->policies && f->policies->chooser ? f->policies : NULL;
    return !kind->init || kind->init(f, where, cycle, build);
}

void l1_front_destroy(struct l1_front *f) {
    if (f->kind && f->kind->destroy) {
        f->kind->destroy(f);
    }
    l1_policies_destroy(f->policies);
    f->policies = NULL;
}

void l1_front_begin_warp(struct l1_front *f, unsigned warp, uint64_t cta, unsigned cta_slot,
                         unsigned number) {
    f->cta[warp] = (uint32_t)cta;
    f->generation[warp]++;
    if (f->kind->begin_warp) {
        f->kind->begin_warp(f, warp, cta_slot, number);
    }
}

void l1_front_decide_way(struct l1_front *f, struct request *r, const struct now *now) {
    l1_policies_show(f->policies, r, now->cycle);
    r->passes_l1 = f->policies->decide && l1_policies_ask_bypass(f->policies);
}

void l1_front_tell_result(struct l1_front *f, const struct request *r, enum l1_result result,
                          const struct now *now) {
    bool refused = f->refusal.cause != 0, fails = result >= L1_FAILS;
    enum l1_policy_event_kind kind = fails ? L1_POLICY_REFUSED : L1_POLICY_TAKEN;
    if (!(fails && refused) && l1_policies_listen(f->policies, kind)) {
        f->refusal.retry |= f->cache->chooser ? RETRY_CHANGE : RETRY_NEVER; /* what it says now */
        l1_policies_tell(f->policies,
                         &(struct l1_policy_event){
                             .kind = kind,
                             .access = &f->policies->access,
                             .result = result,
                             .bypasses = r->passes_l1,
                             .refused = refused,
                         },
                         now->cycle);
    }
}

void l1_front_tell_filled(struct l1_front *f, const struct request *reply, uint64_t cycle) {
    struct l1_policy_access access = l1_policies_access(f->policies, reply);
    access.pc = 0; /* on its way back a request has something else there */
    l1_policies_tell(f->policies,
                     &(struct l1_policy_event){
                         .kind = L1_POLICY_FILLED,
                         .access = &access,
                         .way = tag_find(&f->cache->tags, access.set, access.line),
                     },
                     cycle);
}

bool l1_front_prefetch(struct l1_front *f, const struct now *now) {
    struct request r = l1_policies_take_prefetch(f->policies);
    bool far = r.line >> (ADDRESS_BITS - __builtin_ctz(f->config->l1.line_bytes));
    if (!far) {
        l1_policies_show(f->policies, &r, now->cycle); /* for the chooser of victims */
    }
    if (far || !l1_data_cache_prefetch(f->cache, &r, now)) {
        f->cache->stats.prefetch.dropped++;
        return false;
    }
    return true;
}

void l1_front_watch_access(struct l1_front *f, const struct request *r) {
    f->watched->line = r->line;
    f->watched->pc = r->pc;
}

bool l1_front_register_stats(const struct l1_front *f, struct stats *s) {
    static const struct stat_member members[] = {
        {{"l1.fail_round", "core cycles",
          "an access that bypasses the L1 waited: miss queue full; no reservation failure",
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
           l1_policies_register_stats(f->policies, s) &&
           (!f->cache->prefetches || l1_prefetch_register_stats(&f->cache->stats.prefetch, s));
}
