/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/core_issue.h"

#include <assert.h>

#include "base/events.h"

static bool is_sfu(unsigned op) {
    return op == OP_SFU || op == OP_INT_DIV || op == OP_FP_DIV || op == OP_DP_DIV;
}

struct arithmetic_timing {
    unsigned latency, interval;
};

static struct arithmetic_timing arithmetic_timing(const struct config *c, unsigned op) {
#define TIMING(OP, key) \
    case OP: return (struct arithmetic_timing) { c->alu.key, c->alu.key##_interval \
        }
    switch (op) {
        TIMING(OP_INT_MAX, int_max);
        TIMING(OP_INT_MUL, int_mul);
        TIMING(OP_INT_MAD, int_mad);
        TIMING(OP_INT_DIV, int_div);
        TIMING(OP_FP_ADD, fp_add);
        TIMING(OP_FP_MAX, fp_max);
        TIMING(OP_FP_MUL, fp_mul);
        TIMING(OP_FP_MAD, fp_mad);
        TIMING(OP_FP_DIV, fp_div);
        TIMING(OP_DP_ADD, dp_add);
        TIMING(OP_DP_MAX, dp_max);
        TIMING(OP_DP_MUL, dp_mul);
        TIMING(OP_DP_MAD, dp_mad);
        TIMING(OP_DP_DIV, dp_div);
        TIMING(OP_SFU, sfu);
    default: return (struct arithmetic_timing){c->alu.int_add, c->alu.int_add_interval};
    }
#undef TIMING
}

static uint64_t bit(unsigned i) {
    return UINT64_C(1) << i;
}

/* The warps of a CTA go on after its barrier, when all that have not exited have arrived: they can
 * issue from @cycle on. */
static void barrier_release(struct core *c, struct core_cta *cta, uint64_t cycle) {
    if (!cta->arrived || cta->arrived < cta->live) {
        return;
    }
    cta->arrived = 0;
    for (unsigned i = 0; i < cta->warps; i++) {
        unsigned w = cta->first_warp + i;
        if (c->warp[w].at_barrier) {
            c->warp[w].at_barrier = false;
            core_fetch(c, w, cycle);
        }
    }
}

/* A warp exits when its last instruction has issued and its accesses are answered; who waited for
 * it at a barrier can issue from @cycle on. */
static void exit_warp(struct core *c, unsigned w, uint64_t cycle) {
    struct core_warp *warp = &c->warp[w];
    struct core_cta *cta = &c->cta[warp->cta];
    warp->live = false;
    if (--cta->live == 0) {
        cta->used = false;
        c->resident--;
        c->cta_done = true;
    } else {
        barrier_release(c, cta, cycle);
    }
}

static void need(struct scoreboard_needs *needs, uint8_t reg) {
    if (reg < REG_COUNT) {
        needs->reg[needs->count++] = reg;
    }
}

static struct scoreboard_needs registers_of(const struct insn *insn) {
    struct scoreboard_needs needs = {0};
    for (unsigned i = 0; i < INSN_SOURCES_MAX; i++) {
        need(&needs, insn->src[i]);
    }
    need(&needs, insn->dst);
    return needs;
}

void core_fetch(struct core *c, unsigned w, uint64_t cycle) {
    struct core_warp *warp = &c->warp[w];
    uint64_t mine = bit(w);
    c->memory_next &= ~mine;
    c->sfu_next &= ~mine;
    c->sync_next &= ~mine;
    do {
        if (!warp_cursor_next(&warp->cursor, &warp->op)) {
            warp->ended = true;
            scoreboard_forget(&c->scoreboard, w);
            if (!warp->outstanding) {
                exit_warp(c, w, cycle);
            }
            return;
        }
    } while (insn_is_marker(warp->op.insn));
    unsigned op = warp->op.insn->op;
    if (insn_is_memory(warp->op.insn)) {
        c->memory_next |= mine;
    } else if (op == OP_BARRIER || op == OP_FENCE) {
        c->sync_next |= mine;
    } else if (is_sfu(op)) {
        c->sfu_next |= mine;
    }
    struct scoreboard_needs needs = registers_of(warp->op.insn);
    scoreboard_expect(&c->scoreboard, w, &needs, cycle);
}

void core_answered(struct core *c, unsigned w, uint64_t cycle) {
    struct core_warp *warp = &c->warp[w];
    assert(warp->outstanding);
    if (--warp->outstanding) {
        return;
    }
    if (warp->ended) {
        exit_warp(c, w, cycle + 1);
    } else if (warp->at_fence) {
        warp->at_fence = false;
        core_fetch(c, w, cycle + 1);
    }
}

/* A warp arrives at a barrier or fence only when the cache has seen all its accesses: the MRPB must
 * not carry one across (MRPB 3.1). Without MRPB the unit keeps their order by itself. */
