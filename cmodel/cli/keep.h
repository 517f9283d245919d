/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of runs in a folder: compare --keep DIR runs only what is not there, so that a table
 * that was stopped goes on, and a wider one begins with what is known.
 *
 * A file a run, DIR/runs/HASH.json, appears whole or not at all. It holds all that the result
 * depends on, the program's own file included, and is believed only if that is equal.
 */
#ifndef WARPMEM_CLI_KEEP_H
#define WARPMEM_CLI_KEEP_H

#include "cli/session.h"

#define KEEP_NAME 17

struct keep {
    const char *folder;
    uint64_t program; /* hash of the program's file */
};

/** keep_open() - make the folder. False with a message. */
bool keep_open(struct keep *k, const char *folder, struct config_error *e);

/** keep_name_of_run() - 16 hexadecimal digits of all that its result depends on. False: its trace
 * cannot be read, or there is no memory. */
bool keep_name_of_run(const struct keep *k, const struct session_options *o,
                      const struct machine *m, char name[KEEP_NAME]);
/** keep_get() - the result that was kept for a run; s->stats is NULL: there is none. */
void keep_get(const struct keep *k, struct session *s, const struct session_options *o,
              const struct machine *m);
/** keep_put() - keep the result of a run that ended well. False with a message. */
bool keep_put(const struct keep *k, const struct session *s, struct config_error *e);

#endif
