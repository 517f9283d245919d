/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared part of MRPB's test cases: a tag in the header distinguishes requests. Sections in the
 * names of the cases are those of Jia, Shaw, Martonosi, HPCA 2014.
 */
#ifndef WARPMEM_TB_L1_MRPB_CASES_H
#define WARPMEM_TB_L1_MRPB_CASES_H

#include "common/bench.h"
#include "cosim/block_test.h"
#include "l1/mrpb.h"

static inline const struct mrpb_params *mrpb_params_of(const struct bench *b) {
    return (const struct mrpb_params *)b->pair.ports.params;
}

static inline struct mrpb_in *mrpb_in_of(struct bench *b) {
    return b->pair.in;
}

static inline const struct mrpb_out *mrpb_out_of(const struct bench *b) {
    return b->pair.c_out;
}

enum { READ = 0, WRITE = 1 };

/* Drives a request in this cycle; true if it enters at the edge. The edge is still to come. */
static inline bool drive_queue_request(struct bench *b, unsigned queue, bool write, unsigned tag) {
    struct mrpb_in *in = mrpb_in_of(b);
    in->enq_valid = true;
    in->enq_queue = (uint8_t)queue;
    in->enq_write = write;
    in->enq_data[0] = tag;
    bench_comb(b);
    return mrpb_out_of(b)->enq_ready;
}

/* A request enters in this cycle. */
static inline void enter_queue_request(struct bench *b, unsigned queue, bool write, unsigned tag) {
    assert_true(drive_queue_request(b, queue, write, tag));
    bench_edge(b);
}

static inline void assert_no_offer(struct bench *b) {
    bench_comb(b);
    assert_false(mrpb_out_of(b)->deq_valid);
}

static inline void assert_request_offered(struct bench *b, unsigned queue, bool write,
                                          unsigned tag) {
    if (!b->settled) {
        bench_comb(b);
    }
    assert_true(mrpb_out_of(b)->deq_valid);
    assert_int_equal(mrpb_out_of(b)->deq_queue, queue);
    assert_int_equal(mrpb_out_of(b)->deq_write, write);
    assert_int_equal(mrpb_out_of(b)->deq_data[0], tag);
}

/* The offer is as said, and is taken at this edge. */
static inline void take_offered_request(struct bench *b, unsigned queue, bool write, unsigned tag) {
    assert_request_offered(b, queue, write, tag);
    mrpb_in_of(b)->deq_ready = true;
    bench_edge(b);
}

/* Until everything that has entered stands where it stays. */
static inline void ripen_everything(struct bench *b) {
    bench_idle(b, mrpb_params_of(b)->LATENCY + 4);
}

enum { OCCUPIED = 90 };

/* The outbound buffer offers a read of queue 0, and as many are chosen as may be: tags from
 * OCCUPIED. Everything else is empty. */
static inline void occupy_buffer(struct bench *b) {
    for (unsigned i = 0; i <= mrpb_pipe(mrpb_params_of(b)); i++) {
        enter_queue_request(b, 0, READ, OCCUPIED + i);
        ripen_everything(b);
    }
    assert_request_offered(b, 0, READ, OCCUPIED);
}

/* The cache takes what occupy_buffer() put there, one a cycle. */
static inline void take_occupied(struct bench *b) {
    for (unsigned i = 0; i <= mrpb_pipe(mrpb_params_of(b)); i++) {
        take_offered_request(b, 0, READ, OCCUPIED + i);
    }
}

/* The next offer is as said, and is taken. */
static inline void take_next(struct bench *b, unsigned queue, bool write, unsigned tag) {
    for (unsigned patience = 0; patience < 40; patience++) {
        bench_comb(b);
        if (mrpb_out_of(b)->deq_valid) {
            break;
        }
        bench_edge(b);
    }
    take_offered_request(b, queue, write, tag);
}

static inline void enter_many(struct bench *b, unsigned queue, unsigned count, unsigned tag) {
    for (unsigned i = 0; i < count; i++) {
        enter_queue_request(b, queue, READ, tag + i);
    }
}

#endif
