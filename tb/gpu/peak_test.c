/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams on every preset against closed formulas: each part of the machine has a time that it
 * needs at least for its share of a stream; the longest is what the stream takes at least, and that
 * part is said to bind. That it gets there is the other half: no more than a tenth longer, for
 * changes of row and turns of arbiters, and the ramp.
 *
 * A warp uses what it has loaded before it loads again, so that all go through memory together.
 */
#include <math.h>

#include "base/long_test.h"
#include "base/unit_set.h"
#include "config/derived.h"
#include "config/packets.h"
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { REGS = 8, CTAS = 4, I_ALU = 2 * REGS, INSNS };

enum kind { LOADS_AND_USES, LOADS, ARITHMETIC, SHARED };

struct stream {
    const struct config *config;
    enum kind kind;
    unsigned steps, stride; /* of a warp; words between the lanes of a shared-memory access */
};

static unsigned cta_warps(const struct config *c) {
    return c->core.warps / CTAS;
}

/* In step i, warp w of W reads the 128 bytes i * W + w. */
WARP_WRITER(write_peak_warp) {
    const struct stream *t = user;
    uint64_t in_a_cta = cta_warps(t->config), all = in_a_cta * CTAS * t->config->core.count;
    for (unsigned i = 0; i < t->steps; i++) {
        uint64_t address =
            t->kind == SHARED ? 0 : 0x80000000 + 128 * (i * all + cta * in_a_cta + warp);
        if (t->kind == ARITHMETIC) {
            put_insn(s, I_ALU);
            continue;
        }
        assert_true(warp_stream_put_affine(s, i % REGS, ALL_LANES, address, 4 * t->stride));
        if (t->kind == LOADS_AND_USES) {
            put_insn(s, REGS + i % REGS);
        }
    }
}

static void run_peak_stream(const struct config *c, struct stream t, unsigned ctas,
                            struct machine_run *r, bool want_events) {
    struct insn table[INSNS];
    struct hand_program p;
    for (unsigned i = 0; i < REGS; i++) {
        table[i] = (struct insn)LOAD((uint8_t)i, NO);
        table[i].space = t.kind == SHARED ? SPACE_SHARED : SPACE_GLOBAL;
        table[REGS + i] = (struct insn)ALU(20, (uint8_t)i, NO, NO);
    }
    table[I_ALU] = (struct insn)ALU(NO, NO, NO, NO);
    assert_legal(c);
    hand_open(&p, table, INSNS, ctas, cta_warps(c) * WARP_SIZE);
    p.code.shared_bytes = 4096;
    t.config = c;
    p.warp = write_peak_warp;
    p.user = &t;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, want_events);
    assert_complete(r);
}

/* --- what each part needs, in core cycles --- */

static double core_cycles_exact(const struct config *c, double cycles, unsigned khz) {
    return cycles * c->clock.core / khz;
}

struct part {
    const char *name;
    double least, most; /* core cycles; most: in its least favourable case */
};

enum { PARTS_MAX = 16 };

struct parts {
    struct part part[PARTS_MAX];
    unsigned count;
};

static void add_part(struct parts *p, const char *name, double least, double most) {
    assert_true(p->count < PARTS_MAX);
    p->part[p->count++] = (struct part){name, least, most};
}

static const struct part *longest_part(const struct parts *p) {
    const struct part *l = p->part;
    for (unsigned i = 1; i < p->count; i++) {
        l = p->part[i].least > l->least ? &p->part[i] : l;
    }
    return l;
}

static double most_cycles(const struct parts *p) {
    double m = 0;
    for (unsigned i = 0; i < p->count; i++) {
        m = p->part[i].most > m ? p->part[i].most : m;
    }
    return m;
}

/* From the first of @count to the last, one every @interval cycles. */
static double to_the_last(double count, double interval) {
    return count > 0 ? (count - 1) * interval + 1 : 0;
}

