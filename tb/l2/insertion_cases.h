/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared part of the replacement state's test cases.
 */
#ifndef WARPMEM_TB_L2_INSERTION_CASES_H
#define WARPMEM_TB_L2_INSERTION_CASES_H

#include "base/request.h"
#include "common/bench.h"
#include "cosim/block_test.h"
#include "l2/insertion.h"

static inline const struct insertion_params *insertion_params_of(const struct bench *b) {
    return (const struct insertion_params *)b->pair.ports.params;
}

static inline struct insertion_in *insertion_in_of(struct bench *b) {
    return b->pair.in;
}

static inline const struct insertion_out *insertion_out_of(const struct bench *b) {
    return b->pair.c_out;
}

static inline uint64_t way_bit(unsigned way) {
    return UINT64_C(1) << way;
}

static inline uint64_t all_ways_of_params(const struct bench *b) {
    return UINT64_MAX >> (64 - insertion_params_of(b)->WAYS);
}

/* An access to the current set. The edge is still to come. */
static inline void drive_use(struct bench *b, unsigned way, unsigned line_class, bool insert) {
    insertion_in_of(b)->insert = insert;
    insertion_in_of(b)->touch = !insert;
    insertion_in_of(b)->way = (uint8_t)way;
    insertion_in_of(b)->line_class = (uint8_t)line_class;
}

static inline void insert_line(struct bench *b, unsigned way, unsigned line_class) {
    drive_use(b, way, line_class, true);
    bench_edge(b);
}

static inline void touch_way(struct bench *b, unsigned way, unsigned line_class) {
    drive_use(b, way, line_class, false);
    bench_edge(b);
}

static inline void read_set(struct bench *b, unsigned set) {
    insertion_in_of(b)->read = true;
    insertion_in_of(b)->set = set;
    bench_edge(b);
}

/* Takes a cycle in which nothing changes. */
static inline void assert_victim(struct bench *b, uint64_t free, uint64_t held, unsigned way) {
    insertion_in_of(b)->free = free;
    insertion_in_of(b)->held = held;
    bench_comb(b);
    assert_true(insertion_out_of(b)->victim_valid);
    assert_int_equal(insertion_out_of(b)->victim, way);
    bench_edge(b);
}

static inline void assert_no_victim(struct bench *b, uint64_t held) {
    insertion_in_of(b)->held = held;
    bench_comb(b);
    assert_false(insertion_out_of(b)->victim_valid);
    bench_edge(b);
}

#endif
