/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads, stores and atomics of the SIMT interface: write addresses to the records, and move values
 * between the kernel's arrays and memory.
 */
#include <inttypes.h>
#include <string.h>

#include "kernel/simt_internal.h"

/* Returns the warps of a set, lowest first. */
#define EACH_WARP(w, set) \
    for (uint32_t w##_left = (set), w = 0; \
         w##_left && (w = (uint32_t)__builtin_ctz(w##_left), true); w##_left &= w##_left - 1)

static const struct insn *memory_insn(const struct simt *s, unsigned index, unsigned op,
                                      size_t width, const struct buffer *b) {
    const struct insn *i = simt_insn(s, index);
    if (i->op != op) {
        simt_bug(s, i, "not %s",
                 op == OP_LOAD    ? "a load"
                 : op == OP_STORE ? "a store"
                                  : "an atomic");
    }
    if (i->width != width || b->width != width) {
        simt_bug(s, i, "%u bytes a lane, of values of %zu bytes, from elements of %u bytes",
                 i->width, width, b->width);
    }
    if ((i->space == SPACE_SHARED) != b->shared || (i->space == SPACE_LOCAL) != (b->local != 0)) {
        simt_bug(s, i, "the buffer is in another memory space");
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

/* Lane l accesses element start + l * step. Inlined for each width, so that a copy is one host
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

static uint64_t address_of(const struct simt *s, const struct buffer *b, uint64_t at, unsigned t) {
    if (!b->local) {
        return b->address + at * b->width;
    }
    const unsigned ctas = s->launch->code->local_ctas, threads = s->warps * WARP_SIZE;
    uint64_t byte = b->address + at * b->width;
    uint64_t place = byte / 4 * ctas * threads + s->number % ctas * threads + t;
    return SIMT_LOCAL_BASE + place * 4 + byte % 4;
}

static uint8_t *data_of(const struct buffer *b, uint64_t at, unsigned t) {
    return (uint8_t *)b->data + (size_t)t * b->local + at * b->width;
}

static inline bool is_inside_buffer(const struct buffer *b, int64_t at) {
    return (uint64_t)at < b->count;
}

#if defined(__GNUC__)
__attribute__((noreturn))
#endif
static void
abort_outside_buffer(const struct simt *s, const struct insn *i, const struct buffer *b,
                     uint64_t address, unsigned t, const char *does) {
    simt_bug(s, i, "warp %u lane %u %s address 0x%" PRIx64 ", outside 0x%" PRIx64 " .. 0x%" PRIx64,
             t / WARP_SIZE, t % WARP_SIZE, does, address, address_of(s, b, 0, t),
             address_of(s, b, b->count - 1, t) + b->width - 1);
}

static void move_lanes(struct simt *s, unsigned index, unsigned w, const struct buffer *b,
                       const struct element *e, uint8_t *value, bool load) {
    uint64_t address[WARP_SIZE];
    for (uint32_t m = s->active.warp[w]; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m), t = w * WARP_SIZE + lane;
        int64_t at = element_of(s, e, t);
        address[lane] = address_of(s, b, (uint64_t)at, t);
        if (!is_inside_buffer(b, at)) {
            abort_outside_buffer(s, simt_insn(s, index), b, address[lane], t,
                                 load ? "loads" : "stores to");
        }
        move_one(value + (size_t)lane * b->width, data_of(b, (uint64_t)at, t), b->width, load);
    }
    if (!warp_stream_put_memory(&s->trace->warp[w], index, s->active.warp[w], address)) {
        s->out_of_memory = true;
    }
}

static void access_memory(struct simt *s, unsigned index, uint8_t *values, const struct buffer *b,
                          const struct element *e, bool load) {
    /* The address is affine in the thread number, for any shape of the block. */
    bool linear = e->y == e->x * s->block[0] && e->z == e->y * s->block[1];
    EACH_WARP(w, s->active_warps) {
        uint32_t active = s->active.warp[w];
        uint8_t *value = values + (size_t)w * WARP_SIZE * b->width;
        int64_t start =
            element_of(s, &(struct element){e->base, e->x, e->y, e->z, 0, NULL}, w * WARP_SIZE);
        int64_t first = start + e->x * __builtin_ctz(active);
        int64_t last = start + e->x * (WARP_SIZE - 1 - __builtin_clz(active));
        if (e->lane || b->local || !(linear || s->one_row >> w & 1) ||
            !is_inside_buffer(b, first) || !is_inside_buffer(b, last)) {
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
    /* One function moves in both directions: a store only reads the values. */
    access_memory(s, index, (uint8_t *)(uintptr_t)from, buffer, &e, false);
}

struct buffer simt_shared(struct simt *s, unsigned offset, unsigned count, unsigned width) {
    unsigned size = s->launch->code->shared_bytes;
    if (offset % width || offset > size || count > (size - offset) / width) {
        simt_bug(s, NULL, "shared array of %u x %u bytes at %u, of %u bytes", count, width, offset,
                 size);
    }
    return (struct buffer){.address = offset,
                           .data = s->shared + offset,
                           .count = count,
                           .width = width,
                           .shared = true};
}

struct buffer simt_local(struct simt *s, unsigned offset, unsigned count, unsigned width) {
    unsigned size = s->launch->code->local_bytes;
    if (!s->launch->code->local_ctas || size % 4 || offset % 4 || width > 4 || offset > size ||
        count > (size - offset) / width) {
        simt_bug(s, NULL, "local array of %u x %u bytes at %u, of %u bytes", count, width, offset,
                 size);
    }
    return (struct buffer){.address = offset,
                           .data = s->local + offset,
                           .count = count,
                           .width = width,
                           .local = size};
}

static int32_t atomic_result(enum simt_atomic operation, int32_t was, int32_t value,
                             int32_t compare) {
    switch (operation) {
    case SIMT_ADD: return (int32_t)((uint32_t)was + (uint32_t)value);
    case SIMT_MIN: return was < value ? was : value;
    case SIMT_MAX: return was > value ? was : value;
    case SIMT_OR: return was | value;
    case SIMT_EXCHANGE: return value;
    default: return was == compare ? value : was;
    }
}

void simt_atomic(struct simt *s, unsigned index, enum simt_atomic operation, int32_t *old,
                 const int32_t *value, const int32_t *compare, const struct buffer *buffer,
                 struct element e) {
    const struct insn *i = memory_insn(s, index, OP_ATOMIC, sizeof *value, buffer);
    if ((operation == SIMT_CAS) != (compare != NULL)) {
        simt_bug(s, i, "operation %u %s something to compare with", operation,
                 compare ? "with" : "without");
    }
    EACH_WARP(w, s->active_warps) {
        uint64_t address[WARP_SIZE];
        for (uint32_t m = s->active.warp[w]; m; m &= m - 1) {
            unsigned lane = (unsigned)__builtin_ctz(m), t = w * WARP_SIZE + lane;
            int64_t at = element_of(s, &e, t);
            address[lane] = buffer->address + (uint64_t)at * buffer->width;
            if (!is_inside_buffer(buffer, at)) {
                abort_outside_buffer(s, i, buffer, address[lane], t, "changes");
            }
            int32_t was;
            memcpy(&was, data_of(buffer, (uint64_t)at, t), sizeof was);
            int32_t is = atomic_result(operation, was, value[t], compare ? compare[t] : 0);
            memcpy(data_of(buffer, (uint64_t)at, t), &is, sizeof is);
            if (old) {
                old[t] = was;
            }
        }
        if (!warp_stream_put_memory(&s->trace->warp[w], index, s->active.warp[w], address)) {
            s->out_of_memory = true;
        }
    }
}
