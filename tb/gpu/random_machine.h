/* SPDX-License-Identifier: Apache-2.0
 *
 * Small machines and kernels by chance: everything full most of the time, few lines, odd numbers.
 * All of them legal.
 */
#ifndef WARPMEM_TB_RANDOM_MACHINE_H
#define WARPMEM_TB_RANDOM_MACHINE_H

#include <stdio.h>
#include <string.h>

#include "config/derived.h"
#include "config/keys.h"
#include "config/packets.h"
#include "config/preset.h"
#include "cosim/rng.h"
#include "dram/random_map.h"
#include "gpu/hand_program.h"
#include "gpu/random_l1.h"

enum { RANDOM_INSNS = 64, RANDOM_SHARED_BYTES = 1024, RANDOM_LINES = 40, RANDOM_LAUNCHES_MAX = 3 };

/* A mesh with the machine's cores and partitions somewhere on it. */
static inline void put_random_mesh(struct rng *rng, struct config *c) {
    unsigned cores = c->core.count, partitions = c->l2.partitions, at = 0;
    unsigned columns = one_of(rng, 1, 5), nodes = cores + partitions + rng_below(rng, 4);
    nodes = (nodes + columns - 1) / columns * columns;
    for (unsigned node = 0; node < nodes; node++) {
        unsigned place = rng_below(rng, nodes - node);
        if (node && node % columns == 0) {
            c->noc.nodes[at++] = '/';
        }
        c->noc.nodes[at++] = place < cores ? 'c' : place < cores + partitions ? 'p' : '.';
        cores -= place < cores;
        partitions -= c->noc.nodes[at - 1] == 'p';
    }
    c->noc.nodes[at] = '\0';
    c->noc.topology = NOC_MESH;
}

/* A core's resources: pipelines, their times, shared memory, registers. */
static inline void random_core(struct rng *rng, struct config *c) {
    c->core.count = rng_chance(rng, 1, 3) ? 1 : one_of(rng, 2, 5);
    c->core.warps = one_of(rng, 8, 48);
    c->core.threads =
        rng_chance(rng, 1, 4) ? one_of(rng, 256, 32 * c->core.warps) : 32 * c->core.warps;
    c->core.ctas = one_of(rng, 1, 8);
    c->core.cta_threads = rng_chance(rng, 1, 3) ? one_of(rng, 33, 256) : 1024;
    c->core.registers = rng_chance(rng, 1, 2) ? 32768 : one_of(rng, 4096, 32768);
    c->core.shared_bytes = rng_chance(rng, 1, 8) ? 0 : one_of(rng, RANDOM_SHARED_BYTES, 16384);
    c->core.shared_banks = one_of(rng, 1, 40);
    c->core.schedulers = one_of(rng, 1, 4);
    c->core.operand_latency = one_of(rng, 1, 6);
    c->core.sp_units = one_of(rng, 1, 3);
    c->core.sfu_units = one_of(rng, 1, 3);
    c->core.shared_latency = one_of(rng, 1, 30);
    c->core.simd_width = rng_chance(rng, 1, 2) ? 32 : 1u << rng_below(rng, 6);
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (!strcmp(config_key_section(i), "alu") && rng_chance(rng, 1, 3)) {
            char text[CONFIG_KEY_TEXT];
            snprintf(text, sizeof text, "%u", one_of(rng, 1, 20));
            assert_true(config_value_put(c, i, text));
        }
    }
}

/* Times between DRAM commands, each of which may be the one that counts. */
static inline void random_dram_times(struct rng *rng, struct config *c) {
    unsigned *time[] = {&c->dram.rcd, &c->dram.cl,   &c->dram.wl,   &c->dram.rp, &c->dram.ras,
                        &c->dram.rrd, &c->dram.rtpl, &c->dram.cdlr, &c->dram.wr};
    for (unsigned i = 0; i < sizeof time / sizeof *time; i++) {
        *time[i] = rng_chance(rng, 1, 4) ? 1 : one_of(rng, 1, 24);
    }
    c->dram.rc = c->dram.ras + c->dram.rp + rng_below(rng, 8);
    c->dram.beats = 1u << rng_below(rng, 4);
    c->dram.bus_bytes = 1u << rng_below(rng, 5);
    c->dram.burst = rng_chance(rng, 1, 2) ? 8 : c->dram.beats; /* as short as can be */
    c->dram.ccd = c->dram.burst / c->dram.beats + rng_below(rng, 3);
    c->dram.ccdl = c->dram.ccd + rng_below(rng, 3);
}

