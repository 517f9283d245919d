/* SPDX-License-Identifier: Apache-2.0
 *
 * The banks of a DRAM channel: their open rows, and the first legal cycle of each command by the
 * timing (dram/timing.h). This code knows commands, not requests.
 */
#ifndef WARPMEM_DRAM_BANKS_H
#define WARPMEM_DRAM_BANKS_H

#include "dram/address.h"
#include "dram/timing.h"

#define DRAM_ACTIVATES_KEPT 32 /* those that aw32 needs */
#define DRAM_GROUPS_MAX 16

struct dram_bank {
    bool open;
    uint64_t row;
    /* First DRAM cycle in which the command is legal here. */
    uint64_t activate_at, read_at, write_at;
};

/**
 * struct dram_banks - the banks of one channel.
 * @row_at: first cycle in which the bank's row command is legal: a precharge if it is open, else an
 *          activate
 * @column_at, @read_at, @write_at, @activate_at: the same for all banks
 * @open: mask of open banks
 * @activated: cycles of the latest activates: a ring; with the windows of dram.faw or dram.aw32
 */
struct dram_banks {
    struct dram_timing timing;
    struct dram_bank bank[DRAM_BANKS_MAX];
    uint64_t row_at[DRAM_BANKS_MAX];
    uint64_t group_column_at[DRAM_GROUPS_MAX];
    uint64_t column_at, read_at, write_at, activate_at;
    uint64_t open;
    uint64_t activated[DRAM_ACTIVATES_KEPT];
    uint64_t activates; /* number of all; the ring has the latest */
};

static inline void not_before(uint64_t *at, uint64_t cycle) {
    if (*at < cycle) {
        *at = cycle;
    }
}

/** banks_column_cycle() - first cycle in which a column command is legal in a bank of bank group
 * @group, without CCD. */
static inline uint64_t banks_column_cycle(const struct dram_banks *b, unsigned bank, unsigned group,
                                          bool write) {
    uint64_t at = write ? b->bank[bank].write_at : b->bank[bank].read_at;
    not_before(&at, write ? b->write_at : b->read_at);
    not_before(&at, b->group_column_at[group]);
    return at;
}

/** banks_row_cycle() - first cycle in which the bank's row command is legal. */
static inline uint64_t banks_row_cycle(const struct dram_banks *b, unsigned bank) {
    uint64_t at = b->row_at[bank];
    not_before(&at, b->bank[bank].open ? 0 : b->activate_at);
    return at;
}

/** banks_column() - record a column command of @cycle. */
static inline void banks_column(struct dram_banks *b, unsigned bank, unsigned group, bool write,
                                uint64_t cycle) {
    const struct dram_timing *t = &b->timing;
    b->column_at = cycle + t->column;
    b->group_column_at[group] = cycle + t->column_group;
    if (write) {
        not_before(&b->read_at, cycle + t->write_to_read);
        not_before(&b->row_at[bank], cycle + t->write_to_precharge);
    } else {
        not_before(&b->write_at, cycle + t->read_to_write);
        not_before(&b->row_at[bank], cycle + t->read_to_precharge);
    }
}

/** banks_keep_windows() - after an activate of @cycle: delay the next one by the windows too. */
void banks_keep_windows(struct dram_banks *b, uint64_t cycle);

/** banks_activate() - record an activate of @cycle. */
static inline void banks_activate(struct dram_banks *b, unsigned bank, uint64_t row,
                                  uint64_t cycle) {
    const struct dram_timing *t = &b->timing;
    struct dram_bank *at = &b->bank[bank];
    at->open = true;
    b->open |= UINT64_C(1) << bank;
    at->row = row;
    at->read_at = cycle + t->rcd_read;
    at->write_at = cycle + t->rcd_write;
    b->row_at[bank] = cycle + t->ras;
    at->activate_at = cycle + t->rc;
    b->activate_at = cycle + t->rrd;
    if (__builtin_expect(t->faw | t->aw32, 0)) {
        banks_keep_windows(b, cycle);
    }
}

/** banks_precharge() - record a precharge of @cycle. */
static inline void banks_precharge(struct dram_banks *b, unsigned bank, uint64_t cycle) {
    b->bank[bank].open = false;
    b->open &= ~(UINT64_C(1) << bank);
    b->row_at[bank] = b->bank[bank].activate_at;
    not_before(&b->row_at[bank], cycle + b->timing.rp);
}

#endif
