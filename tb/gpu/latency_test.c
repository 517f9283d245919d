/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads of one warp through an idle machine: the cycles from issue to the data's first use are the
 * sum of what the configuration says about each part of the way.
 */
#include "config/mesh_map.h"
#include "config/packets.h"
#include "config/preset.h"
#include "dram/address.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

/* --- the program: loads, each followed by the use of its register --- */

enum { CLOSED_ROW, L1_AGAIN, L2_AGAIN, ROW_HIT, ROW_CONFLICT, LOADS };
enum { I_STORE = 2 * LOADS, I_FENCE, INSNS };

struct lines {
    uint64_t line[LOADS];
};

static struct lines choose_lines(const struct config *c) {
    struct dram_map m;
    uint64_t local;
    const uint64_t first = 0x80000000 / LINE_BYTES;
    dram_map_init(&m, c);
    unsigned partition = dram_map_partition(&m, first * LINE_BYTES, &local);
    uint64_t a_row_on = (uint64_t)c->dram.row_bytes / LINE_BYTES * c->dram.banks;
    return (struct lines){{first, first, first,
                           dram_map_address(&m, partition, local + 1) / LINE_BYTES,
                           dram_map_address(&m, partition, local + a_row_on) / LINE_BYTES}};
}

WARP_WRITER(write_latency_warp) {
    const struct lines *l = user;
    for (unsigned i = 0; i < LOADS; i++) {
        if (i == L2_AGAIN) { /* a store evicts the line from the L1; the fence waits until it is in
                                the L2 */
            put_whole_line(s, I_STORE, l->line[i]);
            put_insn(s, I_FENCE);
        }
        put_whole_line(s, 2 * i, l->line[i]);
        put_insn(s, 2 * i + 1);
    }
}

/* Cycles from the issue of each load to the issue of the instruction that uses it. */
static void measure_latencies(const struct config *c, uint64_t *latency) {
    static const struct insn table[INSNS] = {
        LOAD(0, NO), ALU(10, 0, REG_NONE, REG_NONE), LOAD(1, NO), ALU(11, 1, REG_NONE, REG_NONE),
        LOAD(2, NO), ALU(12, 2, REG_NONE, REG_NONE), LOAD(3, NO), ALU(13, 3, REG_NONE, REG_NONE),
        LOAD(4, NO), ALU(14, 4, REG_NONE, REG_NONE), STORE(NO),   SIMPLE(OP_FENCE),
    };
    struct lines lines = choose_lines(c);
    struct hand_program p;
    assert_legal(c);
    hand_open(&p, table, INSNS, 1, WARP_SIZE);
    p.warp = write_latency_warp;
    p.user = &lines;
    RUN(r, c, &(struct gpu_options){0}, &p.program, true);
    assert_true(run_counter(&r, "l1.read_hits") == 1 &&
                run_counter(&r, "l1.read_misses") == LOADS - 1);
    assert_true(run_counter(&r, "l2.read_hits") == 1 && run_counter(&r, "dram.reads") == 3);
    assert_true(run_counter(&r, "dram.activates") == 2 && run_counter(&r, "dram.precharges") == 1);
    for (unsigned i = 0; i < LOADS; i++) {
        latency[i] = issued_at(&r, 0, 0, 8 * (2 * i + 1), 0) - issued_at(&r, 0, 0, 8 * 2 * i, 0);
    }
}

/* --- the parts --- */

/* DRAM cycles from a request's arrival at the scheduler until its data can be seen by the L2. */
static unsigned dram_cycles_of_case(const struct config *c, unsigned which) {
    unsigned burst = c->dram.burst / c->dram.beats,
             bursts = LINE_BYTES / (c->dram.bus_bytes * c->dram.burst);
    unsigned open = which == CLOSED_ROW     ? c->dram.rcd
                    : which == ROW_CONFLICT ? c->dram.rp + c->dram.rcd
                                            : 0;
    return open + (bursts - 1) * c->dram.ccdl + c->dram.cl + burst;
}

/* A mesh goes through a router more than it has links on the way. */
static unsigned crossing_cycles(const struct config *c, unsigned data_bytes, unsigned links) {
    return packet_flits(c, data_bytes) + (links + 1) * c->noc.hop_latency - 1;
}

/* With equal clocks there is nothing to round: each register between two units takes a cycle. */
static unsigned sum_of_parts(const struct config *c, unsigned which, unsigned links) {
    unsigned front = c->l1.front ? c->mrpb.latency : c->l1.front_latency;
    if (which == L1_AGAIN) {
        return c->core.operand_latency + front + c->l1.hit_latency;
    }
    unsigned there = c->core.operand_latency + front + 1 /* miss queue */ +
                     1 /* interconnect's input buffer */ + crossing_cycles(c, 0, links) +
                     (c->l2.rop_latency + c->l2.arbiter_latency);
    unsigned back = 1 /* interconnect's input buffer */ + crossing_cycles(c, LINE_BYTES, links) +
                    1 /* MSHR */ + c->l1.fill_latency;
    if (which == L2_AGAIN) {
        return there + c->l2.hit_latency + back;
    }
    return there + 1 /* miss queue */ + c->dram.latency + dram_cycles_of_case(c, which) +
           1 /* MSHR */ + c->l2.fill_latency + back;
}

