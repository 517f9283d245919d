/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_CORE_PIPELINES_H
#define WARPMEM_CORE_PIPELINES_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "issue/policy.h"
#include "kernel/insn.h"

#define PIPELINES_UNITS_MAX 8

/* Pipelines of one scheduler, with alu.pipes = scheduler. Nsight Compute's names: ALU, FMA, FP64,
 * XU. A branch has a unit of its own, so it needs none of them. */
enum pipe { PIPE_INT, PIPE_FMA, PIPE_DOUBLE, PIPE_SFU, PIPES };

struct arithmetic_timing {
    uint32_t latency;  /* core cycles from issue to the result, operand collection included */
    uint32_t interval; /* core cycles to the next instruction of the pipeline */
};

/**
 * struct pipelines - a core's arithmetic: how long each kind of instruction takes, and when each
 * pipeline takes the next one.
 *
 * All schedulers share core.sp_units pipelines and core.sfu_units more for division and
 * transcendental functions; or (alu.pipes = scheduler) each has one of every enum pipe.
 */
struct pipelines {
    struct arithmetic_timing timing[OP_ARITHMETIC_COUNT];
    bool own;
    unsigned sp_units, sfu_units;
    /* First cycle in which a pipeline takes another instruction. */
    uint64_t sp_free[PIPELINES_UNITS_MAX], sfu_free[PIPELINES_UNITS_MAX];
    uint64_t free_at[POLICY_SCHEDULERS_MAX][PIPES];
    uint64_t next[PIPES]; /* own: warps whose next instruction needs it, one bit each */
};

/** pipelines_init() - @p: zeroed. */
void pipelines_init(struct pipelines *p, const struct config *config);

/** pipelines_use_sfu() - does an instruction go to the pipelines of division? */
static inline bool pipelines_use_sfu(unsigned op) {
    return op == OP_SFU || op == OP_INT_DIV || op == OP_FP_DIV || op == OP_DP_DIV;
}

/** pipelines_expect() - own: the next instruction of warp slot @warp is of kind @op. */
void pipelines_expect(struct pipelines *p, unsigned warp, unsigned op);

static inline bool pipelines_any_free(const uint64_t *free_at, unsigned units, uint64_t cycle) {
    for (unsigned i = 0; i < units; i++) {
        if (free_at[i] <= cycle) {
            return true;
        }
    }
    return false;
}

/** pipelines_busy() - own: the warps that a busy pipeline of scheduler @s holds in @cycle. */
static inline uint64_t pipelines_busy(const struct pipelines *p, unsigned s, uint64_t cycle) {
    uint64_t held = 0;
    for (unsigned i = 0; i < PIPES; i++) {
        held |= p->free_at[s][i] > cycle ? p->next[i] : 0;
    }
    return held;
}

void pipelines_take_own(struct pipelines *p, unsigned s, unsigned op, uint64_t cycle);

/** pipelines_take() - scheduler @s issues an instruction of kind @op in @cycle; its pipeline is
 * free. Return: the cycle of its result. */
static inline uint64_t pipelines_take(struct pipelines *p, unsigned s, unsigned op,
                                      uint64_t cycle) {
    const struct arithmetic_timing *t = &p->timing[op];
    if (__builtin_expect(p->own, false)) {
        pipelines_take_own(p, s, op, cycle);
    } else {
        uint64_t *free_at = pipelines_use_sfu(op) ? p->sfu_free : p->sp_free;
        while (*free_at > cycle) {
            free_at++;
        }
        *free_at = cycle + t->interval;
    }
    return cycle + t->latency;
}

#endif
