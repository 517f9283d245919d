/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers that the test cases of the shadow tag arrays share.
 */
#ifndef WARPMEM_TB_L1_SHADOW_TAGS_CASES_H
#define WARPMEM_TB_L1_SHADOW_TAGS_CASES_H

#include "common/bench.h"
#include "cosim/block_test.h"
#include "l1/shadow_tags.h"

static inline const struct shadow_tags_params *shadow_params_of(const struct bench *b) {
    return (const struct shadow_tags_params *)b->pair.ports.params;
}

static inline struct shadow_tags_in *shadow_in_of(struct bench *b) {
    return b->pair.in;
}

static inline const struct shadow_tags_out *shadow_out_of(const struct bench *b) {
    return b->pair.c_out;
}

static inline unsigned every_array(const struct bench *b) {
    return (1u << shadow_params_of(b)->ARRAYS) - 1;
}

/* Drives an access in this cycle; the next one begins. */
static inline void access_tag(struct bench *b, unsigned set, uint32_t tag, unsigned first) {
    struct shadow_tags_in *in = shadow_in_of(b);
    in->acc_valid = true;
    in->acc_set = (uint8_t)set;
    in->acc_tag = tag;
    in->acc_first = (uint8_t)first;
    bench_edge(b);
}

/* Takes as many cycles as an access to its hits: those of the last cycle's access. */
static inline void assert_hits_come(struct bench *b, unsigned hit) {
    bench_idle(b, SHADOW_TAGS_LATENCY - 1);
    bench_comb(b);
    assert_true(shadow_out_of(b)->hit_valid);
    assert_int_equal(shadow_out_of(b)->hit, hit);
    bench_edge(b);
}

/* Drives an access and compares its hits. */
static inline void assert_access(struct bench *b, unsigned set, uint32_t tag, unsigned first,
                                 unsigned hit) {
    access_tag(b, set, tag, first);
    assert_hits_come(b, hit);
}

#endif
