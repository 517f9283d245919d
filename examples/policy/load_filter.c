/* SPDX-License-Identifier: Apache-2.0
 *
 * A policy of the L1 as a plug-in: loads whose last eight accesses all missed go round it, so that
 * their lines evict nobody's. One access in 16 of such a load is looked up, to see if it still
 * misses.
 *
 *     cc -std=c11 -O2 -shared -fPIC $(pkg-config --cflags warpmem) load_filter.c -o load_filter.so
 *     warpmem compare kmeans-global --preset c2050-s --plugin load_filter.so \
 *         --schemes baseline,load-filter,mrpb,mrpb+load-filter
 */
#include "gpu/plugin.h"

enum { LOADS = 256, ALL_MISSED = 0xff, TRY = 15 };

/* A load hashes to a row. */
struct filter {
    struct {
        uint8_t
            missed; /* its last eight accesses that were looked up, a bit each, the last lowest */
        uint8_t round; /* accesses since then that went round */
    } load[LOADS];
    uint64_t filtered; /* for the statistics */
};

static size_t state_size(const struct l1_policy_view *view) {
    (void)view;
    return sizeof(struct filter);
}

/* Asked once for each access, or twice: changes nothing. */
static bool bypasses(const void *state, const struct l1_policy_view *view,
                     const struct l1_policy_access *access) {
    const struct filter *f = state;
    unsigned row = access->pc % LOADS;
    (void)view;
    return access->kind == REQUEST_READ && f->load[row].missed == ALL_MISSED &&
           f->load[row].round < TRY;
}

/* The L1 has taken an access. */
static void tell(void *state, const struct l1_policy_view *view,
                 const struct l1_policy_event *event, struct l1_prefetches *prefetches) {
    struct filter *f = state;
    unsigned row = event->access->pc % LOADS;
    (void)view, (void)prefetches;
    if (event->access->kind != REQUEST_READ) {
        return;
    }
    if (event->bypasses) {
        f->load[row].round++;
        f->filtered++;
    } else {
        bool missed = event->result == L1_MISS || event->result == L1_BYPASS;
        f->load[row].missed = (uint8_t)(f->load[row].missed << 1 | missed);
        f->load[row].round = 0;
    }
}

static bool register_stats(const void *state, struct stats *s) {
    static const struct stat_desc filtered = {"load_filter.filtered", "accesses",
                                              "that went round the L1", "model", STAT_SUM};
    return stats_register(s, &filtered, &((const struct filter *)state)->filtered);
}

static const struct l1_policy_kind load_filter = {
    .name = "load-filter",
    .about = "loads whose last eight accesses all missed go round the L1",
    .state_size = state_size,
    .events = L1_POLICY_EVENT(L1_POLICY_TAKEN),
    .bypasses = bypasses,
    .tell = tell,
    .register_stats = register_stats};
static const struct l1_policy_kind *const policies[] = {&load_filter, NULL};
const struct plugin warpmem_plugin = {PLUGIN_HEAD, .l1 = policies};
