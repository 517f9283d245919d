/* SPDX-License-Identifier: Apache-2.0 Combinations of keys: what no single range can say. Every
 * message names each key that takes part. */
#include <stdarg.h>
#include <string.h>

#include "base/clock.h"
#include "config/config.h"
#include "config/derived.h"
#include "config/mesh_map.h"
#include "config/packets.h"

#define L1_BYTES_MAX (UINT64_C(64) << 20) /* MRPB's largest ideal cache (figure 5) has 48 MB */
#define L2_BYTES_MAX (UINT64_C(64) << 20) /* a partition */

uint64_t config_peak_dram_bytes_per_s(const struct config *c) {
    return (uint64_t)c->dram.bus_bytes * c->dram.beats * c->clock.dram * 1000 * c->l2.partitions;
}

uint64_t config_l1_bytes(const struct config *c) {
    return (uint64_t)c->l1.sets * c->l1.ways * c->l1.line_bytes;
}

uint64_t config_l2_bytes(const struct config *c) {
    return (uint64_t)c->l2.sets * c->l2.ways * c->l2.line_bytes * c->l2.banks * c->l2.partitions;
}

unsigned config_mrpb_queues(const struct config *c) {
    switch (c->mrpb.signature) {
    case MRPB_SIGNATURE_BLOCK: return c->core.ctas;
    case MRPB_SIGNATURE_IN_BLOCK_WARP: return (c->core.cta_threads + 31) / 32;
    default: return c->core.warps;
    }
}

__attribute__((format(printf, 2, 3))) static bool fail(struct config_error *e, const char *format,
                                                       ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return false;
}

static bool power_of_two(struct config_error *e, const char *key, unsigned value) {
    return value && !(value & (value - 1)) ? true
                                           : fail(e, "%s = %u: must be a power of two", key, value);
}

static bool check_clocks(const struct config *c, struct config_error *e) {
    const unsigned khz[] = {c->clock.core, c->clock.noc, c->clock.l2, c->clock.dram};
    uint64_t period[4];
    return clock_periods(khz, 4, period)
               ? true
               : fail(e,
                      "clock.core, clock.noc, clock.l2, clock.dram = %u, %u, %u, %u: their least "
                      "common multiple must be at most 2^40 kHz; round them to a common step",
                      khz[0], khz[1], khz[2], khz[3]);
}

static bool check_core(const struct config *c, struct config_error *e) {
    if (!power_of_two(e, "core.simd_width", c->core.simd_width)) {
        return false;
    }
    if (c->core.threads > 32 * c->core.warps) {
        return fail(e, "core.threads = %u: must be at most 32 * core.warps = %u", c->core.threads,
                    32 * c->core.warps);
    }
    if (c->core.warps < c->core.schedulers) {
        return fail(e, "core.warps = %u: must be at least core.schedulers = %u", c->core.warps,
                    c->core.schedulers);
    }
    return true;
}

/* A limit or a group beyond the core's warps would work, and do nothing: whoever asks for one means
 * another machine. */
static bool check_issue(const struct config *c, struct config_error *e) {
    if (c->issue.warp_limit > c->core.warps) {
        return fail(e, "issue.warp_limit = %u: must be at most core.warps = %u",
                    c->issue.warp_limit, c->core.warps);
    }
    if (c->issue.scheduler == SCHEDULER_TWO_LEVEL && c->issue.group_warps > c->core.warps) {
        return fail(e,
                    "issue.group_warps = %u with issue.scheduler = two-level: must be at most "
                    "core.warps = %u",
                    c->issue.group_warps, c->core.warps);
    }
    return true;
}

/* Fermi's hash is a table of address bits, measured for its two L1s. */
static bool check_fermi(struct config_error *e, const char *cache, unsigned index, unsigned sets) {
    if (index == INDEX_FERMI && sets != 32 && sets != 64) {
        return fail(e, "%s.index = fermi with %s.sets = %u: %s.sets must be 32 or 64", cache, cache,
                    sets, cache);
    }
    return true;
}

