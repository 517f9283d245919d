/* SPDX-License-Identifier: Apache-2.0
 *
 * Combinations of keys, which no single range can express. Every message names each key involved.
 */
#include <string.h>

#include "base/clock.h"
#include "base/unit_set.h"
#include "config/address_mask.h"
#include "config/check_l1.h"
#include "config/check_parts.h"
#include "config/config.h"
#include "config/derived.h"
#include "config/keys.h"
#include "config/mesh_map.h"
#include "config/packets.h"

#define TABLE_WARPS_MAX 4096              /* limit of the block l2/warp_type */
#define FOOTPRINT_LINES_MAX 65536         /* limit of the block issue/daws_footprint */
#define L2_BYTES_MAX (UINT64_C(64) << 20) /* a partition */

/* A key for a message, and its value in c. */
#define K(member) #member, c->member

static bool check_powers_of_two(const struct config *c, struct config_error *e) {
    char key[CONFIG_KEY_TEXT];
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (config_key_at(i)->power_of_two) {
            unsigned value = config_key_number(c, i);
            if (!value || (value & (value - 1))) {
                return config_fail(e, "%s = %u: must be a power of two", config_key_text(i, key),
                                   value);
            }
        }
    }
    return true;
}

static bool check_clocks(const struct config *c, struct config_error *e) {
    const unsigned khz[] = {c->clock.core, c->clock.noc, c->clock.l2, c->clock.dram};
    uint64_t period[4];
    return clock_periods(khz, 4, period) ||
           config_fail(e,
                       "clock.core, clock.noc, clock.l2, clock.dram = %u, %u, %u, %u: their least "
                       "common multiple must be at most 2^40 kHz; round them to a common step",
                       khz[0], khz[1], khz[2], khz[3]);
}

static bool check_core(const struct config *c, struct config_error *e) {
    return key_at_most(e, K(core.threads), "32 * core.warps", 32 * c->core.warps) &&
           key_at_least(e, K(core.warps), K(core.schedulers));
}

/* A limit or a group beyond the core's warps would have no effect: its user means another
 * machine. */
static bool check_issue(const struct config *c, struct config_error *e) {
    return key_at_most(e, K(issue.warp_limit), K(core.warps)) &&
           (c->issue.scheduler != SCHEDULER_TWO_LEVEL || c->issue.group_warps <= c->core.warps ||
            config_fail(e,
                        "issue.group_warps = %u with issue.scheduler = two-level: must be at most "
                        "core.warps = %u",
                        c->issue.group_warps, c->core.warps)) &&
           (!config_has_cta_groups(c) || c->owl.least_warps <= c->core.warps ||
            config_fail(e,
                        "owl.least_warps = %u with a cta-aware issue.scheduler: must be at most "
                        "core.warps = %u",
                        c->owl.least_warps, c->core.warps));
}

/* Two issue policies that hold warps would each hold the warps that the other one lets issue. */
static bool check_holds_alone(const struct config *c, const char *mode, struct config_error *e) {
    if (c->issue.warp_limit) {
        return config_fail(e,
                           "%s is on with issue.warp_limit = %u: two issue policies; must be %s = "
                           "off or issue.warp_limit = 0",
                           mode, c->issue.warp_limit, mode);
    }
    return !config_has_warp_arbiter(c) ||
           config_fail(e,
                       "%s is on with a two-level or cta-aware issue.scheduler: two issue "
                       "policies; must be %s = off or issue.scheduler = lrr, gto or oldest",
                       mode, mode);
}

static bool check_daws(const struct config *c, struct config_error *e) {
    if (!config_has_daws(c)) {
        return true;
    }
    return check_holds_alone(c, "daws.mode", e) &&
           ((uint64_t)c->l1.sets * c->l1.ways <= FOOTPRINT_LINES_MAX ||
            config_fail(e, "l1.sets * l1.ways = %u * %u: must be at most %u where daws.mode is on",
                        c->l1.sets, c->l1.ways, FOOTPRINT_LINES_MAX));
}

static bool check_ccws(const struct config *c, struct config_error *e) {
    if (!c->ccws.mode) {
        return true;
    }
    if (config_has_daws(c)) {
        return config_fail(e, "ccws.mode is on with daws.mode: two issue policies; must be "
                              "ccws.mode = off or daws.mode = off");
    }
    return check_holds_alone(c, "ccws.mode", e);
}

