/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface for writing kernels. A kernel is one C function that runs for a whole CTA: all
 * threads take each step together, so a value is an array with an element per thread, and barriers
 * and shared memory need no care.
 *
 *     static void saxpy(struct simt *s, const void *arguments) {
 *         const struct saxpy *k = arguments;
 *         const unsigned first = s->cta[0] * s->block[0];  // index of this CTA's first thread
 *         float x[SIMT_THREADS], y[SIMT_THREADS];
 *         struct simt_mask inside;
 *
 *         simt_alu(s, INDEX);    // blockIdx.x * blockDim.x + threadIdx.x
 *         simt_alu(s, COMPARE);
 *         SIMT_WHERE(s, inside, t, first + t < k->n);
 *         SIMT_IF(s, GUARD, &inside) {
 *             simt_load(s, LOAD_X, x, &k->x, element_x(first, 1));
 *             simt_load(s, LOAD_Y, y, &k->y, element_x(first, 1));
 *             SIMT_ALU(s, FMA, t) {
 *                 y[t] += k->a * x[t];
 *             }
 *             simt_store(s, STORE_Y, y, &k->y, element_x(first, 1));
 *         }
 *     }
 *
 * INDEX, LOAD_X and the others index the kernel's instruction table. The table holds the registers,
 * which are the dependences that the machine sees. Each step appends a record to the stream of
 * every warp that has an active lane. Only active threads compute values; between steps a kernel
 * may compute anything in plain C.
 */
#ifndef WARPMEM_KERNEL_SIMT_H
#define WARPMEM_KERNEL_SIMT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/device_memory.h"
#include "kernel/insn.h"
#include "kernel/launch.h"

#define SIMT_WARPS CTA_WARPS_MAX
#define SIMT_THREADS (SIMT_WARPS * WARP_SIZE)
#define SIMT_DEPTH 16 /* nested ifs and loops */

/* The instruction table: struct insn insns[] = {INSN_ALU(FMA, OP_FP_MAD, ACC, A, X, ACC), ...};
 * with FMA an enum constant. PCs follow from the order of the enum, 8 bytes an instruction. */
#define INSN_BYTES 8
#define INSN_ALU(index, operation, to, ...) \
    [index] = {.op = (operation), \
               .dst = (to), \
               .src = {INSN_SOURCES(__VA_ARGS__, REG_NONE, REG_NONE, REG_NONE, REG_NONE)}, \
               .pc = (index)*INSN_BYTES}
#define INSN_SOURCES(a, b, c, d, ...) (a), (b), (c), (d)
#define INSN_BRANCH(index, ...) INSN_ALU(index, OP_BRANCH, REG_NONE, __VA_ARGS__)
#define INSN_LOAD(index, where, bytes, to, address) \
    [index] = {.op = OP_LOAD, \
               .space = (where), \
               .width = (bytes), \
               .dst = (to), \
               .src = {(address), REG_NONE, REG_NONE, REG_NONE}, \
               .pc = (index)*INSN_BYTES}
#define INSN_LOAD_UNCACHED(index, bytes, to, address) \
    [index] = {.op = OP_LOAD, \
               .space = SPACE_GLOBAL, \
               .width = (bytes), \
               .uncached = 1, \
               .dst = (to), \
               .src = {(address), REG_NONE, REG_NONE, REG_NONE}, \
               .pc = (index)*INSN_BYTES}
/* Atomics access 4 bytes in global memory. @to: REG_NONE where the old value is not used. @...: the
 * operands' registers. */
#define INSN_ATOMIC(index, to, address, ...) \
    [index] = {.op = OP_ATOMIC, \
               .space = SPACE_GLOBAL, \
               .width = 4, \
               .dst = (to), \
               .src = {INSN_SOURCES(address, __VA_ARGS__, REG_NONE, REG_NONE, REG_NONE)}, \
               .pc = (index)*INSN_BYTES}
#define INSN_FENCE(index) INSN_ALU(index, OP_FENCE, REG_NONE, REG_NONE)
#define INSN_STORE(index, where, bytes, value, address) \
    [index] = {.op = OP_STORE, \
               .space = (where), \
               .width = (bytes), \
               .dst = REG_NONE, \
               .src = {(value), (address), REG_NONE, REG_NONE}, \
               .pc = (index)*INSN_BYTES}
#define INSN_BARRIER(index) \
    [index] = {.op = OP_BARRIER, \
               .dst = REG_NONE, \
               .src = {REG_NONE, REG_NONE, REG_NONE, REG_NONE}, \
               .pc = (index)*INSN_BYTES}