static bool check_l1_writes(const struct config *c, struct config_error *e) {
    bool global_stays = c->l1.global_write == L1_WRITE_BACK;
    if (!c->l1.cache || c->l1.perfect) {
        return true;
    }
    if (c->l1.miss_queue < 2 && (global_stays || c->l1.local_write == L1_WRITE_BACK)) {
        return fail(e,
                    "l1.miss_queue = %u with %s = back: must be at least 2, for a dirty victim and "
                    "the miss that evicts it",
                    c->l1.miss_queue, global_stays ? "l1.global_write" : "l1.local_write");
    }
    /* Local data die with their kernel; global data would be lost. */
    if (c->l1.at_launch == AT_LAUNCH_INVALIDATE && global_stays) {
        return fail(e, "l1.at_launch = invalidate with l1.global_write = back: dirty lines would "
                       "be lost; must be l1.at_launch = keep, or another l1.global_write");
    }
    return true;
}

/* The block has 2 to 64 queues; the keys that say how many end at 64 by themselves. */
static bool check_mrpb_queues(const struct config *c, struct config_error *e) {
    if (config_mrpb_queues(c) >= 2) {
        return true;
    }
    switch (c->mrpb.signature) {
    case MRPB_SIGNATURE_BLOCK:
        return fail(e,
                    "l1.mrpb = on and mrpb.signature = block with core.ctas = %u: core.ctas must "
                    "be 2..32",
                    c->core.ctas);
    case MRPB_SIGNATURE_IN_BLOCK_WARP:
        return fail(e,
                    "l1.mrpb = on and mrpb.signature = in-block-warp with core.cta_threads = %u: "
                    "core.cta_threads must be 33..1024, two warps or more",
                    c->core.cta_threads);
    default:
        return fail(e, "l1.mrpb = on with core.warps = %u: core.warps must be 2..64",
                    c->core.warps);
    }
}

/* With writes that stay (l1.global_write = back) the buffer is legal: its bypass follows a look-up
 * that missed, so there is no dirty copy but one that left through the same miss queue before. */
static bool check_mrpb(const struct config *c, struct config_error *e) {
    if (c->mrpb.depth == 1) {
        return fail(e, "mrpb.depth = 1: must be 0, for queues without bound, or 2..64");
    }
    if (c->l1.mrpb && !c->l1.cache) {
        bool on = c->l1.mrpb == L1_MRPB_ON;
        return fail(e,
                    "l1.mrpb = %s with l1.cache = off: %s; must be l1.mrpb = off or l1.cache = on",
                    on ? "on" : "slot",
                    on ? "the buffer stands before a cache" : "there is no cache to bypass");
    }
    return c->l1.mrpb != L1_MRPB_ON || check_mrpb_queues(c, e);
}

static bool check_l1(const struct config *c, struct config_error *e) {
    if (!power_of_two(e, "l1.sets", c->l1.sets) ||
        !power_of_two(e, "l1.line_bytes", c->l1.line_bytes) ||
        !check_fermi(e, "l1", c->l1.index, c->l1.sets)) {
        return false;
    }
    if (c->l1.index == INDEX_FERMI && c->l1.line_bytes != 128) {
        return fail(e, "l1.index = fermi with l1.line_bytes = %u: l1.line_bytes must be 128",
                    c->l1.line_bytes);
    }
    if (config_l1_bytes(c) > L1_BYTES_MAX) {
        return fail(e,
                    "l1.sets * l1.ways * l1.line_bytes = %u * %u * %u: must be at most %llu bytes",
                    c->l1.sets, c->l1.ways, c->l1.line_bytes, (unsigned long long)L1_BYTES_MAX);
    }
    if (c->l1.perfect && !c->l1.cache) {
        return fail(e, "l1.perfect = on with l1.cache = off: there is nothing to hit in; must be "
                       "l1.perfect = off or l1.cache = on");
    }
    return check_l1_writes(c, e) && check_mrpb(c, e);
}

static bool check_read_only_caches(const struct config *c, struct config_error *e) {
    return power_of_two(e, "texture.sets", c->texture.sets) &&
           power_of_two(e, "texture.line_bytes", c->texture.line_bytes) &&
           power_of_two(e, "constant.sets", c->constant.sets) &&
           power_of_two(e, "constant.line_bytes", c->constant.line_bytes);
}

/* A line of a first-level cache lies within one line of the L2. */
static bool within_l2_line(const struct config *c, const char *cache, unsigned line_bytes,
                           struct config_error *e) {
    return line_bytes <= c->l2.line_bytes
               ? true
               : fail(e, "%s.line_bytes = %u: must be at most l2.line_bytes = %u", cache,
                      line_bytes, c->l2.line_bytes);
}

