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
    W(2dconv) \
    W(2mm) \
    W(3dconv) \
    W(3mm) \
    W(atax) \
    W(corr) \
    W(covar) \
    W(fdtd) \
    W(gemm) \
    /* sdk/ */ \
    W(vecadd)

/* clang-format on */

#define WORKLOAD_DECLARATION(name) extern const struct workload workload_##name;
WORKLOADS(WORKLOAD_DECLARATION)
#undef WORKLOAD_DECLARATION

#endif
