/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared part of the bypass's test cases: a tag in the header distinguishes requests. Sections in
 * the names of the cases are those of Ausavarungnirun et al., PACT 2015 (MeDiC).
 */
#ifndef WARPMEM_TB_L2_BYPASS_CASES_H
#define WARPMEM_TB_L2_BYPASS_CASES_H

#include "base/request.h"
#include "common/bench.h"
#include "cosim/block_test.h"
#include "l2/bypass.h"

static inline const struct bypass_params *bypass_params_of(const struct bench *b) {
    return (const struct bypass_params *)b->pair.ports.params;
}

static inline struct bypass_in *bypass_in_of(struct bench *b) {
    return b->pair.in;
}

static inline const struct bypass_out *bypass_out_of(const struct bench *b) {
    return b->pair.c_out;
}

static inline unsigned every_port(const struct bench *b) {
    return (1u << bypass_params_of(b)->PORTS) - 1;
}

/* Drives a request at a port in this cycle. */
static inline void drive_port_request(struct bench *b, unsigned port, unsigned kind, unsigned tag) {
    struct bypass_in *in = bypass_in_of(b);
    assert_true(port < BYPASS_PORTS_MAX);
    in->req_valid |= (uint8_t)(1u << port);
    in->req_kind[port % BYPASS_PORTS_MAX] = (uint8_t)kind;
    in->req_data[port % BYPASS_PORTS_MAX] = tag;
}

/* The answer of the table of warp types in this cycle. */
static inline void answer_lookup(struct bench *b, unsigned port, unsigned class) {
    struct bypass_in *in = bypass_in_of(b);
    assert_true(port < BYPASS_PORTS_MAX);
    in->look_class[port % BYPASS_PORTS_MAX] = (uint8_t) class;
    in->look_known |= (uint8_t)(1u << port);
}

/* A request enters in this cycle; the next one begins with its warp's class at hand. */
static inline void enter_port_request(struct bench *b, unsigned port, unsigned kind, unsigned class,
                                      unsigned tag) {
    drive_port_request(b, port, kind, tag);
    bench_comb(b);
    assert_true(bypass_out_of(b)->req_ready >> port & 1);
    bench_edge(b);
    answer_lookup(b, port, class);
}

static inline void settle_outputs(struct bench *b) {
    if (!b->settled) {
        bench_comb(b);
    }
}

static inline void assert_nothing(struct bench *b) {
    settle_outputs(b);
    assert_int_equal(bypass_out_of(b)->arb_valid, 0);
    assert_false(bypass_out_of(b)->byp_valid);
}

static inline void assert_for_bank(struct bench *b, unsigned port, unsigned tag) {
    settle_outputs(b);
    assert_true(bypass_out_of(b)->arb_valid >> port & 1);
    assert_int_equal(bypass_out_of(b)->arb_data[port], tag);
}

static inline void assert_for_dram(struct bench *b, unsigned port, unsigned tag) {
    settle_outputs(b);
    assert_true(bypass_out_of(b)->byp_valid);
    assert_int_equal(bypass_out_of(b)->byp_port, port);
    assert_int_equal(bypass_out_of(b)->byp_data, tag);
    assert_false(bypass_out_of(b)->arb_valid >> port & 1);
}

/* The offer is as said, and is taken at this edge. */
static inline void bank_takes(struct bench *b, unsigned port, unsigned tag) {
    assert_for_bank(b, port, tag);
    bypass_in_of(b)->arb_ready = (uint8_t)(1u << port);
    bench_edge(b);
}

static inline void dram_takes_request(struct bench *b, unsigned port, unsigned tag) {
    assert_for_dram(b, port, tag);
    bypass_in_of(b)->byp_ready = true;
    bench_edge(b);
}

#endif
