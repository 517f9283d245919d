/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/dual_queue.h"

#include <string.h>

static void reset_dual_queue(struct dual_queue *s) {
    struct dual_queue_params params = s->params;
    memset(s, 0, sizeof *s);
    s->params = params;
}

bool dual_queue_init(struct dual_queue *s, const struct dual_queue_params *params) {
    s->params = *params;
    reset_dual_queue(s);
    return true;
}

void dual_queue_destroy(struct dual_queue *s) {
    (void)s;
}

void dual_queue_comb(const struct dual_queue *s, const struct dual_queue_in *in,
                     struct dual_queue_out *out) {
    (void)in;
    *out = s->cmd;
    out->high_ready = s->list[DUAL_QUEUE_HIGH].count < s->params.DEPTH;
    out->low_ready = s->list[DUAL_QUEUE_LOW].count < s->params.DEPTH;
}

static inline uint64_t bank_bit(unsigned bank) {
    return UINT64_C(1) << bank;
}

static inline dual_queue_mask position_bit(unsigned position) {
    return (dual_queue_mask)1 << position;
}

/* The oldest of a mask that is not empty. */
static inline unsigned oldest_position(dual_queue_mask mask) {
    uint64_t low = (uint64_t)mask;
    return low ? (unsigned)__builtin_ctzll(low)
               : 64 + (unsigned)__builtin_ctzll((uint64_t)(mask >> 64));
}

/* The oldest low request has the turn. It is inside: the count begins again when one leaves. */
static inline bool low_has_the_turn(const struct dual_queue *s) {
    return s->params.BOUND && s->passed == s->params.BOUND;
}

/* Banks in which commands may be issued. */
struct banks {
    uint64_t read, write, row;
    uint64_t turn; /* of the request that has the turn */
};

static inline struct banks banks_of(const struct dual_queue *s, const struct dual_queue_in *in) {
    struct banks b = {
        .read = in->read_ok,
        .write = in->write_ok,
        .row = (in->precharge_ok & s->open) | (in->activate_ok & ~s->open),
    };
    if (low_has_the_turn(s)) {
        const struct dual_queue_list *low = &s->list[DUAL_QUEUE_LOW];
        b.turn = bank_bit(low->entry[0].bank);
        if (low->hit & position_bit(0)) {
            *(low->write & position_bit(0) ? &b.read : &b.write) = 0;
        }
    }
    return b;
}

struct candidates {
    dual_queue_mask column, row;
};

/* Candidates of a queue. With ROW_FIRST hits are candidates also where the other queue is served,
 * and a row that a low request wants is not closed. */
static struct candidates find_candidates(const struct dual_queue *s, enum dual_queue_side side,
                                         const struct banks *b) {
    const struct dual_queue_list *l = &s->list[side], *low = &s->list[DUAL_QUEUE_LOW];
    const bool high = side == DUAL_QUEUE_HIGH, row_first = s->params.ROW_FIRST;
    const uint64_t served = high ? ~b->turn : ~s->list[DUAL_QUEUE_HIGH].banks | b->turn;
    const uint64_t for_hits = row_first && !high ? UINT64_MAX : served;
    struct candidates c = {0, 0};
    for (uint64_t left = l->banks & for_hits & (b->read | b->write | b->row); left;
         left &= left - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(left);
        dual_queue_mask here = b->turn & left & -left ? position_bit(0) : l->in_bank[bank];
        dual_queue_mask hits = here & l->hit;
        if (hits) {
            c.column |= hits & ((b->read >> bank & 1 ? ~l->write : 0) |
                                (b->write >> bank & 1 ? l->write : 0));
        } else if (!row_first || !high || !(low->hit & low->in_bank[bank])) {
            c.row |= b->row & served & left & -left ? here : 0;
        }
    }
    return c;
}

static inline bool any_candidate(struct candidates c) {
    return c.column || c.row;
}

static inline void find_all(struct dual_queue *s, const struct dual_queue_in *in) {
    struct dual_queue_list *high = &s->list[DUAL_QUEUE_HIGH], *low = &s->list[DUAL_QUEUE_LOW];
    struct banks b = banks_of(s, in);
    struct candidates h = find_candidates(s, DUAL_QUEUE_HIGH, &b),
                      l = find_candidates(s, DUAL_QUEUE_LOW, &b);
    high->column = h.column;
    high->row = h.row;
    low->column = l.column;
    low->row = l.row;
}

/* Candidates of a queue that cycle n + 1 may choose: none of the kind of command that n issues. */
static struct candidates left_by(const struct dual_queue_out *now,
                                 const struct dual_queue_list *l) {
    bool column = now->cmd_kind == DRAM_QUEUE_COLUMN;
    return (struct candidates){.column = now->cmd_valid && column ? 0 : l->column,
                               .row = now->cmd_valid && !column ? 0 : l->row};
}

/* The choice of cycle n + 1 from the candidates of n: the command of the next cycle. */
static unsigned choose_next_command(const struct dual_queue *s, struct dual_queue_out *next) {
    const struct dual_queue_out *now = &s->cmd;
    struct candidates high = left_by(now, &s->list[DUAL_QUEUE_HIGH]);
    struct candidates low = left_by(now, &s->list[DUAL_QUEUE_LOW]);
    bool low_first = low_has_the_turn(s) && ((low.column | low.row) & position_bit(0));
    low_first |= s->params.ROW_FIRST && !high.column && low.column;
    enum dual_queue_side side =
        any_candidate(high) && !low_first ? DUAL_QUEUE_HIGH : DUAL_QUEUE_LOW;
    struct candidates c = side == DUAL_QUEUE_HIGH ? high : low;
    if (!any_candidate(c)) {
        return 0;
    }
    bool column = c.column;
    unsigned position = oldest_position(column ? c.column : c.row);
    const struct dual_queue_entry *e = &s->list[side].entry[position];
    if (now->cmd_valid && now->cmd_bank == e->bank) {
        return 0;
    }
    next->cmd_valid = true;
    next->cmd_kind = column                   ? DRAM_QUEUE_COLUMN
                     : s->open >> e->bank & 1 ? DRAM_QUEUE_PRECHARGE
                                              : DRAM_QUEUE_ACTIVATE;
    next->cmd_bank = e->bank;
    next->cmd_row = e->row;
    next->cmd_high = side == DUAL_QUEUE_HIGH;
    next->cmd_last = column && e->bursts == 1;
    next->cmd_tag = e->tag;
    return position;
}

