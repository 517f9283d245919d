/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of integers and of bits that a kernel calls.
 */
#ifndef WARPMEM_INTEGER_H
#define WARPMEM_INTEGER_H

#include "warpmem_functions.h"

#include "warpmem_integer_list.h"
#define WARPMEM_LISTED_1(cost, type, name) WARPMEM_FUNCTION(cost, type, name, (type a), )
#define WARPMEM_LISTED_2(cost, type, name) WARPMEM_FUNCTION(cost, type, name, (type a, type b), )
#define WARPMEM_LISTED_3(cost, type, name) \
    WARPMEM_FUNCTION(cost, type, name, (type a, type b, type c), )
#define WARPMEM_EACH(cost2, cost4, kind, name, parameters, value) \
    WARPMEM_LISTED_##parameters(cost2, unsigned, name##2) \
        WARPMEM_LISTED_##parameters(cost4, unsigned, name##4)
#define WARPMEM_SUM(cost2, cost4, kind, name, value) \
    WARPMEM_LISTED_2(cost2, unsigned, name##2) WARPMEM_LISTED_2(cost4, unsigned, name##4)
#define WARPMEM_WORD_AND_HALVES(cost1, cost2, kind, name, more, parameters, type, value) \
    WARPMEM_LISTED_##parameters(cost1, type, name##_##kind##32##more) \
        WARPMEM_LISTED_##parameters(cost2, unsigned, name##_##kind##16x2##more)
#include "warpmem_simd_list.h"
#undef WARPMEM_LISTED_1
#undef WARPMEM_LISTED_2
#undef WARPMEM_LISTED_3
#undef WARPMEM_EACH
#undef WARPMEM_SUM
#undef WARPMEM_WORD_AND_HALVES

/* With what the comparison gave. */
#define WARPMEM_EXTREME_32(name, type, relation) \
    WARPMEM_BOTH type name(type a, type b, bool *first) { \
        *first = a relation b; \
        return a relation b ? a : b; \
    }
WARPMEM_EXTREME_32(__vibmax_s32, int, >=)
WARPMEM_EXTREME_32(__vibmax_u32, unsigned, >=)
WARPMEM_EXTREME_32(__vibmin_s32, int, <=)
WARPMEM_EXTREME_32(__vibmin_u32, unsigned, <=)
#undef WARPMEM_EXTREME_32
#define WARPMEM_EXTREME_16(name, type, relation, extreme) \
    WARPMEM_BOTH unsigned name(unsigned a, unsigned b, bool *high, bool *low) { \
        *high = (type)(a >> 16) relation(type)(b >> 16); \
        *low = (type)a relation(type) b; \
        return extreme(a, b); \
    }
WARPMEM_EXTREME_16(__vibmax_s16x2, short, >=, __vmaxs2)
WARPMEM_EXTREME_16(__vibmax_u16x2, unsigned short, >=, __vmaxu2)
WARPMEM_EXTREME_16(__vibmin_s16x2, short, <=, __vmins2)
WARPMEM_EXTREME_16(__vibmin_u16x2, unsigned short, <=, __vminu2)
#undef WARPMEM_EXTREME_16

#define WARPMEM_DOT(name, type, a_type, b_type) \
    WARPMEM_BOTH type name(a_type a, b_type b, type c) { \
        return name(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c); \
    }
WARPMEM_DOT(__dp4a, int, char4, char4)
WARPMEM_DOT(__dp4a, unsigned, uchar4, uchar4)
WARPMEM_DOT(__dp2a_lo, int, short2, char4)
WARPMEM_DOT(__dp2a_lo, unsigned, ushort2, uchar4)
WARPMEM_DOT(__dp2a_hi, int, short2, char4)
WARPMEM_DOT(__dp2a_hi, unsigned, ushort2, uchar4)
#undef WARPMEM_DOT

/* The same bits as another type: no instruction. */
#define WARPMEM_AS(name, to, from) \
    WARPMEM_BOTH to name(from x) { \
        return __builtin_bit_cast(to, x); \
    }
WARPMEM_AS(__int_as_float, float, int)
WARPMEM_AS(__float_as_int, int, float)
WARPMEM_AS(__uint_as_float, float, unsigned)
WARPMEM_AS(__float_as_uint, unsigned, float)
WARPMEM_AS(__longlong_as_double, double, long long)
WARPMEM_AS(__double_as_longlong, long long, double)
#undef WARPMEM_AS
/* Halves of a pair of registers. */
typedef int __wm_int2 __attribute__((ext_vector_type(2)));
WARPMEM_BOTH int __double2hiint(double x) {
    return __builtin_bit_cast(__wm_int2, x).y;
}
WARPMEM_BOTH int __double2loint(double x) {
    return __builtin_bit_cast(__wm_int2, x).x;
}
WARPMEM_BOTH double __hiloint2double(int high, int low) {
    __wm_int2 halves = {low, high};
    return __builtin_bit_cast(double, halves);
}

/* On host and device, as in CUDA; of words, an instruction. */
#define WARPMEM_ORDER_WORD(type) \
    WARPMEM_BOTH type min(type a, type b) { \
        return __builtin_elementwise_min(a, b); \
    } \
    WARPMEM_BOTH type max(type a, type b) { \
        return __builtin_elementwise_max(a, b); \
    }
WARPMEM_ORDER_WORD(int)
WARPMEM_ORDER_WORD(unsigned)
#define WARPMEM_ORDER(type) \
    WARPMEM_BOTH type min(type a, type b) { \
        return b < a ? b : a; \
    } \
    WARPMEM_BOTH type max(type a, type b) { \
        return a < b ? b : a; \
    }
WARPMEM_ORDER(long)
WARPMEM_ORDER(unsigned long)
WARPMEM_ORDER(long long)
WARPMEM_ORDER(unsigned long long)
WARPMEM_ORDER(float)
WARPMEM_ORDER(double)
#define WARPMEM_ORDER_MIXED(type, a_type, b_type) \
    WARPMEM_BOTH type min(a_type a, b_type b) { \
        return min((type)a, (type)b); \
    } \
    WARPMEM_BOTH type max(a_type a, b_type b) { \
        return max((type)a, (type)b); \
    }
WARPMEM_ORDER_MIXED(unsigned, unsigned, int)
WARPMEM_ORDER_MIXED(unsigned, int, unsigned)
WARPMEM_ORDER_MIXED(unsigned long, unsigned long, long)
WARPMEM_ORDER_MIXED(unsigned long, long, unsigned long)
WARPMEM_ORDER_MIXED(unsigned long long, unsigned long long, long long)
WARPMEM_ORDER_MIXED(unsigned long long, long long, unsigned long long)
WARPMEM_ORDER_MIXED(double, double, float)
WARPMEM_ORDER_MIXED(double, float, double)

#endif
