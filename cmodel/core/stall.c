/* SPDX-License-Identifier: Apache-2.0 */
#include "core/stall.h"

#include "base/clock.h"
#include "core/core.h"

void stall_init(struct stall *s) {
    *s = (struct stall){.class = STALL_NO_WARP, .since = 1, .period = 1};
}

/* Counts the uncounted cycles before @cycle for the class. */
static void count_until(struct stall *s, uint64_t cycle) {
    if (cycle <= s->since) {
        return;
    }
    uint64_t cycles = cycle - s->since;
    if (s->class == STALL_MEMORY) {
        s->unresolved += cycles;
        s->stats.wait[STALL_UNRESOLVED] = s->unresolved;
    } else {
        s->stats.wait[s->class] += cycles;
    }
    s->since = cycle;
}

void stall_resolve_as(struct stall *s, enum stall_class class, uint64_t cycle) {
    if (s->class == STALL_MEMORY) {
        s->stats.wait[STALL_UNRESOLVED] = s->unresolved; /* core_settle() may have counted them */
        s->class = class;
        count_until(s, cycle);
        s->class = STALL_DIVIDED;
    }
}

/* The first core cycle at or after @time, clamped to the wait that is divided. */
static uint64_t cycle_of(const struct stall *s, uint64_t time, uint64_t from, uint64_t end) {
    uint64_t cycle = (time + s->period - 1) / s->period;
    return cycle < from ? from : earlier_time(cycle, end);
}

void stall_resolve(struct stall *s, const struct request *cause, uint64_t cycle) {
    static const uint8_t stage[REQUEST_STAMPS] = {
        [STAMP_PORT] = STALL_L2_QUEUE,   [STAMP_BANK] = STALL_L2_BANK,
        [STAMP_DRAM] = STALL_DRAM_QUEUE, [STAMP_SERVICE] = STALL_DRAM_SERVICE,
        [STAMP_DATA] = STALL_L2_BANK,    [STAMP_REPLY] = STALL_NOC_REPLY};
    if (s->class != STALL_MEMORY) {
        return;
    }
    if (cause) {
        uint64_t *wait = s->stats.wait, at = cycle_of(s, cause->born, s->since, cycle);
        unsigned in = STALL_NOC_REQUEST;
        wait[STALL_L1] += at - s->since;
        for (unsigned i = 0; i < REQUEST_STAMPS; i++) {
            if (cause->stamp[i]) {
                uint64_t until = cycle_of(s, cause->born + cause->stamp[i], at, cycle);
                wait[in] += until - at;
                at = until;
                in = stage[i];
            }
        }
        wait[in] += cycle - at;
        s->since = cycle;
    }
    stall_resolve_as(s, STALL_L1, cycle);
}

static __attribute__((noinline)) bool all_beyond_l1(struct core *c) {
    for (uint64_t unsure = c->live & c->stall.maybe_unsent; unsure; unsure &= unsure - 1) {
        unsigned w = (unsigned)__builtin_ctzll(unsure);
        if (!core_is_beyond_l1(c, w)) {
            return false;
        }
        c->stall.maybe_unsent &= ~(UINT64_C(1) << w);
    }
    return true;
}

/* OWL 3: every warp waits for accesses that left the L1. */
static inline bool memory_blocked(struct core *c) {
    uint64_t waiting = c->scoreboard.blocked | c->at_fence | c->ended;
    if (!c->live || c->live & ~waiting) {
        return false;
    }
    return !(c->live & c->stall.maybe_unsent) || all_beyond_l1(c);
}

/* No warp's registers are ready. */
static inline unsigned classify_waiting(const struct core *c) {
    const struct scoreboard *b = &c->scoreboard;
    if (b->occupied) {
        uint64_t known = c->live & ~(b->blocked | c->at_barrier | c->at_fence | c->ended);
        return known & ~c->stall.from_data ? STALL_RESULT : STALL_L1;
    }
    return b->blocked                    ? STALL_MEMORY
           : !c->live                    ? STALL_NO_WARP
           : c->at_barrier | c->at_fence ? STALL_SYNC
                                         : STALL_END;
}