/* Refreshes, as near to each other as may be, and writes in batches. */
static inline void random_refresh_and_drain(struct rng *rng, struct config *c) {
    bool one = c->dram.queues == DRAM_QUEUES_ONE;
    if (one && rng_chance(rng, 1, 2)) {
        c->dram.rfc = one_of(rng, 1, 100);
        c->dram.refi = config_refresh_and_column(c) + one_of(rng, 1, 400);
    }
    c->dram.write_drain = one && rng_chance(rng, 1, 2);
    c->dram.write_high = one_of(rng, 1, c->dram.queue);
    c->dram.write_low = rng_below(rng, c->dram.write_high);
}

/* Prefetch of open rows, where the machine can have it. */
static inline void random_row_prefetch(struct rng *rng, struct config *c) {
    unsigned lines = config_row_lines(c);
    if (rng_chance(rng, 1, 2)) { /* or few machines would have it */
        c->dram.refi = c->dram.rfc = 0;
        c->l2.perfect = false;
        c->l2.mshrs += c->l2.mshrs == 1;
    }
    bool may = lines >= 2 && c->dram.banks > 1 && c->dram.queues == DRAM_QUEUES_ONE &&
               !c->dram.refi && !c->l2.perfect && c->l2.mshrs > 1 &&
               c->l2.insertion != L2_INSERTION_WARP_TYPE;
    c->owl.prefetch = may ? rng_below(rng, 3) : OWL_PREFETCH_OFF;
    c->owl.lower = may ? rng_below(rng, lines + 1) : 0;
    c->owl.higher = may ? rng_below(rng, lines + 1) : 0;
    c->owl.threshold = rng_chance(rng, 1, 2) ? 0 : one_of(rng, 1, 8);
    c->owl.average_shift = one_of(rng, 2, 8);
    c->owl.claim = rng_below(rng, 2);
    c->owl.prefetched = rng_below(rng, 2);
    c->owl.written_rows = rng_below(rng, 2);
}

/* What MeDiC is compared with. */
static inline void random_compared(struct rng *rng, struct config *c) {
    c->pcal.tokens = rng_below(rng, 8); /* with one for each warp nobody goes without */
    c->pcal.epoch = one_of(rng, 1000, 3000);
    c->rand.percent = rng_below(rng, 101);
    c->pcbyp.entries = 8u << rng_below(rng, 6);
    c->pcbyp.counter_bits = c->medic.counter_bits;
    c->eaf.bits = 64u << rng_below(rng, 6);
    c->eaf.hashes = one_of(rng, 1, 4);
    c->eaf.addresses = one_of(rng, 1, 100);
    c->eaf.bimodal = one_of(rng, 1, 8);
    c->l2.allocation = rng_chance(rng, 1, 4) ? L2_ALLOCATION_TOKENS : L2_ALLOCATION_ALL;
    if (c->l2.bypass == L2_BYPASS_WARP_TYPE) {
        c->medic.reuse = rng_below(rng, 2);
    }
    if (c->l2.insertion == L2_INSERTION_LRU && rng_chance(rng, 1, 3)) {
        c->l2.insertion = L2_INSERTION_EAF;
    }
    if (c->l2.write == L2_WRITE_THROUGH && !c->l2.perfect && c->l2.bypass != L2_BYPASS_WARP_TYPE &&
        c->l2.insertion != L2_INSERTION_WARP_TYPE && c->dram.queues == DRAM_QUEUES_ONE &&
        c->l1.front != L1_FRONT_MRPB && rng_chance(rng, 1, 2)) {
        c->l2.bypass = L2_BYPASS_PC;
    }
}

