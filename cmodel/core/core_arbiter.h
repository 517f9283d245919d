/* SPDX-License-Identifier: Apache-2.0
 *
 * The arbiters of a core whose issue policy has groups: one block issue/warp_arbiter a scheduler.
 */
#ifndef WARPMEM_CORE_CORE_ARBITER_H
#define WARPMEM_CORE_CORE_ARBITER_H

#include "base/alarm.h"
#include "base/block.h"
#include "core/core.h"
#include "issue/warp_arbiter.h"

/** struct core_arbiters - one per scheduler; @in and @out: those of the latest choice. */
struct core_arbiters {
    struct alarm *alarm;
    unsigned schedulers;
    struct block_instance block[CORE_SCHEDULERS_MAX];
    struct warp_arbiter_in in[CORE_SCHEDULERS_MAX];
    struct warp_arbiter_out out[CORE_SCHEDULERS_MAX];
};

/** core_arbiters_create() - for the groups of the core's policies. NULL: refused. */
struct core_arbiters *core_arbiters_create(struct core *c, const struct build *build);
void core_arbiters_destroy(struct core_arbiters *a);

/**
 * core_arbiter_choose() - the choice of a scheduler in this cycle; it has no effect on the next
 * choice.
 * @candidates: its warps that could issue and that no policy holds
 * Return: true if there is one; ->out has it.
 */
bool core_arbiter_choose(const struct core *c, unsigned scheduler, uint64_t candidates);

/** core_arbiter_take() - the warp that was chosen last issues. Return: the warp. */
unsigned core_arbiter_take(struct core *c, unsigned scheduler);

#endif
