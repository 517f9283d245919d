/* SPDX-License-Identifier: Apache-2.0
 *
 * CTAs of a kernel that the device of cudaGetDeviceProperties() holds at once.
 */
#ifndef WARPMEM_RUNTIME_OCCUPANCY_H
#define WARPMEM_RUNTIME_OCCUPANCY_H

#include <stddef.h>

#include "runtime/capture.h"

#define DEVICE_MULTIPROCESSORS 16u
#define DEVICE_CTAS 32u /* of a multiprocessor */
#define DEVICE_THREADS 2048u
#define DEVICE_REGISTERS 65536u
#define DEVICE_SHARED ((size_t)96 << 10)

/** occupancy_ctas() - in a multiprocessor; 0: none fits. */
unsigned occupancy_ctas(struct kernel *k, unsigned threads, size_t dynamic_shared);

#endif
