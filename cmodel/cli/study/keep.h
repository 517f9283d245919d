/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of runs in a folder, for run and compare --keep DIR, make repro and the experiments: a
 * repeated or resumed command runs only what has no kept result.
 *
 * A file a run, DIR/runs/HASH.json, appears whole or not at all. It has everything that the
 * result depends on, the program's own file included, and is used only if all of that is equal and
 * the checksum is right.
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

/** keep_open() - @make: make a missing folder; otherwise it counts as empty. False with a
 * message. */
bool keep_open(struct keep *k, const char *folder, bool make, struct config_error *e);

/** keep_name_of_run() - a hash, in 16 hexadecimal digits, of everything that its result depends on.
 * False: its trace cannot be read, or out of memory. */
bool keep_name_of_run(const struct keep *k, const struct session_options *o,
                      const struct machine *m, char name[KEEP_NAME]);
/** keep_get() - the kept result of a run; s->stats is NULL: none. @fault (KEEP_FAULT bytes): the
 * reason why an existing file is not used, or "". */
void keep_get(const struct keep *k, struct session *s, const struct session_options *o,
              const struct machine *m, char *fault);
/** keep_put() - keep the result of a successful run. False with a message. */
bool keep_put(const struct keep *k, const struct session *s, struct config_error *e);

#endif