static bool check_lines(const struct config *c, struct config_error *e) {
    return power_of_two(e, "l2.line_bytes", c->l2.line_bytes) &&
           within_l2_line(c, "l1", c->l1.line_bytes, e) &&
           within_l2_line(c, "texture", c->texture.line_bytes, e) &&
           within_l2_line(c, "constant", c->constant.line_bytes, e);
}

static unsigned larger(unsigned a, unsigned b) {
    return a > b ? a : b;
}

/* What a write, or a read's reply, carries at most. */
static unsigned largest_line(const struct config *c) {
    return larger(c->l1.line_bytes, larger(c->texture.line_bytes, c->constant.line_bytes));
}

static bool check_buffers(const struct config *c, unsigned largest, struct config_error *e) {
    if (c->noc.input_flits < largest || c->noc.output_flits < largest) {
        bool input = c->noc.input_flits < largest;
        return fail(e,
                    "%s = %u: must be at least %u flits, a line of %u bytes behind its header in "
                    "flits (noc.header_bytes = %u, noc.flit_bytes = %u)",
                    input ? "noc.input_flits" : "noc.output_flits",
                    input ? c->noc.input_flits : c->noc.output_flits, largest, largest_line(c),
                    c->noc.header_bytes, c->noc.flit_bytes);
    }
    return true;
}

static bool check_crossbar(const struct config *c, struct config_error *e) {
    if (strcmp(c->noc.nodes, "-") != 0) {
        return fail(e, "noc.nodes = %s: must be - where noc.topology = crossbar", c->noc.nodes);
    }
    return true;
}

static bool check_mesh(const struct config *c, unsigned largest, struct config_error *e) {
    if (strcmp(c->noc.nodes, "-") == 0) {
        return fail(e,
                    "noc.nodes = -: must be a map of core.count = %u cores and l2.partitions = %u "
                    "partitions where noc.topology = mesh",
                    c->core.count, c->l2.partitions);
    }
    if (c->noc.router_flits < largest) {
        return fail(e,
                    "noc.router_flits = %u: must be at least %u flits, the largest packet, where "
                    "noc.topology = mesh (noc.header_bytes = %u, noc.flit_bytes = %u)",
                    c->noc.router_flits, largest, c->noc.header_bytes, c->noc.flit_bytes);
    }
    return true;
}

static bool check_noc(const struct config *c, struct config_error *e) {
    unsigned largest = packet_flits(c, largest_line(c));
    return check_buffers(c, largest, e) &&
           (c->noc.topology == NOC_MESH ? check_mesh(c, largest, e) && mesh_check(c, e)
                                        : check_crossbar(c, e));
}

static bool check_l2(const struct config *c, struct config_error *e) {
    if (!power_of_two(e, "l2.sets", c->l2.sets) || !power_of_two(e, "l2.banks", c->l2.banks) ||
        !check_fermi(e, "l2", c->l2.index, c->l2.sets)) {
        return false;
    }
    if (config_l2_bytes(c) > L2_BYTES_MAX * c->l2.partitions) {
        return fail(e,
                    "l2.banks * l2.sets * l2.ways * l2.line_bytes = %u * %u * %u * %u: must be at "
                    "most %llu bytes",
                    c->l2.banks, c->l2.sets, c->l2.ways, c->l2.line_bytes,
                    (unsigned long long)L2_BYTES_MAX);
    }
    return true;
}

static bool multiple_of_5(struct config_error *e, const char *key, unsigned value) {
    return value % 5 == 0 || fail(e, "%s = %u: must be a multiple of 5", key, value);
}

/* Each bank and each port of a table's partitions has a port of the table. */
static bool check_table_ports(const struct config *c, struct config_error *e) {
    unsigned tables = c->medic.table == MEDIC_TABLE_SHARED ? c->l2.partitions : 1;
    if (config_has_table(c) && tables * c->l2.banks > MEDIC_PORTS_MAX) {
        return fail(e,
                    "l2.banks = %u: %u partitions of them must be at most %u banks a table of "
                    "warp types (medic.table)",
                    c->l2.banks, tables, MEDIC_PORTS_MAX);
    }
    if (config_has_table(c) && tables * c->l2.ports > MEDIC_PORTS_MAX) {
        return fail(e,
                    "l2.ports = %u: %u partitions of them must be at most %u ports a table of "
                    "warp types (medic.table)",
                    c->l2.ports, tables, MEDIC_PORTS_MAX);
    }
    return true;
}

