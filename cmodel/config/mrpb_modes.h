/* SPDX-License-Identifier: Apache-2.0
 *
 * Choices of the memory request prioritization buffer, the same numbers in the configuration and in
 * the parameters of the block (Jia, Shaw, Martonosi, HPCA 2014, table 4): each constant with its
 * word, V(CONSTANT, "word"), as in the lists of config/config.h.
 */
#ifndef WARPMEM_CONFIG_MRPB_MODES_H
#define WARPMEM_CONFIG_MRPB_MODES_H

/* A request's signature, which selects its queue (3.2): the warp slot; the warp's number in its
 * thread block; the thread block's slot. */
#define MRPB_SIGNATURE_VALUES(V) \
    V(MRPB_SIGNATURE_WARP, "warp") \
    V(MRPB_SIGNATURE_IN_BLOCK_WARP, "in-block-warp") \
    V(MRPB_SIGNATURE_BLOCK, "block")

/* Drain policy, which selects the queue of the next request (3.3): the lowest queue that is not
 * empty; the next one in turn; the longest, of equals the lowest. The greedy ones empty a queue
 * before they choose again. */
#define MRPB_DRAIN_VALUES(V) \
    V(MRPB_DRAIN_FIXED, "fixed") \
    V(MRPB_DRAIN_ROUND_ROBIN, "round-robin") \
    V(MRPB_DRAIN_LONGEST, "longest") \
    V(MRPB_DRAIN_GREEDY_FIXED, "greedy-fixed") \
    V(MRPB_DRAIN_GREEDY_ROUND_ROBIN, "greedy-round-robin") \
    V(MRPB_DRAIN_GREEDY_LONGEST, "greedy-longest")

/* Stalls that let a read miss bypass the cache (3.4, 5.4): none; every line of its set waits for a
 * fill; any resource that a bypass does not need is missing. */
#define MRPB_BYPASS_VALUES(V) \
    V(MRPB_BYPASS_OFF, "off") \
    V(MRPB_BYPASS_ASSOCIATIVITY, "associativity") \
    V(MRPB_BYPASS_ALL, "all")

#define MRPB_CONSTANT(constant, word) constant,
enum mrpb_signature { MRPB_SIGNATURE_VALUES(MRPB_CONSTANT) };
enum mrpb_drain { MRPB_DRAIN_VALUES(MRPB_CONSTANT) };
enum mrpb_bypass { MRPB_BYPASS_VALUES(MRPB_CONSTANT) };

#endif
