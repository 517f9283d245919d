/* SPDX-License-Identifier: Apache-2.0
 *
 * The cycle of an L2 bank: answers, fills, and the access of the request at its head.
 */
#include <assert.h>
#include <inttypes.h>

#include "base/events.h"
#include "l2/bank_clean.h"
#include "l2/bank_parts.h"
#include "l2/bank_sectors.h"
#include "l2/prefetch.h"

/* --- answers --- */

/* A request that waited for a line has those stages of its fetch that came after its own access. */
static void stamp_fill(struct request *r, const struct l2_fill *f) {
    uint64_t access = r->born + r->stamp[STAMP_BANK];
    request_stamp(r, STAMP_DRAM, later_time(access, f->dram));
    request_stamp(r, STAMP_SERVICE, later_time(access, f->service));
    request_stamp(r, STAMP_DATA, later_time(access, f->data));
}

/* Answer a request that waited for a fill, if it is to be answered; there is room at the output.
 * @cycle: of the answer, which can be seen l2.fill_latency later */
static inline void answer_waiting(struct l2_bank *b, const struct request *r, unsigned entry,
                                  const struct now *now, uint64_t cycle) {
    if (is_answered(r)) {
        push_answer(b, r, now_time_of(now, cycle + b->config->l2.fill_latency));
        stamp_fill(newest_request(&b->output), &b->fill[entry]);
    }
}

/* An MSHR is free: a refused request of any bank may wait for it. */
static void give_to_pool(struct l2_mshr_pool *pool) {
    if (pool) {
        pool->free++;
        note_all_banks(pool, L2_CHANGE_MSHR_FREE);
    }
}

static void answer_oldest_waiting(struct l2_bank *b, const struct now *now) {
    answer_waiting(b, mshr_first(&b->mshrs), b->mshrs.ready[b->mshrs.ready_head], now, now->cycle);
    if (mshr_wake(&b->mshrs)) {
        l2_bank_note(b, L2_CHANGE_MSHR_FREE);
        give_to_pool(b->pool);
    }
}

static bool can_answer_waiting(const struct l2_bank *b, uint64_t time) {
    return mshr_ready(&b->mshrs) &&
           (l2_bank_output_room(b, time) || !is_answered(mshr_first(&b->mshrs)));
}

/* A fill changes something for a request that was refused if both are of one set. */
static bool is_set_of_head(const struct l2_bank *b, unsigned set) {
    return b->refused != L2_ACCEPTED && tag_set_of(&b->tags, head_line(b)) == set;
}

/* With sectors: the MSHRs that have all their data. Return: that of this fill is the only one, and
 * is left to the caller, who answers its request @ahead. */
static bool fill_sectors(struct l2_bank *b, uint64_t line, unsigned own, bool ahead,
                         const struct now *now) {
    int first = sectors_take_complete(b->sectors, line), next = first;
    if (ahead && first == (int)own) {
        next = sectors_take_complete(b->sectors, line);
        if (next == SECTORS_NO_MSHR) {
            return true;
        }
        mshr_fill(&b->mshrs, own);
    }
    for (; next != SECTORS_NO_MSHR; next = sectors_take_complete(b->sectors, line)) {
        b->fill[next].data = now->time;
        mshr_fill(&b->mshrs, (unsigned)next);
    }
    return false;
}

