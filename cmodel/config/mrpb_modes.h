/* SPDX-License-Identifier: Apache-2.0
 *
 * Choices of the memory request prioritization buffer, the same numbers in the configuration and in
 * the parameters of the block (Jia, Shaw, Martonosi, HPCA 2014, table 4).
 */
#ifndef WARPMEM_CONFIG_MRPB_MODES_H
#define WARPMEM_CONFIG_MRPB_MODES_H

/* What decides a request's queue (3.2). */
enum mrpb_signature {
    MRPB_SIGNATURE_WARP,          /* the warp slot */
    MRPB_SIGNATURE_IN_BLOCK_WARP, /* the warp's number in its thread block */
    MRPB_SIGNATURE_BLOCK,         /* the thread block's slot */
};

/* Which queue gives the next request (3.3). The greedy ones empty a queue before they choose
 * again. */
enum mrpb_drain {
    MRPB_DRAIN_FIXED,       /* the lowest queue that is not empty */
    MRPB_DRAIN_ROUND_ROBIN, /* the next one in turn */
    MRPB_DRAIN_LONGEST,     /* the longest; of equals the lowest */
    MRPB_DRAIN_GREEDY_FIXED,
    MRPB_DRAIN_GREEDY_ROUND_ROBIN,
    MRPB_DRAIN_GREEDY_LONGEST,
};

/* Which refusals of the cache let a read that missed bypass it (3.4, 5.4). */
enum mrpb_bypass {
    MRPB_BYPASS_OFF,
    MRPB_BYPASS_ASSOCIATIVITY, /* every line of its set waits for a fill */
    MRPB_BYPASS_ALL,           /* any resource that a bypass does not need is missing */
};

#endif
