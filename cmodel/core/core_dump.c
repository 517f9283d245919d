/* SPDX-License-Identifier: Apache-2.0 */
#include "core/core_dump.h"

#include <inttypes.h>

#include "core/core_policy.h"

/* The resource that the access at the head of the unit waits for; NULL: it was not refused. */
static const char *refused_by_l1(const struct load_store *u) {
    static const char *const what[L1_RESULTS] = {[L1_FAIL_ASSOCIATIVITY] = "a line of the set",
                                                 [L1_FAIL_MSHR_FULL] = "an MSHR",
                                                 [L1_FAIL_MSHR_MERGE] = "room in the line's MSHR",
                                                 [L1_FAIL_MISS_QUEUE] = "room in the miss queue"};
    static const char *const texture[TEXTURE_RESULTS] = {
        [TEXTURE_FAIL_FIFO] = "room in the texture FIFO",
        [TEXTURE_FAIL_REQUEST_QUEUE] = "room in the texture request queue",
        [TEXTURE_FAIL_REORDER] = "room in the texture reorder buffer"};
    return u->front.refusal.cause                         ? what[u->front.refusal.cause]
           : !u->read_only.cause                          ? NULL
           : u->read_only.fails == u->texture.stats.fails ? texture[u->read_only.cause]
                                                          : what[u->read_only.cause];
}

void core_dump_head(const struct core *c, FILE *out) {
    const char *refused = refused_by_l1(&c->load_store);
    fprintf(out, "  sm%u: %u CTAs; load/store unit: %u instructions%s%s\n", c->id, c->resident,
            c->load_store.count, refused ? ", its access waits for " : "", refused ? refused : "");
}

void core_dump_caches(const struct core *c, FILE *out) {
    const struct load_store *u = &c->load_store;
    fprintf(out, "    %-16s %u accesses, %u lines under way\n", "texture FIFO",
            u->texture.fifo_count, u->texture.reorder_count);
    fprintf(out, "    %-16s %u of %u taken\n", "MSHRs",
            u->cache.mshrs.entries - u->cache.mshrs.free_count, u->cache.mshrs.entries);
}

/* The warp's first access that waits for its turn, or its line, before the texture data. */
static void tell_texture(const struct core *c, unsigned w, FILE *out) {
    const struct texture_cache *t = &c->load_store.texture;
    for (unsigned i = 0; i < t->fifo_count; i++) {
        unsigned at = t->fifo_head + i;
        if (t->fifo[at < t->fifo_size ? at : at - t->fifo_size].warp == w) {
            fprintf(out, "      -> number %u of %u in sm%u, texture FIFO\n", i + 1, t->fifo_count,
                    c->id);
            return;
        }
    }
}

static const char *why_ready(const struct core *c, unsigned w) {
    const char *held = core_policy_reason(c, w);
    return held                                   ? held
           : (c->sending | c->answering) >> w & 1 ? "its turn, or its last instruction"
                                                  : "its turn, or the load/store unit";
}

/* Prints the warps of its CTA that have not arrived at its barrier. */
static void dump_barrier(const struct core *c, unsigned w, FILE *out) {
    const struct core_cta *t = &c->cta[c->warp[w].cta];
    const char *before = "      -> has not come there: warp ";
    for (unsigned i = t->first_warp; i < t->first_warp + t->warps; i++) {
        if (c->live >> i & 1 && !(c->at_barrier >> i & 1)) {
            fprintf(out, "%s%u", before, i);
            before = ", ";
        }
    }
    fprintf(out, "\n");
}

bool core_dump_warp(const struct core *c, unsigned w, FILE *out) {
    const char *refused = refused_by_l1(&c->load_store);
    const char *why = c->at_barrier >> w & 1           ? "barrier"
                      : c->at_fence >> w & 1           ? "its accesses, at a fence"
                      : c->ended >> w & 1              ? "its accesses, at the end"
                      : c->scoreboard.blocked >> w & 1 ? "a load"
                      : c->scoreboard.ready >> w & 1   ? why_ready(c, w)
                                                       : "a result";
    fprintf(out, "    warp %2u waits for %s (%u accesses outstanding)\n", w, why,
            c->warp[w].outstanding);
    if (c->at_barrier >> w & 1) {
        dump_barrier(c, w, out);
    }
    if (!c->warp[w].outstanding) {
        return false;
    }
    if (core_is_unsent(c, w)) {
        fprintf(out, "      -> %u in the load/store unit%s%s\n", c->load_store.unseen[w],
                refused ? ", whose first access waits for " : "", refused ? refused : "");
    }
    tell_texture(c, w, out);
    return core_is_beyond_l1(c, w);
}
