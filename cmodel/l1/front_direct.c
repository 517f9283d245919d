/* SPDX-License-Identifier: Apache-2.0
 *
 * The two fronts without queues: none, and the slot of MRPB 5.4, whose head access may bypass from
 * the cycle after a refusal for a cause of mrpb.bypass.
 */
#include <stdlib.h>

#include "l1/front.h"
#include "l1/mrpb_bypass.h"

/* @slot_bypasses: the head access has been refused for a cause that lets it bypass; NULL: no
 * slot. */
static inline __attribute__((always_inline)) unsigned present_head(struct l1_front *f,
                                                                   struct memory_insn *m,
                                                                   bool *slot_bypasses,
                                                                   const struct now *now,
                                                                   struct l1_taken *taken) {
    bool only_bypass = slot_bypasses && refusal_is_only_bypass(&f->refusal);
    if (!refusal_may_try(&f->refusal, now->cycle)) {
        return L1_FRONT_SLEEPS;
    }
    struct request *r = &f->offered;
    if (!f->refusal.cause) { /* else it is the one that was refused */
        l1_front_make_request(f, m, r);
    }
    r->may_bypass = slot_bypasses && *slot_bypasses;
    if (l1_front_present(f, r, only_bypass, m->trip, now, taken)) {
        if (slot_bypasses) {
            *slot_bypasses = false;
        }
        return L1_FRONT_ENTERED | L1_FRONT_TAKEN;
    }
    if (slot_bypasses && !*slot_bypasses && m->kind == REQUEST_READ &&
        l1_data_cache_bypass_helps(f->cache, f->refusal.cause)) {
        *slot_bypasses = true;
        l1_front_retry_bypass(f); /* it is another request to the cache now */
        return 0;
    }
    return L1_FRONT_SLEEPS;
}

static unsigned none_cycle(struct l1_front *f, struct memory_insn *m, const struct now *now,
                           struct l1_taken *taken) {
    return present_head(f, m, NULL, now, taken);
}

static unsigned slot_cycle(struct l1_front *f, struct memory_insn *m, const struct now *now,
                           struct l1_taken *taken) {
    return present_head(f, m, f->own, now, taken);
}

static bool slot_init(struct l1_front *f, const char *where, const uint64_t *cycle,
                      const struct build *build) {
    (void)where, (void)cycle, (void)build;
    f->own = calloc(1, sizeof(bool));
    return f->own;
}

static void slot_destroy(struct l1_front *f) {
    free(f->own);
    f->own = NULL;
}

static bool none_is_wanted(const struct config *config) {
    return config->l1.front == L1_FRONT_NONE && !config->l1.front_latency;
}

static bool slot_is_wanted(const struct config *config) {
    return config->l1.front == L1_FRONT_SLOT;
}

const struct l1_front_kind l1_front_none = {.wanted = none_is_wanted, .cycle = none_cycle};

const struct l1_front_kind l1_front_slot = {.wanted = slot_is_wanted,
                                            .bypass_causes = mrpb_bypass_causes,
                                            .init = slot_init,
                                            .destroy = slot_destroy,
                                            .cycle = slot_cycle};
