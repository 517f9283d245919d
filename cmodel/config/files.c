/* SPDX-License-Identifier: Apache-2.0 */
#include "config/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/keys.h"
#include "config/preset_texts.h"

#define FILE_MAX (1u << 20) /* bytes; a file of every key with comments has some ten thousand */

/* Adds what a whole file gave, where its base and its name fit. */
static bool add_file_layer(struct config_layer *l, struct config_layer *one,
                           struct config_error *e) {
    if (*one->base) {
        struct config_error why;
        if (!config_preset_exists(one->base, &why)) {
            return config_fail(e, "%s: base: %.180s", one->base_place, why.text);
        }
        if (*l->base && strcmp(l->base, one->base)) {
            return config_fail(e, "%.180s: base = %s: must be %s, as in %.180s", one->base_place,
                               one->base, l->base, l->base_place);
        }
        strcpy(l->base, one->base);
        strcpy(l->base_place, one->base_place);
    }
    if (*one->name) {
        struct config_error ignored;
        if (config_preset_exists(one->name, &ignored)) {
            return config_fail(e, "name = %s: a preset has this name: must be another", one->name);
        }
        strcpy(l->name, one->name);
    }
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (one->place[i].line) {
            config_key_copy(&l->values, &one->values, i);
            l->place[i] = (struct config_place){.line = one->place[i].line};
        }
    }
    return true;
}

bool config_layer_file(struct config_layer *l, const char *path, struct config_error *e) {
    char shown[sizeof e->text / 2];
    text_shown(shown, sizeof shown, path);
    FILE *f = fopen(path, "rb");
    char *text = f ? malloc(FILE_MAX + 1) : NULL;
    if (!text) {
        config_fail(e, "%s: cannot be read: %s", shown, strerror(errno));
        if (f) {
            fclose(f);
        }
        return false;
    }
    errno = 0;
    size_t size = fread(text, 1, FILE_MAX + 1, f);
    bool good = false;
    if (ferror(f)) {
        config_fail(e, "%s: cannot be read: %s", shown, strerror(errno));
    } else if (size > FILE_MAX) {
        config_fail(e, "%s: more than %u bytes: must be an INI file of the keys", shown, FILE_MAX);
    } else {
        struct config_layer one = {0};
        good = config_layer_text(&one, shown, text, size, e) && add_file_layer(l, &one, e);
    }
    fclose(f);
    free(text);
    return good;
}

bool config_file(struct config *c, const char *path, struct config_error *e) {
    struct config_layer l = {0};
    struct config base = *c;
    if (!config_layer_file(&l, path, e) || (*l.base && !config_preset(&base, l.base, e))) {
        return false;
    }
    config_layer_apply(&l, &base);
    *c = base;
    return true;
}
