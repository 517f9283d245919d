/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a stream. Numbers are in the host's byte order and unaligned: a stream never leaves
 * the process.
 *
 *   0iiiiiii                       instruction i (0..127), no address, active lanes as in the
 *   record before
 *   1fffmiii iiiiiiii              instruction i (0..2047), form f of the address
 *       m = 1: uint32 active lanes follow; then, by form,
 *       FORM_NONE                  -
 *       FORM_UNIFORM               uint32 base                 one address for all lanes
 *       FORM_UNIT                  uint32 base                 stride 4
 *       FORM_AFFINE                uint32 base, int16 stride
 *       FORM_WIDE                  uint64 base, int64 stride   what does not fit above
 *       FORM_LIST                  uint64 lowest address; uint8 s << 2 | w; one number of 1 << w
 *       bytes for each
 *                                  active lane: its distance from the lowest address, shifted right
 *                                  by s
 */
#include "kernel/warp_stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FORM_NONE, FORM_UNIFORM, FORM_UNIT, FORM_AFFINE, FORM_WIDE, FORM_LIST };

#define LONG_HEADER 0x80
#define MASK_FOLLOWS 0x08
#define UNIT_STRIDE 4

#define RECORD_MAX (2 + 4 + 8 + 1 + WARP_SIZE * 8)
#define CAPACITY_MIN 1024

/* Lanes of an empty stream's "record before", so that a full warp never writes its mask. */
#define ACTIVE_AT_START 0xffffffffu

void warp_stream_clear(struct warp_stream *s) {
    s->size = 0;
    s->last_active = ACTIVE_AT_START;
}

void warp_stream_free(struct warp_stream *s) {
    free(s->bytes);
    s->bytes = NULL;
    s->capacity = 0;
    warp_stream_clear(s);
}

static bool grow(struct warp_stream *s) {
    size_t capacity = s->capacity ? s->capacity * 2 : CAPACITY_MIN;
    uint8_t *bytes = realloc(s->bytes, capacity);
    if (!bytes) {
        return false;
    }
    s->bytes = bytes;
    s->capacity = capacity;
    return true;
}

/* One growth is always enough: CAPACITY_MIN is more than RECORD_MAX. */
static inline bool reserve(struct warp_stream *s) {
    return s->capacity - s->size >= RECORD_MAX || grow(s);
}

static inline uint8_t *append(uint8_t *at, const void *value, size_t bytes) {
    memcpy(at, value, bytes);
    return at + bytes;
}

static inline uint8_t *append_header(struct warp_stream *s, unsigned form, unsigned index,
                                     uint32_t active) {
    uint8_t *at = s->bytes + s->size;
    bool mask = active != s->last_active;
    at[0] = (uint8_t)(LONG_HEADER | form << 4 | (mask ? MASK_FOLLOWS : 0) | index >> 8);
    at[1] = (uint8_t)index;
    at += 2;
    if (mask) {
        at = append(at, &active, sizeof active);
        s->last_active = active;
    }
    return at;
}

bool warp_stream_put(struct warp_stream *s, unsigned index, uint32_t active) {
    assert(active != 0 && index < WARP_STREAM_INSNS_MAX);
    if (!reserve(s)) {
        return false;
    }
    if (index < LONG_HEADER && active == s->last_active) {
        s->bytes[s->size++] = (uint8_t)index;
        return true;
    }
    s->size = (size_t)(append_header(s, FORM_NONE, index, active) - s->bytes);
    return true;
}

bool warp_stream_put_affine(struct warp_stream *s, unsigned index, uint32_t active, uint64_t base,
                            int64_t stride) {
    assert(active != 0 && index < WARP_STREAM_INSNS_MAX);
    if (!reserve(s)) {
        return false;
    }
    uint32_t base32 = (uint32_t)base;
    int16_t stride16 = (int16_t)stride;
    uint8_t *at;
    if (base32 != base || stride16 != stride) {
        at = append_header(s, FORM_WIDE, index, active);
        at = append(at, &base, sizeof base);
        at = append(at, &stride, sizeof stride);
    } else if (stride == 0 || stride == UNIT_STRIDE) {
        at = append_header(s, stride ? FORM_UNIT : FORM_UNIFORM, index, active);
        at = append(at, &base32, sizeof base32);
    } else {
        at = append_header(s, FORM_AFFINE, index, active);
        at = append(at, &base32, sizeof base32);
        at = append(at, &stride16, sizeof stride16);
    }
    s->size = (size_t)(at - s->bytes);
    return true;
}

/* Base and stride with base + lane * stride == address for all active lanes, modulo 2^64. */
static bool find_affine(uint32_t active, const uint64_t address[WARP_SIZE], uint64_t *base,
                        int64_t *stride) {
    unsigned first = (unsigned)__builtin_ctz(active);
    uint32_t rest = active & (active - 1);
    if (!rest) {
        *base = address[first];
        *stride = 0;
        return true;
    }
    unsigned second = (unsigned)__builtin_ctz(rest);
    /* Rounded where it is not whole: the second lane then contradicts it below. */
    uint64_t step =
        (uint64_t)((int64_t)(address[second] - address[first]) / (int64_t)(second - first));
    uint64_t start = address[first] - first * step;
    while (rest) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        rest &= rest - 1;
        if (address[lane] != start + lane * step) {
            return false;
        }
    }
    *base = start;
    *stride = (int64_t)step;
    return true;
}

