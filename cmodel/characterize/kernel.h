/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts of one kernel, over all its launches, or of the whole program.
 */
#ifndef WARPMEM_CHARACTERIZE_KERNEL_H
#define WARPMEM_CHARACTERIZE_KERNEL_H

#include "characterize/footprint.h"
#include "characterize/lanes.h"
#include "characterize/lines.h"
#include "characterize/loops.h"
#include "characterize/order.h"
#include "characterize/replay.h"
#include "characterize/reuse.h"
#include "characterize/rows.h"

/**
 * struct kernel_counts - one kernel.
 * @code:    a copy of its own, because a trace frees a kernel's code
 * @insn:    by instruction of the code
 * @own:     reuse distances within each warp
 * @core:    reuse distances on a core, its warps taking turns
 * @replay:  of the L1, by order
 */
struct kernel_counts {
    struct kernel_code code;
    struct static_access *insn;
    struct loops loops;
    uint64_t launches, ctas, warps;
    unsigned block_least, block_most, resident_most; /* threads of a CTA; CTAs a core */
    struct lane_counts lanes;
    struct line_counts lines;
    struct footprint footprint;
    struct reuse_counts own, core;
    struct row_counts rows;
    struct replay_counts replay[ORDER_COUNT];
};

/** kernel_create() - NULL: out of memory. @code: NULL for the whole program. */
struct kernel_counts *kernel_create(const struct kernel_code *code);
void kernel_destroy(struct kernel_counts *k);
/** kernel_is() - true if the launch runs this code. */
bool kernel_is(const struct kernel_counts *k, const struct kernel_code *code);
/** kernel_add() - add a kernel's counts to the program's, but not the footprint's lines, which
 * kernels share. */
void kernel_add(struct kernel_counts *to, const struct kernel_counts *k);

#endif
