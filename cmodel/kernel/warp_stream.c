/* SPDX-License-Identifier: Apache-2.0
 *
 * The encoding of a stream. Numbers are little-endian and unaligned. Trace files contain the same
 * bytes (docs/wtr_format.md), so a change here is a new version of that format.
 *
 *   0iiiiiii                       instruction i (0..127), no address, same active lanes as the
 *                                  record before
 *   1fffmiii iiiiiiii              instruction i (0..2047), address form f
 *   1111mfff iiiiiiii iiiiiiii     instruction i (0..65535)
 *       m = 1: uint32 active lanes follow; then, by form,
 *       FORM_NONE                  -
 *       FORM_UNIFORM               uint32 base                 one address for all lanes
 *       FORM_UNIT                  uint32 base                 stride 4
 *       FORM_AFFINE                uint32 base, int16 stride
 *       FORM_WIDE                  uint64 base, int64 stride   all other affine ones
 *       FORM_LIST                  uint64 lowest address; uint8 s << 2 | w; then for each active
 *                                  lane a number of 1 << w bytes: its distance from the lowest
 *                                  address, shifted right by s
 */
#include "kernel/warp_stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FORM_NONE, FORM_UNIFORM, FORM_UNIT, FORM_AFFINE, FORM_WIDE, FORM_LIST, FORM_FAR = 7 };

#define LONG_HEADER 0x80
#define MASK_FOLLOWS 0x08
#define UNIT_STRIDE 4
#define NEAR_INSNS 2048 /* that the two-byte header can name */

#define RECORD_MAX (3 + 4 + 8 + 1 + WARP_SIZE * 8)
#define CAPACITY_MIN 1024

/* An empty stream starts with all lanes active, so that a full warp never writes its mask. */
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

