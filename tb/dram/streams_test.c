/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams of requests, as fast as a channel of gtx480 takes them. DRAMsim3 (commit 2981759) gives
 * these cycles and activates, with the preset's times, a queue of 16 requests, refresh and tFAW
 * off, columns before rows, and its cap of four row hits removed; its commands were compared one by
 * one, and agreed in cycle, kind and bank. Its addresses of the last two streams are not known:
 * those here are the first that were found to give its figures. The hashes are of this model's
 * commands.
 */
#include "dram/channel_bench.h"

#include <inttypes.h>

#define FNV_BEGIN UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

enum { REQUESTS = 6000, BYTES = 64, ROW = 4096, BANKS = 8 };

static uint64_t one_after_another(unsigned i) {
    return (uint64_t)i * BYTES;
}
static uint64_t every_kilobyte(unsigned i) {
    return (uint64_t)i * 1024;
}
static uint64_t every_row(unsigned i) {
    return (uint64_t)i * ROW;
}
/* Eight walks in turn, each through rows of its own of one bank. */
static uint64_t eight_walks_in_one_bank(unsigned i) {
    uint64_t walk = i % 8, step = i / 8, row = walk + step * BYTES / ROW * 8;
    return row * BANKS * ROW + step * BYTES % ROW;
}
/* From one region to another, of other banks. */
static uint64_t two_regions(unsigned i) {
    return i % 2 * 12 * ROW + (uint64_t)(i / 2) * BYTES;
}

static const struct stream {
    const char *name;
    uint64_t (*address)(unsigned i);
    unsigned write_every; /* the last of so many requests is a write; 0: none is */
    uint64_t cycles, activates;
    uint64_t commands; /* hash of cycle, kind and bank of each */
} streams[] = {
    {"sequential", one_after_another, 0, 17310, 94, UINT64_C(0x77ed35fb6c67ce9d)},
    {"stride of 1 KB", every_kilobyte, 0, 12779, 1500, UINT64_C(0x9b3d29a1f34f83d8)},
    {"stride of 4 KB", every_row, 0, 39020, 6000, UINT64_C(0xc8adc8104baa7be5)},
    {"conflicts in one bank", eight_walks_in_one_bank, 0, 56307, 1408,
     UINT64_C(0xedb925b0d807edb6)},
    {"copy", two_regions, 2, 19362, 94, UINT64_C(0x92b72d3831d8372e)},
};
enum { STREAMS = sizeof streams / sizeof *streams };

struct stream_outcome {
    uint64_t cycles, activates, commands;
};

static void hash_command(void *user, uint64_t cycle, enum dram_command command, unsigned bank,
                         uint64_t row) {
    uint64_t *hash = user;
    (void)row;
    *hash = (*hash ^ cycle) * FNV_PRIME;
    *hash = (*hash ^ (command << 8 | bank)) * FNV_PRIME;
}

static struct config gtx480_channel(void) {
    struct config c;
    struct config_error e;
    assert_true(config_preset(&c, "gtx480", &e));
    c.l2.banks = 1; /* data come out in one place */
    return c;
}

/* From the cycle before the first request can be seen until the last data have left. A request is
 * one burst: a read that bypasses the L2, or a write. */
static struct stream_outcome run_stream(const struct config *c, const struct stream *s) {
    struct stream_outcome o = {.commands = FNV_BEGIN};
    CHANNEL(b, *c, 1);
    b.d.log = hash_command;
    b.d.log_user = &o.commands;
    const uint64_t begin = b.now;
    for (unsigned sent = 0; sent < REQUESTS || !dram_channel_idle(&b.d);) {
        if (sent < REQUESTS && ring_has_room(&b.d.in, 1)) {
            bool write = s->write_every && sent % s->write_every == s->write_every - 1;
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

TEST(streams_take_the_cycles_and_commands_that_dramsim3_gives) {
    struct config c = gtx480_channel();
    assert_true(c.dram.banks == BANKS && c.dram.row_bytes == ROW && c.dram.queue == 16);
    for (unsigned i = 0; i < STREAMS; i++) {
        const struct stream *s = &streams[i];
        struct stream_outcome o = run_stream(&c, s);
        if (o.cycles != s->cycles || o.activates != s->activates || o.commands != s->commands) {
            fail_msg("%s: %" PRIu64 " cycles, %" PRIu64 " activates, commands 0x%016" PRIx64,
                     s->name, o.cycles, o.activates, o.commands);
        }
    }
}

/* A row a request: the activates are the limit. RRD = 6 alone lets 4 pass in 24 cycles, 32 in 192.
 */
TEST(windows_of_activates_limit_a_stream_of_rows) {
    static const struct {
        unsigned faw, aw32;
        double cycles; /* an activate */
    } windows[] = {{24, 192, 6.5}, {32, 0, 8}, {0, 320, 10}, {48, 480, 15}, {48, 320, 12}};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        struct config c = gtx480_channel();
        c.dram.faw = windows[i].faw;
        c.dram.aw32 = windows[i].aw32;
        assert_legal(&c);
        double cycles = (double)run_stream(&c, &streams[2]).cycles / REQUESTS;
        if (cycles < windows[i].cycles - .02 || cycles > windows[i].cycles + .05) {
            fail_msg("faw %u, aw32 %u: %.3f cycles an activate", c.dram.faw, c.dram.aw32, cycles);
        }
    }
}

static bool differs_somewhere(const struct config *c) {
    static const struct stream more = {.address = eight_walks_in_one_bank, .write_every = 3};
    struct config before = gtx480_channel();
    struct stream_outcome was = run_stream(&before, &more), is = run_stream(c, &more);
    bool differs = was.cycles != is.cycles || was.commands != is.commands;
    for (unsigned i = 0; i < STREAMS && !differs; i++) {
        struct stream_outcome o = run_stream(c, &streams[i]);
        differs = o.cycles != streams[i].cycles || o.commands != streams[i].commands;
    }
    return differs;
}

/* A cycle more or less of any time between commands shows, and a place in the queue. */
TEST(every_key_of_the_dram_decides_a_stream) {
    static const char *const settings[] = {
        "dram.cl=13",  "dram.wl=5",  "dram.rcd=13",  "dram.rp=11",  "dram.ras=27",
        "dram.rc=41",  "dram.rrd=7", "dram.ccd=3",   "dram.ccdl=4", "dram.rtpl=3",
        "dram.cdlr=6", "dram.wr=13", "dram.queue=15"};
    struct config same = gtx480_channel();
    assert_false(differs_somewhere(&same));
    for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct config c = gtx480_channel();
        struct config_error e;
        if (!config_set(&c, settings[i], &e)) {
            fail_msg("%s", e.text);
        }
        if (!differs_somewhere(&c)) {
            fail_msg("%s changes nothing", settings[i]);
        }
    }
}
