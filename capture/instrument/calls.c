/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/calls.h"

#include <stdlib.h>
#include <string.h>

/* Counts approximate the instructions of nvcc's fast paths: a square root is one special function
 * and some corrections, a power two of them and a product. */
static const struct call_kind kinds[] = {
    {"llvm.dbg.", CALL_NOTHING, 0, 0},
    {"llvm.lifetime.", CALL_NOTHING, 0, 0},
    {"llvm.assume", CALL_NOTHING, 0, 0},
    {"llvm.experimental.noalias", CALL_NOTHING, 0, 0},
    {"llvm.expect", CALL_NOTHING, 0, 0},
    {"llvm.stacksave", CALL_NOTHING, 0, 0},
    {"llvm.stackrestore", CALL_NOTHING, 0, 0},
    {"llvm.is.fpclass.", CALL_OPS, OP_FP_ADD, 1},
    {"llvm.fabs", CALL_NOTHING, 0, 0}, /* a flag of the instruction that reads it */
    {"llvm.nvvm.fabs", CALL_NOTHING, 0, 0},
    {"llvm.memcpy.", CALL_COPY, 0, 0},
    {"llvm.memmove.", CALL_COPY, 0, 0},
    {"llvm.memset.", CALL_SET, 0, 0},
    {"llvm.nvvm.shfl.sync.", CALL_MEET, OP_INT_ADD, 1},
    {"llvm.nvvm.vote.", CALL_MEET, OP_INT_ADD, 1},
    {"__wm_activemask", CALL_MEET, OP_INT_ADD, 1},
    {"__wm_meet_", CALL_MEET, OP_INT_ADD, 1},
    {"__wm_meet_matrix_real", CALL_MEET, OP_FP_MAD, 1},
    {"__wm_meet_matrix_integer", CALL_MEET, OP_INT_MAD, 1},
    {"__wm_meet_matrix_double", CALL_MEET, OP_DP_MAD, 1},
    {"llvm.nvvm.read.ptx.sreg.", CALL_OPS, OP_INT_ADD, 1},
    {"llvm.nvvm.read.ptx.sreg.ntid.", CALL_NOTHING, 0, 0}, /* in the constant bank */
    {"llvm.nvvm.read.ptx.sreg.nctaid.", CALL_NOTHING, 0, 0},
    {"llvm.nvvm.read.ptx.sreg.warpsize", CALL_NOTHING, 0, 0},
    {"llvm.fma.", CALL_OPS, OP_FP_MAD, 1},
    {"llvm.fmuladd.", CALL_OPS, OP_FP_MAD, 1},
    {"llvm.minnum.", CALL_OPS, OP_FP_MAX, 1},
    {"llvm.maxnum.", CALL_OPS, OP_FP_MAX, 1},
    {"llvm.minimum.", CALL_OPS, OP_FP_MAX, 1},
    {"llvm.maximum.", CALL_OPS, OP_FP_MAX, 1},
    {"llvm.copysign.", CALL_OPS, OP_INT_ADD, 1},
    {"llvm.floor.", CALL_OPS, OP_FP_ADD, 1},
    {"llvm.ceil.", CALL_OPS, OP_FP_ADD, 1},
    {"llvm.trunc.", CALL_OPS, OP_FP_ADD, 1},
    {"llvm.rint.", CALL_OPS, OP_FP_ADD, 1},
    {"llvm.nearbyint.", CALL_OPS, OP_FP_ADD, 1},
    {"llvm.round.", CALL_OPS, OP_FP_ADD, 2},
    {"llvm.sqrt.", CALL_OPS, OP_SFU, 1},
    {"llvm.smax.", CALL_OPS, OP_INT_MAX, 1},
    {"llvm.smin.", CALL_OPS, OP_INT_MAX, 1},
    {"llvm.umax.", CALL_OPS, OP_INT_MAX, 1},
    {"llvm.umin.", CALL_OPS, OP_INT_MAX, 1},
    {"llvm.abs.", CALL_OPS, OP_INT_MAX, 1},
    {"llvm.ctpop.", CALL_OPS, OP_INT_ADD, 1},
    {"llvm.ctlz.", CALL_OPS, OP_INT_ADD, 1},
    {"llvm.cttz.", CALL_OPS, OP_INT_ADD, 2},
    {"llvm.bswap.", CALL_OPS, OP_INT_ADD, 1},
    {"llvm.bitreverse.", CALL_OPS, OP_INT_ADD, 1},
    {"llvm.fshl.", CALL_OPS, OP_INT_ADD, 1},
    {"llvm.fshr.", CALL_OPS, OP_INT_ADD, 1},
    {"llvm.uadd.", CALL_OPS, OP_INT_ADD, 1},
    {"llvm.usub.", CALL_OPS, OP_INT_ADD, 1},
    {"llvm.sadd.", CALL_OPS, OP_INT_ADD, 1},
    {"llvm.ssub.", CALL_OPS, OP_INT_ADD, 1},
    {"llvm.umul.", CALL_OPS, OP_INT_MUL, 1},
    {"llvm.smul.", CALL_OPS, OP_INT_MUL, 1},
    {"llvm.trap", CALL_OPS, OP_BRANCH, 1},
    /* Headers in capture/include; call_next_cost() has the others of theirs. */
    {"__wm_div_", CALL_OPS, OP_FP_DIV, 1},
    {"__wm_mulhi", CALL_OPS, OP_INT_MUL, 1},
    {"__wm_sfu_", CALL_OPS, OP_SFU, 1},
    {"__wm_atomic_", CALL_ATOMIC, 0, 0},
    {"__wm_atomic_half_", CALL_ATOMIC, 0, 2},
    {"__wm_texture", CALL_NOTHING, 0, 0}, /* a part of the load */
    {"__wm_texel", CALL_NOTHING, 0, 0},
    {"__wm_surface", CALL_NOTHING, 0, 0},
    {"__wm_read_only", CALL_NOTHING, 0, 0},
    {"__wm_same_", CALL_NOTHING, 0, 0}, /* an address in another form: instrument/values.c */
    {"__wm_same_rows", CALL_MEET, OP_INT_ADD, 0}, /* ends a load that the lanes make together */
    {"__wm_ptx_", CALL_NOTHING, 0, 0},            /* a second result of an instruction */
    {"__wm_clock", CALL_OPS, OP_INT_ADD, 1},
    {"__wm_child_", CALL_OPS, OP_BRANCH, 1}, /* a call of the device's own runtime */
    {"printf", CALL_PRINT, 0, 0},
    /* No intrinsics: of those LLVM 14 believes that they leave a variable of the module alone whose
     * address is not taken, which an array in shared memory is. */
    {"__wm_barrier", CALL_BARRIER, 0, 0},
    {"__wm_tile_barrier", CALL_BARRIER, 0, 0},
    {"__wm_grid_barrier", CALL_BARRIER, 0, 0}, /* capture/include/warpmem_groups.h */
    {"__wm_grid_counter", CALL_NOTHING, 0, 0}, /* in the constant bank */
    {"__wm_grid_", CALL_OPS, OP_INT_ADD, 1},
    {"__wm_fence", CALL_FENCE, 0, 0},
    {"__wm_syncwarp", CALL_MEET, OP_INT_ADD, 1},
    {"__wm_meet_", CALL_MEET, OP_INT_ADD, 1},
    /* capture/include/warpmem_opencl.h */
    {"__wm_sreg_", CALL_OPS, OP_INT_ADD, 1},
    {"__wm_sreg_ntid_", CALL_NOTHING, 0, 0},
    {"__wm_sreg_nctaid_", CALL_NOTHING, 0, 0},
    {"__wm_ndrange_", CALL_NOTHING, 0, 0}, /* in the constant bank as well */
    {"__wm_bits_", CALL_OPS, OP_INT_ADD, 2},
    {"__wm_assert", CALL_NOTHING, 0, 0},
    {"__wm_misused", CALL_NOTHING, 0, 0},
    {"__assert_fail", CALL_NOTHING, 0, 0},
    {"vprintf", CALL_NOTHING, 0, 0},
};

const struct call_kind *call_kind_of(const char *name) {
    const struct call_kind *best = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].begins);
        if (!strncmp(name, kinds[i].begins, length) && (!best || length > strlen(best->begins))) {
            best = &kinds[i];
        }
    }
    return best;
}

const char *call_next_cost(const char *at, unsigned *op, unsigned *count) {
    static const struct {
        const char *word;
        uint8_t op;
    } units[] = {{"int", OP_INT_ADD},  {"imax", OP_INT_MAX}, {"imul", OP_INT_MUL},
                 {"imad", OP_INT_MAD}, {"fadd", OP_FP_ADD},  {"fmax", OP_FP_MAX},
                 {"fmul", OP_FP_MUL},  {"fma", OP_FP_MAD},   {"fdiv", OP_FP_DIV},
                 {"dadd", OP_DP_ADD},  {"sfu", OP_SFU}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t length = strlen(units[i].word);
        if (!strncmp(at, units[i].word, length) && at[length] >= '1' && at[length] <= '9') {
            char *end;
            *op = units[i].op;
            *count = (unsigned)strtoul(at + length, &end, 10);
            return *end == '_' ? end + 1 : NULL;
        }
    }
    return NULL;
}
