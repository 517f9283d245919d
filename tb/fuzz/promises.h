/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks that several targets share.
 */
#ifndef WARPMEM_TB_FUZZ_PROMISES_H
#define WARPMEM_TB_FUZZ_PROMISES_H

#include "config/config.h"
#include "fuzz/fuzz.h"

/** promise_preset() - a preset's configuration, read once. */
struct config promise_preset(const char *name);

/** promise_config() - what config_print() writes of a configuration is read as the same, and
 * config_check() accepts it or says why not in one line. Return: accepted. */
bool promise_config(const struct config *c);

/** promise_small() - can the machine be built, and run for some thousand cycles, in no time? */
bool promise_small(const struct config *c);

/**
 * promise_trace() - a trace file, whatever it holds: is read to its end or refused in one line, by
 * its items and by its records, is characterized, and on a small machine (@which: one of a few)
 * counts the same asleep and polled. Return: it is good.
 */
bool promise_trace(const char *path, unsigned which);

/**
 * seal_trace() - write a trace file of blocks: of each a byte of its type, two of its size, its
 * payload. They are packed, numbered and get right checksums, which no chance would find; a DONE or
 * END block without a payload gets the totals that are right.
 */
void seal_trace(const char *path, struct fuzz_bytes *b);

#endif
