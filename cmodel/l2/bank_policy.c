/* SPDX-License-Identifier: Apache-2.0
 *
 * The questions and events of an L2 bank for the policies of its partition.
 */
#include "l2/bank_parts.h"
#include "l2/prefetch.h"

/* The policy reads a request's set in the cycle before the access. Until that read, free_at is no
 * bound: the bank waits for the request. Return: true if there is an access. */
bool l2_bank_begin_access(struct l2_bank *b, const struct now *now) {
    const struct l2_policy_row *row = b->policies->order;
    const uint64_t ways = UINT64_MAX >> (TAG_WAYS_SMALL - b->tags.ways);
    if (b->set_read) {
        const struct l2_policy_access access =
            l2_policy_access_of(b->policies, &ring_front(&b->queue)->request);
        const struct tag_set *s = &b->tags.set[access.set];
        row->kind->begin_cycle(row->state, b->number, &access, ~(s->valid | s->reserved) & ways,
                               s->reserved);
        return true;
    }
    row->kind->begin_cycle(row->state, b->number, NULL, 0, ways);
    row->kind->end_cycle(row->state, b->number, (int)tag_set_of(&b->tags, head_line(b)));
    b->set_read = true;
    b->free_at = later_time(b->taken_until, now_next_edge(now));
    return false;
}

void l2_bank_end_access(struct l2_bank *b, uint64_t time) {
    const struct l2_policy_row *row = b->policies->order;
    int next = L2_POLICY_NO_SET;
    if (b->refused == L2_ACCEPTED) {
        b->set_read = b->queue.front_at <= time;
        next = b->set_read ? (int)tag_set_of(&b->tags, head_line(b)) : next;
        b->taken_until = b->free_at;
        b->free_at = b->set_read ? b->free_at : 0;
    }
    row->kind->end_cycle(row->state, b->number, next);
}

void l2_bank_tell(const struct l2_bank *b, enum l2_policy_event_kind kind,
                  const struct l2_policy_access *access, int way) {
    if (l2_bank_is_heard(b, kind)) {
        l2_policies_tell(b->policies, &(struct l2_policy_event){
                                          .kind = kind, .access = access, .way = (unsigned)way});
    }
}

bool l2_bank_place(const struct l2_bank *b, const struct l2_policy_access *access, int way) {
    bool low = l2_policies_place(b->policies, access, way);
    if (l2_bank_is_heard(b, L2_POLICY_EVICTED) && tag_is_valid(&b->tags, access->set, way)) {
        l2_policies_tell(b->policies,
                         &(struct l2_policy_event){.kind = L2_POLICY_EVICTED,
                                                   .access = access,
                                                   .way = (unsigned)way,
                                                   .line = tag_line(&b->tags, access->set, way)
                                                               << b->local_shift |
                                                           b->number});
    }
    return low;
}

void l2_bank_tell_use(struct l2_bank *b, const struct request *r, unsigned set, int way,
                      bool late) {
    if (b->prefetched) {
        l2_bank_count_used(b, set, way, late);
    }
    if (l2_bank_is_heard(b, L2_POLICY_TOUCHED)) {
        const struct l2_policy_access access = l2_policy_access_of(b->policies, r);
        l2_bank_tell(b, L2_POLICY_TOUCHED, &access, way);
    }
}

void l2_bank_tell_access(struct l2_bank *b, const struct request *r) {
    if (b->types) {
        l2_types_accessed(b->types, b->number, r, b->outcome == L2_HIT);
    }
    if (l2_bank_is_heard(b, L2_POLICY_ACCESSED)) {
        const struct l2_policy_access access = l2_policy_access_of(b->policies, r);
        l2_policies_tell(b->policies, &(struct l2_policy_event){.kind = L2_POLICY_ACCESSED,
                                                                .access = &access,
                                                                .outcome = b->outcome});
    }
}
