/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers that the test cases of the bypassing parameter generator share.
 */
#ifndef WARPMEM_TB_L1_BPG_CASES_H
#define WARPMEM_TB_L1_BPG_CASES_H

#include "common/bench.h"
#include "cosim/block_test.h"
#include "l1/bpg.h"

static inline const struct bpg_params *bpg_params_of(const struct bench *b) {
    return (const struct bpg_params *)b->pair.ports.params;
}

static inline struct bpg_in *bpg_in_of(struct bench *b) {
    return b->pair.in;
}

static inline const struct bpg_out *bpg_out_of(const struct bench *b) {
    return b->pair.c_out;
}

static inline const struct bpg *bpg_state_of(const struct bench *b) {
    return b->pair.state;
}

static inline uint64_t line_of_tag(const struct bpg_params *p, uint64_t tag) {
    return tag << p->SET_BITS;
}

/* Drives an access that no calculator watches, with failures; the edge is still to come. */
static inline void drive_unwatched(struct bench *b, unsigned fails, unsigned resident) {
    struct bpg_in *in = bpg_in_of(b);
    in->acc_valid = true;
    in->acc_number = (uint8_t)bpg_params_of(b)->CALCULATORS;
    in->fail_count = (uint16_t)fails;
    in->resident = (uint8_t)resident;
}

/* Drives an access of a warp to a line of sampled set 0. */
static inline void drive_watched(struct bench *b, unsigned number, uint64_t tag,
                                 unsigned resident) {
    struct bpg_in *in = bpg_in_of(b);
    in->acc_valid = true;
    in->acc_number = (uint8_t)number;
    in->acc_line = line_of_tag(bpg_params_of(b), tag);
    in->resident = (uint8_t)resident;
}

#endif
