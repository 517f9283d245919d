/* SPDX-License-Identifier: Apache-2.0
 *
 * A replacement policy of the L2 as a plug-in: static re-reference interval prediction with two
 * bits a line, hit priority (SRRIP-HP; Jaleel et al., ISCA 2010, section 4.1).
 *
 *     cc -std=c11 -O2 -shared -fPIC $(pkg-config --cflags warpmem) srrip.c -o srrip.so
 *     warpmem compare bfs-1m --preset gtx480 --plugin srrip.so --schemes gto,gto+srrip
 */
#include "gpu/plugin.h"

enum { NEAR = 0, LONG = 2, DISTANT = 3 }; /* predicted intervals to the next use */

/* The state is a byte for each line, [set][way], and has no pointer. */
static size_t state_size(const struct l2_replacement_view *view) {
    return (size_t)view->sets * view->ways;
}

/* Lines age together until one is distant. victim() must not change the state, so it finds the
 * victim without aging: the first of the lines with the longest interval. */
static unsigned victim(const void *state, const struct l2_replacement_view *view,
                       const struct l2_replacement_access *access, uint64_t candidates) {
    const uint8_t *interval = (const uint8_t *)state + access->set * view->ways;
    unsigned best = (unsigned)__builtin_ctzll(candidates);
    for (uint64_t left = candidates; left; left &= left - 1) {
        unsigned way = (unsigned)__builtin_ctzll(left);
        best = interval[way] > interval[best] ? way : best;
    }
    return best;
}

static void touch(void *state, const struct l2_replacement_view *view,
                  const struct l2_replacement_access *access, unsigned way) {
    ((uint8_t *)state)[access->set * view->ways + way] = NEAR;
}

/* The new line takes the victim's way; now the lines age as the search for the victim implied. */
static void insert(void *state, const struct l2_replacement_view *view,
                   const struct l2_replacement_access *access, unsigned way) {
    uint8_t *interval = (uint8_t *)state + access->set * view->ways;
    unsigned age = DISTANT - interval[way];
    for (unsigned w = 0; w < view->ways; w++) {
        interval[w] = (uint8_t)(interval[w] + age < DISTANT ? interval[w] + age : DISTANT);
    }
    interval[way] = LONG;
}

/* A way without a line counts as distant: using it ages no line. */
static void init(void *state, const struct l2_replacement_view *view) {
    for (size_t i = 0; i < state_size(view); i++) {
        ((uint8_t *)state)[i] = DISTANT;
    }
}

static const struct l2_replacement_kind srrip = {.name = "srrip",
                                                 .about = "SRRIP-HP, two bits (ISCA 2010)",
                                                 .state_size = state_size,
                                                 .init = init,
                                                 .victim = victim,
                                                 .touch = touch,
                                                 .insert = insert};
static const struct l2_replacement_kind *const replacements[] = {&srrip, NULL};
const struct plugin warpmem_plugin = {PLUGIN_HEAD, .l2 = replacements};
