/* SPDX-License-Identifier: Apache-2.0 */
#include "config/address_mask.h"

#include <string.h>

#include "config/keys.h"

bool address_mask_given(const struct config *c) {
    return strcmp(c->dram.address_map, "-") != 0;
}

static uint64_t *mask_of_letter(struct address_mask *m, char letter) {
    switch (letter) {
    case 'R': return &m->row;
    case 'B': return &m->bank;
    case 'C': return &m->column;
    case 'S': return &m->burst;
    default: return NULL;
    }
}

bool address_mask_parse(struct address_mask *m, const char *text, struct config_error *e) {
    unsigned letters = (unsigned)strlen(text);
    *m = (struct address_mask){0};
    if (letters > ADDRESS_MASK_LETTERS) {
        return config_fail(e, "dram.address_map = %s: has %u letters, must have at most %u", text,
                           letters, ADDRESS_MASK_LETTERS);
    }
    for (unsigned i = 0; i < letters; i++) {
        uint64_t *mask = mask_of_letter(m, text[i]);
        if (!mask) {
            return config_fail(e,
                               "dram.address_map = %s: letter %u is %c, must be R (row), B (bank), "
                               "C (column) or S (byte within a burst)",
                               text, i + 1, text[i]);
        }
        *mask |= UINT64_C(1) << (letters - 1 - i);
    }
    if (*text != 'R') {
        return config_fail(
            e, "dram.address_map = %s: must begin with R, as all higher bits are the row's", text);
    }
    m->row |= ~UINT64_C(0) << letters;
    return true;
}

static bool mask_has_bits(const char *text, char letter, uint64_t mask, const char *key,
                          unsigned value, struct config_error *e) {
    int has = __builtin_popcountll(mask), needed = __builtin_ctz(value);
    return has == needed ||
           config_fail(e, "dram.address_map = %s: has %d %c, must have %d: log2 of %s = %u", text,
                       has, letter, needed, key, value);
}

bool address_mask_check(const struct config *c, struct config_error *e) {
    const char *text = c->dram.address_map;
    struct address_mask m;
    unsigned burst_bytes = c->dram.bus_bytes * c->dram.burst;
    if (!address_mask_given(c)) {
        return true;
    }
    if (!address_mask_parse(&m, text, e) ||
        !mask_has_bits(text, 'S', m.burst, "dram.bus_bytes * dram.burst", burst_bytes, e) ||
        !mask_has_bits(text, 'C', m.column, "dram.row_bytes / (dram.bus_bytes * dram.burst)",
                       c->dram.row_bytes / burst_bytes, e) ||
        !mask_has_bits(text, 'B', m.bank, "dram.banks", c->dram.banks, e)) {
        return false;
    }
    if (m.burst != burst_bytes - 1) {
        return config_fail(e, "dram.address_map = %s: S must be the last letters", text);
    }
    return !((m.row | m.bank) & (c->l2.line_bytes - 1)) ||
           config_fail(e,
                       "dram.address_map = %s: its last %d letters must be C and S, as a line "
                       "(l2.line_bytes = %u) lies in one row",
                       text, __builtin_ctz(c->l2.line_bytes), c->l2.line_bytes);
}
