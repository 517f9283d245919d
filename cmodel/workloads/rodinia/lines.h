/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting the lines of accesses, for expectations that follow from the inputs.
 */
#ifndef WARPMEM_WORKLOADS_RODINIA_LINES_H
#define WARPMEM_WORKLOADS_RODINIA_LINES_H

#include <stdint.h>

/** lines_of() - lines that a warp touches: @byte of each of @lanes active lanes, none across two
 * lines. */
static inline unsigned lines_of(const uint64_t *byte, unsigned lanes, unsigned line_bytes) {
    unsigned count = 0;
    for (unsigned i = 0; i < lanes; i++) {
        unsigned j = 0;
        while (byte[j] / line_bytes != byte[i] / line_bytes) {
            j++;
        }
        count += i == j;
    }
    return count;
}

/** lines_of_run() - the same of elements @first to @last of an array that begins at a line. */
static inline uint64_t lines_of_run(uint64_t first, uint64_t last, unsigned width,
                                    unsigned line_bytes) {
    return (last * width + width - 1) / line_bytes - first * width / line_bytes + 1;
}

#endif