/* Decisions of the L2 and the DRAM by warp type. */
static inline void random_policies(struct rng *rng, struct config *c) {
    bool table = c->core.count * c->core.warps > 1;
    c->medic.table = rng_below(rng, 2);
    if (c->l2.partitions * c->l2.banks > 64) {
        c->medic.table = MEDIC_TABLE_PARTITION;
    }
    c->medic.period = one_of(rng, 1000, 3000);
    c->medic.counter_bits = one_of(rng, 4, 10);
    c->medic.profile = one_of(rng, 1, 7);
    c->medic.mostly_hit = 5 * one_of(rng, 4, 20);
    c->medic.mostly_miss = 5 * rng_below(rng, c->medic.mostly_hit / 5);
    c->medic.boundary = rng_below(rng, 3);
    c->medic.window = one_of(rng, 4, 7);
    c->medic.types = rng_below(rng, 2);
    c->medic.at_warp = rng_below(rng, 2);
    c->medic.lanes = 1u << rng_below(rng, 2);
    c->medic.update_queue = one_of(rng, 2, 5);
    c->medic.stores = rng_below(rng, 2);
    unsigned lines = rng_below(rng, 3); /* raised, placed, or neither */
    c->medic.hit_class = lines == 1 ? MEDIC_HIT_CLASS_RAISE : MEDIC_HIT_CLASS_KEEP;
    c->medic.insertion = lines == 2 ? MEDIC_INSERTION_PLACE : MEDIC_INSERTION_CLASS;
    c->medic.writes = rng_below(rng, 2);
    if (table && rng_chance(rng, 1, 3)) {
        c->l2.insertion = L2_INSERTION_WARP_TYPE;
    }
    bool few_bursts = c->l2.line_bytes / (c->dram.bus_bytes * c->dram.burst) <= 15;
    if (table && rng_chance(rng, 1, 3) && c->dram.banks > 1 && c->dram.queue > 1 && few_bursts) {
        c->dram.queues = DRAM_QUEUES_TWO;
        c->dram.row_hit_cap = 0;
        c->dram.low_bound = rng_chance(rng, 1, 2) ? 0 : one_of(rng, 1, 20);
        c->dram.high = rng_below(rng, 2);
    }
    if (rng_chance(rng, 1, 2)) {
        c->l2.write = L2_WRITE_THROUGH;
        c->l2.perfect = false;
        c->l2.bypass = table ? rng_below(rng, 4) : L2_BYPASS_ALL;
    }
    random_compared(rng, c);
}

/* Warps held by footprints, where no other issue policy holds them. */
static inline void random_daws(struct rng *rng, struct config *c) {
    if (rng_chance(rng, 1, 3)) {
        c->issue.scheduler = rng_below(rng, SCHEDULER_OLDEST + 1);
        c->issue.warp_limit = 0;
    }
    bool may = c->issue.scheduler <= SCHEDULER_OLDEST && !c->issue.warp_limit;
    c->daws.mode = may ? rng_below(rng, 3) : DAWS_OFF;
    c->daws.lanes = rng_below(rng, 2);
    c->daws.factor = one_of(rng, 1, 100);
    c->daws.latency = !rng_chance(rng, 1, 4);
    c->daws.sum = rng_below(rng, 2);
    c->daws.mark = rng_below(rng, 2);
    c->daws.outside = rng_below(rng, 2);
    c->daws.locality = rng_below(rng, 3);
    c->daws.counter_bits = one_of(rng, 2, 10);
}

/* Victim tags, and warps held by scores, where no other issue policy holds them. */
static inline void random_ccws(struct rng *rng, struct config *c) {
    bool may = c->issue.scheduler <= SCHEDULER_OLDEST && !c->issue.warp_limit && !c->daws.mode;
    c->ccws.mode = may && rng_chance(rng, 2, 3);
    c->ccws.base = rng_chance(rng, 1, 2) ? 100 : one_of(rng, 1, 30);
    c->ccws.k = one_of(rng, 1, 40);
    c->ccws.count_bits = one_of(rng, 11, 24);
    c->l1.victim_tags = rng_chance(rng, 1, 4);
    c->l1.victim_sets = 1u << rng_below(rng, 4);
    c->l1.victim_ways = one_of(rng, 1, 16);
}