/* A line of a first-level cache lies within one line of the L2. */
static bool check_lines(const struct config *c, struct config_error *e) {
    return key_at_most(e, K(l1.line_bytes), K(l2.line_bytes)) &&
           key_at_most(e, K(texture.line_bytes), K(l2.line_bytes)) &&
           key_at_most(e, K(constant.line_bytes), K(l2.line_bytes));
}

static bool buffer_holds_packet(const struct config *c, const char *key, unsigned flits,
                                unsigned largest, struct config_error *e) {
    return flits >= largest ||
           config_fail(e,
                       "%s = %u: must be at least %u flits, a line of %u bytes behind its header "
                       "in flits (noc.header_bytes = %u, noc.flit_bytes = %u)",
                       key, flits, largest, config_largest_line(c), c->noc.header_bytes,
                       c->noc.flit_bytes);
}

static bool check_crossbar(const struct config *c, struct config_error *e) {
    return !strcmp(c->noc.nodes, "-") ||
           config_fail(e, "noc.nodes = %s: must be - where noc.topology = crossbar", c->noc.nodes);
}

static bool check_mesh(const struct config *c, unsigned largest, struct config_error *e) {
    if (strcmp(c->noc.nodes, "-") == 0) {
        return config_fail(
            e,
            "noc.nodes = -: must be a map of core.count = %u cores and l2.partitions = %u "
            "partitions where noc.topology = mesh",
            c->core.count, c->l2.partitions);
    }
    if (c->noc.router_flits < largest) {
        return config_fail(
            e,
            "noc.router_flits = %u: must be at least %u flits, the largest packet, where "
            "noc.topology = mesh (noc.header_bytes = %u, noc.flit_bytes = %u)",
            c->noc.router_flits, largest, c->noc.header_bytes, c->noc.flit_bytes);
    }
    return true;
}

static bool check_noc(const struct config *c, struct config_error *e) {
    unsigned largest = packet_flits(c, config_largest_line(c));
    return buffer_holds_packet(c, K(noc.input_flits), largest, e) &&
           buffer_holds_packet(c, K(noc.output_flits), largest, e) &&
           (c->noc.topology == NOC_MESH ? check_mesh(c, largest, e) && mesh_check(c, e)
                                        : check_crossbar(c, e));
}

/* A port without a bank would carry nothing; a network has so many inputs at most. */
static bool check_reply_ports(const struct config *c, struct config_error *e) {
    const bool mesh = c->noc.topology == NOC_MESH;
    const unsigned most = mesh ? MESH_NODES_MAX : UNITS_MAX;
    return key_at_most(e, K(l2.reply_ports), K(l2.banks)) &&
           (c->l2.partitions * c->l2.reply_ports <= most ||
            config_fail(e, "l2.partitions * l2.reply_ports = %u * %u: must be at most %u%s",
                        c->l2.partitions, c->l2.reply_ports, most,
                        mesh ? " where noc.topology = mesh" : ""));
}

static bool check_l2(const struct config *c, struct config_error *e) {
    return check_reply_ports(c, e) && check_fermi_index(e, "l2", c->l2.index, c->l2.sets) &&
           (config_l2_bytes(c) <= L2_BYTES_MAX * c->l2.partitions ||
            config_fail(e,
                        "l2.banks * l2.sets * l2.ways * l2.line_bytes = %u * %u * %u * %u: must be "
                        "at most %llu bytes",
                        c->l2.banks, c->l2.sets, c->l2.ways, c->l2.line_bytes,
                        (unsigned long long)L2_BYTES_MAX));
}

/* Each bank and each port of a table's partitions has a port of the table. */
static bool check_table_ports(const struct config *c, const char *key, unsigned each,
                              const char *name, struct config_error *e) {
    unsigned tables = c->medic.table == MEDIC_TABLE_SHARED ? c->l2.partitions : 1;
    return tables * each <= MEDIC_PORTS_MAX ||
           config_fail(e,
                       "%s = %u: %u partitions of them must be at most %u %s a table of warp types "
                       "(medic.table)",
                       key, each, tables, MEDIC_PORTS_MAX, name);
}

