/* SPDX-License-Identifier: Apache-2.0
 *
 * A scheduler of the DRAM as a plug-in: requests are served in batches, so that no stream of row
 * hits passes others for ever (PAR-BS without its ranking of threads; Mutlu and Moscibroda, ISCA
 * 2008, section 4.1). When the last request of a batch has left, all that wait form the next one.
 * In each bank those of the batch go first, of these the ones whose row is open, of these the
 * oldest.
 *
 *     cc -std=c11 -O2 -shared -fPIC $(pkg-config --cflags warpmem) batch.c -o batch.so
 *     warpmem compare ispass-bfs --preset gtx480 --plugin batch.so --schemes baseline,batch
 */
#include "gpu/plugin.h"

struct batches {
    bool marked[DRAM_ENTRIES_MAX]; /* slots of the batch */
    unsigned left;                 /* their number */
    uint64_t formed;               /* for the statistics */
};

/* Changes the state: in a bank the request with the highest rank is next, the oldest of several. */
static void tell(void *state, const struct dram_view *view, const struct dram_event *event) {
    struct batches *b = state;
    if (event->left && b->marked[event->slot]) {
        b->marked[event->slot] = false;
        b->left--;
    }
    if (!b->left && view->count) {
        for (unsigned i = 0; i < view->count; i++) {
            b->marked[dram_view_slot(view, i)] = true;
        }
        b->left = view->count;
        b->formed++;
    }
}

static unsigned rank(const struct batches *b, const struct dram_view *view, unsigned position) {
    return 1 + 2 * b->marked[dram_view_slot(view, position)] + dram_view_hits(view, position);
}

/* Asked when there is a choice, perhaps twice: reads the state, changes nothing. A request whose
 * bank has a better one is not served, or it might close a row that this one wants. */
static unsigned choose(const void *state, const struct dram_view *view) {
    const struct batches *b = state;
    unsigned highest[DRAM_BANKS_MAX] = {0}, first[DRAM_BANKS_MAX], chosen = DRAM_NO_POSITION;
    for (unsigned i = 0; i < view->count; i++) {
        unsigned bank = dram_view_request(view, i)->at.bank;
        if (rank(b, view, i) > highest[bank]) {
            highest[bank] = rank(b, view, i);
            first[bank] = i;
        }
    }
    for (unsigned i = 0; i < view->count; i++) {
        bool is_first = first[dram_view_request(view, i)->at.bank] == i;
        if (is_first && dram_view_is_ready(view, i) &&
            (chosen == DRAM_NO_POSITION || rank(b, view, i) > rank(b, view, chosen))) {
            chosen = i;
        }
    }
    return chosen;
}

static bool register_stats(const struct dram_channel *channel, struct stats *s) {
    static const struct stat_desc formed = {"batch.formed", "batches", "of requests of one channel",
                                            "model", STAT_SUM};
    return stats_register(s, &formed, &((struct batches *)channel->scheduler.state)->formed);
}

static const struct dram_scheduler_kind batch = {.name = "batch",
                                                 .about = "requests in batches (ISCA 2008)",
                                                 .state_size = sizeof(struct batches),
                                                 .tell = tell,
                                                 .choose = choose,
                                                 .register_stats = register_stats};
static const struct dram_scheduler_kind *const schedulers[] = {&batch, NULL};
const struct plugin warpmem_plugin = {PLUGIN_HEAD, .dram = schedulers};
