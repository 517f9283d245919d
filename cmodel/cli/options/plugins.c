/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/plugins.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/options/file_hash.h"
#include "config/derived.h"
#include "config/keys.h"
#include "config/schemes.h"

const struct policy_kind *plugins_policy(const struct plugins *p, const char *name,
                                         const struct loaded_plugin **from) {
    for (unsigned i = 0; p && i < p->count; i++) {
        const struct policy_kind *const *k = p->list[i].plugin->policies;
        for (; k && *k; k++) {
            if (!strcmp((*k)->name, name)) {
                if (from) {
                    *from = &p->list[i];
                }
                return *k;
            }
        }
    }
    return NULL;
}

const struct l2_replacement_kind *plugins_replacement(const struct plugins *p, const char *name,
                                                      const struct loaded_plugin **from) {
    for (unsigned i = 0; p && i < p->count; i++) {
        const struct l2_replacement_kind *const *k = p->list[i].plugin->replacements;
        for (; k && *k; k++) {
            if (!strcmp((*k)->name, name)) {
                if (from) {
                    *from = &p->list[i];
                }
                return *k;
            }
        }
    }
    return NULL;
}

/* Letters, digits, - and _, beginning with a letter. */
static bool is_plugin_name(const char *name) {
    size_t length = name ? strlen(name) : 0;
    if (!length || length >= CONFIG_TEXT || !isalpha((unsigned char)*name)) {
        return false;
    }
    for (const char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_') {
            return false;
        }
    }
    return true;
}

static bool name_is_free(const struct plugins *p, const char *path, const char *name,
                         struct config_error *e) {
    const struct scheme *s;
    char shown[TEXT_SHOWN];
    if (!is_plugin_name(name)) {
        return config_fail(e,
                           "--plugin %.200s: a policy is called %s: must be letters, digits, - and "
                           "_, beginning with a letter",
                           path, name ? text_shown(shown, sizeof shown, name) : "(nothing)");
    }
    for (unsigned i = 0; (s = scheme_at(i)); i++) {
        if (!strcmp(s->name, name)) {
            return config_fail(e,
                               "--plugin %.200s: %.60s is a scheme of warpmem: must be another "
                               "name",
                               path, name);
        }
    }
    if (plugins_policy(p, name, NULL) || plugins_replacement(p, name, NULL)) {
        return config_fail(e,
                           "--plugin %.200s: there is a policy %.60s already: must be another "
                           "name",
                           path, name);
    }
    return true;
}

static bool check_layout(const char *path, const struct plugin *plugin, struct config_error *e) {
    static const uint32_t here[] = PLUGIN_LAYOUT;
    if (plugin->version != PLUGIN_VERSION) {
        return config_fail(e, "--plugin %.200s: is of version %u: must be %d: build it again", path,
                           plugin->version, PLUGIN_VERSION);
    }
    return !memcmp(plugin->layout, here, sizeof here) ||
           config_fail(e,
                       "--plugin %.200s: was built with other headers than this warpmem: build it "
                       "again with those of this version",
                       path);
}

static bool check_plugin_policies(const struct plugins *p, const char *path,
                                  const struct plugin *plugin, struct config_error *e) {
    const struct policy_kind *const *k = plugin->policies;
    const struct l2_replacement_kind *const *r = plugin->replacements;
    if (!(k && *k) && !(r && *r)) {
        return config_fail(e, "--plugin %.200s: brings no policy: must bring one", path);
    }
    for (; k && *k; k++) {
        if (!name_is_free(p, path, (*k)->name, e)) {
            return false;
        }
        if ((*k)->events && !(*k)->tell) {
            return config_fail(e, "--plugin %.200s: %.60s asks for events: must have tell()", path,
                               (*k)->name);
        }
    }
    for (; r && *r; r++) {
        if (!name_is_free(p, path, (*r)->name, e)) {
            return false;
        }
        if (!(*r)->victim) {
            return config_fail(e, "--plugin %.200s: %.60s: must have victim()", path, (*r)->name);
        }
    }
    return true;
}

/* Cuts the loader's message to one line without the path that it repeats. */
static void refuse_object(const char *path, struct config_error *e) {
    const char *said = dlerror();
    size_t length = strlen(path);
    if (said && !strncmp(said, path, length) && said[length] == ':') {
        said += length + 1 + strspn(said + length + 1, " ");
    }
    char shown[256];
    config_fail(e, "--plugin %.200s: cannot be loaded: %s", path,
                text_shown(shown, sizeof shown, said ? said : "no reason given"));
}

bool plugins_load(struct plugins *p, const char *path, struct config_error *e) {
    char real[4096], error[512];
    struct loaded_plugin one = {.path = path};
    if (p->count == PLUGINS_MAX) {
        return config_fail(e, "--plugin: at most %d", PLUGINS_MAX);
    }
    /* Without a '/' the loader would search the system's folders. */
    snprintf(real, sizeof real, "%s%s", strchr(path, '/') ? "" : "./", path);
    if (!file_hash(real, &one.hash, error, sizeof error)) {
        return config_fail(e, "--plugin %.480s",
                           strncmp(error, "./", 2) || strchr(path, '/') ? error : error + 2);
    }
    one.handle = dlopen(real, RTLD_NOW | RTLD_LOCAL);
    if (!one.handle) {
        refuse_object(path, e);
        return false;
    }
    one.plugin = dlsym(one.handle, PLUGIN_SYMBOL);
    bool good =
        one.plugin
            ? check_layout(path, one.plugin, e) && check_plugin_policies(p, path, one.plugin, e)
            : config_fail(e, "--plugin %.200s: exports no %s: is no plug-in", path, PLUGIN_SYMBOL);
    if (!good) {
        dlclose(one.handle);
        return false;
    }
    p->list[p->count++] = one;
    return true;
}

void plugins_unload(struct plugins *p) {
    for (unsigned i = 0; p && i < p->count; i++) {
        dlclose(p->list[i].handle);
    }
    p->count = 0;
}