/* A table of instructions, which @asker wants. */
static bool check_pcs(const struct config *c, const char *asker, struct config_error *e) {
    if (config_has_warp_types(c)) {
        return config_fail(e,
                           "%s with %s: one table decides, of instructions or of warps; must be "
                           "another l2.bypass, or l2.insertion not warp-type and dram.queues = one",
                           asker,
                           c->dram.queues == DRAM_QUEUES_TWO ? "dram.queues = two"
                                                             : "l2.insertion = warp-type");
    }
    if (c->l1.front == L1_FRONT_MRPB) {
        return config_fail(e,
                           "%s with l1.front = mrpb: the buffer's request headers bear no "
                           "instruction; must be another l2.bypass, or l1.front = none or slot",
                           asker);
    }
    if (c->medic.lanes > c->pcbyp.entries) {
        return config_fail(e, "medic.lanes = %u with %s: must be at most pcbyp.entries = %u",
                           c->medic.lanes, asker, c->pcbyp.entries);
    }
    return c->medic.profile < 1u << (c->pcbyp.counter_bits - 1) ||
           config_fail(e,
                       "medic.profile = %u with %s: must be below half of what "
                       "pcbyp.counter_bits = %u count, %u",
                       c->medic.profile, asker, c->pcbyp.counter_bits,
                       1u << (c->pcbyp.counter_bits - 1));
}

/* l2.bypass, which is not off. */
static bool check_bypass(const struct config *c, struct config_error *e) {
    char word[CONFIG_KEY_TEXT];
    config_value_text(c, config_key_at_offset(offsetof(struct config, l2.bypass)), word);
    if (c->l2.write != L2_WRITE_THROUGH) {
        return config_fail(e,
                           "l2.bypass = %s with l2.write = back: the DRAM would lack data of lines "
                           "in the L2 (MeDiC 4.2); must be l2.bypass = off or l2.write = through",
                           word);
    }
    return !c->l2.perfect ||
           config_fail(e,
                       "l2.bypass = %s with l2.perfect = on: every request hits; must be "
                       "l2.bypass = off or l2.perfect = off",
                       word);
}

/* Counts of warps or of instructions: a profile ends before its counters are halved. */
static bool check_medic_counts(const struct config *c, struct config_error *e) {
    if (!key_multiple_of_5(e, K(medic.mostly_hit)) || !key_multiple_of_5(e, K(medic.mostly_miss))) {
        return false;
    }
    if (c->medic.mostly_miss >= c->medic.mostly_hit) {
        return config_fail(e, "medic.mostly_miss = %u: must be below medic.mostly_hit = %u",
                           c->medic.mostly_miss, c->medic.mostly_hit);
    }
    return c->medic.profile < 1u << (c->medic.counter_bits - 1) ||
           config_fail(e,
                       "medic.profile = %u: must be below half of what medic.counter_bits = %u "
                       "count, %u",
                       c->medic.profile, c->medic.counter_bits, 1u << (c->medic.counter_bits - 1));
}

/* The table of warp types has no more lanes than warps, and no more warps than its block. */
static bool check_lanes(const struct config *c, struct config_error *e) {
    unsigned warps = c->core.count * c->core.warps;
    if (warps > TABLE_WARPS_MAX) {
        return config_fail(e,
                           "core.count * core.warps = %u * %u: must be at most %u where decisions "
                           "are by warp type (l2.bypass, l2.insertion, dram.queues)",
                           c->core.count, c->core.warps, TABLE_WARPS_MAX);
    }
    return (warps >= 2 && c->medic.lanes <= warps) ||
           config_fail(e,
                       "medic.lanes = %u: must be at most core.count * core.warps = %u, which must "
                       "be at least 2",
                       c->medic.lanes, warps);
}

bool config_check_types(const struct config *c, bool of_instructions, const char *asker,
                        struct config_error *e) {
    return (of_instructions ? check_pcs(c, asker, e) : check_lanes(c, e)) &&
           check_table_ports(c, K(l2.banks), "banks", e) &&
           check_table_ports(c, K(l2.ports), "ports", e);
}

