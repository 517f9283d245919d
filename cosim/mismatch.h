/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of a failing block, the same in lockstep, in the machine and in the tests.
 */
#ifndef WARPMEM_COSIM_MISMATCH_H
#define WARPMEM_COSIM_MISMATCH_H

#include <stdio.h>

#include "cosim/port_values.h"

enum { HISTORY_CYCLES = 16 };

/* Default folder for the last cycles. */
#define MISMATCH_DIR "build/mismatch"

/**
 * struct history - the last cycles, a ring with count valid slots; cycle n is in slot
 * n % HISTORY_CYCLES.
 */
struct history {
    uint64_t count;
    uint64_t cycle[HISTORY_CYCLES];
    uint64_t compared[HISTORY_CYCLES], differ[HISTORY_CYCLES];
    unsigned char *in[HISTORY_CYCLES], *c[HISTORY_CYCLES], *rtl[HISTORY_CYCLES];
};

bool history_init(struct history *h, const struct block *block);
void history_destroy(struct history *h);

/**
 * struct mismatch - a failed cycle.
 * @title:    "MISMATCH", "LATE INPUT", "NOT QUIET"
 * @left, @right: titles of the two columns: "rtl" and "c"
 * @a, @b:    struct X_out of the columns
 * @differ:   mask of outputs that differ
 * @compared: mask of outputs that are compared
 * @context:  "seed 0x5eed0007  set small" or "sm0"
 * @instance: "sm0" in a machine, else the parameter set, because two can fail in one run; NULL:
 *            there is only one
 * @note:     a further sentence, or NULL
 * @waves, @replay, @again: commands, or NULL
 * @dir:      folder for the last cycles, which is made if it does not exist
 */
struct mismatch {
    const char *title;
    const struct port_table *ports;
    uint64_t cycle;
    const char *left, *right;
    const void *in, *a, *b;
    uint64_t differ, compared;
    const char *context, *instance, *note, *waves, *replay, *again, *dir;
    const struct history *history;
};

/**
 * mismatch_path() - <dir>/<place>_<block><ending>, or <dir>/<place>_<block>_<instance><ending>;
 * returns path.
 */
const char *mismatch_path(char *path, size_t size, const char *dir, const char *block,
                          const char *instance, const char *ending);

/** mismatch_word() - one word of a command, quoted as a shell needs it. */
void mismatch_word(FILE *out, const char *word);

/** mismatch_report() - print it, and write the last cycles to mismatch_path() with ".txt". */
void mismatch_report(FILE *out, const struct mismatch *m);

#endif
