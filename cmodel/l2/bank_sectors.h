/* SPDX-License-Identifier: Apache-2.0
 *
 * Sectors of an L2 bank's lines: b->sectors is there.
 */
#ifndef WARPMEM_L2_BANK_SECTORS_H
#define WARPMEM_L2_BANK_SECTORS_H

#include "l2/bank.h"

/** l2_sectors_missing() - what @r needs of its line and finds neither valid nor written. */
uint8_t l2_sectors_missing(const struct l2_bank *b, const struct request *r, unsigned set, int way);
/** l2_sectors_begin_line() - the way has another line, of which nothing is here. */
void l2_sectors_begin_line(struct l2_bank *b, unsigned set, int way);
/**
 * l2_sectors_fetch() - an MSHR fetches what @r misses.
 * @read: what goes to the DRAM for it
 * @has_line: the line is here; else it has just been reserved
 */
void l2_sectors_fetch(struct l2_bank *b, const struct request *r, struct request *read,
                      unsigned set, int way, unsigned mshr, bool has_line);
/** l2_sectors_fetch_all() - the same for a whole line that has just been reserved. */
void l2_sectors_fetch_all(struct l2_bank *b, uint64_t line, unsigned set, int way, unsigned mshr);
/** l2_sectors_fill_all() - the line, which has just been inserted, is here whole. */
void l2_sectors_fill_all(struct l2_bank *b, unsigned set, int way);
/** l2_sectors_write() - the sectors of @r are written: whole ones become valid, and those that do
 * not go on dirty. */
void l2_sectors_write(struct l2_bank *b, const struct request *r, unsigned set, int way);
/** l2_sectors_dirty_bytes() - to write back. */
unsigned l2_sectors_dirty_bytes(const struct l2_bank *b, unsigned set, int way);
/** l2_sectors_arrive() - what the MSHR fetches is here. Return: nothing else of the line is on its
 * way. */
bool l2_sectors_arrive(struct l2_bank *b, unsigned set, int way, unsigned mshr);

#endif
