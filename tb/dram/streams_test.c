/* SPDX-License-Identifier: Apache-2.0
 *
 * DRAMsim3 (commit 2981759) gives the cycles and activates of these streams, with the preset's
 * times, a queue of 16 requests, refresh and tFAW off, and columns before rows; without a cap, its
 * cap of four row hits removed. Its commands were compared one by one, and agreed in cycle, kind
 * and bank. Its addresses of the conflicts and the copy are not known: those here are the first
 * that were found to give its figures. The hashes are of this model's commands.
 */
#include "dram/streams.h"

TEST(streams_take_the_cycles_and_commands_that_dramsim3_gives) {
    struct config c = gtx480_channel();
    assert_true(c.dram.banks == BANKS && c.dram.row_bytes == ROW && c.dram.queue == 16);
    for (unsigned i = 0; i < STREAMS; i++) {
        const struct stream *s = &streams[i];
        for (unsigned capped = 0; capped < 2; capped++) {
            const struct stream_outcome *due = capped && s->capped.cycles ? &s->capped : &s->plain;
            c.dram.row_hit_cap = capped ? STREAM_CAP : 0;
            struct stream_outcome o = run_stream(&c, s);
            if (o.cycles != due->cycles || o.activates != due->activates ||
                o.commands != due->commands) {
                fail_msg("%s, cap %u: %" PRIu64 " cycles, %" PRIu64 " activates, commands "
                         "0x%016" PRIx64,
                         s->name, c.dram.row_hit_cap, o.cycles, o.activates, o.commands);
            }
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
        differs = o.cycles != streams[i].plain.cycles || o.commands != streams[i].plain.commands;
    }
    return differs;
}

/* A cycle more or less of any time between commands shows, and a place in the queue. */
TEST(every_key_of_the_dram_decides_a_stream) {
    static const char *const settings[] = {
        "dram.cl=13",    "dram.wl=5",          "dram.rcd=13",
        "dram.rp=11",    "dram.ras=27",        "dram.rc=41",
        "dram.rrd=7",    "dram.ccd=3",         "dram.ccdl=4",
        "dram.rtpl=3",   "dram.cdlr=6",        "dram.wr=13",
        "dram.queue=15", "dram.row_hit_cap=4", "dram.address_map=RBCBCBCCCCSSSSSS"};
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
