/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the warp arbiter (see issue/warp_arbiter.h). */
#ifndef WARPMEM_ISSUE_WARP_ARBITER_PORTS_H
#define WARPMEM_ISSUE_WARP_ARBITER_PORTS_H

#include "base/ports.h"

#define WARP_ARBITER_WARPS_MAX 64
#define WARP_ARBITER_GROUPS_MAX 64

/* WITHIN: the order of a group's warps. */
enum warp_arbiter_within { WARP_ARBITER_ROUND_ROBIN, WARP_ARBITER_LOWEST };

/* clang-format off */

/*    name      default min max                      meaning */
#define WARP_ARBITER_PARAMS(P) \
    P(WARPS,    32,     2,  WARP_ARBITER_WARPS_MAX,  "warps of the scheduler") \
    P(GROUPS,   8,      1,  WARP_ARBITER_GROUPS_MAX, "places of groups, the first has the highest priority") \
    P(WITHIN,   0,      0,  1,                       "in a group: 0: round-robin; 1: the lowest warp") \
    P(GREEDY,   0,      0,  1,                       "the warp that was taken last goes on while it is ready") \
    P(STRICT,   0,      0,  1,                       "a group is left when it has: 0: no ready warp; 1: no unstalled one") \
    P(ROTATE,   0,      0,  1,                       "the first place is: 0: place 0; 1: the one that was taken last") \
    P(PIPELINE, 0,      0,  1,                       "the group is chosen by the inputs of: 0: the cycle; 1: the one before")

/* paper: OWL table 1 and 4.2, 4.3; turns: 4.1; two_level: Narasiman et al., MICRO 2011, groups of 8.
 *    name         WARPS GROUPS WITHIN GREEDY STRICT ROTATE PIPELINE */
#define WARP_ARBITER_SETS(S) \
    S(paper,       32,   8,     0,     0,     0,     0,     0) \
    S(turns,       32,   8,     0,     0,     1,     1,     0) \
    S(piped,       32,   8,     0,     0,     0,     0,     1) \
    S(two_level,   32,   4,     0,     0,     1,     1,     0) \
    S(gto,         32,   8,     1,     1,     0,     0,     0) \
    S(small,       3,    2,     0,     0,     0,     1,     0) \
    S(odd,         5,    3,     0,     1,     1,     1,     1)

/*    kind      C type    max                      name         bits, compared when                  meaning */
#define WARP_ARBITER_PORTS(X) \
    X(IN,       bool,     rst,                                  1,                                   "reset, synchronous: no warp was taken last") \
    X(IN,       uint64_t, ready,                                p->WARPS,                            "warps that can issue in this cycle") \
    X(IN,       uint64_t, unstalled,                            p->WARPS,                            "strict: warps that hold their group") \
    X(IN_VEC,   uint64_t, WARP_ARBITER_GROUPS_MAX, group_warps, p->GROUPS, p->WARPS,                 "warps of each place's group; no warp is in two") \
    X(OUT,      bool,     grant_valid,                          1,                ALWAYS,            "a warp is to issue") \
    X(OUT,      uint64_t, grant_oh,                             p->WARPS,         o->grant_valid,    "the warp, one-hot") \
    X(OUT,      uint8_t,  grant_warp,                           clog2(p->WARPS),  o->grant_valid,    "its number") \
    X(OUT,      uint8_t,  grant_group,                          clog2(p->GROUPS), o->grant_valid,    "its group's place") \
    X(IN_LATE,  bool,     grant_taken,                          1,                                   "it issues at this edge if grant_valid")

/* clang-format on */

BLOCK_TYPES(warp_arbiter, WARP_ARBITER)

#endif