/* A loop takes three indices, INSN_LOOP_NAMES(NAME) in the enum and INSN_LOOP(NAME) in the table.
 * Its markers have the PC of its first instruction, which follows. */
#define INSN_LOOP_NAMES(name) name, name##_ITERATION, name##_END
#define INSN_LOOP(name) \
    INSN_MARKER(name, OP_LOOP_BEGIN, name##_END), \
        INSN_MARKER(name##_ITERATION, OP_LOOP_ITERATION, name##_END), \
        INSN_MARKER(name##_END, OP_LOOP_END, name##_END)
#define INSN_MARKER(index, operation, last) \
    [index] = {.op = (operation), \
               .dst = REG_NONE, \
               .src = {REG_NONE, REG_NONE, REG_NONE, REG_NONE}, \
               .pc = ((last) + 1) * INSN_BYTES}

/* A kernel's code as one list, from which the enum of its indices and its table are made:
 *
 *     #define SAXPY(I) \
 *         I(ALU, INDEX, OP_INT_MAD, R_I, REG_NONE) \
 *         I(BRANCH, GUARD, R_P) \
 *         I(LOOP, EACH) \
 *         I(LOAD, LOAD_X, SPACE_GLOBAL, 4, R_X, R_ADDRESS) \
 *         I(STORE, STORE_Y, SPACE_GLOBAL, 4, R_Y, R_ADDRESS)
 *     SIMT_CODE(saxpy, SAXPY, .registers = 10, .shared_bytes = 0);
 *
 * defines static const struct kernel_code saxpy_code. */
#define SIMT_CODE(kernel, LIST, ...) \
    enum { LIST(INSN_INDEX) }; \
    static const struct insn kernel##_insns[] = {LIST(INSN_ROW)}; \
    static const struct kernel_code kernel##_code = {.name = #kernel, \
                                                     .insns = kernel##_insns, \
                                                     .insn_count = sizeof kernel##_insns / \
                                                                   sizeof *kernel##_insns, \
                                                     __VA_ARGS__}
#define INSN_ROW(kind, ...) INSN_##kind(__VA_ARGS__),
#define INSN_INDEX(kind, ...) INSN_INDEX_##kind(__VA_ARGS__, )
#define INSN_INDEX_ALU(index, ...) index,
#define INSN_INDEX_BRANCH(index, ...) index,
#define INSN_INDEX_LOAD(index, ...) index,
#define INSN_INDEX_LOAD_UNCACHED(index, ...) index,
#define INSN_INDEX_STORE(index, ...) index,
#define INSN_INDEX_ATOMIC(index, ...) index,
#define INSN_INDEX_FENCE(index, ...) index,
#define INSN_INDEX_BARRIER(index, ...) index,
#define INSN_INDEX_LOOP(index, ...) INSN_LOOP_NAMES(index),

struct simt_mask {
    uint32_t warp[SIMT_WARPS];
};

/* An open if or loop. outer: lanes that continue after it. inner: of an if, the lanes of the first
 * branch; of a loop, the lanes that iterate again. entered: of a loop. loop: index of the loop's
 * markers, -1: an if. */
struct simt_frame {
    struct simt_mask outer, inner, entered;
    int loop;
};

/**
 * struct simt - a CTA while its kernel function runs. Read by kernels:
 * @cta: blockIdx in x, y, z
 * @block: blockDim
 * @threads: in this CTA
 * @x: threadIdx.x of each thread; a thread's number is x + y * block[0] + z * block[0] * block[1]
 */
struct simt {
    unsigned cta[3], block[3];
    unsigned threads, warps;
    uint16_t x[SIMT_THREADS], y[SIMT_THREADS], z[SIMT_THREADS];
    /* Private. */
    const struct launch *launch;
    struct cta_trace *trace;
    unsigned number; /* of the CTA */
    struct simt_mask populated, active;
    uint32_t active_warps;
    uint32_t one_row; /* warps whose threads differ in x only */
    bool out_of_memory;
    unsigned depth;
    struct simt_frame frame[SIMT_DEPTH];
    uint8_t *shared, *local;
    size_t shared_capacity, local_capacity;
    void (*wait)(struct simt *s, bool for_all); /* for a CTA in a grid (kernel/simt_grid.h) */
    void *wait_self;
};

struct simt *simt_create(void);
void simt_destroy(struct simt *s);

typedef void simt_kernel(struct simt *s, const void *arguments);

/**
 * simt_run() - run a kernel for one CTA and record it.
 * @cta: 0 .. launch_ctas(l)-1, x fastest
 * @out: its streams are rewritten
 * Return: false when out of memory. A bug of the kernel (an access outside its buffer, a wrong
 * width, an unfinished if or loop) stops the program with a message; no user input causes one.
 */
bool simt_run(struct simt *s, const struct launch *l, unsigned cta, struct cta_trace *out,
              simt_kernel *kernel, const void *arguments);

/* The two halves of simt_run(), before and after the kernel, for kernel/simt_grid.h. */
bool simt_begin_cta(struct simt *s, const struct launch *l, unsigned cta, struct cta_trace *out);
bool simt_end_cta(struct simt *s);
/* After a grid-wide barrier records go to other streams: end the open loops in the old streams and
 * begin them again in the new ones. */
void simt_leave_trace(struct simt *s);
void simt_enter_trace(struct simt *s, struct cta_trace *out);

/** simt_alu() - record an instruction that is not a load, store, barrier or marker; also a loop's
 * branch. */
void simt_alu(struct simt *s, unsigned index);
/** simt_alus() - record the instructions first to last of the table, one after another. */
static inline void simt_alus(struct simt *s, unsigned first, unsigned last) {
    for (unsigned i = first; i <= last; i++) {
        simt_alu(s, i);
    }
}

/** simt_work() - record one instruction of the table @times times: arithmetic whose amount and
 * dependences matter, not its values. It depends on itself if its dst is among its sources. */
static inline void simt_work(struct simt *s, unsigned index, unsigned times) {
    for (unsigned i = 0; i < times; i++) {
        simt_alu(s, index);
    }
}

/** simt_barrier() - record a barrier. */
void simt_barrier(struct simt *s, unsigned index);

/**
 * struct element - the element of a buffer that each thread accesses: base + x * threadIdx.x + y *
 * threadIdx.y + z * threadIdx.z + scale * lane[thread].
 */
struct element {
    int64_t base, x, y, z, scale;
    const int32_t *lane; /* NULL: none */
};

/* All threads access the same element. */
static inline struct element element_at(int64_t base) {
    return (struct element){.base = base};
}

static inline struct element element_x(int64_t base, int64_t x) {
    return (struct element){.base = base, .x = x};
}

static inline struct element element_xy(int64_t base, int64_t x, int64_t y) {
    return (struct element){.base = base, .x = x, .y = y};
}

/* Each thread computes an index. */
static inline struct element element_lane(const int32_t *lane) {
    return (struct element){.scale = 1, .lane = lane};
}

/**
 * simt_load(), simt_store() - record a load or store and move the values of the active threads.
 * If several threads store to an element, the highest thread number wins.
 * @to, @from: array with a value a thread; its elements have the size of the buffer's elements and
 * the instruction's width
 * @...: a struct element
 */
#define simt_load(s, index, to, buffer, ...) \
    simt_load_bytes(s, index, to, sizeof *(to), buffer, __VA_ARGS__)
#define simt_store(s, index, from, buffer, ...) \
    simt_store_bytes(s, index, from, sizeof *(from), buffer, __VA_ARGS__)
void simt_load_bytes(struct simt *s, unsigned index, void *to, size_t width,
                     const struct buffer *buffer, struct element e);
void simt_store_bytes(struct simt *s, unsigned index, const void *from, size_t width,
                      const struct buffer *buffer, struct element e);

/**
 * simt_shared() - an array in the CTA's shared memory, with undefined contents at first.
 * @offset: bytes from its start, a multiple of @width
 */
struct buffer simt_shared(struct simt *s, unsigned offset, unsigned count, unsigned width);

/**
 * simt_local() - an array in local memory for each thread of the CTA, with undefined contents at
 * first. Local memory has word w of all resident threads side by side, CTA after CTA, then word
 * w + 1, as GPGPU-Sim lays it out: a word that all lanes access is one line, and neighbouring CTAs
 * share DRAM rows. CTA i has the place of CTA i - code->local_ctas, as if that one had ended.
 * @offset: bytes from the start of the thread's code->local_bytes, a multiple of 4
 * @width: 1, 2 or 4 bytes an element; a double takes two accesses, as in GPGPU-Sim
 */
struct buffer simt_local(struct simt *s, unsigned offset, unsigned count, unsigned width);
/* Above a program's allocations, but as low as possible, because DRAM row numbers have few bits. */
#define SIMT_LOCAL_BASE (UINT64_C(1) << 32)

enum simt_atomic {
    SIMT_ADD,
    SIMT_MIN, /* signed, like SIMT_MAX */
    SIMT_MAX,
    SIMT_OR,
    SIMT_EXCHANGE,
    SIMT_CAS, /* compare and swap */
};

/**
 * simt_atomic() - record an atomic on global memory and execute it for the active threads in
 * ascending order.
 * @old: the previous value, per thread; NULL: not wanted
 * @value: operand, per thread
 * @compare: for SIMT_CAS, the expected value per thread; else NULL
 * @buffer: with elements of 4 bytes
 */
void simt_atomic(struct simt *s, unsigned index, enum simt_atomic operation, int32_t *old,
                 const int32_t *value, const int32_t *compare, const struct buffer *buffer,
                 struct element e);

/* SIMT_EACH(s, t) { ... }: for each active thread t in ascending order. No C break inside. */
#define SIMT_EACH(s, t) SIMT_EACH_FROM(s, t, 0)
/* SIMT_ALU(s, index, t) { ... }: simt_alu() with its computation. */
#define SIMT_ALU(s, index, t) SIMT_EACH_FROM(s, t, (simt_alu(s, index), 0))
#define SIMT_EACH_FROM(s, t, from) \
    for (unsigned t##_run = simt_first(s, from), t##_end = simt_end(s, t##_run); \
         t##_run < t##_end; t##_run = simt_first(s, t##_end), t##_end = simt_end(s, t##_run)) \
        for (unsigned t = t##_run; t < t##_end; t++)

/* SIMT_WHERE(s, mask, t, condition): mask = the active threads t for which the condition holds. */
#define SIMT_WHERE(s, mask, t, condition) \
    do { \
        (mask) = (struct simt_mask){{0}}; \
        SIMT_EACH(s, t) { \
            (mask).warp[t / WARP_SIZE] |= (uint32_t) !!(condition) << t % WARP_SIZE; \
        } \
    } while (0)

/* SIMT_IF(s, branch, &mask) { ... } SIMT_ELSE(s) { ... }: record the branch; the lanes of the mask
 * take the first body, then the others the second; they meet again after it. No C break or return
 * inside. */
#define SIMT_IF(s, index, mask) for (bool if_ = simt_if(s, index, mask); if_; if_ = simt_end_if(s))
#define SIMT_ELSE(s) for (bool else_ = simt_else(s); else_; else_ = simt_end_if(s))

/* SIMT_LOOP(s, LOOP) { ... simt_while(s, branch, &mask); ... }: repeat while a lane is left. Lanes
 * leave at simt_while() or simt_break() and meet again after the loop. */
#define SIMT_LOOP(s, loop) \
    for (bool loop_ = simt_loop(s, loop); (loop_ = simt_iteration(s, loop_));)
/* SIMT_FOR(s, LOOP, i, count) { ... }: i = 0 .. count-1, the same for all threads. The compare and
 * the branch are in the body, with simt_alu(). */
#define SIMT_FOR(s, loop, i, count) \
    for (unsigned i = (unsigned)!simt_loop(s, loop); simt_iteration(s, i < (count)); i++)

/** simt_while() - record a branch; active lanes that are not in the mask leave the innermost
 * loop. */
void simt_while(struct simt *s, unsigned index, const struct simt_mask *mask);
/** simt_break() - the active lanes leave the innermost loop. */
void simt_break(struct simt *s);
/** simt_continue() - the active lanes wait for the next iteration of the innermost loop. */
void simt_continue(struct simt *s);
/** simt_return() - the active lanes leave the kernel. */
void simt_return(struct simt *s);
/** simt_any() - true if a lane is active; otherwise the kernel may skip host work. */
static inline bool simt_any(const struct simt *s) {
    return s->active_warps != 0;
}

/**
 * simt_turn() - let the other CTAs of the grid run before this one continues: for loops that wait
 * for a write of another CTA. Only in a launch of kernel/simt_grid.h.
 */
void simt_turn(struct simt *s);
/**
 * simt_grid_barrier() - wait until all CTAs have arrived. The launch ends and its CTAs continue in
 * another one, because on this machine a CTA has no other means to wait for another. Only in a
 * launch of kernel/simt_grid.h; the kernel itself records the loads and stores of a barrier built
 * in software.
 */
void simt_grid_barrier(struct simt *s);

/* For the macros. Active threads form runs: simt_first() finds the next run from @from on,
 * simt_end() its end, 0 if there was none. */
unsigned simt_first(const struct simt *s, unsigned from);
unsigned simt_end(const struct simt *s, unsigned first);
bool simt_if(struct simt *s, unsigned index, const struct simt_mask *mask);
bool simt_else(struct simt *s);
bool simt_end_if(struct simt *s);
bool simt_loop(struct simt *s, unsigned index);
bool simt_iteration(struct simt *s, bool again);

#endif
