/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of workloads, in the order of the papers' figures: data/workload_sets.tsv, which is built
 * into the program.
 */
#ifndef WARPMEM_WORKLOADS_SETS_H
#define WARPMEM_WORKLOADS_SETS_H

/* A row: a workload of a set. The rows of a set are adjacent. */
struct workload_set_row {
    const char *set, *paper, *workload, *label;
};

extern const struct workload_set_row workload_set_rows[]; /* the last has no set */

#endif
