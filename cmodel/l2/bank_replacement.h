/* SPDX-License-Identifier: Apache-2.0
 *
 * The block l2/insertion as an L2 bank uses it: what the bank evicts with l2.insertion = warp-type
 * (MeDiC section 4.3).
 *
 * The block reads the state of a request's set when the request can first be seen at the head of
 * the bank's queue, and the access is in the next L2 cycle or later: an access takes one cycle more
 * than under LRU. If the next request can be seen in the cycle in which the one before it is taken,
 * its set is read then, so that the bank takes one request a cycle, or one each l2.bank_interval,
 * as under LRU.
 *
 * A hit, and a request for a line that is being fetched, are a touch; a miss that takes a line, by
 * a fetch or a write of a whole line, is an insert. The class is that of the request.
 */
#ifndef WARPMEM_L2_BANK_REPLACEMENT_H
#define WARPMEM_L2_BANK_REPLACEMENT_H

#include "base/alarm.h"
#include "base/block.h"
#include "base/request.h"
#include "base/tag_array.h"
#include "config/config.h"
#include "l2/insertion.h"

/**
 * struct l2_replacement - the block and what the bank knows of its access.
 * @cycle:   L2 cycle of the last call; the block reads it
 * @ready:   the block has read the set of the request at the queue's head
 * @free_at: time from which on the bank may take the next request
 * @victim:  the way that the request at hand may take, or TAG_NO_WAY
 * @way:     the way that had its line before the access, or TAG_NO_WAY
 */
struct l2_replacement {
    struct block_instance block;
    struct alarm *alarm;
    uint64_t cycle;
    bool ready;
    uint64_t free_at;
    int victim, way;
    unsigned set;
    uint64_t line;
    struct insertion_in in;
    struct insertion_out out;
};

void l2_replacement_destroy(struct l2_replacement *p);

/** l2_replacement_read() - nothing is accessed in this cycle; the head's set is read. */
void l2_replacement_read(struct l2_replacement *p, const struct tag_array *tags, uint64_t line,
                         uint64_t cycle);
/** l2_replacement_look() - before the access of @r for @line: what it would evict. */
void l2_replacement_look(struct l2_replacement *p, const struct tag_array *tags,
                         const struct request *r, uint64_t line, uint64_t cycle);
/** l2_replacement_accessed() - after it. @taken: it was not refused; @more: the next request can be
 * seen, and is for @next. */
void l2_replacement_accessed(struct l2_replacement *p, const struct tag_array *tags, bool taken,
                             bool more, uint64_t next);

#endif
