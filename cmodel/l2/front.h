/* SPDX-License-Identifier: Apache-2.0
 *
 * The way from the ports of a partition to its banks: the blocks l2/bypass and
 * l2/bank_arbiter, with the requests whose headers they carry.
 */
#ifndef WARPMEM_L2_FRONT_H
#define WARPMEM_L2_FRONT_H

#include "base/alarm.h"
#include "base/block.h"
#include "base/request.h"
#include "config/config.h"
#include "l2/bank_arbiter_ports.h"
#include "l2/bypass_policy.h"
#include "l2/bypass_ports.h"
#include "l2/warp_table.h"

#define L2_PORTS_MAX 4
#define FRONT_PLACES 4 /* of a port: more than the bypass block has */

/* A request in the bypass block. */
struct l2_held {
    struct request request;
    uint64_t at_port_end; /* L2 cycle */
};

struct l2_front_stats {
    uint64_t looked[L2_CLASS_ALL_HIT + 1]; /* requests whose type was known, by class */
    uint64_t unknown;                      /* whose was not */
};

/**
 * struct l2_front - of a partition.
 *
 * A header names a request's place here, so what the blocks let through is what goes on.
 */
struct l2_front {
    const struct config *config;
    bool sorts; /* the bypass block stands before the arbiter: requests bypass, bear a class, or
                 * may take no line */
    bool early; /* and before the pipelines of the ports (l2.bypass_at = port) */
    struct l2_policy policy;
    struct block_instance bypass, arbiter;
    uint64_t cycle; /* the L2 cycle in which the blocks are called */
    struct alarm *alarm;
    /* The table of warp types, NULL: none; the partition's first ports there. */
    struct warp_table *table;
    unsigned first_update, first_lookup;
    struct bypass_in in; /* of the cycle at hand, as are the members that follow */
    struct bypass_out out;
    bool active; /* it has moved something, or will without anybody's help */
    struct l2_held held[L2_PORTS_MAX][FRONT_PLACES];
    uint8_t free[L2_PORTS_MAX];  /* places, a bit each */
    uint8_t shown[L2_PORTS_MAX]; /* the place for what stands at the end of the port */
    unsigned count;              /* requests held */
    uint8_t entered;             /* ports through which one came in cycle entered_in, */
    uint64_t entered_in;
    uint8_t newest[L2_PORTS_MAX]; /* to this place */
    struct l2_front_stats stats;
};

/** l2_front_sorts() - does the machine need the bypass block? */
bool l2_front_sorts(const struct config *config);

/** l2_front_arbitrates() - has it the arbiter? With one port nobody competes. */
static inline bool l2_front_arbitrates(const struct config *config) {
    return config->l2.ports > 1 || l2_front_sorts(config);
}

/** l2_front_init() - of partition @number. False: refused. */
bool l2_front_init(struct l2_front *f, const struct config *config, unsigned number,
                   const struct build *build);
void l2_front_destroy(struct l2_front *f);

/** l2_front_header() - of a request in the blocks: bits of it, and a place. */
static inline uint64_t l2_front_header(const struct request *r, unsigned place) {
    return r->local << 17 | (uint64_t)(r->core & 63) << 11 | (uint64_t)(r->warp & 63) << 5 |
           (uint64_t)r->kind << 3 | place;
}

/** l2_front_place() - that the header names. */
static inline unsigned l2_front_place(uint64_t header) {
    return header & 7;
}

/** l2_front_samples() - does the table count requests of @kind (medic.counts)? */
static inline bool l2_front_samples(const struct l2_front *f, unsigned kind) {
    return f->table && (f->config->medic.counts == MEDIC_COUNTS_ALL || kind == REQUEST_READ ||
                        kind == REQUEST_ATOMIC);
}

/** l2_front_counts() - does the table count this access of a bank? A write-back of an L1 is of the
 * warps that wrote the line, not of the one that evicts it, and nobody waits for it. */
static inline bool l2_front_counts(const struct l2_front *f, const struct request *r) {
    return r->kind != REQUEST_WRITEBACK && l2_front_samples(f, r->kind);
}

/** l2_front_accessed() - bank @bank has taken @r in this cycle. */
void l2_front_accessed(struct l2_front *f, unsigned bank, const struct request *r, bool hit);

/** l2_front_show() - a request stands at the end of @port in @cycle: before l2_front_look(). */
void l2_front_show(struct l2_front *f, unsigned port, const struct request *r, uint64_t cycle);

/** l2_front_look() - in cycle @cycle: what the bypass block offers. Return: the request that is for
 * the DRAM, NULL: none. */
const struct request *l2_front_look(struct l2_front *f, uint64_t cycle);

/** l2_front_offered() - the request of @port that l2_front_look() offers to the banks. */
static inline const struct request *l2_front_offered(const struct l2_front *f, unsigned port) {
    return &f->held[port][l2_front_place(f->out.arb_data[port])].request;
}

/** l2_front_arbitrate() - the arbiter's decision in cycle @cycle, and its edge. */
void l2_front_arbitrate(struct l2_front *f, struct bank_arbiter_in *in,
                        struct bank_arbiter_out *out, uint64_t cycle);

/**
 * l2_front_edge() - of the bypass block, after the arbiter and the way to the DRAM have said what
 * they take.
 * Return: ports whose request has entered: their pipelines lose it.
 */
unsigned l2_front_edge(struct l2_front *f, unsigned arb_ready, bool byp_ready);

/** l2_front_enter() - the request of a port that l2_front_edge() has named. */
void l2_front_enter(struct l2_front *f, unsigned port, const struct request *r,
                    uint64_t at_port_end);

/** l2_front_leave() - whose header has gone to the arbiter or the DRAM: it is here until the place
 * is taken again. */
static inline struct l2_held *l2_front_leave(struct l2_front *f, unsigned port, uint64_t header) {
    unsigned place = l2_front_place(header);
    f->free[port] |= (uint8_t)(1u << place);
    f->count--;
    return &f->held[port][place];
}

/** l2_front_sort() - class and route of a request that goes to the banks. */
static inline void l2_front_sort(struct l2_front *f, unsigned port, struct request *r) {
    r->l2_class = f->out.arb_class[port];
    bool allocates = l2_policy_allocates(&f->policy, r, f->cycle);
    allocates &= f->out.arb_allocate >> port & 1;
    r->l2_route = allocates ? L2_ROUTE_CACHE : L2_ROUTE_NO_ALLOCATE;
}

#endif
