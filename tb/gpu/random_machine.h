/* SPDX-License-Identifier: Apache-2.0
 *
 * Small machines and kernels by chance: everything full most of the time, few lines, odd numbers.
 * All of them legal.
 */
#ifndef WARPMEM_TB_RANDOM_MACHINE_H
#define WARPMEM_TB_RANDOM_MACHINE_H

#include "config/packets.h"
#include "config/preset.h"
#include "contract/rng.h"
#include "gpu/hand_program.h"

static inline unsigned one_of(struct rng *rng, unsigned least, unsigned most) {
    return least + rng_below(rng, most - least + 1);
}

static inline struct config random_machine(struct rng *rng) {
    static const unsigned khz[] = {575000, 1150000, 750000, 700000, 1000000,
                                   325000, 333000,  924000, 1400000};
    struct config c = preset();
    c.clock.core = khz[rng_below(rng, 9)];
    c.clock.noc = khz[rng_below(rng, 9)];
    c.clock.l2 = khz[rng_below(rng, 9)];
    c.clock.dram = khz[rng_below(rng, 9)];
    c.core.count = rng_chance(rng, 1, 3) ? 1 : one_of(rng, 2, 5);
    c.core.warps = one_of(rng, 8, 48);
    c.core.threads = 32 * c.core.warps;
    c.core.ctas = one_of(rng, 1, 8);
    c.core.schedulers = one_of(rng, 1, 4);
    c.core.operand_latency = one_of(rng, 1, 6);
    c.core.sp_units = one_of(rng, 1, 3);
    c.core.shared_latency = one_of(rng, 1, 30);
    c.core.simd_width = rng_chance(rng, 1, 2) ? 32 : 1u << rng_below(rng, 6);
    c.issue.scheduler = rng_below(rng, 4);
    c.issue.group_warps = one_of(rng, 1, 8);
    c.issue.warp_limit = rng_chance(rng, 1, 2) ? 0 : one_of(rng, 1, 8);
    c.issue.inflight_per_warp = rng_chance(rng, 1, 3);
    c.l1.sets = 1u << rng_below(rng, 4);
    c.l1.ways = one_of(rng, 1, 4);
    c.l1.index = rng_chance(rng, 1, 2) ? INDEX_XOR : INDEX_MODULO;
    c.l1.hit_latency = one_of(rng, 1, 30);
    c.l1.fill_latency = one_of(rng, 1, 5);
    c.l1.mshrs = rng_chance(rng, 1, 3) ? 1 : one_of(rng, 2, 16);
    c.l1.mshr_merge = one_of(rng, 1, 4);
    c.l1.miss_queue = one_of(rng, 1, 4);
    c.l1.local_write = c.l1.miss_queue < 2 ? L1_WRITE_EVICT : L1_WRITE_BACK;
    c.l1.at_launch = rng_below(rng, 2);
    c.l1.bypass_reply = rng_below(rng, 2);
    c.l1.mrpb = rng_below(rng, 2);
    c.mrpb.depth = one_of(rng, 2, 8);
    c.mrpb.latency = one_of(rng, 3, 18);
    c.mrpb.bypass = rng_below(rng, 2);
    c.noc.flit_bytes = one_of(rng, 8, 48);
    c.noc.hop_latency = one_of(rng, 1, 6);
    unsigned largest = packet_flits(&c, LINE_BYTES);
    c.noc.input_flits = largest + (rng_chance(rng, 1, 2) ? 0 : rng_below(rng, 10));
    c.noc.output_flits = largest + (rng_chance(rng, 1, 2) ? 0 : rng_below(rng, 10));
    c.l2.partitions = rng_chance(rng, 1, 3) ? 1 : one_of(rng, 2, 6);
    c.l2.sets = 1u << rng_below(rng, 4);
    c.l2.ways = one_of(rng, 1, 4);
    c.l2.rop_latency = one_of(rng, 1, 40);
    c.l2.queue = one_of(rng, 1, 4);
    c.l2.hit_latency = one_of(rng, 1, 10);
    c.l2.fill_latency = one_of(rng, 1, 3);
    c.l2.mshrs = rng_chance(rng, 1, 3) ? 1 : one_of(rng, 2, 16);
    c.l2.mshr_merge = one_of(rng, 1, 4);
    c.l2.miss_queue = one_of(rng, 2, 5);
    c.l2.write_miss = rng_below(rng, 2);
    c.l2.reply_queue = one_of(rng, 1, 4);
    c.dram.latency = one_of(rng, 1, 60);
    c.dram.queue = one_of(rng, 1, 16);
    c.dram.return_queue = rng_chance(rng, 1, 3) ? 1 : one_of(rng, 2, 20);
    c.dram.channel_bytes = 128 * one_of(rng, 1, 5);
    c.dram.banks = 1u << rng_below(rng, 5);
    c.dram.bank_groups = c.dram.banks > 4 ? 4 : 1;
    c.dram.row_bytes = 128u << rng_below(rng, 4);
    c.dram.rcd = one_of(rng, 1, 20);
    c.dram.cl = one_of(rng, 1, 20);
    assert_legal(&c);
    return c;
}

/* --- a kernel --- */

enum { RANDOM_INSNS = 64, RANDOM_SHARED_BYTES = 1024, RANDOM_LINES = 40 };

