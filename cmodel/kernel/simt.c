/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/simt.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel is part of the program: what it does wrong is found in its first test. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 3, 4)))
#endif
static void
bug(const struct simt *s, const struct insn *i, const char *format, ...) {
    fprintf(stderr, "kernel %s, CTA (%u, %u, %u), pc 0x%x: ", s->launch->code->name, s->cta[0],
            s->cta[1], s->cta[2], i ? i->pc : 0);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}

struct simt *simt_create(void) {
    return calloc(1, sizeof(struct simt));
}

void simt_destroy(struct simt *s) {
    if (s) {
        free(s->shared);
        free(s);
    }
}

static const struct insn *insn_at(const struct simt *s, unsigned index) {
    const struct kernel_code *code = s->launch->code;
    if (index >= code->insn_count) {
        bug(s, NULL, "instruction %u of %u", index, code->insn_count);
    }
    return &code->insns[index];
}

/* Warps of a set, lowest first. */
#define EACH_WARP(w, set) \
    for (uint32_t w##_left = (set), w = 0; \
         w##_left && (w = (uint32_t)__builtin_ctz(w##_left), true); w##_left &= w##_left - 1)

static void record(struct simt *s, unsigned index, const struct simt_mask *lanes) {
    for (unsigned w = 0; w < s->warps; w++) {
        if (lanes->warp[w] && !warp_stream_put(&s->trace->warp[w], index, lanes->warp[w])) {
            s->out_of_memory = true;
        }
    }
}

void simt_alu(struct simt *s, unsigned index) {
    const struct insn *i = insn_at(s, index);
    if (i->op >= OP_ARITHMETIC_COUNT && i->op != OP_FENCE) {
        bug(s, i, "not an arithmetic instruction");
    }
    record(s, index, &s->active);
}

void simt_barrier(struct simt *s, unsigned index) {
    const struct insn *i = insn_at(s, index);
    if (i->op != OP_BARRIER) {
        bug(s, i, "not a barrier");
    }
    record(s, index, &s->active);
}

/* --- Masks and control flow. --- */

static void set_active(struct simt *s, const struct simt_mask *lanes) {
    s->active_warps = 0;
    /* Both bounds: from the shift alone some compilers derive that w may reach 32. */
    for (unsigned w = 0; w < s->warps && w < SIMT_WARPS; w++) {
        s->active.warp[w] = lanes->warp[w];
        s->active_warps |= (uint32_t)(lanes->warp[w] != 0) << w;
    }
}

unsigned simt_first(const struct simt *s, unsigned from) {
    while (from < s->threads) {
        uint32_t lanes = s->active.warp[from / WARP_SIZE] >> from % WARP_SIZE;
        if (lanes) {
            return from + (unsigned)__builtin_ctz(lanes);
        }
        from = (from / WARP_SIZE + 1) * WARP_SIZE;
    }
    return s->threads;
}

unsigned simt_end(const struct simt *s, unsigned first) {
    if (first >= s->threads) {
        return 0;
    }
    while (first < s->threads) {
        uint32_t idle = ~s->active.warp[first / WARP_SIZE] >> first % WARP_SIZE;
        if (idle) {
            return first + (unsigned)__builtin_ctz(idle);
        }
        first = (first / WARP_SIZE + 1) * WARP_SIZE;
    }
    return s->threads;
}

static struct simt_frame *push(struct simt *s, int loop) {
    if (s->depth == SIMT_DEPTH) {
        bug(s, NULL, "more than %d ifs and loops inside each other", SIMT_DEPTH);
    }
    struct simt_frame *f = &s->frame[s->depth++];
    f->loop = loop;
    f->outer = s->active;
    return f;
}

static void pop(struct simt *s) {
    s->depth--;
    set_active(s, &s->frame[s->depth].outer);
}

bool simt_if(struct simt *s, unsigned index, const struct simt_mask *mask) {
    simt_alu(s, index);
    struct simt_frame *f = push(s, -1);
    f->inner = (struct simt_mask){{0}};
    for (unsigned w = 0; w < s->warps; w++) {
        f->inner.warp[w] = s->active.warp[w] & mask->warp[w];
    }
    set_active(s, &f->inner);
    return s->active_warps || simt_end_if(s);
}

/* The frame of the if before is still there: what came between was inside it, and above it on
 * the stack. */
bool simt_else(struct simt *s) {
    if (s->depth == SIMT_DEPTH || s->frame[s->depth].loop >= 0) {
        bug(s, NULL, "an else without an if");
    }
    struct simt_frame *f = &s->frame[s->depth++];
    struct simt_mask others = {{0}};
    for (unsigned w = 0; w < s->warps; w++) {
        others.warp[w] = f->outer.warp[w] & ~f->inner.warp[w];
    }
    set_active(s, &others);
    return s->active_warps || simt_end_if(s);
}

bool simt_end_if(struct simt *s) {
    if (s->depth == 0 || s->frame[s->depth - 1].loop >= 0) {
        bug(s, NULL, "the end of an if, but a loop is open");
    }
    pop(s);
    return false;
}

bool simt_loop(struct simt *s, unsigned index) {
    const struct insn *i = insn_at(s, index);
    if (i->op != OP_LOOP_BEGIN) {
        bug(s, i, "not the begin of a loop");
    }
    struct simt_frame *f = push(s, (int)index);
    f->inner = s->active;
    f->entered = s->active;
    record(s, index, &s->active);
    return true;
}

static unsigned innermost_loop(const struct simt *s) {
    unsigned d = s->depth;
    while (d > 0 && s->frame[d - 1].loop < 0) {
        d--;
    }
    if (d == 0) {
        bug(s, NULL, "not in a loop");
    }
    return d - 1;
}

bool simt_iteration(struct simt *s, bool again) {
    unsigned loop = innermost_loop(s);
    struct simt_frame *f = &s->frame[loop];
    if (loop != s->depth - 1) {
        bug(s, NULL, "the end of a loop, but an if is open");
    }
    if (again) {
        set_active(s, &f->inner);
        if (s->active_warps) {
            record(s, (unsigned)f->loop + 1, &s->active);
            return true;
        }
    }
    record(s, (unsigned)f->loop + 2, &f->entered);
    pop(s);
    return false;
}

/* The lanes of @gone are active no more, until the frames from @depth on have ended. */
static void leave(struct simt *s, const struct simt_mask *gone, unsigned depth) {
    for (unsigned d = depth; d < s->depth; d++) {
        for (unsigned w = 0; w < s->warps; w++) {
            s->frame[d].outer.warp[w] &= ~gone->warp[w];
        }
    }
    struct simt_mask stay = {{0}};
    for (unsigned w = 0; w < s->warps; w++) {
        stay.warp[w] = s->active.warp[w] & ~gone->warp[w];
    }
    set_active(s, &stay);
}

static void leave_loop(struct simt *s, const struct simt_mask *gone) {
    unsigned loop = innermost_loop(s);
    for (unsigned w = 0; w < s->warps; w++) {
        s->frame[loop].inner.warp[w] &= ~gone->warp[w];
    }
    leave(s, gone, loop + 1);
}

void simt_while(struct simt *s, unsigned index, const struct simt_mask *mask) {
    simt_alu(s, index);
    struct simt_mask gone = {{0}};
    for (unsigned w = 0; w < s->warps; w++) {
        gone.warp[w] = s->active.warp[w] & ~mask->warp[w];
    }
    leave_loop(s, &gone);
}

void simt_break(struct simt *s) {
    struct simt_mask gone = s->active;
    leave_loop(s, &gone);
}

void simt_continue(struct simt *s) {
    struct simt_mask gone = s->active;
    leave(s, &gone, innermost_loop(s) + 1);
}

void simt_return(struct simt *s) {
    struct simt_mask gone = s->active;
    for (unsigned d = 0; d < s->depth; d++) {
        for (unsigned w = 0; w < s->warps && s->frame[d].loop >= 0; w++) {
            s->frame[d].inner.warp[w] &= ~gone.warp[w];
        }
    }
    leave(s, &gone, 0);
}

/* --- Memory. --- */

static const struct insn *memory_insn(const struct simt *s, unsigned index, unsigned op,
                                      size_t width, const struct buffer *b) {
    const struct insn *i = insn_at(s, index);
    if (i->op != op) {
        bug(s, i, "not a %s", op == OP_LOAD ? "load" : "store");
    }
    if (i->width != width || b->width != width) {
        bug(s, i, "%u bytes a lane, of values of %zu bytes, from elements of %u bytes", i->width,
            width, b->width);
    }
    if ((i->space == SPACE_SHARED) != b->shared) {
        bug(s, i, "the buffer is in another memory space");
    }
    return i;
}

static inline void move_one(uint8_t *value, uint8_t *memory, size_t width, bool load) {
    if (load) {
        memcpy(value, memory, width);
    } else {
        memcpy(memory, value, width);
    }
}

/* Lane l: element start + l * step. Inlined for each width, so that a copy is one host
 * instruction. */
static inline void move_line(uint8_t *value, uint8_t *memory, uint32_t active, int64_t start,
                             int64_t step, size_t width, bool load) {
    if (active == 0xffffffff && step == 1) {
        move_one(value, memory + start * (int64_t)width, WARP_SIZE * width, load);
    } else if (active == 0xffffffff) {
        for (unsigned lane = 0; lane < WARP_SIZE; lane++, start += step) {
            move_one(value + lane * width, memory + start * (int64_t)width, width, load);
        }
    } else {
        for (; active; active &= active - 1) {
            unsigned lane = (unsigned)__builtin_ctz(active);
            move_one(value + lane * width, memory + (start + lane * step) * (int64_t)width, width,
                     load);
        }
    }
}

static void move_affine(uint8_t *value, uint8_t *memory, uint32_t active, int64_t start,
                        int64_t step, size_t width, bool load) {
    switch (width) {
    case 1: move_line(value, memory, active, start, step, 1, load); break;
    case 2: move_line(value, memory, active, start, step, 2, load); break;
    case 4: move_line(value, memory, active, start, step, 4, load); break;
    case 8: move_line(value, memory, active, start, step, 8, load); break;
    case 16: move_line(value, memory, active, start, step, 16, load); break;
    default: break;
    }
}

static int64_t element_of(const struct simt *s, const struct element *e, unsigned t) {
    int64_t at = e->base + e->x * s->x[t] + e->y * s->y[t] + e->z * s->z[t];
    return e->lane ? at + e->scale * e->lane[t] : at;
}

static inline bool inside(const struct buffer *b, int64_t at) {
    return (uint64_t)at < b->count;
}

static void move_lanes(struct simt *s, unsigned index, unsigned w, const struct buffer *b,
                       const struct element *e, uint8_t *value, bool load) {
    uint64_t address[WARP_SIZE];
    for (uint32_t m = s->active.warp[w]; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m), t = w * WARP_SIZE + lane;
        int64_t at = element_of(s, e, t);
        address[lane] = b->address + (uint64_t)at * b->width;
        if (!inside(b, at)) {
            bug(s, insn_at(s, index),
                "warp %u lane %u %s address 0x%" PRIx64 ", outside 0x%" PRIx64 " .. 0x%" PRIx64, w,
                lane, load ? "loads" : "stores to", address[lane], b->address,
                b->address + b->count * b->width - 1);
        }
        move_one(value + (size_t)lane * b->width, (uint8_t *)b->data + (uint64_t)at * b->width,
                 b->width, load);
    }
    if (!warp_stream_put_memory(&s->trace->warp[w], index, s->active.warp[w], address)) {
        s->out_of_memory = true;
    }
}

