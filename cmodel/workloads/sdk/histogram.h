/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of the CUDA SDK's histograms: random bytes, two launches, of which the first
 * leaves a partial histogram a block, and the second, a block a bin, adds those up. Its loads are
 * as far apart as a partial histogram is long, 256 bytes or 1 KB: a line a lane, in few sets.
 *
 * One run: the suite's own program repeats both launches to measure their time.
 */
#ifndef WARPMEM_WORKLOADS_SDK_HISTOGRAM_H
#define WARPMEM_WORKLOADS_SDK_HISTOGRAM_H

#include "workloads/workload.h"
#include "workloads/host.h"

/** struct histogram_form - the differences between the variants. */
struct histogram_form {
    unsigned bins;        /* a power of two: the upper bits of a byte */
    unsigned word;        /* bytes that a thread of the first launch loads at once */
    unsigned block;       /* its threads a CTA */
    unsigned ctas;        /* of it; 0: as bytes_a_cta requires */
    unsigned bytes_a_cta; /* of the input, at most */
    const struct kernel_code *code;
    simt_kernel *kernel;
    unsigned table_bytes; /* a CTA's counters in global memory; 0: they are in shared memory, and
                             so are the sums of the second launch */
};

struct histogram {
    struct host host;
    const struct histogram_form *form;
    unsigned bytes; /* a multiple of WARP_SIZE words */
    unsigned ctas;  /* of the first launch */
    uint64_t seed;
    struct buffer data, partial, result;
    struct buffer table, scratch; /* with table_bytes only: counters, sums of the second launch */
};

/** histogram_open() - allocate and fill @bytes of input, and add both launches. False: out of
 * memory. */
bool histogram_open(struct histogram *k, const struct histogram_form *form, unsigned bytes,
                    uint64_t seed);
/** histogram_fill() - the input. @bytes: a multiple of 8 */
void histogram_fill(uint8_t *data, unsigned bytes, uint64_t seed);
/** histogram_plain() - of struct workload; its results. */
extern const struct workload_result histogram_results[];
bool histogram_plain(void *self, void *const expected[]);
/** histogram_trips() - words that each of the 32 threads from @thread on loads: none reaches
 * beyond the input without the others. */
unsigned histogram_trips(const struct histogram *k, unsigned thread);
/** histogram_expect_merge() - add the counts of the second launch. */
void histogram_expect_merge(const struct histogram *k, unsigned line_bytes,
                            struct workload_expectation *e);

#endif
