/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/load_store.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "config/derived.h"

bool load_store_init(struct load_store *u, const struct config *config, unsigned core,
                     const struct l1_policy_kind *named, const uint64_t *cycle,
                     const struct build *build) {
    *u = (struct load_store){.config = config,
                             .slots = config->core.operand_latency + 1,
                             .accesses = config_l1_accesses(config),
                             .ports = config_l1_ports(config),
                             .holds_issue = config->core.memory_stall == MEMORY_STALL_ALL,
                             .asleep = true};
    build_refused(build, "out of memory");
    u->slot = calloc(u->slots, sizeof *u->slot);
    bool data = l1_data_cache_init(&u->cache, config),
         constant = l1_constant_cache_init(&u->constant, config),
         texture = texture_cache_init(&u->texture, config);
    if (config_has_victim_tags(config)) {
        u->victims = victim_watch_create(config, core, build);
        if (!u->victims) {
            return false;
        }
    }
    return data && constant && texture && u->slot &&
           l1_front_init(&u->front, config, core, &u->cache, named, cycle, build);
}

void load_store_destroy(struct load_store *u) {
    l1_data_cache_destroy(&u->cache);
    l1_data_cache_destroy(&u->constant);
    texture_cache_destroy(&u->texture);
    l1_front_destroy(&u->front);
    victim_watch_destroy(u->victims);
    u->victims = NULL;
    free(u->slot);
    u->slot = NULL;
}

void load_store_watch(struct load_store *u, struct l1_watched *watched) {
    u->front.watched = watched;
    u->cache.victim = &watched->victim;
}

void load_store_kernel(struct load_store *u, const char *name, uint64_t cycle) {
    u->kernel = 0;
    while (*name) {
        u->kernel = (u->kernel ^ (uint8_t)*name++) * 0x01000193u; /* as FNV */
    }
    load_store_tell(u, &(struct l1_policy_event){.kind = L1_POLICY_LAUNCHED, .kernel = u->kernel},
                    cycle);
}

/* Multiply and take the top: each bit of the sum reaches each of the hash. */
static inline uint16_t pc_hash(const struct load_store *u, uint32_t pc) {
    return (uint16_t)((u->kernel + pc) * 0x9e3779b1u >> 16);
}

void load_store_warp(struct load_store *u, unsigned warp, uint64_t cta, unsigned cta_slot,
                     unsigned number, uint64_t cycle) {
    l1_front_begin_warp(&u->front, warp, cta, cta_slot, number);
    load_store_tell(
        u,
        &(struct l1_policy_event){
            .kind = L1_POLICY_WARP_BEGUN, .warp = warp, .cta_slot = cta_slot, .number = number},
        cycle);
    u->trip[warp] = (struct loop_trip){0};
}

