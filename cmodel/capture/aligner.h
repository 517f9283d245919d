/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a warp of 32 recorded threads: which lanes execute a block together, and in which order the
 * parts of a warp that have parted go on.
 *
 *     aligner_begin_cta(); for each piece between barriers: aligner_run() for each warp;
 *     aligner_end_cta()
 *
 * Where lanes meet again is a choice of the hardware and its compiler. With ALIGN_SMALLEST the
 * lanes whose next block comes first in the weak topological order go on and the others wait for
 * them: `else` branches, `continue` and the code behind loops are executed once. With ALIGN_STACK
 * lanes meet at the immediate post-dominator of the branch at which they have parted, as with a
 * stack of masks.
 *
 * A piece ends with a barrier or the end of the kernel. A warp's barrier is one instruction, of all
 * lanes that wait, even if they wait in different places. An open loop ends and begins again where
 * a warp leaves it while some lanes wait at a barrier in it.
 */
#ifndef WARPMEM_CAPTURE_ALIGNER_H
#define WARPMEM_CAPTURE_ALIGNER_H

#include "capture/code_layout.h"
#include "capture/recorder.h"
#include "kernel/launch.h"

enum aligner_rule { ALIGN_SMALLEST, ALIGN_STACK };

struct aligner;

/** aligner_create() - for launches of one kernel, whose layout must stay. NULL: out of memory. */
struct aligner *aligner_create(const struct code_layout *l, enum aligner_rule rule);
void aligner_destroy(struct aligner *a);

/** aligner_begin_cta() - a CTA of @threads (1..1024) begins; its records go to @out. */
void aligner_begin_cta(struct aligner *a, unsigned threads, struct cta_trace *out);

/**
 * aligner_run() - the next piece of all lanes of a warp.
 * @threads: streams of the warp's threads; those that have ended are empty
 * Return: false: aligner_error() says why.
 */
bool aligner_run(struct aligner *a, unsigned warp, const struct thread_stream *threads);

/** aligner_end_cta() - every thread has ended. False as for aligner_run(). */
bool aligner_end_cta(struct aligner *a);

/** aligner_error() - one line without the kernel's name. */
const char *aligner_error(const struct aligner *a);

#endif
