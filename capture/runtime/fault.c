/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "runtime/fault.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "runtime/capture.h"

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE};
#define SIGNALS (sizeof signals / sizeof *signals)
static struct sigaction before[SIGNALS];
static char signal_stack[64 << 10]; /* the fibre's own may be full */
static sigjmp_buf copy_failed;
static volatile bool copies;

static void take_signal(int number, siginfo_t *info, void *context) {
    (void)info, (void)context;
    if (copies) {
        siglongjmp(copy_failed, 1);
    }
    if (running_kernel) {
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

void fault_watch(void) {
    struct sigaction now;
    const stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    if (!sigaction(SIGSEGV, NULL, &now) && (now.sa_flags & SA_SIGINFO) &&
        now.sa_sigaction == take_signal) {
        return;
    }
    sigaltstack(&stack, NULL);
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
