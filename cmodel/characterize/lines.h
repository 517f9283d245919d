/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory instructions: their number by kind and space, and the lines that each touches; the same
 * for each instruction of the code, because specifications of programs count that way.
 */
#ifndef WARPMEM_CHARACTERIZE_LINES_H
#define WARPMEM_CHARACTERIZE_LINES_H

#include "characterize/line_map.h"
#include "config/config.h"
#include "l1/coalescer.h"

enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_KINDS };
/* An aligned instruction makes at most one access a lane; an unaligned one can touch two lines. */
#define LINES_MAX (2 * WARP_SIZE)

struct line_counts {
    uint64_t instructions[SPACE_COUNT][ACCESS_KINDS];
    uint64_t accesses[SPACE_COUNT][ACCESS_KINDS];
    /* Instructions of global and local memory by their number of accesses. */
    uint64_t histogram[ACCESS_KINDS][LINES_MAX + 1];
};

/* An instruction of the code, over all its executions. */
struct static_access {
    uint64_t executions, lanes, accesses;
    unsigned most; /* accesses of one execution */
};

/* The accesses of one memory instruction. */
struct accesses {
    struct line_access list[COALESCER_ACCESSES_MAX];
    unsigned count;
    unsigned made; /* accesses: more than count where lanes of an atomic change the same word, or
                    * parts of a warp touch the same line */
};

/** access_kind() - the kind of a memory instruction. */
enum access_kind access_kind(const struct insn *i);
/** access_in_l1() - true if it looks up its line in the L1 data cache. Loads and stores of global
 * and local memory do; atomics and uncached loads do not. */
bool access_in_l1(const struct insn *i);
/** access_is_line() - true if it touches lines of global or local memory, which the L1 data cache
 * can hold. */
static inline bool access_is_line(const struct insn *i) {
    return i->space == SPACE_GLOBAL || i->space == SPACE_LOCAL;
}

/**
 * lines_of() - the accesses of a memory instruction. Global and local memory: the L1
 * lines, each once (an atomic makes more where lanes change the same word). Texture
 * memory: lines of the texture cache. Constant memory: the distinct words. Shared memory:
 * none.
 */
void lines_of(const struct config *config, const struct warp_op *op, struct accesses *out);

/** lines_count() - add a memory instruction. @insn: its row of the code's table. */
void lines_count(struct line_counts *c, struct static_access *insn, const struct warp_op *op,
                 const struct accesses *a);
void lines_add(struct line_counts *to, const struct line_counts *c);

#endif
