/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_COMMON_FIFO_H
#define WARPMEM_COMMON_FIFO_H

#include "common/fifo_ports.h"

/**
 * struct fifo - first in, first out, on a memory with an output register.
 *
 * A word that enters an empty FIFO in cycle n is offered from cycle n + 2. A word enters while
 * fewer than DEPTH words, with the offered one, are inside, even if none leaves in this cycle.
 * Verilog twin: rtl/common/fifo.v.
 */
struct fifo {
    struct fifo_params params;
    unsigned chunks; /* 64-bit words a word */
    uint64_t *words; /* [slot][chunks] */
    unsigned head;   /* slot of the oldest word */
    unsigned count;
    bool offered; /* deq offers the oldest word */
};

/** fifo_init() - allocate and reset; params in the ranges of the list. False: out of memory. */
bool fifo_init(struct fifo *s, const struct fifo_params *params);
void fifo_destroy(struct fifo *s);
/** fifo_comb() - the outputs of this cycle; late inputs are not read. */
void fifo_comb(const struct fifo *s, const struct fifo_in *in, struct fifo_out *out);
/** fifo_step() - the clock edge, with the outputs that comb gave for the same input. */
void fifo_step(struct fifo *s, const struct fifo_in *in, const struct fifo_out *out);
/** fifo_quiet() - with these inputs held, neither state nor outputs ever change. */
bool fifo_quiet(const struct fifo *s, const struct fifo_in *in);

#endif
