/* SPDX-License-Identifier: Apache-2.0
 *
 * The stall classes of a run, explained: a table in the order of a request's path, then the worst
 * class, its evidence, and its remedies.
 */
#ifndef WARPMEM_CLI_REPORT_EXPLAIN_H
#define WARPMEM_CLI_REPORT_EXPLAIN_H

#include <stdio.h>

#include "cli/session.h"

/**
 * explain_session() - explain a run that has statistics. A class of cycles is one counter of the
 * registry, summed over all cores. Classes that the machine does not count, and cycles in no class,
 * appear as "not told apart".
 */
void explain_session(const struct session *s, FILE *out);

#endif