static bool check_policies(const struct config *c, struct config_error *e) {
    if (!check_medic_counts(c, e) || (c->l2.bypass != L2_BYPASS_OFF && !check_bypass(c, e)) ||
        (c->l2.insertion != L2_INSERTION_LRU &&
         !key_at_most_where(e, K(l2.ways), L2_POLICY_WAYS_MAX, "l2.insertion is not lru"))) {
        return false;
    }
    if (c->l2.insertion == L2_INSERTION_WARP_TYPE && c->medic.insertion == MEDIC_INSERTION_PLACE &&
        c->medic.hit_class == MEDIC_HIT_CLASS_RAISE) {
        return config_fail(e, "medic.hit_class = raise with medic.insertion = place: lines have no "
                              "type there; must be medic.hit_class = keep");
    }
    if (c->medic.reuse != MEDIC_REUSE_OFF && c->l2.bypass != L2_BYPASS_WARP_TYPE) {
        return config_fail(e, "medic.reuse = bloom without l2.bypass = warp-type: there is no such "
                              "bypass to override; must be medic.reuse = off or l2.bypass = "
                              "warp-type");
    }
    return !config_has_table(c) ||
           config_check_types(c, c->l2.bypass == L2_BYPASS_PC, "l2.bypass = pc", e);
}

static bool check_dram_shape(const struct config *c, struct config_error *e) {
    return key_at_most(e, K(dram.bank_groups), K(dram.banks)) &&
           key_at_least(e, K(dram.row_bytes), K(l2.line_bytes)) &&
           key_multiple_of(e, K(dram.channel_bytes), K(l2.line_bytes)) &&
           (c->l2.line_bytes % (c->dram.bus_bytes * c->dram.burst) == 0 ||
            config_fail(e, "dram.bus_bytes * dram.burst = %u * %u: must divide l2.line_bytes = %u",
                        c->dram.bus_bytes, c->dram.burst, c->l2.line_bytes)) &&
           key_multiple_of(e, K(dram.burst), K(dram.beats)) && address_mask_check(c, e);
}

static bool check_dram_timing(const struct config *c, struct config_error *e) {
    return key_at_least(e, K(dram.rc), "dram.ras + dram.rp", c->dram.ras + c->dram.rp) &&
           key_at_least(e, K(dram.ccd), "dram.burst / dram.beats", c->dram.burst / c->dram.beats) &&
           key_at_least(e, K(dram.ccdl), K(dram.ccd));
}

static bool check_dram_refresh(const struct config *c, struct config_error *e) {
    unsigned least = config_refresh_and_column(c);
    if (!c->dram.refi != !c->dram.rfc) {
        return config_fail(e,
                           "dram.refi = %u with dram.rfc = %u: must be both 0, for no refresh, or "
                           "both above 0",
                           c->dram.refi, c->dram.rfc);
    }
    if (c->dram.refi && c->dram.refi <= least) {
        return config_fail(e,
                           "dram.refi = %u: must be above %u, the cycles of dram.rfc = %u, of "
                           "closing dram.banks = %u banks before it, and of opening a row and one "
                           "column command after it",
                           c->dram.refi, least, c->dram.rfc, c->dram.banks);
    }
    return !c->dram.refi || c->dram.queues == DRAM_QUEUES_ONE ||
           config_fail(e,
                       "dram.refi = %u with dram.queues = two: the queues' block knows the open "
                       "rows from its own commands alone, and a refresh closes them; must be "
                       "dram.refi = 0 or dram.queues = one",
                       c->dram.refi);
}

static bool check_write_drain(const struct config *c, struct config_error *e) {
    if (!c->dram.write_drain) {
        return true;
    }
    if (c->dram.queues == DRAM_QUEUES_TWO) {
        return config_fail(e, "dram.write_drain = on with dram.queues = two: requests are in two "
                              "queues by their warps already; must be dram.write_drain = off or "
                              "dram.queues = one");
    }
    return (c->dram.write_low < c->dram.write_high ||
            config_fail(e, "dram.write_low = %u: must be below dram.write_high = %u",
                        c->dram.write_low, c->dram.write_high)) &&
           key_at_most(e, K(dram.write_high), K(dram.queue));
}

