/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of --config: layers over a preset.
 */
#ifndef WARPMEM_CONFIG_FILES_H
#define WARPMEM_CONFIG_FILES_H

#include "config/layer.h"

/**
 * config_layer_file() - add the values of a file; they override those of earlier files. A base must
 * be a preset, and the same as in earlier files; the last name wins. False with a message; *l is
 * then unchanged.
 */
bool config_layer_file(struct config_layer *l, const char *path, struct config_error *e);

#endif