static inline struct config random_machine(struct rng *rng) {
    static const unsigned khz[] = {575000, 1150000, 750000, 700000, 1000000,
                                   325000, 333000,  924000, 1400000};
    struct config c = base_preset();
    c.clock.core = khz[rng_below(rng, 9)];
    c.clock.noc = khz[rng_below(rng, 9)];
    c.clock.l2 = khz[rng_below(rng, 9)];
    c.clock.dram = khz[rng_below(rng, 9)];
    random_core(rng, &c);
    c.issue.scheduler = rng_below(rng, 7);
    c.owl.least_warps = one_of(rng, 1, c.core.warps < 16 ? c.core.warps : 16);
    c.owl.life = rng_below(rng, 3);
    c.owl.blocked = rng_below(rng, 2);
    c.issue.arbitration = rng_below(rng, 2);
    c.issue.group_warps = one_of(rng, 1, 8);
    c.issue.warp_limit = rng_chance(rng, 1, 2) ? 0 : one_of(rng, 1, 8);
    c.issue.inflight_per_warp = rng_chance(rng, 1, 3);
    random_daws(rng, &c);
    c.l1.sets = 1u << rng_below(rng, 4);
    c.l1.ways = one_of(rng, 1, 4);
    c.l1.index = rng_below(rng, 3); /* any but Fermi's */
    c.l1.hit_latency = one_of(rng, 1, 30);
    c.l1.fill_latency = one_of(rng, 1, 5);
    c.l1.mshrs = rng_chance(rng, 1, 3) ? 1 : one_of(rng, 2, 16);
    c.l1.mshr_merge = one_of(rng, 1, 4);
    c.l1.miss_queue = one_of(rng, 1, 4);
    c.l1.at_launch = rng_below(rng, 2);
    c.l1.bypass_reply = rng_below(rng, 2);
    random_mrpb(rng, &c);
    if (c.l1.front == L1_FRONT_NONE && rng_chance(rng, 1, 2)) {
        c.l1.front_latency = one_of(rng, 1, 40);
    }
    random_first_level(rng, &c);
    random_mdb(rng, &c);
    random_replacement(rng, &c);
    c.noc.flit_bytes = one_of(rng, 8, 48);
    c.noc.hop_latency = one_of(rng, 1, 6);
    c.noc.header_bytes = rng_chance(rng, 1, 2) ? 8 : rng_below(rng, 20);
    unsigned largest = packet_flits(&c, LINE_BYTES);
    c.noc.input_flits = largest + (rng_chance(rng, 1, 2) ? 0 : rng_below(rng, 10));
    c.noc.output_flits = largest + (rng_chance(rng, 1, 2) ? 0 : rng_below(rng, 10));
    if (rng_chance(rng, 1, 3)) { /* room enough that partitions look late */
        c.noc.output_flits += 2 * largest + rng_below(rng, 30);
    }
    c.l2.partitions = rng_chance(rng, 1, 3) ? 1 : one_of(rng, 2, 6);
    c.l2.sets = 1u << rng_below(rng, 4);
    c.l2.ways = one_of(rng, 1, 4);
    c.l2.index = rng_below(rng, 3);
    if (rng_chance(rng, 1, 10)) {
        c.l2.sets = 32u << rng_below(rng, 2);
        c.l2.index = INDEX_FERMI;
    }
    c.l2.rop_latency = one_of(rng, 1, 40);
    c.l2.queue = one_of(rng, 1, 4);
    c.l2.hit_latency = one_of(rng, 1, 10);
    c.l2.fill_latency = one_of(rng, 1, 3);
    c.l2.mshrs = rng_chance(rng, 1, 3) ? 1 : one_of(rng, 2, 16);
    c.l2.mshr_merge = one_of(rng, 1, 4);
    c.l2.miss_queue = one_of(rng, 2, 5);
    c.l2.write_miss = rng_below(rng, 2);
    c.l2.reply_queue = one_of(rng, 1, 4);
    c.dram.latency = one_of(rng, 1, 60);
    c.dram.queue = one_of(rng, 1, 16);
    c.dram.return_queue = rng_chance(rng, 1, 3) ? 1 : one_of(rng, 2, 20);
    c.dram.channel_bytes = 128 * one_of(rng, 1, 5);
    c.dram.banks = 1u << rng_below(rng, 5);
    c.dram.bank_groups = c.dram.banks > 4 ? 1u << rng_below(rng, 4) : 1;
    c.dram.bank_groups = c.dram.bank_groups < c.dram.banks ? c.dram.bank_groups : c.dram.banks;
    c.dram.group_bits = rng_below(rng, 2);
    c.dram.row_hit_cap = rng_chance(rng, 1, 2) ? 0 : one_of(rng, 1, 6);
    c.dram.faw = rng_chance(rng, 1, 2) ? 0 : one_of(rng, 1, 200);
    c.dram.aw32 = rng_chance(rng, 1, 2) ? 0 : one_of(rng, 1, 2000);
    c.dram.row_bytes = 128u << rng_below(rng, 4);
    /* The memory partition: banks, write policies, longer lines; DRAMs of any width and queue. */
    c.l2.banks = rng_chance(rng, 1, 2) ? 1 : 1u << one_of(rng, 1, 4);
    c.l2.bank_interval = rng_chance(rng, 1, 2) ? 1 : one_of(rng, 2, 12);
    c.l2.arbiter_latency = one_of(rng, 1, 3);
    c.l2.write = rng_below(rng, 2);
    c.l2.write_miss = rng_below(rng, 3);
    c.l2.perfect = rng_chance(rng, 1, 16);
    c.l2.line_bytes = rng_chance(rng, 1, 4) ? 256 : 128;
    if (c.l2.line_bytes == 256) {
        c.dram.row_bytes *= 2;
        c.dram.channel_bytes *= 2;
    }
    c.dram.queue = rng_chance(rng, 1, 4) ? one_of(rng, 65, 128) : c.dram.queue;
    random_dram_times(rng, &c);
    random_address_map(rng, &c);
    c.l2.ports = rng_chance(rng, 1, 2) ? 1 : one_of(rng, 2, 4);
    if (rng_chance(rng, 1, 2)) {
        put_random_mesh(rng, &c);
        c.noc.router_flits = largest + (rng_chance(rng, 1, 2) ? 0 : rng_below(rng, 10));
    }
    random_policies(rng, &c);
    random_refresh_and_drain(rng, &c);
    random_row_prefetch(rng, &c);
    c.l2.reply_ports = 1u << rng_below(rng, 3);
    c.l2.reply_ports = c.l2.reply_ports < c.l2.banks ? c.l2.reply_ports : c.l2.banks;
    random_ccws(rng, &c);
    c.l2.mshr_pool = rng_below(rng, 2);
    c.l2.bypass_at = rng_below(rng, 2);
    c.medic.counts = rng_below(rng, 2);
    c.dram.queue_share = rng_below(rng, 2);
    bool own_two = c.dram.queues == DRAM_QUEUES_TWO && c.dram.queue_share == DRAM_QUEUE_SHARE_OWN;
    if (!own_two && !c.owl.prefetch && rng_chance(rng, 1, 8)) {
        c.dram.queue = one_of(rng, 129, 256);
    }
    random_sectors(rng, &c);
    c.l2.sectors = c.l2.write == L2_WRITE_BACK && rng_below(rng, 2);
    c.dram.channel_hash = rng_below(rng, 2);
    assert_legal(&c);
    return c;
}