/* False: it stays where it is. */
static bool take_fill(struct l2_bank *b, const struct now *now) {
    struct ring_entry *e = ring_front(b->from_dram);
    struct request *r = &e->request;
    if (r->l2_route == L2_ROUTE_BYPASS) {
        return l2_bank_take_return(b, now);
    }
    if (r->l2_route == L2_ROUTE_PREFETCH) {
        l2_bank_take_unclaimed(b, r);
        ring_pop(b->from_dram, now->time);
        return true;
    }
    uint64_t line = r->local >> b->local_shift;
    unsigned set = tag_set_of(&b->tags, line);
    int way = (int)r->l2_way;
    assert(tag_line(&b->tags, set, way) == line && !tag_is_valid(&b->tags, set, way));
    bool no_access = b->queue.front_at > now->time || (b->refused == L2_FAIL_ASSOCIATIVITY &&
                                                       !b->changed && !is_set_of_head(b, set));
    bool ahead = b->wakes_ahead && !mshr_ready(&b->mshrs) && no_access &&
                 now_next_edge(now) < *b->seen_at && b->mshrs.waiting[r->l2_mshr] == 1 &&
                 b->output.used + (b->output.leaving_until > now->time) < b->output.capacity;
    bool whole = true, wakes = !ahead;
    if (b->sectors) {
        whole = l2_sectors_arrive(b, set, way, r->l2_mshr);
        ahead = fill_sectors(b, line, r->l2_mshr, ahead, now);
        wakes = false;
    }
    if (whole) {
        tag_fill(&b->tags, set, way);
        if (l2_bank_is_heard(b, L2_POLICY_FILLED)) {
            const struct l2_policy_access access = l2_bank_access_of_line(b, r->local);
            l2_bank_tell(b, L2_POLICY_FILLED, &access, way);
        }
    }
    b->fill[r->l2_mshr] = (struct l2_fill){.dram = r->born + r->stamp[STAMP_DRAM],
                                           .service = r->born + r->stamp[STAMP_SERVICE],
                                           .data = now->time};
    if (ahead) {
        answer_waiting(b, mshr_only(&b->mshrs, r->l2_mshr), r->l2_mshr, now, now->cycle + 1);
        mshr_release(&b->mshrs, r->l2_mshr);
        l2_bank_note(b, L2_CHANGE_MSHR_FREE);
    } else if (wakes) {
        mshr_fill(&b->mshrs, r->l2_mshr);
    }
    EVENT(b->events, now->time, "l2.p%ub%u fill local %" PRIx64 "\n", b->partition, b->number,
          r->local);
    ring_pop(b->from_dram, now->time);
    l2_bank_note(b, is_set_of_head(b, set) ? L2_CHANGE_FILL : 0);
    return true;
}

/* --- accesses --- */

static void answer_hit(struct l2_bank *b, struct request *r, const struct now *now) {
    count_outcome(b, r, L2_HIT);
    request_stamp(r, STAMP_BANK, now->time);
    if (is_answered(r)) {
        r->stamp[STAMP_DATA] = r->stamp[STAMP_BANK];
        r->l2_hit = true;
        push_answer(b, r, now->time + b->config->l2.hit_latency * now->period);
    }
}

/* @r uses its line. */
static inline void note_use(struct l2_bank *b, const struct request *r, unsigned set, int way,
                            bool late) {
    tag_touch(&b->tags, set, way);
    if (b->hears_uses) {
        l2_bank_tell_use(b, r, set, way, late);
    }
}

/* The data of @r change its line. */
static inline void write_line(struct l2_bank *b, const struct request *r, unsigned set, int way) {
    if (!b->through) {
        tag_set_dirty(&b->tags, set, way);
    }
    if (b->sectors) {
        l2_sectors_write(b, r, set, way);
    }
}

/* The line that a write of this one, or in place of this one, writes back. */
static inline int line_to_clean(const struct l2_bank *b, unsigned set, int way) {
    return __builtin_expect(b->dirty_ways != 0, false) ? l2_dirty_line_to_clean(b, set, way)
                                                       : TAG_NO_WAY;
}

static inline enum l2_refusal take_hit(struct l2_bank *b, struct request *r, unsigned set, int way,
                                       const struct now *now) {
    bool changes = !request_reads(r), through = changes && b->through;
    const int clean = changes ? line_to_clean(b, set, way) : TAG_NO_WAY;
    /* The output comes last: wakes may fill it while this request waits for something else. */
    if ((through || clean != TAG_NO_WAY) && !ring_room(way_of_writes(b, r), now->time)) {
        return L2_FAIL_MISS_QUEUE;
    }
    if (is_answered(r) && !l2_bank_output_room(b, now->time)) {
        return L2_FAIL_OUTPUT;
    }
    note_use(b, r, set, way, false);
    if (through) {
        l2_bank_send_write(b, r->local, r, r->bytes, now_next_edge(now));
        b->stats.write_throughs++;
    }
    if (changes) {
        write_line(b, r, set, way);
    }
    if (clean != TAG_NO_WAY) {
        l2_clean_line(b, r, set, clean, now_next_edge(now));
    }
    answer_hit(b, r, now);
    return L2_ACCEPTED;
}

