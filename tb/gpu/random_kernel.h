/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels by chance, of every instruction and space, for a machine by chance. They know what the
 * machine must count.
 */
#ifndef WARPMEM_TB_RANDOM_KERNEL_H
#define WARPMEM_TB_RANDOM_KERNEL_H

#include "gpu/hand_program.h"
#include "gpu/random_machine.h"

enum { RANDOM_INSNS = 64, RANDOM_LINES = 40, RANDOM_LAUNCHES_MAX = 3 };

enum { I_BEGIN, I_ITERATION }; /* in every table; the others are random */

/* Counts that the machine must have in any configuration. */
struct random_counts {
    uint64_t warp_instructions, thread_instructions, shared, barriers, fences;
    uint64_t reads[SPACE_COUNT], writes[SPACE_COUNT], atomics;
};

struct random_kernel {
    const struct config *config;
    uint64_t seed;
    unsigned length;  /* instructions of a warp, at most */
    unsigned stretch; /* memory in use lies apart: 128 bytes every 128 << this */
    bool local;       /* warps have lines of their own, so that loops have locality */
    const struct insn *insns;
    struct random_counts counts;
};

static inline struct insn random_machine_insn(struct rng *rng) {
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
        i.op = OP_LOAD;
        i.space = kind < 4 ? SPACE_TEXTURE : kind < 8 ? SPACE_CONSTANT : i.space;
        i.uncached = i.space == SPACE_GLOBAL && kind < 12;
    } else if (kind < 56) {
        i.op = OP_STORE;
        i.dst = REG_NONE;
    } else if (kind < 60) {
        i.op = OP_ATOMIC;
        i.space = kind == 56 ? SPACE_SHARED : SPACE_GLOBAL;
        i.width = 4;
        i.dst = kind < 58 ? REG_NONE : i.dst;
    } else if (kind < 66) {
        i = (struct insn){.op = kind < 63 ? OP_BARRIER : OP_FENCE, .dst = REG_NONE, .src = NO_REGS};
    } else if (kind < 68) {
        i = (struct insn){
            .op = (uint8_t)(OP_LOOP_BEGIN + rng_below(rng, 3)), .dst = REG_NONE, .src = NO_REGS};
    } else {
        i.op = (uint8_t)rng_below(rng, OP_ARITHMETIC_COUNT);
        i.space = i.width = 0;
    }
    return i;
}

/* Pieces of memory of @bytes that the active lanes touch; addresses are aligned to the width. */
static inline unsigned pieces_touched(unsigned bytes, unsigned width, uint32_t active,
                                      const uint64_t *address) {
    uint64_t piece[5 * WARP_SIZE];
    unsigned count = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        for (unsigned at = 0; active >> lane & 1 && at < width; at += bytes) {
            unsigned i = 0;
            piece[count] = (address[lane] + at) / bytes;
            while (piece[i] != piece[count]) {
                i++;
            }
            count += i == count;
        }
    }
    return count;
}

/* Accesses of an atomic of words: each line as often as its most wanted word. */
static inline unsigned atomic_accesses(unsigned bytes, uint32_t active, const uint64_t *address) {
    unsigned accesses = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        unsigned most = 0;
        bool first = active >> lane & 1;
        for (unsigned other = 0; other < lane && first; other++) {
            first = !(active >> other & 1) || address[other] / bytes != address[lane] / bytes;
        }
        for (unsigned word = 0; first && word < bytes / 4; word++) {
            unsigned wanted = 0;
            for (unsigned other = 0; other < WARP_SIZE; other++) {
                wanted += active >> other & 1 &&
                          address[other] / 4 == address[lane] / bytes * (bytes / 4) + word;
            }
            most = wanted > most ? wanted : most;
        }
        accesses += most;
    }
    return accesses;
}

/* Lanes of half a warp share an atomic on a sector. */
static inline bool shares_sectors(const struct random_kernel *k, const struct insn *i) {
    return i->op == OP_ATOMIC && k->config->l1.coalesce_parts == 1 &&
           k->config->l1.atomics == L1_ATOMICS_SECTORS;
}

static inline void count_part(struct random_kernel *k, const struct insn *i, uint32_t active,
                              const uint64_t *address) {
    const unsigned parts = k->config->l1.coalesce_parts, line = k->config->l1.line_bytes;
    const unsigned segment = parts > 1 && 32u * i->width < line ? 32u * i->width : line;
    const unsigned bytes[SPACE_COUNT] = {segment, segment, 4, k->config->texture.line_bytes, 4};
    if (i->space == SPACE_SHARED) {
        k->counts.shared++;
    } else if (i->op == OP_ATOMIC) {
        k->counts.atomics += shares_sectors(k, i)
                                 ? pieces_touched(32, i->width, active, address)
                                 : atomic_accesses(bytes[i->space], active, address);
    } else {
        *(i->op == OP_LOAD ? &k->counts.reads[i->space] : &k->counts.writes[i->space]) +=
            pieces_touched(bytes[i->space], i->width, active, address);
    }
}