static unsigned accesses_of(struct load_store *u, struct memory_insn *m, const struct warp_op *op) {
    unsigned count;
    switch (m->space) {
    case SPACE_SHARED:
        u->shared_waiting++;
        m->banks = shared_bank_cycles(op, u->config->core.shared_banks);
        return 1;
    case SPACE_TEXTURE:
        count = coalesce_accesses(op, u->config->texture.line_bytes, m->accesses);
        u->stats.texture_lines += count;
        break;
    case SPACE_CONSTANT:
        count = coalesce_words(op, u->config->constant.line_bytes, m->accesses);
        u->stats.constant_words += count;
        break;
    default:
        count = coalesce_parts(op, u->config->l1.line_bytes, u->config->l1.coalesce_parts,
                               u->config->l1.atomics == L1_ATOMICS_SECTORS, m->accesses);
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
    m->header = u->front.kind->pack ? u->front.kind->pack(m) : 0;
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

/* Offer the current access to the texture or the constant cache, unless it was refused and no
 * resource has changed. Return: true if it was accepted. */
static bool offer_read_only(struct load_store *u, const struct memory_insn *m,
                            const struct now *now, struct load_store_outcome *o) {
    const struct line_access *a = &m->accesses[m->done];
    bool texture = m->space == SPACE_TEXTURE;
    struct request r = {.line = a->line,
                        .cta = u->front.cta[m->warp],
                        .generation = u->front.generation[m->warp] & 3,
                        .sectors = line_access_sectors(a),
                        .kind = REQUEST_READ,
                        .unit = texture ? UNIT_TEXTURE : UNIT_CONSTANT,
                        .core = u->front.core,
                        .warp = m->warp,
                        .pc = m->pc,
                        .reg = m->reg};
    if (!refusal_may_try(&u->read_only, now->cycle)) {
        return false;
    }
    if (texture) {
        enum texture_result result = texture_cache_access(&u->texture, &r, now);
        u->read_only.fails = u->texture.stats.fails;
        if (result != TEXTURE_TAKEN) {
            refusal_begin(&u->read_only, result, now->cycle);
            return false;
        }
        o->texture_taken = true;
    } else {
        enum l1_result result = l1_data_cache_access(&u->constant, &r, m->trip, now);
        u->read_only.fails = u->constant.stats.fails;
        if (result >= L1_FAILS) {
            refusal_begin(&u->read_only, result, now->cycle);
            return false;
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
    m->until = cycle + m->banks.all;
    u->stats.shared_instructions++;
    u->stats.shared_bank_cycles += m->banks.all;
    u->stats.shared_conflict_cycles += m->banks.all - m->banks.least;
    o->shared_taken = true;
    o->shared_warp = m->warp;
    o->shared_reg = m->reg;
    o->shared_write = m->kind == REQUEST_WRITE;
    o->shared_ready_at = cycle + m->banks.all - 1 + u->config->core.shared_latency;
}

static void pop_memory_insn(struct load_store *u) {
    u->head = u->head + 1 < u->slots ? u->head + 1 : 0;
    u->count--;
    u->asleep = false;
}

/* The instruction at the head does not show the front an access in this cycle: it is too early, or
 * of another memory space. Return: the next access may go in the next cycle. Not inlined, so that
 * the others need no more registers than the calling convention leaves alone. */
static __attribute__((noinline)) bool pass_front(struct load_store *u, struct memory_insn *m,
                                                 const struct now *now,
                                                 struct load_store_outcome *o) {
    if (m->at > now->cycle) {
        u->wake_at = m->at;
        return false;
    }
    if (m->space == SPACE_SHARED) {
        shared_cycle(u, m, now->cycle, o);
        /* In its last cycle there the next instruction may issue. */
        u->wake_at = m->until - (u->holds_issue && m->until > now->cycle + 1);
        return false;
    }
    if (!offer_read_only(u, m, now, o)) {
        return false;
    }
    if (++m->done == m->count) {
        pop_memory_insn(u);
    }
    return true;
}

/* The cycle of the instructions in the unit. */
static inline __attribute__((always_inline)) void send_next_access(struct load_store *u,
                                                                   const struct now *now,
                                                                   struct load_store_outcome *o) {
    struct memory_insn *m = u->count ? &u->slot[u->head] : NULL;
    bool awake = false;
    u->wake_at = NEVER;
    if (m && m->started && m->until <= now->cycle) {
        pop_memory_insn(u);
        m = u->count ? &u->slot[u->head] : NULL;
    }
    if (m && (m->at > now->cycle || m->space >= SPACE_SHARED)) {
        awake = pass_front(u, m, now, o);
        m = NULL;
    }
    u->asleep = !awake;
    if (!m && !u->front.keeps_accesses) {
        return;
    }
    unsigned became = u->front.kind->cycle(&u->front, m, now, &o->cache);
    if (!(became & L1_FRONT_SLEEPS)) {
        u->asleep = false;
    }
    if (became & L1_FRONT_TAKEN) {
        o->cache_taken = true;
        u->unseen[o->cache.warp]--;
    }
    if (became & L1_FRONT_ENTERED && ++m->done == m->count) {
        pop_memory_insn(u);
    }
}

/* Where a policy prefetches or chooses victims. An access that is refused uses the port as well, in
 * each cycle, and is tried again at once if the one that chooses victims was told of it. */
static __attribute__((noinline)) void end_cycle_of_policies(struct load_store *u,
                                                            const struct now *now,
                                                            struct load_store_outcome *o) {
    if (u->front.refusal.cause) {
        u->asleep &= !u->front.refusal.retry;
        return;
    }
    if (!o->cache_taken && l1_front_prefetches(&u->front)) {
        o->prefetched = l1_front_prefetch(&u->front, now);
    }
    u->asleep &= !l1_front_prefetches(&u->front);
}

void load_store_cycle(struct load_store *u, const struct now *now, struct load_store_outcome *o) {
    o->cache_taken = o->shared_taken = o->constant_hit = o->texture_taken = o->prefetched = false;
    if (load_store_sleeps(u, now->cycle)) {
        return;
    }
    send_next_access(u, now, o);
    if (__builtin_expect(u->front.follows, false)) {
        end_cycle_of_policies(u, now, o);
    }
}

bool load_store_leaves_next(const struct load_store *u) {
    struct request r;
    l1_front_make_request(&u->front, &u->slot[u->head], &r);
    return !l1_data_cache_answers(&u->cache, &r);
}

void load_store_settle(struct load_store *u, uint64_t cycle) {
    refusal_count(&u->front.refusal, cycle);
    refusal_count(&u->read_only, cycle);
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
