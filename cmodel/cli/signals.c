/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>

static atomic_int caught; /* a handler has no other way to report */

static void remember_signal(int number) {
    caught = number;
}

void signals_catch(void) {
    struct sigaction action = {.sa_handler = remember_signal,
                               .sa_flags = (int)(SA_RESTART | SA_RESETHAND)};
    struct sigaction now;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!sigaction(SIGHUP, NULL, &now) && now.sa_handler != SIG_IGN) { /* not under nohup */
        sigaction(SIGHUP, &action, NULL);
    }
    /* A file has become too large. It comes with each write beyond, which then fails. */
    action.sa_flags = SA_RESTART;
    sigaction(SIGXFSZ, &action, NULL);
}

const atomic_int *signals_flag(void) {
    return &caught;
}
