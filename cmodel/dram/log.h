/* SPDX-License-Identifier: Apache-2.0
 *
 * DRAM command log, for a checker: a header line, then a line a command, fields separated by tabs.
 *
 *   warpmem-dram-log 4   channels=6  banks=16  bank_groups=4  bus_bytes=8 ... faw=0 aw32=0
 *                        refi=0 rfc=0 group_bits=high line_order=off
 *   channel   DRAM cycle   activate|read|write|precharge|refresh   bank   row
 *
 * The header has every key of [dram] that a timing rule needs, with its value in the run. The
 * cycles of a channel never decrease; channels are mixed. With line_order=on
 * reads and writes have two more fields: the line's number in its channel, and the request's, in
 * the order in which the channel took them in. A refresh is of all banks, and has bank
 * and row 0; refreshes of a channel without a request come before its next request, or at the end.
 */
#ifndef WARPMEM_DRAM_LOG_H
#define WARPMEM_DRAM_LOG_H

#include <stdio.h>

#include "dram/channel.h"

#define DRAM_LOG_MAGIC "warpmem-dram-log 4"

/* The numbers of the header after channels=; group_bits= follows them. */
/* clang-format off */
#define DRAM_LOG_KEYS(K) \
    K(banks) K(bank_groups) K(bus_bytes) K(beats) K(burst) K(cl) K(wl) K(rcd) K(rp) K(ras) K(rc) \
    K(rrd) K(ccd) K(ccdl) K(rtpl) K(cdlr) K(wr)
/* clang-format on */

/* More numbers, which may be 0. */
#define DRAM_LOG_WINDOWS(K) K(faw) K(aw32) K(refi) K(rfc)

/** dram_log_header() - write the first line. */
void dram_log_header(FILE *out, const struct config *config);

/** dram_log_attach() - make the channel write its commands to @out. */
void dram_log_attach(struct dram_channel *d, FILE *out);

#endif
