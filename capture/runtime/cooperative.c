/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/cooperative.h"

#include <stddef.h>

#include "runtime/capture.h"
#include "runtime/memory.h"

static unsigned *counter; /* of the device, from the first launch on: other launches use it again */
static bool whole;

bool cooperative_begin(void) {
    if (!counter && (counter = memory_take(sizeof *counter))) {
        *counter = 0;
    }
    whole = counter != NULL;
    return whole;
}

void cooperative_end(void) {
    whole = false;
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
