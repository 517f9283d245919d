/* SPDX-License-Identifier: Apache-2.0
 *
 * Built-in workloads: the interface of one, and the list of them.
 */
#ifndef WARPMEM_WORKLOADS_WORKLOAD_H
#define WARPMEM_WORKLOADS_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/launch.h"

/* The papers use different inputs for the programs that they share, so each has its own size. */
enum workload_size {
    SIZE_TINY,
    SIZE_SMALL,
    SIZE_PAPER, /* the suite's input if no paper gives one */
    SIZE_PAPER_MRPB,
    SIZE_PAPER_MDB,
    SIZE_PAPER_MEDIC,
    SIZE_PAPER_OWL,
    SIZE_PAPER_DAWS,
    SIZE_COUNT
};

/** workload_size_name() - "tiny", "small", "paper", "paper:mrpb", ... */
const char *workload_size_name(enum workload_size size);

#define WORKLOAD_UNKNOWN UINT64_MAX /* no expectation: no comparison */

/** workload_meets() - true if a count is as expected. */
static inline bool workload_meets(uint64_t count, uint64_t expected) {
    return count == expected || expected == WORKLOAD_UNKNOWN;
}

#define WORKLOAD_ALL_UNKNOWN \
    ((struct workload_expectation){WORKLOAD_UNKNOWN, WORKLOAD_UNKNOWN, WORKLOAD_UNKNOWN, \
                                   WORKLOAD_UNKNOWN})

/* The counts that a run must have, by closed formulas of the sizes. Atomics are neither read nor
 * write accesses. */
struct workload_expectation {
    uint64_t warp_instructions;     /* issued, markers excluded */
    uint64_t thread_instructions;   /* the same, times active lanes */
    uint64_t global_read_accesses;  /* accesses of L1 lines after coalescing, loads */
    uint64_t global_write_accesses; /* the same, stores */
};

enum workload_result_type { RESULT_FLOAT, RESULT_INT, RESULT_DOUBLE };

/* An array in device memory whose contents at the end of a run are checked. */
struct workload_result {
    const char *name; /* in messages; NULL ends a list */
    size_t buffer;    /* offset of its struct buffer in the program's structure */
    enum workload_result_type type;
};

/* A result called @name: member @member of struct @program. */
#define FLOATS(name, program, member) \
    { name, offsetof(struct program, member), RESULT_FLOAT }
#define INTEGERS(name, program, member) \
    { name, offsetof(struct program, member), RESULT_INT }
#define DOUBLES(name, program, member) \
    { name, offsetof(struct program, member), RESULT_DOUBLE }

#define WORKLOAD_RESULTS_MAX 16

struct workload {
    const char *name;  /* lower case, as on the command line */
    const char *suite; /* folder below workloads/ */
    const char *about; /* one line */
    /* The meaning of each size, e.g. "N = 256"; NULL: the program does not have it. All have tiny,
     * small and at least one of the papers'. */
    const char *size_text[SIZE_COUNT];
    /* The size of the program's structure, which begins with a struct host. 0: a trace, which
     * workload_open() does not make and release() frees. */
    size_t bytes;
    /* Allocate and generate the inputs; self is zeroed. False: out of memory. */
    bool (*open)(void *self, enum workload_size size, uint64_t seed);
    /* Free what open allocated outside of struct host, also after a failed open; NULL: nothing. */
    void (*release)(void *self);
    /* The arrays that plain C computes a second time: plain() gets zeroed arrays of the sizes of
     * the results, in the order of the list. False: out of memory. */
    const struct workload_result *results;
    bool (*plain)(void *self, void *const expected[]);
    /* Replaces results and plain where equal bits are not enough. Return: as
     * workload_check(). */
    const char *(*check)(void *self);
    /* Add to *e, zeroed; any member may be set to WORKLOAD_UNKNOWN. NULL: all are unknown. */
    void (*expect)(const void *self, unsigned line_bytes, struct workload_expectation *e);
};

/**
 * workload_open() - fill in *p, with inputs of this size and seed.
 * Return: NULL on success, else a message of one line (static storage); *p then keeps nothing.
 */
const char *workload_open(const struct workload *w, struct program *p, enum workload_size size,
                          uint64_t seed);
/**
 * workload_check() - compare the results with plain C's, after a complete run.
 * Return: NULL when equal, else the difference (storage of the program).
 */
const char *workload_check(const struct workload *w, const struct program *p);
/**
 * workload_expect() - the counts that a run must have.
 * @line_bytes: of the L1 in front of which a warp's accesses are coalesced, at most 128; 0: parts
 *              of warps coalesce by themselves, and accesses are unknown
 */
void workload_expect(const struct workload *w, const struct program *p, unsigned line_bytes,
                     struct workload_expectation *e);
/**
 * workload_input_hash() - CRC-64 (ECMA-182) of device memory: before the first launch, of the
 * inputs and the zeroed arrays for results.
 * @p: of a built-in workload
 */
uint64_t workload_input_hash(const struct program *p);
/** workload_close() - free the program; one that was never opened (self is NULL) is fine. */
void workload_close(const struct workload *w, struct program *p);

/** workload_find() - by name; NULL when there is none. */
const struct workload *workload_find(const char *name);
/**
 * workload_paper_size() - the size for "paper": SIZE_PAPER, or the only size of a paper, or the
 * first of several with the same text.
 * Return: SIZE_COUNT when the papers differ and the user must name one.
 */
enum workload_size workload_paper_size(const struct workload *w);
/** workload_at() - the i-th, in the order of the list; NULL past the end. */
const struct workload *workload_at(unsigned i);

#endif
