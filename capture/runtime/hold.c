/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "runtime/hold.h"

#include <pthread.h>

static pthread_mutex_t device = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void hold_take(void) {
    pthread_mutex_lock(&device);
}

void hold_give(void) {
    pthread_mutex_unlock(&device);
}

/* A child of the program has only the thread that forked, so another one must not hold the device
 * then. The lock knows its thread by a number that the child's has not. */
static void begin_child(void) {
    device = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(hold_take, hold_give, begin_child);
}
