/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's arithmetic and casts with a rounding mode in the name. ROUNDED(cost, type, name,
 * parameters, value) stands for four functions, name_rn, _rz, _ru and _rd; NEAREST for name_rn
 * alone; WHOLE for casts to integers of a value that is rounded to one. IN: type of a parameter.
 */
/* clang-format off */
#define ARITHMETIC(f, type) \
    ROUNDED(fadd1, type, __##f##add, (IN(type) x, IN(type) y), x + y) \
    ROUNDED(fadd1, type, __##f##sub, (IN(type) x, IN(type) y), x - y) \
    ROUNDED(fmul1, type, __##f##mul, (IN(type) x, IN(type) y), x * y) \
    ROUNDED(fdiv1, type, __##f##div, (IN(type) x, IN(type) y), x / y) \
    ROUNDED(fdiv1, type, __##f##rcp, (IN(type) x), 1 / x) \
    ROUNDED(sfu1, type, __##f##sqrt, (IN(type) x), ROOT_##f(x))
ARITHMETIC(f, float)
ARITHMETIC(d, double)
#undef ARITHMETIC
ROUNDED(fma1, float, __fmaf, (IN(float) x, IN(float) y, IN(float) z), fmaf(x, y, z))
ROUNDED(fma1, float, __fmaf_ieee, (IN(float) x, IN(float) y, IN(float) z), fmaf(x, y, z))
ROUNDED(fma1, double, __fma, (IN(double) x, IN(double) y, IN(double) z), fma(x, y, z))
NEAREST(sfu1, float, __frsqrt, (IN(float) x), (float)(1 / sqrt((double)x)))
ROUNDED(fadd1, float, __double2float, (IN(double) x), (float)x)
#define FROM_INTEGER(name, type) \
    ROUNDED(fadd1, float, __##name##2float, (IN(type) x), (float)x)
FROM_INTEGER(int, int)
FROM_INTEGER(uint, unsigned)
FROM_INTEGER(ll, long long)
FROM_INTEGER(ull, unsigned long long)
#undef FROM_INTEGER
NEAREST(fadd1, double, __int2double, (IN(int) x), (double)x)
NEAREST(fadd1, double, __uint2double, (IN(unsigned) x), (double)x)
ROUNDED(fadd1, double, __ll2double, (IN(long long) x), (double)x)
ROUNDED(fadd1, double, __ull2double, (IN(unsigned long long) x), (double)x)
#define TO_INTEGER(from, cost) \
    WHOLE(cost, int, __##from##2int, from, whole_of(x, 32, true, sizeof x > 4)) \
    WHOLE(cost, unsigned, __##from##2uint, from, whole_of(x, 32, false, sizeof x > 4)) \
    WHOLE(cost, long long, __##from##2ll, from, whole_of(x, 64, true, true)) \
    WHOLE(cost, unsigned long long, __##from##2ull, from, whole_of(x, 64, false, true))
TO_INTEGER(float, fadd1)
TO_INTEGER(double, dadd1)
#undef TO_INTEGER
