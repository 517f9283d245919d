/* SPDX-License-Identifier: Apache-2.0
 *
 * The threads of the running CTA, one after another up to the next barrier, or to a loop in which
 * they wait for each other.
 */
#ifndef WARPMEM_RUNTIME_CTA_H
#define WARPMEM_RUNTIME_CTA_H

#include <stdbool.h>
#include <stddef.h>

/* Why a CTA runs no more. */
enum cta_end {
    CTA_ENDED,
    CTA_AT_GRID, /* its threads wait at a barrier of the grid */
    CTA_WAITS    /* all of its threads wait for others */
};

/* A CTA while another one runs: its stacks, shared memory, recording. */
struct kept_cta;

/** cta_prepare() - for launches of the running kernel. @own_stacks: each thread has one, for
 * barriers; else they share one until a thread waits in a loop. */
void cta_prepare(void (*call)(void **arguments), void **arguments, bool own_stacks,
                 size_t dynamic_shared);

/** cta_has_own_stacks() - true also if a thread has waited in a loop since. */
bool cta_has_own_stacks(void);

/** cta_begin() - run a CTA, whose number is in running.cta, until it ends or waits. */
enum cta_end cta_begin(unsigned cta, bool recorded);
/** cta_continue() - run a kept CTA on. @released: from the barrier of the grid. @granted: its
 * threads run on for a while although nothing has changed. */
enum cta_end cta_continue(struct kept_cta *k, bool released, bool granted);

/** cta_keep() - keep the CTA that has not ended. @old: it was kept before; NULL: it was not. */
struct kept_cta *cta_keep(struct kept_cta *old);
void cta_drop_kept(struct kept_cta *k);
/** cta_may_continue() - what one of its threads waits for has changed. */
bool cta_may_continue(const struct kept_cta *k);
/** cta_can_be_granted() - one of its threads waits, and may come to an end. */
bool cta_can_be_granted(const struct kept_cta *k);

/** cta_yield() - the running thread waits in a loop: runtime/spin.h. */
void cta_yield(void);
/** cta_end_thread() - the running thread has failed, and ends. */
_Noreturn void cta_end_thread(void);
/** cta_fail_hang() - end the program: nothing can change what the CTA's threads wait for. @others:
 * more about the grid. */
_Noreturn void cta_fail_hang(struct kept_cta *k, const char *others);

#endif
