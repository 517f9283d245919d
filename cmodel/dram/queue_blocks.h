/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of a DRAM channel in a machine that has one of them in Verilog: the timing of its banks
 * (dram/bank_timing), and the queue that it allows commands (dram/fr_fcfs). Other machines have
 * dram/banks.h and dram/one_queue.h instead, which skip the cycles in which nothing happens.
 */
#ifndef WARPMEM_DRAM_QUEUE_BLOCKS_H
#define WARPMEM_DRAM_QUEUE_BLOCKS_H

#include "base/block.h"
#include "dram/bank_timing.h"
#include "dram/channel.h"
#include "dram/fr_fcfs.h"

/** struct timing_block - @used: there is one. @in: the command of this cycle. @out: the masks of
 * the latest cycle. */
struct timing_block {
    bool used;
    struct block_instance block;
    struct bank_timing_in in;
    struct bank_timing_out out;
};

/** timing_block_init() - make that of a channel, with masks @lead cycles ahead. False: refused. */
bool timing_block_init(struct timing_block *t, const struct dram_channel *d,
                       const struct build *build, unsigned lead, const uint64_t *cycle);
void timing_block_destroy(struct timing_block *t);

/** timing_block_begin() - a cycle begins without a command. timing_block_tell() - it has one. */
void timing_block_begin(struct timing_block *t);
void timing_block_tell(struct timing_block *t, uint8_t kind, uint8_t bank, bool write);
/** timing_block_end() - compute the masks, which include this cycle's command. */
void timing_block_end(struct timing_block *t);
/** timing_block_quiet() - nothing changes until a command comes. timing_block_step() - the clock
 * edge. False: the block in lockstep differed. */
bool timing_block_quiet(struct timing_block *t);
bool timing_block_step(struct timing_block *t);

/** struct queue_blocks - @in, @out: of the queue in this cycle. @used: the channel has them.
 * @waits: the head of the channel's d->in is in the queue already, and takes no part yet.
 * @tags: of the requests in the queue, oldest first, so at their position in the channel. */
struct queue_blocks {
    bool used, failed, waits, admits;
    uint8_t tags[FR_FCFS_DEPTH_MAX + 1], tag_count;
    struct block_instance queue;
    struct fr_fcfs_in in;
    struct fr_fcfs_out out;
    struct timing_block timing;
    uint64_t cycle; /* current DRAM cycle */
};

/** queue_blocks_init() - make them if the build names one of them; sets @d->early. False:
 * refused. */
bool queue_blocks_init(struct queue_blocks *b, struct dram_channel *d, const struct build *build);
void queue_blocks_destroy(struct queue_blocks *b);

/** queue_blocks_begin() - a cycle begins: offers the request of d->in that is visible in the next
 * cycle, and computes the queue's outputs. @hold: banks whose row is not closed */
void queue_blocks_begin(struct queue_blocks *b, struct dram_channel *d, const struct now *now,
                        uint64_t hold);
/** queue_blocks_admits() - does the head of d->in take part from this cycle on? */
static inline bool queue_blocks_admits(const struct queue_blocks *b) {
    return b->admits;
}
/** queue_blocks_position() - position of the request whose command the queue issues. */
unsigned queue_blocks_position(const struct queue_blocks *b, const struct dram_channel *d);
/** queue_blocks_end() - the masks and the clock edge. Return: time of the next cycle with work. */
uint64_t queue_blocks_end(struct queue_blocks *b, struct dram_channel *d, const struct now *now);

#endif