static inline void count_accesses(struct random_kernel *k, const struct insn *i, uint32_t active,
                                  const uint64_t *address) {
    if (i->space > SPACE_LOCAL || (k->config->l1.coalesce_parts == 1 && !shares_sectors(k, i))) {
        count_part(k, i, active, address);
        return;
    }
    for (unsigned half = 0; half < 2; half++) {
        count_part(k, i, active & 0xffffu << 16 * half, address);
    }
}

/* Addresses of warp @number of its launch. */
static inline void random_machine_addresses(struct rng *rng, const struct insn *i,
                                            const struct random_kernel *k, unsigned number,
                                            uint64_t *address) {
    const bool own = k->local && i->space != SPACE_SHARED;
    unsigned kind = rng_below(rng, 3), /* some lines are used again and again */
        lines = own || rng_chance(rng, 1, 3) ? 2 : RANDOM_LINES,
             range = i->space == SPACE_SHARED ? RANDOM_SHARED_BYTES : lines * 128;
    uint64_t base = i->space == SPACE_SHARED ? 0 : 0x80000000, first = rng_below(rng, range);
    uint64_t before = own ? number % RANDOM_LINES * lines : 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        uint64_t at = kind == 0   ? first + lane * i->width
                      : kind == 1 ? first + lane * 128
                                  : rng_below(rng, range);
        at = at % range / i->width * i->width;
        address[lane] =
            base +
            (i->space == SPACE_SHARED ? at : ((before + at / 128) << k->stretch) * 128 + at % 128);
    }
}

/* One lane or more; few, half and nearly all of them. */
static inline uint32_t random_lanes(struct rng *rng) {
    uint32_t lanes = ALL_LANES;
    for (unsigned draws = one_of(rng, 1, 5); draws; draws--) {
        lanes &= (uint32_t)rng_next(rng);
    }
    return (rng_chance(rng, 1, 3) ? ~lanes : lanes) | 1u << rng_below(rng, 32);
}

WARP_WRITER(write_random_warp) {
    struct random_kernel *k = user;
    struct rng rng;
    rng_seed(&rng, k->seed + launch * UINT64_C(1000003) + cta * UINT64_C(1009) + warp);
    for (unsigned left = rng_below(&rng, k->length + 1); left; left--) { /* sometimes none at all */
        unsigned index = rng_below(&rng, rng_chance(&rng, 1, 12) ? 2 : RANDOM_INSNS);
        const struct insn *i = &k->insns[index];
        uint32_t active = rng_chance(&rng, 1, 2) ? ALL_LANES : random_lanes(&rng);
        if (insn_is_memory(i)) {
            uint64_t address[WARP_SIZE];
            random_machine_addresses(&rng, i, k, 12 * cta + warp, address);
            assert_true(warp_stream_put_memory(s, index, active, address));
            count_accesses(k, i, active, address);
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

/* A CTA must fit on a core. */
static inline unsigned random_warps_max(const struct config *c) {
    unsigned threads = c->core.threads / 32, registers = c->core.registers / (16 * 32);
    unsigned warps = c->core.warps < threads ? c->core.warps : threads;
    unsigned cta_warps = c->core.cta_threads / 32;
    warps = warps < cta_warps ? warps : cta_warps;
    warps = registers < warps ? registers : warps;
    return warps < 12 ? warps : 12;
}

static inline unsigned random_shared_bytes(const struct config *c) {
    return c->core.shared_bytes < RANDOM_SHARED_BYTES ? 0 : RANDOM_SHARED_BYTES;
}

/** random_program() - one to three launches for a machine; k, p and c must not move while it
 * runs. */
static inline void random_program(struct hand_program *p, struct random_kernel *k,
                                  const struct config *c, uint64_t seed) {
    struct insn table[RANDOM_INSNS];
    struct rng rng;
    rng_seed(&rng, seed);
    for (unsigned i = 0; i < RANDOM_INSNS; i++) {
        table[i] = random_machine_insn(&rng);
        if (table[i].space == SPACE_SHARED && !random_shared_bytes(c)) {
            table[i].space = SPACE_GLOBAL;
        }
    }
    table[I_BEGIN] = (struct insn){.op = OP_LOOP_BEGIN, .dst = REG_NONE, .src = NO_REGS};
    table[I_ITERATION] = (struct insn){.op = OP_LOOP_ITERATION, .dst = REG_NONE, .src = NO_REGS};
    unsigned warps = 1 + rng_below(&rng, random_warps_max(c));
    hand_open(p, table, RANDOM_INSNS, one_of(&rng, 1, 12), 32 * warps - rng_below(&rng, 32));
    for (unsigned more = rng_below(&rng, RANDOM_LAUNCHES_MAX); more; more--) {
        hand_launch(p, one_of(&rng, 1, 12), 32 * warps - rng_below(&rng, 32));
    }
    p->code.shared_bytes = random_shared_bytes(c);
    *k = (struct random_kernel){.config = c,
                                .seed = seed,
                                .length = one_of(&rng, 5, 60),
                                .stretch = rng_chance(&rng, 1, 2) ? 0 : one_of(&rng, 1, 20),
                                .local = (c->daws.mode || c->ccws.mode) && rng_chance(&rng, 3, 4),
                                .insns = p->insns};
    p->warp = write_random_warp;
    p->user = k;
}

#endif
