/* SPDX-License-Identifier: Apache-2.0
 *
 * Policies of the L1 for tests: they prefetch, bypass and choose victims by what they have been
 * told so far, without sense and at every event.
 */
#ifndef WARPMEM_TB_L1_TEST_POLICIES_H
#define WARPMEM_TB_L1_TEST_POLICIES_H

#include "l1/policy.h"

struct busy_policy {
    unsigned events;
    struct l1_policy_access last;
};

static inline size_t size_of_busy_policy(const struct l1_policy_view *view) {
    (void)view;
    return sizeof(struct busy_policy);
}

/* Neighbours of each access, the line behind each fill, and far ones as warps come and go. */
static inline void tell_busy_policy(void *state, const struct l1_policy_view *view,
                                    const struct l1_policy_event *event,
                                    struct l1_prefetches *prefetches) {
    struct busy_policy *p = state;
    p->last = event->access ? *event->access : p->last;
    p->events++;
    unsigned turn = (p->events + (unsigned)view->cycle) % 8;
    l1_prefetch_line(prefetches, &p->last,
                     turn == 7                         ? p->last.line ^ UINT64_C(1) << 45
                     : event->kind == L1_POLICY_FILLED ? p->last.line + 2
                     : event->access                   ? p->last.line + 1 - turn / 2
                                                       : p->last.line + 11);
}

static inline bool busy_policy_bypasses(const void *state, const struct l1_policy_view *view,
                                        const struct l1_policy_access *access) {
    (void)view;
    return (((const struct busy_policy *)state)->events + access->line + access->pc) % 5 == 0;
}

static inline int choose_busy_victim(const void *state, const struct l1_policy_view *view,
                                     const struct l1_policy_access *access, uint64_t candidates) {
    const unsigned turn = ((const struct busy_policy *)state)->events % 8;
    (void)view;
    return !candidates                                 ? L1_NO_VICTIM
           : turn == 7 && access->kind == REQUEST_READ ? L1_NO_LINE
           : turn % 2                                  ? __builtin_ctzll(candidates)
                                                       : 63 - __builtin_clzll(candidates);
}

#define BUSY_POLICY(called, ...) \
    { \
        .name = called, .state_size = size_of_busy_policy, .prefetches = true, \
        .tell = tell_busy_policy, .events = L1_POLICY_EVENT(L1_POLICY_FILLED + 1) - 1, __VA_ARGS__ \
    }

/** busy_policy() - the i-th; NULL: there are no more. */
static inline const struct l1_policy_kind *busy_policy(unsigned i) {
    static const struct l1_policy_kind kinds[] = {
        BUSY_POLICY("busy-prefetcher", .bypasses = NULL),
        BUSY_POLICY("busy-bypasser", .bypasses = busy_policy_bypasses),
        BUSY_POLICY("busy-chooser", .victim = choose_busy_victim),
    };
    return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}

#endif
