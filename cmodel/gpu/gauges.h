/* SPDX-License-Identifier: Apache-2.0
 *
 * Gauges: the occupancy of the machine at one moment, summed over its units. Between two edges of
 * its clocks (gpu_options.sample) they do not depend on the order of evaluation.
 */
#ifndef WARPMEM_GPU_GAUGES_H
#define WARPMEM_GPU_GAUGES_H

#include "gpu/gpu.h"

struct gpu_gauge {
    const char *name, *unit, *meaning;
    uint64_t (*read)(const struct gpu *g);
};

/** gpu_gauge_at() - the i-th gauge, in the order of a request's path; NULL past the end. */
const struct gpu_gauge *gpu_gauge_at(unsigned i);

#define GPU_GAUGES_MAX 16

#endif
