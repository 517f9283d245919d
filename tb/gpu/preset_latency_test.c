/* SPDX-License-Identifier: Apache-2.0
 *
 * One warp alone on each preset: what a load, an atomic and a store with a fence take, step by step
 * through the clocks of the preset, from the cycle in which it issued. Every step ends at an edge
 * of the domain that takes the request.
 */
#include "config/mesh_map.h"
#include "config/packets.h"
#include "config/preset.h"
#include "dram/address.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"
#include "l1/coalescer.h"

/* In this order, each with the use of its result behind it. T lies in a bank of its own. */
enum access {
    CLOSED_ROW,     /* a load of line A */
    LOAD_L1_HIT,    /* A again */
    OPEN_ROW,       /* the line after A in its row */
    CONFLICT,       /* another row of A's bank */
    TEXTURE_MISS,   /* T, its row closed */
    TEXTURE_HIT,    /* T again */
    LOAD_L2_HIT,    /* T by a load */
    CONSTANT_MISS,  /* T as a constant, which the L2 has */
    CONSTANT_HIT,   /* T again */
    ATOMIC,         /* on T, which the L2 has */
    TEXTURE_L2_HIT, /* A by a texture load */
    STORE,          /* to T, and a fence */
    ACCESSES
};
enum { I_FENCE = 2 * ACCESSES - 1, I_LAST, INSNS };

struct accesses {
    uint64_t address[ACCESSES];
    uint32_t lanes;         /* of loads: of one, or a line's */
    uint32_t texture_lanes; /* of texture loads: of one, or a line's where lines have sectors */
};

WARP_WRITER(write_access_warp) {
    const struct accesses *a = user;
    for (unsigned i = 0; i < ACCESSES; i++) {
        const bool texture = i == TEXTURE_MISS || i == TEXTURE_HIT || i == TEXTURE_L2_HIT;
        const uint32_t lanes = texture ? a->texture_lanes : i <= LOAD_L2_HIT ? a->lanes : 1;
        assert_true(warp_stream_put_affine(s, 2 * i, lanes, a->address[i], 4));
        put_insn(s, 2 * i + 1);
    }
    put_insn(s, I_LAST);
}

/* All in one partition. */
static void choose_addresses(const struct config *c, uint64_t *address) {
    struct dram_map m;
    uint64_t local;
    dram_map_init(&m, c);
    unsigned partition = dram_map_partition(&m, 0x80000000, &local),
             row = c->dram.row_bytes / c->l2.line_bytes;
    uint64_t other = local, a = dram_map_address(&m, partition, local);
    while (dram_map_local(&m, other).bank == dram_map_local(&m, local).bank) {
        other++;
    }
    uint64_t t = dram_map_address(&m, partition, other);
    for (unsigned i = 0; i < ACCESSES; i++) {
        address[i] = i == CLOSED_ROW || i == LOAD_L1_HIT || i == TEXTURE_L2_HIT ? a : t;
    }
    address[OPEN_ROW] = dram_map_address(&m, partition, local + 1);
    address[CONFLICT] = dram_map_address(&m, partition, local + row * c->dram.banks);
}

