/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/prefetch.h"

#include "base/clock.h"
#include "l2/bank_parts.h"
#include "l2/bank_sectors.h"
#include "l2/partition.h"
#include "l2/partition_parts.h"

/* The bank refuses a claim that has waited this many L2 cycles for a cycle without a request,
 * because the claim holds its row open. */
#define CLAIM_CYCLES 16

static bool *prefetched_mark(struct l2_bank *b, unsigned set, int way) {
    return &b->prefetched[set * b->tags.ways + (unsigned)way];
}

/* The way for a line that the bank lacks; TAG_NO_WAY: each would need a write-back. */
static int find_clean_victim(const struct l2_bank *b, unsigned set) {
    int way = tag_victim(&b->tags, set);
    return way == TAG_NO_WAY || tag_is_dirty(&b->tags, set, way) ? TAG_NO_WAY : way;
}

static struct l2_policy_access access_of_prefetch(const struct l2_bank *b, uint64_t local) {
    struct l2_policy_access access = l2_bank_access_of_line(b, local);
    access.prefetch = true;
    return access;
}

/* A prefetched line takes the way, which is as it was. Return: it becomes the least recently
 * used. */
static bool place_prefetched(struct l2_bank *b, const struct l2_policy_access *access, int way) {
    bool low = b->policies && l2_bank_place(b, access, way);
    l2_bank_count_unused(b, access->set, way);
    return low || b->config->owl.prefetched == OWL_PREFETCHED_LAST;
}

/* The way has its line: marks and counts it, and puts it in its place. */
static void settle_prefetched(struct l2_bank *b, const struct l2_policy_access *access, int way,
                              bool low) {
    *prefetched_mark(b, access->set, way) = true;
    b->stats.prefetches++;
    if (low) {
        tag_demote(&b->tags, access->set, way);
    }
    l2_bank_tell(b, L2_POLICY_INSERTED, access, way);
    if (b->refused != L2_ACCEPTED) {
        b->changed |= b->waits; /* its victim or its cause may have changed */
    }
}

bool l2_bank_claim(struct l2_bank *b, struct request *r) {
    const struct l2_policy_access access = access_of_prefetch(b, r->local);
    uint64_t line = r->local >> b->local_shift;
    unsigned set = access.set;
    if (b->config->owl.claim == OWL_CLAIM_LATE) {
        r->l2_route = L2_ROUTE_PREFETCH;
        return true;
    }
    if (tag_find(&b->tags, set, line) != TAG_NO_WAY) {
        b->stats.prefetches_here++;
        return false;
    }
    int way = find_clean_victim(b, set);
    if (way == TAG_NO_WAY || l2_bank_free_mshrs(b) < 2) {
        b->stats.prefetches_refused++;
        return false;
    }
    bool low = place_prefetched(b, &access, way);
    r->kind = REQUEST_WRITEBACK; /* no request waits */
    unsigned entry = mshr_allocate(&b->mshrs, r);
    if (b->pool) {
        b->pool->free--; /* not the last one */
    }
    r->kind = REQUEST_READ;
    r->l2_mshr = (uint16_t)entry;
    r->l2_way = (uint32_t)way;
    tag_reserve(&b->tags, set, way, line, entry);
    if (b->sectors) {
        l2_sectors_fetch_all(b, line, set, way, entry);
    }
    settle_prefetched(b, &access, way, low);
    return true;
}

void l2_bank_take_unclaimed(struct l2_bank *b, const struct request *r) {
    const struct l2_policy_access access = access_of_prefetch(b, r->local);
    uint64_t line = r->local >> b->local_shift;
    if (tag_find(&b->tags, access.set, line) != TAG_NO_WAY) {
        b->stats.prefetches_here++;
        return;
    }
    int way = find_clean_victim(b, access.set);
    if (way == TAG_NO_WAY) {
        b->stats.prefetches_refused++;
        return;
    }
    bool low = place_prefetched(b, &access, way);
    tag_insert(&b->tags, access.set, way, line);
    if (b->sectors) {
        l2_sectors_fill_all(b, access.set, way);
    }
    settle_prefetched(b, &access, way, low);
    l2_bank_tell(b, L2_POLICY_FILLED, &access, way);
}

void l2_bank_count_used(struct l2_bank *b, unsigned set, int way, bool late) {
    bool *mark = prefetched_mark(b, set, way);
    b->stats.prefetches_used += *mark;
    b->stats.prefetches_late += *mark && late;
    *mark = false;
}

void l2_bank_count_unused(struct l2_bank *b, unsigned set, int way) {
    bool *mark = prefetched_mark(b, set, way);
    b->stats.prefetches_unused += *mark;
    *mark = false;
}

/* The answer to the claim at the head; the channel sees it an L2 cycle later. */
static void send_answer(struct l2_partition *p, const struct request *r, const struct now *now) {
    ring_push(p->answers, r, now_next_edge(now), 1);
    ring_pop(&p->claims, now->time);
    clock_wake_at(p->dram_clock, p->channel, now->time, now_next_edge(now));
}

static void refuse_claim(struct l2_partition *p, struct l2_bank *b, const struct now *now) {
    struct request r = ring_front(&p->claims)->request;
    r.unclaimed = true;
    b->stats.prefetches_refused++;
    send_answer(p, &r, now);
}

static void answer_claim(struct l2_partition *p, struct l2_bank *b, const struct now *now) {
    struct request r = ring_front(&p->claims)->request;
    if (p->dram_reads == p->reads) {
        refuse_claim(p, b, now);
        return;
    }
    r.unclaimed = !l2_bank_claim(b, &r);
    p->dram_reads += !r.unclaimed;
    b->stats.claims += !r.unclaimed;
    send_answer(p, &r, now);
}

/* Has the bank taken a request in this cycle? */
static bool has_taken_request(const struct l2_bank *b, const struct now *now) {
    return b->free_at == now->time + b->config->l2.bank_interval * now->period;
}

uint64_t l2_partition_cycle_with_claims(struct l2_partition *p, const struct now *now, bool poll) {
    uint64_t next = p->evaluate_requests(p, now, poll);
    const struct ring_entry *claim = ring_head(&p->claims, now->time);
    if (claim) {
        struct l2_bank *b = bank_of(p, &claim->request);
        uint64_t waited = (now->time - claim->visible_at) / now->period;
        next = earlier_time(next, now_next_edge(now));
        if (!has_taken_request(b, now)) {
            answer_claim(p, b, now);
        } else if (waited >= CLAIM_CYCLES) {
            refuse_claim(p, b, now);
        }
    }
    return earlier_time(next, ring_next(&p->claims));
}
