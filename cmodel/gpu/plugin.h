/* SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in: a shared object that brings policies, built against these headers and loaded with
 * --plugin FILE. docs/extending.md goes through one; examples/policy has six.
 *
 *     static const struct policy_kind *const policies[] = {&mine, NULL};
 *     const struct plugin warpmem_plugin = {PLUGIN_HEAD, .issue = policies};
 *
 * A policy's name becomes a scheme of its own: --scheme gto+mine.
 */
#ifndef WARPMEM_GPU_PLUGIN_H
#define WARPMEM_GPU_PLUGIN_H

#include "gpu/named_policies.h"

#define PLUGIN_SYMBOL "warpmem_plugin"
#define PLUGIN_VERSION 4 /* grows when a member changes its meaning */

/* The sizes of all that a plug-in shares with the program: others than the program's mean that it
 * was built with other headers. */
#define PLUGIN_LAYOUT \
    { \
        sizeof(struct policy_kind), sizeof(struct policy_view), sizeof(struct policy_event), \
            sizeof(struct policy_access), sizeof(struct issue_policy), \
            sizeof(struct l1_policy_kind), sizeof(struct l1_policy_view), \
            sizeof(struct l1_policy_event), sizeof(struct l1_policy_access), \
            sizeof(struct l1_prefetches), sizeof(struct tag_array), sizeof(struct l2_policy_kind), \
            sizeof(struct l2_policy_view), sizeof(struct l2_policy_event), \
            sizeof(struct l2_policy_access), sizeof(struct dram_scheduler_kind), \
            sizeof(struct dram_view), sizeof(struct dram_event), sizeof(struct dram_channel), \
            sizeof(struct config) \
    }
#define PLUGIN_LAYOUT_SIZES 20

#define PLUGIN_HEAD .version = PLUGIN_VERSION, .layout = PLUGIN_LAYOUT

/**
 * struct plugin - what a plug-in exports as PLUGIN_SYMBOL: for each place of POLICY_PLACES a list
 * of policies that ends with NULL; NULL: none. A policy's wanted() is not called.
 */
struct plugin {
    uint32_t version;
    uint32_t layout[PLUGIN_LAYOUT_SIZES];
#define PLUGIN_MEMBER(place, kind, row_at) const kind *const *place;
    POLICY_PLACES(PLUGIN_MEMBER)
#undef PLUGIN_MEMBER
};

#endif