/* Instructions and, of each core, memory instructions of @lines lines and @conflicts cycles. */
static void core_parts(struct parts *p, const struct config *c, const struct stream *t,
                       double lines, double conflicts) {
    double warps = c->core.warps / CTAS * CTAS, pump = WARP_SIZE / c->core.simd_width;
    double instructions = warps * t->steps * (t->kind == LOADS_AND_USES ? 2 : 1);
    double memory = t->kind == ARITHMETIC ? 0 : warps * t->steps;
    double arithmetic = instructions - memory;
    double issue = to_the_last(instructions / c->core.schedulers, pump),
           pipes = c->alu.pipes == ALU_PIPES_SCHEDULER ? c->core.schedulers : c->core.sp_units,
           units = to_the_last(arithmetic / pipes, c->alu.int_add_interval * pump),
           steps = t->kind == SHARED ? 1 : config_l1_accesses(c),
           unit = to_the_last(memory / steps, conflicts);
    /* Of hits each of the ports takes one. */
    double turns = c->l1.perfect ? ceil(lines / config_l1_ports(c)) : lines;
    add_part(p, "issue", issue, issue);
    add_part(p, "arithmetic units", units, units);
    add_part(p, "load/store unit", unit, unit);
    add_part(p, "L1", memory * turns / steps, memory * turns / steps);
    if (c->issue.inflight_per_warp) { /* each instruction waits for the one before */
        double chain = t->steps * (c->core.operand_latency +
                                   (t->kind == ARITHMETIC ? c->alu.int_add : c->l1.hit_latency));
        add_part(p, "one instruction in flight", chain, chain);
    }
}

/* Lines, or the parts of a line that half warps read, that all cores read past the L1. */
static void network_parts(struct parts *p, const struct config *c, double lines) {
    double flits = packet_flits(c, c->l1.line_bytes / c->l1.coalesce_parts),
           there = packet_flits(c, 0);
    struct {
        const char *name;
        double cycles;
    } ports[] = {
        {"request ports of the cores", lines / c->core.count * there},
        {"request ports of the partitions", lines / c->l2.partitions / c->l2.ports * there},
        {"reply ports of the partitions", lines / c->l2.partitions / c->l2.reply_ports * flits},
        {"reply ports of the cores", lines / c->core.count * flits}};
    for (unsigned i = 0; i < 4; i++) {
        double least = core_cycles_exact(c, ports[i].cycles, c->clock.noc);
        /* Where packets for several receivers stand in one queue, the first holds the others: such
         * queues carry 2 - sqrt(2) of what their port could, if receivers come by chance (Karol et
         * al., IEEE Trans. Comm. 35, 1987). */
        add_part(p, ports[i].name, least, least / 0.586);
    }
    double banks = core_cycles_exact(
        c, lines / (c->l2.partitions * c->l2.banks) * c->l2.bank_interval, c->clock.l2);
    add_part(p, "L2 banks", banks, banks);
}

/* The same lines of the L2 from the DRAM: rows open and bank groups in turn, or neither. */
static void dram_parts(struct parts *p, const struct config *c, double lines) {
    double bursts = c->l2.line_bytes / (c->dram.bus_bytes * c->dram.burst),
           data = c->dram.burst / c->dram.beats, of_a_channel = lines / c->l2.partitions;
    /* A refresh leaves of each interval all but tRFC, and the time to close and open rows. */
    double interval = c->dram.refi, least = 1, most = 1;
    if (c->dram.refi) {
        least = interval / (interval - c->dram.rfc);
        most = interval / (interval - config_refresh_and_column(c));
    }
    double open = (bursts - 1) * c->dram.ccd + c->dram.cl + data,
           closed = (bursts - 1) * c->dram.ccdl + c->dram.cl + data + c->dram.rcd;
    add_part(p, "DRAM data buses",
             core_cycles_exact(c, of_a_channel * bursts * c->dram.ccd * least, c->clock.dram),
             core_cycles_exact(c, of_a_channel * bursts * c->dram.ccdl * most, c->clock.dram));
    /* An MSHR is taken from the access to the wake-up: miss queue, DRAM, a cycle for the MSHR. */
    double l2 = core_cycles_exact(c, 2, c->clock.l2), turns = of_a_channel / config_l2_mshrs(c);
    add_part(p, "L2 MSHRs",
             turns * (l2 + core_cycles_exact(c, c->dram.latency + open, c->clock.dram)),
             turns * (l2 + core_cycles_exact(c, c->dram.latency + closed, c->clock.dram)));
}

