/* SPDX-License-Identifier: Apache-2.0
 *
 * The wiring between a core and its issue policies (issue/policy.h): the parts of the core's state
 * that they see, and the times at which they see them.
 *
 * Masks and groups follow from the state after the memory side of a cycle and before its issue: an
 * issue by one scheduler does not change them for the next one in the same cycle.
 */
#ifndef WARPMEM_CORE_CORE_POLICY_H
#define WARPMEM_CORE_CORE_POLICY_H

#include "core/core.h"

/** core_policy_init() - the policies of the configuration, and @extra behind them (NULL: none);
 * their blocks, and the arbiters where one has groups. With build->asks_twice it computes masks
 * twice, and rings the alarm when a policy gives other masks or changes its state then. False:
 * refused. */
bool core_policy_init(struct core *c, const struct policy_kind *extra, const struct build *build);
void core_policy_destroy(struct core *c);

/** core_policy_refresh() - compute masks and groups again. */
void core_policy_refresh(struct core *c);

/** core_policy_next_change() - the first core cycle after the current one in which masks may change
 * without an event; UINT64_MAX: none. */
uint64_t core_policy_next_change(const struct core *c);

/** core_policy_listens() - does a policy receive events of this kind? */
static inline bool core_policy_listens(const struct core *c, enum policy_event_kind kind) {
    return c->policies.events >> kind & 1;
}

/** core_policy_tell() - report an event that a policy receives. */
void core_policy_tell(struct core *c, const struct policy_event *event);

/** core_policy_tell_access() - report the access that the L1 has just taken to the victim tags, and
 * as POLICY_ACCESS to the policies. Only where core_policy_watches(). */
void core_policy_tell_access(struct core *c, const struct l1_taken *taken, uint64_t cycle);

/** core_policy_tell_eviction() - report the line that a prefetch evicted, or a fill with
 * l1.allocate = fill, to the victim tags. Only where core_policy_watches(). */
void core_policy_tell_eviction(struct core *c);

void core_policy_tell_hits(struct core *c, uint64_t cycle);

/** core_policy_watches() - is core_policy_tell_access() to be called? */
static inline bool core_policy_watches(const struct core *c) {
    return c->policies.watches;
}

/** core_policy_tell_victims() - step the victim tags up to @cycle and report their hits as
 * POLICY_LOST_LINE, before anything else in a cycle. Does nothing without victim tags. */
static inline void core_policy_tell_victims(struct core *c, uint64_t cycle) {
    struct victim_watch *victims = c->load_store.victims;
    if (victims && victims->busy) {
        core_policy_tell_hits(c, cycle);
    } else if (victims) {
        victim_watch_rest(victims, cycle);
    }
}

/** core_policy_settle() - bring counters of policies and victim tags up to, not including,
 * @cycle. */
void core_policy_settle(struct core *c, uint64_t cycle);
bool core_policy_register_stats(const struct core *c, struct stats *s);

/** core_policy_allowed() - the warps of a mask that no policy holds in this cycle. */
static inline uint64_t core_policy_allowed(const struct core *c, uint64_t warps) {
    return policy_allowed(&c->policies.masks, warps, c->memory_next, c->cached_load_next);
}

/** core_policy_reason() - for the dump: the reason why a policy holds the warp; NULL: none does. */
const char *core_policy_reason(const struct core *c, unsigned warp);

#endif
