/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU sp in plain C, one edge and one variable after another: what its results and its
 * counts are compared with.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_SP_PLAIN_H
#define WARPMEM_WORKLOADS_LONESTAR_SP_PLAIN_H

#include "workloads/lonestar/sp.h"
#include "workloads/workload.h"

struct sp_plain {
    float *eta, *pi_0, *pi_s, *pi_u; /* of an edge */
    float *bias;                     /* of a variable */
    uint8_t *value, *var_sat, *clause_sat;
    uint8_t *changed; /* 1: the last update_eta gave the edge another eta */
    int32_t *list;    /* variables without a value, in a decimation: by bias */
    int32_t length;
    float sum, max_eps;
    int32_t fix_first, fix_count;
};

/* A launch of the program, and the state that decides what it accesses: after it, but before it of
 * decimate. */
typedef void sp_seen(void *self, const struct sp_plain *p, const struct host_launch *launch);

/**
 * sp_plain_run() - the whole program.
 * @seen: NULL: no observer
 * Return: false when out of memory. sp_plain_free() is due in either case.
 */
bool sp_plain_run(const struct sp *k, struct sp_plain *p, sp_seen *seen, void *self);
void sp_plain_free(struct sp_plain *p);

/** sp_expect() - of struct workload: counts by that run. */
void sp_expect(const void *self, unsigned line_bytes, struct workload_expectation *e);

/** sp_share() - variables that get a value, of @length that have none: one of a hundred. */
static inline int32_t sp_share(int32_t length) {
    return length < 100 ? length > 0 : length / 100;
}

/* Less sure first; where two are as sure, the number decides, so that the order in which threads
 * got their places in the list does not. */
struct sp_candidate {
    float bias;
    int32_t variable;
};
/** sp_sort() - in place. */
void sp_sort(struct sp_candidate *list, int32_t length);

#define SP_EPSILON 0.01f      /* converged when no eta changes by more */
#define SP_PARAMAGNETIC 0.01f /* a lower mean bias decides no variable */

#endif
