/* SPDX-License-Identifier: Apache-2.0
 *
 * A checker of DRAM commands, written from the timing rules and not from the model. It checks the
 * distances between commands in a bank, a bank group or a channel, overlaps of bursts on the data
 * bus, and that each refresh comes when it is due, before other commands. It has no rule for
 * dram.row_hit_cap, because commands do not show which requests wait.
 */
#ifndef WARPMEM_COSIM_LEGALITY_H
#define WARPMEM_COSIM_LEGALITY_H

#include <string.h>

#include "base/request.h"
#include "config/config.h"
#include "dram/channel.h"

enum rule {
    LEGAL,
    /* State. */
    TWO_COMMANDS_A_CYCLE,
    ACTIVATE_OF_OPEN_BANK,
    COLUMN_OF_CLOSED_BANK,
    COLUMN_OF_OTHER_ROW,
    PRECHARGE_OF_CLOSED_BANK,
    REFRESH_OF_OPEN_BANK,
    REFRESH_EARLY,
    REFRESH_OWED,
    /* Distance. */
    RC,
    RRD,
    RCD_READ,
    RCD_WRITE,
    RAS,
    RP,
    CCD,
    CCDL,
    READ_TO_WRITE,
    WRITE_TO_READ,
    READ_TO_PRECHARGE,
    WRITE_TO_PRECHARGE,
    RC_TO_REFRESH,
    RP_TO_REFRESH,
    RFC,
    FAW,
    AW32,
    DATA_BUS,
    RULES
};

enum { FIRST_DISTANCE = RC, LAST_DISTANCE = RFC, BURSTS_KEPT = 64 };

/* The name of a rule for users. */
static const char *const legality_rule_name[RULES] = {
    [LEGAL] = "legal",
    [TWO_COMMANDS_A_CYCLE] = "command bus (one command a cycle)",
    [ACTIVATE_OF_OPEN_BANK] = "row state (activate of an open bank)",
    [COLUMN_OF_CLOSED_BANK] = "row state (read or write of a closed bank)",
    [COLUMN_OF_OTHER_ROW] = "row state (read or write of a row that is not the open one)",
    [PRECHARGE_OF_CLOSED_BANK] = "row state (precharge of a closed bank)",
    [REFRESH_OF_OPEN_BANK] = "row state (refresh with an open bank)",
    [REFRESH_EARLY] = "tREFI (refresh before it is due)",
    [REFRESH_OWED] = "tREFI (activate, read or write while a refresh is due)",
    [RC] = "tRC (activate to activate, same bank)",
    [RRD] = "tRRD (activate to activate, other bank)",
    [RCD_READ] = "tRCD (activate to read)",
    [RCD_WRITE] = "tRCD (activate to write)",
    [RAS] = "tRAS (activate to precharge)",
    [RP] = "tRP (precharge to activate)",
    [CCD] = "tCCD (column to column command)",
    [CCDL] = "tCCDL (column to column command, same bank group)",
    [READ_TO_WRITE] = "tRTW (read to write)",
    [WRITE_TO_READ] = "tWTR (write to read)",
    [READ_TO_PRECHARGE] = "tRTP (read to precharge)",
    [WRITE_TO_PRECHARGE] = "tWR (write to precharge)",
    [RC_TO_REFRESH] = "tRC (activate to refresh)",
    [RP_TO_REFRESH] = "tRP (precharge to refresh)",
    [RFC] = "tRFC (refresh to the next command)",
    [FAW] = "tFAW (four activates)",
    [AW32] = "t32AW (32 activates)",
    [DATA_BUS] = "data bus (two bursts at once)",
};

struct legality_command {
    uint64_t line; /* of a log, if it comes from one */
    uint64_t cycle, row;
    enum dram_command command;
    unsigned bank;
    bool is; /* such a command has been issued */
};

struct legality {
    struct config c;
    uint64_t line; /* of the command to be checked: set by the reader of a log */
    struct legality_command last[DRAM_COMMANDS][DRAM_BANKS_MAX]; /* of a kind, to a bank */
    uint64_t refreshes;
    struct legality_command latest;
    bool open[DRAM_BANKS_MAX];
    uint64_t row[DRAM_BANKS_MAX];
    struct {
        uint64_t from, to;
        struct legality_command command;
    } burst[BURSTS_KEPT]; /* on the data bus: the latest ones */
    unsigned bursts;
    struct legality_command activates[32]; /* the latest ones */
    unsigned activate_count;
    /* After a rule was broken: the earlier command, if there is one, and the distances. */
    struct legality_command before;
    uint64_t required, actual; /* 0 required: no distance is enough */
    uint64_t tight[RULES]; /* commands in the first cycle that a rule of several cycles allows */
};

static inline void legality_init(struct legality *l, const struct config *c) {
    memset(l, 0, sizeof *l);
    l->c = *c;
}

/* Cycles that a burst takes on the data bus. */
static inline unsigned legality_burst(const struct config *c) {
    return c->dram.burst / c->dram.beats;
}

