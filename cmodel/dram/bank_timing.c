/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/bank_timing.h"

#include <string.h>

#include "dram/dual_queue.h"

bool bank_timing_init(struct bank_timing *s, const struct bank_timing_params *params) {
    const struct bank_timing_params *p = params;
    *s = (struct bank_timing){.params = *p,
                              .banks.timing = {.rcd_read = p->RCD_READ,
                                               .rcd_write = p->RCD_WRITE,
                                               .column = p->COLUMN,
                                               .column_group = p->COLUMN_GROUP,
                                               .read_to_write = p->READ_TO_WRITE,
                                               .write_to_read = p->WRITE_TO_READ,
                                               .read_to_precharge = p->READ_TO_CLOSE,
                                               .write_to_precharge = p->WRITE_TO_CLOSE,
                                               .ras = p->RAS,
                                               .rp = p->RP,
                                               .rc = p->RC,
                                               .rrd = p->RRD,
                                               .faw = p->FAW,
                                               .aw32 = p->AW32}};
    return true;
}

void bank_timing_destroy(struct bank_timing *s) {
    (void)s;
}

static unsigned group_of(const struct bank_timing_params *p, unsigned bank) {
    return p->LOW_GROUPS ? bank % p->GROUPS : bank / (p->BANKS / p->GROUPS);
}

static void record_command(struct dram_banks *b, const struct bank_timing *s,
                           const struct bank_timing_in *in) {
    if (!in->cmd_valid) {
        return;
    }
    const unsigned bank = (unsigned)__builtin_ctzll(in->cmd_bank_oh);
    switch (in->cmd_kind) {
    case DRAM_QUEUE_ACTIVATE: banks_activate(b, bank, 0, s->cycle); break;
    case DRAM_QUEUE_PRECHARGE: banks_precharge(b, bank, s->cycle); break;
    default: banks_column(b, bank, group_of(&s->params, bank), in->cmd_write, s->cycle);
    }
}

void bank_timing_comb(const struct bank_timing *s, const struct bank_timing_in *in,
                      struct bank_timing_out *out) {
    struct dram_banks after = s->banks;
    const uint64_t horizon = s->cycle + s->params.LEAD;
    record_command(&after, s, in);
    *out = (struct bank_timing_out){.open = after.open};
    for (unsigned bank = 0; bank < s->params.BANKS; bank++) {
        const unsigned group = group_of(&s->params, bank);
        const uint64_t bit = UINT64_C(1) << bank;
        if (!(after.open & bit)) {
            out->activate_ok |= banks_row_cycle(&after, bank) <= horizon ? bit : 0;
            continue;
        }
        bool column = after.column_at <= horizon;
        out->precharge_ok |= banks_row_cycle(&after, bank) <= horizon ? bit : 0;
        out->read_ok |=
            column && banks_column_cycle(&after, bank, group, false) <= horizon ? bit : 0;
        out->write_ok |=
            column && banks_column_cycle(&after, bank, group, true) <= horizon ? bit : 0;
    }
}

void bank_timing_step(struct bank_timing *s, const struct bank_timing_in *in,
                      const struct bank_timing_out *out) {
    (void)out;
    if (in->rst) {
        const struct bank_timing_params params = s->params;
        bank_timing_init(s, &params);
        return;
    }
    record_command(&s->banks, s, in);
    s->cycle += !bank_timing_quiet(s, in);
}

bool bank_timing_quiet(const struct bank_timing *s, const struct bank_timing_in *in) {
    const struct dram_banks *b = &s->banks;
    const uint64_t now = s->cycle;
    if (in->rst || in->cmd_valid || b->column_at > now || b->read_at > now || b->write_at > now ||
        b->activate_at > now) {
        return false;
    }
    for (unsigned bank = 0; bank < s->params.BANKS; bank++) {
        const struct dram_bank *at = &b->bank[bank];
        if (b->row_at[bank] > now || at->activate_at > now || at->read_at > now ||
            at->write_at > now || b->group_column_at[group_of(&s->params, bank)] > now) {
            return false;
        }
    }
    for (unsigned i = 0; i < DRAM_ACTIVATES_KEPT; i++) { /* a window may outlast the others */
        unsigned longest = s->params.AW32 > s->params.FAW ? s->params.AW32 : s->params.FAW;
        if (i < b->activates && b->activated[i] + longest > now) {
            return false;
        }
    }
    return true;
}
