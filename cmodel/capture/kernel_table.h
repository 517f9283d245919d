/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel as the instrumenter found it in the compiler's code: its basic blocks, and in each of
 * them the instructions that a GPU would issue. It is handed on inside the compiled program as a
 * row of 32-bit numbers (kernel_table_parse()); capture/code_layout.h makes code of it.
 *
 * When a thread runs a block it reports the block, then an address for each of the block's
 * accesses, in order (capture/recorder.h). Several instructions may belong to one access: parts of
 * a wide one, or one for each space that a generic pointer may lead to.
 */
#ifndef WARPMEM_CAPTURE_KERNEL_TABLE_H
#define WARPMEM_CAPTURE_KERNEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/block_graph.h"
#include "kernel/insn.h"

#define KERNEL_TABLE_MAGIC 0x324b5457u /* "WTK2" */
#define KERNEL_TABLE_FILES_MAX 256u
#define KERNEL_TABLE_VALUES_MAX (1u << 20)
#define KERNEL_TABLE_BLOCKS_MAX 65536u
#define ACCESS_NONE 0xffffu
#define VALUE_NONE UINT32_MAX

enum table_insn_flags {
    TABLE_GENERIC = 1, /* only lanes whose address lies in the instruction's space */
    TABLE_JUMP = 2,    /* unconditional: no instruction where the target follows in the code */
};

/* An instruction. Values are numbers of what the scoreboard tells apart, before registers. */
struct table_insn {
    uint8_t op, space, width, uncached, flags;
    uint16_t access; /* of its block, from 0; ACCESS_NONE: none */
    uint32_t offset; /* bytes behind the access's address */
    uint32_t dst, src[INSN_SOURCES_MAX];
    uint32_t line; /* of the source; 0: not known */
    uint16_t file; /* in kernel_table.files */
};

struct table_block {
    uint32_t first, count; /* instructions */
    uint32_t accesses;
    bool barrier; /* its last instruction is a barrier, behind which threads go on together */
};

struct kernel_table {
    char *name;
    char **files; /* of its source; the first is the one that was compiled */
    uint32_t file_count;
    uint32_t shared_bytes;
    uint32_t insn_count, value_count;
    struct table_block *blocks;
    struct table_insn *insns;
    uint8_t *value_words; /* 32-bit registers that each value takes */
    struct block_graph graph;
    uint32_t *edges; /* the graph's arrays */
};

/**
 * kernel_table_parse() - read a table from @count numbers.
 * @wrong: what is wrong with it
 * Return: NULL: @wrong says why.
 */
struct kernel_table *kernel_table_parse(const uint32_t *numbers, size_t count, const char **wrong);

/** kernel_table_write() - the numbers that kernel_table_parse() reads, for the caller to free;
 * NULL: out of memory. */
uint32_t *kernel_table_write(const struct kernel_table *t, size_t *count);

void kernel_table_destroy(struct kernel_table *t);

#endif
