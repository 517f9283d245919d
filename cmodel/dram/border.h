/* SPDX-License-Identifier: Apache-2.0
 *
 * Recording of a channel's border: what the L2 asks, the commands, and when the L2 takes what it
 * asked for. rtl/top/memory_channel.v replays it (tb/top/memory_channel_tb.v).
 *
 *   warpmem-border 1   DEPTH=16  BANKS=8 ... RCD=12 CCD=2 CCDL=3 RTPL=2 CDLR=5 WR=12
 *   DRAM cycle   fetch|store                       line   first burst   bursts
 *   DRAM cycle   activate|read|write|precharge     bank   row           column
 *   DRAM cycle   return                            port   line          0
 *
 * Fields are separated by tabs. The header has the parameters of the Verilog, then the keys of
 * [dram] that a timing rule needs and that are no parameters. A line is a local number (dram/
 * address.h), a column counts bursts within a row; it is 0 for row commands. A request has the
 * cycle in which the L2 sends it, LATENCY before the scheduler sees it; a return that in which the
 * L2 takes it, or the next cycle of the DRAM's clock. Requests, commands and returns are each in
 * the order of their cycles; the three are mixed.
 *
 * The recorder changes nothing but the host's time. The L2 must work in time (struct build), and
 * the channel not ahead of it. Returns are exact if the DRAM's clock is at least as fast as the
 * L2's.
 */
#ifndef WARPMEM_DRAM_BORDER_H
#define WARPMEM_DRAM_BORDER_H

#include "dram/channel.h"

#define DRAM_BORDER_MAGIC "warpmem-border 1"

/**
 * struct dram_border - the recorder of one channel.
 * @cycle, @log, @log_user: the channel's own, which it calls
 * @written: requests of the channel's input ring that are in the file, counted as the ring does
 * @taken: the same of each return queue: those that have left
 */
struct dram_border {
    FILE *out;
    uint64_t (*cycle)(struct dram_channel *d, const struct now *now);
    void (*log)(void *user, uint64_t cycle, enum dram_command command, unsigned bank, uint64_t row,
                const struct dram_entry *column);
    void *log_user;
    uint32_t written, taken[DRAM_RETURNS_MAX];
};

/** dram_border_attach() - record the border of the channel to @out; its log is attached before. The
 * configuration is one of config_has_fr_fcfs(). @b must outlive the run. */
void dram_border_attach(struct dram_border *b, struct dram_channel *d, FILE *out);

#endif
