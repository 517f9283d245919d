/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside of an L2 bank: what its parts share.
 */
#ifndef WARPMEM_L2_BANK_PARTS_H
#define WARPMEM_L2_BANK_PARTS_H

#include "base/clock.h"
#include "l2/bank.h"

static inline bool is_answered(const struct request *r) {
    return r->kind != REQUEST_WRITEBACK;
}

static inline void push_answer(struct l2_bank *b, const struct request *r, uint64_t visible) {
    ring_push(&b->output, r, visible, 1);
    b->stats.replies++;
}

/* The request that was pushed last. */
static inline struct request *newest_request(const struct ring *r) {
    return &r->entries[(r->head + r->count - 1) & r->mask].request;
}

/* Note a change for the refused request of each bank that may wait for it. */
static inline void note_all_banks(struct l2_mshr_pool *pool, unsigned change) {
    for (unsigned i = 0; i < pool->banks; i++) {
        l2_bank_note(&pool->bank[i], change);
    }
}

/* The queue to the DRAM for the reads that @r sends. */
static inline struct ring *way_of_reads(struct l2_bank *b, const struct request *r) {
    return b->has_high && r->l2_class >= L2_CLASS_HIT ? &b->high_queue : &b->miss_queue;
}

/* The queue for the writes that @r sends, which need no answer. */
static inline struct ring *way_of_writes(struct l2_bank *b, const struct request *r) {
    return b->writes_low ? &b->miss_queue : way_of_reads(b, r);
}

/* Sends the dirty data of the line to the DRAM, because of @r. */
void l2_bank_evict(struct l2_bank *b, const struct request *r, unsigned set, int way,
                   uint64_t visible);

/* Is there room for so many reads and writes? */
static inline bool ways_have_room(const struct ring *reads, unsigned read_count,
                                  const struct ring *writes, unsigned write_count, uint64_t time) {
    return reads == writes
               ? ring_room(reads, time) >= read_count + write_count
               : ring_room(reads, time) >= read_count && ring_room(writes, time) >= write_count;
}

/* The line of the request at the queue's head, as the tags number it. */
static inline uint64_t head_line(const struct l2_bank *b) {
    return ring_front(&b->queue)->request.local >> b->local_shift;
}

/* Counts the retries of a refused request before @cycle. */
static inline void count_refused_cycles(struct l2_bank *b, uint64_t cycle) {
    if (b->refused != L2_ACCEPTED) {
        b->stats.fails[b->refused] += cycle - b->refused_since;
        b->refused_since = cycle;
    }
}

/* The queue's head leaves in @cycle, or is still there (@leaves). The first request after the
 * queue's places has been at the end of its port since it reached it, or since the request before
 * it left; it was blocked until now and takes the place in the next cycle. */
static inline void count_held(struct l2_bank *b, uint64_t cycle, bool leaves) {
    struct l2_port_end *end = &b->port_end[(b->queue.head + b->places) & b->queue.mask];
    uint64_t since = end->reached;
    uint64_t from = later_time(since, b->moved_at + 1), to = cycle + leaves;
    b->held += to > from ? to - from : 0;
    b->moved_at = leaves ? later_time(since, to) : later_time(b->moved_at, to - 1);
    end->left = later_time(since, to);
}

/* The bank has taken @r. */
static inline void count_outcome(struct l2_bank *b, const struct request *r,
                                 enum l2_outcome outcome) {
    b->stats.outcome[r->kind][outcome]++;
    b->outcome = outcome;
}

/* --- l2/bank_policy.c: questions and events for the policies of its partition --- */

/** l2_bank_is_heard() - does a policy receive the event? */
static inline bool l2_bank_is_heard(const struct l2_bank *b, enum l2_policy_event_kind kind) {
    return b->policies && b->policies->events & L2_POLICY_EVENT(kind);
}

/** l2_bank_begin_access(), l2_bank_end_access() - before and after an access, where a set is read
 * in the cycle before it (b->reads_ahead). Return: there is an access in this cycle. */
bool l2_bank_begin_access(struct l2_bank *b, const struct now *now);
void l2_bank_end_access(struct l2_bank *b, uint64_t time);

/** l2_bank_access_of_line() - the access of a line that the DRAM brings, without a warp. */
static inline struct l2_policy_access l2_bank_access_of_line(const struct l2_bank *b,
                                                             uint64_t local) {
    return (struct l2_policy_access){.line = local,
                                     .bank = b->number,
                                     .set = tag_set_of(&b->tags, local >> b->local_shift),
                                     .type = L2_CLASS_BALANCED};
}

/** l2_bank_place() - the line of an access takes a way, whose entry is still unchanged: get its
 * place from the policy and send the event of the evicted line. Return: it becomes the least
 * recently used. */
bool l2_bank_place(const struct l2_bank *b, const struct l2_policy_access *access, int way);

/** l2_bank_tell() - send an event to the policies that receive it. */
void l2_bank_tell(const struct l2_bank *b, enum l2_policy_event_kind kind,
                  const struct l2_policy_access *access, int way);

/** l2_bank_tell_use() - a request uses its line; @late: the line is being fetched.
 * l2_bank_tell_access() - the bank has taken the request. */
void l2_bank_tell_use(struct l2_bank *b, const struct request *r, unsigned set, int way, bool late);
void l2_bank_tell_access(struct l2_bank *b, const struct request *r);

/* --- requests that take no line --- */

/** l2_bank_send_write() - send a write to the DRAM because of @r; its queue has room. */
void l2_bank_send_write(struct l2_bank *b, uint64_t local, const struct request *r, unsigned bytes,
                        uint64_t visible);

/** l2_bank_take_return() - take data from the DRAM for a request without a line. False: no room for
 * its answer. */
bool l2_bank_take_return(struct l2_bank *b, const struct now *now);

/** l2_bank_miss_without_line() - handle a miss of a read or an atomic that may take no line. */
enum l2_refusal l2_bank_miss_without_line(struct l2_bank *b, struct request *r,
                                          const struct now *now);

#endif
