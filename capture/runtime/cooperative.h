/* SPDX-License-Identifier: Apache-2.0
 *
 * A grid whose CTAs are live together, and wait for each other at barriers of the grid. One CTA
 * runs at a time; at such a barrier its threads' stacks and its shared memory are kept elsewhere
 * until all CTAs have come, and return to their addresses.
 */
#ifndef WARPMEM_RUNTIME_COOPERATIVE_H
#define WARPMEM_RUNTIME_COOPERATIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/capture.h"
#include "runtime/fibre.h"

/* A CTA that waits: where its threads continue (NULL: ended), and the bytes of its stacks and
 * shared memory. */
struct kept_cta {
    void *at[THREADS_MAX];
    char *bytes;
    size_t size, room;
};

/** cooperative_begin() - a launch begins; its barriers' counter is in device memory. False: no
 * memory is left. */
bool cooperative_begin(size_t dynamic_shared);
void cooperative_end(void);

/** cooperative_keep() - keep the running CTA. @waits: of each of its threads, or it has ended. */
void cooperative_keep(struct kept_cta *k, const struct fibre *fibres, const bool *waits,
                      unsigned threads);
/** cooperative_return() - put it back. @waits: as it was. */
void cooperative_return(const struct kept_cta *k, struct fibre *fibres, bool *waits,
                        unsigned threads);

#endif