TEST(with_equal_clocks_a_latency_is_the_sum_of_its_parts) {
    for (unsigned k = 0; k < 6; k++) {
        struct config c = base_preset();
        uint64_t latency[LOADS];
        c.clock.core = c.clock.noc = c.clock.l2 = c.clock.dram = 1000000;
        c.l1.front = k & 1 ? L1_FRONT_MRPB : L1_FRONT_NONE;
        c.l1.front_latency = k & 1 ? 0 : 3 * k;
        c.l1.hit_latency += k;
        c.l1.fill_latency += 2 * k;
        c.core.operand_latency += k;
        c.l2.hit_latency += 5 * k;
        c.l2.fill_latency += 3 * k;
        c.noc.hop_latency += k / 2;
        c.noc.flit_bytes = k < 3 ? 32 : 40;
        c.dram.rcd += k;
        c.mrpb.latency += k;
        c.l2.reply_ports = c.l2.banks = 1u << k / 2; /* a reply alone takes as long by any port */
        measure_latencies(&c, latency);
        for (unsigned i = 0; i < LOADS; i++) {
            assert_int_equal(latency[i], sum_of_parts(&c, i, 0));
        }
    }
}

/* Core 0 stands in a corner; the lines lie in the first partition, whose place changes. */
TEST(over_a_mesh_each_link_adds_a_hop) {
    static const char *const map[] = {"cp", "cc/pp", "c.p", "c../.../cpp", "c..c/..../...p"};
    static const unsigned links[] = {1, 1, 2, 3, 5};
    for (unsigned k = 0; k < sizeof map / sizeof *map; k++) {
        struct config c = base_preset();
        struct mesh_map m;
        struct config_error e;
        uint64_t latency[LOADS];
        assert_true(mesh_map_parse(&m, map[k], &e));
        c.clock.core = c.clock.noc = c.clock.l2 = c.clock.dram = 1000000;
        c.core.count = m.cores;
        c.l2.partitions = m.partitions;
        c.noc.topology = NOC_MESH;
        snprintf(c.noc.nodes, sizeof c.noc.nodes, "%s", map[k]);
        c.noc.hop_latency = 1 + k;
        measure_latencies(&c, latency);
        for (unsigned i = 0; i < LOADS; i++) {
            assert_int_equal(latency[i], sum_of_parts(&c, i, links[k]));
        }
    }
}

/* --- the preset's clocks: every step ends at an edge of the domain that takes the request --- */

struct periods {
    uint64_t core, noc, l2, dram;
};

/* First edge at or after a time. */
static uint64_t first_edge_from(uint64_t period, uint64_t time) {
    return (time + period - 1) / period * period;
}

static uint64_t step_by_step(const struct config *c, const struct periods *t, uint64_t issue_cycle,
                             unsigned which) {
    uint64_t access = (issue_cycle + c->core.operand_latency) * t->core;
    if (which == L1_AGAIN) {
        return access / t->core + c->l1.hit_latency - issue_cycle;
    }
    uint64_t sent = access + t->core; /* the miss queue is read a core cycle later */
    uint64_t crosses = first_edge_from(t->noc, sent + 1); /* first NoC edge after it was sent */
    uint64_t arrives =
        first_edge_from(t->l2, crosses + crossing_cycles(c, 0, 0) * t->noc); /* at the partition */
    uint64_t bank = arrives + (c->l2.rop_latency + c->l2.arbiter_latency) * t->l2, replied;
    if (which == L2_AGAIN) {
        replied = bank + c->l2.hit_latency * t->l2;
    } else {
        uint64_t scheduled = first_edge_from(t->dram, bank + t->l2 + c->dram.latency * t->dram);
        uint64_t filled =
            first_edge_from(t->l2, scheduled + dram_cycles_of_case(c, which) * t->dram);
        replied = filled + t->l2 + c->l2.fill_latency * t->l2;
    }
    uint64_t returns = first_edge_from(t->noc, replied + 1);
    uint64_t at_core =
        first_edge_from(t->core, returns + crossing_cycles(c, LINE_BYTES, 0) * t->noc);
    return at_core / t->core + 1 + c->l1.fill_latency - issue_cycle;
}

TEST(with_the_presets_clocks_every_crossing_is_exact) {
    struct config c = base_preset();
    /* 575, 1150, 575, 750 MHz: periods of 30, 15, 30, 23 units. */
    const struct periods t = {30, 15, 30, 23};
    assert_true(t.core * c.clock.core == t.noc * c.clock.noc &&
                t.core * c.clock.core == t.l2 * c.clock.l2 &&
                t.core * c.clock.core == t.dram * c.clock.dram);
    uint64_t latency[LOADS], issue = 1;
    measure_latencies(&c, latency);
    /* The clocks of core and DRAM do not beat together, so that it matters in which cycle a load
     * issues. */
    for (unsigned i = 0; i < LOADS; i++) {
        if (i == L2_AGAIN) {
            /* The store issues after the use of the load before; it is acknowledged like a hit,
             * without data. */
            issue += 1;
            uint64_t sent = (issue + c.core.operand_latency + 1) * t.core;
            uint64_t arrives =
                first_edge_from(t.l2, first_edge_from(t.noc, sent + 1) +
                                          crossing_cycles(&c, LINE_BYTES, 0) * t.noc);
            uint64_t replied =
                arrives + (c.l2.rop_latency + c.l2.arbiter_latency + c.l2.hit_latency) * t.l2;
            uint64_t at_core = first_edge_from(t.core, first_edge_from(t.noc, replied + 1) +
                                                           crossing_cycles(&c, 0, 0) * t.noc);
            issue = at_core / t.core; /* the load issues in the cycle after */
        }
        assert_int_equal(latency[i], step_by_step(&c, &t, issue + (i ? 1 : 0), i));
        issue += (i ? 1 : 0) + latency[i];
    }
}
