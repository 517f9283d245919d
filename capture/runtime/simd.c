/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's SIMD functions of words.
 */
#include "runtime/listed.h"

static int64_t clamped(int64_t value, int64_t least, int64_t most) {
    return value < least ? least : value > most ? most : value;
}

static int64_t not_negative(int64_t value) {
    return value < 0 ? 0 : value;
}

/* Lane @i of @bits bits. */
static int64_t lane_s(uint32_t word, unsigned i, unsigned bits) {
    return (int32_t)(word << (32 - bits - bits * i)) >> (32 - bits);
}

static int64_t lane_u(uint32_t word, unsigned i, unsigned bits) {
    return word << (32 - bits - bits * i) >> (32 - bits);
}

#define LEAST_s(bits) (INT64_MIN >> (64 - (bits)))
#define MOST_s(bits) (INT64_MAX >> (64 - (bits)))
#define LEAST_u(bits) 0
#define MOST_u(bits) ((int64_t)(UINT32_MAX >> (32 - (bits))))

/* The lanes of the result at their places, or their sum. */
#define LANES(kind, name, bits, sums, value) \
    static uint32_t name(uint32_t a, uint32_t b, uint32_t c) { \
        const int64_t LEAST = LEAST_##kind(bits), MOST = MOST_##kind(bits); \
        uint32_t result = 0; \
        for (unsigned i = 0; i < 32 / (bits); i++) { \
            const int64_t x = lane_##kind(a, i, bits), y = lane_##kind(b, i, bits), \
                          z = lane_##kind(c, i, bits), \
                          sum = lane_##kind((uint32_t)(x + y), 0, bits); \
            const uint32_t lane = (uint32_t)(value); \
            (void)x, (void)y, (void)z, (void)sum, (void)LEAST, (void)MOST; \
            result += (sums) ? lane : (lane & (uint32_t)MOST_u(bits)) << (bits)*i; \
        } \
        return result; \
    }
#define WARPMEM_LISTED_1(cost, type, name, lanes) \
    WARPMEM_FUNCTION(cost, type, name, (type a), (type)lanes((uint32_t)a, 0, 0))
#define WARPMEM_LISTED_2(cost, type, name, lanes) \
    WARPMEM_FUNCTION(cost, type, name, (type a, type b), (type)lanes((uint32_t)a, (uint32_t)b, 0))
#define WARPMEM_LISTED_3(cost, type, name, lanes) \
    WARPMEM_FUNCTION(cost, type, name, (type a, type b, type c), \
                     (type)lanes((uint32_t)a, (uint32_t)b, (uint32_t)c))

/* clang-format off */
#define LISTED(cost, type, name, parameters, kind, bits, sums, value) \
    LANES(kind, lanes_of_##name, bits, sums, value) \
    WARPMEM_LISTED_##parameters(cost, type, name, lanes_of_##name)
#define WARPMEM_EACH(cost2, cost4, kind, name, parameters, value) \
    LISTED(cost2, unsigned, name##2, parameters, kind, 16, false, value) \
    LISTED(cost4, unsigned, name##4, parameters, kind, 8, false, value)
#define WARPMEM_SUM(cost2, cost4, kind, name, value) \
    LISTED(cost2, unsigned, name##2, 2, kind, 16, true, value) \
    LISTED(cost4, unsigned, name##4, 2, kind, 8, true, value)
#define WARPMEM_WORD_AND_HALVES(cost1, cost2, kind, name, more, parameters, type, value) \
    LISTED(cost1, type, name##_##kind##32##more, parameters, kind, 32, false, value) \
    LISTED(cost2, unsigned, name##_##kind##16x2##more, parameters, kind, 16, false, value)
/* clang-format on */
#include "include/warpmem_simd_list.h"
