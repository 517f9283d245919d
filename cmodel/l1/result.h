/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_RESULT_H
#define WARPMEM_L1_RESULT_H

/* The outcome of an access to the L1. The failures are the causes of a reservation failure: nothing
 * has changed, retry. */
enum l1_result {
    L1_HIT,         /* the data is in the cache */
    L1_PENDING_HIT, /* the line's fill is under way: merged into its MSHR */
    L1_MISS,        /* line, MSHR and miss-queue place taken */
    L1_BYPASS,      /* sent without a line */
    L1_WRITE,       /* sent: the L2 will acknowledge it */
    L1_WRITE_DONE,  /* the write is in the cache and ends here */
    L1_ATOMIC,      /* sent: the L2 will answer with the old data */
    L1_FAIL_ASSOCIATIVITY,
    L1_FAIL_MSHR_FULL,
    L1_FAIL_MSHR_MERGE,
    L1_FAIL_MISS_QUEUE,
    L1_RESULTS
};

#define L1_FAILS L1_FAIL_ASSOCIATIVITY /* first of the failures */

#endif