/* The table of instructions: l2.bypass = pc. */
static bool check_pcs(const struct config *c, struct config_error *e) {
    if (config_has_warp_types(c)) {
        return fail(
            e,
            "l2.bypass = pc with %s: one table decides, of instructions or of warps; must be "
            "another l2.bypass, or l2.insertion not warp-type and dram.queues = one",
            c->dram.queues == DRAM_QUEUES_TWO ? "dram.queues = two" : "l2.insertion = warp-type");
    }
    if (c->l1.mrpb == L1_MRPB_ON) {
        return fail(e, "l2.bypass = pc with l1.mrpb = on: the buffer's request headers bear no "
                       "instruction; must be another l2.bypass, or l1.mrpb = off or slot");
    }
    if (c->medic.lanes > c->pcbyp.entries) {
        return fail(e, "medic.lanes = %u with l2.bypass = pc: must be at most pcbyp.entries = %u",
                    c->medic.lanes, c->pcbyp.entries);
    }
    return c->medic.profile < 1u << (c->pcbyp.counter_bits - 1) ||
           fail(e,
                "medic.profile = %u with l2.bypass = pc: must be below half of what "
                "pcbyp.counter_bits = %u count, %u",
                c->medic.profile, c->pcbyp.counter_bits, 1u << (c->pcbyp.counter_bits - 1));
}

/* l2.bypass, which is not off. */
static bool check_bypass(const struct config *c, struct config_error *e) {
    static const char *const names[] = {[L2_BYPASS_ALL] = "all",
                                        [L2_BYPASS_WARP_TYPE] = "warp-type",
                                        [L2_BYPASS_RANDOM] = "random",
                                        [L2_BYPASS_PC] = "pc"};
    if (c->l2.write != L2_WRITE_THROUGH) {
        return fail(e,
                    "l2.bypass = %s with l2.write = back: the DRAM would lack data of lines in the "
                    "L2 (MeDiC 4.2); must be l2.bypass = off or l2.write = through",
                    names[c->l2.bypass]);
    }
    return !c->l2.perfect || fail(e,
                                  "l2.bypass = %s with l2.perfect = on: every request hits; must "
                                  "be l2.bypass = off or l2.perfect = off",
                                  names[c->l2.bypass]);
}

/* What decides by the warp. */
static bool check_policies(const struct config *c, struct config_error *e) {
    if (!power_of_two(e, "medic.lanes", c->medic.lanes) ||
        !power_of_two(e, "pcbyp.entries", c->pcbyp.entries) ||
        !power_of_two(e, "eaf.bits", c->eaf.bits) ||
        !multiple_of_5(e, "medic.mostly_hit", c->medic.mostly_hit) ||
        !multiple_of_5(e, "medic.mostly_miss", c->medic.mostly_miss)) {
        return false;
    }
    if (c->medic.mostly_miss >= c->medic.mostly_hit) {
        return fail(e, "medic.mostly_miss = %u: must be below medic.mostly_hit = %u",
                    c->medic.mostly_miss, c->medic.mostly_hit);
    }
    if (c->medic.profile >= 1u << (c->medic.counter_bits - 1)) {
        return fail(e,
                    "medic.profile = %u: must be below half of what medic.counter_bits = %u count, "
                    "%u",
                    c->medic.profile, c->medic.counter_bits, 1u << (c->medic.counter_bits - 1));
    }
    if (c->l2.bypass != L2_BYPASS_OFF && !check_bypass(c, e)) {
        return false;
    }
    if (c->l2.insertion != L2_INSERTION_LRU && c->l2.ways > L2_POLICY_WAYS_MAX) {
        return fail(e, "l2.ways = %u: must be at most %u where l2.insertion is not lru", c->l2.ways,
                    L2_POLICY_WAYS_MAX);
    }
    if (c->medic.reuse != MEDIC_REUSE_OFF && c->l2.bypass != L2_BYPASS_WARP_TYPE) {
        return fail(e, "medic.reuse = bloom without l2.bypass = warp-type: there is no such bypass "
                       "to override; must be medic.reuse = off or l2.bypass = warp-type");
    }
    if (c->l2.bypass == L2_BYPASS_PC) {
        return check_pcs(c, e) && check_table_ports(c, e);
    }
    unsigned warps = c->core.count * c->core.warps;
    if (config_has_warp_types(c) && (warps < 2 || c->medic.lanes > warps)) {
        return fail(e,
                    "medic.lanes = %u: must be at most core.count * core.warps = %u, which must be "
                    "at least 2",
                    c->medic.lanes, warps);
    }
    return check_table_ports(c, e);
}

