/* SPDX-License-Identifier: Apache-2.0
 *
 * Sectors of an L2 bank's lines: only for banks with b->sectors.
 */
#ifndef WARPMEM_L2_BANK_SECTORS_H
#define WARPMEM_L2_BANK_SECTORS_H

#include "l2/bank.h"

/** l2_sectors_missing() - the sectors of its line that @r needs and that are neither valid nor
 * written. */
uint8_t l2_sectors_missing(const struct l2_bank *b, const struct request *r, unsigned set, int way);
/** l2_sectors_count() - a request of this kind has been taken. @wanted: its sectors. @missing: of
 * these, the ones that were not here. @on_way: of
 * these, the ones that earlier requests fetch. */
void l2_sectors_count(struct l2_bank *b, unsigned kind, uint8_t wanted, uint8_t missing,
                      uint8_t on_way);
/** l2_sectors_of() - the sectors of the L2's line that @r reads or writes: those that it names, or
 * its line if that is what its reply carries. */
uint8_t l2_sectors_of(const struct l2_bank *b, const struct request *r);
/** l2_sectors_begin_line() - the way has a new line, with no sector valid. */
void l2_sectors_begin_line(struct l2_bank *b, unsigned set, int way);
/**
 * l2_sectors_fetch() - an MSHR fetches the sectors that @r misses.
 * @read: the read for the DRAM
 * @has_line: the line is here; else it has just been reserved
 */
void l2_sectors_fetch(struct l2_bank *b, const struct request *r, struct request *read,
                      unsigned set, int way, unsigned mshr, bool has_line);
/** l2_sectors_fetch_all() - the same for a whole line that has just been reserved. */
void l2_sectors_fetch_all(struct l2_bank *b, uint64_t line, unsigned set, int way, unsigned mshr);
/** l2_sectors_fill_all() - the line, which has just been inserted, is here as a whole. */
void l2_sectors_fill_all(struct l2_bank *b, unsigned set, int way);
/** l2_sectors_write() - write the sectors of @r: whole ones become valid, and those that are not
 * written through become dirty. */
void l2_sectors_write(struct l2_bank *b, const struct request *r, unsigned set, int way);
/** l2_sectors_dirty_bytes() - number of bytes to write back. */
unsigned l2_sectors_dirty_bytes(const struct l2_bank *b, unsigned set, int way);
/** l2_sectors_clean() - they have been written back. */
void l2_sectors_clean(struct l2_bank *b, unsigned set, int way);
/** l2_sectors_arrive() - the sectors that the MSHR fetches are here. Return: no other sector of the
 * line is being fetched. */
bool l2_sectors_arrive(struct l2_bank *b, unsigned set, int way, unsigned mshr);

#endif
