/* SPDX-License-Identifier: Apache-2.0
 *
 * Footprints: distinct lines that a program, a kernel, a launch and a warp touch, in global and
 * local memory.
 */
#ifndef WARPMEM_CHARACTERIZE_FOOTPRINT_H
#define WARPMEM_CHARACTERIZE_FOOTPRINT_H

#include "characterize/line_map.h"

/* Zeroed: nothing touched. */
struct footprint {
    struct line_map lines;
    uint64_t warps, warp_lines; /* warps that touch a line; the sum of their lines */
    uint32_t warp_most;
};

/* The lines of one launch, and the cores that touched them. Zeroed: none. */
struct launch_lines {
    struct line_map map;
    uint64_t *cores; /* by the map's number: one bit a core */
    uint32_t room;
};

void footprint_destroy(struct footprint *f);
/** footprint_touch() - false: out of memory. */
bool footprint_touch(struct footprint *f, uint64_t line);
/** footprint_warp() - count a warp that has ended and touched @lines lines. */
void footprint_warp(struct footprint *f, uint32_t lines);

void launch_lines_destroy(struct launch_lines *l);
/** launch_lines_touch() - *fresh: the first touch of the line in this launch. False: out of
 * memory. */
bool launch_lines_touch(struct launch_lines *l, uint64_t line, bool *fresh);
/** launch_lines_seen() - true if the core touched the line before; marks it as touched by the core.
 * The line must have been touched in this launch. */
bool launch_lines_seen(struct launch_lines *l, uint64_t line, unsigned core);

#endif
