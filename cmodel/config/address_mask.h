/* SPDX-License-Identifier: Apache-2.0
 *
 * dram.address_map as masks: the bits of an address within a channel that give the row, the bank
 * and the column.
 */
#ifndef WARPMEM_CONFIG_ADDRESS_MASK_H
#define WARPMEM_CONFIG_ADDRESS_MASK_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

#define ADDRESS_MASK_LETTERS 48

/** struct address_mask - bits of a byte address within a channel; the most significant bit of each
 * mask is the most significant one of the row, bank or column. */
struct address_mask {
    uint64_t row; /* with all bits above the text's */
    uint64_t bank, column, burst;
};

/** address_mask_given() - is there a text? Without one an address is row, bank, column from the
 * top.
 */
bool address_mask_given(const struct config *c);

/** address_mask_parse() - @text: a letter a bit, the most significant one first: R row, B bank,
 * C column, S byte within a burst. False: *e has the message, in one line. */
bool address_mask_parse(struct address_mask *m, const char *text, struct config_error *e);

/** address_mask_check() - does the text, if there is one, fit the machine's DRAM? For
 * config_check(). */
bool address_mask_check(const struct config *c, struct config_error *e);

#endif
