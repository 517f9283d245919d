/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of the machine with several values each: compare --sweep KEY=A,B,C. A point has a value of
 * each key; the last key changes fastest.
 */
#ifndef WARPMEM_CLI_STUDY_AXES_H
#define WARPMEM_CLI_STUDY_AXES_H

#include "cli/options/words.h"
#include "config/config.h"
#include "config/keys.h"

enum { AXES_MAX = 4, AXIS_ASSIGNMENT = 2 * CONFIG_KEY_TEXT };

struct axes {
    struct axis {
        char key[CONFIG_KEY_TEXT]; /* "section.key" */
        unsigned number;           /* of the key */
        struct words values;
    } axis[AXES_MAX];
    unsigned count;
};

/** axes_add() - add an axis, from "KEY=A,B,C". False with a message: no such key, or a value that
 * is not allowed. */
bool axes_add(struct axes *a, const char *text, struct config_error *e);
void axes_free(struct axes *a);

/** axes_points() - the number of points; 1 without an axis. */
unsigned axes_points(const struct axes *a);
/** axes_value() - value of axis @i at a point. */
const char *axes_value(const struct axes *a, unsigned point, unsigned i);
/** axes_assignment() - "KEY=VALUE" of axis @i at a point, as for --set. Return: buf. */
const char *axes_assignment(const struct axes *a, unsigned point, unsigned i,
                            char buf[AXIS_ASSIGNMENT]);

#endif
