/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_WARP_ARBITER_H
#define WARPMEM_ISSUE_WARP_ARBITER_H

#include "issue/warp_arbiter_ports.h"

/**
 * struct warp_arbiter - selects a scheduler's next warp: first a group, then a warp of it.
 *
 * Source: Jog et al., ASPLOS 2013 (OWL), sections 4.1 to 4.3. Groups have places; place 0 has the
 * highest priority. A warp in no group is never granted. The parameters give the select logic of
 * these schedulers:
 *
 *     scheduler              groups                WITHIN       GREEDY STRICT ROTATE
 *     round-robin            one                   round-robin  0      0      0
 *     oldest                 CTAs by age           lowest       0      0      0
 *     GTO                    CTAs by age           lowest       1      0      0
 *     two-level              of 8 warps            round-robin  0      1      1
 *     cta-aware              of CTAs (OWL 4.1)     round-robin  0      1      1
 *     cta-aware-locality,    of CTAs by priority   round-robin  0      0      0
 *     cta-aware-locality-blp (OWL 4.2, 4.3)
 *
 * Cycle behaviour, the same in both:
 *
 * - Group. Loose (STRICT 0): the first place whose group has a ready warp. Strict: the first place
 *   whose group has an unstalled warp; if none of that group is ready, no warp is granted. The
 *   search begins at place 0 or, with ROTATE, at the place that was taken last, in a circle.
 * - Warp of that group. Round-robin: the first ready one after the warp that was taken last, in a
 *   circle of all warps; all groups share one pointer. Lowest: the lowest ready one.
 * - GREEDY: the warp that was taken last is granted if it is ready, whatever its group is.
 * - A cycle with grant_valid and grant_taken sets the warp and the place that were taken last; a
 *   grant that is not taken changes nothing. After a reset no warp was taken, and the circle begins
 *   at place 0.
 * - PIPELINE 1: ready, unstalled and group_warps of n - 1 choose the place of cycle n, but with the
 *   place that was taken last as of n: a grant taken in n - 1 counts, so that a strict group keeps
 *   its turn. The granted warp is in the group in that place in n, and ready in n. So no warp is
 *   granted in the cycle after a reset, nor when the warps that made the choice are no longer
 *   ready. The greedy warp needs no choice.
 *
 * The block does not follow groups: with ROTATE, a group that moves to another place moves its
 * turn. Empty places cost nothing, so a group should stay in its place while others end.
 */
struct warp_arbiter {
    struct warp_arbiter_params p;
    bool started;        /* a warp was taken last */
    uint8_t last, place; /* that warp, and its place at the time */
    bool chosen_valid;   /* PIPELINE 1: a place is chosen */
    uint8_t chosen;
};

bool warp_arbiter_init(struct warp_arbiter *s, const struct warp_arbiter_params *p);
void warp_arbiter_destroy(struct warp_arbiter *s);
void warp_arbiter_comb(const struct warp_arbiter *s, const struct warp_arbiter_in *in,
                       struct warp_arbiter_out *out);
void warp_arbiter_step(struct warp_arbiter *s, const struct warp_arbiter_in *in,
                       const struct warp_arbiter_out *out);
bool warp_arbiter_quiet(const struct warp_arbiter *s, const struct warp_arbiter_in *in);

#endif
