/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/load_store.h"

#include "config/derived.h"

#include <assert.h>
#include <stdlib.h>

/* Accesses of a warp between coalescer and cache, at most, with bounded queues: those in its queue,
 * those chosen, and what stands in the outbound buffer. A power of two. */
#define TRIPS (2 * MRPB_DEPTH_MAX)

/* A request header as it passes through the MRPB, from the top: line number 44 bits, which is 49
 * bits of address at least, warp 6, class 2, register 8 (REG_NONE too), sectors 4
 * (none: all, and the line is full). */
#define HEADER_BITS 64
#define LINE_AT (HEADER_BITS - LOAD_STORE_LINE_BITS)

/* Of a header; the MRPB's own input says whether it is a write. */
enum { CLASS_GLOBAL, CLASS_ATOMIC, CLASS_LOCAL, CLASS_UNCACHED };

/* What the accesses of an instruction have in common. */
static uint32_t header_of(const struct memory_insn *m) {
    uint32_t class = m->uncached                 ? CLASS_UNCACHED
                     : m->kind == REQUEST_ATOMIC ? CLASS_ATOMIC
                     : m->space == SPACE_LOCAL   ? CLASS_LOCAL
                                                 : CLASS_GLOBAL;
    return (uint32_t)m->warp << 14 | class << 12 | (uint32_t)m->reg << 4;
}

static inline uint64_t header_pack(struct load_store *u, const struct memory_insn *m,
                                   const struct line_access *a) {
    if (a->line >> LOAD_STORE_LINE_BITS) {
        u->failure = LOAD_STORE_FAR_ADDRESS;
    }
    return a->line << LINE_AT | m->header |
           (line_access_full(a, u->all_words) ? 0 : line_access_sectors(a));
}

static void header_unpack(const struct load_store *u, uint64_t header, struct request *r) {
    r->line = header >> LINE_AT;
    r->warp = header >> 14 & 63;
    unsigned class = header >> 12 & 3;
    r->local_space = class == CLASS_LOCAL;
    r->uncached = class == CLASS_UNCACHED;
    r->kind = class == CLASS_ATOMIC ? REQUEST_ATOMIC : r->kind;
    r->reg = (uint8_t)(header >> 4);
    r->sectors = header & 15;
    r->full = !r->sectors;
    r->sectors = r->full ? u->all_sectors : r->sectors;
}

struct mrpb_params load_store_mrpb_params(const struct config *config) {
    return (struct mrpb_params){.QUEUES = config_mrpb_queues(config),
                                .DEPTH = config->mrpb.depth,
                                .DATA_BITS = config->mrpb.depth ? HEADER_BITS : 2 * HEADER_BITS,
                                .LATENCY = config->mrpb.latency,
                                .DRAIN = config->mrpb.drain,
                                .FLUSH = config->mrpb.flush,
                                .BYPASS = config->mrpb.bypass};
}

bool load_store_init(struct load_store *u, const struct config *config, unsigned core,
                     const struct block_instance *mrpb) {
    *u = (struct load_store){
        .config = config, .core = (uint8_t)core, .has_mrpb = mrpb != NULL, .asleep = true};
    u->slots = config->core.operand_latency + 1;
    u->slot = calloc(u->slots, sizeof *u->slot);
    u->all_words = line_words(config->l1.line_bytes);
    u->all_sectors = line_access_sectors(&(struct line_access){.words = u->all_words});
    u->has_slot = config->l1.mrpb == L1_MRPB_SLOT;
    u->data.fails = u->cache.stats.fails;
    if (mrpb) {
        u->mrpb = *mrpb;
    }
    bool ring = mrpb && config->mrpb.depth;
    if (ring) {
        u->trips = calloc((size_t)LOAD_STORE_WARPS_MAX * TRIPS, sizeof *u->trips);
    }
    bool data = l1_data_cache_init(&u->cache, config),
         constant = l1_constant_cache_init(&u->constant, config),
         texture = texture_cache_init(&u->texture, config);
    return data && constant && texture && u->slot && (u->trips || !ring);
}

