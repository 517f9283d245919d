/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of the built-in workloads, one a file below the folder of its suite.
 */
#ifndef WARPMEM_WORKLOADS_WORKLOADS_H
#define WARPMEM_WORKLOADS_WORKLOADS_H

#include "workloads/workload.h"

/* clang-format off */

/* In the order in which they are listed: by suite. */
#define WORKLOADS(W) \
    /* polybench/ */ \
    W(atax) \
    W(gemm) \
    /* rodinia/ */ \
    W(cfd) \
    W(particlefilter_float) \
    W(particlefilter_naive) \
    W(srad_v1) \
    W(srad_v2) \
    W(srad_v2_unshared) \
    W(streamcluster) \
    /* sdk/ */ \
    W(vecadd)

/* clang-format on */

#define WORKLOAD_DECLARATION(name) extern const struct workload workload_##name;
WORKLOADS(WORKLOAD_DECLARATION)
#undef WORKLOAD_DECLARATION

#endif
