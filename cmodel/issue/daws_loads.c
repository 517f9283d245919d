/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws_loads.h"

#include <string.h>

bool daws_loads_init(struct daws_loads *s, const struct daws_loads_params *p) {
    memset(s, 0, sizeof *s);
    s->p = *p;
    return true;
}

void daws_loads_destroy(struct daws_loads *s) {
    (void)s;
}

void daws_loads_comb(const struct daws_loads *s, const struct daws_loads_in *in,
                     struct daws_loads_out *out) {
    const struct daws_ask_stage *a = &s->ask[2];
    (void)in;
    out->ans_valid = a->valid;
    out->ans_warp = a->warp;
    out->ans_known = a->valid && a->known;
    out->ans_loop = a->loop;
    out->ans_lines = a->lines;
    out->ans_over = a->lines > s->p.LINES;
    out->refused = s->refused;
}

/* Returns the loop's place; LOOPS: none. */
static uint8_t find_daws_loop(const struct daws_loads *s, uint32_t pc) {
    for (unsigned i = 0; i < s->loop_count; i++) {
        if (s->loop[i].pc == pc) {
            return (uint8_t)i;
        }
    }
    return (uint8_t)s->p.LOOPS;
}

/* Returns the entry's place; ENTRIES: none. */
static uint8_t find_daws_load(const struct daws_loads *s, unsigned at_loop, uint32_t pc) {
    for (unsigned i = 0; i < s->load_count; i++) {
        if (s->load[i].pc == pc && s->load[i].loop == at_loop) {
            return (uint8_t)i;
        }
    }
    return (uint8_t)s->p.ENTRIES;
}

static bool is_diverged(const struct daws_load *l) {
    return l->counter > 1;
}

/* --- the scan --- */

static void count_daws_groups(struct daws_loads *s, unsigned at_loop) {
    uint64_t seen = 0, diverged = 0;
    for (unsigned i = 0; i < s->load_count; i++) {
        const struct daws_load *l = &s->load[i];
        seen |= (uint64_t)(l->loop == at_loop) << l->group;
        diverged |= (uint64_t)(l->loop == at_loop && is_diverged(l)) << l->group;
    }
    s->scan_diverged = (uint8_t)__builtin_popcountll(diverged);
    s->scan_converged = (uint8_t)__builtin_popcountll(seen & ~diverged);
}

/* With the table and the marks as they are before the edge. */
static void step_group_scan(struct daws_loads *s) {
    if (s->scan_left == 1) {
        s->loop[s->scan_loop].diverged = s->scan_diverged;
        s->loop[s->scan_loop].converged = s->scan_converged;
        s->scan_left = 0;
    } else if (s->scan_left && s->marked >> s->scan_loop & 1) {
        s->scan_left = 0;
    } else if (s->scan_left) {
        if (--s->scan_left == 1) {
            count_daws_groups(s, s->scan_loop);
        }
    } else if (s->marked) {
        s->scan_loop = (unsigned)__builtin_ctz(s->marked);
        s->scan_left = s->p.ENTRIES + 3;
        s->marked &= s->marked - 1;
    }
}

/* --- changes of the table; each returns the loops that are to be scanned --- */

static uint32_t join_daws_groups(struct daws_loads *s, const struct daws_pair *pair) {
    const uint32_t older = pair->a < pair->b ? pair->a : pair->b;
    const uint32_t younger = pair->a < pair->b ? pair->b : pair->a;
    if (!pair->valid || older == younger) {
        return 0;
    }
    for (unsigned i = 0; i < pair->loads; i++) {
        if (s->load[i].loop == pair->at_loop && s->load[i].group == younger) {
            s->load[i].group = (uint8_t)older;
        }
    }
    return UINT32_C(1) << pair->at_loop;
}

/* An entry for a load that has none, and its loop. Return: false: there is no room. */
static bool make_daws_load(struct daws_loads *s, struct daws_change *c) {
    if (s->load_count == s->p.ENTRIES ||
        (c->at_loop == s->p.LOOPS && s->loop_count == s->p.LOOPS)) {
        return false;
    }
    if (c->at_loop == s->p.LOOPS) {
        c->at_loop = (uint8_t)s->loop_count++;
        s->loop[c->at_loop] = (struct daws_loop){.pc = c->loop};
    }
    c->at_load = (uint8_t)s->load_count++;
    s->load[c->at_load] = (struct daws_load){.pc = c->pc, .loop = c->at_loop, .group = c->at_load};
    return true;
}