void load_store_destroy(struct load_store *u) {
    l1_data_cache_destroy(&u->cache);
    l1_data_cache_destroy(&u->constant);
    texture_cache_destroy(&u->texture);
    free(u->slot);
    free(u->trips);
    u->slot = NULL;
    u->trips = NULL;
}

void load_store_kernel(struct load_store *u, const char *name) {
    u->kernel = 0;
    while (*name) {
        u->kernel = (u->kernel ^ (uint8_t)*name++) * 0x01000193u; /* as FNV */
    }
}

/* Multiply and take the top: each bit of the sum reaches each of the hash. */
static inline uint16_t pc_hash(const struct load_store *u, uint32_t pc) {
    return (uint16_t)((u->kernel + pc) * 0x9e3779b1u >> 16);
}

void load_store_warp(struct load_store *u, unsigned warp, uint64_t cta, unsigned cta_slot,
                     unsigned number) {
    const uint8_t queue[] = {[MRPB_SIGNATURE_WARP] = (uint8_t)warp,
                             [MRPB_SIGNATURE_IN_BLOCK_WARP] = (uint8_t)number,
                             [MRPB_SIGNATURE_BLOCK] = (uint8_t)cta_slot};
    u->queue[warp] = queue[u->config->mrpb.signature];
    u->cta[warp] = (uint32_t)cta;
    u->generation[warp]++;
    u->trip[warp] = (struct loop_trip){0};
}

static unsigned accesses_of(struct load_store *u, struct memory_insn *m, const struct warp_op *op) {
    unsigned count;
    switch (m->space) {
    case SPACE_SHARED:
        u->shared_waiting++;
        m->conflicts = bank_conflict_cycles(op, u->config->core.shared_banks);
        return 1;
    case SPACE_TEXTURE:
        count = coalesce(op, u->config->texture.line_bytes, m->accesses);
        u->stats.texture_lines += count;
        break;
    case SPACE_CONSTANT:
        count = coalesce_words(op, u->config->constant.line_bytes, m->accesses);
        u->stats.constant_words += count;
        break;
    default:
        count = (m->kind == REQUEST_ATOMIC ? coalesce_atomic
                                           : coalesce)(op, u->config->l1.line_bytes, m->accesses);
        u->stats.coalesced += count;
        u->stats.lines[count < WARP_SIZE ? count : WARP_SIZE]++;
        break;
    }
    u->read_only_used |= m->space > SPACE_SHARED;
    u->unseen[m->warp] += count;
    return count;
}

/* The i-th of the instructions in the unit, or the place for one more. */
static inline struct memory_insn *slot_at(const struct load_store *u, unsigned i) {
    unsigned at = u->head + i;
    return &u->slot[at < u->slots ? at : at - u->slots];
}

unsigned load_store_push(struct load_store *u, unsigned warp, const struct warp_op *op,
                         uint64_t at) {
    assert(load_store_can_take(u));
    struct memory_insn *m = slot_at(u, u->count++);
    m->at = at;
    m->warp = (uint8_t)warp;
    m->pc = pc_hash(u, op->insn->pc);
    m->reg = op->insn->dst;
    m->space = op->insn->space;
    m->uncached = op->insn->uncached;
    m->kind = op->insn->op == OP_STORE    ? REQUEST_WRITE
              : op->insn->op == OP_ATOMIC ? REQUEST_ATOMIC
                                          : REQUEST_READ;
    m->started = false;
    m->done = 0;
    m->trip = loop_trip_number(&u->trip[warp]);
    m->header = u->has_mrpb ? header_of(m) : 0;
    m->count = (uint8_t)accesses_of(u, m, op);
    u->asleep = false;
    return m->count;
}

unsigned load_store_shared_waits_of(const struct load_store *u, unsigned warp) {
    unsigned waits = 0;
    for (unsigned i = 0; i < u->count; i++) {
        const struct memory_insn *m = slot_at(u, i);
        waits += m->warp == warp && m->space == SPACE_SHARED && !m->started;
    }
    return waits;
}

/* Count the retries since the last refusal, one a core cycle. */
static void count_retries(struct refusal *r, uint64_t cycle) {
    if (r->cause) {
        r->fails[r->cause] += cycle - r->since;
        r->since = cycle;
    }
}