/* --- a kernel --- */

enum { I_BEGIN, I_ITERATION }; /* in every table; the others are random */

/* Counts that the machine must have in any configuration. */
struct random_counts {
    uint64_t warp_instructions, thread_instructions, shared, barriers, fences;
    uint64_t reads[SPACE_COUNT], writes[SPACE_COUNT], atomics;
};

struct random_kernel {
    const struct config *config;
    uint64_t seed;
    unsigned length;  /* instructions of a warp, at most */
    unsigned stretch; /* memory in use lies apart: 128 bytes every 128 << this */
    bool local;       /* warps have lines of their own, so that loops have locality */
    const struct insn *insns;
    struct random_counts counts;
};

static inline struct insn random_machine_insn(struct rng *rng) {
    struct insn i = {.dst = (uint8_t)rng_below(rng, REG_COUNT),
                     .width = (uint8_t)(1u << rng_below(rng, 5))};
    unsigned kind = rng_below(rng, 100);
    for (unsigned s = 0; s < 3; s++) {
        i.src[s] = rng_chance(rng, 1, 2) ? REG_NONE : (uint8_t)rng_below(rng, REG_COUNT);
    }
    i.space = rng_chance(rng, 1, 6)   ? SPACE_SHARED
              : rng_chance(rng, 1, 6) ? SPACE_LOCAL
                                      : SPACE_GLOBAL;
    if (kind < 40) {
        i.op = OP_LOAD;
        i.space = kind < 4 ? SPACE_TEXTURE : kind < 8 ? SPACE_CONSTANT : i.space;
        i.uncached = i.space == SPACE_GLOBAL && kind < 12;
    } else if (kind < 56) {
        i.op = OP_STORE;
        i.dst = REG_NONE;
    } else if (kind < 60) {
        i.op = OP_ATOMIC;
        i.space = kind == 56 ? SPACE_SHARED : SPACE_GLOBAL;
        i.width = 4;
        i.dst = kind < 58 ? REG_NONE : i.dst;
    } else if (kind < 66) {
        i = (struct insn){.op = kind < 63 ? OP_BARRIER : OP_FENCE, .dst = REG_NONE, .src = NO_REGS};
    } else if (kind < 68) {
        i = (struct insn){
            .op = (uint8_t)(OP_LOOP_BEGIN + rng_below(rng, 3)), .dst = REG_NONE, .src = NO_REGS};
    } else {
        i.op = (uint8_t)rng_below(rng, OP_ARITHMETIC_COUNT);
        i.space = i.width = 0;
    }
    return i;
}

