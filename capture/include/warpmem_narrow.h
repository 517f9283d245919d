/* SPDX-License-Identifier: Apache-2.0
 *
 * A type of 16 bits, its vector of two and their functions: cuda_fp16.h and cuda_bf16.h include it
 * with NARROW (the type), NARROW2 (its vector), NARROW_RAW, NARROW2_RAW, NARROW_WORD and
 * NARROW2_WORD (their names in functions' names) and NARROW_S (which the runtime's names end with).
 */
#define NARROW_PASTE_(a, b, c) a##b##c
#define NARROW_PASTE(a, b, c) NARROW_PASTE_(a, b, c)
#define NARROW_NAME(cost, name) NARROW_PASTE(__wm_##cost##_, name##_, NARROW_S)
#define NARROW_DECLARE(type, cost, name, parameters) \
    extern "C" WARPMEM_ON_BOTH type NARROW_NAME(cost, name) parameters;

NARROW_DECLARE(float, fadd1, to_float, (unsigned))
NARROW_DECLARE(unsigned, fadd1, from_double, (double))
NARROW_DECLARE(unsigned, fma2, complex_product, (unsigned, unsigned, unsigned))
#define TO(name, type, bits, is_signed) \
    NARROW_DECLARE(type, fadd1, to_##name##_rn, (unsigned)) \
    NARROW_DECLARE(type, fadd1, to_##name##_rz, (unsigned)) \
    NARROW_DECLARE(type, fadd1, to_##name##_ru, (unsigned)) \
    NARROW_DECLARE(type, fadd1, to_##name##_rd, (unsigned))
#define FROM(name, type) \
    NARROW_DECLARE(unsigned, fadd1, from_##name##_rn, (type)) \
    NARROW_DECLARE(unsigned, fadd1, from_##name##_rz, (type)) \
    NARROW_DECLARE(unsigned, fadd1, from_##name##_ru, (type)) \
    NARROW_DECLARE(unsigned, fadd1, from_##name##_rd, (type))
#define OF_1(cost, cost2, name, name2, value) \
    NARROW_DECLARE(unsigned, cost, name, (unsigned)) \
    NARROW_DECLARE(unsigned, cost2, name2, (unsigned))
#define OF_2(cost, cost2, name, name2, value) \
    NARROW_DECLARE(unsigned, cost, name, (unsigned, unsigned)) \
    NARROW_DECLARE(unsigned, cost2, name2, (unsigned, unsigned))
#define OF_3(cost, cost2, name, name2, value) \
    NARROW_DECLARE(unsigned, cost, name, (unsigned, unsigned, unsigned)) \
    NARROW_DECLARE(unsigned, cost2, name2, (unsigned, unsigned, unsigned))
#define COMPARED(name, relation) \
    NARROW_DECLARE(bool, fadd1, __h##name, (unsigned, unsigned)) \
    NARROW_DECLARE(bool, fadd1, __h##name##u, (unsigned, unsigned)) \
    NARROW_DECLARE(unsigned, fadd1, __h##name##2, (unsigned, unsigned)) \
    NARROW_DECLARE(unsigned, fadd1, __h##name##u2, (unsigned, unsigned)) \
    NARROW_DECLARE(unsigned, fadd1, __h##name##2_mask, (unsigned, unsigned)) \
    NARROW_DECLARE(unsigned, fadd1, __h##name##u2_mask, (unsigned, unsigned)) \
    NARROW_DECLARE(bool, fadd1, __hb##name##2, (unsigned, unsigned)) \
    NARROW_DECLARE(bool, fadd1, __hb##name##u2, (unsigned, unsigned))
#include "warpmem_narrow_list.h"
#undef TO
#undef FROM
#undef OF_1
#undef OF_2
#undef OF_3
#undef COMPARED

struct NARROW_RAW {
    unsigned short x;
};
struct __align__(4) NARROW2_RAW {
    unsigned short x, y;
};

struct __align__(2) NARROW {
    unsigned short __x;
    NARROW() = default;
    WARPMEM_MEMBER NARROW(NARROW_RAW raw) : __x(raw.x) {}
    WARPMEM_MEMBER operator NARROW_RAW() const {
        return NARROW_RAW{__x};
    }
    WARPMEM_MEMBER operator float() const {
        return NARROW_NAME(fadd1, to_float)(__x);
    }
    WARPMEM_MEMBER operator bool() const {
        return (__x & 0x7fff) != 0;
    }
#define NARROW_FROM(type, function) \
    WARPMEM_MEMBER NARROW(type v) : __x((unsigned short)NARROW_NAME(fadd1, function)(v)) {} \
    WARPMEM_MEMBER NARROW &operator=(type v) { \
        __x = (unsigned short)NARROW_NAME(fadd1, function)(v); \
        return *this; \
    }
    NARROW_FROM(float, from_float_rn)
    NARROW_FROM(double, from_double)
    NARROW_FROM(short, from_short_rn)
    NARROW_FROM(unsigned short, from_ushort_rn)
    NARROW_FROM(int, from_int_rn)
    NARROW_FROM(unsigned, from_uint_rn)
    NARROW_FROM(long, from_ll_rn)
    NARROW_FROM(unsigned long, from_ull_rn)
    NARROW_FROM(long long, from_ll_rn)
    NARROW_FROM(unsigned long long, from_ull_rn)
#undef NARROW_FROM
#define NARROW_TO(type, function) \
    WARPMEM_MEMBER operator type() const { \
        return (type)NARROW_NAME(fadd1, function)(__x); \
    }
    NARROW_TO(signed char, to_short_rz)
    NARROW_TO(unsigned char, to_ushort_rz)
    NARROW_TO(char, to_short_rz)
    NARROW_TO(short, to_short_rz)
    NARROW_TO(unsigned short, to_ushort_rz)
    NARROW_TO(int, to_int_rz)
    NARROW_TO(unsigned, to_uint_rz)
    NARROW_TO(long, to_ll_rz)
    NARROW_TO(unsigned long, to_ull_rz)
    NARROW_TO(long long, to_ll_rz)
    NARROW_TO(unsigned long long, to_ull_rz)
#undef NARROW_TO
};

struct __align__(4) NARROW2 {
    NARROW x, y;
    NARROW2() = default;
    WARPMEM_MEMBER NARROW2(const NARROW &a, const NARROW &b) : x(a), y(b) {}
    WARPMEM_MEMBER NARROW2(NARROW2_RAW raw) : x(NARROW_RAW{raw.x}), y(NARROW_RAW{raw.y}) {}
    WARPMEM_MEMBER operator NARROW2_RAW() const {
        return NARROW2_RAW{x.__x, y.__x};
    }
};

/* Bits, and two of them chosen as PTX's prmt does. */
#define NARROW_OF(bits) __builtin_bit_cast(NARROW, (unsigned short)(bits))
#define NARROW2_OF(bits) __builtin_bit_cast(NARROW2, (unsigned)(bits))
#define NARROW_BITS(v) ((unsigned)__builtin_bit_cast(unsigned short, v))
#define NARROW2_BITS(v) __builtin_bit_cast(unsigned, v)
#define NARROW2_CHOSEN(a, b, by) NARROW2_OF(__wm_int1___byte_perm(a, b, by))

#define OF_1(cost, cost2, name, name2, value) \
    WARPMEM_BOTH NARROW name(NARROW a) { \
        return NARROW_OF(NARROW_NAME(cost, name)(NARROW_BITS(a))); \
    } \
    WARPMEM_BOTH NARROW2 name2(NARROW2 a) { \
        return NARROW2_OF(NARROW_NAME(cost2, name2)(NARROW2_BITS(a))); \
    }
#define OF_2(cost, cost2, name, name2, value) \
    WARPMEM_BOTH NARROW name(NARROW a, NARROW b) { \
        return NARROW_OF(NARROW_NAME(cost, name)(NARROW_BITS(a), NARROW_BITS(b))); \
    } \
    WARPMEM_BOTH NARROW2 name2(NARROW2 a, NARROW2 b) { \
        return NARROW2_OF(NARROW_NAME(cost2, name2)(NARROW2_BITS(a), NARROW2_BITS(b))); \
    }
#define OF_3(cost, cost2, name, name2, value) \
    WARPMEM_BOTH NARROW name(NARROW a, NARROW b, NARROW c) { \
        return NARROW_OF(NARROW_NAME(cost, name)(NARROW_BITS(a), NARROW_BITS(b), NARROW_BITS(c))); \
    } \
    WARPMEM_BOTH NARROW2 name2(NARROW2 a, NARROW2 b, NARROW2 c) { \
        return NARROW2_OF( \
            NARROW_NAME(cost2, name2)(NARROW2_BITS(a), NARROW2_BITS(b), NARROW2_BITS(c))); \
    }
#define NARROW_COMPARED(name) \
    WARPMEM_BOTH bool __h##name(NARROW a, NARROW b) { \
        return NARROW_NAME(fadd1, __h##name)(NARROW_BITS(a), NARROW_BITS(b)); \
    } \
    WARPMEM_BOTH bool __hb##name##2(NARROW2 a, NARROW2 b) { \
        return NARROW_NAME(fadd1, __hb##name##2)(NARROW2_BITS(a), NARROW2_BITS(b)); \
    } \
    WARPMEM_BOTH NARROW2 __h##name##2(NARROW2 a, NARROW2 b) { \
        return NARROW2_OF(NARROW_NAME(fadd1, __h##name##2)(NARROW2_BITS(a), NARROW2_BITS(b))); \
    } \
    WARPMEM_BOTH unsigned __h##name##2_mask(NARROW2 a, NARROW2 b) { \
        return NARROW_NAME(fadd1, __h##name##2_mask)(NARROW2_BITS(a), NARROW2_BITS(b)); \
    }
#define COMPARED(name, relation) NARROW_COMPARED(name) NARROW_COMPARED(name##u)
#define NARROW_CAST_TO(name, type, mode) \
    WARPMEM_BOTH type NARROW_PASTE(__, NARROW_WORD, 2##name##mode)(NARROW a) { \
        return NARROW_NAME(fadd1, to_##name##mode)(NARROW_BITS(a)); \
    }
#define TO(name, type, bits, is_signed) \
    NARROW_CAST_TO(name, type, _rn) \
    NARROW_CAST_TO(name, type, _rz) \
    NARROW_CAST_TO(name, type, _ru) \
    NARROW_CAST_TO(name, type, _rd)
#define NARROW_CAST_FROM(name, type, mode) \
    WARPMEM_BOTH NARROW NARROW_PASTE(__##name##2, NARROW_WORD, mode)(type v) { \
        return NARROW_OF(NARROW_NAME(fadd1, from_##name##mode)(v)); \
    }
#define FROM(name, type) \
    NARROW_CAST_FROM(name, type, _rn) \
    NARROW_CAST_FROM(name, type, _rz) \
    NARROW_CAST_FROM(name, type, _ru) \
    NARROW_CAST_FROM(name, type, _rd)
#include "warpmem_narrow_list.h"
#undef OF_1
#undef OF_2
#undef OF_3
#undef NARROW_COMPARED
#undef COMPARED
#undef NARROW_CAST_TO
#undef TO
#undef NARROW_CAST_FROM
#undef FROM

WARPMEM_BOTH NARROW NARROW_PASTE(__float2, NARROW_WORD, )(float v) {
    return NARROW(v);
}
WARPMEM_BOTH NARROW NARROW_PASTE(__double2, NARROW_WORD, )(double v) {
    return NARROW(v);
}
WARPMEM_BOTH float NARROW_PASTE(__, NARROW_WORD, 2float)(NARROW a) {
    return a;
}
WARPMEM_BOTH signed char NARROW_PASTE(__, NARROW_WORD, 2char_rz)(NARROW a) {
    const short v = NARROW_NAME(fadd1, to_short_rz)(a.__x);
    return (signed char)(v < -128 ? -128 : v > 127 ? 127 : v);
}
WARPMEM_BOTH unsigned char NARROW_PASTE(__, NARROW_WORD, 2uchar_rz)(NARROW a) {
    const unsigned short v = NARROW_NAME(fadd1, to_ushort_rz)(a.__x);
    return (unsigned char)(v > 255 ? 255 : v);
}
WARPMEM_BOTH short NARROW_PASTE(__, NARROW_WORD, _as_short)(NARROW a) {
    return (short)a.__x;
}
WARPMEM_BOTH unsigned short NARROW_PASTE(__, NARROW_WORD, _as_ushort)(NARROW a) {
    return a.__x;
}
WARPMEM_BOTH NARROW NARROW_PASTE(__short_as_, NARROW_WORD, )(short v) {
    return NARROW_OF(v);
}
WARPMEM_BOTH NARROW NARROW_PASTE(__ushort_as_, NARROW_WORD, )(unsigned short v) {
    return NARROW_OF(v);
}
WARPMEM_BOTH bool __hisnan(NARROW a) {
    return __hneu(a, a);
}
WARPMEM_BOTH NARROW2 __hisnan2(NARROW2 a) {
    return __hneu2(a, a);
}
WARPMEM_BOTH int __hisinf(NARROW a) {
    const float v = a;
    return v == __builtin_inff() ? 1 : v == -__builtin_inff() ? -1 : 0;
}
WARPMEM_BOTH NARROW2 __hcmadd(NARROW2 a, NARROW2 b, NARROW2 c) {
    return NARROW2_OF(
        NARROW_NAME(fma2, complex_product)(NARROW2_BITS(a), NARROW2_BITS(b), NARROW2_BITS(c)));
}

/* Two as one word. */
WARPMEM_BOTH NARROW2 NARROW_PASTE(__halves2, NARROW2_WORD, )(NARROW a, NARROW b) {
    return NARROW2_CHOSEN(NARROW_BITS(a), NARROW_BITS(b), 0x5410);
}
WARPMEM_BOTH NARROW2 NARROW_PASTE(make_, NARROW2_WORD, )(NARROW a, NARROW b) {
    return NARROW2_CHOSEN(NARROW_BITS(a), NARROW_BITS(b), 0x5410);
}
WARPMEM_BOTH NARROW2 NARROW_PASTE(__, NARROW_WORD, NARROW_2_WORD)(NARROW a) {
    return NARROW2_CHOSEN(NARROW_BITS(a), 0, 0x1010);
}
WARPMEM_BOTH NARROW NARROW_PASTE(__low2, NARROW_WORD, )(NARROW2 a) {
    return a.x;
}
WARPMEM_BOTH NARROW NARROW_PASTE(__high2, NARROW_WORD, )(NARROW2 a) {
    return NARROW_OF(__wm_int1___byte_perm(NARROW2_BITS(a), 0, 0x4432));
}
WARPMEM_BOTH float __low2float(NARROW2 a) {
    return a.x;
}
WARPMEM_BOTH float __high2float(NARROW2 a) {
    return NARROW_NAME(fadd1, to_float)(NARROW2_BITS(a) >> 16);
}
#define NARROW_MOVED(name, by) \
    WARPMEM_BOTH NARROW2 NARROW_PASTE(name, NARROW2_WORD, )(NARROW2 a) { \
        return NARROW2_CHOSEN(NARROW2_BITS(a), 0, by); \
    }
NARROW_MOVED(__low2, 0x1010)
NARROW_MOVED(__high2, 0x3232)
WARPMEM_BOTH NARROW2 __lowhigh2highlow(NARROW2 a) {
    return NARROW2_CHOSEN(NARROW2_BITS(a), 0, 0x1032);
}
WARPMEM_BOTH NARROW2 NARROW_PASTE(__lows2, NARROW2_WORD, )(NARROW2 a, NARROW2 b) {
    return NARROW2_CHOSEN(NARROW2_BITS(a), NARROW2_BITS(b), 0x5410);
}
WARPMEM_BOTH NARROW2 NARROW_PASTE(__highs2, NARROW2_WORD, )(NARROW2 a, NARROW2 b) {
    return NARROW2_CHOSEN(NARROW2_BITS(a), NARROW2_BITS(b), 0x7632);
}
WARPMEM_BOTH NARROW2 NARROW_PASTE(__floats2, NARROW2_WORD, _rn)(float a, float b) {
    return NARROW2_CHOSEN(NARROW_NAME(fadd1, from_float_rn)(a),
                          NARROW_NAME(fadd1, from_float_rn)(b), 0x5410);
}
WARPMEM_BOTH NARROW2 NARROW_PASTE(__float22, NARROW2_WORD, _rn)(float2 v) {
    return NARROW2_CHOSEN(NARROW_NAME(fadd1, from_float_rn)(v.x),
                          NARROW_NAME(fadd1, from_float_rn)(v.y), 0x5410);
}
WARPMEM_BOTH NARROW2 NARROW_PASTE(__float2, NARROW2_WORD, _rn)(float v) {
    return NARROW2_CHOSEN(NARROW_NAME(fadd1, from_float_rn)(v), 0, 0x1010);
}
WARPMEM_BOTH float2 NARROW_PASTE(__, NARROW2_WORD, 2float2)(NARROW2 a) {
    return make_float2(__low2float(a), __high2float(a));
}

#define NARROW_OPERATORS(type, two, division) \
    WARPMEM_BOTH type operator+(const type &a, const type &b) { \
        return __hadd##two(a, b); \
    } \
    WARPMEM_BOTH type operator-(const type &a, const type &b) { \
        return __hsub##two(a, b); \
    } \
    WARPMEM_BOTH type operator*(const type &a, const type &b) { \
        return __hmul##two(a, b); \
    } \
    WARPMEM_BOTH type operator/(const type &a, const type &b) { \
        return division(a, b); \
    } \
    WARPMEM_BOTH type operator+(const type &a) { \
        return a; \
    } \
    WARPMEM_BOTH type operator-(const type &a) { \
        return __hneg##two(a); \
    } \
    WARPMEM_BOTH type &operator+=(type &a, const type &b) { \
        return a = __hadd##two(a, b); \
    } \
    WARPMEM_BOTH type &operator-=(type &a, const type &b) { \
        return a = __hsub##two(a, b); \
    } \
    WARPMEM_BOTH type &operator*=(type &a, const type &b) { \
        return a = __hmul##two(a, b); \
    } \
    WARPMEM_BOTH type &operator/=(type &a, const type &b) { \
        return a = division(a, b); \
    }
#define NARROW_RELATIONS(type, b, two) \
    WARPMEM_BOTH bool operator==(const type &a, const type &c) { \
        return __h##b##eq##two(a, c); \
    } \
    WARPMEM_BOTH bool operator!=(const type &a, const type &c) { \
        return __h##b##neu##two(a, c); \
    } \
    WARPMEM_BOTH bool operator<(const type &a, const type &c) { \
        return __h##b##lt##two(a, c); \
    } \
    WARPMEM_BOTH bool operator>(const type &a, const type &c) { \
        return __h##b##gt##two(a, c); \
    } \
    WARPMEM_BOTH bool operator<=(const type &a, const type &c) { \
        return __h##b##le##two(a, c); \
    } \
    WARPMEM_BOTH bool operator>=(const type &a, const type &c) { \
        return __h##b##ge##two(a, c); \
    }
NARROW_OPERATORS(NARROW, , __hdiv)
NARROW_OPERATORS(NARROW2, 2, __h2div)
NARROW_RELATIONS(NARROW, , )
NARROW_RELATIONS(NARROW2, b, 2)
WARPMEM_BOTH NARROW &operator++(NARROW &a) {
    return a = __hadd(a, NARROW(1));
}
WARPMEM_BOTH NARROW &operator--(NARROW &a) {
    return a = __hsub(a, NARROW(1));
}

#ifdef __CUDA__
extern "C" {
__device__ unsigned NARROW_PASTE(__wm_atomic_half_add_, NARROW_S, )(NARROW *, unsigned);
__device__ unsigned NARROW_PASTE(__wm_atomic_add2_, NARROW_S, )(NARROW2 *, unsigned);
}
WARPMEM_SCOPES(NARROW, atomicAdd, (NARROW * p, NARROW v),
               NARROW_OF(NARROW_PASTE(__wm_atomic_half_add_, NARROW_S, )(p, NARROW_BITS(v))))
WARPMEM_SCOPES(NARROW2, atomicAdd, (NARROW2 * p, NARROW2 v),
               NARROW2_OF(NARROW_PASTE(__wm_atomic_add2_, NARROW_S, )(p, NARROW2_BITS(v))))
#endif

#undef NARROW
#undef NARROW2
#undef NARROW_RAW
#undef NARROW2_RAW
#undef NARROW_WORD
#undef NARROW2_WORD
#undef NARROW_2_WORD
#undef NARROW_S
#undef NARROW_PASTE
#undef NARROW_PASTE_
#undef NARROW_NAME
#undef NARROW_DECLARE
#undef NARROW_OF
#undef NARROW2_OF
#undef NARROW_BITS
#undef NARROW2_BITS
#undef NARROW2_CHOSEN
#undef NARROW_MOVED
#undef NARROW_OPERATORS
#undef NARROW_RELATIONS
