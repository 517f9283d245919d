/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of real numbers that a kernel calls.
 */
#ifndef WARPMEM_MATH_H
#define WARPMEM_MATH_H

#include "warpmem_functions.h"

/* Integers and mixed types are computed as doubles. */
template <bool, class T> struct __wm_if {};
template <class T> struct __wm_if<true, T> { typedef T type; };
template <class T> struct __wm_is_integer { static const bool value = __is_integral(T); };
template <class T, class U> struct __wm_is_mixed {
    static const bool value = (__is_integral(T) || (__is_floating_point(T) && !__is_same(T, U))) &&
                              (__is_integral(U) || __is_floating_point(U));
};
#define WARPMEM_INTEGERS_1(name) \
    template <class T> \
    WARPMEM_DEVICE typename __wm_if<__wm_is_integer<T>::value, double>::type name(T x) { \
        return name((double)x); \
    } \
    namespace std { \
    using ::name; \
    }
#define WARPMEM_INTEGERS_2(name) \
    template <class T, class U> \
    WARPMEM_DEVICE typename __wm_if<__wm_is_mixed<T, U>::value, double>::type name(T x, U y) { \
        return name((double)x, (double)y); \
    } \
    namespace std { \
    using ::name; \
    }
#define WARPMEM_LIBRARY_1(cost, name) \
    WARPMEM_DEVICE_FUNCTION(cost, double, name, (double x), ) \
    WARPMEM_DEVICE_FUNCTION(cost, float, name##f, (float x), ) \
    WARPMEM_ON_DEVICE float name(float x) __asm__("__wm_" #cost "_" #name "f"); \
    WARPMEM_INTEGERS_1(name)
#define WARPMEM_LIBRARY_LONG WARPMEM_LIBRARY_1
#define WARPMEM_LIBRARY_2(cost, name) \
    WARPMEM_DEVICE_FUNCTION(cost, double, name, (double x, double y), ) \
    WARPMEM_DEVICE_FUNCTION(cost, float, name##f, (float x, float y), ) \
    WARPMEM_ON_DEVICE float name(float x, float y) __asm__("__wm_" #cost "_" #name "f"); \
    WARPMEM_INTEGERS_2(name)
#define WARPMEM_SPECIAL(where, cost, name, doubles, floats) \
    where double name doubles __asm__("__wm_" #cost "_" #name); \
    where float name floats __asm__("__wm_" #cost "_" #name "f"); \
    where float name##f floats __asm__("__wm_" #cost "_" #name "f");
#define WARPMEM_SPECIAL_1(cost, name, value) \
    WARPMEM_SPECIAL(WARPMEM_ON_BOTH, cost, name, (double x), (float x))
#define WARPMEM_SPECIAL_2(cost, name, value) \
    WARPMEM_SPECIAL(WARPMEM_ON_BOTH, cost, name, (double x, double y), (float x, float y))
#define WARPMEM_SPECIAL_3(cost, name, value) \
    WARPMEM_SPECIAL(WARPMEM_ON_BOTH, cost, name, (double x, double y, double z), \
                    (float x, float y, float z))
#define WARPMEM_SPECIAL_4(cost, name, value) \
    WARPMEM_SPECIAL(WARPMEM_ON_BOTH, cost, name, (double x, double y, double z, double w), \
                    (float x, float y, float z, float w))
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 41)
#define WARPMEM_SPECIAL_1_OF_C23(cost, name, value) \
    WARPMEM_SPECIAL(WARPMEM_ON_DEVICE, cost, name, (double x), (float x))
#else
#define WARPMEM_SPECIAL_1_OF_C23 WARPMEM_SPECIAL_1
#endif
#include "warpmem_math_list.h"
#define WARPMEM_IN(type) type
#define WARPMEM_NEAREST(cost, type, name, parameters, value) \
    WARPMEM_FUNCTION(cost, type, name##_rn, parameters, value)
#define WARPMEM_ROUNDED(cost, type, name, parameters, value) \
    WARPMEM_FUNCTION(cost, type, name##_rn, parameters, value) \
    WARPMEM_FUNCTION(cost, type, name##_rz, parameters, value) \
    WARPMEM_FUNCTION(cost, type, name##_ru, parameters, value) \
    WARPMEM_FUNCTION(cost, type, name##_rd, parameters, value)
#define WARPMEM_WHOLE(cost, type, name, from, value) \
    WARPMEM_ROUNDED(cost, type, name, (from x), value)
#include "warpmem_rounding_list.h"
#undef WARPMEM_IN
#undef WARPMEM_NEAREST
#undef WARPMEM_ROUNDED
#undef WARPMEM_WHOLE

/* An instruction of the compiler's. */
#define WARPMEM_BUILTIN_1(name) \
    WARPMEM_DEVICE double name(double x) { \
        return __builtin_##name(x); \
    } \
    WARPMEM_DEVICE float name(float x) { \
        return __builtin_##name##f(x); \
    } \
    WARPMEM_DEVICE float name##f(float x) { \
        return __builtin_##name##f(x); \
    } \
    WARPMEM_INTEGERS_1(name)
#define WARPMEM_BUILTIN_2(name) \
    WARPMEM_DEVICE double name(double x, double y) { \
        return __builtin_##name(x, y); \
    } \
    WARPMEM_DEVICE float name(float x, float y) { \
        return __builtin_##name##f(x, y); \
    } \
    WARPMEM_DEVICE float name##f(float x, float y) { \
        return __builtin_##name##f(x, y); \
    } \
    WARPMEM_INTEGERS_2(name)
WARPMEM_BUILTIN_1(fabs)
WARPMEM_BUILTIN_1(floor)
WARPMEM_BUILTIN_1(ceil)
WARPMEM_BUILTIN_1(trunc)
WARPMEM_BUILTIN_1(round)
WARPMEM_BUILTIN_1(rint)
WARPMEM_BUILTIN_1(nearbyint)
WARPMEM_BUILTIN_2(fmin)
WARPMEM_BUILTIN_2(fmax)
WARPMEM_BUILTIN_2(copysign)
WARPMEM_DEVICE double fma(double x, double y, double z) {
    return __builtin_fma(x, y, z);
}

/* Functions for double and, with an f in functions' names, for float; then the names with an f. */
#define WARPMEM_REAL(real, f) \
    WARPMEM_DEVICE void sincos(real x, real *sine, real *cosine) { \
        *sine = sin##f(x); \
        *cosine = cos##f(x); \
    } \
    WARPMEM_DEVICE void sincospi(real x, real *sine, real *cosine) { \
        *sine = sinpi##f(x); \
        *cosine = cospi##f(x); \
    } \
    WARPMEM_DEVICE real frexp(real x, int *exponent) { \
        *exponent = __wm_exponent##f(x); \
        return __wm_fraction##f(x); \
    } \
    WARPMEM_DEVICE real modf(real x, real *whole) { \
        *whole = trunc##f(x); \
        return copysign##f(x - *whole == x - *whole ? x - *whole : x != x ? x : 0, x); \
    } \
    WARPMEM_DEVICE real remquo(real x, real y, int *quotient) { \
        *quotient = __wm_quotient##f(x, y); \
        return remainder##f(x, y); \
    } \
    WARPMEM_DEVICE real norm##f(int count, const real *p) { \
        real sum = 0; \
        for (int i = 0; i < count; i++) { \
            sum += p[i] * p[i]; \
        } \
        return sqrt##f(sum); \
    } \
    WARPMEM_DEVICE real rnorm##f(int count, const real *p) { \
        real sum = 0; \
        for (int i = 0; i < count; i++) { \
            sum += p[i] * p[i]; \
        } \
        return rsqrt##f(sum); \
    } \
    WARPMEM_DEVICE bool isnan(real x) { \
        return x != x; \
    } \
    WARPMEM_DEVICE bool isinf(real x) { \
        return __builtin_fabs##f(x) == __builtin_inf##f(); \
    } \
    WARPMEM_DEVICE bool isfinite(real x) { \
        return __builtin_fabs##f(x) < __builtin_inf##f(); \
    } \
    WARPMEM_DEVICE bool isnormal(real x) { \
        return __builtin_isnormal(x); \
    } \
    WARPMEM_DEVICE bool signbit(real x) { \
        return __builtin_signbit##f(x) != 0; \
    } \
    WARPMEM_DEVICE real abs(real x) { \
        return __builtin_fabs##f(x); \
    } \
    WARPMEM_DEVICE real pow(real x, int n) { \
        return pow##f(x, (real)n); \
    }
WARPMEM_REAL(double, )
WARPMEM_REAL(float, f)
#undef WARPMEM_REAL

/* One more name: @name of floats, or name##f. */
#define WARPMEM_SAME(type, name, parameters, value) \
    WARPMEM_DEVICE type name parameters { \
        return value; \
    }
WARPMEM_SAME(float, fma, (float x, float y, float z), __builtin_fmaf(x, y, z))
WARPMEM_SAME(float, fmaf, (float x, float y, float z), __builtin_fmaf(x, y, z))
WARPMEM_SAME(void, sincosf, (float x, float *s, float *c), sincos(x, s, c))
WARPMEM_SAME(void, sincospif, (float x, float *s, float *c), sincospi(x, s, c))
WARPMEM_SAME(float, frexpf, (float x, int *exponent), frexp(x, exponent))
WARPMEM_SAME(float, modff, (float x, float *whole), modf(x, whole))
WARPMEM_SAME(float, remquof, (float x, float y, int *quotient), remquo(x, y, quotient))
WARPMEM_SAME(float, ldexp, (float x, int n), ldexpf(x, n))
WARPMEM_SAME(float, scalbn, (float x, int n), scalbnf(x, n))
WARPMEM_SAME(float, scalbln, (float x, long n), scalblnf(x, n))
WARPMEM_SAME(int, ilogb, (float x), ilogbf(x))
WARPMEM_SAME(float, jn, (int n, float x), jnf(n, x))
WARPMEM_SAME(float, yn, (int n, float x), ynf(n, x))
WARPMEM_SAME(long, lrint, (double x), __double2ll_rn(x))
WARPMEM_SAME(long, lrint, (float x), __float2ll_rn(x))
WARPMEM_SAME(long, lrintf, (float x), __float2ll_rn(x))
WARPMEM_SAME(long long, llrint, (double x), __double2ll_rn(x))
WARPMEM_SAME(long long, llrint, (float x), __float2ll_rn(x))
WARPMEM_SAME(long long, llrintf, (float x), __float2ll_rn(x))
WARPMEM_SAME(long, lround, (double x), __double2ll_rz(round(x)))
WARPMEM_SAME(long, lround, (float x), __float2ll_rz(roundf(x)))
WARPMEM_SAME(long, lroundf, (float x), __float2ll_rz(roundf(x)))
WARPMEM_SAME(long long, llround, (double x), __double2ll_rz(round(x)))
WARPMEM_SAME(long long, llround, (float x), __float2ll_rz(roundf(x)))
WARPMEM_SAME(long long, llroundf, (float x), __float2ll_rz(roundf(x)))
WARPMEM_SAME(double, nan, (const char *), __builtin_nan(""))
WARPMEM_SAME(float, nanf, (const char *), __builtin_nanf(""))
WARPMEM_SAME(int, abs, (int x), x < 0 ? -x : x)
WARPMEM_SAME(long, labs, (long x), x < 0 ? -x : x)
WARPMEM_SAME(long, abs, (long x), x < 0 ? -x : x)
WARPMEM_SAME(long long, llabs, (long long x), x < 0 ? -x : x)
WARPMEM_SAME(long long, abs, (long long x), x < 0 ? -x : x)
WARPMEM_SAME(int, __isnan, (double x), isnan(x))
WARPMEM_SAME(int, __isnanf, (float x), isnan(x))
WARPMEM_SAME(int, __isinf, (double x), isinf(x))
WARPMEM_SAME(int, __isinff, (float x), isinf(x))
WARPMEM_SAME(int, __finite, (double x), isfinite(x))
WARPMEM_SAME(int, __finitef, (float x), isfinite(x))
WARPMEM_SAME(int, __isfinited, (double x), isfinite(x))
WARPMEM_SAME(int, __signbit, (double x), signbit(x))
WARPMEM_SAME(int, __signbitd, (double x), signbit(x))
WARPMEM_SAME(int, __signbitf, (float x), signbit(x))
#undef WARPMEM_SAME
WARPMEM_BOTH float fdividef(float x, float y) {
    return x / y;
}
WARPMEM_DEVICE void __sincosf(float x, float *sine, float *cosine) {
    *sine = __sinf(x);
    *cosine = __cosf(x);
}

namespace std {
using ::abs;
using ::fma;
using ::frexp;
using ::ilogb;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::isnormal;
using ::ldexp;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::nan;
using ::remquo;
using ::scalbln;
using ::scalbn;
using ::signbit;
} // namespace std

#endif