enum scope { SAME_BANK, SAME_GROUP, OTHER_BANK, ANY_BANK };

struct distance {
    enum rule rule;
    unsigned before, after; /* sets of commands, one bit each */
    enum scope scope;
};

/* Cycles that a rule requires, from the configuration's keys alone. */
static inline unsigned legality_distance(const struct config *c, enum rule rule) {
    unsigned burst = legality_burst(c);
    switch (rule) {
    case RC:
    case RC_TO_REFRESH: return c->dram.rc;
    case RRD: return c->dram.rrd;
    case RCD_READ: return c->dram.rcd;
    case RCD_WRITE: /* the data come WL later, and one more: the row must be open by then */
        return c->dram.rcd_write              ? c->dram.rcd_write
               : c->dram.rcd > c->dram.wl + 1 ? c->dram.rcd - c->dram.wl - 1
                                              : 1;
    case RAS: return c->dram.ras;
    case RP:
    case RP_TO_REFRESH: return c->dram.rp;
    case RFC: return c->dram.rfc;
    case CCD: return c->dram.ccd;
    case CCDL: return c->dram.ccdl;
    case READ_TO_WRITE: /* two cycles between the read's data and the write's */
        return c->dram.cl + burst + 2 > c->dram.wl + 1 ? c->dram.cl + burst + 2 - c->dram.wl : 1;
    case WRITE_TO_READ: return c->dram.wl + burst + c->dram.cdlr;
    case READ_TO_PRECHARGE: /* the burst, and with bank groups RTPL */
        return c->dram.bank_groups > 1 && c->dram.rtpl > burst ? c->dram.rtpl : burst;
    case WRITE_TO_PRECHARGE: return c->dram.wl + burst + c->dram.wr;
    default: return 0;
    }
}

#define ACT (1u << DRAM_ACTIVATE)
#define RD (1u << DRAM_READ)
#define WR (1u << DRAM_WRITE)
#define PRE (1u << DRAM_PRECHARGE)
#define REF (1u << DRAM_REFRESH)

static const struct distance legality_distances[] = {
    {RC, ACT, ACT, SAME_BANK},
    {RRD, ACT, ACT, OTHER_BANK},
    {RCD_READ, ACT, RD, SAME_BANK},
    {RCD_WRITE, ACT, WR, SAME_BANK},
    {RAS, ACT, PRE, SAME_BANK},
    {RP, PRE, ACT, SAME_BANK},
    {CCDL, RD | WR, RD | WR, SAME_GROUP},
    {CCD, RD | WR, RD | WR, ANY_BANK},
    {READ_TO_WRITE, RD, WR, ANY_BANK},
    {WRITE_TO_READ, WR, RD, ANY_BANK},
    {READ_TO_PRECHARGE, RD, PRE, SAME_BANK},
    {WRITE_TO_PRECHARGE, WR, PRE, SAME_BANK},
    {RC_TO_REFRESH, ACT, REF, ANY_BANK},
    {RP_TO_REFRESH, PRE, REF, ANY_BANK},
    {RFC, REF, ACT | RD | WR | PRE | REF, ANY_BANK},
};

static inline bool legality_in_scope(const struct legality *l, enum scope scope, unsigned bank,
                                     unsigned other) {
    unsigned groups = l->c.dram.bank_groups, a_group = l->c.dram.banks / groups;
    bool low = l->c.dram.group_bits == GROUP_BITS_LOW;
    switch (scope) {
    case SAME_BANK: return bank == other;
    case SAME_GROUP:
        return low ? bank % groups == other % groups : bank / a_group == other / a_group;
    case OTHER_BANK: return bank != other;
    default: return true;
    }
}

static inline enum rule legality_break(struct legality *l, enum rule rule,
                                       const struct legality_command *before, uint64_t required,
                                       uint64_t cycle) {
    l->before = *before;
    l->required = required;
    l->actual = before->is ? cycle - before->cycle : 0;
    return rule;
}

/* One refresh is due at each multiple of tREFI; from then on only precharges may come before it. */
static inline enum rule legality_refresh(struct legality *l, const struct legality_command *now) {
    uint64_t due = l->c.dram.refi ? now->cycle / l->c.dram.refi : 0;
    const struct legality_command *before = &l->last[DRAM_REFRESH][0];
    if (now->command != DRAM_REFRESH) {
        return now->command == DRAM_PRECHARGE || l->refreshes >= due
                   ? LEGAL
                   : legality_break(l, REFRESH_OWED, before, 0, now->cycle);
    }
    if (l->refreshes >= due) {
        return legality_break(l, REFRESH_EARLY, before, 0, now->cycle);
    }
    for (unsigned bank = 0; bank < l->c.dram.banks; bank++) {
        if (l->open[bank]) {
            const struct legality_command *opened = &l->last[DRAM_ACTIVATE][bank];
            return legality_break(l, REFRESH_OF_OPEN_BANK, opened, 0, now->cycle);
        }
    }
    return LEGAL;
}