static void access_memory(struct simt *s, unsigned index, uint8_t *values, const struct buffer *b,
                          const struct element *e, bool load) {
    /* Affine in the thread number, whatever the shape of the block. */
    bool linear = e->y == e->x * s->block[0] && e->z == e->y * s->block[1];
    EACH_WARP(w, s->active_warps) {
        uint32_t active = s->active.warp[w];
        uint8_t *value = values + (size_t)w * WARP_SIZE * b->width;
        int64_t start =
            element_of(s, &(struct element){e->base, e->x, e->y, e->z, 0, NULL}, w * WARP_SIZE);
        int64_t first = start + e->x * __builtin_ctz(active);
        int64_t last = start + e->x * (WARP_SIZE - 1 - __builtin_clz(active));
        if (e->lane || !(linear || s->one_row >> w & 1) || !inside(b, first) || !inside(b, last)) {
            move_lanes(s, index, w, b, e, value, load);
            continue;
        }
        move_affine(value, b->data, active, start, e->x, b->width, load);
        if (!warp_stream_put_affine(&s->trace->warp[w], index, active,
                                    b->address + (uint64_t)start * b->width,
                                    e->x * (int64_t)b->width)) {
            s->out_of_memory = true;
        }
    }
}

void simt_load_bytes(struct simt *s, unsigned index, void *to, size_t width,
                     const struct buffer *buffer, struct element e) {
    memory_insn(s, index, OP_LOAD, width, buffer);
    access_memory(s, index, to, buffer, &e, true);
}

