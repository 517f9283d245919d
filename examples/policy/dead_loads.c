/* SPDX-License-Identifier: Apache-2.0
 *
 * Admission and insertion of the L2 as a plug-in: a partition counts for each instruction how many
 * of its requests have missed in a row. Lines of one that has missed 8 times are inserted as the
 * least recently used; one that has missed 16 times takes no line, but for each 32nd request, from
 * which it may recover.
 *
 *     cc -std=c11 -O2 -shared -fPIC $(pkg-config --cflags warpmem) dead_loads.c -o dead_loads.so
 *     warpmem compare pvc --size tiny --preset gtx480 --plugin dead_loads.so \
 *         --schemes baseline,dead-loads,eaf --stats dead_loads.refused
 */
#include "gpu/plugin.h"

enum { INSTRUCTIONS = 256, OLD = 8, DEAD = 16, RETRY = 32 };

struct dead_loads {
    uint8_t misses[INSTRUCTIONS], asked[INSTRUCTIONS];
    uint64_t refused; /* for the statistics */
};

static size_t state_size(const struct l2_policy_view *view) {
    (void)view;
    return sizeof(struct dead_loads);
}

static bool takes_line(void *state, const struct l2_policy_view *view,
                       const struct l2_policy_access *access) {
    struct dead_loads *d = state;
    unsigned pc = access->pc % INSTRUCTIONS;
    (void)view;
    bool takes = d->misses[pc] < DEAD || ++d->asked[pc] % RETRY == 0;
    d->refused += !takes;
    return takes;
}

static enum l2_place place_line(void *state, const struct l2_policy_view *view,
                                const struct l2_policy_access *access, unsigned way) {
    (void)view, (void)way;
    return ((struct dead_loads *)state)->misses[access->pc % INSTRUCTIONS] < OLD
               ? L2_PLACE_MOST_RECENT
               : L2_PLACE_LEAST_RECENT;
}

static void note_outcome(void *state, const struct l2_policy_view *view,
                         const struct l2_policy_event *event) {
    uint8_t *misses = &((struct dead_loads *)state)->misses[event->access->pc % INSTRUCTIONS];
    (void)view;
    *misses = event->outcome != L2_MISS ? 0 : *misses < DEAD ? *misses + 1 : DEAD;
}

static bool register_stats(const void *state, struct stats *s) {
    static const struct stat_desc refused = {"dead_loads.refused", "requests",
                                             "of dead instructions that could take no line",
                                             "model", STAT_SUM};
    return stats_register(s, &refused, &((const struct dead_loads *)state)->refused);
}

static const struct l2_policy_kind dead_loads = {
    .name = "dead-loads",
    .about = "lines of instructions that keep missing come in low, or not at all",
    .state_size = state_size,
    .takes_line = takes_line,
    .place = place_line,
    .events = L2_POLICY_EVENT(L2_POLICY_ACCESSED),
    .tell = note_outcome,
    .register_stats = register_stats};
static const struct l2_policy_kind *const policies[] = {&dead_loads, NULL};
const struct plugin warpmem_plugin = {PLUGIN_HEAD, .l2 = policies};