/* --- the comparison --- */

static void compare_with_bound(const char *preset, const char *what, const struct parts *p,
                               double took, double ramp) {
    const struct part *binds = longest_part(p);
    print_message("%-11s %-26s %8.0f core cycles, %5.1f %% of the bound: %s\n", preset, what, took,
                  100 * binds->least / took, binds->name);
    if (took < binds->least || took > most_cycles(p) * 10 / 9 + ramp) {
        fail_msg("%s, %s: %.0f core cycles; %s needs %.0f, and %.0f are allowed", preset, what,
                 took, binds->name, binds->least, most_cycles(p) * 10 / 9 + ramp);
    }
}

/* Latency of a line through the idle machine, and the first and last lines of a core's warps. */
static double ramp_of(const struct config *c, enum kind kind) {
    struct machine_run r;
    run_peak_stream(c, (struct stream){.kind = kind, .steps = 1, .stride = 1}, 1, &r, false);
    return (double)r.cycles + 2.0 * c->core.warps;
}

static void run_and_compare(const char *preset, const char *what, const struct config *c,
                            struct stream t, unsigned conflicts, bool dram) {
    struct machine_run r;
    struct parts p = {.count = 0};
    const unsigned parts = c->l1.coalesce_parts;
    double pieces =
        t.kind == LOADS || t.kind == LOADS_AND_USES ? 128.0 / c->l1.line_bytes * parts : 0;
    double lines = pieces * t.steps * c->core.count * cta_warps(c) * CTAS;
    run_peak_stream(c, t, c->core.count * CTAS, &r, false);
    core_parts(&p, c, &t, pieces, conflicts);
    if (!c->l1.perfect && lines > 0) {
        network_parts(&p, c, lines);
        assert_true(run_counter(&r, "l2.requests") == (uint64_t)lines);
    }
    if (dram) {
        dram_parts(&p, c, lines / parts);
        assert_true(run_counter(&r, "dram.reads") * c->l2.line_bytes * parts ==
                    (uint64_t)lines * c->l1.line_bytes);
    }
    compare_with_bound(preset, what, &p, (double)r.cycles, ramp_of(c, t.kind));
}

/* Without an L1, whose MSHRs and sets would hold some warps and let others run ahead. Lines of L1
 * and L2 are equally long in every preset. */
TEST(streams_from_the_dram_get_what_binds_them) {
    EACH_PRESET(name, c) {
        c.l1.cache = 0;
        run_and_compare(name, "from the DRAM", &c,
                        (struct stream){.kind = LOADS_AND_USES, .steps = 96, .stride = 1}, 1, true);
    }
}

/* Large machines take half of the time: `make test` runs only the plain streams on them. */
static bool is_for_long_test(const struct config *c) {
    return c->core.count > 40 && !is_long_test();
}

TEST(streams_from_a_refreshed_dram_get_what_binds_them) {
    EACH_PRESET(name, c) {
        if (is_for_long_test(&c)) {
            continue;
        }
        c.l1.cache = 0;
        c.dram.refi = 1590;
        c.dram.rfc = 200; /* so long that it shows */
        run_and_compare(name, "from a refreshed DRAM", &c,
                        (struct stream){.kind = LOADS_AND_USES, .steps = 96, .stride = 1}, 1, true);
    }
}

