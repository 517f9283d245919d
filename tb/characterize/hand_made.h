/* SPDX-License-Identifier: Apache-2.0
 *
 * Hand-made instructions and streams for the tests of characterize/.
 */
#ifndef WARPMEM_TB_CHARACTERIZE_HAND_MADE_H
#define WARPMEM_TB_CHARACTERIZE_HAND_MADE_H

#include <string.h>

#include "base/unit_tests.h"
#include "config/config.h"
#include "kernel/launch.h"

#define ALL_LANES 0xffffffffu
#define BASE UINT64_C(0x80000000)

/* A code with one of each; its places. */
enum { ADD, BRANCH, LOAD, STORE, ATOMIC, BARRIER, BEGIN, ITERATION, END, LOAD_2, FENCE, INSNS };
static const struct insn insns[INSNS] = {
    [ADD] = {.op = OP_INT_ADD, .pc = 0},
    [BRANCH] = {.op = OP_BRANCH, .pc = 8},
    [LOAD] = {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .pc = 16},
    [STORE] = {.op = OP_STORE, .space = SPACE_GLOBAL, .width = 4, .pc = 24},
    [ATOMIC] = {.op = OP_ATOMIC, .space = SPACE_GLOBAL, .width = 4, .pc = 32},
    [BARRIER] = {.op = OP_BARRIER, .pc = 40},
    [BEGIN] = {.op = OP_LOOP_BEGIN, .pc = 48},
    [ITERATION] = {.op = OP_LOOP_ITERATION, .pc = 49},
    [END] = {.op = OP_LOOP_END, .pc = 50},
    [LOAD_2] = {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .pc = 56},
    [FENCE] = {.op = OP_FENCE, .pc = 64},
};
static const struct kernel_code hand_code = {
    .name = "hand-made", .insns = insns, .insn_count = INSNS, .registers = 16};

/* Lane l accesses base + l * stride. */
static inline struct warp_op op_of(unsigned insn, uint32_t active, uint64_t base, int64_t stride) {
    return (struct warp_op){.insn = &insns[insn],
                            .active = active,
                            .form = insn_is_memory(&insns[insn]) ? ADDRESS_AFFINE : ADDRESS_NONE,
                            .base = base,
                            .stride = stride};
}

static inline void put_op(struct warp_stream *s, unsigned insn) {
    assert_true(warp_stream_put(s, insn, ALL_LANES));
}

/* All lanes access one line, by its number. */
static inline void put_line_of_bytes(struct warp_stream *s, unsigned insn, uint64_t line,
                                     unsigned line_bytes) {
    assert_true(warp_stream_put_affine(s, insn, ALL_LANES, BASE + line * line_bytes, 0));
}

static inline struct config preset_named(const char *name) {
    struct config c;
    struct config_error e;
    assert_true(config_preset(&c, name, &e));
    return c;
}

#endif
