/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of a kernel, collected from the lines of its text trace: each line has its instruction
 * between the active lanes and the addresses.
 */
#ifndef WARPMEM_TRACE_ACCELSIM_CODE_H
#define WARPMEM_TRACE_ACCELSIM_CODE_H

#include "kernel/insn.h"
#include "trace/opcodes.h"
#include "trace/text_lines.h"

#define ACCELSIM_PC_BITS 24
/* The tracer writes all warps' lines as they come. */
#define ACCELSIM_UNPROCESSED \
    "an unprocessed trace of NVBit's tracer: run post-traces-processing first, which writes " \
    "kernelslist.g and kernel-N.traceg"
#define ACCELSIM_UNKNOWN_MAX 256 /* unknown opcodes that are counted separately */

/* Counts of warp instructions that an import changed or dropped, for the user. */
struct accelsim_notes {
    struct {
        char opcode[OPCODE_MAX + 1];
        uint64_t count;
    } unknown[ACCELSIM_UNKNOWN_MAX];
    unsigned unknown_count;
    uint64_t other_unknown;     /* with further unknown opcodes */
    uint64_t without_addresses; /* memory instructions whose line has none: run as int_add */
    uint64_t no_lane;           /* every lane predicated off: dropped */
    uint64_t cut;               /* more than 16 bytes a lane: 16 are accessed */
    uint64_t same_pc;           /* instructions of the code that share a PC with another */
    uint64_t copies;            /* from the host, kept */
};

/* An instruction as the lines have it. Its addresses can change its meaning in the model. */
struct accelsim_insn {
    uint32_t pc, next; /* next: with the same hash, 0: none */
    char *text;        /* number and names of registers, opcode, width: as in the lines */
    unsigned length;
    const struct opcode *opcode; /* NULL: unknown */
    int unknown;                 /* place in the notes, -1: known or beyond them */
    bool addresses;              /* its lines have addresses */
    bool skip;                   /* and they are not read */
    bool uncached;               /* if it is a load of global memory */
    uint8_t width, dst, src[INSN_SOURCES_MAX];
    uint32_t index[1 + SPACE_COUNT]; /* 1 + place in the code: without memory, then by space */
};

struct accelsim_code {
    const struct opcodes *opcodes;
    struct accelsim_notes *notes;
    struct accelsim_insn *list; /* list[0] is not used */
    unsigned count, room;
    uint32_t *heads;
    struct insn *insns; /* the model's code */
    unsigned insn_count, insn_room;
};

/** accelsim_code_init() - no instruction yet. False: out of memory. */
bool accelsim_code_init(struct accelsim_code *c, const struct opcodes *opcodes,
                        struct accelsim_notes *notes);
void accelsim_code_free(struct accelsim_code *c);

/**
 * accelsim_code_find() - the instruction of a line.
 * @text: after the active lanes; moved on to the addresses
 * Return: NULL with a message in @lines.
 */
const struct accelsim_insn *accelsim_code_find(struct accelsim_code *c, struct text_lines *lines,
                                               uint32_t pc, const char **text);

/**
 * accelsim_code_index() - its place in the code for an access to @space, or to none: SPACE_COUNT.
 * Return: false with a message in @lines.
 */
bool accelsim_code_index(struct accelsim_code *c, struct text_lines *lines,
                         const struct accelsim_insn *found, unsigned space, unsigned *index);

/* Read a number of a line, after blanks. False: there is none, or it does not fit. */
bool accelsim_hex(const char **at, uint64_t *value);
bool accelsim_unsigned(const char **at, uint64_t most, uint64_t *value);
bool accelsim_signed(const char **at, int64_t *value);

#endif
