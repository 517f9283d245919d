/* SPDX-License-Identifier: Apache-2.0
 *
 * The L1 data cache of a core without time: what misses is there for the next access. Sets, ways,
 * index and what a write does are the machine's.
 */
#ifndef WARPMEM_CHARACTERIZE_REPLAY_H
#define WARPMEM_CHARACTERIZE_REPLAY_H

#include "base/tag_array.h"
#include "characterize/lines.h"

/* Accesses of the L1 data cache. Writes count where the cache keeps what is written. */
struct replay_counts {
    uint64_t reads, read_misses, writes, write_misses;
};

struct replay {
    const struct config *config;
    struct tag_array tags;
};

/** replay_init() - an empty cache. @config: must stay. False: out of memory. */
bool replay_init(struct replay *r, const struct config *config);
void replay_destroy(struct replay *r);
/** replay_launch() - a kernel begins: the cache is emptied where the machine does so. */
void replay_launch(struct replay *r);
/** replay_access() - the lines of a memory instruction of global or local memory; an atomic or an
 * uncached load leaves no copy of them. Return: must its warp wait for what lies beyond the L1? */
bool replay_access(struct replay *r, struct replay_counts *c, const struct insn *insn,
                   const struct accesses *a);
void replay_add(struct replay_counts *to, const struct replay_counts *c);

#endif
