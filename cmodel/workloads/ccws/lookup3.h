/* SPDX-License-Identifier: Apache-2.0
 *
 * Bob Jenkins' hash function lookup3 for keys of bytes (hashlittle), as he published it: groups of
 * 12 bytes are added to three words and mixed reversibly; the last group is mixed once more so that
 * each bit of it changes half of the result.
 */
#ifndef WARPMEM_WORKLOADS_CCWS_LOOKUP3_H
#define WARPMEM_WORKLOADS_CCWS_LOOKUP3_H

#include <stdint.h>

/* Operations; a rotation and the operation on its result count as one. */
#define LOOKUP3_MIX_OPERATIONS 18
#define LOOKUP3_FINAL_OPERATIONS 14

struct lookup3 {
    uint32_t a, b, c;
};

static inline uint32_t lookup3_rotate(uint32_t x, unsigned bits) {
    return x << bits | x >> (32 - bits);
}

static inline struct lookup3 lookup3_start(uint32_t length, uint32_t initial) {
    const uint32_t x = UINT32_C(0xdeadbeef) + length + initial;
    return (struct lookup3){x, x, x};
}

/* One of six steps: *x -= z, *x ^= z rotated, z += y. */
static inline void lookup3_mix_step(uint32_t *x, uint32_t y, uint32_t *z, unsigned bits) {
    *x = (*x - *z) ^ lookup3_rotate(*z, bits);
    *z += y;
}

static inline void lookup3_mix(struct lookup3 *h) {
    lookup3_mix_step(&h->a, h->b, &h->c, 4);
    lookup3_mix_step(&h->b, h->c, &h->a, 6);
    lookup3_mix_step(&h->c, h->a, &h->b, 8);
    lookup3_mix_step(&h->a, h->b, &h->c, 16);
    lookup3_mix_step(&h->b, h->c, &h->a, 19);
    lookup3_mix_step(&h->c, h->a, &h->b, 4);
}

static inline void lookup3_final_step(uint32_t *x, uint32_t y, unsigned bits) {
    *x = (*x ^ y) - lookup3_rotate(y, bits);
}

static inline void lookup3_final(struct lookup3 *h) {
    lookup3_final_step(&h->c, h->b, 14);
    lookup3_final_step(&h->a, h->c, 11);
    lookup3_final_step(&h->b, h->a, 25);
    lookup3_final_step(&h->c, h->b, 16);
    lookup3_final_step(&h->a, h->c, 4);
    lookup3_final_step(&h->b, h->a, 14);
    lookup3_final_step(&h->c, h->b, 24);
}

/** lookup3() - of @length bytes; the order of bytes is the little-endian one on any machine. */
static inline uint32_t lookup3(const uint8_t *key, uint32_t length, uint32_t initial) {
    struct lookup3 h = lookup3_start(length, initial);
    for (uint32_t done = 0; done < length; done += 12) {
        uint32_t word[3] = {0};
        for (uint32_t i = 0; i < 12 && done + i < length; i++) {
            word[i / 4] |= (uint32_t)key[done + i] << i % 4 * 8;
        }
        h.a += word[0];
        h.b += word[1];
        h.c += word[2];
        if (length - done > 12) {
            lookup3_mix(&h);
        } else {
            lookup3_final(&h);
        }
    }
    return h.c;
}

#endif