static void move_daws_counter(struct daws_load *l, const struct daws_change *c) {
    if (c->write) {
        l->counter = c->diverged ? 7 : -8;
        l->group = c->group;
    } else if (c->up) {
        l->counter += l->counter < 7;
    } else if (c->down) {
        l->counter -= l->counter > -8;
    }
}

static uint32_t apply_daws_change(struct daws_loads *s, struct daws_change c) {
    const bool fresh = c.valid && c.at_load == s->p.ENTRIES;
    const uint8_t made_lately = s->made;
    s->made = (uint8_t)(s->made << 1 & 2);
    s->refused = false;
    if (!c.valid || (fresh && made_lately)) {
        return 0;
    }
    if (fresh && !make_daws_load(s, &c)) {
        s->refused = true;
        return 0;
    }
    struct daws_load *l = &s->load[c.at_load];
    const bool was = is_diverged(l);
    s->made |= fresh;
    move_daws_counter(l, &c);
    s->loop[c.at_loop].positive = true;
    return (uint32_t)(fresh || c.write || is_diverged(l) != was) << c.at_loop;
}

/* --- what comes --- */

static void take_daws_change(struct daws_loads *s, const struct daws_loads_in *in) {
    s->change[1].valid = s->change[0].valid;
    if (s->change[0].valid) {
        s->change[1] = s->change[0];
        s->change[1].at_load = find_daws_load(s, s->change[1].at_loop, s->change[1].pc);
    }
    s->change[0].valid = in->write_valid || in->class_valid;
    if (s->change[0].valid) {
        const bool moves = in->class_lanes > 2;
        s->change[0] = (struct daws_change){
            .valid = true,
            .write = in->write_valid,
            .diverged = in->write_diverged,
            .up = moves && in->class_accesses > 2,
            .down = moves && in->class_accesses <= 2,
            .loop = in->write_valid ? in->write_loop : in->class_loop,
            .pc = in->write_valid ? in->write_pc : in->class_pc,
            .group = in->write_group,
        };
        s->change[0].at_loop = find_daws_loop(s, s->change[0].loop);
    }
}

static void take_daws_pair(struct daws_loads *s, const struct daws_loads_in *in) {
    s->pair[3].valid = s->pair[2].valid;
    if (s->pair[2].valid) {
        s->pair[3] = s->pair[2];
        s->pair[3].loads = (uint8_t)s->load_count;
    }
    s->pair[2].valid = s->pair[1].valid;
    if (s->pair[1].valid) {
        s->pair[2] = s->pair[1];
        s->pair[2].a = s->load[s->pair[2].a].group;
        s->pair[2].b = s->load[s->pair[2].b].group;
    }
    s->pair[1].valid = s->pair[0].valid;
    if (s->pair[0].valid) {
        s->pair[1] = s->pair[0];
        s->pair[1].a = find_daws_load(s, s->pair[1].at_loop, s->pair[1].a);
        s->pair[1].b = find_daws_load(s, s->pair[1].at_loop, s->pair[1].b);
        s->pair[1].valid = s->pair[1].a < s->p.ENTRIES && s->pair[1].b < s->p.ENTRIES;
    }
    s->pair[0].valid = in->pair_valid;
    if (in->pair_valid) {
        s->pair[0] = (struct daws_pair){.valid = true,
                                        .at_loop = find_daws_loop(s, in->pair_loop),
                                        .a = in->pair_a,
                                        .b = in->pair_b};
    }
}

static void take_daws_sign(struct daws_loads *s, const struct daws_loads_in *in) {
    s->sign[1].valid = s->sign[0].valid;
    if (s->sign[0].valid) {
        s->sign[1] = s->sign[0];
    }
    s->sign[0].valid = in->sign_valid;
    if (in->sign_valid) {
        s->sign[0].at_loop = find_daws_loop(s, in->sign_loop);
        s->sign[0].positive = in->sign_positive;
    }
}

/* --- asks --- */

static bool can_loop_answer(const struct daws_loads *s, const struct daws_loop *loop,
                            const struct daws_loads_in *in) {
    const unsigned place_bits = s->p.PC_BITS - s->p.CODE_BITS;
    return loop->positive && (in->ask_near ? loop->pc >= in->ask_pc &&
                                                 loop->pc >> place_bits == in->ask_pc >> place_bits
                                           : loop->pc == in->ask_pc);
}

static void choose_daws_loop(const struct daws_loads *s, struct daws_ask_stage *a) {
    a->known = a->fits != 0;
    for (unsigned left = a->fits, first = 1; left; left &= left - 1, first = 0) {
        const struct daws_loop *loop = &s->loop[__builtin_ctz(left)];
        if (first || loop->pc < a->loop) {
            a->loop = loop->pc;
            a->diverged = loop->diverged;
            a->converged = loop->converged;
        }
    }
}

