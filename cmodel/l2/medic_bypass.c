/* SPDX-License-Identifier: Apache-2.0
 *
 * MeDiC's bypassing (Ausavarungnirun et al., PACT 2015, section 4.2): requests of mostly-miss warps
 * go to the DRAM. With medic.reuse = bloom, requests for lines that bypassed or were evicted lately
 * do not; a Bloom filter in each partition records those lines (6.4).
 */
#include "l2/address_filter.h"
#include "l2/policy.h"

static bool wants_type_bypass(const struct config *config) {
    return config->l2.bypass == L2_BYPASS_WARP_TYPE && config->medic.reuse == MEDIC_REUSE_OFF;
}

const struct l2_policy_kind l2_policy_wbyp = {.name = "wbyp",
                                              .about = "requests of mostly-miss warps bypass",
                                              .wanted = wants_type_bypass,
                                              .types = L2_TYPES_OF_WARPS,
                                              .bypasses = L2_BYPASS_BY_TYPE};

static bool wants_reuse_filter(const struct config *config) {
    return config->l2.bypass == L2_BYPASS_WARP_TYPE && config->medic.reuse == MEDIC_REUSE_BLOOM;
}

static size_t reuse_filter_size(const struct l2_policy_view *view) {
    (void)view;
    return sizeof(struct address_filter);
}

static bool make_reuse_filter(void *state, const struct l2_policy_view *view,
                              const struct build *build) {
    const struct config *c = view->config;
    return address_filter_init(state, c->eaf.bits, c->eaf.hashes, c->eaf.addresses) ||
           build_refused(build, "out of memory");
}

static void destroy_reuse_filter(void *state) {
    address_filter_destroy(state);
}

static enum l2_bypass bypass_unless_reused(const void *state, const struct l2_policy_view *view,
                                           const struct l2_policy_access *access) {
    (void)view;
    return address_filter_knows(state, access->line) ? L2_BYPASS_NEVER : L2_BYPASS_BY_TYPE;
}

static void note_reuse(void *state, const struct l2_policy_view *view,
                       const struct l2_policy_event *event) {
    (void)view;
    address_filter_insert(state,
                          event->kind == L2_POLICY_EVICTED ? event->line : event->access->line);
}

const struct l2_policy_kind l2_policy_wbyp_reuse = {
    .name = "wbyp-reuse",
    .about = "the same, but not for lines that bypassed or were evicted lately",
    .wanted = wants_reuse_filter,
    .types = L2_TYPES_OF_WARPS,
    .events = L2_POLICY_EVENT(L2_POLICY_BYPASSED) | L2_POLICY_EVENT(L2_POLICY_EVICTED),
    .state_size = reuse_filter_size,
    .make = make_reuse_filter,
    .destroy = destroy_reuse_filter,
    .bypass = bypass_unless_reused,
    .tell = note_reuse};
