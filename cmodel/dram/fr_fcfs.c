/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/fr_fcfs.h"

#include <string.h>

static uint64_t all_banks_of(const struct fr_fcfs *s) {
    return ~UINT64_C(0) >> (64 - s->params.BANKS);
}

static void reset_fr_fcfs(struct fr_fcfs *s) {
    struct fr_fcfs_params params = s->params;
    memset(s, 0, sizeof *s);
    s->params = params;
    s->row_ok = all_banks_of(s);
}

bool fr_fcfs_init(struct fr_fcfs *s, const struct fr_fcfs_params *params) {
    s->params = *params;
    reset_fr_fcfs(s);
    return true;
}

void fr_fcfs_destroy(struct fr_fcfs *s) {
    (void)s;
}

static bool position_writes(const struct fr_fcfs *s, unsigned position) {
    return s->at.writing[0] >> position & 1;
}

static bool arrival_enters(const struct fr_fcfs *s) {
    return s->arrival.valid && s->count < s->params.DEPTH;
}

/* The request that has arrived takes part in the choice from this cycle on. */
static void enter_fr_fcfs(struct fr_fcfs *s) {
    const struct fr_fcfs_arrival *a = &s->arrival;
    bool hit = s->open >> a->bank & 1 && s->open_row[a->bank] == a->entry.row;
    enter_position(&s->at, s->count, a->bank, a->write, hit);
    s->entry[s->count++] = a->entry;
    s->arrival.valid = false;
}

/* Does an older request of the same line keep this one from its column commands? */
static bool waits_for_older_one(const struct fr_fcfs *s, unsigned position) {
    const struct fr_fcfs_entry *e = &s->entry[position];
    for (unsigned i = 0; i < position && s->params.ORDER; i++) {
        const struct fr_fcfs_entry *older = &s->entry[i];
        if (s->at.bank_of[i] == s->at.bank_of[position] && older->row == e->row &&
            older->column == e->column && (position_writes(s, i) || position_writes(s, position))) {
            return true;
        }
    }
    return false;
}

FOR_ANY_QUEUE uint64_t positions_in_order(const void *of, unsigned word) {
    const struct fr_fcfs *s = of;
    uint64_t free = 0;
    for (uint64_t left = s->at.hits[word]; left; left &= left - 1) {
        free |= waits_for_older_one(s, (unsigned)__builtin_ctzll(left)) ? 0 : left & -left;
    }
    return free;
}

FOR_ANY_QUEUE bool mask_allows_column(const void *of, unsigned bank, bool write) {
    const struct fr_fcfs *s = of;
    return (write ? s->write_ok : s->read_ok) >> bank & 1;
}

FOR_ANY_QUEUE bool mask_allows_row(const void *of, unsigned bank, unsigned position) {
    const struct fr_fcfs *s = of;
    (void)position;
    return s->row_ok >> bank & 1;
}

struct choice {
    unsigned position;
    enum dram_queue_command kind;
};

static struct choice choose_command(const struct fr_fcfs *s, const struct fr_fcfs_in *in) {
    struct choice c = {.kind = DRAM_QUEUE_COLUMN};
    c.position = oldest_legal_hit(&s->at, 1, s, positions_in_order, mask_allows_column);
    if (c.position == FR_FCFS_NO_POSITION) {
        const uint64_t banks = ~s->at.kept_banks & ~(in->hold & s->open);
        c.position = oldest_legal_row(&s->at, s->count, banks, s, mask_allows_row);
        bool open = c.position != FR_FCFS_NO_POSITION && s->open >> s->at.bank_of[c.position] & 1;
        c.kind = open ? DRAM_QUEUE_PRECHARGE : DRAM_QUEUE_ACTIVATE;
    }
    return c;
}

/* The choice of this cycle, in which a request may enter. */
static struct choice enter_and_choose(struct fr_fcfs *s, const struct fr_fcfs_in *in) {
    if (arrival_enters(s)) {
        enter_fr_fcfs(s);
    }
    return choose_command(s, in);
}

void fr_fcfs_comb(const struct fr_fcfs *s, const struct fr_fcfs_in *in, struct fr_fcfs_out *out) {
    struct fr_fcfs with = *s;
    const struct choice c = enter_and_choose(&with, in);
    *out = (struct fr_fcfs_out){.req_ready = !with.arrival.valid};
    if (c.position != FR_FCFS_NO_POSITION) {
        const struct fr_fcfs_entry *e = &with.entry[c.position];
        out->cmd_valid = true;
        out->cmd_kind = (uint8_t)c.kind;
        out->cmd_bank = with.at.bank_of[c.position];
        out->cmd_bank_oh = UINT64_C(1) << out->cmd_bank;
        out->cmd_row = e->row;
        out->cmd_write = position_writes(&with, c.position);
        out->cmd_bursts = e->bursts;
        out->cmd_last = c.kind == DRAM_QUEUE_COLUMN && e->bursts == 1;
        out->cmd_tag = e->tag;
    }
}

static void issue_burst_of(struct fr_fcfs *s, unsigned position) {
    if (--s->entry[position].bursts) {
        return;
    }
    s->count--;
    leave_position(&s->at, position, s->at.bank_of[position], s->count, 1);
    memmove(&s->entry[position], &s->entry[position + 1],
            (s->count - position) * sizeof s->entry[0]);
}

static void open_row_of(struct fr_fcfs *s, unsigned position) {
    const unsigned bank = s->at.bank_of[position];
    s->open |= UINT64_C(1) << bank;
    s->open_row[bank] = s->entry[position].row;
    for (unsigned i = 0; i < s->count; i++) {
        if (s->at.bank_of[i] == bank && s->entry[i].row == s->open_row[bank]) {
            note_position_hit(&s->at, i, bank);
        }
    }
}

void fr_fcfs_step(struct fr_fcfs *s, const struct fr_fcfs_in *in, const struct fr_fcfs_out *out) {
    if (in->rst) {
        reset_fr_fcfs(s);
        return;
    }
    const struct choice c = enter_and_choose(s, in);
    if (c.position == FR_FCFS_NO_POSITION) {
        /* no command */
    } else if (c.kind == DRAM_QUEUE_COLUMN) {
        issue_burst_of(s, c.position);
    } else if (c.kind == DRAM_QUEUE_ACTIVATE) {
        open_row_of(s, c.position);
    } else {
        s->open &= ~(UINT64_C(1) << s->at.bank_of[c.position]);
    }
    if (in->req_valid && out->req_ready) {
        s->arrival = (struct fr_fcfs_arrival){.valid = true,
                                              .write = in->req_write,
                                              .bank = in->req_bank,
                                              .entry = {.tag = in->req_tag,
                                                        .row = in->req_row,
                                                        .column = in->req_column,
                                                        .bursts = in->req_bursts}};
    }
    s->read_ok = in->read_ok;
    s->write_ok = in->write_ok;
    s->row_ok = in->precharge_ok | in->activate_ok;
}

bool fr_fcfs_quiet(const struct fr_fcfs *s, const struct fr_fcfs_in *in) {
    bool moves = s->arrival.valid ? arrival_enters(s) : in->req_valid;
    bool same = s->read_ok == in->read_ok && s->write_ok == in->write_ok &&
                s->row_ok == (in->precharge_ok | in->activate_ok);
    return !in->rst && !moves && same && choose_command(s, in).position == FR_FCFS_NO_POSITION;
}
