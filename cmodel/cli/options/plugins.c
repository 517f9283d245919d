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

/* The i-th policy that the plug-in has for the place; NULL: it has no more. */
static const void *plugin_policy_at(const struct plugin *p, unsigned place, unsigned i) {
#define POLICY_AT(name, kind, row_at) \
    case POLICY_PLACE_##name: return p->name ? p->name[i] : NULL;
    switch (place) { POLICY_PLACES(POLICY_AT) }
#undef POLICY_AT
    return NULL;
}

static const char *plugin_policy_name(unsigned place, const void *policy) {
#define POLICY_NAME(name_of, kind, row_at) \
    case POLICY_PLACE_##name_of: return ((const kind *)policy)->name;
    switch (place) { POLICY_PLACES(POLICY_NAME) }
#undef POLICY_NAME
    return NULL;
}

const void *plugins_find(const struct plugins *p, unsigned place, const char *name,
                         const struct loaded_plugin **from) {
    for (unsigned i = 0; p && i < p->count; i++) {
        const void *policy;
        for (unsigned k = 0; (policy = plugin_policy_at(p->list[i].plugin, place, k)); k++) {
            if (!strcmp(plugin_policy_name(place, policy), name)) {
                if (from) {
                    *from = &p->list[i];
                }
                return policy;
            }
        }
    }
    return NULL;
}

void plugins_explain(const struct plugins *p, struct config_error *e) {
    char names[160] = "";
    const void *policy;
    for (unsigned i = 0; i < p->count; i++) {
        for (unsigned place = 0; place < POLICY_PLACE_COUNT; place++) {
            for (unsigned k = 0; (policy = plugin_policy_at(p->list[i].plugin, place, k)); k++) {
                text_list(names, sizeof names, plugin_policy_name(place, policy));
            }
        }
    }
    const size_t used = strlen(e->text);
    snprintf(e->text + used, sizeof e->text - used, " (%s%s)",
             *names ? "plug-ins have " : "--plugin FILE.so adds your own policies", names);
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
    for (unsigned place = 0; place < POLICY_PLACE_COUNT; place++) {
        if (plugins_find(p, place, name, NULL) || named_policy_row_exists(place, name)) {
            return config_fail(e,
                               "--plugin %.200s: there is a policy %.60s already: must be another "
                               "name",
                               path, name);
        }
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

/* A function that the policy must have and lacks, for a message; NULL: none. */
static const char *lacking_function(unsigned place, const void *policy) {
    const struct policy_kind *issue = policy;
    const struct l1_policy_kind *l1 = policy;
    const struct l2_policy_kind *l2 = policy;
    const struct dram_scheduler_kind *dram = policy;
    switch (place) {
    case POLICY_PLACE_issue:
        return issue->events && !issue->tell ? " asks for events: must have tell()" : NULL;
    case POLICY_PLACE_l1:
        return l1->events && !l1->tell       ? " asks for events: must have tell()"
               : l1->prefetches && !l1->tell ? " prefetches: must have tell()"
                                             : NULL;
    case POLICY_PLACE_l2:
        return l2->events && !l2->tell ? " asks for events: must have tell()"
               : l2->begin_cycle && !(l2->end_cycle && l2->victim)
                   ? " has begin_cycle(): must have end_cycle() and victim()"
                   : NULL;
    case POLICY_PLACE_dram:
        return !dram->choose && !dram->cycle ? ": must have choose() or cycle()" : NULL;
    default: return NULL;
    }
}

static bool check_plugin_policies(const struct plugins *p, const char *path,
                                  const struct plugin *plugin, struct config_error *e) {
    const void *policy;
    unsigned count = 0;
    for (unsigned place = 0; place < POLICY_PLACE_COUNT; place++) {
        for (unsigned i = 0; (policy = plugin_policy_at(plugin, place, i)); i++) {
            const char *name = plugin_policy_name(place, policy);
            const char *lacks = lacking_function(place, policy);
            if (!name_is_free(p, path, name, e)) {
                return false;
            }
            if (lacks) {
                return config_fail(e, "--plugin %.200s: %.60s%s", path, name, lacks);
            }
            count++;
        }
    }
    return count || config_fail(e, "--plugin %.200s: brings no policy: must bring one", path);
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
            : config_fail(e, "--plugin %.200s: exports no %s: not a plug-in", path, PLUGIN_SYMBOL);
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
