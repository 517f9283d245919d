/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the CTA groups of a core (see issue/cta_groups.h). */
#ifndef WARPMEM_ISSUE_CTA_GROUPS_PORTS_H
#define WARPMEM_ISSUE_CTA_GROUPS_PORTS_H

#include "base/ports.h"

#define CTA_GROUPS_MAX 32 /* as many as CTAs */
#define CTA_GROUPS_WARPS_MAX 64
#define CTA_GROUPS_CORE_BITS 6

/* clang-format off */

/*    name       default min max                   meaning */
#define CTA_GROUPS_PARAMS(P) \
    P(CTAS,      8,      2,  CTA_GROUPS_MAX,       "CTAs that are resident at once, and places of groups") \
    P(WARPS,     32,     2,  CTA_GROUPS_WARPS_MAX, "warps of the core") \
    P(MIN_WARPS, 8,      1,  CTA_GROUPS_WARPS_MAX, "least warps of a group, where the core's first CTAs have as many") \
    P(PRIORITY,  2,      0,  2,                    "order of the groups: 0 as places fall free; 1 as they began; 2 another one first on each core") \
    P(LIFE,      1,      0,  2,                    "later CTAs: 0 groups behind all others; 1 the group of their slot; 2 grouped as the first")

/* paper: OWL with bank-level parallelism; locality, turns: its schemes cta-aware-locality and
 * cta-aware; generation, waves: the first and the last with owl.life = generation; sizes of the
 * machine in OWL table 1.
 *    name        CTAS WARPS MIN_WARPS PRIORITY LIFE */
#define CTA_GROUPS_SETS(S) \
    S(paper,      8,  32,  8,        2,       1) \
    S(locality,   8,  32,  8,        1,       1) \
    S(turns,      8,  32,  8,        0,       1) \
    S(generation, 8,  32,  8,        2,       2) \
    S(waves,      8,  32,  8,        0,       2) \
    S(small,      2,  4,   2,        2,       0) \
    S(odd,        5,  11,  2,        1,       2) \
    S(slots,      7,  14,  2,        2,       1) \
    S(most,       32, 64,  2,        1,       0)

/*    kind      C type    name          bits                  compared when meaning */
#define CTA_GROUPS_PORTS(X) \
    X(IN,       bool,     rst,          1,                                  "reset, synchronous: no group; each CTA is one of its own until a launch") \
    X(IN,       bool,     launch_valid, 1,                                  "a launch begins; no CTA is resident") \
    X(IN,       uint8_t,  launch_warps, clog2(p->WARPS + 1),                "warps of each of its CTAs, 1 and more") \
    X(IN,       uint8_t,  launch_ctas,  clog2(p->CTAS + 1),                 "CTAs that the core gets as it begins, up to CTAS; 0 counts as 1") \
    X(IN,       uint8_t,  core,         CTA_GROUPS_CORE_BITS,               "number of the core") \
    X(IN,       bool,     start_valid,  1,                                  "a CTA has started, and is to be grouped; may be withdrawn") \
    X(IN,       uint8_t,  start_slot,   clog2(p->CTAS),                     "its slot") \
    X(IN,       uint64_t, start_warps,  p->WARPS,                           "its warps: none of a CTA that is resident or ends in this cycle") \
    X(OUT,      bool,     start_ready,  1,                    ALWAYS,       "it is taken") \
    X(IN,       uint64_t, end_warps,    p->WARPS,                           "warps of grouped CTAs that end in this cycle") \
    X(OUT,      bool,     formed,       1,                    ALWAYS,       "the launch has its groups; until then all warps are one") \
    X(OUT,      uint8_t,  groups,       clog2(p->CTAS + 1),   o->formed,    "groups of its first CTAs") \
    X(OUT_VEC,  uint64_t, CTA_GROUPS_MAX, group_warps, p->CTAS, p->WARPS, ALWAYS, "warps of the group in each place, the first has priority; 0: empty")

/* clang-format on */

BLOCK_TYPES(cta_groups, CTA_GROUPS)

#endif
