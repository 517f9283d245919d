/* SPDX-License-Identifier: Apache-2.0
 *
 * Register scoreboard of a core: which warps' next instructions have their registers, and from
 * which cycle on.
 *
 * A register is pending while a load to it is outstanding; otherwise its value can be read from a
 * known cycle on. Warps whose next instruction needs a pending register are blocked until
 * scoreboard_release() of that register; the others wait in a ring of warp masks for the cycle in
 * which the last of their registers is ready.
 */
#ifndef WARPMEM_ISSUE_SCOREBOARD_H
#define WARPMEM_ISSUE_SCOREBOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/request.h"
#include "kernel/insn.h"

#define SCOREBOARD_WARPS_MAX 64
#define SCOREBOARD_RING 64

#define SCOREBOARD_WORDS ((REG_COUNT + 63) / 64)
#define SCOREBOARD_NEEDS_MAX (INSN_SOURCES_MAX + 2)

/* Registers of an instruction, written ones included. */
struct scoreboard_needs {
    _Alignas(8) uint8_t count;         /* copied as one word */
    uint8_t reg[SCOREBOARD_NEEDS_MAX]; /* 0 .. REG_COUNT-1 */
};

struct scoreboard_warp {
    uint64_t pending[SCOREBOARD_WORDS]; /* registers with an outstanding load */
    uint64_t earliest; /* core cycle before which the next instruction cannot issue */
    struct scoreboard_needs needed;
    unsigned registers;           /* registers from here on have not been written */
    uint64_t ready_at[REG_COUNT]; /* core cycle from which the register can be used */
};

struct scoreboard {
    uint64_t ready;                 /* warps whose next instruction has its registers now */
    uint64_t blocked;               /* warps whose next instruction waits for a load */
    uint64_t cycle;                 /* cycle up to which the ring has been read */
    uint64_t ring[SCOREBOARD_RING]; /* warps that become ready in that cycle */
    uint64_t occupied;              /* slots of the ring with a warp */
    uint64_t due;                   /* cycle of the first of them; NEVER: none */
    uint64_t far;                   /* warps in the ring that become ready beyond its reach */
    struct scoreboard_warp warp[SCOREBOARD_WARPS_MAX];
};

void scoreboard_init(struct scoreboard *s);
/** scoreboard_reset_warp() - a new warp takes the slot: all registers ready. */
void scoreboard_reset_warp(struct scoreboard *s, unsigned warp);
/** scoreboard_expect() - the warp's next instruction uses these registers and issues in @cycle at
 * the earliest. */
void scoreboard_expect(struct scoreboard *s, unsigned warp, const struct scoreboard_needs *needs,
                       uint64_t cycle);
/** scoreboard_write() - an issued instruction writes the register; it can be read from @ready_at
 * on. */
static inline void scoreboard_write(struct scoreboard *s, unsigned warp, unsigned reg,
                                    uint64_t ready_at) {
    struct scoreboard_warp *w = &s->warp[warp];
    w->ready_at[reg] = ready_at;
    w->registers = reg < w->registers ? w->registers : reg + 1;
}
/** scoreboard_load() - an issued load will write the register. */
static inline void scoreboard_load(struct scoreboard *s, unsigned warp, unsigned reg) {
    s->warp[warp].pending[reg / 64] |= UINT64_C(1) << reg % 64;
    scoreboard_write(s, warp, reg, 0);
}
/** scoreboard_data() - part of a pending register's data can be read from @ready_at on. */
static inline void scoreboard_data(struct scoreboard *s, unsigned warp, unsigned reg,
                                   uint64_t ready_at) {
    if (s->warp[warp].ready_at[reg] < ready_at) {
        s->warp[warp].ready_at[reg] = ready_at;
    }
}
/** scoreboard_release() - the completion of a pending register is known: unblock the waiting warps.
 * @cycle: the current one. */
void scoreboard_release(struct scoreboard *s, unsigned warp, unsigned reg, uint64_t cycle);
/** scoreboard_forget() - the warp has no next instruction. */
static inline void scoreboard_forget(struct scoreboard *s, unsigned warp) {
    uint64_t bit = UINT64_C(1) << warp;
    s->ready &= ~bit;
    s->blocked &= ~bit;
    s->warp[warp].needed.count = 0;
}
/** scoreboard_cancel() - the same, for a warp that may be in the ring. */
void scoreboard_cancel(struct scoreboard *s, unsigned warp);
void scoreboard_advance_ring(struct scoreboard *s, uint64_t cycle);
/** scoreboard_advance() - move the warps whose cycle is @cycle or earlier to the ready ones. */
static inline void scoreboard_advance(struct scoreboard *s, uint64_t cycle) {
    if (cycle < s->due) {
        s->cycle = cycle;
    } else {
        scoreboard_advance_ring(s, cycle);
    }
}
/** scoreboard_next() - the next cycle after the last advance in which a warp becomes ready;
 * NEVER: none waits. */
static inline uint64_t scoreboard_next(const struct scoreboard *s) {
    return s->due;
}

#endif
