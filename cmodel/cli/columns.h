/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that compare prints: which columns, and their cells.
 */
#ifndef WARPMEM_CLI_COLUMNS_H
#define WARPMEM_CLI_COLUMNS_H

#include "cli/figures.h"
#include "cli/sweep.h"
#include "cli/words.h"

/* Figures of every table, in the words of the help. */
#define COLUMNS_HELP "l1_hit_rate, l2_hit_rate, row_hit_rate, blp, dram_gb_per_s, memory_latency"

enum { COLUMNS_MAX = WORDS_MAX + 16, COLUMNS_CELL = SCHEME_LABEL + 16 };

enum column_kind {
    COLUMN_PRESET,
    COLUMN_SCHEME,
    COLUMN_SWEEP,
    COLUMN_CYCLES,
    COLUMN_IPC,
    COLUMN_SPEEDUP,
    COLUMN_FIGURE,
    COLUMN_COUNTER
};

struct column {
    enum column_kind kind;
    const char *name;
};

struct columns {
    struct column column[COLUMNS_MAX];
    unsigned count, rows;
    char (*cell)[COLUMNS_CELL]; /* row by row */
};

/**
 * columns_choose() - the columns of a table.
 * @presets: one of them is the preset
 * @stats: more of them: counters and figures
 * Return: false with a message: no machine of the table has a counter of that name.
 */
bool columns_choose(struct columns *c, const struct sweep_table *t, bool presets,
                    const struct words *stats, struct config_error *e);

/**
 * columns_add() - the next row.
 * @first_cycles: what its speedup is a share of; 0: nothing
 * Return: false: out of memory.
 */
bool columns_add(struct columns *c, const struct session *s, const struct sweep *sweep,
                 uint64_t first_cycles);

/** columns_print() - aligned. columns_print_tsv() - with tabs. */
void columns_print(const struct columns *c, FILE *out);
void columns_print_tsv(const struct columns *c, FILE *out);
void columns_free(struct columns *c);

#endif
