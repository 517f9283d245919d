/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost of a run of each workload: scripts/measure_workloads.py writes the table
 * cmodel/workloads/costs.tsv, which is built into the program.
 */
#ifndef WARPMEM_WORKLOADS_COSTS_H
#define WARPMEM_WORKLOADS_COSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workloads/workload.h"

struct workload_cost {
    const char *workload, *size; /* names */
    uint64_t launches, warp_instructions;
    uint64_t accesses; /* of the L1, loads, stores and atomics, with the default preset */
    double seconds;    /* processor time of a run with the default preset and scheme */
    bool scaled;       /* seconds estimated from a smaller size, by accesses and
                          instructions */
};

/* The table, which ends with an entry without names. */
extern const struct workload_cost workload_costs[];

/** workload_cost() - NULL: the table has no such row. */
const struct workload_cost *workload_cost(const struct workload *w, enum workload_size size);

#endif