static bool is_pure_write(const struct request *r) {
    return r->kind == REQUEST_WRITE || r->kind == REQUEST_WRITEBACK;
}

/* The effects of a miss. */
struct plan {
    int line; /* the way of its line, whose sectors it lacks, or TAG_NO_WAY */
    bool allocates, fetches;
    bool goes_on; /* its bytes go to the DRAM now */
    bool at_once; /* no request waits for the line: acknowledged now, or never */
    bool plain;   /* in a plain bank: no other check */
};

static struct plan plan_miss(const struct l2_bank *b, const struct request *r, int line) {
    unsigned policy = b->config->l2.write_miss;
    if (request_reads(r)) {
        return (struct plan){.line = line, .allocates = true, .fetches = true};
    }
    if (r->l2_route != L2_ROUTE_CACHE && is_pure_write(r)) {
        return (struct plan){.line = line, .goes_on = true, .at_once = true};
    }
    if (r->kind == REQUEST_ATOMIC) {
        return (struct plan){
            .line = line, .allocates = true, .fetches = true, .goes_on = b->through};
    }
    if (policy == L2_WRITE_MISS_AROUND) {
        return (struct plan){.line = line, .goes_on = true, .at_once = true};
    }
    bool whole = r->full && (b->sectors || r->bytes == b->config->l2.line_bytes);
    bool fetches = !b->masks && !(whole && policy != L2_WRITE_MISS_FETCH);
    return (struct plan){.line = line,
                         .allocates = true,
                         .fetches = fetches,
                         .goes_on = b->through,
                         .at_once = b->through || !fetches};
}

/* A request that another bank has refused for a later cause would now be refused for lack of an
 * MSHR. */
static __attribute__((noinline)) void take_from_pool(struct l2_bank *b) {
    struct l2_mshr_pool *pool = b->pool;
    pool->first = (b->number + 1) & (pool->banks - 1);
    if (--pool->free == 0) {
        note_all_banks(pool, L2_CHANGE_MSHR_TAKEN);
    }
}

/* Read the line from the DRAM. For a write-back, which needs no answer, the MSHR holds the
 * write-back. */
static inline void send_fetch(struct l2_bank *b, struct request *r, bool at_once,
                              struct ring *queue, unsigned set, int way, bool has_line,
                              uint64_t visible) {
    uint8_t kind = r->kind;
    r->kind = at_once ? REQUEST_WRITEBACK : kind;
    unsigned entry = mshr_allocate(&b->mshrs, r);
    r->kind = kind;
    if (b->pool) {
        take_from_pool(b);
    }
    if (!has_line) {
        tag_reserve(&b->tags, set, way, r->local >> b->local_shift, entry);
    }
    ring_push(queue, r, visible, 1);
    struct request *read = newest_request(queue);
    read->kind = REQUEST_READ;
    if (b->sectors) {
        l2_sectors_fetch(b, r, read, set, way, entry, has_line);
    }
    read->l2_mshr = (uint16_t)entry;
    read->l2_way = (uint32_t)way;
    b->stats.fetches++;
}

void l2_bank_evict(struct l2_bank *b, const struct request *r, unsigned set, int way,
                   uint64_t visible) {
    uint64_t local = tag_line(&b->tags, set, way) << b->local_shift | b->number;
    unsigned bytes = b->sectors ? l2_sectors_dirty_bytes(b, set, way) : b->config->l2.line_bytes;
    l2_bank_send_write(b, local, r, bytes, visible);
    b->stats.writebacks++;
}

static inline __attribute__((always_inline)) void allocate_line(struct l2_bank *b,
                                                                struct request *r, struct plan plan,
                                                                struct ring *queue, unsigned set,
                                                                int way, uint64_t visible) {
    struct l2_policy_access access;
    bool asks = !plan.plain && b->policies, low = false;
    if (asks) {
        access = l2_policy_access_of(b->policies, r);
        low = l2_bank_place(b, &access, way);
    }
    if (b->prefetched) {
        l2_bank_count_unused(b, set, way);
    }
    if (tag_is_dirty(&b->tags, set, way)) {
        l2_bank_evict(b, r, set, way, visible);
    }
    if (plan.fetches) {
        send_fetch(b, r, plan.at_once, queue, set, way, false, visible);
    } else {
        tag_insert(&b->tags, set, way, r->local >> b->local_shift);
        b->stats.full_line_writes++;
        if (b->sectors) {
            l2_sectors_begin_line(b, set, way);
        }
    }
    if (low) {
        tag_demote(&b->tags, set, way);
    }
    if (asks) {
        l2_bank_tell(b, L2_POLICY_INSERTED, &access, way);
    }
    if (!request_reads(r)) {
        write_line(b, r, set, way); /* if it is fetched, dirty from the fill on */
    }
}