static void step_daws_asks(struct daws_loads *s, const struct daws_loads_in *in) {
    s->ask[2].valid = s->ask[1].valid;
    if (s->ask[1].valid) {
        struct daws_ask_stage *a = &s->ask[2];
        *a = s->ask[1];
        a->lines =
            (uint16_t)(a->lanes * a->diverged + (a->lanes > 2 ? 2 : a->lanes) * a->converged);
    }
    s->ask[1].valid = s->ask[0].valid;
    if (s->ask[0].valid) {
        s->ask[1] = s->ask[0];
        choose_daws_loop(s, &s->ask[1]);
    }
    s->ask[0].valid = in->ask_valid;
    if (in->ask_valid) {
        s->ask[0] =
            (struct daws_ask_stage){.valid = true, .warp = in->ask_warp, .lanes = in->ask_lanes};
        for (unsigned i = 0; i < s->loop_count; i++) {
            s->ask[0].fits |= (uint16_t)((unsigned)can_loop_answer(s, &s->loop[i], in) << i);
        }
    }
}

static bool has_ask_or_change(const struct daws_loads *s) {
    return s->ask[0].valid || s->ask[1].valid || s->ask[2].valid || s->change[0].valid ||
           s->change[1].valid || s->refused;
}

static bool has_pair_or_sign(const struct daws_loads *s) {
    return s->pair[0].valid || s->pair[1].valid || s->pair[2].valid || s->pair[3].valid ||
           s->sign[0].valid || s->sign[1].valid;
}

static void clear_daws_loads(struct daws_loads *s) {
    s->load_count = s->loop_count = 0;
    s->change[0].valid = s->change[1].valid = false;
    s->pair[0].valid = s->pair[1].valid = s->pair[2].valid = s->pair[3].valid = false;
    s->sign[0].valid = s->sign[1].valid = false;
    s->made = 0;
    s->refused = false;
    s->marked = 0;
    s->scan_left = 0;
}

void daws_loads_step(struct daws_loads *s, const struct daws_loads_in *in,
                     const struct daws_loads_out *out) {
    (void)out;
    if (in->rst) {
        const struct daws_loads_params p = s->p;
        daws_loads_init(s, &p);
        return;
    }
    const struct daws_sign sign = s->sign[1];
    const struct daws_change change = s->change[1];
    const struct daws_pair pair = s->pair[3];
    step_daws_asks(s, in);
    if (in->clear) {
        clear_daws_loads(s);
        return;
    }
    /* Requests look the table up as it is before the edge. */
    take_daws_change(s, in);
    take_daws_pair(s, in);
    take_daws_sign(s, in);
    step_group_scan(s);
    s->marked |= join_daws_groups(s, &pair) | apply_daws_change(s, change);
    if (sign.valid && sign.at_loop < s->p.LOOPS) {
        s->loop[sign.at_loop].positive = sign.positive;
    }
}

static bool nothing_comes(const struct daws_loads_in *in) {
    return !in->rst && !in->ask_valid && !in->class_valid && !in->pair_valid && !in->sign_valid &&
           !in->write_valid && !in->clear;
}

/* Is nothing under way but scans? */
static bool only_scans(const struct daws_loads *s, const struct daws_loads_in *in) {
    return nothing_comes(in) && !has_ask_or_change(s) && !has_pair_or_sign(s) && !s->made;
}

bool daws_loads_quiet(const struct daws_loads *s, const struct daws_loads_in *in) {
    return only_scans(s, in) && !s->marked && !s->scan_left;
}

void daws_loads_skip(struct daws_loads *s, const struct daws_loads_in *in, uint64_t cycles) {
    struct daws_loads_out out;
    while (cycles && !daws_loads_quiet(s, in)) {
        if (only_scans(s, in) && s->scan_left > 2 && !(s->marked >> s->scan_loop & 1)) {
            const uint64_t calm = s->scan_left - 2 < cycles ? s->scan_left - 2 : cycles;
            s->scan_left -= (unsigned)calm;
            cycles -= calm;
            continue;
        }
        daws_loads_comb(s, in, &out);
        daws_loads_step(s, in, &out);
        cycles--;
    }
}

/* Pairs, signs and scans change no output. */
uint64_t daws_loads_steady(const struct daws_loads *s, const struct daws_loads_in *in) {
    const bool shown = in->rst || in->ask_valid || in->class_valid || in->write_valid;
    return shown || has_ask_or_change(s) ? 1 : UINT64_MAX;
}
