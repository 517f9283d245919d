/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX instructions that no function of CUDA's stands for: WARPMEM_FUNCTION(cost, type, name,
 * parameters, value) as in warpmem_functions.h, of the value's helpers in runtime/ptx.c. Those with
 * the carry flag are WARPMEM_CARRY, with flags: 1 reads it, 2 writes it.
 */
/* clang-format off */
WARPMEM_FUNCTION(int2, unsigned, __wm_ptx_bfe_u32, (unsigned a, unsigned b, unsigned c), (unsigned)field_of(a, b, c, 32, false))
WARPMEM_FUNCTION(int2, int, __wm_ptx_bfe_s32, (unsigned a, unsigned b, unsigned c), (int)field_of(a, b, c, 32, true))
WARPMEM_FUNCTION(int4, unsigned long long, __wm_ptx_bfe_u64, (unsigned long long a, unsigned b, unsigned c), field_of(a, b, c, 64, false))
WARPMEM_FUNCTION(int4, long long, __wm_ptx_bfe_s64, (unsigned long long a, unsigned b, unsigned c), (long long)field_of(a, b, c, 64, true))
WARPMEM_FUNCTION(int3, unsigned, __wm_ptx_bfi_b32, (unsigned a, unsigned b, unsigned c, unsigned d), (unsigned)with_field(a, b, c, d, 32))
WARPMEM_FUNCTION(int6, unsigned long long, __wm_ptx_bfi_b64, (unsigned long long a, unsigned long long b, unsigned c, unsigned d), with_field(a, b, c, d, 64))
WARPMEM_FUNCTION(int1, unsigned, __wm_ptx_bfind_u32, (unsigned a, int shift), highest_one(a, 8 * sizeof a, shift))
WARPMEM_FUNCTION(int1, unsigned, __wm_ptx_bfind_s32, (int a, int shift), highest_one((unsigned)(a < 0 ? ~a : a), 8 * sizeof a, shift))
WARPMEM_FUNCTION(int3, unsigned, __wm_ptx_bfind_u64, (unsigned long long a, int shift), highest_one(a, 8 * sizeof a, shift))
WARPMEM_FUNCTION(int3, unsigned, __wm_ptx_bfind_s64, (long long a, int shift), highest_one((uint64_t)(a < 0 ? ~a : a), 8 * sizeof a, shift))
WARPMEM_FUNCTION(int1, unsigned, __wm_ptx_lop3, (unsigned a, unsigned b, unsigned c, unsigned table), looked_up(a, b, c, table))
WARPMEM_FUNCTION(int1, unsigned, __wm_ptx_prmt, (unsigned a, unsigned b, unsigned c, unsigned mode), permuted(a, b, c, mode))
WARPMEM_FUNCTION(imad1, unsigned, __wm_ptx_dp4a, (unsigned a, unsigned b, unsigned c, unsigned is_signed), dotted(a, b, c, 4, 0, is_signed))
WARPMEM_FUNCTION(imad1, unsigned, __wm_ptx_dp2a, (unsigned a, unsigned b, unsigned c, unsigned is_signed, unsigned from), dotted(a, b, c, 2, from, is_signed))
WARPMEM_FUNCTION(imad1, unsigned, __wm_ptx_mad_hi_u32, (unsigned a, unsigned b, unsigned c), (unsigned)((uint64_t)a * b >> 32) + c)
WARPMEM_FUNCTION(imad1, int, __wm_ptx_mad_hi_s32, (int a, int b, int c), (int)((unsigned)((int64_t)a * b >> 32) + (unsigned)c))
WARPMEM_FUNCTION(int1, int, __wm_ptx_add_sat, (int a, int b), clamped_32((int64_t)a + b))
WARPMEM_FUNCTION(int1, int, __wm_ptx_sub_sat, (int a, int b), clamped_32((int64_t)a - b))
WARPMEM_FUNCTION(int1, unsigned, __wm_ptx_sad4, (unsigned a, unsigned b, unsigned c, unsigned is_signed), c + distance_of_bytes(a, b, is_signed))
WARPMEM_FUNCTION(int2, unsigned, __wm_ptx_video, (unsigned a, unsigned b, unsigned c, unsigned how), video(a, b, c, how))
WARPMEM_FUNCTION(sfu1, float, __wm_ptx_rcp, (float a), 1 / a)
WARPMEM_FUNCTION(sfu1, float, __wm_ptx_sqrt, (float a), sqrtf(a))
WARPMEM_FUNCTION(sfu1, float, __wm_ptx_rsqrt, (float a), 1 / sqrtf(a))
WARPMEM_FUNCTION(sfu1, float, __wm_ptx_ex2, (float a), exp2f(a))
WARPMEM_FUNCTION(sfu1, double, __wm_ptx_rcp64h, (double a), high_half(1 / a))
WARPMEM_FUNCTION(sfu1, double, __wm_ptx_rsqrt64h, (double a), high_half(1 / sqrt(a)))
WARPMEM_FUNCTION(fadd1, unsigned, __wm_ptx_tf32, (float a), rounded_to_tf32(a))
WARPMEM_CARRY(int1, unsigned, __wm_ptx_addc_u32, (unsigned a, unsigned b, int flags), carried(a, b, 32, flags))
WARPMEM_CARRY(int2, unsigned long long, __wm_ptx_addc_u64, (unsigned long long a, unsigned long long b, int flags), carried(a, b, 64, flags))
WARPMEM_CARRY(int1, unsigned, __wm_ptx_subc_u32, (unsigned a, unsigned b, int flags), borrowed(a, b, 32, flags))
WARPMEM_CARRY(int2, unsigned long long, __wm_ptx_subc_u64, (unsigned long long a, unsigned long long b, int flags), borrowed(a, b, 64, flags))
WARPMEM_CARRY(imad1, unsigned, __wm_ptx_madc_lo_u32, (unsigned a, unsigned b, unsigned c, int flags), carried(a * b, c, 32, flags))
WARPMEM_CARRY(imad1, unsigned, __wm_ptx_madc_hi_u32, (unsigned a, unsigned b, unsigned c, int flags), carried((uint64_t)a * b >> 32, c, 32, flags))
WARPMEM_CARRY(imad1, unsigned, __wm_ptx_madc_hi_s32, (int a, int b, unsigned c, int flags), carried((uint32_t)((int64_t)a * b >> 32), c, 32, flags))
WARPMEM_CARRY(imad4, unsigned long long, __wm_ptx_madc_lo_u64, (unsigned long long a, unsigned long long b, unsigned long long c, int flags),
    carried(a * b, c, 64, flags))
WARPMEM_CARRY(imad4, unsigned long long, __wm_ptx_madc_hi_u64, (unsigned long long a, unsigned long long b, unsigned long long c, int flags),
    carried((uint64_t)((unsigned __int128)a * b >> 64), c, 64, flags))
