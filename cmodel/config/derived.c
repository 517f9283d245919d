/* SPDX-License-Identifier: Apache-2.0 */
#include "config/derived.h"

#include <stdlib.h>

static unsigned larger_config_value(unsigned a, unsigned b) {
    return a > b ? a : b;
}

uint64_t config_peak_dram_bytes_per_s(const struct config *c) {
    return (uint64_t)c->dram.bus_bytes * c->dram.beats * c->clock.dram * 1000 * c->l2.partitions;
}

uint64_t config_l1_bytes(const struct config *c) {
    return (uint64_t)c->l1.sets * c->l1.ways * c->l1.line_bytes;
}

unsigned config_carveouts(const struct config *c, uint64_t bytes[CARVEOUTS_MAX]) {
    const char *at = c->core.carveout;
    unsigned count = 0;
    for (uint64_t last = 0; *at >= '0' && *at <= '9' && count < CARVEOUTS_MAX - 1;) {
        char *end;
        const uint64_t size = 1024 * (uint64_t)strtoul(at, &end, 10);
        if ((count && size <= last) || end - at > 6 || (*end && (*end != '/' || !end[1]))) {
            return 0;
        }
        if (size < c->core.shared_bytes) {
            bytes[count++] = last = size;
        }
        at = *end ? end + 1 : end;
    }
    if (*at || at == c->core.carveout) {
        return 0;
    }
    bytes[count++] = c->core.shared_bytes;
    return count;
}

unsigned config_carveout_ways(const struct config *c, uint64_t shared_bytes) {
    return (unsigned)((config_l1_bytes(c) + c->core.shared_bytes - shared_bytes) / c->l1.sets /
                      c->l1.line_bytes);
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

unsigned config_largest_line(const struct config *c) {
    return larger_config_value(c->l1.line_bytes,
                               larger_config_value(c->texture.line_bytes, c->constant.line_bytes));
}

/* In the worst case the last command before a due time keeps a bank open for longest, all banks are
 * closed one a cycle, and the first activate and column command after the refresh wait for all
 * commands before it. With a shorter interval no line would ever be read. */
unsigned config_refresh_and_column(const struct config *c) {
    unsigned burst = c->dram.burst / c->dram.beats, open = c->dram.wl + burst + c->dram.wr,
             first = c->dram.wl + burst + c->dram.cdlr;
    open = larger_config_value(open, larger_config_value(c->dram.ras, burst));
    open = larger_config_value(open, c->dram.rtpl);
    first = larger_config_value(first, larger_config_value(c->dram.cl + burst + 2, c->dram.ccdl));
    first = larger_config_value(first, larger_config_value(c->dram.rc, c->dram.rrd));
    first = larger_config_value(first, larger_config_value(c->dram.faw, c->dram.aw32));
    return open + c->dram.banks + larger_config_value(c->dram.rp, c->dram.rc) + c->dram.rfc +
           first + larger_config_value(c->dram.rcd, c->dram.rcd_write);
}
