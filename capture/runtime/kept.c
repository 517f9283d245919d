/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kept.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/meeting.h"

static void keep_bytes(struct kept_cta *k, const void *from, size_t bytes) {
    if (k->size + bytes > k->room) {
        const size_t room = 2 * (k->size + bytes);
        char *grown = realloc(k->bytes, room);
        if (!grown) {
            capture_fail("kernel %s: no memory for the CTAs that wait for others",
                         running_kernel->name);
        }
        k->bytes = grown;
        k->room = room;
    }
    if (bytes) {
        memcpy(k->bytes + k->size, from, bytes);
    }
    k->size += bytes;
}

static size_t return_bytes(const struct kept_cta *k, size_t at, void *to, size_t bytes) {
    if (bytes) {
        memcpy(to, k->bytes + at, bytes);
    }
    return at + bytes;
}

/* A stack is in use from the address at which its thread continues. */
static size_t used_bytes(const struct fibre *f, const void *at) {
    return (size_t)(f->stack + FIBRE_STACK_BYTES - (const char *)at);
}

void kept_save(struct kept_cta *k, const struct fibre *fibres, size_t dynamic_shared) {
    const struct module_ranges *r = &running_kernel->module->ranges;
    size_t meeting_bytes;
    void *meetings = meeting_memory(&meeting_bytes);
    k->size = 0;
    k->threads = cta_threads;
    keep_bytes(k, r->shared.at, r->shared.bytes);
    keep_bytes(k, r->dynamic.at, dynamic_shared);
    k->meets = cta_threads_in(THREAD_AT_MEETING);
    keep_bytes(k, meetings, k->meets ? meeting_bytes : 0);
    for (unsigned t = 0; t < cta_threads.count; t++) {
        const bool lives = cta_threads.state[t] != THREAD_ENDED;
        k->at[t] = lives ? fibres[t].at : NULL;
        if (lives) {
            keep_bytes(k, fibres[t].at, used_bytes(&fibres[t], fibres[t].at));
        }
    }
}

void kept_restore(const struct kept_cta *k, struct fibre *fibres, size_t dynamic_shared) {
    const struct module_ranges *r = &running_kernel->module->ranges;
    size_t meeting_bytes;
    void *meetings = meeting_memory(&meeting_bytes);
    cta_threads = k->threads;
    size_t at = return_bytes(k, 0, r->shared.at, r->shared.bytes);
    at = return_bytes(k, at, r->dynamic.at, dynamic_shared);
    at = return_bytes(k, at, meetings, k->meets ? meeting_bytes : 0);
    for (unsigned t = 0; t < cta_threads.count; t++) {
        if (k->at[t]) {
            fibres[t].at = k->at[t];
            at = return_bytes(k, at, k->at[t], used_bytes(&fibres[t], k->at[t]));
        }
    }
}
