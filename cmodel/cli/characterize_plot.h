/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture: scripts/plot_character.py, which is in the program, run by Debian's Python.
 */
#ifndef WARPMEM_CLI_CHARACTERIZE_PLOT_H
#define WARPMEM_CLI_CHARACTERIZE_PLOT_H

#include <jansson.h>

#include "cli/output.h"

extern const char plot_script[]; /* the script's text */

/** character_plot_possible() - before the work: is the plotting program there, and does the name
 * end in .png, .svg or .pdf? False with a message. */
bool character_plot_possible(const char *path, struct config_error *e);
/** character_plot() - draw the JSON's figures into the file, which stays open; its suffix gives the
 * format. False with a message, after the script's own. */
bool character_plot(json_t *json, struct output *out, struct config_error *e);

#endif