static bool check_dram_shape(const struct config *c, struct config_error *e) {
    if (!power_of_two(e, "dram.banks", c->dram.banks) ||
        !power_of_two(e, "dram.bank_groups", c->dram.bank_groups) ||
        !power_of_two(e, "dram.row_bytes", c->dram.row_bytes)) {
        return false;
    }
    if (c->dram.bank_groups > c->dram.banks) {
        return fail(e, "dram.bank_groups = %u: must be at most dram.banks = %u",
                    c->dram.bank_groups, c->dram.banks);
    }
    if (c->dram.row_bytes < c->l2.line_bytes) {
        return fail(e, "dram.row_bytes = %u: must be at least l2.line_bytes = %u",
                    c->dram.row_bytes, c->l2.line_bytes);
    }
    if (c->dram.channel_bytes % c->l2.line_bytes) {
        return fail(e, "dram.channel_bytes = %u: must be a multiple of l2.line_bytes = %u",
                    c->dram.channel_bytes, c->l2.line_bytes);
    }
    if (c->l2.line_bytes % (c->dram.bus_bytes * c->dram.burst)) {
        return fail(e, "dram.bus_bytes * dram.burst = %u * %u: must divide l2.line_bytes = %u",
                    c->dram.bus_bytes, c->dram.burst, c->l2.line_bytes);
    }
    if (c->dram.burst % c->dram.beats) {
        return fail(e, "dram.burst = %u: must be a multiple of dram.beats = %u", c->dram.burst,
                    c->dram.beats);
    }
    return true;
}

/* The block of two queues. */
static bool check_dram_queues(const struct config *c, struct config_error *e) {
    if (c->dram.queues == DRAM_QUEUES_ONE) {
        return true;
    }
    if (c->dram.queue < 2) {
        return fail(e, "dram.queue = %u: must be at least 2 where dram.queues = two",
                    c->dram.queue);
    }
    if (c->dram.banks < 2) {
        return fail(e, "dram.banks = %u: must be at least 2 where dram.queues = two",
                    c->dram.banks);
    }
    unsigned bursts = c->l2.line_bytes / (c->dram.bus_bytes * c->dram.burst);
    return bursts < 16 || fail(e,
                               "l2.line_bytes / (dram.bus_bytes * dram.burst) = %u: must be at "
                               "most 15 where dram.queues = two",
                               bursts);
}

static bool check_dram_timing(const struct config *c, struct config_error *e) {
    if (c->dram.rc < c->dram.ras + c->dram.rp) {
        return fail(e, "dram.rc = %u: must be at least dram.ras + dram.rp = %u", c->dram.rc,
                    c->dram.ras + c->dram.rp);
    }
    if (c->dram.ccd < c->dram.burst / c->dram.beats) {
        return fail(e, "dram.ccd = %u: must be at least dram.burst / dram.beats = %u", c->dram.ccd,
                    c->dram.burst / c->dram.beats);
    }
    if (c->dram.ccdl < c->dram.ccd) {
        return fail(e, "dram.ccdl = %u: must be at least dram.ccd = %u", c->dram.ccdl, c->dram.ccd);
    }
    return true;
}

bool config_check(const struct config *c, struct config_error *e) {
    return check_clocks(c, e) && check_core(c, e) && check_issue(c, e) && check_l1(c, e) &&
           check_read_only_caches(c, e) && check_lines(c, e) && check_noc(c, e) && check_l2(c, e) &&
           check_policies(c, e) && check_dram_shape(c, e) && check_dram_timing(c, e) &&
           check_dram_queues(c, e);
}
