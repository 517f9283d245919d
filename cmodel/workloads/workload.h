/* SPDX-License-Identifier: Apache-2.0
 *
 * Built-in workloads: what a workload is, and the list of them.
 */
#ifndef WARPMEM_WORKLOADS_WORKLOAD_H
#define WARPMEM_WORKLOADS_WORKLOAD_H

#include <stdint.h>

#include "kernel/launch.h"

enum workload_size {
    SIZE_TINY,
    SIZE_SMALL,
    SIZE_PAPER,
};

#define WORKLOAD_UNKNOWN UINT64_MAX /* an expectation that nothing is compared with */

/* What a run must have counted, by closed formulas of the sizes. */
struct workload_expectation {
    uint64_t warp_instructions;     /* issued, markers excluded */
    uint64_t thread_instructions;   /* the same, times active lanes */
    uint64_t global_read_accesses;  /* accesses of L1 lines after coalescing, loads */
    uint64_t global_write_accesses; /* the same, stores */
};

struct workload {
    const char *name;         /* lower case, as on the command line */
    const char *suite;        /* folder below workloads/ */
    const char *about;        /* one line */
    const char *size_text[3]; /* what tiny, small, paper mean, e.g. "N = 256" */
    /* Fill *p, allocate and generate the inputs. NULL on success, else a message of one line
     * (static storage). */
    const char *(*open)(struct program *p, enum workload_size size, uint64_t seed);
    /* After a complete run: NULL when the results equal plain C's, else what differs (storage of
     * the program). */
    const char *(*check)(const struct program *p);
    /* @line_bytes: of the L1 in front of which accesses are coalesced, at most 128. */
    void (*expect)(const struct program *p, unsigned line_bytes, struct workload_expectation *e);
    void (*close)(struct program *p);
};

/** workload_find() - by name; NULL when there is none. */
const struct workload *workload_find(const char *name);
/** workload_at() - the i-th, in the order of the list; NULL past the end. */
const struct workload *workload_at(unsigned i);

#endif
