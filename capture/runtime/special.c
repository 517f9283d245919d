/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's functions of real numbers: those of the C library, and the others, which are computed with
 * more bits than their results have.
 */
#define _GNU_SOURCE
#include <math.h>

#include "runtime/listed.h"

static const long double pi = 3.14159265358979323846264338327950288L;
static const long double root_of_half = 0.707106781186547524400844362104849039L;

/* sin(pi x), exact where it is 0 or 1. */
static long double sine_of_turns(long double x) {
    long double r = remainderl(x, 2); /* from -1 to 1 */
    if (r == 0 || fabsl(r) == 1) {
        return copysignl(0, x);
    }
    r = fabsl(r) > 0.5L ? copysignl(1 - fabsl(r), r) : r;
    return fabsl(r) <= 0.25L ? sinl(pi * r) : copysignl(cosl(pi * (0.5L - fabsl(r))), r);
}

static long double cosine_of_turns(long double x) {
    const long double r = fabsl(remainderl(x, 2));
    return r <= 0.25L   ? cosl(pi * r)
           : r <= 0.75L ? sinl(pi * (0.5L - r))
           : r <= 1     ? -cosl(pi * (1 - r))
                        : r; /* no number */
}

/* Halley's iteration on erf(y) = x, or on erfc(y) = 1 - x; @miss: what is missing at y. */
static long double corrected_root(long double y, long double miss) {
    const long double slope = 2 / sqrtl(pi) * expl(-y * y);
    return y - miss / (slope + y * miss);
}

static long double inverse_of_erfc(long double x);

static long double inverse_of_erf(long double x) {
    if (fabsl(x) > 0.5L) {
        return copysignl(inverse_of_erfc(1 - fabsl(x)), x);
    }
    long double y = x * sqrtl(pi) / 2;
    for (int i = 0; i < 5; i++) {
        y = corrected_root(y, erfl(y) - x);
    }
    return y;
}

static long double inverse_of_erfc(long double x) {
    if (!(x > 0 && x < 2)) {
        return x == 0 ? HUGE_VALL : x == 2 ? -HUGE_VALL : NAN;
    }
    if (x > 1) {
        return x < 1.5L ? -inverse_of_erf(x - 1) : -inverse_of_erfc(2 - x);
    }
    if (x > 0.5L) {
        return inverse_of_erf(1 - x);
    }
    /* erfc(y) is near exp(-y^2) / (y sqrt(pi)), so a step of the logarithm comes close. */
    long double y = sqrtl(-logl(x));
    for (int i = 0; i < 40; i++) {
        const long double wrong = logl(erfcl(y)) - logl(x),
                          slope = -2 / sqrtl(pi) * expl(-y * y) / erfcl(y);
        y -= wrong / slope;
        if (fabsl(wrong) < 1e-18L * fabsl(logl(x))) {
            break;
        }
    }
    return y;
}

static long double normal_below(long double x) {
    return erfcl(-x * root_of_half) / 2;
}

static long double inverse_of_normal(long double x) {
    return x > 0.25L && x < 0.75L ? inverse_of_erf(2 * x - 1) / root_of_half
                                  : -inverse_of_erfc(2 * x) / root_of_half;
}

/* exp(x^2) erfc(x); for large x its series. */
static long double scaled_erfc(long double x) {
    if (x < 50) {
        const long double square = x * x, rest = fmal(x, x, -square);
        return expl(square) * (1 + rest) * erfcl(x);
    }
    long double sum = 1, term = 1;
    for (int i = 1; i < 10; i++) {
        term *= -(2 * i - 1) / (2 * x * x);
        sum += term;
    }
    return sum / (x * sqrtl(pi));
}

/* The modified Bessel function of order 0 or 1: a series of positive terms. */
static long double bessel_sum(long double x, int order) {
    const long double quarter = x / 2 * (x / 2);
    long double term = order ? x / 2 : 1, sum = term;
    for (int i = 1; i < 10000 && fabsl(term) > fabsl(sum) * 1e-21L; i++) {
        term *= quarter / ((long double)i * (i + order));
        sum += term;
    }
    return sum;
}

static long double bessel_i0(long double x) {
    return fabsl(x) > 800 ? fabsl(x) * HUGE_VALL : bessel_sum(x, 0);
}

static long double bessel_i1(long double x) {
    return fabsl(x) > 800 ? x * HUGE_VALL : bessel_sum(x, 1);
}

static long double length_of_2(long double x, long double y) {
    return hypotl(x, y);
}

static long double length_of_3(long double x, long double y, long double z) {
    return hypotl(hypotl(x, y), z);
}

static long double length_of_4(long double x, long double y, long double z, long double w) {
    return hypotl(hypotl(x, y), hypotl(z, w));
}

static int exponent_of(double x) {
    int exponent = 0;
    frexp(x, &exponent);
    return isfinite(x) ? exponent : 0;
}

static double fraction_of(double x) {
    int exponent;
    return frexp(x, &exponent);
}

/* The low bits of the quotient, with its sign. */
static int quotient_of(double x, double y) {
    int quotient = 0;
    remquo(x, y, &quotient);
    return quotient;
}

#define WARPMEM_LIBRARY_1(cost, name) \
    WARPMEM_FUNCTION(cost, double, name, (double x), name(x)) \
    WARPMEM_FUNCTION(cost, float, name##f, (float x), name##f(x))
#define WARPMEM_LIBRARY_LONG(cost, name) \
    WARPMEM_FUNCTION(cost, double, name, (double x), (double)name##l(x)) \
    WARPMEM_FUNCTION(cost, float, name##f, (float x), (float)name##l(x))
#define WARPMEM_LIBRARY_2(cost, name) \
    WARPMEM_FUNCTION(cost, double, name, (double x, double y), name(x, y)) \
    WARPMEM_FUNCTION(cost, float, name##f, (float x, float y), name##f(x, y))
#define WARPMEM_SPECIAL_1(cost, name, value) \
    WARPMEM_FUNCTION(cost, double, name, (double x), (double)(value(x))) \
    WARPMEM_FUNCTION(cost, float, name##f, (float x), (float)(value(x)))
#define WARPMEM_SPECIAL_1_OF_C23 WARPMEM_SPECIAL_1
#define WARPMEM_SPECIAL_2(cost, name, value) \
    WARPMEM_FUNCTION(cost, double, name, (double x, double y), (double)(value(x, y))) \
    WARPMEM_FUNCTION(cost, float, name##f, (float x, float y), (float)(value(x, y)))
#define WARPMEM_SPECIAL_3(cost, name, value) \
    WARPMEM_FUNCTION(cost, double, name, (double x, double y, double z), (double)(value(x, y, z))) \
    WARPMEM_FUNCTION(cost, float, name##f, (float x, float y, float z), (float)(value(x, y, z)))
#define WARPMEM_SPECIAL_4(cost, name, value) \
    WARPMEM_FUNCTION(cost, double, name, (double x, double y, double z, double w), \
                     (double)(value(x, y, z, w))) \
    WARPMEM_FUNCTION(cost, float, name##f, (float x, float y, float z, float w), \
                     (float)(value(x, y, z, w)))
#include "include/warpmem_math_list.h"