static bool sync_held(const struct core *c, unsigned w) {
    return c->load_store.has_mrpb && c->load_store.unseen[w];
}

static bool pipeline_free(const uint64_t *free_at, unsigned units, uint64_t cycle) {
    for (unsigned i = 0; i < units; i++) {
        if (free_at[i] <= cycle) {
            return true;
        }
    }
    return false;
}

/* Warps that are ready and whose kind of instruction can be taken. Whether a pipeline is free is
 * not looked at. */
static uint64_t issuable(const struct core *c) {
    uint64_t warps = c->scoreboard.ready;
    if (!load_store_can_take(&c->load_store)) {
        warps &= ~c->memory_next;
    }
    for (uint64_t sync = warps & c->sync_next; sync; sync &= sync - 1) {
        unsigned w = (unsigned)__builtin_ctzll(sync);
        if (sync_held(c, w)) {
            warps &= ~bit(w);
        }
    }
    return warps;
}

bool core_can_issue(const struct core *c) {
    return issuable(c) != 0;
}

static void take_pipeline(uint64_t *free_at, uint64_t cycle, unsigned interval) {
    unsigned i = 0;
    while (free_at[i] > cycle) {
        i++;
    }
    free_at[i] = cycle + interval;
}

static void issue_arithmetic(struct core *c, unsigned w, const struct insn *insn, uint64_t cycle) {
    struct arithmetic_timing t = arithmetic_timing(c->config, insn->op);
    take_pipeline(is_sfu(insn->op) ? c->sfu_free : c->sp_free, cycle, t.interval);
    if (insn->dst < REG_COUNT) {
        scoreboard_write(&c->scoreboard, w, insn->dst,
                         cycle + c->config->core.operand_latency + t.latency);
    }
    c->stats.arithmetic++;
}

static void issue_memory(struct core *c, unsigned w, const struct warp_op *op, uint64_t cycle) {
    unsigned accesses =
        load_store_push(&c->load_store, w, op, cycle + c->config->core.operand_latency);
    c->warp[w].outstanding += accesses;
    if (op->insn->op == OP_STORE) {
        c->stats.stores++;
        return;
    }
    c->stats.loads++;
    if (op->insn->dst < REG_COUNT) {
        scoreboard_load(&c->scoreboard, w, op->insn->dst);
        c->remaining[w][op->insn->dst] = (uint8_t)accesses;
    }
}

static void issue_one(struct core *c, unsigned w, uint64_t cycle, uint64_t now) {
    struct core_warp *warp = &c->warp[w];
    const struct insn *insn = warp->op.insn;
    c->stats.warp_instructions++;
    c->stats.thread_instructions += (unsigned)__builtin_popcount(warp->op.active);
    EVENT(c->events, now, "sm%u issue warp %u pc %" PRIu32 "\n", c->id, w, insn->pc);
    scoreboard_forget(&c->scoreboard, w);
    switch (insn->op) {
    case OP_LOAD:
    case OP_STORE: issue_memory(c, w, &warp->op, cycle); break;
    case OP_BARRIER:
        c->stats.barriers++;
        warp->at_barrier = true;
        c->cta[warp->cta].arrived++;
        barrier_release(c, &c->cta[warp->cta], cycle + 1);
        return;
    case OP_FENCE:
        c->stats.fences++;
        if (warp->outstanding) {
            warp->at_fence = true;
            return;
        }
        break;
    default: issue_arithmetic(c, w, insn, cycle); break;
    }
    core_fetch(c, w, cycle + 1);
}

void core_issue(struct core *c, uint64_t cycle, uint64_t now) {
    uint64_t issued = 0, memory_port = ~UINT64_C(0);
    for (unsigned s = 0; s < c->config->core.schedulers; s++) {
        struct warp_scheduler *scheduler = &c->scheduler[s];
        /* Asked again for each scheduler: the one before may have taken the load/store unit or a
         * pipeline. */
        uint64_t candidates = issuable(c) & scheduler->mine & memory_port;
        if (!candidates) {
            continue;
        }
        if (!pipeline_free(c->sp_free, c->config->core.sp_units, cycle)) {
            candidates &= c->memory_next | c->sync_next | c->sfu_next;
        }
        if (!pipeline_free(c->sfu_free, c->config->core.sfu_units, cycle)) {
            candidates &= ~c->sfu_next;
        }
        if (!candidates) {
            continue;
        }
        int w = c->config->issue.scheduler == SCHEDULER_GTO
                    ? scheduler_gto(scheduler, candidates, c->age)
                    : scheduler_lrr(scheduler, candidates);
        scheduler->last = w;
        if (c->memory_next >> w & 1) {
            memory_port = ~c->memory_next; /* one load/store unit takes one instruction a cycle */
        }
        issue_one(c, (unsigned)w, cycle, now);
        issued++;
    }
    if (issued) {
        c->stats.issue_cycles++;
        c->progressed = true;
    }
}
