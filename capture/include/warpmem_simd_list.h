/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's SIMD functions of two halves or four bytes in a word. WARPMEM_EACH(cost of two, cost of
 * four, s or u (signed or not), name, parameters, value of a lane): the name gets a 2 or 4; x, y
 * and z are the lanes, LEAST and MOST their bounds. WARPMEM_SUM adds the lanes.
 * WARPMEM_WORD_AND_HALVES is of a word and of two halves: costs, s or u, the name's two parts,
 * parameters, the word's type, value of a lane.
 * GPUs since Maxwell have instructions for few of them; the others are rows of logic.
 */
/* clang-format off */
WARPMEM_EACH(int5, int5, s, __vabs, 1, x < 0 ? -x : x)
WARPMEM_EACH(int6, int6, s, __vabsss, 1, clamped(x < 0 ? -x : x, LEAST, MOST))
WARPMEM_EACH(int4, int4, s, __vneg, 1, -x)
WARPMEM_EACH(int6, int6, s, __vnegss, 1, clamped(-x, LEAST, MOST))
WARPMEM_EACH(int4, int4, u, __vadd, 2, x + y)
WARPMEM_EACH(int8, int8, s, __vaddss, 2, clamped(x + y, LEAST, MOST))
WARPMEM_EACH(int6, int6, u, __vaddus, 2, clamped(x + y, LEAST, MOST))
WARPMEM_EACH(int4, int4, u, __vsub, 2, x - y)
WARPMEM_EACH(int8, int8, s, __vsubss, 2, clamped(x - y, LEAST, MOST))
WARPMEM_EACH(int6, int6, u, __vsubus, 2, clamped(x - y, LEAST, MOST))
WARPMEM_EACH(int6, int6, s, __vavgs, 2, (x + y + (x + y >= 0)) >> 1)
WARPMEM_EACH(int3, int3, u, __vavgu, 2, (x + y + 1) >> 1)
WARPMEM_EACH(int3, int3, u, __vhaddu, 2, (x + y) >> 1)
WARPMEM_EACH(int6, int1, s, __vabsdiffs, 2, x < y ? y - x : x - y)
WARPMEM_EACH(int6, int1, u, __vabsdiffu, 2, x < y ? y - x : x - y)
WARPMEM_EACH(int6, int8, s, __vmaxs, 2, x < y ? y : x)
WARPMEM_EACH(int6, int8, u, __vmaxu, 2, x < y ? y : x)
WARPMEM_EACH(int6, int8, s, __vmins, 2, x < y ? x : y)
WARPMEM_EACH(int6, int8, u, __vminu, 2, x < y ? x : y)
WARPMEM_SUM(int6, int1, s, __vsads, x < y ? y - x : x - y)
WARPMEM_SUM(int6, int1, u, __vsadu, x < y ? y - x : x - y)
#define WARPMEM_COMPARE(kind, name, relation) \
    WARPMEM_EACH(int5, int5, kind, __vcmp##name, 2, x relation y ? -1 : 0) \
    WARPMEM_EACH(int5, int5, kind, __vset##name, 2, x relation y)
WARPMEM_COMPARE(u, eq, ==)
WARPMEM_COMPARE(u, ne, !=)
WARPMEM_COMPARE(s, ges, >=)
WARPMEM_COMPARE(u, geu, >=)
WARPMEM_COMPARE(s, gts, >)
WARPMEM_COMPARE(u, gtu, >)
WARPMEM_COMPARE(s, les, <=)
WARPMEM_COMPARE(u, leu, <=)
WARPMEM_COMPARE(s, lts, <)
WARPMEM_COMPARE(u, ltu, <)
#undef WARPMEM_COMPARE
/* CUDA's DPX: the same of a word and of two halves. sum: x + y, which wraps around; relu: not below 0. */
#define WARPMEM_EXTREMES(name, relation) \
    WARPMEM_WORD_AND_HALVES(int1_imax1, int10, s, __viadd##name, , 3, int, sum relation z ? sum : z) \
    WARPMEM_WORD_AND_HALVES(int1_imax1, int10, u, __viadd##name, , 3, unsigned, sum relation z ? sum : z) \
    WARPMEM_WORD_AND_HALVES(int1_imax2, int14, s, __viadd##name, _relu, 3, int, not_negative(sum relation z ? sum : z)) \
    WARPMEM_WORD_AND_HALVES(imax2, int12, s, __vi##name##3, , 3, int, x relation y ? (x relation z ? x : z) : y relation z ? y : z) \
    WARPMEM_WORD_AND_HALVES(imax2, int12, u, __vi##name##3, , 3, unsigned, x relation y ? (x relation z ? x : z) : y relation z ? y : z) \
    WARPMEM_WORD_AND_HALVES(imax3, int14, s, __vi##name##3, _relu, 3, int, not_negative(x relation y ? (x relation z ? x : z) : y relation z ? y : z)) \
    WARPMEM_WORD_AND_HALVES(imax2, int10, s, __vi##name, _relu, 2, int, not_negative(x relation y ? x : y))
WARPMEM_EXTREMES(max, >)
WARPMEM_EXTREMES(min, <)
#undef WARPMEM_EXTREMES
