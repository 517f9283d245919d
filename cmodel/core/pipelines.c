/* SPDX-License-Identifier: Apache-2.0 */
#include "core/pipelines.h"

void pipelines_init(struct pipelines *p, const struct config *config) {
    const unsigned pump = WARP_SIZE / config->core.simd_width;
#define TIMING(OP, key) [OP] = { config->alu.key, config->alu.key##_interval }
    const struct arithmetic_timing timing[OP_ARITHMETIC_COUNT] = {
        TIMING(OP_INT_ADD, int_add), TIMING(OP_INT_MAX, int_max), TIMING(OP_INT_MUL, int_mul),
        TIMING(OP_INT_MAD, int_mad), TIMING(OP_INT_DIV, int_div), TIMING(OP_FP_ADD, fp_add),
        TIMING(OP_FP_MAX, fp_max),   TIMING(OP_FP_MUL, fp_mul),   TIMING(OP_FP_MAD, fp_mad),
        TIMING(OP_FP_DIV, fp_div),   TIMING(OP_DP_ADD, dp_add),   TIMING(OP_DP_MAX, dp_max),
        TIMING(OP_DP_MUL, dp_mul),   TIMING(OP_DP_MAD, dp_mad),   TIMING(OP_DP_DIV, dp_div),
        TIMING(OP_SFU, sfu),         TIMING(OP_BRANCH, int_add),
    };
#undef TIMING
    for (unsigned op = 0; op < OP_ARITHMETIC_COUNT; op++) {
        p->timing[op].latency = timing[op].latency + config->core.operand_latency;
        p->timing[op].interval = timing[op].interval * pump;
    }
    p->own = config->alu.pipes == ALU_PIPES_SCHEDULER;
    p->sp_units = config->core.sp_units;
    p->sfu_units = config->core.sfu_units;
}

/* The ALU compares, so it has minimum and maximum too; the FMA pipeline has integer products. */
static enum pipe pipe_of(unsigned op) {
    switch (op) {
    case OP_INT_ADD:
    case OP_INT_MAX:
    case OP_FP_MAX: return PIPE_INT;
    case OP_INT_MUL:
    case OP_INT_MAD:
    case OP_FP_ADD:
    case OP_FP_MUL:
    case OP_FP_MAD: return PIPE_FMA;
    case OP_DP_ADD:
    case OP_DP_MAX:
    case OP_DP_MUL:
    case OP_DP_MAD: return PIPE_DOUBLE;
    case OP_INT_DIV:
    case OP_FP_DIV:
    case OP_DP_DIV:
    case OP_SFU: return PIPE_SFU;
    default: return PIPES;
    }
}

void pipelines_expect(struct pipelines *p, unsigned warp, unsigned op) {
    const uint64_t mine = UINT64_C(1) << warp;
    const enum pipe pipe = pipe_of(op);
    for (unsigned i = 0; i < PIPES; i++) {
        p->next[i] = i == pipe ? p->next[i] | mine : p->next[i] & ~mine;
    }
}

void pipelines_take_own(struct pipelines *p, unsigned s, unsigned op, uint64_t cycle) {
    if (pipe_of(op) < PIPES) {
        p->free_at[s][pipe_of(op)] = cycle + p->timing[op].interval;
    }
}
