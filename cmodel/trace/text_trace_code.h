/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of a kernel of a text trace. A PC identifies an instruction. Loop markers share the PC
 * of their loop's first instruction, so the operation is part of their identity.
 */
#ifndef WARPMEM_TRACE_TEXT_TRACE_CODE_H
#define WARPMEM_TRACE_TEXT_TRACE_CODE_H

#include "kernel/insn.h"
#include "trace/text_lines.h"

struct text_code {
    struct insn *insns;
    unsigned count, room;
    uint32_t *slots; /* a hash table of places in insns, plus 1 */
    unsigned slot_count;
};

/** text_code_clear() - begin a kernel. */
void text_code_clear(struct text_code *c);
void text_code_free(struct text_code *c);

/**
 * text_code_take() - read the text after a PC: nothing, if the instruction is known, or its
 * description (OP [SPACE BYTES [uncached]] [dst=R] [src=R,R]), which must match a known one.
 * @at: after the PC, or the active lanes; moved on to the addresses or the end
 * @declares: an insn line: the instruction must be new
 * @index: of the instruction
 * Return: false with a message in @lines.
 */
bool text_code_take(struct text_code *c, struct text_lines *lines, uint32_t pc, const char **at,
                    bool declares, unsigned *index);

/* Numbers, in decimal or 0x and hexadecimal. */

/** text_number() - read a number, after blanks, that ends at a blank, at one of @ends, or at the
 * end of the line. False: there is none, it exceeds @most, or other text follows. */
bool text_number(const char **at, const char *ends, uint64_t most, uint64_t *value);
/** text_word() - skip blanks and @word. False: it is not there. */
bool text_word(const char **at, const char *word);
/** text_blanks() - skip blanks. Return: *at. */
const char *text_blanks(const char **at);

#endif
