/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams of requests, as fast as a channel of gtx480 takes them, and what they take.
 */
#ifndef WARPMEM_TB_STREAMS_H
#define WARPMEM_TB_STREAMS_H

#include "dram/channel_bench.h"

#include <inttypes.h>

#define FNV_BEGIN UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

enum { REQUESTS = 6000, BYTES = 64, ROW = 4096, BANKS = 8, STREAM_CAP = 4 };

static inline uint64_t one_after_another(unsigned i) {
    return (uint64_t)i * BYTES;
}
static inline uint64_t every_kilobyte(unsigned i) {
    return (uint64_t)i * 1024;
}
static inline uint64_t every_row(unsigned i) {
    return (uint64_t)i * ROW;
}
/* Eight walks in turn, each through rows of its own of one bank. */
static inline uint64_t eight_walks_in_one_bank(unsigned i) {
    uint64_t walk = i % 8, step = i / 8, row = walk + step * BYTES / ROW * 8;
    return row * BANKS * ROW + step * BYTES % ROW;
}
/* Eight walks in turn, which share banks and not rows. */
static inline uint64_t eight_walks(unsigned i) {
    return (uint64_t)(i % 8) * (8 * ROW + 39 * BYTES) + (uint64_t)(i / 8) * BYTES;
}
/* From one region to another, of other banks. */
static inline uint64_t two_regions(unsigned i) {
    return i % 2 * 12 * ROW + (uint64_t)(i / 2) * BYTES;
}

/* The cost of a stream. */
struct stream_outcome {
    uint64_t cycles, activates;
    uint64_t commands; /* hash of cycle, kind and bank of each */
};

static const struct stream {
    const char *name;
    uint64_t (*address)(unsigned i);
    unsigned write_every;         /* the last of so many requests is a write; 0: none is */
    struct stream_outcome plain;  /* without a cap */
    struct stream_outcome capped; /* with dram.row_hit_cap = STREAM_CAP; {0}: the same */
} streams[] = {
    {"sequential", one_after_another, 0, {17310, 94, UINT64_C(0x77ed35fb6c67ce9d)}, {0}},
    {"stride of 1 KB", every_kilobyte, 0, {12779, 1500, UINT64_C(0x9b3d29a1f34f83d8)}, {0}},
    {"stride of 4 KB", every_row, 0, {39020, 6000, UINT64_C(0xc8adc8104baa7be5)}, {0}},
    {"conflicts in one bank",
     eight_walks_in_one_bank,
     0,
     {56307, 1408, UINT64_C(0xedb925b0d807edb6)},
     {0}},
    {"copy", two_regions, 2, {19362, 94, UINT64_C(0x92b72d3831d8372e)}, {0}},
    {"eight walks",
     eight_walks,
     0,
     {14233, 691, UINT64_C(0x80f803af6aec6c51)},
     {15109, 1097, UINT64_C(0xbdbf1f865910c58e)}},
    {"eight walks, a third writes",
     eight_walks,
     3,
     {19168, 612, UINT64_C(0x1dcea226cf5f055c)},
     {20595, 1050, UINT64_C(0xf14767db91ffc8b4)}},
};
enum { STREAMS = sizeof streams / sizeof *streams };

static inline void hash_command(void *user, uint64_t cycle, enum dram_command command,
                                unsigned bank, uint64_t row, const struct dram_entry *column) {
    (void)column;
    uint64_t *hash = user;
    (void)row;
    *hash = (*hash ^ cycle) * FNV_PRIME;
    *hash = (*hash ^ (command << 8 | bank)) * FNV_PRIME;
}

static inline bool stream_writes(const struct stream *s, unsigned i) {
    return s->write_every && i % s->write_every == s->write_every - 1;
}

static inline struct config gtx480_channel(void) {
    struct config c;
    struct config_error e;
    assert_true(config_preset(&c, "gtx480", &e));
    c.l2.banks = 1; /* data come out in one place */
    return c;
}

/* From the cycle before the first request can be seen until the last data have left. A request is
 * one burst: a read that bypasses the L2, or a write. */
static inline struct stream_outcome run_stream(const struct config *c, const struct stream *s) {
    struct stream_outcome o = {.commands = FNV_BEGIN};
    CHANNEL(b, *c, 1);
    b.d.log = hash_command;
    b.d.log_user = &o.commands;
    const uint64_t begin = b.now;
    for (unsigned sent = 0; sent < REQUESTS || !dram_channel_idle(&b.d);) {
        if (sent < REQUESTS && ring_has_room(&b.d.in, 1)) {
            bool write = stream_writes(s, sent);
            struct request r = {.local = s->address(sent) / c->l2.line_bytes,
                                .kind = write ? REQUEST_WRITE : REQUEST_READ,
                                .bytes = BYTES,
                                .l2_route = L2_ROUTE_BYPASS};
            ring_push(&b.d.in, &r, b.now + 1, 1);
            clock_wake_at(&b.dram, 0, b.now, b.now + 1);
            sent++;
        }
        channel_tick(&b);
        if (ring_head(&b.d.out[0], b.now)) {
            ring_pop(&b.d.out[0], b.now);
        }
        assert_true(b.now - begin < 1000000);
    }
    o.cycles = b.now - begin;
    o.activates = b.d.stats.activates;
    return o;
}

#endif
