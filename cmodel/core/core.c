/* SPDX-License-Identifier: Apache-2.0 */
#include "core/core.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/events.h"
#include "config/derived.h"
#include "config/packets.h"
#include "core/core_issue.h"
#include "core/core_memory.h"
#include "core/core_policy.h"

bool core_init(struct core *c, const struct config *config, unsigned id,
               const struct policy_kind *policy, const struct l1_policy_kind *l1,
               const struct build *build) {
    c->config = config;
    c->id = id;
    build_refused(build, "out of memory");
    scoreboard_init(&c->scoreboard);
    stall_init(&c->stall);
    pipelines_init(&c->pipelines, config);
    c->pump = WARP_SIZE / config->core.simd_width;
    for (unsigned s = 0; s < config->core.schedulers; s++) {
        c->scheduler[s].last = -1;
        for (unsigned w = s; w < config->core.warps; w += config->core.schedulers) {
            c->scheduler[s].mine |= UINT64_C(1) << w;
        }
    }
    for (unsigned i = 0; i < config->core.ctas; i++) {
        c->cta[i].trace = cta_trace_create();
        if (!c->cta[i].trace) {
            return false;
        }
    }
    return load_store_init(&c->load_store, config, id, l1, &c->cycle, build) &&
           core_policy_init(c, policy, build);
}

void core_destroy(struct core *c) {
    if (!c->config) {
        return;
    }
    for (unsigned i = 0; i < c->config->core.ctas; i++) {
        cta_trace_destroy(c->cta[i].trace);
    }
    load_store_destroy(&c->load_store);
    core_policy_destroy(c);
    free(c->warp_hits);
}

/* CTAs that fit. @shared: with so much shared memory. */
static unsigned fit_with_shared(const struct config *config, const struct launch *launch,
                                uint64_t shared, const char **limit) {
    unsigned warps = launch_warps(launch);
    unsigned fit = config->core.ctas;
    *limit = "core.ctas";
    const struct {
        const char *name;
        uint64_t need, have;
    } resources[] = {
        {"core.threads", warps * WARP_SIZE, config->core.threads},
        {"core.warps", warps, config->core.warps},
        {"core.registers", launch->code->registers * warps * WARP_SIZE, config->core.registers},
        {"core.shared_bytes", launch->code->shared_bytes, shared},
    };
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        if (resources[i].need && resources[i].have / resources[i].need < fit) {
            fit = (unsigned)(resources[i].have / resources[i].need);
            *limit = resources[i].name;
        }
    }
    return fit;
}

unsigned core_fit(const struct config *config, const struct launch *launch, const char **limit) {
    return fit_with_shared(config, launch, config->core.shared_bytes, limit);
}

/* core.carveout: the L1 that the launch leaves. */
static void resize_l1(struct core *c, const struct launch *launch) {
    uint64_t size[CARVEOUTS_MAX];
    const char *limit;
    const unsigned count = config_carveouts(c->config, size);
    const uint64_t need = (uint64_t)fit_with_shared(c->config, launch, UINT64_MAX, &limit) *
                          launch->code->shared_bytes;
    unsigned i = 0;
    while (i + 1 < count && size[i] < need) {
        i++;
    }
    if (count) {
        l1_data_cache_resize(&c->load_store.cache, config_carveout_ways(c->config, size[i]));
    }
}

void core_prepare(struct core *c, const struct launch *launch, unsigned fit, unsigned ctas,
                  uint64_t cycle) {
    assert(!c->resident);
    load_store_kernel(&c->load_store, launch->code->name, cycle);
    c->cta_limit = fit;
    if (c->config->l1.at_launch == AT_LAUNCH_INVALIDATE) {
        load_store_invalidate(&c->load_store);
    }
    resize_l1(c, launch);
    if (core_policy_listens(c, POLICY_LAUNCHED)) {
        core_policy_tell(c, &(struct policy_event){.kind = POLICY_LAUNCHED,
                                                   .cycle = cycle,
                                                   .code = launch->code,
                                                   .ctas = ctas,
                                                   .cta_warps = launch_warps(launch)});
    }
}

static unsigned free_cta_slot(const struct core *c) {
    unsigned slot = 0;
    while (c->cta[slot].used) {
        slot++;
    }
    return slot;
}

struct cta_trace *core_free_trace(struct core *c) {
    return c->cta[free_cta_slot(c)].trace;
}

