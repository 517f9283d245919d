/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a dump (gpu_dump()) that are inside a core.
 */
#ifndef WARPMEM_CORE_CORE_DUMP_H
#define WARPMEM_CORE_CORE_DUMP_H

#include <stdio.h>

#include "core/core.h"

/** core_dump_head() - the core's line. core_dump_caches() - its texture FIFO and MSHRs. */
void core_dump_head(const struct core *c, FILE *out);
void core_dump_caches(const struct core *c, FILE *out);

/** core_dump_warp() - the reason why a live warp waits, and its accesses in the core. Return: has
 * it others, which have left the L1? */
bool core_dump_warp(const struct core *c, unsigned warp, FILE *out);

#endif
