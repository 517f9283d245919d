/* SPDX-License-Identifier: Apache-2.0
 *
 * Channels of several shapes, and the latencies of an idle one.
 */
#ifndef WARPMEM_TB_CHANNEL_SHAPES_H
#define WARPMEM_TB_CHANNEL_SHAPES_H

#include "dram/channel_bench.h"

/* Column commands of one line: all in one bank, so CCDL apart. */
static inline unsigned bursts_of_line(const struct config *c) {
    return c->l2.line_bytes / (c->dram.bus_bytes * c->dram.burst);
}

static inline unsigned burst_cycles(const struct config *c) {
    return c->dram.burst / c->dram.beats;
}

/* From a line's first column command to the time at which its last data has come. */
static inline unsigned columns_and_data(const struct config *c) {
    return (bursts_of_line(c) - 1) * c->dram.ccdl + c->dram.cl + burst_cycles(c);
}

/* OWL's table 1: two beats a cycle, bursts of four, four banks without groups, 64-byte lines, a
 * queue of 128. */
static inline struct config gddr3_config(void) {
    struct config c = named_preset("quadro-owl");
    assert_true(c.dram.beats == 2 && c.dram.burst == 4 && c.dram.bank_groups == 1 &&
                c.dram.queue == 128 && c.l2.line_bytes == 64);
    return c;
}

enum { GDDR3 = 5 };

/* The preset, a line in one burst, a line in eight, no bank groups, other numbers. */
static inline struct config channel_shape(unsigned k) {
    struct config c = base_preset();
    if (k == 1) {
        c.dram.bus_bytes = 16;
    } else if (k == 2) {
        c.dram.bus_bytes = 2;
        c.dram.ccdl = 5;
    } else if (k == 3) {
        c.dram.bank_groups = 1;
        c.dram.ccdl = c.dram.ccd;
    } else if (k == 4) {
        c.dram.rcd = 7;
        c.dram.rp = 17;
        c.dram.cl = 21;
        c.dram.ras = 33;
        c.dram.rc = 60;
        c.dram.burst = 4;
        c.dram.beats = 2;
    } else if (k == GDDR3) {
        c = gddr3_config();
    }
    return c;
}
enum { SHAPES = 6 };

/* An idle channel is asked for a line: cycles until its data can be seen. */
static inline uint64_t latency_of(struct channel_bench *b, uint64_t local) {
    uint64_t id, asked = (b->now / b->period + 1) * b->period;
    ask_channel(b, REQUEST_READ, local, 5);
    uint64_t time = until_data(b, &id) - asked;
    assert_true(id == 5 && time % b->period == 0);
    for (unsigned i = 0; i < 1000; i++) {
        channel_tick(b);
    }
    return time / b->period;
}

#endif
