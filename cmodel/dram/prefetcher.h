/* SPDX-License-Identifier: Apache-2.0
 *
 * Prefetch of open rows in a DRAM channel: what joins the block dram/row_prefetch with the
 * channel's scheduler and with the L2 (OWL 4.4).
 *
 * A line goes three steps. The block offers it. The channel asks the L2 for it: a claim, which the
 * L2 answers in a cycle without a request (l2/prefetch.h). A claimed line is read by column
 * commands of its row, in DRAM cycles in which no command is issued for a request, and its data
 * goes to the L2 as a fetch's does. A row with a claimed line stays open until that is read, so
 * under the block's rule 1 too a request for another row waits for the lines that are under way
 * already, PREFETCHER_LINES_MAX and the one offered at most. A line is asked for in each cycle, so
 * that those that the L2 has cost a cycle each, not an answer's time.
 *
 * A chip compares a claim with the writes between L2 bank and DRAM, as it does with a read
 * (l2/partition.h); here values are those of the program's order whatever comes first.
 */
#ifndef WARPMEM_DRAM_PREFETCHER_H
#define WARPMEM_DRAM_PREFETCHER_H

#include "base/block.h"
#include "config/derived.h"
#include "dram/channel.h"
#include "dram/row_prefetch.h"

/* The command of a cycle, for the block. */
struct prefetcher_event {
    bool activated, closed, finished; /* a row was opened; closed; a demand's last column command */
    bool write;                       /* opened for one */
    uint64_t local;                   /* the demand's line */
    unsigned bank;
};

struct dram_prefetcher {
    struct block_instance block;
    uint64_t cycle; /* of the last evaluation; the block's Verilog reads it */
    struct row_prefetch_in in;
    struct row_prefetch_out out;
    uint64_t row_line[DRAM_BANKS_MAX]; /* a local line of each bank's open row */
    struct prefetcher_event event;
    uint64_t held;                     /* banks whose row must not be closed in this cycle */
    bool busy;                         /* something may happen without a request */
    bool failed;                       /* the block in lockstep differed */
    unsigned lines_of[DRAM_BANKS_MAX]; /* of each bank, lines under way */
    uint64_t lines_in;                 /* banks with such lines */
    unsigned lines;                    /* asked for, or claimed: PREFETCHER_LINES_MAX at most */
    struct dram_entry claimed[PREFETCHER_LINES_MAX]; /* oldest first */
    unsigned claimed_count;
};

/** prefetcher_create() - of a channel, which has its map and outlives it. NULL: *error says why. */
struct dram_prefetcher *prefetcher_create(struct dram_channel *d, struct block_factory *blocks,
                                          char *error, size_t error_size);
void prefetcher_destroy(struct dram_prefetcher *f);

/**
 * prefetcher_begin() - a DRAM cycle begins; ->held is what the scheduler must keep open in it.
 * @wanted: banks for whose open row a request waits
 * @other: banks in which a request waits for another row than the open one
 * Return: ->held has changed, so what the scheduler planned may be wrong.
 */
bool prefetcher_begin(struct dram_channel *d, uint64_t wanted, uint64_t other,
                      const struct now *now);

/** prefetcher_note_activate(), _precharge(), _finished() - the scheduler's command of this cycle:
 * the activate for an entry; the precharge of a bank; the last column command for an entry. */
void prefetcher_note_activate(struct dram_prefetcher *f, const struct dram_entry *e);
void prefetcher_note_precharge(struct dram_prefetcher *f, unsigned bank);
void prefetcher_note_finished(struct dram_prefetcher *f, const struct dram_entry *e);

/**
 * prefetcher_end() - the cycle ends.
 * @idle: no command was issued in it
 * @arrival: a request has come in
 * Return: time of the prefetcher's next work; NEVER: when a request or an answer of the L2 comes.
 */
uint64_t prefetcher_end(struct dram_channel *d, bool idle, bool arrival, const struct now *now);

#endif
