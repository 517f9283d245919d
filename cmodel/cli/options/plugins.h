/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared objects with policies (gpu/plugin.h): --plugin FILE.
 */
#ifndef WARPMEM_CLI_OPTIONS_PLUGINS_H
#define WARPMEM_CLI_OPTIONS_PLUGINS_H

#include "config/config.h"
#include "gpu/plugin.h"

#define PLUGINS_MAX 8

struct plugins {
    struct loaded_plugin {
        const char *path;
        void *handle;
        const struct plugin *plugin;
        uint64_t hash; /* of the file */
    } list[PLUGINS_MAX];
    unsigned count;
};

/**
 * plugins_load() - load and check a plug-in. It stays until plugins_unload().
 * Return: false with a message: no such file, not a plug-in, built with other headers, a name that
 * is taken.
 */
bool plugins_load(struct plugins *p, const char *path, struct config_error *e);
void plugins_unload(struct plugins *p);

/** plugins_find() - the policy of that name for enum policy_place @place, as that place's struct;
 * NULL: none. *from, if not NULL: its plug-in. @p: NULL: there are none. */
const void *plugins_find(const struct plugins *p, unsigned place, const char *name,
                         const struct loaded_plugin **from);

/** plugins_explain() - append to a message about an unknown scheme which policies the plug-ins
 * have; without a plug-in, that --plugin brings some. */
void plugins_explain(const struct plugins *p, struct config_error *e);

#endif