static inline void remove_bit(dual_queue_mask *mask, unsigned position) {
    dual_queue_mask older = position_bit(position) - 1;
    *mask = (*mask & older) | (*mask >> 1 & ~older);
}

/* A request leaves; the younger ones move up. */
static void remove_from_list(struct dual_queue_list *l, unsigned position) {
    unsigned bank = l->entry[position].bank;
    for (uint64_t left = l->banks; left; left &= left - 1) {
        remove_bit(&l->in_bank[__builtin_ctzll(left)], position);
    }
    if (!l->in_bank[bank]) {
        l->banks &= ~bank_bit(bank);
    }
    remove_bit(&l->hit, position);
    remove_bit(&l->write, position);
    remove_bit(&l->column, position);
    remove_bit(&l->row, position);
    l->count--;
    memmove(&l->entry[position], &l->entry[position + 1],
            (l->count - position) * sizeof l->entry[0]);
}

/* A row was opened: notes the requests that want it. */
static void note_open(struct dual_queue_list *l, unsigned bank, uint32_t row) {
    for (dual_queue_mask left = l->in_bank[bank]; left; left &= left - 1) {
        unsigned position = oldest_position(left);
        if (l->entry[position].row == row) {
            l->hit |= position_bit(position);
        }
    }
}

static void note_closed(struct dual_queue_list *l, unsigned bank) {
    l->hit &= ~l->in_bank[bank];
}

/* The command of this cycle is known from the next one on. */
static void note_queue_command(struct dual_queue *s) {
    const struct dual_queue_out *c = &s->cmd;
    struct dual_queue_list *l = &s->list[c->cmd_high ? DUAL_QUEUE_HIGH : DUAL_QUEUE_LOW];
    if (c->cmd_kind == DRAM_QUEUE_COLUMN) {
        if (!c->cmd_high) {
            s->passed = c->cmd_last && s->position == 0 ? 0 : s->passed;
        } else if (s->list[DUAL_QUEUE_LOW].count && s->passed < s->params.BOUND) {
            s->passed++;
        }
        l->entry[s->position].bursts--;
        if (c->cmd_last) {
            remove_from_list(l, s->position);
        }
    } else if (c->cmd_kind == DRAM_QUEUE_ACTIVATE) {
        s->open |= bank_bit(c->cmd_bank);
        s->open_row[c->cmd_bank] = c->cmd_row;
        note_open(&s->list[DUAL_QUEUE_HIGH], c->cmd_bank, c->cmd_row);
        note_open(&s->list[DUAL_QUEUE_LOW], c->cmd_bank, c->cmd_row);
    } else {
        s->open &= ~bank_bit(c->cmd_bank);
        note_closed(&s->list[DUAL_QUEUE_HIGH], c->cmd_bank);
        note_closed(&s->list[DUAL_QUEUE_LOW], c->cmd_bank);
    }
}

static void append_to_list(struct dual_queue *s, enum dual_queue_side side,
                           struct dual_queue_entry e, bool write) {
    struct dual_queue_list *l = &s->list[side];
    dual_queue_mask here = position_bit(l->count);
    l->in_bank[e.bank] |= here;
    l->banks |= bank_bit(e.bank);
    l->hit |= s->open >> e.bank & 1 && s->open_row[e.bank] == e.row ? here : 0;
    l->write |= write ? here : 0;
    l->entry[l->count++] = e;
}

void dual_queue_step(struct dual_queue *s, const struct dual_queue_in *in,
                     const struct dual_queue_out *out) {
    if (in->rst) {
        reset_dual_queue(s);
        return;
    }
    struct dual_queue_out next = {0};
    unsigned position = choose_next_command(s, &next);
    find_all(s, in);
    if (s->cmd.cmd_valid) {
        note_queue_command(s);
    }
    if (in->high_valid && out->high_ready) {
        struct dual_queue_entry e = {in->high_tag, in->high_row, in->high_bank, in->high_bursts};
        append_to_list(s, DUAL_QUEUE_HIGH, e, in->high_write);
    }
    if (in->low_valid && out->low_ready) {
        struct dual_queue_entry e = {in->low_tag, in->low_row, in->low_bank, in->low_bursts};
        append_to_list(s, DUAL_QUEUE_LOW, e, in->low_write);
    }
    s->cmd = next;
    s->position = position;
}

bool dual_queue_quiet(const struct dual_queue *s, const struct dual_queue_in *in) {
    const struct dual_queue_list *low = &s->list[DUAL_QUEUE_LOW], *high = &s->list[DUAL_QUEUE_HIGH];
    struct banks b = banks_of(s, in);
    if (in->rst || s->cmd.cmd_valid || low->column || low->row || high->column || high->row ||
        (in->high_valid && high->count < s->params.DEPTH) ||
        (in->low_valid && low->count < s->params.DEPTH)) {
        return false;
    }
    return !any_candidate(find_candidates(s, DUAL_QUEUE_HIGH, &b)) &&
           !any_candidate(find_candidates(s, DUAL_QUEUE_LOW, &b));
}
