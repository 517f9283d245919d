/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "runtime/fault.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/capture.h"

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE};
#define SIGNALS (sizeof signals / sizeof *signals)
static struct sigaction before[SIGNALS];
#define SIGNAL_STACK_BYTES (64 << 10)
static pthread_key_t signal_stacks; /* of each thread that has run a kernel or a copy */
static _Thread_local sigjmp_buf copy_failed;
static _Thread_local volatile bool copies;

static void take_signal(int number, siginfo_t *info, void *context) {
    (void)info, (void)context;
    if (copies) {
        siglongjmp(copy_failed, 1);
    }
    if (launch_is_here()) {
        unsigned line;
        const char *file = recording_place(&line);
        launch_fail(number == SIGFPE ? LAUNCH_TRAPPED : LAUNCH_BAD_ADDRESS,
                    "%s:%u or behind: kernel %s, CTA %u, thread %u,%u,%u: %s", file, line,
                    running_kernel->name, launch_cta(), running.thread.x, running.thread.y,
                    running.thread.z,
                    number == SIGFPE ? "an integer is divided by zero"
                                     : "its local memory is full, or it uses a bad address");
    }
    for (size_t i = 0; i < SIGNALS; i++) { /* the program's own: it comes again */
        sigaction(signals[i], &before[i], NULL);
    }
}

static void drop_signal_stack(void *stack) {
    const stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    free(stack);
}

static void make_key(void) {
    pthread_key_create(&signal_stacks, drop_signal_stack);
}

/* The fibre's own stack may be full, and each thread has another one for signals. */
static void watch_thread(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    if (pthread_getspecific(signal_stacks)) {
        return;
    }
    const stack_t stack = {.ss_sp = malloc(SIGNAL_STACK_BYTES), .ss_size = SIGNAL_STACK_BYTES};
    if (stack.ss_sp && !pthread_setspecific(signal_stacks, stack.ss_sp)) {
        sigaltstack(&stack, NULL);
    }
}

void fault_watch(void) {
    struct sigaction now;
    watch_thread();
    if (!sigaction(SIGSEGV, NULL, &now) && (now.sa_flags & SA_SIGINFO) &&
        now.sa_sigaction == take_signal) {
        return;
    }
    /* A jump leaves the handler, so the signal must not stay blocked. */
    now = (struct sigaction){.sa_sigaction = take_signal,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], &now, &before[i]);
    }
}

static bool run_copy(void *to, const void *from, int value, size_t bytes) {
    fault_watch();
    if (sigsetjmp(copy_failed, 0)) {
        copies = false;
        return false;
    }
    copies = true;
    if (from) {
        memmove(to, from, bytes);
    } else {
        memset(to, value, bytes);
    }
    copies = false;
    return true;
}

bool fault_move(void *to, const void *from, size_t bytes) {
    return !bytes || (to && from && run_copy(to, from, 0, bytes));
}

bool fault_fill(void *p, int value, size_t bytes) {
    return !bytes || (p && run_copy(p, NULL, value, bytes));
}
