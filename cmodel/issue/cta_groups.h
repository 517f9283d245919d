/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_CTA_GROUPS_H
#define WARPMEM_ISSUE_CTA_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#define CTA_GROUPS_MAX 32 /* as many as CTAs */

/* The order of a core's groups. Rr: as they began. Locality: the same, and the first of them keeps
 * the core. Blp: the first groups of the cores differ (OWL, algorithm 1). */
enum cta_groups_priority { CTA_GROUPS_RR, CTA_GROUPS_LOCALITY, CTA_GROUPS_BLP };

/* Where a CTA goes that starts when the core's first CTAs have their groups; the paper shows none.
 * Last: behind all others, in groups of the first ones' size. Slot: into the group of its slot.
 * Generation: as many CTAs as the first ones make groups as those did, behind all others. */
enum cta_groups_life { CTA_GROUPS_LAST, CTA_GROUPS_SLOT, CTA_GROUPS_GENERATION };

/**
 * struct cta_groups - the CTAs of a core in groups, highest priority first (OWL 4.1 to 4.3,
 * algorithm 1).
 * @size, @groups: n CTAs a group, and g_core; the last group has the rest of the CTAs too
 * @begun: CTAs that have started in the newest generation of @generation_ctas CTAs
 * @generation_groups: its groups
 */
struct cta_groups {
    enum cta_groups_priority priority;
    enum cta_groups_life life;
    unsigned core, size, groups;
    unsigned begun, generation_ctas, generation_groups;
    unsigned count;
    struct cta_group {
        uint32_t slots; /* of its CTAs, one bit each */
        unsigned rank;  /* within its generation */
        bool newest;    /* of the newest generation */
    } group[CTA_GROUPS_MAX];
};

/**
 * cta_groups_launch() - a launch begins on a core without a CTA: form its groups (FORM_GROUPS of
 * algorithm 1).
 * @cta_warps: warps of a CTA, k, 1 and more
 * @ctas: CTAs that the core gets as the launch begins, N; a core that gets none counts as one of 1
 * @least_warps: of a group, g_size; where N CTAs have fewer, they are one group
 */
void cta_groups_launch(struct cta_groups *g, unsigned cta_warps, unsigned ctas,
                       unsigned least_warps);

/** cta_groups_start() - a CTA starts in a slot that has none. cta_groups_end() - it ends; its group
 * with it, if it is the last one there. */
void cta_groups_start(struct cta_groups *g, unsigned slot);
void cta_groups_end(struct cta_groups *g, unsigned slot);

#endif
