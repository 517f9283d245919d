/* SPDX-License-Identifier: Apache-2.0
 *
 * The random numbers of cosim/rng.h, taken from the fuzzer's bytes: the generators of the tests
 * then make what the bytes say, and a changed byte changes one choice. Behind the bytes, and for
 * generators that seed themselves, it is chance from a seed. To be included first: it stands in
 * place of the other header.
 */
#ifndef WARPMEM_COSIM_RNG_H
#define WARPMEM_COSIM_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint64_t state;
    const uint8_t *at, *end;
};

static inline void rng_seed(struct rng *r, uint64_t seed) {
    *r = (struct rng){.state = seed};
}

/* splitmix64 (Steele, Lea and Flood 2014). */
static inline uint64_t rng_chance_bits(struct rng *r) {
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/** rng_bytes() - draw from these bytes as long as there are some. */
static inline void rng_bytes(struct rng *r, const uint8_t *at, const uint8_t *end, uint64_t seed) {
    *r = (struct rng){seed, at, end};
}

static inline uint64_t rng_next(struct rng *r) {
    uint64_t value = 0;
    if (r->at == r->end) {
        return rng_chance_bits(r);
    }
    for (unsigned i = 0; i < 8 && r->at != r->end; i++) {
        value |= (uint64_t)*r->at++ << 8 * i;
    }
    return value;
}

/** rng_below() - as few bytes as the choice needs. */
static inline unsigned rng_below(struct rng *r, unsigned n) {
    uint32_t value = 0;
    if (r->at == r->end) {
        return (unsigned)((rng_chance_bits(r) >> 32) * n >> 32);
    }
    for (unsigned rest = n - 1, i = 0; rest && r->at != r->end; rest >>= 8, i += 8) {
        value |= (uint32_t)*r->at++ << i;
    }
    return value % n;
}

static inline bool rng_chance(struct rng *r, unsigned in, unsigned of) {
    return rng_below(r, of) < in;
}

#endif
