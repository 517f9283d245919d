/* SPDX-License-Identifier: Apache-2.0
 *
 * How many CTAs a core of the device holds at once, by the limits that warpmem_attributes.h gives.
 */
#ifndef WARPMEM_RUNTIME_OCCUPANCY_H
#define WARPMEM_RUNTIME_OCCUPANCY_H

#include <stddef.h>

#include "runtime/capture.h"

#define OCCUPANCY_SHARED_UNIT 256 /* of a core's allocation in a GPU of capability 7.0 */

/* Shared memory of a core; cuda/device.c sets it, as it depends on the capability. */
extern unsigned occupancy_shared_bytes;

/** occupancy_by_threads() - CTAs on a core without regard to shared memory. */
unsigned occupancy_by_threads(struct kernel *k, unsigned threads);
/** occupancy_of_core() - CTAs that a core holds at once. @shared: dynamic bytes. */
unsigned occupancy_of_core(struct kernel *k, unsigned threads, size_t shared);

#endif
