/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures: scripts that are in the program, run by Debian's Python.
 */
#ifndef WARPMEM_CLI_PLOT_H
#define WARPMEM_CLI_PLOT_H

#include <jansson.h>

#include "cli/output.h"

/* Texts of the scripts: scripts/plot_character.py and scripts/plot_compare.py. */
extern const char plot_character_script[], plot_compare_script[];

/** plot_possible() - before the work: is the plotting program there, and does the name end in .png,
 * .svg or .pdf? False with a message. */
bool plot_possible(const char *script, const char *path, struct config_error *e);
/** plot_draw() - draw the JSON's figures into the file, which stays open; its suffix gives the
 * format. False with a message, after the script's own. */
bool plot_draw(const char *script, json_t *json, struct output *out, struct config_error *e);

#endif