/* Whether the access at hand is to be tried: it was not refused, or something has changed. */
static inline bool may_try(struct refusal *r, uint64_t cycle) {
    if (r->cause) {
        if (!r->retry) {
            return false;
        }
        count_retries(r, cycle);
    }
    r->retry = RETRY_NEVER;
    return true;
}

/* A read that was refused for this cause may bypass now. It is looked up again where a write may
 * wait in its line's MSHR, which it must not pass. */
static inline uint8_t as_bypass(unsigned cause) {
    return cause == L1_FAIL_MSHR_MERGE ? RETRY_CHANGE : RETRY_BYPASS;
}

/* Looked up again, the access at hand would be refused for the same cause, but may bypass now. */
static inline bool only_bypass(const struct refusal *r) {
    return r->retry & RETRY_BYPASS && !(r->retry & RETRY_CHANGE);
}

static bool refuse(struct refusal *r, unsigned cause, uint64_t cycle) {
    r->cause = cause;
    r->since = cycle;
    return false;
}

/* Offer a request to the data cache. @bypasses: all that it was refused for
 * is no hindrance any more. Return: whether it was taken. */
static inline __attribute__((always_inline)) bool offer(struct load_store *u, struct request *r,
                                                        bool bypasses, uint32_t trip,
                                                        uint64_t cycle, uint64_t now, uint64_t next,
                                                        struct load_store_outcome *o) {
    enum l1_result result = bypasses && r->may_bypass
                                ? l1_data_cache_bypass(&u->cache, r, now, next)
                                : l1_data_cache_access(&u->cache, r, trip, now, next);
    if (result >= L1_FAILS) {
        return refuse(&u->data, result, cycle);
    }
    u->data.cause = 0;
    u->unseen[r->warp]--;
    o->cache_taken = true;
    o->cache_result = result;
    o->cache_warp = (uint8_t)r->warp;
    o->cache_reg = r->reg;
    return true;
}

/* The same for the texture or the constant cache, unless it was refused and nothing has changed. */
static bool offer_read_only(struct load_store *u, const struct memory_insn *m, uint64_t cycle,
                            uint64_t now, uint64_t next, struct load_store_outcome *o) {
    const struct line_access *a = &m->accesses[m->done];
    bool texture = m->space == SPACE_TEXTURE;
    struct request r = {.line = a->line,
                        .cta = u->cta[m->warp],
                        .generation = u->generation[m->warp] & 3,
                        .sectors = line_access_sectors(a),
                        .kind = REQUEST_READ,
                        .unit = texture ? UNIT_TEXTURE : UNIT_CONSTANT,
                        .core = u->core,
                        .warp = m->warp,
                        .pc = m->pc,
                        .reg = m->reg};
    if (!may_try(&u->read_only, cycle)) {
        return false;
    }
    if (texture) {
        enum texture_result result = texture_cache_access(&u->texture, &r, cycle, now, next);
        u->read_only.fails = u->texture.stats.fails;
        if (result != TEXTURE_TAKEN) {
            return refuse(&u->read_only, result, cycle);
        }
        o->texture_taken = true;
    } else {
        enum l1_result result = l1_data_cache_access(&u->constant, &r, m->trip, now, next);
        u->read_only.fails = u->constant.stats.fails;
        if (result >= L1_FAILS) {
            return refuse(&u->read_only, result, cycle);
        }
        o->constant_hit = result == L1_HIT;
    }
    u->read_only.cause = 0;
    u->unseen[m->warp]--;
    o->read_only_warp = m->warp;
    o->read_only_reg = m->reg;
    return true;
}

static void shared_cycle(struct load_store *u, struct memory_insn *m, uint64_t cycle,
                         struct load_store_outcome *o) {
    if (m->started) {
        return;
    }
    m->started = true;
    u->shared_waiting--;
    m->until = cycle + m->conflicts;
    u->stats.shared_instructions++;
    u->stats.shared_conflict_cycles += m->conflicts - 1;
    o->shared_taken = true;
    o->shared_warp = m->warp;
    o->shared_reg = m->reg;
    o->shared_write = m->kind == REQUEST_WRITE;
    o->shared_ready_at = cycle + m->conflicts - 1 + u->config->core.shared_latency;
}

