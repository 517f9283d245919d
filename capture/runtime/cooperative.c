/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/cooperative.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/memory.h"

static unsigned *counter; /* of the device, from the first launch on: other launches use it again */
static bool whole;
static size_t dynamic_bytes;

bool cooperative_begin(size_t dynamic_shared) {
    if (!counter && (counter = memory_take(sizeof *counter))) {
        *counter = 0;
    }
    whole = counter != NULL;
    dynamic_bytes = dynamic_shared;
    return whole;
}

void cooperative_end(void) {
    whole = false;
}

/* --- what is kept --- */

static void keep_bytes(struct kept_cta *k, const void *from, size_t bytes) {
    if (k->size + bytes > k->room) {
        const size_t room = 2 * (k->size + bytes);
        char *grown = realloc(k->bytes, room);
        if (!grown) {
            capture_fail("kernel %s: no memory for the CTAs that wait for the grid",
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

void cooperative_keep(struct kept_cta *k, const struct fibre *fibres, const bool *waits,
                      unsigned threads) {
    const struct module_ranges *r = &running_kernel->module->ranges;
    k->size = 0;
    keep_bytes(k, r->shared.at, r->shared.bytes);
    keep_bytes(k, r->dynamic.at, dynamic_bytes);
    for (unsigned t = 0; t < threads; t++) {
        k->at[t] = waits[t] ? fibres[t].at : NULL;
        if (waits[t]) {
            keep_bytes(k, fibres[t].at, used_bytes(&fibres[t], fibres[t].at));
        }
    }
}

void cooperative_return(const struct kept_cta *k, struct fibre *fibres, bool *waits,
                        unsigned threads) {
    const struct module_ranges *r = &running_kernel->module->ranges;
    size_t at = return_bytes(k, 0, r->shared.at, r->shared.bytes);
    at = return_bytes(k, at, r->dynamic.at, dynamic_bytes);
    for (unsigned t = 0; t < threads; t++) {
        waits[t] = k->at[t];
        if (waits[t]) {
            fibres[t].at = k->at[t];
            at = return_bytes(k, at, k->at[t], used_bytes(&fibres[t], k->at[t]));
        }
    }
}

/* --- for kernels: capture/include/warpmem_groups.h --- */

int __wm_grid_is_whole(void);
int __wm_grid_is_whole(void) {
    return whole;
}

unsigned *__wm_grid_counter(void);
unsigned *__wm_grid_counter(void) {
    if (!whole) {
        capture_fail("kernel %s: waits for the whole grid: must be launched with "
                     "cudaLaunchCooperativeKernel()",
                     running_kernel->name);
    }
    return counter;
}

/* A thread reads the counter once: it continues behind the barrier, when all CTAs have come. */
int __wm_grid_waits(unsigned before, unsigned now);
int __wm_grid_waits(unsigned before, unsigned now) {
    (void)before, (void)now;
    return 0;
}
