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
 * @events: L1_POLICY_EVENT() mask of the events that at least one policy receives
 * @decide: some have bypasses()
 * @prefetch: some request prefetches
 * @pc: of the access that is shown next, where its request does not bear it
 * @copy: with --poll: room for the largest state
 * @access: the one that the cache sees now, or has refused
 * @chooser: it chooses victims; NULL: none does
 */
struct l1_policies {
    struct l1_policy_view view;
    unsigned count, events;
    bool decide, prefetch;
    struct l1_policy_row {
        const struct l1_policy_kind *kind;
        void *state;
        size_t state_size;
    } row[L1_POLICIES_MAX];
    const struct l1_policy_row *chooser;
    uint16_t pc;
    struct alarm *alarm;
    void *copy;
    struct l1_policy_access access;
    struct l1_prefetches prefetches;
};

/**
 * l1_policies_make() - those that the configuration's keys select, and @named (NULL: none).
 * @p: set to NULL if there is none
 * @tags, @fails: as in struct l1_policy_view
 * @dropped: counts dropped prefetches
 * False: refused.
 */
bool l1_policies_make(struct l1_policies **p, const struct config *config,
                      const struct l1_policy_kind *named, unsigned core,
                      const struct tag_array *tags, const uint64_t *fails, uint64_t *dropped,
                      const struct build *build);
void l1_policies_destroy(struct l1_policies *p);

/** l1_policies_join() - all cores are made. @of: their policies, the same kinds in each, or NULL in
 * all. */
void l1_policies_join(struct l1_policies *const *of, unsigned cores);

/** l1_policies_access() - a request as policies see it. */
struct l1_policy_access l1_policies_access(const struct l1_policies *p, const struct request *r);

/** l1_policies_show() - the cache sees an access for the first time, or a prefetch. */
void l1_policies_show(struct l1_policies *p, const struct request *r, uint64_t cycle);

/** l1_policies_ask_bypass() - does the access that was shown last bypass the L1? */
bool l1_policies_ask_bypass(const struct l1_policies *p);

/** l1_policies_ask_victim() - the way for it, which misses: a free one, or as victim() of the
 * chooser, which must be there. */
int l1_policies_ask_victim(const struct l1_policies *p);

/** l1_policies_listen() - does a policy receive events of this kind? @p may be NULL. */
static inline bool l1_policies_listen(const struct l1_policies *p, enum l1_policy_event_kind kind) {
    return p && p->events >> kind & 1;
}

/** l1_policies_tell() - report an event in @cycle to the policies that receive it. */
void l1_policies_tell(struct l1_policies *p, const struct l1_policy_event *event, uint64_t cycle);

/** l1_policies_take_prefetch() - the oldest prefetch that waits, as a request; it waits no more. */
struct request l1_policies_take_prefetch(struct l1_policies *p);

/** l1_policies_state() - the state of the policy of this name; NULL: it is not there. */
void *l1_policies_state(const struct l1_policies *p, const char *name);

/** l1_policies_register_stats() - of every row of the table that keys can select, and of those of
 * @p, which may be NULL. */
bool l1_policies_register_stats(const struct l1_policies *p, struct stats *s);

#endif
