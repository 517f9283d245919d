/* SPDX-License-Identifier: Apache-2.0 Combinations of keys: what no single range can say. Every
 * message names each key that takes part. */
#include <stdarg.h>

#include "base/clock.h"
#include "config/config.h"
#include "config/derived.h"
#include "config/mesh_map.h"
#include "config/packets.h"

#define L1_BYTES_MAX (UINT64_C(16) << 20) /* MRPB's ideal cache has 8 MB */
#define L2_BYTES_MAX (UINT64_C(64) << 20) /* a partition */

uint64_t config_peak_dram_bytes_per_s(const struct config *c) {
    return (uint64_t)c->dram.bus_bytes * c->dram.beats * c->clock.dram * 1000 * c->l2.partitions;
}

uint64_t config_l1_bytes(const struct config *c) {
    return (uint64_t)c->l1.sets * c->l1.ways * c->l1.line_bytes;
}

uint64_t config_l2_bytes(const struct config *c) {
    return (uint64_t)c->l2.sets * c->l2.ways * LINE_BYTES * c->l2.partitions;
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

static bool check_l1(const struct config *c, struct config_error *e) {
    if (!power_of_two(e, "l1.sets", c->l1.sets)) {
        return false;
    }
    if (config_l1_bytes(c) > L1_BYTES_MAX) {
        return fail(e,
                    "l1.sets * l1.ways * l1.line_bytes = %u * %u * %u: must be at most %llu bytes",
                    c->l1.sets, c->l1.ways, c->l1.line_bytes, (unsigned long long)L1_BYTES_MAX);
    }
    /* The block has a queue a warp, 2 to 64 of them; core.warps ends at 64 by itself. */
    if (c->l1.mrpb && (c->core.warps < 2 || c->core.warps > 64)) {
        return fail(e, "l1.mrpb = on with core.warps = %u: core.warps must be 2..64",
                    c->core.warps);
    }
    return true;
}

static bool check_noc(const struct config *c, struct config_error *e) {
    unsigned largest = packet_flits(c, LINE_BYTES);
    if (c->noc.input_flits < largest || c->noc.output_flits < largest) {
        bool input = c->noc.input_flits < largest;
        return fail(e,
                    "%s = %u: must be at least %u flits, a line behind its header in flits "
                    "(noc.header_bytes = %u, noc.flit_bytes = %u)",
                    input ? "noc.input_flits" : "noc.output_flits",
                    input ? c->noc.input_flits : c->noc.output_flits, largest, c->noc.header_bytes,
                    c->noc.flit_bytes);
    }
    return mesh_check(c, largest, e);
}

static bool check_l2(const struct config *c, struct config_error *e) {
    if (!power_of_two(e, "l2.sets", c->l2.sets)) {
        return false;
    }
    if (config_l2_bytes(c) > L2_BYTES_MAX * c->l2.partitions) {
        return fail(e, "l2.sets * l2.ways = %u * %u lines of 128 bytes: must be at most %llu bytes",
                    c->l2.sets, c->l2.ways, (unsigned long long)L2_BYTES_MAX);
    }
    return true;
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
    if (c->dram.row_bytes % LINE_BYTES) {
        return fail(e, "dram.row_bytes = %u: must be a multiple of a line, 128 bytes",
                    c->dram.row_bytes);
    }
    if (c->dram.channel_bytes % LINE_BYTES) {
        return fail(e, "dram.channel_bytes = %u: must be a multiple of a line, 128 bytes",
                    c->dram.channel_bytes);
    }
    if (LINE_BYTES % (c->dram.bus_bytes * c->dram.burst)) {
        return fail(e, "dram.bus_bytes * dram.burst = %u * %u: must divide a line, 128 bytes",
                    c->dram.bus_bytes, c->dram.burst);
    }
    if (c->dram.burst % c->dram.beats) {
        return fail(e, "dram.burst = %u: must be a multiple of dram.beats = %u", c->dram.burst,
                    c->dram.beats);
    }
    return true;
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
    return check_clocks(c, e) && check_core(c, e) && check_l1(c, e) && check_noc(c, e) &&
           check_l2(c, e) && check_dram_shape(c, e) && check_dram_timing(c, e);
}
