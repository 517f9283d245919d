/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's state, shared by host side and kernels of LonestarGPU sp.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_SP_H
#define WARPMEM_WORKLOADS_LONESTAR_SP_H

#include "workloads/host.h"
#include "workloads/lonestar/cores.h"

#define SP_BLOCK 384
#define SP_RESIDENCY 4 /* CTAs of 384 threads among a core's 1536 */
#define SP_CTAS (LONESTAR_CORES * SP_RESIDENCY)
#define SP_THREADS (SP_CTAS * SP_BLOCK)
#define SP_LITERALS 3 /* a clause */

/* The formula as a graph: an edge is a literal, that is a clause and one of its variables. */
struct sp {
    struct host host;
    int32_t clauses, variables, edges;
    struct buffer clause_row, clause_edge, clause_sat; /* a clause's literals; 1: satisfied */
    struct buffer var_row, var_edge, var_sat;          /* a variable's; 1: has its value for good */
    struct buffer bias, value;                         /* a variable's, value 0 or 1 */
    struct buffer clause_of, var_of, bar, eta;         /* an edge's; bar 1: negated */
    struct buffer pi_0, pi_s, pi_u;                    /* an edge's */
    struct buffer max_eps;                             /* bits of the float, for atomicMax */
    struct buffer bias_length, bias_sum, list_bias, list_var; /* variables without a value */
    int32_t fix_first, fix_count; /* of the sorted list: variables that get a value in this round */
    /* The host side. */
    int next;
    unsigned pairs, pairs_max[2]; /* of launches in this round; in the first and in a later one */
    unsigned rounds, rounds_max;
    float *first_eta; /* what eta began with, for the check */
};

/** sp_pairs_max() - of a round, from 0. */
static inline unsigned sp_pairs_max(const struct sp *k, unsigned round) {
    return k->pairs_max[round > 0];
}

/* Launches, in the order of a round: calc_pi_values and update_eta until nothing changes, then
 * update_bias and decimate. */
extern const struct host_launch sp_pi, sp_eta, sp_bias, sp_decimate;

#endif
