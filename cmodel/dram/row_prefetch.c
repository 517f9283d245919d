/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/row_prefetch.h"

static void reset_row_prefetch(struct row_prefetch *s) {
    const struct row_prefetch_params p = s->p;
    *s = (struct row_prefetch){.p = p, .turn = (uint8_t)(p.BANKS - 1)};
}

bool row_prefetch_init(struct row_prefetch *s, const struct row_prefetch_params *p) {
    s->p = *p;
    reset_row_prefetch(s);
    return true;
}

void row_prefetch_destroy(struct row_prefetch *s) {
    (void)s;
}

static uint64_t all_lines(const struct row_prefetch *s) {
    return s->p.LINES < 64 ? (UINT64_C(1) << s->p.LINES) - 1 : ~UINT64_C(0);
}

static bool few_wait(const struct row_prefetch *s, unsigned pending) {
    return s->p.THRESHOLD ? pending < s->p.THRESHOLD : pending << s->p.AVERAGE_SHIFT < s->sum;
}

/* C: the lines of a row that are prefetched even if other demands wait. */
static unsigned least_lines(const struct row_prefetch *s) {
    return s->few ? s->p.HIGHER : s->p.LOWER;
}

/* Does the bank's row get lines although a demand for another row waits? */
static bool is_forced(const struct row_prefetch *s, unsigned bank) {
    return s->p.RULE == 2 && s->count[bank] < least_lines(s) && (s->p.START || s->count[bank]);
}

/* Has the bank a line left, which may be prefetched now? */
static bool may_prefetch(const struct row_prefetch *s, const struct row_prefetch_in *in,
                         unsigned bank) {
    if (!s->left[bank] || !(in->open >> bank & 1) || in->wanted >> bank & 1) {
        return false;
    }
    return in->other >> bank & 1 ? is_forced(s, bank) : s->p.RULE == 1 || least_lines(s);
}

void row_prefetch_comb(const struct row_prefetch *s, const struct row_prefetch_in *in,
                       struct row_prefetch_out *out) {
    uint64_t hold = s->valid ? UINT64_C(1) << s->bank : 0;
    for (uint64_t banks = s->p.RULE == 2 ? in->open & ~in->wanted : 0; banks; banks &= banks - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(banks);
        hold |= s->left[bank] && is_forced(s, bank) ? banks & -banks : 0;
    }
    *out = (struct row_prefetch_out){.pf_valid = s->valid,
                                     .pf_bank = s->bank,
                                     .pf_row = s->row[s->bank],
                                     .pf_line = s->line,
                                     .hold = hold};
}

/* The line of the next offer, if there is one. */
static void choose_line(struct row_prefetch *s, const struct row_prefetch_in *in) {
    s->valid = false;
    for (unsigned i = 1; !s->valid && i <= s->p.BANKS; i++) {
        unsigned bank = (s->turn + i) & (s->p.BANKS - 1);
        if (may_prefetch(s, in, bank)) {
            s->valid = true;
            s->bank = (uint8_t)bank;
            s->line = (uint8_t)__builtin_ctzll(s->left[bank]);
        }
    }
    s->turn = s->valid ? s->bank : s->turn;
    s->valid &= !(in->pre_valid && in->pre_bank == s->bank);
}

void row_prefetch_step(struct row_prefetch *s, const struct row_prefetch_in *in,
                       const struct row_prefetch_out *out) {
    const bool few = few_wait(s, in->pending);
    (void)out;
    if (in->rst) {
        reset_row_prefetch(s);
        return;
    }
    if (s->valid && in->pf_ready) {
        s->left[s->bank] &= ~(UINT64_C(1) << s->line);
        s->count[s->bank] += s->count[s->bank] < s->p.LINES;
    }
    if (!s->valid || in->pf_ready) {
        choose_line(s, in);
    }
    if (in->col_valid) {
        s->left[in->col_bank] &= ~(UINT64_C(1) << in->col_line);
    }
    if (in->act_valid) {
        s->row[in->act_bank] = in->act_row;
        s->left[in->act_bank] = in->act_write && !s->p.WRITTEN ? 0 : all_lines(s);
        s->count[in->act_bank] = 0;
    }
    int32_t average = (int32_t)(s->sum >> s->p.AVERAGE_SHIFT);
    s->sum += (uint32_t)s->move;
    s->move = in->arrival ? in->pending - average : 0;
    s->few = few;
}

bool row_prefetch_quiet(const struct row_prefetch *s, const struct row_prefetch_in *in) {
    if (in->rst || in->act_valid || in->pre_valid || in->col_valid || in->arrival || s->move ||
        s->few != few_wait(s, in->pending)) {
        return false;
    }
    if (s->valid) {
        return !in->pf_ready;
    }
    for (uint64_t banks = in->open; banks; banks &= banks - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(banks);
        if (may_prefetch(s, in, bank)) {
            return false;
        }
    }
    return true;
}
