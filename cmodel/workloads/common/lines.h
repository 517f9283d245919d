/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines that a warp touches, for expectations. Arrays begin at a line boundary.
 */
#ifndef WARPMEM_WORKLOADS_COMMON_LINES_H
#define WARPMEM_WORKLOADS_COMMON_LINES_H

#include <stdint.h>

#include "kernel/insn.h"

/** lines_of_run() - lines of @count adjacent elements of @width bytes from @first on. */
static inline uint64_t lines_of_run(uint64_t first, uint64_t count, unsigned width,
                                    unsigned line_bytes) {
    return count ? (first + count) * width / line_bytes +
                       ((first + count) * width % line_bytes != 0) - first * width / line_bytes
                 : 0;
}

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

/* The different lines among the elements that the lanes of a warp touch, of one array. */
struct line_set {
    uint64_t line[WARP_SIZE];
    unsigned count;
};

/** line_set_add() - element @index of @width bytes, a divisor of @line_bytes. */
static inline void line_set_add(struct line_set *s, uint64_t index, unsigned width,
                                unsigned line_bytes) {
    uint64_t line = index * width / line_bytes;
    unsigned i = s->count;
    while (i > 0 && s->line[i - 1] != line) {
        i--;
    }
    if (i == 0) {
        s->line[s->count++] = line;
    }
}

#endif
