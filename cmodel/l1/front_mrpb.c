/* SPDX-License-Identifier: Apache-2.0
 *
 * The front with the MRPB (l1/mrpb.h): accesses become request headers, which pass through the
 * block, and atomics count as writes. The other memory spaces do not enter it.
 */
#include "l1/front_mrpb.h"

#include <stddef.h>
#include <stdlib.h>

#include "config/derived.h"
#include "l1/front.h"
#include "l1/mrpb_bypass.h"

/* Limit of a warp's accesses between coalescer and cache, with bounded queues: in its queue,
 * chosen, and in the outbound buffer. A power of two. */
#define TRIPS (2 * MRPB_DEPTH_MAX)

/* A request header as it passes through the MRPB, from the top: line number 44 bits, which is 49
 * bits of address at least, warp 6, class 2, register 8 (REG_NONE too), sectors 4
 * (none: all, and the line is full). A write with l2.sectors: register 0, its sectors are full. */
#define HEADER_BITS 64
#define LINE_AT (HEADER_BITS - FRONT_MRPB_LINE_BITS)
#define REGISTER_BITS (0xffu << 4)

/* Classes in a header; the MRPB has an input of its own for writes. */
enum { CLASS_GLOBAL, CLASS_ATOMIC, CLASS_LOCAL, CLASS_UNCACHED };

struct mrpb_front {
    struct block_instance block;
    uint8_t queue[L1_FRONT_WARPS_MAX]; /* the warp's signature */
    /* Loop trips of the accesses in the MRPB, which keeps a warp's order: a ring per warp. NULL if
     * its queues are unbounded: then the headers carry them. */
    uint32_t *trips;
    uint16_t *pcs; /* the same of their PCs, where there are policies of the L1 */
    uint16_t trips_in[L1_FRONT_WARPS_MAX], trips_out[L1_FRONT_WARPS_MAX];
    uint64_t entered[2]; /* accesses: reads; writes and atomics */
};

struct mrpb_params front_mrpb_params(const struct config *config) {
    return (struct mrpb_params){.QUEUES = config_mrpb_queues(config),
                                .DEPTH = config->mrpb.depth,
                                .DATA_BITS = config->mrpb.depth ? HEADER_BITS : 2 * HEADER_BITS,
                                .LATENCY = config->mrpb.latency,
                                .DRAIN = config->mrpb.drain,
                                .FLUSH = config->mrpb.flush,
                                .BYPASS = config->mrpb.bypass};
}

static bool mrpb_front_init(struct l1_front *f, const char *where, const uint64_t *cycle,
                            const struct build *build) {
    struct mrpb_params params = front_mrpb_params(f->config);
    struct mrpb_front *own = f->own = calloc(1, sizeof *own);
    if (own && f->config->mrpb.depth) {
        own->trips = calloc((size_t)L1_FRONT_WARPS_MAX * TRIPS, sizeof *own->trips);
        own->pcs = calloc(f->policies ? L1_FRONT_WARPS_MAX * TRIPS : 1, sizeof *own->pcs);
    }
    return own && ((own->trips && own->pcs) || !f->config->mrpb.depth) &&
           block_make(build, &mrpb_block, &params, where, cycle, &own->block);
}

static void mrpb_front_destroy(struct l1_front *f) {
    struct mrpb_front *own = f->own;
    if (own) {
        block_unmake(&own->block);
        free(own->trips);
        free(own->pcs);
        free(own);
        f->own = NULL;
    }
}

static void mrpb_front_begin_warp(struct l1_front *f, unsigned warp, unsigned cta_slot,
                                  unsigned number) {
    struct mrpb_front *own = f->own;
    const uint8_t queue[] = {[MRPB_SIGNATURE_WARP] = (uint8_t)warp,
                             [MRPB_SIGNATURE_IN_BLOCK_WARP] = (uint8_t)number,
                             [MRPB_SIGNATURE_BLOCK] = (uint8_t)cta_slot};
    own->queue[warp] = queue[f->config->mrpb.signature];
}

static uint32_t pack_common_header(const struct memory_insn *m) {
    uint32_t class = m->uncached                 ? CLASS_UNCACHED
                     : m->kind == REQUEST_ATOMIC ? CLASS_ATOMIC
                     : m->space == SPACE_LOCAL   ? CLASS_LOCAL
                                                 : CLASS_GLOBAL;
    return (uint32_t)m->warp << 14 | class << 12 | (uint32_t)m->reg << 4;
}

static __attribute__((noinline)) void refuse_far_address(const struct l1_front *f) {
    alarm_ring_text(f->alarm, ALARM_FAR_ADDRESS,
                    "an address has more than %u bits, the most that a request header of "
                    "l1.front = mrpb has room for",
                    FRONT_MRPB_LINE_BITS + (unsigned)__builtin_ctz(f->config->l1.line_bytes));
}

static inline uint64_t pack_header(struct l1_front *f, const struct memory_insn *m,
                                   const struct line_access *a) {
    if (a->line >> FRONT_MRPB_LINE_BITS) {
        refuse_far_address(f);
    }
    uint64_t header = a->line << LINE_AT | m->header |
                      (line_access_full(a, f->all_words) ? 0 : line_access_sectors(a));
    bool full_sectors = f->config->l2.sectors && m->kind == REQUEST_WRITE && l1_front_is_full(f, a);
    return full_sectors ? header & ~(uint64_t)REGISTER_BITS : header;
}

