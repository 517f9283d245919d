/* SPDX-License-Identifier: Apache-2.0
 *
 * The host side of Rodinia srad_v2 and of its version without shared memory: image, launches,
 * results. Two launches an iteration; between iterations the host works out from a corner of the
 * image how strongly the next one diffuses.
 */
#ifndef WARPMEM_WORKLOADS_RODINIA_SRAD_V2_H
#define WARPMEM_WORKLOADS_RODINIA_SRAD_V2_H

#include "workloads/host.h"
#include "workloads/workload.h"

#define SRAD_V2_BLOCK 16
#define SRAD_V2_SIZE_TEXT \
    [SIZE_TINY] = "32 x 1024 pixels, 1 iteration", \
    [SIZE_SMALL] = "512 x 1024 pixels, 2 iterations", \
    [SIZE_PAPER_MRPB] = "1024 x 1024 pixels, 2 iterations"

struct srad_v2 {
    struct host host;
    const struct srad_v2_kernels *kernels;
    unsigned rows, columns, iterations;
    uint64_t seed;
    float q0sqr; /* of this iteration */
    /* J and C have a row before and a row after the image; the kernels read these and ignore the
     * values. */
    struct buffer j, c, e, w, s, n;
};

struct srad_v2_kernels {
    const struct kernel_code *code[2];
    simt_kernel *kernel[2];
};

bool srad_v2_open(struct srad_v2 *k, enum workload_size size, uint64_t seed,
                  const struct srad_v2_kernels *kernels);
/** srad_v2_plain() - of struct workload; its results. */
extern const struct workload_result srad_v2_results[];
bool srad_v2_plain(void *self, void *const expected[]);

/* Index @at of an image in J and C, which have a guard row in front. */
static inline int64_t srad_v2_guarded(const struct srad_v2 *k, int64_t at) {
    return at + k->columns;
}

/** srad_v2_segment_lines() - lines of the floats @first to @last of a row, which begins a line. */
static inline uint64_t srad_v2_segment_lines(uint64_t first, uint64_t last, unsigned line_bytes) {
    return last * 4 / line_bytes - first * 4 / line_bytes + 1;
}

#endif
