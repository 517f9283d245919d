/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_CTA_GROUPS_H
#define WARPMEM_ISSUE_CTA_GROUPS_H

#include "issue/cta_groups_ports.h"

/* PRIORITY. With rr a group keeps its place for life, so a circle over places is one over groups.
 * Otherwise places follow the order of the groups, and groups move to make room. */
enum cta_groups_priority { CTA_GROUPS_RR, CTA_GROUPS_LOCALITY, CTA_GROUPS_BLP };

/* LIFE: the place of a CTA that starts after the core's first CTAs (the paper gives none). Last:
 * behind all others, in groups of the first groups' size. Slot: in the group of its slot.
 * Generation: later CTAs form lower-priority groups of the first generation's size. */
enum cta_groups_life { CTA_GROUPS_LAST, CTA_GROUPS_SLOT, CTA_GROUPS_GENERATION };

/* The phases of a launch, in this order. */
enum cta_groups_phase {
    CTA_GROUPS_FORMED,
    CTA_GROUPS_SIZE,   /* n, CTAs of a group: one CTA more a cycle */
    CTA_GROUPS_DIVIDE, /* N / n, the groups: one more a cycle */
    CTA_GROUPS_TURN,   /* core mod groups: one bit of core a cycle; only for blp */
    CTA_GROUPS_NUMBER, /* the first CTA's number and rank */
    CTA_GROUPS_TABLE,  /* the rank of each slot's group: one slot a cycle; only for slot */
};

enum cta_groups_start { CTA_GROUPS_NO_START, CTA_GROUPS_START_TAKEN, CTA_GROUPS_START_PLACED };

/**
 * struct cta_groups - groups the CTAs of a core and orders the groups.
 *
 * Source: Jog et al., ASPLOS 2013, sections 4.1 to 4.3, algorithm 1: n, the CTAs of a group, is the
 * least number with n k at least MIN_WARPS (k warps a CTA), but at most N, the number of CTAs that
 * the core gets as the launch begins. Each n of these N CTAs, in order of their starts, form a
 * group; the rest of N / n joins the last group. A group's rank is its number, or with blp
 * (number - core) mod groups.
 *
 * LIFE places later CTAs. With last and generation, starting CTAs form generations; older
 * generations come before newer ones, and within one the lower rank comes first. With slot a CTA's
 * number is its slot, and there is one generation. A group ends with its last warp.
 *
 * Cycle behaviour, the same in both:
 *
 * - A launch in cycle n is computed from n + 1 on, in at most CTAS + 9 cycles, with slot CTAS
 *   more; formed is true afterwards. Until then all warps are one group and no start is accepted.
 * - Ends of cycle n, end_warps, reach group_warps in n + 2. A start is accepted in a cycle with
 *   start_valid and start_ready: its place is found in n + 1, in which no other start is accepted,
 *   and it is visible in n + 3. It does not see places as empty that ends of n empty.
 * - Place of a new group. rr: the first empty one. Else: behind the last group that comes before
 *   it; the groups between that and the first empty place make room by a place, up or down.
 *
 * While CTAs start in later cycles than those in which their slots' previous CTAs ended, each new
 * group finds an empty place.
 */
struct cta_groups {
    struct cta_groups_params p;
    enum cta_groups_phase phase;
    unsigned step; /* of the phase: bits of core, or slots, that are done */
    /* The launch. */
    unsigned cta_warps, ctas, core;
    unsigned size, groups; /* n, and the groups of its first CTAs */
    unsigned warps;        /* of size CTAs, during the computation */
    unsigned rest;         /* of ctas / groups; then of core / groups */
    uint8_t rank_of_slot[CTA_GROUPS_MAX];
    /* The next CTA. A launch sets it; no CTA starts before the first launch. */
    unsigned generation_ctas;
    unsigned begun;         /* CTAs of its generation before it */
    unsigned index, inside; /* its group's number, and CTAs before it in that group */
    unsigned rank;          /* of its group */
    bool begins;            /* a generation, but not the launch's first one */
    uint64_t end_warps;     /* of the last cycle */
    /* The CTA that was accepted one or two cycles ago. */
    enum cta_groups_start start;
    uint64_t start_warps;
    unsigned start_rank;
    bool start_begins;
    bool joins; /* the group in place @at; else a new group is inserted behind place @at - 1 */
    unsigned at, empty;
    struct cta_group {
        uint64_t warps; /* 0: the place is empty */
        uint8_t rank;
        bool newest; /* of the newest generation */
    } group[CTA_GROUPS_MAX];
};

bool cta_groups_init(struct cta_groups *s, const struct cta_groups_params *p);
void cta_groups_destroy(struct cta_groups *s);
void cta_groups_comb(const struct cta_groups *s, const struct cta_groups_in *in,
                     struct cta_groups_out *out);
void cta_groups_step(struct cta_groups *s, const struct cta_groups_in *in,
                     const struct cta_groups_out *out);
bool cta_groups_quiet(const struct cta_groups *s, const struct cta_groups_in *in);

#endif
