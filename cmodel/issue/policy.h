/* SPDX-License-Identifier: Apache-2.0
 *
 * What an issue policy may say to the schedulers of a core: the seam at which warp limiting, fetch
 * groups, CTA groups and load throttling meet the base order (LRR, GTO, oldest first).
 *
 * A policy holds warps back altogether (can_issue) or their memory instructions alone (can_load),
 * and puts each warp into a class. A scheduler issues from its best class, the one with the lowest
 * number; within it the base order decides. Loose: the best class that has a candidate, so a better
 * class takes over as soon as one of its warps is ready. Strict: the best class with a warp that is
 * not stalled, whether or not it is a candidate, so a class keeps the scheduler until all its warps
 * are.
 *
 * All of it is a function of the core's state in the cycle at hand: asking twice changes nothing.
 */
#ifndef WARPMEM_ISSUE_POLICY_H
#define WARPMEM_ISSUE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#define POLICY_CLASSES_MAX 64

/**
 * struct issue_policy - one bit a warp slot in each mask.
 * @can_issue: warps that may issue
 * @can_load: warps that may issue a memory instruction
 * @unstalled: strict: warps that hold their class: not stalled on memory, barrier or fence, not
 *             ended
 * @of_class: the warps of each class, of which there are @classes; 1: all warps are equal
 */
struct issue_policy {
    uint64_t can_issue, can_load, unstalled;
    unsigned classes;
    bool strict;
    uint64_t of_class[POLICY_CLASSES_MAX];
};

/** policy_init() - holds nobody, one class. */
void policy_init(struct issue_policy *p);

/** policy_classify() - put the warps of a mask into a class, out of the one they were in. */
void policy_classify(struct issue_policy *p, uint64_t warps, unsigned class);

/**
 * policy_allowed() - what is left of a scheduler's candidates.
 * @mine: the scheduler's warps
 * @candidates: warps that could issue
 * @memory: warps whose next instruction is a load, a store or an atomic
 */
uint64_t policy_allowed(const struct issue_policy *p, uint64_t mine, uint64_t candidates,
                        uint64_t memory);

/**
 * swl_allowed() - static warp limiting (SWL; Rogers et al., MICRO 2012): the @limit oldest of a
 * scheduler's warps.
 * @eligible: its warps that have not ended and wait at no barrier or fence
 * @age: launch number of each slot's CTA; of equals the lower slot is older
 */
uint64_t swl_allowed(uint64_t eligible, unsigned limit, const uint64_t *age);

/**
 * struct two_level - fetch groups of a scheduler (Narasiman et al., MICRO 2011).
 *
 * Its i-th warp belongs to group i / group_warps; the last group may be smaller. Groups take turns
 * in a circle that begins with the current one; the scheduler goes on to the next only when all
 * warps of a group are stalled on long-latency operations. The current group changes only when a
 * warp of another one issues.
 */
struct two_level {
    unsigned groups, current;
    uint64_t group[POLICY_CLASSES_MAX];
};

/** two_level_init() - @mine: the scheduler's warps. */
void two_level_init(struct two_level *t, uint64_t mine, unsigned group_warps);
/** two_level_classify() - a group's class: how many groups come before it from the current one. */
void two_level_classify(const struct two_level *t, struct issue_policy *p);
/** two_level_issued() - @warp of this scheduler issued. Return: the current group changed. */
bool two_level_issued(struct two_level *t, unsigned warp);

#endif