static uint8_t *append_list(uint8_t *at, uint32_t active, const uint64_t address[WARP_SIZE]) {
    uint64_t lowest = UINT64_MAX, bits = 0;
    for (uint32_t m = active; m; m &= m - 1) {
        uint64_t a = address[__builtin_ctz(m)];
        lowest = a < lowest ? a : lowest;
    }
    for (uint32_t m = active; m; m &= m - 1) {
        bits |= address[__builtin_ctz(m)] - lowest;
    }
    /* Not zero: a list has two addresses that differ, else it were affine. */
    unsigned shift = (unsigned)__builtin_ctzll(bits);
    bits >>= shift;
    unsigned width = bits >> 8 == 0 ? 0 : bits >> 16 == 0 ? 1 : bits >> 32 == 0 ? 2 : 3;
    uint8_t form = (uint8_t)(shift << 2 | width);
    at = append(at, &lowest, sizeof lowest);
    at = append(at, &form, sizeof form);
    for (uint32_t m = active; m; m &= m - 1) {
        uint64_t distance = (address[__builtin_ctz(m)] - lowest) >> shift;
        for (unsigned byte = 0; byte < 1u << width; byte++) {
            *at++ = (uint8_t)(distance >> (8 * byte));
        }
    }
    return at;
}

bool warp_stream_put_memory(struct warp_stream *s, unsigned index, uint32_t active,
                            const uint64_t address[WARP_SIZE]) {
    assert(active != 0 && index < WARP_STREAM_INSNS_MAX);
    uint64_t base;
    int64_t stride;
    if (find_affine(active, address, &base, &stride)) {
        return warp_stream_put_affine(s, index, active, base, stride);
    }
    if (!reserve(s)) {
        return false;
    }
    uint8_t *at = append_header(s, FORM_LIST, index, active);
    s->size = (size_t)(append_list(at, active, address) - s->bytes);
    return true;
}

void warp_cursor_open(struct warp_cursor *c, const struct warp_stream *s,
                      const struct kernel_code *code) {
    c->code = code;
    c->at = s->bytes;
    c->end = s->size ? s->bytes + s->size : s->bytes;
    c->last_active = ACTIVE_AT_START;
}

static inline const uint8_t *take(const uint8_t *at, void *value, size_t bytes) {
    memcpy(value, at, bytes);
    return at + bytes;
}

bool warp_cursor_next(struct warp_cursor *c, struct warp_op *op) {
    const uint8_t *at = c->at;
    if (at == c->end) {
        return false;
    }
    unsigned header = *at++;
    op->form = ADDRESS_NONE;
    op->base = 0;
    op->stride = 0;
    op->list = NULL;
    if (header < LONG_HEADER) {
        op->insn = &c->code->insns[header];
        op->active = c->last_active;
        c->at = at;
        return true;
    }
    op->insn = &c->code->insns[(header & 7) << 8 | *at++];
    if (header & MASK_FOLLOWS) {
        at = take(at, &c->last_active, sizeof c->last_active);
    }
    op->active = c->last_active;
    uint32_t base32;
    int16_t stride16;
    switch (header >> 4 & 7) {
    case FORM_UNIFORM:
    case FORM_UNIT:
        at = take(at, &base32, sizeof base32);
        op->form = ADDRESS_AFFINE;
        op->base = base32;
        op->stride = (header >> 4 & 7) == FORM_UNIT ? UNIT_STRIDE : 0;
        break;
    case FORM_AFFINE:
        at = take(at, &base32, sizeof base32);
        at = take(at, &stride16, sizeof stride16);
        op->form = ADDRESS_AFFINE;
        op->base = base32;
        op->stride = stride16;
        break;
    case FORM_WIDE:
        at = take(at, &op->base, sizeof op->base);
        at = take(at, &op->stride, sizeof op->stride);
        op->form = ADDRESS_AFFINE;
        break;
    case FORM_LIST:
        at = take(at, &op->base, sizeof op->base);
        op->form = ADDRESS_LIST;
        op->list = at;
        at += 1 + ((size_t)__builtin_popcount(op->active) << (*at & 3));
        break;
    default: break;
    }
    c->at = at;
    return true;
}

void warp_op_addresses(const struct warp_op *op, uint64_t address[WARP_SIZE]) {
    if (op->form == ADDRESS_AFFINE) {
        for (uint32_t m = op->active; m; m &= m - 1) {
            unsigned lane = (unsigned)__builtin_ctz(m);
            address[lane] = op->base + lane * (uint64_t)op->stride;
        }
    } else if (op->form == ADDRESS_LIST) {
        const uint8_t *at = op->list;
        unsigned width = *at & 3, shift = *at >> 2;
        at++;
        for (uint32_t m = op->active; m; m &= m - 1) {
            uint64_t distance = 0;
            for (unsigned byte = 0; byte < 1u << width; byte++) {
                distance |= (uint64_t)*at++ << (8 * byte);
            }
            address[__builtin_ctz(m)] = op->base + (distance << shift);
        }
    }
}