/* The same where the line is here and lacks sectors. */
static __attribute__((noinline)) void fetch_into_line(struct l2_bank *b, struct request *r,
                                                      struct plan plan, struct ring *queue,
                                                      unsigned set, uint64_t visible) {
    send_fetch(b, r, plan.at_once, queue, set, plan.line, true, visible);
    note_use(b, r, set, plan.line, false);
    b->stats.sector_misses++;
    if (!request_reads(r)) {
        write_line(b, r, set, plan.line);
    }
}

static int find_victim(const struct l2_bank *b, const struct request *r, unsigned set) {
    return b->policies ? l2_policies_victim(b->policies, &b->tags, r, set)
                       : tag_victim(&b->tags, set);
}

static inline __attribute__((always_inline)) enum l2_refusal take_miss_as(
    struct l2_bank *b, struct request *r, struct plan plan, unsigned set, const struct now *now) {
    bool answers = plan.at_once && is_answered(r), dirty = false;
    struct ring *queue = plan.plain ? &b->miss_queue : way_of_reads(b, r),
                *writes = plan.plain ? queue : way_of_writes(b, r);
    int victim = TAG_NO_WAY;
    if (plan.allocates && plan.line == TAG_NO_WAY) {
        victim = plan.plain ? tag_victim(&b->tags, set) : find_victim(b, r, set);
        if (victim == TAG_NO_WAY) {
            return L2_FAIL_ASSOCIATIVITY;
        }
        dirty = tag_is_dirty(&b->tags, set, victim);
    }
    if (plan.fetches && !l2_bank_free_mshrs(b)) {
        return L2_FAIL_MSHR_FULL;
    }
    const int clean = !plan.plain && plan.allocates && !request_reads(r)
                          ? line_to_clean(b, set, plan.line == TAG_NO_WAY ? victim : plan.line)
                          : TAG_NO_WAY;
    if (!ways_have_room(queue, plan.fetches, writes,
                        (unsigned)dirty + plan.goes_on + (clean != TAG_NO_WAY), now->time)) {
        return L2_FAIL_MISS_QUEUE;
    }
    if (answers && !l2_bank_output_room(b, now->time)) {
        return L2_FAIL_OUTPUT;
    }
    request_stamp(r, STAMP_BANK, now->time);
    if (plan.allocates && plan.line != TAG_NO_WAY) {
        fetch_into_line(b, r, plan, queue, set, now_next_edge(now));
    } else if (plan.allocates) {
        allocate_line(b, r, plan, queue, set, victim, now_next_edge(now));
    }
    if (clean != TAG_NO_WAY) {
        l2_clean_line(b, r, set, clean, now_next_edge(now));
    }
    if (plan.goes_on) {
        l2_bank_send_write(b, r->local, r, r->bytes, now_next_edge(now));
        *(plan.allocates ? &b->stats.write_throughs : &b->stats.write_arounds) += 1;
    }
    if (answers) {
        push_answer(b, r, now->time + b->config->l2.hit_latency * now->period);
    }
    count_outcome(b, r, L2_MISS);
    return L2_ACCEPTED;
}

static __attribute__((noinline)) enum l2_refusal take_other_miss(struct l2_bank *b,
                                                                 struct request *r, unsigned set,
                                                                 int line, const struct now *now) {
    bool lineless = r->l2_route != L2_ROUTE_CACHE, returns = lineless && !is_pure_write(r);
    struct plan plan = plan_miss(b, r, line);
    enum l2_refusal refusal =
        returns ? l2_bank_miss_without_line(b, r, now) : take_miss_as(b, r, plan, set, now);
    if (refusal == L2_ACCEPTED) {
        b->stats.no_allocate[r->kind] += lineless && !returns;
        if (line != TAG_NO_WAY && (returns || !plan.allocates)) { /* it lacks sectors */
            note_use(b, r, set, line, false);
        }
    }
    return refusal;
}

