/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/tokens.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool tokens_init(struct tokens *t, unsigned warps, unsigned count) {
    assert(warps);
    count = count < warps ? count : warps;
    *t = (struct tokens){.warps = warps,
                         .count = count,
                         .left = count,
                         .last_use = calloc(warps, sizeof(uint64_t)),
                         .has = calloc(warps, sizeof(bool)),
                         .recent = calloc(count + 1, sizeof(uint32_t))};
    return t->last_use && t->has && t->recent;
}

void tokens_destroy(struct tokens *t) {
    free(t->last_use);
    free(t->has);
    free(t->recent);
}

bool tokens_use(struct tokens *t, unsigned warp) {
    assert(warp < t->warps);
    t->last_use[warp] = ++t->uses;
    if (!t->has[warp] && t->left) {
        t->left--;
        t->has[warp] = true;
    }
    return t->has[warp];
}

void tokens_epoch(struct tokens *t) {
    /* The latest users, the latest first: an insertion into a short sorted list. */
    unsigned found = 0;
    for (unsigned warp = 0; warp < t->warps; warp++) {
        uint64_t use = t->last_use[warp];
        t->has[warp] = false;
        if (use <= t->epoch_began) {
            continue;
        }
        unsigned at = found;
        while (at && t->last_use[t->recent[at - 1]] < use) {
            at--;
        }
        if (at < t->count) {
            unsigned kept = found < t->count ? found : t->count - 1;
            memmove(&t->recent[at + 1], &t->recent[at], (kept - at) * sizeof *t->recent);
            t->recent[at] = warp;
            found = kept + 1;
        }
    }
    for (unsigned i = 0; i < found; i++) {
        t->has[t->recent[i]] = true;
    }
    t->left = t->count - found;
    t->epoch_began = t->uses;
}