static __attribute__((noinline)) void change_stall_class(struct core *c, uint64_t cycle,
                                                         bool issued, unsigned class) {
    struct stall *s = &c->stall;
    if (issued || class != s->class) {
        count_until(s, cycle);
        s->since = cycle + issued;
        s->class = class;
    }
    bool blocked = class >= STALL_SYNC && memory_blocked(c);
    if (issued || blocked != s->memory_blocked) {
        if (s->memory_blocked) {
            s->stats.memory_block_cycles += cycle - s->memory_since;
        }
        s->memory_since = cycle + issued;
        s->memory_blocked = blocked;
    }
}

void stall_account(struct core *c, uint64_t cycle, bool issued, unsigned ready_class) {
    change_stall_class(c, cycle, issued, c->scoreboard.ready ? ready_class : classify_waiting(c));
}

void stall_account_idle(struct core *c, uint64_t cycle) {
    unsigned class = c->scoreboard.ready ? stall_class_full(&c->load_store) : classify_waiting(c);
    /* In the classes before sync at least one warp does not wait for memory. */
    if (class != c->stall.class ||
        (class >= STALL_SYNC && memory_blocked(c) != c->stall.memory_blocked)) {
        change_stall_class(c, cycle, false, class);
    }
}

void stall_barrier(struct core *c, uint64_t cycle) {
    c->stall.stats.barrier_warp_cycles +=
        (unsigned)__builtin_popcountll(c->at_barrier) * (cycle - c->stall.barrier_since);
    c->stall.barrier_since = cycle;
}

void stall_fence(struct core *c, uint64_t cycle) {
    c->stall.stats.fence_warp_cycles +=
        (unsigned)__builtin_popcountll(c->at_fence) * (cycle - c->stall.fence_since);
    c->stall.fence_since = cycle;
}

void stall_load_done(struct stall *s, const struct load_flight *f, uint64_t ready_at) {
    if (f->shared) {
        return;
    }
    uint32_t latency = (uint32_t)ready_at - f->issued;
    s->stats.loads++;
    s->stats.load_latency += latency;
    s->stats.load_latency_max =
        latency > s->stats.load_latency_max ? latency : s->stats.load_latency_max;
    if (f->replies > 1 && f->hits == f->replies) {
        uint32_t spread = f->last - f->first, queued = f->most - f->least;
        s->stats.all_hit_loads++;
        s->stats.divergence += spread;
        s->stats.divergence_max =
            spread > s->stats.divergence_max ? spread : s->stats.divergence_max;
        s->queue_ticks += queued;
        s->queue_max = queued > s->queue_max ? queued : s->queue_max;
    }
}

void stall_settle(struct core *c, uint64_t cycle) {
    struct stall *s = &c->stall;
    if (s->class == STALL_MEMORY) {
        /* A later end of the wait divides it as if this call had not been. */
        s->stats.wait[STALL_UNRESOLVED] = s->unresolved + (cycle > s->since ? cycle - s->since : 0);
    } else {
        count_until(s, cycle);
    }
    if (s->memory_blocked && cycle > s->memory_since) {
        s->stats.memory_block_cycles += cycle - s->memory_since;
        s->memory_since = cycle;
    }
    if (cycle > s->barrier_since) {
        stall_barrier(c, cycle);
    }
    if (cycle > s->fence_since) {
        stall_fence(c, cycle);
    }
    s->stats.read_latency = s->latency_ticks / s->period;
    s->stats.read_latency_max = s->latency_max / s->period;
    s->stats.queue_divergence = s->queue_ticks / s->period;
    s->stats.queue_divergence_max = s->queue_max / s->period;
}

