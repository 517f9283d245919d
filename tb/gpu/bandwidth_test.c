/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams of whole lines: what the DRAM and the interconnect carry at most, and that a kernel gets
 * it.
 *
 * Bounds are stated as times. A stream of loads cannot take less than its data takes on the
 * narrowest part of the way; where nothing else is short it takes at most the ramp more, between
 * whose ends that part never rests: the first line's way there and the last line's way back, which
 * make one unloaded latency, and a cycle for each of the warps of a CTA whose first lines leave a
 * core one a cycle and whose last lines reach it one a cycle.
 */
#include "config/derived.h"
#include "config/packets.h"
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { REGS = 8, CTAS_A_CORE = 4, WARPS_A_CTA = 12 };

struct stream {
    unsigned warps, lines_a_warp;
    uint64_t wrap; /* lines after which the stream begins again: 0: never */
};

/* All warps go through memory together: in step i, warp w of W reads line i * W + w. A line is used
 * before the next. */
WARP_WRITER(write_stream_warp) {
    const struct stream *t = user;
    for (unsigned i = 0; i < t->lines_a_warp; i++) {
        uint64_t line = (uint64_t)i * t->warps + cta * WARPS_A_CTA + warp;
        put_whole_line(s, i % REGS, (1 << 24) + (t->wrap ? line % t->wrap : line));
        put_insn(s, REGS + i % REGS);
    }
}

/* The same instructions for one warp and for all. */
static void run_line_stream(const struct config *c, unsigned ctas, unsigned warps, unsigned lines,
                            uint64_t wrap, struct machine_run *r) {
    struct insn table[2 * REGS];
    struct stream t = {ctas * warps, lines, wrap};
    struct hand_program p;
    for (unsigned i = 0; i < REGS; i++) {
        table[i] = (struct insn)LOAD((uint8_t)i, NO);
        table[REGS + i] = (struct insn)ALU(20, (uint8_t)i, REG_NONE, REG_NONE);
    }
    assert_legal(c);
    hand_open(&p, table, 2 * REGS, ctas, warps * WARP_SIZE);
    p.warp = write_stream_warp;
    p.user = &t;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, false);
    assert_complete(r);
}

/* Core cycles of a load through the empty machine, its row closed. */
static uint64_t unloaded_latency(const struct config *c) {
    struct machine_run r;
    run_line_stream(c, 1, 1, 1, 0, &r);
    return r.cycles;
}

static uint64_t ramp_cycles(const struct config *c) {
    return unloaded_latency(c) + 2 * WARPS_A_CTA;
}

/* Core cycles for a time in cycles of another clock, rounded up. */
static uint64_t core_cycles_rounded_up(const struct config *c, uint64_t cycles, unsigned khz) {
    return (cycles * c->clock.core + khz - 1) / khz;
}

static unsigned all_ctas(const struct config *c) {
    return c->core.count * CTAS_A_CORE;
}

TEST(the_preset_has_the_published_peak_bandwidth) {
    struct config c = base_preset();
    /* 144.0 GB/s: six channels of 8 bytes, four beats a command cycle of 750 MHz. */
    assert_true(config_peak_dram_bytes_per_s(&c) == UINT64_C(144000000000));
}

/* Everything but the DRAM's data bus is wide: bandwidth x latency fits into the buffers. */
static struct config wide_machine(void) {
    struct config c = base_preset();
    c.l1.mshrs = 64;
    c.l2.mshrs = 256;
    c.noc.input_flits = c.noc.output_flits = 64;
    return c;
}

TEST(no_stream_is_faster_than_the_data_buses) {
    for (unsigned k = 0; k < 3; k++) {
        struct config c = k ? wide_machine() : base_preset();
        struct machine_run r;
        c.dram.ccdl = k == 2 ? c.dram.ccd : c.dram.ccdl;
        run_line_stream(&c, all_ctas(&c), WARPS_A_CTA, 16, 0, &r);
        uint64_t lines = (uint64_t)all_ctas(&c) * WARPS_A_CTA * 16;
        assert_true(run_counter(&r, "dram.reads") == lines);
        assert_true(run_counter(&r, "dram.read_bytes") * c.clock.core * UINT64_C(1000) <=
                    config_peak_dram_bytes_per_s(&c) * r.cycles);
        assert_true(core_cycles_rounded_up(&c,
                                           run_counter(&r, "dram.data_cycles") / c.l2.partitions,
                                           c.clock.dram) <= r.cycles);
    }
}

/* Without a penalty for one bank group, a burst after the other: what the timing allows is the
 * peak. */
TEST(a_stream_fills_the_data_buses) {
    enum { LINES = 64 };
    struct config c = wide_machine();
    struct machine_run r;
    c.dram.ccdl = c.dram.ccd;
    run_line_stream(&c, all_ctas(&c), WARPS_A_CTA, LINES, 0, &r);
    uint64_t lines = (uint64_t)all_ctas(&c) * WARPS_A_CTA * LINES / c.l2.partitions;
    uint64_t bursts = lines * LINE_BYTES / (c.dram.bus_bytes * c.dram.burst);
    uint64_t data = core_cycles_rounded_up(&c, bursts * c.dram.burst / c.dram.beats, c.clock.dram);
    assert_true(r.cycles >= data && r.cycles <= data + ramp_cycles(&c));
}

/* A row lies in one bank, so a stream that uses up row after row may get a burst every CCDL only:
 * at least that. */