static void unpack_header(const struct l1_front *f, uint64_t header, struct request *r) {
    r->line = header >> LINE_AT;
    r->warp = header >> 14 & 63;
    unsigned class = header >> 12 & 3;
    r->local_space = class == CLASS_LOCAL;
    r->uncached = class == CLASS_UNCACHED;
    r->kind = class == CLASS_ATOMIC ? REQUEST_ATOMIC : r->kind;
    r->reg = (uint8_t)(header >> 4);
    r->sectors = header & 15;
    r->full = !r->sectors;
    r->sectors = r->full ? f->all_sectors : r->sectors;
    if (f->config->l2.sectors && r->kind == REQUEST_WRITE) {
        r->full = !r->reg;
        r->reg = REG_NONE;
    }
}

static unsigned trip_at(unsigned warp, unsigned at) {
    return warp * TRIPS + at % TRIPS;
}

/* Presents the block's output to the cache. Return: true if the cache accepted it. */
static inline bool present_from_mrpb(struct l1_front *f, struct mrpb_front *own,
                                     const struct mrpb_out *out, const struct now *now,
                                     struct l1_taken *taken) {
    struct request *r = &f->offered;
    bool only_bypass = refusal_is_only_bypass(&f->refusal);
    if (!refusal_may_try(&f->refusal, now->cycle)) {
        return false;
    }
    if (!f->refusal.cause) { /* else it is the one that was refused */
        *r = (struct request){.kind = out->deq_write ? REQUEST_WRITE : REQUEST_READ,
                              .core = f->core};
        unpack_header(f, out->deq_data[0], r);
        r->cta = f->cta[r->warp];
        r->generation = f->generation[r->warp] & 3;
    }
    r->may_bypass = out->deq_bypass;
    unsigned warp = r->warp, at = trip_at(warp, own->trips_out[warp]);
    uint32_t trip = own->trips ? own->trips[at] : (uint32_t)out->deq_data[1];
    if (f->policies) {
        f->policies->pc = own->trips ? own->pcs[at] : (uint16_t)(out->deq_data[1] >> 32);
    }
    if (!l1_front_present(f, r, only_bypass, trip, now, taken)) {
        return false;
    }
    own->trips_out[warp]++;
    return true;
}

/* The header of the current access, with its loop trip and PC if the queues are unbounded. */
static void fill_header(struct l1_front *f, const struct mrpb_front *own,
                        const struct memory_insn *m, uint64_t *data) {
    data[0] = pack_header(f, m, &m->accesses[m->done]);
    if (!own->trips) {
        data[1] = m->trip | (uint64_t)m->pc << 32;
    }
}

static unsigned mrpb_front_cycle(struct l1_front *f, struct memory_insn *m, const struct now *now,
                                 struct l1_taken *taken) {
    struct mrpb_front *own = f->own;
    struct mrpb_in in = {0};
    struct mrpb_out out;
    if (m) {
        in.enq_valid = true;
        in.enq_queue = own->queue[m->warp];
        in.enq_write = m->kind != REQUEST_READ;
        fill_header(f, own, m, in.enq_data);
    }
    own->block.comb(own->block.self, &in, &out);
    if (out.deq_valid) {
        in.deq_ready = present_from_mrpb(f, own, &out, now, taken);
        if (!in.deq_ready && !out.deq_write) {
            in.deq_stall = MRPB_ALL_STALLS >> f->refusal.cause & 1;
            in.deq_assoc_stall = f->refusal.cause == L1_FAIL_ASSOCIATIVITY;
            /* If the block now lets the read bypass, its next offer is another request to the
             * cache. */
            if (!out.deq_bypass && l1_data_cache_bypass_helps(f->cache, f->refusal.cause)) {
                l1_front_retry_bypass(f);
            }
        }
    }
    bool enters = in.enq_valid && out.enq_ready;
    if (!in.deq_ready && !enters && own->block.quiet(own->block.self, &in)) {
        return L1_FRONT_SLEEPS;
    }
    if (!own->block.step(own->block.self, &in, &out)) {
        alarm_ring(f->alarm, ALARM_BLOCK_DIFFERS);
    }
    if (enters) {
        if (own->trips) {
            unsigned at = trip_at(m->warp, own->trips_in[m->warp]++);
            own->trips[at] = m->trip;
            if (f->policies) {
                own->pcs[at] = m->pc;
            }
        }
        own->entered[in.enq_write]++;
    }
    return (enters ? L1_FRONT_ENTERED : 0) | (in.deq_ready ? L1_FRONT_TAKEN : 0);
}

static bool mrpb_is_wanted(const struct config *config) {
    return config->l1.front == L1_FRONT_MRPB;
}

static bool register_mrpb_front(const void *own, struct stats *s) {
    static const struct stat_member members[] = {
        {{"mrpb.reads", "accesses", "reads that entered the MRPB", "MRPB 3.1", STAT_SUM},
         offsetof(struct mrpb_front, entered[0])},
        {{"mrpb.writes", "accesses", "writes and atomics that entered the MRPB", "MRPB 3.3",
          STAT_SUM},
         offsetof(struct mrpb_front, entered[1])},
    };
    static const struct mrpb_front none;
    return stats_register_members(s, members, sizeof members / sizeof *members, own ? own : &none);
}

const struct l1_front_kind l1_front_mrpb = {.wanted = mrpb_is_wanted,
                                            .keeps_accesses = true,
                                            .bypass_causes = mrpb_bypass_causes,
                                            .init = mrpb_front_init,
                                            .destroy = mrpb_front_destroy,
                                            .begin_warp = mrpb_front_begin_warp,
                                            .pack = pack_common_header,
                                            .cycle = mrpb_front_cycle,
                                            .register_stats = register_mrpb_front};