/* Pieces of memory of @bytes that the active lanes touch; addresses are aligned to the width. */
static inline unsigned pieces_touched(unsigned bytes, unsigned width, uint32_t active,
                                      const uint64_t *address) {
    uint64_t piece[5 * WARP_SIZE];
    unsigned count = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        for (unsigned at = 0; active >> lane & 1 && at < width; at += bytes) {
            unsigned i = 0;
            piece[count] = (address[lane] + at) / bytes;
            while (piece[i] != piece[count]) {
                i++;
            }
            count += i == count;
        }
    }
    return count;
}

/* Accesses of an atomic of words: each line as often as its most wanted word. */
static inline unsigned atomic_accesses(unsigned bytes, uint32_t active, const uint64_t *address) {
    unsigned accesses = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        unsigned most = 0;
        bool first = active >> lane & 1;
        for (unsigned other = 0; other < lane && first; other++) {
            first = !(active >> other & 1) || address[other] / bytes != address[lane] / bytes;
        }
        for (unsigned word = 0; first && word < bytes / 4; word++) {
            unsigned wanted = 0;
            for (unsigned other = 0; other < WARP_SIZE; other++) {
                wanted += active >> other & 1 &&
                          address[other] / 4 == address[lane] / bytes * (bytes / 4) + word;
            }
            most = wanted > most ? wanted : most;
        }
        accesses += most;
    }
    return accesses;
}

static inline void count_accesses(struct random_kernel *k, const struct insn *i, uint32_t active,
                                  const uint64_t *address) {
    const unsigned bytes[SPACE_COUNT] = {k->config->l1.line_bytes, k->config->l1.line_bytes, 4,
                                         k->config->texture.line_bytes, 4};
    if (i->space == SPACE_SHARED) {
        k->counts.shared++;
    } else if (i->op == OP_ATOMIC) {
        k->counts.atomics += atomic_accesses(bytes[i->space], active, address);
    } else {
        *(i->op == OP_LOAD ? &k->counts.reads[i->space] : &k->counts.writes[i->space]) +=
            pieces_touched(bytes[i->space], i->width, active, address);
    }
}

/* Addresses of warp @number of its launch. */
static inline void random_machine_addresses(struct rng *rng, const struct insn *i,
                                            const struct random_kernel *k, unsigned number,
                                            uint64_t *address) {
    const bool own = k->local && i->space != SPACE_SHARED;
    unsigned kind = rng_below(rng, 3), /* some lines are used again and again */
        lines = own || rng_chance(rng, 1, 3) ? 2 : RANDOM_LINES,
             range = i->space == SPACE_SHARED ? RANDOM_SHARED_BYTES : lines * 128;
    uint64_t base = i->space == SPACE_SHARED ? 0 : 0x80000000, first = rng_below(rng, range);
    uint64_t before = own ? number % RANDOM_LINES * lines : 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        uint64_t at = kind == 0   ? first + lane * i->width
                      : kind == 1 ? first + lane * 128
                                  : rng_below(rng, range);
        at = at % range / i->width * i->width;
        address[lane] =
            base +
            (i->space == SPACE_SHARED ? at : ((before + at / 128) << k->stretch) * 128 + at % 128);
    }
}

