/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeded pseudo-random numbers: the same everywhere for the same seed. (xoshiro256**, Blackman and
 * Vigna 2018, seeded by splitmix64, as its authors advise.)
 */
#ifndef WARPMEM_COSIM_RNG_H
#define WARPMEM_COSIM_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint64_t s[4];
};

static inline uint64_t rng_splitmix(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline void rng_seed(struct rng *r, uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        r->s[i] = rng_splitmix(&seed);
    }
}

/** rng_next() - 64 random bits. */
static inline uint64_t rng_next(struct rng *r) {
    uint64_t x = r->s[1] * 5;
    uint64_t result = (x << 7 | x >> 57) * 9;
    uint64_t t = r->s[1] << 17;
    r->s[2] ^= r->s[0];
    r->s[3] ^= r->s[1];
    r->s[1] ^= r->s[2];
    r->s[0] ^= r->s[3];
    r->s[2] ^= t;
    r->s[3] = r->s[3] << 45 | r->s[3] >> 19;
    return result;
}

/** rng_below() - a number from 0 to n - 1; n is 1 to 2^32 - 1. Bias below n / 2^32. */
static inline unsigned rng_below(struct rng *r, unsigned n) {
    return (unsigned)((rng_next(r) >> 32) * n >> 32);
}

/** rng_chance() - true in `in` of `of` cases. */
static inline bool rng_chance(struct rng *r, unsigned in, unsigned of) {
    return rng_below(r, of) < in;
}

#endif
