/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures, pages and tasks: scripts that are installed with the program, run by Debian's Python.
 */
#ifndef WARPMEM_CLI_REPORT_PLOT_H
#define WARPMEM_CLI_REPORT_PLOT_H

#include <jansson.h>

#include "cli/output.h"

#define PLOT_PYTHON "/usr/bin/python3"
#define PLOT_NEEDS \
    PLOT_PYTHON " with matplotlib: Debian's python3-matplotlib (scripts/setup.sh installs it)"

/* Scripts, in share/warpmem/scripts; in a build that is a link to scripts/. */
#define PLOT_CHARACTER "plot_character.py"
#define PLOT_COMPARE "plot_compare.py"
#define PLOT_PAGE "warpmem/tools/page.py"
#define PLOT_SLURM "slurm_tasks.py"

enum { PLOT_PATH = 4096 + 64 };

/** plot_find_script() - the script's path, in a folder above the program. False: not there. */
bool plot_find_script(const char *script, char path[PLOT_PATH]);
/** plot_possible() - before the work: is the plotting program there, and does the name end in .png,
 * .svg or .pdf? False with a message. */
bool plot_possible(const char *script, const char *path, struct config_error *e);
/** plot_script_works() - is the script there, and what it needs? False with a message about the
 * option. */
bool plot_script_works(const char *script, const char *option, struct config_error *e);
/** plot_run() - the script reads the JSON and writes to the file, which stays open. @kind: ".svg",
 * ... False: it failed, perhaps with a message. */
bool plot_run(const char *script, const char *kind, json_t *json, FILE *out);
/** plot_draw() - draw the JSON's figures into the file, which stays open; its suffix gives the
 * format. False with a message, after the script's own. */
bool plot_draw(const char *script, json_t *json, struct output *out, struct config_error *e);

#endif
