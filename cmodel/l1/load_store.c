/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/load_store.h"

#include <assert.h>

/* A request header as it passes through the MRPB, from the top: line number 45 bits, full 1, warp
 * 6, register 8 (REG_NONE too), sectors 4. */
static uint64_t header_pack(const struct memory_insn *m, const struct line_access *a) {
    assert(a->line >> 45 == 0);
    return a->line << 19 | (uint64_t)line_access_full(a) << 18 | (uint64_t)(m->warp & 63) << 12 |
           (uint64_t)m->reg << 4 | line_access_sectors(a);
}

static void header_unpack(uint64_t header, struct request *r) {
    r->line = header >> 19;
    r->full = header >> 18 & 1;
    r->warp = header >> 12 & 63;
    r->reg = (uint8_t)(header >> 4);
    r->sectors = header & 15;
}

bool load_store_init(struct load_store *u, const struct config *config, unsigned core,
                     const struct block_instance *mrpb) {
    *u = (struct load_store){
        .config = config, .core = (uint8_t)core, .has_mrpb = mrpb != NULL, .asleep = true};
    u->slots = config->core.operand_latency + 1;
    if (mrpb) {
        u->mrpb = *mrpb;
    }
    return l1_data_cache_init(&u->cache, config);
}

void load_store_destroy(struct load_store *u) {
    l1_data_cache_destroy(&u->cache);
}

unsigned load_store_push(struct load_store *u, unsigned warp, const struct warp_op *op,
                         uint64_t at) {
    assert(load_store_can_take(u));
    struct memory_insn *m = &u->slot[(u->head + u->count++) % u->slots];
    m->at = at;
    m->warp = (uint8_t)warp;
    m->reg = op->insn->dst;
    m->space = op->insn->space;
    m->write = op->insn->op == OP_STORE;
    m->started = false;
    m->done = 0;
    u->asleep = false;
    if (m->space == SPACE_SHARED) {
        m->count = 1;
        m->conflicts = bank_conflict_cycles(op, u->config->core.shared_banks);
    } else {
        m->count = (uint8_t)coalesce(op, m->accesses);
        u->unseen[warp] = (uint16_t)(u->unseen[warp] + m->count);
        u->stats.coalesced += m->count;
    }
    return m->count;
}

unsigned load_store_shared_waits(const struct load_store *u, unsigned warp) {
    unsigned waits = 0;
    for (unsigned i = 0; i < u->count; i++) {
        const struct memory_insn *m = &u->slot[(u->head + i) % u->slots];
        waits += m->warp == warp && m->space == SPACE_SHARED && !m->started;
    }
    return waits;
}

/* Count the retries since the last refusal, one a core cycle. */
static void count_retries(struct load_store *u, uint64_t cycle) {
    if (u->refused >= L1_FAILS) {
        u->cache.stats.fails[u->refused] += cycle - u->refused_since;
        u->refused_since = cycle;
    }
}

/* Offer a request to the cache, unless it was refused and nothing has changed. Return: whether
 * it was taken. */
static bool offer(struct load_store *u, const struct request *r, uint64_t cycle, uint64_t now,
                  uint64_t next, struct load_store_outcome *o) {
    if (u->refused >= L1_FAILS) {
        if (!u->retry) {
            return false;
        }
        count_retries(u, cycle);
    }
    u->retry = false;
    enum l1_result result = l1_data_cache_access(&u->cache, r, now, next);
    u->refused = result;
    if (result >= L1_FAILS) {
        u->refused_since = cycle;
        return false;
    }
    u->refused = L1_HIT;
    u->unseen[r->warp]--;
    o->cache_taken = true;
    o->cache_result = result;
    o->cache_warp = (uint8_t)r->warp;
    o->cache_reg = r->reg;
    o->cache_write = r->kind == REQUEST_WRITE;
    return true;
}

static void shared_cycle(struct load_store *u, struct memory_insn *m, uint64_t cycle,
                         struct load_store_outcome *o) {
    if (m->started) {
        return;
    }
    m->started = true;
    m->until = cycle + m->conflicts;
    u->stats.shared_instructions++;
    u->stats.shared_conflict_cycles += m->conflicts - 1;
    o->shared_taken = true;
    o->shared_warp = m->warp;
    o->shared_reg = m->reg;
    o->shared_write = m->write;
    o->shared_ready_at = cycle + m->conflicts - 1 + u->config->core.shared_latency;
}

