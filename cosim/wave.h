/* SPDX-License-Identifier: Apache-2.0
 *
 * Waves of a block's ports, both sides in one FST file:
 *
 *     top.clk, top.cycle   the clock and the cycle's number
 *     top.rests            1 while the block is quiet and is not called: its clock stands still
 *     top.differs          1 while any output differs
 *     top.in.*             inputs
 *     top.c.*, top.rtl.*   outputs of both sides; x while an output is not compared
 *     top.differ.*         1 where they differ
 *
 * A cycle takes WAVE_CYCLE ns, and its values last from its beginning to the next written cycle: a
 * quiet block, which is not called, keeps its values.
 */
#ifndef WARPMEM_COSIM_WAVE_H
#define WARPMEM_COSIM_WAVE_H

#include "cosim/port_values.h"

struct wave;

/** struct wave_options - sides that are shown, and cycles [from, to); to 0: to the end. */
struct wave_options {
    bool c, rtl;
    uint64_t from, to;
};

/** wave_open() - NULL: cannot write there, or out of memory. *ports must outlive the wave. */
struct wave *wave_open(const char *path, const struct port_table *ports,
                       const struct wave_options *options);
/**
 * wave_cycle() - one cycle, in ascending order; outside of [from, to) it does nothing.
 * @c, @rtl:  struct X_out; may be NULL for a side that is not shown
 * @compared: mask of outputs that are compared
 * @differ:   mask of outputs that differ
 */
void wave_cycle(struct wave *w, uint64_t cycle, const void *in, const void *c, const void *rtl,
                uint64_t compared, uint64_t differ);
/**
 * wave_close() - end the file after `cycle`, and give it its name. False: disk full. NULL: nothing,
 * true.
 */
bool wave_close(struct wave *w, uint64_t cycle);

#endif
