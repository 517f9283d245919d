/* SPDX-License-Identifier: Apache-2.0
 *
 * The states of the running CTA's threads.
 */
#ifndef WARPMEM_RUNTIME_CTA_THREADS_H
#define WARPMEM_RUNTIME_CTA_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/capture.h"
#include "kernel/insn.h"

enum thread_state {
    THREAD_RUNS,
    THREAD_AT_BARRIER,
    THREAD_AT_TILE,    /* at a barrier of some warps, or one with a number */
    THREAD_AT_WORD,    /* until bits of a word have another value */
    THREAD_AT_GRID,    /* at a barrier of the grid */
    THREAD_AT_MEETING, /* of its warp: runtime/meeting.h */
    THREAD_SPINS,      /* waits in a loop: runtime/spin.h */
    THREAD_ENDED
};

struct cta_tile {
    unsigned first, count;
};

struct awaited_word {
    const volatile uint32_t *word;
    uint32_t mask, value;
};

extern struct cta_threads {
    unsigned count;
    uint8_t state[THREADS_MAX];           /* enum thread_state */
    bool aligns[THREADS_MAX / WARP_SIZE]; /* by warp: it has run since its records were made */
    struct cta_tile tile[THREADS_MAX];    /* of THREAD_AT_TILE */
    struct awaited_word awaited[THREADS_MAX];
    int brought_to_barrier, sum_of_barrier; /* by __syncthreads_count() */
    bool rounds_wait;                       /* at a barrier, whose iterations do not differ */
} cta_threads;

/** cta_wait_in() - the running thread waits, until its state is THREAD_RUNS again. */
void cta_wait_in(enum thread_state s);
/** cta_running_thread() - its number. */
unsigned cta_running_thread(void);

/** cta_threads_in() - their number. cta_change_state(): of threads @first to @end - 1. */
unsigned cta_threads_in(enum thread_state s);
void cta_change_state(unsigned first, unsigned end, enum thread_state from, enum thread_state to);

/** barriers_release_some() - let threads run that wait at a complete barrier of some warps, or for
 * a word that has changed. False: there are none. */
bool barriers_release_some(void);
/** barriers_release_cta() - the CTA's barrier is complete. */
void barriers_release_cta(void);
/** barriers_await_device() - a thread waits for a word of global memory, which others may change.
 * @changed: and it has changed. */
bool barriers_await_device(const struct cta_threads *c, bool changed);

#endif