void simt_store_bytes(struct simt *s, unsigned index, const void *from, size_t width,
                      const struct buffer *buffer, struct element e) {
    memory_insn(s, index, OP_STORE, width, buffer);
    /* One mover for both directions: a store reads the values only. */
    access_memory(s, index, (uint8_t *)(uintptr_t)from, buffer, &e, false);
}

struct buffer simt_shared(struct simt *s, unsigned offset, unsigned count, unsigned width) {
    unsigned size = s->launch->code->shared_bytes;
    if (offset % width || offset > size || count > (size - offset) / width) {
        bug(s, NULL, "shared array of %u x %u bytes at %u, of %u bytes", count, width, offset,
            size);
    }
    return (struct buffer){.address = offset,
                           .data = s->shared + offset,
                           .count = count,
                           .width = width,
                           .shared = true};
}

/* --- A CTA. --- */

static void set_shape(struct simt *s, const struct launch *l) {
    memcpy(s->block, l->block, sizeof s->block);
    s->threads = launch_threads(l);
    s->warps = launch_warps(l);
    s->one_row = 0;
    s->populated = (struct simt_mask){{0}};
    for (unsigned t = 0; t < s->threads; t++) {
        s->x[t] = (uint16_t)(t % s->block[0]);
        s->y[t] = (uint16_t)(t / s->block[0] % s->block[1]);
        s->z[t] = (uint16_t)(t / s->block[0] / s->block[1]);
        s->populated.warp[t / WARP_SIZE] |= 1u << t % WARP_SIZE;
    }
    for (unsigned w = 0; w < s->warps; w++) {
        unsigned first = w * WARP_SIZE, last = first + WARP_SIZE - 1;
        last = last < s->threads ? last : s->threads - 1;
        s->one_row |= (uint32_t)(s->x[last] - s->x[first] == (int)(last - first)) << w;
    }
}

