/* SPDX-License-Identifier: Apache-2.0
 *
 * A dual_queue with the test as DRAM: every command is legal that the open rows allow, unless the
 * test says else. */
#ifndef WARPMEM_TB_DUAL_QUEUE_CASES_H
#define WARPMEM_TB_DUAL_QUEUE_CASES_H

#include "common/bench.h"
#include "dram/dual_queue.h"

/* dual_queue_turns.c */

enum { READ, WRITE };
enum { LOW, HIGH };

static inline struct dual_queue_in *dual_queue_in_of(const struct bench *b) {
    return b->pair.in;
}

static inline const struct dual_queue_out *dual_queue_out_of(const struct bench *b) {
    return b->pair.c_out;
}

static inline const struct dual_queue_params *dual_queue_params_of(const struct bench *b) {
    return (const struct dual_queue_params *)b->pair.ports.params;
}

/** struct dram - what the test knows of the banks, and which it holds up. */
struct dram {
    uint64_t open;
    uint64_t no_column, no_row; /* banks in which such a command is not legal */
    struct dual_queue_out cmd;  /* of the last cycle */
};

/** tick_with_dram() - one cycle: notes the command and answers with the masks. */
static inline void tick_with_dram(struct bench *b, struct dram *d) {
    uint64_t all = ~UINT64_C(0) >> (64 - dual_queue_params_of(b)->BANKS);
    struct dual_queue_in *in = dual_queue_in_of(b);
    bench_comb(b);
    d->cmd = *dual_queue_out_of(b);
    if (d->cmd.cmd_valid) {
        uint64_t bank = UINT64_C(1) << d->cmd.cmd_bank;
        bool open = d->open & bank;
        assert_int_equal(open, d->cmd.cmd_kind != DRAM_QUEUE_ACTIVATE);
        if (d->cmd.cmd_kind != DRAM_QUEUE_COLUMN) {
            d->open ^= bank;
        }
    }
    in->read_ok = in->write_ok = d->open & ~d->no_column;
    in->precharge_ok = d->open & ~d->no_row;
    in->activate_ok = ~d->open & ~d->no_row & all;
    bench_edge(b);
}

/** tick_without_command() - cycles without a command. */
static inline void tick_without_command(struct bench *b, struct dram *d, unsigned cycles) {
    while (cycles--) {
        tick_with_dram(b, d);
        assert_false(d->cmd.cmd_valid);
    }
}

/** ask_bursts() - a request arrives in this cycle. */
static inline void ask_bursts(struct bench *b, unsigned side, unsigned kind, unsigned bank,
                              unsigned row, unsigned tag, unsigned bursts) {
    struct dual_queue_in *in = dual_queue_in_of(b);
    if (side == HIGH) {
        in->high_valid = true;
        in->high_bank = (uint8_t)bank;
        in->high_row = row;
        in->high_write = kind == WRITE;
        in->high_bursts = (uint8_t)bursts;
        in->high_tag = tag;
    } else {
        in->low_valid = true;
        in->low_bank = (uint8_t)bank;
        in->low_row = row;
        in->low_write = kind == WRITE;
        in->low_bursts = (uint8_t)bursts;
        in->low_tag = tag;
    }
}

static inline void ask_queue(struct bench *b, unsigned side, unsigned bank, unsigned row,
                             unsigned tag) {
    ask_bursts(b, side, READ, bank, row, tag, 1);
}

static inline void assert_command(const struct dram *d, enum dram_queue_command kind, unsigned side,
                                  unsigned bank, unsigned row, unsigned tag) {
    assert_true(d->cmd.cmd_valid);
    assert_int_equal(d->cmd.cmd_kind, kind);
    assert_int_equal(d->cmd.cmd_high, side);
    assert_int_equal(d->cmd.cmd_bank, bank);
    assert_int_equal(d->cmd.cmd_row, row);
    assert_int_equal(d->cmd.cmd_tag, tag);
}

/** until_command() - cycles until the next command, its own included; it has to come. */
static inline unsigned until_command(struct bench *b, struct dram *d) {
    for (unsigned cycles = 1; cycles < 20; cycles++) {
        tick_with_dram(b, d);
        if (d->cmd.cmd_valid) {
            return cycles;
        }
    }
    fail_msg("set %s: no command", b->pair.rtl->set->name);
    return 0;
}

/** until_column() - the next column command is for this request. */
static inline void until_column(struct bench *b, struct dram *d, unsigned tag) {
    do {
        until_command(b, d);
    } while (d->cmd.cmd_kind != DRAM_QUEUE_COLUMN);
    assert_int_equal(d->cmd.cmd_tag, tag);
}

/** open_row_of_bank() - a bank's row is open and all queues are empty. */
static inline void open_row_of_bank(struct bench *b, struct dram *d, unsigned bank, unsigned row) {
    ask_queue(b, LOW, bank, row, 15);
    until_column(b, d, 15);
    tick_without_command(b, d, 3);
}

#endif