bool stall_register_stats(const struct stall *s, struct stats *stats) {
#define STAT(member, name, unit, meaning, source, how) \
    { {"core." name, unit, meaning, source, how}, offsetof(struct stall_stats, member) }
#define WAIT(class, name, meaning, source) \
    STAT(wait[class], name, "core cycles", "none issued: " meaning ", all cores", source, STAT_SUM)
    static const struct stat_member members[] = {
        WAIT(STALL_NO_WARP, "no_warp_cycles", "no warp was resident", "OWL 3"),
        WAIT(STALL_PIPELINE, "wait_pipeline", "a warp was ready, its pipeline or scheduler busy",
             "model"),
        WAIT(STALL_DESCHEDULED, "descheduled_cycles",
             "a warp could have issued, the issue policy held it", "DAWS figure 12"),
        WAIT(STALL_LOAD_STORE, "wait_load_store", "a warp was ready, the load/store unit full",
             "model"),
        WAIT(STALL_REFUSED, "wait_l1_refused",
             "a warp was ready, the load/store unit full, whose access the L1 refused", "MRPB 2.1"),
        WAIT(STALL_RESULT, "wait_result", "waiting for a result of arithmetic", "model"),
        WAIT(STALL_L1, "wait_l1",
             "waiting for a load that the L1 had not taken, or whose data were on the way to the "
             "register",
             "model"),
        WAIT(STALL_NOC_REQUEST, "wait_noc_request",
             "waiting for a load: from the L1 to the memory partition", "model"),
        WAIT(
            STALL_L2_QUEUE, "wait_l2_queue",
            "waiting for a load: from the partition's port to its L2 bank, l2.rop_latency included",
            "MeDiC 3.2"),
        WAIT(STALL_L2_BANK, "wait_l2_bank",
             "waiting for a load: in the L2 bank, dram.latency, the queues to the DRAM and of "
             "replies",
             "MeDiC 3.2"),
        WAIT(STALL_DRAM_QUEUE, "wait_dram_queue",
             "waiting for a load: in the DRAM controller's queue", "model"),
        WAIT(STALL_DRAM_SERVICE, "wait_dram_service",
             "waiting for a load: from its first DRAM command to its data in the L2", "model"),
        WAIT(STALL_NOC_REPLY, "wait_noc_reply", "waiting for a load: from the L2 to the core",
             "model"),
        WAIT(STALL_SYNC, "wait_sync", "all warps were at barriers and fences", "model"),
        WAIT(STALL_END, "wait_end", "all warps had ended, their accesses were not answered",
             "model"),
        WAIT(STALL_UNRESOLVED, "wait_unresolved",
             "waiting for a load when a new CTA or the end of the run came before its data",
             "model"),
        STAT(memory_block_cycles, "memory_block_cycles", "core cycles",
             "every warp of a core waited for accesses beyond the L1 (MemoryBlockCycles), all "
             "cores",
             "OWL 3", STAT_SUM),
        STAT(barrier_warp_cycles, "barrier_warp_cycles", "warp cycles",
             "a warp waited at a barrier", "model", STAT_SUM),
        STAT(fence_warp_cycles, "fence_warp_cycles", "warp cycles", "a warp waited at a fence",
             "model", STAT_SUM),
        STAT(read_replies, "read_replies", "replies", "of reads, from beyond the L1", "model",
             STAT_SUM),
        STAT(read_latency, "read_latency_cycles", "core cycles",
             "sum over core.read_replies, from leaving the L1 to the reply", "model", STAT_SUM),
        STAT(read_latency_max, "read_latency_max", "core cycles",
             "the longest from leaving the L1 to the reply of a read", "model", STAT_MAX),
        STAT(loads, "load_latency_loads", "warp instructions",
             "loads with a register, shared memory left out, that have their data", "model",
             STAT_SUM),
        STAT(load_latency, "load_latency_cycles", "core cycles",
             "sum over core.load_latency_loads, from issue to the last data in the register",
             "MeDiC 2.2", STAT_SUM),
        STAT(load_latency_max, "load_latency_max", "core cycles",
             "the longest from a load's issue to its last data in the register", "model", STAT_MAX),
        STAT(all_hit_loads, "all_hit_loads", "warp instructions",
             "loads of two or more requests beyond the L1 that all hit in the L2", "MeDiC 3.2",
             STAT_SUM),
        STAT(divergence, "divergence_cycles", "core cycles",
             "sum over core.all_hit_loads, from the first reply to the last (inter-bank divergence "
             "penalty)",
             "MeDiC figure 7b", STAT_SUM),
        STAT(divergence_max, "divergence_max", "core cycles",
             "the longest from the first reply to the last of a load that all hit in the L2",
             "MeDiC figure 7b", STAT_MAX),
        STAT(queue_divergence, "queue_divergence_cycles", "core cycles",
             "sum over core.all_hit_loads, from the shortest time of its requests between "
             "partition and L2 bank to the longest",
             "MeDiC figure 7a", STAT_SUM),
        STAT(queue_divergence_max, "queue_divergence_max", "core cycles",
             "the largest of these differences", "MeDiC figure 7a", STAT_MAX),
    };
#undef WAIT
#undef STAT
    return stats_register_members(stats, members, sizeof members / sizeof *members, &s->stats);
}
