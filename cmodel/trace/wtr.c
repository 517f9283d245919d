/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/wtr.h"

#include <lzma.h>

/* The file has its own numbers of operations, because the model's enum may grow in the middle. */
static const struct {
    const char *name;
    uint8_t number;
} ops[OP_COUNT] = {
    [OP_INT_ADD] = {"int_add", 0},        [OP_INT_MAX] = {"int_max", 1},
    [OP_INT_MUL] = {"int_mul", 2},        [OP_INT_MAD] = {"int_mad", 3},
    [OP_INT_DIV] = {"int_div", 4},        [OP_FP_ADD] = {"fp_add", 5},
    [OP_FP_MAX] = {"fp_max", 6},          [OP_FP_MUL] = {"fp_mul", 7},
    [OP_FP_MAD] = {"fp_mad", 8},          [OP_FP_DIV] = {"fp_div", 9},
    [OP_DP_ADD] = {"dp_add", 10},         [OP_DP_MAX] = {"dp_max", 11},
    [OP_DP_MUL] = {"dp_mul", 12},         [OP_DP_MAD] = {"dp_mad", 13},
    [OP_DP_DIV] = {"dp_div", 14},         [OP_SFU] = {"sfu", 15},
    [OP_BRANCH] = {"branch", 16},         [OP_LOAD] = {"load", 32},
    [OP_STORE] = {"store", 33},           [OP_ATOMIC] = {"atomic", 34},
    [OP_FENCE] = {"fence", 48},           [OP_BARRIER] = {"barrier", 49},
    [OP_LOOP_BEGIN] = {"loop_begin", 64}, [OP_LOOP_ITERATION] = {"loop_iteration", 65},
    [OP_LOOP_END] = {"loop_end", 66},
};

#define UNCACHED 0x80 /* in the byte of the space */

static const char *const spaces[SPACE_COUNT] = {
    [SPACE_GLOBAL] = "global",   [SPACE_LOCAL] = "local",       [SPACE_SHARED] = "shared",
    [SPACE_TEXTURE] = "texture", [SPACE_CONSTANT] = "constant",
};
static const uint8_t space_numbers[SPACE_COUNT] = {
    [SPACE_GLOBAL] = 0,  [SPACE_LOCAL] = 1,    [SPACE_SHARED] = 2,
    [SPACE_TEXTURE] = 3, [SPACE_CONSTANT] = 4,
};

const char *wtr_op_name(unsigned op) {
    return op < OP_COUNT ? ops[op].name : NULL;
}

const char *wtr_space_name(unsigned space) {
    return space < SPACE_COUNT ? spaces[space] : NULL;
}

uint8_t *wtr_put_insn(uint8_t *at, const struct insn *insn) {
    bool memory = insn_is_memory(insn);
    at = wtr_put32(at, insn->pc);
    *at++ = ops[insn->op].number;
    *at++ = memory ? space_numbers[insn->space] | (insn->uncached ? UNCACHED : 0) : 0;
    *at++ = memory ? insn->width : 0;
    *at++ = insn->dst;
    for (unsigned i = 0; i < INSN_SOURCES_MAX; i++) {
        *at++ = insn->src[i];
    }
    return at;
}

static uint8_t find_op(uint8_t number) {
    uint8_t op = 0;
    while (op < OP_COUNT && ops[op].number != number) {
        op++;
    }
    return op;
}

static const char *check_memory(const struct insn *insn) {
    if (insn->space == SPACE_COUNT) {
        return "a memory space that does not exist: must be 0..4";
    }
    if (insn->op == OP_STORE && (insn->space == SPACE_TEXTURE || insn->space == SPACE_CONSTANT)) {
        return "a store to read-only memory: must be global, local or shared";
    }
    if (insn->op == OP_ATOMIC && insn->space != SPACE_GLOBAL) {
        return "an atomic on other than global memory: must be global";
    }
    if (insn->uncached && (insn->op != OP_LOAD || insn->space != SPACE_GLOBAL)) {
        return "uncached, but no load of global memory: must be one";
    }
    if (!insn->width || insn->width > 16 || insn->width & (insn->width - 1)) {
        return "bytes a lane: must be 1, 2, 4, 8 or 16";
    }
    return NULL;
}

const char *wtr_get_insn(const uint8_t *at, struct insn *insn) {
    *insn = (struct insn){.pc = wtr_get32(at), .op = find_op(at[4]), .dst = at[7]};
    for (unsigned i = 0; i < INSN_SOURCES_MAX; i++) {
        insn->src[i] = at[8 + i];
    }
    if (insn->op == OP_COUNT) {
        return "an operation that does not exist: docs/wtr_format.md lists them";
    }
    /* A register that nothing ever writes would stall its readers for ever. */
    if (insn->dst != REG_NONE && insn->op > OP_BRANCH && insn->op != OP_LOAD &&
        insn->op != OP_ATOMIC) {
        return "a register written by what writes none: must be 255";
    }
    if (!insn_is_memory(insn)) {
        return at[5] || at[6] ? "space and width of what accesses no memory: must be 0" : NULL;
    }
    insn->width = at[6];
    insn->uncached = at[5] & UNCACHED ? 1 : 0;
    while (insn->space < SPACE_COUNT && space_numbers[insn->space] != (at[5] & ~UNCACHED)) {
        insn->space++;
    }
    return check_memory(insn);
}

uint64_t wtr_checksum(const uint8_t *header, const void *payload, size_t bytes) {
    return lzma_crc64(payload, bytes, lzma_crc64(header, WTR_SUMMED_BYTES, 0));
}

bool wtr_printable(const uint8_t *at, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        if (at[i] < 0x20 || at[i] > 0x7e) {
            return false;
        }
    }
    return true;
}
