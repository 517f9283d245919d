/* SPDX-License-Identifier: Apache-2.0
 *
 * Prefetch of open rows in a DRAM channel: connects the block dram/row_prefetch to the channel's
 * scheduler and to the L2 (OWL 4.4).
 *
 * A prefetch has three steps. The block offers a line. The channel sends the L2 a claim for it,
 * which the L2 answers in a cycle without a request (l2/prefetch.h). Column commands read a granted
 * line, in DRAM cycles without a command for a request, and its data goes to the L2 as a fetch's
 * does. A row with a granted line stays open until that is read. So even under the block's rule 1 a
 * request for another row waits for the outstanding lines, up to PREFETCHER_LINES_MAX and the
 * offered one. The channel sends a claim in each cycle, so lines that the L2 has cost a cycle each,
 * not the latency of an answer.
 *
 * A chip must compare a claim, like a read, with the writes between L2 bank and DRAM
 * (l2/partition.h); here values always follow the program's order.
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
    uint64_t cycle; /* cycle of the last evaluation; the block's Verilog reads it */
    struct row_prefetch_in in;
    struct row_prefetch_out out;
    uint64_t row_line[DRAM_BANKS_MAX]; /* a local line of each bank's open row */
    struct prefetcher_event event;
    uint64_t held;                     /* banks whose row must not be closed in this cycle */
    bool busy;                         /* the prefetcher may act without a request */
    bool failed;                       /* the block in lockstep differed */
    unsigned lines_of[DRAM_BANKS_MAX]; /* outstanding lines of each bank */
    uint64_t lines_in;                 /* banks with outstanding lines */
    unsigned lines;                    /* claims without an answer, or granted: up to
                                          PREFETCHER_LINES_MAX */
    struct dram_entry claimed[PREFETCHER_LINES_MAX]; /* oldest first */
    unsigned claimed_count;
};

/** prefetcher_create() - for a channel, which must have its map and outlive it. NULL:
 * refused. */
struct dram_prefetcher *prefetcher_create(struct dram_channel *d, const struct build *build);
void prefetcher_destroy(struct dram_prefetcher *f);

/**
 * prefetcher_begin() - a DRAM cycle begins; sets ->held, the banks that the scheduler must keep
 * open in it.
 * @wanted: banks for whose open row a request waits
 * @other: banks in which a request waits for another row than the open one
 * Return: true if ->held has changed, so that the scheduler must plan again.
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