void core_start(struct core *c, const struct kernel_code *code, uint64_t launch_number,
                uint64_t cycle) {
    unsigned slot = free_cta_slot(c);
    struct core_cta *cta = &c->cta[slot];
    /* Warp slots are fixed by the CTA's slot: a CTA's warps are neighbours, as in the hardware. */
    *cta = (struct core_cta){.trace = cta->trace,
                             .used = true,
                             .first_warp = slot * cta->trace->warp_count,
                             .warps = cta->trace->warp_count,
                             .live = cta->trace->warp_count};
    c->cycle = cycle; /* a warp without an instruction ends at once */
    c->resident++;
    c->stats.ctas++;
    c->stats.most_ctas = c->resident > c->stats.most_ctas ? c->resident : c->stats.most_ctas;
    c->stats.most_cta_warps =
        cta->warps > c->stats.most_cta_warps ? cta->warps : c->stats.most_cta_warps;
    load_store_begin_cta(&c->load_store, cycle);
    for (unsigned i = 0; i < cta->warps; i++) {
        unsigned w = cta->first_warp + i;
        c->warp[w] = (struct core_warp){.cta = (uint8_t)slot, .after = REG_NONE};
        c->live |= UINT64_C(1) << w;
        c->age[w] = launch_number;
        load_store_warp(&c->load_store, w, launch_number, slot, i, cycle);
        core_loads_begin(&c->loads, w);
        scoreboard_reset_warp(&c->scoreboard, w);
        warp_cursor_open(&c->warp[w].cursor, &cta->trace->warp[i], code);
    }
    if (c->load_store.victims) {
        core_policy_tell_victims(c, cycle);
        victim_watch_clear(c->load_store.victims, core_cta_warps(cta));
    }
    if (core_policy_listens(c, POLICY_CTA_STARTED)) {
        core_policy_tell(c, &(struct policy_event){.kind = POLICY_CTA_STARTED,
                                                   .cycle = cycle,
                                                   .cta = slot,
                                                   .warps = core_cta_warps(cta)});
    }
    for (unsigned i = 0; i < cta->warps; i++) {
        core_fetch(c, cta->first_warp + i, cycle);
    }
}

void core_drop(struct core *c, uint64_t cycle) {
    stall_barrier(c, cycle);
    stall_fence(c, cycle);
    c->at_barrier = c->at_fence = 0;
    c->cycle = cycle - 1; /* in which they end */
    for (uint64_t left = c->live & ~c->ended; left; left &= left - 1) {
        unsigned w = (unsigned)__builtin_ctzll(left);
        scoreboard_cancel(&c->scoreboard, w);
        core_forget(c, w, cycle);
    }
}

static uint64_t core_next_time(const struct core *c, const struct now *now) {
    uint64_t next_cycle =
        earlier_time(scoreboard_next(&c->scoreboard), load_store_next(&c->load_store, now->cycle));
    uint64_t next = next_cycle == NEVER ? NEVER : now_time_of(now, next_cycle);
    return earlier_time(next, core_memory_next(c));
}

/* When a policy may release a warp without an event. */
static uint64_t mask_change_time(const struct core *c, const struct now *now) {
    if (!c->policies.changes_by_itself) {
        return NEVER;
    }
    uint64_t cycle = core_policy_next_change(c);
    return cycle == UINT64_MAX ? NEVER : now_time_of(now, cycle);
}

static uint64_t issue_stage(struct core *c, const struct now *now) {
    bool issued = false, can;
    if (c->limited) {
        core_policy_refresh(c);
    }
    can = core_can_issue(c);
    if (can && core_issue(c, now)) {
        issued = true;
        if (c->limited) {
            core_policy_refresh(c);
        }
        can = core_takeable(c) && core_can_issue(c);
    }
    bool held = !can && c->limited && core_is_held(c);
    stall_account(c, now->cycle, issued,
                  can    ? STALL_PIPELINE
                  : held ? STALL_DESCHEDULED
                         : stall_class_full(&c->load_store));
    return can ? now->time + 1 : earlier_time(core_next_time(c, now), mask_change_time(c, now));
}

/* One of the l1.steps of a cycle. */
static inline void memory_step(struct core *c, const struct now *now, bool poll, bool accesses) {
    if (poll) {
        load_store_retry(&c->load_store);
    }
    core_take_data(c, now);
    if (accesses) {
        core_access_memory(c, now);
    }
    core_inject(c, now->time);
}

/* Apart from core_cycle(), which most machines leave after one step. */
static __attribute__((noinline)) void further_steps(struct core *c, const struct now *now,
                                                    bool poll) {
    for (unsigned step = 1; step < c->config->l1.steps; step++) {
        memory_step(c, now, poll, step < c->load_store.accesses);
    }
}

uint64_t core_cycle(struct core *c, const struct now *now, bool poll) {
    c->cycle = now->cycle;
    core_policy_tell_victims(c, now->cycle);
    scoreboard_advance(&c->scoreboard, now->cycle);
    memory_step(c, now, poll, true);
    if (c->config->l1.steps > 1) {
        further_steps(c, now, poll);
    }
    if (c->injected) {
        load_store_room(&c->load_store);
        c->injected = false;
    }
    if (core_takeable(c)) {
        return issue_stage(c, now);
    }
    if (!c->scoreboard.ready ||
        !stall_stays_full(&c->stall, stall_class_full(&c->load_store), now->cycle)) {
        stall_account_idle(c, now->cycle);
    }
    return core_next_time(c, now);
}