TEST(streams_from_the_l2_get_what_binds_them) {
    static const struct {
        const char *what;
        unsigned interval, reply_ports;
    } ways[] = {{"from the L2", 1, 1}, {"bank_interval 10", 10, 1}, {"two reply ports", 1, 2}};
    EACH_PRESET(name, c) {
        /* A mesh's links, of which there is no formula here, would bind before more ports; and a
         * crossbar has no more than so many. */
        bool more = c.noc.topology != NOC_MESH && 2 * c.l2.partitions <= UNITS_MAX;
        const unsigned count = is_for_long_test(&c) ? 1 : more ? 3 : 2;
        for (unsigned i = 0; i < count; i++) {
            c.l1.cache = 0;
            c.l2.perfect = 1;
            c.l2.bank_interval = ways[i].interval;
            c.l2.reply_ports = ways[i].reply_ports;
            c.l2.banks = c.l2.banks < c.l2.reply_ports ? c.l2.reply_ports : c.l2.banks;
            run_and_compare(name, ways[i].what, &c,
                            (struct stream){.kind = LOADS_AND_USES, .steps = 96, .stride = 1}, 1,
                            false);
        }
    }
}

TEST(half_warps_send_a_request_each) {
    struct config c = named_preset("quadro-daws");
    c.l1.cache = 0;
    c.l1.coalesce_parts = 2;
    run_and_compare("quadro-daws", "half warps", &c,
                    (struct stream){.kind = LOADS_AND_USES, .steps = 96, .stride = 1}, 1, true);
}

TEST(the_l1_takes_one_access_a_step) {
    EACH_PRESET(name, c) {
        c.l1.perfect = 1;
        run_and_compare(name, "from the L1", &c,
                        (struct stream){.kind = LOADS, .steps = 64, .stride = 1}, 1, false);
    }
}

/* Each lane has a line of its own. */
TEST(diverged_loads_take_a_port_of_a_step_for_each_line) {
    const struct stream t = {.kind = LOADS, .steps = 16, .stride = 32};
    for (unsigned k = 0; k < 8; k++) {
        struct config c = named_preset("quadro-daws");
        struct parts p = {.count = 0};
        struct machine_run r;
        c.l1.perfect = 1;
        c.l1.steps = 1 + k % 4;
        c.l1.ports = 1 + k / 4 * 2;
        run_peak_stream(&c, t, c.core.count * CTAS, &r, false);
        core_parts(&p, &c, &t, WARP_SIZE, 1);
        assert_true(longest_part(&p)->least ==
                    16.0 * c.core.warps * (k < 4 ? WARP_SIZE : 11) / c.l1.steps);
        compare_with_bound("quadro-daws", "diverged", &p, (double)r.cycles, ramp_of(&c, LOADS));
    }
}

TEST(the_mrpb_takes_one_access_a_cycle_of_any_steps) {
    struct config c = named_preset("quadro-daws");
    c.l1.perfect = 1;
    c.l1.front = L1_FRONT_MRPB;
    c.l1.ports = 4;
    assert_true(config_l1_accesses(&c) == 1 && config_l1_ports(&c) == 1);
    run_and_compare("quadro-daws", "MRPB", &c,
                    (struct stream){.kind = LOADS, .steps = 64, .stride = 1}, 1, false);
}

TEST(arithmetic_issues_at_the_schedulers_or_the_units_rate) {
    EACH_PRESET(name, c) {
        for (unsigned width = 8; width <= 32; width *= 2) {
            char what[32];
            c.core.simd_width = width;
            snprintf(what, sizeof what, "arithmetic, SIMD %u", width);
            run_and_compare(name, what, &c,
                            (struct stream){.kind = ARITHMETIC, .steps = 200, .stride = 1}, 0,
                            false);
        }
    }
}

/* Lane i reads word i * stride: with a stride of 2^k, 2^k times as many lanes share a bank. */
TEST(shared_memory_takes_a_cycle_for_each_conflict) {
    EACH_PRESET(name, c) {
        for (unsigned stride = 1; stride <= c.core.shared_banks; stride *= 4) {
            char what[32];
            snprintf(what, sizeof what, "shared memory, stride %u", stride);
            unsigned cycles = WARP_SIZE * stride / c.core.shared_banks;
            run_and_compare(name, what, &c,
                            (struct stream){.kind = SHARED, .steps = 32, .stride = stride}, cycles,
                            false);
        }
    }
}