static bool give_shared(struct simt *s, size_t bytes) {
    if (bytes > s->shared_capacity) {
        uint8_t *shared = realloc(s->shared, bytes);
        if (!shared) {
            return false;
        }
        s->shared = shared;
        s->shared_capacity = bytes;
    }
    /* Garbage, but the same in every run: a kernel that reads what it did not write fails its
     * check. */
    if (bytes) {
        memset(s->shared, 0xa5, bytes);
    }
    return true;
}

bool simt_run(struct simt *s, const struct launch *l, unsigned cta, struct cta_trace *out,
              simt_kernel *kernel, const void *arguments) {
    s->launch = l;
    s->trace = out;
    s->depth = 0;
    s->out_of_memory = false;
    s->cta[0] = cta % l->grid[0];
    s->cta[1] = cta / l->grid[0] % l->grid[1];
    s->cta[2] = cta / l->grid[0] / l->grid[1];
    if (launch_threads(l) == 0 || launch_threads(l) > SIMT_THREADS || cta >= launch_ctas(l)) {
        bug(s, NULL, "CTA %u of %u, of %u threads", cta, launch_ctas(l), launch_threads(l));
    }
    if (memcmp(s->block, l->block, sizeof s->block) != 0) {
        set_shape(s, l);
    }
    if (!give_shared(s, l->code->shared_bytes)) {
        return false;
    }
    out->warp_count = s->warps;
    for (unsigned w = 0; w < s->warps; w++) {
        warp_stream_clear(&out->warp[w]);
    }
    set_active(s, &s->populated);
    kernel(s, arguments);
    if (s->depth) {
        bug(s, NULL, "%u ifs or loops are not finished", s->depth);
    }
    return !s->out_of_memory;
}
