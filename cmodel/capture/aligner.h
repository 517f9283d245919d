/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a warp of 32 recorded threads: decides which lanes execute a block together, and in which
 * order diverged lanes continue.
 *
 *     aligner_begin_cta(); for each piece between barriers: aligner_run() for each warp;
 *     aligner_end_cta()
 *
 * The hardware and its compiler choose where lanes meet again. With ALIGN_SMALLEST the lanes whose
 * next block comes first in the weak topological order continue, and the others wait for them:
 * `else` branches, `continue` and the code after loops are executed once. With ALIGN_STACK lanes
 * meet at the immediate post-dominator of the branch at which they diverged, as with a stack of
 * masks.
 *
 * A piece ends with a barrier or the end of the kernel. A warp's barrier is one instruction, of all
 * lanes that wait, even if they wait in different places. If a warp leaves an open loop while some
 * lanes wait at a barrier in it, the loop ends and begins again there.
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

/** aligner_begin_cta() - begin a CTA of @threads (1..1024); its records go to @out. */
void aligner_begin_cta(struct aligner *a, unsigned threads, struct cta_trace *out);

/**
 * aligner_run() - align the next piece of all lanes of a warp.
 * @threads: streams of the warp's threads; those of ended threads are empty
 * Return: false: aligner_error() has the reason.
 */
bool aligner_run(struct aligner *a, unsigned warp, const struct thread_stream *threads);

/** aligner_end_cta() - every thread has ended. False: as for aligner_run(). */
bool aligner_end_cta(struct aligner *a);

/* The records of a CTA at one time, between two pieces. */
struct aligner_mark {
    struct {
        size_t bytes;
        uint32_t last_active, present;
        unsigned open_count;
    } warp[CTA_WARPS_MAX];
};

/** aligner_set_mark() - of the CTA's records now. */
void aligner_set_mark(const struct aligner *a, struct aligner_mark *m);

/**
 * aligner_cut_to_mark() - drop what was recorded since then, which was whole iterations of a loop
 * around a barrier: each warp is where it was. Nothing happens if one has ended lanes or loops
 * since.
 */
void aligner_cut_to_mark(struct aligner *a, const struct aligner_mark *m);

/** aligner_error() - one line without the kernel's name. */
const char *aligner_error(const struct aligner *a);

#endif
