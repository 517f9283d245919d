/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture: scripts/plot_character.py, which is in the program, run by Debian's Python.
 */
#ifndef WARPMEM_CLI_CHARACTERIZE_PLOT_H
#define WARPMEM_CLI_CHARACTERIZE_PLOT_H

#include <jansson.h>

#include "cli/output.h"

extern const char plot_script[]; /* the script's text */

/** character_plot_possible() - before the work: is there something to draw with, and does the name
 * end in .png, .svg or .pdf? False with a message. */
bool character_plot_possible(const char *path, struct config_error *e);
/** character_plot() - draw what the JSON says into the file, which stays open; the end of its path
 * says the kind of picture. False with a message; the script has said more. */
bool character_plot(json_t *json, struct output *out, struct config_error *e);

#endif
