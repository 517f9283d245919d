/* SPDX-License-Identifier: Apache-2.0
 *
 * A prefetcher of the L1 as a plug-in: a read that misses fetches the next line too.
 *
 *     cc -std=c11 -O2 -shared -fPIC $(pkg-config --cflags warpmem) next_line.c -o next_line.so
 *     warpmem compare kmeans-global --preset c2050-s --plugin next_line.so \
 *         --schemes baseline,next-line --stats l1.prefetch_issued,l1.prefetch_useful
 */
#include "gpu/plugin.h"

/* The L1 has taken an access. It counts what becomes of the prefetches itself. */
static void tell(void *state, const struct l1_policy_view *view,
                 const struct l1_policy_event *event, struct l1_prefetches *prefetches) {
    (void)state, (void)view;
    if (event->access->kind == REQUEST_READ && event->result == L1_MISS) {
        l1_prefetch_line(prefetches, event->access, event->access->line + 1);
    }
}

static const struct l1_policy_kind next_line = {.name = "next-line",
                                                .about = "a read that misses fetches the next line",
                                                .events = L1_POLICY_EVENT(L1_POLICY_TAKEN),
                                                .prefetches = true,
                                                .tell = tell};
static const struct l1_policy_kind *const policies[] = {&next_line, NULL};
const struct plugin warpmem_plugin = {PLUGIN_HEAD, .l1 = policies};
