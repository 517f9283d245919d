/* SPDX-License-Identifier: Apache-2.0
 *
 * A memory request on its way from an L1 to the DRAM and back; the reply is the same record.
 */
#ifndef WARPMEM_BASE_REQUEST_H
#define WARPMEM_BASE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#define SECTOR_BYTES 32

/* Simulated time: see base/clock.h. */
#define NEVER UINT64_MAX

enum request_kind {
    REQUEST_READ,
    REQUEST_WRITE,     /* from a core: acknowledged */
    REQUEST_ATOMIC,    /* from a core: changed in the L2, answered with the old data */
    REQUEST_WRITEBACK, /* of a dirty line, or an L2's write-through: not acknowledged */
    REQUEST_PREFETCH,  /* of an L1: a read for which nobody waits */
};

/* The unit of the core that sends a request and receives its reply. */
enum request_unit { UNIT_DATA, UNIT_TEXTURE, UNIT_CONSTANT };

/* Points on a read's path with a time stamp, in this order: see request_stamp(). */
enum request_stamp {
    STAMP_PORT,    /* the partition sees it */
    STAMP_BANK,    /* its L2 bank takes it */
    STAMP_DRAM,    /* it enters the DRAM controller's queue */
    STAMP_SERVICE, /* its first DRAM command */
    STAMP_DATA,    /* its data reach the L2 */
    STAMP_REPLY,   /* its reply enters the interconnect */
    REQUEST_STAMPS
};

/* A warp's type at the L2, in two bits (MeDiC 6.5: mostly-miss and all-miss are one). Lines of a
 * lower type are evicted sooner. A warp of unknown type counts as balanced. */
enum l2_class { L2_CLASS_MISS, L2_CLASS_BALANCED, L2_CLASS_HIT, L2_CLASS_ALL_HIT };

/* A request's route through the L2. */
enum l2_route {
    L2_ROUTE_CACHE,       /* look up, allocate a line */
    L2_ROUTE_NO_ALLOCATE, /* look up, allocate no line */
    L2_ROUTE_BYPASS,      /* no look-up: directly to the DRAM */
    L2_ROUTE_PREFETCH,    /* look up when the data has arrived (owl.claim = late) */
};

struct request {
    uint64_t line;  /* byte address / line size of the cache that sent it */
    uint64_t local; /* number of its L2 line within its partition */
    uint64_t born;  /* time at which it was sent */
    uint32_t cta;   /* number of its CTA in the run */
    union {
        uint32_t l1_way; /* the line that waits for the reply, in its set */
        uint32_t words;  /* of a write: 4-byte words of `line` written whole, as far as known; an
                          * MRPB's words have no room for them: 0 */
    };
    uint32_t l2_way;
    uint32_t stamp[REQUEST_STAMPS]; /* time units since it was made; 0: not reached yet */
    uint16_t bytes;                 /* data of the write, or of the read's reply */
    uint16_t l1_mshr;               /* of a read that takes one */
    uint16_t warp;
    union {
        uint16_t pc;      /* hash of its kernel and static instruction, up to the L2; 0: unknown */
        uint16_t l2_mshr; /* of an L2 fetch */
    };
    uint8_t reg;     /* destination register of a read */
    uint8_t kind;    /* enum request_kind */
    uint8_t unit;    /* enum request_unit */
    uint8_t sectors; /* 32-byte sectors of `line` that are read or written, one bit each */
    uint8_t core;
    uint8_t partition;
    /* These share a byte, because requests are copied often. */
    unsigned l2_class : 2;   /* of its warp: enum l2_class */
    unsigned l2_route : 2;   /* enum l2_route */
    bool l2_hit : 1;         /* of a reply: the L2 had the line */
    bool for_atomic : 1;     /* a DRAM read for an atomic that allocated no line */
    unsigned generation : 2; /* of its warp: counts the warps of a slot */
    bool full;               /* a write of every byte of `line`, or of the L2's `sectors` */
    bool local_space;        /* local memory */
    bool uncached;           /* a read that the L1 may not serve (ld.cg, volatile) */
    bool may_bypass : 1;     /* a read that bypasses the L1 if its set has no line to allocate */
    bool passes_l1 : 1;      /* bypasses the L1, as a policy of the L1 has decided */
    bool for_prefetch : 1;   /* the same as for_atomic, for a prefetch */
    bool unclaimed : 1;      /* the answer to a prefetch's claim: the L2 refuses the line */
    bool bypasses;           /* has no L1 line: its reply goes to the register and fills none */
};

_Static_assert(sizeof(struct request) == 80, "requests are copied often");

/** request_reads() - is it a read, which changes no data? */
static inline bool request_reads(const struct request *r) {
    _Static_assert(!(REQUEST_READ & 3) && !(REQUEST_PREFETCH & 3), "one test finds both");
    return !(r->kind & 3);
}

/** request_stamp() - record that the request reaches this point at @now for the first time. */
static inline void request_stamp(struct request *r, enum request_stamp place, uint64_t now) {
    uint64_t since = now - r->born;
    r->stamp[place] = since < UINT32_MAX ? (uint32_t)since : UINT32_MAX;
}

#endif
