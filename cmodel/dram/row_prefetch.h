/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_DRAM_ROW_PREFETCH_H
#define WARPMEM_DRAM_ROW_PREFETCH_H

#include "dram/row_prefetch_ports.h"

/**
 * struct row_prefetch - prefetches the rest of an open DRAM row into the L2 before the row is
 * closed.
 *
 * Source: Jog et al., ASPLOS 2013, section 4.4: each bank has a bit for each cache line of its open
 * row, cleared when the row is opened and set when the line goes to the L2. When no demand for the
 * open row is left, the lines whose bits are clear are prefetched in order. Two rules end it:
 *
 * - RULE 1: a demand for another row of the bank waits.
 * - RULE 2: the same, but a demand that arrives after the row's first line ends it only after C
 *   lines of the row: LOWER, or HIGHER while few demands wait. With START 1 a demand that waits
 *   before the first line does not end it earlier either. Until C lines hold keeps the row open. C
 *   of 0 prefetches nothing (5.2, figure 11). The paper keeps the average of waiting demands
 *   "approximately, with the aid of shift registers": here an arrival adds pending - (sum >>
 *   AVERAGE_SHIFT) to sum, and few demands are fewer than sum >> AVERAGE_SHIFT, with the bits below
 *   the point.
 *
 * Cycle behaviour, the same in both. Each rule reads the state at the beginning of its cycle.
 *
 * - Few. The comparison with the average in cycle n (few demands wait) takes effect in n + 1. An
 *   arrival of n moves the average from n + 2, by the difference of n: the difference and the sum
 *   are an addition each, and a cycle of 1.4 GHz has time for one. With an AVERAGE_SHIFT of 1 the
 *   sum would swing beyond its bits, as the difference does not include an arrival in n - 1.
 * - Choice in cycle n, if no line is offered or the offered line is taken: among the banks that are
 *   open, not wanted, have a line left and may continue by their rule, the next one after the bank
 *   chosen last, and its lowest line. A line taken in n counts already. If the row of that bank is
 *   closed in n, no line is offered in n + 1.
 * - Offer from n + 1: pf_*, held until pf_ready, which sets the line's bit. It counts for C even if
 *   the L2 has it by then or refuses it: the paper's prefetcher does not query the L2 and reads
 *   such a line again, and a row must not be held for lines that the L2 has.
 * - hold: banks that have lines left, are not wanted and have had fewer than C lines, but, with
 *   START 0, at least one; and the bank of the offer, by either rule, as its row must be open when
 *   the line is read. The controller keeps the row of a taken line open until then.
 * - An activate clears the bank's bits. One for a write sets them all, because no line goes to the
 *   L2 then; with WRITTEN 1 it clears them too. A demand's last column command sets its line's bit,
 *   of a read or a write.
 *
 * No row is opened in the bank of the offer, which hold keeps open, and no demand's last column
 * command is issued in a bank that is not wanted.
 */
struct row_prefetch {
    struct row_prefetch_params p;
    uint32_t row[ROW_PREFETCH_BANKS_MAX];
    uint64_t left[ROW_PREFETCH_BANKS_MAX]; /* lines of the open row whose bits are not set */
    uint8_t count[ROW_PREFETCH_BANKS_MAX]; /* lines of it that were taken, up to LINES */
    uint32_t sum;                          /* the average, times 2^AVERAGE_SHIFT */
    int32_t move;                          /* change of sum by the arrival of the last cycle */
    bool few;
    bool valid; /* a line is offered */
    uint8_t bank, line;
    uint8_t turn; /* the bank that was chosen last */
};

bool row_prefetch_init(struct row_prefetch *s, const struct row_prefetch_params *p);
void row_prefetch_destroy(struct row_prefetch *s);
void row_prefetch_comb(const struct row_prefetch *s, const struct row_prefetch_in *in,
                       struct row_prefetch_out *out);
void row_prefetch_step(struct row_prefetch *s, const struct row_prefetch_in *in,
                       const struct row_prefetch_out *out);
bool row_prefetch_quiet(const struct row_prefetch *s, const struct row_prefetch_in *in);

#endif
