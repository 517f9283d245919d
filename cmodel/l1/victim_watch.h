/* SPDX-License-Identifier: Apache-2.0
 *
 * The victim tags of a core's L1 (l1/victim_tags.h): lines that the L1 evicts enter them, and
 * misses are looked up there. Only a line that left to make room for another counts as evicted, not
 * one that a write, an atomic, an uncached read or a launch drops. The owner of a line is the warp
 * slot that fetched it, as in the hardware.
 *
 * The block takes a look-up and an eviction a cycle, and the L1 takes l1.steps accesses. So misses
 * and evictions wait in their order before the block. (Chosen: a queue rather than a second port,
 * which would double the reads of the tags and their hazards; misses are far fewer than accesses,
 * at most one for each MSHR at once, so the queue is nearly always empty. A full queue refuses one
 * and counts it: tags are hints.) A warp that enters a slot drops those of the slot that wait.
 */
#ifndef WARPMEM_L1_VICTIM_WATCH_H
#define WARPMEM_L1_VICTIM_WATCH_H

#include "base/alarm.h"
#include "base/block.h"
#include "base/stats.h"
#include "config/config.h"
#include "l1/victim_tags.h"

#define VICTIM_WAITING 32 /* cycles of the block that wait */

struct victim_watch_stats {
    uint64_t evictions, misses, hits, refused;
};

struct victim_watch {
    struct block_instance block;
    struct alarm *alarm;
    uint64_t cycle;           /* of the block; its Verilog reads it */
    struct victim_tags_in in; /* of that cycle */
    struct victim_tags_out out;
    struct victim_tags_in waits[VICTIM_WAITING]; /* inputs of the cycles after it */
    unsigned head, waiting;
    uint64_t clearing; /* slots whose lines must be cleared, one a cycle */
    bool busy;         /* the block must be stepped, or its hit has not been reported */
    bool told;         /* the hit of this cycle has been reported */
    struct victim_watch_stats stats;
};

/** struct victim_hit - warp @warp has missed on a line that it had lost; known in @cycle. */
struct victim_hit {
    uint64_t cycle;
    unsigned warp;
};

/** victim_watch_params() - parameters of the block in this configuration. */
struct victim_tags_params victim_watch_params(const struct config *config);

/** victim_watch_create() - of core number @core. NULL: refused. */
struct victim_watch *victim_watch_create(const struct config *config, unsigned core,
                                         const struct build *build);
void victim_watch_destroy(struct victim_watch *v);

/** victim_watch_rest() - set the cycle of an idle block to @cycle. */
static inline void victim_watch_rest(struct victim_watch *v, uint64_t cycle) {
    v->cycle = v->cycle > cycle ? v->cycle : cycle;
}

/** victim_watch_next_hit() - step the block up to @cycle, or to the first cycle with an unreported
 * hit. Return: true if there is one; call again. */
bool victim_watch_next_hit(struct victim_watch *v, uint64_t cycle, struct victim_hit *hit);

/** victim_watch_miss(), victim_watch_evict(), victim_watch_clear() - in the block's current cycle:
 * a read has missed; a line has been evicted; new warps enter slots. Return of a miss: the cycle of
 * its hit, if it is one; 0: it was refused. */
uint64_t victim_watch_miss(struct victim_watch *v, unsigned warp, uint64_t line);
void victim_watch_evict(struct victim_watch *v, unsigned warp, uint64_t line);
void victim_watch_clear(struct victim_watch *v, uint64_t warps);

bool victim_watch_register_stats(const struct victim_watch *v, struct stats *s);

#endif
