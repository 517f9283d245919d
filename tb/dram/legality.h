/* SPDX-License-Identifier: Apache-2.0
 *
 * A checker of DRAM commands, written from the timing rules and not from the model: which distance
 * two commands must keep, in a bank, a bank group or a channel, and that no two bursts meet on the
 * data bus.
 */
#ifndef WARPMEM_TB_LEGALITY_H
#define WARPMEM_TB_LEGALITY_H

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
    DATA_BUS,
    RULES
};

enum { FIRST_DISTANCE = RC, LAST_DISTANCE = WRITE_TO_PRECHARGE, BURSTS_KEPT = 64 };

struct legality {
    struct config c;
    uint64_t last[4][DRAM_BANKS_MAX]; /* last command of a kind to a bank, plus one; 0: none yet */
    bool open[DRAM_BANKS_MAX];
    uint64_t row[DRAM_BANKS_MAX];
    uint64_t last_cycle; /* of any command, plus one */
    struct {
        uint64_t from, to;
    } burst[BURSTS_KEPT]; /* on the data bus: the latest ones */
    unsigned bursts;
    uint64_t tight[RULES]; /* commands in the first cycle that the rule allows, of more than one */
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

/* Cycles that a rule asks for, from the configuration's words alone. */
static inline unsigned legality_distance(const struct config *c, enum rule rule) {
    unsigned burst = legality_burst(c);
    switch (rule) {
    case RC: return c->dram.rc;
    case RRD: return c->dram.rrd;
    case RCD_READ: return c->dram.rcd;
    case RCD_WRITE: /* the data comes WL later, and one more: the row must be open by then */
        return c->dram.rcd > c->dram.wl + 1 ? c->dram.rcd - c->dram.wl - 1 : 1;
    case RAS: return c->dram.ras;
    case RP: return c->dram.rp;
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
};

static inline bool legality_in_scope(const struct legality *l, enum scope scope, unsigned bank,
                                     unsigned other) {
    unsigned a_group = l->c.dram.banks / l->c.dram.bank_groups;
    switch (scope) {
    case SAME_BANK: return bank == other;
    case SAME_GROUP: return bank / a_group == other / a_group;
    case OTHER_BANK: return bank != other;
    default: return true;
    }
}

static inline enum rule legality_state(const struct legality *l, enum dram_command command,
                                       unsigned bank, uint64_t row) {
    if (command == DRAM_ACTIVATE) {
        return l->open[bank] ? ACTIVATE_OF_OPEN_BANK : LEGAL;
    }
    if (!l->open[bank]) {
        return command == DRAM_PRECHARGE ? PRECHARGE_OF_CLOSED_BANK : COLUMN_OF_CLOSED_BANK;
    }
    return command != DRAM_PRECHARGE && l->row[bank] != row ? COLUMN_OF_OTHER_ROW : LEGAL;
}

static inline enum rule legality_bus(struct legality *l, uint64_t cycle,
                                     enum dram_command command) {
    if (command != DRAM_READ && command != DRAM_WRITE) {
        return LEGAL;
    }
    uint64_t from = cycle + (command == DRAM_READ ? l->c.dram.cl : l->c.dram.wl),
             to = from + legality_burst(&l->c);
    for (unsigned i = 0; i < l->bursts && i < BURSTS_KEPT; i++) {
        if (from < l->burst[i].to && l->burst[i].from < to) {
            return DATA_BUS;
        }
    }
    l->burst[l->bursts % BURSTS_KEPT].from = from;
    l->burst[l->bursts++ % BURSTS_KEPT].to = to;
    return LEGAL;
}

/** legality_check() - the next command. Return: LEGAL, or the rule that it breaks; it is then not
 * remembered. */
static inline enum rule legality_check(struct legality *l, uint64_t cycle,
                                       enum dram_command command, unsigned bank, uint64_t row) {
    if (cycle < l->last_cycle) {
        return TWO_COMMANDS_A_CYCLE;
    }
    enum rule broken = legality_state(l, command, bank, row);
    if (broken != LEGAL) {
        return broken;
    }
    for (size_t i = 0; i < sizeof legality_distances / sizeof *legality_distances; i++) {
        const struct distance *d = &legality_distances[i];
        unsigned distance = legality_distance(&l->c, d->rule);
        for (unsigned kind = 0; kind < 4 && d->after >> command & 1; kind++) {
            for (unsigned other = 0; other < l->c.dram.banks && d->before >> kind & 1; other++) {
                uint64_t last = l->last[kind][other];
                if (!last || !legality_in_scope(l, d->scope, bank, other)) {
                    continue;
                }
                if (cycle < last - 1 + distance) {
                    return d->rule;
                }
                l->tight[d->rule] += distance > 1 && cycle == last - 1 + distance;
            }
        }
    }
    broken = legality_bus(l, cycle, command);
    if (broken != LEGAL) {
        return broken;
    }
    l->last[command][bank] = l->last_cycle = cycle + 1;
    if (command == DRAM_ACTIVATE) {
        l->open[bank] = true;
        l->row[bank] = row;
    } else if (command == DRAM_PRECHARGE) {
        l->open[bank] = false;
    }
    return LEGAL;
}

#endif
