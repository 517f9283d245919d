/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that compare prints: its columns and cells.
 */
#ifndef WARPMEM_CLI_REPORT_COLUMNS_H
#define WARPMEM_CLI_REPORT_COLUMNS_H

#include "cli/study/axes.h"
#include "cli/report/figures.h"
#include "cli/study/sweep.h"
#include "cli/options/words.h"

/* Figures of every table, named as in the help. */
#define COLUMNS_HELP "l1_hit_rate, l2_hit_rate, row_hit_rate, blp, dram_gb_per_s, memory_latency"

enum { COLUMNS_MAX = WORDS_MAX + 18 + AXES_MAX, COLUMNS_CELL = 320 };

enum column_kind {
    COLUMN_WORKLOAD,
    COLUMN_PRESET,
    COLUMN_SCHEME,
    COLUMN_AXIS, /* the value of a key */
    COLUMN_SWEEP,
    COLUMN_CYCLES,
    COLUMN_IPC,
    COLUMN_SPEEDUP,
    COLUMN_FIGURE,
    COLUMN_COUNTER,
    COLUMN_REASON
};

struct column {
    enum column_kind kind;
    const char *name;
    unsigned key; /* of COLUMN_AXIS */
};

struct columns {
    struct column column[COLUMNS_MAX];
    unsigned count, rows;
    char (*cell)[COLUMNS_CELL]; /* row by row */
};

/**
 * columns_choose() - the columns of a table.
 * @workloads, @presets: add a column with the workload, with the preset
 * @axes: the keys with their own columns
 * @stats: further columns: counters and figures
 * Return: false with a message: no machine of the table has a counter of that name.
 */
bool columns_choose(struct columns *c, const struct sweep_table *t, bool workloads, bool presets,
                    const struct axes *axes, const struct words *stats, struct config_error *e);

/** columns_add_reasons() - add a last column with the reason why a row has no result, or a note on
 * it. Call before the first row. */
void columns_add_reasons(struct columns *c);

/**
 * columns_add() - the next row.
 * @first_cycles: reference cycles of its speedup; 0: no speedup
 * @reason: of sweep_reason(); NULL: none
 * Return: false: out of memory.
 */
bool columns_add(struct columns *c, const struct sweep_row *row, uint64_t first_cycles,
                 const char *reason);

/** columns_add_mean() - the next row: a mean over workloads of rows like @row, with its speedup
 * only.
 * @speedup: 0: none, for the given reason. False: out of memory. */
bool columns_add_mean(struct columns *c, const struct sweep_row *row, const char *mean,
                      double speedup, const char *reason);

/** columns_print() - aligned. columns_print_table() - with tabs or commas between. */
void columns_print(const struct columns *c, FILE *out);
void columns_print_table(const struct columns *c, char between, FILE *out);
void columns_free(struct columns *c);

#endif
