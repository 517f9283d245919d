/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests that take no line of an L2 bank: what they send to the DRAM, and its return.
 */
#include <inttypes.h>

#include "base/events.h"
#include "l2/bank_parts.h"

void l2_bank_send_write(struct l2_bank *b, uint64_t local, const struct request *r, unsigned bytes,
                        uint64_t visible) {
    struct request w = {.kind = REQUEST_WRITEBACK,
                        .local = local,
                        .born = r->born,
                        .partition = r->partition,
                        .l2_class = r->l2_class,
                        .bytes = (uint16_t)bytes};
    ring_push(way_of_writes(b, r), &w, visible, 1);
}

/* A read of the DRAM for the bytes of a request without a line. */
static struct request return_read(struct l2_bank *b, const struct request *r) {
    struct request read = *r;
    read.for_atomic = r->kind == REQUEST_ATOMIC;
    read.for_prefetch = r->kind == REQUEST_PREFETCH;
    read.kind = REQUEST_READ;
    read.l2_route = L2_ROUTE_BYPASS;
    b->stats.returns++;
    return read;
}

enum l2_refusal l2_bank_miss_without_line(struct l2_bank *b, struct request *r,
                                          const struct now *now) {
    bool writes = r->kind == REQUEST_ATOMIC;
    struct ring *way = way_of_reads(b, r);
    if (!ways_have_room(way, 1, way_of_writes(b, r), writes, now->time)) {
        return L2_FAIL_MISS_QUEUE;
    }
    request_stamp(r, STAMP_BANK, now->time);
    struct request read = return_read(b, r);
    ring_push(way, &read, now_next_edge(now), 1);
    if (writes) {
        l2_bank_send_write(b, r->local, r, r->bytes, now_next_edge(now));
        b->stats.write_arounds++;
    }
    count_outcome(b, r, L2_MISS);
    b->stats.no_allocate[r->kind]++;
    return L2_ACCEPTED;
}

struct request l2_bank_bypass(struct l2_bank *b, const struct request *r, const struct now *now) {
    struct request sent = *r;
    sent.l2_route = L2_ROUTE_BYPASS;
    sent.l2_class = L2_CLASS_MISS;
    request_stamp(&sent, STAMP_BANK, now->time);
    b->stats.bypasses[r->kind]++;
    b->stats.bypass_bytes += r->bytes;
    if (request_reads(r)) {
        return return_read(b, &sent);
    }
    if (is_answered(r)) {
        push_answer(b, &sent, now_next_edge(now));
    }
    sent.kind = REQUEST_WRITEBACK;
    return sent;
}

bool l2_bank_take_return(struct l2_bank *b, const struct now *now) {
    if (!l2_bank_output_room(b, now->time)) {
        return false;
    }
    struct request r = ring_front(b->from_dram)->request;
    r.kind = r.for_atomic ? REQUEST_ATOMIC : r.for_prefetch ? REQUEST_PREFETCH : REQUEST_READ;
    request_stamp(&r, STAMP_DATA, now->time);
    push_answer(b, &r, now->time + b->config->l2.fill_latency * now->period);
    EVENT(b->events, now->time, "l2.p%ub%u return local %" PRIx64 "\n", b->partition, b->number,
          r.local);
    ring_pop(b->from_dram, now->time);
    return true;
}
