/* SPDX-License-Identifier: Apache-2.0
 *
 * A core's L1 data, texture and constant caches without timing: a line that misses is present for
 * the next access. Sets, ways, index and write policy are the machine's.
 */
#ifndef WARPMEM_CHARACTERIZE_REPLAY_H
#define WARPMEM_CHARACTERIZE_REPLAY_H

#include "base/tag_array.h"
#include "characterize/lines.h"

/* Accesses of the L1 data cache (writes count if the cache keeps the written data), and of the
 * texture and the constant cache. */
struct replay_counts {
    uint64_t reads, read_misses, writes, write_misses;
    uint64_t texture, texture_misses, constant, constant_misses;
};

/** replay_misses() - misses of all three caches. */
static inline uint64_t replay_misses(const struct replay_counts *c) {
    return c->read_misses + c->write_misses + c->texture_misses + c->constant_misses;
}

struct replay {
    const struct config *config;
    struct tag_array tags, texture, constant;
};

/** replay_init() - an empty cache. @config must outlive it. False: out of memory. */
bool replay_init(struct replay *r, const struct config *config);
void replay_destroy(struct replay *r);
/** replay_launch() - a kernel begins: the cache is emptied where the machine does so. */
void replay_launch(struct replay *r);
/** replay_access() - perform a memory instruction's accesses; an atomic or an uncached load leaves
 * no copy in the data cache. Return: lines that its warp waits for, because no L1 holds them.
 */
unsigned replay_access(struct replay *r, struct replay_counts *c, const struct insn *insn,
                       const struct accesses *a);
void replay_add(struct replay_counts *to, const struct replay_counts *c);

#endif
