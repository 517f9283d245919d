/* SPDX-License-Identifier: Apache-2.0
 *
 * A CTA that waits while another one runs: its threads' stacks and its shared memory are copied,
 * and return to their addresses.
 */
#ifndef WARPMEM_RUNTIME_KEPT_H
#define WARPMEM_RUNTIME_KEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/cta_threads.h"
#include "runtime/fibre.h"
#include "runtime/spin.h"

struct kept_recording;

struct kept_cta {
    unsigned cta;
    bool recorded;
    struct cta_threads threads;
    void *at[THREADS_MAX]; /* where its threads continue; NULL: ended */
    char *bytes;           /* of shared memory and stacks */
    size_t size, room;
    bool meets; /* with what lanes have brought to meetings */
    struct spin_cta *spin;
    struct kept_recording *recording;
};

/** kept_save() - copy the running CTA. @dynamic_shared: bytes of the launch. */
void kept_save(struct kept_cta *k, const struct fibre *fibres, size_t dynamic_shared);
/** kept_restore() - put it back. */
void kept_restore(const struct kept_cta *k, struct fibre *fibres, size_t dynamic_shared);

#endif