static bool grow_stream(struct warp_stream *s) {
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
static inline bool reserve_record(struct warp_stream *s) {
    return s->capacity - s->size >= RECORD_MAX || grow_stream(s);
}

/* Writes byte by byte, so that streams are the same on every machine; compilers make one move of
 * it. */
static inline uint8_t *append_u16(uint8_t *at, uint16_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    return at + 2;
}

static inline uint8_t *append_u32(uint8_t *at, uint32_t value) {
    return append_u16(append_u16(at, (uint16_t)value), (uint16_t)(value >> 16));
}

static inline uint8_t *append_u64(uint8_t *at, uint64_t value) {
    return append_u32(append_u32(at, (uint32_t)value), (uint32_t)(value >> 32));
}

static inline uint8_t *append_header(struct warp_stream *s, unsigned form, unsigned index,
                                     uint32_t active) {
    uint8_t *at = s->bytes + s->size;
    bool mask = active != s->last_active;
    unsigned head = LONG_HEADER | (mask ? MASK_FOLLOWS : 0);
    if (index < NEAR_INSNS) {
        at[0] = (uint8_t)(head | form << 4 | index >> 8);
        at[1] = (uint8_t)index;
        at += 2;
    } else {
        at[0] = (uint8_t)(head | FORM_FAR << 4 | form);
        at = append_u16(at + 1, (uint16_t)index);
    }
    if (mask) {
        at = append_u32(at, active);
        s->last_active = active;
    }
    return at;
}

bool warp_stream_put(struct warp_stream *s, unsigned index, uint32_t active) {
    assert(index < WARP_STREAM_INSNS_MAX);
    if (!reserve_record(s)) {
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
    if (!reserve_record(s)) {
        return false;
    }
    uint32_t base32 = (uint32_t)base;
    int16_t stride16 = (int16_t)stride;
    uint8_t *at;
    if (base32 != base || stride16 != stride) {
        at = append_header(s, FORM_WIDE, index, active);
        at = append_u64(at, base);
        at = append_u64(at, (uint64_t)stride);
    } else if (stride == 0 || stride == UNIT_STRIDE) {
        at = append_header(s, stride ? FORM_UNIT : FORM_UNIFORM, index, active);
        at = append_u32(at, base32);
    } else {
        at = append_header(s, FORM_AFFINE, index, active);
        at = append_u32(at, base32);
        at = append_u16(at, (uint16_t)stride16);
    }
    s->size = (size_t)(at - s->bytes);
    return true;
}

/* Finds base and stride with base + lane * stride == address for all active lanes, modulo 2^64. */
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
    /* The division may round; the second lane then contradicts the stride below. */
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
    /* It is not zero: a list has two addresses that differ, otherwise it would be affine. */
    unsigned shift = (unsigned)__builtin_ctzll(bits);
    bits >>= shift;
    unsigned width = bits >> 8 == 0 ? 0 : bits >> 16 == 0 ? 1 : bits >> 32 == 0 ? 2 : 3;
    uint8_t form = (uint8_t)(shift << 2 | width);
    at = append_u64(at, lowest);
    *at++ = form;
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
    if (!reserve_record(s)) {
        return false;
    }
    uint8_t *at = append_header(s, FORM_LIST, index, active);
    s->size = (size_t)(append_list(at, active, address) - s->bytes);
    return true;
}

uint8_t *warp_stream_extend(struct warp_stream *s, size_t bytes) {
    while (!s->bytes || s->capacity - s->size < bytes) { /* 0 bytes need a valid place, too */
        if (!grow_stream(s)) {
            return NULL;
        }
    }
    uint8_t *at = s->bytes + s->size;
    s->size += bytes;
    return at;
}

void warp_cursor_open(struct warp_cursor *c, const struct warp_stream *s,
                      const struct kernel_code *code) {
    c->code = code;
    c->at = s->bytes;
    c->end = s->size ? s->bytes + s->size : s->bytes;
    c->last_active = ACTIVE_AT_START;
}

static inline uint32_t read_u16(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t read_u32(const uint8_t *at) {
    return read_u16(at) | read_u16(at + 2) << 16;
}

static inline uint64_t read_u64(const uint8_t *at) {
    return read_u32(at) | (uint64_t)read_u32(at + 4) << 32;
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
    unsigned form = header >> 4 & 7, index;
    if (__builtin_expect(form == FORM_FAR, 0)) {
        form = header & 7;
        index = read_u16(at);
        at += 2;
    } else {
        index = (header & 7) << 8 | *at++;
    }
    op->insn = &c->code->insns[index];
    if (header & MASK_FOLLOWS) {
        c->last_active = read_u32(at);
        at += 4;
    }
    op->active = c->last_active;
    switch (form) {
    case FORM_UNIFORM:
    case FORM_UNIT:
        op->form = ADDRESS_AFFINE;
        op->base = read_u32(at);
        op->stride = form == FORM_UNIT ? UNIT_STRIDE : 0;
        at += 4;
        break;
    case FORM_AFFINE:
        op->form = ADDRESS_AFFINE;
        op->base = read_u32(at);
        op->stride = (int16_t)read_u16(at + 4);
        at += 6;
        break;
    case FORM_WIDE:
        op->form = ADDRESS_AFFINE;
        op->base = read_u64(at);
        op->stride = (int64_t)read_u64(at + 8);
        at += 16;
        break;
    case FORM_LIST:
        op->form = ADDRESS_LIST;
        op->base = read_u64(at);
        op->list = at + 8;
        at += 9 + ((size_t)__builtin_popcount(op->active) << (at[8] & 3));
        break;
    default: break;
    }
    c->at = at;
    return true;
}

/* Bytes that the address of each form needs, without a list's numbers. */
static size_t form_bytes(unsigned form) {
    switch (form) {
    case FORM_UNIFORM:
    case FORM_UNIT: return 4;
    case FORM_AFFINE: return 6;
    case FORM_WIDE: return 16;
    case FORM_LIST: return 9;
    default: return 0;
    }
}

/* Reads a record with a long header, of which *at is the second byte. NULL: good, and *at is behind
 * it. */
static const char *check_long(unsigned header, const uint8_t **at, const uint8_t *end,
                              uint32_t *active, unsigned *index, bool *memory) {
    static const char short_of[] = "a record goes beyond the end of its warp";
    const uint8_t *p = *at;
    unsigned form = header >> 4 & 7;
    size_t left = (size_t)(end - p),
           need = 1 + (form == FORM_FAR) + (header & MASK_FOLLOWS ? 4 : 0);
    if (left < need) {
        return short_of;
    }
    *index = form == FORM_FAR ? read_u16(p) : (header & 7) << 8 | *p;
    form = form == FORM_FAR ? header & 7 : form;
    if (form > FORM_LIST) {
        return "a form of addresses that does not exist: must be 0..5";
    }
    if (header & MASK_FOLLOWS) {
        *active = read_u32(p + need - 4);
    }
    *memory = form != FORM_NONE;
    p += need;
    need = form_bytes(form);
    if ((size_t)(end - p) < need) {
        return short_of;
    }
    if (form == FORM_LIST) {
        need += (size_t)__builtin_popcount(*active) << (p[8] & 3);
        if ((size_t)(end - p) < need) {
            return short_of;
        }
    }
    *at = p + need;
    return NULL;
}

const char *warp_stream_check(const struct warp_stream *s, const struct kernel_code *code,
                              struct warp_stream_counts *counts, size_t *offset) {
    const uint8_t *at = s->bytes, *end = s->size ? s->bytes + s->size : s->bytes;
    uint32_t active = ACTIVE_AT_START;
    unsigned lanes = WARP_SIZE;
    uint64_t warps = 0, threads = 0, memories = 0;
    *offset = 0;
    while (at != end) {
        const uint8_t *start = at;
        unsigned index = *at++;
        bool memory = false;
        if (index >= LONG_HEADER) {
            const char *wrong = check_long(index, &at, end, &active, &index, &memory);
            *offset = (size_t)(start - s->bytes);
            if (wrong) {
                return wrong;
            }
            lanes = (unsigned)__builtin_popcount(active);
        }
        if (index >= code->insn_count) {
            *offset = (size_t)(start - s->bytes);
            return "an instruction that the kernel lacks: must be below its number of them";
        }
        const struct insn *insn = &code->insns[index];
        if ((insn_is_memory(insn) != 0) != memory) {
            *offset = (size_t)(start - s->bytes);
            return "addresses: must be with a memory instruction, and with it alone";
        }
        if (!active && !insn_may_be_predicated_off(insn)) {
            *offset = (size_t)(start - s->bytes);
            return "an access, a barrier or a marker without an active lane: must have one";
        }
        if (!insn_is_marker(insn)) {
            warps++;
            threads += lanes;
            memories += memory;
        }
    }
    counts->warp_instructions += warps;
    counts->thread_instructions += threads;
    counts->memory_instructions += memories;
    return NULL;
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