static void run_alone(struct machine_run *r, const struct config *c, uint32_t lanes) {
    static const struct insn table[INSNS] = {
        LOAD(0, NO),        ALU(20, 0, NO, NO),  LOAD(1, NO), ALU(21, 1, NO, NO),
        LOAD(2, NO),        ALU(22, 2, NO, NO),  LOAD(3, NO), ALU(23, 3, NO, NO),
        LOAD(4, NO),        ALU(24, 4, NO, NO),  LOAD(5, NO), ALU(25, 5, NO, NO),
        LOAD(6, NO),        ALU(26, 6, NO, NO),  LOAD(7, NO), ALU(27, 7, NO, NO),
        LOAD(8, NO),        ALU(28, 8, NO, NO),  LOAD(9, NO), ALU(29, 9, NO, NO),
        LOAD(10, NO),       ALU(30, 10, NO, NO), STORE(NO),   SIMPLE(OP_FENCE),
        ALU(31, NO, NO, NO)};
    struct hand_program p;
    struct accesses a = {.lanes = lanes, .texture_lanes = c->texture.sectors ? UINT32_MAX : 1};
    choose_addresses(c, a.address);
    hand_open(&p, table, INSNS, 1, WARP_SIZE);
    p.insns[2 * TEXTURE_MISS].space = p.insns[2 * TEXTURE_HIT].space =
        p.insns[2 * TEXTURE_L2_HIT].space = SPACE_TEXTURE;
    p.insns[2 * CONSTANT_MISS].space = p.insns[2 * CONSTANT_HIT].space = SPACE_CONSTANT;
    p.insns[2 * ATOMIC].op = OP_ATOMIC;
    p.warp = write_access_warp;
    p.user = &a;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(r);
    /* Every access was what it is taken for. */
    assert_true(run_counter(r, "l1.read_hits") == 1 && run_counter(r, "l1.read_misses") == 4);
    if (lanes == 1 &&
        c->l2.sectors) { /* the L2 has one sector of A, of which the texture wants all */
        return;
    }
    assert_true(run_counter(r, "texture.hits") == 1 && run_counter(r, "texture.misses") == 2);
    assert_true(run_counter(r, "constant.hits") == 1 && run_counter(r, "constant.misses") == 1);
    assert_true(run_counter(r, "dram.reads") == 4 && run_counter(r, "l1.atomics") == 1);
}

/* --- the way of a request, in units of time --- */

struct way {
    const struct config *c;
    unsigned load_bytes;          /* of a load's reply */
    uint64_t core, noc, l2, dram; /* periods */
    unsigned links;               /* between core 0 and the partition: of the mesh */
};

static struct way way_through_machine(const struct config *c) {
    const unsigned khz[] = {c->clock.core, c->clock.noc, c->clock.l2, c->clock.dram};
    struct way w = {.c = c, .load_bytes = c->l1.line_bytes};
    uint64_t period[4], local;
    assert_true(clock_periods(khz, 4, period));
    w.core = period[0], w.noc = period[1], w.l2 = period[2], w.dram = period[3];
    if (c->noc.topology == NOC_MESH) {
        struct mesh_map m;
        struct config_error e;
        struct dram_map d;
        dram_map_init(&d, c);
        assert_true(mesh_map_parse(&m, c->noc.nodes, &e));
        int from = m.core[0], to = m.partition[dram_map_partition(&d, 0x80000000, &local)],
            width = (int)m.columns;
        w.links = (unsigned)(abs(from % width - to % width) + abs(from / width - to / width));
    }
    return w;
}

static uint64_t edge_at_or_after(uint64_t period, uint64_t time) {
    return (time + period - 1) / period * period;
}

/* From the first edge at which the network sees a packet. A mesh goes through a router more than it
 * has links on the way. */
static uint64_t crossing_time(const struct way *w, unsigned data_bytes) {
    return (packet_flits(w->c, data_bytes) + (w->links + 1) * w->c->noc.hop_latency - 1) * w->noc;
}

/* At the partition, of an access to a first-level cache at a time. */
static uint64_t arrival_at_partition(const struct way *w, uint64_t access, unsigned data_bytes) {
    uint64_t sent = access + w->core; /* the miss queue is read a core cycle later */
    return edge_at_or_after(w->l2,
                            edge_at_or_after(w->noc, sent + 1) + crossing_time(w, data_bytes));
}

/* Through port and arbiter to the bank's access. */
static uint64_t bank_access(const struct way *w, uint64_t arrival) {
    return arrival + (w->c->l2.rop_latency + w->c->l2.arbiter_latency) * w->l2;
}

static unsigned dram_cycles_of_access(const struct way *w, enum access which) {
    const struct config *c = w->c;
    unsigned bytes = c->l2.sectors && which != TEXTURE_MISS ? w->load_bytes : c->l2.line_bytes;
    unsigned bursts = bytes / (c->dram.bus_bytes * c->dram.burst);
    unsigned open = which == OPEN_ROW ? 0 : c->dram.rcd + (which == CONFLICT ? c->dram.rp : 0);
    return open + (bursts - 1) * c->dram.ccdl + c->dram.cl + c->dram.burst / c->dram.beats;
}

