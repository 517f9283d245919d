/* SPDX-License-Identifier: Apache-2.0
 *
 * Reuse distances in powers of two.
 */
#ifndef WARPMEM_CHARACTERIZE_REUSE_H
#define WARPMEM_CHARACTERIZE_REUSE_H

#include "characterize/stack_distance.h"
#include "kernel/insn.h"

/* Distances 0, 1, 2-3, 4-7, ..., 32768-65535. */
#define REUSE_BUCKETS 17

/* The last warp that touched the line. */
enum reuse_by { REUSE_SAME_WARP, REUSE_SAME_CTA, REUSE_OTHER_CTA, REUSE_BY_COUNT };

/* Touches of lines. first: the line was not touched before; far: it was touched before, but is not
 * among the STACK_DISTANCE_LIMIT last ones. */
struct reuse_counts {
    uint64_t first, far;
    uint64_t near[REUSE_BY_COUNT][REUSE_BUCKETS];
};

/** reuse_bucket() - the bucket of a distance below the limit. */
unsigned reuse_bucket(uint32_t distance);
/** reuse_bucket_least() - the least distance in it. */
uint32_t reuse_bucket_least(unsigned bucket);
void reuse_add(struct reuse_counts *to, const struct reuse_counts *c);

/**
 * reuse_touch() - count a touch of a line, on a stack.
 * @seen: the line was touched before
 * @owner: the warp, by a number in the order of CTAs, CTA_WARPS_MAX a CTA
 * Return: false: out of memory.
 */
bool reuse_touch(struct stack_distance *s, struct reuse_counts *c, uint64_t line, bool seen,
                 uint32_t owner);

#endif
