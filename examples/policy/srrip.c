/* SPDX-License-Identifier: Apache-2.0
 *
 * A replacement policy of the L2 as a plug-in: static re-reference interval prediction with two
 * bits a line, hit priority (SRRIP-HP; Jaleel et al., ISCA 2010, section 4.1).
 *
 *     cc -std=c11 -O2 -shared -fPIC $(pkg-config --cflags warpmem) srrip.c -o srrip.so
 *     warpmem compare bfs-1m --preset gtx480 --plugin srrip.so --schemes gto,gto+srrip
 */
#include <string.h>

#include "gpu/plugin.h"

enum { NEAR = 0, LONG = 2, DISTANT = 3 }; /* predicted intervals to the next use */

/* The state is a byte for each line of the partition, and has no pointer. */
static size_t state_size(const struct l2_policy_view *view) {
    return l2_policy_lines(view);
}

/* A way without a line counts as distant: using it ages no line. */
static bool make(void *state, const struct l2_policy_view *view, const struct build *build) {
    (void)build;
    memset(state, DISTANT, l2_policy_lines(view));
    return true;
}

/* Lines age together until one is distant. victim() must not change the state, so it finds the
 * victim without aging: the first of the lines with the longest interval. */
static unsigned victim(const void *state, const struct l2_policy_view *view,
                       const struct l2_policy_access *access, uint64_t candidates) {
    const uint8_t *interval =
        (const uint8_t *)state + l2_policy_line(view, access->bank, access->set, 0);
    unsigned best = (unsigned)__builtin_ctzll(candidates);
    for (uint64_t left = candidates; left; left &= left - 1) {
        unsigned way = (unsigned)__builtin_ctzll(left);
        best = interval[way] > interval[best] ? way : best;
    }
    return best;
}

/* A new line takes the victim's way; now the lines age as the search for the victim implied. */
static void tell(void *state, const struct l2_policy_view *view,
                 const struct l2_policy_event *event) {
    const struct l2_policy_access *a = event->access;
    uint8_t *interval = (uint8_t *)state + l2_policy_line(view, a->bank, a->set, 0);
    if (event->kind == L2_POLICY_TOUCHED) {
        interval[event->way] = NEAR;
        return;
    }
    unsigned age = DISTANT - interval[event->way];
    for (unsigned w = 0; w < view->ways; w++) {
        interval[w] = (uint8_t)(interval[w] + age < DISTANT ? interval[w] + age : DISTANT);
    }
    interval[event->way] = LONG;
}

static const struct l2_policy_kind srrip = {.name = "srrip",
                                            .about = "SRRIP-HP, two bits (ISCA 2010)",
                                            .state_size = state_size,
                                            .make = make,
                                            .victim = victim,
                                            .events = L2_POLICY_EVENT(L2_POLICY_TOUCHED) |
                                                      L2_POLICY_EVENT(L2_POLICY_INSERTED),
                                            .tell = tell};
static const struct l2_policy_kind *const policies[] = {&srrip, NULL};
const struct plugin warpmem_plugin = {PLUGIN_HEAD, .l2 = policies};
