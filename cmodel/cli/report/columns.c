/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/output.h"

static void add_column(struct columns *c, enum column_kind kind, const char *name) {
    c->column[c->count++] = (struct column){kind, name, 0};
}

static bool has_column(const struct columns *c, const char *name) {
    for (unsigned i = 0; i < c->count; i++) {
        if (!strcmp(c->column[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* Find the names that a machine has, as bits of @known, and the nearest to @wanted for the
 * message. */
static bool look_up_names(const struct machine *m, const struct words *names, uint64_t *known,
                          struct config_error *e) {
    const struct gpu_options options = {.policies = m->policies};
    struct gpu *gpu = gpu_create(&m->config, &options, e->text, sizeof e->text);
    struct stats *stats = stats_create();
    bool good = gpu && stats && gpu_register_stats(gpu, stats);
    if (stats && stats_error(stats)) {
        config_fail(e, "%s", stats_error(stats));
    }
    for (unsigned i = 0; good && i < names->count; i++) {
        const struct figure *f = figure_find(names->word[i]);
        struct figure_ref ref;
        size_t at;
        if (f ? figure_resolve(&ref, f, stats) : stats_find(stats, names->word[i], &at)) {
            *known |= UINT64_C(1) << i;
        }
    }
    if (good && names->count && ~*known) {
        struct text_nearest near;
        unsigned first = (unsigned)__builtin_ctzll(~*known);
        text_nearest_init(&near, first < names->count ? names->word[first] : "");
        for (size_t i = 0; i < stats_count(stats); i++) {
            text_nearest_offer(&near, stats_at(stats, i)->name);
        }
        for (unsigned i = 0; figure_at(i); i++) {
            text_nearest_offer(&near, figure_at(i)->name);
        }
        snprintf(e->text, sizeof e->text, "--stats %.80s: no such counter or figure; %s%.80s%s",
                 first < names->count ? names->word[first] : "",
                 near.best ? "did you mean " : "`warpmem list stats` lists them",
                 near.best ? near.best : "", near.best ? "?" : "");
    }
    stats_destroy(stats);
    gpu_destroy(gpu);
    return good;
}

/* A name that some machine of the table has becomes a column; the other machines have no value
 * there. */
static bool names_known(const struct sweep_table *t, const struct words *names,
                        struct config_error *e) {
    uint64_t known = 0, all = names->count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << names->count) - 1;
    for (unsigned i = 0; i < t->count && known != all; i++) {
        if (!look_up_names(t->rows[i].machine, names, &known, e)) {
            return false;
        }
    }
    return known == all;
}

bool columns_choose(struct columns *c, const struct sweep_table *t, bool workloads, bool presets,
                    const struct axes *axes, const struct words *stats, struct config_error *e) {
    static const char *const figures[] = {"l1_hit_rate", "l2_hit_rate",   "row_hit_rate",
                                          "blp",         "dram_gb_per_s", "memory_latency"};
    const char *swept = NULL;
    *c = (struct columns){0};
    if (!names_known(t, stats, e)) {
        return false;
    }
    for (unsigned i = 0; i < t->count; i++) {
        swept = swept ? swept : t->rows[i].sweep.key;
    }
    if (workloads) {
        add_column(c, COLUMN_WORKLOAD, "workload");
    }
    if (presets) {
        add_column(c, COLUMN_PRESET, "preset");
    }
    add_column(c, COLUMN_SCHEME, "scheme");
    for (unsigned i = 0; i < axes->count; i++) {
        add_column(c, COLUMN_AXIS, axes->axis[i].key);
        c->column[c->count - 1].key = axes->axis[i].number;
    }
    if (swept) {
        add_column(c, COLUMN_SWEEP, swept);
    }
    add_column(c, COLUMN_CYCLES, "cycles");
    add_column(c, COLUMN_IPC, "ipc");
    add_column(c, COLUMN_SPEEDUP, "speedup");
    for (unsigned i = 0; i < sizeof figures / sizeof *figures; i++) {
        add_column(c, COLUMN_FIGURE, figures[i]);
    }
    for (unsigned i = 0; i < stats->count; i++) {
        if (has_column(c, stats->word[i])) {
            continue;
        }
        add_column(c, figure_find(stats->word[i]) ? COLUMN_FIGURE : COLUMN_COUNTER, stats->word[i]);
    }
    return true;
}

static void print_millionths(char *cell, uint64_t value) {
    snprintf(cell, COLUMNS_CELL, "%" PRIu64 ".%06" PRIu64, value / 1000000, value % 1000000);
}

static void fill_figure(char *cell, const char *name, const struct session *s) {
    struct figure_ref ref;
    uint64_t value;
    if (figure_resolve(&ref, figure_find(name), s->stats) &&
        figure_value(&ref, s->values, s->cycles, &s->machine->config, &value)) {
        print_millionths(cell, value);
    }
}

static void fill_cell(char *cell, const struct column *column, const struct sweep_row *row,
                      uint64_t first_cycles, const char *reason) {
    const struct session *s = row->result;
    size_t at;
    snprintf(cell, COLUMNS_CELL, "-");
    switch (column->kind) {
    case COLUMN_WORKLOAD: snprintf(cell, COLUMNS_CELL, "%s", row->options->workload->name); return;
    case COLUMN_PRESET: snprintf(cell, COLUMNS_CELL, "%s", row->machine_name); return;
    case COLUMN_SCHEME: snprintf(cell, COLUMNS_CELL, "%s", row->scheme); return;
    case COLUMN_AXIS: {
        char value[CONFIG_KEY_TEXT];
        snprintf(cell, COLUMNS_CELL, "%s",
                 config_value_text(&row->machine->config, column->key, value));
        return;
    }
    case COLUMN_REASON: snprintf(cell, COLUMNS_CELL, "%s", reason ? reason : "-"); return;
    case COLUMN_SWEEP:
        if (row->sweep.key && row->sweep.best < row->sweep.count) {
            snprintf(cell, COLUMNS_CELL, "%u", row->sweep.run[row->sweep.best].value);
        }
        return;
    default: break;
    }
    if (!s) {
        snprintf(cell, COLUMNS_CELL, "%s", column->kind == COLUMN_SPEEDUP ? "failed" : "-");
        return;
    }
    switch (column->kind) {
    case COLUMN_CYCLES: snprintf(cell, COLUMNS_CELL, "%" PRIu64, s->cycles); break;
    case COLUMN_IPC: print_millionths(cell, figure_ratio(s->thread_instructions, s->cycles)); break;
    case COLUMN_SPEEDUP:
        if (s->complete && first_cycles) {
            print_millionths(cell, figure_ratio(first_cycles, s->cycles));
        } else {
            snprintf(cell, COLUMNS_CELL, "%s", s->complete ? "-" : "incomplete");
        }
        break;
    case COLUMN_FIGURE: fill_figure(cell, column->name, s); break;
    default:
        if (stats_find(s->stats, column->name, &at)) {
            snprintf(cell, COLUMNS_CELL, "%" PRIu64, s->values[at]);
        }
    }
}

void columns_add_reasons(struct columns *c) {
    add_column(c, COLUMN_REASON, "reason");
}

static bool add_row_of_cells(struct columns *c) {
    void *grown = realloc(c->cell, (size_t)(c->rows + 1) * c->count * sizeof *c->cell);
    c->cell = grown ? grown : c->cell;
    return grown;
}

bool columns_add_mean(struct columns *c, const struct sweep_row *row, const char *mean,
                      double speedup, const char *reason) {
    if (!add_row_of_cells(c)) {
        return false;
    }
    const struct sweep_row names = {.machine = row->machine,
                                    .options = row->options,
                                    .machine_name = row->machine_name,
                                    .scheme = row->scheme};
    for (unsigned k = 0; k < c->count; k++) {
        char *cell = c->cell[c->rows * c->count + k];
        enum column_kind kind = c->column[k].kind;
        snprintf(cell, COLUMNS_CELL, "-");
        if (kind == COLUMN_WORKLOAD) {
            snprintf(cell, COLUMNS_CELL, "%s", mean);
        } else if (kind <= COLUMN_AXIS || kind == COLUMN_REASON) {
            fill_cell(cell, &c->column[k], &names, 0, reason);
        } else if (kind == COLUMN_SPEEDUP && speedup > 0) {
            snprintf(cell, COLUMNS_CELL, "%.6f", speedup);
        }
    }
    c->rows++;
    return true;
}

bool columns_add(struct columns *c, const struct sweep_row *row, uint64_t first_cycles,
                 const char *reason) {
    if (!add_row_of_cells(c)) {
        return false;
    }
    for (unsigned k = 0; k < c->count; k++) {
        fill_cell(c->cell[c->rows * c->count + k], &c->column[k], row, first_cycles, reason);
    }
    c->rows++;
    return true;
}

/* @row -1: the heading. */
static const char *cell_text(const struct columns *c, int row, unsigned column) {
    return row < 0 ? c->column[column].name : c->cell[(unsigned)row * c->count + column];
}

void columns_print(const struct columns *c, FILE *out) {
    int width[COLUMNS_MAX] = {0};
    for (unsigned k = 0; k < c->count; k++) {
        for (int i = -1; i < (int)c->rows; i++) {
            int length = (int)strlen(cell_text(c, i, k));
            width[k] = length > width[k] ? length : width[k];
        }
    }
    for (int i = -1; i < (int)c->rows; i++) {
        for (unsigned k = 0; k < c->count; k++) {
            bool left = c->column[k].kind <= COLUMN_SCHEME,
                 last = c->column[k].kind == COLUMN_REASON;
            fprintf(out, "%s%*s", k ? "  " : "",
                    last   ? 0
                    : left ? -width[k]
                           : width[k],
                    cell_text(c, i, k));
        }
        fputc('\n', out);
    }
}

void columns_print_table(const struct columns *c, char between, FILE *out) {
    for (int i = -1; i < (int)c->rows; i++) {
        for (unsigned k = 0; k < c->count; k++) {
            if (k) {
                fputc(between, out);
            }
            output_field(cell_text(c, i, k), between, out);
        }
        fputc('\n', out);
    }
}

void columns_free(struct columns *c) {
    free(c->cell);
    *c = (struct columns){0};
}