/* No queues before the cache. @slot: a read may bypass from the cycle after it was refused. */
static inline __attribute__((always_inline)) void direct(struct load_store *u,
                                                         struct memory_insn *m, bool slot,
                                                         uint64_t cycle, uint64_t now,
                                                         uint64_t next,
                                                         struct load_store_outcome *o) {
    const struct line_access *a = &m->accesses[m->done];
    bool bypasses = slot && only_bypass(&u->data);
    if (!may_try(&u->data, cycle)) {
        u->asleep = true;
        return;
    }
    struct request r = {.line = a->line,
                        .cta = u->cta[m->warp],
                        .generation = u->generation[m->warp] & 3,
                        .sectors = line_access_sectors(a),
                        .full = line_access_full(a, u->all_words),
                        .kind = m->kind,
                        .local_space = m->space == SPACE_LOCAL,
                        .uncached = m->uncached,
                        .may_bypass = slot && u->slot_bypasses,
                        .core = u->core,
                        .warp = m->warp,
                        .pc = m->pc,
                        .reg = m->reg};
    if (offer(u, &r, bypasses, m->trip, cycle, now, next, o)) {
        m->done++;
        if (slot) {
            u->slot_bypasses = false;
        }
    } else if (slot && !u->slot_bypasses && m->kind == REQUEST_READ &&
               l1_data_cache_bypass_helps(&u->cache, u->data.cause)) {
        u->slot_bypasses = true;
        u->data.retry |= as_bypass(u->data.cause); /* it is another request to the cache now */
    } else {
        u->asleep = true;
    }
}

static void direct_cycle(struct load_store *u, struct memory_insn *m, uint64_t cycle, uint64_t now,
                         uint64_t next, struct load_store_outcome *o) {
    direct(u, m, false, cycle, now, next, o);
}

static __attribute__((noinline)) void slot_cycle(struct load_store *u, struct memory_insn *m,
                                                 uint64_t cycle, uint64_t now, uint64_t next,
                                                 struct load_store_outcome *o) {
    direct(u, m, true, cycle, now, next, o);
}

static uint32_t *trip_at(struct load_store *u, unsigned warp, unsigned at) {
    return &u->trips[warp * TRIPS + at % TRIPS];
}

static inline bool offer_from_mrpb(struct load_store *u, const struct mrpb_out *out, uint64_t cycle,
                                   uint64_t now, uint64_t next, struct load_store_outcome *o) {
    struct request *r = &u->offered;
    bool bypasses = only_bypass(&u->data);
    if (!may_try(&u->data, cycle)) {
        return false;
    }
    if (!u->data.cause) { /* else it is the one that was refused */
        *r = (struct request){.kind = out->deq_write ? REQUEST_WRITE : REQUEST_READ,
                              .core = u->core};
        header_unpack(u, out->deq_data[0], r);
        r->cta = u->cta[r->warp];
        r->generation = u->generation[r->warp] & 3;
    }
    r->may_bypass = out->deq_bypass;
    unsigned warp = r->warp;
    uint32_t trip = u->trips ? *trip_at(u, warp, u->trips_out[warp]) : (uint32_t)out->deq_data[1];
    if (!offer(u, r, bypasses, trip, cycle, now, next, o)) {
        return false;
    }
    u->trips_out[warp]++;
    return true;
}

/* The header of the access at hand, and which loop trip it belongs to. */
static void fill_header(struct load_store *u, const struct memory_insn *m, uint64_t *data) {
    data[0] = header_pack(u, m, &m->accesses[m->done]);
    if (!u->trips) {
        data[1] = m->trip;
    }
}

/* A refusal for want of something that a bypass does not need: l1_data_cache_bypass_helps(). */
static bool stalls(unsigned cause) {
    return cause == L1_FAIL_ASSOCIATIVITY || cause == L1_FAIL_MSHR_FULL ||
           cause == L1_FAIL_MSHR_MERGE;
}

