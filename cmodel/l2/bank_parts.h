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

static inline void answer(struct l2_bank *b, const struct request *r, uint64_t visible) {
    ring_push(&b->output, r, visible, 1);
    b->stats.replies++;
}

/* What was pushed last. */
static inline struct request *newest(const struct ring *r) {
    return &r->entries[(r->head + r->count - 1) & r->mask].request;
}

/* On whose way to the DRAM what @r sends there goes: the reads. */
static inline struct ring *way_of(struct l2_bank *b, const struct request *r) {
    return b->has_high && r->l2_class >= L2_CLASS_HIT ? &b->high_queue : &b->miss_queue;
}

/* And the writes, for which nobody waits. */
static inline struct ring *way_of_writes(struct l2_bank *b, const struct request *r) {
    return b->writes_low ? &b->miss_queue : way_of(b, r);
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
