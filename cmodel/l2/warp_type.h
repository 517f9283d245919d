/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L2_WARP_TYPE_H
#define WARPMEM_L2_WARP_TYPE_H

#include "l2/warp_type_ports.h"

#define WARP_TYPE_QUEUE_MAX 16
#define WARP_TYPE_TALLY_BITS 10 /* windows of a period, before they are halved */
#define WARP_TYPE_STAGES 4      /* of an update, after it has left its queue; a power of two */

/* An access of a warp, in its port's queue. */
struct warp_type_update {
    uint16_t warp;
    uint8_t generation;
    bool hit;
};

/* A warp's entry in the table. */
struct warp_type_entry {
    uint16_t hits, accesses;
    uint8_t generation; /* of the warp that they belong to */
    bool known;         /* @accesses have reached PROFILE once */
};

/* A warp's type for lookups. */
struct warp_type_type {
    uint8_t l2_class; /* enum l2_class */
    uint8_t generation;
    bool known;
};

/* An update that has left its queue. */
struct warp_type_flight {
    uint16_t warp;
    uint8_t generation;
    bool hit;
    bool writes, known;      /* after the counters: a new type, or none any more */
    uint16_t hits, accesses; /* the counters with it */
    uint8_t l2_class;        /* after the comparison */
};

/**
 * struct warp_type - table of warp types: counts the L2 hits and accesses of each warp, and decides
 * from them how the L2 and the DRAM treat its requests.
 *
 * Source: Ausavarungnirun et al., PACT 2015 (MeDiC), sections 3.1 (types), 4.1 (counters,
 * profiling, reset), 4.2 with footnote 3 (the boundary that moves) and 6.5 (widths, overflow).
 * Verilog twin: rtl/l2/warp_type.v.
 *
 * Cycle behaviour, the same in both. Each rule reads the state as it is at the beginning of its
 * cycle, unless it says otherwise.
 *
 * - Updates. Each port has a queue as common/fifo: an update that enters in cycle n is offered from
 *   n + 2 at the earliest. Ready is room in the queue, even if an update leaves in that cycle. An
 *   update that finds no room is lost: the counters are samples, and no bank waits for them.
 * - Lanes. Warp w lies in lane w mod LANES. In each cycle a lane takes one of its offered updates,
 *   in turn (as common/round_robin_arbiter; port 0 is first after a reset).
 * - Stages of an update that is taken in cycle c: the counters are read in c + 1, changed and
 *   written in c + 2, multiplied in c + 3, compared in c + 4; lookups get a new type from c + 4 on.
 *   So in an idle table an access in cycle n counts for lookups of n + 6. Updates of a warp that
 *   follow each other closely use each other's counters.
 * - Counters. Accesses go up by one, hits with a hit. When that would set the accesses' top bit
 *   (6.5), both are stored shifted right by one, so the top bits are never stored. Hits never
 *   exceed accesses, and equal them only if every access was a hit.
 * - Profiling (4.1). When the accesses since the clear reach PROFILE, the type is determined. With
 *   FOLLOW 0 it is kept until the clear, with 1 each later update determines it again.
 * - Types (3.1), by the counters with the update, and the boundary in c + 3:
 *   all-hit      hits == accesses
 *   mostly-hit   20 * hits >= HIT_20THS * accesses
 *   mostly-miss  20 * hits <= boundary * accesses; this always includes all-miss (footnote 11)
 *   balanced     all others
 * - GENERATION_BITS > 0: an update of another generation than the last one of its slot begins with
 *   empty counters and clears the type. A lookup of another generation than the type's finds an
 *   unknown type.
 * - Lookups are answered in the next cycle. All ports can name the same warp.
 * - Boundary (4.2), with MOVES. Requests are the accesses, lost ones included, and the bypasses;
 *   misses are the accesses that are no hits, and the bypasses. A window ends with the cycle in
 *   which its requests reach 2^WINDOW; requests beyond that count for the next window. Its misses
 *   are compared with the least of all windows since the boundary was reset:
 *     boundary = max(0, MISS_20THS - floor(20 * (misses - least) / 2^WINDOW))
 *   So it falls by 5 points for each 5 points by which the miss rate has risen (footnote 3), and
 *   rises again as the rate falls. It moves in the fifth cycle after the window's last.
 * - With MOVES 3 "least" is the mean of the windows of the period before the last clear, rounded
 *   down, and the boundary MISS_20THS while there is none. A window belongs to the period in which
 *   its end is known, in the third cycle after its last, the clear's cycle included; a clear in a
 *   period without one leaves the mean. A serial division has it warp_type_mean_cycles() after the
 *   clear; a later clear begins another one. When 2^WARP_TYPE_TALLY_BITS windows are counted, their
 *   number and their misses are halved.
 * - Clear and reset do the same to the table: queues and stages are emptied, every type is unknown
 *   from the next cycle on, and the updates and lookups of the same cycle are dropped. The next
 *   WORDS cycles empty the counters, a word of each lane a cycle; meanwhile updates wait in their
 *   queues, and are lost when these are full. So no entry needs a flip-flop, and no lookup selects
 *   among as many flip-flops as there are warps.
 * - The boundary is reset by a reset, and with MOVES 1 by a clear too: the window and the least are
 *   cleared, the requests of that cycle are not counted, the boundary is MISS_20THS. With MOVES 2
 *   and 3 a clear does not affect the boundary: the requests of its cycle count, dropped ones
 *   included, the window continues, and a window that has ended moves the boundary at its usual
 *   time. (Footnote 2 resets "the hit ratio" every 100 k cycles. It leaves open whether that
 *   includes the reference of footnote 3.)
 * - Warps are below WARPS while their port is valid; PROFILE < 2^(COUNTER_BITS-1), MISS_20THS <
 *   HIT_20THS, LANES a power of two not above WARPS.
 */
