/* SPDX-License-Identifier: Apache-2.0
 *
 * Workloads that between them do what all do: for tests that cross workloads with many machines.
 * Each workload runs in at least one test of its own and, in `make unit-long`, in equivalence_test.
 */
#ifndef WARPMEM_TB_WORKLOADS_SAMPLE_H
#define WARPMEM_TB_WORKLOADS_SAMPLE_H

#include "workloads/workload.h"

/** workload_sample() - the i-th; NULL past the end. */
static inline const struct workload *workload_sample(unsigned i) {
    static const char *const names[] = {"atax", "gemm", "vecadd"};
    return i < sizeof names / sizeof *names ? workload_find(names[i]) : NULL;
}

#endif