/* The line is being fetched. */
static __attribute__((noinline)) enum l2_refusal take_pending_hit(struct l2_bank *b,
                                                                  struct request *r, unsigned set,
                                                                  int way, unsigned entry,
                                                                  const struct now *now) {
    bool through = b->through && !request_reads(r), waits = !(through && is_pure_write(r));
    if (waits && !mshr_can_merge(&b->mshrs, entry)) {
        return L2_FAIL_MSHR_MERGE;
    }
    const int clean = request_reads(r) ? TAG_NO_WAY : line_to_clean(b, set, way);
    if ((through || clean != TAG_NO_WAY) && !ring_room(way_of_writes(b, r), now->time)) {
        return L2_FAIL_MISS_QUEUE;
    }
    if (!waits && is_answered(r) && !l2_bank_output_room(b, now->time)) {
        return L2_FAIL_OUTPUT;
    }
    request_stamp(r, STAMP_BANK, now->time);
    if (waits) {
        mshr_merge(&b->mshrs, entry, r);
    } else if (is_answered(r)) {
        push_answer(b, r, now->time + b->config->l2.hit_latency * now->period);
    }
    if (through) {
        l2_bank_send_write(b, r->local, r, r->bytes, now_next_edge(now));
        b->stats.write_throughs++;
    }
    if (!request_reads(r)) {
        write_line(b, r, set, way);
    }
    if (clean != TAG_NO_WAY) {
        l2_clean_line(b, r, set, clean, now_next_edge(now));
    }
    note_use(b, r, set, way, true);
    count_outcome(b, r, L2_PENDING_HIT);
    return L2_ACCEPTED;
}

/* The line has sectors. @way: of the line, where it is here or some of its sectors are fetched. */
static __attribute__((noinline)) enum l2_refusal access_sectors(struct l2_bank *b,
                                                                struct request *r, unsigned set,
                                                                int way, const struct now *now) {
    const uint8_t wanted = l2_sectors_of(b, r);
    uint8_t missing = way == TAG_NO_WAY ? wanted : l2_sectors_missing(b, r, set, way);
    const uint8_t on_way = sectors_on_way(b->sectors, r->local >> b->local_shift, missing);
    enum l2_refusal refusal;
    if (way == TAG_NO_WAY) {
        refusal = take_other_miss(b, r, set, way, now);
    } else if (!missing || (is_pure_write(r) && (r->full || b->through || b->masks))) {
        refusal = take_hit(b, r, set, way, now);
    } else if (on_way != missing) {
        refusal = take_other_miss(b, r, set, way, now);
    } else {
        const unsigned entry =
            (unsigned)sectors_find_newest(b->sectors, r->local >> b->local_shift, missing);
        refusal = take_pending_hit(b, r, set, way, entry, now);
        if (refusal == L2_ACCEPTED) {
            sectors_join(b->sectors, entry, missing);
        }
    }
    if (refusal == L2_ACCEPTED) {
        l2_sectors_count(b, r->kind, wanted, missing, on_way);
    }
    return refusal;
}

/* Reads that take a line of a plain bank have an instance of their own: most misses are theirs. */
static enum l2_refusal take_miss(struct l2_bank *b, struct request *r, unsigned set,
                                 const struct now *now) {
    const struct plan read = {
        .line = TAG_NO_WAY, .allocates = true, .fetches = true, .plain = true};
    return b->plain && request_reads(r) && r->l2_route == L2_ROUTE_CACHE
               ? take_miss_as(b, r, read, set, now)
           : b->sectors ? access_sectors(b, r, set, TAG_NO_WAY, now)
                        : take_other_miss(b, r, set, TAG_NO_WAY, now);
}

