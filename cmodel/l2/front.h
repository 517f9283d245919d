/* SPDX-License-Identifier: Apache-2.0
 *
 * The path from the ports of a partition to its banks: the blocks l2/bypass and l2/bank_arbiter,
 * with the requests whose headers they carry.
 */
#ifndef WARPMEM_L2_FRONT_H
#define WARPMEM_L2_FRONT_H

#include "base/alarm.h"
#include "base/block.h"
#include "base/request.h"
#include "config/config.h"
#include "l2/bank_arbiter_ports.h"
#include "l2/bypass_ports.h"
#include "l2/policies.h"
#include "l2/types.h"

#define L2_PORTS_MAX 4
#define FRONT_PLACES 4 /* of a port: more than the bypass block has */

/* A request in the bypass block. */
struct l2_held {
    struct request request;
    uint64_t at_port_end; /* L2 cycle */
    enum l2_bypass bypass;
};

/**
 * struct l2_front - of a partition.
 *
 * A header names a request's place here; with it the blocks' outputs find the request.
 */
struct l2_front {
    const struct config *config;
    struct l2_policies *policies; /* the partition's, with the L2 cycle at hand */
    bool sorts;                   /* the bypass block is before the arbiter (l2_policies_sort()) */
    bool early;                   /* and before the pipelines of the ports (l2.bypass_at = port) */
    struct block_instance bypass, arbiter;
    struct alarm *alarm;
    struct l2_types types;
    struct bypass_in in; /* of the current cycle, as the next members */
    struct bypass_out out;
    bool active; /* it has moved a request, or will by itself */
    struct l2_held held[L2_PORTS_MAX][FRONT_PLACES];
    uint8_t free[L2_PORTS_MAX];  /* places, a bit each */
    uint8_t shown[L2_PORTS_MAX]; /* the place for the request at the end of the port */
    unsigned count;              /* requests held */
    uint8_t entered;             /* ports with a request that entered in cycle entered_in, */
    uint64_t entered_in;
    uint8_t newest[L2_PORTS_MAX]; /* at this place */
};

/** l2_front_arbitrates() - has it an arbiter? A single port needs none. */
static inline bool l2_front_arbitrates(const struct l2_front *f) {
    return f->config->l2.ports > 1 || f->sorts;
}

/** l2_front_init() - set up the front of the partition of these policies. False: refused. */
bool l2_front_init(struct l2_front *f, struct l2_policies *policies, const struct build *build);
void l2_front_destroy(struct l2_front *f);

/** l2_front_header() - header of a request in the blocks: some of its bits, and a place. */
static inline uint64_t l2_front_header(const struct request *r, unsigned place) {
    return r->local << 17 | (uint64_t)(r->core & 63) << 11 | (uint64_t)(r->warp & 63) << 5 |
           (uint64_t)(r->kind & 3) << 3 | place;
}

/** l2_front_place() - the place that the header names. */
static inline unsigned l2_front_place(uint64_t header) {
    return header & 7;
}

/** l2_front_show() - show the request at the end of @port: before l2_front_look(). */
void l2_front_show(struct l2_front *f, unsigned port, const struct request *r);

/** l2_front_look() - compute the bypass block's offers in this cycle. Return: the request for the
 * DRAM, NULL: none. */
const struct request *l2_front_look(struct l2_front *f);

/** l2_front_offered() - the request of @port that l2_front_look() offers to the banks. */
static inline const struct request *l2_front_offered(const struct l2_front *f, unsigned port) {
    return &f->held[port][l2_front_place(f->out.arb_data[port])].request;
}

/** l2_front_arbitrate() - compute the arbiter's decision in this cycle, and take its edge. */
void l2_front_arbitrate(struct l2_front *f, struct bank_arbiter_in *in,
                        struct bank_arbiter_out *out);

/**
 * l2_front_edge() - the clock edge of the bypass block, when the arbiter and the way to the DRAM
 * have decided which requests they take.
 * Return: ports whose request has entered: their pipelines lose it.
 */
unsigned l2_front_edge(struct l2_front *f, unsigned arb_ready, bool byp_ready);

/** l2_front_enter() - take the request of a port that l2_front_edge() returned. */
void l2_front_enter(struct l2_front *f, unsigned port, const struct request *r,
                    uint64_t at_port_end);

/** l2_front_leave() - the request whose header has gone to the arbiter or the DRAM; it stays valid
 * until its place is reused. */
static inline struct l2_held *l2_front_leave(struct l2_front *f, unsigned port, uint64_t header) {
    unsigned place = l2_front_place(header);
    f->free[port] |= (uint8_t)(1u << place);
    f->count--;
    return &f->held[port][place];
}

/** l2_front_sort() - set class and route of a request that goes to the banks. */
static inline void l2_front_sort(struct l2_front *f, unsigned port, struct request *r) {
    r->l2_class = f->out.arb_class[port];
    bool takes_line = l2_policies_takes_line(f->policies, r);
    takes_line &= f->out.arb_allocate >> port & 1;
    r->l2_route = takes_line ? L2_ROUTE_CACHE : L2_ROUTE_NO_ALLOCATE;
}

/** l2_front_bypassed() - the request that l2_front_look() returned has left for the DRAM. */
void l2_front_bypassed(struct l2_front *f);

#endif