static inline enum rule legality_state(struct legality *l, const struct legality_command *now) {
    const struct legality_command *opened = &l->last[DRAM_ACTIVATE][now->bank],
                                  *closed = &l->last[DRAM_PRECHARGE][now->bank];
    if (now->command == DRAM_REFRESH) {
        return LEGAL;
    }
    if (now->command == DRAM_ACTIVATE) {
        return l->open[now->bank] ? legality_break(l, ACTIVATE_OF_OPEN_BANK, opened, 0, now->cycle)
                                  : LEGAL;
    }
    if (!l->open[now->bank]) {
        return legality_break(
            l, now->command == DRAM_PRECHARGE ? PRECHARGE_OF_CLOSED_BANK : COLUMN_OF_CLOSED_BANK,
            closed, 0, now->cycle);
    }
    return now->command != DRAM_PRECHARGE && l->row[now->bank] != now->row
               ? legality_break(l, COLUMN_OF_OTHER_ROW, opened, 0, now->cycle)
               : LEGAL;
}

static inline enum rule legality_distances_kept(struct legality *l,
                                                const struct legality_command *now) {
    for (size_t i = 0; i < sizeof legality_distances / sizeof *legality_distances; i++) {
        const struct distance *d = &legality_distances[i];
        unsigned distance = legality_distance(&l->c, d->rule);
        for (unsigned kind = 0; kind < DRAM_COMMANDS && d->after >> now->command & 1; kind++) {
            for (unsigned other = 0; other < l->c.dram.banks && d->before >> kind & 1; other++) {
                const struct legality_command *last = &l->last[kind][other];
                if (!last->is || !legality_in_scope(l, d->scope, now->bank, other)) {
                    continue;
                }
                if (now->cycle < last->cycle + distance) {
                    return legality_break(l, d->rule, last, distance, now->cycle);
                }
                l->tight[d->rule] += distance > 1 && now->cycle == last->cycle + distance;
            }
        }
    }
    return LEGAL;
}

static inline enum rule legality_bus(struct legality *l, const struct legality_command *now) {
    if (now->command != DRAM_READ && now->command != DRAM_WRITE) {
        return LEGAL;
    }
    unsigned latency = now->command == DRAM_READ ? l->c.dram.cl : l->c.dram.wl;
    uint64_t from = now->cycle + latency, to = from + legality_burst(&l->c);
    for (unsigned i = 0; i < l->bursts && i < BURSTS_KEPT; i++) {
        if (from < l->burst[i].to && l->burst[i].from < to) {
            const struct legality_command *before = &l->burst[i].command;
            return legality_break(l, DATA_BUS, before, l->burst[i].to - latency - before->cycle,
                                  now->cycle);
        }
    }
    l->burst[l->bursts % BURSTS_KEPT].from = from;
    l->burst[l->bursts % BURSTS_KEPT].to = to;
    l->burst[l->bursts++ % BURSTS_KEPT].command = *now;
    return LEGAL;
}

/* An activate, of which no window may have more than @most. */
static inline enum rule legality_window(struct legality *l, const struct legality_command *now,
                                        enum rule rule, unsigned most, unsigned window) {
    if (now->command != DRAM_ACTIVATE || !window || l->activate_count < most) {
        return LEGAL;
    }
    const struct legality_command *before = &l->activates[(l->activate_count - most) % 32];
    if (now->cycle < before->cycle + window) {
        return legality_break(l, rule, before, window, now->cycle);
    }
    l->tight[rule] += now->cycle == before->cycle + window;
    return LEGAL;
}

/** legality_check() - check the next command. Return: LEGAL, or the rule that it breaks, with
 * l->before, l->required and l->actual; an illegal command is not recorded. */
static inline enum rule legality_check(struct legality *l, uint64_t cycle,
                                       enum dram_command command, unsigned bank, uint64_t row) {
    struct legality_command now = {l->line, cycle, row, command, bank, true};
    if (l->latest.is && cycle <= l->latest.cycle) {
        return legality_break(l, TWO_COMMANDS_A_CYCLE, &l->latest, 1, cycle);
    }
    enum rule broken = legality_refresh(l, &now);
    broken = broken == LEGAL ? legality_state(l, &now) : broken;
    broken = broken == LEGAL ? legality_distances_kept(l, &now) : broken;
    broken = broken == LEGAL ? legality_window(l, &now, FAW, 4, l->c.dram.faw) : broken;
    broken = broken == LEGAL ? legality_window(l, &now, AW32, 32, l->c.dram.aw32) : broken;
    broken = broken == LEGAL ? legality_bus(l, &now) : broken;
    if (broken != LEGAL) {
        return broken;
    }
    l->last[command][bank] = l->latest = now;
    if (command == DRAM_ACTIVATE) {
        l->open[bank] = true;
        l->row[bank] = row;
        l->activates[l->activate_count++ % 32] = now;
    } else if (command == DRAM_PRECHARGE) {
        l->open[bank] = false;
    }
    l->refreshes += command == DRAM_REFRESH;
    return LEGAL;
}

#endif