/* What the machine must count, whatever its configuration. */
struct random_counts {
    uint64_t warp_instructions, thread_instructions, reads, writes, shared, barriers, fences;
};

struct random_kernel {
    uint64_t seed;
    unsigned length; /* instructions of a warp, at most */
    const struct insn *insns;
    struct random_counts counts;
};

static inline struct insn random_insn(struct rng *rng) {
    struct insn i = {.dst = (uint8_t)rng_below(rng, REG_COUNT),
                     .width = (uint8_t)(1u << rng_below(rng, 5))};
    unsigned kind = rng_below(rng, 100);
    for (unsigned s = 0; s < 3; s++) {
        i.src[s] = rng_chance(rng, 1, 2) ? REG_NONE : (uint8_t)rng_below(rng, REG_COUNT);
    }
    i.space = rng_chance(rng, 1, 6)   ? SPACE_SHARED
              : rng_chance(rng, 1, 6) ? SPACE_LOCAL
                                      : SPACE_GLOBAL;
    if (kind < 40) {
        i.op = kind < 36 || i.space == SPACE_SHARED ? OP_LOAD : OP_ATOMIC;
        i.dst = kind < 38 ? i.dst : REG_NONE;
    } else if (kind < 60) {
        i.op = OP_STORE;
        i.dst = REG_NONE;
    } else if (kind < 66) {
        i = (struct insn){.op = kind < 63 ? OP_BARRIER : OP_FENCE, .dst = REG_NONE, .src = NO_REGS};
    } else if (kind < 68) {
        i = (struct insn){.op = OP_LOOP_ITERATION, .dst = REG_NONE, .src = NO_REGS};
    } else {
        i.op = (uint8_t)rng_below(rng, OP_ARITHMETIC_COUNT);
    }
    return i;
}

/* Lines of 128 bytes that the active lanes touch; addresses are aligned to the width. */
static inline unsigned lines_touched(uint32_t active, const uint64_t *address) {
    unsigned count = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        bool first = active >> lane & 1;
        for (unsigned other = 0; other < lane && first; other++) {
            first = !(active >> other & 1) || address[other] / 128 != address[lane] / 128;
        }
        count += first;
    }
    return count;
}

static inline void random_addresses(struct rng *rng, const struct insn *i, uint64_t *address) {
    unsigned kind = rng_below(rng, 3),
             range = i->space == SPACE_SHARED ? RANDOM_SHARED_BYTES : RANDOM_LINES * 128;
    uint64_t base = i->space == SPACE_SHARED ? 0 : 0x80000000, first = rng_below(rng, range);
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        uint64_t at = kind == 0   ? first + lane * i->width
                      : kind == 1 ? first + lane * 128
                                  : rng_below(rng, range);
        address[lane] = base + at % range / i->width * i->width;
    }
}

static inline void random_warp(void *user, unsigned launch, unsigned cta, unsigned warp,
                               struct warp_stream *s) {
    struct random_kernel *k = user;
    struct rng rng;
    rng_seed(&rng, k->seed + launch * UINT64_C(1000003) + cta * UINT64_C(1009) + warp);
    for (unsigned left = rng_below(&rng, k->length + 1); left; left--) { /* sometimes none at all */
        unsigned index = rng_below(&rng, RANDOM_INSNS);
        const struct insn *i = &k->insns[index];
        uint32_t active = rng_chance(&rng, 1, 2)
                              ? ALL_LANES
                              : (uint32_t)rng_next(&rng) | 1u << rng_below(&rng, 32);
        if (insn_is_memory(i)) {
            uint64_t address[WARP_SIZE];
            random_addresses(&rng, i, address);
            assert_true(warp_stream_put_memory(s, index, active, address));
            unsigned lines = lines_touched(active, address);
            k->counts.shared += i->space == SPACE_SHARED;
            *(i->op != OP_STORE ? &k->counts.reads : &k->counts.writes) +=
                i->space == SPACE_SHARED ? 0 : lines;
        } else {
            assert_true(warp_stream_put(s, index, active));
        }
        if (!insn_is_marker(i)) {
            k->counts.warp_instructions++;
            k->counts.thread_instructions += (unsigned)__builtin_popcount(active);
            k->counts.barriers += i->op == OP_BARRIER;
            k->counts.fences += i->op == OP_FENCE;
        }
    }
}

/** random_program() - one to three launches for a machine; k and p must not move while it runs. */
static inline void random_program(struct hand_program *p, struct random_kernel *k,
                                  const struct config *c, uint64_t seed) {
    struct insn table[RANDOM_INSNS];
    struct rng rng;
    rng_seed(&rng, seed);
    for (unsigned i = 0; i < RANDOM_INSNS; i++) {
        table[i] = random_insn(&rng);
    }
    unsigned warps = 1 + rng_below(&rng, c->core.warps < 12 ? c->core.warps : 12);
    hand_open(p, table, RANDOM_INSNS, one_of(&rng, 1, 12), 32 * warps - rng_below(&rng, 32));
    for (unsigned more = rng_below(&rng, 3); more; more--) {
        hand_launch(p, one_of(&rng, 1, 12), 32 * warps - rng_below(&rng, 32));
    }
    p->code.shared_bytes = RANDOM_SHARED_BYTES;
    *k = (struct random_kernel){.seed = seed, .length = one_of(&rng, 5, 60), .insns = p->insns};
    p->warp = random_warp;
    p->user = k;
}

#endif