/* When the reply can leave, of a request that arrives at a partition whose L2 has the line, or has
 * not. */
static uint64_t reply_time(const struct way *w, uint64_t arrival, bool hit, enum access which) {
    uint64_t bank = bank_access(w, arrival);
    if (hit) {
        return bank + w->c->l2.hit_latency * w->l2;
    }
    uint64_t scheduled = edge_at_or_after(w->dram, bank + w->l2 + w->c->dram.latency * w->dram);
    uint64_t filled =
        edge_at_or_after(w->l2, scheduled + dram_cycles_of_access(w, which) * w->dram);
    return filled + (1 + w->c->l2.fill_latency) * w->l2; /* the MSHR takes a cycle */
}

/* Core cycle in which the core sees the reply. */
static uint64_t return_cycle(const struct way *w, uint64_t replied_at, unsigned data_bytes) {
    return edge_at_or_after(w->core, edge_at_or_after(w->noc, replied_at + 1) +
                                         crossing_time(w, data_bytes)) /
           w->core;
}

/* Core cycle of the next instruction's issue, of an access that issued at a cycle. */
static uint64_t use_cycle(const struct way *w, uint64_t issue, enum access which) {
    const struct config *c = w->c;
    uint64_t cycle = issue + c->core.operand_latency, time = cycle * w->core;
    const unsigned mshr = c->l1.steps == 1; /* it is woken in the step after its fill */
    switch (which) {
    case LOAD_L1_HIT: return cycle + c->l1.hit_latency;
    case TEXTURE_HIT: return cycle + c->texture.hit_latency;
    case CONSTANT_HIT: return cycle + c->constant.hit_latency;
    case TEXTURE_MISS:
    case TEXTURE_L2_HIT: /* the FIFO's end sees the line a cycle after it came */
        return return_cycle(
                   w,
                   reply_time(w, arrival_at_partition(w, time, 0), which == TEXTURE_L2_HIT, which),
                   c->texture.line_bytes) +
               mshr + c->texture.hit_latency - 1;
    case CONSTANT_MISS: /* MSHR, then as a hit */
        return return_cycle(w, reply_time(w, arrival_at_partition(w, time, 0), true, which),
                            c->constant.line_bytes) +
               mshr + c->constant.hit_latency;
    case ATOMIC: /* one word there, one word back, past the MSHRs */
        return return_cycle(w,
                            reply_time(w, arrival_at_partition(w, time, SECTOR_BYTES), true, which),
                            SECTOR_BYTES) +
               c->l1.fill_latency;
    case STORE: /* where it takes a line of the L1 it holds nobody up; else it is acknowledged */
        return c->l1.global_write == L1_WRITE_BACK && c->l1.write_miss == L1_WRITE_MISS_FETCH
                   ? cycle + 1
                   : return_cycle(
                         w, reply_time(w, arrival_at_partition(w, time, SECTOR_BYTES), true, which),
                         0) +
                         1;
    default:
        return return_cycle(
                   w, reply_time(w, arrival_at_partition(w, time, 0), which == LOAD_L2_HIT, which),
                   w->load_bytes) +
               mshr + c->l1.fill_latency;
    }
}

TEST(every_access_takes_the_sum_of_its_steps_on_every_preset) {
    EACH_PRESET(name, c) {
        CLOSED_BY(machine_run_free) struct machine_run r;
        struct way w = way_through_machine(&c);
        run_alone(&r, &c, line_words(c.l1.line_bytes));
        for (unsigned i = 0; i < ACCESSES; i++) {
            uint64_t issue = issued_at(&r, 0, 0, 8 * 2 * i, 0);
            /* A store is used by what comes after its fence. */
            uint64_t end = issued_at(&r, 0, 0, 8 * (i == STORE ? I_LAST : 2 * i + 1), 0);
            if (end != use_cycle(&w, issue, i)) {
                fail_msg("%s: access %u takes %" PRIu64 " core cycles, its steps %" PRIu64, name, i,
                         end - issue, use_cycle(&w, issue, i) - issue);
            }
        }
    }
}

