/* SPDX-License-Identifier: Apache-2.0
 *
 * PCAL at the L2 (Li et al., HPCA 2015; MeDiC section 5): only misses of warps with a token take a
 * line. Each partition has its own tokens and uses its own requests alone, so it needs no wires to
 * the others.
 *
 * When an epoch begins, "the warp that recently used the cache" comes first (MeDiC 5): of the warps
 * that used the partition in the epoch before, those with the latest use keep or get a token. The
 * remaining tokens go to warps "in order of their arrival".
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "l2/policy.h"

struct tokens {
    unsigned warps, count; /* @count: tokens */
    unsigned left;         /* not granted in this epoch */
    uint64_t uses;         /* by all warps, for their order */
    uint64_t epoch_began;  /* uses before */
    uint64_t *last_use;    /* [warp] 0: never */
    bool *has;             /* [warp] */
    uint32_t *recent;      /* [count] warps while an epoch begins */
};

/* All tokens are left over. False: out of memory. */
static bool tokens_init(struct tokens *t, unsigned warps, unsigned count) {
    assert(warps);
    count = count < warps ? count : warps;
    *t = (struct tokens){.warps = warps,
                         .count = count,
                         .left = count,
                         .last_use = calloc(warps, sizeof(uint64_t)),
                         .has = calloc(warps, sizeof(bool)),
                         .recent = calloc(count + 1, sizeof(uint32_t))};
    return t->last_use && t->has && t->recent;
}

static void tokens_destroy(struct tokens *t) {
    free(t->last_use);
    free(t->has);
    free(t->recent);
}

/* A request of the warp arrives. Return: has the warp a token, also if just now? */
static bool tokens_use(struct tokens *t, unsigned warp) {
    assert(warp < t->warps);
    t->last_use[warp] = ++t->uses;
    if (!t->has[warp] && t->left) {
        t->left--;
        t->has[warp] = true;
    }
    return t->has[warp];
}

/* An epoch begins. */
static void tokens_epoch(struct tokens *t) {
    /* The latest users, the latest first: an insertion into a short sorted list. */
    unsigned found = 0;
    for (unsigned warp = 0; warp < t->warps; warp++) {
        uint64_t use = t->last_use[warp];
        t->has[warp] = false;
        if (use <= t->epoch_began) {
            continue;
        }
        unsigned at = found;
        while (at && t->last_use[t->recent[at - 1]] < use) {
            at--;
        }
        if (at < t->count) {
            unsigned kept = found < t->count ? found : t->count - 1;
            memmove(&t->recent[at + 1], &t->recent[at], (kept - at) * sizeof *t->recent);
            t->recent[at] = warp;
            found = kept + 1;
        }
    }
    for (unsigned i = 0; i < found; i++) {
        t->has[t->recent[i]] = true;
    }
    t->left = t->count - found;
    t->epoch_began = t->uses;
}

struct pcal {
    struct tokens tokens;
    uint64_t epoch; /* that the tokens are in */
};

static bool wants_tokens(const struct config *config) {
    return config->l2.allocation == L2_ALLOCATION_TOKENS;
}

static size_t pcal_state_size(const struct l2_policy_view *view) {
    (void)view;
    return sizeof(struct pcal);
}

static bool make_tokens(void *state, const struct l2_policy_view *view, const struct build *build) {
    const struct config *c = view->config;
    return tokens_init(&((struct pcal *)state)->tokens, c->core.count * c->core.warps,
                       c->pcal.tokens) ||
           build_refused(build, "out of memory");
}

static void destroy_tokens(void *state) {
    tokens_destroy(&((struct pcal *)state)->tokens);
}

/* Each request is a use of the cache. An epoch begins with the first L2 cycle at or after its
 * beginning. No warp has used the cache in the epochs between; after two without a use all epochs
 * are alike. */
static bool has_warp_token(void *state, const struct l2_policy_view *view,
                           const struct l2_policy_access *access) {
    struct pcal *p = state;
    uint64_t epoch = l2_policy_core_cycle(view) / view->config->pcal.epoch;
    for (unsigned i = 0; i < 2 && p->epoch != epoch; i++) {
        p->epoch = i ? epoch : p->epoch + 1;
        tokens_epoch(&p->tokens);
    }
    return tokens_use(&p->tokens, l2_policy_warp(view, access));
}

const struct l2_policy_kind l2_policy_pcal = {.name = "pcal",
                                              .about =
                                                  "only misses of warps with a token take a line",
                                              .wanted = wants_tokens,
                                              .state_size = pcal_state_size,
                                              .make = make_tokens,
                                              .destroy = destroy_tokens,
                                              .takes_line = has_warp_token};