TEST(a_stream_within_bank_groups_gets_a_burst_every_ccdl_at_least) {
    enum { LINES = 64 };
    struct config c = wide_machine();
    struct machine_run r;
    run_line_stream(&c, all_ctas(&c), WARPS_A_CTA, LINES, 0, &r);
    uint64_t lines = (uint64_t)all_ctas(&c) * WARPS_A_CTA * LINES / c.l2.partitions;
    uint64_t bursts = lines * LINE_BYTES / (c.dram.bus_bytes * c.dram.burst);
    assert_true(r.cycles >= core_cycles_rounded_up(&c, bursts * c.dram.ccd, c.clock.dram));
    assert_true(r.cycles <=
                core_cycles_rounded_up(&c, bursts * c.dram.ccdl, c.clock.dram) + ramp_cycles(&c));
}

/*
 * Lines that the L2 holds, to all cores. The networks run at twice the core clock so that they
 * carry what the DRAM can deliver and do not decide every result: at least the peak bandwidth, at
 * most a flit a port and NoC cycle.
 */
static void replies_keep_up_with_the_dram(struct config c) {
    enum { LINES = 64 };
    struct machine_run once, twice;
    uint64_t all = (uint64_t)all_ctas(&c) * WARPS_A_CTA, flits = packet_flits(&c, LINE_BYTES);
    c.l1.mshrs = c.l1.ways =
        64; /* latency x bandwidth; and hardly a line is still in an L1 when it comes round */
    c.l1.sets = 1;
    run_line_stream(&c, all_ctas(&c), WARPS_A_CTA, LINES, 4 * all, &once);
    run_line_stream(&c, all_ctas(&c), WARPS_A_CTA, 2 * LINES, 4 * all, &twice);
    assert_true(run_counter(&once, "dram.reads") == 4 * all &&
                run_counter(&twice, "dram.reads") == 4 * all);
    uint64_t lines = run_counter(&twice, "l2.read_hits") - run_counter(&once, "l2.read_hits");
    assert_true(lines > LINES * all * 9 / 10);
    uint64_t least = core_cycles_rounded_up(&c, lines / c.l2.partitions * flits, c.clock.noc);
    uint64_t most = lines * LINE_BYTES * c.clock.core / (config_peak_dram_bytes_per_s(&c) / 1000);
    uint64_t took = twice.cycles - once.cycles;
    if (took + ramp_cycles(&c) < least || took > most + ramp_cycles(&c)) {
        fail_msg("%" PRIu64 " core cycles; the reply ports need %" PRIu64
                 ", the data buses would take %" PRIu64,
                 took, least, most);
    }
}

TEST(the_replies_of_a_wide_machine_keep_up_with_its_dram) {
    replies_keep_up_with_the_dram(wide_machine());
}

TEST(the_replies_of_the_preset_keep_up_with_its_dram) {
    replies_keep_up_with_the_dram(base_preset());
}

/* --- reply ports --- */

enum { PORT_BANKS = 4, PORT_WARPS = 16 };

/* Each core reads lines of one bank, one a warp. */
WARP_WRITER(write_bank_warp) {
    (void)user;
    put_whole_line(s, 0, (1 << 24) + warp * PORT_BANKS + cta % PORT_BANKS);
    put_insn(s, 1);
}

static uint64_t cycles_of_banks(const struct config *c, unsigned cores, unsigned warps) {
    static const struct insn table[] = {LOAD(0, NO), ALU(20, 0, REG_NONE, REG_NONE)};
    struct hand_program p;
    struct machine_run r;
    assert_legal(c);
    hand_open(&p, table, 2, cores, warps * WARP_SIZE);
    p.warp = write_bank_warp;
    run_test_machine(&r, c, &(struct gpu_options){0}, &p.program, false);
    assert_complete(&r);
    assert_true(run_counter(&r, "l2.requests") == cores * warps);
    return r.cycles;
}

/* As many banks and request ports as cores, all in one partition, a core a bank. The first line
 * takes the unloaded latency. From then on each reply port is busy, a flit a cycle, until its share
 * of the lines has gone. On the mesh the ports go to four links. */
TEST(each_reply_port_carries_a_flit_a_cycle) {
    for (unsigned mesh = 0; mesh < 2; mesh++) {
        struct config c = base_preset();
        c.clock.core = c.clock.noc = c.clock.l2 = c.clock.dram = 1000000;
        c.core.count = c.l2.banks = c.l2.ports = PORT_BANKS;
        c.l2.partitions = 1;
        c.l2.perfect = 1;
        c.l1.cache = 0;
        if (mesh) {
            c.noc.topology = NOC_MESH;
            c.noc.router_flits = 24; /* a link stays busy until the room behind it is free again */
            snprintf(c.noc.nodes, sizeof c.noc.nodes, ".c./cpc/.c.");
        }
        for (unsigned ports = 1; ports <= PORT_BANKS; ports *= 2) {
            c.l2.reply_ports = ports;
            uint64_t alone = cycles_of_banks(&c, 1, 1),
                     all = cycles_of_banks(&c, PORT_BANKS, PORT_WARPS);
            unsigned lines = PORT_BANKS * PORT_WARPS, flits = packet_flits(&c, LINE_BYTES);
            if (all != alone + (lines / ports - 1) * flits) {
                fail_msg("mesh %u, %u reply ports: %" PRIu64 ", alone %" PRIu64, mesh, ports, all,
                         alone);
            }
        }
    }
}
