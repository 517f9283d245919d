/* SPDX-License-Identifier: Apache-2.0
 *
 * A bound on the dirty lines of an L2 set (l2.dirty_ways): the write that exceeds it writes the
 * oldest dirty line back, which stays in its way, clean. Only for banks with b->dirty_ways.
 */
#ifndef WARPMEM_L2_BANK_CLEAN_H
#define WARPMEM_L2_BANK_CLEAN_H

#include "l2/bank.h"

/** l2_dirty_line_to_clean() - way of the line that a write to @way writes back, or TAG_NO_WAY.
 * @way: of the line that is written, or of the victim that it replaces. */
int l2_dirty_line_to_clean(const struct l2_bank *b, unsigned set, int way);
/** l2_clean_line() - send the dirty sectors of the line to the DRAM. @r: the write. */
void l2_clean_line(struct l2_bank *b, const struct request *r, unsigned set, int way,
                   uint64_t visible);

#endif