/* Counters derived from others. */
static void settle_stats(struct core_stats *s, const uint64_t *lanes_of) {
    s->data_replies = s->replies_received - s->ack_replies;
    s->arithmetic =
        s->warp_instructions - (s->loads + s->stores + s->atomics + s->barriers + s->fences);
    s->integer_lanes = s->float_lanes = 0;
    for (unsigned op = 0; op < OP_ARITHMETIC_COUNT; op++) {
        bool is_float = op >= OP_FP_ADD && op <= OP_SFU;
        *(is_float ? &s->float_lanes : &s->integer_lanes) += lanes_of[op];
    }
}

void core_settle(struct core *c, uint64_t cycle) {
    stall_settle(c, cycle);
    load_store_settle(&c->load_store, cycle);
    core_policy_settle(c, cycle);
    warp_types_settle(&c->warp_types);
    settle_stats(&c->stats, c->lanes_of);
}

bool core_idle(const struct core *c) {
    const struct load_store *u = &c->load_store;
    return !c->resident && load_store_idle(u) && l1_data_cache_idle(&u->cache) &&
           l1_data_cache_idle(&u->constant) && texture_cache_idle(&u->texture);
}

bool core_register_stats(const struct core *c, struct stats *s) {
#define CORE_STAT(member, unit, meaning, source) \
    { {"core." #member, unit, meaning, source, STAT_SUM}, offsetof(struct core_stats, member) }
#define LANES(i, range, text) \
    { \
        {"core.lanes_" range, "warp instructions", "issued with " text " active lanes", \
         "DAWS figure 9", STAT_SUM}, \
            offsetof(struct core_stats, lanes[i]) \
    }
    static const struct stat_member members[] = {
        CORE_STAT(warp_instructions, "warp instructions", "issued, each once", "model"),
        CORE_STAT(thread_instructions, "thread instructions",
                  "warp instructions issued, times their active lanes", "model"),
        LANES(0, "1_4", "4 or fewer"),
        LANES(1, "5_8", "5 to 8"),
        LANES(2, "9_12", "9 to 12"),
        LANES(3, "13_16", "13 to 16"),
        LANES(4, "17_20", "17 to 20"),
        LANES(5, "21_24", "21 to 24"),
        LANES(6, "25_28", "25 to 28"),
        LANES(7, "29_32", "29 to 32"),
        CORE_STAT(integer_lanes, "thread instructions", "integer arithmetic and branches", "model"),
        CORE_STAT(float_lanes, "thread instructions", "floating point and transcendental", "model"),
        CORE_STAT(arithmetic, "warp instructions", "arithmetic and branches", "model"),
        CORE_STAT(loads, "warp instructions", "loads of any space", "model"),
        CORE_STAT(stores, "warp instructions", "stores of any space", "model"),
        CORE_STAT(atomics, "warp instructions", "atomics of any space", "model"),
        CORE_STAT(barriers, "warp instructions", "barriers that a warp reached", "model"),
        CORE_STAT(fences, "warp instructions", "fences that a warp reached", "model"),
        CORE_STAT(ctas, "CTAs", "given to a core", "model"),
        {{"core.most_ctas", "CTAs", "most that a core had at once", "MDB 5.2", STAT_MAX},
         offsetof(struct core_stats, most_ctas)},
        {{"core.most_cta_warps", "warps", "of the largest CTA", "MDB 5.2", STAT_MAX},
         offsetof(struct core_stats, most_cta_warps)},
        CORE_STAT(most_issued, "warp instructions",
                  "of the warp of a CTA with the most, when its first warp has issued all",
                  "model"),
        CORE_STAT(fewest_issued, "warp instructions",
                  "of the warp of a CTA with the fewest, when its first warp has issued all",
                  "model"),
        CORE_STAT(scheduler_most_issued, "warp instructions",
                  "of the scheduler with the most for the CTA, when its first warp has issued all",
                  "model"),
        CORE_STAT(
            scheduler_fewest_issued, "warp instructions",
            "of the scheduler with the fewest for the CTA, when its first warp has issued all",
            "model"),
        CORE_STAT(issue_cycles, "core cycles",
                  "a core issued at least one warp instruction, all cores", "OWL 2.2"),
        CORE_STAT(requests_sent, "requests", "from the cores into the interconnect", "model"),
        CORE_STAT(replies_received, "replies", "from the interconnect to the cores", "model"),
        {{"noc.reply_data_packets", "packets",
          "replies that the cores took with data of reads and atomics: L2-to-L1 traffic",
          "MRPB 5.5", STAT_SUM},
         offsetof(struct core_stats, data_replies)},
        {{"noc.reply_ack_packets", "packets",
          "replies that the cores took without data: acknowledgements of writes", "MRPB 5.5",
          STAT_SUM},
         offsetof(struct core_stats, ack_replies)},
    };
#undef LANES
#undef CORE_STAT
    return stats_register_members(s, members, sizeof members / sizeof *members, &c->stats) &&
           stall_register_stats(&c->stall, s) && warp_types_register_stats(&c->warp_types, s) &&
           load_store_register_stats(&c->load_store, s) && core_policy_register_stats(c, s);
}
