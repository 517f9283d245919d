/* SPDX-License-Identifier: Apache-2.0
 *
 * The policies of an L1, with the test in place of its cores and caches.
 */
#ifndef WARPMEM_TB_L1_POLICY_BENCH_H
#define WARPMEM_TB_L1_POLICY_BENCH_H

#include "base/seeded.h"

#include "config/preset.h"
#include "l1/policies.h"

enum { POLICY_CORES = 2 };

/* Cores whose policies are joined, and what their caches show them. */
struct policy_bench {
    struct config config;
    struct l1_policies *core[POLICY_CORES];
    struct tag_array tags;
    uint64_t fails[L1_RESULTS], dropped;
    uint64_t cycle, attention;
    struct alarm alarm;
    const struct l1_policy_kind *policy; /* of l1.policy; NULL: none */
};

static inline void open_policies(struct policy_bench *b) {
    char error[256] = "";
    const struct build build = {.alarm = &b->alarm, .error = error, .error_size = sizeof error};
    b->alarm.attention = &b->attention;
    b->config.core.count = POLICY_CORES;
    assert_legal(&b->config);
    assert_true(tag_array_init(&b->tags, b->config.l1.sets, b->config.l1.ways, TAG_INDEX_MODULO));
    for (unsigned i = 0; i < POLICY_CORES; i++) {
        if (!l1_policies_make(&b->core[i], &b->config, b->policy, i, &b->tags, b->fails,
                              &b->dropped, &build)) {
            fail_msg("%s", error);
        }
    }
    l1_policies_join(b->core, POLICY_CORES);
}

static inline void close_policies(struct policy_bench *b) {
    for (unsigned i = 0; i < POLICY_CORES; i++) {
        l1_policies_destroy(b->core[i]);
    }
    tag_array_destroy(&b->tags);
}

static inline void tell_core(struct policy_bench *b, unsigned core, struct l1_policy_event event) {
    if (b->core[core]) {
        l1_policies_tell(b->core[core], &event, b->cycle);
    }
}

/* A CTA in the slot, whose warps begin or end. */
static inline void begin_core_warps(struct policy_bench *b, unsigned core, unsigned slot,
                                    unsigned warps) {
    for (unsigned i = 0; i < warps; i++) {
        tell_core(b, core,
                  (struct l1_policy_event){.kind = L1_POLICY_WARP_BEGUN,
                                           .warp = slot * warps + i,
                                           .cta_slot = slot,
                                           .number = i});
    }
}

static inline void end_core_warps(struct policy_bench *b, unsigned core, unsigned slot,
                                  unsigned warps) {
    for (unsigned i = 0; i < warps; i++) {
        tell_core(b, core,
                  (struct l1_policy_event){.kind = L1_POLICY_WARP_ENDED, .warp = slot * warps + i});
    }
}

/* Does the access bypass the L1 in the cycle? */
static inline bool core_bypasses(struct policy_bench *b, unsigned core, const struct request *r,
                                 uint64_t cycle) {
    if (!b->core[core]) {
        return false;
    }
    l1_policies_show(b->core[core], r, cycle);
    return l1_policies_ask_bypass(b->core[core]);
}

/* The L1 takes the access in the bench's cycle. */
static inline void core_takes(struct policy_bench *b, unsigned core, const struct request *r,
                              bool bypasses, bool refused) {
    l1_policies_show(b->core[core], r, b->cycle);
    tell_core(b, core,
              (struct l1_policy_event){.kind = L1_POLICY_TAKEN,
                                       .access = &b->core[core]->access,
                                       .bypasses = bypasses,
                                       .refused = refused});
}

#endif