/* A load of one word moves one sector. */
TEST(a_sector_takes_the_sum_of_its_steps) {
    static const enum access loads[] = {CLOSED_ROW, LOAD_L1_HIT, OPEN_ROW, CONFLICT, LOAD_L2_HIT};
    EACH_PRESET(name, c) {
        CLOSED_BY(machine_run_free) struct machine_run r = {0};
        if (!c.l1.sectors) {
            continue;
        }
        struct way w = way_through_machine(&c);
        w.load_bytes = SECTOR_BYTES;
        run_alone(&r, &c, 1);
        for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
            uint64_t issue = issued_at(&r, 0, 0, 8 * 2 * loads[i], 0);
            uint64_t took = issued_at(&r, 0, 0, 8 * (2 * loads[i] + 1), 0) - issue;
            if (took != use_cycle(&w, issue, loads[i]) - issue) {
                fail_msg("%s: load %u takes %" PRIu64 " core cycles, its steps %" PRIu64, name,
                         loads[i], took, use_cycle(&w, issue, loads[i]) - issue);
            }
        }
    }
}

/* Volta: arXiv 1804.06826; Ampere: arXiv 2208.11174; Hopper: arXiv 2402.13499, the L1: gpu-benches.
 * The memory's to a cycle of the DRAM. */
TEST(loads_take_what_was_measured_on_gpus) {
    static const struct {
        const char *preset;
        unsigned l1, l2, memory;
    } rows[] = {{"v100", 28, 193, 375}, {"a100", 33, 200, 290}, {"h100", 32, 263, 479}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        CLOSED_BY(machine_run_free) struct machine_run r = {0};
        struct config c = named_preset(rows[i].preset);
        const enum access loads[] = {LOAD_L1_HIT, LOAD_L2_HIT, CLOSED_ROW};
        const unsigned cycles[] = {rows[i].l1, rows[i].l2, rows[i].memory};
        run_alone(&r, &c, 1);
        for (unsigned k = 0; k < 3; k++) {
            uint64_t took = issued_at(&r, 0, 0, 8 * (2 * loads[k] + 1), 0) -
                            issued_at(&r, 0, 0, 8 * 2 * loads[k], 0);
            bool good = loads[k] == CLOSED_ROW ? took <= cycles[k] && took + 1 >= cycles[k]
                                               : took == cycles[k];
            if (!good) {
                fail_msg("%s: load %u takes %" PRIu64 " core cycles, measured are %u",
                         rows[i].preset, loads[k], took, cycles[k]);
            }
        }
    }
}

/*
 * OWL 2.1: "the minimum L2 miss latency is assumed to be 120 compute core cycles", from a
 * request's arrival at the partition until its reply can leave. Seen from outside: from the last
 * router's last flit of the request to the first router's start with the reply, a cycle of the
 * network before which it could leave. It is 120 cycles but for what is lost before edges of L2 and
 * DRAM.
 */
TEST(owls_l2_miss_takes_120_core_cycles_in_the_machine) {
    struct config c;
    struct config_error e;
    CLOSED_BY(machine_run_free) struct machine_run r;
    char what[64];
    assert_true(config_preset(&c, "quadro-owl", &e));
    struct way w = way_through_machine(&c);
    struct mesh_map m;
    struct dram_map d;
    uint64_t local;
    dram_map_init(&d, &c);
    unsigned partition = dram_map_partition(&d, 0x80000000, &local);
    assert_true(mesh_map_parse(&m, c.noc.nodes, &e));
    run_alone(&r, &c, 1);
    snprintf(what, sizeof what, "noc.request 0 to %u port 0", partition);
    uint64_t arrival =
        event_time(&r, what, 0) + (c.noc.hop_latency + packet_flits(&c, 0) - 1) * w.noc;
    snprintf(what, sizeof what, "noc.reply node %u ", m.partition[partition]);
    uint64_t took = event_time(&r, what, 0) - w.noc - arrival, wanted = 120 * w.core;
    assert_true(took + w.dram > wanted && took < wanted + w.dram + w.l2);
}
