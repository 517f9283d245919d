/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds threads that wait for others in a loop. Threads run one after another, so the one that
 * would change what such a loop reads runs only if this one yields.
 *
 * A thread waits if its last iterations are equal: the same blocks, the same addresses, and at each
 * address the same bytes. It continues when one of those bytes has changed. Whole CTAs wait
 * likewise, where each iteration of the loop has a barrier.
 *
 * Equal iterations do not prove that the thread waits, as a loop may count in registers. Then the
 * thread continues when nothing else can, and its recording is complete. With equal registers and
 * stacks they do prove it.
 */
#ifndef WARPMEM_RUNTIME_SPIN_H
#define WARPMEM_RUNTIME_SPIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/recorder.h"

/* The threads of a CTA: their loops, and the values that they wait for. */
struct spin_cta;

/* A word that a thread is about to record. */
struct spin_report {
    uint64_t word;
    const char *at; /* of an access; NULL: a block */
    uint32_t bytes;
};

/* --- for the recording --- */

/** spin_first_limit() - words of a stream before its thread is looked at. */
size_t spin_first_limit(void);
/** spin_limit() - the same of a stream with words. */
size_t spin_limit(unsigned thread, const struct thread_stream *s);
/** spin_must_yield() - look at a thread whose stream is at its limit, before it records @r and
 * makes the access. True: it waits for others. */
bool spin_must_yield(unsigned thread, struct thread_stream *s, const struct spin_report *r);
/** spin_note_piece() - a warp's streams before they are cut. spin_end_piece(): they are empty. */
void spin_note_piece(unsigned warp, const struct thread_stream *streams);
void spin_end_piece(unsigned warp);
/** spin_has_looked() - true if a thread of the warp was looked at in this piece. */
bool spin_has_looked(unsigned warp);
/** spin_watches_rounds() - true while all threads' reports are looked at. */
bool spin_watches_rounds(void);

/* --- for the threads of a CTA --- */

void spin_begin_cta(void);
/** spin_is_over() - true if what a thread that waits has read is changed; it may continue. */
bool spin_is_over(unsigned thread);
/** spin_note_meeting() - the thread meets the others of its warp. They have as many iterations, so
 * those of its loop stay in the trace. */
void spin_note_meeting(unsigned thread);
/** spin_continue() - a thread that has yielded runs again. Return: true: what it waited for has
 * changed, and its stream keeps few of its iterations. */
bool spin_continue(unsigned thread, struct thread_stream *s);
/** spin_grant() - a thread or CTA may run on although nothing has changed. False: that is in vain,
 * as its registers do not change either. */
bool spin_grant(unsigned thread);
bool spin_grant_rounds(void);
/** spin_end_round() - all threads of the CTA have come to a barrier. True: the CTA waits. */
bool spin_end_round(void);
/** spin_rounds_are_over() - as spin_is_over(), of the CTA. */
bool spin_rounds_are_over(void);

/* --- for CTAs that are kept aside --- */

/** spin_keep() - what the running CTA has; another one begins. spin_return(): it runs again. */
struct spin_cta *spin_keep(void);
void spin_return(struct spin_cta *c);
/** spin_other_is_over() - as spin_is_over() of any of its threads, or of it, without what is its
 * own: shared and local memory. */
bool spin_other_is_over(const struct spin_cta *c);

/** spin_other_can_be_granted() - spin_grant() of one of its threads, or of it, would be true. */
bool spin_other_can_be_granted(const struct spin_cta *c);
void spin_drop(struct spin_cta *c);

/** spin_waits() - times that a thread or CTA has waited for others until now. */
unsigned long long spin_waits(void);

#endif
