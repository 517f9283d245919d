/* SPDX-License-Identifier: Apache-2.0
 *
 * Gauges: how full the machine is at one moment, summed over its units. Between two edges of its
 * clocks (gpu_options.sample) they are the same however it is evaluated.
 */
#ifndef WARPMEM_GPU_GAUGES_H
#define WARPMEM_GPU_GAUGES_H

#include "gpu/gpu.h"

struct gpu_gauge {
    const char *name, *unit, *meaning;
    uint64_t (*read)(const struct gpu *g);
};

/** gpu_gauge_at() - the i-th, in the order in which a request meets them; NULL past the end. */
const struct gpu_gauge *gpu_gauge_at(unsigned i);

#define GPU_GAUGES_MAX 16

#endif