/* The block of two queues. */
static bool check_dram_queues(const struct config *c, struct config_error *e) {
    static const char where[] = "dram.queues = two";
    if (c->dram.queues == DRAM_QUEUES_TWO && c->dram.row_hit_cap) {
        return config_fail(e,
                           "dram.row_hit_cap = %u with dram.queues = two: the block of two queues "
                           "closes a row only when no request wants it (MeDiC 4.4); must be "
                           "dram.row_hit_cap = 0 or dram.queues = one",
                           c->dram.row_hit_cap);
    }
    return c->dram.queues == DRAM_QUEUES_ONE ||
           (key_at_least_where(e, K(dram.queue), 2, where) &&
            (c->dram.queue_share == DRAM_QUEUE_SHARE_COMMON ||
             key_at_most_where(e, K(dram.queue), TWO_QUEUES_DEPTH_MAX,
                               "dram.queues = two with dram.queue_share = own")) &&
            key_at_least_where(e, K(dram.banks), 2, where) &&
            key_at_most_where(e, "l2.line_bytes / (dram.bus_bytes * dram.burst)",
                              c->l2.line_bytes / (c->dram.bus_bytes * c->dram.burst), 15, where));
}

/* A named scheduler takes the place of those that other keys ask for. */
static bool check_dram_policy(const struct config *c, struct config_error *e) {
    const char *other = c->dram.queues == DRAM_QUEUES_TWO ? "dram.queues = one"
                        : config_has_row_prefetch(c)      ? "owl.prefetch = off"
                        : c->dram.refi                    ? "dram.refi = 0"
                        : c->dram.write_drain             ? "dram.write_drain = off"
                        : c->dram.row_hit_cap             ? "dram.row_hit_cap = 0"
                                                          : NULL;
    return !config_names_policy(c->dram.policy) || !other ||
           config_fail(e, "dram.policy = %.60s with another scheduler: must be %s", c->dram.policy,
                       other);
}

/* Prefetch of open rows (dram/row_prefetch.h). */
static bool check_row_prefetch(const struct config *c, struct config_error *e) {
    static const char where[] = "owl.prefetch is on";
    unsigned lines = config_row_lines(c);
    if (c->owl.prefetch == OWL_PREFETCH_OFF) {
        return true;
    }
    const struct {
        bool refused;
        const char *with, *why, *instead;
    } pairs[] = {
        {c->dram.queues == DRAM_QUEUES_TWO, "dram.queues = two",
         "the queues' block closes rows by its own rules", "dram.queues = one"},
        {c->dram.refi, "dram.refi above 0", "a refresh closes rows that are being prefetched",
         "dram.refi = 0"},
        {c->l2.perfect, "l2.perfect = on", "a perfect L2 reads no row", "l2.perfect = off"},
        {c->l2.insertion == L2_INSERTION_WARP_TYPE, "l2.insertion = warp-type",
         "its block sees the lines of requests alone", "another l2.insertion"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (pairs[i].refused) {
            return config_fail(e,
                               "owl.prefetch is on with %s: %s; must be owl.prefetch = off or %s",
                               pairs[i].with, pairs[i].why, pairs[i].instead);
        }
    }
    return key_at_least_where(e, "dram.row_bytes / l2.line_bytes", lines, 2, where) &&
           key_at_most_where(e, "dram.row_bytes / l2.line_bytes", lines, PREFETCHED_ROW_LINES_MAX,
                             where) &&
           key_at_most_where(e, K(owl.lower), lines, where) &&
           key_at_most_where(e, K(owl.higher), lines, where) &&
           key_at_least_where(e, K(l2.mshrs), 2, where) &&
           key_at_most_where(e, K(dram.queue), PREFETCHED_QUEUE_MAX, where) &&
           key_at_least_where(e, K(dram.banks), 2, where) &&
           (c->owl.prefetched == OWL_PREFETCHED_RECENT ||
            key_at_most_where(e, K(l2.ways), L2_POLICY_WAYS_MAX, "owl.prefetched = last"));
}

bool config_check(const struct config *c, struct config_error *e) {
    return check_powers_of_two(c, e) && check_clocks(c, e) && check_core(c, e) &&
           check_issue(c, e) && check_daws(c, e) && check_ccws(c, e) && check_l1(c, e) &&
           check_lines(c, e) && check_noc(c, e) && check_l2(c, e) && check_policies(c, e) &&
           check_dram_shape(c, e) && check_dram_timing(c, e) && check_dram_queues(c, e) &&
           check_dram_refresh(c, e) && check_write_drain(c, e) && check_row_prefetch(c, e) &&
           check_dram_policy(c, e);
}
