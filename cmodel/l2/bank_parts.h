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

/* Something has changed for the refused request of each bank that may wait for it. */
static inline void note_all_banks(struct l2_mshr_pool *pool, unsigned change) {
    for (unsigned i = 0; i < pool->banks; i++) {
        l2_bank_note(&pool->bank[i], change);
    }
}

/* The way to the DRAM of the reads that @r sends there. */
static inline struct ring *way_of_reads(struct l2_bank *b, const struct request *r) {
    return b->has_high && r->l2_class >= L2_CLASS_HIT ? &b->high_queue : &b->miss_queue;
}

/* The way of the writes that @r sends, for which nobody waits. */
static inline struct ring *way_of_writes(struct l2_bank *b, const struct request *r) {
    return b->writes_low ? &b->miss_queue : way_of_reads(b, r);
}

/* Is there room for so many of each? */
static inline bool ways_have_room(const struct ring *reads, unsigned read_count,
                                  const struct ring *writes, unsigned write_count, uint64_t time) {
    return reads == writes
               ? ring_room(reads, time) >= read_count + write_count
               : ring_room(reads, time) >= read_count && ring_room(writes, time) >= write_count;
}

/** l2_bank_send_write() - a write to the DRAM, because of @r; there is room on its way. */
void l2_bank_send_write(struct l2_bank *b, uint64_t local, const struct request *r, unsigned bytes,
                        uint64_t visible);

/** l2_bank_take_return() - data from the DRAM for a request without a line. False: no room for its
 * answer. */
bool l2_bank_take_return(struct l2_bank *b, const struct now *now);

/** l2_bank_miss_without_line() - of a read or an atomic that may take no line. */
enum l2_refusal l2_bank_miss_without_line(struct l2_bank *b, struct request *r,
                                          const struct now *now);

#endif
