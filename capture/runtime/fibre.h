/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads of a CTA that wait for each other, with stacks that are switched without a system call.
 */
#ifndef WARPMEM_RUNTIME_FIBRE_H
#define WARPMEM_RUNTIME_FIBRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIBRE_STACK_BYTES ((size_t)256 << 10)

struct fibre {
    void *at; /* where it continues */
    char *stack;
};

/** fibre_init() - make a stack, with a guard page below it. False: out of memory. */
bool fibre_init(struct fibre *f);
/** fibre_start() - the next fibre_resume() calls @run, which must not return. */
void fibre_start(struct fibre *f, void (*run)(void));
/** fibre_resume() - continue a fibre until fibre_wait(). */
void fibre_resume(struct fibre *f);
/** fibre_wait() - return from the running fibre to the caller of fibre_resume(). */
void fibre_wait(struct fibre *f);

static inline bool fibre_has(const struct fibre *f, const void *p) {
    return (uintptr_t)p - (uintptr_t)f->stack < FIBRE_STACK_BYTES;
}

#endif
