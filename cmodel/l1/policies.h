/* SPDX-License-Identifier: Apache-2.0
 *
 * The policies of one core's L1 (l1/policy.h) as its front and its cache use them.
 */
#ifndef WARPMEM_L1_POLICIES_H
#define WARPMEM_L1_POLICIES_H

#include "base/now.h"
#include "l1/policy.h"

/**
 * struct l1_policies - at least one.
 * @events: L1_POLICY_EVENT() mask of the events that any policy is told
 * @decide: some have bypasses()
 * @access: the one that the cache sees now, or has refused
 * @chooser: it chooses victims; NULL: none does
 */
struct l1_policies {
    struct l1_policy_view view;
    unsigned count, events;
    bool decide;
    struct l1_active_policy {
        const struct l1_policy_kind *kind;
        void *state;
    } policy[L1_POLICIES_MAX];
    const struct l1_active_policy *chooser;
    struct l1_policy_access access;
};

/**
 * l1_policies_make() - those that the configuration asks for.
 * @p: set to NULL where it asks for none
 * @tags, @fails: as in struct l1_policy_view
 * False: refused.
 */
bool l1_policies_make(struct l1_policies **p, const struct config *config, unsigned core,
                      const struct tag_array *tags, const uint64_t *fails,
                      const struct build *build);
void l1_policies_destroy(struct l1_policies *p);

/** l1_policies_join() - all cores are made. @of: their policies, the same kinds in each, or NULL in
 * all. */
void l1_policies_join(struct l1_policies *const *of, unsigned cores);

/** l1_policies_show() - the cache sees an access for the first time. */
void l1_policies_show(struct l1_policies *p, const struct request *r, uint64_t cycle);

/** l1_policies_bypass() - does the access that was shown last bypass the L1? */
bool l1_policies_bypass(const struct l1_policies *p);

/** l1_policies_victim() - the way for it, which misses: a free one, or as victim() of the chooser,
 * which must be there. */
int l1_policies_victim(const struct l1_policies *p);

/** l1_policies_listen() - is any policy told events of this kind? @p may be NULL. */
static inline bool l1_policies_listen(const struct l1_policies *p, enum l1_policy_event_kind kind) {
    return p && p->events >> kind & 1;
}

/** l1_policies_tell() - an event in @cycle. */
void l1_policies_tell(struct l1_policies *p, const struct l1_policy_event *event, uint64_t cycle);

/** l1_policies_state() - the state of the policy of this name; NULL: it is not there. */
void *l1_policies_state(const struct l1_policies *p, const char *name);

/** l1_policies_register_stats() - of every row; @p may be NULL. */
bool l1_policies_register_stats(const struct l1_policies *p, struct stats *s);

#endif
