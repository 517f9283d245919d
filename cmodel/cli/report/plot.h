/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures and pages: scripts that are built into the program and run by Debian's Python.
 */
#ifndef WARPMEM_CLI_REPORT_PLOT_H
#define WARPMEM_CLI_REPORT_PLOT_H

#include <jansson.h>

#include "cli/output.h"

#define PLOT_PYTHON "/usr/bin/python3"
#define PLOT_NEEDS \
    PLOT_PYTHON " with matplotlib: Debian's python3-matplotlib (scripts/setup.sh installs it)"

/* Texts of the scripts: scripts/plot_character.py, scripts/plot_compare.py and
 * scripts/house/page.py. */
extern const char plot_character_script[], plot_compare_script[], page_script[];
/* scripts/slurm_tasks.py, with what it needs of scripts/house. */
extern const char slurm_tasks_script[];

/** plot_possible() - before the work: check that the plotting program exists and that the name ends
 * in .png, .svg or .pdf. False with a message. */
bool plot_possible(const char *script, const char *path, struct config_error *e);
/** plot_script_works() - true if everything that the script needs is installed. */
bool plot_script_works(const char *script);
/** plot_run() - the script reads the JSON and writes to the file, which stays open. @kind: ".svg",
 * ... False: it failed, perhaps with a message. */
bool plot_run(const char *script, const char *kind, json_t *json, FILE *out);
/** plot_draw() - draw the JSON's figures into the file, which stays open; its suffix gives the
 * format. False with a message, after the script's own. */
bool plot_draw(const char *script, json_t *json, struct output *out, struct config_error *e);

#endif
