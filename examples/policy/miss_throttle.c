/* SPDX-License-Identifier: Apache-2.0
 *
 * A scheduler policy as a plug-in: each core limits the warps that may issue loads. The limit is
 * halved when less than half of the reads of an epoch hit the L1, and grows by a warp when 7 of 8
 * do.
 *
 *     cc -std=c11 -O2 -shared -fPIC $(pkg-config --cflags warpmem) miss_throttle.c -o mine.so
 *     warpmem compare spmv-scalar --preset quadro-daws --plugin mine.so \
 *         --schemes gto,gto+miss-throttle,swl:2
 */
#include "gpu/plugin.h"
#include "issue/swl.h"

#define EPOCH 512 /* reads at the L1 */

struct throttle {
    unsigned limit; /* warps of a scheduler that may load, the oldest ones */
    unsigned reads, hits;
    uint64_t lowered; /* epochs, for the statistics */
};

static void init(void *state, const struct policy_view *view, struct issue_policy *masks) {
    struct throttle *t = state;
    (void)masks;
    t->limit = view->config->core.warps / view->schedulers;
}

/* Changes the state; the masks follow in refresh(). */
static void tell(void *state, const struct policy_view *view, const struct policy_event *event,
                 struct issue_policy *masks) {
    struct throttle *t = state;
    enum policy_access_result r = event->access->result;
    (void)masks;
    t->hits += r == POLICY_ACCESS_HIT || r == POLICY_ACCESS_PENDING;
    t->reads += r <= POLICY_ACCESS_BYPASS;
    if (t->reads < EPOCH) {
        return;
    }
    if (t->hits < t->reads / 2) {
        t->limit = t->limit / 2 ? t->limit / 2 : 1;
        t->lowered++;
    } else if (t->hits > t->reads - t->reads / 8 &&
               t->limit < view->config->core.warps / view->schedulers) {
        t->limit++;
    }
    t->reads = t->hits = 0;
}

/* Called in every cycle that matters, perhaps twice: reads the state, changes nothing. */
static void refresh(void *state, const struct policy_view *view, struct issue_policy *masks) {
    const struct throttle *t = state;
    for (unsigned s = 0; s < view->schedulers; s++) {
        uint64_t mine = view->going & view->mine[s];
        masks->can_load_cached &= ~mine | swl_allowed(mine, t->limit, view->age); /* the oldest */
    }
}

static bool register_stats(const void *state, struct stats *s) {
    static const struct stat_desc lowered = {
        "miss_throttle.lowered", "epochs", "in which a core's limit was halved", "model", STAT_SUM};
    return stats_register(s, &lowered, &((const struct throttle *)state)->lowered);
}

static const struct policy_kind miss_throttle = {.name = "miss-throttle",
                                                 .state_size = sizeof(struct throttle),
                                                 .events = POLICY_EVENT(POLICY_ACCESS),
                                                 .init = init,
                                                 .tell = tell,
                                                 .refresh = refresh,
                                                 .register_stats = register_stats,
                                                 .holds =
                                                     "its turn to load: held by miss-throttle"};
static const struct policy_kind *const policies[] = {&miss_throttle, NULL};
const struct plugin warpmem_plugin = {PLUGIN_HEAD, .issue = policies};
