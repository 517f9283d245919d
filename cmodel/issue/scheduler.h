/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_SCHEDULER_H
#define WARPMEM_ISSUE_SCHEDULER_H

#include <stdint.h>

/**
 * struct warp_scheduler - picks one of the warps that can issue.
 *
 * LRR: the first candidate after the warp that issued last, in the order of warp slots. GTO (Rogers
 * et al., MICRO 2012): the warp that issued last if it is a candidate, else the oldest: by launch
 * of its CTA, then by slot (DAWS 7.1). Oldest first: the same without greed. GTY: the warp that
 * issued last, else the youngest, as measured on NVIDIA's GPUs since Turing (Huerta et al., arXiv
 * 2503.20481, section 5.1.2). Two-level: LRR among
 * the warps that the policy allows (issue/policy.h).
 */
struct warp_scheduler {
    uint64_t mine;    /* warp slots of this scheduler, one bit each */
    int last;         /* slot that issued last, -1: none yet */
    uint64_t free_at; /* first core cycle in which it can issue (core.simd_width) */
};

/** scheduler_lrr() - @candidates: not zero. Return: the slot. */
int scheduler_lrr(const struct warp_scheduler *s, uint64_t candidates);
/** scheduler_gto() - @age: launch number of each slot's CTA, smaller is older. */
int scheduler_gto(const struct warp_scheduler *s, uint64_t candidates, const uint64_t *age);
/** scheduler_oldest() - the candidate with the smallest @age, the lower slot of two. */
int scheduler_oldest(uint64_t candidates, const uint64_t *age);
/** scheduler_gty() - greedy, then the candidate with the largest @age, the higher slot of two. */
int scheduler_gty(const struct warp_scheduler *s, uint64_t candidates, const uint64_t *age);

#endif