static enum l2_refusal access_tags(struct l2_bank *b, struct request *r, const struct now *now) {
    if (b->config->l2.perfect) {
        if (is_answered(r) && !l2_bank_output_room(b, now->time)) {
            return L2_FAIL_OUTPUT;
        }
        answer_hit(b, r, now);
        return L2_ACCEPTED;
    }
    uint64_t line = r->local >> b->local_shift;
    unsigned set = tag_set_of(&b->tags, line);
    int way = tag_find(&b->tags, set, line);
    if (way == TAG_NO_WAY) {
        return take_miss(b, r, set, now);
    }
    if (b->sectors) {
        return access_sectors(b, r, set, way, now);
    }
    return tag_is_valid(&b->tags, set, way)
               ? take_hit(b, r, set, way, now)
               : take_pending_hit(b, r, set, way, tag_mshr(&b->tags, set, way), now);
}

/* --- time --- */

/* The changes for which a refused request may wait. A fill makes a line valid, so it also changes
 * the line that would be evicted, and with it whether a write-back needs a place. */
static const uint8_t waits_for[L2_REFUSALS] = {
    [L2_FAIL_ASSOCIATIVITY] = L2_CHANGE_FILL,
    [L2_FAIL_MSHR_FULL] = L2_CHANGE_MSHR_FREE,
    [L2_FAIL_MSHR_MERGE] = L2_CHANGE_FILL,
    [L2_FAIL_MISS_QUEUE] = L2_CHANGE_FILL | L2_CHANGE_MISS_QUEUE | L2_CHANGE_MSHR_TAKEN,
    [L2_FAIL_OUTPUT] = L2_CHANGE_FILL | L2_CHANGE_OUTPUT | L2_CHANGE_MSHR_TAKEN,
};

static void count_delay(struct l2_bank *b, uint64_t cycle) {
    const struct l2_port_end *end = &b->port_end[b->queue.head & b->queue.mask];
    uint64_t delay = cycle - end->reached;
    unsigned bin = 63 - (unsigned)__builtin_clzll(delay | 1);
    b->stats.delay += delay;
    b->stats.at_port_end += end->left - end->reached;
    b->stats.delay_max = later_time(b->stats.delay_max, delay);
    b->stats.delay_log2[bin < L2_DELAY_BINS ? bin : L2_DELAY_BINS - 1]++;
}

static void access_cycle(struct l2_bank *b, const struct now *now) {
    static const char *const kind[L2_KINDS] = {"read", "write", "atomic", "write-back", "prefetch"};
    struct ring_entry *e = ring_front(&b->queue);
    count_refused_cycles(b, now->cycle);
    b->changed = 0;
    b->refused = access_tags(b, &e->request, now);
    b->waits = waits_for[b->refused];
    if (b->refused != L2_ACCEPTED) {
        b->refused_since = now->cycle;
        if (b->refused == L2_FAIL_OUTPUT && b->output.leaving_until >= now->time) {
            l2_bank_note(b, L2_CHANGE_OUTPUT); /* its place becomes free without a wake-up */
        }
        return;
    }
    count_delay(b, now->cycle);
    if (b->queue.count > b->places) {
        count_held(b, now->cycle, true);
    }
    b->stats.requests++;
    if (b->hears_accesses) {
        l2_bank_tell_access(b, &e->request);
    }
    b->free_at = now->time + b->config->l2.bank_interval * now->period;
    EVENT(b->events, now->time, "l2.p%ub%u took %s line %" PRIx64 " sm%u warp %u\n", b->partition,
          b->number, kind[e->request.kind], e->request.line, e->request.core, e->request.warp);
    ring_pop(&b->queue, now->time);
}

unsigned l2_bank_cycle(struct l2_bank *b, const struct now *now, bool poll, unsigned parts) {
    unsigned fills = 0;
    b->changed |= poll;
    if (parts & L2_BANK_WAKES) {
        if (can_answer_waiting(b, now->time)) {
            answer_oldest_waiting(b, now);
        }
        if (b->from_dram->front_at <= now->time) {
            fills = take_fill(b, now);
        }
    }
    if (parts & L2_BANK_ACCESSES && b->queue.front_at <= now->time && b->free_at <= now->time &&
        l2_bank_may_go_on(b) && (!b->reads_ahead || l2_bank_begin_access(b, now))) {
        access_cycle(b, now);
        if (b->reads_ahead) {
            l2_bank_end_access(b, now->time);
        }
    }
    return fills;
}
