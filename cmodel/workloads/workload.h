/* SPDX-License-Identifier: Apache-2.0
 *
 * Built-in workloads: what a workload is, and the list of them.
 */
#ifndef WARPMEM_WORKLOADS_WORKLOAD_H
#define WARPMEM_WORKLOADS_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/launch.h"

/* The papers differ in the inputs of the programs that they share: each has a size of its own. */
enum workload_size {
    SIZE_TINY,
    SIZE_SMALL,
    SIZE_PAPER, /* of a program that no paper gives an input for: its suite's */
    SIZE_PAPER_MRPB,
    SIZE_PAPER_MDB,
    SIZE_PAPER_MEDIC,
    SIZE_PAPER_OWL,
    SIZE_PAPER_DAWS,
    SIZE_COUNT
};

/** workload_size_name() - "tiny", "small", "paper", "paper:mrpb", ... */
const char *workload_size_name(enum workload_size size);

#define WORKLOAD_UNKNOWN UINT64_MAX /* an expectation that nothing is compared with */

/** workload_meets() - is a count as expected? */
static inline bool workload_meets(uint64_t count, uint64_t expected) {
    return count == expected || expected == WORKLOAD_UNKNOWN;
}

/* What a run must have counted, by closed formulas of the sizes. Atomics are neither read nor write
 * accesses. */
struct workload_expectation {
    uint64_t warp_instructions;     /* issued, markers excluded */
    uint64_t thread_instructions;   /* the same, times active lanes */
    uint64_t global_read_accesses;  /* accesses of L1 lines after coalescing, loads */
    uint64_t global_write_accesses; /* the same, stores */
};

struct workload {
    const char *name;  /* lower case, as on the command line */
    const char *suite; /* folder below workloads/ */
    const char *about; /* one line */
    /* What each size means, e.g. "N = 256"; NULL: the program does not have it. All have tiny,
     * small and at least one of the papers'. */
    const char *size_text[SIZE_COUNT];
    /* Fill *p, allocate and generate the inputs. NULL on success, else a message of one line
     * (static storage). */
    const char *(*open)(struct program *p, enum workload_size size, uint64_t seed);
    /* After a complete run: NULL when the results equal plain C's, else what differs (storage of
     * the program). */
    const char *(*check)(const struct program *p);
    /* @line_bytes: of the L1 in front of which accesses are coalesced, at most 128. Any member may
     * be WORKLOAD_UNKNOWN. */
    void (*expect)(const struct program *p, unsigned line_bytes, struct workload_expectation *e);
    void (*close)(struct program *p);
};

/** workload_find() - by name; NULL when there is none. */
const struct workload *workload_find(const char *name);
/**
 * workload_paper_size() - the size that "paper" means: SIZE_PAPER, or the only one of a paper, or
 * the first of several that mean the same (have the same text).
 * Return: SIZE_COUNT when the papers differ and one must be named.
 */
enum workload_size workload_paper_size(const struct workload *w);
/** workload_at() - the i-th, in the order of the list; NULL past the end. */
const struct workload *workload_at(unsigned i);

#endif
