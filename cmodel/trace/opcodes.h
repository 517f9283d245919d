/* SPDX-License-Identifier: Apache-2.0
 *
 * A table (data: cmodel/trace/opcodes.tsv) gives each opcode of a real GPU a meaning in the model.
 */
#ifndef WARPMEM_TRACE_OPCODES_H
#define WARPMEM_TRACE_OPCODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPCODE_MAX 63 /* letters of an opcode */

extern const char opcodes_text[]; /* the file, generated into the program */

/* A space is an enum memory_space, or this one. */
#define SPACE_GENERIC 0x80

enum opcode_kind {
    OPCODE_PLAIN, /* op alone says it */
    OPCODE_COPY,  /* LDGSTS: a line for each of its two operands */
    OPCODE_TMA,   /* its addresses have a format of their own */
    OPCODE_GMMA,  /* so has what follows its registers; it accesses no memory that is modelled */
};

struct opcode {
    char name[OPCODE_MAX + 1];
    uint8_t kind, op, space, width; /* width 0: from the opcode */
    bool predicate;                 /* can be its first operand; then the second is the result */
};

struct opcodes;

/**
 * opcodes_create() - read a table.
 * @line: of the table that is wrong, 0: out of memory
 * Return: NULL when a line is wrong.
 */
struct opcodes *opcodes_create(const char *text, unsigned *line);
void opcodes_destroy(struct opcodes *o);
/** opcodes_find() - the entry that is the longest leading part of an opcode; NULL: unknown. */
const struct opcode *opcodes_find(const struct opcodes *o, const char *opcode);
/** opcodes_at() - the i-th in order of names; NULL past the end. */
const struct opcode *opcodes_at(const struct opcodes *o, unsigned i);
/** opcode_width() - bytes a lane by an opcode's words: LDG.E.64 8, LDG.E.U16 2, else 4. */
unsigned opcode_width(const char *opcode);

/** opcode_uncached() - a load that the L1 is not to serve: its words have CG or CV (to Pascal), or
 * STRONG with GPU or SYS (from Volta on; LDG.E.STRONG.GPU). */
bool opcode_uncached(const char *opcode);

#endif