struct warp_type {
    struct warp_type_params params;
    uint64_t ports;                   /* all update ports, a bit each */
    uint16_t top;                     /* the accesses' top bit */
    unsigned words;                   /* WORDS: see warp_type_words() */
    unsigned sweep;                   /* words that are not emptied yet */
    uint8_t boundary;                 /* in 20ths */
    uint64_t look_known;              /* answers of this cycle */
    uint64_t waiting, full;           /* queues that hold something; that have no room */
    uint64_t offered;                 /* queues that show their oldest update */
    unsigned turn;                    /* place of stage 1 in flight[] */
    uint8_t flying[WARP_TYPE_STAGES]; /* lanes with an update, by place */
    /* The moving boundary: requests and misses of the last cycle and of the one before, of the
     * window up to then; a window that has ended; how far it is above the least. */
    uint16_t fresh[2], older[2];
    uint32_t requests, misses;
    uint32_t ended, excess, least;
    bool has_ended, has_excess;
    uint32_t tally, tally_misses;  /* MOVES 3: windows of the period, and their misses */
    uint32_t mean;                 /* becomes the least */
    unsigned divides;              /* cycles until then */
    struct warp_type_entry *entry; /* [WARPS] */
    struct warp_type_type *type;   /* [WARPS] */
    uint8_t look_class[WARP_TYPE_PORTS_MAX];
    uint8_t first[WARP_TYPE_LANES_MAX]; /* port that is first in a lane's turn */
    uint8_t head[WARP_TYPE_PORTS_MAX], count[WARP_TYPE_PORTS_MAX];
    struct warp_type_flight flight[WARP_TYPE_STAGES][WARP_TYPE_LANES_MAX];
    struct warp_type_update queue[WARP_TYPE_PORTS_MAX][WARP_TYPE_QUEUE_MAX];
};

/** warp_type_words() - WORDS: entries of a lane, at least 2, because a memory has that many. */
static inline unsigned warp_type_words(const struct warp_type_params *p) {
    unsigned words = (p->WARPS + p->LANES - 1) / p->LANES;
    return words < 2 ? 2 : words;
}

/** warp_type_mean_cycles() - from a clear to the mean of its period: a cycle for each bit of a
 * window's misses, as many as its length or a cycle's requests need, and one. */
static inline unsigned warp_type_mean_cycles(const struct warp_type_params *p) {
    unsigned sum_bits = 32 - (unsigned)__builtin_clz(p->UPDATES + p->LOOKUPS);
    return (p->WINDOW > sum_bits ? p->WINDOW : sum_bits) + 2;
}

/** warp_type_init() - allocate and reset; params as above. False: out of memory. */
bool warp_type_init(struct warp_type *s, const struct warp_type_params *params);
void warp_type_destroy(struct warp_type *s);
/** warp_type_comb() - the outputs of this cycle. */
void warp_type_comb(const struct warp_type *s, const struct warp_type_in *in,
                    struct warp_type_out *out);
/** warp_type_step() - the clock edge; @out is the output of warp_type_comb() for this @in. */
void warp_type_step(struct warp_type *s, const struct warp_type_in *in,
                    const struct warp_type_out *out);
/** warp_type_quiet() - with these inputs held, neither state nor outputs ever change. */
bool warp_type_quiet(const struct warp_type *s, const struct warp_type_in *in);

#endif
