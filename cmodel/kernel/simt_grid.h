/* SPDX-License-Identifier: Apache-2.0
 *
 * Grids whose CTAs wait for each other. simt_run() runs one CTA after another, each to its end. A
 * kernel with a barrier across the grid, or a loop that waits for a write of another CTA, needs all
 * CTAs at once. Here each CTA has a host thread, and one of them runs at a time: when a CTA ends or
 * waits (simt_turn(), simt_grid_barrier()), the next in the order of CTA numbers continues. So
 * results and records are the same in every run.
 *
 * The records of all CTAs up to the next grid-wide barrier stay in memory. The grids of such
 * kernels are only as large as the machine.
 */
#ifndef WARPMEM_KERNEL_SIMT_GRID_H
#define WARPMEM_KERNEL_SIMT_GRID_H

#include "kernel/simt.h"

struct simt_grid;

struct simt_grid *simt_grid_create(void);
/** simt_grid_destroy() - also abandons CTAs that have not ended. */
void simt_grid_destroy(struct simt_grid *g);

/**
 * simt_grid_run() - the records of CTA @cta up to the next grid-wide barrier or its end. The call
 * for the first CTA runs all of them that far.
 * @cta: each one once, up to the next barrier
 * Return: false when out of memory.
 */
bool simt_grid_run(struct simt_grid *g, const struct launch *l, unsigned cta, struct cta_trace *out,
                   simt_kernel *kernel, const void *arguments);
/** simt_grid_waits() - true at a grid-wide barrier: the same launch must be made again for the
 * rest. */
bool simt_grid_waits(const struct simt_grid *g);

#endif
