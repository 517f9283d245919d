/* SPDX-License-Identifier: Apache-2.0
 *
 * dram.line_order: requests for one line are served in their order, if one of them is a write, so
 * that memory that stores data reads what was written before.
 *
 * In the one queue of most schedulers a request is held while an older one of its line is inside:
 * it has no column command. With two queues, whose block knows no lines, it waits before its queue,
 * and so do those behind it.
 */
#ifndef WARPMEM_DRAM_LINE_ORDER_H
#define WARPMEM_DRAM_LINE_ORDER_H

#include "dram/channel.h"

/** line_order_update() - after a request has come, or one has left while some were held: sets
 * @d->held and @d->holding. */
void line_order_update(struct dram_channel *d);

/** line_order_entered() - the newest request of the channel has come. line_order_left() - one has
 * left. */
static inline void line_order_entered(struct dram_channel *d) {
    if (__builtin_expect(d->line_order, false)) {
        line_order_update(d);
    }
}
static inline void line_order_left(struct dram_channel *d) {
    if (__builtin_expect(d->holds_some, false)) {
        line_order_update(d);
    }
}

/** line_order_stops_head() - must the visible head of @ring wait for a request that is inside, or
 * that comes before it in the channel's @other ring? Of two that arrive together, that of
 * @d->high_in is first. */
bool line_order_stops_head(const struct dram_channel *d, const struct ring *ring,
                           const struct ring *other);

/** line_order_may_read() - may a line that no request has asked for be read? Not while an older
 * write of it is inside. */
bool line_order_may_read(const struct dram_channel *d, const struct dram_entry *prefetch);

/** is_held() - is the request at a position held? is_holding() - does another one wait for it? */
static inline bool is_held(const struct dram_channel *d, unsigned position) {
    return d->held[position / 64] >> position % 64 & 1;
}
static inline bool is_holding(const struct dram_channel *d, unsigned position) {
    return d->holding[position / 64] >> position % 64 & 1;
}

#endif
