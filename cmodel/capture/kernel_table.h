/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel as the instrumenter found it in the compiler's code: its basic blocks, with the
 * instructions that a GPU would issue. The compiled program contains the table as a row of 32-bit
 * numbers (kernel_table_parse()), which capture/code_layout.h turns into code.
 *
 * A thread that runs a block reports the block, then an address for each of the block's accesses,
 * in order (capture/recorder.h). Several instructions may belong to one access: parts of a wide
 * one, or one for each space of a generic pointer.
 *
 * Functions that were not inlined, because they are called through a pointer or by themselves,
 * follow the kernel's own blocks. A call ends its block. The thread's next block is a function's
 * entry; behind a block of the function without successors it is the one behind the call.
 */
#ifndef WARPMEM_CAPTURE_KERNEL_TABLE_H
#define WARPMEM_CAPTURE_KERNEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/block_graph.h"
#include "kernel/insn.h"

#define KERNEL_TABLE_MAGIC 0x334b5457u /* "WTK3" */
#define KERNEL_TABLE_FILES_MAX 256u
#define KERNEL_TABLE_VALUES_MAX (1u << 20)
#define KERNEL_TABLE_BLOCKS_MAX 65536u
#define ACCESS_NONE 0xffffu
#define VALUE_NONE UINT32_MAX

enum table_insn_flags {
    TABLE_GENERIC = 1, /* executed only by lanes whose address is in the instruction's space */
    TABLE_JUMP = 2,    /* unconditional: no instruction if the target follows in the code */
};

/* An instruction. Its operands are numbers of values, which get registers later. */
struct table_insn {
    uint8_t op, space, width, uncached, flags;
    uint16_t access; /* of its block, from 0; ACCESS_NONE: none */
    uint32_t offset; /* bytes added to the access's address */
    uint32_t dst, src[INSN_SOURCES_MAX];
    uint32_t line; /* of the source; 0: unknown */
    uint16_t file; /* in kernel_table.files */
};

struct table_block {
    uint32_t first, count; /* instructions */
    uint32_t accesses;
    bool barrier; /* its last instruction is a barrier, after which threads continue together */
    bool calls; /* its last instruction calls a function; one edge, to the block behind the call */
    bool entry; /* of a function */
    bool predicated; /* a short `if`: lanes that do not take it issue its instructions, too */
};

struct kernel_table {
    char *name;
    char **files; /* of its source; the first is the one that was compiled */
    uint32_t file_count;
    uint32_t shared_bytes;
    uint32_t insn_count, value_count;
    struct table_block *blocks;
    struct table_insn *insns;
    uint8_t *value_words; /* 32-bit registers of each value */
    struct block_graph graph;
    uint32_t *edges;         /* the graph's arrays */
    uint32_t function_block; /* the first block of a function; graph.count: none */
};

/**
 * kernel_table_parse() - read a table from @count numbers.
 * @wrong: the fault
 * Return: NULL: @wrong has the fault.
 */
struct kernel_table *kernel_table_parse(const uint32_t *numbers, size_t count, const char **wrong);

/** kernel_table_write() - the numbers that kernel_table_parse() reads, for the caller to free;
 * NULL: out of memory. */
uint32_t *kernel_table_write(const struct kernel_table *t, size_t *count);

void kernel_table_destroy(struct kernel_table *t);

#endif
