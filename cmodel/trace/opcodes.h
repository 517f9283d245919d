/* SPDX-License-Identifier: Apache-2.0
 *
 * A table (data: cmodel/trace/opcodes.tsv) that maps each opcode of a real GPU to the model.
 */
#ifndef WARPMEM_TRACE_OPCODES_H
#define WARPMEM_TRACE_OPCODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPCODE_MAX 63 /* letters of an opcode */

extern const char opcodes_text[]; /* the file, built into the program */

/* An enum memory_space, or this value for no space. */
#define SPACE_GENERIC 0x80

enum opcode_kind {
    OPCODE_PLAIN, /* op alone describes it */
    OPCODE_COPY,  /* LDGSTS: a line for each of its two operands */
    OPCODE_TMA,   /* its addresses have their own format */
    OPCODE_GMMA,  /* text after its registers has its own format; accesses no modelled memory */
};

struct opcode {
    char name[OPCODE_MAX + 1];
    uint8_t kind, op, space, width; /* width 0: from the opcode */
    bool predicate; /* its first operand may be a predicate; the second is the result */
};

struct opcodes;

/**
 * opcodes_create() - read a table.
 * @line: the wrong line of the table, 0: out of memory
 * Return: NULL if a line is wrong.
 */
struct opcodes *opcodes_create(const char *text, unsigned *line);
void opcodes_destroy(struct opcodes *o);
/** opcodes_find() - the entry with the longest prefix of an opcode; NULL: unknown. */
const struct opcode *opcodes_find(const struct opcodes *o, const char *opcode);
/** opcodes_at() - the i-th in order of names; NULL past the end. */
const struct opcode *opcodes_at(const struct opcodes *o, unsigned i);
/** opcode_width() - bytes a lane from an opcode's words: LDG.E.64 8, LDG.E.U16 2, else 4. */
unsigned opcode_width(const char *opcode);

/** opcode_uncached() - true for a load that bypasses the L1: its words have CG or CV (up to
 * Pascal), or STRONG with GPU or SYS (from Volta on; LDG.E.STRONG.GPU). */
bool opcode_uncached(const char *opcode);

#endif
