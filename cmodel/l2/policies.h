/* SPDX-License-Identifier: Apache-2.0
 *
 * The policies of a partition at work: questions and events of its front and its banks.
 */
#ifndef WARPMEM_L2_POLICIES_H
#define WARPMEM_L2_POLICIES_H

#include "base/alarm.h"
#include "base/tag_array.h"
#include "config/derived.h"
#include "l2/policy.h"

/* Events of a bank, and not of the front or the machine. */
#define L2_BANK_EVENTS \
    (L2_POLICY_EVENT(L2_POLICY_ACCESSED) | L2_POLICY_EVENT(L2_POLICY_TOUCHED) | \
     L2_POLICY_EVENT(L2_POLICY_EVICTED) | L2_POLICY_EVENT(L2_POLICY_INSERTED) | \
     L2_POLICY_EVENT(L2_POLICY_FILLED))

/**
 * struct l2_policies - of a partition.
 * @tags: of one bank; all have the same shape
 * @events: mask of the events that at least one policy receives
 * @bypasses: the answer of the policies that give the same for every request
 * @asks_bypass, @asks_line: a policy has bypass(), takes_line()
 * @sorts: l2_policy_sorts() of one
 * @order: the row that orders the lines of a set; NULL: LRU
 * @types: the kind of types that the policies use
 * @copy: room for a state, to check that a question does not change it; NULL: no question is
 *        repeated
 */
struct l2_policies {
    struct l2_policy_view view;
    const struct tag_array *tags;
    unsigned events, count;
    enum l2_bypass bypasses;
    bool asks_bypass, asks_line, sorts;
    struct l2_policy_row {
        const struct l2_policy_kind *kind;
        void *state;
        size_t state_size;
    } row[L2_POLICY_KINDS_MAX];
    const struct l2_policy_row *order;
    enum l2_types_of types;
    struct alarm *alarm;
    void *copy;
};

/** l2_policies_make() - of the partition that @view describes; @named: that of l2.policy, NULL:
 * none. False: refused. */
bool l2_policies_make(struct l2_policies *p, const struct l2_policy_view *view,
                      const struct tag_array *tags, const struct l2_policy_kind *named,
                      const struct build *build);
void l2_policies_destroy(struct l2_policies *p);
bool l2_policies_register_stats(const struct l2_policies *p, struct stats *s);

/** l2_policies_sort() - is the block l2/bypass before the banks? */
static inline bool l2_policies_sort(const struct l2_policies *p) {
    return p->sorts || config_has_l2_sorting(p->view.config);
}

static inline struct l2_policy_access l2_policy_access_of(const struct l2_policies *p,
                                                          const struct request *r) {
    unsigned shift = (unsigned)__builtin_ctz(p->view.banks);
    return (struct l2_policy_access){.line = r->local,
                                     .bank = (unsigned)r->local & (p->view.banks - 1),
                                     .set = tag_set_of(p->tags, r->local >> shift),
                                     .kind = (enum request_kind)r->kind,
                                     .core = r->core,
                                     .warp = r->warp,
                                     .pc = r->pc,
                                     .type =
                                         p->types ? (enum l2_class)r->l2_class : L2_CLASS_BALANCED};
}

/** l2_policies_tell() - pass on an event that a policy receives (the caller has checked
 * @events). */
void l2_policies_tell(const struct l2_policies *p, const struct l2_policy_event *event);

/** l2_policies_ask_bypass() - may a request bypass, before the type for it is known? */
enum l2_bypass l2_policies_ask_bypass(const struct l2_policies *p, const struct request *r);

/** l2_policies_bypass() - may a request at the end of its port bypass? */
static inline enum l2_bypass l2_policies_bypass(const struct l2_policies *p,
                                                const struct request *r) {
    return p->asks_bypass ? l2_policies_ask_bypass(p, r) : p->bypasses;
}

/** l2_policies_takes_line() - a request goes to its bank's queue: may it take a line? */
bool l2_policies_takes_line(const struct l2_policies *p, const struct request *r);

/** l2_policies_victim() - the way for the line of a request: a free one, else the policy's victim,
 * else that of LRU; TAG_NO_WAY: none, or the policy's answer was wrong and the alarm is set. */
int l2_policies_victim(const struct l2_policies *p, const struct tag_array *tags,
                       const struct request *r, unsigned set);

/** l2_policies_place() - the line of an access takes a way. Return: it becomes the least recently
 * used. */
static inline bool l2_policies_place(const struct l2_policies *p,
                                     const struct l2_policy_access *access, int way) {
    const struct l2_policy_row *row = p->order;
    return row && row->kind->place &&
           row->kind->place(row->state, &p->view, access, (unsigned)way) == L2_PLACE_LEAST_RECENT;
}

#endif
