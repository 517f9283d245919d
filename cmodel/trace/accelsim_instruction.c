/* SPDX-License-Identifier: Apache-2.0
 * A line with an instruction: [line number] PC mask, instruction, addresses, [immediates]. */
#include <inttypes.h>
#include <string.h>

#include "trace/accelsim_kernel.h"

#define WINDOW_BYTES (UINT64_C(1) << 24) /* of shared and local memory among generic addresses */

enum address_mode { MODE_LIST, MODE_STRIDE, MODE_DELTA };

/* Addresses of a line. */
struct line_addresses {
    bool affine; /* base + lane * stride, else one by one */
    uint64_t base;
    int64_t stride;
    uint64_t address[WARP_SIZE];
};

static bool bad_address(struct text_lines *t) {
    return text_lines_fail(t, "an address is missing or wrong: must be one for each active lane");
}

static bool read_list(struct text_lines *t, const char **at, uint32_t mask,
                      struct line_addresses *a) {
    for (uint32_t m = mask; m; m &= m - 1) {
        if (!accelsim_hex(at, &a->address[__builtin_ctz(m)])) {
            return bad_address(t);
        }
    }
    return true;
}

/* The tracer writes a stride where the active lanes have no gap. */
static bool read_stride(struct text_lines *t, const char **at, uint32_t mask,
                        struct line_addresses *a) {
    unsigned first = (unsigned)__builtin_ctz(mask);
    uint32_t run = mask >> first;
    if (!accelsim_hex(at, &a->base) || !accelsim_signed(at, &a->stride)) {
        return text_lines_fail(t, "base and stride: must be a hexadecimal and a decimal number");
    }
    if (run & (run + 1)) {
        return text_lines_fail(
            t, "base and stride for lanes 0x%08" PRIx32 ": must be lanes without a gap", mask);
    }
    a->affine = true;
    a->base -= first * (uint64_t)a->stride;
    return true;
}

static bool read_deltas(struct text_lines *t, const char **at, uint32_t mask,
                        struct line_addresses *a) {
    uint64_t address;
    int64_t delta;
    if (!accelsim_hex(at, &address)) {
        return bad_address(t);
    }
    a->address[__builtin_ctz(mask)] = address;
    for (uint32_t m = mask & (mask - 1); m; m &= m - 1) {
        if (!accelsim_signed(at, &delta)) {
            return text_lines_fail(t, "a difference of addresses is missing or wrong: must be one "
                                      "for each active lane but the first");
        }
        address += (uint64_t)delta;
        a->address[__builtin_ctz(m)] = address;
    }
    return true;
}

static bool read_addresses(struct text_lines *t, const char **at, uint32_t mask,
                           struct line_addresses *a) {
    uint64_t mode;
    a->affine = false;
    if (!accelsim_unsigned(at, UINT32_MAX, &mode) || mode > MODE_DELTA) {
        return text_lines_fail(t, "address mode: must be 0 (list), 1 (base, stride) or 2 (base, "
                                  "differences)");
    }
    return mode == MODE_LIST     ? read_list(t, at, mask, a)
           : mode == MODE_STRIDE ? read_stride(t, at, mask, a)
                                 : read_deltas(t, at, mask, a);
}

static bool take_immediate(const char **at) {
    const char *start = *at;
    int64_t decimal;
    uint64_t hexadecimal;
    if (accelsim_signed(at, &decimal)) {
        return true;
    }
    *at = start;
    return accelsim_hex(at, &hexadecimal);
}

/* Version 3 ends here; version 4 has an immediate; version 5 has one or two, by tracer. */
static bool read_rest(struct accelsim_kernel *k, const char *at) {
    unsigned most = k->header.version - 3;
    at += strspn(at, " \t");
    for (unsigned i = 0; *at; i++, at += strspn(at, " \t")) {
        if (i == most) {
            return text_lines_fail(k->lines, "words behind the %s: must be none",
                                   i ? "immediate" : "instruction");
        }
        if (!take_immediate(&at)) {
            return text_lines_fail(k->lines, "immediate: must be a number");
        }
    }
    return true;
}

static bool in_window(uint64_t address, uint64_t base) {
    return base && address - base < WINDOW_BYTES;
}

/* Finds the space of one lane's address, which becomes an offset in shared and local memory. */
static unsigned space_of(const struct accelsim_kernel *k, const struct opcode *o,
                         uint64_t *address) {
    uint64_t shared = k->header.shared_base, local = k->header.local_base;
    if (o->space == SPACE_GLOBAL || o->space == SPACE_TEXTURE || o->space == SPACE_CONSTANT) {
        return o->space;
    }
    /* The window that begins later wins where the windows overlap. */
    bool in_shared = in_window(*address, shared) && !(in_window(*address, local) && local > shared);
    if (in_shared) {
        *address -= shared;
    } else if (in_window(*address, local)) {
        *address -= local;
        return o->space == SPACE_SHARED ? SPACE_SHARED : SPACE_LOCAL;
    }
    if (o->space != SPACE_GENERIC) {
        return o->space;
    }
    /* LDGSTS has the shared operand's offset, not an address in the window. */
    bool offset = o->kind == OPCODE_COPY && *address < WINDOW_BYTES;
    return in_shared || offset ? SPACE_SHARED : SPACE_GLOBAL;
}

