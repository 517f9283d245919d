/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/banks.h"

/* The next activate comes at least @window cycles after the one that is @count before it. */
static void open_activate_window(struct dram_banks *b, unsigned count, unsigned window) {
    if (window && b->activates >= count) {
        not_before(&b->activate_at,
                   b->activated[(b->activates - count) % DRAM_ACTIVATES_KEPT] + window);
    }
}

void banks_keep_windows(struct dram_banks *b, uint64_t cycle) {
    b->activated[b->activates++ % DRAM_ACTIVATES_KEPT] = cycle;
    open_activate_window(b, 4, b->timing.faw);
    open_activate_window(b, 32, b->timing.aw32);
}