static void direct_cycle(struct load_store *u, struct memory_insn *m, uint64_t cycle, uint64_t now,
                         uint64_t next, struct load_store_outcome *o) {
    const struct line_access *a = &m->accesses[m->done];
    struct request r = {.line = a->line,
                        .sectors = line_access_sectors(a),
                        .full = line_access_full(a),
                        .kind = m->write ? REQUEST_WRITE : REQUEST_READ,
                        .core = u->core,
                        .warp = m->warp,
                        .reg = m->reg};
    if (offer(u, &r, cycle, now, next, o)) {
        m->done++;
    } else {
        u->asleep = true;
    }
}

static void mrpb_cycle(struct load_store *u, struct memory_insn *m, uint64_t cycle, uint64_t now,
                       uint64_t next, struct load_store_outcome *o) {
    struct mrpb_in in = {0};
    struct mrpb_out out;
    if (m) {
        in.enq_valid = true;
        in.enq_queue = m->warp;
        in.enq_write = m->write;
        in.enq_data[0] = header_pack(m, &m->accesses[m->done]);
    }
    u->mrpb.comb(u->mrpb.self, &in, &out);
    if (out.deq_valid) {
        struct request r = {.kind = out.deq_write ? REQUEST_WRITE : REQUEST_READ,
                            .core = u->core,
                            .may_bypass = out.deq_bypass};
        header_unpack(out.deq_data[0], &r);
        in.deq_ready = offer(u, &r, cycle, now, next, o);
        in.deq_assoc_stall = !in.deq_ready && u->refused == L1_FAIL_ASSOCIATIVITY &&
                             u->config->mrpb.bypass == MRPB_BYPASS_ASSOCIATIVITY;
        /* The block now lets the read bypass: what it offers next is another request to the
         * cache. */
        u->retry |= in.deq_assoc_stall;
    }
    if (u->mrpb.quiet(u->mrpb.self, &in)) {
        u->asleep = true;
        return;
    }
    u->mrpb_failed |= !u->mrpb.step(u->mrpb.self, &in, &out);
    if (in.enq_valid && out.enq_ready) {
        m->done++;
        u->stats.mrpb_reads += !m->write;
        u->stats.mrpb_writes += m->write;
    }
}

static void pop(struct load_store *u) {
    u->head = (u->head + 1) % u->slots;
    u->count--;
    u->asleep = false;
}

void load_store_cycle(struct load_store *u, uint64_t cycle, uint64_t now, uint64_t next,
                      struct load_store_outcome *o) {
    o->cache_taken = o->shared_taken = false;
    if (u->asleep && cycle < u->wake_at) {
        return;
    }
    u->asleep = false;
    u->wake_at = NEVER;
    if (u->count && u->slot[u->head].started && u->slot[u->head].until <= cycle) {
        pop(u);
    }
    struct memory_insn *m = u->count ? &u->slot[u->head] : NULL;
    if (m && m->at > cycle) {
        u->wake_at = m->at;
        m = NULL;
    } else if (m && m->space == SPACE_SHARED) {
        shared_cycle(u, m, cycle, o);
        u->wake_at = m->until;
        m = NULL;
    }
    if (u->has_mrpb) {
        mrpb_cycle(u, m, cycle, now, next, o);
    } else if (m) {
        direct_cycle(u, m, cycle, now, next, o);
    } else {
        u->asleep = true;
    }
    if (m && m->done == m->count) {
        pop(u);
    }
}

uint64_t load_store_next(const struct load_store *u, uint64_t cycle) {
    return u->asleep ? u->wake_at : cycle + 1;
}

void load_store_settle(struct load_store *u, uint64_t cycle) {
    count_retries(u, cycle);
}

bool load_store_idle(const struct load_store *u) {
    for (unsigned w = 0; w < LOAD_STORE_WARPS_MAX; w++) {
        if (u->unseen[w]) {
            return false;
        }
    }
    return !u->count;
}

bool load_store_register_stats(const struct load_store *u, struct stats *s) {
#define UNIT_STAT(member, stat, unit, meaning, source) \
    { {stat, unit, meaning, source, STAT_SUM}, offsetof(struct load_store_stats, member) }
    static const struct stat_member members[] = {
        UNIT_STAT(shared_instructions, "shared.instructions", "warp instructions",
                  "shared-memory instructions", "model"),
        UNIT_STAT(shared_conflict_cycles, "shared.conflict_cycles", "core cycles",
                  "cycles that bank conflicts added", "model"),
        UNIT_STAT(mrpb_reads, "mrpb.reads", "accesses", "reads that entered the MRPB", "MRPB 3.1"),
        UNIT_STAT(mrpb_writes, "mrpb.writes", "accesses",
                  "writes that passed the MRPB after a flush", "MRPB 3.3"),
    };
#undef UNIT_STAT
    return l1_data_cache_register_stats(&u->cache, s) &&
           stats_register_members(s, members, sizeof members / sizeof *members, &u->stats);
}
