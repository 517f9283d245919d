/* SPDX-License-Identifier: Apache-2.0
 *
 * Static instructions, the machine's view of a kernel's code. A kernel is a table of these; its
 * dynamic records (kernel/warp_stream.h) name an instruction by its index in the table and add the
 * active lanes and addresses.
 */
#ifndef WARPMEM_KERNEL_INSN_H
#define WARPMEM_KERNEL_INSN_H

#include <stdbool.h>
#include <stdint.h>

#define WARP_SIZE 32
#define REG_NONE 0xff
#define REG_COUNT 255 /* registers that the scoreboard distinguishes: 0..254 */
#define INSN_SOURCES_MAX 4

enum insn_op {
    /* Arithmetic: one latency and one initiation interval each in the configuration. */
    OP_INT_ADD,
    OP_INT_MAX,
    OP_INT_MUL,
    OP_INT_MAD,
    OP_INT_DIV,
    OP_FP_ADD,
    OP_FP_MAX,
    OP_FP_MUL,
    OP_FP_MAD,
    OP_FP_DIV,
    OP_DP_ADD,
    OP_DP_MAX,
    OP_DP_MUL,
    OP_DP_MAD,
    OP_DP_DIV,
    OP_SFU,    /* transcendental */
    OP_BRANCH, /* timed as OP_INT_ADD; later records have the lanes that remain */
    OP_ARITHMETIC_COUNT,
    /* Memory. */
    OP_LOAD = OP_ARITHMETIC_COUNT,
    OP_STORE,
    OP_ATOMIC, /* read, modify and write at the L2; dst, if any, gets the old value */
    OP_FENCE,
    OP_BARRIER,
    /* Markers: take no issue slot; consumed when the stream is read. pc is the loop's. */
    OP_LOOP_BEGIN,
    OP_LOOP_ITERATION,
    OP_LOOP_END,
    OP_COUNT
};

enum memory_space {
    SPACE_GLOBAL,
    SPACE_LOCAL,
    SPACE_SHARED,
    SPACE_TEXTURE,
    SPACE_CONSTANT,
    SPACE_COUNT
};

struct insn {
    uint8_t op;       /* enum insn_op */
    uint8_t space;    /* enum memory_space, for memory instructions */
    uint8_t width;    /* bytes a lane, for memory instructions: 1, 2, 4, 8, 16 */
    uint8_t uncached; /* 1: a load of global memory that the L1 does not serve (ld.cg, volatile) */
    uint8_t dst;      /* register written, REG_NONE: none */
    uint8_t src[INSN_SOURCES_MAX]; /* registers read, REG_NONE: none */
    uint32_t pc;                   /* byte address in the kernel's code; unique in the table */
};

static inline int insn_is_memory(const struct insn *i) {
    return i->op >= OP_LOAD && i->op <= OP_ATOMIC;
}

/* An instruction that a warp may issue although no lane executes it. */
static inline int insn_may_be_predicated_off(const struct insn *i) {
    return i->op < OP_LOAD;
}

/* A load that looks up the L1 data cache. */
static inline int insn_is_cached_load(const struct insn *i) {
    return i->op == OP_LOAD && i->space <= SPACE_LOCAL && !i->uncached;
}

static inline int insn_is_marker(const struct insn *i) {
    return i->op >= OP_LOOP_BEGIN && i->op <= OP_LOOP_END;
}

/* The place of an instruction in its source. */
struct source_line {
    uint32_t line; /* 0: unknown */
    uint16_t file; /* in @files */
};

struct kernel_source {
    const char *const *files;
    unsigned file_count;
    const struct source_line *lines;
};

/* A kernel's code: the table, and the resources that a launch needs in a core. */
struct kernel_code {
    const char *name;
    const struct insn *insns;
    unsigned insn_count;
    unsigned registers;    /* per thread, as the compiler would allocate; limits the CTAs per
                              core */
    unsigned shared_bytes; /* of a CTA */
    const struct kernel_source *source; /* NULL: unknown */
    /* Only kernels that kernel/simt.h runs have these: */
    unsigned local_bytes; /* of a thread, a multiple of 4 */
    unsigned local_ctas;  /* with local_bytes: resident CTAs on the machine of its paper */
    bool together;        /* the CTAs of a launch wait for each other (kernel/simt_grid.h) */
};

#endif