static bool put_instruction(struct accelsim_kernel *k, bool good) {
    return good || text_lines_fail(k->lines, "out of memory");
}

static void note_local(struct accelsim_kernel *k, uint32_t lanes, const uint64_t *address,
                       unsigned width) {
    for (; lanes; lanes &= lanes - 1) {
        uint64_t first = address[__builtin_ctz(lanes)];
        k->local_low = first < k->local_low ? first : k->local_low;
        k->local_high = first + width > k->local_high ? first + width : k->local_high;
    }
}

/* Lanes of one space are one instruction; lanes of several spaces are one after another. */
static bool put_by_space(struct accelsim_kernel *k, struct warp_stream *s,
                         const struct accelsim_insn *i, uint32_t mask, struct line_addresses *a) {
    uint32_t lanes[SPACE_COUNT] = {0};
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        if (a->affine) {
            a->address[lane] = a->base + lane * (uint64_t)a->stride;
        }
        unsigned space = space_of(k, i->opcode, &a->address[lane]);
        lanes[space] |= UINT32_C(1) << lane;
        if (space == SPACE_LOCAL && i->opcode->op == OP_ATOMIC) {
            return text_lines_fail(k->lines, "an atomic in local memory: must be global or shared");
        }
    }
    for (unsigned space = 0; space < SPACE_COUNT; space++) {
        unsigned index;
        if (!lanes[space]) {
            continue;
        }
        if (space == SPACE_LOCAL) {
            note_local(k, lanes[space], a->address, i->width);
        }
        if (!accelsim_code_index(&k->code, k->lines, i, space, &index) ||
            !put_instruction(k, warp_stream_put_memory(s, index, lanes[space], a->address))) {
            return false;
        }
    }
    return true;
}

static bool put_memory(struct accelsim_kernel *k, struct warp_stream *s,
                       const struct accelsim_insn *i, uint32_t mask, struct line_addresses *a) {
    unsigned index, space = i->opcode->space;
    k->code.notes->cut += i->width > 16;
    bool plain = space == SPACE_GLOBAL || space == SPACE_TEXTURE || space == SPACE_CONSTANT;
    if (!plain || !a->affine) {
        return put_by_space(k, s, i, mask, a);
    }
    return accelsim_code_index(&k->code, k->lines, i, space, &index) &&
           put_instruction(k, warp_stream_put_affine(s, index, mask, a->base, a->stride));
}

static void note_instruction(struct accelsim_notes *n, const struct accelsim_insn *i, bool memory) {
    if (!i->opcode) {
        *(i->unknown < 0 ? &n->other_unknown : &n->unknown[i->unknown].count) += 1;
    }
    n->without_addresses += memory && !i->addresses;
}

bool accelsim_instruction(struct accelsim_kernel *k, struct warp_stream *s, const char *line) {
    uint64_t number, pc, mask;
    struct line_addresses addresses;
    const char *at = line;
    if (k->header.line_numbers && !accelsim_unsigned(&at, UINT32_MAX, &number)) {
        return text_lines_fail(k->lines, "source line number: must be a number (enable lineinfo)");
    }
    if (!accelsim_hex(&at, &pc) || pc >> ACCELSIM_PC_BITS) {
        return text_lines_fail(k->lines, "PC: must be hexadecimal, below 0x%x",
                               1u << ACCELSIM_PC_BITS);
    }
    if (!accelsim_hex(&at, &mask) || mask >> WARP_SIZE) {
        return text_lines_fail(k->lines, "active lanes: must be hexadecimal, 32 bits");
    }
    const struct accelsim_insn *i = accelsim_code_find(&k->code, k->lines, (uint32_t)pc, &at);
    if (!i) {
        return false;
    }
    if (!mask) { /* its addresses, if any, mean nothing */
        k->code.notes->no_lane++;
        return true;
    }
    bool memory = i->opcode && insn_is_memory(&(struct insn){.op = i->opcode->op});
    if (!i->skip && ((i->addresses && !read_addresses(k->lines, &at, (uint32_t)mask, &addresses)) ||
                     !read_rest(k, at))) {
        return false;
    }
    note_instruction(k->code.notes, i, memory);
    if (memory && i->addresses) {
        return put_memory(k, s, i, (uint32_t)mask, &addresses);
    }
    unsigned index;
    return accelsim_code_index(&k->code, k->lines, i, SPACE_COUNT, &index) &&
           put_instruction(k, warp_stream_put(s, index, (uint32_t)mask));
}
