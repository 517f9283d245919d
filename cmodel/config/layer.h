/* SPDX-License-Identifier: Apache-2.0
 *
 * The contents of one INI text: values of some keys, and the machine that they change. A preset is
 * a few layers, each over the one before; --config files are one more.
 */
#ifndef WARPMEM_CONFIG_LAYER_H
#define WARPMEM_CONFIG_LAYER_H

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"
#include "config/keys.h"

struct config_place {
    unsigned line;    /* 0: the text does not give the key */
    const char *note; /* the comment after the value; it lives as long as the text */
    int note_length;
};

#define CONFIG_NAME_TEXT 32   /* room for a machine's name */
#define CONFIG_PLACE_TEXT 256 /* room for "FILE:LINE" */

/* Zero-initialised: empty. */
struct config_layer {
    struct config values; /* valid where place[i].line is not 0 */
    struct config_place place[CONFIG_KEYS];
    char base[CONFIG_KEY_TEXT];         /* PRESET of `base = PRESET`; "": none */
    char base_place[CONFIG_PLACE_TEXT]; /* where, for messages */
    char name[CONFIG_NAME_TEXT];        /* the machine's, by `name = NAME`; "": none */
};

/**
 * config_layer_text() - add the values of an INI text.
 * @origin: the text's name in messages
 * False, with a message of file, line and the allowed values, if a line is wrong or the text gives
 * a key twice; *l may then have changed.
 */
bool config_layer_text(struct config_layer *l, const char *origin, const char *text, size_t size,
                       struct config_error *e);

/** config_layer_apply() - override *c. */
void config_layer_apply(const struct config_layer *l, struct config *c);

#endif
