/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of runs in a folder, for run and compare --keep DIR, make repro and the experiments: only
 * what is not there runs, so that what was stopped goes on, and more begins with what is known.
 *
 * A file a run, DIR/runs/HASH.json, appears whole or not at all. It holds all that the result
 * depends on, the program's own file included, and is believed only if that is equal, and its
 * checksum right.
 */
#ifndef WARPMEM_CLI_STUDY_KEEP_H
#define WARPMEM_CLI_STUDY_KEEP_H

#include "cli/session.h"

#define KEEP_NAME 17
#define KEEP_FAULT 4352

struct keep {
    const char *folder;
    uint64_t program; /* hash of the program's file */
};

/** keep_open() - @make: the folder, if there is none; else there are no results. False with a
 * message. */
bool keep_open(struct keep *k, const char *folder, bool make, struct config_error *e);

/** keep_name_of_run() - 16 hexadecimal digits of all that its result depends on. False: its trace
 * cannot be read, or there is no memory. */
bool keep_name_of_run(const struct keep *k, const struct session_options *o,
                      const struct machine *m, char name[KEEP_NAME]);
/** keep_get() - the result that was kept for a run; s->stats is NULL: there is none. @fault
 * (KEEP_FAULT bytes): why a file that is there is not believed, or "". */
void keep_get(const struct keep *k, struct session *s, const struct session_options *o,
              const struct machine *m, char *fault);
/** keep_put() - keep the result of a run that ended well. False with a message. */
bool keep_put(const struct keep *k, const struct session *s, struct config_error *e);

#endif
