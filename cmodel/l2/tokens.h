/* SPDX-License-Identifier: Apache-2.0
 *
 * PCAL at the L2 (Li et al., HPCA 2015; MeDiC section 5): only misses of warps with a token take a
 * line. A partition has its own tokens: what it sees needs no wires to the others.
 *
 * When an epoch begins, "the warp that recently used the cache" comes first (MeDiC 5): of the warps
 * that used the partition in the epoch before, those whose last use was latest keep or get a token.
 * Tokens that are left over go to warps "in order of their arrival".
 */
#ifndef WARPMEM_L2_TOKENS_H
#define WARPMEM_L2_TOKENS_H

#include <stdbool.h>
#include <stdint.h>

struct tokens {
    unsigned warps, count; /* @count: tokens */
    unsigned left;         /* not granted in this epoch */
    uint64_t uses;         /* by all warps, for their order */
    uint64_t epoch_began;  /* uses before */
    uint64_t *last_use;    /* [warp] 0: never */
    bool *has;             /* [warp] */
    uint32_t *recent;      /* [count] warps while an epoch begins */
};

/** tokens_init() - of so many warp slots; all tokens are left over. False: out of memory. */
bool tokens_init(struct tokens *t, unsigned warps, unsigned count);
void tokens_destroy(struct tokens *t);

/** tokens_use() - a request of the warp arrives. Return: has the warp a token, also if just now? */
bool tokens_use(struct tokens *t, unsigned warp);

/** tokens_epoch() - an epoch begins. */
void tokens_epoch(struct tokens *t);

#endif