/* One lane or more; few, half and nearly all of them. */
static inline uint32_t random_lanes(struct rng *rng) {
    uint32_t lanes = ALL_LANES;
    for (unsigned draws = one_of(rng, 1, 5); draws; draws--) {
        lanes &= (uint32_t)rng_next(rng);
    }
    return (rng_chance(rng, 1, 3) ? ~lanes : lanes) | 1u << rng_below(rng, 32);
}

WARP_WRITER(write_random_warp) {
    struct random_kernel *k = user;
    struct rng rng;
    rng_seed(&rng, k->seed + launch * UINT64_C(1000003) + cta * UINT64_C(1009) + warp);
    for (unsigned left = rng_below(&rng, k->length + 1); left; left--) { /* sometimes none at all */
        unsigned index = rng_below(&rng, rng_chance(&rng, 1, 12) ? 2 : RANDOM_INSNS);
        const struct insn *i = &k->insns[index];
        uint32_t active = rng_chance(&rng, 1, 2) ? ALL_LANES : random_lanes(&rng);
        if (insn_is_memory(i)) {
            uint64_t address[WARP_SIZE];
            random_machine_addresses(&rng, i, k, 12 * cta + warp, address);
            assert_true(warp_stream_put_memory(s, index, active, address));
            count_accesses(k, i, active, address);
        } else {
            assert_true(warp_stream_put(s, index, active));
        }
        if (!insn_is_marker(i)) {
            k->counts.warp_instructions++;
            k->counts.thread_instructions += (unsigned)__builtin_popcount(active);
            k->counts.barriers += i->op == OP_BARRIER;
            k->counts.fences += i->op == OP_FENCE;
        }
    }
}

/* A CTA must fit on a core. */
static inline unsigned random_warps_max(const struct config *c) {
    unsigned threads = c->core.threads / 32, registers = c->core.registers / (16 * 32);
    unsigned warps = c->core.warps < threads ? c->core.warps : threads;
    unsigned cta_warps = c->core.cta_threads / 32;
    warps = warps < cta_warps ? warps : cta_warps;
    warps = registers < warps ? registers : warps;
    return warps < 12 ? warps : 12;
}

static inline unsigned random_shared_bytes(const struct config *c) {
    return c->core.shared_bytes < RANDOM_SHARED_BYTES ? 0 : RANDOM_SHARED_BYTES;
}

/** random_program() - one to three launches for a machine; k, p and c must not move while it
 * runs. */
static inline void random_program(struct hand_program *p, struct random_kernel *k,
                                  const struct config *c, uint64_t seed) {
    struct insn table[RANDOM_INSNS];
    struct rng rng;
    rng_seed(&rng, seed);
    for (unsigned i = 0; i < RANDOM_INSNS; i++) {
        table[i] = random_machine_insn(&rng);
        if (table[i].space == SPACE_SHARED && !random_shared_bytes(c)) {
            table[i].space = SPACE_GLOBAL;
        }
    }
    table[I_BEGIN] = (struct insn){.op = OP_LOOP_BEGIN, .dst = REG_NONE, .src = NO_REGS};
    table[I_ITERATION] = (struct insn){.op = OP_LOOP_ITERATION, .dst = REG_NONE, .src = NO_REGS};
    unsigned warps = 1 + rng_below(&rng, random_warps_max(c));
    hand_open(p, table, RANDOM_INSNS, one_of(&rng, 1, 12), 32 * warps - rng_below(&rng, 32));
    for (unsigned more = rng_below(&rng, RANDOM_LAUNCHES_MAX); more; more--) {
        hand_launch(p, one_of(&rng, 1, 12), 32 * warps - rng_below(&rng, 32));
    }
    p->code.shared_bytes = random_shared_bytes(c);
    *k = (struct random_kernel){.config = c,
                                .seed = seed,
                                .length = one_of(&rng, 5, 60),
                                .stretch = rng_chance(&rng, 1, 2) ? 0 : one_of(&rng, 1, 20),
                                .local = c->daws.mode && rng_chance(&rng, 1, 2),
                                .insns = p->insns};
    p->warp = write_random_warp;
    p->user = k;
}

#endif