static void mrpb_cycle(struct load_store *u, struct memory_insn *m, uint64_t cycle, uint64_t now,
                       uint64_t next, struct load_store_outcome *o) {
    struct mrpb_in in = {0};
    struct mrpb_out out;
    if (m) {
        in.enq_valid = true;
        in.enq_queue = u->queue[m->warp];
        in.enq_write = m->kind != REQUEST_READ;
        fill_header(u, m, in.enq_data);
    }
    u->mrpb.comb(u->mrpb.self, &in, &out);
    if (out.deq_valid) {
        in.deq_ready = offer_from_mrpb(u, &out, cycle, now, next, o);
        if (!in.deq_ready && !out.deq_write) {
            in.deq_stall = stalls(u->data.cause);
            in.deq_assoc_stall = u->data.cause == L1_FAIL_ASSOCIATIVITY;
            /* Where the block now lets the read bypass, what it offers next is another request to
             * the cache. */
            if (!out.deq_bypass && l1_data_cache_bypass_helps(&u->cache, u->data.cause)) {
                u->data.retry |= as_bypass(u->data.cause);
            }
        }
    }
    bool enters = in.enq_valid && out.enq_ready;
    if (!in.deq_ready && !enters && u->mrpb.quiet(u->mrpb.self, &in)) {
        u->asleep = true;
        return;
    }
    if (!u->mrpb.step(u->mrpb.self, &in, &out)) {
        u->failure = LOAD_STORE_BLOCK_DIFFERS;
    }
    if (enters) {
        m->done++;
        if (u->trips) {
            *trip_at(u, m->warp, u->trips_in[m->warp]++) = m->trip;
        }
        ++*(in.enq_write ? &u->stats.mrpb_writes : &u->stats.mrpb_reads);
    }
}

static void pop(struct load_store *u) {
    u->head = u->head + 1 < u->slots ? u->head + 1 : 0;
    u->count--;
    u->asleep = false;
}

void load_store_cycle(struct load_store *u, uint64_t cycle, uint64_t now, uint64_t next,
                      struct load_store_outcome *o) {
    o->cache_taken = o->shared_taken = o->constant_hit = o->texture_taken = false;
    if (load_store_sleeps(u, cycle)) {
        return;
    }
    u->asleep = false;
    u->wake_at = NEVER;
    if (u->count && u->slot[u->head].started && u->slot[u->head].until <= cycle) {
        pop(u);
    }
    struct memory_insn *head = u->count ? &u->slot[u->head] : NULL, *m = head;
    bool passed = false; /* an access went past the data cache: there may be one more to go */
    if (m && m->at > cycle) {
        u->wake_at = m->at;
        head = m = NULL;
    } else if (m && m->space == SPACE_SHARED) {
        shared_cycle(u, m, cycle, o);
        u->wake_at = m->until;
        head = m = NULL;
    } else if (m && m->space > SPACE_SHARED) {
        passed = offer_read_only(u, m, cycle, now, next, o);
        m->done = (uint8_t)(m->done + passed);
        m = NULL;
    }
    if (u->has_mrpb) {
        mrpb_cycle(u, m, cycle, now, next, o);
    } else if (m && u->has_slot) {
        slot_cycle(u, m, cycle, now, next, o);
    } else if (m) {
        direct_cycle(u, m, cycle, now, next, o);
    } else {
        u->asleep = true;
    }
    if (passed) {
        u->asleep = false;
    }
    if (head && head->done == head->count) {
        pop(u);
    }
}

void load_store_settle(struct load_store *u, uint64_t cycle) {
    count_retries(&u->data, cycle);
    count_retries(&u->read_only, cycle);
}

void load_store_invalidate(struct load_store *u) {
    l1_data_cache_invalidate(&u->cache);
    l1_data_cache_invalidate(&u->constant);
    texture_cache_invalidate(&u->texture);
}

bool load_store_idle(const struct load_store *u) {
    for (unsigned w = 0; w < LOAD_STORE_WARPS_MAX; w++) {
        if (u->unseen[w]) {
            return false;
        }
    }
    return !u->count;
}
