/* SPDX-License-Identifier: Apache-2.0
 *
 * The runs of compare: every workload on every machine under every scheme at every point of the
 * swept keys, as rows of a table in that order.
 */
#ifndef WARPMEM_CLI_STUDY_GRID_H
#define WARPMEM_CLI_STUDY_GRID_H

#include "cli/study/axes.h"
#include "cli/options/machine.h"
#include "cli/session.h"
#include "cli/study/sweep.h"
#include "cli/options/words.h"

enum { GRID_ROWS_MAX = 100000 };

/* The lists to combine. No presets: the preset of the machine's options. */
struct grid_wish {
    const struct machine_options *machine;
    const struct session_options *session; /* each workload's options except the workload */
    const struct words *workloads, *presets, *schemes;
    const struct axes *axes;
    const struct sweep_options *sweep;
    bool each_point;
};

struct grid {
    struct session_options *options;   /* one a workload */
    struct machine *machines;          /* [preset][scheme][point] */
    char (*scheme)[SCHEME_LABEL + 16]; /* each machine's name without the swept keys */
    char (*name)[CONFIG_NAME_TEXT + 16];
    char (*point)[BATCH_TITLE / 2];
    unsigned workloads, presets, schemes, points;
    bool each_point; /* the reference of a row is at its own values of the swept keys */
    struct sweep_table table;
};

/** grid_make() - make and check rows and machines. Return: false with a message; if it is empty, it
 * has been printed. */
bool grid_make(struct grid *g, const struct grid_wish *wish, struct config_error *e);
void grid_free(struct grid *g);

/** grid_reference() - the reference cycles of a row's speedup: those of the first scheme on its
 * machine, at the first point or (each_point) at the row's; 0: none. An incomplete run is no
 * reference. */
uint64_t grid_reference(const struct grid *g, unsigned row);

enum grid_mean { GRID_MEAN_GEOMETRIC, GRID_MEAN_HARMONIC, GRID_MEAN_NONE };
extern const char *const grid_mean_names[3]; /* "geometric", ... */

/** grid_mean() - of the speedups over all workloads on machine @m (0 .. presets * schemes * points
 * - 1). 0: *lacking workloads have no speedup. */
double grid_mean(const struct grid *g, unsigned m, enum grid_mean mean, unsigned *lacking);
/** grid_idle() - workloads with a session_note() on machine @m. */
unsigned grid_idle(const struct grid *g, unsigned m);

#endif
