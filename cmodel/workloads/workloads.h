/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in workloads, one a file below the folder of its suite. The list is in workload.c.
 */
#ifndef WARPMEM_WORKLOADS_WORKLOADS_H
#define WARPMEM_WORKLOADS_WORKLOADS_H

#include "workloads/workload.h"

extern const struct workload workload_atax;   /* polybench/atax.c */
extern const struct workload workload_gemm;   /* polybench/gemm.c */
extern const struct workload workload_vecadd; /* sdk/vecadd.c */

#endif
