/* SPDX-License-Identifier: Apache-2.0
 *
 * Exponential and logarithm of floats out of additions and multiplications alone, so that they are
 * the same on every computer. A few units in the last place, which is what a GPU's own have.
 */
#ifndef WARPMEM_WORKLOADS_ISPASS_WP_MATH_H
#define WARPMEM_WORKLOADS_ISPASS_WP_MATH_H

#include <math.h>

/** wp_exp() - e to the power of @x, which is cut to where a normal float can hold it. */
static inline float wp_exp(float x) {
    x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
    const float n = floorf(x * 1.44269504f + 0.5f);
    const float r = x - n * 0.693359375f + n * 2.12194440e-4f; /* ln 2 in two parts */
    const float series =
        1.0f +
        r * (1.0f +
             r * (0.5f + r * (1.0f / 6 + r * (1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720))))));
    return ldexpf(series, (int)n);
}

/** wp_log() - natural logarithm of @x > 0. */
static inline float wp_log(float x) {
    int exponent;
    float m = frexpf(x, &exponent);
    if (m < 0.70710678f) {
        m *= 2.0f;
        exponent--;
    }
    const float z = (m - 1.0f) / (m + 1.0f), zz = z * z, n = (float)exponent;
    const float series =
        2.0f * z * (1.0f + zz * (1.0f / 3 + zz * (1.0f / 5 + zz * (1.0f / 7 + zz * (1.0f / 9)))));
    return n * 0.693359375f - n * 2.12194440e-4f + series;
}

/** wp_pow() - @x > 0 to the power of @y. */
static inline float wp_pow(float x, float y) {
    return wp_exp(wp_log(x) * y);
}

static inline float wp_max(float a, float b) {
    return a > b ? a : b;
}

static inline float wp_min(float a, float b) {
    return a < b ? a : b;
}

#endif
