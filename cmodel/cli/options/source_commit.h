/* SPDX-License-Identifier: Apache-2.0
 *
 * The commit of this program; scripts/source_commit.sh writes the values.
 */
#ifndef WARPMEM_CLI_OPTIONS_SOURCE_COMMIT_H
#define WARPMEM_CLI_OPTIONS_SOURCE_COMMIT_H

#include <stdbool.h>

/* The last commit that changed the model, 12 hexadecimal digits; "": unknown. */
extern const char source_commit[];
/* Files of the model differed from that commit. */
extern const bool source_modified;

#endif
